# SPDX-License-Identifier: MIT
"""What a converter returns, and how columns and attributes are named."""
from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Callable, Hashable, Optional, Sequence

from .._arrays import Array
from .._notes import Note
from ..graph import Graph


@dataclass
class Columns:
    """Names of columns of tables, or of attributes of vertices and edges."""

    source: Optional[str] = None
    target: Optional[str] = None
    weight: Optional[str] = None
    id: Optional[str] = None
    label: Optional[str] = None

    def given(self) -> str:
        """The first name that is set; empty if none is."""
        return next((name for name, value in vars(self).items() if value is not None), "")


@dataclass
class Converted:
    """A graph, its known labels, and how labels are given back."""

    graph: Graph
    y: Any
    give: Callable[[Array, Array], Any]  # labels and their probabilities, in the kind of the input
    table: Optional[Callable[[dict[str, list[Any]]], Any]] = None  # a table of the input's kind, if that is a table


def as_array(labels: Array, probability: Array) -> Array:
    return labels


def as_dict(ids: Sequence[Hashable]) -> Callable[[Array, Array], dict[Hashable, Any]]:
    return lambda labels, probability: dict(zip(ids, labels.tolist()))


def note(graph: Graph, text: str, code: str = "converted") -> None:
    """Say what a converter did."""
    graph._own_notes.append(Note(code, "note", text))


def plural(n: int, one: str, many: str) -> str:
    return f"{n:,} {one if n == 1 else many}"
