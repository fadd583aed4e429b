#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Few labels and no validation set: the tables of docs/labelling-evidence.md.

    bench/few.py [--splits N] [--store FILE] [--gnd FILE] TABLE ...

tables:
  accuracy      auto on the six data sets, 1, 2, 3, 5 labels per class: accuracy, macro-F1, ECE, top-50 % accuracy
  peers         auto beside simple peers on the same labels, on every graph available and on graphs made for this table
  methods       auto and other methods of gnd on the same splits
  ablation      auto without one of its predictors, on the same splits
  many          auto beside gcn, lr and sgc with 10, 30 and 60 % of the vertices labelled; CPU time of auto and gcn
  numeric       auto with and without ranking of numeric features, on random graphs with numeric features
  abstain       `gnd label --abstain 0.1`: how many vertices get a label, and how many of these labels are wrong
  warnings      how often `gnd label` warns: of predictions at chance level, and of labels that look wrong

Finished training runs are kept in the store, so an interrupted table can be resumed. GND_DATA names the
folder of the data sets. Only the standard library is needed; peers needs the program that --peers names, which is
started as `python PEERS GRAPH.npz SPLITS.txt` and prints dataset,method,labels_per_class,split,accuracy,macro_f1.
"""
import argparse
import concurrent.futures
import csv
import io
import json
import math
import os
import random
import subprocess
import sys
import tempfile

SIX = ["cora", "citeseer", "pubmed", "cora_ml", "amazon_computers", "amazon_photo"]
LABELS = [1, 2, 3, 5]
WARNING_LABELS = [3, 5, 10]
# What is switched off or changed, and the settings that do it.
PREDICTORS = ["self_training", "features", "links", "roles", "pagerank", "blocks", "feature_groups", "link_groups",
              "diffused_features"]
ABLATIONS = [("all parts", [])]
ABLATIONS += [(f"without {name}", ["predictors=" + ",".join(p for p in PREDICTORS if p != name)])
              for name in PREDICTORS]
ABLATIONS += [("self_training alone", ["predictors=self_training"]),
              ("teleport probability 0.1 on every graph", ["teleport=0.1"])]
SHARES = [10, 30, 60]
MANY = ["auto", "gcn", "lr", "sgc"]


def gnd(args, *words):
    done = subprocess.run([args.gnd, *words], stdout=subprocess.PIPE, text=True)
    if done.returncode:
        sys.exit(f"few.py: gnd {' '.join(words)} failed")
    return done.stdout


def compare(args, data, method, settings, labels, more=()):
    """Training runs of one method: {labels: [row by split]}."""
    words = ["compare", data, "--methods", method, "--protocol", "honest", "--graph", "std", "--splits",
             str(args.splits), "--labels-per-class", ",".join(map(str, labels)), "--store", args.store,
             "--threads", str(args.threads), "--format", "json", "-q"]
    words += more
    for setting in settings:
        words += ["--set", setting]
    answer = json.loads(gnd(args, *words))
    found = {}

    def walk(value):
        if isinstance(value, dict):
            if "mean_ece" in value and "mean" in value:
                found[value["labels_per_class"]] = value
            for inner in value.values():
                walk(inner)
        elif isinstance(value, list):
            for inner in value:
                walk(inner)

    walk(answer)
    runs = {}
    for run in answer["results"][0]["runs"] if "results" in answer else answer["runs"]:
        if run.get("test_accuracy") is not None:
            runs.setdefault(run["labels_per_class"], {})[run["split_seed"]] = 100 * run["test_accuracy"]
    return found, runs


def paired(a, b):
    """Mean and standard error of a - b over the splits both have."""
    d = [a[s] - b[s] for s in sorted(a) if s in b]
    mean = sum(d) / len(d)
    var = sum((x - mean) ** 2 for x in d) / max(1, len(d) - 1)
    return mean, math.sqrt(var / len(d))


def row(*cells):
    print("| " + " | ".join(str(c) for c in cells) + " |", flush=True)


def share(part, whole):
    return f"{100 * part / whole:.0f}" if whole else "-"


def head(*cells):
    row(*cells)
    print("|" + "--|" * len(cells))


def accuracy(args):
    print("\nAccuracy in %, mean ± standard deviation over the splits; macro-F1; ECE in %; top-50 % confidence "
          "accuracy.\n")
    head("data", *[f"{q} label{'s' * (q > 1)} per class" for q in LABELS])
    ece = []
    for data in SIX:
        cells, _ = compare(args, data, "auto", [], LABELS)
        row(data, *[f"**{cells[q]['mean']:.1f}** ± {cells[q]['std']:.1f}; {cells[q]['mean_f1']:.1f}; "
                    f"{cells[q]['mean_ece']:.1f}; {cells[q]['mean_half']:.1f}" for q in LABELS])
        ece += [cells[q]["mean_ece"] for q in LABELS]
    print(f"\nECE: mean {sum(ece) / len(ece):.2f} %, largest {max(ece):.1f} %.")


def methods(args):
    lines = gnd(args, "methods").split("\n\n")[0].splitlines()[1:]
    others = args.methods.split(",") if args.methods else [line.split()[0] for line in lines]
    print(f"\nAccuracy in %, mean over {args.splits} splits; in brackets auto minus this method on the same splits, "
          "mean ± standard error.")
    for data in args.data or SIX:
        base, mine = compare(args, data, "auto", [], LABELS)
        print()
        head(data, *[f"{q} label{'s' * (q > 1)} per class" for q in LABELS])
        row("auto", *[f"**{base[q]['mean']:.1f}**" for q in LABELS])
        for method in others:
            if method == "auto":
                continue
            cell, runs = compare(args, data, method, [], LABELS)
            differences = {q: paired(mine[q], runs[q]) for q in LABELS}
            row(method, *[f"{cell[q]['mean']:.1f} ({differences[q][0]:+.1f} ± {differences[q][1]:.1f})"
                          for q in LABELS])


def ablation(args):
    print("\nChange of accuracy in points against all parts on the same splits, mean over the data sets ± "
          "standard error.\n")
    head("variant", *[f"{q} label{'s' * (q > 1)}" for q in LABELS])
    full = {data: compare(args, data, "auto", [], LABELS)[1] for data in args.data or SIX}
    for name, settings in ABLATIONS[1:]:
        cells = []
        runs = {data: compare(args, data, "auto", settings, LABELS)[1] for data in full}
        for q in LABELS:
            pairs = [paired(runs[data][q], full[data][q]) for data in full]
            mean = sum(m for m, _ in pairs) / len(pairs)
            cells.append(f"{mean:+.2f} ± {math.sqrt(sum(s * s for _, s in pairs)) / len(pairs):.2f}")
        row(name, *cells)


def made(folder, args, name, seed, inside, words, classes=4, n=1200, degree=3, stray=0.2, own=6):
    """A random graph of n vertices as npz. inside: which class a link goes to: the "same", the "next", the
    other class of a "pair", or "any"; a share `stray` of the links goes to a random vertex. words: which groups
    have words of their own: the "class", "other" groups unrelated to the classes, or "none"; "siblings":
    pairs of classes share most of their words."""
    rng = random.Random(seed)
    vocabulary = 100 * classes
    label = [rng.randrange(classes) for _ in range(n)]
    topic = label if words in ("class", "siblings") else [rng.randrange(classes) for _ in range(n)]
    of = [[i for i in range(n) if label[i] == c] for c in range(classes)]
    to = {"same": lambda c: c, "next": lambda c: (c + 1) % classes, "pair": lambda c: c ^ 1}
    base = os.path.join(folder, name)
    with open(base + ".edges.csv", "w") as f:
        f.write("source,target\n")
        for i in range(n):
            for _ in range(degree):
                if inside == "any" or rng.random() < stray:
                    j = rng.randrange(n)
                else:
                    j = rng.choice(of[to[inside](label[i])])
                if i != j:
                    f.write(f"{i},{j}\n")
    with open(base + ".svm", "w") as f:
        for i in range(n):
            said = [topic[i] * 50 + rng.randrange(50) for _ in range(own)] if words != "none" else []
            if words == "siblings":
                said = [w if rng.random() < 0.2 else (classes + topic[i] // 2) * 50 + w % 50 for w in said]
            bag = sorted(set(said + [rng.randrange(vocabulary) for _ in range(12)]))
            f.write("0 " + " ".join(f"{w + 1}:1" for w in bag) + "\n")
    with open(base + ".labels.csv", "w") as f:
        f.write("id,label\n" + "".join(f"{i},c{label[i]}\n" for i in range(n)))
    gnd(args, "data", "convert", base + ".edges.csv", base + ".npz", "--to", "npz", "--features", base + ".svm",
        "--labels", base + ".labels.csv", "-q")
    return base + ".npz"


def with_numeric_features(folder, args, seed, amounts, tails):
    """A random graph with numeric features; class means differ by about a standard deviation. Each feature has
    its own unit and centre; tails: half of the features have long tails."""
    rng = random.Random(seed)
    classes, n = rng.choice([2, 3, 5, 8]), rng.randrange(300, 3000)
    name = f"{amounts} numeric features{', long tails' * tails} ({n} vertices, {classes} classes)"
    path = made(folder, args, name, seed, "same", "none", classes, n, 3, 0.5)
    base = path[:-len(".npz")]
    with open(base + ".labels.csv") as f:
        label = [int(line.split(",c")[1]) for line in f.readlines()[1:]]
    mean = [[rng.gauss(0, 1.5 / math.sqrt(min(amounts, 4))) for _ in range(amounts)] for _ in range(classes)]
    unit = [10 ** rng.uniform(-2, 3) for _ in range(amounts)]
    middle = [rng.uniform(-5, 5) for _ in range(amounts)]
    with open(base + ".svm", "w") as f:
        for i in range(n):
            z = [m + rng.gauss(0, 1) for m in mean[label[i]]]
            x = [math.exp(v) if tails and j % 2 else v + middle[j] for j, v in enumerate(z)]
            f.write("0 " + " ".join(f"{j + 1}:{unit[j] * v:.6g}" for j, v in enumerate(x)) + "\n")
    gnd(args, "data", "convert", base + ".edges.csv", path, "--to", "npz", "--features", base + ".svm",
        "--labels", base + ".labels.csv", "-q")
    return path


def real_graphs():
    """The six, the bundled ones, and those in the folder extra/."""
    graphs = SIX + ["karate", "debian"]
    extra = os.path.join(os.environ.get("GND_DATA", ""), "extra")
    if os.path.isdir(extra):
        graphs += sorted(os.path.join(extra, f) for f in os.listdir(extra) if f.endswith(".npz"))
    return graphs


def every_graph(folder, args):
    """All graphs available: real and generated ones."""
    return real_graphs() + [
        made(folder, args, "made-homophilous", 1, "same", "class"),
        made(folder, args, "made-heterophilous", 2, "next", "class"),
        made(folder, args, "made-features-only", 3, "any", "class"),
        made(folder, args, "made-links-only", 4, "same", "none"),
        made(folder, args, "made-two-class-heterophilous", 5, "next", "none", 2),
        made(folder, args, "made-similar-classes", 6, "same", "siblings")]


def name_of(data):
    return os.path.basename(data).replace(".npz", "")


def truth_of(args, data, graph):
    """{vertex: class} of the labelled vertices, in the order of the vertices."""
    with tempfile.TemporaryDirectory() as folder:
        gnd(args, "data", "convert", data, folder, "--to", "csv", "--graph", graph, "-q")
        with open(os.path.join(folder, "labels.csv"), encoding="utf-8") as f:
            return dict(line.rstrip("\n").split(",") for line in f.readlines()[1:])


def draw(truth, q, seed):
    """q labels of each class at random, fewer where a class has no more; one vertex of each class stays unlabelled."""
    by_class = {}
    for vertex, cls in truth.items():
        by_class.setdefault(cls, []).append(vertex)
    rng = random.Random(seed)
    return [(v, c) for c in sorted(by_class)
            for v in rng.sample(by_class[c], min(q, max(1, len(by_class[c]) - 1)))]


def label(args, data, known, graph, *words):
    """{vertex: class} as `gnd label` writes it, without the known ones; and its answer in JSON."""
    with tempfile.NamedTemporaryFile("w", suffix=".csv") as f:
        f.writelines(f"{v},{c}\n" for v, c in known)
        f.flush()
        answer = json.loads(gnd(args, "label", data, "--labels", f.name, "--graph", graph, "--json", "-q", "--threads",
                                str(args.threads), *words))
    given = {v for v, _ in known}
    return {p["id"]: p["label"] for p in answer["predictions"] if p["id"] not in given}, answer


def train(args, data, known, method):
    """Test accuracy in % on all vertices but the known ones, and user CPU seconds."""
    before = os.times().children_user
    with tempfile.NamedTemporaryFile("w", suffix=".csv") as f:
        f.writelines(f"{v},{c}\n" for v, c in known)
        f.flush()
        answer = json.loads(gnd(args, "train", data, "--labels", f.name, "--graph", "std", "--method", method, "--json",
                                "-q", "--threads", "1"))
    return 100 * answer["test_accuracy"], os.times().children_user - before


def many(args):
    print("\nAccuracy in %, mean ± standard deviation over the draws of the labelled vertices; auto minus "
          "the best other method; mean CPU seconds, reading the data included.\n")
    head("data", "labelled", *MANY, "auto minus the best", "CPU s of auto", "CPU s of gcn")
    for data in args.data or SIX:
        truth = list(truth_of(args, data, "std").items())
        for share in SHARES:
            draws = [random.Random(seed).sample(truth, round(share * len(truth) / 100))
                     for seed in range(1, args.splits + 1)]
            runs = {m: [train(args, data, known, m) for known in draws] for m in MANY}
            mean = {m: [sum(x) / len(x) for x in zip(*runs[m])] for m in MANY}
            cells = [f"{mean[m][0]:.1f} ± {math.sqrt(sum((a - mean[m][0]) ** 2 for a, _ in runs[m]) / len(draws)):.1f}"
                     for m in MANY]
            row(data, f"{share} %", *cells, f"{mean['auto'][0] - max(mean[m][0] for m in MANY[1:]):+.1f}",
                f"{mean['auto'][1]:.1f}", f"{mean['gcn'][1]:.1f}")


def scores(found, truth):
    """Accuracy and macro-F1 in %, on the vertices whose class is known."""
    rows = [(truth[v], c) for v, c in found.items() if v in truth]
    f1 = []
    for cls in sorted({t for t, _ in rows}):
        both = sum(t == c == cls for t, c in rows)
        f1.append(2 * both / max(1, sum(t == cls for t, _ in rows) + sum(c == cls for _, c in rows)))
    return 100 * sum(t == c for t, c in rows) / len(rows), 100 * sum(f1) / len(f1)


def peer_runs(args, name, path, splits):
    """{(peer, q): {seed: (accuracy, macro-F1)}} in %. Finished runs are kept in the file --peer-runs."""
    runs = {}
    if os.path.exists(args.peer_runs):
        with open(args.peer_runs, newline="") as f:
            for run in csv.DictReader(f):
                if run["dataset"] == name:
                    key = run["method"], int(run["labels_per_class"])
                    runs.setdefault(key, {})[int(run["split"])] = (100 * float(run["accuracy"]),
                                                                   100 * float(run["macro_f1"]))
    have = set.intersection(*[{(q, seed) for (m, q), found in runs.items() if m == peer for seed in found}
                              for peer in {m for m, _ in runs}]) if runs else set()
    missing = {split: train for split, train in splits.items() if split not in have}
    if not missing:
        return runs
    with tempfile.NamedTemporaryFile("w", suffix=".txt") as f:
        f.writelines(" ".join(map(str, [*split, *train])) + "\n" for split, train in missing.items())
        f.flush()
        done = subprocess.run([sys.executable, args.peers, path, f.name], stdout=subprocess.PIPE, text=True)
    if done.returncode:
        sys.exit(f"few.py: {args.peers} failed")
    found = list(csv.DictReader(io.StringIO(done.stdout)))
    new = not os.path.exists(args.peer_runs)
    with open(args.peer_runs, "a", newline="") as f:
        writer = csv.DictWriter(f, found[0].keys())
        if new:
            writer.writeheader()
        writer.writerows({**run, "dataset": name} for run in found)
    return peer_runs(args, name, path, splits)


def scores_of(args, path, known, truth):
    return scores(label(args, path, known, "und", "--threads", "1")[0], truth)


def mean_over(rows):
    """Mean accuracy and macro-F1."""
    return [sum(x) / len(rows) for x in zip(*rows)]


def peers(args):
    if not args.peers:
        sys.exit("few.py: peers needs --peers FILE, the program that runs the peers")
    print("\nAccuracy; macro-F1 in % of auto, and of the best single peer in each with 1 label and over 2, 3 and 5; "
          "auto minus the best peer.\n")
    head("graph", "auto 1", "auto 2", "auto 3", "auto 5", "best peer with 1", "minus it", "best peer with 2, 3, 5",
         "minus it")
    more = [q for q in LABELS if q > 1]
    seeds = range(1, args.splits + 1)
    with tempfile.TemporaryDirectory() as folder, concurrent.futures.ThreadPoolExecutor(args.jobs) as pool:
        for data in args.data or every_graph(folder, args):
            path = os.path.join(folder, name_of(data) + ".und.npz")
            gnd(args, "data", "convert", data, path, "--graph", "und", "-q")
            truth = truth_of(args, path, "und")
            number = {v: k for k, v in enumerate(vertices(args, path))}
            known = {(q, seed): draw(truth, q, seed) for q in LABELS for seed in seeds}
            found = peer_runs(args, name_of(data), path,
                              {split: [number[v] for v, _ in labels] for split, labels in known.items()})
            if args.peers_only:
                continue
            mine = dict(zip(known, pool.map(lambda labels: scores_of(args, path, labels, truth), known.values())))
            mean = {q: mean_over([mine[q, seed] for seed in seeds]) for q in LABELS}
            peer = {key: mean_over([runs[seed] for seed in seeds]) for key, runs in found.items()}
            cells = []
            for group in ([1], more):
                best = [max((sum(peer[m, q][k] for q in group) / len(group), m) for m in {m for m, _ in peer})
                        for k in (0, 1)]
                gap = [sum(mean[q][k] for q in group) / len(group) - best[k][0] for k in (0, 1)]
                cells += [f"{best[0][0]:.1f} {best[0][1]}; {best[1][0]:.1f} {best[1][1]}",
                          f"{gap[0]:+.1f}; {gap[1]:+.1f}"]
            row(name_of(data), *[f"{mean[q][0]:.1f}; {mean[q][1]:.1f}" for q in LABELS], *cells)


def vertices(args, data):
    """Ids of all vertices, in order."""
    known = draw(truth_of(args, data, "und"), 1, 1)
    found, answer = label(args, data, known, "und")
    return [p["id"] for p in answer["predictions"]]


def against(args, setting, graphs):
    """auto against auto with a changed setting, on graphs."""
    print(f"\nAccuracy of auto minus that of auto with {setting} on the same splits, in points, mean ± standard error; "
          "in brackets the accuracy of auto.\n")
    head("graph", *[f"{q} label{'s' * (q > 1)}" for q in LABELS])
    for data in graphs:
        base, mine = compare(args, data, "auto", [], LABELS)
        _, without = compare(args, data, "auto", [setting], LABELS)
        cells = []
        for q in LABELS:
            d, se = paired(mine[q], without[q])
            cells.append(f"{d:+.1f} ± {se:.1f} ({base[q]['mean']:.1f})")
        row(os.path.basename(data).replace(".npz", ""), *cells)


def numeric(args):
    kinds = [(amounts, tails) for amounts in (1, 4, 12, 40, 100) for tails in (False, True)]
    with tempfile.TemporaryDirectory() as folder:
        against(args, "numeric_by_rank=off", (with_numeric_features(folder, args, 4000 + k, amounts, tails)
                                       for k, (amounts, tails) in enumerate(kinds)))


def most_justified(answer, given, truth, risk):
    """Largest share of the most confident vertices of which at most `risk` are wrong, in %."""
    rows = sorted(((p["probability"], p["label"] == truth[p["id"]]) for p in answer["predictions"]
                   if p["id"] in truth and p["id"] not in given), reverse=True)
    wrong, most = 0, 0
    for k, (_, right) in enumerate(rows, 1):
        wrong += not right
        most = k if wrong <= risk * k else most
    return 100 * most / len(rows)


def abstained(args, data, truth, q, seed):
    """Share that gets a label, share of these that is wrong, and the share that true labels would allow, in %."""
    known = draw(truth, q, seed)
    words = [data, known, "std", "--threads", "1"]
    found, _ = label(args, *words, "--abstain", "0.1")
    rows = [(c, truth[v]) for v, c in found.items() if v in truth]
    kept = [(c, t) for c, t in rows if c is not None]
    return (100 * len(kept) / len(rows), 100 * sum(c != t for c, t in kept) / max(1, len(kept)),
            most_justified(label(args, *words)[1], {v for v, _ in known}, truth, 0.1))


def abstain(args):
    print("\n`gnd label --abstain 0.1`, in %: mean share of vertices that get a label; mean share of these labels that "
          "is wrong (0 where none is kept); share of the runs in which more than 10 % are wrong; mean of the largest "
          "share that could be kept with 10 % wrong if all labels were known.\n")
    counts = [q for q in LABELS if q > 1]
    head("data", *[f"{q} labels per class" for q in counts])
    with concurrent.futures.ThreadPoolExecutor(args.jobs) as pool:
        for data in args.data or SIX:
            truth = truth_of(args, data, "std")
            cells = []
            for q in counts:
                runs = list(pool.map(lambda seed: abstained(args, data, truth, q, seed), range(1, args.splits + 1)))
                cells.append("; ".join(f"{sum(x) / len(runs):.1f}" for x in (
                    [r[0] for r in runs], [r[1] for r in runs], [100 * (r[1] > 10) for r in runs],
                    [r[2] for r in runs])))
            row(name_of(data), *cells)


def labellings(truth, q, seed):
    """The same labels as they are, shuffled, and with one in twenty wrong; and the vertices of the wrong ones."""
    known, rng = draw(truth, q, seed), random.Random(seed)
    classes = [c for _, c in known]
    shuffled = [(v, c) for (v, _), c in zip(known, rng.sample(classes, len(classes)))]
    wrong = set(rng.sample(range(len(known)), max(1, len(known) // 20)))
    mistaken = [(v, rng.choice(sorted(set(classes) - {c})) if k in wrong else c) for k, (v, c) in enumerate(known)]
    return [known, shuffled, mistaken], {known[k][0] for k in wrong}


def warned_of(args, data, truth, known):
    """What `gnd label` says: accuracy, codes of notes and warnings, and the vertices whose labels are suspect."""
    found, answer = label(args, data, known, "std", "--threads", "1")
    texts = [w["text"] for w in answer["warnings"] if w["code"] == "suspect_label"]
    suspects = {v for v, _ in known if any(text.startswith(f"vertex {v} is labelled") for text in texts)}
    return scores(found, truth)[0], {w["code"] for w in answer["warnings"] + answer["notes"]}, suspects


def warnings(args):
    print("\nIn %. Chance: runs that warn of predictions at chance level, with true labels (n: runs that say 'not "
          "checked' instead) and with shuffled ones. Suspect: runs with true labels that call a label suspect; if one "
          "label in twenty is wrong, the share of wrong labels that are suspect, and the share of suspect labels that "
          "are wrong.\n")
    head("data", "labels per class", "accuracy above chance", "chance, true", "chance, shuffled", "suspect, true",
         "wrong labels found", "suspects wrong")
    with concurrent.futures.ThreadPoolExecutor(args.jobs) as pool:
        for data in args.data or real_graphs():
            truth = truth_of(args, data, "std")
            chance = 100 / len(set(truth.values()))
            for q in WARNING_LABELS:
                runs = [labellings(truth, q, seed) for seed in range(1, args.splits + 1)]
                told = list(pool.map(lambda known: warned_of(args, data, truth, known),
                                     [known for three, _ in runs for known in three]))
                true, shuffled, mistaken = told[0::3], told[1::3], told[2::3]
                right = sum(len(m[2] & wrong) for m, (_, wrong) in zip(mistaken, runs))
                named = sum(len(m[2]) for m in mistaken)
                n = args.splits
                row(name_of(data), q, f"{sum(t[0] for t in true) / n - chance:.0f}",
                    share(sum("held_out_at_chance" in t[1] for t in true), n)
                    + f" (n {share(sum('not_checked' in t[1] for t in true), n)})",
                    share(sum("held_out_at_chance" in t[1] for t in shuffled), n),
                    share(sum("suspect_label" in t[1] for t in true), n),
                    share(right, sum(len(wrong) for _, wrong in runs)), share(right, named))


def main():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("--splits", type=int, default=100)
    p.add_argument("--store", default="few.sqlite")
    p.add_argument("--gnd", default="build/gnd")
    p.add_argument("--threads", type=int, default=0)
    p.add_argument("--jobs", type=int, default=os.cpu_count(), help="labellings at a time, where they are single ones")
    p.add_argument("--peers", help="program that runs the peers")
    p.add_argument("--peer-runs", default="few-peers.csv", help="file that keeps finished runs of the peers")
    p.add_argument("--peers-only", action="store_true", help="run the peers, print no table")
    p.add_argument("--methods", help="of table methods, separated by commas; all by default")
    p.add_argument("--data", action="append", help="only this data set; may be repeated")
    p.add_argument("table", nargs="+",
                   choices=["accuracy", "peers", "methods", "ablation", "many", "numeric", "abstain", "warnings"])
    args = p.parse_args()
    for table in args.table:
        globals()[table](args)


if __name__ == "__main__":
    main()
