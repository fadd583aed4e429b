#!/bin/bash
# SPDX-License-Identifier: MIT
# What the measurements stand on, without measuring: `gnd data make`, and the scripts of bench/.
# shellcheck source=cases.bash
. "$(dirname "$0")/cases.bash"

# ---- gnd data make --------------------------------------------------------------------------------

small=(--vertices 400 --edges 3000 --classes 4 --features 32)
works "data make writes a graph" '^a\.npz$' data make a.npz "${small[@]}"
run data make b.npz "${small[@]}" --json
json 'o["n_node"] == 400 and o["n_arc"] == 2 * o["n_edge"] and 1500 < o["n_edge"] <= 3000'
verdict "data make --json says what came out" $?
check "the same options give the same bytes" cmp a.npz b.npz
run data make c.npz "${small[@]}" --seed 2
check "another seed gives another graph" sh -c '! cmp -s a.npz c.npz'
run data info a.npz --json
json 'o["n_class"] == 4 and o["n_feat"] == 32 and not o["directed"] and o["n_loop"] == 0 and o["n_labelled"] == 400'
verdict "data info reads it back" $?
run train a.npz --validation 100 --set epochs=100 --json -q
json 'o["test_accuracy"] > .45'
verdict "there is something to learn in it" $?
works "a graph without features" '^d\.npz$' data make d.npz --vertices 50 --edges 90 --classes 2 --features 0

refused() { # refused NAME CODE PATTERN ARGS...: one sentence, nothing written
    local name=$1 code=$2 pattern=$3
    shift 3
    run data make "$@"
    [ $rc = "$code" ] && [ ! -e no.npz ] && [ ! -s .out ] && [ "$(wc -l < .err)" = 1 ] && grep -qE "$pattern" .err
    verdict "$name" $?
}
refused "too few vertices" 2 'vertices' no.npz --vertices 1
refused "more classes than vertices" 2 '8 classes for 5 vertices' no.npz --vertices 5
refused "fewer features than classes" 2 '3 features for 8 classes' no.npz --features 3
refused "fewer communities than classes" 2 "5 communities for 8 classes" no.npz --communities 5
refused "not a number" 2 'edges' no.npz --edges many
refused "no name" 2 'data make' --vertices 5
refused "a folder that is not there" 1 'none/no.npz' none/no.npz "${small[@]}"

# ---- bench/ ---------------------------------------------------------------------------------------

bench=$root/bench
"$bench/run.sh" --help > .out 2> .err && grep -q '^usage: bench/run.sh' .out
verdict "bench/run.sh --help" $?
for part in epochs runs spread kernels growth large sweep agree dist tsne; do
    check "its help names $part, and it has it" sh -c "grep -q '^  $part ' .out && grep -q '^$part() {' '$bench/run.sh'"
done
"$bench/run.sh" nothing > .out 2> .err
[ $? = 2 ] && [ ! -s .out ] && grep -q 'no part or option nothing' .err
verdict "an unknown part is a mistake" $?
if command -v shellcheck > /dev/null; then
    check "bench/run.sh is clean" shellcheck "$bench/run.sh"
fi
for f in "$bench"/*.py "$bench"/peers/*.py; do
    check "${f#"$root/"} compiles" python3 -c 'import sys; compile(open(sys.argv[1]).read(), sys.argv[1], "exec")' "$f"
done

report() { # report PART: the table of .tsv
    python3 "$bench/report.py" "$1" .tsv > .out 2> .err
}
for m in 20 40 80; do
    printf '%d000000\t400000\t3000000\t2.0\t100\t%d.5\t%d\t600\t2.7\t2.6\n' $m $((2 * m)) $((2 * m))
done > .tsv
report growth && grep -q 'exponent 1.000' .out
verdict "growth in proportion has exponent 1" $?
{
    printf 'gnd\tavx2\tgcn\tcora\t5\t1\t100\t1.0\t1.0\t0.70\t0.50\n'
    printf 'peer\tcsr+dense\tgcn\tcora\t5\t1\t100\t9.0\t8.0\t0.71\t0.51\n'
} > .tsv
report epochs && grep -q '| \*\*8.0x\*\* | 9.0x | 100 | .*same' .out
verdict "epochs: peer over gnd" $?
sed -i 's/0.71\t0.51/0.20\t1.90/' .tsv
report epochs && grep -q 'differs' .out
verdict "epochs: results that differ are shown" $?
printf 'gnd\t1\t0.1\t0.1\t10\t0.8\npeer\t1\t5.0\t4.0\t800\t0.8\n' > .tsv
report runs && grep -q 'wall \*\*50.0x\*\*, cpu \*\*40.0x\*\*' .out
verdict "runs: peer over gnd" $?
printf 'gnd\tls\tcora\t5\t10.0\t10.0\t0.55\nscipy\tcg\tcora\t5\t30.0\t20.0\t0.55\t1.0\n' > .tsv
report spread && grep -q '| \*\*2.0x\*\* | 3.0x |' .out
verdict "spread: peer over gnd" $?
printf 'cora\tgcn\t2\t2.0\t9.0\t8.0\t0.6\n' > .tsv
report sweep && grep -q '^| gcn | 1.000 | 1.3 |$' .out
verdict "sweep: 150 trainings of a second and six to prepare, on two cores" $?

printf 'random\t1\t9\t9\t64\t0\t0\t2\t3\t2\t3\t100\t77\nrandom\t2\t9\t9\t64\t5\t1280\t1.5\t2\t1\t1.5\t60\t77\n' > .tsv
report dist && grep -q '| 1.50 | 60 |$' .out && grep -q 'have the same bits' .out
verdict "dist: a hop over its local part" $?
sed -i 's/77$/78/;1s/78$/77/' .tsv
report dist && grep -q 'RESULTS DIFFER' .out
verdict "dist: other bits are shown" $?
printf 'gnd\tcora\t0.50\t0.64\t0.98\t19\nsklearn\tcora\t4.00\t0.65\t0.97\t19\n' > .tsv
report tsne && grep -q '^| cora | 19 | sklearn | 4.00 | \*\*8.0x\*\* | 0.6500 | 0.9700 |$' .out
verdict "tsne: peer over gnd" $?

echo "$pass passed, $fail failed"
[ $fail = 0 ]
