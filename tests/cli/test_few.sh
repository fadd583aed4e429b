#!/bin/bash
# SPDX-License-Identifier: MIT
# A handful of labels: `gnd suggest`, and what `gnd label` says about its labels, as a user meets them.
#
#     GND=build/gnd tests/cli/test_few.sh
#
# One line a case, "N passed, M failed" at the end, exit 1 if one failed.
# shellcheck source=cases.bash
. "$(dirname "$0")/cases.bash"

# ---- small graphs -------------------------------------------------------------------------------

small_graphs
printf 'id,label\na1,red\nb1,blue\n' > seeds.csv
printf 'id,label\na1,"red, warm"\nb1,x=1\n' > odd_names.csv
label="label edges.csv --labels seeds.csv"

# ---- mistakes -----------------------------------------------------------------------------------

printf 'id,label\n' > header.csv
printf 'id,label\na1,\nb1,-1\n' > none.csv
printf 'id,label\na1,red\na2,red\n' > one.csv
printf 'a1,red,x\nb1,blue,y\n' > unnamed.csv
printf 'id,label,why\na1,red,x\nb1,blue\n' > short.csv
printf 'id,w1\na0,nan\n' > nan.csv
printf 'id,w1\na0,0\n' > zero.csv
fails "label: no labels given" 2 '--labels FILE; .gnd suggest edges.csv. suggests' label edges.csv
fails "label: a header and nothing else" 1 'header.csv: has no labels' label edges.csv --labels header.csv
fails "label: labels that are all empty" 1 'none.csv: has no label for a vertex .* fill in the second column' \
    label edges.csv --labels none.csv -o x.csv
fails "label: one class" 1 "one.csv: every label is 'red'; at least two classes" label edges.csv --labels one.csv
fails "label: three columns without a header" 1 'unnamed.csv:1: .*name the columns, such as --columns id=1,label=2' \
    label edges.csv --labels unnamed.csv
fails "label: a line with fewer columns than the header" 1 'short.csv:3: ' label edges.csv --labels short.csv
for c in label suggest; do
    fails "$c: NaN feature" 1 'nan.csv:2:2: .*--missing' $c edges.csv --labels seeds.csv --features nan.csv -o x.csv
    run $c edges.csv --labels seeds.csv --features zero.csv; mv .out zero.out; verdict "$c: features that are all 0" $rc
    run $c edges.csv --labels seeds.csv; check "$c: the same as without" cmp -s zero.out .out
    fails "$c: missing graph" 1 'gone.csv: no such file' $c gone.csv --labels seeds.csv
    fails "$c: missing labels" 1 'gone.csv: No such file' $c edges.csv --labels gone.csv
    fails "$c over its labels" 1 'seeds.csv: is read as input' $c edges.csv --labels seeds.csv -o seeds.csv
    fails "$c over its graph" 1 'edges.csv: is read as input' $c edges.csv --labels seeds.csv -o ./edges.csv
    fails "$c into no folder" 1 'nowhere' $c edges.csv --labels seeds.csv -o nowhere/x.csv
    if [ -w /dev/full ]; then
        fails "$c onto a full disk" 1 '/dev/full: .*No space' $c edges.csv --labels seeds.csv -q -o /dev/full
        for o in "" --json; do
            # shellcheck disable=SC2086
            "$gnd" $c edges.csv --labels seeds.csv -q $o > /dev/full 2> .err; rc=$?; : > .out
            { [ $rc = 1 ] && [ "$(grep -c '^gnd: standard output: No space' .err)" = 1 ]; }
            verdict "$c $o: stdout onto a full disk" $?
        done
    fi
done
fails "suggest: nothing to look at" 2 'usage: gnd suggest GRAPH' suggest
for n in 0 -1 ten 1.5 2001 ''; do
    fails "suggest -n '$n'" 2 '--number: expected a whole number in 1\.\.2000' suggest karate -n "$n"
done
for r in few -0.1 1.5 5% nan 0,05 ' 0.1' '0.1 '; do
    # shellcheck disable=SC2086
    fails "label --abstain '$r'" 2 '--abstain .*: expected a number from 0 to 1, the share' $label --abstain "$r"
