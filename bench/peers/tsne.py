#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""t-SNE of the points of bench_tsne by openTSNE and scikit-learn: tsne.py DATA DIMENSIONS PREFIX [PEER ...]

Reads PREFIX.x and PREFIX.gnd. Peers: opentsne-bh, opentsne-fft, sklearn; all of them if none is named. Every program
has 250 iterations with exaggeration 12 and 500 without, perplexity 30, angle 0.5, and starts from principal components.
Prints `who  data  cpu s  kl  trustworthiness` between tabs, the time of gnd as nan. The figures of all layouts are
computed here, in double: the divergence from the 90 nearest neighbours of each point, found exactly, and all pairs of
the layout; the trustworthiness (Venna and Kaski, 2001; 12 neighbours) from 2,000 points drawn with a fixed seed.
"""
import sys
import time

import numpy as np

PERPLEXITY, EARLY, LATE, NEAR, SAMPLE = 30, 250, 500, 12, 2000


def blocks(n, step=500):
    for i in range(0, n, step):
        yield np.arange(i, min(n, i + step))


def squares(a, b):
    return np.maximum((a * a).sum(1)[:, None] + (b * b).sum(1)[None] - 2 * a @ b.T, 0)


def affinities(x, k):
    """Rows, columns and values of the conditional similarities of the k nearest neighbours."""
    col, val = np.empty((len(x), k), int), np.empty((len(x), k))
    for i in blocks(len(x)):
        d = squares(x[i], x)
        d[np.arange(len(i)), i] = np.inf
        near = np.argpartition(d, k, axis=1)[:, :k]
        d = ((x[i][:, None] - x[near]) ** 2).sum(2)
        d -= d.min(1, keepdims=True)
        d /= np.maximum(d.mean(1, keepdims=True), 1e-300)
        low, high, b = np.zeros(len(i)), np.full(len(i), np.inf), np.ones(len(i))
        for _ in range(100):
            p = np.exp(-b[:, None] * d)
            s = p.sum(1)
            over = np.log(s) + b * (p * d).sum(1) / s > np.log(PERPLEXITY)
            low, high = np.where(over, b, low), np.where(over, high, b)
            b = np.where(np.isinf(high), 2 * b, (low + high) / 2)
        col[i], val[i] = near, p / s[:, None]
    return col, val


def divergence(y, col, val):
    n, k = col.shape
    z = sum((1 / (1 + squares(y[i], y))).sum() for i in blocks(n)) - n
    row = np.repeat(np.arange(n), k)
    pair = np.concatenate([row * n + col.ravel(), col.ravel() * n + row])
    pair, at = np.unique(pair, return_inverse=True)
    p = np.bincount(at, np.concatenate([val.ravel(), val.ravel()])) / (2 * n)
    i, j, p = pair[p > 0] // n, pair[p > 0] % n, p[p > 0]
    return float((p * np.log(p * (1 + ((y[i] - y[j]) ** 2).sum(1)) * z)).sum())


def trustworthiness(x, y):
    n, total = len(x), 0
    rows = np.random.default_rng(1).permutation(n)[:SAMPLE]
    for at in blocks(len(rows)):
        i = rows[at]
        dx, dy = squares(x[i], x), squares(y[i], y)
        dx[np.arange(len(i)), i] = dy[np.arange(len(i)), i] = np.inf
        near = np.argpartition(dy, NEAR, axis=1)[:, :NEAR]
        rank = np.argsort(np.argsort(dx, axis=1), axis=1) + 1
        total += np.maximum(np.take_along_axis(rank, near, 1) - NEAR, 0).sum()
    return 1 - 2 * total / (len(rows) * NEAR * (2 * n - 3 * NEAR - 1))


def opentsne(x, method):
    import openTSNE
    return openTSNE.TSNE(perplexity=PERPLEXITY, early_exaggeration_iter=EARLY, n_iter=LATE, theta=0.5, n_jobs=1,
                         negative_gradient_method=method, initialization="pca", random_state=1).fit(x)


def sklearn(x):
    from sklearn.manifold import TSNE
    return TSNE(perplexity=PERPLEXITY, max_iter=EARLY + LATE, angle=0.5, init="pca", n_jobs=1,
                random_state=1).fit_transform(x)


PEERS = {"opentsne-bh": lambda x: opentsne(x, "bh"), "opentsne-fft": lambda x: opentsne(x, "fft"), "sklearn": sklearn}


def main():
    data, d, prefix = sys.argv[1], int(sys.argv[2]), sys.argv[3]
    x = np.fromfile(prefix + ".x", np.float32).reshape(-1, d)
    layouts = {"gnd": (float("nan"), np.fromfile(prefix + ".gnd", np.float32).reshape(-1, 2))}
    for name in sys.argv[4:] or PEERS:
        PEERS[name](x[:200])  # imports and compiles
        start = time.process_time()
        y = np.asarray(PEERS[name](x))
        layouts[name] = time.process_time() - start, y
    wide = x.astype(float) - x.mean(0, dtype=float)
    col, val = affinities(wide, 3 * PERPLEXITY)
    for name, (cpu, y) in layouts.items():
        y = y.astype(float)
        print(f"{name}\t{data}\t{cpu:.2f}\t{divergence(y, col, val):.4f}\t{trustworthiness(wide, y):.4f}", flush=True)


if __name__ == "__main__":
    main()
