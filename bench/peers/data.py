# SPDX-License-Identifier: MIT
"""The same data for every peer: the original files, graph `und`, and the authors' splits."""
import os
import pickle
import sys

import numpy as np
import scipy.sparse as sp

NPZ = {
    "cora_ml": "cora_ml.npz",
    "amazon_photo": "amazon_electronics_photo.npz",
    "amazon_computers": "amazon_electronics_computers.npz",
}


def planetoid(folder, name):
    """Cora, Citeseer, Pubmed: test rows go where test.index says; holes of Citeseer stay empty."""

    def part(key):
        with open(os.path.join(folder, f"ind.{name}.{key}"), "rb") as f:
            return pickle.load(f, encoding="latin1")

    allx, tx, ally, ty, links = (part(k) for k in ("allx", "tx", "ally", "ty", "graph"))
    order = np.loadtxt(os.path.join(folder, f"ind.{name}.test.index"), dtype=np.int64)
    n = max(len(links), order.max() + 1)
    x = sp.lil_matrix((n, allx.shape[1]), dtype=np.float32)
    y = np.zeros((n, ally.shape[1]))
    x[: allx.shape[0]] = allx
    y[: ally.shape[0]] = ally
    x[order] = tx
    y[order] = ty
    row = np.repeat(list(links), [len(v) for v in links.values()])
    col = np.concatenate([np.asarray(v, dtype=np.int64) for v in links.values()])
    adj = sp.csr_matrix((np.ones(len(row), np.float32), (row, col)), (n, n))
    label = np.where(y.any(axis=1), y.argmax(axis=1), -1)
    return adj, x.tocsr(), label


def npz(path):
    with np.load(path, allow_pickle=False) as z:

        def matrix(key):
            parts = (z[f"{key}data"], z[f"{key}indices"], z[f"{key}indptr"])
            return sp.csr_matrix(parts, tuple(z[f"{key}shape"]))

        adj = matrix("adj_")
        x = matrix("attr_") if "attr_data" in z else sp.csr_matrix((adj.shape[0], 0))
        return adj, x.astype(np.float32), z["labels"].astype(np.int64)


def undirected(adj):
    """Links both ways, no loops, weights 1."""
    adj = adj.maximum(adj.T).tocoo()
    keep = (adj.row != adj.col) & (adj.data != 0)
    ones = np.ones(keep.sum(), np.float32)
    return sp.csr_matrix((ones, (adj.row[keep], adj.col[keep])), adj.shape)


def load(name):
    """adjacency (n, n), features (n, d), both CSR float32, and labels (n), -1: none."""
    folder = os.environ.get("GND_DATA")
    if not folder:
        sys.exit("GND_DATA must name the folder of the data sets")
    if name.endswith(".npz"):
        adj, x, y = npz(name)
    elif name in NPZ:
        adj, x, y = npz(os.path.join(folder, "npz", NPZ[name]))
    else:
        adj, x, y = planetoid(os.path.join(folder, "planetoid"), name)
    return undirected(adj), x, y


def split(y, per_class, seed, n_val=500):
    """per_class vertices a class in the order of a shuffle, the next n_val validate, the rest test."""
    order = np.arange(len(y))
    np.random.RandomState(seed).shuffle(order)
    count = np.zeros(y.max() + 1, int)
    train, used = [], 0
    for i in order:
        if (count == per_class).all():
            break
        used += 1
        if y[i] >= 0 and count[y[i]] < per_class:
            train.append(i)
            count[y[i]] += 1

    def labelled(rows):
        return rows[y[rows] >= 0]

    return np.array(train), labelled(order[used : used + n_val]), labelled(order[used + n_val :])


def row_l1(x):
    """Each row divided by its sum; empty rows stay empty."""
    total = np.asarray(x.sum(axis=1)).ravel()
    return (sp.diags(np.divide(1, total, out=np.zeros_like(total), where=total != 0)) @ x).tocsr()
