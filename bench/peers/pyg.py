# SPDX-License-Identifier: MIT
"""gcn, appnp, chebynet, jknet and mixhop of PyTorch Geometric, with gnd's default settings.

    pyg.py METHOD DATA LABELS_PER_CLASS EPOCHS SPLITS [--quick]

Each is tried with an edge_index, with PyG's EdgeIndex (its own cache of both directions) and with a
torch.sparse CSR adjacency, and with dense and sparse features where the layer allows; the fastest is
timed. ChebConv and MixHopConv carry the features themselves from vertex to vertex, before they are
multiplied by the weights; the lines of "plain" are the same models in plain PyTorch, weights first.
"""
import sys
import warnings

import numpy as np
import scipy.sparse as sp
import torch
import torch.nn.functional as F

warnings.filterwarnings("ignore", message=".*torch.jit.script")
# isort: split
from torch_geometric import EdgeIndex
from torch_geometric.nn import APPNP, ChebConv, GCNConv, JumpingKnowledge, MixHopConv
from torch_geometric.nn.conv.gcn_conv import gcn_norm
from torch_geometric.utils import is_torch_sparse_tensor
from torch_geometric.utils.sparse import set_sparse_value

import data
import loop
import sparse


class Features(torch.nn.Module):
    """Stands for a Linear on the features: M_p(X) W, X as sparse.features holds it."""

    def __init__(self, x, n_feat, width, p):
        super().__init__()
        self.x, self.p = x, p
        self.weight = loop.glorot(n_feat, width)

    def forward(self, _=None):
        return self.x(self.weight, self.p, self.training)

    def reset_parameters(self):
        pass


def links(adj, form):
    """What the layers take as `edge_index`."""
    coo = adj.tocoo()
    index = torch.from_numpy(np.stack([coo.row, coo.col]).astype("int64"))
    if form == "edges":
        return index
    if form == "index":
        e = EdgeIndex(index, sparse_size=adj.shape, sort_order="row", is_undirected=True)
        return e.fill_cache_()
    return sparse.to_csr(adj)


def feature_product(g, how, width, p):
    return Features(g.features(how), g.x.shape[1], width, p)


class Gcn(torch.nn.Module):
    lr, decay, forms = 0.01, 5e-4, ["csr+csr_t", "edges+csr_t", "index+csr_t", "csr+dense"]

    def __init__(self, g, form):
        super().__init__()
        how, how_x = form.split("+")
        self.a, self.one = links(g.adj, how), torch.zeros(g.x.shape[0], 1)
        self.first = GCNConv(1, 16, cached=True, bias=False)
        self.first.lin = feature_product(g, how_x, 16, 0.5)
        self.second = GCNConv(16, g.n_class, cached=True, bias=False)

    def forward(self):
        h = F.relu(self.first(self.one, self.a))
        return self.second(F.dropout(h, 0.5, self.training), self.a)

    def groups(self):
        return [{"params": self.first.parameters(), "weight_decay": self.decay}, {"params": self.second.parameters()}]


class FreshAppnp(APPNP):
    """APPNP as published: each step drops links afresh. PyG's own forward drops them from what the step
    before left, which is another model (and learns little with a rate of one half)."""

    def forward(self, x, edge_index):
        if self.kept is None:
            self.kept = gcn_norm(edge_index, None, len(x), False, self.add_self_loops, self.flow, x.dtype)
        index, weight = self.kept
        csr = is_torch_sparse_tensor(index)
        stored = index.values() if csr else weight
        h = x
        for _ in range(self.K):
            dropped = F.dropout(stored, self.dropout, self.training)
            if csr and self.training:
                index = set_sparse_value(index, dropped)
            h = self.propagate(index, x=h, edge_weight=None if csr else dropped)
            h = h * (1 - self.alpha) + self.alpha * x
        return h


class Appnp(torch.nn.Module):
    lr, decay, forms = 0.01, 5e-3, Gcn.forms

    def __init__(self, g, form):
        super().__init__()
        how, how_x = form.split("+")
        self.a = links(g.adj, how)
        self.first = feature_product(g, how_x, 64, 0.5)
        self.second = loop.glorot(64, g.n_class)
        self.spread = FreshAppnp(K=10, alpha=0.1, dropout=0.5)
        self.spread.kept = None

    def forward(self):
        h = F.dropout(F.relu(self.first()), 0.5, self.training) @ self.second
        return self.spread(h, self.a)

    def groups(self):
        return [{"params": self.first.parameters(), "weight_decay": self.decay}, {"params": [self.second]}]


