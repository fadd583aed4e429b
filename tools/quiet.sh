#!/bin/sh
# SPDX-License-Identifier: MIT
# Run a command with its output in a log; if it fails, print the end of the log and where it is.
#
#     tools/quiet.sh LOG COMMAND...
log=$1
shift
mkdir -p "$(dirname "$log")" || exit 2
"$@" > "$log" 2>&1 && exit 0
rc=$?
tail -n 40 "$log" >&2
echo "Failed: $*; the whole log is in $log" >&2
exit $rc
