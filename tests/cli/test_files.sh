#!/bin/bash
# SPDX-License-Identifier: MIT
# No command overwrites a file that it reads, nor writes two outputs to one file: refused with one sentence and
# exit code 1 before any work, every file byte for byte as it was. Ends with "N passed, M failed".
. "$(dirname "$0")/cases.bash"
small_graphs
printf 'a0,red\na1,red\nb0,blue\nb1,blue\n' > known.csv
mkdir d
"$gnd" data convert karate d/karate --to csv -q > .out 2>&1
compare=(compare karate --data-dir d --methods sgc --validation 0 --labels-per-class 2 --splits 1 -q)

refuses() { # refuses NAME PATTERN ARGS...
    local name=$1 pattern=$2
    shift 2
    fails "$name" 1 "$pattern" "$@"
}

# ---- the store ----
"$gnd" "${compare[@]}" --store x.sq > .out 2> .err
check "a store to begin with" test -s x.sq
refuses "compare: runs onto the store" 'input and would be overwritten' "${compare[@]}" --store x.sq --runs x.sq
refuses "compare: runs onto the store by another path" 'overwritten' "${compare[@]}" --store x.sq --runs d/../x.sq
ln -s x.sq link.sq && ln x.sq hard.sq
refuses "compare: runs onto a link to the store" 'overwritten' "${compare[@]}" --store x.sq --runs link.sq
refuses "compare: runs onto a hard link to the store" 'overwritten' "${compare[@]}" --store x.sq --runs hard.sq
refuses "compare: runs onto the store's log" 'overwritten' "${compare[@]}" --store x.sq --runs x.sq-wal
refuses "compare: runs onto a new store" 'overwritten' "${compare[@]}" --store new.sq --runs ./new.sq
refuses "compare: runs onto the log of a new store" 'overwritten' "${compare[@]}" --store new.sq --runs new.sq-shm
refuses "compare: store onto an input" 'cannot be the store' compare edges.csv --methods sgc --store edges.csv
refuses "paper: output onto the store" 'overwritten' paper --data karate --tables-only --store x.sq -o x.sq
refuses "results export onto the store" 'overwritten' results export x.sq x.sq
refuses "results export onto a link to the store" 'overwritten' results export x.sq link.sq
if mkdir runs && "$gnd" results export x.sq runs -q && "$gnd" results export x.sq plain.csv -q; then
    results=(compare karate --methods sgc --labels-per-class 2 --splits 1 --results runs)
    refuses "compare: runs onto the results" 'overwritten' "${results[@]}" --runs runs/karate.csv
    refuses "paper: output onto the results" 'overwritten' paper --tables-only --data karate --results runs/ \
        -o runs/karate.csv
    refuses "paper: output onto the settings of the results" 'overwritten' paper --tables-only --data karate \
        --results runs -o ./runs/configs.csv
    cp -r runs results # the folder that `gnd paper` reads by default
    printf 'dataset,graph,vertices,edges,arcs,features,classes,directed\n' > results/datasets.csv
    printf 'karate,%s,34,78,156,0,2,0\n' raw std >> results/datasets.csv
    paper=(paper --tables-only --data karate --methods sgc --labels-per-class 2 --splits 1)
    refuses "paper: output onto the default results" 'results/karate.csv: is read as input' "${paper[@]}" \
        -o results/karate.csv
    refuses "paper: training onto the default results" 'overwritten' paper --data karate --methods sgc \
        --labels-per-class 2 --splits 1 -o d/../results/datasets.csv
    ln -s results/configs.csv settings.csv
    refuses "paper: output onto a link to the default results" 'overwritten' "${paper[@]}" -o settings.csv
    refuses "paper: store onto the default results" 'cannot be the store' "${paper[@]}" --store results/karate.csv
    run "${paper[@]}" -o results/tables.txt -q
    check "paper: a new file beside the default results" sh -c "[ $rc = 0 ] && [ -s results/tables.txt ]"
    rm -r results settings.csv
    mv runs/karate.csv kept.csv
    printf 'a,b\n' > runs/karate.csv
    refuses "results export onto a file of another kind" 'runs/karate.csv: is not a file of exported training runs' \
        results export x.sq runs
    check "which is as it was" test "$(cat runs/karate.csv)" = a,b
    cp x.sq runs/karate.csv
    refuses "results export onto the store in the folder" 'is not a file of' results export runs/karate.csv runs
    check "which is a store as before" "$gnd" results export runs/karate.csv again.csv -q
    check "with its runs" cmp -s plain.csv again.csv
    rm -r runs again.csv plain.csv kept.csv
