# SPDX-License-Identifier: MIT
"""Known labels: from arrays and dicts of any hashable classes to the library's numbers, and back.

A value means "no label" if it is None, NaN, pandas.NA, masked, an empty text, or -1 as a number or a text; the same
rule as for files of labels.
"""
from __future__ import annotations

import sys
import warnings
from collections.abc import Mapping
from typing import Any, Callable, NamedTuple, Optional

import numpy as np

from ._arrays import Array
from ._errors import ArgumentError, ShapeError


class Known(NamedTuple):
    """Labels of n vertices."""

    codes: Array  # int32 [n], -1: none
    classes: Array  # [n_class]

    def names(self) -> list[str]:
        """Distinct texts for the classes, which the library stores."""
        names = [_name(c) for c in self.classes.tolist()]
        if len(set(names)) < len(names) or "" in names or "-1" in names:
            names = [f"{i}: {name}" for i, name in enumerate(names)]
        return names


def _name(cls: Any) -> str:
    return str(cls).replace("\0", "\\0")


def _is_missing(value: Any) -> bool:
    """None, NaN, NA, NaT, -1, "" or "-1"."""
    if value is None or type(value).__name__ in ("NAType", "NaTType"):
        return True
    if isinstance(value, (str, bytes)):
        return value in ("", "-1", b"", b"-1")
    if isinstance(value, (bool, np.bool_)):
        return False
    if isinstance(value, (int, float, np.integer, np.floating)):
        return bool(value != value or value == -1)
    return False


def as_values(y: Any) -> Array:
    """y as a one-dimensional array."""
    if hasattr(y, "detach"):  # a tensor of PyTorch
        y = y.detach().cpu().numpy()
    elif isinstance(y, np.ma.MaskedArray):
        hidden, y = np.broadcast_to(y.mask, y.shape), np.array(y.data, dtype=object)
        y[hidden] = None
    elif hasattr(y, "to_numpy"):
        y = y.to_numpy()
    elif hasattr(y, "__array__"):
        y = np.asarray(y)
    if not isinstance(y, np.ndarray):
        y = list(y)
        mixed = len({type(v) for v in y}) > 1 or any(isinstance(v, tuple) for v in y)
        array = np.empty(len(y), dtype=object)
        array[:] = y
        y = array if mixed or not y or np.ndim(y[0]) == 0 and np.asarray(y).dtype.kind not in "biufUS" \
            else np.asarray(y)
    if y.ndim == 2 and y.shape[1] == 1:
        warnings.warn("A column-vector y was passed when a 1d array was expected; its values are used",
                      _conversion_warning(), stacklevel=4)
        y = y[:, 0]
    if y.ndim != 1:
        raise ShapeError(f"y has {y.ndim} dimensions; an array with a label for each vertex was expected")
    return np.asarray(y)


def _conversion_warning() -> type[Warning]:
    """scikit-learn's category of this warning, where scikit-learn is in use."""
    exceptions = sys.modules.get("sklearn.exceptions")
    return getattr(exceptions, "DataConversionWarning", UserWarning)


def _of_objects(values: Array) -> tuple[Array, Array]:
    """Objects of mixed types: which are labels, and the labels as an array of the most specific type."""
    has = np.fromiter((not _is_missing(v) for v in values), dtype=bool, count=len(values))
    labels = values[has]
    types = {type(v) for v in labels}
    if types <= {str, np.str_} or types <= {bool, np.bool_} or types <= {int, np.int64, np.int32}:
        return has, np.array(labels.tolist()) if len(labels) else labels
    if types <= {int, float, np.float64, np.float32, np.int64, np.int32}:
        return has, labels.astype(np.float64)
    return has, labels


