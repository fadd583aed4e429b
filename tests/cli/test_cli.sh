#!/bin/bash
# SPDX-License-Identifier: MIT
# The command line as a user meets it: help, mistakes, results, files, exit codes.
#
#     GND=build/gnd tests/cli/test_cli.sh
#
# One line a case, "N passed, M failed" at the end, exit 1 if one failed. Cases on the public data sets
# need the folder GND_SHARED (default: shared beside the source) and are skipped without it.
# shellcheck source=cases.bash
. "$(dirname "$0")/cases.bash"

# ---- small graphs -------------------------------------------------------------------------------

small_graphs
printf 'id,label\na1,"red, warm"\nb1,blue\n' > seeds.csv

# ---- help ---------------------------------------------------------------------------------------

works "help lists the commands" 'compare' help
works "--help too" 'compare' --help
run; [ $rc = 2 ] && grep -q usage .err; verdict "bare gnd prints the help and is a usage error" $?
for c in label suggest train estimate predict compare paper "results export" "results import" \
    "plot accuracy" "plot depth" "plot curves" "plot hops" "plot reliability" "plot tsne" "plot figure1" \
    spectrum methods \
    "data list" "data get" "data info" "data convert" "data make" "data hops" version; do
    # shellcheck disable=SC2086
    works "gnd $c --help" "^usage: gnd $c" $c --help
    cp .out .help
    # shellcheck disable=SC2086
    run help $c
    check "gnd help $c is the same" cmp .out .help
    check "gnd $c --help fits 90 columns, has examples and no blanks at line ends" sh -c \
        '! grep -qE "^.{91}| $" .help && grep -q "^examples:" .help'
done
# The help of commands that take a graph names every format that is read.
run data list --json
python3 -c 'import json; print(*[f["name"] for f in json.load(open(".out"))["formats"]])' > .formats
for c in label suggest train predict compare spectrum "data info" "data convert"; do
    # shellcheck disable=SC2086
    run $c --help
    tr -s ' \n' '  ' < .out > .help
    for f in $(cat .formats); do
        case $f in
        edgelist) word="edge list" ;;
        mtx) word="Matrix Market" ;;
        json) word="node-link JSON" ;;
        ogb) word="Open Graph Benchmark" ;;
        geomgcn) word="Geom-GCN" ;;
        *) word=$f ;;
        esac
        check "gnd $c --help names the format $f" grep -qi "$word" .help
    done
done
works "gnd help data" 'data convert' help data
works "--version" "^gnd [0-9]+\.[0-9]+" --version
works "version names kernels, compiler and build" "^kernels +[a-z0-9]+" version
check "version: compiler and build" grep -qE '^(compiler|build) ' .out
run version --json; json 'o["version"] and o["kernels"] and o["compiler"] and o["build"]'
verdict "version --json" $?

# ---- usage --------------------------------------------------------------------------------------

fails "unknown command" 2 'did you mean .gnd train' trian karate
fails "unknown command far from any" 2 'gnd help' xyzzy
fails "unknown data command" 2 'did you mean .gnd data list' data lsit
fails "unknown option" 2 'did you mean --labels' train karate --lables x
fails "unknown letter" 2 'no option -z' train karate -z
fails "an option of another command" 2 'compare has no option --labels, .*gnd label.*--labels-per-class in full' \
    compare karate --labels f
fails "and with =" 2 'has no option --labels' compare karate --labels=3
works "a shortened option" 'accuracy' train karate --valid 0 --labels-per 2
works "a value that looks like an option" 'accuracy' train karate --valid 0 --predictions --labels
rm -f -- --labels
fails "option without its value" 2 '--seed needs a value' train karate --seed
fails "flag with a value" 2 '--json takes no value' train karate --json=yes
fails "word for a number" 2 '--seed: .*abc' train karate --seed abc
fails "number with a tail" 2 '--seed: .*1x' train karate --seed 1x
fails "number with a blank" 2 '--seed: ' train karate --seed ' 1'
fails "negative seed" 2 '--seed: ' train karate --seed -1
fails "number too large" 2 '--seed: ' train karate --seed 99999999999999999999
fails "fraction for a count" 2 '--validation: ' train karate --validation 0.5
fails "memory that is no size" 2 '--memory few: expected min or a size' train karate --memory few
fails "memory of an unknown unit" 2 '--memory 5T' compare karate --methods gnd-slp --memory 5T
fails "no such plan" 2 '--plan' train karate --plan best
works "explain" 'training +(powers|stored).*chosen' train karate --validation 5 --explain
works "explain: least memory" 'training +powers.*chosen' \
    train debian --validation 500 --set epochs=2 --explain --memory min
