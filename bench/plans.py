#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The constants of src/plan/cost.h: plans.py GND DATA,... LABELS,...

Times the training and validation passes of gnd-slp by each plan that --plan can force: CPU time of two
trainings of different length, their difference divided by the epochs between. Then fits the nanoseconds of a
multiply-add of each kind (GATHER, SHORT, STREAM, HOPS, DENSE, DROPPED) to them, by least squares of relative errors
with none below 0, and prints measured and fitted times and whether the plan that gnd chooses is the fastest.
"""
import json
import os
import subprocess
import sys

KINDS = ("GATHER", "SHORT", "STREAM", "HOPS", "DENSE", "DROPPED")
HOPS, WIDTH = 20, 16  # the defaults of gnd-slp; first_hop is 1


def run(words):
    """JSON of a command and the seconds of CPU it took."""
    with subprocess.Popen(words, stdout=subprocess.PIPE) as p:
        text = p.stdout.read()
        _, status, used = os.wait4(p.pid, 0)
        p.returncode = os.waitstatus_to_exitcode(status)
    if p.returncode:
        sys.exit(f"plans: {' '.join(words)} ended with {p.returncode}")
    return json.loads(text), used.ru_utime + used.ru_stime


def epoch_ms(words, setting, aim):
    """CPU ms of an epoch: so many epochs that they take `aim` seconds, less a few."""
    few, many = 4, 24
    while True:
        short = min(run(words + ["--set", f"{setting}={few}"])[1] for _ in range(2))
        out, long = run(words + ["--set", f"{setting}={many}"])
        if long - short >= aim or many >= 3000:
            return out, 1000 * (long - short) / (many - few)
        many = min(3000, few + int((many - few) * 1.3 * aim / max(long - short, 0.02)) + 1)


def work(info, plan, rows, reach, back):
    """Millions of multiply-adds of each kind in a pass, as src/plan/cost.h counts them."""
    n, nnz, d, nnz_feat = info["n_node"], info["nnz"], info["n_feat"], info["nnz_feat"]
    w = dict.fromkeys(KINDS, 0.0)
    lists = plan == "stored" and reach < n // 10 * 9
    product = "SHORT" if nnz <= 8 * n else "GATHER"
    if plan != "features":
        entries = nnz_feat / n * (reach if lists else n) * WIDTH
        w["DROPPED" if back else "GATHER"] += (2 if back else 1) * entries
    if plan == "whole":
        w[product] += (2 if back else 1) * (HOPS + 1) * nnz * WIDTH
        w["DENSE"] += (2 if back else 1) * (HOPS + 1) * n * WIDTH
        w["STREAM"] += HOPS * n * WIDTH if back else 0
    elif plan == "powers":
        w[product] += (2 if back else 1) * HOPS * nnz * WIDTH
        w["STREAM"] += (2 if back else 1) * HOPS * rows * WIDTH
    else:
        cells = rows * (d if plan == "features" else reach if lists else n)
        w["HOPS"] += (2 if back else 1) * HOPS * cells
        w["DENSE"] += (3 if back else 1) * cells * WIDTH
    return {k: v / 1e6 for k, v in w.items()}


def fit(cases):
    """Least squares of relative errors, no constant below 0, by coordinate descent."""
    c = dict.fromkeys(KINDS, 0.1)
    for _ in range(2000):
        for k in KINDS:
            top = sum((m - sum(c[j] * w[j] for j in KINDS if j != k)) * w[k] / m**2 for w, m in cases)
            bottom = sum((w[k] / m) ** 2 for w, m in cases)
            if bottom:
                c[k] = max(0.0, top / bottom)
    return c


def main():
    gnd, data, labels = sys.argv[1:4]
    rows, best = [], {}
    for d in data.split(","):
        info = run([gnd, "data", "info", d, "--graph", "und", "--json"])[0]
        info = {"n_node": info["n_node"], "nnz": info["n_arc"] + info["n_node"], "n_feat": info["n_feat"],
                "nnz_feat": info["n_feat_entry"]}
        for q in labels.split(","):
            base = [gnd, "train", d, "--graph", "und", "--labels-per-class", q, "--threads", "1", "--json", "-q",
                    "--explain"]
            trained = {}
            for plan in ("whole", "powers", "stored", None):
                words = base + ["--validation", "0"] + (["--plan", plan] if plan else [])
                out, ms = epoch_ms(words, "epochs_alone", 0.4)
                trained[plan] = ms
                if plan:
                    p = next(x for x in out["plans"] if x["pass"] == "training" and x["plan"] == plan)
                    rows.append((d, q, "training", plan, ms, p["ms"], work(info, plan, p["rows"], p["reach"], True)))
                else:
                    best[d, q, "training"] = next(
                        x["plan"] for x in out["plans"] if x["pass"] == "training" and x["chosen"])
            for plan in ("whole", "powers", "features", None):
                words = base + ["--set", "stop=none"] + (["--plan", plan] if plan else [])
                out, ms = epoch_ms(words, "epochs", 0.4)
                chosen = next(x["plan"] for x in out["plans"] if x["pass"] == "training" and x["chosen"])
                ms -= trained[chosen] if chosen in trained else trained[None]
                p = next(x for x in out["plans"] if x["pass"] == "validation" and x["chosen"])
                if plan:
                    rows.append((d, q, "validation", plan, ms, p["ms"], work(info, plan, p["rows"], p["reach"], False)))
                else:
                    best[d, q, "validation"] = p["plan"]
    c = fit([(r[6], max(r[4], 1e-3)) for r in rows])
    print("| data | labels per class | pass | plan | measured ms | constants of plan.c | constants fitted | |")
    print("|--|--|--|--|--|--|--|--|")
    right = 0
    for d, q, kind, plan, ms, said, w in rows:
        fastest = ms == min(r[4] for r in rows if r[:3] == (d, q, kind))
        mark = ("chosen" if best[d, q, kind] == plan else "") + (" fastest" if fastest else "")
        right += mark == "chosen fastest"
        fitted = sum(c[k] * w[k] for k in KINDS)
        print(f"| {d} | {q} | {kind} | {plan} | {ms:.3f} | {said:.3f} | {fitted:.3f} | {mark} |")
    print(f"\nThe plan chosen is the fastest in {right} of {len(best)} cases. Fitted, ns a multiply-add: " +
          ", ".join(f"{k} {c[k]:.3f}" for k in KINDS) + ".")


if __name__ == "__main__":
    main()
