#!/bin/bash
# SPDX-License-Identifier: MIT
# Comparisons that survive: stores, protocols, variants, tables, `gnd paper`, `gnd results`.
#
#     GND=build/gnd tests/cli/test_sweep.sh
#
# One line a case, "N passed, M failed" at the end, exit 1 if one failed.
# shellcheck source=cases.bash
. "$(dirname "$0")/cases.bash"

fails() { # fails NAME CODE PATTERN ARGS...: ends so, with one sentence that matches, nothing on stdout
    local name=$1 code=$2 pattern=$3 ok=0
    shift 3
    run "$@"
    [ $rc = "$code" ] || { ok=1; echo "     exit $rc, not $code" >> .err; }
    [ "$(grep -c '^gnd: ' .err)" = 1 ] && grep '^gnd: ' .err | grep -qiE -- "$pattern" || ok=1
    [ -s .out ] && ok=1
    verdict "$name" $ok
}

accuracy() { sed '/^CPU seconds and epochs/,$d' "$1"; } # a report without its times

# Two groups of 330 with words of their own: 500 vertices may validate.
mkdir big
python3 - << 'PY'
n = 330
with open("big/edges.csv", "w") as e, open("big/labels.csv", "w") as l, open("big/features.csv", "w") as f:
    e.write("source,target\n"), l.write("id,label\n"), f.write("id,w1,w2,w3\n")
    for g in "ab":
        for i in range(n):
            e.write(f"{g}{i},{g}{(i + 1) % n}\n{g}{i},{g}{(7 * i + 3) % n}\n")
            l.write(f"{g}{i},{g}\n")
            f.write(f"{g}{i},{int(g == 'a' and i % 3 > 0)},{int(g == 'b' and i % 3 > 0)},{i % 2}\n")
    e.write("a0,b0\n")
PY

# ---- a store ------------------------------------------------------------------------------------

sweep=(compare karate --validation 10 --methods gnd-slp,gcn,jknet --labels-per-class 1-3 --splits 4)
run "${sweep[@]}" -q --format csv; cp .out plain.csv
check "a comparison without a store" test "$(wc -l < plain.csv)" = 10
run "${sweep[@]}" -q --format md; cp .out plain.md
run "${sweep[@]}" --format csv --store s.sqlite
{ [ $rc = 0 ] && cmp -s .out plain.csv && grep -q '^note: 0 of 36 training runs are in s.sqlite already$' .err; }
verdict "with one: the same figures; it was empty" $?
run "${sweep[@]}" --format csv --store s.sqlite
{ [ $rc = 0 ] && cmp -s .out plain.csv && grep -q '^note: 36 of 36 training runs are in s.sqlite already$' .err; }
verdict "again: nothing is trained, the same bytes" $?
run "${sweep[@]}" --splits 5 --methods gcn --store s.sqlite -q --json
json 'sum(1 for r in o["runs"]) == 15 and o["store"] == "s.sqlite" and o["cells"][0]["splits"] == 5'
verdict "one more split: a store is extended" $?

# Killed twenty times at random moments; if it ends before, it begins anew, so that every kill comes in
# the middle. A seed of the shell's generator makes failures repeatable.
RANDOM=7 kills=0
for _ in $(seq 300); do
    "$gnd" "${sweep[@]}" -q --format csv --store killed.sqlite > .out 2> .err & pid=$!
    sleep "0.0$((RANDOM % 9))$((RANDOM % 10))"
    if kill -9 $pid 2> /dev/null; then kills=$((kills + 1)); else rm -f killed.sqlite*; fi
    wait $pid 2> /dev/null
    [ $kills -lt 20 ] || break
done
check "a comparison was killed twenty times" test $kills -ge 20
run "${sweep[@]}" -q --format csv --store killed.sqlite
{ [ $rc = 0 ] && cmp -s .out plain.csv; }; verdict "and its csv is the undisturbed one, byte for byte" $?
run "${sweep[@]}" -q --format md --store killed.sqlite
accuracy plain.md > .want; accuracy .out > .got
{ [ $rc = 0 ] && [ -s .want ] && cmp -s .got .want; }; verdict "its Markdown table too" $?

