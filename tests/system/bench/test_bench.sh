#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# The benchmark programs run and print the expected rows, in tiny sizes; speeds are not tested. The bare loop
# simulates PHOLD: it must execute as many events as phold.
. "$WS_SRC/tests/support/lib.sh"

[ -x "$WS_BIN/bench_phold_limit" ] || skip "built without the benchmark programs"
export MPIEXEC=$WS_MPIEXEC
mkdir tmp
export TMPDIR=$PWD/tmp

# rows FILE PATTERN: number of lines that match.
rows() {
    grep -cE -e "$2" "$1"
}

# same_count NAME PHOLD-LPS OPTIONS...: compares phold and the bare loop, with and without history.
same_count() {
    count_lps=$1
    shift
    assert_ok "phold --nlp=$count_lps $*" "$WS_BIN/phold" --synch=1 --quiet --nlp="$count_lps" \
        "$@" --report-json=phold.json
    count_expected=$(json_get phold.json net_events)
    for history in 0 1; do
        assert_ok "limit --lps=$count_lps $*" "$WS_BIN/bench_phold_limit" --lps="$count_lps" "$@" \
            --runs=1 --check --history=$history --json
        assert_eq "events with --lps=$count_lps --history=$history $*" "$count_expected" \
            "$(json_get last.out 0.net_events)"
    done
}

# From one LP, where the calendar has days without events, to more events than the days of a year can hold.
# Many events of few LPs, so that the order of any two matters. Without lookahead, when successors fall into
# the same day, and with so much of it that days are crowded.
same_count 1 --remote=0.5 --lookahead=0.1 --end=1000
same_count 1024 --remote=0.1 --lookahead=0.1 --end=100
same_count 20000 --remote=0.5 --lookahead=0.1 --end=20
same_count 2 --remote=0.5 --lookahead=0 --end=50 --start-events=3000
same_count 1 --remote=1 --lookahead=0 --end=1000 --start-events=20
same_count 4 --remote=0.25 --lookahead=0.95 --end=30 --start-events=500
same_count 300 --remote=0.25 --lookahead=1 --end=3000 --mean=1000

# The table of the bare loop.
assert_ok "limit" "$WS_BIN/bench_phold_limit" --lps=10,1000 --events=20000 --runs=2
assert_eq "head of the limit" 1 "$(rows last.out '^ *LPs +events +seconds +events/s +ns/event$')"
assert_eq "rows of the limit" 2 "$(rows last.out '^ +10+ +20[0-9]{3} +[0-9.]+ +[0-9]+ +[0-9.]+$')"

# The bus: the cost of its operations beside the targets, the cost of the machine's own operations, and the
# projection, which follows from the last row.
assert_ok "bus" "$WS_BIN/bench_bus" --quick
decimal='[0-9]+\.[0-9]{2}'
assert_eq "rows of the bus with a goal" 8 \
    "$(rows last.out "^[a-z].* +[0-9]+ +$decimal +$decimal +$decimal +([0-9]+|-)\$")"
assert_eq "rows that XPTI documents" 7 "$(rows last.out "^[a-z].* +$decimal +[0-9]+\$")"
assert_eq "rows of the machine" 4 "$(rows last.out '^(a|plain) [a-z'"'"' ]+ +[0-9.]+ +[0-9.]+$')"
assert_eq "rows of the projection" 4 "$(rows last.out '^ +(10|100|500|1000) +[0-9]+$')"
assert_eq "records in 1 % of the time" 4 "$(awk '
    /made and visited, a/ { visit = $(NF - 3) }
    /^ +(10|100|500|1000) / { rate = 1e7 / (visit + $1); right += (($2 - rate) / rate) ^ 2 < 1e-6 }
    END { print right + 0 }' last.out)"
assert_eq "no line is too long" 0 "$(rows last.out '^.{81}')"
# With XPTI's options: the cost of points is spread over their visits, for several shares of the time, and the
# reverse computation.
assert_ok "projection" "$WS_BIN/bench_bus" --quick --trace-points=50 --tp-frequency=2 \
    --overhead=0.5,1,2.5 --rate=100000
