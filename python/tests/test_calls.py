# SPDX-License-Identifier: MIT
"""Long calls: Ctrl-C, progress, threads, the GIL, no copies."""
import gc
import os
import signal
import subprocess
import sys
import textwrap
import threading
import time

import numpy as np
import pytest
import scipy.sparse as sp
import threads
from conftest import few

import gnd
from gnd import _call

ENDLESS = {"method": "gnd-slp", "epochs_alone": 1000000}


def random_graph(n, degree, seed=0):
    rng = np.random.default_rng(seed)
    m = sp.coo_matrix((np.ones(n * degree, dtype=np.float32), (rng.integers(0, n, n * degree),
                                                               rng.integers(0, n, n * degree))), shape=(n, n))
    return m.tocsr()


@pytest.mark.parametrize("what", ["train", "label", "suggest", "compare"])
def test_ctrl_c(what, tmp_path):
    """The call stops within a second of each processor's time, and the process can be used afterwards."""
    script = tmp_path / "script.py"
    script.write_text(textwrap.dedent(f"""
        import os, signal, sys, threading, time
        sys.path.insert(0, {os.path.dirname(__file__)!r})
        import numpy as np
        import gnd
        from test_calls import random_graph
        signal.signal(signal.SIGINT, signal.default_int_handler)  # a shell may ignore it in background jobs
        a = random_graph(40000, 8)
        y = np.full(40000, -1)
        y[:40] = np.arange(40) % 4
        at = []
        def interrupt():
            at.append(time.process_time())
            os.kill(os.getpid(), signal.SIGINT)
        calls = {{
            "train": lambda: gnd.NodeClassifier("gnd-slp", epochs_alone=1000000).fit(a, y),
            "label": lambda: [gnd.NodeClassifier().fit(a, y) for _ in range(100)],
            "suggest": lambda: [gnd.suggest(a, y, n=500) for _ in range(100)],
            "compare": lambda: gnd.compare(a, y, methods=["gnd-slp"], labels_per_class=2, splits=1000,
                                           frame="records"),
        }}
        threading.Timer(1.0, interrupt).start()
        try:
            calls[{what!r}]()
            print("ended")
        except KeyboardInterrupt:
            print("interrupted", time.process_time() - at[0])
        print(gnd.label(np.eye(4)[[1, 0, 3, 2]], [5, -1, 7, -1]).tolist())
    """))
    out = subprocess.run([sys.executable, str(script)], capture_output=True, text=True, timeout=120, check=True).stdout
    first, second = out.strip().split("\n")
    assert first.startswith("interrupted"), out
    # Not by the clock: the machine may be busy.
    assert float(first.split()[1]) < os.cpu_count(), "seconds of all processors from Ctrl-C to the exception"
    assert second == "[5, 5, 7, 7]"


def test_progress(two_blocks):
    a, group, x = two_blocks
    seen = []
    gnd.NodeClassifier("gnd-slp", epochs_alone=3000, progress=lambda stage, share: seen.append((stage, share))).fit(
        a, few(group, 3), features=x)
    shares = [s for _, s in seen if not np.isnan(s)]
    assert seen and all(isinstance(stage, str) and stage for stage, _ in seen)
    assert shares == sorted(shares) and all(0 <= s <= 1 for s in shares)


def test_progress_that_raises_stops_the_call(two_blocks):
    a, group, _ = two_blocks

    class Enough(Exception):
        pass

    def progress(stage, share):
        raise Enough

    start = time.monotonic()
    with pytest.raises(Enough):
        gnd.NodeClassifier(**ENDLESS, progress=progress).fit(a, few(group, 3))
    assert time.monotonic() - start < 30
    assert not _call._states


def test_progress_bar(two_blocks, monkeypatch, capsys):
    pytest.importorskip("tqdm")
    a, group, x = two_blocks
    monkeypatch.setattr(_call, "SHOW_AFTER", 0)
    gnd.NodeClassifier("gnd-slp", epochs_alone=100000, progress=True).fit(a, few(group, 3))  # seconds, with many ticks
    assert "%" in capsys.readouterr().err
    gnd.NodeClassifier("gnd-slp", epochs_alone=4000, progress=False).fit(a, few(group, 3))
    gnd.NodeClassifier("gnd-slp", epochs_alone=4000).fit(a, few(group, 3))  # no terminal, no notebook
    assert capsys.readouterr().err == ""


def test_interpreter_runs_during_a_call(two_blocks):
    """The GIL is released: another thread counts while the library computes."""
    a = random_graph(30000, 10)
    y = np.full(30000, -1)
    y[:40] = np.arange(40) % 4
    ticks, stop = [], threading.Event()

    def count():
        while not stop.wait(0.005):
            ticks.append(time.monotonic())

    thread = threading.Thread(target=count)
    thread.start()
    start = time.monotonic()
    gnd.NodeClassifier("gnd-slp", epochs_alone=20).fit(a, y)
    seconds = time.monotonic() - start
    stop.set()
    thread.join()
    assert len(ticks) > 5 and max(np.diff([start] + ticks)) < max(0.5, 0.5 * seconds)


