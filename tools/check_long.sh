#!/bin/bash
# SPDX-License-Identifier: MIT
# The checks that take long: the tests under valgrind, a build by clang, the sanitizers, a minute of
# fuzzing for each reader. Needs valgrind and clang. Ends with "N passed, M failed".
set -u
cd "$(dirname "$0")/.." || exit 2
jobs=$(nproc 2>/dev/null || echo 2)
seconds=${FUZZ_SECONDS:-60}
pass=0 fail=0

for tool in valgrind clang; do
    command -v $tool > /dev/null || { echo "$tool is missing; apt-get install valgrind clang"; exit 1; }
done
step() { # step NAME COMMAND...
    local name=$1
    shift
    echo "== $name"
    if "$@" < /dev/null; then pass=$((pass + 1)); else fail=$((fail + 1)); echo "FAIL $name"; fi
}
built() { # built FOLDER OPTIONS...
    local folder=$1
    shift
    cmake -S . -B "$folder" -DGND_WERROR=ON "$@" > /dev/null && cmake --build "$folder" -j"$jobs"
}
tests_of() { ctest --test-dir "$1" --output-on-failure -j "$jobs" --timeout 1800; }
under_valgrind() {
    local t bad=0
    for t in build-valgrind/tests/test_*; do
        [ -x "$t" ] && [ -f "$t" ] || continue
        valgrind -q --error-exitcode=99 --leak-check=full --errors-for-leak-kinds=definite,indirect \
            "$t" > build-valgrind/out.log 2>&1 || { cat build-valgrind/out.log; echo "FAIL $t"; bad=1; }
    done
    return $bad
}
fuzz_one() {
    local corpus
    corpus=build-fuzz/corpus-$(basename "$1")
    mkdir -p "$corpus"
    "$1" -max_total_time="$seconds" -rss_limit_mb=2048 -timeout=20 -print_final_stats=1 "$corpus"
}

step "tests with sanitizers, gcc" make --no-print-directory asan
step "  run" tests_of build-asan
step "build with clang" built build-clang -DCMAKE_C_COMPILER=clang
step "  run" tests_of build-clang
step "build for valgrind" built build-valgrind -DCMAKE_BUILD_TYPE=RelWithDebInfo \
    "-DCMAKE_C_FLAGS_RELWITHDEBINFO=-O1 -g"
step "  run" under_valgrind
if [ -e fuzz/CMakeLists.txt ]; then
    step "build fuzz targets" built build-fuzz -DCMAKE_C_COMPILER=clang -DGND_FUZZ=ON -DGND_TESTS=OFF
    for t in build-fuzz/fuzz/fuzz_* build-fuzz/fuzz_*; do
        [ -x "$t" ] && [ -f "$t" ] && step "$(basename "$t"), $seconds s" fuzz_one "$t"
    done
fi
echo "$pass passed, $fail failed"
[ $fail -eq 0 ]
