#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""tools/debian_graph.py on an index made here; the bundled data against what their README says."""
import csv
import hashlib
import lzma
import os
import re
import struct
import subprocess
import sys
import tempfile
import zipfile

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
SCRIPT = os.path.join(ROOT, "tools", "debian_graph.py")
passed = failed = 0


def check(what, ok):
    global passed, failed
    if ok:
        passed += 1
    else:
        failed += 1
        print("FAIL", what)


def load(path):
    """The arrays of an npz file as lists."""
    out = {}
    with zipfile.ZipFile(path) as z:
        for name in z.namelist():
            raw = z.read(name)
            size = struct.unpack("<H", raw[8:10])[0]
            head, body = raw[10:10 + size].decode(), raw[10 + size:]
            assert (10 + size) % 64 == 0 and "'fortran_order': False" in head
            kind = re.search(r"'descr': '<(\w)(\d+)'", head)
            width = int(kind.group(2))
            if kind.group(1) == "U":
                text = body.decode("utf-32-le")
                values = [text[i:i + width].rstrip("\0") for i in range(0, len(text), width)]
            else:
                code = {"i4": "i", "i8": "q", "f4": "f"}[kind.group(1) + kind.group(2)]
                values = list(struct.unpack("<%d%s" % (len(body) // width, code), body))
            out[name[:-4]] = values
    return out


def rows(a, stem):
    ptr, index = a[stem + "_indptr"], a[stem + "_indices"]
    return [index[ptr[i]:ptr[i + 1]] for i in range(len(ptr) - 1)]


def edges(a):
    return {(i, j) for i, row in enumerate(rows(a, "adj")) for j in row}


def well_formed(a):
    e = edges(a)
    return (all((j, i) in e and i != j for i, j in e) and len(e) == len(a["adj_indices"]) and
            all(r == sorted(set(r)) for r in rows(a, "adj") + rows(a, "attr")) and
            set(a["adj_data"]) == {1.0} and set(a["attr_data"]) == {1.0} and
            a["adj_shape"] == [len(a["labels"])] * 2 and
            a["attr_shape"] == [len(a["labels"]), len(a["attr_names"])] and
            len(a["node_names"]) == len(a["labels"]))


def connected(a):
    nbr, seen, todo = rows(a, "adj"), {0}, [0]
    while todo:
        for j in nbr[todo.pop()]:
            if j not in seen:
                seen.add(j)
                todo.append(j)
    return len(seen) == len(nbr)


def hidden_words_stay_out(a):
    tokens = set(re.findall(r"[a-z]{3,}", " ".join(a["node_names"]))) | set(a["class_names"])
    stems = ("game", "gaming", "graphic", "math", "network", "science", "scientific", "sound")
    return not any(w in tokens or w.startswith(stems) for w in a["attr_names"])


def stanza(name, section, **fields):
    text = (f"Package: {name}\nSection: {section}\nDescription: short of {name}\n"
            f"Description-md5: {name}5\n")
    return text + "".join(f"{k.replace('_', '-')}: {v}\n" for k, v in fields.items()) + "\n"


def synthetic():
    index = stanza("hub", "net", Depends="alpha (>= 1), nosuch | beta, libc6")
    index += stanza("alpha", "games", Recommends="gamma")
    index += stanza("beta", "math")
    index += stanza("gamma", "sound", Pre_Depends="few, libc6")
    index += stanza("delta", "science", Depends="few | hub")      # hub by its alternative
    index += stanza("lone", "graphics") + stanza("other", "admin", Depends="hub")
    for i in range(9):      # nine require `many`: too common to link them
        index += stanza(f"user{i}", "net", Depends="many, hub")
    text = "".join(
        f"Package: {n}\nDescription-md5: {n}5\n"
        f"Description-en: Everyday words\n about alpha network gameplay {n}\n\n"
        for n in ["hub", "alpha", "beta", "gamma", "delta"] + [f"user{i}" for i in range(9)])
    return index, text


def run(*args):
    return subprocess.run([sys.executable, SCRIPT, *args], text=True, stdout=subprocess.PIPE,
                          stderr=subprocess.PIPE)


def test_rules(folder):
    index, text = synthetic()
    p, t, out = (os.path.join(folder, n) for n in ("Packages", "Translation-en", "out.npz"))
    for path, content in ((p, index), (t, text)):
        with open(path, "w", encoding="utf-8") as f:
            f.write(content)
    r = run("--packages", p, "--translation", t, "-o", out)
    check("it runs: " + r.stderr, r.returncode == 0)
    a = load(out)
    names = a["node_names"]
    linked = {tuple(sorted((names[i], names[j]))) for i, j in edges(a)}
    users = [f"user{i}" for i in range(9)]
    check("names are sorted, the lone and the foreign left out",
          names == sorted(["hub", "alpha", "beta", "gamma", "delta"] + users))
    check("links by any field and alternative, and by a rare common need",
          linked == {("alpha", "hub"), ("beta", "hub"), ("alpha", "gamma"), ("delta", "hub"),
                     ("delta", "gamma"), ("gamma", "hub")} | {("hub", u) for u in users})
    check("labels are sections", [a["class_names"][k] for k in a["labels"]][:3] ==
          ["games", "math", "science"])
    check("names and section words are no features",
          a["attr_names"] == ["about", "everyday", "words"])
    check("well formed", well_formed(a))

    with open(out, "rb") as f:
        first = f.read()
    with lzma.open(p + ".xz", "wt", encoding="utf-8") as f:
        f.write(index)
    run("--packages", p + ".xz", "--translation", t, "-o", out)
    with open(out, "rb") as f:
        check("the same index gives the same bytes, packed or not", f.read() == first)
    r = run("--packages", t, "--translation", t, "-o", os.path.join(folder, "none.npz"))
    check("a file that is no index is refused in one sentence",
          r.returncode == 1 and r.stderr.count("\n") == 1 and "Packages" in r.stderr and
          not os.path.exists(os.path.join(folder, "none.npz")))
    check("usage", run().returncode == 2)


def test_bundled():
    path = os.path.join(ROOT, "data", "debian.npz")
    with open(os.path.join(ROOT, "data", "README.md"), encoding="utf-8") as f:
        readme = f.read()
    with open(path, "rb") as f:
        raw = f.read()
    a = load(path)
    n, m = len(a["labels"]), len(a["adj_indices"]) // 2
    same = sum(a["labels"][i] == a["labels"][j] for i, j in edges(a)) / (2 * m)
    line = (f"| debian | {n:,} | {m:,} | {len(a['attr_names']):,} words (present or not) | "
            f"{len(a['attr_indices']):,} | {len(a['class_names'])} ")
    check("README has the hash of debian.npz", hashlib.sha256(raw).hexdigest() in readme)
    check("README has its counts", f"{line}(" in readme and f"| {100 * same:.1f} % |" in readme)
    check("debian is well formed", well_formed(a))
    check("debian is connected", connected(a))
    check("no name token or section word among its features", hidden_words_stay_out(a))
    check("it is small", len(raw) < 400_000)

    folder = os.path.join(ROOT, "data", "karate")
    with open(os.path.join(folder, "edges.csv"), newline="") as f:
        e = [tuple(r) for r in csv.reader(f)][1:]
    with open(os.path.join(folder, "labels.csv"), newline="") as f:
        label = dict(list(csv.reader(f))[1:])
    degree = [sum(str(i) == pair[0] for pair in e) for i in range(1, 35)]
    check("karate: 34 members, 78 friendships, 17 and 17",
          len(label) == 34 and len({frozenset(x) for x in e}) == 78 and
          len(e) == len(set(e)) == 156 and all((j, i) in e for i, j in e) and
          sorted(list(label.values()).count(c) for c in set(label.values())) == [17, 17])
    check("karate: degrees as published",
          degree == [16, 9, 10, 6, 3, 4, 4, 4, 5, 2, 3, 1, 2, 5, 2, 2, 2, 2, 2, 3, 2, 2, 2, 5, 3, 3,
                     2, 4, 3, 4, 4, 6, 12, 17])
    check("karate: the leaders part", label["1"] == "Mr. Hi" and label["34"] == "Officer")


with tempfile.TemporaryDirectory() as tmp:
    test_rules(tmp)
test_bundled()
print(f"{passed} passed, {failed} failed")
sys.exit(1 if failed else 0)
