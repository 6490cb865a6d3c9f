#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# --transport: the same events by every transport, also when ranks are on several nodes; the report; refusals;
# too little shared memory.
# test: processors=2 timeout=600
. "$WS_SRC/tests/support/lib.sh"

phold="$WS_BIN/phold"

# Names of shared memory in use. Other tests have directories there.
segments() {
    ls /dev/shm 2>/dev/null | grep '^warpscope-[0-9]'
}
segments >before.txt

# run_phold RANKS OPTIONS...: sets events, states, transport.
run_phold() {
    phold_ranks=$1
    shift
    run_model "$phold_ranks" "$phold" --nlp=$((24 / phold_ranks)) --end=100 --remote=0.5 \
        --lookahead=0.1 "$@"
    transport=$(json_get run.json transport)
}

# compare NAME RANKS OPTIONS...: uses that transport, with unchanged results.
compare() {
    name=$1
    shift
    run_phold "$@"
    assert_eq "transport of $*" "$name" "$transport"
    assert_eq "committed events of $*" "$wanted_events" "$events"
    assert_eq "final states of $*" "$wanted_states" "$states"
    assert_contains "report of $*" last.out "Transport: $name"
}

run_phold 1 --synch=1
wanted_events=$events wanted_states=$states
assert_eq "transport of one rank" none "$transport"
assert_ne "events" "" "$events"
# The default is the same as --transport=shm, so only one of them is tested. A part of this test runs both
# schedulers on two ranks only.
compare "shared memory" 2 --synch=3 --transport=shm
few=${WS_PART:+3}
for ranks in 2 3 4; do
    [ $ranks = 2 ] && schedulers='2 3' || schedulers=${few:-2 3}
    for synch in $schedulers; do
        compare "shared memory" $ranks --synch=$synch
        compare "MPI" $ranks --synch=$synch --transport=mpi
    done
done

# reductions: sets rounds of GVT and reductions of the last run.
reductions() {
    rounds=$(json_get run.json counters.gvt_rounds) reductions=$(json_get run.json counters.all_reduces)
}
# Conservative ranks that share memory vote once for each GVT, and again only if a ring was full: 10000
# messages from each rank at one instant do not fit.
run_phold 4 --synch=2
reductions
assert_num "rounds" "$rounds" '>' 100
assert_eq "reductions of conservative ranks" "$rounds" "$reductions"
run_model 1 "$WS_TEST_BIN/burst" --synch=1 --nlp=200 --fan=200 --end=2.5
burst_events=$events burst_states=$states
run_model 2 "$WS_TEST_BIN/burst" --synch=2 --nlp=100 --fan=200 --end=2.5
assert_eq "committed events of bursts" "$burst_events" "$events"
assert_eq "final states of bursts" "$burst_states" "$states"
reductions
assert_num "reductions with full rings" "$reductions" '>' "$rounds"

# Each two ranks on a node, then each rank on its own.
export WARPSCOPE_RANKS_PER_NODE=2
compare "shared memory" 2 --synch=3
for synch in ${few:-2 3}; do
    compare "shared memory and MPI" 3 --synch=$synch
    compare "shared memory and MPI" 4 --synch=$synch --transport=auto
done
compare "MPI" 4 --synch=3 --transport=mpi
export WARPSCOPE_RANKS_PER_NODE=1
compare "MPI" 2 --synch=3

# refused WHAT TEXT RANKS OPTIONS...: status 2, one message.
refused() {
    refused_what=$1
    refused_text=$2
    shift 2
    rm -f no.json
    assert_status "$refused_what" 2 run_mpi "$@" --quiet --report-json=no.json
    assert_eq "$refused_what is said once" 1 "$(grep -cF -e "$refused_text" last.err)"
    assert_eq "report of $refused_what" "" "$(ls no.json 2>/dev/null)"
}
refused "shm between nodes" "phold: --transport=shm: not all ranks are on one node" \
    2 "$phold" --transport=shm
unset WARPSCOPE_RANKS_PER_NODE
for wrong in 1: 1:MPI 2:tcp 1:shmem 1:averyveryverylongname; do
    ranks=${wrong%:*}
    assert_status "--transport=${wrong#*:}" 2 run_mpi "$ranks" "$phold" --transport="${wrong#*:}"
    assert_contains "--transport=${wrong#*:}" last.err "--transport"
done

# A machine whose /dev/shm is enough for MPI, but too small for rings of very large messages: the ranks agree
# to use MPI instead. Needs the right to mount.
cat >tiny.sh <<'SH2'
#!/bin/sh
size=$1
shift
mount -t tmpfs -o size="$size" tmpfs /dev/shm && exec "$@"
SH2
chmod +x tiny.sh
if unshare -rm ./tiny.sh 16m true 2>/dev/null; then
    namespace="unshare -rm"
elif unshare -m ./tiny.sh 16m true 2>/dev/null; then
    namespace="unshare -m"
else
    namespace=
fi
if [ -n "$namespace" ]; then
    tiny() {
        $namespace ./tiny.sh "$@"
    }
    large="--quiet --synch=3 --end=3 --payload=1048576"
    assert_ok "a tiny /dev/shm" tiny 16m "$WS_MPIEXEC" -n 2 "$phold" $large
    assert_contains "used instead" last.out "Transport: MPI"
    assert_eq "one warning" 1 "$(grep -c 'warning: .*/dev/shm has too little space' last.err)"
    assert_status "shm in a tiny /dev/shm" 2 tiny 16m "$WS_MPIEXEC" -n 2 "$phold" $large \
        --transport=shm
    assert_contains "what is wrong" last.err "phold: --transport=shm: /dev/shm has too little space"
else
    echo "not tested, for want of the right to mount: a tiny /dev/shm"
fi

# Runs leave no shared memory, whether they ended well or were refused. A run of another user may be between
# creating a segment and removing its name, which contains its process number; such names are ignored.
left=$(segments | grep -vxF -f before.txt | while IFS=- read -r program pid time; do
    is_running "$pid" || echo "$program-$pid-$time"
done)
if [ -n "$left" ]; then # removed between the two listings, or of a process in another container
    sleep 1
    segments >now.txt
    left=$(echo "$left" | grep -xF -f now.txt)
fi
assert_eq "segments left in /dev/shm" "" "$left"
finish
