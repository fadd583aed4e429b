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
labels_arrays() { # the two groups
    local out=$tmp/arrays.out
    "$@" > "$out" 2> /dev/null && [ "$(cut -d, -f2 "$out" | paste -sd,)" = \
        "sports,sports,sports,sports,music,music,music,music" ] || { cat "$out"; false; }
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
no_option_is_lost() { # every option that the help of a command lists is in its page and its completions
    local command option page
    while read -r command; do
        page=$tmp/usr/share/man/man1/gnd-${command// /-}.1
        # shellcheck disable=SC2086
        "$build/gnd" $command --help | sed -n 's/^  *\(-[a-z], \)\{0,1\}\(--[a-z0-9-]*\).*/\2/p' > "$tmp/options"
        [ -s "$tmp/options" ] || { echo "$command has no options"; return 1; }
        while read -r option; do
            grep -qF -- "\\fB${option//-/\\-}\\fP" "$page" || { echo "$page lacks $option"; return 1; }
            grep -qF -- "-n '__gnd_is $command' -l ${option#--}" "$fish" ||
                { echo "fish lacks $command $option"; return 1; }
        done < "$tmp/options"
        grep -qF "'$command')" "$bash" && grep -qF "'$command')" "$zsh" ||
            { echo "no completion of $command"; return 1; }
    done < <("$build/gnd" help --commands)
}
pages_are_valid() { # no warnings of the formatter, and a title that man finds
    local page
    for page in "$tmp"/usr/share/man/man1/*.1; do
        LC_ALL=C groff -man -ww -Tascii -z "$page" 2> "$tmp/warnings" > /dev/null || return 1
        [ ! -s "$tmp/warnings" ] || { cat "$tmp/warnings"; return 1; }
        grep -q '^\.SH NAME' "$page" && [ "$(grep -A1 '^\.SH NAME' "$page" | tail -1 | sed 's/\\//g; s/ - .*//')" = \
            "$(basename "$page" .1)" ] || { echo "$page: NAME is another one"; return 1; }
    done
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
check "the library exports gnd_* only" exports_only
check "the library exports what gnd.h declares" header_is_complete

export GND_DATA=$PWD/data
# shellcheck disable=SC2086
check "build tree: compile" $CC $flags -Iinclude examples/label.c -L"$build" -lgnd -o "$tmp/label"
check "build tree: run" labels_karate env LD_LIBRARY_PATH="$build" "$tmp/label"
# shellcheck disable=SC2086
check "arrays: compile" $CC $flags -Iinclude examples/arrays.c -L"$build" -lgnd -o "$tmp/arrays"
check "arrays: run" labels_arrays env LD_LIBRARY_PATH="$build" "$tmp/arrays"
check "the header is C++ too" sh -c "command -v c++ >/dev/null || exit 0
    echo '#include <gnd.h>' | c++ -Wall -Wextra -Werror -Iinclude -x c++ -fsyntax-only -"

check "install" cmake --install "$build" --prefix "$tmp/usr"
# The folder of installed data is compiled in; this tree stands elsewhere, so it is named.
export GND_DATA=$tmp/usr/share/gnd
lib=$(dirname "$(find "$tmp/usr" -name libgnd.so)")
export PKG_CONFIG_PATH=$lib/pkgconfig
for f in bin/gnd include/gnd.h share/gnd/debian.npz share/gnd/karate/edges.csv share/man/man1/gnd.1 \
    share/man/man1/gnd-label.1 share/bash-completion/completions/gnd share/zsh/site-functions/_gnd \
    share/fish/vendor_completions.d/gnd.fish; do
    check "installed: $f" test -s "$tmp/usr/$f"
done
# shellcheck disable=SC2046,SC2086
check "pkg-config: compile" $CC $flags examples/label.c $(pkg-config --cflags --libs gnd) -o "$tmp/label2"
check "pkg-config: version" test "$(pkg-config --modversion gnd)" = \
    "$(sed -n 's/^#define GND_VERSION  *"\(.*\)"/\1/p' include/gnd.h)"
check "debian/changelog: version" test "$(sed -n '1s/^gnd (\([^)]*\)).*/\1/p' debian/changelog)" = \
    "$(pkg-config --modversion gnd)"
check "pkg-config: run" labels_karate env LD_LIBRARY_PATH="$lib" "$tmp/label2"
check "find_package: configure" cmake -S examples -B "$tmp/out" -DCMAKE_PREFIX_PATH="$tmp/usr"
check "find_package: build" cmake --build "$tmp/out"
check "find_package: run" labels_karate "$tmp/out/label"
check "find_package: run arrays" labels_arrays "$tmp/out/arrays"
check "installed gnd runs elsewhere" sh -c "cd / && '$tmp/usr/bin/gnd' data info karate"

# ---- manual pages and completions ----
bash=$tmp/usr/share/bash-completion/completions/gnd zsh=$tmp/usr/share/zsh/site-functions/_gnd
fish=$tmp/usr/share/fish/vendor_completions.d/gnd.fish
check "manual pages and completions have every option" no_option_is_lost
if command -v groff > /dev/null; then check "the manual pages are valid" pages_are_valid
else echo "skip the manual pages are valid: groff is missing"; fi
check "bash reads its completion" bash -n "$bash"
for shell in zsh fish; do
    if command -v $shell > /dev/null; then check "$shell reads its completion" $shell -n "${!shell}"
    else echo "skip $shell reads its completion: $shell is missing"; fi
done
check "no completion for other shells" sh -c "! '$build/gnd' help --completion tcsh"

# ---- the static library ----
check "installed: libgnd.a" test -s "$lib/libgnd.a"
cmake -E copy_directory "$tmp/usr" "$tmp/static"
rm "$tmp/static${lib#"$tmp/usr"}"/libgnd.so*
# shellcheck disable=SC2046,SC2086
check "pkg-config --static: compile" env PKG_CONFIG_PATH="$tmp/static${lib#"$tmp/usr"}/pkgconfig" sh -c \
    "$CC $flags examples/label.c \$(pkg-config --static --cflags --libs gnd) -o '$tmp/label3'"
check "pkg-config --static: run" labels_karate "$tmp/label3"
check "pkg-config --static: libgnd is in the program" sh -c "! ldd '$tmp/label3' | grep libgnd"
mkdir "$tmp/by_cmake"
cat > "$tmp/by_cmake/CMakeLists.txt" << EOF
cmake_minimum_required(VERSION 3.18)
project(by_cmake LANGUAGES C)
find_package(gnd REQUIRED COMPONENTS static)
add_executable(label $PWD/examples/label.c)
target_link_libraries(label PRIVATE gnd::gnd_static)
EOF
check "find_package COMPONENTS static: configure" cmake -S "$tmp/by_cmake" -B "$tmp/by_cmake/out" \
    -DCMAKE_PREFIX_PATH="$tmp/usr"
check "find_package COMPONENTS static: build" cmake --build "$tmp/by_cmake/out"
check "find_package COMPONENTS static: run" labels_karate "$tmp/by_cmake/out/label"
check "find_package of a component that gnd does not have" sh -c "sed 's/COMPONENTS static/COMPONENTS other/' \
    '$tmp/by_cmake/CMakeLists.txt' > '$tmp/other.txt' && mkdir '$tmp/other' && mv '$tmp/other.txt' \
    '$tmp/other/CMakeLists.txt' && ! cmake -S '$tmp/other' -B '$tmp/other/out' -DCMAKE_PREFIX_PATH='$tmp/usr'"
echo "$pass passed, $fail failed"
[ $fail -eq 0 ]
