#!/bin/bash
# SPDX-License-Identifier: MIT
# What is for large graphs: mapped files, conversion in bounded memory, estimates of memory and time.
#
#     GND=build/gnd tests/cli/test_large.sh
#
# One line a case, "N passed, M failed" at the end, exit 1 if one failed.
# shellcheck source=cases.bash
. "$(dirname "$0")/cases.bash"

# ---- mapped files and conversion ----------------------------------------------------------------

run data convert debian d.npz
run data convert debian --to safetensors -o d.safetensors && cp .out made
{ [ $rc = 0 ] && [ "$(cat made)" = d.safetensors ]; }
verdict "data convert to safetensors" $?
for f in d.npz d.safetensors; do
    run train $f --method sgc --predictions $f.csv -q
done
check "a mapped graph trains to the same bits" cmp d.npz.csv d.safetensors.csv
run train karate --method sgc -o model.safetensors -q
works "data info --verify" '^vertices' data info d.safetensors --verify
fails "data info --verify without a checksum" 2 'has no checksum' data info d.npz --verify
fails "data convert to two files" 2 'write once' data convert karate a.npz -o b.npz
fails "data convert to no file" 2 'write once' data convert karate
if [ -e /dev/full ]; then
    fails "a safetensors graph into a device" 1 'needs the name of a file' data convert karate /dev/full \
        --to safetensors
fi
awk 'BEGIN { srand(1); for (i = 0; i < 300000; i++) print int(rand() * 9e4) * 3 "," int(rand() * 9e4) * 3 }' > many.csv
run data convert many.csv many.safetensors --memory 32M --threads 2
check "a converted edge list" "$gnd" data info many.safetensors --verify
"$gnd" data info many.csv --json -q > a && "$gnd" data info many.safetensors --json -q > b
check "has what is in the text" cmp <(sed 's/"notes".*//' a) <(sed 's/"notes".*//' b)
"$gnd" data convert - piped.safetensors -q < many.csv > .out 2> .err
check "from standard input" cmp many.safetensors piped.safetensors
gzip -k many.csv && "$gnd" data convert many.csv.gz packed.safetensors -q > .out 2> .err
check "from a compressed file" cmp many.safetensors packed.safetensors
python3 - > lie.safetensors <<'PY'
# Ids whose places wrap around: 0, 1, the smallest number, 4.
import json, struct, sys
def tensor(dtype, n, begin, end):
    return {"dtype": dtype, "shape": [n], "data_offsets": [begin, end]}
head = json.dumps({"__metadata__": {"format": "gnd-graph-1", "version": "1", "feature_columns": "0"},
                   "adjacency.pointers_to_1": tensor("I64", 4, 0, 32), "adjacency.indices_1": tensor("I32", 2, 32, 40),
                   "ids.offsets": tensor("I64", 4, 40, 72), "ids": tensor("U8", 4, 72, 76)}).ljust(4088).encode()
data = struct.pack("<4q2i4q4s", 0, 1, 2, 2, 1, 0, 0, 1, -2**63, 4, b"abcd")
sys.stdout.buffer.write(struct.pack("<q", len(head)) + head + data + b"\xff" * 2000000)
PY
fails "names at places that wrap around" 1 "item 1 of 'ids' is not a name" data info lie.safetensors
fails "too little memory for a conversion" 2 'expected 32M or more' data convert many.csv x.safetensors --memory 1M
fails "--memory for npz" 2 'is for --to safetensors' data convert many.csv x.npz --memory 64M
fails "--memory for another graph" 2 'is for --to safetensors' data convert many.csv x.safetensors --graph und \
    --memory 64M
(ulimit -f 1000; exec "$gnd" data convert many.csv full.safetensors -q) > .out 2> .err
{ [ $? = 1 ] && grep -q 'cannot write' .err && ! ls full.safetensors* 2> /dev/null; }
verdict "a conversion onto a full disk leaves nothing" $?
GND_TICK_MS=0 timeout -s TERM 0.3 "$gnd" data convert many.csv never.safetensors --threads 1 -q > .out 2> .err
{ [ $? = 0 ] && [ -s never.safetensors ]; } || ! ls never.safetensors* 2> /dev/null
verdict "a conversion that is stopped leaves nothing" $?
fails "a model as a graph" 1 'is a model, not a graph' data info model.safetensors

# ---- estimate -----------------------------------------------------------------------------------

