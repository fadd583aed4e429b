#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Make data/debian.npz, a labelled graph of Debian packages, from a Debian package index.

Vertices  packages of the sections games, graphics, math, net, science and sound that lie in the
          largest connected component.
Edges     u - v if one names the other in Depends, Pre-Depends, Recommends, Suggests or Enhances (any
          alternative), or if both require (Depends, Pre-Depends; the first alternative) a package
          that at most eight packages of these sections require. Binary, symmetric, no loops.
Features  words of the description: three letters or more, in at least eight packages. Words that are
          part of the name of a package in the graph, and words made of a section's name, would give
          the answer away and are left out. Binary.
Labels    the section.

The same index gives the same bytes. Needs Python 3.8 and nothing else.
"""
import argparse
import bz2
import collections
import gzip
import hashlib
import itertools
import lzma
import re
import struct
import subprocess
import sys
import zipfile

SECTIONS = ["games", "graphics", "math", "net", "science", "sound"]
# The sections' names and what is made of them: gameplay, graphically, mathematics, soundcard, ...
SECTION_WORD = re.compile(r"(game|gaming|graphic|math|network|scien|sound)|nets?$")
LINK_FIELDS = ["Depends", "Pre-Depends", "Recommends", "Suggests", "Enhances"]
REQUIRE_FIELDS = ["Depends", "Pre-Depends"]
MAX_DEPENDANTS = 8
MIN_PACKAGES = 8


def fail(message):
    sys.exit("debian_graph.py: " + message)


def read(path):
    """Content of a plain, gz, bz2 or xz file; apt's own reader serves the lists apt keeps as lz4."""
    with open(path, "rb") as f:
        raw = f.read()
    if raw[:2] == b"\x1f\x8b":
        return gzip.decompress(raw)
    if raw[:6] == b"\xfd7zXZ\0":
        return lzma.decompress(raw)
    if raw[:3] == b"BZh":
        return bz2.decompress(raw)
    if raw[:4] == b"\x04\x22\x4d\x18":
        return subprocess.run(["/usr/lib/apt/apt-helper", "cat-file", path], check=True,
                              stdout=subprocess.PIPE).stdout
    return raw


def apt_files(codename):
    """Where apt keeps the index, the descriptions and the Release file of a suite."""
    def target(kind):
        out = subprocess.run(
            ["apt-get", "-o", "Acquire::Languages=en", "indextargets", "--format", "$(FILENAME)",
             "Created-By: " + kind, "Codename: " + codename, "Component: main"], check=True, text=True,
            stdout=subprocess.PIPE).stdout.split()
        if not out:
            fail(f"apt holds no {kind} list of {codename}; as root: "
                 "apt-get -o Acquire::Languages=en update")
        return out[0]
    packages = target("Packages")
    stem = re.match(r"(.*_dists_[^_]*_)", packages)
    return packages, target("Translations"), stem.group(1) + "InRelease" if stem else None


def stanzas(text):
    """The paragraphs of a control file as dictionaries; continued lines stay joined by newlines."""
    for block in re.split(r"\n\n+", text):
        fields, key = {}, None
        for line in block.split("\n"):
            if line[:1] in (" ", "\t"):
                if key:
                    fields[key] += "\n" + line[1:]
            elif ":" in line:
                key, _, value = line.partition(":")
                fields[key] = value.strip()
        if fields:
            yield fields


def named(package, fields, first_only):
    """The packages a package names in these fields, itself excepted."""
    out = set()
    for field in fields:
        for clause in package.get(field, "").split(","):
            for choice in clause.split("|")[:1 if first_only else None]:
                m = re.match(r"\s*([a-z0-9][a-z0-9+.-]*)", choice)
                if m:
                    out.add(m.group(1))
    out.discard(package["Package"])
    return out


def words(text):
    return set(re.findall(r"[a-z]{3,}", text.lower()))


def make_edges(packages):
    """Edges (i, j), i < j, between packages given in order."""
    index = {p["Package"]: i for i, p in enumerate(packages)}
    edges, dependants = set(), collections.defaultdict(list)
    for i, p in enumerate(packages):
        for name in named(p, LINK_FIELDS, False):
            j = index.get(name, i)
            if j != i:
                edges.add((min(i, j), max(i, j)))
        for name in named(p, REQUIRE_FIELDS, True):
            dependants[name].append(i)
    for who in dependants.values():
        if len(who) <= MAX_DEPENDANTS:
            edges.update(itertools.combinations(who, 2))
    return edges


def largest_component(n, edges):
    parent = list(range(n))

    def root(i):
        while parent[i] != i:
            parent[i] = parent[parent[i]]
            i = parent[i]
        return i

    for i, j in edges:
        i, j = root(i), root(j)
        parent[max(i, j)] = min(i, j)
    size = collections.Counter(root(i) for i in range(n))
    best = min(size, key=lambda r: (-size[r], r))
    return [i for i in range(n) if root(i) == best]


def csr(rows):
    """indices and indptr of sorted rows."""
    indices, indptr = [], [0]
    for row in rows:
        indices.extend(sorted(row))
        indptr.append(len(indices))
    return indices, indptr


def npy(descr, shape, payload):
    shape = "(" + ", ".join(map(str, shape)) + ("," if len(shape) == 1 else "") + ")"
    head = "{'descr': '%s', 'fortran_order': False, 'shape': %s, }" % (descr, shape)
    head += " " * (-(len(head) + 11) % 64) + "\n"
    return b"\x93NUMPY\x01\x00" + struct.pack("<H", len(head)) + head.encode() + payload


