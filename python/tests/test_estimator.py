# SPDX-License-Identifier: MIT
"""NodeClassifier: labels of all types, parameters, results, score."""
import keyword
import logging
import pickle

import numpy as np
import pytest
import scipy.sparse as sp
from conftest import few

import gnd
from gnd._settings import python_name


@pytest.mark.parametrize("form", ["dense", "list", "csr", "csc", "coo", "csr_array", "bool", "int64 indices"])
def test_every_matrix_gives_the_same(two_blocks, form):
    a, group, _ = two_blocks
    expected = gnd.NodeClassifier().fit(a, few(group, 3))
    matrix = {"dense": lambda: a, "list": lambda: a.tolist(), "csr": lambda: sp.csr_matrix(a),
              "csc": lambda: sp.csc_matrix(a), "coo": lambda: sp.coo_matrix(a), "csr_array": lambda: sp.csr_array(a),
              "bool": lambda: sp.csr_matrix(a.astype(bool)), "int64 indices": lambda: wide(sp.csr_matrix(a))}[form]()
    model = gnd.NodeClassifier().fit(matrix, few(group, 3))
    np.testing.assert_array_equal(model.predict_proba(), expected.predict_proba())
    assert (model.labels_ == group).mean() > 0.9


def wide(m):
    m.indices, m.indptr = m.indices.astype(np.int64), m.indptr.astype(np.int64)
    return m


@pytest.mark.parametrize("dtype", [np.float16, np.float32, np.float64, np.int8, np.int32, np.int64, np.uint16, bool])
def test_types_of_features(two_blocks, dtype):
    a, group, x = two_blocks
    x = (x > 1).astype(dtype)
    model = gnd.NodeClassifier().fit(a, few(group, 3), features=x)
    same = gnd.NodeClassifier().fit(a, few(group, 3), features=sp.csr_matrix(x.astype(np.float32)))
    np.testing.assert_array_equal(model.predict_proba(), same.predict_proba())


def test_strides_of_features(two_blocks):
    a, group, x = two_blocks
    expected = gnd.NodeClassifier().fit(a, few(group, 3), features=x).predict_proba()
    for form in (np.asfortranarray(x), np.repeat(x, 2, axis=1)[:, ::2], x[::-1][::-1]):
        np.testing.assert_array_equal(gnd.NodeClassifier().fit(a, few(group, 3), features=form).predict_proba(),
                                      expected)


@pytest.mark.parametrize("classes, missing", [
    ((0, 1), -1), ((7, -5), -1), (("b", "a"), None), (("b", "a"), ""), (("b", "a"), float("nan")), ((1.0, 2.0), np.nan),
    ((True, False), None), (((1, 2), (0, "x")), None), ((frozenset("a"), frozenset("b")), None), ((1, "1"), None)])
def test_classes_of_every_type(two_blocks, classes, missing):
    a, group, _ = two_blocks
    y = [classes[g] if i % 10 == 0 else missing for i, g in enumerate(group)]
    model = gnd.NodeClassifier().fit(a, y)
    assert set(model.classes_.tolist()) == set(classes)
    right = [got == classes[g] for got, g in zip(model.predict().tolist(), group)]
    assert np.mean(right) > 0.9
    assert type(model.predict().tolist()[0]) is type(classes[0])
    order = model.classes_.tolist()
    assert order[int(model.predict_proba()[0].argmax())] == model.predict().tolist()[0]


def test_dict(two_blocks):
    a, group, _ = two_blocks
    model = gnd.NodeClassifier().fit(a, {0: "x", 59: "y", np.int64(1): "x"})
    assert model.labels_[0] == "x" and model.labels_[59] == "y"
    with pytest.raises(ValueError, match="60 is not a vertex"):
        gnd.NodeClassifier().fit(a, {0: "x", 60: "y"})
    with pytest.raises(ValueError, match="'zero' is not a vertex"):
        gnd.NodeClassifier().fit(a, {"zero": "x", 1: "y"})


