#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Compare measured means with published ones; print the difference in standard errors.

    gnd compare cora --methods gnd-slp --labels-per-class 1-5 --splits 30 --format csv > measured.csv
    tools/fidelity.py measured.csv [more.csv ...]

The published figures are those of src/report/published.def; a standard error is the published std /
sqrt(splits). Prints a Markdown table and how many cells lie within two.
"""
import csv
import math
import os
import re
import sys

TABLES = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "src", "report", "published.def")
DATASET = {"cora": "Cora", "citeseer": "Citeseer", "pubmed": "Pubmed", "cora_ml": "Cora-ML",
           "amazon_computers": "Amazon Computers", "amazon_photo": "Amazon Photo"}


def published():
    with open(TABLES, encoding="utf-8") as f:
        cells = re.findall(r'^X\("(.*?)", "(.*?)", (\d+), (.*?), (.*?)\)$', f.read(), re.M)
    return {(d, m, int(q)): (float(mean), float(std)) for d, m, q, mean, std in cells}


def main():
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    figures = published()
    near = cells = 0
    print("| data set | graph | method | labels per class | splits | measured | published | difference |")
    print("|---|---|---|---|---|---|---|---|")
    for path in sys.argv[1:]:
        with open(path, newline="", encoding="utf-8") as f:
            for r in csv.DictReader(f):
                q, n = int(r["labels_per_class"]), int(r["splits"])
                mean, std = figures.get((r["dataset"], r["method"], q), (math.nan, math.nan))
                row = (f"| {DATASET.get(r['dataset'], r['dataset'])} | {r['graph']} | {r['method']} | {q} "
                       f"| {n} | {float(r['mean']):.2f} ± {float(r['std']):.2f} |")
                if math.isnan(mean):
                    print(row, "- | - |")
                    continue
                apart = (float(r["mean"]) - mean) / (std / math.sqrt(n))
                cells += 1
                near += abs(apart) <= 2
                print(row, f"{mean:.2f} ± {std:.2f} | {apart:+.2f} s.e. |")
    print(f"\n{near} of {cells} cells lie within two standard errors of the published mean.")


if __name__ == "__main__":
    main()
