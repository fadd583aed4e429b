# SPDX-License-Identifier: MIT
"""gnd-slp in PyTorch: softmax(M(M(elu(sum_k a_k W^k Z + b)) Phi) + c), Z = M(M(X) Theta).

    gnd_slp.py DATA LABELS_PER_CLASS EPOCHS SPLITS [--quick]

Prints a line a split as bench/epochs.c does. The series is summed by Horner's rule; every way to
hold W and X is tried and the fastest is timed.
"""
import sys

import numpy as np
import scipy.sparse as sp
import torch
import torch.nn.functional as F

import data
import loop
import sparse

HOPS, WIDTH, DROPOUT, LR, DECAY = 20, 16, 0.6, 0.005, 5e-4


class GndSlp(torch.nn.Module):
    def __init__(self, walk, x, n_feat, n_class):
        super().__init__()
        self.walk, self.x = walk, x
        self.theta = loop.glorot(n_feat, WIDTH)
        self.alpha = torch.nn.Parameter(torch.empty(HOPS).uniform_(-1, 1) * (6 / (HOPS + 1)) ** 0.5)
        self.b = torch.nn.Parameter(torch.zeros(WIDTH))
        self.phi = loop.glorot(WIDTH, n_class)
        self.c = torch.nn.Parameter(torch.zeros(n_class))

    def drop(self, x):
        return F.dropout(x, DROPOUT, self.training)

    def forward(self):
        z = self.drop(self.x(self.theta, DROPOUT, self.training))
        s = self.walk(self.alpha[-1] * z)
        for a in reversed(self.alpha[:-1].unbind()):
            s = self.walk(torch.addcmul(s, a, z))
        return self.drop(self.drop(F.elu(s + self.b)) @ self.phi) + self.c


def walk(adj):
    """W = D^-1 (A + I)."""
    a = adj + sp.identity(adj.shape[0], dtype=np.float32, format="csr")
    return (sp.diags(1 / np.asarray(a.sum(axis=1)).ravel()) @ a).tocsr().astype(np.float32)


def main():
    name, per_class, epochs, splits = sys.argv[1], *map(int, sys.argv[2:5])
    torch.set_num_threads(1)
    adj, x, y = data.load(name)
    x, w = data.row_l1(x), walk(adj)
    parts = [data.split(y, per_class, s) for s in range(1, splits + 1)]
    walks, features = ["csr_t", "csr", "coo", "edges"], ["csr_t", "csr", "coo", "dense"]
    if "--quick" in sys.argv:
        walks, features = walks[:1], features[:1]
    made = {}

    def fresh(form):
        how_w, how_x = form.split("+")
        made.setdefault(how_w, sparse.operator(w, how_w))
        made.setdefault("x" + how_x, sparse.features(x, how_x))
        model = GndSlp(made[how_w], made["x" + how_x], x.shape[1], y.max() + 1)
        return model, torch.optim.Adam(model.parameters(), lr=LR, weight_decay=DECAY, fused=True), {}

    label = f"gnd-slp {name} {per_class}"
    best, _ = loop.fastest(fresh, [w_ + "+csr_t" for w_ in walks], label, parts[0], y)
    best = loop.fastest(fresh, [best.split("+")[0] + "+" + x_ for x_ in features], label, parts[0], y)
    loop.measure(fresh, best, label, parts, y, epochs)


if __name__ == "__main__":
    main()
