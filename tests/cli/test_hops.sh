#!/bin/bash
# SPDX-License-Identifier: MIT
# `gnd data hops`: the npz file it writes, and mistakes.
#
#     GND=build/gnd tests/cli/test_hops.sh
#
# One line a case, "N passed, M failed" at the end, exit 1 if one failed.
# shellcheck source=cases.bash
. "$(dirname "$0")/cases.bash"
small_graphs
printf 'id,label\na1,red\nb1,blue\n' > known.csv

numpy() { # numpy NAME EXPRESSION: true of the arrays z of hops.npz? Skipped without NumPy
    python3 -c 'import numpy' 2> /dev/null || { echo "skip $1: no NumPy"; return; }
    python3 - "$2" > .out 2> .err << 'PY'
import sys, numpy as np
z = np.load("hops.npz")
sys.exit(0 if eval("(" + sys.argv[1] + ")") else 1)
PY
    verdict "$1" $?
}

works "karate" '^hops.npz$' data hops karate hops.npz -q
numpy "default hops" 'sorted(set(z) - {"node_names"}) ==
    ["class_names", "hop_0", "hop_1", "hop_10000", "hop_19", "labels"]'
numpy "shape and type" 'all(z[f"hop_{k}"].shape == (34, 16) and z[f"hop_{k}"].dtype == "f4" for k in (0, 1, 19, 10000))'
numpy "labels" 'z["labels"].shape == (34,) and set(z["labels"]) == {0, 1}'
numpy "the limit is the same everywhere" 'np.ptp(z["hop_10000"], axis=0).max() == 0 < np.ptp(z["hop_19"], axis=0).min()'
cp hops.npz first.npz
"$gnd" data hops karate hops.npz -q --threads 3 > .out 2> .err
check "same bytes with three threads" cmp hops.npz first.npz
works "another seed" hops data hops karate hops.npz -q --seed 2
check "other bytes" sh -c '! cmp hops.npz first.npz'

works "a list in any order" hops data hops edges.csv hops.npz --features words.csv --labels known.csv --hops 7,0-2 \
    --filters 3 --json -q
json 'o["hops"] == [0, 1, 2, 7] and o["filters"] == 3 and o["n_node"] == 22 and o["output"] == "hops.npz"'
verdict "its JSON" $?
numpy "its arrays" '[k for k in z if k[:3] == "hop"] == ["hop_0", "hop_1", "hop_2", "hop_7"]
    and z["hop_7"].shape == (22, 3)'
numpy "ids and classes" '"a0" in z["node_names"] and list(z["class_names"]) == ["blue", "red"]
    and sorted(z["labels"])[-2:] == [0, 1] and z["labels"].min() == -1'
rm hops.npz

fails "no output" 2 'expected|operand|missing' data hops karate
fails "not a number" 2 'hops: expected whole numbers' data hops karate hops.npz --hops 1,x
fails "a negative hop" 2 'hops: expected whole numbers' data hops karate hops.npz --hops=-1
fails "an empty list" 2 'hops: expected' data hops karate hops.npz --hops ''
fails "too many hops" 2 'hops: expected' data hops karate hops.npz --hops 0-9999999
fails "no filter" 2 'filters: expected' data hops karate hops.npz --filters 0
fails "no data set" 1 'nosuch' data hops nosuch hops.npz
fails "no folder" 1 'no/hops.npz' data hops karate no/hops.npz
fails "onto its input" 1 'overwritten' data hops edges.csv edges.csv
fails "onto its labels" 1 'overwritten' data hops edges.csv known.csv --labels known.csv

echo "$pass passed, $fail failed"
[ $fail = 0 ]
