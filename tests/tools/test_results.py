#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Checks results/, the training runs that come with gnd: small, without orphans, counted right and reproducible.

The last check deletes 100 rows and trains again; it needs the data sets in ../shared/data and AVX2.
"""
import collections
import csv
import filecmp
import glob
import json
import math
import os
import random
import shutil
import statistics
import subprocess
import sys
import tempfile

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
RESULTS = os.path.join(ROOT, "results")
SHARED = os.path.join(ROOT, "..", "shared", "data")
GND = os.path.abspath(os.environ.get("GND", os.path.join(ROOT, "build", "gnd")))
N_DELETED = 100
# A part of the tables whose rows are complete and quick to train.
PART = {"dataset": ["cora", "citeseer", "cora_ml"], "method": ["gcn", "chebynet", "dcnn", "lanczosnet"]}
failed = passed = 0


def check(name, good, why=""):
    global failed, passed
    failed += not good
    passed += bool(good)
    print(f"ok   {name}" if good else f"FAIL {name}: {why}")


def table(name):
    with open(os.path.join(RESULTS, name), encoding="utf-8", newline="") as f:
        return list(csv.DictReader(f))


def gnd(folder, *args):
    run = subprocess.run([GND, "paper", "--data", ",".join(PART["dataset"]), "--methods", ",".join(PART["method"]),
                          "--setting", "raw,original", "--format", "md", *args], cwd=folder, check=False,
                         env=dict(os.environ, GND_DATA=SHARED, GND_KERN="avx2"), stdout=subprocess.PIPE,
                         stderr=subprocess.PIPE)
    if run.returncode:
        sys.exit(run.stderr.decode())
    text = run.stdout.decode()
    return text[:text.index("CPU seconds")], run.stderr.decode()  # times are never the same


def is_deletable(row, configs):
    """Made by the avx2 kernels, quick, and part of the tables above."""
    return (row["dataset"] in PART["dataset"] and row["method"] in PART["method"] and row["graph"] == "raw"
            and row["split"] == "paper" and " avx2 " in row["build"] and float(row["seconds"]) < 0.5
            and "stop=gat" not in configs[row["config"]])


def delete_rows(folder, configs):
    """Delete rows of the copy of results/ in the folder; returns how many."""
    files = {name: table(name) for name in ("cora.csv", "citeseer.csv", "cora_ml.csv")}
    some = [(name, i) for name, rows in files.items() for i, row in enumerate(rows) if is_deletable(row, configs)]
    random.seed(1)
    gone = set(random.sample(some, min(N_DELETED, len(some))))
    for name, rows in files.items():
        with open(os.path.join(folder, name), "w", encoding="utf-8", newline="") as f:
            out = csv.DictWriter(f, rows[0].keys(), lineterminator="\n")
            out.writeheader()
            out.writerows(row for i, row in enumerate(rows) if (name, i) not in gone)
    return len(gone)


def cells_by_hand(runs):
    """(number of splits, mean, deviation) in percent of each configuration, as a set per cell of the paper's tables."""
    graph = {}
    accuracy = collections.defaultdict(list)
    for name in runs:
        for row in table(name):
            if row["split"] == "paper" and row["status"] == "ok" and row["seed"] == row["split_seed"]:
                graph[row["dataset"], row["graph"]] = row["data"]
                accuracy[row["data"], row["method"], int(row["labels_per_class"]), row["config"]].append(
                    100 * float(row["test_accuracy"]))
    found = collections.defaultdict(set)
    for (data, method, labels, _), v in accuracy.items():
        found[data, method, labels].add((len(v), round(statistics.mean(v), 6), round(statistics.pstdev(v), 6)))
    return graph, found


def tables_check(runs):
    """Compute the means, and which are near and best, again from the rows."""
    with tempfile.TemporaryDirectory() as work:
        out = subprocess.run([GND, "paper", "--tables-only", "--results", RESULTS, "--format", "json", "-q"], cwd=work,
                             check=True, stdout=subprocess.PIPE).stdout
    tables = json.loads(out)
    graph, found = cells_by_hand(runs)
    wrong, counts, best = [], collections.Counter(), {}
    for c in (c for c in tables["cells"] if c["splits"]):
        place = (c["dataset"], c["graph"], c["labels_per_class"])
        got = (c["splits"], round(c["mean"], 6), round(c["std"], 6))
        if got not in found[graph[place[:2]], c["method"], c["labels_per_class"]]:
            wrong.append((*place, c["method"], got))
        best[place] = max(best.get(place, (0, "")), (c["mean"], c["method"]))
        if c["published_mean"] is not None:
            distance = abs(c["mean"] - c["published_mean"])
            strict = c["published_std"] / math.sqrt(30)
            counts["near", c["graph"], c["method"]] += distance <= 2 * math.hypot(strict, c["std"] / math.sqrt(
                c["splits"]))
            counts["near_strict", c["graph"], c["method"]] += distance <= 2 * strict
    counts.update(("best", graph, method) for (_, graph, _), (_, method) in best.items())
    check("means and deviations are those of the rows", not wrong, wrong[:3])
    differ = [(kind, b["graph"], b["method"], b[kind]) for b in tables["best"] if b["by"] == "measured"
              for kind in ("near", "near_strict", "best") if b[kind] != counts[kind, b["graph"], b["method"]]]
    check("the counts of near and best cells are right", len(tables["cells"]) == 720 and not differ, differ)


