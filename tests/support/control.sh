# SPDX-License-Identifier: BSD-3-Clause
# control.sh - for tests of requests to running simulations; source it after lib.sh. The model "gated"
# stops at gates, so that requests come before known GVT computations.

# gated_start RANKS GATES OPTIONS...: starts the model in the background, recording to rec, and waits until
# it takes requests. Sets gated_pid. The run asks for requests at each GVT.
gated_start() {
    gated_ranks=$1
    gates=$2
    shift 2
    rm -rf rec run.json gate.*
    : >gate
    gated_opened=0
    WARPSCOPE_CONTROL_MS=0 run_mpi "$gated_ranks" "$WS_TEST_BIN/gated" --gate="$PWD/gate" --gates="$gates" \
        --lps=$((32 / gated_ranks)) --end=150 --gvt-interval=1 --batch=4 --stats-path=rec --quiet \
        --fingerprint --report-json=run.json "$@" >gated.out 2>gated.err &
    gated_pid=$!
    wait_for "$gated_pid" test -s rec/warpscope-control || fail "no file for requests: $(cat gated.err)"
}

# await_gate: waits until the run has come to the next gate.
await_gate() {
    wait_for "$gated_pid" test -e "gate.$gated_opened" || fail "gate $gated_opened: $(cat gated.err)"
}

# request WORDS...: leaves a request for the run, which waits at a gate.
request() {
    await_gate
    "$WS_BIN/warpscope" ctl --no-wait rec "$@" >request.out 2>&1
    assert_eq "request $*" "requested" "$(cat request.out)"
}

# gated_process: prints the process of rank 0, which the file for requests names.
gated_process() {
    sed -n '1s/^warpscope-control 1 \([0-9]*\) .*/\1/p' rec/warpscope-control
}

# open_gate: lets the run go on to the next gate, or to its end after the last one.
open_gate() {
    await_gate
    printf x >>gate
    gated_opened=$((gated_opened + 1))
}

# gated_end: waits for the end of the run. Sets events and states like run_model(), and gated_status.
gated_end() {
    wait "$gated_pid"
    gated_status=$?
    [ -s run.json ] || echo '{}' >run.json
    events=$(json_get run.json committed_fingerprint)
    states=$(json_get run.json state_fingerprint)
}

# check_files WHAT: all files of the recording are complete and valid, and nothing else is left.
check_files() {
    for file in rec/*.bin; do
        assert_ok "$1: verify $file" "$WS_BIN/warpscope" verify "$file"
    done
    assert_eq "$1: left behind" "" "$(ls rec | grep -v -e '\.bin$' -e '-README.txt$')"
}

# alone FILE: prints the path of a link to a part of a stream, by which it is read without the other parts.
alone() {
    mkdir -p alone
    alone_link=alone/$(basename "$1" | sed 's/warpscope-\([0-9]*\)-*/p\1-/')
    ln -sf "$PWD/$1" "$alone_link"
    echo "$alone_link"
}
