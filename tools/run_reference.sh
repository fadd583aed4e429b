#!/bin/sh
# SPDX-License-Identifier: MIT
# Walk a folder of golden vectors in float and in double, and add up. Exit 1 if one fails.
#
#     tools/run_reference.sh BUILD DIR [PRECISION...]      default: float double
set -u
build=$1 dir=$2
shift 2
pass=0 fail=0

if [ ! -d "$dir" ]; then
    echo "$dir: no such folder; name one with make reference DIR=..." >&2
    exit 1
fi
out=$(mktemp) || exit 1
trap 'rm -f "$out"' EXIT
for precision in ${*:-float double}; do
    echo "== $precision"
    "$build/reference_$precision" "$dir" > "$out"
    rc=$?
    sed '$d' "$out"
    last=$(tail -n 1 "$out")
    case $last in
    *[0-9]" passed, "*[0-9]" failed")
        p=${last%% passed*} f=${last##*passed, } f=${f%% failed*}
        # A walker that ends badly in spite of its count has failed too.
        [ $rc -ne 0 ] && [ "$f" = 0 ] && f=1
        ;;
    *)
        echo "$last"
        echo "FAIL reference_$precision ended with status $rc and without a count"
        p=0 f=1
        ;;
    esac
    pass=$((pass + p)) fail=$((fail + f))
done
echo "$pass passed, $fail failed"
[ $fail -eq 0 ] && [ $pass -gt 0 ]