def test_unknown_vertices():
    a = np.zeros((5, 5))
    a[0, 1] = a[1, 0] = a[2, 3] = a[3, 2] = 1
    assert gnd.NodeClassifier().fit(a, [3, -1, 4, -1, -1]).labels_.tolist() == [3, 3, 4, 4, -1]
    assert gnd.NodeClassifier().fit(a, ["p", None, "q", None, None]).labels_.tolist() == ["p", "p", "q", "q", None]
    labels = gnd.NodeClassifier().fit(a, [3.0, np.nan, 4.0, np.nan, np.nan]).labels_
    assert labels[:4].tolist() == [3, 3, 4, 4] and np.isnan(labels[4])


@pytest.mark.parametrize("y, message", [
    ([0] * 59, "59 values, but the graph has 60 vertices"), ([-1] * 60, "no label"), ([0] + [-1] * 59, "one class"),
    ([0.5, 1.5] * 30, "continuous"), ([np.inf, 0.0] * 30, "infinity"), (np.zeros((60, 2)), "2 dimensions"),
    (None, "requires y")])
def test_wrong_labels(two_blocks, y, message):
    with pytest.raises(ValueError, match=message):
        gnd.NodeClassifier().fit(two_blocks[0], y)


@pytest.mark.parametrize("matrix, message", [
    (np.zeros((3, 4)), "square"), (np.zeros(3), "1 dimensions"), (np.array([[0, -1], [1, 0]]), "negative"),
    (np.array([[0, np.nan], [1, 0]]), "nan|finite"), (np.array([[0, 1j], [1, 0]]), "omplex"),
    (np.zeros((0, 0)), "no vert"), (np.array([["a", "b"], ["c", "d"]]), "numbers")])
def test_wrong_matrix(matrix, message):
    with pytest.raises(ValueError, match=message):
        gnd.NodeClassifier().fit(matrix, [0, 1])


def test_a_damaged_csr_matrix_is_refused(two_blocks):
    m = sp.csr_matrix(two_blocks[0])
    y = few(two_blocks[1], 3)
    for change in ("indices", "indptr", "short", "negative"):
        bad = m.copy()
        if change == "indices":
            bad.indices[5] = 60
        elif change == "negative":
            bad.indices[5] = -1
        elif change == "indptr":
            bad.indptr[3] = bad.indptr[-1] + 7
        else:
            bad.indices = bad.indices[:-1]
        with pytest.raises(ValueError):
            gnd.NodeClassifier().fit(bad, y)


def test_wrong_features(two_blocks):
    a, group, x = two_blocks
    with pytest.raises(ValueError, match="59 rows, but the graph has 60"):
        gnd.NodeClassifier().fit(a, few(group, 3), features=x[1:])
    bad = x.copy()
    bad[3, 4] = np.nan
    with pytest.raises(ValueError, match="nan|finite"):
        gnd.NodeClassifier().fit(a, few(group, 3), features=bad)


def test_settings(two_blocks):
    with pytest.raises(TypeError, match="hopps.*settings.*hops"):
        gnd.NodeClassifier("gnd-slp", hopps=3)
    with pytest.raises(ValueError, match="nothing"):
        gnd.NodeClassifier("nothing", hops=3)
    a, group, _ = two_blocks
    with pytest.raises(ValueError, match="hops"):
        gnd.NodeClassifier("gnd-slp", hops=-3).fit(a, few(group, 3))
    model = gnd.NodeClassifier("gnd-slp", hops=3, epochs_alone=5, dropout_at=["X", "Z"]).fit(a, few(group, 3))
    assert model.hop_weights_.shape == (3,)
    assert len(model.history_["loss_train"]) == 5
    assert model._m.settings()["dropout_at"] == "X,Z"
    assert model.parameters_["Theta"].shape == (60, 16)


def test_no_setting_has_the_name_of_an_attribute():
    taken = set(dir(gnd.NodeClassifier)) | set(gnd.NodeClassifier().get_params())
    for method in gnd.methods():
        for s in method.settings:
            name = python_name(s.name)
            assert name not in taken and name.isidentifier() and not keyword.iskeyword(name)


def test_a_setting_whose_name_is_a_word_of_python(two_blocks):
    a, group, _ = two_blocks
    model = gnd.NodeClassifier("chebynet", lambda_=2, epochs_alone=2).fit(a, few(group, 2))
    assert model._m.settings()["lambda"] == "2" and model.get_params()["lambda_"] == 2


