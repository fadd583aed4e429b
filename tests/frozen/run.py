#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Compare the outputs of gnd with recorded ones, so that a change of structure cannot change a result.

    tests/frozen/run.py            compare; the last line is "N passed, M failed"
    tests/frozen/run.py --update   record what the program prints now, in hashes.txt

README.md beside this file says what is recorded and when to record it again.
"""
import csv
import glob
import hashlib
import json
import os
import platform
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
HASHES = os.path.join(HERE, "hashes.txt")
SHARED = os.path.join(ROOT, "..", "shared", "data")
GND = os.path.abspath(os.environ.get("GND", os.path.join(ROOT, "build", "gnd")))
REAL = ["cora", "citeseer", "pubmed", "amazon_photo", "facebook_pages", "actor", "wisconsin"]
LABELS_PER_CLASS = 3
N_ROW = 30
UPDATE = "--update" in sys.argv[1:]
C_LIBRARY = " ".join(platform.libc_ver())


def environment():
    keep = {k: os.environ[k] for k in ("PATH", "HOME", "ASAN_OPTIONS") if k in os.environ}
    return dict(keep, GND_KERN="avx2", GND_DATA=SHARED, LC_ALL="C")


def gnd(*args):
    """Standard output of one run on one thread; an error if the run fails."""
    one_thread = [] if args[0] == "data" else ["--threads", "1", "-q"]
    run = subprocess.run([GND, *args, *one_thread],
                         env=environment(), cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE, check=False)
    if run.returncode:
        raise RuntimeError(run.stderr.decode(errors="replace").strip().split("\n")[-1])
    return run.stdout


def sha256(data):
    return hashlib.sha256(data).hexdigest()


def methods():
    out = subprocess.run([GND, "methods"], env=environment(), stdout=subprocess.PIPE, check=True).stdout
    lines = out.decode().split("\n")[1:]
    return [line.split()[0] for line in lines[:lines.index("")]]


def label_file(name, work):
    """A label file of a data set: of each class, the vertices at the first places of the file."""
    folder = os.path.join(work, name)
    gnd("data", "convert", name, folder, "--to", "csv")
    count, rows = {}, []
    with open(os.path.join(folder, "labels.csv"), encoding="utf-8", newline="") as f:
        for row in list(csv.reader(f))[1:]:
            count[row[1]] = count.get(row[1], 0) + 1
            if row[1] and count[row[1]] <= LABELS_PER_CLASS:
                rows.append(row)
    path = os.path.join(work, name + ".labels.csv")
    with open(path, "w", encoding="utf-8", newline="") as f:
        csv.writer(f).writerows([["id", "label"], *rows])
    return path


def case_label(name, labels, method):
    return gnd("label", name, "--labels", labels, "--method", method)


def case_suggest(name, labels):
    """The suggested vertices and their figures, without the sentences."""
    known = ["--labels", labels] if labels else []
    found = json.loads(gnd("suggest", name, "-n", "10", "--json", *known))["suggestions"]
    return json.dumps([[s[k] for k in ("id", "represents", "label_now", "probability")] for s in found]).encode()


def case_train(name, method, work):
    """Predictions of a training, and of its saved model."""
    stem = os.path.join(work, name + "." + method)
    gnd("train", name, "--graph", "und", "--method", method, "--labels-per-class", "3", "--validation",
        "6" if name == "karate" else "100", "-o", stem, "--predictions", stem + ".csv")
    with open(stem + ".csv", "rb") as f:
        trained = f.read()
    return trained + gnd("predict", stem, name)


def hashed_cases(work):
    """(name, function that gives the bytes) of every output that is compared by its hash."""
    for name in ("karate", "debian"):
        labels = label_file(name, work)
        yield f"suggest {name}", lambda n=name: case_suggest(n, None)
        yield f"suggest {name} labels", lambda n=name, f=labels: case_suggest(n, f)
        for method in methods():
            yield f"label {name} {method}", lambda n=name, f=labels, m=method: case_label(n, f, m)
            yield f"train {name} {method}", lambda n=name, m=method: case_train(n, m, work)
    if not os.path.isdir(SHARED):
        print("skip: the real data sets are not in ../shared/data")
        return
    for name in REAL:
        labels = label_file(name, work)
        yield f"label {name} auto", lambda n=name, f=labels: case_label(n, f, "auto")
        yield f"suggest {name} labels", lambda n=name, f=labels: case_suggest(n, f)


def stored_rows():
    """Rows of results/: of each method the quickest, then the next, made with the avx2 kernels."""
    by_method = {}
    with open(os.path.join(ROOT, "results", "configs.csv"), encoding="utf-8", newline="") as f:
        settings = {row["config"]: row["settings"] for row in csv.DictReader(f)}
    for path in sorted(glob.glob(os.path.join(ROOT, "results", "*.csv"))):
        if os.path.basename(path) in ("configs.csv", "datasets.csv"):
            continue
        with open(path, encoding="utf-8", newline="") as f:
            for row in csv.DictReader(f):
                if (row["status"] == "ok" and row["split"] == "paper" and " avx2 " in row["build"]
                        and float(row["seconds"]) < 1):
                    row["settings"] = settings[row["config"]]
                    by_method.setdefault(row["method"], {}).setdefault((row["dataset"], row["graph"]), row)
    queues = [list(rows.values()) for _, rows in sorted(by_method.items())]
    picked = []
    for depth in range(max(map(len, queues), default=0)):
        picked += [q[depth] for q in queues if depth < len(q)]
    return picked[:N_ROW]


def retrain(row):
    """What differs between a stored row and the same training run now; empty if nothing does."""
    settings = [word for s in row["settings"].split() for word in ("--set", s)]
    o = json.loads(gnd("train", row["dataset"], "--graph", row["graph"], "--method", row["method"],
                       "--labels-per-class", row["labels_per_class"], "--validation", row["validation"],
                       "--split-seed", row["split_seed"], "--seed", row["seed"], *settings, "--json"))
    bad = []
    for key in ("epochs", "best_epoch", "test_accuracy", "val_accuracy"):
        if abs(float(row[key]) - float(o[key])) > 6e-7:  # shares are stored with 6 decimals
            bad.append(f"{key} {row[key]}, now {o[key]}")
    return ", ".join(bad)


def refusal():
    """Why the outputs cannot be compared here; None if they can."""
    try:
        with open("/proc/cpuinfo", encoding="utf-8") as f:
            if " avx2 " not in f.read().replace("\n", " "):
                return "this CPU has no AVX2"
    except OSError:
        return "this system does not tell what its CPU can do"
    with open(HASHES, encoding="utf-8") as f:
        recorded = f.readline().strip("# \n")
    return None if recorded == C_LIBRARY else f"recorded with {recorded}, this is {C_LIBRARY}"


def compare(name, make, recorded):
    try:
        now = sha256(make())
    except RuntimeError as error:
        return name, None, f"failed: {error}"
    same = UPDATE or now == recorded.get(name)
    return name, now, "" if same else "differs from what is recorded"


def main():
    why = None if UPDATE else refusal()
    if why:
        print(f"skip frozen outputs: {why}")
        print("0 passed, 0 failed")
        return 0
    recorded = {}
    if os.path.exists(HASHES):
        with open(HASHES, encoding="utf-8") as f:
            recorded = dict(reversed(line.strip().split("  ")) for line in f if not line.startswith("#"))
    with tempfile.TemporaryDirectory() as work, ThreadPoolExecutor(os.cpu_count()) as pool:
        done = list(pool.map(lambda c: compare(c[0], c[1], recorded), hashed_cases(work)))
        rows = stored_rows() if os.path.isdir(SHARED) and not UPDATE else []
        again = list(pool.map(retrain, rows))
    if UPDATE:
        recorded.update((name, now) for name, now, _ in done if now)
        with open(HASHES, "w", encoding="utf-8") as f:
            f.write(f"# {C_LIBRARY}\n")
            f.writelines(f"{h}  {name}\n" for name, h in sorted(recorded.items()))
    failed = 0
    for name, _, bad in done:
        failed += bool(bad)
        print(f"FAIL {name}: {bad}" if bad else f"ok   {name}")
    for row, bad in zip(rows, again):
        name = " ".join(row[k] for k in ("dataset", "graph", "labels_per_class", "split_seed", "method"))
        failed += bool(bad)
        print(f"FAIL row {name}: {bad}" if bad else f"ok   row {name}")
    print(f"{len(done) + len(rows) - failed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
