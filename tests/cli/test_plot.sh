#!/bin/bash
# SPDX-License-Identifier: MIT
# Figures and spectra as a user meets them: `gnd plot KIND`, `gnd spectrum`, tools/make_figures.sh.
#
#     GND=build/gnd tests/cli/test_plot.sh
#
# One line a case, "N passed, M failed" at the end, exit 1 if one failed.
# shellcheck source=cases.bash
. "$(dirname "$0")/cases.bash"

valid() { # valid FILE.svg: is it well-formed XML, with texts and without numbers that are not finite?
    python3 - "$1" << 'PY' 2>> .err
import re, sys
import xml.etree.ElementTree as tree
svg = "{http://www.w3.org/2000/svg}"
root = tree.parse(sys.argv[1]).getroot()
texts = [t for t in root.iter(svg + "text")]
width = float(root.get("viewBox").split()[2])
inside = all(0 <= float(t.get("x", 0)) <= width for t in texts)
bad = re.search(r"\b(nan|inf)\b", open(sys.argv[1]).read())
sys.exit(0 if root.tag == svg + "svg" and root.get("width").endswith("mm") and texts and inside and not bad else 1)
PY
}

draws() { # draws NAME FILE.svg ARGS...: the command succeeds, prints nothing, and writes a valid figure
    local name=$1 file=$2
    shift 2
    run plot "$@" -o "$file" -q
    { [ $rc = 0 ] && [ ! -s .out ] && [ ! -s .err ] && valid "$file"; }
    verdict "$name" $?
}

# ---- figures of comparisons ---------------------------------------------------------------------

few=(--labels-per-class 1-3 --splits 3 --validation 0 --graph und --format csv -q)
"$gnd" compare karate --methods gnd-slp,gcn "${few[@]}" > acc.csv
"$gnd" compare karate --methods gcn --vary layers=1,2,4 "${few[@]}" > layers.csv
"$gnd" compare karate --methods sgc --vary hops=1,8 "${few[@]}" > hops.csv
head -n 1 acc.csv > heading.csv

draws "accuracy" acc.svg accuracy acc.csv --csv acc_data.csv
check "accuracy: its data" python3 -c '
import csv, math
given = {(r["method"], r["labels_per_class"]): r for r in csv.DictReader(open("acc.csv"))}
drawn = list(csv.DictReader(open("acc_data.csv")))
assert len(drawn) == len(given) == 6
for d in drawn:
    r = given[d["series"], d["x"]]
    mean, se = float(r["mean"]), float(r["std"]) / math.sqrt(int(r["splits"]) - 1)
    assert abs(float(d["y"]) - mean) < 1e-6
    assert abs(float(d["low"]) - mean + se) < 1e-5 and abs(float(d["high"]) - mean - se) < 1e-5'
check "accuracy: the figure says what its error bars are" grep -q 'standard error of the mean, 3 splits' acc.svg
draws "accuracy: standard deviation" std.svg accuracy acc.csv --bars std
check "accuracy: it says so" grep -q 'standard deviation' std.svg
draws "accuracy: 95 % interval" ci.svg accuracy acc.csv --bars interval
draws "accuracy: one method" one.svg accuracy acc.csv --methods gcn,gcn
check "accuracy: only that one" sh -c 'grep -q ">gcn<" one.svg && ! grep -q gnd-slp one.svg'
sed 's/,und,gcn,1,\(.*\),original,,,/,und,gcn,1,\1,original,,61.5,/' acc.csv > published.csv
draws "accuracy: published figures" published.svg accuracy published.csv --csv published_data.csv
check "accuracy: hollow marks" sh -c \
    'grep -q "Hollow marks" published.svg && grep -q "gcn, published.,1,61.5" published_data.csv'
run plot accuracy acc.csv -o - -q; { [ $rc = 0 ] && cmp -s .out acc.svg; }; verdict "accuracy to stdout" $?
draws "depth of two files" depth.svg depth layers.csv hops.csv --labels-per-class 2
check "depth: both settings are named" grep -q '>layers or hops<' depth.svg

