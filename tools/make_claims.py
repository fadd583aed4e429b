#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Write the tables and figures of docs/claims.md from the training runs in results/. The data sets are not needed.

    tools/make_claims.py GND             replace the tables in docs/claims.md, write docs/claims/*.csv and *.svg
    tools/make_claims.py GND --check     exit 1 if one of them is another one

What is written is between the lines "<!-- table NAME -->" and "<!-- end -->"; text and figures likewise. A table is a
comparison of stored runs by `gnd compare --results results`; the CSV file of its name has the same figures. Data sets
and label counts that have no complete runs are left out, so the tables grow with results/.
"""
import collections
import csv
import io
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import textwrap

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
PAGE = os.path.join(ROOT, "docs", "claims.md")
FOLDER = os.path.join(ROOT, "docs", "claims")
TITLES = {"cora": "Cora", "citeseer": "Citeseer", "pubmed": "Pubmed", "cora_ml": "Cora-ML",
          "amazon_computers": "Amazon Computers", "amazon_photo": "Amazon Photo"}
DATASETS = list(TITLES)
ALPHAS = ["uniform", "ppr", "heat", "simplex"]
DEPTHS = "1,2,3,4,5,6,8,10,12,16,20"
HOPS = "1,2,3,5,10,20,30,50"
POWERS = "1,2,3,5,10,20,50,100,200,500,1000"
DEPTH_LABELS = ("1", "5")
DEPTH_SPLITS = 10
METHODS_SPLITS = (30, 10)
PAPER_METHODS = ["gnd-slp", "gcn", "geomgcn", "chebynet", "jknet", "sgc", "ppnp", "ppnp-hk", "ngcn", "mixhop",
                 "lanczosnet", "dcnn"]
OTHER_GND = ["gnd-mlp", "gnd-ds", "gnd-rnn", "gnd-attn"]
EFFICIENCY_METHODS = PAPER_METHODS + OTHER_GND
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


def read(name):
    """Rows of a file of docs/claims that another program wrote."""
    path = os.path.join(FOLDER, name + ".csv")
    if not os.path.exists(path):
        return []
    with open(path, encoding="utf-8", newline="") as f:
        return list(csv.DictReader(f))


def paragraph(text):
    return textwrap.fill(text, 120, break_long_words=False, break_on_hyphens=False) + "\n"


def listed(names):
    """"a, b and c"."""
    names = [str(n) for n in names]
    return " and ".join([", ".join(names[:-1]), names[-1]] if len(names) > 1 else names)


def key(row):
    return row["dataset"], int(row["labels_per_class"])


def place(k):
    """Order of the cells in a table."""
    return DATASETS.index(k[0]), k[1]


def difference(row, minus_best):
    """Mean paired difference of a row from the best one with its interval, or of the best one from the row."""
    d, low, high = (float(row[k]) for k in ("difference", "difference_low", "difference_high"))
    return (d, low, high) if minus_best else (-d, -high, -low)


Rivals = collections.namedtuple("Rivals", "text tally differences datasets")


def rivals(folder, name, rows_of, column, first, others, splits=None):
    """A table of means, and of how each rival differs from the first, split by split.

    rows_of(names, *options) gives the rows of a comparison, `column` the name of a rival in a row. `splits` gives the
    number of splits of a cell for a column of its own. The result has the text, and for each rival the numbers of cells
    in which it is better, not clearly different and worse, and the mean differences."""
    rows = rows_of([first, *others])
    save(folder, name, rows)
    means = {(key(r), r[column]): r for r in rows}
    pairs = {o: {key(r): difference(r, r[column] == o) for r in rows_of([first, o], "--paired") if r["difference"]}
             for o in others}
    table, tally = [], {o: [0, 0, 0] for o in others}
    cells = sorted({key(r) for r in rows if r[column] != first}, key=place)
    for k in cells:
        line = [k[0], str(k[1])] + ([str(splits[k])] if splits else [])
        line += [cell(means.get((k, v))) for v in [first, *others]]
        for o in others:
            d, low, high = pairs[o].get(k, (0, 0, 0))
            line.append(f"{d:+.1f} ({low:+.1f} to {high:+.1f})" if k in pairs[o] else "-")
            if k in pairs[o]:
                tally[o][0 if low > 0 else 2 if high < 0 else 1] += 1
        table.append(line)
    short = [v.split("=")[-1] for v in [first, *others]]
    sums = [f"* {o} is better than {short[0]} in {t[0]} of {sum(t)} cells, worse in {t[2]}; in {t[1]} the interval "
            f"includes 0." for o, t in zip(short[1:], tally.values())]
    heading = ["data set", "labels"] + ["splits"] * bool(splits) + short + [f"{o} − {short[0]}" for o in short[1:]]
    return Rivals(markdown(heading, table) + "\n" + "\n".join(sums) + "\n", dict(zip(short[1:], tally.values())),
                  {o: [d[0] for d in pairs[v].values()] for o, v in zip(short[1:], others)},
                  list(dict.fromkeys(k[0] for k in cells)))


def methods_table(folder, name, first, others, graph):
    """Each cell on the largest number of splits that all methods of the table have; 1 to 5 labels."""
    def rows_at(n, names, *options):
        return compare(*DATASETS, "--methods", ",".join(names), "--labels-per-class", "1-5", "--splits", str(n),
                       "--graph", graph, *options)
    splits = {}
    for n in METHODS_SPLITS:
        found = collections.Counter(key(r) for r in rows_at(n, [first, *others]))
        for k in (k for k, count in found.items() if count == 1 + len(others)):
            splits.setdefault(k, n)

    def rows_of(names, *options):
        rows = [r for n in METHODS_SPLITS if n in splits.values() for r in rows_at(n, names, *options)
                if splits.get(key(r)) == n]
        return sorted(rows, key=lambda r: place(key(r)))
    return rivals(folder, name, rows_of, "method", first, others, splits)


def alpha_table(folder, name, *how):
    return rivals(folder, name, lambda names, *options: compare(
        *DATASETS, "--methods", "gnd-slp", "--vary", "alpha=" + ",".join(n.split("=")[1] for n in names),
        "--labels-per-class", "1-5", "--splits", "30", *how, *options),
        "variant", "alpha=learned", ["alpha=" + a for a in ALPHAS])


def alpha_verdict(table):
    """In how many cells fixed weights are better, and by how much."""
    def one(rival, name):
        better, _, worse = table.tally[rival]
        d = table.differences[rival]
        return (f"{name} are better in {better} of {len(d)} cells and worse in {worse} (mean differences "
                f"{min(d):+.1f} to {max(d):+.1f} points)")
    names = listed(TITLES[d] for d in table.datasets)
    return paragraph(f"On the raw graphs of {names}, compared with learned weights, "
                     f"{one('uniform', 'equal weights')}, and {one('ppr', 'weights of PageRank')}. Better and worse: "
                     "the interval does not include 0.")


def stored_runs(method):
    """Test accuracy in percent of the runs of a method: {settings that are not the default: {run: accuracy}}."""
    usual = defaults(GND, method)
    with open(os.path.join(ROOT, "results", "configs.csv"), encoding="utf-8", newline="") as f:
        changed = {r["config"]: tuple(sorted((k, v) for k, v in (s.split("=") for s in r["settings"].split())
                                             if usual.get(k) != v)) for r in csv.DictReader(f) if r["method"] == method}
    out = collections.defaultdict(dict)
    for dataset in DATASETS:
        with open(os.path.join(ROOT, "results", dataset + ".csv"), encoding="utf-8", newline="") as f:
            for r in csv.DictReader(f):
                if (r["method"] == method and r["split"] == "paper" and r["status"] == "ok"
                        and r["seed"] == r["split_seed"]):
                    run = (dataset, r["graph"], int(r["labels_per_class"]), int(r["split_seed"]))
                    out[changed[r["config"]]][run] = 100 * float(r["test_accuracy"])
    return out


def in_all(*some):
    """The runs that all have."""
    return set.intersection(*(set(runs) for runs in some))


def described(runs):
    """"cora (raw), citeseer (raw, std); 1 and 5 labels; splits 1 to 10"."""
    graphs = collections.defaultdict(set)
    for dataset, graph, _, _ in runs:
        graphs[dataset].add(graph)
    labels, splits = sorted({r[2] for r in runs}), [r[3] for r in runs]
    return (", ".join(f"{d} ({', '.join(sorted(graphs[d]))})" for d in DATASETS if d in graphs)
            + f"; {listed(labels)} label{'s' if labels != [1] else ''}; splits {min(splits)} to {max(splits)}")


def paired_mean(a, b, runs):
    """"-2.83 ± 0.59": mean difference of these runs, with its standard error."""
    d = [a[run] - b[run] for run in sorted(runs)]
    if len(d) < 2:
        return "-"
    mean = sum(d) / len(d)
    error = (sum((x - mean) ** 2 for x in d) / (len(d) - 1) / len(d)) ** 0.5
    return f"{mean:+.2f} ± {error:.2f}"


def against_ppr(folder):
    """The GND-Nets against gnd-slp with fixed PageRank weights, on the runs that all have."""
    slp = stored_runs("gnd-slp")
    methods = {"gnd-slp": slp[()], **{m: stored_runs(m)[()] for m in OTHER_GND}}
    ppr = slp[("alpha", "ppr"),]
    runs = in_all(ppr, *methods.values())
    rows = [{"method": m, "runs": str(len(runs)), "difference": paired_mean(found, ppr, runs)}
            for m, found in methods.items()]
    save(folder, "against-ppr", rows)
    text = markdown(["method", "runs", "difference"], [list(r.values()) for r in rows])
    return text + ("\n" + paragraph(f"The runs: {described(runs)}.") if runs else "")


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


def label_counts(learned, uniform):
    """Learned against uniform weights with more and more labels, on the splits that have runs with all of them."""
    counts = (1, 5, 20)
    both = in_all(learned, uniform)
    some = in_all(*({(d, g, split) for d, g, q, split in both if q == n} for n in counts))
    if len(some) < 2:
        return ""
    runs = {n: {(d, g, n, split) for d, g, split in some} for n in counts}
    means = [f"{paired_mean(learned, uniform, runs[n])} with {n} label{'s' * (n > 1)}" for n in counts]
    return "\n" + paragraph(f"Learned against uniform, {len(some)} runs with each number of labels: {', '.join(means)} "
                            f"({described(set().union(*runs.values()))}).")


def alpha_forms(folder):
    """What learned weights need to be as good as fixed ones, on the runs that all forms have."""
    stored = stored_runs("gnd-slp")
    forms = [stored[tuple(sorted(changed.items()))] for _, changed in FORMS]
    uniform, ppr = (stored[("alpha", a),] for a in ("uniform", "ppr"))
    runs = in_all(uniform, *forms)
    rows = []
    for (name, changed), form in zip(FORMS, forms):
        settings = " ".join(f"{k}={v}" for k, v in changed.items()) or "alpha=learned"
        rows.append({"form": name, "settings": settings, "runs": str(len(runs)),
                     "against_uniform": paired_mean(form, uniform, runs),
                     "against_ppr": paired_mean(form, ppr, runs) if form is not ppr else "-"})
    save(folder, "alpha-forms", rows)
    return (markdown(["hop weights", "settings", "runs", "against uniform", "against PageRank"],
                     [[r["form"], f"`{r['settings']}`", *list(r.values())[2:]] for r in rows])
            + ("\n" + paragraph(f"The runs: {described(runs)}.") if runs else "") + label_counts(stored[()], uniform))


def text_recipe(folder):
    """The published means beside the authors' code and their text."""
    how = ["--methods", "gnd-slp", "--labels-per-class", "1-5", "--splits", "30", "--graph", "raw"]
    code = {key(r): r for r in compare(*DATASETS, *how)}
    text = {key(r): r for r in compare(*DATASETS, *how, "--preset", "text")}
    save(folder, "text", [dict(r, variant="preset=text") for r in text.values()])
    rows = []
    near = [0, 0]
    for k, t in ((k, t) for k, t in text.items() if k in code):
        rows.append([k[0], str(k[1]), f"{float(t['published']):.1f} ± {float(t['published_std']):.1f}"]
                    + [f"{cell(r[k])} ({float(r[k]['standard_errors']):+.1f})" for r in (code, text)])
        near = [n + (abs(float(r[k]["standard_errors"])) <= 2) for n, r in zip(near, (code, text))]
    return (markdown(["data set", "labels", "published", "the authors' code", "their text"], rows)
            + f"\nIn brackets: distance from the published mean in standard errors of the difference. Near are "
            f"{near[0]} of {len(rows)} cells by the code and {near[1]} by the text.\n")


def depth(folder):
    """Accuracy against depth; a row of the table has all depths of its method."""
    curves = {}
    for method, vary in (("gcn", "layers=" + DEPTHS), ("jknet", "layers=" + DEPTHS), ("sgc", "hops=" + POWERS),
                         ("gnd-slp", "hops=" + HOPS)):
        for r in compare(*DATASETS, "--methods", method, "--vary", vary, "--labels-per-class", ",".join(DEPTH_LABELS),
                         "--splits", str(DEPTH_SPLITS), "--graph", "std", "--rule", "common"):
            curves.setdefault((r["dataset"], r["labels_per_class"], method), []).append(r)
        for k in [k for k, some in curves.items() if k[2] == method and len(some) <= vary.count(",")]:
            del curves[k]
    order = sorted(curves, key=place)
    save(folder, "depth", [r for k in order for r in curves[k]])
    depths = [1, 2, 3, 5, 10, 20, 50, 100, 1000]
    rows = []
    for k in order:
        found = {int(r["variant"].split("=")[1]): f"{float(r['mean']):.1f}" for r in curves[k]}
        rows.append([*k, *(found.get(d, "-") for d in depths)])
    text = markdown(["data set", "labels", "method", *map(str, depths)], rows)
    return text, list(dict.fromkeys(k[:2] for k in order))


def reach(folder):
    """The share of vertices near a label, as tools/make_reach.py wrote it."""
    rows = read("reach")
    save(folder, "reach", rows)
    hops = [1, 2, 3, 4, 5, 6, 10, 20]
    return markdown(["data set", "labels", *(f"{k} hop{'s' * (k > 1)}" for k in hops)],
                    [[r["dataset"], r["labels_per_class"]] + [f"{100 * float(r[f'hops_{k}']):.1f} %" for k in hops]
                     for r in rows])


def spectrum(folder):
    """How W^k z converges on Cora, as `GND_KERN=ref gnd spectrum cora --format csv` wrote it."""
    rows = read("spectrum")
    save(folder, "spectrum", rows)
    return markdown(["k", "distance to the limit", "\\|λ2\\|^k", "distance to one value for all"],
                    [[r["number"], *(f"{float(r[k]):.1e}" for k in ("distance", "bound", "distance_to_one"))]
                     for r in rows if r["what"] != "component" and r["number"] in ("1", "10", "100", "1000", "10000")])


def fastest(rows, column):
    """Of the methods of the paper: the fastest, how many times longer gnd-slp takes, and its place ("3 of 12")."""
    time = {r["method"]: float(r[column]) for r in rows}
    first, own = min(time, key=time.get), time["gnd-slp"]
    return first, own / time[first], 1 + sum(t < own for t in time.values()), len(time)


def efficiency(folder):
    """CPU seconds and epochs as tools/make_efficiency.py measured them; returns the table and the verdict."""
    rows = read("efficiency")
    found = {(r["method"], r["dataset"]): r for r in rows}
    text = markdown(["method", *DATASETS], [[m] + [f"{r['seconds']} / {float(r['epochs']):.0f}" if r else "-" for r in
                                                   (found.get((m, d)) for d in DATASETS)] for m in EFFICIENCY_METHODS])
    if not rows:
        return text, "Not measured yet.\n"
    save(folder, "efficiency", rows)
    per_set = {d: [found[m, d] for m in PAPER_METHODS if (m, d) in found] for d in DATASETS}
    compared = [d for d in DATASETS if ("gnd-slp", d) in found and len(per_set[d]) > 1]
    table, places, factors = [], [], []
    for d in compared:
        (name, factor, rank, n), each = (fastest(per_set[d], c) for c in ("seconds", "seconds_per_epoch"))
        places.append(rank)
        factors.append(factor)
        table.append([d, name, f"{factor:.1f}", f"{rank} of {n}", each[0], f"{each[1]:.1f}", f"{each[2]} of {each[3]}"])
    if compared:
        text += "\n" + markdown(["data set", "fastest per run", "gnd-slp: times as long", "place", "fastest per epoch",
                                 "gnd-slp: times as long", "place"], table)
    most = max(rows, key=lambda r: float(r["other_seconds"]))
    where = [listed(sorted({r[c] for r in rows})) for c in ("processor", "kernels", "version")]
    text += "\n" + paragraph(
        f"Processor {where[0]}, kernels {where[1]}, gnd {where[2]}. Other programs used at most "
        f"{max(float(r['other_load']) for r in rows):.2f} CPUs meanwhile. Not counted: reading the data, and what the "
        f"runs of a method share, at most {most['other_seconds']} CPU seconds ({most['method']} on {most['dataset']}).")
    return text, efficiency_verdict(places, factors)


def span(values, form):
    """"3 to 7", or "3" if they are the same."""
    return " to ".join(dict.fromkeys(format(v, form) for v in (min(values), max(values))))


def efficiency_verdict(places, factors):
    first, n = places.count(1), len(places)
    if not n:
        return "Not measured yet.\n"
    text = "**Verdict: of the paper's methods that were measured, gnd-slp is " + (
        "the fastest" if first == n else "not the fastest" if not first else f"the fastest on {first} of {n} data sets")
    text += ".**"
    if first < n:
        text += (f" Its place by CPU seconds per training run is {span(places, 'd')}, and it takes "
                 f"{span(factors, '.1f')} times as long as the fastest method.")
    return paragraph(text)


def images(some):
    """Lines of a page with these figures: (title, file)."""
    return "".join(f"![{title}](claims/{name})\n" for title, name in some)


def contents(folder):
    """{(kind, name): text between the marks}; writes the CSV files and the figures."""
    raw = alpha_table(folder, "alpha-raw", "--graph", "raw")
    depth_text, curves = depth(folder)
    efficiency_text, efficiency_says = efficiency(folder)
    out = {
        ("text", "alpha-verdict"): alpha_verdict(raw),
        ("table", "alpha-raw"): raw.text,
        ("table", "alpha-std"): alpha_table(folder, "alpha-std", "--graph", "std").text,
        ("table", "alpha-forms"): alpha_forms(folder),
        ("table", "against-ppr"): against_ppr(folder),
        ("table", "depth"): depth_text,
        ("table", "reach"): reach(folder),
        ("table", "spectrum"): spectrum(folder),
        ("table", "text"): text_recipe(folder),
        ("table", "efficiency"): efficiency_text,
        ("text", "efficiency-verdict"): efficiency_says,
        ("figures", "alpha"): images((TITLES[d], f"alpha-{d}.svg") for d in raw.datasets),
        ("figures", "depth"): images((f"{TITLES[d]}, {q} label{'s' * (q != '1')}", f"depth-{d}-{q}.svg")
                                     for d, q in curves),
    }
    for graph in ("raw", "std"):
        for name, others in (("variants", OTHER_GND[:2]), ("future", OTHER_GND[2:])):
            table = methods_table(folder, f"{name}-{graph}", "gnd-slp", others, graph)
            out["table", f"{name}-{graph}"] = table.text
    for d, q in curves:
        plot(folder, "depth", "depth.csv", f"depth-{d}-{q}.svg", "--data", d, "--labels-per-class", q)
    for d in raw.datasets:
        plot(folder, "accuracy", "alpha-raw.csv", f"alpha-{d}.svg", "--data", d)
    return out


def plot(folder, kind, source, target, *args):
    run = subprocess.run([GND, "plot", kind, os.path.join(folder, source), "-o", os.path.join(folder, target), "-q",
                          *args], cwd=ROOT, check=False, stderr=subprocess.PIPE)
    if run.returncode:
        sys.exit(run.stderr.decode().strip())


def page(texts):
    """docs/claims.md with these tables, texts and figures."""
    with open(PAGE, encoding="utf-8") as f:
        text = f.read()
    marks = re.findall(r"<!-- (table|text|figures) (\S+) -->\n", text)
    if sorted(marks) != sorted(texts):
        sys.exit(f"docs/claims.md: the marks differ: {sorted(set(marks) ^ set(texts)) or 'one is there twice'}")
    return re.sub(r"(<!-- (table|text|figures) (\S+) -->\n).*?<!-- end -->\n",
                  lambda m: f"{m[1]}{texts[m[2], m[3]]}<!-- end -->\n", text, flags=re.S)


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
    with tempfile.TemporaryDirectory() as folder:
        text = page(contents(folder))
        if sys.argv[2:]:
            return check(folder, text)
        for name in set(os.listdir(FOLDER)) - set(os.listdir(folder)):
            if name.endswith((".csv", ".svg")):
                os.remove(os.path.join(FOLDER, name))
        shutil.copytree(folder, FOLDER, dirs_exist_ok=True)
    with open(PAGE, "w", encoding="utf-8") as f:
        f.write(text)
    return 0


if __name__ == "__main__":
    sys.exit(main())
