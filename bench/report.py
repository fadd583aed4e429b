#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Measurements as Markdown tables, or all of them as one JSON object.

    report.py epochs|runs|spread|growth|large|sweep|dist|tsne FILE
    report.py --json MACHINE [PART=FILE ...]

FILE: lines of a part, between tabs; for --json also what kernels and plans print (tables) and agree (lines with a
header). Times are in the unit that the name of the field ends with, ratios are peer / gnd.
"""
import json
import math
import sys
from collections import defaultdict
from statistics import mean, median

# Largest difference between the means over the splits of two runs of one model with different random numbers.
NEAR_POINTS, NEAR_LOSS = 10, 0.15
TRAININGS = 900  # a method and setting of the paper: 6 data sets, 1..5 labels per class, 30 splits
CORES = 2
CLASSES = {"cora": 7, "citeseer": 6, "pubmed": 3, "amazon_photo": 8, "amazon_computers": 10}


def verdict(data, accuracy, loss):
    """Do (ours, theirs) agree? A loss still near that of guessing says nothing."""
    near = abs(accuracy[0] - accuracy[1]) * 100 <= NEAR_POINTS
    near_loss = abs(loss[0] - loss[1]) <= NEAR_LOSS * loss[0]
    if min(loss) > 0.9 * math.log(CLASSES.get(data, 2)):
        return "too early to tell"
    if near and near_loss:
        return "same"
    return "accuracy only" if near else "loss only" if near_loss else "**differs**"


def lines(path):
    with open(path, encoding="utf-8") as f:
        return [row.rstrip("\n").split("\t") for row in f if row.strip() and not row.startswith("#")]


def table(head, rows):
    print("| " + " | ".join(head) + " |")
    print("|" + "--|" * len(head))
    for row in rows:
        print("| " + " | ".join(row) + " |")
    print()


def ms(v):
    return f"{v:.3f}" if v < 10 else f"{v:.1f}" if v < 100 else f"{v:.0f}"


def ratio(v):
    return f"**{v:.1f}x**"


# ---- figures: a list of objects of each part -----------------------------------------------------------------------


def epochs_figures(path):
    """who form method data labels split epochs wall cpu accuracy loss"""
    cell = defaultdict(list)
    for who, form, method, data, labels, _, n, *figures in lines(path):
        cell[who, method, data, labels, n].append((form, *map(float, figures)))

    def means(rows):
        _, wall, cpu, accuracy, loss = zip(*rows)
        return {"wall_ms": median(wall), "cpu_ms": median(cpu), "test_accuracy": mean(accuracy), "loss": mean(loss)}

    out = []
    for (who, method, data, labels, n), theirs in cell.items():
        if who == "gnd" or ("gnd", method, data, labels, n) not in cell:
            continue
        ours = cell["gnd", method, data, labels, n]
        row = {"method": method, "data": data, "labels_per_class": int(labels), "epochs": int(n),
               "kernels": ours[0][0], "form": theirs[0][0], "gnd": means(ours), "peer": means(theirs)}
        row["peer_name"] = {"peer": "PyTorch" if method == "gnd-slp" else "PyG", "plain": "plain PyTorch"}[who]
        for clock in ("cpu", "wall"):
            row[f"ratio_{clock}"] = row["peer"][f"{clock}_ms"] / row["gnd"][f"{clock}_ms"]
        row["check"] = verdict(data, *((row["gnd"][k], row["peer"][k]) for k in ("test_accuracy", "loss")))
        out.append(row)
    return out


def runs_figures(path):
    """name turn wall cpu mb accuracy"""
    cell = defaultdict(list)
    for name, _, *figures in lines(path):
        cell[name].append([float(v) for v in figures])
    out = [{"program": name, "runs": len(rows), **dict(zip(("wall_s", "cpu_s", "peak_mb", "test_accuracy"),
                                                           (median(c) for c in zip(*rows))))}
           for name, rows in cell.items()]
    ours = next(r for r in out if r["program"] == "gnd")
    for row in out:
        if row is not ours:
            row["ratio_wall"], row["ratio_cpu"] = row["wall_s"] / ours["wall_s"], row["cpu_s"] / ours["cpu_s"]
            row["ratio_memory"] = row["peak_mb"] / ours["peak_mb"]
    return out


def spread_figures(path):
    """who form data labels wall cpu accuracy [agreement]"""
    ours, out = {}, []
    for who, form, data, labels, wall, cpu, acc, *agree in lines(path):
        figures = {"wall_ms": float(wall), "cpu_ms": float(cpu), "test_accuracy": float(acc)}
        if who == "gnd":
            ours[data] = figures
            continue
        out.append({"data": data, "labels_per_class": int(labels), "peer_name": who, "form": form,
                    "gnd": ours[data], "peer": figures, "ratio_cpu": figures["cpu_ms"] / ours[data]["cpu_ms"],
                    "ratio_wall": figures["wall_ms"] / ours[data]["wall_ms"], "same_class": float(agree[0])})
    return out


def growth_figures(path):
    """entries vertices feature_entries load_s load_mb wall_ms cpu_ms peak_mb loss_first loss_last"""
    names = growth_figures.__doc__.split()
    return [dict(zip(names, map(float, row))) for row in lines(path)]


def large_figures(path):
    """who graph method entries vertices wall_s cpu_s peak_mb accuracy [fit_cpu_s]"""
    names, out, ours = large_figures.__doc__.split()[:9], [], {}
    for row in lines(path):
        r = {k: v if k in ("who", "graph", "method") else float(v) for k, v in zip(names, row)}
        r["bytes_per_entry"] = r["peak_mb"] * 1024 * 1024 / r["entries"]
        if r["who"] == "gnd":
            ours[r["graph"], r["entries"], r["method"]] = r
        else:
            r["fit_cpu_s"] = float(row[9])
            own = ours.get((r["graph"], r["entries"], "auto"))
            r["ratio_cpu"] = r["cpu_s"] / own["cpu_s"] if own else None
        out.append(r)
    return out


def sweep_figures(path):
    """data method trainings seconds wall cpu accuracy"""
    # Trainings count their CPU time, which a busy machine does not add to.
    return [{"data": d, "method": m, "runs": int(n), "run_s": float(spent) / max(1, int(n)),
             "preparation_s": max(0, float(cpu) - float(spent))} for d, m, n, spent, _, cpu, _ in lines(path)]


def dist_figures(path):
    """order processes vertices entries width copies bytes hop_ms hop_median_ms local_ms local_median_ms peak_mb
    check"""
    names = dist_figures.__doc__.split()
    return [{k: v if k == "order" else float(v) for k, v in zip(names, row)} for row in lines(path)]


def tsne_figures(path):
    """who data cpu kl trustworthiness hops"""
    found = lines(path)
    own = {(row[1], row[5]): float(row[2]) for row in found if row[0] == "gnd"}
    return [{"program": who, "data": data, "hops": int(hops), "cpu_s": float(cpu), "divergence": float(kl),
             "trustworthiness": float(trust), "ratio_cpu": float(cpu) / own[data, hops]}
            for who, data, cpu, kl, trust, hops in found]


def number(text):
    """A number if the text is one, with or without a unit after it."""
    try:
        return float(text.split()[0]) if text.strip() else None
    except ValueError:
        return text


def tables_figures(path):
    """The rows of every Markdown table, or of lines between tabs, by the names in its head."""
    out, head = [], None
    with open(path, encoding="utf-8") as f:
        for line in f:
            mark = "|" if line.startswith("|") else "\t" if "\t" in line else None
            cells = [c.strip() for c in line.strip().strip("|").split(mark)] if mark else []
            if not cells:
                head = None
            elif head is None:
                head = cells
            elif not line.startswith("|--"):
                out.append({k or "note": number(v) for k, v in zip(head, cells)})
    return out


def as_json(machine, parts):
    figures = {"machine": machine}
    for part in parts:
        name, path = part.split("=", 1)
        figures[name] = globals().get(f"{name}_figures", tables_figures)(path)
    json.dump(figures, sys.stdout, indent=1)
    print()


# ---- tables --------------------------------------------------------------------------------------------------------


def epochs(path):
    rows = []
    for r in epochs_figures(path):
        ours, theirs = r["gnd"], r["peer"]
        rows.append([r["method"], r["data"], str(r["labels_per_class"]), f"{r['peer_name']}, {r['form']}"])
        rows[-1] += [f"{ms(ours['cpu_ms'])} / {ms(theirs['cpu_ms'])}", ratio(r["ratio_cpu"])]
        rows[-1] += [f"{r['ratio_wall']:.1f}x", str(r["epochs"])]
        rows[-1].append(f"{ours['test_accuracy'] * 100:.1f} / {theirs['test_accuracy'] * 100:.1f}")
        rows[-1] += [f"{ours['loss']:.3f} / {theirs['loss']:.3f}", r["check"]]
    print("Training step and validation pass, one thread each, gnd / peer; medians.\n")
    head = "method | data | labels per class | peer, form | cpu ms | ratio, cpu | ratio, wall | epochs".split(" | ")
    table(head + ["test accuracy %", "training loss", "check"], rows)
    print(f"Check: mean test accuracy within {NEAR_POINTS} points and mean training loss within {NEAR_LOSS:.0%};")
    print("too early to tell: after so few epochs the loss is still within 10% of that of guessing.")


def runs(path):
    print("`gnd train cora` from process start to result, and the PyTorch script with its imports; medians.\n")
    found = runs_figures(path)
    table(["program", "wall s", "cpu s", "peak MB", "test accuracy %"],
          [[r["program"], f"{r['wall_s']:.3f}", f"{r['cpu_s']:.3f}", f"{r['peak_mb']:.0f}",
            f"{r['test_accuracy'] * 100:.1f}"] for r in found])
    r = next(r for r in found if r["program"] == "peer")
    print(f"Ratio: wall {ratio(r['ratio_wall'])}, cpu {ratio(r['ratio_cpu'])}, memory {r['ratio_memory']:.0f}x.")


def spread(path):
    rows = []
    for r in spread_figures(path):
        ours, theirs = r["gnd"], r["peer"]
        rows.append([r["data"], str(r["labels_per_class"]), f"{r['peer_name']}, {r['form']}"])
        rows[-1] += [f"{ms(ours['cpu_ms'])} / {ms(theirs['cpu_ms'])}", ratio(r["ratio_cpu"])]
        rows[-1] += [f"{r['ratio_wall']:.1f}x"]
        rows[-1] += [f"{ours['test_accuracy'] * 100:.1f} / {theirs['test_accuracy'] * 100:.1f}"]
        rows[-1] += [f"{r['same_class']:.2%}"]
    print("Label spreading with a = .99, from labels to a class for every vertex; gnd / peer, one thread; medians.\n")
    head = ["data", "labels per class", "peer, form", "cpu ms", "ratio, cpu", "ratio, wall"]
    table(head + ["test accuracy %", "same class"], rows)


def exponent(points):
    """Slope of the line through (log x, log y)."""
    x, y = ([math.log(p[k]) for p in points] for k in (0, 1))
    middle = mean(x)
    return sum((a - middle) * (b - mean(y)) for a, b in zip(x, y)) / sum((a - middle) ** 2 for a in x)


def growth(path):
    rows, points = [], []
    for r in growth_figures(path):
        entries, cpu = r["entries"], r["cpu_ms"]
        rows.append([f"{r[k] / 1e6:.2f} M" for k in ("entries", "vertices", "feature_entries")])
        rows[-1] += [f"{r['load_s']:.2f}", f"{r['load_mb']:.0f}", ms(r["wall_ms"]), ms(cpu)]
        rows[-1] += [f"{cpu * 1e6 / entries:.1f}", f"{r['peak_mb']:.0f}"]
        rows[-1].append(f"{r['loss_first']:.3f} to {r['loss_last']:.3f}")
        if entries >= 15e6:
            points.append((entries, cpu))
    print("gnd-slp on R-MAT graphs (`gnd data make`), 5 labels per class, one thread.\n")
    head = ["entries", "vertices", "feature entries", "load s", "MB loaded", "epoch wall ms", "epoch cpu ms"]
    table(head + ["ns per entry", "peak MB", "training loss"], rows)
    if len(points) > 1:
        print(f"Epoch against entries, {len(points)} graphs from 20 M entries on: exponent {exponent(points):.3f}.")


def large(path):
    found, rows, points = large_figures(path), [], defaultdict(list)
    for r in found:
        rows.append([r["graph"], r["method"], f"{r['entries'] / 1e6:.1f} M", f"{r['cpu_s']:.2f}"])
        rows[-1] += [f"{r['wall_s']:.1f}", f"{r['peak_mb']:.0f}", f"{r['bytes_per_entry']:.0f}"]
        rows[-1] += [f"{r['accuracy'] * 100:.1f}"]
        rows[-1] += [f"{1 / r['ratio_cpu']:.1f}x slower" if r.get("ratio_cpu") else ""]
        if r["entries"] >= 5e6:
            points[r["graph"], r["method"]].append((r["entries"], r["cpu_s"]))
    print("Whole runs, one thread, 5 labels for each of 8 classes; the last column is auto against the peer by CPU"
          " time.\n")
    table(["graph", "method", "entries", "CPU s", "wall s", "peak MB", "bytes per entry", "accuracy %", "auto is"],
          rows)
    for (graph, method), p in points.items():
        if len(p) > 1:
            print(f"{graph}, {method}: CPU time grows with entries to the power {exponent(p):.2f}"
                  f" ({len(p)} graphs from 5 M entries on).")


def sweep(path):
    cell = {(r["data"], r["method"]): (r["run_s"], r["preparation_s"]) for r in sweep_figures(path)}
    data, methods = list(dict.fromkeys(d for d, _ in cell)), list(dict.fromkeys(m for _, m in cell))
    each = TRAININGS // 6
    rows, total = [], 0
    for m in methods:
        there = [d for d in data if (d, m) in cell]
        whole = sum(cell[d, m][0] * each + cell[d, m][1] for d in there) / CORES
        total += whole
        rows.append([m, *(f"{cell[d, m][0]:.3f}" if d in there else "-" for d in data), f"{whole / 60:.1f}"])
    print("Seconds per run (mean of the sample, graph raw, authors' rules), and minutes for")
    print(f"{each} runs per data set on {CORES} cores, with preparation once per data set.\n")
    table(["method", *data, "minutes"], rows)
    count = each * len(data) * len(methods)
    print(f"Total: {total / 60:.1f} minutes, {total / 3600:.2f} hours, for {count} runs.")


def dist(path):
    found = dist_figures(path)
    print("A hop W x of 64 columns; CPU ms, the largest of the processes, minimum and median over the hops. Local: own"
          " rows without the exchange.\n")
    table(["processes", "order", "vertices", "entries", "copied rows", "MB moved", "hop", "local", "hop / local",
           "peak MB per process"],
          [[f"{r['processes']:.0f}", r["order"], f"{r['vertices']:,.0f}", f"{r['entries']:,.0f}",
            f"{r['copies']:,.0f}", f"{r['bytes'] / 1e6:.1f}", f"{r['hop_ms']:.1f} / {r['hop_median_ms']:.1f}",
            f"{r['local_ms']:.1f} / {r['local_median_ms']:.1f}", f"{r['hop_ms'] / max(r['local_ms'], 1e-9):.2f}",
            f"{r['peak_mb']:.0f}"] for r in found])
    same = len({r["check"] for r in found if r["order"] == "random"}) == 1
    print("The results of 1, 2 and 4 processes have the same bits." if same else "RESULTS DIFFER between processes.")


def tsne(path):
    rows = [[r["data"], str(r["hops"]), r["program"], f"{r['cpu_s']:.2f}",
             ratio(r["ratio_cpu"]) if r["program"] != "gnd" else "", f"{r['divergence']:.4f}",
             f"{r['trustworthiness']:.4f}"] for r in tsne_figures(path)]
    print("t-SNE of W^k X Theta, 16 columns; CPU seconds of one thread, Kullback-Leibler divergence,"
          " trustworthiness.\n")
    table(["data", "k", "program", "CPU s", "gnd faster by", "divergence", "trustworthiness"], rows)


if __name__ == "__main__":
    if sys.argv[1] == "--json":
        as_json(sys.argv[2], sys.argv[3:])
    else:
        {"epochs": epochs, "runs": runs, "spread": spread, "growth": growth, "large": large, "sweep": sweep,
         "dist": dist, "tsne": tsne}[sys.argv[1]](sys.argv[2])
