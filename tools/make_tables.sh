#!/bin/bash
# SPDX-License-Identifier: MIT
# Writes docs/tables.md: the paper's tables from the trainings in results/paper.*.csv. Needs the data sets, since a
# training is found by the hash of its graph.
#
#     GND_DATA=DIR tools/make_tables.sh build/gnd > docs/tables.md
set -eu
gnd=$(realpath "$1")
cd "$(dirname "$0")/.."
store=$(mktemp -d)
trap 'rm -rf "$store"' EXIT
for file in results/paper.*.csv; do
    "$gnd" results import "$store/paper.sqlite" "$file" > "$store/log" 2>&1 || {
        cat "$store/log" >&2
        exit 1
    }
done
cat << 'END'
# The paper's tables

Made by `make tables` from the trainings in [results/](../results); [reproduce.md](reproduce.md) says what they mean.
A row `trainings` says how many of the 30 splits have been trained where it is not all of them.

END
for setting in raw,original std,common; do
    "$gnd" paper --tables-only --quiet --setting "$setting" --store "$store/paper.sqlite" --format md
    echo
done
