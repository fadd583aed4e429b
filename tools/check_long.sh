#!/bin/bash
# SPDX-License-Identifier: MIT
# The checks that take long. Needs clang and valgrind. Ends with "N passed, M failed".
#
#     tools/check_long.sh [clang] [debug] [tsan] [valgrind] [fuzz] [arm] [cluster]    these parts; all if none is named
#
# FUZZ_SECONDS is how long each reader is fuzzed (60). On two cores it takes some 25 minutes.
set -u
cd "$(dirname "$0")/.." || exit 2
jobs=$(nproc 2>/dev/null || echo 2)
seconds=${FUZZ_SECONDS:-60}
pass=0 fail=0
log=$(mktemp) || exit 1
trap 'rm -f "$log"' EXIT

for tool in valgrind clang; do
    command -v $tool > /dev/null || { echo "$tool is missing; apt-get install valgrind clang" >&2; exit 1; }
done
step() { # step NAME COMMAND...
    local name=$1 start=$SECONDS
    shift
    if "$@" > "$log" 2>&1 < /dev/null; then
        pass=$((pass + 1))
        echo "ok   $name, $((SECONDS - start)) s"
    else
        fail=$((fail + 1))
        cat "$log"
        echo "FAIL $name"
    fi
}
built() { # built FOLDER OPTIONS...
    local folder=$1
    shift
    cmake -S . -B "$folder" -DGND_WERROR=ON "$@" && cmake --build "$folder" -j"$jobs"
}
tests_of() { (cd "$1" && ctest --output-on-failure -j "$jobs" --timeout 1800); }
python_numpy() { # python_numpy FOLDER: a virtual environment with NumPy
    [ -x "$1/bin/python" ] || python3 -m venv "$1"
    "$1/bin/python" -m pip install -q numpy
}
memory_clean() {
    valgrind -q --error-exitcode=99 --leak-check=full --errors-for-leak-kinds=definite,indirect "$@"
}

