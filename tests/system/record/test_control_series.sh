#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Random series of requests to running simulations, on 1 to 4 ranks and under all schedulers: the committed
# results stay the same, and all files are valid. Traces of committed events begin and end exactly.
# test: processors=2 timeout=180
. "$WS_SRC/tests/support/lib.sh"
. "$WS_SRC/tests/support/control.sh"
. "$WS_SRC/tests/support/random.sh"

echo "WS_TEST_SEED=$seed"
warpscope="$WS_BIN/warpscope"
run_model 1 "$WS_TEST_BIN/gated" --synch=1 --lps=32 --end=150 --event-trace=3 --stats-path=whole
truth="$events $states"
events_of() {
    "$warpscope" dump "$1" --fields=recv_ts,dest_lp,src_lp,send_ts,payload | sort
}
events_of whole/warpscope-evtrace.bin >all.txt

# setting: sets chosen to one NAME=VALUE, in some cases one that is refused.
setting() {
    choose enable-gvt-stats num-gvt real-time-samp granularity kp-data event-trace event-trace trace-lps \
        model-stats vt-interval pe-data nkp
    case $chosen in
    enable-gvt-stats | granularity | kp-data | pe-data) values='0 1' ;;
    num-gvt) values='1 2 7 0' ;;
    real-time-samp) values='0 1 5' ;;
    event-trace) values='0 1 2 3 3 9' ;;
    trace-lps) values='0-7 left right* all 31 nothing' ;;
    model-stats) values='0 1 2 3 4' ;;
    vt-interval) values='0 0.5 2 -1' ;;
    *) values=3 ;;
    esac
    name=$chosen
    # shellcheck disable=SC2086 # values
    choose $values
    chosen=$name=$chosen
}

# check_traces: each trace of committed events has, of all LPs that it traces, only events of the whole run.
check_traces() {
    for file in rec/*evtrace.bin; do
        [ -e "$file" ] || continue
        "$warpscope" info --json "$(alone "$file")" >info.json
        if [ "$(json_get info.json files.0.run.option_event_trace)" = 3 ]; then
            events_of "$(alone "$file")" | grep '^[0-9]' >some.txt
            assert_eq "$1: events in $file that were not committed" "" "$(comm -23 some.txt all.txt | head -n 3)"
            assert_eq "$1: events twice in $file" "" "$(uniq -d some.txt | head -n 3)"
        fi
    done
}

# check_streams WHAT: commands read the parts of each stream as one: all records, once; where both recorded all LPs,
# the events of the whole run.
check_streams() {
    sum=0
    filtered=
    for file in rec/*.bin; do
        sum=$((sum + $("$warpscope" dump --format=jsonl "$(alone "$file")" | grep -c '')))
        "$warpscope" info --json "$(alone "$file")" >info.json
        lps=$(json_get info.json files.0.run.option_trace_lps)
        case $file in *evtrace.bin) [ "${lps:-all}" = all ] || filtered=yes ;; esac
    done
    assert_ok "$1: dump" "$warpscope" dump --format=jsonl rec
    assert_eq "$1: records of all files" $sum "$(grep -c '' last.out)"
    assert_ok "$1: stats" "$warpscope" stats --json rec
    assert_ok "$1: report" "$warpscope" report --format=json --force --output=report.json rec
    assert_ok "$1: export" "$warpscope" export --format=csv --force --output=exported rec
    assert_eq "$1: exported records" $sum $(($(cat exported/*.csv | grep -c '') - $(ls exported | grep -c '')))
    rm -r exported
    if [ -z "$filtered" ]; then
        "$warpscope" diff whole rec >diff.out 2>&1
        status=$?
        [ $status != 3 ] || fail "$1: diff says that committed events differ: $(cat diff.out)"
    fi
}

requests=0
for series in $(seq "${WS_SERIES:-8}"); do
    random 4
    ranks=$((random == 2 ? 4 : random + 1))
    [ $((32 % ranks)) -eq 0 ] || ranks=2
    choose 1 2 3 3 5 6
    synch=$chosen
    [ "$synch" != 1 ] && [ "$synch" != 6 ] || ranks=1
    choose "" --writer-thread=on --crash-safe=0 --buffer-size=20000
    what="seed $seed, series $series: --synch=$synch on $ranks ranks $chosen"
    # shellcheck disable=SC2086 # options
    gated_start $ranks 4 --synch="$synch" --max-opt-lookahead=0.5 --real-time-samp=20 $chosen
    for _ in 1 2 3 4; do
        random 3
        for _ in $(seq $((random + 1))); do
            setting
            words=$chosen
            random 2
            for _ in $(seq $random); do
                setting
                words="$words $chosen"
            done
            # shellcheck disable=SC2086 # words
            request set $words
            requests=$((requests + 1))
        done
        open_gate
    done
    gated_end
    assert_eq "$what: status" 0 "$gated_status"
    assert_eq "$what: results" "$truth" "$events $states"
    check_files "$what"
    check_traces "$what"
    check_streams "$what"
done
assert_num "requests in all" "$requests" '>' 10
finish
