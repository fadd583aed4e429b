#!/bin/sh
# SPDX-License-Identifier: MIT
# Install what is missing, and nothing else, with the package manager of Debian and its relatives.
#
#     tools/install_deps.sh build [test]            install what is missing
#     tools/install_deps.sh --check build [test]    only say what is missing; exit 1 if something is
set -u

check_only=no
[ "${1:-}" = --check ] && { check_only=yes; shift; }
[ $# -gt 0 ] || set -- build

missing=
need() { # need "PACKAGES" COMMAND...: the packages are missing unless the command works
    packages=$1
    shift
    "$@" >/dev/null 2>&1 || missing="$missing $packages"
}
has_header() { echo "#include <$1>" | ${CC:-cc} -E -; }
compiles() { has_header stdio.h; }

for group in "$@"; do
    case $group in
    build)
        need "gcc libc6-dev" compiles
        need make command -v make
        need cmake command -v cmake
        need pkg-config command -v pkg-config
        need zlib1g-dev pkg-config --exists zlib
        need libzip-dev pkg-config --exists libzip
        need libjansson-dev pkg-config --exists jansson
        need libsqlite3-dev pkg-config --exists sqlite3
        need libexpat1-dev pkg-config --exists expat
        need libcurl4-gnutls-dev pkg-config --exists libcurl
        ;;
    test)
        need libcmocka-dev pkg-config --exists cmocka
        need python3 python3 -c "import shutil, subprocess, tempfile"
        need python3-venv python3 -c "import ensurepip"
        ;;
    cluster)
        need petsc-dev pkg-config --exists petsc
        need "libopenmpi-dev openmpi-bin" command -v mpirun
        need libmetis-dev has_header metis.h
        ;;
    *)
        echo "install_deps.sh: unknown group '$group'; known are build, test and cluster" >&2
        exit 2
        ;;
    esac
done
[ -z "$missing" ] && exit 0

as_root=
if [ "$(id -u)" != 0 ]; then
    as_root=sudo
    command -v sudo >/dev/null 2>&1 || as_root=none
fi
if [ $check_only = yes ]; then
    echo "Missing:$missing. \`make deps\` installs this on Debian and Ubuntu." >&2
    exit 1
fi
if ! command -v apt-get >/dev/null 2>&1; then
    echo "There is no apt-get here: install what your system's packages call$missing, then run make again." >&2
    exit 1
fi
if [ "$as_root" = none ]; then
    echo "Neither root nor sudo: ask an administrator for \`apt-get install$missing\`, then run make again." >&2
    exit 1
fi

log=${GND_DEPS_LOG:-build/deps.log}
echo "Installing:$missing; the log is $log" >&2
mkdir -p "$(dirname "$log")" && : > "$log" || exit 1
run() { $as_root env DEBIAN_FRONTEND=noninteractive "$@" </dev/null >>"$log" 2>&1; }
run apt-get -q update || echo "apt-get update failed; trying with the lists that are there" >&2
# shellcheck disable=SC2086
run apt-get -q install -y --no-install-recommends $missing || {
    tail -n 20 "$log" >&2
    echo "Could not install$missing; the whole log is $log. By hand, as root: apt-get install$missing" >&2
    exit 1
}