works "estimate in words" '^memory +about [0-9.]+ [MG]B with method ls' estimate karate --method ls
run estimate debian --method gcn --threads 1 --json
json 'o["bytes"] > 5e6 and o["epochs"] == 200 and o["cpu_seconds"] > 0 and o["n_edge"] == 13692'
verdict "estimate --json" $?
python3 - "$gnd" > .out 2> .err << 'PY'
import json, os, subprocess, sys
what = ["debian", "--method", "gcn", "--threads", "1", "-q"]
guess = json.loads(subprocess.run([sys.argv[1], "estimate", *what, "--json"], capture_output=True).stdout)["bytes"]
train = subprocess.Popen([sys.argv[1], "train", *what], stdout=subprocess.DEVNULL)
peak = os.wait4(train.pid, 0)[2].ru_maxrss * 1024
print(guess, peak)
sys.exit(not 0.8 * peak < guess < 1.25 * peak)
PY
verdict "estimate agrees with the measured peak" $?
"$gnd" data make large.safetensors --vertices 40000 --edges 400000 -q > /dev/null
works "estimate from generated graphs" 'on generated graphs of up to 2[0-9]{2},' estimate large.safetensors --method ls
run estimate large.safetensors --method gcn --memory 20M
{ [ $rc = 1 ] && grep -q 'method gcn takes about .* are available; ' .err; }
verdict "estimate refuses what does not fit" $?
awk 'BEGIN { srand(1); for (i = 0; i < 1000; i++) for (j = 0; j < i; j++) if (rand() < 0.7) print i "," j }' > dense.csv
awk 'BEGIN { for (i = 0; i < 1000; i++) print i "," i % 10 }' > dense_labels.csv
run data convert dense.csv dense.safetensors --labels dense_labels.csv -q
works "estimate of a graph with most of all links" 'on generated graphs' estimate dense.safetensors --method ls \
    --validation 500 --labels-per-class 20
fails "estimate of a method that is not there" 2 'unknown method' estimate karate --method none
fails "estimate of data that are not there" 1 'no such' estimate ./none.csv
fails "estimate within min" 2 'expected a size' estimate karate --memory min
works "estimate of several processes" '^memory +about [0-9.]+ GB per process with method ls' estimate --ranks 64 \
    --vertices 100000000 --edges 1000000000 --method ls --network 2,100
run estimate d.safetensors --method sgc --ranks 4 --network loopback --order metis --json
[ $rc = 0 ] && python3 -c 'import json, sys; e = json.load(sys.stdin); sys.exit(not (e["ranks"] == 4 and
    e["gbit"] == 100 and e["n_edge"] > 0 and 0 < e["copies_per_vertex"] < 3 and e["limit"] == ""))' < .out
verdict "estimate of several processes from a file" $?
run estimate --ranks 2 --vertices 10000000 --edges 100000000 --method ls --memory 2G
{ [ $rc = 1 ] && grep -qE 'process 0 takes about .* more than 2.0 GB; --ranks 8 fits' .err; }
verdict "estimate of processes that do not fit" $?
run estimate --ranks 2 --vertices 100000000 --edges 1000000000 --method ls --memory 1G
{ [ $rc = 1 ] && grep -q 'whatever the number of processes' .err; }
verdict "estimate that never fits" $?
run estimate --ranks 2 --vertices 3000000000 --edges 3000000000 --method ls --json
{ [ $rc = 1 ] && grep -q '32 bits' .err && grep -q '"limit": "vertices are' .out; }
verdict "estimate beyond 32 bits" $?
fails "estimate without a graph" 2 'expected DATA' estimate --ranks 2
fails "estimate without processes" 2 'only with --ranks' estimate --vertices 10 --edges 10
fails "estimate with a graph and sizes" 2 'not with DATA' estimate karate --ranks 2 --edges 10
for n in fast 10 10, 10,0 -1,10 1,10x nan,10; do
    fails "estimate on the network $n" 2 'expected microseconds and Gbit/s' estimate karate --ranks 2 --method ls \
        --network=$n
done
fails "estimate of a method without a model" 1 'has no estimate' estimate karate --ranks 2 --method geomgcn
TMPDIR=$work run estimate large.safetensors --method ls
{ [ $rc = 0 ] && ! ls gnd-?????? 2> /dev/null; }
verdict "estimate leaves no file" $?
TMPDIR=$work timeout -s TERM 0.4 "$gnd" estimate large.safetensors --method auto > .out 2> .err
check "nor if it is stopped" sh -c '! ls gnd-?????? 2> /dev/null'
"$gnd" data make more.safetensors --vertices 200000 --edges 2000000 -q > /dev/null
TMPDIR=$work python3 - "$gnd" > .out 2> .err << 'PY'
# Two signals end the command at once.
import signal, subprocess, sys, time
p = subprocess.Popen([sys.argv[1], "estimate", "more.safetensors", "--method", "geomgcn"])
time.sleep(3)
p.send_signal(signal.SIGTERM)
p.send_signal(signal.SIGINT)
sys.exit(p.wait(60) not in (130, 143))
PY
{ [ $? = 0 ] && ! ls gnd-?????? 2> /dev/null; }
verdict "nor after two signals" $?
TMPDIR=$work python3 - "$gnd" > .out 2> .err << 'PY'
# SIGTERM to the command alone, while a process of its own measures.
import os, signal, subprocess, sys, time
p = subprocess.Popen([sys.argv[1], "estimate", "large.safetensors", "--method", "geomgcn"])
children = f"/proc/{p.pid}/task/{p.pid}/children"
time.sleep(1.5)
with open(children) as f:
    child = f.read().split()
start = time.monotonic()
p.send_signal(signal.SIGTERM)
code = p.wait(60)
took = time.monotonic() - start
left = [c for c in child if os.path.exists("/proc/" + c)]
print(code, child, took, left)
sys.exit(not (code == 143 and took < 3 and not left))
PY
{ [ $? = 0 ] && ! ls gnd-?????? 2> /dev/null; }
verdict "a signal ends the measuring process too" $?

echo "$pass passed, $fail failed"
[ "$fail" = 0 ]
