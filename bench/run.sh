#!/bin/bash
# SPDX-License-Identifier: MIT
# gnd beside its peers on this machine: the tables of bench/SPEED.md, ready to paste.
#
# Tables, or with --json one JSON object, go to stdout, what is under way to stderr, single measurements to
# build/bench-results.
set -u
cd "$(dirname "$0")/.." || exit 2

usage() {
    cat <<'END'
usage: bench/run.sh [--quick] [--json] [PART ...]

parts, all of them if none is named:
  epochs   an epoch of gnd-slp beside PyTorch, of gcn, appnp, chebynet, jknet and mixhop beside
           PyTorch Geometric; one thread each, the same model, settings, data and number of epochs
  runs     `gnd train cora`, process start to result, beside the PyTorch script, imports included
  spread   label spreading beside scipy and scikit-network
  kernels  products beside the limits of the memory, GraphBLAS and OpenBLAS (build/bench/bench_kernels)
  plans    passes of gnd-slp by each plan, and the constants of src/plan/cost.h fitted to them
  growth   load, epoch and peak memory against the number of entries, on R-MAT graphs
  large    whole runs of gnd label on graphs of 1, 10 and 50 million entries, beside scikit-network's
           DiffusionClassifier: R-MAT and small communities; CPU time, peak memory, accuracy
  sweep    the trainings of the paper: a sample of each cell, added up
  agree    forward passes of gcn, sgc and appnp through the Python package beside PyTorch Geometric, same weights
  dist     a hop on an R-MAT graph in 1, 2 and 4 processes (make cluster), in random order and ordered by METIS
  tsne     t-SNE of diffused features beside openTSNE and scikit-learn, one thread each: CPU time and quality

options:
  --quick  fewer data sets, splits, epochs and sizes
  --json   no tables, but all figures as one JSON object: `machine`, and a list of objects for each part that ran
           (bench/report.py has their names)
  --help   this text

environment:
  GND_DATA     folder of the data sets (default ../shared/data)
  GND_BUILD    build folder (default build)
  BENCH_VENV   where the peers are installed (default $TMPDIR/gnd-bench-venv, else build/bench-venv)
  BENCH_PIP    further words for pip install, such as an index of CPU-only wheels
  BENCH_BUDGET seconds for the epochs of a peer; fewer than 100 are run where they take longer (default 15;
               300 lets the check of results tell on the Amazon graphs too)
  GND_CLUSTER  build folder with -DGND_PETSC=ON, for dist (default build-petsc)
  BENCH_BIG    most entries of the graphs of growth and large in millions (default 120)
END
}

# Official releases. The wheel of torch wants its CUDA libraries even on a machine without a GPU.
PEERS=(torch==2.15.0 torch_geometric==2.8.1 scikit-network==0.33.5 scipy==1.17.1 numpy==2.4.6)
TSNE_PEERS=(openTSNE==1.0.4 scikit-learn==1.9.1)
build=${GND_BUILD:-build}
venv=${BENCH_VENV:-${TMPDIR:+$TMPDIR/gnd-bench-venv}}
venv=${venv:-build/bench-venv}
out=$build/bench-results
export GND_DATA=${GND_DATA:-../shared/data}
export OMP_NUM_THREADS=1 MKL_NUM_THREADS=1 OPENBLAS_NUM_THREADS=1 PYTHONDONTWRITEBYTECODE=1
python=$venv/bin/python
quick=
json=
parts=()
files=()

say() { echo "bench: $*" >&2; }

for word; do
    case $word in
    --help | -h) usage; exit 0 ;;
    --quick) quick=--quick ;;
    --json) json=--json ;;
    epochs | runs | spread | kernels | plans | growth | large | sweep | agree | dist | tsne) parts+=("$word") ;;
    *) say "there is no part or option $word; see bench/run.sh --help"; exit 2 ;;
    esac