sed 's/^karate/other/' acc.csv | tail -n +2 | cat acc.csv - > two.csv
cut -d , -f 1-5 acc.csv > short.csv
sed 's/,3,[0-9.]*,/,3,x,/' acc.csv > letters.csv
printf '' > empty.csv
fails "no output" 2 '-o FILE is required' plot accuracy acc.csv
fails "another suffix" 2 'x.pdf: expected .* .svg or .png' plot accuracy acc.csv -o x.pdf
fails "unknown kind" 2 'did you mean .gnd plot depth' plot dept acc.csv -o x.svg
fails "kind that resembles nothing" 2 'no command' plot photograph acc.csv -o x.svg
fails "missing file" 1 'gone.csv: No such file' plot accuracy gone.csv -o x.svg
fails "empty file" 1 'empty.csv: is empty; expected the output of .gnd compare' plot accuracy empty.csv -o x.svg
fails "a heading only" 1 'heading.csv: has no figures yet' plot accuracy heading.csv -o x.svg
fails "missing column" 1 'short.csv:1: there is no column rule' plot accuracy short.csv -o x.svg
fails "letters for a number" 1 'letters.csv:2: column mean: expected a number' plot accuracy letters.csv -o x.svg
fails "two data sets" 1 'more than one data set, karate and other; choose one with --data' \
    plot accuracy two.csv -o x.svg
fails "unknown data set" 1 'no figures of data set cora' plot accuracy two.csv --data cora -o x.svg
draws "one of two data sets" two.svg accuracy two.csv --data other
fails "unknown method" 1 'no figures of method gat' plot accuracy acc.csv --methods gat -o x.svg
fails "the same file twice" 1 'two rows are of gnd-slp at 1' plot accuracy acc.csv acc.csv -o x.svg
fails "depth without a setting" 1 'no row has a variant' plot depth acc.csv --labels-per-class 1 -o x.svg
fails "depth of several label counts" 1 'choose one with --labels-per-class' plot depth layers.csv -o x.svg
fails "output over input" 1 'overwritten' plot accuracy acc.csv -o x.svg --csv acc.csv
fails "figure and data in one file" 1 'same file' plot accuracy acc.csv -o x.svg --csv x.svg
mkdir bin && ln -s "$(command -v python3)" bin/python3
PATH=$work/bin run plot accuracy acc.csv -o x.png
{ [ $rc = 1 ] && grep -q 'x.png: .*rsvg-convert, which is not installed' .err && [ ! -e x.png ]; }
verdict "PNG without rsvg-convert" $?
if command -v rsvg-convert > /dev/null; then
    run plot accuracy acc.csv -o acc.png -q
    { [ $rc = 0 ] && [ "$(head -c 4 acc.png | tail -c 3)" = PNG ]; }; verdict "PNG" $?
fi

# ---- figures of training runs -------------------------------------------------------------------

small=(--graph und --labels-per-class 2 --validation 8)
for kind in curves hops reliability; do
    draws "$kind" $kind.svg $kind karate "${small[@]}" --threads 1 --csv $kind.csv
    draws "$kind on two threads" two_threads.svg $kind karate "${small[@]}" --threads 2
    check "$kind: the same bytes" cmp $kind.svg two_threads.svg
done
check "curves: one point per epoch" sh -c '[ "$(grep -c "^loss,validation," curves.csv)" -gt 50 ] &&
    [ "$(grep -c "^loss,validation," curves.csv)" = "$(grep -c "^accuracy,validation," curves.csv)" ] &&
    [ "$(grep -c "^loss,validation," curves.csv)" = "$(grep -c "^loss,training," curves.csv)" ] &&
    [ "$(grep -c "^loss,validation," curves.csv)" = "$(grep -c "^accuracy,training," curves.csv)" ]'
check "hops: absolute weights add up to 1" python3 -c '
import csv
rows = list(csv.DictReader(open("hops.csv")))
for s in {r["series"] for r in rows}:
    y = [float(r["y"]) for r in rows if r["series"] == s]
    assert len(y) == 20 and abs(sum(map(abs, y)) - 1) < 1e-6 and sum(y) > 0, s'
draws "curves without validation" alone.svg curves karate --graph und --labels-per-class 2 --validation 0 \
    --csv alone.csv
check "curves without validation: training loss and accuracy" python3 -c '
import csv
rows = list(csv.DictReader(open("alone.csv")))
assert {(r["panel"], r["series"]) for r in rows} == {("loss", "training"), ("accuracy", "training")}
y = [float(r["y"]) for r in rows if r["panel"] == "accuracy"]
assert len(y) > 50 and min(y) >= 0 and 75 <= max(y) <= 100'
fails "curves of a method without epochs" 1 'auto has no epochs' plot curves karate --method auto --validation 0 \
    --labels-per-class 2 -o x.svg -q
