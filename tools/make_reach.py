#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Write docs/claims/reach.csv: the share of vertices within k hops of a labelled vertex, mean over 30 random draws.

    tools/make_reach.py GND > docs/claims/reach.csv        needs the data sets ($GND_DATA)

Graphs as in mode std; `labels` vertices of each class are drawn at random, without replacement.
"""
import csv
import os
import random
import subprocess
import sys
import tempfile

DATASETS = ["cora", "citeseer", "pubmed", "cora_ml", "amazon_computers", "amazon_photo"]
LABELS = [1, 5]
HOPS = [0, 1, 2, 3, 4, 5, 6, 8, 10, 20]
DRAWS = 30


def read(gnd, name, folder):
    """Neighbours of each vertex and the vertices of each class."""
    subprocess.run([gnd, "data", "convert", name, folder, "--to", "csv", "--graph", "std", "-q"], check=True,
                   stdout=subprocess.DEVNULL)
    number, neighbours, classes = {}, [], {}
    with open(os.path.join(folder, "labels.csv"), encoding="utf-8", newline="") as f:
        for row in csv.DictReader(f):
            number[row["id"]] = len(number)
            if row["label"]:
                classes.setdefault(row["label"], []).append(number[row["id"]])
    with open(os.path.join(folder, "edges.csv"), encoding="utf-8", newline="") as f:
        edges = [row[:2] for row in csv.reader(line for line in f if not line.startswith("#"))][1:]
    for vertex in (v for e in edges for v in e):
        number.setdefault(vertex, len(number))
    neighbours = [[] for _ in number]
    for a, b in edges:
        neighbours[number[a]].append(number[b])
        neighbours[number[b]].append(number[a])
    return neighbours, classes


def shares(neighbours, start):
    """Share of vertices within k hops of the start for each k of HOPS."""
    seen, front, count = set(start), list(start), [len(start)]
    for _ in range(max(HOPS)):
        front = list({w for v in front for w in neighbours[v]} - seen)
        seen.update(front)
        count.append(len(seen))
    return [count[k] / len(neighbours) for k in HOPS]


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    print("dataset,labels_per_class," + ",".join(f"hops_{k}" for k in HOPS))
    for name in DATASETS:
        with tempfile.TemporaryDirectory() as folder:
            neighbours, classes = read(sys.argv[1], name, folder)
        for labels in LABELS:
            random.seed(1)
            draws = [shares(neighbours, [v for c in sorted(classes) for v in random.sample(classes[c], labels)])
                     for _ in range(DRAWS)]
            print(f"{name},{labels}," + ",".join(f"{sum(d[i] for d in draws) / DRAWS:.4f}" for i in range(len(HOPS))))


if __name__ == "__main__":
    main()
