# SPDX-License-Identifier: MIT
"""The package with nothing but NumPy: import, label, save, load. Exits 1 if something is wrong."""
import os
import sys
import tempfile

import numpy as np

import gnd

optional = [m for m in ("scipy", "sklearn", "pandas", "narwhals", "networkx", "torch", "matplotlib", "tqdm")
            if m in sys.modules]
assert not optional, f"import gnd imports {optional}"
g = gnd.load("karate")
assert g.n_nodes == 34
model = gnd.NodeClassifier().fit(g, {"1": "Hi", "34": "Officer"})
assert model.labels_[1] == "Hi" and model.labels_[32] == "Officer"
assert np.allclose(model.predict_proba().sum(axis=1), 1, atol=1e-5)
assert gnd.label(np.eye(4)[[1, 0, 3, 2]], [5, -1, 7, -1]).tolist() == [5, 5, 7, 7]
assert len(gnd.compare(g, methods=["ls"], labels_per_class=2, splits=2, frame="records")) == 1
with tempfile.TemporaryDirectory() as folder:
    path = os.path.join(folder, "m.safetensors")
    model.save(path)
    assert gnd.NodeClassifier.load(path).predict(g).shape == (34,)
try:
    g.adjacency
except ImportError as e:
    assert "pip install scipy" in str(e)
print(f"ok Python {sys.version.split()[0]}, NumPy {np.__version__}, gnd {gnd.__version__}")
