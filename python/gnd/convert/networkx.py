# SPDX-License-Identifier: MIT
"""Graphs of networkx: labels are a node attribute or a dict, and come back as a dict {node: class}."""
from __future__ import annotations

from typing import Any, Optional

import numpy as np

from .._errors import ArgumentError
from ..graph import Graph
from ._converted import Columns, Converted, as_dict, note, plural


def _weights(edges: list[Any], name: str) -> Optional[list[Any]]:
    """The weight of each edge, 1 where the attribute is absent; None if no edge has it."""
    found = [d.get(name) for d in edges]
    if all(w is None for w in found):
        return None
    return [1 if w is None else w for w in found]


def attribute(values: list[Any], name: str, kind: str) -> list[Any]:
    """Values of a vertex attribute, None where it is absent; an error if no vertex has it."""
    if all(v is None for v in values):
        raise ArgumentError(f"no {kind} has an attribute {name!r}")
    return values


def rows(values: list[Any], name: str, kind: str) -> Any:
    """A matrix from a vertex attribute that holds numbers or vectors."""
    absent = sum(v is None for v in values)
    if absent:
        raise ArgumentError(f"features: {plural(absent, kind, kind + 's')} without the attribute {name!r}")
    matrix = np.array([np.ravel(v) for v in values])
    if matrix.ndim != 2 or matrix.dtype.kind not in "biuf":
        raise ArgumentError(f"features: the attribute {name!r} is not a vector of numbers of one length")
    return matrix


def convert(x: Any, y: Any, features: Any, c: Columns) -> Converted:
    nodes = list(x.nodes())
    if not nodes:
        raise ArgumentError("the graph has no vertex")
    number = {v: i for i, v in enumerate(nodes)}
    edges = list(x.edges(data=True))
    source = np.fromiter((number[u] for u, _, _ in edges), dtype=np.int64, count=len(edges))
    target = np.fromiter((number[v] for _, v, _ in edges), dtype=np.int64, count=len(edges))
    name = c.weight or "weight"
    weight = _weights([d for _, _, d in edges], name)
    if weight is None and c.weight:
        raise ArgumentError(f"no edge has an attribute {name!r}")
    weights = None if weight is None else np.asarray(weight)
    if not x.is_directed():  # both directions, a self-loop once
        back = source != target
        source, target = np.r_[source, target[back]], np.r_[target, source[back]]
        weights = None if weights is None else np.r_[weights, weights[back]]
    if isinstance(features, str):
        features = rows([d.get(features) for _, d in x.nodes(data=True)], features, "node")
    graph = Graph.from_edges(source, target, weights, n_nodes=len(nodes), features=features, ids=nodes)
    note(graph, f"read from networkx: {plural(len(nodes), 'node', 'nodes')}, {plural(len(edges), 'edge', 'edges')}, "
                + (f"weights of the attribute {name!r}" if weights is not None else "weights 1"))
    y = c.label if y is None else y
    if isinstance(y, str):
        y = attribute([d.get(y) for _, d in x.nodes(data=True)], y, "node")
    return Converted(graph, y, as_dict(nodes))
