# SPDX-License-Identifier: BSD-3-Clause
# watch.sh - runs that go on until a test ends them, for tests of "warpscope top". Source it after lib.sh.

warpscope=$WS_BIN/warpscope
live=

# live_start DIR END OPTIONS...: starts PHOLD on one rank, recorded in DIR, until virtual time END. Sets live,
# its process. Ends it if the test ends.
live_start() {
    live_dir=$1 live_end=$2
    shift 2
    "$WS_BIN/phold" --nlp=64 --nkp=4 --lookahead=0.1 --synch=3 --quiet --end="$live_end" \
        --real-time-samp=50 --kp-data=1 --stats-path="$live_dir" "$@" >live.out 2>&1 &
    live=$!
}

live_kill() {
    [ -z "$live" ] || kill -CONT "$live" 2>/dev/null
    [ -z "$live" ] || kill -KILL "$live" 2>/dev/null
    wait "$live" 2>/dev/null
    live=
}

watcher=
watch_end() {
    live_kill
    [ -z "$watcher" ] || kill "$watcher" 2>/dev/null
}
trap watch_end EXIT

# top_json DIR OPTIONS...: the state as JSON in top.json, its status in top_status.
top_json() {
    "$warpscope" top --once --json "$@" >top.json 2>top.err
    top_status=$?
}

# top_says PATH OP NUMBER DIR: succeeds if the state has such a number.
top_says() {
    top_json "$4"
    is_num "$(json_get top.json "$1")" "$2" "$3"
}

# top_state WORD DIR
top_state() {
    top_json "$2"
    [ "$(json_get top.json state)" = "$1" ]
}