def ints(values, code="i"):
    return npy({"i": "<i4", "f": "<f4", "q": "<i8"}[code], [len(values)],
               struct.pack("<%d%s" % (len(values), code), *values))


def strings(values):
    width = max(map(len, values))
    body = b"".join(v.ljust(width, "\0").encode("utf-32-le") for v in values)
    return npy("<U%d" % width, [len(values)], body)


def write_npz(path, members):
    """A zip archive whose bytes depend on the members only."""
    with zipfile.ZipFile(path, "w") as z:
        for name, body in members:
            info = zipfile.ZipInfo(name + ".npy", (1980, 1, 1, 0, 0, 0))
            info.compress_type = zipfile.ZIP_DEFLATED
            info.external_attr = 0o644 << 16
            info.create_system = 3
            z.writestr(info, body, compresslevel=9)


def build(index_text, translation_text):
    packages = {}
    for p in stanzas(index_text):
        if p.get("Section") in SECTIONS and "Package" in p:
            packages[p["Package"]] = p
    packages = [packages[name] for name in sorted(packages)]
    if not packages:
        fail("no package of the six sections in the index; is it a Packages file of component main?")
    edges = make_edges(packages)
    keep = largest_component(len(packages), edges)
    place = {old: new for new, old in enumerate(keep)}
    edges = sorted((place[i], place[j]) for i, j in edges if i in place)
    nodes = [packages[i] for i in keep]

    long_text = {}
    for t in stanzas(translation_text):
        long_text[t.get("Package"), t.get("Description-md5")] = t.get("Description-en", "")
    hidden = set().union(*(words(p["Package"]) for p in nodes))
    found, missing = [], 0
    for p in nodes:
        text = long_text.get((p["Package"], p.get("Description-md5")))
        missing += text is None
        found.append({w for w in words(text or p.get("Description", "")) - hidden
                      if not SECTION_WORD.match(w)})
    count = collections.Counter(itertools.chain.from_iterable(found))
    vocabulary = sorted(w for w in count if count[w] >= MIN_PACKAGES)
    column = {w: j for j, w in enumerate(vocabulary)}
    rows = [[column[w] for w in f if w in column] for f in found]
    return nodes, edges, vocabulary, rows, missing


def save(path, nodes, edges, vocabulary, rows):
    n = len(nodes)
    linked = [[] for _ in range(n)]
    for i, j in edges:
        linked[i].append(j)
        linked[j].append(i)
    indices, indptr = csr(linked)
    words_at, words_ptr = csr(rows)
    write_npz(path, [
        ("adj_data", ints([1.0] * len(indices), "f")),
        ("adj_indices", ints(indices)),
        ("adj_indptr", ints(indptr)),
        ("adj_shape", ints([n, n], "q")),
        ("attr_data", ints([1.0] * len(words_at), "f")),
        ("attr_indices", ints(words_at)),
        ("attr_indptr", ints(words_ptr)),
        ("attr_shape", ints([n, len(vocabulary)], "q")),
        ("labels", ints([SECTIONS.index(p["Section"]) for p in nodes])),
        ("class_names", strings(SECTIONS)),
        ("node_names", strings([p["Package"] for p in nodes])),
        ("attr_names", strings(vocabulary)),
    ])


def main():
    ap = argparse.ArgumentParser(
        description="Make the graph of Debian packages from a package index of one suite.")
    ap.add_argument("--packages", metavar="FILE", help="Packages file (plain, gz, bz2, xz)")
    ap.add_argument("--translation", metavar="FILE", help="Translation-en file (plain, gz, bz2, xz)")
    ap.add_argument("--release", metavar="FILE", help="Release or InRelease file, for the date")
    ap.add_argument("--apt", metavar="CODENAME",
                    help="take all three from the lists apt has downloaded, e.g. --apt bookworm")
    ap.add_argument("-o", "--output", metavar="FILE", default="data/debian.npz")
    o = ap.parse_args()
    if o.apt:
        o.packages, o.translation, o.release = apt_files(o.apt)
    if not (o.packages and o.translation):
        ap.error("give --packages and --translation, or --apt CODENAME")

    index, translation = read(o.packages), read(o.translation)
    nodes, edges, vocabulary, rows, missing = build(index.decode("utf-8"),
                                                    translation.decode("utf-8"))
    n = len(nodes)
    if len(largest_component(n, edges)) != n:
        fail("the graph is not connected, which is a mistake of this script")
    save(o.output, nodes, edges, vocabulary, rows)

    date = ""
    if o.release:
        m = re.search(r"^Date: *(.*)$", read(o.release).decode("utf-8", "replace"), re.M)
        date = m.group(1) if m else ""
    same = sum(nodes[i]["Section"] == nodes[j]["Section"] for i, j in edges)
    classes = collections.Counter(p["Section"] for p in nodes)
    with open(o.output, "rb") as f:
        made = f.read()
    print("index date         ", date or "not given (--release)")
    print("Packages SHA-256   ", hashlib.sha256(index).hexdigest())
    print("Translation SHA-256", hashlib.sha256(translation).hexdigest())
    print(f"vertices            {n}, connected")
    print(f"edges               {len(edges)}, {same / len(edges):.3f} within a section")
    print(f"words               {len(vocabulary)}, {sum(map(len, rows))} entries, "
          f"{sum(not r for r in rows)} packages without a word, {missing} without long description")
    print("classes            ", ", ".join(f"{s} {classes[s]}" for s in SECTIONS))
    print(f"{o.output}: {len(made)} bytes, SHA-256 {hashlib.sha256(made).hexdigest()}")


if __name__ == "__main__":
    main()