def prune(folder, *args):
    run = subprocess.run([sys.executable, os.path.join(ROOT, "tools", "prune_results.py"), GND, folder, *args],
                         check=False, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    return run.returncode, run.stdout.decode().strip()


def prune_check():
    """Add runs of a value of sgc's search that is not the best one, and an incomplete search; remove the former."""
    rc, text = prune(RESULTS, "--check")
    check("no runs that are in no table", rc == 0, text)
    settings = {row["config"]: row["settings"].split() for row in table("configs.csv")}
    rows = [r for r in table("cora_ml.csv") if r["method"] == "sgc" and r["graph"] == "raw"
            and r["labels_per_class"] == "1" and r["split"] == "paper"]
    ours = [r for r in rows if "stop=none" in settings[r["config"]] and "l2=5e-06" not in settings[r["config"]]]
    late = {r["config"] for r in ours if int(r["split_seed"]) > 5}
    value = next(r["config"] for r in ours if r["config"] not in late)
    with tempfile.TemporaryDirectory() as work:
        before, after = os.path.join(work, "before"), os.path.join(work, "after")
        shutil.copytree(RESULTS, before)
        shutil.copytree(RESULTS, after)
        path = os.path.join(after, "cora_ml.csv")
        with open(path, encoding="utf-8", newline="") as f:
            lines = f.readlines()
        start = f"cora_ml,raw,{rows[0]['data']},paper,1,500,1,1,{rows[0]['split_hash']},sgc,{value},1,"
        at = next(i for i, line in enumerate(lines) if line.startswith(start))
        more = lines[at].replace(",paper,1,500,1,1,", ",paper,1,500,1,6,").replace(f",{value},1,", f",{value},6,")
        with open(path, "w", encoding="utf-8", newline="") as f:
            f.writelines(lines[:at + 1] + [more] + lines[at + 1:])
        check("a run of a value that is not the best is found", prune(after, "--check")[0] == 1)
        rc, text = prune(after)
        check("it is removed, and nothing else", rc == 0 and "1 of" in text and not filecmp.dircmp(
            before, after).diff_files, text)
        with open(path, "w", encoding="utf-8", newline="") as f:  # the value has 4 of the 5 splits of the search
            f.writelines(lines[:at] + [more] + lines[at + 1:])
        rc, text = prune(after, "--check")
        check("a value whose search is not complete stays", rc == 0, text)


def main():
    names = sorted(os.path.basename(p) for p in glob.glob(os.path.join(RESULTS, "*")))
    configs = {row["config"]: row["settings"] for row in table("configs.csv")}
    runs = [name for name in names if name.endswith(".csv") and name not in ("configs.csv", "datasets.csv")]
    used, names_found = set(), set()
    for name in runs:
        for row in table(name):
            used.add(row["config"])
            names_found.add((name, row["dataset"] + ".csv"))
    size = sum(os.path.getsize(os.path.join(RESULTS, name)) for name in names)
    check("results/ has at most 12 MB", size < 12e6, f"{size} bytes")
    check("every configuration is used", used == set(configs), used ^ set(configs))
    check("every file has the runs of its data set", all(a == b for a, b in names_found), names_found)
    check("no other files", set(names) == {"README.md", "configs.csv", "datasets.csv", *runs}, names)
    tables_check(runs)
    prune_check()
    with open("/proc/cpuinfo", encoding="utf-8") as f:
        avx2 = " avx2 " in f.read().replace("\n", " ")
    if not os.path.isdir(SHARED) or not avx2:
        print("skip: retraining deleted rows needs the data sets in ../shared/data and AVX2")
    else:
        with tempfile.TemporaryDirectory() as work:
            part = os.path.join(work, "part")
            shutil.copytree(RESULTS, part)
            n = delete_rows(part, configs)
            whole, _ = gnd(work, "--tables-only", "--results", RESULTS)
            again, log = gnd(work, "--results", part, "--store", "again.sqlite")
            check("exactly the deleted rows are trained", n == N_DELETED and
                  f"note: {1800 - n:,} of 1,800 training runs are in again.sqlite" in log, log)
            check("the tables are the same", again == whole, "they differ")
    print(f"{passed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
