#!/bin/sh
# SPDX-License-Identifier: MIT
# Each folder of src/ includes only what stands below it. Prints each breach; exits 1 if there is one.
cd "$(dirname "$0")/.." || exit 2
rc=0

allow() { # allow FOLDER "FOLDERS IT MAY INCLUDE"
    for f in src/"$1"/*.[ch]; do
        [ -e "$f" ] || continue
        for d in $(sed -n 's|^ *# *include *"\([a-z_]*\)/.*|\1|p' "$f"); do
            case " $1 $2 " in
            *" $d "*) ;;
            *) echo "$f: must not include $d/"; rc=1 ;;
            esac
        done
    done
}

allow base ""
allow kern "base"
allow tape "base kern"
allow graph "base kern"
allow embed "base kern graph"
allow few "base kern graph embed"
allow data "base kern graph"
allow model "base kern tape graph embed few"
allow train "base kern tape graph embed few model"
allow eval "base kern tape graph embed few model train data"
allow cli ""

# The command line knows the public header and nothing else.
for f in src/cli/*.[ch]; do
    [ -e "$f" ] || continue
    sed -n 's|^ *# *include *"\([^"]*\)".*|\1|p' "$f" | while read -r h; do
        [ "$h" = gnd.h ] || [ -e "src/cli/$h" ] || echo "$f: must not include $h"
    done
done | grep . && rc=1

# No folder below the command line prints or ends the program.
grep -nE '\b(printf|puts|perror|exit|abort)\(' src/base/*.c src/kern/*.c src/tape/*.c src/graph/*.c \
    src/embed/*.c src/few/*.c src/data/*.c src/model/*.c src/train/*.c src/eval/*.c 2>/dev/null |
    grep -vE 'v?s?n?fprintf\(|snprintf\(' && { echo "the library must not print or exit"; rc=1; }

[ $rc = 0 ] && echo "layers: ok"
exit $rc