works "explain: a plan by hand" 'validation +features.*chosen' train karate --validation 5 --explain --plan features
works "the plan in the record" '"plan": "powers, powers"' train karate --validation 5 --json --plan powers
fails "too many threads" 2 '--threads: .*0\.\.1024' train karate --threads 1025
fails "list where one number is wanted" 2 '--labels-per-class: ' train karate --labels-per-class 1-3
fails "range backwards" 2 '--labels-per-class: ' compare karate --labels-per-class 3-1
fails "empty item of a list" 2 '--labels-per-class: ' compare karate --labels-per-class 1,,2
fails "zero labels" 2 '--labels-per-class: ' compare karate --labels-per-class 0-2
fails "a limit of an unknown unit" 2 '--max-input 5T' data info karate --max-input 5T
fails "a limit of nothing" 2 '--max-input min' label karate --labels x --max-input min
fails "unknown graph mode" 2 '--graph: expected raw.und.std' train karate --graph directed
fails "unknown table format" 2 '--format: ' compare karate --format xml
fails "unknown file format" 2 '--format: .*edgelist' train karate --format edgelst
fails "nothing to train on" 2 'usage: gnd train DATA' train
fails "unexpected argument" 2 'unexpected argument .debian' train karate debian
fails "empty name" 2 'empty' train ''
fails "label without labels" 2 '--labels FILE' label edges.csv
fails "unknown method" 2 "did you mean '?gnd-slp" train karate --method gnd-slq
fails "unknown method among many" 2 "no[_a-z ]*method|unknown method" compare karate --methods gnd-slp,zzzzzz
fails "empty method" 2 '--methods: ' compare karate --methods gnd-slp,
fails "unknown setting" 2 "did you mean '?hops" train karate --set hop=3
fails "setting that was removed" 2 'fits: auto has no such setting since .*, which weighs .*gnd methods auto' \
    train karate --method auto --set fits=plain
fails "preset that was removed" 2 'auto has no preset' train karate --method auto --preset prototype
fails "setting out of range" 2 'hops=0.*1\.\.' train karate --set hops=0
fails "setting without value" 2 '--set: expected NAME=VALUE' train karate --set hops
fails "setting of the wrong kind" 2 'dropout=much' train karate --set dropout=much
fails "unknown preset" 2 'text' train karate --preset txt
fails "two ways to split" 2 '--validation has no meaning' train karate --split planetoid --validation 3
fails "labels and split" 2 'exclude each other' train karate --labels seeds.csv --split planetoid
fails "format and json" 2 'exclude' compare karate --format md --json
fails "option before the command" 2 'command comes first' --json train karate
GND_PARALLEL_MIN=soon fails "environment: GND_PARALLEL_MIN" 2 'GND_PARALLEL_MIN' train karate --validation 0
GND_KERN=quantum fails "environment: GND_KERN" 2 'GND_KERN' version
works "-- ends the options" '"dataset"' train --validation 0 --json -- karate
works "options after operands" '"seed": 7' train karate --validation=0 --json --seed=7

# ---- failures -----------------------------------------------------------------------------------

fails "missing file" 1 'nosuch' train nosuch/edges.csv
fails "unknown data set" 1 'did you mean .?karate' train karat
fails "missing labels file" 1 'gone.csv' label edges.csv --labels gone.csv
fails "missing features file" 1 'gone.csv' label edges.csv --labels seeds.csv --features gone.csv
fails "missing model" 1 'gone.safetensors' predict gone.safetensors karate
fails "a folder for a model" 1 '\.' predict . karate
mkdir -p bad
head -c 200 "$root/data/debian.npz" > bad/cut.npz
printf 'PK\003\004nonsense' > bad/magic.npz
printf '%%%%MatrixMarket matrix coordinate real general\n3 3 1\n4 1 1\n' > bad/range.mtx
printf '%%%%MatrixMarket matrx coordinate real general\n3 3 1\n1 1 1\n' > bad/header.mtx
printf '%%%%MatrixMarket matrix coordinate real general\n999999999999 3 1\n1 1 1\n' > bad/huge.mtx
printf 'a\n' > bad/one_column.csv
printf 'id,w1\na0,nan\n' > bad/nan.csv
printf 'id,w1\na0,1\na0,2\n' > bad/twice.csv
printf 'id,label\na0,\nb0,-1\n' > bad/unlabelled.csv
printf 'id,label\na0,red\na0,blue\n' > bad/contradiction.csv
: > bad/empty.csv
printf '\377\377\377\377\377\377\377\177{}' > bad/huge.safetensors
printf '\002\000\000\000\000\000\000\000[]' > bad/list.safetensors
fails "cut npz" 1 'cut.npz' train bad/cut.npz
fails "npz that is none" 1 'magic.npz' train bad/magic.npz
fails "index out of range" 1 'range.mtx' data info bad/range.mtx
fails "broken header" 1 'header.mtx' data info bad/header.mtx
fails "huge count" 1 'huge.mtx' data info bad/huge.mtx
fails "one column" 1 'one_column.csv' data info bad/one_column.csv
fails "empty edge list" 1 'empty.csv' label bad/empty.csv --labels seeds.csv
fails "empty labels" 1 'empty.csv' label edges.csv --labels bad/empty.csv
yes '0 1' | head -n 500000 | gzip > bad/bomb.csv.gz
fails "a file that unpacks to too much" 1 'bomb.csv.gz: unpacks to more than 1 MB; .*--max-input 4M' \
    data info bad/bomb.csv.gz --max-input 1M
