# SPDX-License-Identifier: BSD-3-Clause
# For tests of runs with little event memory, which compare runs without and with a limit.
# shellcheck disable=SC2016 # repeat_until evaluates its condition

mib=1048576

# run_limit RANKS PROGRAM OPTIONS...: sets prints (numbers that equal runs share) and bytes (the maximum of
# event memory, over all ranks).
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

# run_unlimited RANKS OPTIONS...: without a limit; ranks run as far ahead as they can, which depends on
# whether each has a core.
run_unlimited() {
    run_phold "$@" --max-opt-lookahead=1e9
    assert_eq "unlimited run of $*" "$wanted" "$prints"
    assert_eq "turns held back, unlimited" 0 "$(json_get run.json counters.turns_held_back)"
    tenth_mib=$((bytes / 10 / $1 / mib)) # per rank, rounded down
}

# run_limited RANKS OPTIONS...: with a tenth of that memory.
run_limited() {
    run_phold "$@" --max-memory="$tenth_mib"
    assert_eq "run of $* with $tenth_mib MiB" "$wanted" "$prints"
    assert_num "bytes of event memory of $* with $tenth_mib MiB" \
        "$(json_get run.json memory.event_bytes_peak)" '<=' $((tenth_mib * mib * $1))
    held_back=$(json_get run.json counters.turns_held_back)
}

# check RANKS LPS WORK OPTIONS...: rank 0 works, so that the other ranks run far ahead of it.
check() {
    ranks=$1 lps=$2 work="--work=$3 --slow-rank=0"
    shift 3
    run_phold 1 --synch=1 --nlp="$lps" "$@"
    wanted=$prints least_bytes=$bytes
    least_mib=$((least_bytes * 13 / 10 / ranks / mib + 1)) # for the first events, and something to run with
    assert_num "net events of $*" "${prints%% *}" '>' 100000

    # shellcheck disable=SC2086 # options are words
    set -- --synch=3 --nlp=$((lps / ranks)) $work "$@"
    repeat_until '[ $tenth_mib -ge $least_mib ]' run_unlimited "$ranks" "$@"
    echo "$* on $ranks ranks: $((least_bytes / mib)) MiB one after another," \
        "$((bytes / mib)) MiB without limit; now $tenth_mib MiB for each rank"
    assert_num "a tenth of the memory without limit, in whole MiB per rank" "$tenth_mib" '>=' "$least_mib"
    [ "$tenth_mib" -ge "$least_mib" ] || return

    run_limited "$ranks" "$@" --max-opt-lookahead=0
    repeat_until '[ "$held_back" -gt 0 ]' run_limited "$ranks" "$@" --max-opt-lookahead=1e9
    assert_num "turns held back with $tenth_mib MiB" "$held_back" '>' 0
}

# check_ties RANKS LPS: all events are at four times. Each rank has little more memory than its part of the
# pending events takes, so GVT must pass a part of an instant.
check_ties() {
    ranks=$1 lps=$2
    set -- --lookahead=1 --mean=1 --remote=1 --start-events=16 --end=4
    run_phold 1 --synch=1 --nlp="$lps" "$@"
    wanted=$prints
    tight_mib=$((bytes * 13 / 10 / ranks / mib))
    run_phold "$ranks" --synch=3 --nlp=$((lps / ranks)) --max-memory=$tight_mib "$@"
    assert_eq "run of $* on $ranks ranks with $tight_mib MiB" "$wanted" "$prints"
}

# check_bursts RANKS LPS WORK PERCENT OPTIONS...: the number of pending events grows to a hundred times as
# many at one instant. Each rank has this percentage of its part of the sequential run's memory, and a MiB.
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

# check_full RANKS LPS FAN MIB OPTIONS...: the ranks have little more space than the pending events take, and
# one event creates as many as a rank has space for. The run must continue, without a GVT computation for each
# event.
check_full() {
    ranks=$1 lps=$2 fan=$3 limit_mib=$4
    shift 4
    run_limit 1 "$WS_TEST_BIN/burst" --synch=1 --nlp="$lps" --fan="$fan" "$@"
    wanted=$prints
    assert_num "MiB that bursts take, with the limits of all ranks" "$bytes" '>' $((limit_mib * ranks * mib * 2 / 3))
    run_limit "$ranks" "$WS_TEST_BIN/burst" --synch=3 --nlp=$((lps / ranks)) --fan="$fan" --max-memory="$limit_mib" "$@"
    assert_eq "bursts of $fan $* on $ranks ranks with $limit_mib MiB" "$wanted" "$prints"
    assert_num "GVT computations of bursts of $fan $* on $ranks ranks with $limit_mib MiB" \
        "$(json_get run.json counters.gvt_rounds)" '<' $((net / 8))
    assert_num "bytes of event memory of bursts of $fan $* with $limit_mib MiB" \
        "$(json_get run.json memory.event_bytes_peak)" '<=' $((2 * limit_mib * mib * ranks))
}

