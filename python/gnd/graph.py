# SPDX-License-Identifier: MIT
"""Graphs of the library: from arrays, from files, and back to arrays."""
from __future__ import annotations

import ctypes
import os
from typing import Any, Hashable, Mapping, Optional, Sequence, Union

import numpy as np

from . import _notes
from ._arrays import Array, Csr, Dense, Edges, csr_of_dense, csr_of_sparse, is_2d, is_sparse
from ._call import Progress, long_call, threads
from ._errors import ArgumentError, FormatError, ShapeError, missing
from ._known import Known
from ._library import (DATA, F32, HEADERS, I32, I64, MISSING, MODES, call, encode, gnd_convert_opts, gnd_csr_view,
                       gnd_dataset_convert_opts, gnd_graph_info, gnd_load_opts, gnd_save_opts, lib, text)

BUNDLED = ("karate", "debian")  # data sets that are part of this package
_DTYPES = {I32: "<i4", I64: "<i8", F32: "<f4"}


class _Borrowed:
    """Memory of a graph as an array; the array keeps the graph."""

    def __init__(self, owner: Any, address: Optional[int], n: int, dtype: str) -> None:
        self.owner = owner
        self.__array_interface__ = {"shape": (n,), "typestr": dtype, "data": (address or 0, True), "version": 3}


def borrowed(owner: Any, address: Any, n: int, dtype: str) -> Array:
    """A read-only array of n values at an address."""
    if not n or not address:
        return np.empty(0, dtype=dtype)
    if not isinstance(address, int):
        address = ctypes.cast(address, ctypes.c_void_p).value
    return np.asarray(_Borrowed(owner, address, n, dtype))


