# SPDX-License-Identifier: MIT
"""Tables of edges (pandas, polars, pyarrow and what else narwhals reads): labels come back as a table of the same kind.

The vertices are the ids that occur, ascending if all are integers, otherwise in order of first appearance, as in files.
"""
from __future__ import annotations

from typing import Any, Hashable, Mapping, Optional

import numpy as np

from .._arrays import Array, is_2d, is_sparse
from .._errors import ArgumentError, ShapeError, missing
from ..graph import Graph
from ._converted import Columns, Converted, as_array, note, plural

_SOURCE, _TARGET = ("source", "src", "from"), ("target", "dst", "to")
_LIBRARIES = ("pandas", "polars", "pyarrow", "modin", "cudf", "narwhals", "dask", "duckdb", "pyspark", "ibis")
_ID, _LABEL, _WEIGHT = ("id",), ("label", "class"), ("weight",)


def is_table(x: Any) -> bool:
    """A data frame or table, recognised without importing its library."""
    if is_sparse(x) or isinstance(x, (np.ndarray, list, tuple, dict)):
        return False
    library = type(x).__module__.split(".")[0]
    return library in _LIBRARIES and hasattr(x, "columns") or hasattr(x, "__narwhals_dataframe__")


def _frame(x: Any) -> Any:
    try:
        import narwhals as nw
    except ImportError:
        raise missing("narwhals", "a table") from None
    return nw.from_native(x, eager_only=True)


def _column(frame: Any, given: Optional[str], usual: tuple[str, ...], what: str) -> Optional[str]:
    """The name of a column: the given one, or the only one with a usual name."""
    if given is not None:
        if given not in frame.columns:
            raise ArgumentError(f"the table has no column {given!r}; its columns are {', '.join(frame.columns)}")
        return given
    found = [c for c in frame.columns if str(c).lower() in usual]
    if len(found) > 1:
        raise ArgumentError(f"several columns may be the {what}: {', '.join(found)}; say which by {what}=")
    return found[0] if found else None


def _needed(frame: Any, given: Optional[str], usual: tuple[str, ...], what: str) -> str:
    found = _column(frame, given, usual, what)
    if found is None:
        raise ArgumentError(f"which column is the {what}? Name it by {what}=; the columns are "
                            f"{', '.join(map(str, frame.columns))}")
    return found


def _values(frame: Any, column: str) -> list[Hashable]:
    """Ids of a column as Python values. A missing id is an error."""
    values: list[Hashable] = frame[column].to_list()
    for i, v in enumerate(values):
        if v is None or v != v:
            raise ArgumentError(f"column {column!r}, row {i}: there is no id")
    return values


class _Vertices:
    """Ids and their numbers."""

    def __init__(self, values: list[Hashable]) -> None:
        distinct = list(dict.fromkeys(values))
        if all(isinstance(v, int) and not isinstance(v, bool) for v in distinct):
            distinct.sort(key=int)  # type: ignore[arg-type]
        self.ids = distinct
        self.number = {v: i for i, v in enumerate(distinct)}

    def add(self, values: list[Hashable]) -> int:
        """New ids become vertices without edges; how many."""
        before = len(self.ids)
        for v in values:
            if v not in self.number:
                self.number[v] = len(self.ids)
                self.ids.append(v)
        return len(self.ids) - before

    def numbers(self, values: list[Hashable]) -> Array:
        return np.fromiter((self.number[v] for v in values), dtype=np.int64, count=len(values))


def _labels(y: Any, c: Columns) -> tuple[Mapping[Hashable, Any], Any, str, str]:
    """{id: label}, the table it was in, and the names of its columns."""
    if y is None or isinstance(y, Mapping):
        return dict(y or {}), None, c.id or "id", c.label or "label"
    if type(y).__name__ == "Series" and hasattr(y, "index"):  # pandas: the index holds the ids
        return dict(zip(y.index.tolist(), y.tolist())), None, c.id or "id", c.label or "label"
    if not is_table(y):
        raise ArgumentError(f"the labels of a table of edges are a table with the columns id and label, or a dict "
                            f"{{id: class}}; a {type(y).__name__} was given")
    frame = _frame(y)
    id_, label = _needed(frame, c.id, _ID, "id"), _needed(frame, c.label, _LABEL, "label")
    out: dict[Hashable, Any] = {}
    for i, (v, cls) in enumerate(zip(_values(frame, id_), frame[label].to_list())):
        if v in out and not (out[v] == cls or out[v] is None and cls is None):
            raise ArgumentError(f"column {id_!r}, row {i}: {v!r} has the label {cls!r} here and {out[v]!r} before")
        out[v] = cls
    return out, frame, id_, label


