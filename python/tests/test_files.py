# SPDX-License-Identifier: MIT
"""Models in safetensors files, graphs in files, prediction on a graph that has grown."""
import json
import os
import subprocess

import numpy as np
import pytest
from conftest import few

import gnd


@pytest.fixture
def model(two_blocks):
    a, group, x = two_blocks
    return gnd.NodeClassifier("gcn", epochs_alone=5, hidden=4).fit(a, few(group, 3), features=x)


@pytest.mark.parametrize("classes", [(0, 1), ("b", "a"), (1.0, 2.0), (True, False), ("1", 1)])
def test_save_and_load(two_blocks, tmp_path, classes):
    a, group, x = two_blocks
    y = [classes[g] if i % 10 == 0 else None for i, g in enumerate(group)]
    model = gnd.NodeClassifier("gcn", epochs_alone=5, random_state=4).fit(a, y, features=x)
    model.save(tmp_path / "m.safetensors")
    loaded = gnd.NodeClassifier.load(tmp_path / "m.safetensors")
    assert loaded.get_params() == model.get_params()
    assert loaded.classes_.tolist() == model.classes_.tolist() and loaded.classes_.dtype == model.classes_.dtype
    np.testing.assert_array_equal(loaded.predict_proba(a, features=x), model.predict_proba(a, features=x))
    np.testing.assert_array_equal(loaded.predict(a, features=x), model.predict(a, features=x))
    with pytest.raises(gnd.NotFittedError, match="graph of fit"):
        loaded.predict()
    assert os.listdir(tmp_path) == ["m.safetensors"]


def test_every_method_is_saved(two_blocks, tmp_path):
    a, group, x = two_blocks
    for method in ("auto", "ls", "gnd-slp", "lr", "cs"):
        model = gnd.NodeClassifier(method).fit(a, few(group, 3), features=x)
        model.save(tmp_path / "m.safetensors")
        loaded = gnd.NodeClassifier.load(tmp_path / "m.safetensors")
        np.testing.assert_array_equal(loaded.predict_proba(a, features=x), model.predict_proba(a, features=x))


def test_safetensors_package_reads_it(model, tmp_path):
    numpy_files = pytest.importorskip("safetensors.numpy")
    model.save(tmp_path / "m.safetensors")
    tensors = numpy_files.load_file(tmp_path / "m.safetensors")
    for name, values in model.parameters_.items():
        np.testing.assert_array_equal(tensors[name], values)
    with pytest.importorskip("safetensors").safe_open(tmp_path / "m.safetensors", "numpy") as f:
        assert f.metadata()["method"] == "gcn" and json.loads(f.metadata()["gnd_python"])["params"]["hidden"] == 4


def test_mapped_graph(two_blocks, tmp_path):
    """A safetensors graph: the same arrays, also for the library of Hugging Face."""
    a, group, x = two_blocks
    g = gnd.Graph(a, features=x)
    g.save(tmp_path / "g.safetensors", format="safetensors")
    h = gnd.load(tmp_path / "g.safetensors")
    assert (g.adjacency != h.adjacency).nnz == 0 and (g.features != h.features).nnz == 0
    with pytest.importorskip("safetensors").safe_open(tmp_path / "g.safetensors", "numpy") as f:
        assert f.metadata()["format"] == "gnd-graph-1"
        np.testing.assert_array_equal(f.get_tensor("adjacency.indices_1"), g.adjacency.indices)


def test_command_reads_it(model, two_blocks, tmp_path):
    command = os.environ.get("GND")
    if not command:
        pytest.skip("GND does not name the command gnd")
    a, group, x = two_blocks
    model.save(tmp_path / "m.safetensors")
    gnd.Graph(a, features=x).save(tmp_path / "g.npz")
    subprocess.run([command, "predict", tmp_path / "m.safetensors", tmp_path / "g.npz", "-q", "-o", tmp_path / "p.csv"],
                   check=True)
    lines = (tmp_path / "p.csv").read_text().split("\n")[1:-1]
    assert [int(line.split(",")[1]) for line in lines] == model.predict(a, features=x).tolist()


def test_damaged_files_are_refused(model, tmp_path):
    path = tmp_path / "m.safetensors"
    model.save(path)
    whole = path.read_bytes()
    for data in (b"", whole[:5], whole[:200], b"\xff" * 8 + whole[8:],
                 whole.replace(b'\\"classes\\"', b'\\"clashes\\"')):
        path.write_bytes(data)
        with pytest.raises((ValueError, OSError), match="m.safetensors"):
            gnd.NodeClassifier.load(path)
    with pytest.raises(OSError, match="nothing"):
        gnd.NodeClassifier.load(tmp_path / "nothing")


def test_a_file_cannot_set_attributes(model, tmp_path):
    path = tmp_path / "m.safetensors"
    model.save(path)
    whole = path.read_bytes()
    path.write_bytes(whole.replace(b'\\"n_jobs\\"', b'\\"_proba\\"'))
    assert not hasattr(gnd.NodeClassifier.load(path), "_proba")


