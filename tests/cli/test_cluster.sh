#!/bin/bash
# SPDX-License-Identifier: MIT
# `gnd label` and `gnd train` as several processes: the same answer as one. The plain program links no MPI, and says
# so if mpirun starts it. GND_CLUSTER names a program that was built with PETSc.
. "$(dirname "$0")/cases.bash"
cluster=${GND_CLUSTER:-$root/build-petsc/gnd}
bench=$(dirname "$gnd")/bench/bench_dist cluster_bench=$(dirname "$cluster")/bench/bench_dist
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 OMPI_MCA_mpi_yield_when_idle=1
export OMPI_MCA_btl_base_warn_component_unused=0

# ---- the plain program -------------------------------------------------------------------------------

links_none() { ! ldd "$gnd" | grep -qiE 'mpi|petsc'; }
ldd "$gnd" | grep -q libpetsc || check "the plain program links no MPI" links_none

as_rank() { # as_rank RANK ARGS...: as mpirun -n 2 starts it
    env OMPI_COMM_WORLD_SIZE=2 OMPI_COMM_WORLD_RANK="$1" "$gnd" "${@:2}" > .out 2> .err < /dev/null
    rc=$?
}
"$gnd" data convert karate karate.safetensors -q > /dev/null
printf 'id,label\n1,a\n2,a\n34,b\n33,b\n' > known.csv
as_rank 0 label karate --method ls
[ $rc = 1 ] && one_sentence && grep -q 'built without PETSc' .err
verdict "the plain program refuses to be one of several" $?
as_rank 1 label karate --method ls
[ $rc = 1 ] && [ ! -s .err ]
verdict "only the first process says so" $?
GND_PROCESSES=1 as_rank 1 label karate.safetensors --labels known.csv --method ls
[ $rc = 0 ] && [ -s .out ]
verdict "GND_PROCESSES=1: each has work of its own" $?
as_rank 1 data info karate
[ $rc = 0 ] && [ -s .out ]
verdict "other commands do not care" $?

run data convert karate.safetensors ordered.safetensors --parts 2
if ldd "$gnd" | grep -q libmetis; then [ $rc = 0 ]; else [ $rc = 2 ] && one_sentence && grep -q METIS .err; fi
verdict "--parts without METIS says what is missing" $?
run data convert karate.safetensors ordered.npz --parts 2
[ $rc = 2 ] && one_sentence && grep -q 'safetensors' .err
verdict "--parts is for safetensors" $?
run data convert karate.safetensors ordered.safetensors --parts 1
[ $rc = 2 ] && one_sentence
verdict "--parts 1 has no meaning" $?

if [ ! -x "$cluster" ]; then
    echo "skip: several processes: $cluster is not there (make deps-cluster; docs/cluster.md)"
    echo "$pass passed, $fail failed"
    [ $fail -eq 0 ]
    exit
fi

# ---- several processes -------------------------------------------------------------------------------

many() { # many N PROGRAM ARGS...: leaves rc, .out and .err
    timeout 120 mpirun -q --oversubscribe --bind-to none -n "$@" > .out 2> .err < /dev/null
    rc=$?
}

same() { # same NAME FILE FILE: labels are equal, probabilities to 1e-5
    python3 - "$2" "$3" << 'PY' >> .err 2>&1
import csv, sys
a, b = (list(csv.reader(open(f))) for f in sys.argv[1:])
assert len(a) == len(b), (len(a), len(b))
for x, y in zip(a, b):
    assert x[:2] == y[:2], (x, y)
    if a[0] != x:
        assert all(u == v or abs(float(u) - float(v)) <= 1e-5 for u, v in zip(x[2:], y[2:])), (x, y)
PY
    verdict "$1" $?
}

"$gnd" data convert debian debian.safetensors -q > /dev/null
"$gnd" data make rmat.safetensors --vertices 20000 --edges 150000 -q > /dev/null

has_bench=true
for b in "$bench" "$cluster_bench"; do
    [ -x "$b" ] && continue
    has_bench=false
    echo "skip: diffusion bit for bit: $b is not there (make cluster; cmake --build build --target bench_dist)"
done
for data in karate debian rmat; do
    $has_bench || break
    "$bench" $data.safetensors 20 7 | cut -f 12 > .want
    for n in 2 3 4; do
        many $n "$cluster_bench" $data.safetensors 20 7
        cut -f 12 .out | cmp -s - .want && [ $rc = 0 ]
        verdict "diffusion on $data in $n processes has the bits of one" $?
    done
