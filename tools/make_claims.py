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
import json
import os
import re
import subprocess
import sys
import tempfile

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
PAGE = os.path.join(ROOT, "docs", "claims.md")
FOLDER = os.path.join(ROOT, "docs", "claims")
DATASETS = ["cora", "citeseer", "pubmed", "cora_ml", "amazon_computers", "amazon_photo"]
ALPHAS = ["uniform", "ppr", "heat", "simplex"]
DEPTHS = "1,2,3,4,5,6,8,10,12,16,20"
HOPS = "1,2,3,5,10,20,30,50"
POWERS = "1,2,3,5,10,20,50,100,200,500,1000"
DEPTH_LABELS = ("1", "5")
DEPTH_SPLITS = 10
GND = ""


def compare(*args):
    """Rows of `gnd compare` as dictionaries, of complete cells only."""
    n = int(args[args.index("--splits") + 1])
    run = subprocess.run([GND, "compare", *args, "--results", "results", "--format", "csv", "-q"], cwd=ROOT,
                         check=False, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    if run.returncode:
        sys.exit(run.stderr.decode().strip())
    rows = csv.DictReader(io.StringIO(run.stdout.decode()))
    return [row for row in rows if int(row["splits"]) > 0 and int(row["splits"]) + int(row["diverged"]) == n]


def defaults(gnd, method):
    """{setting: default value}"""
    text = subprocess.run([gnd, "methods", method, "--json"], check=True, stdout=subprocess.PIPE).stdout
    return {s["name"]: s["default"] for s in json.loads(text)["settings"]}


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


def difference(row, minus_best):
    """Mean paired difference of a row from the best one with its interval, or of the best one from the row."""
    d, low, high = (float(row[k]) for k in ("difference", "difference_low", "difference_high"))
    return (d, low, high) if minus_best else (-d, -high, -low)


def rivals(folder, name, rows_of, column, first, others):
    """A table of means, and of how each rival differs from the first, split by split.

    rows_of(names, *options) gives the rows of a comparison, `column` the name of a rival in a row."""
    rows = rows_of([first, *others])
    save(folder, name, rows)
    means = {(key(r), r[column]): r for r in rows}
    pairs = {o: {key(r): difference(r, r[column] == o) for r in rows_of([first, o], "--paired") if r["difference"]}
             for o in others}
    table, tally = [], {o: [0, 0, 0] for o in others}
    for k in sorted({key(r) for r in rows if r[column] != first}, key=lambda k: (DATASETS.index(k[0]), k[1])):
        line = [k[0], str(k[1])] + [cell(means.get((k, v))) for v in [first, *others]]
        for o in others:
            d, low, high = pairs[o].get(k, (0, 0, 0))
            line.append(f"{d:+.1f} ({low:+.1f} to {high:+.1f})" if k in pairs[o] else "-")
            if k in pairs[o]:
                tally[o][0 if low > 0 else 2 if high < 0 else 1] += 1
        table.append(line)
    short = [v.split("=")[-1] for v in [first, *others]]
    sums = [f"* {o} is better than {short[0]} in {t[0]} of {sum(t)} cells, worse in {t[2]}; in {t[1]} the interval "
            f"includes 0." for o, t in zip(short[1:], tally.values())]
    heading = ["data set", "labels", *short] + [f"{o} − {short[0]}" for o in short[1:]]
    return markdown(heading, table) + "\n" + "\n".join(sums) + "\n"


def methods_table(folder, name, first, others, graph):
    """So far with 1 and 5 labels on 10 splits."""
    return rivals(folder, name, lambda names, *options: compare(
        *DATASETS, "--methods", ",".join(names), "--labels-per-class", "1,5", "--splits", "10", "--graph", graph,
        *options), "method", first, others)


def alpha_table(folder, name, *how):
    return rivals(folder, name, lambda names, *options: compare(
        *DATASETS, "--methods", "gnd-slp", "--vary", "alpha=" + ",".join(n.split("=")[1] for n in names),
        "--labels-per-class", "1-5", "--splits", "30", *how, *options),
        "variant", "alpha=learned", ["alpha=" + a for a in ALPHAS])


def method_runs(method):
    """Test accuracy in percent of all runs of another GND-Net: {run: accuracy}; each has one configuration so far."""
    out = {}
    for dataset in DATASETS:
        with open(os.path.join(ROOT, "results", dataset + ".csv"), encoding="utf-8", newline="") as f:
            for r in csv.DictReader(f):
                if r["method"] == method and r["split"] == "paper" and r["status"] == "ok":
                    run = (dataset, r["graph"], int(r["labels_per_class"]), int(r["split_seed"]))
                    out[run] = 100 * float(r["test_accuracy"])
    return out


def against_ppr(folder):
    """The other GND-Nets against gnd-slp with fixed PageRank weights."""
    ppr = slp_runs().get((("alpha", "ppr"),), {})
    rows = []
    for method in ("gnd-mlp", "gnd-ds", "gnd-rnn", "gnd-attn"):
        text, n = paired_mean(method_runs(method), ppr, (1, 5))
        rows.append({"method": method, "runs": str(n), "difference": text})
    save(folder, "against-ppr", rows)
    return markdown(["method", "runs", "difference"], [list(r.values()) for r in rows])


def slp_runs():
    """Test accuracy in percent of the runs of gnd-slp: {settings that are not the default: {run: accuracy}}."""
    with open(os.path.join(ROOT, "results", "configs.csv"), encoding="utf-8", newline="") as f:
        configs = {r["config"]: dict(s.split("=") for s in r["settings"].split()) for r in csv.DictReader(f)
                   if r["method"] == "gnd-slp"}
    usual = {"alpha": "learned", "first_hop": "1", "hops": "20"}
    default = min(configs.values(), key=lambda c: (any(c[k] != v for k, v in usual.items()), len(c)))
    out = {}
    for dataset in DATASETS:
        with open(os.path.join(ROOT, "results", dataset + ".csv"), encoding="utf-8", newline="") as f:
            for r in csv.DictReader(f):
                if (r["method"] == "gnd-slp" and r["split"] == "paper" and r["status"] == "ok"
                        and r["seed"] == r["split_seed"]):
                    changed = {k: v for k, v in configs[r["config"]].items() if default.get(k) != v}
                    run = (dataset, r["graph"], int(r["labels_per_class"]), int(r["split_seed"]))
                    out.setdefault(tuple(sorted(changed.items())), {})[run] = 100 * float(r["test_accuracy"])
    return out


FORMS = [("learned, from a random start", {}), ("random, not trained", {"alpha_lr": "0"}),
         ("learned, 1/10 of the step size", {"alpha_lr": "0.1"}),
         ("learned, from uniform weights", {"alpha_start": "uniform"}),
         ("the same, 1/10 of the step size", {"alpha_start": "uniform", "alpha_lr": "0.1"}),
         ("the same, 1/100 of the step size", {"alpha_start": "uniform", "alpha_lr": "0.01"}),
         ("learned, from PageRank's weights", {"alpha_start": "ppr"}),
         ("the same, 1/10 of the step size", {"alpha_start": "ppr", "alpha_lr": "0.1"}),
         ("the same, 1/100 of the step size", {"alpha_start": "ppr", "alpha_lr": "0.01"}),
         ("learned, positive with sum 1", {"alpha": "simplex"}), ("PageRank's weights, fixed", {"alpha": "ppr"}),
         ("heat, fixed", {"alpha": "heat"})]


def paired_mean(a, b, labels):
    """"-2.83 ± 0.59": mean difference of the runs in both on splits 1 to 10, with its standard error."""
    d = [a[run] - b[run] for run in a if run in b and run[2] in labels and run[3] <= 10]
    if len(d) < 2:
        return "-", 0
    mean = sum(d) / len(d)
    error = (sum((x - mean) ** 2 for x in d) / (len(d) - 1) / len(d)) ** 0.5
    return f"{mean:+.2f} ± {error:.2f}", len(d)


def alpha_forms(folder):
    """What learned weights need to be as good as fixed ones; three small graphs, 10 splits."""
    runs = slp_runs()
    uniform, ppr = (runs.get((("alpha", a),), {}) for a in ("uniform", "ppr"))
    small = {run for run in runs.get((("alpha_lr", "0"),), {})}  # the runs of the trial
    rows = []
    for name, changed in FORMS:
        form = {run: v for run, v in runs.get(tuple(sorted(changed.items())), {}).items() if run in small}
        text, n = paired_mean(form, uniform, (1, 5))
        settings = " ".join(f"{k}={v}" for k, v in changed.items()) or "alpha=learned"
        rows.append({"form": name, "settings": settings, "runs": str(n), "against_uniform": text,
                     "against_ppr": paired_mean(form, ppr, (1, 5))[0] if changed != {"alpha": "ppr"} else "-"})
    save(folder, "alpha-forms", rows)
    more = [f"{paired_mean(runs[()], uniform, (q,))[0]} with {q} label{'s' if q > 1 else ''}" for q in (1, 5, 20)]
    return (markdown(["hop weights", "settings", "runs", "against uniform", "against PageRank"],
                     [[r["form"], f"`{r['settings']}`", *list(r.values())[2:]] for r in rows])
            + "\nLearned against uniform on splits 1 to 10 of all data sets that have both: " + ", ".join(more) + ".\n")


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
            + f"\nIn brackets: distance from the published mean in standard errors of the difference. Near are "
            f"{near[0]} of {len(rows)} cells by the code and {near[1]} by the text.\n")


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


