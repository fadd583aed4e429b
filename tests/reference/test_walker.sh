#!/bin/sh
# SPDX-License-Identifier: MIT
# The walker of reference files must be able to say no: a copy of a good file is spoilt in one way at a
# time, and each must be answered by the right line and exit status.
#
#     test_walker.sh PROGRAM DIR      DIR holds the reference files; without them there is nothing to spoil
walker=$1 dir=$2
good=gnd-slp_G1_K4
if [ ! -r "$dir/$good.txt" ]; then
    echo "SKIP: $dir/$good.txt is not there"
    exit 77
fi
temp=$(mktemp -d) || exit 2
trap 'rm -rf "$temp"' EXIT
trap 'exit 2' HUP INT TERM
passed=0 failed=0

# expect STATUS LINE LAST WHAT: the walker's exit status, a line it prints (a pattern of grep -E), its last line
expect() {
    "$walker" "$temp/in" >"$temp/out" 2>"$temp/err"
    status=$?
    if [ $status = "$1" ] && { [ -z "$2" ] || grep -qE "$2" "$temp/out"; } &&
        [ "$(tail -n 1 "$temp/out")" = "$3" ]; then
        passed=$((passed + 1))
    else
        failed=$((failed + 1))
        echo "FAIL $4: exit $status (expected $1), expected a line '$2' and the last line '$3'; got:"
        cat "$temp/out" "$temp/err"
    fi
    rm -rf "$temp/in"
    mkdir "$temp/in"
}

# flip FIELD FILE: one hex digit of the first number of a field is replaced by another one: the leading one
# in single precision, the fourth behind the point in double, which must see that too
case $walker in
*double*) place=4 ;;
*) place=-1 ;;
esac
flip() {
    awk -v field="$1" -v place=$place '
        now { p = index($0, ".") + place; d = substr($0, p, 1)
              $0 = substr($0, 1, p - 1) (d == "3" ? "4" : "3") substr($0, p + 1); now = 0 }
        $2 == field { now = 1 }
        { print }' "$2"
}

# drop FIELD FILE: the file without a matrix and the empty line that ends it
drop() {
    awk -v field="$1" '
        $2 == field { gone = 1 }
        !gone { print }
        gone && NF == 0 { gone = 0 }' "$2"
}

mkdir "$temp/in"
expect 2 "" "" "an empty folder"
cp "$dir/$good.txt" "$temp/in/"
expect 0 "^ok $good\$" "1 passed, 0 failed" "the file as it is"
for field in grad.Theta logits step1.alpha step10.Phi; do
    flip "$field" "$dir/$good.txt" >"$temp/in/spoilt.txt"
    cp "$dir/$good.txt" "$temp/in/"
    expect 1 "^FAIL spoilt $field: expected .* got .*difference .*, limit " "1 passed, 1 failed" \
        "one digit of $field"
done
sed 's/^scalar loss_l2 .*/scalar loss_l2 nan/' "$dir/$good.txt" >"$temp/in/spoilt.txt"
expect 1 "^FAIL spoilt loss_l2" "0 passed, 1 failed" "a loss that is not a number"
awk '$2 == "pred" { now = 1; print; next } now { $0 = ($0 == "0" ? "1" : "0"); now = 0 } { print }' \
    "$dir/$good.txt" >"$temp/in/spoilt.txt"
expect 1 "^FAIL spoilt pred: expected .* got " "0 passed, 1 failed" "another prediction"
head -n 300 "$dir/$good.txt" >"$temp/in/spoilt.txt"
expect 1 "^FAIL spoilt " "0 passed, 1 failed" "a file cut short"
sed '/^text end ok/d' "$dir/$good.txt" >"$temp/in/spoilt.txt"
expect 1 "^FAIL spoilt " "0 passed, 1 failed" "a file without its last line"
for field in grad.b step10.Theta logits p.alpha X.v train; do
    drop "$field" "$dir/$good.txt" >"$temp/in/spoilt.txt"
    expect 1 "^FAIL spoilt $field: .* missing" "0 passed, 1 failed" "$field missing"
done
for field in loss_total_step10 val_acc_clean; do
    grep -v "^scalar $field " "$dir/$good.txt" >"$temp/in/spoilt.txt"
    expect 1 "^FAIL spoilt $field: .* missing" "0 passed, 1 failed" "$field missing"
done
awk '$2 == "hp.K" { print "scalar hp.unheard_of 3" } { print }' "$dir/$good.txt" >"$temp/in/spoilt.txt"
expect 1 "^FAIL spoilt hp.unheard_of: " "0 passed, 1 failed" "a setting nobody knows"
sed 's/^text method .*/text method abacus/' "$dir/$good.txt" >"$temp/in/spoilt.txt"
expect 0 "^skip spoilt .*'abacus' is not in this build" "0 passed, 0 failed" "an unknown method"
sed '/^text method /d' "$dir/$good.txt" >"$temp/in/spoilt.txt"
cp "$dir/$good.txt" "$temp/in/"
expect 0 "^skip spoilt " "1 passed, 0 failed" "a file that does not say its kind"

# The other kinds can fail, too.
flip W.v "$dir/operators_G3.txt" >"$temp/in/spoilt.txt"
expect 1 "^FAIL spoilt W: " "0 passed, 1 failed" "one digit of an operator"
flip adam_tf.theta "$dir/optimisers.txt" >"$temp/in/spoilt.txt"
expect 1 "^FAIL spoilt adam_tf.theta: " "0 passed, 1 failed" "one digit of an optimiser's path"
awk '$2 == "overfit.gat.50" { now = 1; print; next } now { $3 += 1; now = 0 } { print }' \
    "$dir/stopping.txt" >"$temp/in/spoilt.txt"
expect 1 "^FAIL spoilt overfit.gat.50: " "0 passed, 1 failed" "one epoch of a stopping rule"
sed 's/^scalar next .*/scalar next 7/' "$dir/split_a.txt" >"$temp/in/spoilt.txt"
expect 1 "^FAIL spoilt next: expected 7 got " "0 passed, 1 failed" "another count of a split"
flip curve "$dir/run_gnd-slp_G1.txt" >"$temp/in/spoilt.txt"
expect 1 "^FAIL spoilt curve: " "0 passed, 1 failed" "one digit of a training curve"

# A mask of Pi has all entries, also between components, where Pi is 0.
case=$(dirname "$0")/ppnp_case.py
python3 "$case" >"$temp/case.txt" || exit 2
cp "$temp/case.txt" "$temp/in/"
expect 0 "^ok case\$" "1 passed, 0 failed" "dropout on Pi with three components"
awk '$2 == "mask.Pi" { now = 1; print; next } now { $4 = 1 - $4; now = 0 } { print }' \
    "$temp/case.txt" >"$temp/in/spoilt.txt"
expect 1 "^FAIL spoilt logits: " "0 passed, 1 failed" "another entry of the mask of Pi"
awk '$2 == "mask.Pi" { now = 1; print; next } now { $5 = 1 - $5; now = 0 } { print }' \
    "$temp/case.txt" >"$temp/in/same.txt"
expect 0 "^ok same\$" "1 passed, 0 failed" "an entry of the mask where Pi is 0"
sed 's/^int mask.Pi 4 9/int mask.Pi 3 9/' "$temp/case.txt" >"$temp/in/spoilt.txt"
expect 1 "^FAIL spoilt " "0 passed, 1 failed" "a mask of Pi of another size"

echo "$passed passed, $failed failed"
[ "$failed" = 0 ]
