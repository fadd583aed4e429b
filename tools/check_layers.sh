#!/bin/sh
# SPDX-License-Identifier: MIT
# Each folder of src/ includes only the folders below it. Prints each violation; exits 1 if there is one.
# docs/design.md explains the folders.
cd "$(dirname "$0")/.." || exit 2
rc=0

allow() { # allow FOLDER "FOLDERS IT MAY INCLUDE"
    for f in $(find src/"$1" -name '*.[ch]'); do
        for d in $(sed -n 's|^ *# *include *"\([a-z_]*\)/.*|\1|p' "$f"); do
            case " $1 $2 " in
            *" $d "*) ;;
            *) echo "$f: must not include $d/"; rc=1 ;;
            esac
        done
    done
    checked="$checked $1"
}

checked=
allow base ""
allow kern "base"
allow linalg "base kern"
allow plan "base"
allow plot "base"
allow tape "base kern linalg plan"
allow graph "base kern linalg plan"
allow embed "base kern linalg plan graph"
allow model "base kern linalg plan tape graph embed"
allow io "base kern graph model"
allow train "base kern linalg plan tape graph embed model"
allow label "base kern linalg plan tape graph embed model train"
allow eval "base kern linalg plan tape graph embed model io train label"
allow report "base kern linalg plan plot tape graph embed model io train label eval"
allow dist "base kern graph model io"
allow cli ""

for d in src/*/; do # a folder that no rule names is not checked, so it is refused
    d=$(basename "$d")
    case " $checked " in *" $d "*) ;; *) echo "src/$d: no rule in tools/check_layers.sh"; rc=1 ;; esac
done

# A method does not know another method: what two share stands in model/ or below.
grep -nE '# *include *"(model/)?methods/' -r src/model/methods && { echo "methods must not include each other"; rc=1; }

# The command line knows the public header and nothing else.
for f in src/cli/*.[ch]; do
    [ -e "$f" ] || continue
    sed -n 's|^ *# *include *"\([^"]*\)".*|\1|p' "$f" | while read -r h; do
        [ "$h" = gnd.h ] || [ -e "src/cli/$h" ] || echo "$f: must not include $h"
    done
done | grep . && rc=1

# Nothing but src/dist knows MPI and PETSc.
grep -rnE '# *include *<(mpi|petsc)' src --include='*.[ch]' | grep -v '^src/dist/' &&
    { echo "only src/dist may use MPI and PETSc"; rc=1; }

# No folder below the command line prints or ends the program.
find src -name '*.c' ! -path 'src/cli/*' -exec grep -nE '\b(printf|puts|perror|exit|abort)\(' {} + |
    grep -vE 'v?s?n?fprintf\(|snprintf\(' && { echo "the library must not print or exit"; rc=1; }

[ $rc = 0 ] && echo "layers: ok"
exit $rc