def reach(folder):
    """The share of vertices near a label, as tools/make_reach.py wrote it."""
    with open(os.path.join(FOLDER, "reach.csv"), encoding="utf-8", newline="") as f:
        rows = list(csv.DictReader(f))
    save(folder, "reach", rows)
    hops = [1, 2, 3, 4, 5, 6, 10, 20]
    return markdown(["data set", "labels", *(f"{k} hop{'s' * (k > 1)}" for k in hops)],
                    [[r["dataset"], r["labels_per_class"]] + [f"{100 * float(r[f'hops_{k}']):.1f} %" for k in hops]
                     for r in rows])


def spectrum(folder):
    """How W^k z converges on Cora, as `GND_KERN=ref gnd spectrum cora --format csv` wrote it."""
    with open(os.path.join(FOLDER, "spectrum.csv"), encoding="utf-8", newline="") as f:
        rows = list(csv.DictReader(f))
    save(folder, "spectrum", rows)
    return markdown(["k", "distance to the limit", "\\|λ2\\|^k", "distance to one value for all"],
                    [[r["number"], *(f"{float(r[k]):.1e}" for k in ("distance", "bound", "distance_to_one"))]
                     for r in rows if r["what"] != "component" and r["number"] in ("1", "10", "100", "1000", "10000")])


