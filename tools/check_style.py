#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The rules of CONTRIBUTING.md that a machine can check; prints each breach, exits 1 if there is one.

Every source: a licence line, at most 600 lines (the public header 1500), no tab, no blank at the end of a
line, nothing left to do. C: 100 columns, functions fit a screen of 60 lines, goto leads to `out` only.
Scripts: 120 columns.
"""
import os
import re
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
FOLDERS = ["include", "src", "tests", "examples", "fuzz", "bench", "tools", "cmake", "python"]
FILES = ["Makefile", "CMakeLists.txt", ".ci/run"]
SUFFIXES = (".c", ".h", ".def", ".sh", ".py", ".cmake", "CMakeLists.txt")
MAX_LINES, MAX_FUNCTION = 600, 60
MAX_HEADER = 1500  # the public header is one file
FILE_NAME = re.compile(r"(?<![\w/.*])((?:[a-z_]+/)+[A-Za-z_0-9-]+\.(?:c|h|def|md))\b(?! *>)")
LATER = re.compile(r"\b(TO" r"DO|FIX" r"ME|XX" r"X)\b")


def sources():
    yield from FILES
    for folder in FOLDERS:
        for at, _, names in os.walk(os.path.join(ROOT, folder)):
            for name in sorted(names):
                if name.endswith(SUFFIXES):
                    yield os.path.relpath(os.path.join(at, name), ROOT)


def long_functions(lines):
    start = 0
    for k, line in enumerate(lines, 1):
        if line == "{":
            start = k
        elif line == "}" and start:
            if k - start + 1 > MAX_FUNCTION:
                yield start, f"a function of {k - start + 1} lines, more than {MAX_FUNCTION}"
            start = 0


def breaches(path):
    with open(os.path.join(ROOT, path), encoding="utf-8") as f:
        lines = f.read().split("\n")
    if "SPDX-License-Identifier: MIT" not in "".join(lines[:2]):
        yield 1, "no SPDX line"
    most = MAX_HEADER if path == "include/gnd.h" else MAX_LINES
    if len(lines) - 1 > most:
        yield len(lines) - 1, f"more than {most} lines"
    is_c = path.endswith((".c", ".h"))
    columns = 100 if is_c else 120
    for k, line in enumerate(lines, 1):
        if len(line) > columns:
            yield k, f"{len(line)} columns, more than {columns}"
        if line != line.rstrip():
            yield k, "blanks at the end"
        if "\t" in line and path != "Makefile":
            yield k, "a tab"
        if LATER.search(line):
            yield k, "something left to do"
        if is_c and re.search(r"\bgoto (?!out;)", line):
            yield k, "goto other than to out"
        for name in FILE_NAME.findall(line) if path.startswith(("src/", "include/")) else []:
            if not any(os.path.exists(os.path.join(ROOT, at, name)) for at in ("", "src", "tests")):
                yield k, f"names {name}, which is not there"
    if is_c:
        yield from long_functions(lines)


def main():
    bad = count = 0
    for path in sources():
        count += 1
        for line, what in breaches(path):
            print(f"{path}:{line}: {what}")
            bad += 1
    print(f"style: {bad} breaches in {count} files" if bad else f"style: ok, {count} files")
    return 1 if bad or not count else 0


if __name__ == "__main__":
    sys.exit(main())