def _features(features: Any, frame: Any, c: Columns, label: str) -> tuple[Any, list[str], str]:
    """The table of features, its columns of numbers, and its column of ids."""
    if isinstance(features, (list, tuple)) and all(isinstance(f, str) for f in features):
        if frame is None:
            raise ArgumentError("features= names columns of the table of labels, but there is no such table")
        for f in features:
            _needed(frame, f, (), "features")
        return frame, list(features), _needed(frame, c.id, _ID, "id")
    if not is_table(features):
        raise ArgumentError("the features of a table of edges are a table with the column id and columns of numbers, "
                            f"or names of columns of the table of labels; a {type(features).__name__} was given")
    table = _frame(features)
    id_ = _needed(table, c.id, _ID, "id")
    return table, [f for f in table.columns if f not in (id_, label)], id_


def _matrix(table: Any, names: list[str], id_: str, vertices: _Vertices) -> Array:
    columns = []
    for name in names:
        column = table[name].to_numpy()
        if column.dtype.kind not in "biuf":
            raise ArgumentError(f"features: column {name!r} has type {column.dtype}; numbers were expected. Leave it "
                                "out, or encode it")
        columns.append(column)
    ids = _values(table, id_)
    if len(set(ids)) < len(ids):
        raise ArgumentError(f"features: an id occurs twice in column {id_!r}")
    out = np.zeros((len(vertices.ids), len(names)), dtype=np.result_type(np.float32, *columns) if columns else float)
    if columns:
        out[vertices.numbers(ids)] = np.stack(columns, axis=1)
    return out


def _matrix_table(x: Any, y: Any, features: Any) -> Converted:
    """A square table of numbers without columns of edges: an adjacency matrix."""
    matrix = x.to_numpy() if hasattr(x, "to_numpy") else np.asarray(x)
    if matrix.ndim != 2 or matrix.shape[0] != matrix.shape[1]:
        raise ShapeError("which columns are the source and the target of the edges? Name them by source= and target=; "
                         "without them a table is an adjacency matrix and must be square, but it has "
                         f"{matrix.shape[0]} rows and {matrix.shape[1]} columns")
    if features is not None and not is_2d(features) and not is_sparse(features) and is_table(features):
        features = features.to_numpy()
    graph = Graph(matrix, features=features)
    note(graph, f"read a table as the adjacency matrix of {plural(graph.n_nodes, 'vertex', 'vertices')}")
    return Converted(graph, y, as_array)


def convert(x: Any, y: Any, features: Any, c: Columns) -> Converted:
    frame = _frame(x)
    source = _column(frame, c.source, _SOURCE, "source")
    target = _column(frame, c.target, _TARGET, "target")
    if source is None and target is None:
        return _matrix_table(x, y, features)
    source, target = _needed(frame, source, _SOURCE, "source"), _needed(frame, target, _TARGET, "target")
    weight = _column(frame, c.weight, _WEIGHT, "weight")
    left, right = _values(frame, source), _values(frame, target)
    vertices = _Vertices(left + right)
    known, table, id_, label = _labels(y, c)
    extra = vertices.add(list(known))
    given = None
    if features is not None:
        features_table, names, feature_id = _features(features, table, c, label)
        extra += vertices.add(_values(features_table, feature_id))
        given = _matrix(features_table, names, feature_id, vertices)
    graph = Graph.from_edges(vertices.numbers(left), vertices.numbers(right),
                             None if weight is None else frame[weight].to_numpy(), n_nodes=len(vertices.ids),
                             features=given, ids=vertices.ids)
    note(graph, f"read from a table of {plural(len(left), 'edge', 'edges')}: columns {source} and {target}, "
                + (f"weights of column {weight}" if weight else "weights 1"))
    if extra:
        note(graph, f"{plural(extra, 'vertex has', 'vertices have')} no edge: the ids occur in labels or features only")
    make = _maker(frame)
    return Converted(graph, known or None, lambda labels, p: make(
        {id_: vertices.ids, label: _with_none(labels), "probability": p.tolist()}), make)


def _with_none(labels: Array) -> list[Any]:
    """Labels for a column; unknown ones are empty."""
    if labels.dtype.kind == "i" and (labels == -1).any():
        return [None if v == -1 else v for v in labels.tolist()]
    return [None if v != v else v for v in labels.tolist()]


def _maker(frame: Any) -> Any:
    """A function that makes a table of the same library from columns."""
    import narwhals as nw

    backend = frame.implementation

    def make(columns: dict[str, list[Any]]) -> Any:
        return nw.from_dict(columns, backend=backend).to_native()

    return make