done

for method in ls sgc "ls --set mass=classes" "ls --set alpha=0 --validation 200 --split paper --graph und" \
    "sgc --set smooth=each_pass" "sgc --set operator=plain --set hops=3" \
    "gcn --set epochs_alone=30" "gcn --set layers=3 --set epochs=20 --validation 100 --split paper --graph und" \
    "appnp --set epochs_alone=20" "appnp --set dropout_links=0.3 --set operator=walk --set epochs_alone=10" \
    "gnd-slp --set epochs_alone=30" "gnd-slp --plan whole --set epochs_alone=20" \
    "gnd-slp --set dropout_at=R,L --set epochs_alone=20" "gnd-slp --set batch=7 --set epochs_alone=10"; do
    # shellcheck disable=SC2086
    run train debian.safetensors --labels-per-class 3 --method $method --predictions one.csv --probabilities
    verdict "train --method $method in one process" $rc
    grep -vE '^(time|predictions)' .out > one.out
    for n in 2 4; do
        # shellcheck disable=SC2086
        many $n "$cluster" train debian.safetensors --labels-per-class 3 --method $method --predictions many.csv \
            --probabilities
        same "train --method $method in $n processes: the labels and probabilities of one" one.csv many.csv
        grep -vE '^(time|predictions)' .out | diff - one.out >> .err && [ $rc = 0 ]
        verdict "train --method $method in $n processes: the report of one" $?
    done
done

for method in appnp "gnd-slp --plan powers" "gnd-slp --plan powers --set dropout=0.3" \
    "appnp --set hops=3 --set dropout_links=0.2"; do
    # shellcheck disable=SC2086
    run train debian.safetensors --labels-per-class 3 --method $method --set epochs_alone=20 -o one.model
    for n in 2 3; do
        # shellcheck disable=SC2086
        many $n "$cluster" train debian.safetensors --labels-per-class 3 --method $method --set epochs_alone=20 \
            -o many.model
        cmp -s one.model many.model && [ $rc = 0 ]
        verdict "train --method $method in $n processes: the weights of one, bit for bit" $?
    done
done

run train debian.safetensors --labels-per-class 3 --method ls --metrics --json
cp .out one.json
many 2 "$cluster" train debian.safetensors --labels-per-class 3 --method ls --metrics --json
json 'all(abs(o[k] - one[k]) < 1e-12 for one in [json.load(open("one.json"))]
          for k in ("test_accuracy", "test_accuracy_half", "test_loss", "macro_f1", "log_loss", "ece", "n_test",
                    "n_unused"))
      and o["confusion"] == json.load(open("one.json"))["confusion"]'
verdict "metrics of several processes are those of one" $?

run label karate.safetensors --labels known.csv --method ls
cp .out one.csv
cp .err one.err
many 4 "$cluster" label karate.safetensors --labels known.csv --method ls
cmp -s .out one.csv && cmp -s .err one.err && [ $rc = 0 ]
verdict "label to stdout: one file in order, the notes of one process" $?
"$gnd" data make islands.safetensors --vertices 300 --edges 150 -q > /dev/null
printf 'id,label\n0,a\n1,b\n2,a\n3,b\n' > some.csv
run label islands.safetensors --labels some.csv --method ls -o one.csv
many 4 "$cluster" label islands.safetensors --labels some.csv --method ls -o many.csv
cmp -s one.csv many.csv && grep -q ',,' many.csv
verdict "vertices that no label reaches get none" $?

# ---- vertices ordered by METIS -------------------------------------------------------------------------

"$cluster" data convert debian.safetensors ordered.safetensors --parts 4 > .out 2> .err
grep -qE 'note: 4 parts copy [0-9,]+ vertices of others; in the order of the input: [0-9,]+' .err
verdict "--parts reports how many vertices are copied" $?
python3 -c 'import re, sys
n = [int(x.replace(",", "")) for x in re.findall("[0-9,]*[0-9]", open(".err").read().split("copy")[1])]
sys.exit(0 if 0 < 2 * n[0] < n[1] else 1)'
verdict "less than half as many as before" $?
for method in ls sgc; do
    run train debian.safetensors --labels-per-class 3 --method $method --predictions one.csv --probabilities
    run train ordered.safetensors --labels-per-class 3 --method $method --predictions ordered.csv --probabilities
    same "$method: the order does not change the split, the labels, or the order of the output" one.csv ordered.csv
    for n in 2 4; do
        many $n "$cluster" train ordered.safetensors --labels-per-class 3 --method $method --predictions many.csv \
            --probabilities
        cmp -s ordered.csv many.csv && [ $rc = 0 ]
        verdict "$method on ordered vertices in $n processes: the file of one" $?
    done