def test_classes_that_json_cannot_hold(two_blocks, tmp_path):
    a, group, _ = two_blocks
    y = [(int(g),) if i % 10 == 0 else None for i, g in enumerate(group)]
    with pytest.raises(ValueError, match="classes of type tuple cannot be saved"):
        gnd.NodeClassifier().fit(a, y).save(tmp_path / "m.safetensors")
    assert os.listdir(tmp_path) == []


def test_save_keeps_the_old_file_on_failure(model, tmp_path):
    with pytest.raises(OSError):
        model.save(tmp_path / "no" / "folder")
    assert os.listdir(tmp_path) == []


@pytest.mark.parametrize("method", ["auto", "gcn", "ls", "gnd-slp"])
def test_grown_graph(two_blocks, method):
    a, group, x = two_blocks
    model = gnd.NodeClassifier(method).fit(a, few(group, 3), features=x)
    grown = np.zeros((62, 62), dtype=np.float32)
    grown[:60, :60] = a
    for new, old in ((60, (1, 2, 3)), (61, (50, 51, 52))):
        grown[new, old] = grown[old, new] = 1
    features = np.vstack([x, x[1], x[50]])
    labels = model.predict(grown, features=features)
    assert labels.shape == (62,) and labels[60] == 0 and labels[61] == 1
    assert model.predict_proba(grown, features=features).shape == (62, 2)
    if method != "ls":
        with pytest.raises(ValueError, match="features"):
            model.predict(grown)


def test_graph_round_trip(two_blocks, tmp_path):
    a, group, x = two_blocks
    g = gnd.Graph(a, features=x, ids=[f"v{i}" for i in range(60)], name="blocks")
    g.save(tmp_path / "g.npz")
    back = gnd.load(tmp_path / "g.npz")
    np.testing.assert_array_equal(back.adjacency.toarray(), a)
    np.testing.assert_array_equal(back.features.toarray(), x)
    assert back.ids == [f"v{i}" for i in range(60)] and back.n_nodes == 60
    assert g.info["n_feat"] == 12 and not g.info["directed"] and "blocks" in repr(g)


def test_from_edges():
    g = gnd.Graph.from_edges([0, 1, 1], [1, 2, 2], [1, 2, 3.5], n_nodes=4)
    assert g.adjacency.toarray()[1, 2] == 5.5 and g.n_nodes == 4 and any("dup" in n.code for n in g.notes)
    for source, target, weight, n in (([0, 5], [1, 2], None, 4), ([0, -1], [1, 2], None, None),
                                      ([0], [1, 2], None, None),
                                      ([0.5], [1], None, None), ([0], [1], [1, 2], None), ([], [], None, None)):
        with pytest.raises(ValueError):
            gnd.Graph.from_edges(source, target, weight, n_nodes=n)


def test_load(tmp_path):
    g = gnd.load("karate")
    assert g.n_nodes == 34 and g.class_names and g.labels.shape == (34,) and g.features is None
    (tmp_path / "e.csv").write_text("a,b\nb,c\n")
    (tmp_path / "l.csv").write_text("a,x\nc,y\n")
    g = gnd.load(tmp_path / "e.csv", labels=tmp_path / "l.csv")
    assert g.labels.tolist() == ["x", None, "y"] and g.ids == ["a", "b", "c"]
    (tmp_path / "bad.csv").write_text("a,b\nb\n")
    with pytest.raises(ValueError, match="bad.csv.*2"):
        gnd.load(tmp_path / "bad.csv")
    with pytest.raises(ValueError, match="zero byte"):
        gnd.load("a\0b")


def test_convert_dataset(tmp_path):
    (tmp_path / "e.csv").write_text("a,b,2\nb,c,0.5\n")
    (tmp_path / "l.csv").write_text("a,x\nc,y\n")
    seen = []
    g = gnd.convert_dataset(tmp_path / "e.csv", tmp_path / "e.safetensors", labels=tmp_path / "l.csv",
                            memory=32 << 20, n_jobs=1, progress=lambda stage, share: seen.append(stage))
    back = gnd.load(tmp_path / "e.safetensors")
    for h in (g, back):
        assert h.ids == ["a", "b", "c"] and h.labels.tolist() == ["x", None, "y"]
        assert h.adjacency.toarray().tolist() == [[0, 2, 0], [0, 0, 0.5], [0, 0, 0]]
    assert "converting" in seen
    assert gnd.convert_dataset("karate", tmp_path / "k.safetensors").n_nodes == 34
    with pytest.raises(ValueError, match="32 MB"):
        gnd.convert_dataset(tmp_path / "e.csv", tmp_path / "f.safetensors", memory=1)
    with pytest.raises(TypeError, match="color"):
        gnd.convert_dataset(tmp_path / "e.csv", tmp_path / "f.safetensors", color=1)
    assert not (tmp_path / "f.safetensors").exists()
