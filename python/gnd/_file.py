# SPDX-License-Identifier: MIT
"""Estimators in safetensors files, and as the state that pickle and copy use.

The library writes the file. This module adds what only Python has, the type of the classes and the parameters, as one
more entry of the metadata in the header, gnd_python. Nothing in the file is executed.
"""
from __future__ import annotations

import json
import os
import tempfile
from typing import Any, Union

import numpy as np

from ._errors import ArgumentError, FormatError
from ._model import Model
from ._settings import python_name

KEY = "gnd_python"
MAX_HEADER = 1 << 30
Path = Union[str, os.PathLike[str]]


def _header(f: Any, path: Path) -> dict[str, Any]:
    size = int.from_bytes(f.read(8), "little")
    if size > MAX_HEADER or size > os.fstat(f.fileno()).st_size:
        raise FormatError(f"{os.fspath(path)}: a header of {size} bytes; the file is not a model")
    head: dict[str, Any] = json.loads(f.read(size))
    return head


def _classes_entry(classes: Any) -> dict[str, Any]:
    if classes.dtype.kind in "biufU":
        return {"dtype": classes.dtype.str, "values": classes.tolist()}
    values = classes.tolist()
    if all(type(v) in (str, int, float, bool) for v in values):
        return {"dtype": "object", "values": values}
    odd = next(v for v in values if type(v) not in (str, int, float, bool))
    raise ArgumentError(f"classes of type {type(odd).__name__} cannot be saved; texts, integers, numbers and bools can")


def _param_entry(params: dict[str, Any]) -> dict[str, Any]:
    """The parameters that JSON can hold; the others (generators, functions) are left at their defaults."""
    out = {}
    for name, value in params.items():
        if isinstance(value, np.generic):
            value = value.item()
        if isinstance(value, (list, tuple)):
            value = list(value)
        if value is None or isinstance(value, (str, int, float, bool, list)):
            out[name] = value
    return out


def save(estimator: Any, path: Path) -> None:
    entry = {"classes": _classes_entry(estimator.classes_), "params": _param_entry(estimator.get_params())}
    entry["params"].pop("progress", None)
    target = os.path.realpath(path)
    handle, temporary = tempfile.mkstemp(prefix=".gnd-", suffix=".tmp", dir=os.path.dirname(target) or ".")
    os.close(handle)
    try:
        estimator._m.save(temporary)
        _add_entry(temporary, json.dumps(entry))
        mask = os.umask(0)
        os.umask(mask)
        os.chmod(temporary, os.stat(target).st_mode & 0o777 if os.path.exists(target) else 0o666 & ~mask)
        os.replace(temporary, target)
    except BaseException:
        os.unlink(temporary)
        raise


def _add_entry(path: str, text: str) -> None:
    """Rewrite the header with one more entry of the metadata; the tensors follow as they are."""
    with open(path, "rb") as f:
        head = _header(f, path)
        tensors = f.read()
    head["__metadata__"][KEY] = text
    data = json.dumps(head, separators=(",", ":"), ensure_ascii=False).encode()
    data += b" " * (-len(data) % 8)
    with open(path, "wb") as f:
        f.write(len(data).to_bytes(8, "little") + data + tensors)
        f.flush()
        os.fsync(f.fileno())


def _entry_of(path: Path) -> dict[str, Any]:
    """The entry of this module; empty if the command wrote the file."""
    with open(path, "rb") as f:
        text = _header(f, path).get("__metadata__", {}).get(KEY)
    if text is None:
        return {}
    try:
        entry = json.loads(text)
        if not isinstance(entry["classes"]["values"], list) or not isinstance(entry["params"], dict):
            raise ValueError
    except (ValueError, TypeError, KeyError):
        raise FormatError(f"{os.fspath(path)}: the metadata {KEY} is damaged") from None
    return dict(entry)


def _classes_of(entry: dict[str, Any], names: list[str], path: Path) -> Any:
    if not entry:
        return np.array(names)
    values, dtype = entry["classes"]["values"], entry["classes"].get("dtype")
    if len(values) != len(names):
        raise FormatError(f"{os.fspath(path)}: {len(values)} classes in the metadata {KEY}, {len(names)} in the model")
    try:
        if dtype == "object":
            out = np.empty(len(values), dtype=object)
            out[:] = values
            return out
        kind = np.dtype(dtype)
        if kind.kind not in "biufU":
            raise TypeError
        return np.array(values, dtype=kind)
    except (TypeError, ValueError, OverflowError):
        raise FormatError(f"{os.fspath(path)}: the classes in the metadata {KEY} do not have type {dtype}") from None


def load(cls: Any, path: Path) -> Any:
    model = Model.load(path)  # checks the file
    entry = _entry_of(path)
    estimator = cls(method=model.method)
    settings = {python_name(k): v for k, v in model.settings().items()}
    allowed = set(estimator.get_params()) | set(settings)
    params = {k: v for k, v in entry.get("params", {}).items() if k in allowed}
    params.update(method=model.method, graph=model.mode)
    if not entry:  # a file of the command: its settings, as far as they are not the defaults
        defaults = cls(method=model.method)._defaults()
        params.update({k: v for k, v in settings.items() if v != defaults[k]})
    for name, value in params.items():
        setattr(estimator, name, value)
    _restore(estimator, model, _classes_of(entry, model.class_names(), path))
    return estimator


def _restore(estimator: Any, model: Model, classes: Any) -> None:
    estimator._g, estimator._m, estimator._prediction = None, model, None
    estimator.classes_ = classes
    estimator.notes_ = []


def state_of(estimator: Any) -> dict[str, Any]:
    """Parameters, results and, as the bytes of a safetensors file, the model. The graph is left out."""
    state = {k: v for k, v in vars(estimator).items() if k not in ("_g", "_m", "_prediction")}
    if hasattr(estimator, "_m"):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "model.safetensors")
            estimator._m.save(path)
            with open(path, "rb") as f:
                state["_bytes"] = f.read()
        state["_proba"] = None if estimator._g is None else np.array(estimator._proba)
    return state


def state_set(estimator: Any, state: dict[str, Any]) -> None:
    data = state.pop("_bytes", None)
    vars(estimator).update(state)
    if data is None:
        return
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "model.safetensors")
        with open(path, "wb") as f:
            f.write(data)
        estimator._m = Model.load(path)
    estimator._g, estimator._prediction = None, None
