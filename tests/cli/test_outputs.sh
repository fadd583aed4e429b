#!/bin/bash
# SPDX-License-Identifier: MIT
# What commands write: outputs that are open descriptors, and the columns of predictions. Ends with "N passed, M
# failed".
. "$(dirname "$0")/cases.bash"
small_graphs
printf 'a0,red\na1,red\nb0,blue\nb1,blue\n' > known.csv
label=(label edges.csv --features words.csv --labels known.csv -q)

# ---- open descriptors: written where they stand, as a stream -----------------------------------------------

run "${label[@]}"
cp .out expected.csv
{ echo before; cat expected.csv; echo after; } > around.csv
for name in /dev/stdout /dev/fd/1 /proc/self/fd/1 /dev/../dev/stdout; do
    { echo before; "$gnd" "${label[@]}" -o $name; echo after; } > out.csv 2> .err
    check "-o $name in a group of commands" cmp out.csv around.csv
done
ln -s /dev/stdout out_link
{ echo before; "$gnd" "${label[@]}" -o out_link; echo after; } > out.csv 2> .err
check "-o a link to /dev/stdout" cmp out.csv around.csv
(cd /dev && { echo before; "$gnd" label "$work/edges.csv" --features "$work/words.csv" --labels "$work/known.csv" \
    -q -o stdout; echo after; }) > out.csv 2> .err
check "-o stdout in the folder /dev" cmp out.csv around.csv
echo before > out.csv
"$gnd" "${label[@]}" -o /dev/stdout >> out.csv 2> .err && echo after >> out.csv
check "-o /dev/stdout that appends" cmp out.csv around.csv
{ echo before >&3; "$gnd" "${label[@]}" -o /dev/fd/3; echo after >&3; } 3> out.csv > .out 2> .err
check "-o /dev/fd/3" cmp out.csv around.csv
inode=$(stat -c %i out.csv)
"$gnd" "${label[@]}" -o /dev/fd/3 3>> out.csv 2> .err
check "the file is not replaced" test "$inode" = "$(stat -c %i out.csv)"
"$gnd" "${label[@]}" -o /dev/stdout 2> .err | cmp - expected.csv
verdict "-o /dev/stdout into a pipe" $?
"$gnd" train karate --validation 0 --set epochs_alone=3 -q --predictions /dev/stdout > out.csv 2> .err
check "train --predictions /dev/stdout: predictions, then the figures" sh -c \
    'head -1 out.csv | grep -q ^id,label && sed 1,35d out.csv | head -1 | grep -q ^data'
fails "-o a descriptor that is not open" 1 '/dev/fd/77: cannot write there: the descriptor is not open' \
    "${label[@]}" -o /dev/fd/77
fails "-o a descriptor that is open for reading" 1 '/dev/stdin: cannot write there: .* not open for writing' \
    "${label[@]}" -o /dev/stdin
"$gnd" "${label[@]}" -o /dev/stdout > /dev/full 2> .err
[ $? = 1 ] && one_sentence && grep -q 'No space left' .err; verdict "-o /dev/stdout on a full disk" $?

# ---- vertices without a label: an empty label, so that a class may be named unknown -------------------------

printf 'a0,unknown\na1,unknown\nb0,blue\nb1,blue\n' > named.csv
named=(label edges.csv --features words.csv --labels named.csv)
run "${named[@]}" -o first.csv
check "a class named unknown" grep -q '^a5,unknown,0\.' first.csv
check "a vertex without a label has neither label nor probability" sh -c '[ "$(grep -c "^lone[12],,$" first.csv)" = 2 ]'
run "${named[@]}" --json -q
json '[p["label"] for p in o["predictions"] if p["id"] == "a5"] == ["unknown"] and o["n_unknown"] == 2 and
      all(p["label"] is None and p["probability"] is None for p in o["predictions"] if p["id"][:4] == "lone")'
verdict "label --json: null" $?
run label edges.csv --features words.csv --labels first.csv -o second.csv --json
json 'o["n_train"] == 20 and o["n_unknown"] == 2'
verdict "predictions as labels: 20 of 22 vertices have one" $?
cut -d, -f1,2 first.csv > first.ids; cut -d, -f1,2 second.csv > second.ids
check "and the class named unknown survives" cmp first.ids second.ids
sed 's/,,$/,unknown,/' first.csv > old.csv
run label edges.csv --features words.csv --labels old.csv --json
json 'o["n_train"] == 20'; verdict "unknown without a probability, as older files have it, is no label" $?
check "and a note says so" grep -q "^note: old.csv: 2 lines have 'unknown' without a probability" .err

# ---- the probabilities of all classes ------------------------------------------------------------------------

printf 'a0,"red, warm"\na1,"red, warm"\nb0,blue\nb1,blue\n' > comma.csv
run label edges.csv --features words.csv --labels comma.csv -q -o plain.csv --model m.st
works "label --probabilities" '^id,label,probability,p_blue,"p_red, warm"$' \
    label edges.csv --features words.csv --labels comma.csv -q --probabilities
cp .out all.csv
check "the first columns are the same" python3 - << 'PY'
import csv
a, b = (list(csv.reader(open(f))) for f in ("plain.csv", "all.csv"))
assert a == [row[:3] for row in b] and len(b) == 23
for row in b[1:]:
    p = dict(zip(("blue", "red, warm"), map(float, row[3:])))
    assert abs(sum(p.values()) - 1) < 1e-5
    assert row[0][:4] == "lone" or p[row[1]] == float(row[2]) == max(p.values())
PY
run label edges.csv --features words.csv --labels comma.csv -q --probabilities --json
json 'o["classes"] == ["blue", "red, warm"] and all(abs(sum(p["probabilities"]) - 1) < 1e-5 and
      (p["label"] is None or p["probabilities"][o["classes"].index(p["label"])] == p["probability"])
      for p in o["predictions"])'
verdict "label --probabilities --json" $?
works "predict --probabilities" '^a5,"red, warm",0\.[0-9]+,0\.[0-9]+,0\.[0-9]+$' \
    predict m.st edges.csv --features words.csv --probabilities
run predict m.st edges.csv --features words.csv --probabilities --json
json 'all(len(p["probabilities"]) == 2 for p in o["predictions"])'; verdict "predict --probabilities --json" $?
run train karate --validation 0 -q --predictions p.csv --probabilities
check "train --predictions --probabilities" grep -qE '^id,label,probability,p_[^,]+,p_[^,]+$' p.csv
fails "train --probabilities without a file" 2 '--probabilities needs .*--predictions FILE' train karate --probabilities
run label edges.csv --features words.csv --labels all.csv --json -q
json 'o["n_train"] == 20'; verdict "as labels" $?
"$gnd" plot reliability karate --validation 0 --predictions p.csv -o p.svg -q 2> .err
check "as predictions to draw" test -s p.svg
sed '3s/,[^,]*$//' p.csv > short.csv
fails "a line with a column less" 1 'short.csv:3: expected id,label,probability and the other columns' \
    plot reliability karate --validation 0 --predictions short.csv -o x.svg

echo "$pass passed, $fail failed"
[ $fail = 0 ]