def test_docstring_has_every_setting():
    text = gnd.NodeClassifier.__doc__
    for method in gnd.methods():
        assert f"{method.name}: {method.title}" in text
        for s in method.settings:
            assert f"{python_name(s.name)}={s.default}" in text


def test_params():
    model = gnd.NodeClassifier("gcn", hidden=8, random_state=3)
    assert model.get_params()["hidden"] == 8
    assert repr(model) == "NodeClassifier(method='gcn', random_state=3, hidden=8)"
    assert model.set_params(hidden=4, n_jobs=1) is model and model.hidden == 4 and model.n_jobs == 1
    with pytest.raises(ValueError, match="Invalid parameter"):
        model.set_params(colour=3)


def test_seeds_and_threads(two_blocks):
    a, group, x = two_blocks

    def proba(**params):
        return gnd.NodeClassifier("gcn", epochs_alone=10, **params).fit(a, few(group, 3), features=x).predict_proba()

    np.testing.assert_array_equal(proba(), proba(random_state=1, n_jobs=1))
    np.testing.assert_array_equal(proba(random_state=5, n_jobs=2), proba(random_state=5, n_jobs=-1))
    assert np.abs(proba(random_state=5) - proba(random_state=6)).max() > 1e-6
    np.testing.assert_array_equal(proba(random_state=np.random.RandomState(4)),
                                  proba(random_state=np.random.RandomState(4)))
    proba(random_state=np.random.default_rng(4))
    for wrong in ({"random_state": -1}, {"random_state": "x"}, {"n_jobs": 0}):
        with pytest.raises(ValueError):
            proba(**wrong)


def test_directed_graph_is_read_as_a_file_is(two_blocks, tmp_path):
    a, group, _ = two_blocks
    upper = np.triu(a)
    model = gnd.NodeClassifier().fit(upper, few(group, 3))
    np.testing.assert_array_equal(model.predict_proba(), gnd.NodeClassifier().fit(a, few(group, 3)).predict_proba())
    edges = tmp_path / "edges.csv"
    edges.write_text("".join(f"{i},{j}\n" for i, j in zip(*np.nonzero(upper))))
    from_file = gnd.NodeClassifier().fit(gnd.load(edges), few(group, 3))
    assert {n.code for n in from_file.notes_} == {n.code for n in model.notes_ if n.code != "converted"}
    assert any("symmetri" in n.code or "direct" in n.code for n in model.notes_), model.notes_


def test_validation(two_blocks):
    a, group, x = two_blocks
    mask = np.zeros(60, dtype=bool)
    mask[[10, 11, 40, 41]] = True
    y = few(group, 5)
    y[mask] = group[mask]
    model = gnd.NodeClassifier("gcn", epochs=30).fit(a, y, features=x, validation=mask)
    assert not np.isnan(model.history_["acc_val"]).all() and model.result_["acc_val"] >= 0
    same = gnd.NodeClassifier("gcn", epochs=30).fit(a, y, features=x, validation=np.flatnonzero(mask))
    np.testing.assert_array_equal(same.predict_proba(), model.predict_proba())
    with pytest.raises(ValueError, match="validation"):
        gnd.NodeClassifier("gcn").fit(a, y, validation=mask[:-1])


def test_score(two_blocks):
    a, group, _ = two_blocks
    model = gnd.NodeClassifier().fit(a, few(group, 3))
    hidden = few(group, 3) == -1
    assert model.score(None, group) == pytest.approx((model.labels_ == group)[hidden].mean())
    assert model.score(None, {7: int(model.labels_[7]), 8: 1 - int(model.labels_[8])}) == 0.5
    assert model.score(a, group) == pytest.approx((model.predict(a) == group).mean())


