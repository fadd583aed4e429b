#!/bin/sh
# SPDX-License-Identifier: MIT
# What `make run` does once gnd is built: train on the bundled Debian graph, then label every package.
set -eu
build=${1:-build}

"$build/gnd" train debian --graph std --seed 1 -o "$build/debian.safetensors"
"$build/gnd" predict "$build/debian.safetensors" debian -o predictions.csv
echo "predictions: $PWD/predictions.csv"
