#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Samples are exact: over all rows of a PE, KP or LP the changes add up to the counters at the end of the run,
# at GVT and by wall clock, under every scheduler, for any granularity. Rows of KPs and LPs add up to those of
# their PE. Then the options, their later names, and contradictions.
# test: timeout=300
# shellcheck disable=SC2016,SC2034,SC2317 # repeat_until evaluates its condition
. "$WS_SRC/tests/support/lib.sh"

phold="$WS_BIN/phold"
netsim="$WS_BIN/netsim"
warpscope="$WS_BIN/warpscope"
small_phold="--nlp=24 --end=30 --lookahead=0.1 --remote=0.5 --start-events=2 --quiet"
small_netsim="--end=0.0008 --quiet"

# run NAME RANKS PROGRAM OPTIONS...: records into NAME, report in NAME.json.
run() {
    run_name=$1
    run_n=$2
    shift 2
    rm -rf "$run_name"
    assert_ok "run $run_name" run_mpi "$run_n" "$@" --stats-path="$run_name" \
        --report-json="$run_name.json"
    cp last.err "$run_name.err"
}

# check_sums NAME MODE: compares all rows of NAME/warpscope-MODE.bin with the END counters of each PE. Prints
# the differences.
check_sums() {
    "$WS_TEST_BIN/end_counters" "$1/warpscope-$2.bin" >ends.csv || echo "no END counters of $1 $2"
    for kind in "$2_pe" "$2_kp" "$2_lp"; do # a missing kind gives an empty file
        "$warpscope" dump "$1/warpscope-$2.bin" --format=csv --type="$kind" >"$kind.csv" 2>/dev/null
    done
    awk -F, -v mode="$2" -v levels="$3" '
        function counter(pe, name) { return end[pe "," name] }
        function value(name) { return name in at ? $(at[name]) : "" }
        FILENAME == "ends.csv" { end[$1 "," $2] = $3; pes[$1] = 1; next }
        FNR == 1 { delete at; for (i = 1; i <= NF; i++) at[$i] = i; next }
        {
            kind = FILENAME; sub(/\.csv$/, "", kind); pe = value("pe"); rows[kind]++
            for (name in at) {
                if ($(at[name]) ~ /^[0-9]+$/) sum[kind "," pe "," name] += $(at[name])
            }
            # Samples are numbered from 0, one row each (per KP; per LP at first, then if it changed), and
            # times are never decreasing.
            who = kind "," pe "," value("kp") "," value("lp")
            skips = kind ~ /_lp$/ && points[who] > 0 && value("sample") > points[who]
            if (value("sample") != points[who] && !skips) print "row out of order: " $0
            points[who] = value("sample") + 1
            if (value("real_time") < real[who]) print "real time goes back: " $0
            if (value("gvt") < gvt[who]) print "GVT goes back: " $0
            real[who] = value("real_time"); gvt[who] = value("gvt")
            if (value("efficiency") !~ /^-?[0-9.e+-]+$/) print "efficiency is no number: " $0
            if (kind ~ /_pe$/) { # 112 bytes are the header of an event
                if (value("event_bytes") < 112 * value("pq_size")) print "too few bytes of events: " $0
                if (value("event_bytes") + value("saved_bytes") > value("allocated_bytes"))
                    print "more in use than allocated: " $0
                if (value("allocated_bytes") < allocated[pe]) print "memory given back: " $0
                allocated[pe] = value("allocated_bytes")
                if (value("event_bytes") > 0 && value("saved_bytes") > 0) print kind >>"memory.txt"
            }
            if (kind ~ /_kp$/ && !(value("time_ahead_gvt") >= 0)) print "behind GVT: " $0
        }
        END {
            n = split("events_processed events_aborted events_rolled_back event_ties " \
                "secondary_rollbacks fossil_collects network_sends network_recvs remote_events " \
                "events_committed anti_sends", same, " ")
            kp = "events_processed events_aborted events_rolled_back secondary_rollbacks " \
                "network_sends network_recvs remote_events total_rollbacks"
            lp = "events_processed events_aborted events_rolled_back network_sends " \
                "network_recvs remote_events"
            cpu = "processor_wall_ns processor_user_ns processor_system_ns processor_lost_ns " \
                "switches_voluntary switches_involuntary page_faults"
            # Findings about whole runs need these.
            n_times = split("processor_wall_ns processor_lost_ns phase_event_processing_ns " \
                "phase_priority_queue_ns", times, " ")
            for (pe in pes) {
                for (i = 1; i <= n_times; i++)
                    if (!((pe "," times[i]) in end)) print "no " times[i] " at the end of PE " pe
                if (!(counter(pe, "processor_wall_ns") > 0)) print "PE " pe " took no time"
                end[pe ",total_rollbacks"] = counter(pe, "primary_rollbacks") + \
                    counter(pe, "secondary_rollbacks")
                if (levels ~ /p/) {
                    for (i = 1; i <= n; i++) compare("_pe", pe, same[i], same[i])
                    compare("_pe", pe, "total_rollbacks", "total_rollbacks")
                    compare("_pe", pe, "num_gvt", "gvt_rounds")
                    compare("_pe", pe, "all_reduce_count", "all_reduces")
                    # The end is read a moment later than the last sample.
                    m = split(cpu, names, " ")
                    for (i = 1; i <= m; i++) within(pe, names[i])
                    if (!(sum[mode "_pe," pe ",processor_wall_ns"] > 0))
                        print mode " of PE " pe ": the samples cover no time"
                }
                m = split(kp, names, " ")
                for (i = 1; i <= m && levels ~ /k/; i++) compare("_kp", pe, names[i], names[i])
                m = split(lp, names, " ")
                for (i = 1; i <= m && levels ~ /l/; i++) compare("_lp", pe, names[i], names[i])
            }
            if ((levels ~ /p/) != (rows[mode "_pe"] > 0)) print "rows of PEs: " rows[mode "_pe"]
            if ((levels ~ /k/) != (rows[mode "_kp"] > 0)) print "rows of KPs: " rows[mode "_kp"]
            if ((levels ~ /l/) != (rows[mode "_lp"] > 0)) print "rows of LPs: " rows[mode "_lp"]
        }
        function within(pe, name,   got) {
            got = sum[mode "_pe," pe "," name]
            if (got == "" || got > counter(pe, name))
                print mode " of PE " pe ": sum of " name " is " got " of " counter(pe, name)
        }
        function compare(level, pe, name, of,   got, want) {
            got = sum[mode level "," pe "," name] + 0
            want = counter(pe, of)
            if (want == "") print "no END counter " of
            if (got != want + 0) print mode level " of PE " pe ": sum of " name " is " got ", not " want
        }' ends.csv "$2_pe.csv" "$2_kp.csv" "$2_lp.csv"
}

