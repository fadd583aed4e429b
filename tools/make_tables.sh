#!/bin/bash
# SPDX-License-Identifier: MIT
# Writes docs/tables.md: the paper's tables from the training runs in results/paper.*.csv. Needs the data sets
# ($GND_DATA), since a training run is found by the hash of its graph.
#
#     tools/make_tables.sh GND > docs/tables.md
#     tools/make_tables.sh GND --check             exit 1 if docs/tables.md is another one
set -eu
gnd=$(realpath "$1")
cd "$(dirname "$0")/.."
if [ "${2:-}" = --check ]; then
    "$0" "$gnd" | cmp - docs/tables.md && echo "docs/tables.md: ok" && exit
    echo "docs/tables.md is not what results/ says; \`make tables\` writes it anew"
    exit 1
fi
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

Written by `make tables` from the training runs in [results/](../results); [reproduce.md](reproduce.md) explains them.
A row `training runs` gives the number of splits trained where it is not all 30. The seconds of older training runs
were measured on a busy machine and are not reliable; see [bench/SPEED.md](../bench/SPEED.md) instead.

END
cd "$store" # the tables name the store
"$gnd" paper --tables-only --quiet --search-splits 5 --setting raw,original --setting std,common \
    --store paper.sqlite --format md