def epochs(folder):
    """Epochs per training run."""
    rows = compare(*DATASETS, "--methods", "gnd-slp,gnd-mlp,gnd-ds,gnd-rnn,gnd-attn", "--labels-per-class", "5",
                   "--splits", "10", "--graph", "raw")
    save(folder, "epochs", rows)
    found = {(r["method"], r["dataset"]): r for r in rows}
    methods = list(dict.fromkeys(r["method"] for r in rows))
    return markdown(["method", *DATASETS], [[m] + [f"{float(found[m, d]['epochs']):.0f}" if (m, d) in found else "-"
                                                   for d in DATASETS] for m in methods])


def tables(folder):
    return {
        "alpha-raw": alpha_table(folder, "alpha-raw", "--graph", "raw"),
        "alpha-std": alpha_table(folder, "alpha-std", "--graph", "std"),
        "alpha-forms": alpha_forms(folder),
        "against-ppr": against_ppr(folder),
        "depth": depth(folder),
        "reach": reach(folder),
        "spectrum": spectrum(folder),
        "variants-raw": methods_table(folder, "variants-raw", "gnd-slp", ["gnd-mlp", "gnd-ds"], "raw"),
        "variants-std": methods_table(folder, "variants-std", "gnd-slp", ["gnd-mlp", "gnd-ds"], "std"),
        "text": text_recipe(folder),
        "epochs": epochs(folder),
        "future-raw": methods_table(folder, "future-raw", "gnd-slp", ["gnd-rnn", "gnd-attn"], "raw"),
        "future-std": methods_table(folder, "future-std", "gnd-slp", ["gnd-rnn", "gnd-attn"], "std"),
    }


def figures(folder):
    for dataset in ("cora", "citeseer"):
        for labels in ("1", "5"):
            plot(folder, "depth", "depth.csv", f"depth-{dataset}-{labels}.svg", "--data", dataset,
                 "--labels-per-class", labels)
    for dataset in ("cora", "citeseer", "cora_ml"):
        plot(folder, "accuracy", "alpha-raw.csv", f"alpha-{dataset}.svg", "--data", dataset)


def plot(folder, kind, source, target, *args):
    run = subprocess.run([GND, "plot", kind, os.path.join(folder, source), "-o", os.path.join(folder, target), "-q",
                          *args], cwd=ROOT, check=False, stderr=subprocess.PIPE)
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
