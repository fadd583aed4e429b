#!/bin/bash
# SPDX-License-Identifier: MIT
# Is what `make install` gives usable by others? The example is compiled against the build tree, against
# an installed tree by pkg-config, and by CMake's find_package; the library exports gnd_* only.
set -u
cd "$(dirname "$0")/../.." || exit 2
build=${GND_BUILD:-$PWD/build}
tmp=$(mktemp -d) || exit 1
trap 'rm -rf "$tmp"' EXIT
pass=0 fail=0

check() { # check WHAT COMMAND...
    local what=$1
    shift
    if "$@" > "$tmp/log" 2>&1; then
        pass=$((pass + 1))
    else
        fail=$((fail + 1))
        echo "FAIL $what"
        cat "$tmp/log"
    fi
}
labels_karate() { # the program labels 34 members with the two factions
    local out=$tmp/labels
    "$@" karate > "$out" && [ "$(wc -l < "$out")" = 34 ] &&
        [ "$(cut -d, -f2 "$out" | sort -u | paste -sd,)" = "Mr. Hi,Officer" ] || { cat "$out"; false; }
}
flags="-std=c17 -Wall -Wextra -Wpedantic -Werror"
CC=${CC:-cc}

exports_only() {
    local other
    other=$(nm -D --defined-only "$build/libgnd.so" | awk '{ print $NF }' | grep -v '^gnd_')
    [ -z "$other" ] || { echo "$other"; false; }
}
header_is_complete() { # every function of the header is in the library, and nothing else is
    sed -n 's/^GND_API .*[ *]\(gnd_[a-z0-9_]*\)(.*/\1/p' include/gnd.h | sort > "$tmp/declared"
    nm -D --defined-only "$build/libgnd.so" | awk '{ print $NF }' | sort > "$tmp/exported"
    diff "$tmp/declared" "$tmp/exported"
}
man_is_complete() { # every option of every command is in the manual
    local command
    for command in label train predict compare "plot accuracy" "plot depth" "plot reliability" "plot tsne" spectrum \
        methods version "data list" "data info" "data convert" "data make"; do
        # shellcheck disable=SC2086
        "$build/gnd" $command --help
    done | sed -n 's/^  *\(-[a-z], \)\{0,1\}\(--[a-z-]*\).*/\2/p' | sort -u | sed 's/-/\\-/g' > "$tmp/options"
    [ -s "$tmp/options" ] && while read -r o; do
        grep -qF -- "$o" man/gnd.1 || { echo "man/gnd.1 lacks $o"; false; } || return 1
    done < "$tmp/options"
}
hardened() { # the command and the library are protected as CMakeLists.txt says; not in a sanitized build
    local f
    for f in "$build/gnd" "$build/libgnd.so"; do
        readelf -dW "$f" | grep -qE 'BIND_NOW|FLAGS_1.*NOW' || { echo "$f: not bound at start"; return 1; }
        readelf -lW "$f" | grep -q GNU_RELRO || { echo "$f: no RELRO"; return 1; }
        readelf -lW "$f" | grep GNU_STACK | grep -q 'RW ' || { echo "$f: an executable stack"; return 1; }
        nm -D "$f" | grep -q __stack_chk_fail || { echo "$f: no stack protector"; return 1; }
        nm -D "$f" | grep -q _chk@ || { echo "$f: no fortified functions"; return 1; }
    done
    readelf -hW "$build/gnd" | grep -q 'Type: *DYN' || { echo "gnd: not position independent"; false; }
}

if command -v readelf > /dev/null && readelf -hW "$build/gnd" > /dev/null 2>&1 && ! nm -D "$build/gnd" | grep -q asan &&
    [ "$(uname)" = Linux ]; then
    check "compiled and linked with protection" hardened
fi
check "the manual has every option" man_is_complete
check "the library exports gnd_* only" exports_only
check "the library exports what gnd.h declares" header_is_complete

export GND_DATA=$PWD/data
# shellcheck disable=SC2086
check "build tree: compile" $CC $flags -Iinclude examples/label.c -L"$build" -lgnd -o "$tmp/label"
check "build tree: run" labels_karate env LD_LIBRARY_PATH="$build" "$tmp/label"
check "the header is C++ too" sh -c "command -v c++ >/dev/null || exit 0
    echo '#include <gnd.h>' | c++ -Wall -Wextra -Werror -Iinclude -x c++ -fsyntax-only -"

check "install" cmake --install "$build" --prefix "$tmp/usr"
# The folder of installed data is compiled in; this tree stands elsewhere, so it is named.
export GND_DATA=$tmp/usr/share/gnd
lib=$(dirname "$(find "$tmp/usr" -name libgnd.so)")
export PKG_CONFIG_PATH=$lib/pkgconfig
for f in bin/gnd include/gnd.h share/gnd/debian.npz share/gnd/karate/edges.csv share/man/man1/gnd.1; do
    check "installed: $f" test -s "$tmp/usr/$f"
done
# shellcheck disable=SC2046,SC2086
check "pkg-config: compile" $CC $flags examples/label.c $(pkg-config --cflags --libs gnd) -o "$tmp/label2"
check "pkg-config: version" test "$(pkg-config --modversion gnd)" = \
    "$(sed -n 's/^#define GND_VERSION "\(.*\)"/\1/p' include/gnd.h)"
check "pkg-config: run" labels_karate env LD_LIBRARY_PATH="$lib" "$tmp/label2"
check "find_package: configure" cmake -S examples -B "$tmp/out" -DCMAKE_PREFIX_PATH="$tmp/usr"
check "find_package: build" cmake --build "$tmp/out"
check "find_package: run" labels_karate "$tmp/out/label"
check "installed gnd runs elsewhere" sh -c "cd / && '$tmp/usr/bin/gnd' data info karate"
echo "$pass passed, $fail failed"
[ $fail -eq 0 ]