class Graph:
    """A graph: links, and optionally features, labels and ids of its vertices.

    adjacency: a square matrix, sparse (scipy.sparse) or dense; entry (i, j) is the weight of the link from i to j.
    features: a matrix, sparse or dense, with a row for each vertex.
    ids: distinct values that name the vertices; default: their numbers from 0.
    copy: False lets the graph use the memory of sparse matrices that have float32 values and sorted int32 indices;
        they must not change while the graph is in use.

    >>> g = gnd.Graph([[0, 1, 0], [1, 0, 1], [0, 1, 0]])
    >>> g.n_nodes, g.n_edges
    (3, 2)
    """

    _handle: Any = None

    def __init__(self, adjacency: Any, *, features: Any = None, ids: Optional[Sequence[Hashable]] = None,
                 name: Optional[str] = None, copy: bool = False) -> None:
        csr = _adjacency_view(adjacency)
        self._start(ctypes.c_void_p(), csr.present())
        try:
            call(lib.gnd_graph_from_csr, ctypes.byref(self._handle), ctypes.byref(csr.view), not copy)
        except FormatError as e:
            raise (FormatError(f"Negative values in data: {e}") if "negative weight" in str(e) else e) from None
        self._complete(features, ids, name, copy)

    @classmethod
    def from_edges(cls, source: Any, target: Any, weight: Any = None, *, n_nodes: Optional[int] = None,
                   features: Any = None, ids: Optional[Sequence[Hashable]] = None, name: Optional[str] = None) -> Graph:
        """A graph from arrays of vertex numbers: a link from source[i] to target[i] for each i.

        >>> gnd.Graph.from_edges([0, 1], [1, 2]).n_nodes
        3
        """
        edges = Edges(source, target, weight, 0)
        lowest = min((int(a.min()) for a in edges.arrays[:2] if len(a)), default=0)
        highest = max((int(a.max()) for a in edges.arrays[:2] if len(a)), default=-1)
        n = n_nodes if n_nodes is not None else highest + 1
        if lowest < 0 or highest >= n:
            raise ArgumentError(f"a vertex number is {lowest if lowest < 0 else highest}; numbers from 0 to {n - 1} "
                                "were expected")
        if n <= 0:
            raise ArgumentError("the graph has no vertex")
        edges.view.n_node = n
        self = cls.__new__(cls)
        self._start(ctypes.c_void_p(), [])
        call(lib.gnd_graph_from_edges, ctypes.byref(self._handle), ctypes.byref(edges.view))
        self._complete(features, ids, name, True)
        return self

    @classmethod
    def _of_handle(cls, handle: Any, keep: Sequence[Array], ids: Optional[Sequence[Hashable]] = None) -> Graph:
        self = cls.__new__(cls)
        self._start(handle, keep)
        self._ids = ids
        return self

    def _start(self, handle: Any, keep: Sequence[Array]) -> None:
        self._handle = handle
        self._keep: list[Array] = list(keep)  # arrays whose memory this graph uses
        self._ids: Optional[Sequence[Hashable]] = None
        self._own_notes: list[_notes.Note] = []  # of a converter
        self._positions: Optional[dict[Hashable, int]] = None

    def _complete(self, features: Any, ids: Optional[Sequence[Hashable]], name: Optional[str], copy: bool) -> None:
        if features is not None:
            self._set_features(features, copy)
        self._ids = range(self.n_nodes)
        if ids is not None:
            self._set_ids(ids)
        if name:
            call(lib.gnd_graph_set_name, self._handle, encode(name))
        self._keep_borrowed()

    def _keep_borrowed(self) -> None:
        """Let go of arrays that the library has copied, and keep those whose memory it uses."""
        used = set()
        for get in (lib.gnd_graph_adjacency, lib.gnd_graph_features):
            view = gnd_csr_view()
            call(get, ctypes.byref(view), self._handle)
            used |= {view.ptr, view.col, view.val}
        self._keep = [a for a in self._keep if a.ctypes.data in used]

    def __del__(self, free: Any = lib.gnd_graph_free) -> None:
        if self._handle:
            free(self._handle)
            self._handle = None

    def __reduce__(self) -> Any:
        raise TypeError("a gnd.Graph cannot be pickled; keep its arrays, or write it with Graph.save")

    # ---- parts that are set while a graph is made

    def _set_features(self, features: Any, copy: bool) -> None:
        what, n = "features", self.n_nodes
        rows = features.shape[0] if hasattr(features, "shape") and len(features.shape) else len(features)
        if rows != n:
            raise ShapeError(f"features has {rows} rows, but the graph has {n} vertices; one row for each vertex was "
                             "expected")
        if is_sparse(features):
            csr = csr_of_sparse(features, what)
            call(lib.gnd_graph_set_features_csr, self._handle, ctypes.byref(csr.view), not copy)
            self._keep += csr.present()
            return
        if hasattr(features, "detach"):
            features = features.detach().cpu().numpy()
        elif hasattr(features, "to_numpy"):
            features = features.to_numpy()
        dense = Dense(features, what)
        call(lib.gnd_graph_set_features_dense, self._handle, ctypes.byref(dense.view))

    def _set_ids(self, ids: Sequence[Hashable]) -> None:
        n = self.n_nodes
        if len(ids) != n:
            raise ShapeError(f"ids has {len(ids)} values, but the graph has {n} vertices")
        names = [str(i) for i in ids]
        if len(set(names)) < n:  # such as 1 and "1"
            names = [name if isinstance(i, str) else f"{type(i).__name__} {i!r}" for i, name in zip(ids, names)]
        names = [name if name not in ("", "-1") else f"{type(i).__name__} {i!r}" for i, name in zip(ids, names)]
        array = (ctypes.c_char_p * n)(*[encode(name) for name in names])
        call(lib.gnd_graph_set_ids, self._handle, array)
        self._ids = list(ids)

    def _set_known(self, known: Known) -> None:
        codes = np.ascontiguousarray(known.codes, dtype=np.int32)
        names = known.names()
        array = (ctypes.c_char_p * len(names))(*[name.encode("utf-8", "surrogatepass") for name in names])
        call(lib.gnd_graph_set_labels, self._handle, codes.ctypes.data_as(ctypes.POINTER(ctypes.c_int32)), array,
             len(names))

    def _converted(self, mode: str, progress: Progress = None) -> Graph:
        """A new graph of a mode, which may use arrays that this one uses."""
        g = Graph._of_handle(ctypes.c_void_p(), self._keep, self._ids)
        o = gnd_convert_opts(mode=MODES.index(mode))
        long_call(lib.gnd_graph_convert_with, ctypes.byref(g._handle), self._handle, ctypes.byref(o), keep=(g, self),
                  options=o, progress=progress)
        g._keep_borrowed()
        g._own_notes = self._own_notes
        return g

    # ---- what is in a graph

    @property
    def n_nodes(self) -> int:
        """Number of vertices."""
        return int(lib.gnd_graph_n_node(self._handle))

    @property
    def info(self) -> dict[str, Any]:
        """Counts of vertices, edges, self-loops, components and more, as `gnd data info` prints them."""
        out = gnd_graph_info()
        call(lib.gnd_graph_info_get, ctypes.byref(out), self._handle)
        return {field[0]: getattr(out, field[0]) for field in out._fields_[1:]}

    @property
    def n_edges(self) -> int:
        """Number of unordered pairs of distinct vertices with a link."""
        return int(self.info["n_edge"])

    @property
    def name(self) -> str:
        return text(lib.gnd_graph_name(self._handle))

    @property
    def mode(self) -> str:
        """How links are read: raw, und (undirected) or std."""
        return MODES[lib.gnd_graph_mode_get(self._handle)]

    @property
    def ids(self) -> list[Any]:
        """The id of each vertex."""
        if self._ids is None:
            buffer = ctypes.create_string_buffer(32)
            self._ids = [text(lib.gnd_graph_id(self._handle, i, buffer)) for i in range(self.n_nodes)]
        return list(self._ids)

    def _position(self, key: Any) -> Optional[int]:
        """The number of the vertex of an id; a vertex without ids is known by its number."""
        if self._positions is None:
            self._positions = {i: k for k, i in enumerate(self.ids)}
        found = self._positions.get(key)
        if found is None and isinstance(key, (int, np.integer)) and not isinstance(key, bool):
            found = self._positions.get(str(int(key)))  # the ids of files are texts
        return found

    @property
    def class_names(self) -> list[str]:
        """The names of the classes of the labels."""
        return [text(lib.gnd_graph_class_name(self._handle, c)) for c in range(lib.gnd_graph_n_class(self._handle))]

    @property
    def labels(self) -> Array:
        """The class name of each vertex; None: it has no label."""
        codes, names = self._codes(), np.array(self.class_names + [None], dtype=object)
        return np.asarray(names[codes])

    def _codes(self) -> Array:
        return borrowed(self, lib.gnd_graph_labels(self._handle), self.n_nodes, "<i4") \
            if lib.gnd_graph_n_class(self._handle) else np.full(self.n_nodes, -1, dtype=np.int32)

    def _known(self) -> Known:
        return Known(self._codes(), np.array(self.class_names))

    def _csr(self, get: Any) -> tuple[Array, Array, Optional[Array], tuple[int, int]]:
        view = gnd_csr_view()
        call(get, ctypes.byref(view), self._handle)
        ptr = borrowed(self, view.ptr, view.n_row + 1, _DTYPES[view.ptr_type])
        n = int(ptr[-1]) if len(ptr) else 0
        col = borrowed(self, view.col, n, _DTYPES[view.col_type])
        val = borrowed(self, view.val, n, _DTYPES[view.val_type]) if view.val else None
        return ptr, col, val, (view.n_row, view.n_col)

    def _matrix(self, get: Any) -> Any:
        try:
            from scipy.sparse import csr_matrix
        except ImportError:
            raise missing("scipy", "a sparse matrix") from None
        ptr, col, val, shape = self._csr(get)
        return csr_matrix((np.ones(len(col), dtype=np.float32) if val is None else val.copy(), col.copy(), ptr.copy()),
                          shape=shape)

    @property
    def adjacency(self) -> Any:
        """The links as scipy.sparse.csr_matrix."""
        return self._matrix(lib.gnd_graph_adjacency)

    @property
    def features(self) -> Any:
        """The features as scipy.sparse.csr_matrix; None if there are none."""
        view = gnd_csr_view()
        call(lib.gnd_graph_features, ctypes.byref(view), self._handle)
        return self._matrix(lib.gnd_graph_features) if view.n_col else None

    @property
    def notes(self) -> list[_notes.Note]:
        """What was found in the input and done to the graph."""
        return self._own_notes + _notes.read(lib.gnd_graph_n_note, lib.gnd_graph_note, self._handle)

    def save(self, path: Union[str, os.PathLike[str]], format: str = "npz", *, progress: Progress = None) -> None:
        """Write an npz file, a safetensors file that opens at once (format "safetensors"), or a folder of CSV files
        (format "csv"). The files appear whole or not at all."""
        o = gnd_save_opts()
        long_call(lib.gnd_graph_save_with, self._handle, encode(path), encode(format), ctypes.byref(o), keep=self,
                  options=o, progress=progress)

    def __repr__(self) -> str:
        i = self.info
        return (f"<gnd.Graph {self.name or 'without a name'}: {i['n_node']:,} vertices, {i['n_edge']:,} edges, "
                f"{i['n_feat']:,} features, {i['n_class']} classes>")


