# SPDX-License-Identifier: MIT
"""Data of PyTorch Geometric: labels are y, where train_mask is set, and come back as a tensor (-1: unknown)."""
from __future__ import annotations

from typing import Any, Optional

import numpy as np

from .._arrays import Array
from .._errors import ArgumentError, ShapeError
from ..graph import Graph
from ._converted import Columns, Converted, note, plural


def _numpy(tensor: Any) -> Array:
    return np.asarray(tensor.detach().cpu().numpy())


def _known(x: Any, y: Any, graph: Graph) -> Any:
    """y, or the classes of the training vertices."""
    if y is not None:
        return _numpy(y) if hasattr(y, "detach") else y
    if getattr(x, "y", None) is None:
        return None
    labels = _numpy(x.y)
    if labels.ndim == 2 and labels.shape[1] == 1:
        labels = labels[:, 0]
    if labels.ndim != 1 or labels.dtype.kind not in "iu":
        raise ShapeError(f"y has shape {labels.shape} and type {labels.dtype}; an integer for each vertex was expected")
    mask = getattr(x, "train_mask", None)
    if mask is None:
        return labels
    chosen = _numpy(mask).astype(bool)
    if chosen.shape != labels.shape:
        raise ShapeError(f"train_mask has shape {chosen.shape}, y {labels.shape}; give one split: y[mask] as a tensor "
                         "with -1 elsewhere")
    note(graph, f"labels of the {int(chosen.sum()):,} vertices of train_mask")
    return np.where(chosen, labels, -1)


def _back(x: Any) -> Any:
    def give(labels: Array, probability: Array) -> Any:
        import torch

        if labels.dtype.kind not in "iub":
            raise ArgumentError(f"classes of type {labels.dtype} do not fit into a tensor; give integers")
        device = x.edge_index.device
        return torch.as_tensor(labels.astype(np.int64), device=device)

    return give


def convert(x: Any, y: Any, features: Any, c: Columns) -> Converted:
    if x.edge_index is None or not hasattr(x.edge_index, "detach"):
        raise ArgumentError("a Data with a tensor edge_index of shape [2, number of edges] was expected; a HeteroData "
                            "has several, choose one of its edge types")
    edges = _numpy(x.edge_index)
    if edges.ndim != 2 or edges.shape[0] != 2:
        raise ShapeError(f"edge_index has shape {edges.shape}; [2, number of edges] was expected")
    weight: Optional[Array] = None
    name = c.weight or "edge_weight"
    if getattr(x, name, None) is not None:
        weight = _numpy(getattr(x, name)).reshape(-1)
    elif c.weight:
        raise ArgumentError(f"the Data has no {name!r}")
    given: Any = features if features is not None else getattr(x, "x", None)
    if hasattr(given, "is_sparse") and given.is_sparse:
        given = given.to_dense()
    graph = Graph.from_edges(edges[0], edges[1], weight, n_nodes=int(x.num_nodes),
                             features=_numpy(given) if hasattr(given, "detach") else given)
    note(graph, f"read from PyTorch Geometric: {plural(graph.n_nodes, 'vertex', 'vertices')}, "
                f"{plural(edges.shape[1], 'arc', 'arcs')}, "
                + (f"weights {name}" if weight is not None else "weights 1"))
    return Converted(graph, _known(x, y, graph), _back(x))
