#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Count bare numbers in the code of src/label that may decide something; fail if there are more than MOST.

Such a number belongs in src/label/constants.def, with its meaning and how it was chosen. Not counted: 0, 1, 2, 0.5,
100 (percent), numbers in comments, texts and settings (GND_HP_...), sizes of buffers and blocks (enum), seeds and
streams of random numbers, named guards of one file (static const). At most DECIDING constants may decide results;
those in the block "guards and limits" are counted apart. Also checks that every constant is used, and has a meaning and
an origin; and that docs/notes.md lists the code and severity of every note of the program.
"""
import glob
import os
import re
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
MOST = 15
DECIDING = 40
LIMITS = "/* ---- guards and limits"
ALLOWED = {"0", "1", "2", "0.5", "100"}
SKIP = re.compile(r'/\*.*?\*/|"(?:\\.|[^"\\])*"|\'(?:\\.|[^\'\\])*\'|^\s*#[^\n]*|\benum \{[^{}]*\}'
                  r'|^static const \w+ \w+ = [^;]*;|\bgnd_(?:rng|hash)_\w+\(|^    char \w+\[\d+\]', re.S | re.M)
SETTINGS = re.compile(r"static const gnd_hparam hparams.*?\n};", re.S)
NUMBER = re.compile(r"(?<![\w.])(\d+\.?\d*(?:[eE][-+]?\d+)?)[fLuU]*(?![\w.])")
CONSTANT = re.compile(r'^[CN]\((\w+),\s*([^,]+),\s*((?:"[^"]*"\s*)+),\s*((?:"[^"]*"\s*)+)\)', re.M)


def numbers(path):
    with open(path, encoding="utf-8") as f:
        text = SETTINGS.sub("", f.read())
    blank = SKIP.sub(lambda m: re.sub(r"[^\n]", " ", m[0]), text)
    for m in NUMBER.finditer(blank):
        if m[1] not in ALLOWED:
            yield blank.count("\n", 0, m.start()) + 1, m[1]


def unlisted_notes(root):
    """Codes of notes that docs/notes.md does not list with their severity."""
    with open(os.path.join(root, "docs", "notes.md"), encoding="utf-8") as f:
        listed = set(re.findall(r"^\| `(\w+)` \| (note|warning) \|", f.read(), re.M))
    for path in glob.glob(os.path.join(root, "src", "*", "*.c")):
        with open(path, encoding="utf-8") as f:
            text = f.read()
        for severity, code in re.findall(r'GND_(NOTE|WARNING),\s*"(\w+)"', text):
            if (code, severity.lower()) not in listed:
                yield code
        for code in re.findall(r'note_count\(\w+, "(\w+)"', text):
            if (code, "note") not in listed:
                yield code


def main():
    folder = os.path.join(sys.argv[1] if len(sys.argv) > 1 else ROOT, "src", "label")
    files = sorted(glob.glob(os.path.join(folder, "*.[ch]")))
    found = [(os.path.basename(p), line, n) for p in files for line, n in numbers(p)]
    bad = len(found) > MOST
    if bad:
        for name, line, n in found:
            print(f"src/label/{name}:{line}: {n}")
    path = os.path.join(folder, "constants.def")
    text = open(path, encoding="utf-8").read() if os.path.exists(path) else ""
    named = CONSTANT.findall(text)
    deciding = len(CONSTANT.findall(text.split(LIMITS)[0]))
    bad = bad or deciding > DECIDING
    code = "".join(open(p, encoding="utf-8").read() for p in files)
    for name, _, meaning, chosen in named:
        if not re.search(rf"\b{name}\b", code) or len(meaning) < 10 or len(chosen) < 5:
            print(f"constants.def: {name} is not used, or lacks a meaning or an origin")
            bad = True
    for code in unlisted_notes(ROOT) if len(sys.argv) == 1 else []:
        print(f"docs/notes.md: does not list the note {code}")
        bad = True
    print(f"constants: {deciding} decide, at most {DECIDING}; {len(named) - deciding} guards and limits; "
          f"{len(found)} bare numbers in src/label, at most {MOST}")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
