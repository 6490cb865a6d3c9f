# For the tests of runs with little event memory: runs without and with a limit are compared.
# shellcheck disable=SC2016 # repeat_until evaluates its condition

mib=1048576

# run_limit RANKS PROGRAM OPTIONS...: sets prints (what runs are compared by) and bytes (the most that
# events took, on all ranks).
run_limit() {
    run_model "$@"
    prints="$net $events $states"
    bytes=$(($(json_get run.json memory.events_allocated || echo 0) *
        $(json_get run.json sizeof.event_with_model || echo 0)))
}

run_phold() {
    phold_ranks=$1
    shift
    run_limit "$phold_ranks" "$WS_BIN/phold" "$@"
}

# run_unlimited RANKS OPTIONS...: as far ahead as it goes, which is up to when each rank has a core.
run_unlimited() {
    run_phold "$@" --max-opt-lookahead=1e9
    assert_eq "unlimited run of $*" "$wanted" "$prints"
    assert_eq "turns held back, unlimited" 0 "$(json_get run.json counters.turns_held_back)"
    tenth_mib=$((bytes / 10 / $1 / mib)) # per rank, rounded down
}

# run_limited RANKS OPTIONS...: with a tenth of that.
run_limited() {
    run_phold "$@" --max-memory="$tenth_mib"
    assert_eq "run of $* with $tenth_mib MiB" "$wanted" "$prints"
    assert_num "bytes of event memory of $* with $tenth_mib MiB" \
        "$(json_get run.json memory.event_bytes_peak)" '<=' $((tenth_mib * mib * $1))
    held_back=$(json_get run.json counters.turns_held_back)
}

# check RANKS LPS WORK OPTIONS...: rank 0 does the work, so that the others run far ahead of it.
check() {
    ranks=$1 lps=$2 work="--work=$3 --slow-rank=0"
    shift 3
    run_phold 1 --synch=1 --nlp="$lps" "$@"
    wanted=$prints least_bytes=$bytes
    assert_num "net events of $*" "${prints%% *}" '>' 100000

    # shellcheck disable=SC2086 # options are words
    set -- --synch=3 --nlp=$((lps / ranks)) $work "$@"
    repeat_until '[ $tenth_mib -ge 1 ]' run_unlimited "$ranks" "$@"
    echo "$* on $ranks ranks: $((least_bytes / mib)) MiB one after another," \
        "$((bytes / mib)) MiB without limit; now $tenth_mib MiB for each rank"
    assert_num "a tenth of the memory without limit, in whole MiB per rank" "$tenth_mib" '>=' 1
    [ "$tenth_mib" -gt 0 ] || return

    run_limited "$ranks" "$@" --max-opt-lookahead=0
    repeat_until '[ "$held_back" -gt 0 ]' run_limited "$ranks" "$@" --max-opt-lookahead=1e9
    assert_num "turns held back with $tenth_mib MiB" "$held_back" '>' 0
}

# check_ties RANKS LPS: all events are at four times, and each rank has little more memory than its
# part of the pending events takes: GVT must pass a part of an instant.
check_ties() {
    ranks=$1 lps=$2
    set -- --lookahead=1 --mean=1 --remote=1 --start-events=16 --end=4
    run_phold 1 --synch=1 --nlp="$lps" "$@"
    wanted=$prints
    tight_mib=$((bytes * 13 / 10 / ranks / mib))
    run_phold "$ranks" --synch=3 --nlp=$((lps / ranks)) --max-memory=$tight_mib "$@"
    assert_eq "run of $* on $ranks ranks with $tight_mib MiB" "$wanted" "$prints"
}

# check_bursts RANKS LPS WORK PERCENT OPTIONS...: the events pending become a hundred times as many at
# one instant. Each rank has so much of its part of what the sequential run takes, and a MiB.
check_bursts() {
    ranks=$1 lps=$2 work="--work=$3 --slow-rank=0" percent=$4
    shift 4
    run_limit 1 "$WS_TEST_BIN/burst" --synch=1 --nlp="$lps" "$@"
    wanted=$prints
    limit_mib=$((bytes * percent / 100 / ranks / mib + 1))
    assert_num "MiB that bursts take" $((bytes / mib)) '>=' 40
    # shellcheck disable=SC2086 # options are words
    run_limit "$ranks" "$WS_TEST_BIN/burst" --synch=3 --nlp=$((lps / ranks)) $work \
        --max-memory=$limit_mib "$@"
    assert_eq "bursts $* on $ranks ranks with $limit_mib MiB" "$wanted" "$prints"
    assert_num "bytes of event memory of bursts with $limit_mib MiB" \
        "$(json_get run.json memory.event_bytes_peak)" '<=' $((limit_mib * mib * ranks))
}

# check_spread RANKS LPS FAN MIB: bursts that are too large for a rank's part of the room, if all might go
# to one, but go to all ranks. There is no need to compute GVT for every event.
check_spread() {
    ranks=$1 lps=$2 limit_mib=$4
    set -- --fan="$3" --end=6
    run_limit 1 "$WS_TEST_BIN/burst" --synch=1 --nlp="$lps" "$@"
    wanted=$prints
    run_limit "$ranks" "$WS_TEST_BIN/burst" --synch=3 --nlp=$((lps / ranks)) --max-memory="$limit_mib" "$@"
    assert_eq "bursts $* on $ranks ranks with $limit_mib MiB" "$wanted" "$prints"
    assert_num "GVT computations of bursts $* on $ranks ranks with $limit_mib MiB" \
        "$(json_get run.json counters.gvt_rounds)" '<' $((net / 4))
}
