# SPDX-License-Identifier: MIT
"""From the graphs of other libraries to gnd.Graph, and labels back to their kinds.

Each file of this folder converts one kind. No library is imported before an object of it is given.
"""
from __future__ import annotations

import os
from typing import Any, Optional, Union

from .._errors import ArgumentError
from . import arrays, igraph, networkx, pyg, tables
from ._converted import Columns, Converted

__all__ = ["Columns", "Converted", "convert", "to_graph"]


def _is_path(x: Any) -> bool:
    return isinstance(x, (str, os.PathLike))


def convert(x: Any, y: Any = None, *, features: Any = None, columns: Optional[Columns] = None,
            copy: bool = False) -> Converted:
    """A graph of any kind, its labels, and the way back for the result."""
    c = columns or Columns()
    module = type(x).__module__.split(".")[0]
    if _is_path(x):
        from . import paths

        return paths.convert(x, y, features, c)
    if module == "networkx":
        return networkx.convert(x, y, features, c)
    if module == "igraph":
        return igraph.convert(x, y, features, c)
    if hasattr(x, "edge_index"):
        return pyg.convert(x, y, features, c)
    if tables.is_table(x):
        return tables.convert(x, y, features, c)
    if c.given():
        raise ArgumentError(f"{c.given()}= is for tables; a {type(x).__name__} was given")
    return arrays.convert(x, y, features, copy)


def to_graph(x: Any, *, features: Any = None, copy: bool = False) -> tuple[Any, Any]:
    """The graph, and the labels that x itself has; None if it has none."""
    if isinstance(x, Converted):
        return x.graph, x.y
    found = convert(x, None, features=features, copy=copy)
    return found.graph, found.y


Path = Union[str, os.PathLike[str]]