done

# ---- method auto ---------------------------------------------------------------------------------------

"$gnd" data make bare.safetensors --vertices 3000 --edges 15000 --features 0 -q > /dev/null
"$gnd" data make few.safetensors --vertices 3000 --edges 15000 --classes 3 --features 6 -q > /dev/null
"$gnd" data make apart.safetensors --vertices 2000 --edges 900 -q > /dev/null
python3 - << 'PY' # ids that are not sorted, weights, links against the features
import random
r = random.Random(1)
n = 400
ids = [f"v{(i * 173) % n}" for i in range(n)]
with open("edges.csv", "w") as f:
    f.write("source,target,weight\n")
    for i in range(n):
        for _ in range(4):
            j = r.randrange(n)
            if j != i:
                f.write(f"{ids[i]},{ids[j]},{r.choice([0.5, 1, 3])}\n")
with open("features.csv", "w") as f:
    f.write("id,a,b,c\n")
    for i in range(n):
        f.write(f"{ids[i]},{r.gauss(3 * (i % 3), 1)},{r.gauss(0, 10)},{r.random()}\n")
with open("classes.csv", "w") as f:
    f.write("id,label\n")
    for i in range(n):
        f.write(f"{ids[i]},{'xyz'[i % 3]}\n")
PY
"$gnd" data convert edges.csv weighted.safetensors --features features.csv --labels classes.csv -q > /dev/null
for data in debian rmat bare few apart weighted; do
    "$cluster" data convert $data.safetensors $data-parts.safetensors --parts 3 -q > /dev/null 2> .err
done
for case in "debian 3" "rmat 5" "bare 5" "few 5" "apart 4" "weighted 6" "debian 1" \
    "debian 5 --set balance=macro-f1" "few 4 --set numeric_by_rank=off" "debian 3 --set teleport=0.3"; do
    # shellcheck disable=SC2086
    set -- $case
    data=$1-parts.safetensors
    shift
    run train "$data" --method auto --predictions one.csv --probabilities --labels-per-class "$@"
    verdict "auto on $data --labels-per-class $* in one process" $rc
    grep -vE '^(time|predictions)' .out > one.out
    for n in 2 4; do
        many $n "$cluster" train "$data" --method auto --predictions many.csv --probabilities --labels-per-class "$@"
        cmp -s one.csv many.csv && [ $rc = 0 ]
        verdict "auto on $data --labels-per-class $* in $n processes: the file of one" $?
        grep -vE '^(time|predictions)' .out | diff - one.out >> .err
        verdict "auto on $data --labels-per-class $* in $n processes: the report of one" $?
    done
done
awk -F, 'NR % 20 == 1' classes.csv > twenty.csv
run label weighted-parts.safetensors --labels twenty.csv -o one.csv
mv one.csv want.csv
cp .err one.err
many 3 "$cluster" label weighted-parts.safetensors --labels twenty.csv -o one.csv
cmp -s one.csv want.csv && diff .err one.err && [ $rc = 0 ]
verdict "gnd label in 3 processes: the file and the notes of one" $?
run label weighted.safetensors --labels twenty.csv -o plain.csv
cut -d, -f1,2 plain.csv | cmp -s - <(cut -d, -f1,2 one.csv)
verdict "the order of the vertices does not change the labels of auto" $?
many 2 "$cluster" label weighted.safetensors --labels twenty.csv -o never.csv
[ $rc = 1 ] && [ ! -e never.csv ] && [ "$(grep -c '^gnd: ' .err)" = 1 ] && grep -q 'gnd data convert --parts' .err
verdict "auto without stored roles says what to type" $?

