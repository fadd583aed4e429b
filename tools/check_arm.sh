#!/bin/bash
# SPDX-License-Identifier: MIT
# The kernels on ARM: the table of 16-byte vectors (NEON) against ref, bit for bit, compiled for aarch64 and run by
# an emulator. Correctness only, no timing. Says so in one line, and succeeds, where the tools are missing.
#
#     apt-get install gcc-aarch64-linux-gnu libc6-dev-arm64-cross qemu-user-static
set -u
cd "$(dirname "$0")/.." || exit 2
for tool in aarch64-linux-gnu-gcc qemu-aarch64-static; do
    command -v $tool > /dev/null || { echo "skipped: $tool is missing"; exit 0; }
done
dir=$(mktemp -d) || exit 1
trap 'rm -rf "$dir"' EXIT
flags="-std=c17 -O3 -fno-math-errno -fno-trapping-math -ffp-contract=off -Wall -Wextra -Wconversion -Wshadow -Wpedantic
       -Werror -static -Iinclude -Isrc -Itests -isystem tests/arm -D_GNU_SOURCE="
sources="src/kern/kern_*.c src/kern/cpu.c src/kern/csr.c src/kern/part.c src/base/alloc.c src/base/status.c
         src/base/rng.c src/base/parallel.c src/base/tick.c"

run() { # run TEST FLAGS...
    local test=$1
    shift
    # shellcheck disable=SC2086
    aarch64-linux-gnu-gcc $flags "$@" "tests/kern/$test.c" $sources -lm -lpthread -o "$dir/$test" &&
        qemu-aarch64-static "$dir/$test" > "$dir/log" || { cat "$dir/log"; echo "FAIL $test on aarch64"; exit 1; }
    echo "ok   $test on aarch64: $(tail -1 "$dir/log")"
}
run test_kern
run test_kern_double -DGND_REAL=double
run test_tanh
