# SPDX-License-Identifier: MIT
"""The Python examples of README.md and docs/python.md, and the tutorial, run."""
import doctest
import os
import re
import subprocess
import sys

import pytest
from conftest import SOURCE

import gnd

FLAGS = doctest.NORMALIZE_WHITESPACE | doctest.ELLIPSIS


def examples():
    """Each ```python block of a document; blocks of one document share their names."""
    found = []
    for name in ("README.md", os.path.join("docs", "python.md")):
        path = os.path.join(SOURCE, name)
        if os.path.exists(path):
            with open(path, encoding="utf-8") as f:
                blocks = re.findall(r"^```python\n(.*?)^```$", f.read(), re.M | re.S)
            found.append((name, "\n".join(b for b in blocks if ">>>" in b)))
    return [f for f in found if f[1]]


@pytest.mark.parametrize("name, text", examples(), ids=lambda v: v if len(v) < 30 else "")
@pytest.mark.filterwarnings("ignore")
def test_document(name, text, tmp_path, monkeypatch):
    for package in ("pandas", "networkx", "narwhals", "scipy"):
        pytest.importorskip(package)
    monkeypatch.chdir(tmp_path)
    test = doctest.DocTestParser().get_doctest(text, {}, name, name, 0)
    out = []
    failed = doctest.DocTestRunner(optionflags=FLAGS).run(test, out=out.append).failed
    assert failed == 0, "".join(out)


def test_every_public_name_is_documented():
    path = os.path.join(SOURCE, "docs", "python.md")
    if not os.path.exists(path):
        pytest.skip("docs/python.md is not there")
    with open(path, encoding="utf-8") as f:
        text = f.read()
    absent = [name for name in gnd.__all__ if not name.startswith("__") and not re.search(rf"\b{name}\b", text)]
    assert absent == []


def test_tutorial():
    path = os.path.join(SOURCE, "examples", "tutorial.py")
    if not os.path.exists(path):
        pytest.skip("examples/tutorial.py is not there")
    out = subprocess.run([sys.executable, "-W", "error::DeprecationWarning", path], capture_output=True, text=True,
                         timeout=600)
    assert out.returncode == 0, out.stderr
    accuracy = float(re.search(r"accuracy on the other packages: ([0-9.]+)", out.stdout).group(1))
    assert accuracy > 0.6 and "the new package:" in out.stdout