def _has_label(values: Array) -> tuple[Array, Array]:
    kind = values.dtype.kind
    if kind in "iu":
        has = values != -1 if kind == "i" else np.ones(len(values), dtype=bool)
    elif kind == "f":
        has = ~np.isnan(values) & (values != -1)
    elif kind == "b":
        has = np.ones(len(values), dtype=bool)
    elif kind in "US":
        if kind == "S":
            values = np.char.decode(values, "utf-8")
        has = (values != "") & (values != "-1")
    elif kind == "O":
        return _of_objects(values)
    else:
        raise ArgumentError(f"y: values of type {values.dtype}; numbers, texts or other hashable classes were expected")
    return has, values[has]


def _unique(labels: Array) -> tuple[Array, Array]:
    """The classes, sorted if they can be, and the class of each label."""
    if labels.dtype.kind == "f":
        if np.isinf(labels).any():
            raise ArgumentError("y: Input contains infinity")
        if (labels != np.floor(labels)).any():
            raise ArgumentError("y: Unknown label type: continuous values, such as "
                                f"{labels[labels != np.floor(labels)][0]}; classes were expected")
    if labels.dtype.kind != "O":
        classes, codes = np.unique(labels, return_inverse=True)
        return classes, codes.reshape(-1)
    try:
        distinct = list(dict.fromkeys(labels.tolist()))
    except TypeError as e:
        raise TypeError(f"y: classes must be hashable: {e}") from None
    try:
        distinct.sort()
    except TypeError:  # no order: as they appear
        pass
    number = {c: i for i, c in enumerate(distinct)}
    classes = np.empty(len(distinct), dtype=object)
    classes[:] = distinct
    return classes, np.fromiter((number[c] for c in labels.tolist()), dtype=np.int64, count=len(labels))


def _checked(known: Known) -> Known:
    if len(known.classes) == 0:
        raise ArgumentError("y has no label: give the class of at least one vertex for each of two classes; "
                            "gnd.suggest says which vertices to label")
    if len(known.classes) == 1:
        raise ArgumentError(f"y has labels of one class, {known.classes.tolist()[0]!r}; labels of at least two "
                            "classes are needed")
    return known


def encode(y: Any, n: int, position: Callable[[Any], Optional[int]]) -> Known:
    """Labels to train on: of at least two classes."""
    return _checked(encode_any(y, n, position))


def encode_any(y: Any, n: int, position: Callable[[Any], Optional[int]]) -> Known:
    """Labels of n vertices from an array with a value for each, or from a dict {id: class}.

    position: the number of the vertex of an id; None if there is none.
    """
    codes = np.full(n, -1, dtype=np.int32)
    if isinstance(y, Mapping):
        at = np.empty(len(y), dtype=np.int64)
        for i, key in enumerate(y):
            found = position(key)
            if found is None:
                raise ArgumentError(f"y: {key!r} is not a vertex of the graph")
            at[i] = found
        if len(np.unique(at)) < len(at):
            raise ArgumentError("y: two keys are the same vertex")
        values = as_values(list(y.values()))
    else:
        values = as_values(y)
        if len(values) != n:
            raise ShapeError(f"y has {len(values)} values, but the graph has {n} vertices: inconsistent numbers; "
                             "mark vertices without a label by -1 or None")
        at = np.arange(n)
    has, labels = _has_label(values)
    classes, numbers = _unique(labels)
    codes[at[has]] = numbers
    return Known(codes, classes)


def decode(codes: Array, classes: Array) -> Array:
    """Classes of vertices. Unknown (-1) is -1 among integers, NaN among other numbers, None among all else."""
    known = codes >= 0
    if known.all():
        return np.asarray(classes[codes])
    if classes.dtype.kind == "i":
        out: Array = np.full(len(codes), -1, dtype=classes.dtype)
    elif classes.dtype.kind == "u":
        out = np.full(len(codes), -1, dtype=np.int64)
    elif classes.dtype.kind == "f":
        out = np.full(len(codes), np.nan, dtype=classes.dtype)
    else:
        out = np.full(len(codes), None, dtype=object)
    out[known] = classes[codes[known]] if classes.dtype.kind != "U" else classes[codes[known]].astype(object)
    return out
