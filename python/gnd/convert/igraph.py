# SPDX-License-Identifier: MIT
"""Graphs of igraph: labels are a vertex attribute, a dict or a list, and come back as a dict {name: class}."""
from __future__ import annotations

from typing import Any

import numpy as np

from .._errors import ArgumentError
from ..graph import Graph
from ._converted import Columns, Converted, as_dict, note, plural
from .networkx import attribute, rows


def convert(x: Any, y: Any, features: Any, c: Columns) -> Converted:
    n = x.vcount()
    if not n:
        raise ArgumentError("the graph has no vertex")
    pairs = np.array(x.get_edgelist(), dtype=np.int64).reshape(-1, 2)
    source, target = pairs[:, 0], pairs[:, 1]
    name = c.weight or "weight"
    weights = None
    if name in x.es.attributes():
        weights = np.asarray([1 if w is None else w for w in x.es[name]])
    elif c.weight:
        raise ArgumentError(f"no edge has an attribute {name!r}")
    if not x.is_directed():  # both directions, a self-loop once
        back = source != target
        source, target = np.r_[source, target[back]], np.r_[target, source[back]]
        weights = None if weights is None else np.r_[weights, weights[back]]
    if isinstance(features, str):
        features = rows(_values(x, features), features, "vertex")
    ids = x.vs["name"] if "name" in x.vs.attributes() and len(set(x.vs["name"])) == n else list(range(n))
    graph = Graph.from_edges(source, target, weights, n_nodes=n, features=features, ids=ids)
    note(graph, f"read from igraph: {plural(n, 'vertex', 'vertices')}, {plural(len(pairs), 'edge', 'edges')}, "
                + (f"weights of the attribute {name!r}" if weights is not None else "weights 1"))
    y = c.label if y is None else y
    if isinstance(y, str):
        y = attribute(_values(x, y), y, "vertex")
    return Converted(graph, y, as_dict(ids))


def _values(x: Any, name: str) -> list[Any]:
    return list(x.vs[name]) if name in x.vs.attributes() else [None] * x.vcount()