done
# shellcheck disable=SC2086
fails "label --abstain-unchecked" 2 '--abstain-unchecked 2: expected a number' $label --abstain-unchecked 2
# shellcheck disable=SC2086
fails "label: both ways to abstain" 2 'exclude each other' $label --abstain 0.1 --abstain-unchecked 0.1
for b in f1 macro_f1 '' Accuracy; do
    # shellcheck disable=SC2086
    fails "label --balance '$b'" 2 '--balance.*accuracy' $label --balance "$b" -o x.csv
done
# shellcheck disable=SC2086
fails "label --balance: a method that cannot do it" 2 '--balance: method gnd-slp cannot do this; auto can' \
    $label --method gnd-slp --balance macro-f1

bad_prior() { # bad_prior LIST PATTERN
    # shellcheck disable=SC2086
    fails "label --prior '$1'" 2 "--prior.*$2" $label --prior "$1" -o x.csv
}
bad_prior '' 'got nothing'
bad_prior 'red' '"red" is not CLASS=SHARE'
bad_prior 'red:0.5,blue:0.5' '"red:0.5" is not CLASS=SHARE'
bad_prior '=0.5' '"=0.5" is not CLASS=SHARE'
bad_prior 'red=0.5,,blue=0.5' '"" is not CLASS=SHARE'
bad_prior 'red=0.5,blue=0.5,' '"" is not CLASS=SHARE'
bad_prior ',red=0.5,blue=0.5' '"" is not CLASS=SHARE'
bad_prior 'red=,blue=1' "class 'red' is not given"
bad_prior 'red=half,blue=0.5' "class 'red' is half"
bad_prior 'red=50%,blue=50%' "class 'red' is 50%"
bad_prior 'red=50,blue=50' "class 'red' is 50; expected more than 0 and at most 1"
bad_prior 'red=0,blue=1' "class 'red' is 0;"
bad_prior 'red=0.5,blue=-0.5' "class 'blue' is -0.5;"
bad_prior 'red=nan,blue=0.5' "class 'red' is nan;"
bad_prior 'red=1' "does not name class 'blue'"
bad_prior 'red=0.5,red=0.5' "names class 'red' twice"
bad_prior 'red=0.9,blue=0.9' 'sum to 1.8; expected 1'
bad_prior 'Red=0.5,blue=0.5' "no label of seeds.csv is 'Red'; did you mean 'red'"
bad_prior 'red=0.5,blue=0.4,green=0.1' "no label of seeds.csv is 'green'"
# shellcheck disable=SC2086
fails "label --prior: a method that cannot use it" 1 'gnd-slp cannot use known shares.*auto can' \
    $label --method gnd-slp --prior red=0.5,blue=0.5
fails "label --prior: part of a name" 2 "no label of odd_names.csv is 'x'" \
    label edges.csv --labels odd_names.csv --prior 'red, warm=0.5,x=1'

# ---- label --------------------------------------------------------------------------------------

# shellcheck disable=SC2086
{
run $label -o labels.csv
{ [ $rc = 0 ] && [ ! -s .out ] && [ "$(wc -l < .err)" = 5 ]; }; verdict "label: five notes on a plain graph" $?
check "label: how many were labelled" \
    grep -q '^note: 20 vertices labelled from 2 known labels, written to labels.csv$' .err
check "label: what is unknown" grep -q '^note: 2 vertices get no label: neither edges nor features' .err
check "label: predictions that cannot be checked" grep -q '^note: not checked: there are too few labels' .err
check "label: why probabilities are not calibrated" grep -q '^note: calibrated: no, .*from 3 labels per class on' .err
check "label: labels and probabilities are auto's" sh -c \
    '[ $(grep -cE "^a[0-9],red," labels.csv) = 10 ] && [ $(grep -cE "^b[0-9],blue," labels.csv) = 10 ]'
run $label --method gnd-slp -o x.csv
check "label: another method does not check probabilities" grep -q 'calibrated: no, gnd-slp does not check' .err
run $label --json
json 'o["method"] == "auto" and o["calibrated"] is False and o["warnings"] == [] and o["n_abstained"] == 0 and
      [n["code"] for n in o["notes"] if "calibrated" in n["code"]] == ["not_calibrated_few_labels"]'
verdict "label --json: calibrated and warnings" $?
"$gnd" $label --json 2> .err | python3 -c 'import json, sys; json.load(sys.stdin)'
verdict "label --json into a pipe" $?
run $label --prior red=0.3,blue=0.7 --json
json 'o["n_unknown"] == 2'; verdict "label --prior" $?
json 'not [w for w in o["warnings"] if w["code"] == "prior_not_met"]'; verdict "label --prior: shares that are met" $?
for i in 0 1 2 3 4 5 6 7; do echo "a$i,red"; done > most.csv
echo b0,blue >> most.csv
run label edges.csv --features words.csv --labels most.csv --prior red=0.05,blue=0.95 --json
json '[w for w in o["warnings"] if w["code"] == "prior_not_met" and
       "40.0 %" in w["text"] and ("5.0 %" in w["text"] or "95.0 %" in w["text"])]'