clang_part() {
    step "build by clang" built build-clang -DCMAKE_C_COMPILER=clang
    step "tests of it" tests_of build-clang
}
debug_part() { # without optimisation gcc sees other paths, and assertions are on
    step "build by gcc -O0" built build-debug -DCMAKE_BUILD_TYPE=Debug
    step "tests of it" tests_of build-debug
}
tsan_part() {
    local t
    step "build with the thread sanitizer" built build-tsan -DCMAKE_BUILD_TYPE=RelWithDebInfo \
        -DGND_SANITIZE=thread
    for t in base_parallel kern_kern tape_tape train_repeat train_predict eval_compare api_threads; do
        step "threads of $t" env GND_PARALLEL_MIN=0 "build-tsan/tests/test_$t"
    done
    step "NumPy for the Python package" python_numpy build-tsan/python
    step "eight threads of Python" env LD_PRELOAD="$(gcc -print-file-name=libtsan.so)" GND_PARALLEL_MIN=0 \
        OPENBLAS_NUM_THREADS=1 PYTHONPATH=python GND_LIBRARY="$PWD/build-tsan/libgnd.so" \
        build-tsan/python/bin/python python/tests/threads.py
    step "threads of gnd compare" env GND_PARALLEL_MIN=0 build-tsan/gnd compare karate --threads 3 \
        --validation 0 --splits 4 --labels-per-class 1,2
}
cluster_asan() { # cluster_asan ARGS...: 2 processes. Plugins of MPI leak, and are unloaded before leaks are listed, so
    # that no suppression can name them: leaks count only below functions of gnd
    local out
    out=$(env OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 LSAN_OPTIONS=exitcode=0 \
        mpirun -q --oversubscribe --bind-to none -n 2 build-petsc-asan/gnd "$@" 2>&1) || { echo "$out"; return 1; }
    ! echo "$out" | grep -E 'ERROR: AddressSanitizer|runtime error| in gnd_'
}
cluster_part() {
    local tmp
    if ! tools/install_deps.sh --check cluster 2> /dev/null; then
        echo "skip cluster: PETSc is not installed (make deps-cluster)"
        return
    fi
    tmp=$(mktemp -d) || exit 1
    step "build of several processes with sanitizers" built build-petsc-asan -DGND_PETSC=ON -DGND_TESTS=OFF \
        -DGND_SANITIZE=address,undefined
    step "vertices ordered by METIS" build-petsc-asan/gnd data convert debian "$tmp/g.safetensors" --parts 2
    step "2 processes: ls" cluster_asan train "$tmp/g.safetensors" --method ls --metrics --predictions "$tmp/p.csv"
    step "2 processes: sgc" cluster_asan train "$tmp/g.safetensors" --method sgc --set epochs_alone=5
    for m in gcn appnp gnd-slp "gnd-slp --plan whole"; do
        # shellcheck disable=SC2086
        step "2 processes: $m" cluster_asan train "$tmp/g.safetensors" --method $m --set epochs_alone=3 \
            --checkpoint "$tmp/state" --checkpoint-seconds 0 --predictions "$tmp/p.csv"
    done
    step "2 processes: auto" cluster_asan train "$tmp/g.safetensors" --method auto --predictions "$tmp/p.csv"
    step "20 kills" env GND_KILLS=10 tests/cli/test_cluster.sh
    step "2 processes: sgc, each pass" cluster_asan train "$tmp/g.safetensors" --method sgc --set epochs_alone=3 \
        --set smooth=each_pass
    rm -rf "$tmp"
}
valgrind_part() {
    local t gnd=build-valgrind/gnd tmp
    step "build for valgrind" built build-valgrind -DCMAKE_BUILD_TYPE=RelWithDebInfo
    for t in build-valgrind/tests/test_*; do
        if [ -f "$t" ] && [ -x "$t" ]; then
            step "memory of ${t##*/test_}" memory_clean "$t"
        fi
    done
    tmp=$(mktemp -d) || exit 1
    step "memory of gnd train" memory_clean $gnd train karate --validation 0 --labels-per-class 2 \
        -o "$tmp/m.safetensors" --predictions "$tmp/p.csv"
    step "memory of gnd predict" memory_clean $gnd predict "$tmp/m.safetensors" karate -o "$tmp/q.csv"
    step "the same predictions" cmp "$tmp/p.csv" "$tmp/q.csv"
    step "memory of gnd label" memory_clean $gnd label data/karate/edges.csv \
        --labels data/karate/labels.csv --threads 2 -o "$tmp/l.csv"
    step "memory of gnd data convert" memory_clean $gnd data convert debian "$tmp/debian" --to csv
    step "memory of gnd methods" memory_clean $gnd methods gnd-ds
    rm -rf "$tmp"
}
fuzz_part() {
    local t corpus
    step "build of the fuzz targets" built build-fuzz -DCMAKE_C_COMPILER=clang -DGND_FUZZ=ON -DGND_TESTS=OFF
    for t in build-fuzz/fuzz/fuzz_*; do
        if [ -f "$t" ] && [ -x "$t" ]; then
            corpus=build-fuzz/corpus-${t##*/}
            mkdir -p "$corpus"
            step "${t##*/}, $seconds s" "$t" -max_total_time="$seconds" -rss_limit_mb=2048 -timeout=20 \
                -artifact_prefix=build-fuzz/ "$corpus" data/karate
        fi
    done
}

arm_part() {
    step "kernels on an emulated ARM" tools/check_arm.sh
    grep '^skipped' "$log"
}

for part in "${@:-clang debug tsan valgrind fuzz arm cluster}"; do
    for p in $part; do
        case $p in
        clang | debug | tsan | valgrind | fuzz | arm | cluster) "${p}_part" ;;
        *) echo "check_long.sh: no part '$p'; there are clang, debug, tsan, valgrind, fuzz, arm, cluster" >&2; exit 2 ;;
        esac
    done
done
echo "$pass passed, $fail failed"
[ $fail -eq 0 ]
