# SPDX-License-Identifier: MIT
"""Eight threads fit different models at once and get the results that they get alone; exits 1 if not.

tools/check_long.sh runs this with a library that is built with the thread sanitizer.
"""
import threading

import numpy as np

import gnd

METHODS = ["auto", "gnd-slp", "gcn", "appnp", "ls", "lr", "gnd-attn", "cs"]


def blocks(n=60):
    rng = np.random.default_rng(3)
    group = np.repeat([0, 1], n // 2)
    links = np.triu(rng.random((n, n)) < np.where(group[:, None] == group[None, :], 0.3, 0.02), 1)
    y = np.where(np.arange(n) % 8 == 0, group, -1)
    return (links | links.T).astype(np.float32), y, rng.random((n, 12)) + 2 * (np.arange(12) % 2 == group[:, None])


def probabilities(method, data):
    a, y, x = data
    settings = {"epochs_alone": 30} if method not in ("auto", "ls") else {}
    return gnd.NodeClassifier(method, n_jobs=2, **settings).fit(a, y, features=x).predict_proba()


def run(times=3):
    data = blocks()
    alone = [probabilities(m, data) for m in METHODS]
    together = [None] * len(METHODS)

    def work(i):
        for _ in range(times):
            together[i] = probabilities(METHODS[i], data)

    threads = [threading.Thread(target=work, args=(i,)) for i in range(len(METHODS))]
    for t in threads:
        t.start()
    for t in threads:
        t.join()
    for one, other in zip(alone, together):
        np.testing.assert_array_equal(one, other)


if __name__ == "__main__":
    run()