verdict "label --prior: shares that cannot be met, since 8 of 20 labels are known to be red" $?
check "and the warning is printed" grep -qE "^warning: class '(red|blue)' has a share of [0-9.]+ %" .err
run $label --prior 'red=0.3, blue=0.7' -q
verdict "label --prior: a blank after the comma" $rc
run $label --balance accuracy -o x.csv
{ [ $rc = 0 ] && cmp -s labels.csv x.csv; }; verdict "label --balance accuracy is the default" $?
run $label --balance macro-f1 --prior red=0.3,blue=0.7 --json
json 'o["settings"]["balance"] == "macro-f1" and o["n_unknown"] == 2'
verdict "label --balance macro-f1 with --prior" $?
"$gnd" train debian --method auto --validation 0 -q --predictions all.csv > /dev/null
awk -F, 'NR == 1 || n[$2]++ < 3 { print $1 "," $2 }' all.csv > known.csv
run label debian --labels known.csv -q -o default.csv
run label debian --labels known.csv -q --balance macro-f1 -o balanced.csv --model balanced.safetensors
{ [ $rc = 0 ] && ! cmp -s default.csv balanced.csv; }; verdict "label --balance macro-f1 changes labels" $?
run label debian --labels known.csv -q --set balance=macro-f1
check "label --balance is a setting" cmp -s balanced.csv .out
run predict balanced.safetensors debian -q
check "label --balance: a saved model keeps it" cmp -s balanced.csv .out
run label edges.csv --labels odd_names.csv --prior 'red, warm=0.5,x=1=0.5' -q
verdict "label --prior: names with commas and equal signs" $rc
run $label --json
risk=$(python3 -c '
import json
p = sorted((o["probability"] for o in json.load(open(".out"))["predictions"] if o["label"] and o["probability"] < 1),
           reverse=True)
print(round(sum(1 - x for x in p[:9]) / 9 + 1e-5, 6))')
run $label --abstain-unchecked "$risk" --json
json '0 < o["n_abstained"] < 18 and o["n_unknown"] == 2 + o["n_abstained"] and
      [p["label"] for p in o["predictions"]].count(None) == o["n_unknown"]'
verdict "label --abstain-unchecked" $?
check "label --abstain-unchecked: how many became unknown" \
    grep -qE '^note: [0-9]+ vertices get no label, too uncertain for --abstain-unchecked '"$risk"'$' .err
for o in --abstain --abstain-unchecked; do
    run $label $o 0 --json
    json 'o["n_abstained"] == 18'; verdict "label $o 0: only what is known" $?
    run $label $o 1 --json
    json 'o["n_abstained"] == 0'; verdict "label $o 1: everything" $?
done
run $label --abstain 0.1 --json
json 'o["n_abstained"] == 18 and [w["code"] for w in o["warnings"]] == ["abstain_few_labels"]'
verdict "label --abstain: too few labels for this risk" $?
check "label --abstain: how many labels it needs" \
    grep -q '^warning: only known labels are kept: a risk of 0.1 needs 9 labels .*, and there are 0;' .err
{ echo id,label; for i in 0 1 2 3 4 5 6; do echo "a$i,red"; echo "b$i,blue"; done; } > many.csv
run label edges.csv --labels many.csv --abstain 0.1 --json
json 'o["n_abstained"] == 0 and o["n_train"] == 14'; verdict "label --abstain: enough labels" $?
}
printf 'id,label\na1,red\nzz,blue\n' > stranger.csv
run label edges.csv --labels stranger.csv -o x.csv
check "label: a vertex that the graph lacks is named" grep -q "^note: stranger.csv: 1 vertex has no edges.*'zz'" .err
printf 'id,label,note\na1,red,"x, y"\nb1,blue,\na2,,later\n' > three.csv
run label edges.csv --labels three.csv -q
{ [ $rc = 0 ] && cmp -s .out labels.csv; }; verdict "label: columns that a header names besides are passed over" $?
{ echo id,label; for i in 0 1 2 3 4 6 7 8; do echo "a$i,red"; echo "b$i,blue"; done; echo a5,blue; } > wrong.csv
for c in label suggest; do
    run $c edges.csv --labels wrong.csv -o x.csv
    check "$c: a suspect label is named" grep -q "^warning: vertex a5 is labelled 'blue', but .*'red'; check" .err
    run $c edges.csv --labels wrong.csv -o x.csv --json
    json 'any(w["code"] == "suspect_label" and "vertex a5 " in w["text"] for w in o["warnings"])'
    verdict "$c --json: in the warnings" $?