class Jknet(torch.nn.Module):
    lr, decay, forms = 0.005, 5e-4, Gcn.forms

    def __init__(self, g, form):
        super().__init__()
        how, how_x = form.split("+")
        self.a, self.one = links(g.adj, how), torch.zeros(g.x.shape[0], 1)
        self.first = GCNConv(1, 16, cached=True)
        self.first.lin = feature_product(g, how_x, 16, 0)
        self.second = GCNConv(16, 16, cached=True)
        self.jump = JumpingKnowledge("max")
        self.last = torch.nn.Linear(16, g.n_class)
        torch.nn.init.xavier_uniform_(self.last.weight)
        torch.nn.init.zeros_(self.last.bias)

    def forward(self):
        h1 = F.dropout(F.relu(self.first(self.one, self.a)), 0.5, self.training)
        h2 = F.dropout(F.relu(self.second(h1, self.a)), 0.5, self.training)
        return self.last(self.jump([h1, h2]))

    def groups(self):
        return [{"params": self.parameters(), "weight_decay": self.decay}]


class Chebynet(torch.nn.Module):
    lr, decay, forms = 0.01, 5e-4, ["edges", "index"]

    def __init__(self, g, form):
        super().__init__()
        self.a, self.x = links(g.adj, form), torch.from_numpy(g.x.toarray())
        self.first = ChebConv(g.x.shape[1], 16, K=4, bias=False)
        self.second = ChebConv(16, g.n_class, K=4, bias=False)

    def forward(self):
        h = F.relu(self.first(F.dropout(self.x, 0.5, self.training), self.a, lambda_max=2.0))
        return self.second(F.dropout(h, 0.5, self.training), self.a, lambda_max=2.0)

    groups = Gcn.groups


class PlainChebynet(torch.nn.Module):
    """Clenshaw's rule on the products with the weights; Lt = -D^-1/2 A D^-1/2 at lambda 2."""

    lr, decay, forms = 0.01, 5e-4, ["csr_t+csr_t", "csr_t+dense"]

    def __init__(self, g, form):
        super().__init__()
        how, how_x = form.split("+")
        degree = np.asarray(g.adj.sum(axis=1)).ravel()
        root = sp.diags(np.divide(1, np.sqrt(degree), out=np.zeros_like(degree), where=degree > 0))
        self.lt = sparse.operator((-(root @ g.adj @ root)).tocsr().astype(np.float32), how)
        self.first = feature_product(g, how_x, 64, 0.5)
        torch.nn.init.uniform_(self.first.weight, -1, 1)
        self.first.weight.data *= (6 / (g.x.shape[1] + 16)) ** 0.5
        self.second = torch.nn.Parameter(torch.cat([loop.glorot(16, g.n_class).data for _ in range(4)], 1))

    def sum(self, y):
        y0, y1, y2, y3 = y.chunk(4, 1)
        b2 = y2 + 2 * self.lt(y3)
        b1 = y1 + 2 * self.lt(b2) - y3
        return y0 + self.lt(b1) - b2

    def forward(self):
        h = F.relu(self.sum(self.first()))
        return self.sum(F.dropout(h, 0.5, self.training) @ self.second)

    def groups(self):
        return [{"params": self.first.parameters(), "weight_decay": self.decay}, {"params": [self.second]}]


