#!/bin/bash
# SPDX-License-Identifier: MIT
# Writes docs/tables.md: the paper's tables from the training runs in results/. The data sets are not needed.
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
cat << 'END'
# The paper's tables

Written by `make tables` from the training runs in [results/](../results); `gnd paper --tables-only --format md` prints
them. [reproduce.md](reproduce.md) explains them. A row `training runs` gives the number of splits trained where it is
not all 30. The seconds of older training runs were measured on a busy machine and are not reliable; see
[bench/SPEED.md](../bench/SPEED.md) instead.

END
folder=$(mktemp -d) # without a store
trap 'rm -rf "$folder"' EXIT
results=$PWD/results
cd "$folder"
paper() { env -u GND_DATA "$gnd" paper --tables-only --quiet --results "$results" --format md "$@"; }
paper
cat << 'END'

# With the presets `published`

`gnd paper --tables-only --setting raw,published --format md`: settings chosen so that the figures come close to the
published ones ([reproduce.md](reproduce.md#what-may-have-produced-the-published-baselines)). They say nothing about
which method is better.

END
paper --setting raw,published | sed '1,/^### cora,/{/^### cora,/!d}' # without the table of the data sets
