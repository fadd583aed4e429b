# SPDX-License-Identifier: MIT
"""A tour of the Python package on the bundled graph of Debian packages.

    pip install gnd scipy pandas
    python examples/tutorial.py

Every step prints what it found. The tests run this file.
"""
import os
import tempfile

import numpy as np

import gnd


def main():
    # 1. A graph. gnd.load reads files and data sets; any scipy.sparse or NumPy adjacency matrix works as well.
    graph = gnd.load("debian")
    print(graph)
    adjacency, words, section = graph.adjacency, graph.features, graph.labels

    # 2. Which packages should a person label first? No labels are needed for that.
    first = gnd.suggest(adjacency, n=12, features=words)
    print("label first:", ", ".join(graph.ids[s.vertex] for s in first[:4]), "...")

    # 3. A few labels: five packages of each section, as if a person had labelled them; None means no label.
    rng = np.random.default_rng(0)
    known = np.full(len(section), None, dtype=object)
    for name in graph.class_names:
        chosen = rng.permutation(np.flatnonzero(section == name))[:5]
        known[chosen] = name

    # 4. Label everything. No settings, no validation set; about half a second.
    model = gnd.NodeClassifier().fit(adjacency, known, features=words)
    print(f"accuracy on the other packages: {model.score(None, section):.3f}")
    for note in model.notes_:
        print(note)

    # 5. Probabilities, and what to label next.
    confidence = model.predict_proba().max(axis=1)
    print(f"{(confidence > 0.9).sum()} packages have a label with a probability above 0.9")
    print("label next:", graph.ids[model.suggest(1)[0].vertex])

    # 6. At most one label in five wrong: uncertain packages stay without a label.
    careful = gnd.NodeClassifier(abstain=0.2).fit(adjacency, known, features=words)
    given = np.array([label is not None for label in careful.labels_])
    print(f"with abstain=0.2: {given.sum()} packages labelled")

    # 7. A graph neural network of the paper, with settings; gnd.methods("gnd-slp") lists them.
    network = gnd.NodeClassifier("gnd-slp", hops=10, epochs_alone=50, random_state=0)
    network.fit(adjacency, known, features=words)
    print(f"gnd-slp: accuracy {network.score(None, section):.3f}, first hop {network.hop_weights_[0]:.2f}")

    # 8. Save it, load it, predict on a graph that has grown by a package.
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "sections.safetensors")
        network.save(path)
        loaded = gnd.NodeClassifier.load(path)
    n = adjacency.shape[0]
    grown = adjacency.copy()
    grown.resize((n + 1, n + 1))
    grown = grown.tolil()
    grown[n, 0] = 1  # the new package depends on the first one
    more_words = words.copy()
    more_words.resize((n + 1, words.shape[1]))
    print("the new package:", loaded.predict(grown.tocsr(), features=more_words)[-1])

    # 9. Compare methods on the same splits.
    rows = gnd.compare(graph, methods=["auto", "ls", "sgc"], labels_per_class=5, splits=2, frame="records")
    for row in rows:
        print(f"{row['method']:6} {row['accuracy']:.3f}")


if __name__ == "__main__":
    main()
