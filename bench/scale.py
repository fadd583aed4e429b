#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The model of docs/scale.md beside measurements, and its predictions: Markdown tables and figures.

    bench/scale.py halo                # copied vertices by METIS and in file order against the law; an hour
    bench/scale.py rates               # ns per entry of a product, by width
    bench/scale.py check               # memory and CPU seconds per process of mpirun -n 1, 2, 4 against `gnd estimate`
    bench/scale.py check --small       # the same on a graph of a million entries
    bench/scale.py check --methods auto            # another method
    bench/scale.py predict [--folder docs/img]     # tables for 10^9 and 10^10 edges, figures; nothing is run

Environment: GND, the command (default build/gnd); GND_CLUSTER, the folder of the build with PETSc (default
build-petsc). Graphs are made by `gnd data make` in --work, a temporary folder by default.
"""
import argparse
import json
import math
import os
import re
import shutil
import subprocess
import sys
import tempfile

ROOT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..")
GND = os.environ.get("GND", os.path.join(ROOT, "build", "gnd"))
CLUSTER = os.environ.get("GND_CLUSTER", os.path.join(ROOT, "build-petsc"))
LIMIT = 0.25

# name: vertices, edges drawn, classes, percent of the edges inside a class
HALO_GRAPHS = {
    "R-MAT, 0.9 M entries": (50000, 500000, 8, 70),
    "R-MAT, 9 M": (500000, 5000000, 8, 70),
    "R-MAT, 19 M": (1000000, 10000000, 8, 70),
    "R-MAT, 10 M, 50 per vertex": (200000, 6000000, 8, 70),
    "R-MAT, 2.3 M, 6 per vertex": (400000, 1200000, 8, 70),
    "communities, 0.7 M": (50000, 500000, 50, 90),
    "communities, 6.5 M": (500000, 5000000, 500, 90),
}
PARTS = (2, 4, 8, 16, 32, 64, 256)

# name: vertices, edges drawn, features
CHECK_GRAPHS = {
    "1m": (60000, 550000, 0), "1m-words": (60000, 550000, 64),
    "9m": (500000, 5000000, 0), "9m-words": (500000, 5000000, 64),
    "19m": (1000000, 10000000, 0), "19m-words": (1000000, 10000000, 64),
    "8m-dense": (160000, 4800000, 128),  # 50 entries per vertex
}


def output(words, **more):
    return subprocess.run(words, stdout=subprocess.PIPE, check=True, text=True, **more).stdout


def make(path, vertices, edges, features=0, classes=8, inside=70):
    if not os.path.exists(path):
        output([GND, "data", "make", path, "--vertices", str(vertices), "--edges", str(edges), "--classes",
                str(classes), "--inside", str(inside), "--features", str(features), "-q"])
    return json.loads(output([GND, "data", "info", path, "--json"], stderr=subprocess.DEVNULL))


def estimate(words):
    """`gnd estimate`; it ends with 1 where the code has a limit."""
    p = subprocess.run([GND, "estimate", *words, "--json"], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
                       check=False)
    if not p.stdout:
        sys.exit(f"gnd estimate {' '.join(words)}: exit code {p.returncode}")
    return json.loads(p.stdout)


# ---- measurements -------------------------------------------------------------------------------------

def halo(a):
    print("| graph | parts | file order | law | off by | METIS | law | off by |\n|---|---|---|---|---|---|---|---|")
    for name, (n, m, classes, inside) in HALO_GRAPHS.items():
        path = os.path.join(a.work, f"halo-{n}-{classes}.safetensors")
        info = make(path, n, m, 0, classes, inside)
        order = "communities" if name.startswith("comm") else "metis"
        for parts in PARTS:
            p = subprocess.run([os.path.join(CLUSTER, "gnd"), "data", "convert", path,
                                os.path.join(a.work, "halo.safetensors"), "--parts", str(parts)],
                               stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, check=True, text=True)
            found = re.search(r"copy ([\d,]+) vertices.*input: ([\d,]+)", p.stderr)
            metis, file = (int(x.replace(",", "")) / n for x in found.groups())
            sizes = ["--vertices", str(n), "--edges", str(info["n_edge"]), "--ranks", str(parts), "--method", "ls"]
            law = [estimate([*sizes, "--order", o])["copies_per_vertex"] for o in ("random", order)]
            print(f"| {name} | {parts} | {file:.2f} | {law[0]:.2f} | {100 * (law[0] / file - 1):+.0f} % | "
                  f"{metis:.2f} | {law[1]:.2f} | {100 * (law[1] / metis - 1):+.0f} % |", flush=True)


def rates(a):
    print("| vertices | entries | width | CPU ms of a product, minimum | median | ns per entry, median |")
    print("|---|---|---|---|---|---|")
    for graph in ("1m", "9m", "19m"):
        path = os.path.join(a.work, graph + ".safetensors")
        make(path, *CHECK_GRAPHS[graph])
        for width in (8, 16, 32, 64):
            t = output([os.path.join(CLUSTER, "bench", "bench_dist"), path, str(width), "9"]).split("\t")
            print(f"| {t[1]} | {t[2]} | {width} | {t[6]} | {t[7]} | {1e6 * float(t[7]) / int(t[2]):.1f} |", flush=True)


def measure(path, method, ranks):
    """MB of the largest process and mean CPU seconds of the processes."""
    env = dict(os.environ, OMPI_ALLOW_RUN_AS_ROOT="1", OMPI_ALLOW_RUN_AS_ROOT_CONFIRM="1",
               OMPI_MCA_mpi_yield_when_idle="1")
    record = path + ".time"
    words = [os.path.join(CLUSTER, "gnd"), "label", path, "--labels", path + ".csv", "--method", method, "--threads",
             "1", "-q", "-o", path + ".out.csv"]
    subprocess.run(["mpirun", "-q", "--oversubscribe", "--bind-to", "none", "-n", str(ranks), "sh", "-c",
                    'exec /usr/bin/time -f "%M %U %S" -o "$0.$OMPI_COMM_WORLD_RANK" "$@"', record, *words],
                   stdout=subprocess.DEVNULL, env=env, check=True)
    lines = []
    for r in range(ranks):
        with open(f"{record}.{r}", encoding="utf-8") as f:
            lines.append(f.read().split())
        os.unlink(f"{record}.{r}")
    os.unlink(path + ".out.csv")
    return max(int(x[0]) for x in lines) / 1024, sum(float(x[1]) + float(x[2]) for x in lines) / ranks


def check(a):
    worst = 0.0
    print("| graph | method | order | processes | copies per vertex | MB | estimated | ratio | CPU s | estimated | "
          "ratio |\n|---|---|---|---|---|---|---|---|---|---|---|")
    small = ("1m", "1m-words")
    graphs = a.graphs.split(",") if a.graphs else small if a.small else ["9m", "9m-words", "19m", "19m-words"]
    for graph in graphs:
        path = os.path.join(a.work, graph + ".safetensors")
        info = make(path, *CHECK_GRAPHS[graph])
        methods = a.methods.split(",") if a.methods else ["sgc"] if info["n_feat"] else ["ls"]
        with open(path + ".csv", "w", encoding="utf-8") as f:  # five labels for each class
            f.write("id,label\n")
            f.writelines(f"{v},{v % 8}\n" for v in range(0, 40))
        cases = [(m, r, o) for m in methods for r, o in ((1, "random"), (2, "random"), (4, "random"), (2, "metis"),
                                                         (4, "metis")) if not a.ranks or str(r) in a.ranks.split(",")]
        for method, ranks, order in cases:
            if method == "auto" and ranks > 1 and order == "random":
                continue  # it needs what `gnd data convert --parts` stores
            file = path
            if order == "metis":
                file = os.path.join(a.work, "metis.safetensors")
                output([os.path.join(CLUSTER, "gnd"), "data", "convert", path, file, "--parts", str(ranks), "-q"])
                shutil.copy(path + ".csv", file + ".csv")
            words = ["--vertices", str(info["n_node"]), "--edges", str(info["n_edge"]), "--feature-columns",
                     str(info["n_feat"]), "--words", "8", "--ranks", str(ranks), "--method", method, "--network",
                     "loopback", "--order", order]
            guess = estimate(words)
            mb, cpu = measure(file, method, ranks)
            ratio = guess["bytes_of_process_0"] / 2**20 / mb, guess["seconds"] / cpu
            worst = max(worst, *(abs(r - 1) for r in ratio))
            print(f"| {graph} | {method} | {order} | {ranks} | {guess['copies_per_vertex']:.2f} | {mb:.0f} | "
                  f"{guess['bytes_of_process_0'] / 2**20:.0f} | {ratio[0]:.2f} | {cpu:.1f} | {guess['seconds']:.1f} | "
                  f"{ratio[1]:.2f} |", flush=True)
    return worst > LIMIT


# ---- predictions --------------------------------------------------------------------------------------

RANKS = [2**k for k in range(11)]
SHOWN = (1, 4, 16, 64, 256, 1024)
EDGES, POWERS = (10**9, 10**10), ("10⁹", "10¹⁰")
METHODS = ("ls", "sgc", "auto", "gcn", "appnp", "gnd-slp")
# Copies of measured graphs by number of parts, from `bench/scale.py halo`: series of the figure.
MEASURED = {
    "random": ((2, .53), (4, 1.28), (8, 2.31), (16, 3.64), (32, 5.28), (64, 7.19), (256, 11.38)),
    "metis": ((2, .30), (4, .69), (8, 1.16), (16, 2.17), (32, 3.27), (64, 4.61), (256, 7.71)),
    "communities": ((2, .19), (4, .41), (8, .63), (16, .87), (32, 1.10), (64, 1.35), (256, 1.80)),
}


def sized(edges, ranks, method, order="random", network="10g", more=()):
    """An estimate for ten edges per vertex, 8 classes, 100 features of which a vertex has 8."""
    return estimate(["--vertices", str(edges // 10), "--edges", str(edges), "--feature-columns", "100", "--ranks",
                     str(ranks), "--method", method, "--order", order, "--network", network, *more])


def seconds_text(s):
    return f"{s / 3600:.1f} h" if s >= 7200 else f"{s / 60:.0f} min" if s >= 120 else f"{s:.0f} s"


def tables():
    print("Time of a labelling: random order / communities\n")
    print("| edges | method | " + " | ".join(str(r) for r in SHOWN) + " |\n|---|---|" + "---|" * len(SHOWN))
    for edges, power in zip(EDGES, POWERS):
        for method in METHODS:
            cells = [" / ".join(seconds_text(sized(edges, r, method, order)["seconds"])
                                for order in ("random", "communities")) for r in SHOWN]
            print(f"| {power} | {method} | " + " | ".join(cells) + " |")
    print("\nMemory of a process in GB: random order / communities; last column: what process 0 takes besides\n")
    print("| edges | method | " + " | ".join(str(r) for r in SHOWN) + " | process 0 |\n|---|---|" +
          "---|" * (len(SHOWN) + 1))
    for edges, power in zip(EDGES, POWERS):
        for method in METHODS:
            e = [[sized(edges, r, method, order) for order in ("random", "communities")] for r in SHOWN]
            cells = [" / ".join(f"{x['bytes_per_process'] / 1e9:.2g}" if x["bytes_per_process"] < 9.95e10 else
                                f"{x['bytes_per_process'] / 1e9:.0f}" for x in both) for both in e]
            more = (e[0][0]["bytes_of_process_0"] - e[0][0]["bytes_per_process"]) / 1e9
            print(f"| {power} | {method} | " + " | ".join(cells) + f" | {more:.2g} |")
    print("\nParts of the time of ls, 10^10 edges, in seconds\n")
    print("| order, network | processes | load | compute | copies | sums | write |\n|---|---|---|---|---|---|---|")
    for order, network in (("random", "10g"), ("communities", "10g"), ("random", "100g"), ("communities", "100g")):
        for r in (16, 64, 256, 1024):
            e = sized(EDGES[1], r, "ls", order, network)
            parts = [e[k + "_seconds"] for k in ("load", "compute", "copy", "sum", "write")]
            print(f"| {order}, {network} | {r} | " + " | ".join(f"{x:.0f}" if x >= 1 else "0" for x in parts) + " |")


# ---- figures ------------------------------------------------------------------------------------------

COLOURS = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#56b4e9", "#e69f00", "#000000")


class Panel:
    """A panel with two logarithmic axes; sizes in points."""
    WIDTH, HEIGHT, LEFT, TOP = 300, 220, 62, 30

    def __init__(self, title, y_label, x_range, y_range, y_name):
        self.title, self.y_label, self.x_range, self.y_range, self.y_name = title, y_label, x_range, y_range, y_name
        self.shapes, self.legend = [], []

    def at(self, x, y):
        def place(v, low, high):
            return math.log(v / low) / math.log(high / low)
        return self.LEFT + self.WIDTH * place(x, *self.x_range), self.TOP + self.HEIGHT * (1 - place(y, *self.y_range))

    def line(self, name, points, colour, dash="", marks=False):
        path = [self.at(x, max(y, self.y_range[0])) for x, y in points if y <= self.y_range[1]]
        if marks:
            self.shapes += [f'<circle cx="{x:.1f}" cy="{y:.1f}" r="3" fill="none" stroke="{colour}"/>' for x, y in path]
        else:
            places = " ".join(f"{x:.1f},{y:.1f}" for x, y in path)
            self.shapes.append(f'<polyline fill="none" stroke="{colour}" stroke-width="1.6" stroke-dasharray="{dash}" '
                               f'points="{places}"/>')
        if name:
            self.legend.append((name, colour, dash, marks))

    def svg(self):
        out = [f'<text x="{self.LEFT}" y="{self.TOP - 12}" font-weight="bold">{self.title}</text>',
               f'<rect x="{self.LEFT}" y="{self.TOP}" width="{self.WIDTH}" height="{self.HEIGHT}" fill="none" '
               'stroke="#444"/>',
               f'<text x="{self.LEFT + self.WIDTH / 2}" y="{self.TOP + self.HEIGHT + 34}" text-anchor="middle">'
               'processes</text>',
               f'<text transform="translate(14 {self.TOP + self.HEIGHT / 2}) rotate(-90)" text-anchor="middle">'
               f'{self.y_label}</text>']
        for r in SHOWN:
            if self.x_range[0] <= r <= self.x_range[1]:
                x, y = self.at(r, self.y_range[0])
                out.append(f'<line x1="{x:.1f}" x2="{x:.1f}" y1="{y:.1f}" y2="{y + 4:.1f}" stroke="#444"/>'
                           f'<text x="{x:.1f}" y="{y + 17:.1f}" text-anchor="middle">{r}</text>')
        for v, text in self.y_name:
            x, y = self.at(self.x_range[0], v)
            out.append(f'<line x1="{x:.1f}" x2="{x + self.WIDTH:.1f}" y1="{y:.1f}" y2="{y:.1f}" stroke="#ddd"/>'
                       f'<text x="{x - 5:.1f}" y="{y + 4:.1f}" text-anchor="end">{text}</text>')
        for k, (name, colour, dash, marks) in enumerate(self.legend):
            x, y = self.LEFT + self.WIDTH + 10, self.TOP + 12 + 16 * k
            out.append(f'<circle cx="{x + 11}" cy="{y - 4}" r="3" fill="none" stroke="{colour}"/>' if marks else
                       f'<line x1="{x}" x2="{x + 22}" y1="{y - 4}" y2="{y - 4}" stroke="{colour}" stroke-width="1.6" '
                       f'stroke-dasharray="{dash}"/>')
            out.append(f'<text x="{x + 27}" y="{y}">{name}</text>')
        return "\n".join(out + self.shapes)


def figure(path, title, panels):
    wide, high = Panel.LEFT + Panel.WIDTH + 180, Panel.TOP + Panel.HEIGHT + 46
    rows = (len(panels) + 1) // 2
    with open(path, "w", encoding="utf-8") as f:
        f.write(f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {2 * wide} {rows * high}" '
                f'font-family="sans-serif" font-size="12"><title>{title}</title>\n'
                f'<rect width="{2 * wide}" height="{rows * high}" fill="#fff"/>\n')
        for k, p in enumerate(panels):
            f.write(f'<g transform="translate({k % 2 * wide} {k // 2 * high})">\n{p.svg()}\n</g>\n')
        f.write("</svg>\n")


TIMES = ((10, "10 s"), (60, "1 min"), (600, "10 min"), (3600, "1 h"), (36000, "10 h"), (360000, "100 h"))


def figures(folder):
    one = Panel("Copied vertices, all processes", "copies per vertex", (2, 1024), (.1, 30),
                ((.1, "0.1"), (.3, "0.3"), (1, "1"), (3, "3"), (10, "10"), (30, "30")))
    for k, (order, points) in enumerate(MEASURED.items()):
        edges = 6500000 // 2 if order == "communities" else 9185002 // 2
        sizes = ["--vertices", "500000", "--edges", str(edges), "--method", "ls", "--order", order]
        law = [(r, estimate([*sizes, "--ranks", str(r)])["copies_per_vertex"]) for r in RANKS[1:]]
        one.line(f"{order}, law", law, COLOURS[k])
        one.line("measured", points, COLOURS[k], marks=True)
    two = Panel("Time by edges and order, 10 Gbit/s per process", "time", (1, 1024), (10, 360000), TIMES)
    three = Panel("Parts of the time: ls, 10¹⁰ edges, random order", "time", (1, 1024), (1, 36000),
                  ((1, "1 s"), *TIMES[:5]))
    four = Panel("Memory of a process by edges, random order", "memory", (1, 1024), (1e8, 3e12),
                 ((1e8, "0.1 GB"), (1e9, "1 GB"), (1e10, "10 GB"), (1e11, "100 GB"), (1e12, "1 TB")))
    for i, method in enumerate(("ls", "sgc")):
        for j, edges in enumerate(EDGES):
            for order, dash in (("random", ""), ("communities", "5 3")):
                e = [sized(edges, r, method, order) for r in RANKS]
                name = f"{method}, {POWERS[j]}, {order}"
                two.line(name, [(r, x["seconds"]) for r, x in zip(RANKS, e)], COLOURS[2 * i + j], dash)
                if order == "random":
                    four.line(f"{method}, {POWERS[j]}", [(r, x["bytes_per_process"]) for r, x in zip(RANKS, e)],
                              COLOURS[2 * i + j])
                    if method == "ls":
                        four.line(f"process 0, {POWERS[j]}", [(r, x["bytes_of_process_0"]) for r, x in zip(RANKS, e)],
                                  COLOURS[2 * i + j], "2 3")
    e = [sized(EDGES[1], r, "ls") for r in RANKS]
    for k, part in enumerate(("load", "compute", "copy", "write")):
        three.line({"copy": "copies"}.get(part, part), [(r, x[part + "_seconds"]) for r, x in zip(RANKS, e)
                                                        if x[part + "_seconds"] > 0], COLOURS[k])
    three.line("total", [(r, x["seconds"]) for r, x in zip(RANKS, e)], COLOURS[6])
    figure(os.path.join(folder, "scale.svg"), "Estimates for several processes", [one, two, three, four])


def predict(a):
    tables()
    if a.folder:
        figures(a.folder)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("part", choices=("halo", "rates", "check", "predict"))
    parser.add_argument("--small", action="store_true", help="check: a graph of a million entries")
    parser.add_argument("--methods", help="check: these, separated by commas")
    parser.add_argument("--ranks", help="check: these numbers of processes")
    parser.add_argument("--graphs", help="check: these of " + ", ".join(CHECK_GRAPHS))
    parser.add_argument("--work", help="folder of the graphs, which are kept (default: a temporary one)")
    parser.add_argument("--folder", help="predict: folder of the figures (default: none are written)")
    a = parser.parse_args()
    own = None if a.work else tempfile.mkdtemp(prefix="gnd-scale-")
    a.work = a.work or own
    try:
        sys.exit({"halo": halo, "rates": rates, "check": check, "predict": predict}[a.part](a))
    finally:
        if own:
            shutil.rmtree(own)


if __name__ == "__main__":
    main()