done
grep -v lone edges.csv > connected.csv
run label connected.csv --labels wrong.csv -o x.csv
check "label: calibrated where labels can be left out" grep -q '^note: calibrated: yes, ' .err

export GND_PARALLEL_MIN=0
printf 'id,label\n' > few.csv
"$gnd" data convert debian deb --to csv -q > /dev/null
for s in games graphics math net science sound; do grep ",$s\$" deb/labels.csv | sed -n '7p;40p;90p'; done >> few.csv
for t in 1 2; do
    run label debian --labels few.csv --threads $t -o t$t.csv -q --model t$t.safetensors
    "$gnd" suggest debian --labels few.csv --threads $t -n 5 -q > s$t.csv
done
check "label: same bytes for 1 and 2 threads" \
    sh -c '[ -s t1.csv ] && cmp t1.csv t2.csv && cmp t1.safetensors t2.safetensors'
check "suggest: same bytes for 1 and 2 threads" sh -c '[ -s s1.csv ] && cmp s1.csv s2.csv'
unset GND_PARALLEL_MIN
run predict t1.safetensors debian -q
check "predict: what label with auto said, but for the known" \
    test "$(diff .out t1.csv | grep -c '^>')" -le 18

# ---- suggest ------------------------------------------------------------------------------------

run suggest edges.csv -n 3
{ [ $rc = 0 ] && [ "$(head -n 1 .out)" = id,label,why ] && [ "$(wc -l < .out)" = 4 ] &&
    [ "$(grep -cE '^[a-z0-9]+,,represents about [0-9]+ vertices \([0-9.]+ %\)$' .out)" = 3 ]; }
verdict "suggest without labels: an empty label and a reason" $?
check "suggest: one of each group first" sh -c '[ "$(sed -n 2,3p .out | cut -c 1 | sort | tr -d "\n")" = ab ]'
check "suggest: what it is asked for is no note" sh -c '! grep -q "no label" .err'
check "suggest: how many vertices are similar to a suggestion" \
    grep -qE '^note: [0-9]+ % of the vertices are similar to a labelled or suggested one' .err
fails "suggest --seed is gone" 2 'seed' suggest edges.csv --seed 2
run suggest edges.csv -n 5
check "suggest: also what stands apart" grep -q '^lone' .out
run suggest edges.csv --labels seeds.csv -n 6
check "suggest: what no label reaches is not called a class" grep -qE '^lone[12],,.*; no known label reaches it$' .out
check "suggest: what is called a class, and how surely" \
    grep -qE "; now '(red|blue)' \([0-9]+ %\) before '(red|blue)'$" .out
