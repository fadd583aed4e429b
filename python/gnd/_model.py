# SPDX-License-Identifier: MIT
"""Models and predictions of the library."""
from __future__ import annotations

import ctypes
import os
from typing import Any, Mapping, Optional, Union

import numpy as np

from . import _notes
from ._arrays import Array
from ._call import Progress, long_call, threads
from ._errors import ArgumentError
from ._library import (HISTORY, MODES, SPLIT_ALL, call, encode, gnd_prediction_columns, gnd_result, gnd_split_lists,
                       gnd_split_opts, gnd_train_opts, lib, text)
from ._settings import Config, values
from .graph import Graph, borrowed


def seed_of(random_state: Any) -> int:
    """An integer; a generator of NumPy gives one. None is 1, the seed of the command `gnd`."""
    if random_state is None:
        return 1
    if hasattr(random_state, "randint"):
        return int(random_state.randint(0, 2**31 - 1))
    if hasattr(random_state, "integers"):
        return int(random_state.integers(0, 2**31 - 1))
    if isinstance(random_state, (int, np.integer)) and 0 <= random_state < 2**64:
        return int(random_state)
    raise ArgumentError(f"random_state={random_state!r}: an integer from 0, a NumPy generator or None was expected")


class Options:
    """gnd_train_opts and what they point to."""

    def __init__(self, n_jobs: Optional[int] = None, seed: int = 1, memory: Optional[int] = None,
                 prior: Optional[Array] = None) -> None:
        self.prior = prior
        self.struct = gnd_train_opts(seed=seed, threads=threads(n_jobs), memory=memory or 0, skip_figures=False)
        if prior is not None:
            self.struct.prior = prior.ctypes.data_as(ctypes.POINTER(ctypes.c_double))


def prior_of(prior: Optional[Mapping[Any, float]], classes: Array) -> Optional[Array]:
    """Known shares {class: share} in the order of the classes. One class may be left out: it gets the rest."""
    if prior is None:
        return None
    known, out = classes.tolist(), np.full(len(classes), np.nan)
    if not isinstance(prior, Mapping):
        if len(prior) != len(known):
            raise ArgumentError(f"prior has {len(prior)} shares, but there are {len(known)} classes")
        return np.ascontiguousarray(prior, dtype=np.float64)
    for cls, share in prior.items():
        if cls not in known:
            raise ArgumentError(f"prior: {cls!r} is not a class; the classes are {', '.join(map(repr, known))}")
        out[known.index(cls)] = share
    absent = np.isnan(out)
    if absent.sum() > 1:
        raise ArgumentError(f"prior: no share for {known[int(np.flatnonzero(absent)[0])]!r} and "
                            f"{known[int(np.flatnonzero(absent)[1])]!r}; at most one class may be left out")
    out[absent] = 1 - out[~absent].sum()
    return out


class Prediction:
    """Classes and probabilities of the vertices of a graph."""

    def __init__(self) -> None:
        self.handle = ctypes.c_void_p()

    def __del__(self, free: Any = lib.gnd_prediction_free) -> None:
        free(self.handle)

    def codes(self) -> Array:
        return borrowed(self, lib.gnd_prediction_labels(self.handle), lib.gnd_prediction_n(self.handle), "<i4")

    def probabilities(self) -> Array:
        """[n, n_class]."""
        n_class = ctypes.c_int32()
        address = lib.gnd_prediction_probs(self.handle, ctypes.byref(n_class))
        n = lib.gnd_prediction_n(self.handle)
        return borrowed(self, address, n * n_class.value, "<f4").reshape(n, n_class.value)

    def notes(self) -> list[_notes.Note]:
        return _notes.read(lib.gnd_prediction_n_note, lib.gnd_prediction_note, self.handle)

    def calibrated(self) -> bool:
        return bool(lib.gnd_prediction_calibrated(self.handle))

    def keep_known(self, model: Model, graph: Graph) -> None:
        """Vertices that have a label in the graph get it, with probability 1."""
        call(lib.gnd_prediction_clamp, self.handle, model.handle, graph._handle)

    def abstain(self, risk: float, checked: bool) -> int:
        """Make uncertain vertices unknown; how many."""
        n = ctypes.c_int64()
        function = lib.gnd_prediction_abstain if checked else lib.gnd_prediction_abstain_unchecked
        call(function, self.handle, risk, ctypes.byref(n))
        return n.value

    def save(self, path: Union[str, os.PathLike[str]], model: Model, graph: Graph, probabilities: bool) -> None:
        columns = gnd_prediction_columns(probabilities=probabilities)
        call(lib.gnd_prediction_save_columns, self.handle, graph._handle, model.handle, encode(path),
             ctypes.byref(columns))


class _HopWeights:
    def __init__(self) -> None:
        self.handle = ctypes.c_void_p()

    def __del__(self, free: Any = lib.gnd_hop_weights_free) -> None:
        free(self.handle)