for c in "label X --labels seeds.csv" "suggest X" "train X" "compare X" "data convert X out.npz"; do
    # shellcheck disable=SC2086
    fails "the limit holds in gnd ${c%% X*}" 1 'bomb.csv.gz: unpacks to more than' ${c/X/bad/bomb.csv.gz} --max-input 1M
done
works "and a larger limit lets it in" 'vertices    2,' data info bad/bomb.csv.gz --max-input 4M
fails "NaN feature" 1 'nan.csv' label edges.csv --labels seeds.csv --features bad/nan.csv -o x.csv
fails "feature row twice" 1 'twice.csv' label edges.csv --labels seeds.csv --features bad/twice.csv
fails "no labels" 1 'label' label edges.csv --labels bad/unlabelled.csv -o x.csv
fails "a vertex with two labels" 1 'contradiction.csv' label edges.csv --labels bad/contradiction.csv
fails "model that claims a huge header" 1 'huge.safetensors' predict bad/huge.safetensors karate
fails "model whose header is no object" 1 'list.safetensors' predict bad/list.safetensors karate
fails "edge list for a model" 1 'edges.csv' predict edges.csv karate
fails "validation too large names the largest" 1 '--validation [0-9]+' train karate --split paper
most=$(grep -oE -- '--validation [0-9]+' .err | grep -oE '[0-9]+')
works "and that one works" '"n_val": '"$most," train karate --json --validation "${most:-x}"
fails "one more does not" 1 "$most" train karate --validation $((${most:-0} + 1))
fails "more labels than a class has" 1 'label' train karate --labels-per-class 18 --validation 0
fails "no fixed split" 1 'planetoid' train karate --split planetoid
fails "unwritable place" 1 'nowhere' train karate --validation 0 -o nowhere/m.safetensors
fails "a folder as output" 1 'folder' train karate --validation 0 -o bad
fails "a file as folder" 1 'edges.csv' label edges.csv --labels seeds.csv -o edges.csv/x
fails "labels would be overwritten" 1 'input' label edges.csv --labels seeds.csv -o seeds.csv
fails "graph would be overwritten" 1 'input' label edges.csv --labels seeds.csv --model ./edges.csv
cp -r "$root/data/karate" folder && cp d.npz named.npz 2> /dev/null || "$gnd" data convert karate named.npz > /dev/null
fails "runs over the graph" 1 'input' compare edges.csv karate --runs edges.csv
fails "a data set by name would be overwritten" 1 'input' train named --data-dir . --validation 0 -o named.npz
fails "csv over the folder it is read from" 1 'input' data convert folder folder --to csv
fails "csv over the file it is read from" 1 'input' data convert folder/edges.csv folder --to csv
fails "csv into a file" 1 'not a folder' data convert karate edges.csv --to csv
rm -rf folder named.npz
fails "labels and model in one file" 1 'same file' label edges.csv --labels seeds.csv -o x --model x
fails "model and predictions in one file" 1 'same file' train karate --validation 0 -o x --predictions x
if [ -w /dev/full ]; then
    fails "full disk: model" 1 'No space' train karate --validation 0 -q -o /dev/full
    fails "full disk: predictions" 1 'No space|cannot write' label edges.csv --labels seeds.csv -q -o /dev/full
    run compare karate --validation 0 --splits 1 -q --methods gnd-slp --runs /dev/full
    { [ $rc = 1 ] && one_sentence && grep -q 'No space' .err && grep -q '^karate' .out; }
    verdict "full disk: runs; the table is not lost" $?
    for c in "train karate --validation 0" "methods" "version" "data info karate" \
        "label edges.csv --labels seeds.csv -q" "predict k.safetensors karate" "help"; do
        [ -e k.safetensors ] || "$gnd" train karate --validation 0 -q -o k.safetensors > /dev/null
        # shellcheck disable=SC2086
        "$gnd" $c > /dev/full 2> .err; rc=$?; : > .out
        { [ $rc = 1 ] && [ "$(grep -c '^gnd: standard output: No space' .err)" = 1 ]; }
        verdict "full disk: stdout of gnd $c" $?
    done
