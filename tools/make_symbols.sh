#!/bin/sh
# SPDX-License-Identifier: MIT
# Write debian/libgnd0.symbols from the functions that gnd.h declares, or check it. A function that was there keeps the
# version in which it came; a new one gets the present version.
#
#     tools/make_symbols.sh            write it
#     tools/make_symbols.sh --check    exit 1 if it is another one
set -eu
cd "$(dirname "$0")/.."
file=debian/libgnd0.symbols
version=$(sed -n 's/^project(gnd VERSION \([0-9.]*\).*/\1/p' CMakeLists.txt)
soname=libgnd.so.${version%%.*}
{
    echo "$soname libgnd0 #MINVER#"
    echo "* Build-Depends-Package: libgnd-dev"
    sed -n 's/^GND_API .*[ *]\(gnd_[a-z0-9_]*\)(.*/\1/p' include/gnd.h | LC_ALL=C sort | while read -r name; do
        old=$(sed -n "s/^ $name@Base //p" "$file" 2> /dev/null || true)
        echo " $name@Base ${old:-$version}"
    done
} > "$file.new"
if [ "${1:-}" = --check ]; then
    if cmp -s "$file" "$file.new"; then rm "$file.new"; echo "$file: ok"; exit 0; fi
    rm "$file.new"
    echo "$file does not list the functions of gnd.h; \`make docs\` writes it anew"
    exit 1
fi
mv "$file.new" "$file"
