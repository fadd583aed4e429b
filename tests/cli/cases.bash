# SPDX-License-Identifier: MIT
# Sourced by the tests of the command line: a folder of their own, cases and their verdicts.
set -u
root=$(cd "$(dirname "$0")/../.." && pwd)
gnd=$(realpath "${GND:-$root/build/gnd}")
shared=${GND_SHARED:-$root/../shared}
[ -x "$gnd" ] || { echo "$gnd: not built"; echo "0 passed, 1 failed"; exit 1; }
work=$(mktemp -d) || exit 2
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 2
export GND_DATA=$root/data XDG_CACHE_HOME=$work/cache HOME=$work LC_ALL=C
unset GND_KERN GND_PARALLEL_MIN
pass=0 fail=0

verdict() { # verdict NAME STATUS
    if [ "$2" = 0 ]; then
        pass=$((pass + 1)); echo "ok   $1"
    else
        fail=$((fail + 1)); echo "FAIL $1"
        sed 's/^/       stdout: /' .out | head -8 | cut -c 1-300
        sed 's/^/       stderr: /' .err | head -8
    fi
}

run() { # run ARGS...: leaves rc, .out and .err
    "$gnd" "$@" > .out 2> .err < /dev/null
    rc=$?
}

check() { # check NAME COMMAND...: does the command succeed?
    local name=$1
    shift
    "$@" > /dev/null 2>&1
    verdict "$name" $?
}

works() { # works NAME PATTERN ARGS...: exit 0 and stdout matches
    local name=$1 pattern=$2 ok=0
    shift 2
    run "$@"
    [ $rc = 0 ] || ok=1
    grep -qE -- "$pattern" .out || ok=1
    verdict "$name" $ok
}

json() { # json EXPRESSION: true of the one object `o` on stdout?
    python3 - "$1" << 'PY' 2>> .err
import json, sys
o = json.load(open(".out"))
sys.exit(0 if isinstance(o, dict) and eval("(" + sys.argv[1] + ")") else 1)
PY
}
