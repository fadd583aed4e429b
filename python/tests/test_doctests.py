# SPDX-License-Identifier: MIT
"""The examples in docstrings."""
import doctest
import importlib
import pkgutil

import pytest

import gnd

# The library looks like a module, but is none.
MODULES = ["gnd"] + [m.name for m in pkgutil.walk_packages(gnd.__path__, "gnd.") if m.name != "gnd.libgnd"]


@pytest.mark.parametrize("name", MODULES)
def test_examples(name):
    module = importlib.import_module(name)
    failed, _ = doctest.testmod(module, globs={"gnd": gnd}, optionflags=doctest.NORMALIZE_WHITESPACE)
    assert failed == 0


def test_there_are_examples():
    finder = doctest.DocTestFinder()
    n = sum(len(t.examples) for name in MODULES for t in finder.find(importlib.import_module(name)))
    assert n > 10