def test_prior_and_abstain(two_blocks):
    a, group, _ = two_blocks
    y = few(group, 4)
    model = gnd.NodeClassifier(prior={0: 0.5, 1: 0.5}).fit(a, y)
    same = gnd.NodeClassifier(prior={0: 0.5}).fit(a, y)
    np.testing.assert_array_equal(model.predict_proba(), same.predict_proba())
    with pytest.raises(ValueError, match="2 is not a class"):
        gnd.NodeClassifier(prior={2: 0.5}).fit(a, y)
    timid = gnd.NodeClassifier(abstain=0.0).fit(a, y)
    assert (timid.labels_ == -1).sum() >= 0 and (timid.labels_[y >= 0] == y[y >= 0]).all()
    bold = gnd.NodeClassifier(abstain=0.2, abstain_checked=False).fit(a, y)
    assert (bold.labels_ == -1).sum() <= (timid.labels_ == -1).sum()


def test_warnings_and_notes(two_blocks, caplog):
    a, group, _ = two_blocks
    rng = np.random.default_rng(0)
    y = np.where(rng.random(60) < 0.5, rng.integers(0, 2, 60), -1)  # labels without any relation to the graph
    with caplog.at_level(logging.INFO, logger="gnd"), pytest.warns(gnd.GraphWarning):
        model = gnd.NodeClassifier().fit(a, y)
    assert any(n.severity == "warning" for n in model.notes_)
    assert any("dense matrix" in r.message for r in caplog.records)


def test_write(two_blocks, tmp_path):
    a, group, _ = two_blocks
    model = gnd.NodeClassifier().fit(a, few(group, 3))
    model.write(tmp_path / "p.csv", probabilities=True)
    lines = (tmp_path / "p.csv").read_text().split("\n")
    assert lines[0].startswith("id,label,probability,p_0,p_1") and len(lines) == 62


def test_shown_in_a_notebook(two_blocks):
    a, group, _ = two_blocks
    model = gnd.NodeClassifier(prior={"<b>": 0.5}).fit(a, np.where(few(group, 3) < 0, "", np.where(group, "<b>", "c")))
    html = model._repr_html_()
    assert "&lt;b&gt;" in html and "<b>" not in html and "<table>" in html
    assert "NodeClassifier" in gnd.NodeClassifier()._repr_html_()


def test_not_fitted():
    for use in ("predict", "predict_proba", "suggest", "save"):
        with pytest.raises(gnd.NotFittedError):
            getattr(gnd.NodeClassifier(), use)(*(["x"] if use == "save" else []))
    assert not hasattr(gnd.NodeClassifier(), "labels_") and not hasattr(gnd.NodeClassifier(), "history_")


def test_suggest(two_blocks):
    a, group, _ = two_blocks
    found = gnd.NodeClassifier().fit(a, few(group, 2)).suggest(3)
    assert len(found) == 3 and len({s.vertex for s in found}) == 3 and all(s.label in (0, 1) for s in found)
    with pytest.raises(ValueError, match="2000"):
        gnd.NodeClassifier().fit(a, few(group, 2)).suggest(0)


def test_pickle(two_blocks):
    a, group, x = two_blocks
    model = gnd.NodeClassifier("gcn", epochs_alone=5).fit(a, few(group, 2), features=x)
    copy = pickle.loads(pickle.dumps(model))
    assert copy.get_params() == model.get_params()
    np.testing.assert_array_equal(copy.labels_, model.labels_)
    np.testing.assert_array_equal(copy.predict_proba(a, features=x), model.predict_proba(a, features=x))
    assert pickle.loads(pickle.dumps(gnd.NodeClassifier("ls", alpha=0.5))).alpha == 0.5


def test_masked_arrays(two_blocks):
    """A masked label is no label, whatever value is below the mask; masked features and links are refused."""
    a, group, x = two_blocks
    y = few(group, 3)
    masked = np.ma.array(group, mask=y < 0)
    model = gnd.NodeClassifier().fit(a, masked)
    np.testing.assert_array_equal(model.predict_proba(), gnd.NodeClassifier().fit(a, y).predict_proba())
    assert model.classes_.dtype.kind == "i"
    with pytest.raises(gnd.ArgumentError, match="features: some values are masked"):
        gnd.NodeClassifier().fit(a, y, features=np.ma.array(x, mask=x > 1))
    with pytest.raises(gnd.ArgumentError, match="adjacency: some values are masked"):
        gnd.NodeClassifier().fit(np.ma.array(a, mask=a > 0), y)
