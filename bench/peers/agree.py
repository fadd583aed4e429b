# SPDX-License-Identifier: MIT
"""Forward passes of gnd beside PyTorch Geometric with the same weights: agree.py DATA [DATA ...]

gcn, sgc and appnp are trained by gnd for a few epochs through its Python package. Their weights are put into GCNConv,
SGConv and APPNP, and the class probabilities of all vertices are compared. Prints `method data largest_difference
share_of_equal_classes`; exits 1 if a difference exceeds 1e-5.
"""
import os
import sys

import numpy as np
import torch
from torch_geometric.nn import APPNP, GCNConv, SGConv
from torch_geometric.utils import from_scipy_sparse_matrix

import gnd

TOLERANCE = 1e-5


def tensor(values):
    return torch.as_tensor(np.array(values, dtype=np.float32))


def placed(layer, weight, bias=None):
    """A layer of PyTorch Geometric with given weights; theirs are transposed."""
    with torch.no_grad():
        layer.lin.weight.copy_(tensor(weight).T)
        if bias is not None:
            layer.lin.bias.copy_(tensor(bias)[0])
    return layer.eval()


def gcn(p, x, edges, weights):
    one = placed(GCNConv(p["W1"].shape[0], p["W1"].shape[1], bias=False), p["W1"])
    two = placed(GCNConv(p["W2"].shape[0], p["W2"].shape[1], bias=False), p["W2"])
    return two(torch.relu(one(x, edges, weights)), edges, weights)


def sgc(p, x, edges, weights):
    return placed(SGConv(p["W"].shape[0], p["W"].shape[1], K=2), p["W"], p["b"])(x, edges, weights)


def appnp(p, x, edges, weights):
    local = torch.relu(x @ tensor(p["W1"])) @ tensor(p["W2"])
    return APPNP(K=10, alpha=0.1).eval()(local, edges, weights)


def compare(method, forward, name):
    graph = gnd.load(name, data_dir=os.environ.get("GND_DATA"))
    adjacency = graph.adjacency.maximum(graph.adjacency.T).tolil()
    adjacency.setdiag(0)
    adjacency = adjacency.tocsr()
    adjacency.eliminate_zeros()
    x = graph.features
    rows = np.asarray(x.sum(axis=1))
    scaled = x.multiply(1 / np.where(rows == 0, 1, rows)).toarray()
    model = gnd.NodeClassifier(method, epochs_alone=20, n_jobs=1).fit(adjacency, graph.labels, features=x)
    ours = model.predict_proba(adjacency, features=x)
    edges, weights = from_scipy_sparse_matrix(adjacency)
    with torch.no_grad():
        theirs = torch.softmax(forward(model.parameters_, tensor(scaled), edges, weights.float()), 1).numpy()
    difference = float(np.abs(ours - theirs).max())
    print(f"{method}\t{name}\t{difference:.2e}\t{(ours.argmax(1) == theirs.argmax(1)).mean():.4f}", flush=True)
    return difference <= TOLERANCE


def main():
    torch.set_num_threads(1)
    ok = [compare(m, f, name) for name in sys.argv[1:] or ["cora"]
          for m, f in (("gcn", gcn), ("sgc", sgc), ("appnp", appnp))]
    return 0 if all(ok) else 1


if __name__ == "__main__":
    sys.exit(main())
