# SPDX-License-Identifier: MIT
"""NodeClassifier: the estimator, with the interface of scikit-learn, which need not be installed."""
from __future__ import annotations

import os
from typing import Any, Mapping, Optional, Sequence, Union

import numpy as np

from . import _file, _known, _model, _notes, _repr, _settings, _tags
from ._arrays import Array
from ._call import Progress
from ._errors import ArgumentError, NotFittedError, ShapeError
from .convert import to_graph
from .graph import Graph
from .suggestion import Suggestion, suggest_of

_OWN = ("method", "graph", "preset", "prior", "abstain", "abstain_checked", "random_state", "n_jobs", "memory", "copy",
        "progress")


@_settings.documented
class NodeClassifier(_repr.Shown, _tags.Tagged):
    """Label all vertices of a graph from a few labels.

    The estimator is transductive: fit gets the whole graph, with labels of some vertices, and labels all others.

    Parameters
    ----------
    method : name of a method; gnd.methods() lists them. "auto" needs no settings.
    graph : "und" reads links in both directions and drops self-loops; "raw" reads them as given.
    preset : name of a preset of the method's settings.
    prior : {class: share}, known shares of the classes in the whole graph (method auto).
    abstain : share of wrong labels that is allowed among those given, such as 0.1; uncertain vertices get none.
    abstain_checked : True uses held-out labels to keep to `abstain`, False the probabilities alone.
    random_state : an integer, a NumPy generator, or None for 1. The same seed gives the same bits.
    n_jobs : threads; None or -1: all CPUs. Results do not depend on it.
    memory : bytes that may be used to be faster; None: 512 MB.
    copy : True copies float32 and int32 arrays, which are otherwise used in place and must not change.
    progress : None shows a bar in terminals and notebooks if tqdm is installed; True, False; or a function that is
        called with the stage and the share done, and stops the call by an exception.
    **settings : settings of the method, listed below.

    Attributes
    ----------
    labels_ : the class of each vertex; unknown vertices are -1, NaN or None, by the type of the classes.
    classes_ : the classes, in the order of the columns of predict_proba().
    notes_ : what was found in the graph and the labels; warnings are also issued as Python warnings.
    history_ : {"loss_train", "acc_train", "loss_val", "acc_val"}: arrays with a value for each epoch.
    hop_weights_ : how much each hop counts, for methods that weigh hops.
    calibrated_ : do held-out labels show that the probabilities are right?
    ids_ : the ids of the vertices.
    result_ : epochs, losses and accuracies of the training run.

    Examples
    --------
    >>> g = gnd.load("karate")
    >>> model = gnd.NodeClassifier().fit(g, {"1": "Hi", "34": "Officer"})
    >>> model.labels_[:3].tolist()
    ['Hi', 'Hi', 'Hi']

    Settings of the methods, with defaults and ranges
    -------------------------------------------------
{settings}
    """

    _estimator_type = "classifier"

    def __init__(self, method: str = "auto", *, graph: str = "und", preset: Optional[str] = None,
                 prior: Optional[Mapping[Any, float]] = None, abstain: Optional[float] = None,
                 abstain_checked: bool = True, random_state: Any = None, n_jobs: Optional[int] = None,
                 memory: Optional[int] = None, copy: bool = False, progress: Progress = None, **settings: Any) -> None:
        _settings.check_names(method, settings)
        self.method = method
        self.graph = graph
        self.preset = preset
        self.prior = prior
        self.abstain = abstain
        self.abstain_checked = abstain_checked
        self.random_state = random_state
        self.n_jobs = n_jobs
        self.memory = memory
        self.copy = copy
        self.progress = progress
        for name, value in settings.items():
            setattr(self, name, value)

    # ---- parameters

    def _set_settings(self) -> dict[str, Any]:
        """The settings of the method that were given."""
        return {k: v for k, v in vars(self).items()
                if k not in _OWN and k[0] != "_" and (k[-1] != "_" or k != _settings.name_in_c(k))}

    def get_params(self, deep: bool = True) -> dict[str, Any]:
        """The parameters of this estimator, also the settings that were given."""
        return {**{name: getattr(self, name) for name in _OWN}, **self._set_settings()}

    def set_params(self, **params: Any) -> NodeClassifier:
        """Change parameters; fit uses them."""
        if not params:
            return self
        method = params.get("method", self.method)
        given = {k: v for k, v in params.items() if k not in _OWN}
        try:
            _settings.check_names(method, given)
        except TypeError as e:
            raise ArgumentError(f"Invalid parameter: {e}") from None
        for name, value in params.items():
            setattr(self, name, value)
        return self

    # ---- fit

    def _options(self, classes: Optional[Array] = None, train: bool = False) -> _model.Options:
        prior = None if classes is None else _model.prior_of(self.prior, classes)
        return _model.Options(self.n_jobs, _model.seed_of(self.random_state) if train else 1, self.memory, prior)

    def _graph(self, adjacency: Any, features: Any, mode: str) -> tuple[Graph, Any]:
        """The graph in a mode, and the labels that the input itself has."""
        raw, own = to_graph(adjacency, features=features, copy=self.copy)
        return raw._converted(mode, self.progress), own

    def fit(self, adjacency: Any, y: Any = None, *, features: Any = None, validation: Any = None) -> NodeClassifier:
        """Train on the labelled vertices and label all vertices.

        adjacency: a square matrix (scipy.sparse or NumPy), a gnd.Graph, a graph of networkx or igraph, or a Data of
            PyTorch Geometric.
        y: an array with a class for each vertex, where -1, None, NaN or "" means no label; or a dict {id: class};
            or None: the labels that the graph itself has.
        features: a matrix with a row for each vertex, sparse or dense.
        validation: a mask of labelled vertices that are not trained on, for the stopping rules of methods with epochs.
        """
        if self.graph not in ("und", "raw"):
            raise ArgumentError(f"graph={self.graph!r}: 'und' or 'raw' was expected")
        config = _settings.Config(self.method, self._set_settings(), self.preset)
        g, own = self._graph(adjacency, features, self.graph)
        if y is None:
            y = own
        if y is None:
            raise ArgumentError("fit requires y to be passed, but the target y is None: give the known labels")
        known = y if isinstance(y, _known.Known) else _known.encode(y, g.n_nodes, g._position)
        g._set_known(known)
        mask = None if validation is None else _mask(validation, g.n_nodes)
        model, prediction, result = _model.fit(g, config, self._options(known.classes, True), mask, self.progress)
        self._keep_fit(g, known, model, prediction)
        self.result_ = {f[0]: getattr(result, f[0]) for f in result._fields_[1:8]}
        _notes.announce(self.notes_)
        return self

    def _keep_fit(self, g: Graph, known: _known.Known, model: _model.Model, prediction: _model.Prediction) -> None:
        prediction.keep_known(model, g)
        own = []
        if self.abstain is not None:
            n = prediction.abstain(self.abstain, self.abstain_checked)
            if n:
                own.append(_notes.Note("abstained", "note", f"{n} vertices are unknown, too uncertain for "
                                                            f"abstain={self.abstain}"))
        self._g, self._m, self._prediction = g, model, prediction
        self.classes_ = known.classes
        self.labels_ = _known.decode(prediction.codes(), known.classes)
        self.n_features_in_ = g.n_nodes
        self.notes_ = g.notes + prediction.notes() + own
        self.calibrated_ = prediction.calibrated()
        self._proba = prediction.probabilities()

    def _codes(self) -> Array:
        """The class number of each vertex; -1: unknown."""
        return self._prediction_of_fit().codes()

    def _defaults(self) -> dict[str, str]:
        return {_settings.python_name(s.name): s.default for s in _settings.methods(self.method).settings}

    def _check_fitted(self) -> None:
        if not hasattr(self, "_m"):
            raise _tags.not_fitted(f"This {type(self).__name__} instance is not fitted yet; call fit first",
                                   NotFittedError)

    def _fit_graph(self, what: str) -> Graph:
        self._check_fitted()
        if self._g is None:
            raise NotFittedError(f"{what} needs the graph of fit, which a file of a model does not contain; call fit, "
                                 "or pass an adjacency matrix")
        return self._g

    # ---- results

    @property
    def ids_(self) -> list[Any]:
        return self._fit_graph("ids_").ids

    @property
    def history_(self) -> dict[str, Array]:
        self._check_fitted()
        return self._m.history()

    @property
    def hop_weights_(self) -> Array:
        """[n_hop] if all vertices share the weights, otherwise [n, n_hop]."""
        return self._hop_weights()[0]

    def _hop_weights(self) -> tuple[Array, int]:
        g = self._fit_graph("hop_weights_")
        if not self._m.has_hop_weights():
            raise AttributeError(f"method {self._m.method} does not weigh hops; gnd-slp, gnd-attn and gprgnn do")
        weights, first = self._m.hop_weights(g, self._options(), self.progress)
        return (weights[0] if len(weights) == 1 else weights), first

    @property
    def parameters_(self) -> dict[str, Array]:
        """The trained parameters by name."""
        self._check_fitted()
        return self._m.tensors()

    def predict(self, adjacency: Any = None, *, features: Any = None) -> Array:
        """The class of each vertex: of the graph of fit, whose known labels are kept, or of another graph.

        The other graph may be larger. Vertices without features are the same in both if they have the same ids;
        without ids, the first vertices of a larger matrix are those of fit.
        """
        self._check_fitted()
        if adjacency is None:
            if features is not None:
                raise ArgumentError("predict: features without an adjacency matrix")
            self._fit_graph("predict()")
            return np.array(self.labels_)
        return _known.decode(self._predict(adjacency, features).codes(), self.classes_)

    def predict_proba(self, adjacency: Any = None, *, features: Any = None) -> Array:
        """Class probabilities, [n, n_class]; the columns are classes_."""
        self._check_fitted()
        if adjacency is None:
            if features is not None:
                raise ArgumentError("predict_proba: features without an adjacency matrix")
            self._fit_graph("predict_proba()")
            return self._proba.copy()
        return self._predict(adjacency, features).probabilities().copy()

    def _predict(self, adjacency: Any, features: Any) -> _model.Prediction:
        g, _ = self._graph(adjacency, features, self._m.mode)
        p = self._m.predict(g, self._options(), self.progress)
        _notes.announce(p.notes(), stacklevel=4)
        return p

    def fit_predict(self, adjacency: Any, y: Any = None, *, features: Any = None, validation: Any = None) -> Array:
        """fit, then predict."""
        return self.fit(adjacency, y, features=features, validation=validation).predict()

    def score(self, adjacency: Any = None, y: Any = None, *, features: Any = None) -> float:
        """Accuracy on the vertices that have a label in y and were not trained on; None: the graph of fit.

        A vertex of unknown class counts as wrong. score(None, y) scores the graph of fit.
        """
        self._check_fitted()
        if y is None:
            raise ArgumentError("score needs y, the true classes")
        labels = self.predict(adjacency, features=features)
        fitted = adjacency is None
        position = self._fit_graph("score")._position if fitted else (lambda key: _number(key, len(labels)))
        truth, classes = _known.encode_any(y, len(labels), position)
        rows = truth >= 0
        if fitted and (rows & (self._g._codes() < 0)).any():
            rows &= self._g._codes() < 0
        if not rows.any():
            return float("nan")
        given, true = labels[rows].tolist(), [classes[c] for c in truth[rows]]
        return float(np.mean([a == b for a, b in zip(given, true)]))

    def suggest(self, n: int = 10) -> list[Suggestion]:
        """Which vertices to label next, the most useful first."""
        g = self._fit_graph("suggest")
        found, notes = suggest_of(g, n, self.n_jobs, self.progress, self.classes_.tolist())
        _notes.announce([x for x in notes if x not in self.notes_])
        return found

    # ---- files

    def save(self, path: Union[str, os.PathLike[str]]) -> None:
        """Write the model as a safetensors file, which cannot contain code. gnd.NodeClassifier.load reads it, and so
        does the command `gnd predict`."""
        self._check_fitted()
        _file.save(self, path)

    @classmethod
    def load(cls, path: Union[str, os.PathLike[str]]) -> NodeClassifier:
        """Read a model that save, or the command `gnd`, has written. It predicts on the graphs it is given."""
        out: NodeClassifier = _file.load(cls, path)
        return out

    def write(self, path: Union[str, os.PathLike[str]], *, probabilities: bool = False) -> None:
        """Write the labels of the graph of fit as CSV: id, label, probability; probabilities: of each class too."""
        self._prediction_of_fit().save(path, self._m, self._fit_graph("write"), probabilities)

    def _prediction_of_fit(self) -> _model.Prediction:
        self._fit_graph("write")
        if self._prediction is None:
            raise NotFittedError("write needs the result of fit; call fit")
        return self._prediction

    def __getstate__(self) -> dict[str, Any]:
        return _file.state_of(self)

    def __setstate__(self, state: dict[str, Any]) -> None:
        _file.state_set(self, state)


def _number(key: Any, n: int) -> Optional[int]:
    return int(key) if isinstance(key, (int, np.integer)) and 0 <= key < n else None


def _mask(validation: Any, n: int) -> Array:
    mask = np.asarray(validation)
    if mask.dtype != bool and mask.ndim == 1 and mask.dtype.kind in "iu":
        chosen: Sequence[int] = mask.tolist()
        if any(not 0 <= i < n for i in chosen):
            raise ArgumentError(f"validation: a vertex number is not from 0 to {n - 1}")
        mask = np.zeros(n, dtype=bool)
        mask[chosen] = True
    if mask.dtype != bool or mask.shape != (n,):
        raise ShapeError(f"validation: shape {mask.shape}, type {mask.dtype}; a mask of {n} values True and False, or "
                         "vertex numbers, was expected")
    return mask