fi
"$gnd" methods >&- 2> .err; rc=$?
{ [ $rc = 1 ] && one_sentence; }; verdict "closed stdout" $?
"$gnd" train karate --validation 0 -o closed.safetensors >&- 2> .err; rc=$?
{ [ $rc = 1 ] && one_sentence && [ "$(head -c 100 closed.safetensors | tr -d '\0' | grep -c '{')" = 1 ]; }
verdict "closed stdout does not end up in the model" $?
rm -f closed.safetensors
if [ "$(id -u)" != 0 ]; then
    mkdir -p locked && chmod 555 locked
    fails "unwritable folder" 1 'locked' train karate --validation 0 -o locked/m.safetensors
fi
(ulimit -f 1; "$gnd" train debian --set epochs_alone=2 -q -o limit.safetensors > .out 2> .err)
rc=$?
{ [ $rc = 1 ] && one_sentence && [ -z "$(ls limit* 2> /dev/null)" ]; }
verdict "file size limit: one sentence, nothing left behind" $?

# ---- label --------------------------------------------------------------------------------------

run label edges.csv --labels seeds.csv -o labels.csv
{ [ $rc = 0 ] && [ ! -s .out ] && [ "$(head -n 1 labels.csv)" = id,label,probability ] &&
    [ "$(wc -l < labels.csv)" = 23 ]; }
verdict "label writes id,label,probability for every vertex" $?
check "string ids and classes come back, quoted where needed" sh -c \
    'grep -q "^a1,\"red, warm\",1$" labels.csv && grep -q "^b1,blue,1$" labels.csv'
check "neighbours take their group's label" sh -c \
    '[ $(grep -c "^a[0-9],\"red, warm\"," labels.csv) = 10 ] && [ $(grep -c "^b[0-9],blue," labels.csv) = 10 ]'
check "what no label reaches is unknown" sh -c '[ $(grep -c "^lone[12],,$" labels.csv) = 2 ]'
check "stderr says how many were labelled" grep -q '20 vertices labelled' .err
check "and how many are unknown and why" grep -q '2 vertices get no label.*neither edges nor' .err
check "and what was done to the graph" grep -qi '^note: .*arcs\|^note: .*edge' .err
run label edges.csv --labels seeds.csv
check "without -o the same on stdout" cmp .out labels.csv
run label edges.csv --labels seeds.csv -o -
check "-o - is stdout" cmp .out labels.csv
run label edges.csv --labels seeds.csv -q
{ [ $rc = 0 ] && [ ! -s .err ]; }; verdict "--quiet is silent" $?
run label edges.csv --labels seeds.csv --json
json 'o["n_node"] == 22 and o["n_unknown"] == 2 and o["n_train"] == 2 and len(o["predictions"]) == 22
      and {p["id"]: p["label"] for p in o["predictions"]}["lone1"] is None'
verdict "label --json is one object with the predictions" $?
run label edges.csv --features words.csv --labels seeds.csv --model words.safetensors -o with.csv
{ [ $rc = 0 ] && [ "$(grep -c '^b[0-9],blue,' with.csv)" = 10 ]; }; verdict "label with features" $?
printf 'a1 a2\na2 a3\n# comment\nb1 b2\n' > plain.txt
run label plain.txt --labels seeds.csv
{ [ $rc = 0 ] && grep -q '^a3,"red, warm",' .out && grep -q '^b2,blue,' .out; }
verdict "edge list of words without header" $?

# ---- train --------------------------------------------------------------------------------------

