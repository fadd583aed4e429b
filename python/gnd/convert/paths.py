# SPDX-License-Identifier: MIT
"""Files: Parquet through the table library that is installed, all other formats through the library.

Labels come back as a dict {id: class}.
"""
from __future__ import annotations

import os
from typing import Any

from .._errors import ArgumentError, FileError, missing
from ..graph import load
from . import tables
from ._converted import Columns, Converted, as_dict, note


_WITH_ATTRIBUTES = (".graphml", ".xml", ".gexf", ".json")


def is_parquet(path: Any) -> bool:
    return str(os.fspath(path)).lower().endswith((".parquet", ".pq"))


def _is_path(x: Any) -> bool:
    return isinstance(x, (str, os.PathLike))


def read_parquet(path: Any) -> Any:
    """A table of the first of pyarrow, polars and pandas that is installed."""
    if not os.path.exists(path):
        raise FileError(f"{os.fspath(path)}: no such file")
    try:
        import pyarrow.parquet

        return pyarrow.parquet.read_table(path)
    except ImportError:
        pass
    try:
        import polars

        return polars.read_parquet(path)
    except ImportError:
        pass
    try:
        import pandas

        return pandas.read_parquet(path)
    except ImportError:
        raise missing("pyarrow", f"{os.fspath(path)}: a Parquet file") from None


def write_table(table: Any, path: Any) -> None:
    """A table as Parquet or CSV, which appears whole or not at all."""
    temporary = f"{os.fspath(path)}.{os.getpid()}.tmp"
    try:
        if type(table).__module__.startswith("pyarrow"):
            import pyarrow.csv
            import pyarrow.parquet

            write = pyarrow.parquet.write_table if is_parquet(path) else pyarrow.csv.write_csv
            write(table, temporary)
        elif type(table).__module__.startswith("polars"):
            table.write_parquet(temporary) if is_parquet(path) else table.write_csv(temporary)
        elif is_parquet(path):
            table.to_parquet(temporary, index=False)
        else:
            table.to_csv(temporary, index=False)
        os.replace(temporary, path)
    finally:
        if os.path.exists(temporary):
            os.unlink(temporary)


def convert(x: Any, y: Any, features: Any, c: Columns) -> Converted:
    if is_parquet(x):
        y = read_parquet(y) if _is_path(y) and is_parquet(y) else y
        if _is_path(y):
            raise ArgumentError(f"{os.fspath(y)}: the labels of a Parquet file are a Parquet file, a table or a dict")
        features = read_parquet(features) if _is_path(features) and is_parquet(features) else features
        found = tables.convert(read_parquet(x), y, features, c)
        return Converted(found.graph, found.y, as_dict(found.graph.ids), found.table)
    names = {role: name for role, name in vars(c).items() if name is not None}
    attributes = {}
    if str(os.fspath(x)).lower().removesuffix(".gz").endswith(_WITH_ATTRIBUTES):
        attributes = {f"{role}_attribute": names.pop(role) for role in ("label", "id") if role in names}
    graph = load(x, labels=y if _is_path(y) else None, features=features if _is_path(features) else None,
                 columns=names or None, **attributes)
    if features is not None and not _is_path(features):
        graph._set_features(features, True)
    note(graph, f"read from {os.fspath(x)}")
    own = graph._known() if graph.class_names else None
    return Converted(graph, own if y is None or _is_path(y) else y, as_dict(graph.ids))
