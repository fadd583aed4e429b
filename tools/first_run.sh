#!/bin/sh
# SPDX-License-Identifier: MIT
# What `make run` shows: method auto labels the bundled Debian graph from five labels per class, without validation
# labels; GND-Nets on the same labels for comparison; what to type next. Writes predictions.csv.
#
#     tools/first_run.sh BUILD
set -eu
gnd=$1/gnd
split="--graph std --labels-per-class 5 --validation 0"

echo "\$ $gnd train debian --method auto $split --predictions predictions.csv"
# shellcheck disable=SC2086
"$gnd" train debian --method auto $split --predictions predictions.csv --quiet
echo
# shellcheck disable=SC2086
"$gnd" train debian --method gnd-slp $split --quiet | sed -n '
    /^accuracy/ { s/.*test \([0-9.]* %\).*/\1/; h; }
    /^macro-F1/ { s/.*test \([0-9.]* %\).*/\1/; H; }
    /^calibration/ {
        s/.*error \([0-9.]* %\).*/\1/; H; x
        s/\n/, macro-F1 /; s/\n/, calibration error /
        s/^/GND-Nets (--method gnd-slp) with the same labels: test accuracy /p
    }'
cat << END

Test vertices are those whose labels were not used for training. Next:
  $gnd label edges.csv --labels known.csv -o labels.csv    label the vertices of your graph
  $gnd suggest edges.csv -n 10 -o known.csv                which vertices to label first
  $gnd methods                                             all methods
END
