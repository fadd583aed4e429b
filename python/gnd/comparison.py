# SPDX-License-Identifier: MIT
"""gnd.compare: methods on the same splits of a labelled graph."""
from __future__ import annotations

import ctypes
import os
from typing import Any, Iterable, Mapping, Optional, Union

import numpy as np

from . import _known, _notes
from ._call import Progress, long_call, threads
from ._errors import ArgumentError, missing
from ._library import SPLIT_HONEST, SPLIT_PAPER, call, encode, gnd_compare_opts, lib
from ._model import seed_of
from ._settings import Config
from .convert import convert
from .graph import Graph


class _Comparison:
    def __init__(self) -> None:
        self.handle = ctypes.c_void_p()

    def __del__(self, free: Any = lib.gnd_comparison_free) -> None:
        free(self.handle)


class _Store:
    """Finished training runs in a file; none without a path."""

    def __init__(self, path: Union[None, str, os.PathLike[str]]) -> None:
        self.handle = ctypes.c_void_p()
        if path is not None:
            call(lib.gnd_store_open, ctypes.byref(self.handle), encode(path))

    def __del__(self, close: Any = lib.gnd_store_close) -> None:
        if self.handle:
            close(self.handle)


def _rows(methods: Union[Iterable[Any], Mapping[str, Any]]) -> tuple[list[str], list[Config]]:
    """Names of rows and their configs: methods, estimators, or {name: either}."""
    if isinstance(methods, str):
        methods = [methods]
    pairs = list(methods.items()) if isinstance(methods, Mapping) else [(None, m) for m in methods]
    names, configs = [], []
    for name, m in pairs:
        if isinstance(m, str):
            names.append(name or m)
            configs.append(Config(m))
        elif hasattr(m, "get_params"):
            names.append(name or repr(m))
            configs.append(Config(m.method, m._set_settings(), m.preset))
        else:
            raise ArgumentError(f"methods: a {type(m).__name__}; names of methods or gnd.NodeClassifier were expected")
    if not configs:
        raise ArgumentError("methods: there is none")
    return names, configs


def _labelled(graph: Any, y: Any, features: Any, mode: str, progress: Progress) -> Graph:
    converted = convert(graph, y, features=features)
    g = converted.graph._converted(mode, progress)
    if y is not None or len(g.class_names) == 0:
        if converted.y is None:
            raise ArgumentError("compare needs the true labels: give y")
        known = converted.y
        if mode == "std" and not isinstance(known, _known.Known):
            raise ArgumentError("graph='std' drops vertices; give labels with a gnd.Graph, or use 'und'")
        g._set_known(known if isinstance(known, _known.Known) else _known.encode(known, g.n_nodes, g._position))
    return g


def compare(graph: Any, y: Any = None, /, *, methods: Any = ("auto", "gnd-slp", "gcn", "appnp", "ls", "lr"),
            labels_per_class: Union[int, Iterable[int]] = 5, splits: int = 10, validation: int = 0,
            features: Any = None, graph_mode: str = "und", random_state: Any = None, n_jobs: Optional[int] = None,
            store: Union[None, str, os.PathLike[str]] = None, runs: bool = False, frame: str = "pandas",
            progress: Progress = None) -> Any:
    """Train methods on the same random splits and compare their test accuracies.

    graph, y: as in gnd.label, but y holds all labels that are known. Each split draws labels_per_class training labels
    per class; the test vertices are the other labelled vertices.
    methods: names of methods, gnd.NodeClassifier objects with settings, or a dict {name of the row: either}.
    validation: vertices for stopping rules; 0 is the honest case, where the training labels are all labels there are.
    store: a file (SQLite) in which finished training runs are kept, so that they are not trained again.
    runs: a row for each training run instead of a row for each method and label count.
    frame: "pandas", "polars", "pyarrow", or "records" for a list of dicts.

    >>> rows = gnd.compare(gnd.load("karate"), methods=["auto", "ls"], labels_per_class=2, splits=3, frame="records")
    >>> [r["method"] for r in rows]
    ['auto', 'ls']
    """
    _frame_of([], frame)  # refuse a table library that is not there before anything is trained
    names, configs = _rows(methods)
    counts = [labels_per_class] if isinstance(labels_per_class, (int, np.integer)) else list(labels_per_class)
    if not counts or any(int(c) != c or c < 1 for c in counts):
        raise ArgumentError(f"labels_per_class={labels_per_class}: numbers from 1 were expected")
    g = _labelled(graph, y, features, graph_mode, progress)
    _notes.announce(g.notes)
    o = gnd_compare_opts(
        configs=(ctypes.c_void_p * len(configs))(*[c.handle.value for c in configs]), n_config=len(configs),
        per_class=(ctypes.c_int32 * len(counts))(*[int(c) for c in counts]), n_per_class=len(counts),
        n_split=int(splits), kind=SPLIT_PAPER if validation else SPLIT_HONEST, n_val=int(validation),
        seed=seed_of(random_state), threads=threads(n_jobs))
    kept, out = _Store(store), _Comparison()
    o.store = kept.handle
    long_call(lib.gnd_compare, ctypes.byref(out.handle), g._handle, ctypes.byref(o),
              keep=(out, g, configs, kept), options=o, progress=progress)
    return _frame_of(_run_rows(out, names) if runs else _cell_rows(out, names), frame)


def _cell_rows(c: _Comparison, names: list[str]) -> list[dict[str, Any]]:
    rows = []
    for i in range(lib.gnd_comparison_n_cell(c.handle)):
        cell = lib.gnd_comparison_cell(c.handle, i).contents
        rows.append({"method": names[cell.config], "labels_per_class": cell.per_class, "runs": cell.n,
                     "accuracy": cell.mean / 100, "std": cell.std / 100, "low": cell.low / 100,
                     "high": cell.high / 100, "macro_f1": cell.mean_f1 / 100,
                     "calibration_error": cell.mean_ece / 100, "accuracy_top_half": cell.mean_half / 100,
                     "epochs": cell.mean_epochs, "seconds": cell.mean_seconds})
    return rows


def _run_rows(c: _Comparison, names: list[str]) -> list[dict[str, Any]]:
    rows = []
    for i in range(lib.gnd_comparison_n_run(c.handle)):
        run = lib.gnd_comparison_run(c.handle, i).contents
        ok = run.status == 0 and bool(run.result)
        r = run.result.contents if ok else None
        rows.append({"method": names[run.config], "labels_per_class": run.per_class, "split": run.split_seed,
                     "seed": run.seed, "diverged": not ok, "accuracy": r.acc_test if r else float("nan"),
                     "macro_f1": r.f1_test if r else float("nan"), "epochs": r.epochs if r else 0,
                     "seconds": run.seconds, "stored": run.stored})
    return rows


def _frame_of(rows: list[dict[str, Any]], frame: str) -> Any:
    if frame == "records":
        return rows
    columns = {name: [row[name] for row in rows] for name in rows[0]} if rows else {}
    try:
        if frame == "pandas":
            import pandas

            return pandas.DataFrame(columns)
        if frame == "polars":
            import polars

            return polars.DataFrame(columns)
        if frame == "pyarrow":
            import pyarrow

            return pyarrow.table(columns)
    except ImportError:
        raise missing(frame, f"frame={frame!r}") from None
    raise ArgumentError(f"frame={frame!r}: pandas, polars, pyarrow or records was expected")

