# SPDX-License-Identifier: MIT
"""NumPy arrays and sparse matrices as views of gnd.h.

Sparse matrices are recognised by their attributes, so that SciPy need not be installed. A view keeps the arrays it
points to. Types that the library reads are passed as they are; others are converted here, exactly or not at all.
"""
from __future__ import annotations

from typing import Any, Optional

import numpy as np
import numpy.typing as npt

from ._errors import ArgumentError, ShapeError
from ._library import F32, F64, I32, I64, U8, gnd_csr_view, gnd_dense_view, gnd_edges_view

Array = npt.NDArray[Any]

_SCALARS = {"int32": I32, "int64": I64, "float32": F32, "float64": F64, "uint8": U8, "bool": U8}
_INDICES = {"int32": I32, "int64": I64}


def is_sparse(x: Any) -> bool:
    """Is x a matrix of scipy.sparse, or of a library with the same interface?"""
    return all(hasattr(x, name) for name in ("shape", "nnz", "tocsr"))


def is_csr(x: Any) -> bool:
    return all(hasattr(x, name) for name in ("indptr", "indices", "data")) and getattr(x, "format", "csr") == "csr"


def numbers(x: Any, what: str) -> Array:
    """x with a type that the library reads. Smaller integers and float16 are widened; nothing is rounded."""
    if isinstance(x, np.ma.MaskedArray) and np.any(x.mask):
        raise ArgumentError(f"{what}: some values are masked; fill them, for example by x.filled(0)")
    a = np.asarray(x)
    if a.dtype.name in _SCALARS and a.dtype.isnative:
        return a
    if a.dtype.kind == "c":
        raise ArgumentError(f"{what}: complex numbers; real numbers were expected. Complex data not supported")
    if a.dtype.kind == "O":
        try:
            return a.astype(np.float64)
        except (TypeError, ValueError) as e:
            raise type(e)(f"{what}: {e}; numbers were expected") from None
    if a.dtype.kind in "US":
        raise ArgumentError(f"{what}: text; numbers were expected")
    if a.dtype.kind in "iub" and a.dtype.itemsize <= 4 and a.dtype != np.uint32:
        return a.astype(np.int32)
    if a.dtype.kind in "iu":
        if a.size and a.max() > np.iinfo(np.int64).max:
            raise ArgumentError(f"{what}: {a.max()} is larger than {np.iinfo(np.int64).max}")
        return a.astype(np.int64)
    if a.dtype.kind == "f" and a.dtype.itemsize <= 8:
        return a.astype(np.float32 if a.dtype.itemsize <= 4 else np.float64)
    raise ArgumentError(f"{what}: values of type {a.dtype}; numbers were expected")


def indices(x: Any, what: str) -> Array:
    """x as int32 or int64 indices, one-dimensional and contiguous."""
    a = np.asarray(x)
    if a.ndim != 1:
        raise ShapeError(f"{what}: {a.ndim} dimensions; one was expected")
    if a.dtype.kind not in "iu":
        raise ArgumentError(f"{what}: values of type {a.dtype}; integers were expected")
    a = numbers(a, what)
    return np.ascontiguousarray(a if a.dtype.name in _INDICES else a.astype(np.int32))


def _address(a: Optional[Array]) -> Optional[int]:
    return None if a is None else a.ctypes.data


class Csr:
    """A gnd_csr_view and the arrays it points to."""

    def __init__(self, indptr: Any, index: Any, data: Any, shape: tuple[int, int], what: str) -> None:
        ptr = indices(indptr, f"{what}: indptr")
        col = indices(index, f"{what}: indices")
        val = None if data is None else np.ascontiguousarray(numbers(data, what))
        if len(ptr) != shape[0] + 1:
            raise ShapeError(f"{what}: indptr has {len(ptr)} values; {shape[0] + 1} were expected for {shape[0]} rows")
        if len(ptr) and int(ptr[-1]) > len(col):
            raise ShapeError(f"{what}: indptr ends with {int(ptr[-1])}, but there are {len(col)} indices")
        if val is not None and (val.ndim != 1 or len(val) < len(col)):
            raise ShapeError(f"{what}: {val.size} values for {len(col)} indices")
        if ptr.dtype != np.int64:  # the only form that the library borrows; a small array
            ptr = ptr.astype(np.int64)
        self.arrays = (ptr, col, val)
        self.view = gnd_csr_view(
            ptr_type=I64, col_type=_INDICES[col.dtype.name],
            val_type=F32 if val is None else _SCALARS[val.dtype.name],
            n_row=shape[0], n_col=shape[1], ptr=_address(ptr), col=_address(col), val=_address(val))

    def present(self) -> list[Array]:
        return [a for a in self.arrays if a is not None]


class Dense:
    """A gnd_dense_view and the array it points to; any strides."""

    def __init__(self, x: Any, what: str) -> None:
        a = numbers(x, what)
        if a.ndim != 2:
            raise ShapeError(f"{what}: {a.ndim} dimensions; a matrix with a row for each vertex was expected. "
                             "Reshape your data")
        self.array = a
        self.view = gnd_dense_view(type=_SCALARS[a.dtype.name], n_row=a.shape[0], n_col=a.shape[1],
                                   row_stride=a.strides[0], col_stride=a.strides[1], data=_address(a))


class Edges:
    """A gnd_edges_view and the arrays it points to."""

    def __init__(self, source: Any, target: Any, weight: Any, n_node: int) -> None:
        s, t = indices(source, "source"), indices(target, "target")
        if s.dtype != t.dtype:
            s, t = s.astype(np.int64), t.astype(np.int64)
        if len(s) != len(t):
            raise ShapeError(f"source has {len(s)} values, target {len(t)}; equal numbers were expected")
        w = None if weight is None else np.ascontiguousarray(numbers(weight, "weight"))
        if w is not None and w.shape != s.shape:
            raise ShapeError(f"weight has {w.size} values, source {len(s)}; equal numbers were expected")
        self.arrays = (s, t, w)
        self.view = gnd_edges_view(index_type=_INDICES[s.dtype.name],
                                   weight_type=F32 if w is None else _SCALARS[w.dtype.name], n_node=n_node,
                                   n_edge=len(s), source=_address(s), target=_address(t), weight=_address(w))


def csr_of_sparse(x: Any, what: str) -> Csr:
    m = x if is_csr(x) else x.tocsr()
    if len(m.shape) != 2:
        raise ShapeError(f"{what}: {len(m.shape)} dimensions; a matrix was expected. Reshape your data")
    return Csr(m.indptr, m.indices, m.data, (int(m.shape[0]), int(m.shape[1])), what)


def csr_of_dense(x: Any, what: str) -> Csr:
    """The entries of a matrix that are not 0."""
    a = numbers(x, what)
    if a.ndim != 2:
        raise ShapeError(f"{what}: {a.ndim} dimensions; a matrix was expected. Reshape your data")
    row, col = np.nonzero(a)
    ptr = np.zeros(a.shape[0] + 1, dtype=np.int64)
    np.cumsum(np.bincount(row, minlength=a.shape[0]), out=ptr[1:])
    narrow = a.shape[1] <= np.iinfo(np.int32).max
    return Csr(ptr, col.astype(np.int32) if narrow else col, a[row, col], (a.shape[0], a.shape[1]), what)


def is_2d(x: Any) -> bool:
    """Does x look like a matrix that np.asarray understands?"""
    return isinstance(x, (np.ndarray, list, tuple)) or hasattr(x, "__array__")
