#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Measurements as Markdown tables: report.py epochs|runs|spread|growth|sweep|tsne FILE"""
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


def epochs(path):
    """who form method data labels split epochs wall cpu accuracy loss"""
    cell = defaultdict(list)
    for who, form, method, data, labels, _, n, *figures in lines(path):
        cell[who, method, data, labels, n].append((form, *map(float, figures)))

    def means(rows):
        _, wall, cpu, accuracy, loss = zip(*rows)
        return median(wall), median(cpu), mean(accuracy), mean(loss)

    rows = []
    for (who, method, data, labels, n), theirs in cell.items():
        if who == "gnd" or ("gnd", method, data, labels, n) not in cell:
            continue
        wall, cpu, acc, loss = means(theirs)
        our_wall, our_cpu, our_acc, our_loss = means(cell["gnd", method, data, labels, n])
        name = {"peer": "PyTorch" if method == "gnd-slp" else "PyG", "plain": "plain PyTorch"}[who]
        rows.append([method, data, labels, f"{name}, {theirs[0][0]}", f"{ms(our_cpu)} / {ms(cpu)}"])
        rows[-1] += [ratio(cpu / our_cpu), f"{wall / our_wall:.1f}x", n, f"{our_acc * 100:.1f} / {acc * 100:.1f}"]
        rows[-1].append(f"{our_loss:.3f} / {loss:.3f}")
        rows[-1] += [verdict(data, (our_acc, acc), (our_loss, loss))]
    print("Training step and validation pass, one thread each, gnd / peer; medians.\n")
    head = "method | data | labels per class | peer, form | cpu ms | ratio, cpu | ratio, wall | epochs".split(" | ")
    table(head + ["test accuracy %", "training loss", "check"], rows)
    print(f"Check: mean test accuracy within {NEAR_POINTS} points and mean training loss within {NEAR_LOSS:.0%};")
    print("too early to tell: after so few epochs the loss is still within 10% of that of guessing.")


def runs(path):
    """name turn wall cpu mb accuracy"""
    cell = defaultdict(list)
    for name, _, *figures in lines(path):
        cell[name].append([float(v) for v in figures])
    mid = {name: [median(c) for c in zip(*rows)] for name, rows in cell.items()}
    print("`gnd train cora` from process start to result, and the PyTorch script with its imports; medians.\n")
    rows = [[k, f"{w:.3f}", f"{c:.3f}", f"{mb:.0f}", f"{a * 100:.1f}"] for k, (w, c, mb, a) in mid.items()]
    table(["program", "wall s", "cpu s", "peak MB", "test accuracy %"], rows)
    (w, c, mb, _), (w0, c0, mb0, _) = mid["peer"], mid["gnd"]
    print(f"Ratio: wall {ratio(w / w0)}, cpu {ratio(c / c0)}, memory {mb / mb0:.0f}x.")


def spread(path):
    """who form data labels wall cpu accuracy [agreement]"""
    ours, rows = {}, []
    for who, form, data, labels, wall, cpu, acc, *agree in lines(path):
        if who == "gnd":
            ours[data] = float(wall), float(cpu), float(acc)
            continue
        w, c, a = ours[data]
        rows.append([data, labels, f"{who}, {form}", f"{ms(c)} / {ms(float(cpu))}", ratio(float(cpu) / c)])
        rows[-1] += [f"{float(wall) / w:.1f}x", f"{a * 100:.1f} / {float(acc) * 100:.1f}", f"{float(agree[0]):.2%}"]
    print("Label spreading with a = .99, from labels to a class for every vertex; gnd / peer, one thread; medians.\n")
    head = ["data", "labels per class", "peer, form", "cpu ms", "ratio, cpu", "ratio, wall"]
    table(head + ["test accuracy %", "same class"], rows)


def growth(path):
    """entries vertices feature_entries load_s load_mb wall_ms cpu_ms peak_mb loss_first loss_last"""
    rows, points = [], []
    for fields in lines(path):
        entries, n, nx, load, load_mb, wall, cpu, peak, first, last = map(float, fields)
        per = cpu * 1e6 / entries
        rows.append([f"{v / 1e6:.2f} M" for v in (entries, n, nx)])
        rows[-1] += [f"{load:.2f}", f"{load_mb:.0f}", ms(wall), ms(cpu)]
        rows[-1] += [f"{per:.1f}", f"{peak:.0f}", f"{first:.3f} to {last:.3f}"]
        if entries >= 15e6:
            points.append((math.log(entries), math.log(cpu)))
    print("gnd-slp on R-MAT graphs (`gnd data make`), 5 labels per class, one thread.\n")
    head = ["entries", "vertices", "feature entries", "load s", "MB loaded", "epoch wall ms", "epoch cpu ms"]
    table(head + ["ns per entry", "peak MB", "training loss"], rows)
    if len(points) > 1:
        x, y = (mean(p[k] for p in points) for k in (0, 1))
        slope = sum((a - x) * (b - y) for a, b in points) / sum((a - x) ** 2 for a, _ in points)
        print(f"Epoch against entries, {len(points)} graphs from 20 M entries on: exponent {slope:.3f}.")


def sweep(path):
    """data method trainings seconds wall cpu accuracy"""
    cell, methods, data = {}, [], []
    for d, m, n, spent, _, cpu, _ in lines(path):
        # Trainings count their CPU time, which a busy machine does not add to.
        cell[d, m] = float(spent) / max(1, int(n)), max(0, float(cpu) - float(spent))
        methods += [m] if m not in methods else []
        data += [d] if d not in data else []
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


def tsne(path):
    """who data cpu kl trustworthiness hops"""
    found = lines(path)
    own = {(row[1], row[5]): float(row[2]) for row in found if row[0] == "gnd"}
    rows = []
    for who, data, cpu, kl, trust, hops in found:
        times = ratio(float(cpu) / own[data, hops]) if who != "gnd" else ""
        rows.append([data, hops, who, f"{float(cpu):.2f}", times, kl, trust])
    print("t-SNE of W^k X Theta, 16 columns; CPU seconds of one thread, Kullback-Leibler divergence,"
          " trustworthiness.\n")
    table(["data", "k", "program", "CPU s", "gnd faster by", "divergence", "trustworthiness"], rows)


if __name__ == "__main__":
    {"epochs": epochs, "runs": runs, "spread": spread, "growth": growth, "sweep": sweep,
     "tsne": tsne}[sys.argv[1]](sys.argv[2])