rm -f both.sqlite
"$gnd" "${sweep[@]}" -q --format csv --store both.sqlite > one.csv 2> one.err & one=$!
"$gnd" "${sweep[@]}" -q --format csv --store both.sqlite > two.csv 2> two.err & two=$!
wait $one; r1=$?; wait $two; r2=$?
cat one.err two.err > .err
{ [ $r1 = 0 ] && [ $r2 = 0 ] && cmp -s one.csv plain.csv && cmp -s two.csv plain.csv; }
verdict "two processes share a store: both end with the figures of one" $?
run results export both.sqlite both.csv
check "and each training is there once" test "$(wc -l < both.csv)" = 37

"$gnd" compare karate --validation 10 --methods gnd-mlp --labels-per-class 1-5 --splits 2000 \
    --progress --store int.sqlite > .out 2> .err & pid=$!
for _ in $(seq 100); do # however busy the machine is
    sleep 0.3
    grep -q 'training run [0-9]* of' .err && break
done
kill -TERM $pid
wait $pid; rc=$?
{ [ $rc = 143 ] && [ ! -s .out ] &&
    grep -qE '^gnd: interrupted; [0-9]+ of 10000 training runs are in int.sqlite' .err; }
verdict "a signal: what is stored is said, and how to go on" $?
check "progress over the whole, with the time left" \
    grep -qE 'training run [0-9]+ of 10000, [0-9]+ %, about .* left, karate und gnd-mlp' .err

# ---- results ------------------------------------------------------------------------------------

run results export s.sqlite trainings.csv
{ [ $rc = 0 ] && [ ! -s .out ] && grep -q '^note: 39 training runs written to trainings.csv$' .err; }
verdict "results export" $?
run results import copy.sqlite trainings.csv
{ [ $rc = 0 ] && grep -q '39 new training runs' .err; }; verdict "results import" $?
run results import copy.sqlite trainings.csv -q
{ [ $rc = 0 ] && [ ! -s .err ]; }; verdict "twice adds nothing, --quiet is silent" $?
"$gnd" results export copy.sqlite again.csv -q
check "export, import, export: the same bytes" cmp trainings.csv again.csv
run "${sweep[@]}" --format csv --store copy.sqlite
{ cmp -s .out plain.csv && grep -q '36 of 36' .err; }; verdict "a comparison goes on from an import" $?
run results export s.sqlite -
{ [ $rc = 0 ] && [ ! -s .err ] && cmp -s .out trainings.csv; }; verdict "results export to stdout" $?
"$gnd" results export s.sqlite /dev/stdout 2> .err | cmp -s - trainings.csv
verdict "results export into a pipe by its name" $?
works "gnd help results" 'results import' help results
fails "export of nothing" 1 'gone.sqlite' results export gone.sqlite x.csv
check "does not make a store" test ! -e gone.sqlite
fails "import of nothing" 1 'gone.csv' results import new.sqlite gone.csv
check "does not make a store either" test ! -e new.sqlite
fails "export over the store" 1 'input' results export s.sqlite s.sqlite
fails "import of another csv" 1 'edges.csv' results import new2.sqlite big/edges.csv
fails "a file that is no store" 1 'plain.csv' "${sweep[@]}" --store plain.csv
fails "a store over the graph" 1 'input' compare big/edges.csv --store big/edges.csv
fails "a store nowhere" 1 'nowhere' "${sweep[@]}" --store nowhere/s.sqlite

# ---- protocols and rules ------------------------------------------------------------------------

honest=(compare karate --protocol honest --methods gnd-slp,gcn,lr --labels-per-class 1,2 --splits 8 -q)
run "${honest[@]}" --json
json 'o["protocol"] == "honest" and o["validation"] == 0 and o["cells"][0]["graph"] == "std" and
      all(r["val_accuracy"] is None for r in o["runs"]) and
      all(c["low"] <= c["mean"] <= c["high"] for c in o["cells"]) and
      o["cells"][0]["low"] < o["cells"][0]["mean"]'
verdict "honest: nothing validates, graph std, an interval around every mean" $?
json 'all((c["paired"] is None) == c["best"] for c in o["cells"]) and
      all(p["difference"] <= 0 and p["wins"] + p["ties"] + p["losses"] == 8 and 0 <= p["p"] <= 1
          for p in (c["paired"] for c in o["cells"]) if p)'
