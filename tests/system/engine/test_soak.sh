#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Random configurations: every parallel run must commit the same events and end in the same states as the
# sequential run of the same model. Where one differs, fails or hangs, the commands are printed.
#
#   WS_SOAK_SECONDS   duration, default 600
#   WS_SOAK_MODELS    ends after so many sequential runs, if not earlier
#   WS_SOAK_PARALLEL  parallel runs for each sequential one, default 5
#   WS_TEST_SEED      repeats the configurations of this seed, which is printed at the start
# test: processors=2 timeout=1500 labels=long
. "$WS_SRC/tests/support/lib.sh"
. "$WS_SRC/tests/support/random.sh"

seconds=${WS_SOAK_SECONDS:-600}
models_most=${WS_SOAK_MODELS:-1000000}
parallel_runs=${WS_SOAK_PARALLEL:-5}
failures_max=3  # then the soak ends: a hang takes long to detect
# Approximate number of GVT computations in one run: each waits for a processor on every rank.
[ "$seconds" -ge 100 ] && rounds_max=4000 || rounds_max=1000
patience_s=300  # for one run; even on a slow machine a run should need less than a tenth of it
[ "$WS_SANITIZE" = 0 ] || patience_s=600

# calculate FORMAT EXPRESSION
calculate() {
    awk "BEGIN { printf \"$1\", ($2) }"
}

# ---- Models: options that sequential and parallel runs share -------------------------------------
# Each sets program, model (options), total_lps (0: the model divides them itself), lookahead (of the
# conservative scheduler; 0: not possible), ties (how many times the pending events may be alive at one
# instant, because GVT does not pass chains of events at one time), tied (whether all events are at
# few times) and windows (of the conservative scheduler until the end).

any_seed() {
    choose no no yes
    [ $chosen = yes ] || return 0
    for i in 1 2 3 4; do
        random 100000
        model="$model --rng-seed$i=$((random + 1))"
    done
}

phold_destinations() {
    choose 0 0.01 0.1 0.5 0.9 1
    model="$model --remote=$chosen"
    choose 0 0 0 0 1 $((total_lps / 12)) $((total_lps / 2)) $total_lps
    hot_lps=$chosen
    active_lps=$((hot_lps > 0 ? hot_lps : total_lps))
    model="$model --hot-lps=$hot_lps"
}

# The end time is chosen for about this number of events.
phold_times() {
    choose 0 0.001 0.01 0.1 0.5 1
    lookahead=$chosen ties=1 tied=no
    choose spread spread same close
    case $chosen-$lookahead in
    same-0*[1-9] | same-1) mean=$lookahead tied=yes ;;
    close-0*[1-9] | close-1) mean=$(calculate %.6g "$lookahead * 1.5") ;;
    *) mean=1 ;;
    esac
    choose 3000 20000 20000 150000
    [ "$WS_SANITIZE" = 0 ] || chosen=$((chosen / 10))
    end=$(calculate %.6g "$chosen * $mean / ($active_lps * $start) + 2 * $mean")
    windows=0
    [ "$lookahead" = 0 ] || windows=$(calculate %.0f "$end / $lookahead")
    model="$model --lookahead=$lookahead --mean=$mean --end=$end"
}

model_phold() {
    program=$WS_BIN/phold
    choose 1 2 10 50 300 1000 1000
    total_lps=$((12 * chosen))
    choose 1 1 2 5 16
    start=$chosen
    model="--start-events=$start"
    phold_destinations
    phold_times
    choose 0 0 0 1
    model="$model --stagger=$chosen"
    choose 8 8 257 1000 2001 4096
    [ $((chosen * active_lps * start)) -lt 30000000 ] || chosen=8
    model="$model --payload=$chosen"
    any_seed
}

# Steps of half a unit, chains of events at one time, priorities, saved states, output.
model_chaos() {
    program=$WS_TEST_BIN/chaos total_lps=0 lookahead=0.5 windows=100 ties=20 tied=yes end=50 hot_lps=0
    choose 12 60 120
    model="--lps=$chosen"
    choose 1 3 6
    model="$model --walkers=$chosen"
    any_seed
}

