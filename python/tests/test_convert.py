# SPDX-License-Identifier: MIT
"""gnd.label gives back the kind it is given, and the same labels for every kind."""
import os
import types

import numpy as np
import pytest
import scipy.sparse as sp
from conftest import few

import gnd

pd = pytest.importorskip("pandas")


@pytest.fixture
def edges(two_blocks):
    a, _, _ = two_blocks
    source, target = np.nonzero(np.triu(a))
    return source, target


@pytest.fixture
def expected(two_blocks):
    a, group, _ = two_blocks
    return gnd.label(a, few(group, 3))


def test_arrays(two_blocks, expected):
    a, group, x = two_blocks
    assert isinstance(expected, np.ndarray) and expected.dtype == group.dtype
    np.testing.assert_array_equal(gnd.label(sp.csr_matrix(a), few(group, 3)), expected)
    np.testing.assert_array_equal(gnd.label(gnd.Graph(a), few(group, 3)), expected)
    labels, probability = gnd.label(a, few(group, 3), proba=True)
    assert probability.shape == (60,) and (probability >= 0.5).all()
    with pytest.raises(ValueError, match="source= is for tables"):
        gnd.label(a, few(group, 3), source="from")
    np.testing.assert_array_equal(gnd.label(gnd.Graph(a), few(group, 3), features=x),
                                  gnd.label(a, few(group, 3), features=x))


def make_table(kind, columns):
    if kind == "pandas":
        return pd.DataFrame(columns)
    return pytest.importorskip("polars").DataFrame(columns) if kind == "polars" \
        else pytest.importorskip("pyarrow").table(columns)


def column(table, name):
    values = table[name]
    return values.to_pylist() if hasattr(values, "to_pylist") else values.to_list() if hasattr(values, "to_list") \
        else list(values)


@pytest.mark.parametrize("kind", ["pandas", "polars", "pyarrow"])
@pytest.mark.parametrize("names", ["numbers", "texts"])
def test_tables(two_blocks, edges, expected, kind, names):
    pytest.importorskip("narwhals")
    _, group, x = two_blocks
    name = (lambda i: int(i)) if names == "numbers" else (lambda i: f"v{i:02d}")
    table = make_table(kind, {"a": [name(i) for i in edges[0]], "b": [name(i) for i in edges[1]]})
    y = few(group, 3)
    known = make_table(kind, {"node": [name(i) for i in range(60)], "group": [None if v < 0 else f"g{v}" for v in y]})
    out = gnd.label(table, known, source="a", target="b", id="node", label="group")
    assert type(out) is type(table)
    got = dict(zip(column(out, "node"), column(out, "group")))
    assert len(got) == 60 and len(column(out, "probability")) == 60
    agree = np.mean([got[name(i)] == f"g{expected[i]}" for i in range(60)])
    assert agree == 1 if names == "numbers" else agree > 0.9  # texts: another order of the vertices
    by_dict = gnd.label(table, {name(i): int(v) for i, v in enumerate(y) if v >= 0}, source="a", target="b")
    assert np.mean([v == f"g{w}" for v, w in zip(column(out, "group"), column(by_dict, "label"))]) > 0.9


def test_features_of_tables(two_blocks, edges):
    pytest.importorskip("narwhals")
    a, group, x = two_blocks
    table = pd.DataFrame({"source": edges[0], "target": edges[1]})
    nodes = pd.DataFrame({"id": np.arange(60)[::-1], "label": np.where(few(group, 3) < 0, None, few(group, 3))[::-1],
                          "f0": x[::-1, 0], "f1": x[::-1, 1], "comment": "text"})
    expected = gnd.label(a, few(group, 3), features=x[:, :2])
    out = gnd.label(table, nodes, features=["f0", "f1"])
    assert out["label"].tolist() == expected.tolist()
    out = gnd.label(table, nodes[["id", "label"]], features=nodes[["id", "f0", "f1"]])
    assert out["label"].tolist() == expected.tolist()
    with pytest.raises(ValueError, match="column 'comment'"):
        gnd.label(table, nodes, features=["f0", "comment"])
    with pytest.raises(ValueError, match="no column 'f9'"):
        gnd.label(table, nodes, features=["f9"])


