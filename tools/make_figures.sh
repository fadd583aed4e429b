#!/bin/sh
# SPDX-License-Identifier: MIT
# Make the figures of docs/plots.md from the bundled data sets.
#
#     tools/make_figures.sh [FOLDER]      default: docs/img
#
# GND names the program (default: build/gnd). The kernels are the reference kernels, so that the files have the same
# bytes on every machine; tests/cli/test_plot.sh compares them.
set -eu
root=$(cd "$(dirname "$0")/.." && pwd)
gnd=$(realpath "${GND:-$root/build/gnd}")
out=${1:-$root/docs/img}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export GND_KERN=ref GND_DATA="$root/data" LC_ALL=C
mkdir -p "$out"

compare() { # compare FILE ARGS...
    file=$1
    shift
    "$gnd" compare debian --validation 0 --splits 3 --format csv -q "$@" > "$work/$file"
}

compare accuracy.csv --methods gnd-slp,gcn,sgc --labels-per-class 1,2,3,5
compare layers.csv --methods gcn --vary layers=1,2,4,8 --labels-per-class 5
compare hops.csv --methods gnd-slp,sgc --vary hops=1,2,4,8,16 --labels-per-class 5
"$gnd" plot accuracy "$work/accuracy.csv" -o "$out/accuracy.svg"
"$gnd" plot depth "$work/layers.csv" "$work/hops.csv" -o "$out/depth.svg"
"$gnd" plot curves debian --validation 500 --method gcn -o "$out/curves.svg" -q
"$gnd" plot hops debian --validation 500 --set alpha=simplex -o "$out/hops.svg" -q
"$gnd" plot reliability debian --method auto --validation 0 -o "$out/reliability.svg" -q
"$gnd" plot tsne karate -o "$out/tsne.svg" -q
