#!/bin/bash
# SPDX-License-Identifier: MIT
# Run every test and end with one line "N passed, M failed"; exit 1 if one failed.
#
#     tools/run_tests.sh BUILD ASAN_BUILD REFERENCE_DIR
#
# The unit tests run in the sanitized build, all that starts programs in the plain one. A test program
# that crashes or leaks counts as a failure even if all its cases passed.
set -u
cd "$(dirname "$0")/.." || exit 2
build=$PWD/${1:-build} asan=$PWD/${2:-build-asan} reference=${3:-../shared/reference}
jobs=$(nproc 2>/dev/null || echo 2)
pass=0 fail=0 step_kind=() step_name=()
log=$(mktemp -d) || exit 1
trap 'rm -rf "$log"' EXIT

add() { # add PASSED FAILED
    pass=$((pass + $1)) fail=$((fail + $2))
}

# Steps run at the same time, as many as there are processors. Each is reported when it has ended.
n_step=0
start() { # start counted|checked NAME COMMAND...
    step_kind[n_step]=$1 step_name[n_step]=$2
    shift 2
    while [ "$(jobs -rp | wc -l)" -ge "$jobs" ]; do
        wait -n
        report
    done
    step "$n_step" "$@" &
    n_step=$((n_step + 1))
}

step() { # step NUMBER COMMAND...
    local k=$1
    shift
    # The shell lets what runs in the background ignore Ctrl-C, which some tests send.
    env --default-signal=INT,QUIT "$@" > "$log/out.$k" 2>&1 < /dev/null
    echo $? > "$log/rc.part.$k"
    mv "$log/rc.part.$k" "$log/rc.$k"
}

report() { # the steps that have ended since the last time
    local k
    for ((k = 0; k < n_step; k++)); do
        if [ -e "$log/rc.$k" ]; then
            "${step_kind[k]}" "${step_name[k]}" "$log/out.$k" "$(cat "$log/rc.$k")"
            rm "$log/rc.$k"
        fi
    done
}

counted() { # counted NAME OUTPUT STATUS: the output ends with "N passed, M failed"
    local name=$1 out=$2 rc=$3 last p f
    last=$(tail -n 1 "$out")
    if [[ $last =~ ^([0-9]+)\ passed,\ ([0-9]+)\ failed$ ]]; then
        p=${BASH_REMATCH[1]} f=${BASH_REMATCH[2]}
        [ "$rc" -ne 0 ] && [ "$f" = 0 ] && f=1
    else
        p=0 f=1
    fi
    [ "$f" = 0 ] || grep -v "^ok " "$out"
    grep -i '^skip' "$out" | grep -v '^skip .* method' | sed "s|^|  |"
    echo "$name: $p passed, $f failed"
    add "$p" "$f"
}

checked() { # checked NAME OUTPUT STATUS: one check, judged by its exit status
    local name=$1 out=$2 rc=$3
    if [ "$rc" = 0 ]; then
        sed 's/^/  /' "$out" | tail -n 1
        echo "$name: 1 passed, 0 failed"
        add 1 0
    else
        cat "$out"
        echo "$name: 0 passed, 1 failed"
        add 0 1
    fi
}