assert_contains "visits" last.out '50 points are made and visited 2500 times: '
assert_eq "overheads" 1 "$(rows last.out ' 0.5 % +1 % +2.5 %$')"
assert_eq "rates and overheads that agree" 4 "$(awk '
    /times: / { visit = $9 }
    /^ +(10|100|500|1000) / && NF == 4 { rate[$1] = $3
        right[$1] = ($2 * 2 - $3) ^ 2 <= 4 && ($4 - $3 * 2.5) ^ 2 <= 4 &&
            ($3 - 1e7 / (visit + $1)) ^ 2 < (1e-3 * $3) ^ 2 }
    /^ +(10|100|500|1000) / && NF == 2 { n += right[$1] && ($2 - 1e5 / rate[$1]) ^ 2 < (0.01 * $2) ^ 2 }
    END { print n + 0 }' last.out)"
for bad in --trace-points=9 --trace-points=100001 --tp-frequency=0 --tp-frequency=101 --overhead=0 \
    --overhead=1,,2 --overhead=1, --overhead=101 --overhead=one; do
    assert_status "$bad" 2 "$WS_BIN/bench_bus" --quick "$bad"
    assert_contains "what is wrong with $bad" last.err "${bad%%=*}"
done

# The bus for threads: each operation by one thread, and by all at once.
assert_ok "threads" "$WS_BIN/bench_bus" --quick --num-threads=3
assert_eq "rows of threads" 6 "$(rows last.out "^[a-z].*( +$decimal){3}\$")"
assert_contains "threads" last.out '3 threads, the least of 3 turns.'
assert_status "too many threads" 2 "$WS_BIN/bench_bus" --num-threads=257
assert_contains "too many threads" last.err '--num-threads=257: must be a whole number from 1 to 256'

# Records inside handlers: the cost of emitting and delivering, for each set of subscribers.
for synch in 1 3; do
    assert_ok "emit --synch=$synch" "$WS_BIN/bench_emit" --quick --turns=1 --synch=$synch --records=3
    assert_eq "rows of records" 6 \
        "$(rows last.out '^(no subscriber|[12] (speculative|committed)|1 of each)  .* [0-9]+\.[0-9]{2}$')"
    assert_eq "head of records" 1 "$(rows last.out '^subscribers .* of run$')"
done
assert_status "emit --synch=4" 2 "$WS_BIN/bench_emit" --synch=4
assert_status "emit --records=0" 2 "$WS_BIN/bench_emit" --records=0

# All variants of a cell, with their ratios.
assert_ok "table" "$WS_BIN/bench_phold_table" --cells=1 --runs=1 --seconds=0.01
assert_eq "rows of the table" 6 "$(rows last.out '^ +2048 +0\.10 +1  [a-z]+ +[12] +[0-9]+\.')"
assert_eq "its ratios" 1 "$(rows last.out '^ +2048 +0\.10 +1 ( +[0-9]+\.[0-9]{2}){5}$')"
assert_eq "optimistic rows" 2 "$(rows last.out ' optimistic +[12] .* [0-9.]+% +[0-9]+$')"
assert_eq "no line is too long" 0 "$(rows last.out '^.{81}')"

# Modes of instrumentation, with the cost of a record; their files are removed.
assert_ok "instrumentation" "$WS_BIN/bench_instrumentation" --models=phold,netsim --ranks=1 --runs=1 \
    --seconds=0.02 --lps=128 --modes="plain;gvt;committed;subscriber"
assert_eq "rows of modes" 2 "$(rows last.out '^(phold|netsim) +1  off +[0-9.]+ +1\.000 +1\.000$')"
assert_eq "a model built without" 1 "$(rows last.out '^phold +1  plain( +[0-9.]+){3}$')"
assert_eq "told of all commits" 2 "$(rows last.out '^(phold|netsim) +1  subscriber( +[0-9.]+){3}$')"
assert_eq "rows with records" 4 \
    "$(rows last.out '^(phold|netsim) +1  (gvt|committed) +([0-9.]+ +){5}-?[0-9.]+$')"
assert_eq "no line is too long" 0 "$(rows last.out '^.{81}')"
assert_eq "directories left" "" "$(ls -A tmp)"

