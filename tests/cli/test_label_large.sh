#!/bin/bash
# SPDX-License-Identifier: MIT
# Method auto on graphs of more than two million entries without features, where both kinds of coordinates come from one
# search: vertices of small components, classes that are only there, threads, suggestions.
#
#     GND=build/gnd tests/cli/test_label_large.sh
#
# One line a case, "N passed, M failed" at the end, exit 1 if one failed.
# shellcheck source=cases.bash
. "$(dirname "$0")/cases.bash"

# make_graph FOLDER COMPONENTS: two dense blocks of 1,000 vertices (classes a and b), components of 30 vertices with
# classes c and d in turn. edges.csv, known.csv, truth.csv.
make_graph() {
    mkdir -p "$1"
    python3 - "$@" << 'PY'
import random, sys
folder, components = sys.argv[1], int(sys.argv[2])
r = random.Random(3)
n, row = 2000, []
for i in range(n):
    inside = [j for j in range(i + 1, n) if j % 2 == i % 2]
    across = [j for j in range(i + 1, n) if j % 2 != i % 2]
    row += [(i, j) for j in r.sample(inside, int(len(inside) * 0.8))]
    row += [(i, j) for j in r.sample(across, int(len(across) * 0.35))]
truth = {i: "ab"[i % 2] for i in range(n)}
known = dict(list(truth.items())[:6])
for k in range(components):
    at = n + 30 * k
    row += [(at + i, at + (i + s) % 30) for i in range(30) for s in (1, 2, 5)]
    truth.update((at + i, "cd"[k % 2]) for i in range(30))
    known.update((at + i, "cd"[k % 2]) for i in range(3))
with open(folder + "/edges.csv", "w") as f:
    f.write("source,target\n" + "".join("%d,%d\n" % e for e in row))
for name, of in (("known", known), ("truth", truth)):
    with open("%s/%s.csv" % (folder, name), "w") as f:
        f.write("id,label\n" + "".join("%d,%s\n" % e for e in of.items()))
PY
}

right() { # right FOLDER CLASSES SHARE: such a share of the vertices of these classes has its label in out.csv
    python3 - "$@" << 'PY'
import csv, sys
folder, classes, share = sys.argv[1], sys.argv[2], float(sys.argv[3])
found = {r["id"]: r["label"] for r in csv.DictReader(open("out.csv"))}
truth = [r for r in csv.DictReader(open(folder + "/truth.csv")) if r["label"] in classes]
hits = sum(found[r["id"]] == r["label"] for r in truth)
sys.exit(0 if hits >= share * len(truth) else "%d of %d" % (hits, len(truth)))
PY
}

for components in 40 2; do # a third of the vertices, and too few for coordinates of their own
    make_graph "g$components" $components
    run label "g$components/edges.csv" --labels "g$components/known.csv" -o out.csv --threads 1
    [ $rc = 0 ] && right "g$components" ab 0.99 2>> .err
    verdict "$components small components: classes of the large one" $?
    right "g$components" cd 0.99 2>> .err
    verdict "$components small components: classes that are only there" $?
    ! grep -q 'little support' .err
    verdict "$components small components: no warning of a class without support" $?
    mv out.csv one.csv
    run label "g$components/edges.csv" --labels "g$components/known.csv" -o out.csv --threads 3 -q
    cmp -s one.csv out.csv
    verdict "$components small components: the same bytes with three threads" $?
done
run suggest g40/edges.csv -n 20 -o suggested.csv -q
[ $rc = 0 ] && [ "$(awk -F, 'NR > 1 && $1 >= 2000' suggested.csv | wc -l)" -ge 5 ]
verdict "suggestions reach small components" $?

echo "$pass passed, $fail failed"
[ $fail = 0 ]
