#!/bin/bash
# SPDX-License-Identifier: MIT
# One failed allocation at a time while results are written: the old file stays, or the new one is complete.
#
#     GND=build/gnd tests/cli/test_nomem.sh
#
# Needs a C compiler for the library that makes malloc fail; skipped without one, and with a sanitized program.
# shellcheck source=cases.bash
. "$(dirname "$0")/cases.bash"

cat > nomem.c << 'C'
/* malloc, realloc and calloc fail once, at call number GND_NOMEM; the number of calls goes to file NOMEM_COUNT. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
static long calls, bad = -1;
static void *(*real_malloc)(size_t), *(*real_realloc)(void *, size_t);
__attribute__((constructor)) static void begin(void)
{
    const char *s = getenv("GND_NOMEM");
    real_malloc = (void *(*)(size_t))dlsym(RTLD_NEXT, "malloc");
    real_realloc = (void *(*)(void *, size_t))dlsym(RTLD_NEXT, "realloc");
    calls = 0;
    bad = s ? atol(s) : -1;
}
__attribute__((destructor)) static void end(void)
{
    const char *s = getenv("NOMEM_COUNT");
    FILE *f;
    const long n = calls;
    bad = -1;
    if (s && (f = fopen(s, "w"))) {
        fprintf(f, "%ld\n", n);
        fclose(f);
    }
}
static int fails(void) { return __atomic_fetch_add(&calls, 1, __ATOMIC_RELAXED) == bad; }
void *malloc(size_t n)
{
    if (!real_malloc)
        real_malloc = (void *(*)(size_t))dlsym(RTLD_NEXT, "malloc");
    return fails() ? NULL : real_malloc(n);
}
void *realloc(void *p, size_t n)
{
    if (!real_realloc)
        real_realloc = (void *(*)(void *, size_t))dlsym(RTLD_NEXT, "realloc");
    return fails() ? NULL : real_realloc(p, n);
}
C
if ! ${CC:-cc} -shared -fPIC -o nomem.so nomem.c -ldl 2> .err || ldd "$gnd" | grep -q asan; then
    echo "SKIP: no compiler, or a sanitized program"
    echo "0 passed, 0 failed"
    exit 0
fi

# Times differ from run to run, so figures are not compared.
same() { cmp -s <(sed 's/[0-9][0-9.e-]*//g' "$1") <(sed 's/[0-9][0-9.e-]*//g' "$2"); }

# walk NAME FILE LAST ARGS...: the LAST allocations of the command fail, one at a time. FILE, which the command
# writes, must be the old one after a failure and complete after a success; nothing else may be left behind.
walk() {
    local name=$1 file=$2 last=$3 count k ok=0 rc
    shift 3
    rm -f "$file"
    echo old > .old
    LD_PRELOAD=$PWD/nomem.so NOMEM_COUNT=.count "$gnd" "$@" > .whole 2> .err || ok=1
    count=$(cat .count)
    cp "$file" .want 2> /dev/null || : > .want
    for ((k = count > last ? count - last : 0; k < count && ok == 0; k++)); do
        [ -s .want ] && cp .old "$file"
        LD_PRELOAD=$PWD/nomem.so GND_NOMEM=$k "$gnd" "$@" > .out 2> .err
        rc=$?
        if [ $rc != 0 ] && [ -s .want ]; then
            cmp -s "$file" .old || same "$file" .want || ok=1 # complete, if stdout failed after it
        elif [ $rc = 0 ]; then
            [ ! -s .want ] || same "$file" .want || ok=1
            same .out .whole || ok=1
        fi
        [ $rc = 0 ] || grep -q '^gnd: ' .err || ok=1
        [ $rc -le 1 ] || ok=1
        ls ./*.tmp > /dev/null 2>&1 && ok=1
        [ $ok = 0 ] || echo "     allocation $k of $count, exit $rc" >> .err
    done
    verdict "$name: $count allocations" $ok
}

small_graphs
printf 'id,label\na1,red\nb1,bl\303\274\n' > seeds.csv
walk "suggest -o" todo.csv 120 suggest edges.csv --labels seeds.csv -n 3 -o todo.csv -q
walk "suggest --json" none.csv 120 suggest edges.csv --labels seeds.csv -n 3 --json -q
walk "label -o" labels.csv 60 label edges.csv --labels seeds.csv --method ls -o labels.csv -q
walk "label --json" none.csv 150 label edges.csv --labels seeds.csv --method ls --json -q
walk "label --model" m.safetensors 250 label edges.csv --labels seeds.csv --method ls --model m.safetensors -o l -q
walk "compare --runs" runs.csv 150 compare karate --methods ls --splits 2 --validation 0 --runs runs.csv -q
echo "$pass passed, $fail failed"
[ $fail = 0 ]
