#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Write the tables and figures of docs/claims.md from the training runs in results/. The data sets are not needed.

    tools/make_claims.py GND             replace the tables in docs/claims.md, write docs/claims/*.csv and *.svg
    tools/make_claims.py GND --check     exit 1 if one of them is another one

A table stands between the lines "<!-- table NAME -->" and "<!-- end -->". Each is a comparison of stored runs by
`gnd compare --results results`; the CSV file of its name has the same figures.
"""
import csv
import io
import os
import re
import subprocess
import sys
import tempfile

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
PAGE = os.path.join(ROOT, "docs", "claims.md")
FOLDER = os.path.join(ROOT, "docs", "claims")
DATASETS = ["cora", "citeseer", "pubmed", "cora_ml", "amazon_computers", "amazon_photo"]
ALPHAS = ["learned", "uniform", "ppr", "heat", "simplex"]
DEPTHS = "1,2,3,4,5,6,8,10,12,16,20"
HOPS = "1,2,3,5,10,20,30,50"
POWERS = "1,2,3,5,10,20,50,100,200,500,1000"
GND = ""


def compare(*args):
    """Rows of `gnd compare` as dictionaries, those that have training runs only."""
    run = subprocess.run([GND, "compare", *args, "--results", "results", "--format", "csv", "-q"], cwd=ROOT, check=False,
                         stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    if run.returncode:
        sys.exit(run.stderr.decode().strip())
    return [row for row in csv.DictReader(io.StringIO(run.stdout.decode())) if int(row["splits"]) > 0]


def cell(row):
    return f"{float(row['mean']):.1f} ± {float(row['std']):.1f}" if row else "-"


def markdown(heading, rows):
    lines = ["| " + " | ".join(heading) + " |", "|" + "---|" * len(heading)]
    return "\n".join(lines + ["| " + " | ".join(row) + " |" for row in rows]) + "\n"


def save(folder, name, rows):
    with open(os.path.join(folder, name + ".csv"), "w", encoding="utf-8", newline="") as f:
        out = csv.DictWriter(f, rows[0].keys() if rows else ["dataset"], lineterminator="\n")
        out.writeheader()
        out.writerows(rows)


def key(row):
    return row["dataset"], int(row["labels_per_class"])


def signed_difference(rows, first):
    """{(data set, labels): (difference, low, high) of the first variant minus the other} from rows of two variants."""
    out = {}
    for row in rows:
        if row["difference"]:
            d, low, high = (float(row[k]) for k in ("difference", "difference_low", "difference_high"))
            out[key(row)] = (d, low, high) if row["variant"] == first else (-d, -high, -low)
    return out


def variants(folder, name, methods, vary, first, others, *how):
    """Means of the variants of a setting, and how the first differs from each of the others, split by split."""
    rows = compare(*DATASETS, "--methods", methods, "--vary", f"{vary}={','.join([first, *others])}",
                   "--labels-per-class", "1-5", "--splits", "30", *how)
    save(folder, name, rows)
    means = {(key(r), r["variant"]): r for r in rows}
    pairs = {other: signed_difference(compare(*DATASETS, "--methods", methods, "--vary", f"{vary}={first},{other}",
                                              "--labels-per-class", "1-5", "--splits", "30", "--paired", *how),
                                      f"{vary}={first}") for other in others}
    table, tally = [], {other: [0, 0, 0] for other in others}
    for k in sorted({key(r) for r in rows}, key=lambda k: (DATASETS.index(k[0]), k[1])):
        line = [k[0], str(k[1])] + [cell(means.get((k, f"{vary}={v}"))) for v in [first, *others]]
        for other in others:
            if k not in pairs[other]:
                line.append("-")
                continue
            d, low, high = pairs[other][k]
            line.append(f"{d:+.1f} ({low:+.1f} to {high:+.1f})")
            tally[other][0 if low > 0 else 2 if high < 0 else 1] += 1
        table.append(line)
    heading = ["data set", "labels", first, *others] + [f"{first} − {other}" for other in others]
    sums = [f"{first} is better than {o} in {t[0]} of {sum(t)} cells, worse in {t[2]}, and in {t[1]} the interval "
            f"includes 0." for o, t in tally.items()]
    return markdown(heading, table) + "\n" + "\n".join("* " + s for s in sums) + "\n"


def methods_table(folder, name, first, others, *how):
    """Means of methods, and how the first differs from each other one, split by split."""
    rows = compare(*DATASETS, "--methods", ",".join([first, *others]), "--labels-per-class", "1-5", "--splits", "30", *how)
    save(folder, name, rows)
    means = {(key(r), r["method"]): r for r in rows}
    pairs = {}
    for other in others:
        pairs[other] = {}
        for r in compare(*DATASETS, "--methods", f"{first},{other}", "--labels-per-class", "1-5", "--splits", "30",
                         "--paired", *how):
            if r["difference"]:
                d, low, high = (float(r[k]) for k in ("difference", "difference_low", "difference_high"))
                pairs[other][key(r)] = (d, low, high) if r["method"] == other else (-d, -high, -low)
    table, tally = [], {other: [0, 0, 0] for other in others}
    for k in sorted({key(r) for r in rows}, key=lambda k: (DATASETS.index(k[0]), k[1])):
        if not any((k, other) in means for other in others):
            continue
        line = [k[0], str(k[1])] + [cell(means.get((k, m))) for m in [first, *others]]
        for other in others:
            d, low, high = pairs[other].get(k, (0, 0, 0))
            line.append(f"{d:+.1f} ({low:+.1f} to {high:+.1f})" if k in pairs[other] else "-")
            if k in pairs[other]:
                tally[other][0 if low > 0 else 2 if high < 0 else 1] += 1
        table.append(line)
    heading = ["data set", "labels", first, *others] + [f"{other} − {first}" for other in others]
    sums = [f"{o} is better than {first} in {t[0]} of {sum(t)} cells, worse in {t[2]}, and in {t[1]} the interval "
            f"includes 0." for o, t in tally.items()]
    return markdown(heading, table) + "\n" + "\n".join("* " + s for s in sums) + "\n"


def text_recipe(folder):
    """The published means beside the authors' code and their text."""
    how = ["--methods", "gnd-slp", "--labels-per-class", "1-5", "--splits", "30", "--graph", "raw"]
    code = {key(r): r for r in compare(*DATASETS, *how)}
    text = {key(r): r for r in compare(*DATASETS, *how, "--preset", "text")}
    save(folder, "text", [dict(r, variant="preset=text") for r in text.values()])
    rows = []
    near = [0, 0]
    for k, t in text.items():
        rows.append([k[0], str(k[1]), f"{float(t['published']):.1f} ± {float(t['published_std']):.1f}"]
                    + [f"{cell(r[k])} ({float(r[k]['standard_errors']):+.1f})" for r in (code, text)])
        near = [n + (abs(float(r[k]["standard_errors"])) <= 2) for n, r in zip(near, (code, text))]
    return (markdown(["data set", "labels", "published", "the authors' code", "their text"], rows)
            + f"\nIn brackets: distance from the published mean in standard errors of the difference. Near are {near[0]} "
            f"of {len(rows)} cells by the code and {near[1]} by the text.\n")


def depth(folder):
    """Accuracy against depth; the figures of gcn, jknet, sgc and gnd-slp."""
    lines = []
    for dataset in ("cora", "citeseer"):
        for labels in ("1", "5"):
            how = ["--labels-per-class", labels, "--splits", "10", "--graph", "std", "--rule", "common"]
            for method, vary in (("gcn", "layers=" + DEPTHS), ("jknet", "layers=" + DEPTHS), ("sgc", "hops=" + POWERS),
                                 ("gnd-slp", "hops=" + HOPS)):
                lines += compare(dataset, "--methods", method, "--vary", vary, *how)
    save(folder, "depth", lines)
    depths = [1, 2, 3, 5, 10, 20, 50, 100, 1000]
    found = {(r["dataset"], r["labels_per_class"], r["method"], int(r["variant"].split("=")[1])): r for r in lines}
    rows = []
    for dataset, labels, method in sorted({k[:3] for k in found}):
        rows.append([dataset, labels, method] + [f"{float(found[k]['mean']):.1f}" if k in found else "-"
                                                 for k in ((dataset, labels, method, d) for d in depths)])
    return markdown(["data set", "labels", "method", *map(str, depths)], rows)


def seconds(folder):
    """CPU seconds and epochs per training run, from the paper's tables."""
    rows = compare(*DATASETS, "--methods", "gnd-slp,gnd-mlp,gnd-ds,gnd-rnn,gnd-attn", "--labels-per-class", "5",
                   "--splits", "30", "--graph", "raw")
    save(folder, "epochs", rows)
    found = {(r["method"], r["dataset"]): r for r in rows}
    methods = list(dict.fromkeys(r["method"] for r in rows))
    return markdown(["method", *DATASETS], [[m] + [f"{float(found[m, d]['epochs']):.0f}" if (m, d) in found else "-"
                                                   for d in DATASETS] for m in methods])


def tables(folder):
    return {
        "alpha-raw": variants(folder, "alpha-raw", "gnd-slp", "alpha", "learned", ALPHAS[1:], "--graph", "raw"),
        "alpha-std": variants(folder, "alpha-std", "gnd-slp", "alpha", "learned", ALPHAS[1:], "--graph", "std"),
        "depth": depth(folder),
        "variants-raw": methods_table(folder, "variants-raw", "gnd-slp", ["gnd-mlp", "gnd-ds"], "--graph", "raw"),
        "text": text_recipe(folder),
        "epochs": seconds(folder),
        "future-raw": methods_table(folder, "future-raw", "gnd-slp", ["gnd-rnn", "gnd-attn"], "--graph", "raw"),
        "future-std": methods_table(folder, "future-std", "gnd-slp", ["gnd-rnn", "gnd-attn"], "--graph", "std"),
    }


def figures(folder):
    for dataset in ("cora", "citeseer"):
        for labels in ("1", "5"):
            plot(folder, "depth", "depth.csv", f"depth-{dataset}-{labels}.svg", "--data", dataset,
                 "--labels-per-class", labels)
    for dataset in ("cora", "citeseer", "cora_ml"):
        plot(folder, "accuracy", "alpha-raw.csv", f"alpha-{dataset}.svg", "--data", dataset)


def plot(folder, kind, source, target, *args):
    run = subprocess.run([GND, "plot", kind, os.path.join(folder, source), "-o", os.path.join(folder, target), "-q", *args],
                         cwd=ROOT, check=False, stderr=subprocess.PIPE)
    if run.returncode:
        sys.exit(run.stderr.decode().strip())


def page(texts):
    """docs/claims.md with these tables."""
    with open(PAGE, encoding="utf-8") as f:
        text = f.read()

    def replace(m):
        if m[1] not in texts:
            sys.exit(f"docs/claims.md: there is no table {m[1]}")
        return f"<!-- table {m[1]} -->\n{texts[m[1]]}<!-- end -->\n"
    return re.sub(r"<!-- table (\S+) -->\n.*?<!-- end -->\n", replace, text, flags=re.S)


def check(folder, text):
    bad = []
    with open(PAGE, encoding="utf-8") as f:
        bad += [] if f.read() == text else ["docs/claims.md"]
    for name in sorted(set(os.listdir(folder)) | set(os.listdir(FOLDER))):
        try:
            with open(os.path.join(folder, name), "rb") as a, open(os.path.join(FOLDER, name), "rb") as b:
                bad += [] if a.read() == b.read() else ["docs/claims/" + name]
        except FileNotFoundError:
            bad.append("docs/claims/" + name)
    for name in bad:
        print(f"{name} is not what results/ says; `make claims` writes it anew")
    print("docs/claims.md: ok" if not bad else "docs/claims.md: differs")
    return 1 if bad else 0


def main():
    global GND
    if len(sys.argv) not in (2, 3) or sys.argv[2:] not in ([], ["--check"]):
        sys.exit(__doc__)
    GND = os.path.abspath(sys.argv[1])
    if sys.argv[2:]:
        with tempfile.TemporaryDirectory() as folder:
            text = page(tables(folder))
            figures(folder)
            return check(folder, text)
    os.makedirs(FOLDER, exist_ok=True)
    text = page(tables(FOLDER))
    figures(FOLDER)
    with open(PAGE, "w", encoding="utf-8") as f:
        f.write(text)
    return 0


if __name__ == "__main__":
    sys.exit(main())
