# SPDX-License-Identifier: MIT
"""scikit-learn's own checks of estimators, and its tools: clone, pipelines of metrics, grid search."""
import numpy as np
import pytest
from conftest import few

import gnd

checks = pytest.importorskip("sklearn.utils.estimator_checks")

# Checks that contradict a transductive method, whose X is the links of the whole graph. Every other check passes.
NOT_FOR_GRAPHS = {
    "check_do_not_raise_errors_in_init_or_set_params": "an unknown setting is refused at once, as any wrong keyword is",
    "check_n_features_in_after_fitting": "predict accepts a graph with more vertices than that of fit",
    "check_estimators_nan_inf": "its X is not square",
    "check_classifiers_classes": "it uses -1 as a class; here -1 means no label",
    "check_methods_sample_order_invariance": "it permutes rows of X but not columns: that is another graph",
    "check_methods_subset_invariance": "predict on some rows of X: a part of a graph is another graph",
    "check_fit2d_1feature": "its y has one class",
    "check_fit_idempotent": "predict on a rectangle of rows that were not in fit",
}


@checks.parametrize_with_checks([gnd.NodeClassifier()],
                                expected_failed_checks=lambda estimator: NOT_FOR_GRAPHS)
@pytest.mark.filterwarnings("ignore")
def test_check(estimator, check):
    check(estimator)


def test_few_checks_are_left_out():
    assert len(NOT_FOR_GRAPHS) == 8


def test_clone():
    from sklearn.base import clone, is_classifier

    model = gnd.NodeClassifier("gcn", hidden=8, random_state=3, prior={"a": 0.5})
    copy = clone(model)
    assert copy is not model and copy.get_params() == model.get_params() and not hasattr(copy, "labels_")
    assert is_classifier(model)


def test_metrics(two_blocks):
    from sklearn.metrics import accuracy_score, classification_report, log_loss

    a, group, _ = two_blocks
    model = gnd.NodeClassifier().fit(a, few(group, 3))
    assert accuracy_score(group, model.predict()) > 0.9
    assert log_loss(group, model.predict_proba()) < 0.7
    assert "accuracy" in classification_report(group, model.predict())


def test_not_fitted_error():
    from sklearn.exceptions import NotFittedError
    from sklearn.utils.validation import check_is_fitted

    with pytest.raises(NotFittedError):
        gnd.NodeClassifier().predict()
    with pytest.raises(NotFittedError):
        check_is_fitted(gnd.NodeClassifier())


def test_grid(two_blocks):
    """ParameterGrid and set_params, as a search over settings uses them."""
    from sklearn.base import clone
    from sklearn.model_selection import ParameterGrid

    a, group, _ = two_blocks
    scores = [clone(gnd.NodeClassifier("ls")).set_params(**p).fit(a, few(group, 3)).score(None, group)
              for p in ParameterGrid({"alpha": [0.1, 0.9]})]
    assert len(scores) == 2 and min(scores) > 0.5 and not np.isnan(scores).any()
