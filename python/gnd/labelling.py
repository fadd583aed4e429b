# SPDX-License-Identifier: MIT
"""gnd.label and gnd.suggest: one call on a graph of any kind."""
from __future__ import annotations

import os
import sys
from typing import Any, Optional, Union

import numpy as np

from . import _known, _notes
from ._errors import missing
from .convert import Columns, Converted, convert
from .convert import paths
from .estimator import NodeClassifier
from .suggestion import suggest_of

_Path = Union[None, str, os.PathLike[str]]


def label(graph: Any, y: Any = None, /, *, method: str = "auto", features: Any = None, source: Optional[str] = None,
          target: Optional[str] = None, weight: Optional[str] = None, id: Optional[str] = None,
          label: Optional[str] = None, output: _Path = None, proba: bool = False, verbose: bool = False,
          **params: Any) -> Any:
    """Label all vertices of a graph from a few labels. The result has the kind of the input.

    =====================================  ===================================  ===========================
    graph                                  y                                    result
    =====================================  ===================================  ===========================
    matrix (scipy.sparse, NumPy)           array or dict {number: class}        array
    gnd.Graph                              the same; None: its own labels       array
    table of edges (pandas, polars,        table with id and label, or dict     table with id, label,
    pyarrow, ...)                                                               probability
    networkx or igraph graph               attribute name, dict or list         dict {vertex: class}
    PyTorch Geometric Data                 tensor; None: Data.y in train_mask   tensor
    path of a file, name of a data set     path, dict; None: its own labels     dict {id: class}
    =====================================  ===================================  ===========================

    source, target, weight, id, label: names of columns of tables; weight, label: also of attributes.
    features: a matrix, table or path; a list of columns of the table y; the name of an attribute.
    output: a file to write: CSV with id, label, probability, or Parquet.
    proba: return two values, the labels and the probability of each, in the kind of the input.
    verbose: print notes on standard error; without it they go to the logger "gnd".
    method, **params: as in gnd.NodeClassifier.

    >>> import numpy as np
    >>> gnd.label(np.array([[0, 1, 0, 0], [1, 0, 0, 0], [0, 0, 0, 1], [0, 0, 1, 0]]), [5, -1, 7, -1])
    array([5, 5, 7, 7])
    """
    columns = Columns(source, target, weight, id, label)
    converted = convert(graph, y, features=features, columns=columns, copy=params.get("copy", False))
    model = NodeClassifier(method, **params)
    model.fit(converted, converted.y)
    if verbose:
        for note in model.notes_:
            print(f"gnd: {note}", file=sys.stderr)
    labels, best = model.predict(), model.predict_proba().max(axis=1)
    best[model._codes() < 0] = np.nan
    if output is not None:
        _write(model, converted, labels, best, output)
    given = converted.give(labels, best)
    return (given, _probabilities(converted, best, given)) if proba else given


def _probabilities(converted: Converted, best: Any, given: Any) -> Any:
    """The probability of each label: a dict beside a dict, otherwise an array."""
    return dict(zip(given, best.tolist())) if isinstance(given, dict) else best


def _write(model: NodeClassifier, converted: Converted, labels: Any, best: Any, output: Any) -> None:
    if not paths.is_parquet(output):
        model.write(output)
        return
    columns = {"id": converted.graph.ids, "label": labels.tolist(), "probability": best.tolist()}
    if converted.table is None:
        try:
            import pyarrow
        except ImportError:
            raise missing("pyarrow", f"{os.fspath(output)}: a Parquet file") from None
        paths.write_table(pyarrow.table(columns), output)
    else:
        paths.write_table(converted.table(columns), output)


def suggest(graph: Any, y: Any = None, /, n: int = 10, *, features: Any = None, source: Optional[str] = None,
            target: Optional[str] = None, weight: Optional[str] = None, id: Optional[str] = None,
            label: Optional[str] = None, mode: str = "und", n_jobs: Optional[int] = None, progress: Any = None) -> Any:
    """Which vertices to label, the most useful first; y may be None if there are no labels yet.

    graph, y, features and the names of columns are as in gnd.label. The result is a list of gnd.Suggestion, or a table
    if a table is given.

    >>> gnd.suggest(gnd.load("karate"), {}, n=2)[0].id
    '21'
    """
    converted = convert(graph, y, features=features, columns=Columns(source, target, weight, id, label))
    g = converted.graph._converted(mode, progress)
    classes = None
    known = converted.y
    if isinstance(known, dict) and not known:
        known = None
    if known is not None:
        if not isinstance(known, _known.Known):
            known = _known.encode_any(known, g.n_nodes, g._position)
        classes = known.classes.tolist()
    if known is None or not len(known.classes):
        known = _known.Known(np.full(g.n_nodes, -1, dtype=np.int32), np.array([], dtype=str))
    g._set_known(known)
    found, notes = suggest_of(g, n, n_jobs, progress, classes)
    _notes.announce(g.notes + notes)
    if converted.table is None:
        return found
    return converted.table({
        id or "id": [s.id for s in found], label or "label": [s.label for s in found],
        "probability": [s.probability for s in found], "represents": [s.represents for s in found],
        "why": [s.why for s in found]})