# A run that is killed when its first checkpoint is there continues and ends with the same file.
run train rmat-parts.safetensors --method auto --labels-per-class 5 --predictions one.csv
for n in 1 2; do
    program=$gnd
    [ $n = 1 ] || program="mpirun -q --oversubscribe --bind-to none -n $n $cluster"
    for _ in 1 2 3 4 5 6; do # until it is killed before its end
        rm -rf state many.csv
        # shellcheck disable=SC2086
        $program train rmat-parts.safetensors --method auto --labels-per-class 5 --predictions many.csv \
            --checkpoint state --checkpoint-seconds 0 > .out 2> .err < /dev/null &
        pid=$!
        for _ in $(seq 3000); do
            [ -e state/manifest ] && break
            sleep 0.01
        done
        # shellcheck disable=SC2046
        kill -9 $pid $(pgrep -P $pid) 2> /dev/null
        wait $pid 2> /dev/null
        [ -e many.csv ] || break
    done
    [ -e state/manifest ] && [ ! -e many.csv ]
    verdict "auto in $n processes is killed with a checkpoint and no file" $?
    # shellcheck disable=SC2086
    timeout 120 $program train rmat-parts.safetensors --method auto --labels-per-class 5 --predictions many.csv \
        --checkpoint state --checkpoint-seconds 0 > .out 2> .err < /dev/null
    rc=$?
    [ $rc = 0 ] && grep -q 'continued from the checkpoint' .err && cmp -s one.csv many.csv && [ ! -e state ]
    verdict "the next start continues, and ends with the same file" $?
    rm -f many.csv
done
python3 - << 'PY'
import json, struct
b = bytearray(open("weighted-parts.safetensors", "rb").read())
n = struct.unpack("<Q", b[:8])[0]
head = json.loads(b[8:8 + n])
at = 8 + n + head["roles"]["data_offsets"][0]
b[at + 48:at + 52] = struct.pack("<f", float("nan"))
open("nan.safetensors", "wb").write(b)
PY
python3 - << 'PY' # roles without `original`: a graph that may get further vertices
import json, struct
b = open("weighted-parts.safetensors", "rb").read()
n = struct.unpack("<Q", b[:8])[0]
head, data = json.loads(b[8:8 + n]), b[8 + n:]
for name in ("original", "parts", "ids", "ids.offsets"):
    head.pop(name, None)
head["__metadata__"].pop("checksum", None)
text = json.dumps(head).encode()
text += b" " * (-(8 + len(text)) % 64)
# tensors must fill the file: the others move up
out, at = b"", 0
for name, t in sorted(((k, v) for k, v in head.items() if k != "__metadata__"), key=lambda x: x[1]["data_offsets"]):
    x = data[t["data_offsets"][0]:t["data_offsets"][1]]
    t["data_offsets"] = [at, at + len(x)]
    out += x
    at += len(x)
text = json.dumps(head).encode()
text += b" " * (-(8 + len(text)) % 64)
open("more.safetensors", "wb").write(struct.pack("<Q", len(text)) + text + out)
with open("further.csv", "w") as f:
    f.write("id,label\n" + "".join(f"{i},{'xyz'[i % 3]}\n" for i in list(range(9)) + list(range(400, 20000))))
PY
run label more.safetensors --labels further.csv -o more.csv
[ $rc = 0 ] && [ "$(wc -l < more.csv)" = 20001 ] || { [ $rc = 1 ] && one_sentence; }
verdict "roles of fewer vertices than the graph gets are not used" $?
run label nan.safetensors --labels twenty.csv
[ $rc = 1 ] && one_sentence && grep -q "nan.safetensors.*roles" .err
verdict "roles that are not numbers are refused" $?
many 2 "$cluster" label nan.safetensors --labels twenty.csv
[ $rc = 1 ] && grep -q "nan.safetensors.*roles" .err
verdict "by several processes, too" $?

if $has_bench; then
    "$bench" ordered.safetensors 20 7 | cut -f 12 > .want
    many 4 "$cluster_bench" ordered.safetensors 20 7
    cut -f 12 .out | cmp -s - .want
    verdict "diffusion on ordered vertices in 4 processes has the bits of one" $?
fi
printf 'id,label\nnobody,a\n' > stranger.csv
run label ordered.safetensors --labels stranger.csv --method ls
[ $rc != 0 ] && one_sentence && grep -q 'nobody' .err
verdict "no vertex is added to an ordered graph" $?
python3 - << 'PY'
import json, struct
b = bytearray(open("ordered.safetensors", "rb").read())
n = struct.unpack("<Q", b[:8])[0]
head = json.loads(b[8:8 + n])
at = 8 + n + head["original"]["data_offsets"][0]
b[at:at + 4] = b[at + 4:at + 8]
open("twice.safetensors", "wb").write(b)
PY
run label twice.safetensors --method ls
[ $rc = 1 ] && one_sentence && grep -q "twice.safetensors.*original" .err
verdict "an order that names a vertex twice is refused" $?

