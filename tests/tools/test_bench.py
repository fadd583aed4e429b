#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Checks the figures of bench/run.sh --json: one object, the names and values that programs read."""
import json
import os
import subprocess
import sys
import tempfile

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
BUILD = os.environ.get("GND_BUILD", "build")
# Lines of each part, between tabs, and what the object says of them.
LINES = {
    "epochs": ["gnd avx2 gnd-slp cora 5 1 100 2 1 0.5 1", "gnd avx2 gnd-slp cora 5 2 100 4 3 0.7 1",
               "peer csr_t gnd-slp cora 5 1 100 30 20 0.5 1.1", "peer csr_t gnd-slp cora 5 2 100 30 20 0.6 1.1",
               "plain coo gnd-slp cora 5 1 99 30 20 0.5 1"],
    "runs": ["gnd 1 0.5 0.25 10 0.8", "peer 1 10 5 800 0.8"],
    "spread": ["gnd - cora 5 2 1 0.5", "scipy cg cora 5 8 3 0.5 0.99"],
    "growth": ["1000000 20000 160000 0.1 11 30 25 170 2.7 2.6"],
    "large": ["gnd rmat auto 10000000 500000 20 18 400 0.9 ", "gnd rmat auto 100000000 5000000 200 180 4000 0.9 ",
              "scikit-network rmat DiffusionClassifier 10000000 500000 7 6 500 0.8 5"],
    "sweep": ["cora gcn 2 3 9 4 0.8"],
    "dist": ["random 1 1000 9000 64 0 0 2 3 2 3 100 77", "random 2 1000 9000 64 500 128000 1.5 2 1 1.5 60 77"],
    "tsne": ["gnd cora 0.5 0.6 0.97 19", "sklearn cora 5 0.7 0.96 19"],
}
TABLES = {
    "plans": "| data | measured ms | |\n|--|--|--|\n| cora | 1.5 | chosen |\n\nThe plan chosen is the fastest.\n",
    "agree": "method\tdata\tlargest difference\ngcn\tcora\t1.5e-07\n",
}
failed = passed = 0


def check(name, good, why=""):
    global failed, passed
    failed += not good
    passed += bool(good)
    print(f"ok   {name}" if good else f"FAIL {name}: {why}")


def same(name, found, expected):
    check(name, found == expected, f"{found}, not {expected}")


def output(*words, **more):
    run = subprocess.run(words, cwd=ROOT, env=dict(os.environ, **more), stdout=subprocess.PIPE,
                         stderr=subprocess.DEVNULL, check=False)
    return run.returncode, run.stdout.decode()


def report():
    with tempfile.TemporaryDirectory() as work:
        parts = []
        for part, text in [*((k, "".join(r.replace(" ", "\t") + "\n" for r in v)) for k, v in LINES.items()),
                           *TABLES.items()]:
            parts.append(f"{part}={os.path.join(work, part)}")
            with open(os.path.join(work, part), "w", encoding="utf-8") as f:
                f.write(text)
        code, text = output(sys.executable, "bench/report.py", "--json", "a machine", *parts)
        same("the report ends with 0", code, 0)
        r = json.loads(text)
        for part in LINES:
            if part != "epochs":
                code, _ = output(sys.executable, "bench/report.py", part, os.path.join(work, part))
                same(f"{part} as a table", code, 0)
        code, text = output(sys.executable, "bench/report.py", "epochs", os.path.join(work, "epochs"))
        check("epochs as a table", "| 2.000 / 20.0 | **10.0x** |" in text, text)
        code, text = output(sys.executable, "bench/report.py", "large", os.path.join(work, "large"))
        check("large as a table", "| 3.0x slower |" in text and "to the power 1.00 " in text, text)
    same("parts", sorted(r), sorted(["machine", *LINES, *TABLES]))
    same("an epoch without its pair is left out", len(r["epochs"]), 1)
    same("the ratio of epochs", r["epochs"][0]["ratio_cpu"], 10)
    same("medians of epochs", r["epochs"][0]["gnd"]["cpu_ms"], 2)
    same("the check of results", r["epochs"][0]["check"], "same")
    same("the ratio of runs", r["runs"][1]["ratio_cpu"], 20)
    same("the ratio of label spreading", r["spread"][0]["ratio_cpu"], 3)
    same("growth", r["growth"][0]["peak_mb"], 170)
    same("bytes per entry", round(r["large"][0]["bytes_per_entry"], 2), 41.94)
    same("the ratio to the peer's CPU time", r["large"][2]["ratio_cpu"], 6 / 18)
    same("seconds of a run", r["sweep"][0], {"data": "cora", "method": "gcn", "runs": 2, "run_s": 1.5,
                                              "preparation_s": 1})
    same("copied rows", r["dist"][1]["copies"], 500)
    same("the ratio of t-SNE", r["tsne"][1]["ratio_cpu"], 10)
    same("a table", r["plans"], [{"data": "cora", "measured ms": 1.5, "note": "chosen"}])
    same("lines with a head", r["agree"], [{"method": "gcn", "data": "cora", "largest difference": 1.5e-07}])


def script():
    code, text = output("bench/run.sh", "--json", "--quick", "sweep", GND_DATA="/nonexistent", GND_BUILD=BUILD)
    same("a part that is skipped is not in the object", (code, list(json.loads(text))), (0, ["machine"]))
    same("an unknown option", output("bench/run.sh", "--jsn")[0], 2)
    if not os.access(os.path.join(ROOT, BUILD, "bench", "bench_growth"), os.X_OK):
        print("skip: growth; bench_growth is not built")
        return
    code, text = output("bench/run.sh", "--json", "--quick", "growth", BENCH_BIG="1", GND_BUILD=BUILD)
    figures = json.loads(text).get("growth", [{}])[0]
    check("growth measured", code == 0 and figures.get("cpu_ms", 0) > 0 and figures["entries"] > 5e5, text)


report()
script()
print(f"{passed} passed, {failed} failed")
sys.exit(failed > 0)