# Sealing, beside four other ways to process records, and the bytes of each column.
assert_ok "records to seal" "$WS_BIN/phold" --synch=1 --quiet --nlp=64 --end=10 --event-trace=1 \
    --stats-path=records
assert_ok "seal" "$WS_BIN/bench_seal" --runs=2 --file=records/warpscope-evtrace.bin
assert_eq "rows of sealing" 5 "$(rows last.out '^(copy|hash|lz4|seal|read)( +[0-9.]+){2,3}$')"
assert_eq "rows of columns" 14 "$(rows last.out '^[a-z_]+ +[0-9.]+(  [a-z0-9]+ [0-9.]+)+$')"
assert_status "nothing to seal" 1 "$WS_BIN/bench_seal" --file=records/none.bin

if [ -x "$WS_BIN/bench_ptx" ]; then
    assert_ok "PTX" "$WS_BIN/bench_ptx" --megabytes=1 --runs=1
    assert_eq "rows of PTX" 2 "$(rows last.out '^parse( and rewrite)? +[0-9.]+ MB/s$')"
fi

# Rounds, readings of the processor's times, then intervals.
assert_ok "gvt" "$WS_BIN/bench_gvt" --ranks=1,2 --intervals=4,64 --runs=1 --seconds=0.02 \
    --lps=128
assert_eq "rounds" 2 "$(rows last.out '^ +[12]( +[0-9]+\.[0-9]{2}){3}$')"
assert_eq "readings" 2 "$(rows last.out '^[a-z, ]+ +[0-9]+\.[0-9]{3} +1000?/s +[0-9.]+%$')"
assert_eq "intervals" 4 "$(rows last.out '^ +[12] +(4|64) +[0-9]+ +[0-9.]+ +[0-9.]+% +[01]\.')"
assert_num "best" "$(rows last.out ' 1\.00$')" ">=" 2

assert_ok "queue" "$WS_BIN/bench_queue" --largest=2 --operations=20000
assert_eq "rows of the queue" 5 "$(rows last.out '^[a-z-]+ +100( +[0-9]+\.[0-9]+){3}$')"

# Operations of both generators, then variants of one.
assert_ok "rng" "$WS_BIN/bench_rng" --quick
assert_eq "head of the generators" 1 \
    "$(rows last.out '^operation +clcg4 ns +ratio +fast ns +ratio$')"
assert_eq "unit of the generators" 1 "$(rows last.out '^draw +[0-9.]+ +1\.00 +[0-9.]+ +[0-9.]+$')"
assert_eq "operations" 11 "$(rows last.out '^[a-z0-9, ]{20}( +[0-9]+\.[0-9]{2}){4}$')"
assert_eq "versions" 4 "$(rows last.out '^(plain|used): [a-z, ]{13}( +[0-9]+\.[0-9]{2}){2}$')"