for mode in raw und std; do # rmat has vertices without links, which std drops
    "$cluster" data convert rmat.safetensors cut.safetensors --parts 3 -q > /dev/null 2> .err
    run data convert cut.safetensors again.safetensors --graph $mode -q
    run train again.safetensors --labels-per-class 3 --method ls --predictions again.csv
    cp .out again.out
    "$gnd" data convert rmat.safetensors plain.safetensors --graph $mode -q > /dev/null
    run train plain.safetensors --labels-per-class 3 --method ls --predictions plain.csv
    [ $rc = 0 ] && same "an ordered file converted to $mode gives what the original gives" plain.csv again.csv
done
"$cluster" data convert karate each.safetensors --parts 34 -q > /dev/null 2> .err
run data info each.safetensors
[ $rc = 0 ]
verdict "a part for each vertex" $?
python3 - << 'PY'
import json, struct
b = bytearray(open("karate.safetensors", "rb").read())
n = struct.unpack("<Q", b[:8])[0]
at = 8 + n + json.loads(b[8:8 + n])["adjacency.pointers_to_1"]["data_offsets"][0]
b[at:at + 8] = struct.pack("<q", -1)
open("negative.safetensors", "wb").write(b)
PY
many 2 "$cluster" label negative.safetensors --labels known.csv --method ls
[ $rc != 0 ] && [ $rc -lt 128 ] && grep -q negative.safetensors .err
verdict "a negative row pointer is refused by several processes, too" $?

# ---- errors: one sentence, by one process --------------------------------------------------------------

fails() { # fails NAME PATTERN ARGS...: 3 processes, one sentence, no file
    local name=$1 pattern=$2
    shift 2
    rm -f never.csv
    many 3 "$cluster" "$@"
    [ $rc != 0 ] && [ "$(grep -c "^gnd: " .err)" = 1 ] && grep -qE -- "$pattern" .err &&
        [ -z "$(ls never.csv* 2>&-)" ]
    verdict "$name" $?
}
fails "an unknown option" 'has no option --bad' label karate.safetensors --bad
fails "a graph that cannot be mapped" 'gnd data convert karate -o graph.safetensors' label karate --method ls \
    -o never.csv
fails "a file that is missing" 'nothing.safetensors' label nothing.safetensors --method ls -o never.csv
fails "a method that runs in one process" 'method chebynet runs in one process only' label karate.safetensors \
    --labels known.csv --method chebynet -o never.csv
fails "a directed graph" 'undirected' train karate.safetensors --graph raw --method ls --predictions never.csv
printf 'id,label\n1,a\n2,b\n99,b\n' > outside.csv
fails "a label of a vertex that is not there" "outside.csv: vertex '?99" label karate.safetensors --labels outside.csv \
    --method ls -o never.csv
fails "--abstain" 'in one process only' label karate.safetensors --labels known.csv --method ls --abstain 0.1 \
    -o never.csv
fails "a folder that is missing" 'cannot write' label karate.safetensors --labels known.csv --method ls \
    -o no/never.csv
fails "--json without a file" 'needs a file' label karate.safetensors --labels known.csv --method ls --json
head -c 3000 debian.safetensors > cut.safetensors
fails "a file that was cut" 'cut.safetensors' train cut.safetensors --method ls --predictions never.csv
python3 - << 'PY'
import json, struct
b = bytearray(open("debian.safetensors", "rb").read())
n = struct.unpack("<Q", b[:8])[0]
head = json.loads(b[8:8 + n])
at = 8 + n + head["adjacency.indices_1"]["data_offsets"][1] - 4   # the last link leads nowhere
b[at:at + 4] = struct.pack("<i", 2 ** 30)
open("wild.safetensors", "wb").write(b)
PY
fails "an order that names a vertex twice" 'twice.safetensors' train twice.safetensors --method ls \
    --predictions never.csv
fails "an index out of range in the rows of the last process" 'wild.safetensors: ' train wild.safetensors --method ls \
    --predictions never.csv

# ---- checkpoints, and a process that is killed ----------------------------------------------------------

cat > kill_one.py << 'PY'
# kill_one.py SECONDS RANK PROGRAM ARGS...: kill one of two processes after SECONDS. Exit code 0: mpirun ended within
# 5 s after it, with a code other than 0; 1: it did not; 2: the run ended before.
import os, signal, subprocess, sys, time
p = subprocess.Popen(["mpirun", "--oversubscribe", "--bind-to", "none", "-n", "2", *sys.argv[3:]],
                     stdin=subprocess.DEVNULL)
