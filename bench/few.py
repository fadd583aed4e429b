#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Few labels and no validation: the tables of docs/few-labels.md.

    bench/few.py [--splits N] [--store FILE] [--gnd FILE] PART ...

parts:
  accuracy   auto on the six data sets, 1, 2, 3, 5 labels a class: accuracy, macro-F1, ECE, surer half
  methods    other methods beside it, split by split
  parts      auto with a part switched off, split by split
  safety     auto beside its own plain prototypes, on every graph there is and some made for it
  strangers  auto beside itself without its fits for features and links that are strangers, on graphs drawn by chance
  measures   auto beside itself with amounts as they are, on graphs drawn by chance whose features are amounts

Trainings are kept in the store, so that a run that was ended goes on. GND_DATA names the folder of
the data sets. Only the standard library is needed.
"""
import argparse
import json
import math
import os
import random
import subprocess
import sys
import tempfile

SIX = ["cora", "citeseer", "pubmed", "cora_ml", "amazon_computers", "amazon_photo"]
LABELS = [1, 2, 3, 5]
# What is switched off, and the settings that do it.
PARTS = [
    ("all parts", []),
    ("one view: rare features count more", ["feature_weights=idf"]),
    ("one view: all features count alike", ["feature_weights=equal"]),
    ("no fit to directions as they are", ["fits=shaped,near,quota"]),
    ("no fit to shaped directions", ["fits=plain,near,quota"]),
    ("no near neighbourhoods", ["fits=plain,shaped,quota"]),
    ("no quotas", ["fits=plain,shaped,near"]),
    ("flat and steep directions on every graph", ["fits=flat,steep,near,quota"]),
    ("one fit a view, directions as they are", ["fits=plain"]),
    ("a fixed temperature", ["temperature=0.1"]),
    ("as far on every graph", ["teleport=0.1"]),
    ("amounts as they are", ["numeric_by_rank=off"]),
    ("32 coordinates always", ["rank=32"]),
    ("no safety", ["ensemble=off"]),
    ("no caution", ["fallback_weight=0"]),
    ("no fits for strangers", ["heterophily=off"]),
    ("no second look", ["refine=off"]),
]
METHODS = ["gnd-slp", "gcn", "appnp", "sgc", "ls", "cs"]


def gnd(args, *words):
    done = subprocess.run([args.gnd, *words], stdout=subprocess.PIPE, text=True)
    if done.returncode:
        sys.exit(f"few.py: gnd {' '.join(words)} failed")
    return done.stdout


def compare(args, data, method, settings, labels, more=()):
    """Trainings of one method: {labels: [row by split]}."""
    words = ["compare", data, "--methods", method, "--protocol", "honest", "--graph", "std", "--splits",
             str(args.splits), "--labels-per-class", ",".join(map(str, labels)), "--store", args.store,
             "--threads", str(args.threads), "--format", "json", "-q"]
    words += more
    for setting in settings:
        words += ["--set", setting]
    answer = json.loads(gnd(args, *words))
    found = {}

    def walk(value):
        if isinstance(value, dict):
            if "mean_ece" in value and "mean" in value:
                found[value["labels_per_class"]] = value
            for inner in value.values():
                walk(inner)
        elif isinstance(value, list):
            for inner in value:
                walk(inner)

    walk(answer)
    runs = {}
    for run in answer["results"][0]["runs"] if "results" in answer else answer["runs"]:
        if run.get("test_accuracy") is not None:
            runs.setdefault(run["labels_per_class"], {})[run["split_seed"]] = 100 * run["test_accuracy"]
    return found, runs


def paired(a, b):
    """Mean and standard error of a - b over the splits both have."""
    d = [a[s] - b[s] for s in sorted(a) if s in b]
    mean = sum(d) / len(d)
    var = sum((x - mean) ** 2 for x in d) / max(1, len(d) - 1)
    return mean, math.sqrt(var / len(d))


def row(*cells):
    print("| " + " | ".join(str(c) for c in cells) + " |", flush=True)


def head(*cells):
    row(*cells)
    print("|" + "--|" * len(cells))


def accuracy(args):
    print("\nAccuracy in %, mean ± standard deviation over the splits; macro-F1; ECE in %; accuracy of the surer half."
          "\n")
    head("data", *[f"{q} label{'s' * (q > 1)} a class" for q in LABELS])
    ece = []
    for data in SIX:
        cells, _ = compare(args, data, "auto", [], LABELS)
        row(data, *[f"**{cells[q]['mean']:.1f}** ± {cells[q]['std']:.1f}; {cells[q]['mean_f1']:.1f}; "
                    f"{cells[q]['mean_ece']:.1f}; {cells[q]['mean_half']:.1f}" for q in LABELS])
        ece += [cells[q]["mean_ece"] for q in LABELS]
    print(f"\nECE: mean {sum(ece) / len(ece):.2f} %, largest {max(ece):.1f} %.")


def methods(args):
    print("\nAccuracy in %, and in brackets what auto is above it on the same splits, ± standard error.\n")
    head("data", "labels a class", "auto", *METHODS)
    for data in args.data or SIX:
        base, mine = compare(args, data, "auto", [], LABELS)
        others = [compare(args, data, m, [], LABELS) for m in METHODS]
        for q in LABELS:
            cells = []
            for cell, runs in others:
                d, se = paired(mine[q], runs[q])
                cells.append(f"{cell[q]['mean']:.1f} ({d:+.1f} ± {se:.1f})")
            row(data, q, f"{base[q]['mean']:.1f}", *cells)


def parts(args):
    print("\nPoints of accuracy against all parts, split by split, mean over the data sets ± standard error.\n")
    head("what is left", *[f"{q} label{'s' * (q > 1)}" for q in LABELS])
    full = {data: compare(args, data, "auto", [], LABELS)[1] for data in args.data or SIX}
    for name, settings in PARTS[1:]:
        cells = []
        runs = {data: compare(args, data, "auto", settings, LABELS)[1] for data in full}
        for q in LABELS:
            pairs = [paired(runs[data][q], full[data][q]) for data in full]
            mean = sum(m for m, _ in pairs) / len(pairs)
            cells.append(f"{mean:+.2f} ± {math.sqrt(sum(s * s for _, s in pairs)) / len(pairs):.2f}")
        row(name, *cells)


def made(folder, args, name, seed, inside, words, classes=4, n=1200, degree=3, stray=0.2, own=6):
    """A graph of n vertices as npz. inside: how links go: "same" joins like vertices, "next" joins a
    class to the next, "pair" each of two classes to the other, "any" pays no heed; a share `stray` of
    the links pays none either. words: what features tell apart, "class", "other" groups, or "none"; "siblings":
    classes by twos share most of their words."""
    rng = random.Random(seed)
    vocabulary = 100 * classes
    label = [rng.randrange(classes) for _ in range(n)]
    topic = label if words in ("class", "siblings") else [rng.randrange(classes) for _ in range(n)]
    of = [[i for i in range(n) if label[i] == c] for c in range(classes)]
    to = {"same": lambda c: c, "next": lambda c: (c + 1) % classes, "pair": lambda c: c ^ 1}
    base = os.path.join(folder, name)
    with open(base + ".edges.csv", "w") as f:
        f.write("source,target\n")
        for i in range(n):
            for _ in range(degree):
                if inside == "any" or rng.random() < stray:
                    j = rng.randrange(n)
                else:
                    j = rng.choice(of[to[inside](label[i])])
                if i != j:
                    f.write(f"{i},{j}\n")
    with open(base + ".svm", "w") as f:
        for i in range(n):
            said = [topic[i] * 50 + rng.randrange(50) for _ in range(own)] if words != "none" else []
            if words == "siblings":
                said = [w if rng.random() < 0.2 else (classes + topic[i] // 2) * 50 + w % 50 for w in said]
            bag = sorted(set(said + [rng.randrange(vocabulary) for _ in range(12)]))
            f.write("0 " + " ".join(f"{w + 1}:1" for w in bag) + "\n")
    with open(base + ".labels.csv", "w") as f:
        f.write("id,label\n" + "".join(f"{i},c{label[i]}\n" for i in range(n)))
    gnd(args, "data", "convert", base + ".edges.csv", base + ".npz", "--to", "npz", "--features", base + ".svm",
        "--labels", base + ".labels.csv", "-q")
    return base + ".npz"


def measured(folder, args, seed, amounts, tails):
    """A made graph whose features are amounts, the classes' means apart by about a standard deviation. Each has a
    unit and a middle of its own; tails: half of them have long ones."""
    rng = random.Random(seed)
    classes, n = rng.choice([2, 3, 5, 8]), rng.randrange(300, 3000)
    name = f"{amounts} amounts{', long tails' * tails} ({n} vertices, {classes} classes)"
    path = made(folder, args, name, seed, "same", "none", classes, n, 3, 0.5)
    base = path[:-len(".npz")]
    with open(base + ".labels.csv") as f:
        label = [int(line.split(",c")[1]) for line in f.readlines()[1:]]
    mean = [[rng.gauss(0, 1.5 / math.sqrt(min(amounts, 4))) for _ in range(amounts)] for _ in range(classes)]
    unit = [10 ** rng.uniform(-2, 3) for _ in range(amounts)]
    middle = [rng.uniform(-5, 5) for _ in range(amounts)]
    with open(base + ".svm", "w") as f:
        for i in range(n):
            z = [m + rng.gauss(0, 1) for m in mean[label[i]]]
            x = [math.exp(v) if tails and j % 2 else v + middle[j] for j, v in enumerate(z)]
            f.write("0 " + " ".join(f"{j + 1}:{unit[j] * v:.6g}" for j, v in enumerate(x)) + "\n")
    gnd(args, "data", "convert", base + ".edges.csv", path, "--to", "npz", "--features", base + ".svm",
        "--labels", base + ".labels.csv", "-q")
    return path


def drawn(folder, args, seed, inside, words):
    """A made graph whose size, classes, links and words are drawn."""
    rng = random.Random(seed)
    classes = rng.choice([2, 4, 6, 8] if inside == "pair" else [2, 3, 5, 8] if inside != "next" else [3, 4, 5, 7])
    n, degree, stray, own = rng.randrange(600, 4000), rng.randrange(2, 8), rng.uniform(0.05, 0.5), rng.randrange(3, 9)
    name = f"links {inside}, words {words} ({n} vertices, {classes} classes)"
    return made(folder, args, name, seed, inside, words, classes, n, degree, stray, own)


def safety(args):
    print("\nPoints of accuracy of auto above its own plain prototypes, split by split, ± standard error; in brackets "
          "the accuracy of auto.\n")
    head("graph", *[f"{q} label{'s' * (q > 1)}" for q in LABELS])
    with tempfile.TemporaryDirectory() as folder:
        graphs = SIX + ["karate", "debian"]
        extra = os.path.join(os.environ.get("GND_DATA", ""), "extra")
        if os.path.isdir(extra):
            graphs += sorted(os.path.join(extra, f) for f in os.listdir(extra) if f.endswith(".npz"))
        graphs += [made(folder, args, "made-like-linked", 1, "same", "class"),
                   made(folder, args, "made-unlike-linked", 2, "next", "class"),
                   made(folder, args, "made-features-only", 3, "any", "class"),
                   made(folder, args, "made-links-only", 4, "same", "none"),
                   made(folder, args, "made-opposites", 5, "next", "none", 2),
                   made(folder, args, "made-siblings", 6, "same", "siblings")]
        for data in args.data or graphs:
            # A class of one vertex has no second label to give.
            labels = [1] if os.path.basename(data) == "texas.npz" else LABELS
            base, mine = compare(args, data, "auto", [], labels)
            _, plain = compare(args, data, "auto", [], labels, ["--preset", "prototype"])
            cells = []
            for q in LABELS:
                if q in labels:
                    d, se = paired(mine[q], plain[q])
                    cells.append(f"{d:+.1f} ± {se:.1f} ({base[q]['mean']:.1f})")
                else:
                    cells.append("-")
            row(os.path.basename(data).replace(".npz", ""), *cells)


def against(args, setting, graphs):
    """auto beside itself with a setting, on graphs."""
    print(f"\nPoints of accuracy of auto above itself with {setting}, split by split, ± standard error; in brackets "
          "the accuracy of auto.\n")
    head("graph", *[f"{q} label{'s' * (q > 1)}" for q in LABELS])
    for data in graphs:
        base, mine = compare(args, data, "auto", [], LABELS)
        _, without = compare(args, data, "auto", [setting], LABELS)
        cells = []
        for q in LABELS:
            d, se = paired(mine[q], without[q])
            cells.append(f"{d:+.1f} ± {se:.1f} ({base[q]['mean']:.1f})")
        row(os.path.basename(data).replace(".npz", ""), *cells)


def strangers(args):
    kinds = [("same", "none"), ("same", "other"), ("next", "none"), ("next", "class"), ("next", "other"),
             ("pair", "none"), ("pair", "class"), ("any", "class"), ("any", "none"), ("same", "class")]
    with tempfile.TemporaryDirectory() as folder:
        against(args, "heterophily=off", (drawn(folder, args, 3000 + k, inside, words)
                                        for k, (inside, words) in enumerate(2 * kinds)))


def measures(args):
    kinds = [(amounts, tails) for amounts in (1, 4, 12, 40, 100) for tails in (False, True)]
    with tempfile.TemporaryDirectory() as folder:
        against(args, "numeric_by_rank=off", (measured(folder, args, 4000 + k, amounts, tails)
                                       for k, (amounts, tails) in enumerate(kinds)))


def main():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("--splits", type=int, default=100)
    p.add_argument("--store", default="few.sqlite")
    p.add_argument("--gnd", default="build/gnd")
    p.add_argument("--threads", type=int, default=0)
    p.add_argument("--data", action="append", help="only this data set; may be repeated")
    p.add_argument("part", nargs="+", choices=["accuracy", "methods", "parts", "safety", "strangers", "measures"])
    args = p.parse_args()
    for part in args.part:
        globals()[part](args)


if __name__ == "__main__":
    main()