run train karate --validation 0 --json
json 'all(k in o for k in """dataset graph method labels_per_class split_seed seed n_train n_val n_test
      train_accuracy val_accuracy test_accuracy epochs best_epoch seconds_load seconds_fit macro_f1 log_loss
      ece per_class confusion""".split())'
verdict "train --json has every field" $?
json 'o["dataset"] == "karate" and o["graph"] == "und" and o["method"] == "gnd-slp" and
      (o["labels_per_class"], o["split_seed"], o["seed"]) == (5, 1, 1)'
verdict "train --json: what was run" $?
json '(o["n_train"], o["n_val"], o["n_test"]) == (10, 0, 24) and o["val_accuracy"] is None and
      0.5 < o["test_accuracy"] <= 1 and o["train_accuracy"] == 1 and 0 <= o["best_epoch"] < o["epochs"]'
verdict "train --json: karate is learnt; no validation is null" $?
json 'sum(map(sum, o["confusion"])) == 24 and
      abs(sum(o["confusion"][i][i] for i in range(2)) / 24 - o["test_accuracy"]) < 1e-9'
verdict "train --json: confusion agrees with the accuracy" $?
json 'o["settings"]["hops"] > 1 and isinstance(o["settings"]["dropout"], float)'
verdict "train --json: settings are numbers" $?
json 'o["test_accuracy_half"] >= o["test_accuracy"] and 0 <= o["ece"] <= 1'
verdict "train --json: calibration error, and top-50 % confidence accuracy" $?
works "train in words" '^accuracy +test [0-9.]+ %' train karate --validation 0
run train debian --graph std --split paper --set epochs=2 --set patience=2 -q
check "train: the counts add up, and the rest is named" grep -qE \
    ': 30 train, 500 validate, 3,932 test, 76 unused \(drawn after their class was full\)$' .out
check "train: macro-F1 below the accuracy" sh -c 'grep -A1 "^accuracy" .out | grep -qE "^macro-F1     test [0-9.]+ %$"'
check "train: calibration" \
    grep -qE '^calibration  error [0-9.]+ %, top-50 % confidence accuracy [0-9.]+ %$' .out
works "train --metrics" '^confusion' train karate --validation 0 --metrics
run train karate --graph und --labels-per-class 2 --split-seed 3 --validation 10 --seed 9 --json \
    --set hops=4 --set dropout=0.1
json 'o["graph"] == "und" and o["n_train"] == 4 and o["n_val"] == 10 and o["n_test"] == 19 and
      o["val_accuracy"] is not None and o["settings"]["hops"] == 4 and o["settings"]["dropout"] == 0.1'
verdict "train takes its options" $?
for m in gnd-slp gnd-mlp gnd-ds gnd-rnn gnd-attn; do
    run train karate --method $m --validation 0 --json
    json "o['method'] == '$m' and o['test_accuracy'] >= 0"; verdict "train --method $m" $?
done
run train karate --preset text --validation 5 --json
json 'o["settings"]["first_hop"] == 0'; verdict "train --preset text" $?
run train karate --preset text --set first_hop=1 --validation 5 --json
json 'o["settings"]["first_hop"] == 1'; verdict "--set wins over --preset" $?
run train edges.csv --labels seeds.csv --json
json 'o["n_train"] == 2 and o["n_test"] == 0 and o["test_accuracy"] is None and o["macro_f1"] is None and
      o["labels_per_class"] is None and o["ece"] is None and o["test_accuracy_half"] is None'
verdict "train --labels: the file trains, nothing else has a label to test" $?
printf '1,Mr. Hi\n34,Officer\n33,\n' > two.csv
run train karate --labels two.csv --json
json 'o["n_train"] == 2 and o["n_test"] == 32 and o["test_accuracy"] > 0.5 and o["split"] == "file"'
verdict "train --labels: the labels of the data set that the file does not give are tested" $?

# ---- models and predictions ---------------------------------------------------------------------

run train karate --validation 0 -o m.safetensors --predictions p.csv
cp .out .train
check "train names the files it wrote" grep -q '^predictions *p.csv' .train
run train karate --validation 0 --set hops=3 --hop-weights w.csv
check "train writes hop weights" sh -c 'head -1 w.csv | grep -qx id,hop_1,hop_2,hop_3 && [ $(wc -l < w.csv) = 35 ]'
fails "hop weights of a method that has none" 2 'gcn does not weigh hops' train karate --method gcn --hop-weights w2.csv
attn=(train karate --validation 0 --method gnd-attn --set hops=3 --set layers=2)
run "${attn[@]}" --hop-weights w.csv --hop-attention a.npz
check "train writes the attention between hops" sh -c "[ $rc = 0 ] && grep -q '^attention *a.npz' .out"
python3 - > .out 2> .err << 'PY'
import ast, csv, struct, zipfile
z = zipfile.ZipFile("a.npz")
assert sorted(z.namelist()) == ["attention_1.npy", "attention_2.npy", "class_names.npy", "hops.npy", "labels.npy",
                                "node_names.npy", "weights.npy"], z.namelist()
def array(name):
    b = z.read(name + ".npy")
    end = 10 + struct.unpack("<H", b[8:10])[0]
    head = ast.literal_eval(b[10:end].decode())
    return head["shape"], [v for (v,) in struct.iter_unpack({"<f4": "<f", "<i4": "<i"}[head["descr"]], b[end:])]
for name in ("attention_1", "attention_2"):
    shape, v = array(name)
    assert shape == (34, 3, 3) and len(v) == 34 * 9, shape
    assert all(abs(sum(v[k:k + 3]) - 1) < 1e-5 for k in range(0, len(v), 3)) and min(v) > 0
assert array("attention_1") != array("attention_2")
assert array("hops") == ((3,), [1, 2, 3])
shape, v = array("weights")
rows = [float(x) for row in list(csv.reader(open("w.csv")))[1:] for x in row[1:]]
assert shape == (34, 3) and all(abs(a - b) < 1e-5 for a, b in zip(v, rows)) and len(v) == len(rows)
PY
verdict "its arrays: rows of sum 1, the weights of --hop-weights" $?
cp a.npz first.npz
"$gnd" "${attn[@]}" --hop-attention a.npz --threads 3 > .out 2> .err
check "the same bytes with three threads" cmp a.npz first.npz
run "${attn[@]}" --hop-attention a.npz --json
json 'o["hop_attention"] == "a.npz" and o["hop_weights"] is None'
verdict "the JSON names the file" $?
fails "attention of a method that has none" 2 'gnd-slp has no attention between hops; try --method gnd-attn' \
    train karate --hop-attention b.npz
fails "attention into a folder that is not there" 1 'no/b.npz' "${attn[@]}" --hop-attention no/b.npz
fails "attention onto a folder" 1 'is a folder' "${attn[@]}" --hop-attention .
run predict m.safetensors karate -o q.csv
check "predict gives the bytes training gave" cmp p.csv q.csv
check "on stdout too" sh -c '"$1" predict m.safetensors karate | cmp - p.csv' sh "$gnd"
run predict m.safetensors karate --json -o q.csv
json 'o["n_node"] == 34 and o["n_scored"] == 34 and o["accuracy"] > 0.5 and "predictions" not in o'
verdict "predict --json scores the labels the graph has" $?
printf 'id,label\n1,Martian\n2,Mr. Hi\n' > other.csv
run predict m.safetensors karate --labels other.csv --json
json 'o["n_scored"] == 2 and o["accuracy"] == 0.5'
verdict "a class the model does not know counts as a miss; classes go by name" $?
{ cat "$root/data/karate/edges.csv"; echo new,1; echo new,2; echo new,3; echo far,away; } > grown.csv
run predict m.safetensors grown.csv
{ [ $rc = 0 ] && [ "$(wc -l < .out)" = 38 ] && grep -q '^new,Mr. Hi,' .out &&
    grep -q '^far,,$' .out; }
verdict "a grown graph: the newcomer is labelled, the unreachable is unknown" $?
{ two_groups; echo c1,a2; echo c1,a3; echo c2,b4; } > grown2.csv
{ cat words.csv; echo c1,1,1,0,0; echo c2,0,0,1,1; echo c3,0,0,1,0; } | grep -v lone > words2.csv
run predict words.safetensors grown2.csv --features words2.csv
{ [ $rc = 0 ] && grep -q '^c1,"red, warm",' .out && grep -q '^c2,blue,' .out; }
verdict "a grown graph with features" $?
printf 'id,w1\na0,1\n' > narrow.csv
fails "other features than the model's" 1 'feature' predict words.safetensors edges.csv --features narrow.csv
head -c 300 m.safetensors > cut.safetensors
fails "cut model" 1 'cut.safetensors' predict cut.safetensors karate

export GND_PARALLEL_MIN=0
for t in 1 2 7; do
    run train debian --threads $t --set epochs_alone=30 -q -o t$t.safetensors --predictions t$t.csv
done
check "same model bytes for 1, 2 and 7 threads" sh -c \
    'cmp t1.safetensors t2.safetensors && cmp t1.safetensors t7.safetensors'
check "same predictions for 1, 2 and 7 threads" sh -c 'cmp t1.csv t2.csv && cmp t1.csv t7.csv'
for t in 1 2 7; do run predict t1.safetensors debian --threads $t -q -o u$t.csv; done
check "predict: same bytes for 1, 2 and 7 threads" sh -c 'cmp t1.csv u1.csv && cmp u1.csv u2.csv && cmp u1.csv u7.csv'
run train debian --threads 2 --set epochs_alone=30 -q -o again.safetensors
check "same bytes for two runs" cmp t1.safetensors again.safetensors
run train debian --threads 2 --set epochs_alone=30 -q --seed 2 -o other.safetensors
check "other bytes for another seed" sh -c '[ -s other.safetensors ] && ! cmp -s t1.safetensors other.safetensors'
for m in gnd-mlp gnd-ds gnd-rnn gnd-attn; do
    for t in 1 7; do run train karate --validation 0 --method $m --threads $t -q -o $m$t.safetensors; done
    check "$m: same bytes for 1 and 7 threads" cmp ${m}1.safetensors ${m}7.safetensors
done
unset GND_PARALLEL_MIN
run train debian --threads 2 --set epochs_alone=30 -q -o small.safetensors
check "same bytes whatever the threshold for threads" cmp t1.safetensors small.safetensors

# ---- compare ------------------------------------------------------------------------------------

for t in 1 2 7; do
    run compare karate --methods gnd-slp,gnd-ds --labels-per-class 1-2,4 --splits 3 --validation 0 \
        --format csv --threads $t --runs runs$t.csv -q
    cp .out cells$t.csv
done
check "compare: csv columns" sh -c \
    '[ "$(head -n 1 cells1.csv | cut -d , -f 1-7)" = dataset,graph,method,labels_per_class,splits,mean,std ]'
check "compare: a row a method and label count" sh -c '[ $(wc -l < cells1.csv) = 7 ] &&
    grep -qE "^karate,und,gnd-ds,4,3,[0-9]+\.[0-9]{4},[0-9]+\.[0-9]{4}," cells1.csv'
check "compare: same bytes for 1, 2 and 7 threads" sh -c \
    'cmp cells1.csv cells2.csv && cmp cells1.csv cells7.csv && cmp runs1.csv runs2.csv && cmp runs1.csv runs7.csv'
check "compare --runs: a row a training" sh -c '[ $(wc -l < runs1.csv) = 19 ]'
run train karate --labels-per-class 2 --split-seed 3 --seed 3 --validation 0 --json
json 'any(abs(float(l.split(",")[9]) - o["test_accuracy"]) < 1e-6 for l in open("runs1.csv")
          if l.startswith("karate,und,gnd-slp,2,3,3,"))'
verdict "compare's trainings are train's" $?
run compare karate --methods gnd-slp --labels-per-class 1-2 --splits 3 --validation 0 --json
json 'len(o["cells"]) == 2 and len(o["runs"]) == 6 and o["cells"][0]["splits"] == 3 and
      abs(sum(r["test_accuracy"] for r in o["runs"][:3]) / 3 * 100 - o["cells"][0]["mean"]) < 1e-6'
verdict "compare --json: cells are means of the runs" $?
json 'abs((sum((100 * r["test_accuracy"] - o["cells"][0]["mean"]) ** 2 for r in o["runs"][:3]) / 3) ** 0.5
      - o["cells"][0]["std"]) < 1e-6'
verdict "compare --json: population standard deviation" $?
works "compare: table" '^gnd-slp +[0-9.]+ ± [0-9.]+$' \
    compare karate --methods gnd-slp --splits 2 --validation 0
works "compare: Markdown" '^\| gnd-slp +\| +[0-9.]+ ± [0-9.]+ \|$' \
    compare karate --methods gnd-slp --splits 2 --validation 0 --format md
works "compare: two data sets" '^debian, graph und' \
    compare karate debian --methods gnd-slp,gnd-ds --splits 1 --validation 10 --set epochs=3 --labels-per-class 2
run compare karate --splits 1 --validation 10 --labels-per-class 2 -q --format csv
check "compare: all methods" test "$(wc -l < .out)" = "$("$gnd" methods | awk '!NF { exit } { n++ } END { print n }')"
fails "compare: validation too large" 1 'validation' compare karate --protocol paper --splits 2

# ---- methods, data ------------------------------------------------------------------------------

works "methods lists them" '^gnd-slp ' methods
works "methods NAME: settings" '^ +hops +[0-9]+ +1\.\.' methods gnd-slp
works "methods NAME: presets" '^ +text ' methods gnd-slp
run methods gnd-mlp --json
json 'o["name"] == "gnd-mlp" and all(s["default"] and s["range"] and s["meaning"] for s in o["settings"])'
verdict "methods NAME --json" $?
fails "methods: unknown name" 2 'method' methods nosuch
works "methods NAME: authors' settings" '^ +cora +.*lr=1' methods mixhop

# ---- every method, as a user meets it ------------------------------------------------------------

# All 22 vertices get a line, two that no label reaches say so, and the model that is kept says the same again.
everywhere() { # everywhere METHOD
    run label edges.csv --labels seeds.csv --method "$1" -o every.csv -q
    [ $rc = 0 ] && [ "$(sed -n 1p every.csv)" = id,label,probability ] || return 1
    [ "$(wc -l < every.csv)" = 23 ] && grep -q '^lone1,,$' every.csv || return 1
    run train karate --method "$1" --labels-per-class 2 --validation 0 -o every.safetensors --predictions first.csv -q
    [ $rc = 0 ] || return 1
    run predict every.safetensors karate -o again.csv -q
    [ $rc = 0 ] && cmp first.csv again.csv && run methods "$1" && [ $rc = 0 ]
}
for m in $("$gnd" methods | awk 'NR > 1 && !NF { exit } NR > 1 { print $1 }'); do
    everywhere "$m" > /dev/null; verdict "label, train, predict, methods: $m" $?
done
rm -f every.csv every.safetensors first.csv again.csv

works "data list: what is here" "^karate +$root/data" data list
works "data list: every name" '^amazon_photo ' data list
run data list --json
json 'len(o["datasets"]) == 8 and len(o["formats"]) >= 6'; verdict "data list --json" $?
run data info karate --json
json '(o["n_node"], o["n_edge"], o["n_class"], o["n_feat"], o["n_component"]) == (34, 78, 2, 0, 1) and
      sum(c["vertices"] for c in o["classes"]) == 34'
verdict "data info karate" $?
works "data info in words" '^vertices +4,[0-9]{3}' data info debian
run data info edges.csv --graph std --json
json 'o["graph"] == "std" and o["n_node"] == 20 and any(n["code"] == "largest_component" for n in o["notes"])'
verdict "data info --graph std says what it dropped" $?
run data convert debian d.npz
{ [ $rc = 0 ] && "$gnd" train d.npz --set epochs_alone=30 --threads 2 -q --predictions d.csv > .out 2> .err &&
    cmp -s d.csv t1.csv; }
verdict "data convert to npz keeps what training sees" $?
run data convert debian dd --to csv
{ [ $rc = 0 ] && [ -s dd/edges.csv ] && ls dd/features.* && [ -s dd/labels.csv ]; } > /dev/null
verdict "data convert to csv" $?
run train dd --set epochs_alone=30 --threads 2 -q --predictions dd.csv
check "and the folder trains to the same predictions" cmp dd.csv t1.csv
run data convert edges.csv ee --to csv --features words.csv --labels seeds.csv
run label ee/edges.csv --features ee/features.csv --labels ee/labels.csv -q
{ [ $rc = 0 ] && sort .out > ee.sorted && sort with.csv | cmp -s - ee.sorted; }
verdict "a small graph with strings survives csv and back" $?
if [ -w /dev/full ]; then
    fails "data convert onto a full disk" 1 '/dev/full' data convert karate /dev/full --to npz
fi
fails "data convert over its input" 1 'input' data convert d.npz d.npz

# ---- signals and progress -----------------------------------------------------------------------

# A job in the background of a script ignores SIGINT, so SIGTERM stands for both.
"$gnd" train debian --validation 500 --set epochs=1000000 --set stop=none --progress -o never.safetensors \
    > .out 2> .err &
pid=$!
sleep 2.5
kill -TERM $pid
wait $pid
rc=$?
{ [ $rc = 143 ] && [ ! -s .out ] && [ "$(grep -c '^gnd: ' .err)" = 1 ] && [ -z "$(ls never* 2> /dev/null)" ]; }
verdict "SIGTERM: one sentence, no file" $?
check "progress with the time left, after a second" grep -qE 'epoch [0-9]+ of 1000000, at most .* left' .err

# A pipe that nobody reads must not make the program deaf.
mkfifo pipe
for c in "label edges.csv --labels seeds.csv -o" "train karate --validation 0 -o" \
    "compare karate --validation 0 --splits 1 --methods gnd-slp --runs"; do
    # shellcheck disable=SC2086
    "$gnd" $c pipe > .out 2> .err &
    pid=$!
    sleep 0.8
    kill -TERM $pid
    sleep 0.3
    kill -KILL $pid 2> /dev/null
    wait $pid 2> /dev/null
    [ $? = 143 ]; verdict "SIGTERM while waiting for a pipe: ${c%% *}" $?
done
"$gnd" label edges.csv --labels seeds.csv -q > .file
"$gnd" label edges.csv --labels seeds.csv -q -o pipe 2> .err & cmp -s pipe .file; verdict "a pipe as output" $?
wait
cat edges.csv > pipe & run label pipe --labels seeds.csv -q; cmp -s .out .file; verdict "a pipe as input" $?
wait
rm pipe
run compare karate nosuch --validation 0 --splits 2 --methods gnd-slp --labels-per-class 1 --format csv
{ [ $rc = 1 ] && [ "$(wc -l < .out)" = 2 ] && grep -q '^gnd: nosuch' .err; }
verdict "compare: a later data set that fails does not take the earlier ones with it" $?
run compare karate --validation 0 --splits 2 --methods gnd-slp --labels-per-class 1 --format csv -q \
    --set lr=100 --set optimiser=sgd --set l2=100
{ [ $rc = 1 ] && grep -q '^karate,und,gnd-slp,1,0,,,' .out && grep -q '2 of 2 training runs' .err; }
verdict "compare: trainings that diverge are counted out and said" $?

# ---- public data sets ---------------------------------------------------------------------------

if [ -d "$shared/data/planetoid" ]; then
    run train cora --data-dir "$shared/data" --json
    json 'o["dataset"] == "cora" and (o["n_train"], o["n_val"]) == (35, 500) and o["n_test"] == 2076 and
          o["test_accuracy"] > 0.6 and o["seconds_load"] + o["seconds_fit"] < 10'
    verdict "train cora" $?
    run train cora --data-dir "$shared/data" --split planetoid --json --graph und
    json '(o["n_train"], o["n_val"], o["n_test"]) == (140, 500, 1000) and o["test_accuracy"] > 0.75 and
          o["split_seed"] is None'
    verdict "train cora --split planetoid" $?
    GND_DATA=$shared/data works "GND_DATA finds cora" '"n_node": 2708' data info cora --json
else
    echo "skip cora: NEEDS_SHARED $shared/data is not there"
fi

echo "$pass passed, $fail failed"
[ $fail = 0 ]