# check_first RANKS: a limit too small for the first events of the LPs is refused. The limit that the message
# proposes is enough for them.
check_first() {
    phold_ranks=$1
    set -- --nlp=$((48000 / phold_ranks)) --start-events=1 --end=2 --lookahead=0.1 --quiet
    assert_status "too many first events on $phold_ranks ranks" 2 run_mpi "$phold_ranks" "$WS_BIN/phold" \
        --synch=3 --max-memory=1 "$@"
    assert_contains "first events on $phold_ranks ranks" last.err 'the LPs begin with'
    least_mib=$(sed -n 's/.*; give at least \([0-9]*\).*/\1/p' last.err)
    assert_num "least --max-memory for first events" "$least_mib" '>=' $((40000 * 128 / phold_ranks / mib))
    assert_ok "as much memory as proposed" run_mpi "$phold_ranks" "$WS_BIN/phold" --synch=3 \
        --max-memory="$least_mib" "$@"
    assert_ok "as much memory as proposed, sequential" run_mpi 1 "$WS_BIN/phold" --synch=1 \
        --max-memory="$least_mib" "$@" --nlp=$((48000 / phold_ranks))
}

# check_first_sent SCHEDULER: the same if the events come from another rank, which has room for its own.
check_first_sent() {
    set -- --synch="$1" --nlp=100 --first=200 --fan=1 --end=3 --quiet
    assert_status "too many first events for another rank, $1" 2 run_mpi 2 "$WS_TEST_BIN/burst" --max-memory=1 "$@"
    assert_contains "first events for another rank, $1" last.err 'the LPs begin with 20100 events'
    least_mib=$(sed -n 's/.*; give at least \([0-9]*\).*/\1/p' last.err)
    assert_num "least --max-memory for first events of another rank" "$least_mib" '>=' $((20100 * 128 / mib))
    assert_ok "as much memory as proposed, $1" run_mpi 2 "$WS_TEST_BIN/burst" --max-memory="$least_mib" "$@"
}

# check_spread RANKS LPS FAN MIB: bursts that exceed a rank's part of the space if they all go to one rank,
# but that go to all ranks. This must not take a GVT computation for every event.
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

# choose WORDS...: sets chosen to one of them, drawn from $draws.
choose() {
    draws=$(((draws * 1103515245 + 12345) % 2147483648))
    shift $((draws / 65536 % $#))
    chosen=$1
}

# choose_model RANKS: sets model, lps (on all ranks), and model_options; lps is empty if an option sets it.
choose_model() {
    lps=
    choose burst burst chaos netsim phold
    model=$WS_BIN/$chosen
    case $chosen in
    burst)
        model=$WS_TEST_BIN/burst
        choose 10 100 500 1000 2000
        model_options="--fan=$chosen --nlp="
        lps=$((24000 / chosen / $1 * $1))
        [ "$lps" -gt $((40 * $1)) ] && lps=$((40 * $1))
        [ "$lps" -gt 0 ] || lps=$1
        choose 0 1
        model_options="--tied=$chosen --end=3 $model_options"
        ;;
    chaos)
        model=$WS_TEST_BIN/chaos
        choose 3 20
        model_options="--lps=$(($1 * 5)) --walkers=$chosen --end=5"
        choose 0 1 2
        model_options="$model_options --mapping=$chosen"
        ;;
    netsim)
        choose 0 1e-4
        model_options="--end=0.004 --hosts=2 --access-delay=$chosen"
        ;;
    phold)
        choose 0.01 0.3 1
        model_options="--end=10 --remote=$chosen"
        choose 0 0.1 1
        model_options="$model_options --lookahead=$chosen"
        choose 1 4
        model_options="$model_options --start-events=$chosen"
        choose 8 100 1000
        model_options="$model_options --payload=$chosen --nlp="
        choose 16 64
        lps=$(($1 * chosen))
        ;;
    esac
}

# choose_engine: sets engine_options.
choose_engine() {
    engine_options=
    for option in batch:1:100:1000 gvt-interval:1:16:1000 max-opt-lookahead:0.5:1e9 nkp:1:64 \
        transport:mpi:auto random-rollbacks:3:30; do
        choose no no yes
        if [ "$chosen" = yes ]; then
            # shellcheck disable=SC2046 # the values are words
            choose $(echo "${option#*:}" | tr : ' ')
            engine_options="$engine_options --${option%%:*}=$chosen"
        fi
    done
}

# check_random NUMBER: a run with random parameters from this seed. Its ranks together have the memory of a
# sequential run. If the model's events are spread evenly, each has an equal part and half as much again.
check_random() {
    draws=$(($1 * 7919))
    choose 2 2 3 4 6 8
    ranks=$chosen
    choose_model "$ranks"
    choose_engine
    # shellcheck disable=SC2086 # options are words
    run_limit 1 "$model" --synch=1 $model_options${lps:+$lps}
    wanted=$prints
    limit_mib=$((bytes / mib + 1))
    case $model in
    *burst) limit_mib=$((bytes * 3 / 2 / ranks / mib + 1)) ;;
    esac
    # shellcheck disable=SC2086
    run_limit "$ranks" "$model" --synch=3 $model_options${lps:+$((lps / ranks))} \
        --max-memory=$limit_mib $engine_options
    assert_eq "run $1: ${model##*/} $model_options${lps:+$((lps / ranks))} on $ranks ranks with $limit_mib MiB \
$engine_options" "$wanted" "$prints"
}
