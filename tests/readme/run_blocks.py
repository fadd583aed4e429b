#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Run every ```sh block of the given Markdown files, and end with "N passed, M failed".

A ```c block must be the text of examples/label.c, which other tests compile. A ```sh block runs with `sh -e` in
an empty folder with the bundled data, the examples and the header, and with gnd on the PATH. A block that builds,
tests or installs the project itself is not run; only its make targets must exist in the Makefile.
"""
import os
import re
import shutil
import subprocess
import sys
import tempfile

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
BUILD = os.environ.get("GND_BUILD", os.path.join(ROOT, "build"))


def blocks(text, language):
    for m in re.finditer(rf"^```{language}\n(.*?)^```$", text, re.M | re.S):
        yield text.count("\n", 0, m.start()) + 2, m.group(1)


def is_about_the_tree(block):
    return re.search(r"^(sudo )?(make|git|tools/|\.ci/)", block, re.M) is not None


def targets_exist(block, makefile):
    """The first make target of the block that the Makefile does not have, or None."""
    for line in re.findall(r"^(?:sudo )?make\b([^#&|\n]*)", block, re.M):
        for word in line.split():
            if "=" not in word and not word.startswith("-"):
                if not re.search(r"^%s:" % re.escape(word), makefile, re.M):
                    return word
    return None


def run(block):
    with tempfile.TemporaryDirectory() as folder:
        for name in ("data", "examples", "include"):
            shutil.copytree(os.path.join(ROOT, name), os.path.join(folder, name))
        env = dict(os.environ, PATH=BUILD + ":" + os.environ["PATH"], HOME=folder,
                   XDG_CACHE_HOME=folder)
        env.pop("LD_LIBRARY_PATH", None)
        env.pop("GND_DATA", None)
        shared = os.path.join(ROOT, "..", "shared", "data")
        if os.path.isdir(shared):
            env["GND_DATA"] = shared
        os.symlink(BUILD, os.path.join(folder, "build"))
        return subprocess.run(["sh", "-e", "-c", block], cwd=folder, env=env, text=True, timeout=300,
                              stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT)


def header_example():
    """The program in the comment at the top of the public header."""
    with open(os.path.join(ROOT, "include", "gnd.h"), encoding="utf-8") as f:
        comment = f.read().split("examples/label.c:", 1)[1].split("*/", 1)[0]
    return "".join(re.sub(r"^ \*( {5})?", "", line) + "\n" for line in comment.split("\n")[2:-1])


def first_run_output(text):
    """What is wrong with the output of `make run` that the page shows; empty if nothing is. Times
    differ, and so may percentages in their last digits, since kernels add in different orders."""
    shown = re.search(r"output of `make run`: begin -->\n```\n(.*?)```\n<!-- output", text, re.S)
    if not shown:
        return ""
    with tempfile.TemporaryDirectory() as folder:
        os.symlink(os.path.join(ROOT, "data"), os.path.join(folder, "data"))
        os.symlink(BUILD, os.path.join(folder, "build"))
        run = subprocess.run([os.path.join(ROOT, "tools", "first_run.sh"), "build"], cwd=folder, text=True,
                             stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False)
    plain = [re.sub(r"^time .*|[0-9.]+ %", "", t, flags=re.M) for t in (shown.group(1), run.stdout)]
    return "" if run.returncode == 0 and plain[0] == plain[1] else run.stdout


def main(paths):
    passed = failed = 0
    with open(os.path.join(ROOT, "Makefile"), encoding="utf-8") as f:
        makefile = f.read()
    with open(os.path.join(ROOT, "examples", "label.c"), encoding="utf-8") as f:
        example = f.read()
    example = example[example.index("#include"):]
    if header_example() == example:
        passed += 1
    else:
        failed += 1
        print("FAIL include/gnd.h: its example is not the text of examples/label.c")
    for path in paths:
        with open(path, encoding="utf-8") as f:
            text = f.read()
        if "output of `make run`" in text:
            now = first_run_output(text)
            passed, failed = passed + (not now), failed + bool(now)
            if now:
                print(f"FAIL {path}: `make run` now prints\n{now}")
        for line, block in blocks(text, "c"):
            if block == example:
                passed += 1
            else:
                failed += 1
                print(f"FAIL {path}:{line}: not the text of examples/label.c")
        for line, block in blocks(text, "sh"):
            if is_about_the_tree(block):
                unknown = targets_exist(block, makefile)
                why = f"the Makefile has no target {unknown}" if unknown else ""
            else:
                r = run(block)
                why = f"exit {r.returncode}\n{r.stdout}" if r.returncode else ""
            if why:
                failed += 1
                print(f"FAIL {path}:{line}: {why}\n{block}")
            else:
                passed += 1
    print(f"{passed} passed, {failed} failed")
    return 1 if failed or not passed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:] or [os.path.join(ROOT, "README.md")]))
