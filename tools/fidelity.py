#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Measured means beside published ones, the difference in standard errors.

    gnd compare cora --methods gnd-slp --labels-per-class 1-5 --splits 30 --format csv > measured.csv
    tools/fidelity.py published.csv measured.csv [more.csv ...]

published.csv has the columns dataset,method,labels_per_class,mean,std of the paper's tables; a standard
error is the published std / sqrt(splits). Prints a Markdown table and how many cells lie within two.
"""
import csv
import math
import sys

DATASET = {"cora": "Cora", "citeseer": "Citeseer", "pubmed": "Pubmed", "cora_ml": "Cora-ML",
           "amazon_computers": "Amazon Computers", "amazon_photo": "Amazon Photo"}
METHOD = {"gnd-slp": "GND-Nets"}


def key(name):
    return name.lower().replace("-", "").replace("_", "").replace(" ", "")


def main():
    if len(sys.argv) < 3:
        sys.exit(__doc__)
    with open(sys.argv[1], newline="") as f:
        published = {(key(r["dataset"]), key(r["method"]), int(r["labels_per_class"])): r
                     for r in csv.DictReader(f)}
    near = cells = 0
    print("| data set | graph | method | labels a class | splits | measured | published | apart by |")
    print("|---|---|---|---|---|---|---|---|")
    for path in sys.argv[2:]:
        with open(path, newline="") as f:
            for r in csv.DictReader(f):
                name = DATASET.get(r["dataset"], r["dataset"])
                q, n = int(r["labels_per_class"]), int(r["splits"])
                method = METHOD.get(r["method"], r["method"])
                p = published.get((key(name), key(method), q))
                row = (f"| {name} | {r['graph']} | {r['method']} | {q} | {n} "
                       f"| {float(r['mean']):.2f} ± {float(r['std']):.2f} |")
                if p is None or p["mean"] in ("", "N/A"):
                    print(row, "- | - |")
                    continue
                error = float(p["std"]) / math.sqrt(n)
                apart = (float(r["mean"]) - float(p["mean"])) / error
                cells += 1
                near += abs(apart) <= 2
                print(row, f"{float(p['mean']):.2f} ± {float(p['std']):.2f} | {apart:+.2f} s.e. |")
    print(f"\n{near} of {cells} cells lie within two standard errors of the published mean.")


if __name__ == "__main__":
    main()