class Mixhop(torch.nn.Module):
    lr, decay, forms = 0.5, 5e-3, ["csr", "edges"]

    def __init__(self, g, form):
        super().__init__()
        self.x = torch.from_numpy((g.x.toarray() != 0).astype(np.float32))
        self.a = links(g.adj, form)
        self.first = MixHopConv(g.x.shape[1], 20, powers=[0, 1, 2], bias=False)
        self.second = MixHopConv(60, g.n_class, powers=[0, 1, 2], bias=False)
        for w in self.columns():
            torch.nn.init.xavier_uniform_(w)
        self.start()

    def start(self):
        self.beta = torch.nn.Parameter(torch.zeros(60))
        self.q = torch.nn.Parameter(torch.zeros(3))

    def columns(self):
        """Weights as (columns, rows)."""
        return [layer.weight for conv in (self.first, self.second) for layer in conv.lins]

    def mixed(self):
        return self.first(F.normalize(F.dropout(self.x, 0.5, self.training)), self.a)

    def last(self, h):
        return self.second(h, self.a)

    def forward(self):
        h = F.relu(F.batch_norm(self.mixed(), None, None, bias=self.beta, training=True, eps=1e-3))
        o = self.last(F.dropout(h, 0.9, self.training))
        return torch.einsum("ngc,g->nc", o.view(len(o), 3, -1), self.q.softmax(0))

    def penalty(self):
        length = [w.square().sum(1) for w in self.columns()]
        return 1e-3 * self.q.square().mean() + self.decay * sum((s + s.sqrt()).sum() for s in length)


class PlainMixhop(Mixhop):
    """Weights first, then one hop for the last two parts and one more for the last."""

    forms = ["csr_t+csr_t", "csr_t+dense"]

    def __init__(self, g, form):
        torch.nn.Module.__init__(self)
        how, how_x = form.split("+")
        a = g.adj + sp.identity(g.adj.shape[0], dtype=np.float32, format="csr")
        root = sp.diags(1 / np.sqrt(np.asarray(a.sum(axis=1)).ravel()))
        self.s = sparse.operator((root @ a @ root).tocsr().astype(np.float32), how)
        self.x = sparse.unit_features(g.x, how_x)
        self.v1 = torch.nn.Parameter(torch.cat([loop.glorot(g.x.shape[1], 20).data for _ in range(3)], 1))
        self.v2 = torch.nn.Parameter(torch.cat([loop.glorot(60, g.n_class).data for _ in range(3)], 1))
        self.start()

    def columns(self):
        return [self.v1.T, self.v2.T]

    def hops(self, y):
        w = y.shape[1] // 3
        once = self.s(y[:, w:])
        return torch.cat([y[:, :w], once[:, :w], self.s(once[:, w:])], 1)

    def mixed(self):
        return self.hops(self.x(self.v1, 0.5, self.training))

    def last(self, h):
        return self.hops(h @ self.v2)


class Graph:
    def __init__(self, name, binary):
        self.adj, x, self.y = data.load(name)
        self.x = x if binary else data.row_l1(x)
        self.n_class = int(self.y.max()) + 1
        self.made = {}

    def features(self, how):
        if how not in self.made:
            self.made[how] = sparse.features(self.x, how)
        return self.made[how]


def maker(model, g):
    def make(form):
        m = model(g, form)
        if not isinstance(m, Mixhop):
            return m, torch.optim.Adam(m.groups(), lr=m.lr, fused=True), {}
        sgd = torch.optim.SGD(m.parameters(), lr=m.lr)

        def after(i):
            if i > 0 and i % 40 == 0:
                sgd.param_groups[0]["lr"] -= 0.01 * m.lr

        return m, sgd, {"penalty": m.penalty, "after": after}

    return make


MODELS = {
    "gcn": [Gcn],
    "appnp": [Appnp],
    "jknet": [Jknet],
    "chebynet": [Chebynet, PlainChebynet],
    "mixhop": [Mixhop, PlainMixhop],
}


def main():
    method, name, per_class, epochs, splits = sys.argv[1], sys.argv[2], *map(int, sys.argv[3:6])
    torch.set_num_threads(1)
    g = Graph(name, method == "mixhop")
    parts = [data.split(g.y, per_class, s) for s in range(1, splits + 1)]
    for model in MODELS[method]:
        who = "plain" if model.__name__.startswith("Plain") else "peer"
        forms = model.forms[:1] if "--quick" in sys.argv else model.forms
        label = f"{method} {name} {per_class}"
        best = loop.fastest(maker(model, g), forms, label, parts[0], g.y)
        loop.measure(maker(model, g), best, label, parts, g.y, epochs, who=who)


if __name__ == "__main__":
    main()