done
[ ${#parts[@]} -gt 0 ] || parts=(epochs runs spread kernels plans growth large sweep agree dist tsne)
mkdir -p "$out" || exit 1

has_data() { # has_data PART
    [ -d "$GND_DATA/planetoid" ] && return 0
    say "$1 skipped: no data sets in $GND_DATA (GND_DATA names the folder)"
    return 1
}

# The lines of a part: its table, or the file for the JSON object.
show() { # show PART FILE
    files+=("$1=$2")
    [ -n "$json" ] || python3 bench/report.py "$1" "$2"
}

# The same for a command that prints tables itself.
show_output() { # show_output PART COMMAND...
    local part=$1 file=$out/$1.txt
    shift
    "$@" > "$file" || return
    files+=("$part=$file")
    [ -n "$json" ] || cat "$file"
}

# Packages in an environment of the bench's own; 1, after a line, if they cannot be had.
packages() { # packages PART MODULES PACKAGE...
    local part=$1 modules=$2 words
    shift 2
    "$python" -c "import $modules" 2> /dev/null && return 0
    say "installing $* into $venv"
    read -ra words <<< "${BENCH_PIP:-}"
    if ! python3 -m venv "$venv" ||
        ! "$python" -m pip install -q --no-cache-dir "${words[@]}" "$@" >&2; then
        say "$part skipped: the peers could not be installed (no network or no space?)"
        return 1
    fi
}

peers() { # peers PART; some GB
    packages "$1" 'torch, torch_geometric, sknetwork, scipy' "${PEERS[@]}"
}

machine() {
    local cc
    cc=$(sed -n 's/^CMAKE_C_COMPILER:[^=]*=//p' "$build/CMakeCache.txt")
    echo "Machine: $(sed -n 's/^model name[^:]*: //p' /proc/cpuinfo | head -n 1), $(getconf _NPROCESSORS_ONLN) CPUs," \
        "$(awk '/MemTotal/ {printf "%.0f", $2 / 1048576}' /proc/meminfo) GB; $(uname -sr);" \
        "$("${cc:-cc}" --version | head -n 1);" \
        "commit $(git rev-parse --short HEAD 2> /dev/null); load $(cut -d' ' -f1-3 /proc/loadavg);" \
        "command: bench/run.sh${quick:+ $quick}${json:+ $json} ${parts[*]}"
}

# ---- epochs -----------------------------------------------------------------------------------------

# gnd on as many epochs and splits as the peer's lines say: `peer form method data labels split epochs ...`
gnd_epochs() { # gnd_epochs [NAME=VALUE ...]
    local lines=$out/now.tsv method data labels epochs splits
    read -r method data labels epochs splits < <(
        awk -F'\t' '$1 == "peer" {print $3, $4, $5, $7, $6}' "$lines" | tail -n 1)
    "$build/bench/bench_epochs" "$data" und "$method" "$labels" "$epochs" "$splits" 1 "$@"
    epochs=$(awk -F'\t' -v e="$epochs" '$1 == "plain" && $7 != e {print $7; exit}' "$lines")
    [ -z "$epochs" ] ||
        "$build/bench/bench_epochs" "$data" und "$method" "$labels" "$epochs" "$splits" 1 "$@"
}

epochs() {
    local lines=$out/epochs.tsv all=(cora citeseer pubmed amazon_photo amazon_computers)
    local few=(cora pubmed amazon_computers) d m q n=100 splits=3 settings
    has_data epochs && peers epochs || return 0
    [ -z "$quick" ] || { all=(cora); few=(cora); n=20; splits=1; }
    : > "$lines"
    for d in "${all[@]}"; do
        for q in 1 5; do
            say "gnd-slp $d, $q labels per class"
            "$python" bench/peers/gnd_slp.py "$d" "$q" "$n" "$splits" $quick > "$out/now.tsv" && gnd_epochs >> "$lines"
            cat "$out/now.tsv" >> "$lines"
        done
    done
    for m in gcn appnp chebynet jknet mixhop; do
        for d in "${few[@]}"; do
            say "$m $d"
            settings=()
            [ $m != chebynet ] || settings=(lambda=2)
            "$python" bench/peers/pyg.py $m "$d" 5 "$n" "$splits" $quick > "$out/now.tsv" &&
                gnd_epochs "${settings[@]}" >> "$lines"
            cat "$out/now.tsv" >> "$lines"
        done
    done
    show epochs "$lines"
}

# ---- whole runs and label spreading -----------------------------------------------------------------

runs() {
    local lines=$out/runs.tsv n=200 times=7
    has_data runs && peers runs || return 0
    [ -z "$quick" ] || { n=50; times=3; }
    python3 bench/timed.py "$times" \
        gnd "$build/gnd" train cora --graph und --threads 1 --set "epochs=$n" --set stop=none --json -q -- \
        peer "$python" bench/peers/train_cora.py "$n" > "$lines" && show runs "$lines"
}

# A generated graph of 9 million entries.
spread_large() {
    local made=$out/spread-9m
    say "label spreading, 9 million entries"
    "$build/gnd" data make "$made.safetensors" --vertices 500000 --edges 5000000 --classes 8 --features 0 --seed 1 -q \
        > /dev/null &&
        "$build/gnd" data convert "$made.safetensors" "$made.npz" -q > /dev/null &&
        "$build/bench/bench_spread" "$made.npz" 5 1 "$out/spread.txt" >> "$lines" &&
        "$python" bench/peers/spread.py "$made.npz" 5 1 "$out/spread.txt" >> "$lines"
    rm -f "$made.safetensors" "$made.npz"
}

spread() {
    local lines=$out/spread.tsv d
    has_data spread && peers spread || return 0
    : > "$lines"
    for d in cora pubmed amazon_computers; do
        say "label spreading $d"
        "$build/bench/bench_spread" "$d" 5 5 "$out/spread.txt" >> "$lines" &&
            "$python" bench/peers/spread.py "$d" 5 5 "$out/spread.txt" >> "$lines"
        [ -z "$quick" ] || break
    done
    [ -n "$quick" ] || spread_large
    show spread "$lines"
}

kernels() {
    if [ -x "$build/bench/bench_kernels" ]; then
        show_output kernels "$build/bench/bench_kernels"
    else
        say "kernels skipped: $build/bench/bench_kernels is not built"
    fi
}

plans() {
    local sets=cora,citeseer,pubmed,amazon_photo
    has_data plans || return 0
    [ -z "$quick" ] || sets=cora
    show_output plans python3 bench/plans.py "$build/gnd" "$sets" 1,5 2> /dev/null
}

# ---- growth -----------------------------------------------------------------------------------------

growth() {
    local lines=$out/growth.tsv file=$out/growth.npz m big=${BENCH_BIG:-120} sizes=(1 3 10 20 50 120)
    [ -z "$quick" ] || sizes=(1 3)
    : > "$lines"
    for m in "${sizes[@]}"; do
        [ "$m" -le "$big" ] || continue
        say "$m million entries"
        # About 50 entries a vertex, as in the largest of the usual test graphs; one link in six is drawn twice.
        "$build/gnd" data make "$file" --vertices $((m * 20000)) --edges $((m * 600000)) --classes 16 \
            --features 256 --words 8 --seed 1 -q > /dev/null &&
            "$build/bench/bench_growth" "$file" $((m < 50 ? 8 : 5)) >> "$lines"
        rm -f "$file"
    done
    show growth "$lines"
}

large() {
    local lines=$out/large.tsv big=${BENCH_BIG:-120} m millions=1 graphs=rmat,community,rmat-words
    peers large || return 0
    for m in 10 50; do
        [ -n "$quick" ] || [ "$m" -gt "$big" ] || millions=$millions,$m
    done
    say "graphs of $millions million entries, kept in $out/large"
    GND=$build/gnd "$python" bench/large.py "$out/large" "$millions" $graphs auto,ls,appnp,gnd-slp yes \
        > "$lines" && show large "$lines"
}

# ---- the trainings of the paper ---------------------------------------------------------------------

sweep() {
    local lines=$out/sweep.tsv labels=1,5 sets=cora,citeseer,pubmed,cora_ml,amazon_photo,amazon_computers
    local methods=gnd-slp,gcn,geomgcn,chebynet,jknet,sgc,ppnp,ppnp-hk,ngcn,mixhop,lanczosnet,dcnn
    has_data sweep || return 0
    [ -z "$quick" ] || { sets=cora; labels=5; }
    say "a split of each cell"
    python3 bench/sweep.py "$build/gnd" "$sets" "$methods" "$labels" 1 > "$lines"
    show sweep "$lines"
}

# ---- several processes --------------------------------------------------------------------------------

dist() {
    local lines=$out/dist.tsv made=$out/dist.safetensors n=1000000 m=10000000 hops=15 file r order
    local cluster=${GND_CLUSTER:-build-petsc}
    local mpi=(mpirun -q --oversubscribe --bind-to none)
    if [ ! -x "$cluster/bench/bench_dist" ]; then
        say "dist skipped: $cluster/bench/bench_dist is not there (make deps-cluster cluster)"
        return 0
    fi
    export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 OMPI_MCA_mpi_yield_when_idle=1
    [ -z "$quick" ] || { n=50000 m=500000; }
    : > "$lines"
    say "a graph of $n vertices"
    "$build/gnd" data make "$made" --vertices $n --edges $m --features 0 -q > /dev/null || return
    for r in 1 2 4; do
        for order in random METIS; do
            file=$made
            if [ $order = METIS ]; then
                [ $r != 1 ] || continue
                file=$out/dist-$r.safetensors
                say "METIS, $r parts"
                "$cluster/gnd" data convert "$made" "$file" --parts $r -q > /dev/null || continue
            fi
            say "$r processes, $order"
            { printf '%s\t' $order; "${mpi[@]}" -n $r "$cluster/bench/bench_dist" "$file" 64 $hops; } >> "$lines"
            [ $order = random ] || rm -f "$file"
        done
    done
    rm -f "$made"
    show dist "$lines"
}

# ---- layouts ----------------------------------------------------------------------------------------

agree() {
    has_data agree && peers agree || return 0
    say "forward passes with the weights of gnd"
    show_output agree agree_lines
}

agree_lines() {
    printf 'method\tdata\tlargest difference\tequal classes\n'
    GND_LIBRARY=$PWD/$build/libgnd.so PYTHONPATH=python "$python" bench/peers/agree.py cora citeseer
}

tsne() {
    local lines=$out/tsne.tsv sets=(cora:19 cora:0 pubmed:19) set data hops
    has_data tsne && packages tsne 'openTSNE, sklearn' "${TSNE_PEERS[@]}" || return 0
    [ -z "$quick" ] || sets=(cora:19)
    : > "$lines"
    for set in "${sets[@]}"; do
        data=${set%:*} hops=${set#*:}
        say "t-SNE of $data after $hops hops"
        "$build/bench/bench_tsne" "$data" "$hops" 16 1 "$out/tsne" > "$out/now.tsv" &&
            "$python" bench/peers/tsne.py "$data" 16 "$out/tsne" |
            awk -F'\t' -v OFS='\t' -v hops="$hops" -v file="$out/now.tsv" \
                '$1 == "gnd" {getline line < file; split(line, own); $3 = own[6]} {print $0, hops}' >> "$lines"
        rm -f "$out/tsne.x" "$out/tsne.gnd"
    done
    show tsne "$lines"
}

about=$(machine)
[ -n "$json" ] || echo "$about"
for part in "${parts[@]}"; do
    [ -n "$json" ] || echo
    "$part"
done
[ -z "$json" ] || python3 bench/report.py --json "${about#Machine: }" "${files[@]}"