verdict "honest: every method but the best is paired with it" $?
json 'all(abs(sum(a["test_accuracy"] - b["test_accuracy"] for a, b in
                  zip([r for r in o["runs"] if r["method"] == c["method"] and
                       r["labels_per_class"] == c["labels_per_class"]],
                      [r for r in o["runs"] if r["method"] == c["paired"]["against"] and
                       r["labels_per_class"] == c["labels_per_class"]])) / 8 * 100
              - c["paired"]["difference"]) < 1e-6 for c in o["cells"] if c["paired"])'
verdict "honest: the difference is that of the splits" $?
works "honest: the table has intervals" '^  95 % of mean +[0-9.]+ to [0-9.]+' "${honest[@]}"
check "and pairs" grep -qE \
    '^ +1  lr +g[a-z-]+ +-[0-9.]+ +-[0-9.]+ to [-+][0-9.]+ +[<0-9. ]+ +[0-9]+ / [0-9]+ / [0-9]+$' .out
check "and no published figures" sh -c '! grep -q published .out'
check "and macro-F1 under every accuracy" test "$(grep -cE '^  macro-F1 +[0-9.]+ +[0-9.]+$' .out)" = 3
check "and how far probabilities can be believed" sh -c '
    grep -q "^calibration of the probabilities" .out &&
    [ "$(grep -cE "^(gnd-slp|gcn|lr) +[0-9.]+ %, [0-9.]+ +[0-9.]+ %, [0-9.]+$" .out)" = 3 ] && ! grep -q "^-:" .out'
run "${honest[@]}" --json --store trust.sqlite; cp .out trust.json
json 'all(0 <= c[k] <= 100 for c in o["cells"] for k in ("mean_f1", "mean_ece", "mean_half")) and
      any(c["mean_half"] > c["mean"] for c in o["cells"])'
verdict "honest: calibration and top-50 % confidence accuracy in every cell" $?
run "${honest[@]}" --format csv --store trust.sqlite
python3 - << 'PY' 2> .err
import csv, json
rows = list(csv.DictReader(open(".out")))
cells = json.load(open("trust.json"))["cells"]
assert len(rows) == len(cells) == 6
for r, c in zip(rows, cells):
    for a, b in (("macro_f1", "mean_f1"), ("ece", "mean_ece"), ("accuracy_half", "mean_half")):
        assert abs(float(r[a]) - c[b]) < 1e-4, (r, c)
PY
verdict "csv has the same" $?
"$gnd" results export trust.sqlite trust.csv -q
python3 - << 'PY' 2> .err
import csv, json
rows = [r for r in csv.DictReader(open("trust.csv")) if (r["method"], r["labels_per_class"]) == ("gcn", "2")]
cell = [c for c in json.load(open("trust.json"))["cells"] if (c["method"], c["labels_per_class"]) == ("gcn", 2)][0]
assert len(rows) == 8
for column, mean in (("test_ece", "mean_ece"), ("test_accuracy_half", "mean_half"), ("test_macro_f1", "mean_f1")):
    assert abs(sum(float(r[column]) for r in rows) / 8 * 100 - cell[mean]) < 1e-9
PY
verdict "and both are the means of what is stored" $?
sed 's/,[^,]*,[^,]*$//' trust.csv > older.csv
run results import older.sqlite older.csv -q; rc_import=$rc
run "${honest[@]}" --store older.sqlite
{ [ $rc_import = 0 ] && [ $rc = 0 ] && [ "$(grep -cE '^(gnd-slp|gcn|lr) +- +-$' .out)" = 3 ] &&
    grep -q '^-: of training runs that were stored by' .out && grep -qE '^  macro-F1 +[0-9.]+ +[0-9.]+$' .out; }
verdict "trainings stored without them: a dash, and why" $?
run "${honest[@]}" --store older.sqlite --json
json 'all(c["mean_ece"] is None and c["mean_half"] is None and c["mean"] >= 0 for c in o["cells"])'
verdict "and null" $?
run "${honest[@]}" --store older.sqlite --format csv
check "and nothing in csv" test "$(grep -cE ',[0-9.]+,,,$' .out)" = 6
for f in md tex; do
    run "${honest[@]}" --store trust.sqlite --format $f
    check "trust in $f" grep -qE '^\|? ?gcn +[|&] +[0-9.]+ \\?%, [0-9.]+ +[|&] +[0-9.]+ \\?%, [0-9.]+ (\||\\\\)' .out
