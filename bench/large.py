#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Whole runs of `gnd label` on graphs of millions of entries: CPU time, peak memory, accuracy.

    large.py FOLDER MILLIONS GRAPHS METHODS PEER        such as: large.py build/large 1,10 rmat,community auto,ls yes

Graphs are made in FOLDER and kept: `rmat`, of about 20 entries per vertex; `community`, where two thirds of the links
are within communities of about 200 vertices; with `-words`, 256 binary features, 8 per vertex. Five labels for each of
eight classes, of vertices that have links. Methods with epochs run three of them. PEER `yes`: scikit-network's
DiffusionClassifier too, on graphs without features. One thread each, from process start to the file of labels.
Needs numpy. Environment: GND, the command (default build/gnd).

Prints `who  graph  method  entries  vertices  wall s  cpu s  peak MB  accuracy  cpu s of the fit` between tabs. The
accuracy is that of the vertices that have links and no known label; the last field is that of the peer only.
"""
import json
import os
import subprocess
import sys
import time

import numpy as np

ROOT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..")
GND = os.environ.get("GND", os.path.join(ROOT, "build", "gnd"))
# Edges drawn for a million entries; links that are drawn twice are dropped, more of them in communities.
EDGES = {"rmat": 550000, "community": 850000}
PER_CLASS, EPOCHS, COMMUNITY = 5, 3, 200


def graph_make(folder, kind, million):
    """The path of a graph of about so many million entries."""
    path = os.path.join(folder, f"{kind}-{million}.safetensors")
    vertices = 50000 * million
    words = ["--vertices", str(vertices), "--edges", str(EDGES[kind.removesuffix("-words")] * million)]
    words += ["--features", "256", "--words", "8"] if kind.endswith("-words") else ["--features", "0"]
    if kind.startswith("community"):
        words += ["--inside", "90", "--communities", str(vertices // COMMUNITY)]
    if not os.path.exists(path):
        subprocess.run([GND, "data", "make", path, *words, "-q"], stdout=subprocess.DEVNULL, check=True)
    return path


def graph_read(path):
    """Pointers, targets and labels of a graph that gnd wrote (docs/formats.md), mapped."""
    with open(path, "rb") as f:
        size = int.from_bytes(f.read(8), "little")
        tensors = json.loads(f.read(size))

    def tensor(name):
        t = tensors[name]
        kind = {"I64": np.int64, "I32": np.int32}[t["dtype"]]
        return np.memmap(path, kind, "r", 8 + size + t["data_offsets"][0], tuple(t["shape"]))

    return tensor("adjacency.pointers_to_1"), tensor("adjacency.indices_1"), tensor("labels")


def known_make(linked, label):
    """PER_CLASS vertices of each class that have links."""
    draw = np.random.RandomState(1)
    return np.concatenate([draw.choice(np.flatnonzero(linked & (label == c)), PER_CLASS, replace=False)
                           for c in range(label.max() + 1)])


def run(words):
    """Wall and CPU seconds and peak memory in MB of a command, and what it prints."""
    start = time.perf_counter()
    with subprocess.Popen(words, stdout=subprocess.PIPE) as p:
        text = p.stdout.read()
        _, status, used = os.wait4(p.pid, 0)
        p.returncode = os.waitstatus_to_exitcode(status)
    if p.returncode:
        sys.exit(f"{' '.join(words)}: exit code {p.returncode}")
    return time.perf_counter() - start, used.ru_utime + used.ru_stime, used.ru_maxrss / 1024, text.decode()


def classes_read(path, n):
    """The class of each vertex in a file of `gnd label`, -1: none. Ids are vertex numbers, classes are numbers."""
    found = np.full(n, -1)
    with open(path, encoding="utf-8") as f:
        next(f)
        for line in f:
            vertex, cls, _ = line.split(",")
            if cls:
                found[int(vertex)] = int(cls)
    return found


def has_epochs(method):
    return "epochs_alone" in run([GND, "methods", method])[3]


def measure(folder, path, kind, methods, peer):
    """Print the lines of a graph."""
    known_path, out = os.path.join(folder, "known.csv"), os.path.join(folder, "labels.csv")
    ptr, col, label = graph_read(path)
    linked = np.diff(ptr) > 0
    known = known_make(linked, label)
    linked[known] = False
    with open(known_path, "w", encoding="utf-8") as f:
        f.write("id,label\n" + "".join(f"{v},{label[v]}\n" for v in known))

    def show(who, method, used, fit=""):
        right = (classes_read(out, len(label)) == label)[linked].mean()
        print(who, kind, method, len(col), len(label), *(f"{v:.3f}" for v in used[:3]), f"{right:.4f}", fit, sep="\t",
              flush=True)

    for method in methods:
        words = [GND, "label", path, "--labels", known_path, "--method", method, "-o", out, "--threads", "1", "-q"]
        show("gnd", method, run(words + (["--set", f"epochs_alone={EPOCHS}"] if has_epochs(method) else [])))
    if peer and not kind.endswith("-words"):
        used = run([sys.executable, os.path.join(ROOT, "bench", "peers", "diffusion.py"), path, known_path, out])
        show("scikit-network", "DiffusionClassifier", used, used[3].strip())
    os.unlink(out)


def main():
    folder, millions, kinds, methods, peer = sys.argv[1:]
    os.makedirs(folder, exist_ok=True)
    for kind in kinds.split(","):
        for million in map(int, millions.split(",")):
            measure(folder, graph_make(folder, kind, million), kind, methods.split(","), peer == "yes")


if __name__ == "__main__":
    main()