# Memory traces of both kinds, by start addresses and by bytes; the trace is removed.
for how in "stencil start" "random bytes"; do
    [ -x "$WS_BIN/bench_memtrace" ] || continue # not in this build
    assert_ok "memtrace $how" "$WS_BIN/bench_memtrace" --records=20000 --addresses=1000 \
        --workload="${how% *}" --match="${how#* }"
    assert_eq "row of memtrace $how" 1 "$(rows last.out "^${how% *} +${how#* }( +[0-9]+){6}\$")"
done
[ ! -x "$WS_BIN/bench_memtrace" ] || assert_status "no such workload" 2 "$WS_BIN/bench_memtrace" --workload=x

# Traces of events: five workloads, with the path of the ring through all events; the traces are removed.
assert_ok "analyze" "$WS_BIN/bench_analyze" --events=2000 --lps=50 --rounds=1
assert_eq "rows of analyze" 5 "$(rows last.out '^[a-z]+ +2000( +[0-9]+){2} +[0-9.]+( +[0-9]+){3}$')"
assert_eq "path of the ring" 1 "$(rows last.out '^ring .* 2000$')"
assert_status "no events" 2 "$WS_BIN/bench_analyze" --events=0

# Rates for five sizes of batches in one and in both directions, then round trips.
assert_ok "transport" run_mpi 2 "$WS_BIN/bench_transport" --quick
assert_eq "rates" 10 "$(rows last.out '^(one way|both ways) +[0-9]+( +[0-9]+\.[0-9]{2}){3}$')"
assert_eq "trips" 1 "$(rows last.out '^ {20}( +[0-9]+\.[0-9]{2}){3}$')"
assert_status "transport on one rank" 2 "$WS_BIN/bench_transport" --quick
assert_contains "what it needs" last.err "needs two ranks"

# Help and invalid options.
for program in phold_limit phold_table gvt queue rng transport instrumentation emit; do
    assert_ok "$program --help" "$WS_BIN/bench_$program" --help
    assert_contains "usage of $program" last.out "usage: bench_$program [--option=value ...]"
    assert_lacks "usage of $program" last.out "arguments of the model"
    assert_eq "help of $program is narrow" 0 "$(rows last.out '^.{81}')"
    assert_status "$program, unknown option" 2 "$WS_BIN/bench_$program" --nonsense=1
    assert_status "$program, argument" 2 "$WS_BIN/bench_$program" 6
done
for wrong in --lps=0 --lps=1,,2 --lps=1x --remote=1.5 --lookahead=2 --start-events=0 --runs=0 \
    --events=0 --mean=0; do
    assert_status "limit $wrong" 2 "$WS_BIN/bench_phold_limit" $wrong
done
assert_status "too many events" 2 "$WS_BIN/bench_phold_limit" --lps=100 --start-events=999999999
assert_contains "the option that is wrong" last.err "--start-events=999999999: "
assert_status "a list that is none" 2 "$WS_BIN/bench_phold_limit" --lps=1x
assert_contains "the list given" last.err "--lps=1x: "
assert_status "a report elsewhere" 2 "$WS_BIN/bench_phold_table" --args="--nkp=3 --report-json=x"
assert_contains "why not" last.err "--args: --report-json is taken"
assert_status "a cell too many" 2 "$WS_BIN/bench_phold_table" --cells=8
assert_status "a mode that is none" 2 "$WS_BIN/bench_instrumentation" --modes="gvt;rt"
assert_contains "which one" last.err "--modes: there is no mode rt"
assert_status "LPs that ranks cannot share" 2 "$WS_BIN/bench_gvt" --lps=15
for program in phold_table gvt; do
    assert_status "$program without phold" 1 "$WS_BIN/bench_$program" --phold=./missing
    assert_contains "$program says what is missing" last.err "./missing: No such file"
    assert_status "$program without a launcher" 1 "$WS_BIN/bench_$program" --launcher=./missing
    assert_contains "$program says what is missing" last.err "--launcher=FILE"
    assert_status "$program, phold fails" 1 "$WS_BIN/bench_$program" --seconds=0.01 --ranks=2 \
        --runs=1 --args=--nkp=0
    assert_contains "$program shows the command" last.err "--nkp=0"
    assert_contains "$program says how it ended" last.err "failed with status 2"
done
assert_eq "files left behind" "" "$(ls tmp)"

# A full disk: one message.
while read -r program options; do
    "$WS_BIN/bench_$program" $options >/dev/full 2>last.err
    assert_eq "status of $program without space" 1 $?
    assert_eq "message of $program" "bench_$program: standard output: No space left on device" \
        "$(cat last.err)"
done <<EOF
phold_limit --lps=10 --events=100 --runs=1
phold_limit --lps=10 --events=100 --runs=1 --json
phold_table --cells=1 --runs=1 --seconds=0.01
phold_hostile --quick --events=1000 --lps=400 --cases=friendly
gvt --ranks=1 --intervals=4 --runs=1 --seconds=0.01 --lps=128
queue --largest=2
rng --quick
transport --help
EOF

# A benchmark that is stopped in any way also stops the programs that it runs. The model needs far more time
# than there is, and prints its process number first.
printf '%s\n' '#!/bin/sh' 'echo $$ >>pids' 'exec "$WS_BIN/phold" "$@" --end=1e12' >endless
chmod +x endless
set -m # otherwise background programs ignore SIGINT

# This test may inherit an ignored SIGINT, from nohup or as a background job of a script. Programs started
# here ignore it then, too, unless it is reset for them.
interruptible= signals='INT TERM KILL'
if [ -n "$(trap -p INT)" ]; then
    if env --default-signal=INT true 2>/dev/null; then
        interruptible='env --default-signal=INT'
    elif command -v python3 >/dev/null; then
        printf '%s\n' 'import os, signal, sys' 'signal.signal(signal.SIGINT, signal.SIG_DFL)' \
            'os.execv(sys.argv[1], sys.argv[1:])' >interruptible.py
        interruptible='python3 -B interruptible.py'
    else
        partly "no env --default-signal and no python3 for SIGINT, which is ignored here"
        signals='TERM KILL'
    fi
fi

# left_running: prints the models that are running; waits at most a minute for their end.
left_running() {
    for _ in $(seq 600); do
        left=$(while read -r pid; do ! kill -0 "$pid" 2>/dev/null || echo "$pid"; done <pids)
        [ -n "$left" ] || break
        sleep 0.1
    done
    echo $left
}

# stopped SIGNAL PROGRAM OPTIONS...: sends the signal to the program alone, while a model runs.
stopped() {
    signal=$1 program=$2
    shift 2
    : >pids
    $interruptible "$WS_BIN/bench_$program" --phold=./endless --runs=1 "$@" >last.out 2>&1 &
    bench=$!
    wait_for "$bench" [ -s pids ]
    kill -s "$signal" "$bench"
    for _ in $(seq 600); do # otherwise it ignored the signal, and the checks below fail
        is_running "$bench" || break
        sleep 0.1
    done
    kill -s KILL "$bench" 2>/dev/null
    wait "$bench" 2>/dev/null
    status=$?
    assert_eq "status of $program after SIG$signal" "$signal" "$(kill -l $status)"
    assert_num "models started by $program" "$(wc -l <pids)" ">=" 1
    assert_eq "models left by $program after SIG$signal" "" "$(left_running)"
}

# Started directly, and by the launcher.
for signal in $signals; do
    stopped $signal phold_table
    stopped $signal gvt --ranks=2 --seconds=0.01
done
assert_eq "files left behind" "" "$(ls tmp | grep -v '^ompi')" # a killed launcher leaves its own

# A model that commits the wrong events on two ranks is refused as a benchmark.
printf '%s\n' '#!/bin/sh' 'exec "$WS_BIN/phold" "$@" --start-events=2' >more
chmod +x more
assert_status "counts that differ" 1 "$WS_BIN/bench_phold_table" --cells=1 --runs=1 --seconds=0.01 \
    --phold=./more
assert_contains "what is wrong" last.err "wrong: sequential with --synch=1 on 1 rank(s) committed"

# Counts of calls; sanitizers do not allow another library before them.
if [ "${WS_SANITIZE:-0}" = 0 ]; then
    CASES=mpi "$WS_SRC/bench/scaling.sh" "$WS_BUILD" 2 >scaling.txt 2>scaling.err
    assert_eq "rows of scaling.sh" 1 "$(rows scaling.txt '^ +2( +[0-9.]+){8}$')"
    assert_eq "reductions per GVT of scaling.sh" 1 "$(rows scaling.txt '^ +2 .* 1\.00 +1\.00 +[0-9]+$')"
fi
# A program in turns beside busy processes: the median of each number that changes, and its noise.
cat >program <<'END'
#!/bin/sh
echo run >>runs
echo "part A2 of 1.50"
echo "rate $(wc -l <runs).25"
END
chmod +x program
assert_ok "beside others" "$WS_SRC/bench/beside.py" --runs=3 --busy=1,2 ./program
assert_eq "runs, and lines that stay" "2 2" "$(rows last.out '^beside [12] busy process(es)?: 3 runs$') $(rows last.out '^part A2 of 1\.50$')"
assert_eq "medians and noise" "rate 3.25   1.25 to 5.25;rate 4.25   2.25 to 6.25" "$(grep rate last.out | paste -sd ';')"
assert_status "unknown option" 1 "$WS_SRC/bench/beside.py" --busy=x ./program
finish