done
run compare karate --validation 10 --methods gcn --splits 2 --labels-per-class 1 -q --store t.sqlite
check "paper: no such table" sh -c '! grep -qE "calibration|macro-F1" .out'
run compare karate --validation 10 --methods gcn --splits 2 --labels-per-class 1 -q --store t.sqlite --json
json '0 <= o["cells"][0]["mean_ece"] <= 100 and 0 <= o["cells"][0]["mean_half"] <= 100'
verdict "paper: but the figures" $?
run compare karate --protocol honest --methods gnd-slp --labels-per-class 2 --splits 6 -q
check "no interval leaves 0 to 100" grep -qE '^  95 % of mean +[0-9.]+ to 100.00$' .out
run compare karate --protocol honest --methods gcn --vary epochs=5,9 --splits 2
check "an idle setting is named" grep -q '^note: epochs has no effect without validation.*epochs_alone' .err
run compare karate --protocol honest --methods ls --labels-per-class 1 -q --json
json 'o["splits"] == 100 and len(o["runs"]) == 100'; verdict "honest: 100 splits if not told" $?
run compare karate --methods gcn --rule common --validation 10 --splits 2 -q --store s.sqlite --json
json 'o["cells"][0]["rule"] == "common" and o["cells"][0]["graph"] == "und"'; verdict "a common rule" $?
"$gnd" results export s.sqlite common.csv -q
check "is what was trained" sh -c 'grep -q "stop=gat patience=50 stop_loss=ce " common.csv'
fails "pick in the honest protocol" 2 '--pick' compare karate --protocol honest --pick
fails "pick without validation" 2 '--pick' compare karate --validation 0 --pick
fails "validation in the honest protocol" 2 '--validation' compare karate --protocol honest --validation 5
fails "no fixed split" 1 'karate' compare karate --protocol planetoid --methods lr --splits 2
fails "planetoid has its own labels" 2 '20 labels' compare karate --protocol planetoid --labels-per-class 5
if [ -d "$shared/data" ]; then
    GND_DATA=$shared/data run compare cora --protocol planetoid --methods lr,gcn --splits 2 --set epochs=9 --json -q
    json '[c["labels_per_class"] for c in o["cells"]] == [20, 20] and len(o["runs"]) == 4 and
          o["protocol"] == "planetoid" and o["runs"][2]["test_accuracy"] != o["runs"][3]["test_accuracy"]'
    verdict "planetoid: one split, seeds of their own" $?
fi
fails "unknown protocol" 2 '--protocol: expected paper.honest.planetoid' compare karate --protocol papr
fails "unknown rule" 2 '--rule: expected' compare karate --rule comon

# ---- variants -----------------------------------------------------------------------------------

vary=(compare karate --methods gcn,jknet,sgc --vary layers=1,2,3 --validation 10 --splits 3 --labels-per-class 1-2)
run "${vary[@]}"
{ [ $rc = 0 ] && [ "$(grep -cE '^(gcn|jknet) layers=[123] ' .out)" = 12 ] &&
    [ "$(grep -c '^note: left out.*layers: sgc$' .err)" = 1 ]; }
verdict "vary: a row a value; methods without the setting are left out in one line" $?
run "${vary[@]}" -q --format csv; cp .out varied.csv
check "vary: csv names the variant" test "$(grep -c ',layers=[123],' varied.csv)" = 12
run "${vary[@]}" -q --pick --format csv; cp .out picked.csv
python3 - << 'PY' 2> .err
import csv
rows = list(csv.DictReader(open("varied.csv")))
got = list(csv.DictReader(open("picked.csv")))
assert len(got) == 4
for g in got:
    of = [r for r in rows if (r["method"], r["labels_per_class"]) == (g["method"], g["labels_per_class"])]
    best = max(of, key=lambda r: float(r["val_accuracy"]))
    assert (g["variant"], g["mean"], g["std"]) == (best["variant"], best["mean"], best["std"]), (g, best)
PY
verdict "pick: the variant of highest mean validation accuracy stands for its method" $?
works "pick: the choice is named" '^picked for jknet by mean validation accuracy: layers=[123] with 1 label, layers=' \
    "${vary[@]}" -q --pick
