# SPDX-License-Identifier: MIT
"""Matrices (NumPy, scipy.sparse) and graphs of this package: labels come back as an array."""
from __future__ import annotations

from typing import Any

from .._arrays import is_sparse
from ..graph import Graph
from ._converted import Converted, as_array, note


def convert(x: Any, y: Any, features: Any, copy: bool) -> Converted:
    if isinstance(x, Graph):
        own = x._known() if len(x.class_names) else None
        if features is not None:
            notes = x._own_notes
            x = x._converted(x.mode)
            x._own_notes = list(notes)
            x._set_features(features, copy)
        return Converted(x, y if y is not None else own, as_array)
    graph = Graph(x, features=features, copy=copy)
    kind = f"a sparse {getattr(x, 'format', 'csr')} matrix" if is_sparse(x) else "a dense matrix"
    note(graph, f"read from {kind} of {graph.n_nodes:,} vertices")
    return Converted(graph, y, as_array)
