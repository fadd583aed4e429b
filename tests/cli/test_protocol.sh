#!/bin/bash
# SPDX-License-Identifier: MIT
# Defaults of gnd train, compare and plot: the paper's protocol for its data sets or if it is asked for; other data
# are undirected and have no validation vertices, and a note says so. Ends with "N passed, M failed".
. "$(dirname "$0")/cases.bash"
small_graphs
mkdir mine
grep -v lone edges.csv > mine/edges.csv
{ echo id,label; for i in 0 1 2 3 4 5 6 7 8 9; do echo "a$i,red"; echo "b$i,blue"; done; } > mine/labels.csv

note='note: (\./)?mine is not a data set of the paper: graph und, no validation vertices'
for data in mine ./mine; do
    run train $data --json
    json 'o["graph"] == "und" and o["split"] == "honest" and o["n_val"] == 0 and o["n_train"] == 10 and
          o["n_test"] == 10 and o["n_unused"] == 0 and o["labels_per_class"] == 5 and o["split_seed"] == 1'
    verdict "train $data: undirected, no validation, all other labels are tested" $?
    check "and a note says so" grep -qE "^$note.*--split paper" .err
done
run train mine -q
[ $rc = 0 ] && [ ! -s .err ]; verdict "-q: without the note" $?
works "train karate works" '10 train, 0 validate, 24 test' train karate
run plot curves karate -o curves.svg
check "plot curves karate works" test -s curves.svg
run plot reliability karate -o reliability.svg
check "plot reliability karate works" test -s reliability.svg
fails "train --split paper: as the paper" 1 '500 validation' train mine --split paper
run train mine --split paper --validation 5 --json
json 'o["graph"] == "raw" and o["split"] == "paper" and o["n_val"] == 5'
verdict "train --split paper --validation: the graph as stored" $?
run train mine --validation 5 --json
json 'o["graph"] == "und" and o["split"] == "paper" and o["n_val"] == 5'
verdict "train --validation N on other data: undirected" $?
check "and the note is about the graph alone" grep -qE '^note: mine is not .*: graph und; --split' .err
run train mine --graph raw --validation 5 --json
json 'o["graph"] == "raw"'
{ [ $? = 0 ] && ! grep -q 'not a data set of the paper' .err; }; verdict "both given: no note" $?
printf 'a0,red\na1,red\nb0,blue\n' > known.csv
run train mine --labels known.csv --json
json 'o["graph"] == "und" and o["split"] == "file" and o["n_train"] == 3 and o["n_test"] == 17'
verdict "train --labels on other data: undirected" $?
run train mine --split honest --json
json 'o["split"] == "honest" and o["graph"] == "und"'; verdict "train --split honest" $?
fails "train --split honest has no validation vertices" 2 '--validation has no meaning' \
    train mine --split honest --validation 3

# Unlabelled vertices count as class 0 only in the paper's protocol.
mkdir half
cp mine/edges.csv half/edges.csv
grep -v '^a[0-4],' mine/labels.csv > half/labels.csv
run train half --graph raw --validation 2 --labels-per-class 2 --json -q
json 'o["n_test"] + o["n_val"] + o["n_train"] <= 15'; verdict "train: unlabelled vertices are not scored" $?
half=(compare half --graph raw --validation 2 --labels-per-class 2 --splits 3 --methods ls --json -q)
run "${half[@]}"; cp .out own.json
run "${half[@]}" --protocol paper; cp .out paper.json
check "compare: neither, other than in the paper's protocol" python3 -c 'import json
own, paper = ([r["test_accuracy"] for r in json.load(open(f))["runs"]] for f in ("own.json", "paper.json"))
assert len(own) == 3 and own != paper'

run compare mine --methods ls,sgc --json
json 'o["protocol"] == "honest" and o["validation"] == 0 and o["splits"] == 10 and
      all(c["graph"] == "und" for c in o["cells"])'
verdict "compare: undirected, no validation, ten splits" $?
check "and a note says so" grep -qE "^$note.*--protocol paper" .err
fails "compare --protocol paper: as the paper" 1 '500 validation' compare mine --methods ls --protocol paper
run compare mine --methods ls --protocol honest --splits 2 --json
json 'o["cells"][0]["graph"] == "std"'
{ [ $? = 0 ] && ! grep -q 'not a data set of the paper' .err; }; verdict "compare --protocol honest: as before" $?
run compare mine --methods ls --validation 5 --splits 2 --json
json 'o["protocol"] == "paper" and o["validation"] == 5 and o["cells"][0]["graph"] == "und"'
verdict "compare --validation N on other data: undirected" $?
fails "compare --pick without validation vertices" 2 '--pick needs .*--validation N' compare mine --pick
if [ -d "$shared/data" ]; then
    export GND_DATA=$shared/data
    run train cora --set epochs=2 --json
    json 'o["graph"] == "raw" and o["split"] == "paper" and o["n_val"] == 500'
    { [ $? = 0 ] && ! grep -q 'not a data set of the paper' .err; }; verdict "train cora: the paper's protocol" $?
    run compare cora --methods ls --splits 2 --json
    json 'o["protocol"] == "paper" and o["validation"] == 500 and o["cells"][0]["graph"] == "raw"'
    verdict "compare cora: the paper's protocol" $?
    run compare cora mine --methods ls --splits 2 --json
    json 'o["protocol"] == "honest" and all(c["graph"] == "und" for c in o["cells"])'
    { [ $? = 0 ] && grep -qE "^$note" .err; }; verdict "compare cora and other data: one protocol for both" $?
else
    echo "skip data sets of the paper: $shared/data is not there"
fi

echo "$pass passed, $fail failed"
[ $fail = 0 ]