run compare karate --methods jknet,gcn --pick --validation 10 --splits 2 --labels-per-class 1 -q --format csv
check "pick: what the authors searched" grep -q '^karate,und,jknet,.*,layers=[0-9]*,' .out
check "and nothing where they did not" grep -q '^karate,und,gcn,.*,original,,' .out
fails "vary: unknown setting" 2 'did you mean layers' compare karate --methods gcn,sgc --vary layer=1,2
fails "vary: bad value" 2 'layers=x' compare karate --methods gcn --vary layers=1,x
fails "vary: empty value" 2 '--vary: expected values' compare karate --methods gcn --vary layers=1,,2
fails "vary: no value" 2 '--vary: expected' compare karate --methods gcn --vary layers
fails "vary: labels" 2 '--labels-per-class 1,2' compare karate --vary labels=1,2
fails "vary: twice" 2 'one setting' compare karate --vary layers=1 --vary hidden=2

# ---- paper --------------------------------------------------------------------------------------

paper=(paper --data big --methods gcn,sgc,lr --labels-per-class 1-2 --splits 3 --search-splits 2 \
    --setting raw,original --setting std,common)
works "paper --dry-run" '^big +raw +original +[0-9]+ +0 +[0-9]+$' "${paper[@]}" --dry-run
check "makes no store" test ! -e gnd-paper.sqlite
run "${paper[@]}"; cp .out paper.txt
{ [ $rc = 0 ] && grep -qE '^note: 0 of [0-9]+ training runs are in gnd-paper.sqlite' .err; }
verdict "paper trains and says where it keeps what" $?
check "paper: the data sets" grep -qE '^big +raw +660 ' paper.txt
check "paper: a table a data set and setting" test "$(grep -cE '^big, graph (raw, original|std, common)' paper.txt)" = 2
check "paper: what was picked" grep -qE '^picked for sgc by mean validation accuracy on splits 1-2: l2=' paper.txt
check "paper: who is best" grep -qE '^of cells +2 +- +2 ' paper.txt
check "paper: times" grep -qE '^sgc +[0-9.]+ s, [0-9]+$' paper.txt
check "paper: no line is over 100 columns" sh -c '! grep -qE "^.{110}" paper.txt'
run "${paper[@]}" --tables-only
{ [ $rc = 0 ] && cmp -s .out paper.txt; }; verdict "paper --tables-only prints the same" $?
works "paper --dry-run: nothing is left" '^big +std +common +[0-9]+ +[0-9]+ +0$' "${paper[@]}" --dry-run
run "${paper[@]}" --tables-only --splits 4
{ [ $rc = 0 ] && grep -qE '^  training runs +3 of 4 +3 of 4$' .out; }
verdict "paper --tables-only: cells with fewer trainings say so" $?
tr '\n' ' ' < .out > flat.txt
check "and so does the count of the best" \
    grep -q 'every method has a result (in 4 of them not yet from all 4 splits)' flat.txt
check "and a choice that may change" \
    grep -qE 'l2=.*; preliminary: [0-9]+ of [0-9]+ training runs of sgc are done' flat.txt
check "a whole one does not" sh -c '! grep -q "preliminary" paper.txt'
run "${paper[@]}" --tables-only --format csv -o paper.csv
{ [ $rc = 0 ] && [ ! -s .out ] && [ "$(wc -l < paper.csv)" = 13 ]; }; verdict "paper -o" $?
run "${paper[@]}" --tables-only --format json
json 'len(o["cells"]) == 12 and o["datasets"][0]["raw"]["n_node"] == 660 and
      {c["variant"][:3] for c in o["cells"] if c["method"] == "sgc"} == {"l2="} and
      all(c["splits"] == 3 for c in o["cells"]) and len(o["best"]) == 9'
