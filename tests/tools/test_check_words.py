#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""tools/check_words.py finds private words in prose and leaves code alone; ends with "N passed, M failed"."""
import os
import subprocess
import sys
import tempfile

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
CHECK = os.path.join(ROOT, "tools", "check_words.py")

# file name, content, lines that must be reported
CASES = [
    ("a.md", "Classes grow in vain.\n", [1]),
    ("a.md", "The fits\ngrow in\nvain.\n", [2]),
    ("a.md", "Give 5 labels a class.\nGive 5 labels per class.\n", [1]),
    ("a.md", "It keeps each training.\nIt keeps each training run, and each training label.\n", [1]),
    ("a.md", "```\nlabels a class, the surer half\n```\nlabels a class\n", [4]),
    ("a.md", "Output:\n\n    accuracy of the surer half\n\nThe surer half.\n", [5]),
    ("a.md", "The old name is `strangers`, and\nstrangers is a private word.\n", [2]),
    ("a.md", "1. A list\n   that goes on\n", [2]),
    ("a.c", "/* Rows that\n * are heard. */\nint heard;\n", [2]),
    ("a.c", "int f(int heard) { return heard; } // nobody\n", [1]),
    ("a.c", "const char *s = \"labels a \"\n                \"class\";\n", [1]),
    ("a.c", "const char *s = \"labels a\"; int class;\n", []),
    ("a.c", "/* a comment */ int told = '\"'; /* and another */\n", []),
    ("a.md", "A label per class, a training step, numeric features: all clear.\n", []),
]


def lines_found(name, text):
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, name)
        with open(path, "w", encoding="utf-8") as f:
            f.write(text)
        done = subprocess.run([sys.executable, CHECK, path], stdout=subprocess.PIPE, text=True, check=False)
        found = [int(line[len(path) + 1:].split(":")[0]) for line in done.stdout.split("\n") if line.startswith(path)]
        return found if done.returncode == (1 if found else 0) else None


def main():
    passed = failed = 0
    for name, text, expected in CASES:
        found = lines_found(name, text)
        if found == expected:
            passed += 1
        else:
            failed += 1
            print(f"FAIL {name} {text!r}: expected lines {expected}, got {found}")
    print(f"{passed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