# assert_exact NAME MODE LEVELS: LEVELS of p, k, l.
assert_exact() {
    check_sums "$1" "$2" "$3" >wrong.txt 2>&1
    assert_eq "$1: sums of $2, levels $3" "" "$(head -n 5 wrong.txt)"
}

rows_of() { # NAME MODE KIND
    "$warpscope" dump "$1/warpscope-$2.bin" --format=csv --type="$3" 2>/dev/null |
        awk 'END { print (NR > 0 ? NR - 1 : 0) }'
}

# ---- Sums, in every scheduler ----

# every_level NAME RANKS PROGRAM OPTIONS...
every_level() {
    level_name=$1
    run "$@" --enable-gvt-stats=1 --real-time-samp=1 --granularity=1 --nkp=5
    for mode in gvt rt; do
        assert_exact "$level_name" $mode pkl
    done
    assert_ok "verify $level_name" "$warpscope" verify "$level_name"
}
# Each scheduler on 1, 2 and 4 ranks, by one model or the other.
for case in 1:1 1:3 2:2 2:5 4:3 4:5; do
    ranks=${case%%:*}
    synch=${case##*:}
    # shellcheck disable=SC2086 # lists
    every_level "netsim-$ranks-$synch" "$ranks" "$netsim" $small_netsim --synch="$synch"
done
for case in 1:2 1:5 2:3 4:2 4:3; do
    ranks=${case%%:*}
    synch=${case##*:}
    aborted="\$(json_get phold-$ranks-$synch.json counters.events_aborted)"
    [ "$ranks" -gt 1 ] && [ "$synch" = 3 ] && least=1 || least=0
    # shellcheck disable=SC2086
    repeat_until "is_num $aborted '>=' $least" \
        every_level "phold-$ranks-$synch" "$ranks" "$phold" $small_phold --synch="$synch"
done
assert_num "rollbacks that the test saw" "$(json_get phold-2-3.json total_rollbacks)" ">" 0
assert_num "messages that the test saw" "$(json_get phold-2-3.json counters.network_sends)" ">" 0
assert_num "cancelled events that the test saw" \
    "$(json_get phold-4-3.json counters.events_aborted)" ">" 0

# Unequal ranks, one without LPs; saved states instead of reverse handlers; LPs assigned to KPs by the model.
# No callbacks are registered: one warning, and the rest is recorded.
run chaos 3 "$WS_TEST_BIN/chaos" --synch=3 --lps=5 --mapping=2 --end=60 --enable-gvt-stats=1 --real-time-samp=1 --granularity=1 \
    --model-stats=3 --event-trace=1
for mode in gvt rt; do
    assert_exact chaos $mode pkl
done
[ -s memory.txt ] || fail "no sample has events and saved states in use"
assert_eq "lines about callbacks that are missing" 2 "$(grep -c 'no LP registers' chaos.err)"
assert_contains "missing callbacks" chaos.err "--model-stats=3: no LP registers model_stat_fn"
assert_eq "records of models without callbacks" 0 "$(rows_of chaos model model_lp)"

# ---- Runs that end before their time ----

# shellcheck disable=SC2086
"$phold" $small_phold --synch=3 --end=1e9 --enable-gvt-stats=1 --real-time-samp=20 --granularity=1 \
    --stats-path=signal >signal.out 2>&1 &
pid=$!
wait_until_heard $pid 10
kill -TERM "$pid"
wait "$pid"
assert_eq "exit status after SIGTERM" 143 "$?"
for mode in gvt rt; do
    assert_exact signal $mode pkl
done
assert_status "fatal error" 3 run_mpi 2 "$WS_TEST_BIN/mischief" --quiet --synch=3 \
    --mistake=tw_error --enable-gvt-stats=1 --real-time-samp=1 --granularity=1 --stats-path=fatal
for mode in gvt rt; do
    assert_exact fatal $mode pkl
done

# ---- Granularity and levels ----

# levels NAME LEVELS OPTIONS...: both modes on two ranks.
levels() {
    levels_name=$1
    levels_wanted=$2
    shift 2
    # shellcheck disable=SC2086
    run "$levels_name" 2 "$phold" $small_phold --synch=3 "$@"
    for mode in gvt rt; do
        assert_exact "$levels_name" $mode "$levels_wanted"
    done
    assert_lacks "messages of $levels_name" "$levels_name.err" "no effect"
}
levels pe p --enable-gvt-stats=1 --real-time-samp=2
levels pe0 p --enable-gvt-stats=1 --real-time-samp=2 --granularity=0
levels all pkl --enable-gvt-stats=1 --rt-interval=2 --pe-data=1 --kp-data=1 --lp-data=1
levels kp pk --enable-gvt-stats=1 --rt-interval=2 --kp-data
levels lp pl --enable-gvt-stats=1 --rt-interval=2 --lp-data=1
levels lponly l --enable-gvt-stats=1 --rt-interval=2 --lp-data=1 --pe-data=0
levels kponly k --enable-gvt-stats=1 --rt-interval=2 --kp-data=1 --pe-data=0
levels agree pkl --enable-gvt-stats=1 --engine-stats=4 --vt-interval=10 --real-time-samp=2 --rt-interval=2 \
    --granularity=1 --kp-data=1
# The KPs' time ahead of GVT is always recorded: in its own records, or in those of KPs.
points=$(rows_of pe rt rt_pe)
assert_eq "rows of 16 KPs' time ahead" $((16 * points)) "$(rows_of pe rt rt_ahead)"
assert_eq "rows of time ahead beside those of KPs" 0 "$(rows_of kp rt rt_ahead)"
assert_eq "rows of KPs" $((16 * $(rows_of kp rt rt_pe))) "$(rows_of kp rt rt_kp)"
# The first sample has all LPs, later ones those with changes.
"$warpscope" dump --type=gvt_lp lp/warpscope-gvt.bin >lp.csv
assert_eq "rows of LPs without a change" "" "$(awk -F, '
    NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
    $(at["sample"]) == 0 { n[$(at["pe"])]++; next }
    $(at["events_processed"]) + $(at["events_aborted"]) + $(at["events_rolled_back"]) + \
        $(at["network_sends"]) + $(at["network_recvs"]) == 0
    END { for (pe = 0; pe < 2; pe++) if (n[pe] != 24) print "PE " pe ": " n[pe] " in the first sample" }
    ' lp.csv)"
assert_num "rows of LPs" "$(rows_of lp gvt gvt_lp)" '<' $((24 * $(rows_of lp gvt gvt_pe)))
# shellcheck disable=SC2086
run ross8lp 2 "$phold" $small_phold --synch=3 --enable-gvt-stats=1 --lp-data=1 --stats-format=both
assert_eq "rows of all LPs, as in files of ROSS 8" $((24 * $(rows_of ross8lp gvt gvt_pe))) \
    "$(rows_of ross8lp gvt gvt_lp)"

# ---- When samples are taken ----

# shellcheck disable=SC2086
run sparse 2 "$phold" $small_phold --synch=3 --enable-gvt-stats=1 --num-gvt=3
gvts=$(json_get sparse.json counters.gvt_rounds)
assert_eq "samples of every third GVT, and the last" $((2 * ((gvts - 1) / 3 + 1))) \
    "$(rows_of sparse gvt gvt_pe)"
assert_exact sparse gvt p

# Sampling points lie behind multiples of the interval, each interval has one at most.
# shellcheck disable=SC2086
run clock 2 "$phold" $small_phold --synch=3 --end=10000 --real-time-samp=10
"$warpscope" dump clock/warpscope-rt.bin --format=csv --type=rt_pe >clock.csv
assert_eq "samples by wall clock in one interval" "" "$(awk -F, '
    NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
    { pe = $(at["pe"]); if (pe in tick && last[pe] >= 0 && last[pe] == int($(at["real_time"]) * 100))
          again[pe]++
      last[pe] = int($(at["real_time"]) * 100); tick[pe] = 1; n[pe]++ }
    END { for (pe in n) if (again[pe] > 1 || n[pe] < 3) print "PE " pe ": " again[pe] " of " n[pe] }
    ' clock.csv)" # the sample at the end may share its interval

# ---- Times of phases --------

# cycles NAME COLUMN: seconds in these columns (a pattern), over all samples, of each PE.
cycles() {
    "$warpscope" dump "$1/warpscope-rt.bin" --format=csv --type=rt_pe |
        awk -F, -v pattern="$2" -v rate="$(json_get "$1.json" clock_rate_hz)" '
            NR == 1 { for (i = 1; i <= NF; i++) { if ($i ~ pattern) wanted[i]; at[$i] = i } next }
            { for (i in wanted) sum[$(at["pe"])] += $i }
            END { for (pe = 0; pe in sum; pe++) printf "%.6f\n", sum[pe] / rate }'
}
# run_exact: sets least and most, the sums of the phases of a rank relative to the running time, and undoing,
# the seconds of rollbacks of the first rank.
run_exact() {
    # shellcheck disable=SC2086
    run exact 2 "$phold" $small_phold --synch=3 --end=10000 --real-time-samp=10 --phase-times=exact
    parts=$(cycles exact '_cc$' | awk -v run="$(json_get exact.json run_seconds)" '
        { part = $1 / run; most = part > most ? part : most; least = part < least || NR == 1 ? part : least }
        END { print NR " " least " " most }')
    most=${parts##* } least=${parts#* }
    least=${least% *}
    undoing=$(cycles exact '^rollbacks_cc' | head -n 1)
}
# Another program may have the processor while a rank begins or ends.
repeat_up_to 5 'is_num "$least" ">=" 0.98 && is_num "$undoing" ">" 0' run_exact
assert_eq "ranks that have phases" 2 "${parts%% *}"
assert_num "seconds of all phases, against those of the run" "$least" ">=" 0.98
assert_num "seconds of all phases, against those of the run" "$most" "<=" 1.02
for phase in network_read gvt fossil_collect event_processing priority_queue rollbacks lz4 other; do
    assert_num "seconds of $phase" "$(cycles exact "^${phase}_cc" | head -n 1)" ">" 0
done
phases=$(json_get exact.json phase_seconds.event_processing)
assert_near "seconds of event processing" "$phases" \
    "$(cycles exact '^event_processing_cc' | awk '{ s += $1 } END { print s }')" 0.02
# shellcheck disable=SC2086
run off 1 "$phold" $small_phold --real-time-samp=10 --phase-times=off
assert_num "seconds of all phases, --phase-times=off" "$(cycles off '_cc$')" == 0
assert_ok "info" "$warpscope" info off
assert_contains "how times were taken" last.out "phase times"
assert_contains "rate of the clock" last.out "ticks per second"

# ---- Model statistics ----

# kinds NAME: number of records of each kind of sampling point.
kinds() {
    "$warpscope" dump "$1/warpscope-model.bin" --format=csv | awk -F, '
        NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
        { n[$(at["kind"])]++ }
        END { print (n[1] > 0) (n[2] > 0) (n[3] > 0) }'
}
# models NAME KINDS STREAMS OPTIONS...
models() {
    models_name=$1
    models_kinds=$2
    models_files=$3
    shift 3
    # shellcheck disable=SC2086
    run "$models_name" 2 "$phold" $small_phold --synch=3 "$@"
    assert_eq "kinds of model records of $models_name" "$models_kinds" "$(kinds "$models_name")"
    assert_eq "files of $models_name" "$models_files" \
        "$(cd "$models_name" && echo warpscope-*.bin | sed 's/warpscope-//g; s/\.bin//g')"
}
models model1 100 model --model-stats=1
models model2 010 model --model-stats=2
models model3 110 model --model-stats=3
models model23 010 model --model-stats=2 --rt-interval=5
models both "110" "gvt model rt" --model-stats=3 --real-time-samp=5 --enable-gvt-stats=1
models gvtonly "100" "gvt model" --model-stats=1 --engine-stats=1
models noengine "010" model --model-stats=2 --engine-stats=0 --rt-interval=5
models other "010" "gvt model" --model-stats=2 --enable-gvt-stats=1
# Engine and model share their sampling points.
"$warpscope" dump both/warpscope-rt.bin --format=csv --type=rt_pe |
    awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
        { print $(at["pe"]), $(at["sample"]), $(at["gvt"]), $(at["real_time"]) }' >engine.points
"$warpscope" dump both/warpscope-model.bin --format=csv |
    awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
        $(at["kind"]) == 2 { print $(at["pe"]), $(at["sample"]), $(at["gvt"]), $(at["real_time"]) }' |
    uniq >model.points
assert_same "sampling points of engine and model" engine.points model.points
# The last sample of each kind has the same, committed, states.
last_states() {
    "$warpscope" dump both/warpscope-model.bin --format=csv | awk -F, -v kind="$1" '
        NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
        $(at["kind"]) == kind { line = $(at["lp"])
            for (i = at["lp_ts"] + 1; i < at["lp_type"]; i++) line = line "," $i
            last[$(at["lp"])] = line }
        END { for (lp in last) print last[lp] }' | sort
}
last_states 1 >states1
last_states 2 >states2
assert_eq "LPs with states" 48 "$(wc -l <states1 | tr -d ' ')"
assert_same "states at the end" states1 states2

# ---- Names of files ----

# shellcheck disable=SC2086
run prefixed 1 "$phold" $small_phold --enable-gvt-stats=1 --stats-prefix=mine
assert_file "file with a prefix by its later name" prefixed/mine-gvt.bin

# ---- Contradictions -------------

refused() { # OPTION-IN-MESSAGE OPTIONS...
    refused_what=$1
    shift
    # shellcheck disable=SC2086
    assert_status "refused: $*" 2 "$phold" $small_phold --stats-path=refused "$@"
    assert_contains "message about $*" last.err "$refused_what"
    assert_eq "lines about $*" 1 "$(grep -c -e "$refused_what" last.err)"
    [ ! -e refused ] || fail "$*: a directory was made"
}
refused "--engine-stats=0 and --enable-gvt-stats=1" --engine-stats=0 --enable-gvt-stats=1
refused "--engine-stats=1 and --enable-gvt-stats=0" --engine-stats=1 --enable-gvt-stats=0
refused "--engine-stats=1 and --real-time-samp=5" --engine-stats=1 --real-time-samp=5
refused "--engine-stats=2 and --real-time-samp=0" --engine-stats=2 --real-time-samp=0
refused "--real-time-samp=5 and --rt-interval=6" --real-time-samp=5 --rt-interval=6
refused "--granularity=1 and --kp-data=0" --enable-gvt-stats=1 --granularity=1 --kp-data=0
refused "--granularity=0 and --lp-data=1" --enable-gvt-stats=1 --granularity=0 --lp-data=1
refused "--stats-filename=a and --stats-prefix=b" --enable-gvt-stats=1 --stats-filename=a \
    --stats-prefix=b
refused "--pe-data=0" --enable-gvt-stats=1 --pe-data=0
refused "--engine-stats=5" --engine-stats=5
refused "--model-stats=5" --model-stats=5
refused "--stats-filename=a/b" --enable-gvt-stats=1 --stats-prefix=a/b
refused "--real-time-samp=-1" --real-time-samp=-1
refused "--rt-interval=nan" --rt-interval=nan
refused "--num-gvt=4294967296" --enable-gvt-stats=1 --num-gvt=4294967296
refused "--granularity=1.5" --enable-gvt-stats=1 --granularity=1.5
refused "--lp-data=2" --enable-gvt-stats=1 --lp-data=2

# Harmless, but with one warning.
for option in --granularity=1 --kp-data=1 --num-gvt=2; do
    assert_ok "idle $option" "$phold" --nlp=4 --end=3 --event-trace=1 --stats-path=idle "$option"
    assert_eq "lines about an idle $option" 1 "$(grep -c 'has no effect' last.err)"
    assert_contains "idle $option" last.err "${option%=*} has no effect"
done
finish