unit_tests() {
    local line
    (cd "$asan" && ctest -V -j "$jobs" --timeout 300) > "$log/unit" 2>&1 < /dev/null
    # Lines of test k start with "k: "; ctest's verdict is "  i/n Test #k: name ...   Passed".
    line=$(awk '
        match($0, /^[0-9]+: /) {
            k = $1 + 0
            text = substr($0, RLENGTH + 1)
            if (text ~ /^\[  PASSED  \]/) passed[k] += count(text)
            if (text ~ /^\[  FAILED  \] [0-9]+ test/) failed[k] += count(text)
            if (text ~ /^\[  SKIPPED \] [0-9]+ test/) skipped += count(text)
        }
        / Test +#[0-9]+: / && !/^[0-9]+: / {
            programs++
            k = $0; sub(/.* Test +#/, "", k); k += 0
            if ($0 ~ /\*\*\*Skipped/) skipped++
            else if ($0 !~ /   Passed /) bad[k] = 1
            else if (!(k in passed)) passed[k] = 1    # not a cmocka program
        }
        function count(s) { sub(/^\[[^]]*\] /, "", s); return s + 0 }
        END {
            for (k in passed) p += passed[k]
            for (k in failed) f += failed[k]
            for (k in bad) if (!failed[k]) f++
            for (k in failed) bad[k] = 1
            for (k in bad) list = list "|" k
            print p + 0, f + 0, skipped + 0, programs + 0, substr(list, 2)
        }' "$log/unit")
    # shellcheck disable=SC2086
    set -- $line
    [ "$4" -gt 0 ] || { cat "$log/unit"; echo "no test program ran"; set -- 0 1 0 0; }
    # Of the programs that failed, show what is not a case that passed.
    [ -z "${5:-}" ] || grep -E "^($5): |Test +#($5): " "$log/unit" |
        grep -vE '^[0-9]+: (\[ (RUN|      OK|  PASSED) |\[=+\]|Test (command|timeout)|Working Dir)'
    sed -n 's|^[0-9]*: *\(SKIP: .*\)|\1|p' "$log/unit" | sort -u | sed 's/^/  /'
    echo "unit tests under ASan and UBSan: $1 passed, $2 failed, $3 skipped, in $4 programs"
    add "$1" "$2"
}

export GND=$build/gnd GND_BUILD=$build PATH=$build:$PATH
unit_tests
start counted "Python package" tools/run_python_tests.sh "$build"
start checked "layers" tools/check_layers.sh
start checked "format" tools/check_format.sh
start checked "style" python3 tools/check_style.py
start checked "constants" python3 tools/check_constants.py
start checked "names" python3 tools/check_names.py "$build/libgnd.a"
start checked "docs/models.md" python3 tools/make_docs.py "$GND" --check
start checked "debian/libgnd0.symbols" tools/make_symbols.sh --check
start checked "docs/tables.md" tools/make_tables.sh "$GND" --check
start checked "docs/claims.md" python3 tools/make_claims.py "$GND" --check
# shellcheck disable=SC2016
if [ -d ../shared/data ]; then
    start checked "docs/claims/spectrum.csv" bash -c '
        GND_DATA=../shared/data GND_KERN=ref "$GND" spectrum cora --format csv -q |
            cmp - docs/claims/spectrum.csv && echo "docs/claims/spectrum.csv: ok"'
    start checked "docs/claims/reach.csv" bash -c 'GND_DATA=../shared/data tools/make_reach.py "$GND" |
        cmp - docs/claims/reach.csv && echo "docs/claims/reach.csv: ok"'
else
    echo "docs/claims/reach.csv, spectrum.csv: skipped, the data sets are not in ../shared/data"
fi
start counted "results" python3 tests/tools/test_results.py
start counted "claims" python3 tests/tools/test_claims.py
for t in tests/cli/*.sh tests/install/*.sh; do
    [ -e "$t" ] && start counted "${t#tests/}" bash "$t"
done
start counted "frozen outputs" python3 tests/frozen/run.py
start counted "bundled data and their script" python3 tests/tools/test_debian_graph.py
start checked "words" python3 tools/check_words.py
start counted "the check of words" python3 tests/tools/test_check_words.py
start counted "figures of the benchmark" env GND_BUILD="$build" python3 tests/tools/test_bench.py
start counted "README blocks" python3 tests/readme/run_blocks.py README.md
if [ -d "$reference" ]; then
    start counted "golden vectors" tools/run_reference.sh "$build" "$reference" float
else
    echo "golden vectors: skipped, $reference is not there"
fi
wait
report
echo "$pass passed, $fail failed"
[ $fail -eq 0 ]
