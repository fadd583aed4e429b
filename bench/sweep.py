#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""What the trainings of the paper would take: sweep.py GND DATA,... METHOD,... LABELS SPLITS

Runs `gnd compare` for each data set and method with LABELS (as 1,5) on SPLITS splits, graph raw, the
authors' stopping rules, one thread, and prints between tabs: data set, method, trainings, sum of their
seconds, wall s and cpu s of the process, mean test accuracy.
"""
import json
import os
import subprocess
import sys
import time


def compare(gnd, data, method, labels, splits):
    command = [gnd, "compare", data, "--methods", method, "--labels-per-class", labels, "--splits", splits]
    command += ["--protocol", "paper", "--graph", "raw", "--threads", "1", "--json", "-q"]
    start = time.perf_counter()
    with subprocess.Popen(command, stdout=subprocess.PIPE) as p:
        text = p.stdout.read()
        _, status, used = os.wait4(p.pid, 0)
        p.returncode = os.waitstatus_to_exitcode(status)
    if p.returncode:
        print(f"sweep: {method} on {data} ended with {p.returncode}", file=sys.stderr)
        return
    runs = [r for r in json.loads(text)["runs"] if r["ok"]]
    wall, cpu = time.perf_counter() - start, used.ru_utime + used.ru_stime
    spent = sum(r["seconds"] for r in runs)
    accuracy = sum(r["test_accuracy"] for r in runs) / max(1, len(runs))
    print(f"{data}\t{method}\t{len(runs)}\t{spent:.4f}\t{wall:.4f}\t{cpu:.4f}\t{accuracy:.4f}", flush=True)


def main():
    gnd, data, methods, labels, splits = sys.argv[1:6]
    for d in data.split(","):
        for m in methods.split(","):
            compare(gnd, d, m, labels, splits)


if __name__ == "__main__":
    main()
