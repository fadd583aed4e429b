# SPDX-License-Identifier: MIT
"""The same results as other libraries: scikit-network, scikit-learn."""
import numpy as np
import pytest
from conftest import few

import gnd

linear_model = pytest.importorskip("sklearn.linear_model")


def connected(two_blocks):
    a, group, _ = two_blocks
    assert (a.sum(axis=1) > 0).all()
    return a, few(group, 3)


def unclamped(model, a):
    """Probabilities of the model itself; those of fit keep known labels."""
    return model.predict_proba(a)


def test_label_spreading_is_pagerank_of_scikit_network(two_blocks):
    """F = (1 - a) (I - a S)^-1 Y is D^-1/2 times a PageRank per class with D^1/2 Y as restart."""
    ranking = pytest.importorskip("sknetwork.ranking")
    import scipy.sparse as sp

    a, y = connected(two_blocks)
    adjacency, degree, alpha = sp.csr_matrix(a.astype(float)), a.sum(axis=1).astype(float), 0.9
    scores = np.zeros((60, 2))
    for c in range(2):
        restart = np.sqrt(degree) * (y == c)
        rank = ranking.PageRank(alpha, solver="bicgstab", n_iter=1000, tol=1e-12)
        scores[:, c] = rank.fit_predict(adjacency, weights=restart) * restart.sum() / np.sqrt(degree)
    expected = scores / scores.sum(axis=1, keepdims=True)
    model = gnd.NodeClassifier("ls", alpha=alpha).fit(a, y)
    ours = unclamped(model, a)
    np.testing.assert_array_equal(ours.argmax(axis=1), expected.argmax(axis=1))
    np.testing.assert_allclose(ours, expected, atol=2e-4)


def test_pagerank_diffusion_of_scikit_network():
    """Method auto with the predictor pagerank alone: its scores are a PageRank per class that restarts at the labels
    of the class. Calibration raises all of them to one power, so log-odds are those of scikit-network times a factor.
    gnd makes 20 steps, which leaves 0.85^20 of the sum."""
    ranking = pytest.importorskip("sknetwork.ranking")
    import scipy.sparse as sp

    rng = np.random.default_rng(1)
    group = np.repeat(np.arange(3), 40)
    p = np.where(group[:, None] == group[None, :], 0.15, 0.05)
    upper = np.triu(rng.random((120, 120)) < p, 1)
    a, y = (upper | upper.T).astype(np.float32), few(group, 3)
    theirs = np.zeros((120, 3))
    for c in range(3):
        rank = ranking.PageRank(0.85, solver="bicgstab", n_iter=1000, tol=1e-12)
        theirs[:, c] = rank.fit_predict(sp.csr_matrix(a.astype(float)), weights=(y == c).astype(float))
    ours = gnd.NodeClassifier("auto", predictors="pagerank").fit(a, y).predict_proba()
    unknown = y < 0
    np.testing.assert_array_equal(ours[unknown].argmax(axis=1), theirs[unknown].argmax(axis=1))

    def odds(x):
        z = np.log(x[unknown])
        return z - z.mean(axis=1, keepdims=True)

    factor = (odds(ours) * odds(theirs)).sum() / (odds(theirs) ** 2).sum()
    assert factor > 0.1
    np.testing.assert_allclose(odds(ours), factor * odds(theirs), atol=0.01)


def test_label_spreading_of_scikit_learn(two_blocks):
    """scikit-learn's LabelSpreading on the same matrix: its kernel is a function that returns the links."""
    semi = pytest.importorskip("sklearn.semi_supervised")
    a, y = connected(two_blocks)
    index = np.arange(60)[:, None]

    def kernel(rows, columns):
        return a[np.ix_(rows[:, 0].astype(int), columns[:, 0].astype(int))].astype(float)

    theirs = semi.LabelSpreading(kernel=kernel, alpha=0.9, max_iter=10000, tol=1e-12).fit(index, y)
    ours = unclamped(gnd.NodeClassifier("ls", alpha=0.9).fit(a, y), a)
    np.testing.assert_allclose(ours, theirs.label_distributions_, atol=2e-4)


def test_logistic_regression_of_scikit_learn(two_blocks):
    """The optimum of the same convex objective: mean cross-entropy and an L2 penalty on the weights."""
    a, group, x = two_blocks
    y = few(group, 8)
    l2 = 0.1
    model = gnd.NodeClassifier("lr", l2=l2, lr=0.05, epochs_alone=4000).fit(a, y, features=x)
    w, b = model.parameters_["W"], model.parameters_["b"]
    rows = x / x.sum(axis=1, keepdims=True) if normalises(model, a, x, w, b) else x
    known = y >= 0
    # sum_i loss_i + l2 n / 2 |W|^2 / ...: scikit-learn minimises C sum_i loss_i + |w|^2 / 2. With two classes and a
    # softmax, W = (-w / 2, w / 2), so that l2 / 2 |W|^2 is l2 / 4 |w|^2.
    theirs = linear_model.LogisticRegression(C=2 / (l2 * known.sum()), tol=1e-10, max_iter=10000)
    theirs.fit(rows[known], y[known])
    np.testing.assert_allclose(model.predict_proba(a, features=x), theirs.predict_proba(rows), atol=5e-3)


def normalises(model, a, x, w, b):
    """Does the method divide rows of features by their sums?"""
    def softmax(z):
        e = np.exp(z - z.max(axis=1, keepdims=True))
        return e / e.sum(axis=1, keepdims=True)

    ours = model.predict_proba(a, features=x)
    divided = softmax(x / x.sum(axis=1, keepdims=True) @ w + b)
    return np.abs(divided - ours).max() < np.abs(softmax(x @ w + b) - ours).max()