verdict "paper --format json" $?
run results export gnd-paper.sqlite p.csv
check "paper: losers of the search were trained on its splits only" python3 -c '
import csv
rows = [r for r in csv.DictReader(open("p.csv")) if r["method"] == "sgc"]
assert 0 < sum(r["split_seed"] == "3" for r in rows) < sum(r["split_seed"] == "1" for r in rows)'
# Results: a new store starts with them, and tables need neither a store nor the data sets.
"$gnd" results export gnd-paper.sqlite shipped/ -q
{
    echo dataset,graph,vertices,edges,arcs,features,classes,directed
    for graph in raw std; do
        "$gnd" data info big --graph $graph --json -q | python3 -c '
import json, sys
o = json.load(sys.stdin)
print("big", o["graph"], *(o["n_" + k] for k in ("node", "edge", "arc", "feat", "class")), int(o["directed"]),
      sep=",")'
    done
} > shipped/datasets.csv
mkdir -p empty
(cd empty && "$gnd" "${paper[@]}" --tables-only --results ../shipped > ../.out 2> ../.err)
{ [ $? = 0 ] && cmp -s .out paper.txt && grep -q 'tables of the training runs in ../shipped' .err; }
verdict "paper --tables-only from results, without data" $?
check "makes no store either" test -z "$(ls empty)"
mkdir -p other
"$gnd" compare big --methods gcn --labels-per-class 1 --splits 1 --store other/gnd-paper.sqlite -q > .out 2> .err
(cd other && "$gnd" "${paper[@]}" --tables-only --results ../shipped > ../.out 2> ../.err)
{ [ $? = 0 ] && cmp -s .out paper.txt; }; verdict "paper --tables-only --results beside a store" $?
(cd empty && "$gnd" paper --tables-only --results none > ../.out 2> ../.err)
{ [ $? = 1 ] && grep -q 'there is no folder of results; name one with --results' .err; }
verdict "paper --tables-only without any results" $?
(cd empty && "$gnd" compare big --protocol paper --methods gcn,lr --labels-per-class 1,2 --splits 3 \
    --results ../shipped --paired > ../.out 2> ../.err)
{ [ $? = 0 ] && grep -qE '^gcn +[0-9.]+ ± ' .out && grep -qE '^ *1 +lr +gcn +-[0-9.]+ ' .out; }
verdict "compare --results --paired, without data" $?
fails "two sources" 2 'exclude' compare big --results shipped --store s.sqlite
run "${paper[@]}" --results shipped --store fresh.sqlite
{ [ $rc = 0 ] && cmp -s .out paper.txt && grep -q 'fresh.sqlite starts with' .err; }
verdict "a new store starts with the results" $?
run "${paper[@]}" --results none --dry-run --store fresh2.sqlite
{ [ $rc = 0 ] && grep -qE '^big +raw +original +[0-9]+ +0 +[0-9]+$' .out; }; verdict "--results none" $?
fails "results that are not there" 1 'gone: No such file' "${paper[@]}" --results gone --store fresh3.sqlite
fails "results that are a file" 1 'shipped/big.csv: is a file; expected a folder' compare big --methods gcn \
    --results shipped/big.csv
fails "results without the data set" 1 'shipped: has no training runs on a data set bgi' compare bgi --methods gcn \
    --results shipped
mkdir -p sizeless && cp shipped/big.csv shipped/configs.csv sizeless
works "compare --results needs no datasets.csv" '^gcn +[0-9.]+ ± ' \
    compare big --protocol paper --methods gcn --labels-per-class 1 --splits 3 --results sizeless
(cd empty && "$gnd" "${paper[@]}" --tables-only --results ../sizeless > ../.out 2> ../.err)
{ [ $? = 1 ] && grep -q 'datasets.csv has no row of big' .err; }; verdict "gnd paper does" $?
run "${paper[@]}" --results shipped --store fresh3.sqlite
{ [ $rc = 0 ] && grep -q 'fresh3.sqlite starts with' .err; }
verdict "an empty store starts with the results too" $?
fails "results without configs" 1 'configs.csv: No such file' \
    "${paper[@]}" --results "$(mkdir -p bare && cp shipped/big.csv bare && echo bare)" --store fresh4.sqlite
fails "paper: tables of no store" 1 'none.sqlite' paper --tables-only --methods gcn --store none.sqlite
fails "paper: a data set that is not there" 1 'nosuch' paper --data nosuch --methods gcn --store n.sqlite
works "paper: presets published" '^big, graph raw, presets published' paper --data big --methods gcn,sgc \
    --labels-per-class 1 --splits 2 --setting raw,published --store published.sqlite
