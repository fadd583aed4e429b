#!/bin/bash
# SPDX-License-Identifier: MIT
# `gnd data get` against a server on 127.0.0.1 that breaks off, sends wrong bytes, redirects, is slow.
. "$(dirname "$0")/cases.bash"
unset http_proxy https_proxy all_proxy HTTP_PROXY HTTPS_PROXY ALL_PROXY
export GND_MIRROR

# ---- names and folders, without a server ----------------------------------------------------------
GND_MIRROR=http://127.0.0.1:9/
run data get karate
check "a set that comes with gnd" test $rc = 0
check "it says so" grep -q 'karate comes with gnd' .err
fails "an unknown set" 2 "'coar' is not a data set that can be downloaded; did you mean 'cora'" data get coar
fails "no set" 2 'data get' data get
mkdir out
run data get cora --data-dir "$work/out"
if grep -q 'built without libcurl' .err; then
    check "without libcurl, it says what to do" \
        grep -q 'install .*, or download http.*/ind.cora.x into .*/out$' .err
    check "and fails" test $rc = 1
    echo "skip downloads: $gnd was built without libcurl"
    echo "$pass passed, $fail failed"
    [ $fail = 0 ]
    exit
fi
fails "no server" 1 'ind.cora.x: .*; try again later, or download http.*/ind.cora.x into .*/out by other means' \
    data get cora --data-dir "$work/out"
check "no partial file is left of nothing" rmdir out
for url in http://example.org/ ftp://127.0.0.1/ http://localhost.example.org/ http://localhost:1@example.org/ \
    file:///etc/; do
    GND_MIRROR=$url
    fails "mirror $url" 2 'GND_MIRROR is .*; expected a URL that starts with https://' data get cora
done
GND_MIRROR=http://127.0.0.1:9/
run train cora -q
check "a missing set says how to get it" grep -q 'gnd data get cora. downloads them' .err
( unset HOME XDG_CACHE_HOME; "$gnd" data get cora_ml > .out 2> .err )
check "no cache folder" grep -q 'neither XDG_CACHE_HOME nor HOME is set.*--data-dir' .err

# ---- with a server ---------------------------------------------------------------------------------
data=$shared/data
if [ ! -d "$data/planetoid" ]; then
    echo "skip downloads: $data/planetoid is not there"
    echo "$pass passed, $fail failed"
    [ $fail = 0 ]
    exit
fi
python3 "$root/tests/cli/file_server.py" "$data/planetoid" "$work/requests" > port &
server=$!
trap 'kill $server 2> /dev/null; rm -rf "$work"' EXIT
for _ in $(seq 100); do [ -s port ] && break; sleep 0.1; done
from() { GND_MIRROR=http://127.0.0.1:$(cat port)/$1; : > requests; rm -rf "$XDG_CACHE_HOME"; }
same() { for f in "$data"/planetoid/ind.cora.*; do cmp -s "$f" "$XDG_CACHE_HOME/gnd/${f##*/}" || return 1; done
         [ "$(find "$XDG_CACHE_HOME" -type f | wc -l)" = 8 ]; }
asked() { grep -c "$1" requests; }

from good
works "a download" '^cora: 8 files, 0.6 MB, in .*/cache/gnd$' data get cora
check "every byte is right" same
GND_DATA=/nowhere works "the set is found by its name" '^vertices +2,708' data info cora
: > requests
works "a second time" '^cora: 8 files' data get cora
check "nothing is downloaded again" test ! -s requests
echo x > "$XDG_CACHE_HOME/gnd/ind.cora.y"
fails "a file that is not the original stays" 1 'ind.cora.y is not the file of cora \(SHA-256 differs\); remove it' \
    data get cora
from good
run data get cora --json -q
check "JSON" json "o['downloaded_bytes'] == 572444 and o['datasets'][0]['path'].endswith('/gnd/ind.cora')"

from cut
works "a server that breaks off" '^cora: 8 files' data get cora -q
check "is continued" same
check "by ranges" test "$(asked 'ind.cora.allx bytes=')" -ge 2
from norange
works "a server without ranges" '^cora: 8 files' data get cora -q
check "starts again" same
from redirect
works "a redirect" '^cora: 8 files' data get cora -q
check "is followed, and its body is not kept" same
from relative
works "a relative redirect" '^cora: 8 files' data get cora -q
from slow
works "a slow server" '^cora: 8 files' data get cora --timeout 5
check "is waited for" same

wrong() { # wrong FAULT PATTERN: refused, and nothing is left but what can be continued
    from "$1"
    run data get cora -q --timeout 1
    [ $rc = 1 ] && one_sentence && grep -qE -- "$2" .err && [ ! -e "$XDG_CACHE_HOME/gnd/ind.cora.x" ]
    verdict "$1: $2" $?
}
wrong wrong 'SHA-256 differs'
check "wrong bytes are removed" test ! -e "$XDG_CACHE_HOME/gnd/ind.cora.x.part"
check "and asked for once" test "$(asked 'ind.cora.x ')" = 1
wrong long 'more than the file has|less than the file has|SHA-256 differs'
wrong short 'less than the file has|SHA-256 differs'
wrong missing 'status 404'
wrong away 'redirects to http://192.0.2.1:[0-9]+/good/ind.cora.x, which is not https'
wrong file 'redirects to file:///etc/passwd, which is not https'
wrong around 'too many redirects'
wrong stall 'no data came in time'
wrong badrange 'another part of the file than was asked for'

# Half of a file stays, and the next call continues it, also after a wrong half.
wrong half 'status 503'
check "half of the file stays" cmp -s -n 11059 "$data/planetoid/ind.cora.x" "$XDG_CACHE_HOME/gnd/ind.cora.x.part"
GND_MIRROR=${GND_MIRROR%half}good
: > requests
works "the next call continues" '^cora: 8 files' data get cora -q
check "where the first one ended" grep -q 'ind.cora.x bytes=11059-' requests
check "and the file is right" same
rm "$XDG_CACHE_HOME/gnd/ind.cora.x"
head -c 5000 /dev/zero > "$XDG_CACHE_HOME/gnd/ind.cora.x.part"
works "a wrong beginning" '^cora: 8 files' data get cora -q
check "is replaced" same
rm "$XDG_CACHE_HOME/gnd/ind.cora.x"
head -c 50000 /dev/zero > "$XDG_CACHE_HOME/gnd/ind.cora.x.part"
works "a partial file that is too long" '^cora: 8 files' data get cora -q
check "is replaced too" same

# A signal leaves what has come.
from stall
"$gnd" data get cora --timeout 60 > .out 2> .err < /dev/null &
pid=$!
for _ in $(seq 100); do [ -s "$XDG_CACHE_HOME/gnd/ind.cora.x.part" ] && break; sleep 0.1; done
fails "two at a time" 1 'ind.cora.x.part is being written by another gnd' data get cora -q
kill -TERM $pid
wait $pid
check "a signal ends it" test $? -ne 0
check "and leaves what came" test "$(stat -c %s "$XDG_CACHE_HOME/gnd/ind.cora.x.part")" = 10
mkdir ro && chmod 555 ro
[ "$(id -u)" = 0 ] || fails "a folder without permission" 1 'Permission denied' data get cora --data-dir ro/new

echo "$pass passed, $fail failed"
[ $fail = 0 ]
