#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Write results/datasets.csv: the sizes of the paper's data sets, and whether they are directed, so that the tables can
be printed without them.

    tools/make_datasets.py build/gnd > results/datasets.csv        needs the data sets ($GND_DATA)
"""
import json
import subprocess
import sys

DATASETS = ["cora", "citeseer", "pubmed", "cora_ml", "amazon_computers", "amazon_photo"]
COLUMNS = {"vertices": "n_node", "edges": "n_edge", "arcs": "n_arc", "features": "n_feat", "classes": "n_class"}


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    print("dataset,graph," + ",".join(COLUMNS) + ",directed")
    for name in DATASETS:
        for graph in ("raw", "std"):
            out = subprocess.run([sys.argv[1], "data", "info", name, "--graph", graph, "--json", "-q"], check=True,
                                 stdout=subprocess.PIPE).stdout
            info = json.loads(out)
            sizes = ",".join(str(info[key]) for key in COLUMNS.values())
            print(f"{name},{graph},{sizes},{int(info['directed'])}")


if __name__ == "__main__":
    main()
