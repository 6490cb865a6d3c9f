#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Runs check their need of memory before they allocate it. A run that needs more than is available ends with
# status 2 and a message with the amount, on all ranks, and is not killed. Limits are those of the process
# (ulimit), of a cgroup where one can be made, and of any machine.
# test: processors=2 timeout=100
. "$WS_SRC/tests/support/lib.sh"

phold=$WS_BIN/phold

# refused TEXT COMMAND...: status 2, one message that has the text and proposes a remedy.
refused() {
    text=$1
    shift
    assert_status "$*" 2 "$@"
    assert_contains "$*" last.err "$text"
    assert_contains "advice for $*" last.err "or give --memory-check=off to try nevertheless"
    assert_eq "messages of $*" 1 "$(grep -c '^\(phold\|overrun\|netsim\|qnet\): ' last.err)"
}

# limited ulimit-option KIB COMMAND...
limited() {
    (
        ulimit "$1" "$2" || exit 99
        shift 2
        exec "$@"
    )
}

for ranks in 1 2 4; do
    refused 'phold: 4000000000 LPs and 16 KPs' run_mpi $ranks "$phold" --quiet --nlp=4000000000
    assert_contains "how much" last.err 'iB, nine tenths of what this machine has available'
done
assert_contains "ranks" last.err '4000000000 LPs and 16 KPs on a rank: this takes'
assert_contains "ranks" last.err 'on the 4 ranks of a machine, but'
refused 'states of 8 LPs: this takes' "$WS_TEST_BIN/overrun" --quiet --state-tail=100000000000000
refused 'on the 2 ranks of a machine' run_mpi 2 "$WS_TEST_BIN/overrun" --quiet --state-tail=100000000000000
refused 'states of 8 LPs: this takes 16.0 EiB' "$WS_TEST_BIN/overrun" --quiet \
    --state-tail=18446744073709551000
refused '4000000000 LPs and 4000000000 KPs' "$phold" --quiet --nlp=4000000000 --nkp=18446744073709551615 \
    --memory-check=on
assert_ok "more KPs than LPs" "$phold" --quiet --nlp=100 --nkp=18446744073709551615 --end=1

# The limit of one rank applies to all.
if [ "$WS_SANITIZE" != 1 ]; then
    refused 'nine tenths of what the limit of the address space (ulimit -v) leaves' limited -v 1500000 "$phold" --quiet \
        --nlp=20000000
    refused 'nine tenths of what the limit of data (ulimit -d) leaves' limited -d 500000 "$phold" --quiet --nlp=20000000
    assert_ok "as much as there is" limited -v 1500000 "$phold" --quiet --nlp=1000 --end=1
    assert_status "without asking" 3 limited -v 1500000 "$phold" --quiet --nlp=20000000 --memory-check=off
    assert_contains "without asking" last.err 'out of memory for 20000000 LPs'
fi
assert_refused '--memory-check=maybe: must be off or on' 1 "$phold" --quiet --memory-check=maybe

# Buffers of records.
for ranks in 1 2; do
    refused '--buffer-size=900000000000000: the buffers of all files: this takes' run_mpi $ranks "$phold" --quiet \
        --nlp=100 --event-trace=3 --buffer-size=900000000000000 --stats-path=none
done
assert_status "buffers, without asking" 2 "$phold" --quiet --nlp=100 --event-trace=3 --memory-check=off \
    --buffer-size=900000000000000 --stats-path=none
assert_contains "buffers, without asking" last.err 'out of memory'

# Memory of records for each LP, of a checkpoint, and of the models' results, each together with the memory
# that the run takes anyway. The LPs alone would fit. The number of LPs follows from the message that refuses
# too many.
bytes() {
    awk -v say="$1" 'BEGIN { split(say, w, " "); for (i = 1; i < index("BKMGTPE", substr(w[2], 1, 1)); i++)
        w[1] *= 1024; printf "%.0f\n", w[1] }'
}
if [ "$WS_SANITIZE" != 1 ]; then
    refused '4000000000 LPs' limited -v 700000 "$phold" --quiet --nlp=4000000000
    all=$(bytes "$(sed -n 's/.*this takes \([0-9.]* [KMGTPE]*i*B\).*/\1/p' last.err)")
    left=$(bytes "$(sed -n 's/.*may take \([0-9.]* [KMGTPE]*i*B\).*/\1/p' last.err)")
    lps=$(awk "BEGIN { printf \"%.0f\", 0.7 * $left / ($all / 4e9) }")
    assert_num "LPs in 700 MB" "$lps" '>' 10000
    refused "counters of $lps LPs for samples: this takes" limited -v 700000 "$phold" --quiet --nlp="$lps" \
        --enable-gvt-stats=1 --granularity=1 --stats-path=none --end=1
    refused "counters of $lps LPs for samples: this takes" limited -v 700000 "$phold" --quiet --nlp="$lps" \
        --vt-interval=1 --granularity=1 --stats-path=none --end=1
    refused "LPs and their results: this takes" limited -v 700000 "$WS_BIN/qnet" --synch=1 --quiet --end=1 \
        --copies=$((left / 3600)) --batches=50
    refused "LPs and a checkpoint of them: this takes" limited -v 700000 "$WS_TEST_BIN/overrun" --quiet \
        --state-tail=$((left / 12)) --checkpoint-every=1
fi
awk 'BEGIN { print "graph ["; for (i = 0; i < 500; i++) print "node [ id " i " label \"n" i "\" ]"
    for (i = 0; i < 500; i++) print "edge [ source " i " target " (i + 1) % 500 " delay 0.001 ]"
    print "]" }' >ring.gml
[ "$WS_SANITIZE" = 1 ] || # flows that pass through its routers
    refused "LPs and their results" limited -v 700000 "$WS_BIN/netsim" --quiet --hosts=1 --topology=ring.gml

# ---- In a cgroup of the test, where one can be made: version 1 or 2

group=
for folder in /sys/fs/cgroup/memory /sys/fs/cgroup; do
    try=$folder/warpscope_test_$$
    if mkdir "$try" 2>/dev/null; then
        for file in memory.limit_in_bytes memory.max; do
            [ -z "$group" ] && [ -w "$try/$file" ] && echo 400000000 >"$try/$file" 2>/dev/null &&
                sh -c "echo \$\$ >'$try/cgroup.procs'" 2>/dev/null && group=$try
        done
        [ -n "$group" ] || rmdir "$try"
    fi
    [ -z "$group" ] || break
done

# grouped COMMAND...: runs the command in the cgroup.
grouped() {
    # shellcheck disable=SC2016 # the inner shell expands it
    sh -c 'echo $$ >"$0/cgroup.procs" && exec "$@"' "$group" "$@"
}

if [ -n "$group" ] && [ "$WS_SANITIZE" != 1 ]; then
    refused 'nine tenths of what the memory limit of the cgroup leaves' grouped "$phold" --quiet --nlp=4000000
    # The LPs fit, their events do not: the limit of event memory follows from the cgroup's.
    assert_status "events in a cgroup" 2 grouped "$phold" --quiet --nlp=1500000 --start-events=8 --end=100
    assert_contains "events in a cgroup" last.err 'out of event memory'
    assert_ok "a small run in a cgroup" grouped "$phold" --quiet --nlp=1000 --end=1
    for _ in 1 2 3 4 5 6 7 8 9 10; do # a process remains in its cgroup for a while after its end
        rmdir "$group" && break
        sleep 0.1
    done
else
    partly "no cgroup can be made here"
fi
finish
