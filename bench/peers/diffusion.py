# SPDX-License-Identifier: MIT
"""scikit-network's DiffusionClassifier on a graph that gnd wrote: diffusion.py GRAPH.safetensors LABELS.csv OUT.csv

Prints the CPU seconds of the fit alone. OUT has the lines of `gnd label`, without probabilities.
"""
import os
import sys
import time

import numpy as np
import scipy.sparse as sp
from sknetwork.classification import DiffusionClassifier

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
from large import graph_read  # noqa: E402


def main():
    path, known, out = sys.argv[1:]
    ptr, col, _ = graph_read(path)
    n = len(ptr) - 1
    adj = sp.csr_matrix((np.ones(len(col), bool), col, ptr), (n, n))  # as its own loaders make it
    given = np.full(n, -1)
    for vertex, cls in np.loadtxt(known, dtype=int, delimiter=",", skiprows=1):
        given[vertex] = cls
    start = time.process_time()
    found = DiffusionClassifier().fit_predict(adj, given)
    print(f"{time.process_time() - start:.3f}")
    with open(out, "w", encoding="utf-8") as f:
        f.write("id,label,probability\n" + "".join(f"{i},{c},\n" for i, c in enumerate(found)))


if __name__ == "__main__":
    main()