check "nothing is searched" sh -c '! grep -q picked .out'
fails "paper: published and original" 2 'cannot be in one table' paper --setting raw,published --setting raw,original
fails "paper: bad setting" 2 '--setting: expected' paper --setting raw
fails "paper: bad rule" 2 '--setting: expected' paper --setting raw,orig
fails "paper: empty data" 2 '--data: expected' paper --data cora,,pubmed
fails "paper: unknown method" 2 'unknown method' paper --methods gcm,gcn
fails "paper: two wishes" 2 'exclude' paper --dry-run --tables-only
fails "paper: unexpected argument" 2 'unexpected argument .cora' paper cora
run paper --data karate --methods gcn --splits 1 --setting raw,original --store k.sqlite
{ [ $rc = 1 ] && [ ! -s .out ] && grep -q '^gnd: karate, graph raw, gcn: 500 validation' .err; }
verdict "paper: what cannot be trained is said" $?

# ---- formats ------------------------------------------------------------------------------------

run "${paper[@]}" --tables-only --format tex; cp .out paper.tex
python3 - << 'PY' 2> .err
import re
tex = open("paper.tex").read()
depth = 0
for m in re.finditer(r"\\begin\{(\w+)\}|\\end\{(\w+)\}", tex):
    depth += 1 if m[1] else -1
    assert depth >= 0
assert depth == 0
plain = re.sub(r"\\[_{}&%$#]", "", tex)
assert plain.count("{") == plain.count("}") and plain.count("$") % 2 == 0
assert "_" not in plain and "#" not in plain and "%" not in plain
tables = re.findall(r"\\begin\{tabular\}\{([lr]+)\}\n\\toprule\n(.*?)\\bottomrule", tex, re.S)
assert len(tables) >= 5
for columns, body in tables:
    for line in body.strip().split("\n"):
        assert line == "\\midrule" or (line.endswith(" \\\\") and len(line.split(" & ")) == len(columns)), line
assert "\\textbf{" in tex and "$\\pm$" in tex
PY
verdict "tex: balanced, escaped, as many cells as columns, the best in bold" $?
run "${paper[@]}" --tables-only --format md
python3 - << 'PY' 2> .err
import re
lines = open(".out").read().split("\n")
rows = [l for l in lines if l.startswith("|")]
assert len(rows) > 20 and all(l.endswith("|") for l in rows) and sum("**" in l for l in rows) > 1
for a, b in zip(lines, lines[1:]):
    if a.startswith("|") and b.startswith("|"):
        assert a.count("|") == b.count("|"), (a, b)
PY
verdict "md: tables are whole, the best in bold" $?
check "no colour where there is no terminal" sh -c '! grep -q "$(printf "\033")" paper.txt'
if script -qc true /dev/null < /dev/null > /dev/null 2>&1; then # a chroot may have no terminals to give
    script -qc "'$gnd' ${sweep[*]} --store s.sqlite -q" /dev/null < /dev/null > .out 2> .err
    check "bold on a terminal" grep -q "$(printf '\033\\[1m[0-9.]* ± [0-9.]*\033\\[0m')" .out
fi

# ---- stores of anyone ---------------------------------------------------------------------------

run compare karate --methods ls --splits 2 --validation 0 --store clean.db -q
alter() { # alter FILE SQL: a copy of the store, altered
    rm -f "$1" && cp clean.db "$1" &&
        python3 -c 'import sqlite3, sys; sqlite3.connect(sys.argv[1]).executescript(sys.argv[2])' "$@"
}
alter trigger.db 'CREATE TRIGGER t AFTER DELETE ON claim BEGIN DELETE FROM run; END'
fails "store with a trigger" 1 "trigger.db: .*its trigger 't'" compare karate --methods ls --splits 2 --validation 0 \
    --store trigger.db -q
fails "export of a store with a trigger" 1 "its trigger 't'" results export trigger.db -
alter figure.db 'UPDATE run SET test_accuracy = 57'
fails "store with figures out of range" 1 'figure.db: test_accuracy of a training run is .57.0.; expected' \
    compare karate --methods ls --splits 2 --validation 0 --store figure.db -q
alter empty.db 'UPDATE run SET test_accuracy = NULL'
fails "store with a run that has no test accuracy" 1 'empty.db: test_accuracy of a training run is' \
    compare karate --methods ls --splits 2 --validation 0 --store empty.db -q
run results export clean.db clean.csv -q
run results import again.db clean.csv -q
{ [ $rc = 0 ] && "$gnd" results export again.db - -q | cmp - clean.csv; }; verdict "a store as gnd makes it is read" $?

echo "$pass passed, $fail failed"
[ $fail = 0 ]