def _adjacency_view(x: Any) -> Csr:
    what = "adjacency"
    if is_sparse(x):
        csr = csr_of_sparse(x, what)
    elif is_2d(x):
        csr = csr_of_dense(x, what)
    else:
        raise TypeError(f"adjacency: a {type(x).__name__}; a square matrix, sparse or dense, was expected")
    if csr.view.n_col == 0 and csr.view.n_row > 0:
        raise ShapeError(f"adjacency: 0 feature(s) (shape=({csr.view.n_row}, 0)) while a minimum of 1 is required.")
    if csr.view.n_row != csr.view.n_col:
        raise ShapeError(f"adjacency: shape {csr.view.n_row} x {csr.view.n_col}; a square matrix with a row and a "
                         "column for each vertex was expected")
    if csr.view.n_row == 0:
        raise ShapeError("adjacency: no vertices: 0 sample(s) found; at least two labelled vertices are needed")
    return csr


def _character(value: Optional[str], what: str) -> bytes:
    if value is not None and (len(value) != 1 or not value.isascii()):
        raise ArgumentError(f"{what}={value!r}: one character was expected")
    return (value or "\0").encode()


def _load_options(name_or_path: Union[str, os.PathLike[str]], *,
                  labels: Union[None, str, os.PathLike[str]] = None,
                  features: Union[None, str, os.PathLike[str]] = None, format: Optional[str] = None,
                  header: Optional[bool] = None, columns: Union[None, str, Mapping[str, Any]] = None,
                  separator: Optional[str] = None, decimal: Optional[str] = None, missing: str = "error",
                  label_attribute: Optional[str] = None, id_attribute: Optional[str] = None,
                  feature_attributes: Optional[str] = None, data_dir: Union[None, str, os.PathLike[str]] = None,
                  max_input: int = 0) -> gnd_load_opts:
    """The options of load for the library."""
    def option(value: Any) -> Optional[bytes]:
        return None if value is None else encode(value)

    if missing not in MISSING:
        raise ArgumentError(f"missing={missing!r}: {', '.join(MISSING)} was expected")
    if isinstance(columns, Mapping):
        columns = ",".join(f"{role}={column}" for role, column in columns.items())
    o = gnd_load_opts(data_dir=option(data_dir), format=option(format), features=option(features),
                      labels=option(labels), header=HEADERS[header], max_input=max_input, columns=option(columns),
                      separator=_character(separator, "separator"), decimal=_character(decimal, "decimal"),
                      missing=MISSING.index(missing), label_attribute=option(label_attribute),
                      id_attribute=option(id_attribute), feature_attributes=option(feature_attributes))
    if data_dir is None and os.fspath(name_or_path) in BUNDLED:
        o.data_dir = encode(DATA)
    return o


