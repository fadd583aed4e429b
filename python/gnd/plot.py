# SPDX-License-Identifier: MIT
"""Figures by matplotlib, which is optional. Each function draws into `ax` or a new figure and returns the axes."""
from __future__ import annotations

from typing import Any

import numpy as np

from . import _known
from ._errors import ArgumentError, missing


def _axes(ax: Any) -> Any:
    if ax is not None:
        return ax
    try:
        import matplotlib.pyplot as plt
    except ImportError:
        raise missing("matplotlib", "a figure") from None
    return plt.subplots(figsize=(5, 3.5), layout="constrained")[1]


def plot_history(model: Any, ax: Any = None, *, what: str = "loss") -> Any:
    """Loss or accuracy of each epoch of a fitted NodeClassifier; what: "loss" or "acc"."""
    if what not in ("loss", "acc"):
        raise ArgumentError(f"what={what!r}: 'loss' or 'acc' was expected")
    history = model.history_
    if not len(history["loss_train"]):
        raise ArgumentError(f"{model!r} has no epochs to draw: the method has none, or the model is from a file")
    ax = _axes(ax)
    for part, name in (("train", "training"), ("val", "validation")):
        values = history[f"{what}_{part}"]
        if len(values) and not np.isnan(values).all():
            ax.plot(np.arange(1, len(values) + 1), values, label=name)
    ax.set(xlabel="epoch", ylabel="loss" if what == "loss" else "accuracy")
    ax.legend(frameon=False)
    return ax


def plot_hop_weights(model: Any, ax: Any = None) -> Any:
    """How much each hop counts; with weights for each vertex, their mean and the middle half."""
    weights, first = model._hop_weights()
    ax = _axes(ax)
    if weights.ndim == 1:
        ax.bar(np.arange(first, first + len(weights)), weights)
    else:
        hops = np.arange(first, first + weights.shape[1])
        low, high = np.quantile(weights, [0.25, 0.75], axis=0)
        ax.fill_between(hops, low, high, alpha=0.3, linewidth=0)
        ax.plot(hops, weights.mean(axis=0))
    ax.axhline(0, color="black", linewidth=0.5)
    ax.set(xlabel="hop", ylabel="weight")
    return ax


def plot_reliability(model: Any, y: Any, ax: Any = None, *, bins: int = 10) -> Any:
    """Accuracy against confidence on the vertices that have a label in y and were not trained on."""
    g = model._fit_graph("plot_reliability")
    truth = _known.encode_any(y, g.n_nodes, g._position)
    rows = (truth.codes >= 0) & (g._codes() < 0)
    if not rows.any():
        raise ArgumentError("y has no label of a vertex that was not trained on")
    proba = model.predict_proba()[rows]
    confidence, given = proba.max(axis=1), model.classes_[proba.argmax(axis=1)].tolist()
    right = np.array([a == b for a, b in zip(given, truth.classes[truth.codes[rows]].tolist())])
    at = np.minimum((confidence * bins).astype(int), bins - 1)
    n = np.bincount(at, minlength=bins)
    used = n > 0
    x = np.bincount(at, weights=confidence, minlength=bins)[used] / n[used]
    height = np.bincount(at, weights=right, minlength=bins)[used] / n[used]
    ax = _axes(ax)
    ax.plot([0, 1], [0, 1], color="grey", linewidth=0.8)
    ax.scatter(x, height, s=300 * n[used] / n.sum() + 8)
    ax.set(xlabel="confidence", ylabel="accuracy", xlim=(0, 1), ylim=(0, 1))
    return ax


def plot_comparison(table: Any, ax: Any = None) -> Any:
    """Accuracy of each method of a result of gnd.compare, with 95 % intervals; a line if label counts vary."""
    records = table if isinstance(table, list) else _records(table)
    if not records or "accuracy" not in records[0] or "low" not in records[0]:
        raise ArgumentError("a result of gnd.compare with a row for each method and label count was expected")
    ax = _axes(ax)
    methods = list(dict.fromkeys(r["method"] for r in records))
    counts = sorted({r["labels_per_class"] for r in records})
    for k, m in enumerate(methods):
        mine = sorted((r for r in records if r["method"] == m), key=lambda r: r["labels_per_class"])
        mean = np.array([r["accuracy"] for r in mine])
        bars = np.nan_to_num(np.array([[r["accuracy"] - r["low"], r["high"] - r["accuracy"]] for r in mine]).T)
        if len(counts) > 1:
            ax.errorbar([r["labels_per_class"] for r in mine], mean, bars, label=m, capsize=2)
        else:
            ax.errorbar([k], mean, bars, fmt="o", capsize=3)
    if len(counts) > 1:
        ax.set(xlabel="labels per class", ylabel="accuracy")
        ax.legend(frameon=False)
    else:
        ax.set_xticks(range(len(methods)), methods, rotation=30, ha="right")
        ax.set(ylabel="accuracy")
    return ax


def _records(table: Any) -> list[dict[str, Any]]:
    if hasattr(table, "to_pylist"):
        return list(table.to_pylist())
    if hasattr(table, "to_dicts"):
        return list(table.to_dicts())
    return list(table.to_dict("records"))
