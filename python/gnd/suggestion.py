# SPDX-License-Identifier: MIT
"""Which vertices to label next."""
from __future__ import annotations

import ctypes
import math
from typing import Any, Hashable, NamedTuple, Optional, Sequence

from . import _notes
from ._call import Progress, long_call, threads
from ._errors import ArgumentError
from ._library import gnd_suggest_opts, lib, text
from .graph import Graph


class Suggestion(NamedTuple):
    """A vertex that is worth labelling."""

    id: Hashable
    vertex: int
    represents: float  # share of the vertices that are closer to it than to other labelled or suggested ones
    label: Any  # its most probable class now; None if no label reaches it
    probability: float  # of that class; NaN likewise
    why: str  # the same in a sentence


class _Suggestions:
    def __init__(self) -> None:
        self.handle = ctypes.c_void_p()

    def __del__(self, free: Any = lib.gnd_suggestions_free) -> None:
        free(self.handle)


def suggest_of(graph: Graph, n: int, n_jobs: Optional[int], progress: Progress,
               classes: Optional[Sequence[Any]] = None) -> tuple[list[Suggestion], list[_notes.Note]]:
    """Suggestions for a graph with its labels, and notes on them. classes: those of the graph's labels."""
    if isinstance(n, bool) or int(n) != n or not 1 <= n <= 2000:
        raise ArgumentError(f"n={n}: a number of vertices from 1 to 2000 was expected")
    out, o = _Suggestions(), gnd_suggest_opts(n=int(n), threads=threads(n_jobs))
    long_call(lib.gnd_suggest, ctypes.byref(out.handle), graph._handle, ctypes.byref(o), keep=(out, graph), options=o,
              progress=progress)
    names = graph.class_names if classes is None else classes
    ids, found = graph.ids, []
    for i in range(lib.gnd_suggestions_n(out.handle)):
        s = lib.gnd_suggestions_get(out.handle, i).contents
        found.append(Suggestion(ids[s.vertex], s.vertex, s.represents, names[s.cls] if s.cls >= 0 else None,
                                s.prob if s.cls >= 0 else math.nan, text(lib.gnd_suggestions_why(out.handle, i))))
    return found, _notes.read(lib.gnd_suggestions_n_note, lib.gnd_suggestions_note, out.handle)