else
    verdict "results to begin with" 1
fi
refuses "results import of the store" 'cannot be the store' results import known.csv known.csv

# ---- a data set's own files ----
refuses "train: predictions onto the labels" 'overwritten' train karate --data-dir d --validation 0 \
    --predictions d/karate/labels.csv
refuses "train: model onto the edges" 'overwritten' train karate --data-dir d --validation 0 -o d/karate/edges.csv
refuses "label: output onto the edges" 'overwritten' label karate --data-dir d --labels known.csv -o d/karate/edges.csv
refuses "label: model onto the labels of the folder" 'overwritten' label d/karate --labels known.csv \
    --model d/karate/labels.csv
refuses "suggest: output onto the edges" 'overwritten' suggest d/karate -o d/karate/edges.csv
refuses "suggest: output onto the labels" 'overwritten' suggest edges.csv --labels known.csv -o known.csv
refuses "compare: runs onto the edges" 'overwritten' "${compare[@]}" --runs d/karate/edges.csv
ln -s ../d/karate/edges.csv d/link.csv
refuses "compare: runs onto a link to the edges" 'overwritten' "${compare[@]}" --runs d/link.csv
refuses "convert onto the labels" 'overwritten' data convert d/karate d/karate/labels.csv --to npz
refuses "convert into the folder that is read" 'overwritten' data convert d/karate d/karate --to csv
refuses "convert into the folder of the labels" 'overwritten' data convert edges.csv d/karate --to csv \
    --labels d/karate/labels.csv
refuses "predict: output onto the model" 'overwritten' predict known.csv d/karate -o known.csv
refuses "predict: output onto the edges" 'overwritten' predict known.csv d/karate -o d/karate/edges.csv

# ---- files that belong together ----
if [ -d "$shared/data/planetoid" ]; then
    cp "$shared"/data/planetoid/ind.cora.* .
    refuses "compare: runs onto a file of ind.*" 'overwritten' compare ./ind.cora.x --methods sgc --runs ind.cora.graph
    refuses "train: predictions onto a file of ind.*" 'overwritten' train ./ind.cora --predictions ind.cora.test.index
    rm ind.cora.*
else
    echo "skip ind.*: $shared/data is not there"
fi
printf 'p1 1 0 A\np2 0 1 B\n' > set.content
printf 'p1 p2\n' > set.cites
refuses "train: output onto .cites" 'overwritten' train ./set.content --validation 0 --labels-per-class 1 -o set.cites

# ---- two outputs ----
refuses "label: two outputs" 'same file' label edges.csv --labels known.csv -o x --model ./x
refuses "train: two outputs" 'same file' train karate --validation 0 -o x --predictions d/../x
ln -s target dangling
refuses "train: two outputs, one by a link" 'same file' train karate --validation 0 -o dangling --predictions target

refuses "train: hop weights onto predictions" "same file" train karate --validation 0 --predictions x --hop-weights x
refuses "train: attention onto hop weights" "same file" train karate --validation 0 --method gnd-attn \
    --hop-weights x --hop-attention ./x
refuses "train: attention onto the edges" 'overwritten' train karate --data-dir d --validation 0 --method gnd-attn \
    --hop-attention d/karate/edges.csv

# ---- what is allowed ----
works "two outputs that differ" 'accuracy' train karate --validation 0 -o m.st --predictions p.csv
works "both to /dev/null" 'accuracy' train karate --validation 0 -o /dev/null --predictions /dev/null
run label edges.csv --labels known.csv -o out.csv
check "an output beside the inputs" test -s out.csv

echo "$pass passed, $fail failed"
[ $fail = 0 ]
