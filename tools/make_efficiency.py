#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Measure CPU seconds and epochs per training run and write them to docs/claims/efficiency.csv.

    tools/make_efficiency.py GND DATA-DIR [options]     on a machine that does nothing else

    --data LIST       data sets, separated by commas (default: the six of the paper)
    --methods LIST    methods (default: the twelve of the paper and the other GND-Nets)
    --again           measure also what the file has already
    -o FILE           default: docs/claims/efficiency.csv

Raw graph, default settings, 5 labels per class, 500 validation vertices, splits 1 to 3, one thread, one training run at
a time. The file is written after each pair of a method and a data set, so the same command resumes; rows of other pairs
stay. Columns: means over the splits of epochs and CPU seconds per training run, their quotient, other_seconds: CPU
seconds of the command outside the runs (reading the data, and what the runs share, such as PPNP's matrix or Geom-GCN's
embedding), other_load: how many CPUs other programs used meanwhile, processor, kernels and version of gnd.
"""
import argparse
import csv
import json
import os
import resource
import subprocess
import sys
import time

from make_claims import DATASETS, EFFICIENCY_METHODS, FOLDER

SPLITS = 3
COLUMNS = ["method", "dataset", "epochs", "seconds", "seconds_per_epoch", "other_seconds", "other_load", "processor",
           "kernels", "version"]


def processor():
    with open("/proc/cpuinfo", encoding="utf-8") as f:
        names = [line.split(":", 1)[1].strip() for line in f if line.startswith("model name")]
    return names[0] if names else "unknown"


def cpu_seconds():
    """CPU seconds of all programs since the machine started."""
    with open("/proc/stat", encoding="utf-8") as f:
        user, nice, system = map(int, f.readline().split()[1:4])
    return (user + nice + system) / os.sysconf("SC_CLK_TCK")


def children_seconds():
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def digits(x):
    return f"{x:.3g}" if x < 100 else f"{x:.0f}"


def measure(gnd, folder, method, dataset):
    """A row of the file; None if the command fails or a run diverges."""
    start, all_cpu, own = time.monotonic(), cpu_seconds(), children_seconds()
    run = subprocess.run([gnd, "compare", dataset, "--methods", method, "--protocol", "paper",
                          "--labels-per-class", "5", "--splits", str(SPLITS),
                          "--threads", "1", "--data-dir", folder, "--json", "-q"],
                         check=False, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    elapsed, all_cpu, own = time.monotonic() - start, cpu_seconds() - all_cpu, children_seconds() - own
    if run.returncode:
        print(f"{method} on {dataset}: {run.stderr.decode().strip()}", file=sys.stderr)
        return None
    out = json.loads(run.stdout)
    cell = out["cells"][0]
    if cell["splits"] != SPLITS:
        print(f"{method} on {dataset}: only {cell['splits']} of {SPLITS} runs have a result", file=sys.stderr)
        return None
    epochs, seconds = cell["mean_epochs"], cell["mean_seconds"]
    return dict(zip(COLUMNS, [method, dataset, f"{epochs:.1f}", digits(seconds), digits(seconds / epochs),
                              digits(max(own - SPLITS * seconds, 0)), f"{max(all_cpu - own, 0) / elapsed:.2f}",
                              processor(), out["kernels"], out["version"]]))


def place(row):
    """Order of the rows: as in the lists, other names last."""
    return [(all_.index(name) if name in all_ else len(all_), name)
            for all_, name in ((EFFICIENCY_METHODS, row["method"]), (DATASETS, row["dataset"]))]


def write(path, rows):
    with open(path + ".new", "w", encoding="utf-8", newline="") as f:
        out = csv.DictWriter(f, COLUMNS, lineterminator="\n")
        out.writeheader()
        out.writerows(sorted(rows, key=place))
    os.replace(path + ".new", path)


def read(path):
    if not os.path.exists(path):
        return {}
    with open(path, encoding="utf-8", newline="") as f:
        return {(r["method"], r["dataset"]): r for r in csv.DictReader(f)}


def main():
    args = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    args.add_argument("gnd")
    args.add_argument("folder")
    args.add_argument("--data", default=",".join(DATASETS))
    args.add_argument("--methods", default=",".join(EFFICIENCY_METHODS))
    args.add_argument("--again", action="store_true")
    args.add_argument("-o", dest="output", default=os.path.join(FOLDER, "efficiency.csv"))
    a = args.parse_args()
    gnd, rows, failed = os.path.abspath(a.gnd), read(a.output), 0
    pairs = [(m, d) for d in a.data.split(",") for m in a.methods.split(",")]
    if a.again:
        rows = {pair: r for pair, r in rows.items() if pair not in pairs}
    if any(r["processor"] != processor() for r in rows.values()):
        sys.exit(f"{a.output} has rows of another processor; measure them --again or name another file (-o)")
    todo = [pair for pair in pairs if pair not in rows]
    for i, (method, dataset) in enumerate(todo):
        row = measure(gnd, a.folder, method, dataset)
        failed += row is None
        if row:
            rows[method, dataset] = row
            write(a.output, rows.values())
            print(f"{i + 1}/{len(todo)} {dataset} {method}: {row['seconds']} CPU seconds, {row['epochs']} epochs; "
                  f"{row['other_load']} CPUs used by other programs", file=sys.stderr)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
