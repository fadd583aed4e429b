#!/bin/bash
# SPDX-License-Identifier: MIT
# What bash offers when a user presses Tab behind gnd.
set -u
cd "$(dirname "$0")/../.." || exit 2
export GND_DATA=$PWD/data
gnd=${GND:-$PWD/build/gnd}
. /dev/stdin <<< "$("$gnd" help --completion bash)"
tmp=$(mktemp -d) || exit 1
trap 'rm -rf "$tmp"' EXIT
cd "$tmp" && touch edges.csv || exit 1
pass=0 fail=0

offers() { # offers "EXPECTED WORDS" WORD...: the last word is being typed
    local expected=$1
    shift
    COMP_WORDS=("$gnd" "$@") COMP_CWORD=$# COMPREPLY=()
    _gnd
    if [ "${COMPREPLY[*]}" = "$expected" ]; then
        pass=$((pass + 1))
    else
        fail=$((fail + 1))
        echo "FAIL gnd $*: offered '${COMPREPLY[*]}', expected '$expected'"
    fi
}
offers "label suggest train estimate predict compare paper results plot spectrum methods data version help" ""
offers "train" tr
offers "list get info convert make hops" data ""
offers "raw und std" train karate --graph ""
offers "table md tex csv json" compare karate --format ""
offers "gnd-mlp" train karate --method gnd-m
offers "gnd-slp" compare karate --methods gnd-s
offers "gnd-ds" methods gnd-d
offers "auto" label karate --method au
offers "--number" suggest karate --n
offers "karate" suggest kar
offers "karate" train kar
offers "edges.csv" label ed
offers "edges.csv" label edges.csv --labels ed
offers "--preset --predictions" train karate --pre
offers "--to" data convert karate --to
offers "--output" predict m.safetensors karate --o
echo "$pass passed, $fail failed"
[ $fail -eq 0 ]