def test_wrong_tables(edges):
    pytest.importorskip("narwhals")
    table = pd.DataFrame({"source": edges[0], "target": edges[1]})
    known = {0: "x", 59: "y"}
    with pytest.raises(ValueError, match="no column 'nothing'.*source, target"):
        gnd.label(table, known, source="nothing")
    with pytest.raises(ValueError, match="Name it by target="):
        gnd.label(table.rename(columns={"target": "other"}), known)
    with pytest.raises(ValueError, match="row 3: there is no id"):
        gnd.label(table.assign(target=[1.0, 2.0, 3.0, np.nan] + [5.0] * (len(table) - 4)), known)
    twice = pd.DataFrame({"id": [0, 0, 1], "label": ["a", "b", "b"]})
    with pytest.raises(ValueError, match="row 1: 0 has the label 'b' here and 'a' before"):
        gnd.label(table, twice)
    with pytest.raises(ValueError, match="square"):
        gnd.label(pd.DataFrame({"p": [1, 2], "q": [3, 4], "r": [5, 6]}), known)
    lonely = gnd.label(table, {**known, "lonely": "x"})
    assert len(lonely) == 61


def test_networkx(two_blocks, expected):
    nx = pytest.importorskip("networkx")
    a, group, x = two_blocks
    g = nx.from_numpy_array(a)
    for v, label in enumerate(few(group, 3)):
        if label >= 0:
            g.nodes[v]["group"] = int(label)
        g.nodes[v]["vector"] = x[v]
    out = gnd.label(g, "group")
    assert out == dict(enumerate(expected.tolist()))
    assert gnd.label(g, {v: d["group"] for v, d in g.nodes(data=True) if "group" in d}) == out
    assert gnd.label(g, label="group") == out
    with_features = gnd.label(g, "group", features="vector")
    assert list(with_features.values()) == gnd.label(a, few(group, 3), features=x).tolist()
    with pytest.raises(ValueError, match="no node has an attribute 'colour'"):
        gnd.label(g, "colour")
    labels, probability = gnd.label(g, "group", proba=True)
    assert set(probability) == set(labels)


def test_networkx_directions_and_weights():
    nx = pytest.importorskip("networkx")
    d = nx.DiGraph([("a", "b", {"weight": 2.5}), ("b", "c")])
    graph = gnd.convert.to_graph(d)[0]
    assert graph.ids == ["a", "b", "c"] and graph.adjacency.toarray().tolist() == [[0, 2.5, 0], [0, 0, 1], [0, 0, 0]]
    u = nx.MultiGraph([(0, 1), (0, 1), (1, 1)])
    assert gnd.convert.to_graph(u)[0].adjacency.toarray().tolist() == [[0, 2], [2, 1]]
    with pytest.raises(ValueError, match="no vertex"):
        gnd.label(nx.Graph(), {})


def test_ids_that_look_alike():
    nx = pytest.importorskip("networkx")
    g = nx.Graph([(1, "1"), ("", -1), (-1, ("t", 2))])
    out = gnd.label(g, {1: "x", "": "y"})
    assert out == {1: "x", "1": "x", "": "y", -1: "y", ("t", 2): "y"}


def test_igraph(two_blocks, expected):
    igraph = pytest.importorskip("igraph")
    a, group, _ = two_blocks
    g = igraph.Graph.Adjacency(a, mode="undirected")
    g.vs["group"] = [None if v < 0 else int(v) for v in few(group, 3)]
    assert gnd.label(g, "group") == dict(enumerate(expected.tolist()))
    g.vs["name"] = [f"n{i}" for i in range(60)]
    named = gnd.label(g, "group")  # ids decide the order of equal vertices
    assert list(named) == g.vs["name"] and np.mean(list(named.values()) == expected) > 0.9
    with pytest.raises(ValueError, match="no vertex has an attribute"):
        gnd.label(g, "colour")


class Tensor:
    """As much of torch.Tensor as the converter uses, for machines without PyTorch."""

    def __init__(self, values):
        self.values, self.device, self.is_sparse = np.asarray(values), "cpu", False

    def detach(self):
        return self

    cpu = detach

    def numpy(self):
        return self.values


def pyg_data(two_blocks):
    a, group, x = two_blocks
    mask = few(group, 3) >= 0
    try:
        import torch
        from torch_geometric.data import Data

        tensor = torch.as_tensor
    except ImportError:
        Data, tensor = types.SimpleNamespace, Tensor
    return Data(edge_index=tensor(np.stack(np.nonzero(a))), x=tensor(x), y=tensor(group), train_mask=tensor(mask),
                num_nodes=60)


