#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Time whole processes, taking turns: timed.py TIMES NAME COMMAND... -- NAME COMMAND... -- ...

Prints `name  turn  wall s  cpu s  MB at most  test accuracy` between tabs; the accuracy is what the
command's one JSON object calls test_accuracy.
"""
import json
import os
import subprocess
import sys
import time


def once(command):
    start = time.perf_counter()
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL) as p:
        text = p.stdout.read()
        _, status, used = os.wait4(p.pid, 0)
        p.returncode = os.waitstatus_to_exitcode(status)
    wall = time.perf_counter() - start
    if p.returncode:
        sys.exit(f"{command[0]} ended with {p.returncode}")
    found = json.loads(text)["test_accuracy"]
    return wall, used.ru_utime + used.ru_stime, used.ru_maxrss / 1024, found


def main():
    commands, word = [[]], iter(sys.argv[2:])
    for w in word:
        if w == "--":
            commands.append([])
        else:
            commands[-1].append(w)
    for turn in range(int(sys.argv[1]) + 1):
        for name, *command in commands:
            wall, cpu, mb, found = once(command)
            if turn:  # the first warms the caches of the disk
                print(f"{name}\t{turn}\t{wall:.4f}\t{cpu:.4f}\t{mb:.0f}\t{found:.4f}", flush=True)


if __name__ == "__main__":
    main()
