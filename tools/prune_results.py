#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Remove from results/ the training runs of searched settings that no table uses. Run it after each export.

    tools/prune_results.py GND [FOLDER]           default: results
    tools/prune_results.py GND [FOLDER] --check   exit 1 if there are such runs; change nothing

`gnd paper` compares the values of a searched setting (sgc: l2, jknet: layers, geomgcn: embedding) on the first 5 splits
and trains the best one on all. Runs of another value on later splits are not used, except those with the default value
(docs/reproduce.md) and those of docs/claims.md (accuracy against the depth of jknet). A value is removed only if it and
the best one have all 5 splits, so that runs to come cannot change the choice between them. The paper's tables are
printed before and after; nothing is written if they differ.
"""
import collections
import csv
import glob
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile

from make_claims import DEPTH_LABELS, DEPTH_SPLITS, defaults

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
SEARCH_SPLITS = 5
SETTINGS = ["raw,original", "std,common"]
Run = collections.namedtuple("Run", "line row")


def paper(gnd, folder, *args):
    with tempfile.TemporaryDirectory() as work:  # without a store
        run = subprocess.run([gnd, "paper", "--tables-only", "--results", folder, "-q", *args], cwd=work, check=False,
                             stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    if run.returncode:
        sys.exit(run.stderr.decode().strip())
    return run.stdout.decode()


def tables(gnd, folder):
    """All tables of docs/tables.md."""
    return [paper(gnd, folder, "--format", "md", *(a for s in some for a in ("--setting", s)))
            for some in (SETTINGS, ["raw,published"])]


def value_of(text):
    """1e-7 and 1e-07 are the same value."""
    try:
        return float(text)
    except ValueError:
        return text


def searches(gnd):
    """{method: (setting, values without the default)} from the sources of the methods."""
    out = {}
    for path in glob.glob(os.path.join(ROOT, "src", "model", "methods", "*.c")):
        with open(path, encoding="utf-8") as f:
            text = f.read()
        m = re.search(r'\.search_setting = "(\w+)",\s*\.search_values = "([^"]+)"', text)
        if m:
            method = re.search(r'\.name = "([\w-]+)"', text)[1]
            out[method] = m[1], {value_of(v) for v in m[2].split(",")} - {value_of(defaults(gnd, method)[m[1]])}
    return out


def searched_configs(folder, search):
    """{config: value} of the configurations that differ from others of the method only in the searched setting."""
    with open(os.path.join(folder, "configs.csv"), encoding="utf-8", newline="") as f:
        rows = [r for r in csv.DictReader(f) if r["method"] in search]
    alike = collections.defaultdict(dict)
    for r in rows:
        name, values = search[r["method"]]
        settings = dict(s.split("=") for s in r["settings"].split())
        value = value_of(settings.pop(name))
        if value in values:
            alike[r["method"], tuple(settings.items())][r["config"]] = value
    return {config: value for group in alike.values() if len(group) > 1 for config, value in group.items()}


def read_runs(folder):
    """{file name: (heading, [Run])}"""
    out = {}
    for path in sorted(glob.glob(os.path.join(folder, "*.csv"))):
        name = os.path.basename(path)
        if name in ("configs.csv", "datasets.csv"):
            continue
        with open(path, encoding="utf-8", newline="") as f:
            head, *lines = f.readlines()
        columns = next(csv.reader([head]))
        out[name] = head, [Run(line, dict(zip(columns, row))) for line, row in zip(lines, csv.reader(lines))]
    return out


def cell_of(row):
    return row["data"], row["method"], int(row["labels_per_class"])


def find_unused(gnd, folder, runs):
    """The lines of runs that no table uses."""
    value = searched_configs(folder, searches(gnd))
    rows = [r.row for _, some in runs.values() for r in some]
    data = {(r["dataset"], r["graph"]): r["data"] for r in rows}
    rows = [r for r in rows if r["split"] == "paper" and r["seed"] == r["split_seed"] and r["config"] in value]
    first = collections.Counter((cell_of(r), r["config"]) for r in rows if int(r["split_seed"]) <= SEARCH_SPLITS)
    complete = {(cell, value[config]) for (cell, config), n in first.items() if n == SEARCH_SPLITS}
    best = collections.defaultdict(set)
    for c in json.loads(paper(gnd, folder, "--format", "json"))["cells"]:
        if c["variant"] and (c["dataset"], c["graph"]) in data:
            cell = data[c["dataset"], c["graph"]], c["method"], c["labels_per_class"]
            best[cell].add(value_of(c["variant"].split("=")[1]))
    std = {d for (_, graph), d in data.items() if graph == "std"}

    def is_unused(r):
        if (r["split"] != "paper" or r["seed"] != r["split_seed"] or r["config"] not in value
                or int(r["split_seed"]) <= SEARCH_SPLITS):
            return False
        if (r["method"] == "jknet" and r["data"] in std and r["labels_per_class"] in DEPTH_LABELS
                and int(r["split_seed"]) <= DEPTH_SPLITS):
            return False
        cell, v = cell_of(r), value[r["config"]]
        return (bool(best[cell]) and v not in best[cell] and first[cell, r["config"]] == SEARCH_SPLITS
                and all((cell, w) in complete for w in best[cell]))
    return {name: {r.line for r in some if is_unused(r.row)} for name, (_, some) in runs.items()}


def write_rest(source, folder, runs, unused):
    """A copy of the source in the folder without these runs, and without configurations that then have none."""
    shutil.copytree(source, folder, dirs_exist_ok=True)
    used = set()
    for name, (head, some) in runs.items():
        rest = [r for r in some if r.line not in unused[name]]
        used.update(r.row["config"] for r in rest)
        with open(os.path.join(folder, name), "w", encoding="utf-8", newline="") as f:
            f.writelines([head, *(r.line for r in rest)])
    with open(os.path.join(folder, "configs.csv"), encoding="utf-8", newline="") as f:
        head, *lines = f.readlines()
    with open(os.path.join(folder, "configs.csv"), "w", encoding="utf-8", newline="") as f:
        f.writelines([head, *(line for line in lines if line.split(",")[0] in used)])


def main():
    args = [a for a in sys.argv[1:] if a != "--check"]
    if not 1 <= len(args) <= 2:
        sys.exit(__doc__)
    gnd, folder = os.path.abspath(args[0]), os.path.abspath(args[1] if args[1:] else os.path.join(ROOT, "results"))
    runs = read_runs(folder)
    unused = find_unused(gnd, folder, runs)
    n, size = sum(map(len, unused.values())), sum(len(line.encode()) for some in unused.values() for line in some)
    total = sum(len(some) for _, some in runs.values())
    if "--check" in sys.argv or not n:
        print(f"results: {n} of {total} training runs are in no table, {size} bytes"
              + ("; tools/prune_results.py removes them" if n else ""))
        return 1 if n else 0
    with tempfile.TemporaryDirectory() as rest:
        write_rest(folder, rest, runs, unused)
        if tables(gnd, folder) != tables(gnd, rest):
            sys.exit("the tables differ without these runs; nothing was written")
        for name in [*runs, "configs.csv"]:
            shutil.copyfile(os.path.join(rest, name), os.path.join(folder, name))
    print(f"results: {n} of {total} training runs, {size} bytes, removed; the tables are the same")
    return 0


if __name__ == "__main__":
    sys.exit(main())
