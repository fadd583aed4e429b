#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""A server of files on 127.0.0.1 for the tests of `gnd data get`, with the faults of real ones.

    file_server.py FOLDER LOG

It prints its port, then serves FOLDER until it is ended, at most two minutes. The first part of the
path is the fault: /good/FILE, /cut/FILE breaks off after each third of the file, ... Each request
is one line of LOG: the fault, the file and the range that was asked for.
"""
import http.server
import os
import signal
import sys
import time

folder, log = sys.argv[1:3]
counts = {}


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.0"

    def log_message(self, *args):
        pass

    def send(self, code, body, **headers):
        self.send_response(code)
        for name, value in headers.items():
            self.send_header(name.replace("_", "-"), value)
        self.end_headers()
        self.wfile.write(body)

    def do_GET(self):
        fault, name = self.path.strip("/").split("/", 1)
        asked = self.headers.get("Range", "")
        with open(log, "a") as f:
            print(fault, name, asked, file=f)
        n = counts[fault, name] = counts.get((fault, name), 0) + 1
        body = open(os.path.join(folder, name), "rb").read()
        begin = int(asked[6:-1]) if asked else 0
        try:
            self.answer(fault, name, n, body, begin)
        except (BrokenPipeError, ConnectionResetError):
            pass

    def answer(self, fault, name, n, body, begin):
        port = self.server.server_address[1]
        length = {"Content_Length": str(len(body) - begin)}
        if fault == "missing":
            return self.send(404, b"no such file\n")
        if fault == "redirect":
            return self.send(302, b"moved\n" * 99, Location=f"http://localhost:{port}/good/{name}")
        if fault == "relative":
            return self.send(301, b"", Location=f"/good/{name}")
        if fault == "away":
            return self.send(302, b"", Location=f"http://192.0.2.1:{port}/good/{name}")
        if fault == "file":
            return self.send(302, b"", Location="file:///etc/passwd")
        if fault == "around":
            return self.send(302, b"", Location=f"/around/{name}")
        if fault == "wrong":
            return self.send(200, b"x" * len(body))
        if fault == "long":
            return self.send(200, body + b"more")
        if fault == "short":
            return self.send(200, body[:-1])
        if fault == "norange":  # always from the start; breaks off once
            part = body[: len(body) // 2] if n == 1 else body
            return self.send(200, part, Content_Length=str(len(body)))
        if fault == "badrange":  # another part than was asked for
            if begin:
                return self.send(206, body, Content_Range=f"bytes 0-{len(body) - 1}/{len(body)}")
            return self.send(200, body[: len(body) // 2], Content_Length=str(len(body)))
        if fault == "stall":
            self.send(200, body[:10], **length)
            self.wfile.flush()
            return time.sleep(30)
        if begin >= len(body):
            return self.send(416, b"")
        if begin:
            length["Content_Range"] = f"bytes {begin}-{len(body) - 1}/{len(body)}"
        part = body[begin:]
        if fault == "cut":
            part = part[: max(1, len(body) // 3)]
        if fault == "half":  # breaks off, then answers with errors
            if n > 1:
                return self.send(503, b"")
            part = part[: len(body) // 2]
        if fault == "slow" and name.endswith(".allx"):
            self.send(206 if begin else 200, b"", **length)
            for i in range(0, len(part), max(1, len(part) // 6)):
                self.wfile.write(part[i : i + max(1, len(part) // 6)])
                self.wfile.flush()
                time.sleep(0.3)
            return None
        return self.send(206 if begin else 200, part, **length)


signal.alarm(120)
server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
server.daemon_threads = True
print(server.server_address[1], flush=True)
server.serve_forever()
