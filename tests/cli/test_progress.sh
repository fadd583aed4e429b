#!/bin/bash
# SPDX-License-Identifier: MIT
# Progress on stderr: stage, share and remaining time on a terminal, nothing elsewhere unless --progress is given.
#
#     GND=build/gnd tests/cli/test_progress.sh
#
# One line a case, "N passed, M failed" at the end, exit 1 if one failed.
# shellcheck source=cases.bash
. "$(dirname "$0")/cases.bash"
export GND_PROGRESS_MS=0 GND_TICK_MS=0

cat > terminal.py << 'PY'
# terminal.py COMMAND...: run it with a terminal as stderr, and print what the terminal shows, a line for each redraw.
import os, pty, subprocess, sys
ours, theirs = pty.openpty()
p = subprocess.Popen(sys.argv[1:], stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=theirs)
os.close(theirs)
text = b""
while True:
    try:
        some = os.read(ours, 65536)
    except OSError: # the other side is closed
        break
    if not some:
        break
    text += some
print(text.replace(b"\r\033[K", b"\n").decode(errors="replace"))
sys.exit(p.wait())
PY
terminal() { # terminal ARGS...: leaves rc, and what a terminal shows in .out
    python3 terminal.py "$gnd" "$@" > .out 2> .err
    rc=$?
}
shows() { # shows NAME PATTERN: was such a line drawn by the last command, which succeeded?
    { [ $rc = 0 ] && grep -qE "$2" .out; }
    verdict "$1" $?
}

"$gnd" data make g.npz --vertices 30000 --edges 300000 --classes 4 --features 64 -q > /dev/null
"$gnd" data convert g.npz g --to csv -q > /dev/null
awk -F, 'NR == 1 || NR % 500 == 0' g/labels.csv > known.csv

terminal data make made.npz --vertices 30000 --edges 300000
shows "data make shows that it makes a graph, with the time left" '^making [0-9]+ %, about [0-9]+ s left'
terminal label g/edges.csv --labels known.csv -o out.csv
shows "label shows that it reads, with the time left" '^reading [0-9]+ %, about [0-9]+ s left'
shows "that it converts the graph" '^converting( [0-9]+ %, about|, [0-9]+ s so far)'
shows "that it prepares" '^labelling: preparing'
shows "coordinates" '^labelling: coordinates [0-9]+ %, about [0-9:]+ (s|min) left'
shows "predictors" '^labelling: (predictors|held-out labels) [0-9]+ %, about [0-9:]+ (s|min) left'
terminal train g.npz --method gcn --set epochs_alone=20
shows "train shows preparation" '^preparing( [0-9]+ %, about|, [0-9]+ s so far)'
shows "and epochs" 'g, gcn: epoch [0-9]+ of 20, about [0-9]+ s left'
terminal data convert made.npz g2 --to csv
shows "that it writes the graph" '^writing [0-9]+ %, about [0-9]+ s left'
terminal data convert g/edges.csv g.safetensors
shows "data convert" '^converting [0-9]+ %, about [0-9]+ s left'
terminal suggest g/edges.csv -n 5
shows "suggest" '^suggesting.* [0-9]+ %, about [0-9:]+ (s|min) left'
terminal estimate g.npz --method auto
shows "estimate" '^estimating( [0-9]+ %, about|, [0-9]+ s so far)'

terminal label g/edges.csv --labels known.csv -o out.csv --quiet
{ [ $rc = 0 ] && ! grep -q . .out; }
verdict "nothing with --quiet" $?
run label g/edges.csv --labels known.csv -o out.csv
{ [ $rc = 0 ] && ! grep -qE 'left$|so far$' .err; }
verdict "nothing without a terminal" $?
run label g/edges.csv --labels known.csv -o out.csv --progress
{ [ $rc = 0 ] && grep -qE '^(reading|converting|labelling).*(left|so far)$' .err && ! grep -q "$(printf '\033')" .err; }
verdict "lines with --progress" $?

echo "$pass passed, $fail failed"
[ "$fail" = 0 ]
