# SPDX-License-Identifier: MIT
"""Label a whole graph from a handful of labels, on a CPU.

>>> g = gnd.load("karate")
>>> labels = gnd.label(g, {"1": "Hi", "34": "Officer"})
>>> labels[:2].tolist()
['Hi', 'Hi']

gnd.NodeClassifier is the estimator, gnd.label one call for graphs of any kind, gnd.suggest says which vertices to
label, gnd.compare compares methods, gnd.methods lists them. docs/python.md explains the package.
"""
from ._errors import (ArgumentError, DivergedError, Error, FileError, FormatError, GraphWarning, MissingPackageError,
                      NotFittedError, ShapeError, StoppedError)
from ._library import __version__
from ._notes import Note
from ._settings import Method, Setting, methods
from .comparison import compare
from .estimator import NodeClassifier
from .graph import Graph, convert_dataset, load
from .labelling import label, suggest
from .plot import plot_comparison, plot_history, plot_hop_weights, plot_reliability
from .suggestion import Suggestion

__all__ = [
    "ArgumentError", "DivergedError", "Error", "FileError", "FormatError", "Graph", "GraphWarning", "Method",
    "MissingPackageError", "NodeClassifier", "Note", "NotFittedError", "Setting", "ShapeError", "StoppedError",
    "Suggestion", "__version__", "compare", "convert_dataset", "label", "load", "methods", "plot_comparison",
    "plot_history", "plot_hop_weights", "plot_reliability", "suggest",
]
