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

listing() { find . -type f ! -name '.*' | sort | xargs cat 2> /dev/null | cksum; find . ! -name '.*' | sort | cksum; }

one_sentence() { # the last line is the only one that begins with "gnd: "; the others are notes
    [ "$(grep -c '^gnd: ' .err)" = 1 ] && tail -n 1 .err | grep -q '^gnd: ' &&
        ! grep -qvE '^(gnd|note): ' .err
}

fails() { # fails NAME CODE PATTERN ARGS...: ends so, with one sentence that matches, and writes nothing
    local name=$1 code=$2 pattern=$3 before ok=0
    shift 3
    before=$(listing)
    run "$@"
    [ $rc = "$code" ] || { ok=1; echo "     exit $rc, not $code" >> .err; }
    tail -n 1 .err | grep -v 'exit .*, not' > .last || grep '^gnd: ' .err > .last
    grep -qiE -- "$pattern" .last || ok=1
    [ $ok = 1 ] || one_sentence || ok=1
    [ -s .out ] && ok=1
    [ "$before" = "$(listing)" ] || { ok=1; echo "     files changed" >> .err; }
    verdict "$name" $ok
}

# Two groups of ten with words of their own, a bridge, and a pair that nothing reaches.
two_groups() {
    echo source,target
    for g in a b; do
        for i in 0 1 2 3 4 5 6 7 8 9; do
            echo "$g$i,$g$(((i + 1) % 10))"
            echo "$g$i,$g$(((i + 3) % 10))"
        done
    done
    echo a0,b0
}

small_graphs() { # edges.csv and words.csv
    { two_groups; echo lone1,lone2; } > edges.csv
    { echo id,w1,w2,w3,w4
      for i in 0 1 2 3 4 5 6 7 8 9; do echo "a$i,1,$((i % 2)),0,0"; echo "b$i,0,0,1,$((i % 2))"; done
      echo lone1,0,0,0,0; echo lone2,0,0,0,0; } > words.csv
}
