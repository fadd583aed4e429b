#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Names with external linkage: each is declared in one header, and those of the library start with gnd_.

    tools/check_names.py [LIBRARY]       LIBRARY: an archive whose symbols are looked at too
    tools/check_names.py --parameters    functions that take more than six parameters, and how many there are

Prints each breach; exits 1 if there is one.
"""
import os
import re
import subprocess
import sys
from collections import defaultdict

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
MOST_PARAMETERS = 6
KEYWORDS = {"if", "for", "while", "switch", "return", "sizeof", "defined"}
FUNCTION = re.compile(r"(\w+)\s*\(([^()]*(?:\([^()]*\)[^()]*)*)\)$", re.S)


def headers():
    for folder in ("include", "src"):
        for at, _, names in os.walk(os.path.join(ROOT, folder)):
            for name in sorted(names):
                if name.endswith(".h"):
                    yield os.path.relpath(os.path.join(at, name), ROOT)


def declarations(path):
    """The declarations of a header at file scope, without what is in braces."""
    with open(os.path.join(ROOT, path), encoding="utf-8") as f:
        text = f.read()
    text = re.sub(r"/\*.*?\*/", " ", text, flags=re.S)
    text = re.sub(r"\\\n", " ", text)
    text = re.sub(r"^\s*#.*$", "", text, flags=re.M)
    text = text.replace('extern "C" {', "")
    out, depth = [], 0
    for c in text:
        if c == "{":
            depth += 1
            out.append("{}" if depth == 1 else "")
        elif c == "}":
            depth -= 1
            if depth == 0:
                out.append(" ")
        elif depth <= 0:
            out.append(c)
    # the body of an inline function ends its declaration; that of a struct does not
    flat = re.sub(r"\)\s*\{\}", ") ;", "".join(out))
    for part in flat.split(";"):
        part = " ".join(re.sub(r"__attribute__\s*\(\(.*?\)\)(?!\))", "", part, flags=re.S).split())
        if part:
            yield part


def types(path):
    for d in declarations(path):
        if d.startswith("typedef "):
            function = re.search(r"\(\s*\*\s*(\w+)\s*\)|(\w+)\s*\(", d)
            yield (function.group(1) or function.group(2) if function
                   else re.findall(r"\w+", re.sub(r"\[.*?\]", "", d))[-1])


def functions(path):
    """Name, number of parameters and whether it has internal linkage."""
    for d in declarations(path):
        if d.startswith(("typedef ", "extern const ", "extern ")) or "=" in d:
            continue
        m = FUNCTION.search(d)
        if m and m.group(1) not in KEYWORDS and re.match(r"[\w ]+[ *]", d[:m.start()] + " "):
            args = re.sub(r"\([^()]*\)", "", m.group(2)).strip()
            internal = re.search(r"\b(static|INLINE)\b", d) is not None
            yield m.group(1), 0 if args in ("", "void") else args.count(",") + 1, internal


def declared_twice():
    where = defaultdict(list)
    for path in headers():
        seen = {("type", name) for name in types(path)}
        seen |= {("function", name) for name, _, internal in functions(path)
                 if not internal or name.startswith("gnd_")}
        for key in seen:
            where[key].append(path)
    for (kind, name), paths in sorted(where.items()):
        if len(paths) > 1:
            yield f"{kind} {name} is declared in {' and '.join(paths)}"


def without_prefix():
    for path in headers():
        if path.startswith("src/cli/"):
            continue  # a program, not the library
        for name, _, internal in functions(path):
            if not internal and not name.startswith("gnd_"):
                yield f"{path}: {name} does not start with gnd_"


def symbols_without_prefix(library):
    out = subprocess.run(["nm", "-g", "--defined-only", library], stdout=subprocess.PIPE, check=True).stdout
    for line in out.decode().split("\n"):
        words = line.split()
        if len(words) == 3 and words[1] in "TDBRCV" and not words[2].startswith("gnd_"):
            yield f"{library}: {words[2]} has external linkage and does not start with gnd_"


def parameters():
    n = 0
    for path in headers():
        for name, count, internal in functions(path):
            if count > MOST_PARAMETERS and not internal:
                print(f"{path}: {name} takes {count} parameters")
                n += 1
    print(f"{n} functions with external linkage take more than {MOST_PARAMETERS} parameters")
    return 0


def main(args):
    if args == ["--parameters"]:
        return parameters()
    bad = [*declared_twice(), *without_prefix()]
    for library in args:
        bad += symbols_without_prefix(library)
    for line in bad:
        print(line)
    n = sum(1 for path in headers() for _ in functions(path))
    print(f"names: {len(bad)} breaches" if bad else f"names: ok, {n} functions in headers")
    return 1 if bad or not n else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