wait, rank = float(sys.argv[1]), int(sys.argv[2])
def children():
    out = subprocess.run(["pgrep", "-P", str(p.pid), "-f", sys.argv[3]], capture_output=True, text=True).stdout
    return sorted(int(x) for x in out.split())
while len(children()) < 2 and p.poll() is None:    # a busy machine may not have started it yet
    time.sleep(0.02)
try:
    p.wait(wait)
    sys.exit(2 if p.returncode == 0 else 1)
except subprocess.TimeoutExpired:
    pass
victims = children()
if len(victims) < 2:
    sys.exit(2 if p.wait() == 0 else 1)
os.kill(victims[rank], signal.SIGKILL)
start = time.time()
try:
    code = p.wait(10)
except subprocess.TimeoutExpired:
    p.kill()
    sys.exit(1)
sys.exit(0 if code != 0 and time.time() - start <= 5 else 1)
PY

# A run that is killed N times and continued each time ends with the file of one that is not.
killed() { # killed N NAME ARGS...
    local n=$1 name=$2 start seconds k=0 tries=0
    shift 2
    start=$(date +%s%N)
    many 2 "$cluster" "$@" -q --predictions want.csv --probabilities
    seconds=$(($(date +%s%N) - start))
    verdict "$name: a run that is not interrupted" $rc
    rm -rf state
    while [ $k -lt "$n" ] && [ $((tries += 1)) -le $((4 * n)) ]; do
        rm -f got.csv*
        python3 kill_one.py "$(python3 -c "import random; print(random.uniform(0, $seconds / 1e9))")" $((RANDOM % 2)) \
            "$cluster" "$@" -q --predictions got.csv --probabilities --checkpoint state --checkpoint-seconds 0 \
            > .out 2> .err
        rc=$?
        if [ $rc = 2 ]; then # it was faster than the kill, and complete
            cmp -s want.csv got.csv && [ ! -e state ]
            verdict "$name: continued to its end" $?
            continue
        fi
        k=$((k + 1))
        step=$(sed -n 's/^step.//p' state/manifest 2>&-)
        [ $rc = 0 ] && ! grep -q '^gnd: ' .err && [ "$(grep -c 'exited on signal 9 (Killed)' .err)" = 1 ] &&
            { [ ! -e got.csv ] || cmp -s want.csv got.csv; }
        verdict "$name: kill $k after step ${step:-0}: ends within 5 s, one sentence, no half-written file" $?
    done
    many 2 "$cluster" "$@" -q --predictions got.csv --probabilities --checkpoint state --checkpoint-seconds 0
    [ $rc = 0 ] && cmp -s want.csv got.csv && [ ! -e state ]
    verdict "$name: killed $k times, the bits of a run that is not" $?
}
kills=${GND_KILLS:-2}
"$gnd" data make words.safetensors --vertices 20000 --edges 150000 --features 32 -q > /dev/null
"$gnd" data make large.safetensors --vertices 200000 --edges 1500000 -q > /dev/null
killed "$kills" gcn train words.safetensors --method gcn --set epochs_alone=60
killed "$kills" ls train large.safetensors --method ls --set alpha=0.999

refuses() { # refuses NAME PATTERN N ARGS...: the state of another run
    local name=$1 pattern=$2 n=$3
    shift 3
    if [ "$n" = 1 ]; then run "$@"; else many "$n" "$cluster" "$@"; fi
    [ $rc != 0 ] && [ "$(grep -c '^gnd: ' .err)" = 1 ] && grep -qF -- "$pattern" .err
    verdict "$name" $?
}
part="train debian.safetensors --method gcn --set epochs_alone=100000 --checkpoint state --checkpoint-seconds 0 -q"
for _ in 1 2 3; do
    # shellcheck disable=SC2086
    [ -e state/manifest ] || timeout -s KILL 3 "$gnd" $part > /dev/null 2>&1
done
cp -r state kept
# shellcheck disable=SC2086
{
    refuses "a state of another RNG seed" "(seed: 1, now 2)" 1 $part --seed 2
    refuses "a state of another setting" "(setting layers: 2, now 3)" 1 $part --set layers=3
    refuses "a state of other data" "(graph: " 1 ${part/debian/words}
    refuses "a state of another number of processes" "(number of processes: 1, now 2)" 2 $part
}
diff -r state kept > .err
verdict "a state that is refused stays as it is" $?
rm -rf state kept
: > state
# shellcheck disable=SC2086
refuses "a checkpoint that is a file" "state: is not a folder" 2 $part
rm -f state

echo "$pass passed, $fail failed"
[ $fail -eq 0 ]
