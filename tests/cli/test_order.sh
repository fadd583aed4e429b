#!/bin/bash
# SPDX-License-Identifier: MIT
# The order of lines in the input files does not change what method auto says: same labels, same probabilities, same
# suggestions, byte for byte once the output is sorted.
#
#     GND=build/gnd tests/cli/test_order.sh
#
# One line a case, "N passed, M failed" at the end, exit 1 if one failed.
# shellcheck source=cases.bash
. "$(dirname "$0")/cases.bash"

# ---- graphs -------------------------------------------------------------------------------------

# make_graph FOLDER KIND VERTICES: edges.csv, weighted.csv, grown.csv, words.csv, known.csv, classes.csv. KIND text: ids
# of letters, digits, blanks and umlauts; gaps: whole numbers with gaps; mixed: both.
make_graph() {
    mkdir -p "$1"
    python3 - "$@" << 'PY'
import csv, random, sys
folder, kind, n = sys.argv[1], sys.argv[2], int(sys.argv[3])
r = random.Random(7)
number = r.sample(range(10 * n), n)
text = ["%s%d" % (r.choice(["v", "Node ", "\u00fc-", "a", "zz", "0x"]), k) for k in number]
ids = [str(k) if kind == "gaps" or (kind == "mixed" and r.random() < 0.5) else t for k, t in zip(number, text)]
cls = [r.randrange(4) for _ in ids]
of = [[i for i in range(n) if cls[i] == c] for c in range(4)]
def friend(i): return r.choice(of[cls[i]]) if r.random() < 0.85 else r.randrange(n)
def words(i): return [int(r.random() < (0.3 if k % 4 == cls[i] else 0.05)) for k in range(24)]
def write(name, head, rows):
    with open("%s/%s.csv" % (folder, name), "w", newline="", encoding="utf-8") as f:
        w = csv.writer(f, lineterminator="\n")
        w.writerow(head)
        w.writerows(rows)
links = [(i, friend(i)) for i in range(n - 20) for _ in range(3)]  # the last 20 may have features alone
named = [(ids[a], ids[b]) for a, b in links]
write("edges", ["source", "target"], named)
weighted = [(a, b, r.choice([0.1, 0.7, 1, 3.3])) for a, b in named + named[:50]]  # some twice
write("weighted", ["source", "target", "weight"], weighted + [(b, a, w + 1) for a, b, w in weighted[:30]])
write("words", ["id"] + ["w%d" % k for k in range(24)], [[ids[i]] + words(i) for i in range(n)])
names = ["1", "01", "10", "9"]  # two of these are one number
write("classes", ["id", "label"], [(ids[i], names[cls[i]]) for i in range(n)])
write("known", ["id", "label"], [(ids[i], names[c]) for c in range(4) for i in r.sample(of[c], 3)])
new = ["new%d" % k for k in range(60)]
more = [(v, ids[r.choice(of[k % 4])]) for k, v in enumerate(new) for _ in range(3)]
write("grown", ["source", "target"], named + more)
PY
}

# shuffled FROM TO SEED: all lines but the header in another order; the ends of some edges are exchanged.
shuffled() {
    mkdir -p "$2"
    python3 - "$@" << 'PY'
import csv, os, random, sys
source, target, r = sys.argv[1], sys.argv[2], random.Random(int(sys.argv[3]))
for name in sorted(os.listdir(source)):
    with open(os.path.join(source, name), newline="", encoding="utf-8") as f:
        head, *rows = csv.reader(f)
    r.shuffle(rows)
    if head[0] == "source":
        rows = [[b, a] + w if r.random() < 0.5 else [a, b] + w for a, b, *w in rows]
    with open(os.path.join(target, name), "w", newline="", encoding="utf-8") as f:
        csv.writer(f, lineterminator="\n").writerows([head] + rows)
PY
}

# same NAME FOLDER ARGS...: does `gnd ARGS` in FOLDER and in three shuffled copies of it write the same lines?
same() {
    local name=$1 folder=$2 ok=0 k
    shift 2
    for k in "$folder" "$folder".1 "$folder".2 "$folder".3; do
        (cd "$k" && "$gnd" "$@" 2> "$work/.err" < /dev/null) > .out || ok=1
        # What is said about the files may differ: an edge whose ends are exchanged is no duplicate.
        {
            grep -v '^time ' .out | sort
            grep -E '^(warning|note: (calibrated|not checked|links|features))' .err
        } > lines
        [ "$k" = "$folder" ] && mv lines first && continue
        cmp -s first lines || ok=1
    done
    [ -s first ] || ok=1
    verdict "$name" $ok
}

right() { # right PREDICTIONS CLASSES: percentage of correct labels
    sort -t , -k 1,1 "$1" | join -t , - <(sort -t , -k 1,1 "$2") |
        awk -F , '$2 == $4 { n++ } END { printf "%d", 100 * n / NR }'
}

for kind in text gaps mixed; do
    n=400
    [ $kind = text ] && n=5200 # more than are compared as suggestions
    make_graph $kind $kind $n
    for s in 1 2 3; do shuffled $kind $kind.$s $s; done
done

# ---- label, suggest, train ----------------------------------------------------------------------

words="--features words.csv" known="--labels known.csv"
# shellcheck disable=SC2086
for kind in text gaps mixed; do
    same "label, $kind ids" $kind label edges.csv $known
    same "label, $kind ids, features" $kind label edges.csv $words $known
    same "label, $kind ids, weights and features" $kind label weighted.csv $words $known
    same "suggest, $kind ids" $kind suggest edges.csv -n 10
    same "suggest, $kind ids, features and labels" $kind suggest edges.csv $words $known -n 10
done
# shellcheck disable=SC2086
{
same "train --predictions" text train edges.csv $words $known --method auto -q --predictions -
same "label, links in one direction" text label edges.csv $words $known --graph raw
same "label --abstain-unchecked --prior" text label weighted.csv $known --abstain-unchecked 0.2 \
    --prior '1=0.3,01=0.3,10=0.2,9=0.2'
same "label --balance macro-f1" text label weighted.csv $words $known --balance macro-f1
same "label: notes and warnings" mixed label edges.csv $words --labels classes.csv -o /dev/null

# ---- predict ------------------------------------------------------------------------------------

for w in "" "$words"; do
    (cd text && "$gnd" label edges.csv $w $known -q --model "$work/m.safetensors" > "$work/all.csv")
    same "predict${w:+, features}" text predict "$work/m.safetensors" edges.csv $w
    sort .out | cut -d , -f 1-2 > a
    sort all.csv | cut -d , -f 1-2 > b
    check "predict${w:+, features}: the labels of gnd label" cmp a b
    same "predict${w:+, features}: a graph that grew" text predict "$work/m.safetensors" grown.csv $w
    percent=$(right .out text/classes.csv)
    check "predict${w:+, features}: right about the graph that grew: $percent %" test "$percent" -ge 70
    check "predict${w:+, features}: the new vertices have labels" \
        test "$(grep -cE '^new[0-9]+,[0-9]+,' .out)" = 60
done
}

echo "$pass passed, $fail failed"
[ $fail = 0 ]