def test_pyg(two_blocks, monkeypatch):
    a, group, x = two_blocks
    data = pyg_data(two_blocks)
    if isinstance(data, types.SimpleNamespace):
        torch = types.ModuleType("torch")
        torch.as_tensor = lambda values, device: Tensor(values)
        monkeypatch.setitem(__import__("sys").modules, "torch", torch)
    out = gnd.label(data)
    expected = gnd.label(a, few(group, 3), features=x)
    assert type(out) is type(data.y)
    np.testing.assert_array_equal(out.numpy(), expected)
    model = gnd.NodeClassifier().fit(data)
    np.testing.assert_array_equal(model.labels_, expected)
    assert any("train_mask" in n.text for n in model.notes_)


def test_paths(two_blocks, edges, expected, tmp_path):
    _, group, _ = two_blocks
    path, labels, out = tmp_path / "edges.csv", tmp_path / "labels.csv", tmp_path / "out.csv"
    path.write_text("".join(f"{i},{j}\n" for i, j in zip(*edges)))
    labels.write_text("".join(f"{i},{v}\n" for i, v in enumerate(few(group, 3)) if v >= 0))
    result = gnd.label(path, labels, output=out)
    assert result == {str(i): str(v) for i, v in enumerate(expected)}
    lines = out.read_text().split("\n")
    assert lines[0] == "id,label,probability" and lines[1].startswith(f"0,{expected[0]},") and len(lines) == 62
    assert gnd.label(str(path), {str(i): int(v) for i, v in enumerate(few(group, 3)) if v >= 0}) == \
        {str(i): int(v) for i, v in enumerate(expected)}
    with pytest.raises(OSError, match="nothing.csv"):
        gnd.label(tmp_path / "nothing.csv", labels)
    named, known = tmp_path / "named.csv", tmp_path / "known.csv"
    named.write_text("when,one,two\n" + "".join(f"9,{i},{j}\n" for i, j in zip(*edges)))
    known.write_text("who,group\n" + "".join(f"{i},{v}\n" for i, v in enumerate(few(group, 3)) if v >= 0))
    assert gnd.label(named, known, source="one", target="two", id="who", label="group") == result
    with pytest.raises(ValueError, match="three"):
        gnd.label(named, known, source="three", target="two", id="who", label="group")


def test_graphml(two_blocks, expected, tmp_path):
    nx = pytest.importorskip("networkx")
    a, group, _ = two_blocks
    g = nx.from_numpy_array(a)
    for v, label in enumerate(few(group, 3)):
        if label >= 0:
            g.nodes[v]["group"] = f"g{label}"
    nx.write_graphml(g, tmp_path / "g.graphml")
    assert gnd.label(tmp_path / "g.graphml", label="group") == {str(i): f"g{v}" for i, v in enumerate(expected)}


def test_parquet(two_blocks, edges, expected, tmp_path):
    pytest.importorskip("narwhals")
    pytest.importorskip("pyarrow")
    _, group, _ = two_blocks
    path, labels, out = tmp_path / "edges.parquet", tmp_path / "labels.parquet", tmp_path / "out.parquet"
    pd.DataFrame({"source": edges[0], "target": edges[1]}).to_parquet(path)
    y = few(group, 3)
    pd.DataFrame({"id": np.flatnonzero(y >= 0), "label": y[y >= 0]}).to_parquet(labels)
    assert gnd.label(path, labels, output=out) == dict(enumerate(expected.tolist()))
    written = pd.read_parquet(out)
    assert written["label"].tolist() == expected.tolist() and list(written) == ["id", "label", "probability"]
    assert os.listdir(tmp_path) and not [f for f in os.listdir(tmp_path) if f.endswith(".tmp")]


def test_suggest(two_blocks, edges):
    a, group, _ = two_blocks
    first = gnd.suggest(a, n=2)
    assert [s.label for s in first] == [None, None]
    assert len(gnd.suggest(a, few(group, 2), n=4)) == 4
    pytest.importorskip("narwhals")
    out = gnd.suggest(pd.DataFrame({"source": edges[0], "target": edges[1]}), n=2)
    assert out["id"].tolist() == [s.id for s in first] and "why" in out


def test_converters_say_what_they_did(two_blocks, capsys):
    nx = pytest.importorskip("networkx")
    gnd.label(nx.from_numpy_array(two_blocks[0]), {0: 0, 59: 1}, verbose=True)
    assert "gnd: note: read from networkx: 60 nodes" in capsys.readouterr().err


def test_missing_package(two_blocks, monkeypatch):
    monkeypatch.setitem(__import__("sys").modules, "narwhals", None)
    with pytest.raises(gnd.MissingPackageError, match="pip install narwhals"):
        gnd.label(pd.DataFrame({"source": [0], "target": [1]}), {0: 0, 1: 1})