class Model:
    """A trained model."""

    def __init__(self) -> None:
        self.handle = ctypes.c_void_p()

    def __del__(self, free: Any = lib.gnd_model_free) -> None:
        free(self.handle)

    @classmethod
    def load(cls, path: Union[str, os.PathLike[str]]) -> Model:
        out = cls()
        call(lib.gnd_model_load, ctypes.byref(out.handle), encode(path))
        return out

    def save(self, path: Union[str, os.PathLike[str]]) -> None:
        call(lib.gnd_model_save, self.handle, encode(path))

    @property
    def method(self) -> str:
        return text(lib.gnd_config_method(lib.gnd_model_config(self.handle)))

    @property
    def mode(self) -> str:
        return MODES[lib.gnd_model_graph_mode(self.handle)]

    def settings(self) -> dict[str, str]:
        return values(lib.gnd_model_config(self.handle))

    def class_names(self) -> list[str]:
        return [text(lib.gnd_model_class_name(self.handle, c)) for c in range(lib.gnd_model_n_class(self.handle))]

    def tensors(self) -> dict[str, Array]:
        """The parameters by name."""
        out = {}
        name, rows, cols = ctypes.c_char_p(), ctypes.c_int64(), ctypes.c_int64()
        for i in range(lib.gnd_model_n_tensor(self.handle)):
            address = lib.gnd_model_tensor(self.handle, i, ctypes.byref(name), ctypes.byref(rows), ctypes.byref(cols))
            flat = borrowed(self, address, rows.value * cols.value, "<f4")
            out[text(name.value)] = flat.reshape(rows.value, cols.value)
        return out

    def history(self) -> dict[str, Array]:
        """A column with a value for each epoch."""
        out, n = {}, ctypes.c_int64()
        for i, name in enumerate(HISTORY):
            address = lib.gnd_model_history(self.handle, i, ctypes.byref(n))
            out[name] = borrowed(self, address, n.value, "<f8")
        return out

    def predict(self, graph: Graph, options: Options, progress: Progress) -> Prediction:
        out = Prediction()
        long_call(lib.gnd_predict, ctypes.byref(out.handle), self.handle, graph._handle, ctypes.byref(options.struct),
                  keep=(out, self, graph, options), options=options.struct, progress=progress)
        return out

    def has_hop_weights(self) -> bool:
        return bool(lib.gnd_config_has_hop_weights(lib.gnd_model_config(self.handle)))

    def hop_weights(self, graph: Graph, options: Options, progress: Progress) -> tuple[Array, int]:
        """[n, n_hop], or [1, n_hop] if all vertices share them; and the power of the first hop."""
        out = _HopWeights()
        long_call(lib.gnd_model_hop_weights, ctypes.byref(out.handle), self.handle, graph._handle,
                  ctypes.byref(options.struct), keep=(out, self, graph, options), options=options.struct,
                  progress=progress)
        rows = 1 if lib.gnd_hop_weights_shared(out.handle) else lib.gnd_hop_weights_n(out.handle)
        n_hop = lib.gnd_hop_weights_n_hop(out.handle)
        flat = borrowed(out, lib.gnd_hop_weights_all(out.handle), rows * n_hop, "<f4")
        return flat.reshape(rows, n_hop), lib.gnd_hop_weights_first(out.handle)


class Split:
    """Which vertices train; validation: vertices that are held out for the stopping rule, or None."""

    def __init__(self, graph: Graph, validation: Optional[Array]) -> None:
        self.handle = ctypes.c_void_p()
        if validation is None:
            o = gnd_split_opts(kind=SPLIT_ALL)
            call(lib.gnd_split_new, ctypes.byref(self.handle), graph._handle, ctypes.byref(o))
            return
        labelled = graph._codes() >= 0
        train = np.flatnonzero(labelled & ~validation).astype(np.int32)
        held = np.flatnonzero(labelled & validation).astype(np.int32)
        lists = gnd_split_lists(train=train.ctypes.data, n_train=len(train), val=held.ctypes.data, n_val=len(held))
        call(lib.gnd_split_from_lists, ctypes.byref(self.handle), graph._handle, ctypes.byref(lists))

    def __del__(self, free: Any = lib.gnd_split_free) -> None:
        free(self.handle)


def fit(graph: Graph, config: Config, options: Options, validation: Optional[Array],
        progress: Progress) -> tuple[Model, Prediction, gnd_result]:
    """Train on the labelled vertices and predict all of them."""
    split, result, prediction, model = Split(graph, validation), gnd_result(), Prediction(), Model()
    long_call(lib.gnd_label, ctypes.byref(prediction.handle), ctypes.byref(model.handle), ctypes.byref(result),
              graph._handle, split.handle, config.handle, ctypes.byref(options.struct),
              keep=(graph, split, config, options, model, prediction), options=options.struct, progress=progress)
    return model, prediction, result
