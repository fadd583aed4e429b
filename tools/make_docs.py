#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Write docs/models.md from what `gnd methods --json` says, or check that it is up to date.

    tools/make_docs.py GND            print the page
    tools/make_docs.py GND --check    exit 1 if docs/models.md is another one
"""
import json
import os
import subprocess
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
PAGE = os.path.join(ROOT, "docs", "models.md")


def ask(gnd, *args):
    return json.loads(subprocess.run([gnd, "methods", *args, "--json"], check=True, text=True,
                                     stdout=subprocess.PIPE).stdout)


def table(head, rows):
    lines = ["| " + " | ".join(head) + " |", "|" + "---|" * len(head)]
    for row in rows:
        lines.append("| " + " | ".join(cell.replace("|", "\\|") for cell in row) + " |")
    return lines


def setting(s):
    return [f"`{s['name']}`", s["default"], s["range"], s["meaning"]]


def source(name):
    """The file of a method; the labeller has a folder of its own."""
    path = f"src/model/methods/{name.replace('-', '_')}.c"
    return path if os.path.exists(os.path.join(ROOT, path)) else "src/label/label.c"


def page(gnd):
    methods = [ask(gnd, m["name"]) for m in ask(gnd)["methods"]]
    same = [s for s in methods[0]["settings"] if all(s in m["settings"] for m in methods)]
    head = ["setting", "default", "range", "meaning"]
    lines = ["# Methods and their settings", "",
             "Made from `gnd methods` by `make docs`. A setting is given as `--set name=value`, a preset as",
             "`--preset name`; the file of a method, `src/model/methods/NAME.c`, has its formula with shapes."]
    if same:
        lines += ["", "## Settings that are alike in all methods", ""] + table(head, map(setting, same))
    for m in methods:
        lines += ["", f"## {m['name']}: {m['title']}", "",
                  f"{m['paper']}, `{source(m['name'])}`", "", f"    {m['formula']}", ""]
        lines += table(head, [setting(s) for s in m["settings"] if s not in same])
        if m["presets"]:
            lines += [""] + table(["preset", "meaning"], [[f"`{p['name']}`", p["meaning"]] for p in m["presets"]])
        if m["datasets"]:
            lines += [""] + table(["data set", "the authors' settings there, applied by default"],
                                  [[d["name"], f"`{d['settings']}`"] for d in m["datasets"]])
    return "\n".join(lines) + "\n"


def main():
    if len(sys.argv) not in (2, 3):
        sys.exit(__doc__)
    text = page(sys.argv[1])
    if sys.argv[2:] != ["--check"]:
        sys.stdout.write(text)
        return 0
    with open(PAGE, encoding="utf-8") as f:
        if f.read() == text:
            print("docs/models.md: ok")
            return 0
    print("docs/models.md is not what `gnd methods` says; `make docs` writes it anew")
    return 1


if __name__ == "__main__":
    sys.exit(main())
