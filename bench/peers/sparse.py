# SPDX-License-Identifier: MIT
"""Sparse times dense in PyTorch, in each of the ways it offers; with gradients for the dense side."""
import warnings

import torch
import torch.nn.functional as F

warnings.filterwarnings("ignore", message="Sparse (CSR|invariant)")


def to_csr(a):
    index = torch.from_numpy(a.indptr.astype("int64")), torch.from_numpy(a.indices.astype("int64"))
    return torch.sparse_csr_tensor(*index, torch.from_numpy(a.data), a.shape)


class Product(torch.autograd.Function):
    """A @ x with A's transpose at hand for the way back."""

    @staticmethod
    def forward(ctx, a, at, x):
        ctx.at = at
        return a @ x

    @staticmethod
    def backward(ctx, g):
        return None, None, ctx.at @ g


def operator(a, form):
    """x -> A x for a constant scipy matrix A. form: csr, csr_t (both directions stored), coo, edges."""
    m = to_csr(a)
    if form == "csr":
        return lambda x: m @ x
    if form == "csr_t":
        mt = to_csr(a.T.tocsr())
        return lambda x: Product.apply(m, mt, x)
    if form == "coo":
        m = m.to_sparse_coo().coalesce()
        return lambda x: torch.sparse.mm(m, x)
    if form == "edges":
        coo = a.tocoo()
        row, col = (torch.from_numpy(i.astype("int64")) for i in (coo.row, coo.col))
        val = torch.from_numpy(coo.data).unsqueeze(1)
        return lambda x: torch.zeros_like(x).index_add_(0, row, x[col] * val)
    raise ValueError(form)


class DroppedProduct(torch.autograd.Function):
    """X @ w with other values in X; X^T's pattern, and which entry goes where, at hand."""

    @staticmethod
    def forward(ctx, x, xt, entry, val, w):
        ctx.parts = xt, entry, val
        return torch.sparse_csr_tensor(x.crow_indices(), x.col_indices(), val, x.shape) @ w

    @staticmethod
    def backward(ctx, g):
        xt, entry, val = ctx.parts
        t = torch.sparse_csr_tensor(xt.crow_indices(), xt.col_indices(), val[entry], xt.shape)
        return None, None, None, None, t @ g


def features(x, form):
    """(w, p, training) -> M_p(X) w. form: dense, csr, csr_t, coo."""
    if form == "dense":
        m = torch.from_numpy(x.toarray())
        return lambda w, p, training: F.dropout(m, p, training) @ w
    m = to_csr(x)
    if form == "csr_t":
        place = x.copy()
        place.data = torch.arange(x.nnz).numpy().astype("float64")
        entry = torch.from_numpy(place.T.tocsr().data.astype("int64"))
        xt = to_csr(x.T.tocsr())

        def csr_t(w, p, training, keep=False):
            if not training:
                return m @ w
            val = F.dropout(m.values(), p, True)
            z = DroppedProduct.apply(m, xt, entry, val, w)
            return (z, val) if keep else z

        return csr_t
    if form == "csr":

        def csr(w, p, training):
            if not training:
                return m @ w
            val = F.dropout(m.values(), p, True)
            return torch.sparse_csr_tensor(m.crow_indices(), m.col_indices(), val, m.shape) @ w

        return csr
    if form == "coo":
        c = m.to_sparse_coo().coalesce()

        def coo(w, p, training):
            if not training:
                return torch.sparse.mm(c, w)
            val = F.dropout(c.values(), p, True)
            d = torch.sparse_coo_tensor(c.indices(), val, c.shape, is_coalesced=True, check_invariants=False)
            return torch.sparse.mm(d, w)

        return coo
    raise ValueError(form)


def unit_features(x, form):
    """(w, p, training) -> U w, U: M_p(X) of a binary X with every row divided by its length."""
    binary = x.copy()
    binary.data[:] = 1
    if form == "dense":
        m = torch.from_numpy(binary.toarray())
        return lambda w, p, training: F.normalize(F.dropout(m, p, training)) @ w
    product = features(binary, form)
    row = torch.repeat_interleave(torch.arange(x.shape[0]), torch.from_numpy(x.indptr[1:] - x.indptr[:-1]).long())
    length = torch.from_numpy(binary.getnnz(axis=1).astype("float32")).sqrt().clamp(min=1e-12).unsqueeze(1)

    def unit(w, p, training):
        if not training:
            return product(w, p, False) / length
        z, val = product(w, p, True, keep=True)
        norm = torch.zeros(x.shape[0]).index_add_(0, row, val.square()).sqrt().clamp(min=1e-12)
        return z / norm.unsqueeze(1)

    return unit