def load(name_or_path: Union[str, os.PathLike[str]], *, labels: Union[None, str, os.PathLike[str]] = None,
         features: Union[None, str, os.PathLike[str]] = None, format: Optional[str] = None,
         header: Optional[bool] = None, columns: Union[None, str, Mapping[str, Any]] = None,
         separator: Optional[str] = None, decimal: Optional[str] = None, missing: str = "error",
         label_attribute: Optional[str] = None, id_attribute: Optional[str] = None,
         feature_attributes: Optional[str] = None,
         data_dir: Union[None, str, os.PathLike[str]] = None, max_input: int = 0, progress: Progress = None) -> Graph:
    """Load a graph from a file (every format of the command `gnd`), or a data set by its name.

    labels, features: files of labels and features. header: is the first line of text files a header? None: by its
    content. columns: the columns to use, {"source": "from", "labels.id": "who"}. separator, decimal: of text files;
    None: by their content. missing: what a missing feature is, "error", "zero" or "mean". label_attribute,
    id_attribute, feature_attributes ("age,height"): of GraphML, GEXF and JSON files; "none": none. max_input: bytes
    that a file may have or unpack to; 0: half of the memory. docs/formats.md has the rules.

    >>> gnd.load("karate")
    <gnd.Graph karate: 34 vertices, 78 edges, 0 features, 2 classes>
    """
    o = _load_options(name_or_path, labels=labels, features=features, format=format, header=header, columns=columns,
                      separator=separator, decimal=decimal, missing=missing, label_attribute=label_attribute,
                      id_attribute=id_attribute, feature_attributes=feature_attributes, data_dir=data_dir,
                      max_input=max_input)
    g = Graph._of_handle(ctypes.c_void_p(), [])
    long_call(lib.gnd_load, ctypes.byref(g._handle), encode(name_or_path), ctypes.byref(o), keep=g, options=o,
              progress=progress)
    return g


def convert_dataset(name_or_path: Union[str, os.PathLike[str]], path: Union[str, os.PathLike[str]], *,
                    memory: Optional[int] = None, n_jobs: Optional[int] = None, progress: Progress = None,
                    **options: Any) -> Graph:
    """Write a file or data set as a safetensors file, which opens at once and is not read into memory.

    A text file of edges may be larger than the memory: parts of it are sorted on disk. memory: bytes for the
    conversion, 32 MB or more; None: a quarter of the machine's. n_jobs: threads; None: one per CPU. options: as of
    load. The result uses the new file.
    """
    load_options = _load_options(name_or_path, **options)
    o = gnd_dataset_convert_opts(threads=threads(n_jobs), load=ctypes.pointer(load_options), memory=memory or 0)
    g = Graph._of_handle(ctypes.c_void_p(), [])
    long_call(lib.gnd_dataset_convert, ctypes.byref(g._handle), encode(name_or_path), encode(path), ctypes.byref(o),
              keep=(g, load_options), options=o, progress=progress)
    return g
