#!/bin/bash
# SPDX-License-Identifier: MIT
# Build zlib, jansson, libzip (without cryptography), SQLite and expat as static libraries for a wheel, from Debian's
# source packages with Debian's patches, by the compiler $CC.
#
#     CC="zig cc ..." AR="zig ar" tools/wheel_libs.sh WORK_FOLDER
#
# Results: WORK_FOLDER/prefix/{include,lib}. What is there already is not built again.
set -eu
work=$(mkdir -p "$1" && cd "$1" && pwd)
prefix=$work/prefix
jobs=$(nproc 2>/dev/null || echo 2)
flags="-O2 -fPIC -fvisibility=hidden"
mkdir -p "$work/src/lists/partial" "$work/src/cache/archives/partial" "$prefix/lib/pkgconfig" "$prefix/include"

for tool in dpkg-source tclsh cmake apt-get; do
    command -v $tool > /dev/null || { echo "$tool is missing; apt-get install dpkg-dev tcl cmake" >&2; exit 1; }
done

packages="zlib jansson libzip sqlite3 expat"
download() { # download LINE...: the source packages from these places, without changing the system's list of sources
    local options=(-q -o "Dir::Etc::SourceList=$PWD/sources.list" -o Dir::Etc::SourceParts=/dev/null
        -o "Dir::State::Lists=$PWD/lists" -o "Dir::Cache=$PWD/cache" -o APT::Sandbox::User=root)
    printf '%s\n' "$@" > sources.list
    rm -f ./*.dsc
    # shellcheck disable=SC2086
    apt-get "${options[@]}" update && apt-get "${options[@]}" source --download-only $packages
}
fetch() {
    local release main dsc
    # shellcheck disable=SC1091
    release=$(. /etc/os-release && echo "${VERSION_CODENAME:-bookworm}")
    main="deb-src http://deb.debian.org/debian $release main"
    cd "$work/src"
    download "$main" "deb-src http://deb.debian.org/debian-security $release-security main" || {
        echo "warning: no security updates for the sources of $packages"
        download "$main"
    }
    for dsc in *.dsc; do
        dpkg-source --no-check -x "$dsc" "${dsc%%_*}"
    done
}
cmake_lib() { # cmake_lib NAME SOURCE OPTIONS...
    local name=$1 source=$2
    shift 2
    cmake -S "$source" -B "$work/build-$name" -DCMAKE_BUILD_TYPE=None -DCMAKE_C_FLAGS="$flags" \
        -DCMAKE_INSTALL_PREFIX="$prefix" -DCMAKE_INSTALL_LIBDIR=lib -DCMAKE_PREFIX_PATH="$prefix" \
        -DCMAKE_POLICY_VERSION_MINIMUM=3.5 -DBUILD_SHARED_LIBS=OFF "$@"
    cmake --build "$work/build-$name" -j"$jobs"
    cmake --install "$work/build-$name"
}
objects() { # objects NAME FLAGS FILES...: an archive of C files
    local name=$1 extra=$2 f
    shift 2
    mkdir -p "$work/build-$name"
    for f in "$@"; do
        # shellcheck disable=SC2086
        $CC $flags $extra -c "$f" -o "$work/build-$name/$(basename "$f" .c).o"
    done
    rm -f "$prefix/lib/lib$name.a"
    # shellcheck disable=SC2086
    $AR rcs "$prefix/lib/lib$name.a" "$work/build-$name"/*.o
}
pc() { # pc NAME LIBRARY VERSION: a pkg-config file
    printf 'Name: %s\nDescription: %s\nVersion: %s\nLibs: -L%s/lib -l%s\nCflags: -I%s/include\n' "$1" "$1" "$3" \
        "$prefix" "$2" "$prefix" > "$prefix/lib/pkgconfig/$1.pc"
}

[ -d "$work/src/expat" ] || (fetch)
cd "$work/src"
if [ ! -e "$prefix/lib/libz.a" ]; then
    objects z "-D_LARGEFILE64_SOURCE=1 -DHAVE_UNISTD_H" zlib/{adler32,compress,crc32,deflate,gzclose,gzlib,gzread}.c \
        zlib/{gzwrite,infback,inffast,inflate,inftrees,trees,uncompr,zutil}.c
    cp zlib/zlib.h zlib/zconf.h "$prefix/include"
    pc zlib z "$(sed -n 's/^#define ZLIB_VERSION "\([^"]*\)"/\1/p' zlib/zlib.h)"
fi
[ -e "$prefix/lib/libjansson.a" ] || cmake_lib jansson "$PWD/jansson" -DJANSSON_BUILD_DOCS=OFF -DJANSSON_EXAMPLES=OFF \
    -DJANSSON_WITHOUT_TESTS=ON
[ -e "$prefix/lib/libzip.a" ] || cmake_lib zip "$PWD/libzip" -DENABLE_COMMONCRYPTO=OFF -DENABLE_GNUTLS=OFF \
    -DENABLE_MBEDTLS=OFF -DENABLE_OPENSSL=OFF -DENABLE_BZIP2=OFF -DENABLE_LZMA=OFF -DENABLE_ZSTD=OFF \
    -DBUILD_TOOLS=OFF -DBUILD_REGRESS=OFF -DBUILD_EXAMPLES=OFF -DBUILD_DOC=OFF \
    -DZLIB_LIBRARY="$prefix/lib/libz.a" -DZLIB_INCLUDE_DIR="$prefix/include"
if [ ! -e "$prefix/lib/libsqlite3.a" ]; then
    mkdir -p "$work/build-amalgamation"
    (cd "$work/build-amalgamation" &&
        CC=cc "$work/src/sqlite3/configure" --disable-tcl --disable-readline > /dev/null && make -s sqlite3.c sqlite3.h)
    cp "$work/build-amalgamation/sqlite3.h" "$prefix/include"
    objects sqlite3 "-DSQLITE_OMIT_LOAD_EXTENSION -DSQLITE_THREADSAFE=1 -DSQLITE_DQS=0 -DHAVE_USLEEP=1" \
        "$work/build-amalgamation/sqlite3.c"
    pc sqlite3 sqlite3 "$(cat sqlite3/VERSION)"
fi
if [ ! -e "$prefix/lib/libexpat.a" ]; then
    # Debian's patches test XML_DTD == 1, which expat's CMake files define without a value.
    mkdir -p "$work/build-expat"
    cat > "$work/build-expat/expat_config.h" <<'END'
#define BYTEORDER 1234
#define HAVE_FCNTL_H 1
#define HAVE_UNISTD_H 1
#define XML_CONTEXT_BYTES 1024
#define XML_DEV_URANDOM 1
#define XML_DTD 1
#define XML_GE 1
#define XML_NS 1
END
    objects expat "-I$work/build-expat -DXML_STATIC" expat/expat/lib/{xmlparse,xmlrole,xmltok}.c
    cp expat/expat/lib/expat.h expat/expat/lib/expat_external.h "$prefix/include"
    pc expat expat "$(sed -n 's/^# *define XML_\(MAJOR\|MINOR\|MICRO\)_VERSION *//p' expat/expat/lib/expat.h |
        paste -sd.)"
fi
echo "static libraries: $(cd "$prefix/lib" && echo lib*.a)"
