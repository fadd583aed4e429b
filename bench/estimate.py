#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""`gnd estimate` beside the measured peak of the same run: a Markdown table, exit 1 if a case is off by more than 15 %.

    bench/estimate.py                          # all cases; about five minutes
    bench/estimate.py --cases small            # those of a million entries
    bench/estimate.py --methods auto,appnp     # some methods

The graphs are made by `gnd data make`, in --folder. A run is `gnd train` with two epochs: the peak is reached in the
first one. Environment: GND, the command (default build/gnd).
"""
import argparse
import json
import os
import subprocess
import sys
import tempfile

ROOT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..")
GND = os.environ.get("GND", os.path.join(ROOT, "build", "gnd"))

# name: words of `gnd data make`. Entries of the adjacency matrix are twice the edges.
GRAPHS = {
    "1m": ["--vertices", "60000", "--edges", "550000", "--classes", "8", "--features", "0"],
    "1m-words": ["--vertices", "60000", "--edges", "550000", "--classes", "8", "--features", "500", "--words", "10"],
    "1m-dense": ["--vertices", "6000", "--edges", "900000", "--classes", "8", "--features", "200"],
    "9m": ["--vertices", "500000", "--edges", "5000000", "--classes", "8", "--features", "0"],
    "9m-words": ["--vertices", "500000", "--edges", "5000000", "--classes", "8", "--features", "256", "--words", "8"],
}
CASES = {
    "small": [("1m", "auto"), ("1m", "ls"), ("1m-words", "auto"), ("1m-words", "gnd-slp"), ("1m-words", "appnp"),
              ("1m-words", "gcn"), ("1m-dense", "gcn"), ("1m-dense", "gnd-slp")],
    "large": [("9m", "auto"), ("9m", "ls"), ("9m-words", "auto"), ("9m-words", "gnd-slp"), ("9m-words", "appnp"),
              ("9m-words", "sgc"), ("9m-words", "sign"), ("9m-words", "dcnn")],
}
LIMIT = 0.15


def peak(words):
    """Peak memory in bytes and CPU seconds of a command."""
    p = subprocess.Popen([GND, *words], stdout=subprocess.DEVNULL)
    _, status, usage = os.wait4(p.pid, 0)
    p.returncode = os.waitstatus_to_exitcode(status)
    if p.returncode:
        sys.exit(f"gnd {' '.join(words)}: exit code {p.returncode}")
    return usage.ru_maxrss * 1024, usage.ru_utime + usage.ru_stime


def estimate(words):
    p = subprocess.run([GND, "estimate", *words, "--json"], stdout=subprocess.PIPE, check=False)
    if not p.stdout:
        sys.exit(f"gnd estimate {' '.join(words)}: exit code {p.returncode}")
    return json.loads(p.stdout)["bytes"]


def has_epochs(method):
    p = subprocess.run([GND, "methods", method], stdout=subprocess.PIPE, check=True)
    return b"epochs_alone" in p.stdout


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--cases", choices=[*CASES, "all"], default="all")
    parser.add_argument("--methods", help="only these, separated by commas")
    parser.add_argument("--threads", default="1")
    parser.add_argument("--folder", help="of the graphs, which are kept (default: a temporary one)")
    a = parser.parse_args()
    folder = a.folder or tempfile.mkdtemp(prefix="gnd-estimate-")
    worst = 0.0
    print("| graph | method | measured MB | estimated MB | off by | CPU s of the estimate |\n|---|---|---|---|---|---|")
    for graph, method in [c for k, cases in CASES.items() if a.cases in (k, "all") for c in cases]:
        if a.methods and method not in a.methods.split(","):
            continue
        path = os.path.join(folder, graph + ".safetensors")
        if not os.path.exists(path):
            subprocess.run([GND, "data", "make", path, *GRAPHS[graph]], stdout=subprocess.DEVNULL, check=True)
        words = [path, "--method", method, "--labels-per-class", "5", "--validation", "0", "--threads", a.threads, "-q"]
        before = os.times()
        guess = estimate(words)
        after = os.times()
        seconds = after.children_user + after.children_system - before.children_user - before.children_system
        real, _ = peak(["train", *words, *(["--set", "epochs_alone=2"] if has_epochs(method) else [])])
        worst = max(worst, abs(guess / real - 1))
        print(f"| {graph} | {method} | {real / 2**20:.0f} | {guess / 2**20:.0f} | {100 * (guess / real - 1):+.0f} % | "
              f"{seconds:.1f} |", flush=True)
    if not a.folder:
        for name in os.listdir(folder):
            os.unlink(os.path.join(folder, name))
        os.rmdir(folder)
    sys.exit(worst > LIMIT)


if __name__ == "__main__":
    main()
