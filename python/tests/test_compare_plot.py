# SPDX-License-Identifier: MIT
"""gnd.compare, gnd.methods and the figures."""
import numpy as np
import pytest
from conftest import few

import gnd


@pytest.fixture
def rows(two_blocks):
    a, group, x = two_blocks
    return gnd.compare(a, group, features=x, methods={"spreading": gnd.NodeClassifier("ls", alpha=0.9), "lr": "lr"},
                       labels_per_class=[1, 3], splits=4, frame="records")


def test_compare(rows):
    assert [(r["method"], r["labels_per_class"]) for r in rows] == [("spreading", 1), ("spreading", 3), ("lr", 1),
                                                                    ("lr", 3)]
    for r in rows:
        assert r["runs"] == 4 and 0 <= r["low"] <= r["accuracy"] <= r["high"] and r["accuracy"] <= 1


def test_runs_are_the_cells(two_blocks):
    a, group, _ = two_blocks
    arguments = {"methods": ["ls"], "labels_per_class": 2, "splits": 5, "frame": "records"}
    runs = gnd.compare(a, group, runs=True, **arguments)
    assert len(runs) == 5 and len({r["split"] for r in runs}) == 5 and not any(r["diverged"] for r in runs)
    cell = gnd.compare(a, group, n_jobs=1, **arguments)[0]
    assert np.mean([r["accuracy"] for r in runs]) == pytest.approx(cell["accuracy"])


def test_frames(two_blocks):
    a, group, _ = two_blocks
    for frame in ("pandas", "polars", "pyarrow"):
        library = pytest.importorskip(frame)
        table = gnd.compare(a, group, methods=["ls"], splits=2, labels_per_class=1, frame=frame)
        assert type(table) is (library.Table if frame == "pyarrow" else library.DataFrame)
        assert len(table) == 1
    with pytest.raises(ValueError, match="records was expected"):
        gnd.compare(a, group, methods=["ls"], frame="excel")


def test_store(two_blocks, tmp_path):
    a, group, _ = two_blocks
    arguments = {"methods": ["ls"], "labels_per_class": 2, "splits": 3, "frame": "records", "runs": True,
                 "store": tmp_path / "runs.sqlite"}
    assert [r["stored"] for r in gnd.compare(a, group, **arguments)] == [False] * 3
    assert [r["stored"] for r in gnd.compare(a, group, **arguments)] == [True] * 3


def test_wrong_comparisons(two_blocks):
    a, group, _ = two_blocks
    for wrong in ({"methods": []}, {"methods": [3]}, {"labels_per_class": 0}, {"labels_per_class": []}, {"splits": 0},
                  {"methods": ["nothing"]}):
        with pytest.raises(ValueError):
            gnd.compare(a, group, **{"methods": ["ls"], "frame": "records", **wrong})
    with pytest.raises(ValueError, match="true labels"):
        gnd.compare(a, methods=["ls"], frame="records")


def test_methods():
    names = [m.name for m in gnd.methods()]
    assert names[0] == "auto" and {"gcn", "gnd-slp", "ls"} <= set(names)
    assert {s.name for s in gnd.methods("gcn").settings} >= {"hidden", "dropout"}
    with pytest.raises(ValueError, match="nothing"):
        gnd.methods("nothing")


def test_plots(two_blocks, rows):
    matplotlib = pytest.importorskip("matplotlib")
    matplotlib.use("Agg")
    import matplotlib.pyplot as plt

    a, group, x = two_blocks
    model = gnd.NodeClassifier("gnd-slp", epochs_alone=5, hops=4).fit(a, few(group, 3), features=x)
    assert len(gnd.plot_history(model).lines) == 1
    assert gnd.plot_history(model, what="acc").get_ylabel() == "accuracy"
    assert len(gnd.plot_hop_weights(model).patches) == 4
    attention = gnd.NodeClassifier("gnd-attn", epochs_alone=2, hops=3).fit(a, few(group, 3), features=x)
    assert attention.hop_weights_.shape[0] == 60 and gnd.plot_hop_weights(attention).lines
    assert gnd.plot_reliability(model, group).collections
    assert len(gnd.plot_comparison(rows).get_legend().get_texts()) == 2
    one = [r for r in rows if r["labels_per_class"] == 3]
    assert len(gnd.plot_comparison(pytest.importorskip("pandas").DataFrame(one)).get_xticks()) == 2
    ax = plt.figure().subplots()
    assert gnd.plot_history(model, ax) is ax
    plt.close("all")
    spreading = gnd.NodeClassifier("ls").fit(a, few(group, 3))
    with pytest.raises(ValueError, match="no epochs"):
        gnd.plot_history(spreading)
    with pytest.raises(AttributeError, match="does not weigh hops"):
        spreading.hop_weights_