fails "hops of a method without" 2 'gcn does not weigh hops' plot hops karate --method gcn -o x.svg
fails "unknown method" 2 "unknown method 'gnt'" plot hops karate --method gnt -o x.svg
fails "unknown data set" 1 'gone: no such file' plot curves gone -o x.svg
fails "two ways to split" 2 'exclude each other' plot hops karate --split paper --labels acc.csv -o x.svg

for t in 1 2; do draws "tsne on $t threads" tsne$t.svg tsne karate --hops 0,5 --threads $t --csv tsne.csv; done
check "tsne: the same bytes" cmp tsne1.svg tsne2.svg
draws "figure1 of a small graph" figure1.svg figure1 karate
check "figure1: its four panels" sh -c '[ "$(grep -oE ">k = (0|1|19|10,000) " figure1.svg | sort -u | wc -l)" = 4 ]'
check "tsne: a panel for each k, every vertex in it" sh -c '[ "$(grep -c "^k = 5 (.*)," tsne.csv)" = 34 ]'
printf 'id,label\n1,x\n2,y\n' > few.csv
draws "tsne: vertices without label" few.svg tsne karate --labels few.csv --hops 1
check "tsne: they are in the legend" grep -q '>no label<' few.svg

"$gnd" data convert karate graph -q > /dev/null
{ echo id,label; tail -n +2 graph/labels.csv | head -n 3; tail -n 3 graph/labels.csv; } > known.csv
"$gnd" label karate --labels known.csv -o predicted.csv -q 2> /dev/null
known=(reliability karate --graph und --labels known.csv)
draws "reliability of a file" file.svg "${known[@]}" --predictions predicted.csv
check "reliability: known labels do not count" grep -q "on 28 vertices" file.svg
sed 's/^id/vertex/' predicted.csv > other_heading.csv
sed '2s/,[^,]*$/,2/' predicted.csv > beyond.csv
sed '2s/^[^,]*/nowhere/' predicted.csv > nowhere.csv
fails "predictions with another heading" 1 'expected the heading id,label,probability' plot "${known[@]}" \
    --predictions other_heading.csv -o x.svg -q
fails "a probability of 2" 1 'beyond.csv:2: expected a probability' \
    plot "${known[@]}" --predictions beyond.csv -o x.svg -q
fails "a vertex that is not there" 1 "there is no vertex 'nowhere'" \
    plot "${known[@]}" --predictions nowhere.csv -o x.svg -q
fails "empty predictions" 1 'empty.csv: is empty' plot "${known[@]}" --predictions empty.csv -o x.svg -q

# ---- spectrum -----------------------------------------------------------------------------------

printf 'a,b\nb,c\nc,d\ne,f\n' > path.csv
works "spectrum of a connected graph" 'karate is connected' spectrum karate -q
works "spectrum of several components" 'path has 2 components' spectrum path.csv --header no -q
run spectrum path.csv --header no --format json -q
json '[c["n_node"] for c in o["components"]] == [4, 2] and abs(o["components"][1]["modulus"]) < 1e-9 and
    all(p["distance"] <= p["bound"] * (1 + 1e-9) for p in o["powers"]) and len(o["powers"]) == 13 and
    o["powers"][-1]["distance_to_one"] > 0.01'
verdict "spectrum --format json" $?
works "spectrum --format csv" '^power,10,,,,,[0-9.e-]+,[0-9.e-]+,[0-9.e-]+$' \
    spectrum path.csv --header no --powers 1,10 --format csv -q
check "spectrum: a row per component" grep -qE '^component,2,2,' .out
works "spectrum --format md" '^\| 1 +\| +4 \|' spectrum path.csv --header no --format md -q
printf 'a,b\nb,c\ng,h\ni,j\nk,l\n' > pairs.csv
works "spectrum: the rest in one row" '^3 others +2 each' spectrum pairs.csv --header no -n 1 -q
fails "spectrum of a directed graph" 1 'use graph mode und or std' spectrum path.csv --header no --graph raw -q
fails "powers that do not ascend" 2 'expected ascending numbers, got 1 after 5' spectrum karate --powers 5,1

# ---- the figures of the documents ---------------------------------------------------------------

GND=$gnd "$root/tools/make_figures.sh" "$work/img" > .out 2> .err
verdict "tools/make_figures.sh" $?
for f in "$work"/img/*.svg; do
    check "docs/img/$(basename "$f") is what the program draws" cmp "$f" "$root/docs/img/$(basename "$f")"
    valid "$f"; verdict "$(basename "$f") is valid" $?
done

echo "$pass passed, $fail failed"
[ $fail = 0 ]
