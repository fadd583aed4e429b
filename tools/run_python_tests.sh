#!/bin/bash
# SPDX-License-Identifier: MIT
# Test the Python package in virtual environments; ends with "N passed, M failed".
#
#     tools/run_python_tests.sh BUILD            a wheel of the library in BUILD: all tests with the newest Python, and
#                                                a smoke test with nothing but NumPy with every other one
#     tools/run_python_tests.sh BUILD --all      the wheel in dist/ (`make wheel`): all tests with every Python
#     PYTHONS="python3.12"                       these instead of every Python from 3.9 to 3.13 that is installed
#
# Packages come from PyPI. If it cannot be reached, the tests are skipped, and a line says so.
set -u
cd "$(dirname "$0")/.." || exit 2
build=$(cd "${1:-build}" && pwd) all=${2:-}
work=$build/python
pass=0 fail=0
export PIP_DISABLE_PIP_VERSION_CHECK=1 PYTHONDONTWRITEBYTECODE=1 MPLBACKEND=Agg GND_SOURCE=$PWD
export GND=$build/gnd
mkdir -p "$work"

finish() {
    echo "$pass passed, $fail failed"
    [ "$fail" = 0 ]
    exit
}
pythons() { # newest first; of pyenv too, whose commands exist for versions that are not selected
    local v p root=${PYENV_ROOT:-$HOME/.pyenv}/versions
    for v in 13 12 11 10 9; do
        for p in "$(command -v python3.$v)" "$root/3.$v".*/bin/python; do
            [ -n "$p" ] && "$p" -c "import sys, venv; assert sys.version_info[:2] == (3, $v)" 2> /dev/null &&
                { echo "$p"; break; }
        done
    done
    python3 -c 'import sys; sys.exit(sys.version_info >= (3, 14))' || command -v python3
}
environment() { # environment FOLDER PYTHON PACKAGE...: made once, then brought up to date
    local folder=$1 python=$2
    shift 2
    [ -x "$folder/bin/python" ] || "$python" -m venv "$folder" || return 1
    "$folder/bin/python" -m pip install -q --no-compile "$@"
}
counted() { # counted NAME COMMAND...: one check
    local name=$1
    shift
    if "$@" > "$work/out.log" 2>&1; then
        pass=$((pass + 1))
        echo "ok $name"
    else
        fail=$((fail + 1))
        cat "$work/out.log"
        echo "FAIL $name"
    fi
}
tested() { # tested FOLDER: pytest in an environment
    local last n
    "$1/bin/python" -m pytest -rs python/tests > "$work/pytest.log" 2>&1
    last=$(tail -n 1 "$work/pytest.log") # 2 failed, 300 passed, 1 skipped in 20.03s
    sed -n 's/^SKIPPED \[[0-9]*\] /skip /p' "$work/pytest.log"
    pass=$((pass + $(count passed "$last")))
    n=$(($(count failed "$last") + $(count 'errors?' "$last")))
    [ "$n" = 0 ] && [ "$(count passed "$last")" = 0 ] && n=1
    fail=$((fail + n))
    [ "$n" = 0 ] || cat "$work/pytest.log"
}
count() { # count WORD LINE: the number before the word; 0 if there is none
    local n
    n=$(grep -oE "[0-9]+ $1" <<< "$2")
    echo "$((${n%% *} + 0))"
}

# shellcheck disable=SC2086
set -- ${PYTHONS:-$(pythons)}
[ $# -gt 0 ] || { echo "skip: there is no Python from 3.9 on with the module venv"; finish; }
environment "$work/tools" "$1" 'scikit-build-core>=0.10' > "$work/tools.log" 2>&1 || {
    tail -n 3 "$work/tools.log"
    echo "skip: the Python tests; packages of PyPI cannot be installed, see $work/tools.log"
    finish
}
if [ -n "$all" ]; then
    wheel=$(ls dist/gnd-*.whl 2> /dev/null)
else
    rm -rf "$work/wheel"
    "$work/tools/bin/python" -m pip wheel -q --no-deps --no-build-isolation -w "$work/wheel" . \
        --config-settings "build-dir=$work/cmake" \
        --config-settings "cmake.define.GND_PREBUILT=$build/libgnd.so" > "$work/wheel.log" 2>&1
    wheel=$(ls "$work"/wheel/*.whl 2> /dev/null)
fi
[ -e "$wheel" ] || { cat "$work/wheel.log"; echo "FAIL there is no wheel"; fail=1; finish; }

first=yes
for python in "$@"; do
    version=$("$python" -c 'import sys; print("%d.%d" % sys.version_info[:2])')
    venv=$work/smoke-$version
    if environment "$venv" "$python" 'numpy>=1.21' > "$work/smoke.log" 2>&1; then
        "$venv/bin/python" -m pip install -q --force-reinstall --no-deps "$wheel"
        counted "smoke test with Python $version" "$venv/bin/python" python/tests/smoke.py
    else
        echo "skip: Python $version; NumPy cannot be installed, see $work/smoke.log"
    fi
    [ $first = yes ] || [ -n "$all" ] || continue
    venv=$work/full-$version
    environment "$venv" "$python" --prefer-binary -r python/tests/requirements.txt > "$work/full.log" 2>&1 || {
        echo "skip: all tests with Python $version; packages cannot be installed, see $work/full.log"
        continue
    }
    "$venv/bin/python" -m pip install -q --force-reinstall --no-deps "$wheel"
    tested "$venv"
    [ $first = no ] || counted "type hints" "$venv/bin/python" -m mypy --no-error-summary --cache-dir "$work/mypy"
    first=no
done
finish