model_netsim() {
    program=$WS_BIN/netsim total_lps=0 lookahead=1 windows=1000 ties=3 tied=no end=0.005 hot_lps=0
    choose '' '--access-rate=0 --access-delay=0' '--buffer=20000 --load=1.5'
    case $chosen in *access-delay=0) ties=20 ;; esac # chains at one time, whose events store their number
    model="--end=0.005 --hosts=3 $chosen"
    any_seed
}

# Events that create many others; one time unit has as many events as LPs times those of each.
model_burst() {
    program=$WS_TEST_BIN/burst lookahead=0.125 ties=1 tied=no hot_lps=0
    choose 1 10 100 100
    total_lps=$((12 * chosen))
    choose 5 20 100 100
    fan=$chosen
    choose 0 0 1
    [ $chosen = 0 ] || tied=yes
    model="--fan=$fan --tied=$chosen"
    choose 20000 60000 200000
    [ "$WS_SANITIZE" = 0 ] || chosen=$((chosen / 10))
    end=$(calculate %.0f "2 + $chosen / ($total_lps * $fan)")
    windows=$((end * 8))
    model="$model --end=$end"
    any_seed
}

# ---- Options of parallel runs ------------------------------------------------------------------

any_scheduler() {
    choose 2 3 3 3 5
    synch=$chosen
    if [ "$synch" = 2 ] && { [ "$lookahead" = 0 ] || [ "$windows" -gt 4000 ]; }; then
        synch=3
    fi
    run="--synch=$synch"
    choose 1 4 16 300 100000
    [ $synch != 5 ] || choose 1 3 20
    interval=$chosen
    choose 1 2 16 16 100 1000
    batch=$chosen
    share=$ranks
    [ "$hot_lps" = 0 ] || share=1
    while [ $((sequential_events / (share * interval * batch))) -gt $rounds_max ]; do
        batch=$((batch * 4))
    done
    run="$run --gvt-interval=$interval --batch=$batch"
    choose 1 2 3 16 16 100 4096
    run="$run --nkp=$chosen"
}

# Sometimes a fixed horizon of optimism, as a fraction of the run, from narrow to none.
any_optimism() {
    choose '' '' '' '' "1 / $rounds_max" 0.0025 0.05 5e7
    [ -z "$chosen" ] || run="$run --max-opt-lookahead=$(calculate %.6g "$chosen * $end")"
}

# Sometimes little more memory than the rank's part of the sequential run's. That is all of it if the LPs with
# events are on one rank. Less than 1.2 times that may not suffice. More often if the sequential run took
# much: limits are whole MiB, and generous to small models.
any_memory_limit() {
    limit_mib=0
    choose no no yes
    [ "$sequential_bytes" -lt 2000000 ] || choose no yes yes
    [ $chosen = yes ] || return 0
    part=$ranks
    [ "$hot_lps" = 0 ] || part=1
    choose 13 16 30
    [ "$program" != "$WS_TEST_BIN/burst" ] || choose 16 20 30 # a burst is created before the next GVT
    limit_mib=$((1 + sequential_bytes * ties * chosen / (part * 10 * 1048576)))
    run="$run --max-memory=$limit_mib"
}

# Slows some ranks down without changing an event.
any_load() {
    choose no no yes
    [ $limit_mib -eq 0 ] || choose no yes yes # fast ranks reach their limit
    if [ $chosen = yes ]; then
        random $ranks
        case ${program##*/} in
        phold) choose all $random $random ;;
        burst) chosen=$random ;;
        *) chosen= ;;
        esac
        [ -z "$chosen" ] || run="$run --work=500 --slow-rank=$chosen"
    fi
    choose no no no no no no yes
    [ $chosen = no ] || run="$run --event-trace=1 --enable-gvt-stats=1 --disable-output"
    choose auto mpi shm
    run="$run --transport=$chosen"
    choose 0 1 2
    [ "$program" != "$WS_TEST_BIN/chaos" ] || run="$run --mapping=$chosen"
}

# ---- Running -----------------------------------------------------------------------------------

# run_soak COMMAND...: one run with a time limit; its status goes to status, its fingerprints to prints. Keeps
# the command that took longest.
run_soak() {
    rm -f run.json
    run_began=$(date +%s)
    timeout -k 10 $patience_s "$@" >last.out 2>last.err </dev/null
    status=$?
    run_took=$(($(date +%s) - run_began))
    if [ $run_took -ge $longest_s ]; then
        longest_s=$run_took
        longest="$*"
    fi
    prints='no report'
    [ ! -s run.json ] || prints="$(json_get run.json net_events)/$(
        json_get run.json committed_fingerprint)/$(json_get run.json state_fingerprint), $(
        json_get run.json run_end)"
}