def test_eight_threads():
    """Different models at the same time give the results that they give alone."""
    threads.run()


def address(array):
    return array.__array_interface__["data"][0]


def test_arrays_are_not_copied(two_blocks):
    a, _, x = two_blocks
    adjacency, features = sp.csr_matrix(2 * a), sp.csr_matrix(x)  # weights 1 are not stored
    adjacency.sort_indices()
    features.sort_indices()
    g = gnd.Graph(adjacency, features=features)
    for matrix, get in ((adjacency, gnd._library.lib.gnd_graph_adjacency),
                        (features, gnd._library.lib.gnd_graph_features)):
        _, col, val, _ = g._csr(get)
        assert address(col) == address(matrix.indices) and address(val) == address(matrix.data)
    und = g._converted("und")
    _, col, val, _ = und._csr(gnd._library.lib.gnd_graph_features)
    assert address(col) == address(features.indices) and address(val) == address(features.data)
    assert {address(v) for v in und._keep} >= {address(features.indices), address(features.data)}
    assert not {address(v) for v in und._keep} & {address(adjacency.indices), address(adjacency.data)}
    wide = adjacency.astype(np.float64)
    assert address(wide.data) not in {address(v) for v in gnd.Graph(wide)._keep}
    copied = gnd.Graph(adjacency, features=features, copy=True)
    assert address(copied._csr(gnd._library.lib.gnd_graph_features)[1]) != address(features.indices)


def test_borrowed_arrays_outlive_their_names(two_blocks):
    a, group, x = two_blocks
    expected = gnd.NodeClassifier().fit(a, few(group, 3), features=sp.csr_matrix(x))
    model = gnd.NodeClassifier().fit(sp.csr_matrix(a), few(group, 3), features=sp.csr_matrix(x))
    gc.collect()
    junk = [np.full(10000, 7, dtype=np.int32) for _ in range(20)]
    assert [s.vertex for s in model.suggest(5)] == [s.vertex for s in expected.suggest(5)]
    del junk
    probabilities = model.predict_proba()
    labels, history = model.labels_, model._prediction.codes()
    del model
    gc.collect()
    np.testing.assert_array_equal(probabilities, expected.predict_proba())
    np.testing.assert_array_equal(labels, history)


def test_input_is_not_changed(two_blocks):
    a, group, x = two_blocks
    adjacency, features, y = sp.csr_matrix(np.triu(a)), sp.csr_matrix(x), few(group, 3)
    arrays = (adjacency.data, adjacency.indices, adjacency.indptr, features.data, features.indices, y)
    before = [v.copy() for v in arrays]
    model = gnd.NodeClassifier().fit(adjacency, y, features=features)
    model.predict(adjacency, features=features)
    model.suggest(2)
    for one, other in zip(before, arrays):
        np.testing.assert_array_equal(one, other)


def test_overhead(cora):
    """Python takes less than 5 ms besides the calls of the library."""
    a, x = cora.adjacency, cora.features
    y = few(cora._codes(), 5)
    inside = []
    original = _call.long_call

    def timed(*arguments, **keywords):
        start = time.perf_counter()
        try:
            return original(*arguments, **keywords)
        finally:
            inside.append(time.perf_counter() - start)

    import gnd._model
    import gnd.graph
    overhead = []
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(gnd._model, "long_call", timed)
        patch.setattr(gnd.graph, "long_call", timed)
        for _ in range(7):
            inside.clear()
            start = time.perf_counter()
            gnd.NodeClassifier("ls").fit(a, y, features=x)
            overhead.append(time.perf_counter() - start - sum(inside))
    assert min(overhead) < 0.005, f"{min(overhead) * 1000:.1f} ms"


@pytest.mark.skipif(not hasattr(signal, "setitimer"), reason="no timers")
def test_exceptions_of_signal_handlers(two_blocks):
    """A handler that raises (a timeout) stops the call too."""
    a, group, _ = two_blocks

    def expired(number, frame):
        raise TimeoutError

    old = signal.signal(signal.SIGALRM, expired)
    signal.setitimer(signal.ITIMER_REAL, 0.3)
    try:
        with pytest.raises(TimeoutError):
            gnd.NodeClassifier(**ENDLESS).fit(a, few(group, 3))
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, old)


@pytest.mark.parametrize("form", ["npz", "csv", "safetensors"])
def test_progress_of_saving_a_graph(tmp_path, form):
    g = gnd.Graph(random_graph(20000, 20))
    seen = []
    g.save(tmp_path / "g", format=form, progress=lambda stage, share: seen.append((stage, share)))
    assert seen and {stage for stage, _ in seen} == {"writing"}
    assert (tmp_path / "g").exists()
    (tmp_path / "g").rename(tmp_path / "complete")

    def stop(stage, share):
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        g.save(tmp_path / "g", format=form, progress=stop)
    assert not (tmp_path / "g").exists()