run suggest edges.csv --labels one.csv -n 3
{ [ $rc = 0 ] && [ "$(wc -l < .out)" = 4 ] && ! grep -qE '^(a1|a2),' .out; }
verdict "suggest: labels of one class do" $?
run suggest edges.csv --labels none.csv -n 3
{ [ $rc = 0 ] && [ "$(wc -l < .out)" = 4 ]; }; verdict "suggest: a file of empty labels does" $?
run suggest karate -n 50
{ [ $rc = 0 ] && [ "$(wc -l < .out)" = 35 ] && grep -q '^note: only 34 vertices have no label' .err; }
verdict "suggest: more than there are" $?
{ echo id,label; tail -n +2 edges.csv | tr , '\n' | sort -u | sed 's/^a.*/&,red/; s/^[bl].*/&,blue/'; } > all.csv
run suggest edges.csv --labels all.csv
{ [ $rc = 0 ] && [ "$(wc -l < .out)" = 1 ] && grep -q 'every vertex has a label' .err; }
verdict "suggest: nothing left" $?
run suggest edges.csv --labels seeds.csv -n 6 --json -q
json 'len(o["suggestions"]) == 6 and o["warnings"] == [] and o["output"] is None and
      all(set(s) == {"id", "represents", "label_now", "probability", "why"} for s in o["suggestions"]) and
      any(s["id"].startswith("lone") for s in o["suggestions"]) and
      all((s["label_now"] is None) == s["id"].startswith("lone") and
          (s["label_now"] is None or s["probability"] > 0.5) for s in o["suggestions"])'
verdict "suggest --json" $?
run suggest edges.csv -q -n 2
[ ! -s .err ]; verdict "suggest --quiet is silent" $?

# ---- suggest, fill in, label --------------------------------------------------------------------

run suggest karate -n 4 -o todo.csv
{ [ $rc = 0 ] && [ ! -s .out ] && grep -q 'fill in .*todo.csv, then .gnd label karate --labels todo.csv' .err; }
verdict "suggest -o says what comes next" $?
fails "label: straight from suggest, not filled in" 1 'todo.csv: has no label' label karate --labels todo.csv
fill() { # fill FILE: empty labels by what the club did
    awk -F , -v OFS=, 'NR == FNR { is[$1] = $2; next } FNR > 1 && $2 == "" { $2 = is[$1] } { print }' \
        "$root/data/karate/labels.csv" "$1" > filled.csv && mv filled.csv "$1"
}
fill todo.csv
run label karate --labels todo.csv -o club.csv --json
json 'o["n_train"] == 4 and o["n_unknown"] == 0'; verdict "suggest, fill in, label" $?
right=$(sort -t , -k 1,1 club.csv | join -t , - <(sort -t , -k 1,1 "$root/data/karate/labels.csv") |
    awk -F , '$1 != "id" && $2 == $4' | wc -l)
check "and it is right about the club: $right of 34" test "$right" -ge 31
run suggest karate --labels todo.csv -n 2 -o next.csv
{ [ $rc = 0 ] && [ "$(grep -c ',known$' next.csv)" = 4 ] && [ "$(grep -c '^[0-9]*,,' next.csv)" = 2 ]; }
verdict "suggest again: the file keeps what is known" $?
fill next.csv
run label karate --labels next.csv --json
json 'o["n_train"] == 6 and o["n_unknown"] == 0'; verdict "and label knows all six" $?
run suggest edges.csv --features words.csv -n 2 -o x.csv
check "suggest -o: the features are part of what comes next" \
    grep -q 'gnd label edges.csv --features words.csv --labels x.csv' .err

# A job in the background of a script ignores SIGINT, so SIGTERM stands for both.
mkfifo pipe
for c in "label edges.csv --labels seeds.csv" "suggest edges.csv"; do
    # shellcheck disable=SC2086
    "$gnd" $c -o pipe > .out 2> .err &
    pid=$!
    sleep 0.8
    kill -TERM $pid
    sleep 0.3
    kill -KILL $pid 2> /dev/null
    wait $pid 2> /dev/null
    [ $? = 143 ]; verdict "SIGTERM while waiting for a pipe: ${c%% *}" $?
done
(ulimit -f 1; "$gnd" suggest debian -n 200 -q -o limit.csv > .out 2> .err)
rc=$?
{ [ $rc = 1 ] && one_sentence && [ -z "$(ls limit* 2> /dev/null)" ]; }
verdict "suggest: file size limit, one sentence and nothing left behind" $?

# ---- what is written reads back -----------------------------------------------------------------

cat > odd.csv << 'CSV'
source,target
"#one","a,b"
"a,b","%two"
"%two","#one"
"say ""x"""," pad "
" pad ","two
lines"
"two
lines","say ""x"""
"",""
CSV
sed -i '$d' odd.csv
printf 'id,label,why\n"#one","#tag","known"\n"say ""x""","%%, \303\274",\n' > odd_labels.csv
run label odd.csv --labels odd_labels.csv -o odd_out.csv -q
run label odd.csv --labels odd_out.csv --json -q
json 'o["n_train"] == 6 and {p["id"]: p["label"] for p in o["predictions"]} == {
      "#one": "#tag", "a,b": "#tag", "%two": "#tag", "say \"x\"": "%, ü", " pad ": "%, ü", "two\nlines": "%, ü"}'