# explain WHAT COMMAND...: prints a failed run and how to repeat it.
explain() {
    what=$1
    shift
    fail "$what"
    echo "    parallel:   $*"
    echo "    sequential: $sequential"
    tail -n 5 last.err | cut -c -300 | sed 's/^/    /'
}

sequential_run() {
    nlp=
    [ $total_lps -eq 0 ] || nlp="--nlp=$total_lps"
    sequential="$program --synch=1 $nlp $model --fingerprint --quiet --report-json=run.json"
    # shellcheck disable=SC2086 # options are words
    run_soak $sequential
    assertions=$((assertions + 1))
    wanted=$prints
    if [ $status -ne 0 ]; then
        explain "sequential run: status $status"
        return 1
    fi
    sequential_events=$(json_get run.json net_events)
    sequential_bytes=$(($(json_get run.json memory.events_allocated) *
        $(json_get run.json sizeof.event_with_model)))
    count sequential
}

parallel_run() {
    choose 1 2 2 3 4
    ranks=$chosen nlp=
    any_scheduler
    any_optimism
    any_memory_limit
    any_load
    [ $total_lps -eq 0 ] || nlp="--nlp=$((total_lps / ranks))"
    set -- "$WS_MPIEXEC" -n "$ranks" "$program" $run $nlp $model --fingerprint --quiet \
        --report-json=run.json
    run_soak "$@"
    assertions=$((assertions + 1))
    if [ $status -eq 124 ] || [ $status -eq 137 ]; then
        explain "hangs: not at its end after $patience_s s" "$@"
    elif [ $status -ne 0 ]; then
        explain "status $status" "$@"
    elif [ "$prints" != "$wanted" ]; then
        explain "did $prints instead of $wanted" "$@"
    fi
    count_run
}

# ---- Summary -----------------------------------------------------------------------------------

count() {
    printf '%s\n' "$@" >>kinds.txt
}

# At its limit: the run that took nearly all of its memory.
count_run() {
    count parallel "$ranks ranks" "${program##*/}"
    for word in $run; do
        case $word in
        --synch=* | --nkp=* | --batch=* | --transport=* | --event-trace=*) count "$word" ;;
        --max-opt-lookahead=*) count 'fixed optimism' ;;
        --slow-rank=*) count 'with work' ;;
        esac
    done
    case $model in *--rng=fast*) count --rng=fast ;; esac
    [ $tied = no ] || count 'all ties'
    [ $limit_mib -gt 0 ] || return 0
    count 'limited memory'
    [ -s run.json ] || return 0
    [ $(($(json_get run.json memory.events_allocated) *
        $(json_get run.json sizeof.event_with_model) * 10 / 7)) -lt \
        $((limit_mib * ranks * 1048576)) ] || count 'limited memory, at its limit'
}

echo "$seconds s of random configurations, WS_TEST_SEED=$seed"
stop_at=$(($(date +%s) + seconds))
longest_s=0 longest=

# At least one parallel run, even if the first one takes all the time.
goes_on() {
    [ $failures -lt $failures_max ] && { [ "$(date +%s)" -lt $stop_at ] || [ "$runs" -eq 0 ]; }
}

: >kinds.txt
# Two models of three are phold, the others take turns.
models=0
while [ "$(date +%s)" -lt $stop_at ] && [ $failures -lt $failures_max ] && [ $models -lt "$models_most" ]; do
    case $((models % 9)) in
    1) model_burst ;;
    3) model_chaos ;;
    5) model_netsim ;;
    *) model_phold ;;
    esac
    models=$((models + 1))
    choose clcg4 clcg4 fast
    model="$model --rng=$chosen"
    sequential_run || continue
    runs=0
    while [ $runs -lt $parallel_runs ] && goes_on; do
        parallel_run
        runs=$((runs + 1))
    done
done
echo "The longest run took $longest_s s: $longest"
echo "Runs by kind:"
LC_ALL=C sort kinds.txt | uniq -c | awk '{ n = $1; $1 = ""; printf "%8d %s\n", n, $0 }'
finish
