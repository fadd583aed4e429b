# SPDX-License-Identifier: MIT
"""What the tests share: graphs, and the name `gnd` in doctests."""
import os

import numpy as np
import pytest

import gnd

SOURCE = os.environ.get("GND_SOURCE") or os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
SHARED_DATA = os.environ.get("GND_DATA") or os.path.join(os.path.dirname(SOURCE), "shared", "data")


@pytest.fixture(autouse=True)
def _doctest(doctest_namespace):
    doctest_namespace["gnd"] = gnd


@pytest.fixture
def karate():
    return gnd.load("karate")


@pytest.fixture
def two_blocks():
    """Two groups of 30 vertices with many links inside and few between; features that tell the groups apart."""
    rng = np.random.default_rng(3)
    group = np.repeat([0, 1], 30)
    p = np.where(group[:, None] == group[None, :], 0.3, 0.02)
    upper = np.triu(rng.random((60, 60)) < p, 1)
    x = rng.random((60, 12)) + 2 * (np.arange(12)[None, :] % 2 == group[:, None])
    return (upper | upper.T).astype(np.float32), group, x.astype(np.float32)


@pytest.fixture
def cora():
    if not os.path.isdir(os.path.join(SHARED_DATA, "planetoid")):
        pytest.skip("the data sets are not in ../shared/data")
    return gnd.load("cora", data_dir=SHARED_DATA)


def few(labels, per_class, missing=-1):
    """The first labels of each class; the others are missing."""
    y = np.full(len(labels), missing, dtype=labels.dtype if missing == -1 else object)
    for c in np.unique(labels):
        at = np.flatnonzero(labels == c)[:per_class]
        y[at] = labels[at]
    return y
