#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Print a reference case of PPNP with dropout on a graph of three components, computed densely.

Pi is 0 between components, but the mask of Pi has an entry for each training vertex and each vertex.
"""
import math
import random

LINKS = [(0, 1), (1, 2), (2, 3), (0, 3), (4, 5), (5, 6), (4, 6), (7, 8)]
N, D, C, H = 9, 5, 3, 4
TRAIN, VAL, TEST = [0, 2, 5, 7], [1, 4], [3, 6, 8]
TELEPORT, L2, LR, RATE = 0.1, 5e-3, 0.01, 0.5
rng = random.Random(7)


def times(a, b):
    return [[sum(x * y for x, y in zip(row, col)) for col in zip(*b)] for row in a]


def transpose(a):
    return [list(row) for row in zip(*a)]


def inverse(a):
    """By Gauss and Jordan; the matrix is diagonally dominant."""
    n = len(a)
    w = [row[:] + [float(i == j) for j in range(n)] for i, row in enumerate(a)]
    for k in range(n):
        w[k] = [x / w[k][k] for x in w[k]]
        for i in range(n):
            if i != k:
                w[i] = [x - w[i][k] * y for x, y in zip(w[i], w[k])]
    return [row[n:] for row in w]


def pagerank():
    a = [[float(i == j or (i, j) in LINKS or (j, i) in LINKS) for j in range(N)] for i in range(N)]
    g = [sum(row) for row in a]
    s = [[a[i][j] / math.sqrt(g[i] * g[j]) for j in range(N)] for i in range(N)]
    m = inverse([[(i == j) - (1 - TELEPORT) * s[i][j] for j in range(N)] for i in range(N)])
    return [[TELEPORT * x for x in row] for row in m]


def masked(a, mask):
    return [[x * k / (1 - RATE) for x, k in zip(row, keep)] for row, keep in zip(a, mask)]


def random_matrix(rows, cols):
    return [[rng.randrange(-64, 65) / 64 for _ in range(cols)] for _ in range(rows)]


def random_mask(rows, cols):
    return [[rng.randrange(2) for _ in range(cols)] for _ in range(rows)]


def put(name, a, kind="real"):
    print(kind, name, len(a), len(a[0]))
    for row in a:
        print(*[x.hex() if kind == "real" else x for x in row])
    print()


def main():
    x = [[float(rng.randrange(3)) for _ in range(D)] for _ in range(N)]
    x = [row if sum(row) else [1.0] * D for row in x]
    entries = [(i, j) for i in range(N) for j in range(D) if x[i][j]]
    label = [rng.randrange(C) for _ in range(N)]
    w1, w2 = random_matrix(D, H), random_matrix(H, C)
    mask_x, mask_h, mask_pi = random_mask(N, D), random_mask(N, H), random_mask(len(TRAIN), N)

    xd = masked([[v / sum(row) for v in row] for row in x], mask_x)
    z = times(xd, w1)
    h = masked([[max(v, 0.0) for v in row] for row in z], mask_h)
    hl = times(h, w2)
    pi = pagerank()
    pi_train = [pi[i] for i in TRAIN]
    dropped = masked(pi_train, mask_pi)
    logits = times(pi, hl)
    for i, row in zip(TRAIN, times(dropped, hl)):
        logits[i] = row
    loss, d_logits = 0.0, []
    for i in TRAIN:
        e = [math.exp(v) for v in logits[i]]
        loss -= math.log(e[label[i]] / sum(e)) / len(TRAIN)
        d_logits.append([(v / sum(e) - (k == label[i])) / len(TRAIN) for k, v in enumerate(e)])
    d_hl = times(transpose(dropped), d_logits)
    d_h = masked(times(d_hl, transpose(w2)), mask_h)
    d_z = [[d * (v > 0) for d, v in zip(a, b)] for a, b in zip(d_h, z)]
    grad1 = [[g + L2 * w for g, w in zip(a, b)] for a, b in zip(times(transpose(xd), d_z), w1)]
    penalty = L2 / 2 * sum(w * w for row in w1 for w in row)

    print("text method ppnp\ntext case ppnp_components_dropout\ntext mode dropout\ntext features row_l1")
    print("text optimiser adam_tf\ntext hp.kernel ppr\ntext hp.operator plain")
    for name, value in (("a", TELEPORT), ("hidden", H), ("l2", L2), ("drop", RATE), ("lr", LR)):
        print("scalar hp." + name, value)
    print(f"text graph components\ntext graph_kind undirected\nscalar n {N}\nscalar d {D}\nscalar C {C}")
    put("A", sorted(LINKS + [(j, i) for i, j in LINKS]), "int")
    put("X.ij", entries, "int")
    put("X.v", [[x[i][j]] for i, j in entries])
    for name, values in (("labels", label), ("train", TRAIN), ("val", VAL), ("test", TEST)):
        put(name, [[v] for v in values], "int")
    put("p.W1", w1)
    put("p.W2", w2)
    masks = {"X": [[mask_x[i][j]] for i, j in entries], "H": mask_h, "Pi": mask_pi}
    for place, mask in masks.items():
        print("scalar rate." + place, RATE)
        put("mask." + place, mask, "int")
    print(f"scalar loss_data {loss.hex()}\nscalar loss_l2 {penalty.hex()}\nscalar loss_total {(loss + penalty).hex()}")
    put("logits", logits)
    put("out.Pi_train", pi_train)
    put("grad.W1", grad1)
    put("grad.W2", times(transpose(h), d_hl))
    print("text end ok")


if __name__ == "__main__":
    main()