verdict "label: the output is the next --labels, whatever ids contain" $?
run suggest odd.csv --labels odd_labels.csv -n 4 -o odd_todo.csv -q
{ [ $rc = 0 ] && "$gnd" label odd.csv --labels odd_todo.csv --json -q > .out; }
json 'o["n_train"] == 2 and len(o["predictions"]) == 6'; verdict "suggest -o: the same" $?
run suggest odd.csv --labels odd_labels.csv -n 4
python3 -c 'import csv
r = list(csv.reader(open(".out", newline="")))
exit(len(r) != 5 or any(len(x) != 3 for x in r))'
verdict "suggest on stdout is CSV as others read it" $?
run data convert odd.csv odd_folder --to csv
{ [ $rc = 0 ] && "$gnd" label odd_folder --labels odd_labels.csv -q | cmp - odd_out.csv; }
verdict "data convert: the same" $?

# ---- probabilities are finite -------------------------------------------------------------------

sed 's/^a5,.*/a5,3e38,3e38,-3e38,-3e38/' words.csv > huge.csv
for m in lr sign mlp jknet; do
    run label edges.csv --features huge.csv --labels seeds.csv --method $m -o huge_out.csv
    { [ $rc = 0 ] && ! grep -qi nan huge_out.csv && grep -q '^a5,,$' huge_out.csv &&
        grep -q '^warning: .*not finite' .err; }
    verdict "label --method $m: a vertex whose features overflow is unknown" $?
done
run label edges.csv --features huge.csv --labels seeds.csv --method lr --abstain 0.5 --json
json '[p["label"] for p in o["predictions"] if p["id"] == "a5"] == [None] and
      "not_finite" in [w["code"] for w in o["warnings"]]'
verdict "label --abstain: it stays unknown" $?
run label edges.csv --features words.csv --labels seeds.csv --method lr --model lr.safetensors -q -o x.csv
run predict lr.safetensors edges.csv --features huge.csv
{ [ $rc = 0 ] && grep -q '^a5,,$' .out && grep -q '^warning: .*not finite' .err; }
verdict "predict: the same" $?

# ---- files keep what they are -------------------------------------------------------------------

echo old > secret.csv; chmod 600 secret.csv
ln -s secret.csv link.csv
ln -s late.csv dangling.csv
for k in 0 1 2 3; do : > "secret.csv.$k.tmp"; done
run suggest karate -n 2 -o link.csv -q
{ [ $rc = 0 ] && [ -L link.csv ] && [ "$(stat -c %a secret.csv)" = 600 ] && grep -q '^id,label,why' secret.csv; }
verdict "suggest -o: a link stays a link, a mode stays" $?
run compare karate --methods ls --splits 1 --validation 0 --runs dangling.csv -q
{ [ $rc = 0 ] && [ -L dangling.csv ] && [ -s late.csv ] && [ ! -L late.csv ]; }
verdict "compare --runs: through a link to a file that does not exist yet" $?
rm -f secret.csv.?.tmp

# ---- terminals ----------------------------------------------------------------------------------

printf 'source,target\na\302\2331m,b\342\200\256c\n' > csi.csv
printf 'a\302\2331m,x\302\233\nb\342\200\256c,y\n' > csi_labels.csv
run data info csi.csv --labels csi_labels.csv
{ [ $rc = 0 ] && ! cat .out .err | LC_ALL=C grep -q "$(printf '\302\233')"; }
verdict "data info: control characters of classes are masked" $?
cp csi.csv "$(printf 'csi\302\233.csv')"
run data info "$(printf 'csi\302\233.csv')"
{ [ $rc = 0 ] && grep -q 'csi?,' .out; }; verdict "data info: those of the file's name too" $?
run label csi.csv --labels nosuch.csv --features "$(printf 'no\302\233such')"
{ [ $rc = 1 ] && ! LC_ALL=C grep -q "$(printf '\302\233')" .err; }; verdict "messages: control characters are masked" $?

echo "$pass passed, $fail failed"
[ $fail = 0 ]
