#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# PHOLD commits the same events under every scheduler on any number of ranks: as many as a table of known
# numbers says, and with the fingerprints of a sequential run with the same number of LPs.
# test: processors=2 timeout=600
. "$WS_SRC/tests/support/lib.sh"

# nlp per rank, end, remote, lookahead, start-events; net events on 1 rank and on 2.
table='
64   100  0.5  0.1 2  12848  25628
1000 50   0.9  0.3 4 198713 397940
7    5000 0.33 0.7 5 174883 349859
'
# For 3 and 4 ranks there are no known numbers: the schedulers must agree.
agreement='
64  100 0.5  0.1 2
7  1000 0.33 0.7 5
5   200 1    1   3
'
parallel='2 3'

# run_phold REPORT RANKS SYNCH NLP OPTIONS...: one run with its report; a failure is a failed assertion.
run_phold() {
    report=$1 ranks=$2 synch=$3 nlp=$4
    shift 4
    rm -f "$report"
    assert_ok "phold --synch=$synch --nlp=$nlp $* on $ranks ranks" \
        run_mpi "$ranks" "$WS_BIN/phold" --synch="$synch" --nlp="$nlp" "$@" --extramem=100000 \
        --fingerprint=1 --report-json="$report" --quiet=1 </dev/null
    [ -s "$report" ] || echo '{}' >"$report"
}

# reference NLP OPTIONS...: the sequential run, with which others are compared.
reference() {
    run_phold reference.json 1 1 "$@"
    reference_net=$(json_get reference.json net_events)
    reference_events=$(json_get reference.json committed_fingerprint)
    reference_states=$(json_get reference.json state_fingerprint)
    for print in "$reference_events" "$reference_states"; do
        case $print in
        *[!0-9a-f]* | '') fail "fingerprint '$print' of the sequential run --nlp=$*" ;;
        esac
    done
}

# compare RANKS SYNCH NLP OPTIONS...: a run that must commit the same as the reference.
compare() {
    run_phold run.json "$@"
    cell="--synch=$2 --nlp=$3 on $1 ranks"
    assert_eq "scheduler of $cell" "$(scheduler_name "$2")" "$(json_get run.json scheduler)"
    assert_eq "ranks of $cell" "$1" "$(json_get run.json ranks)"
    assert_eq "net events of $cell" "$reference_net" "$(json_get run.json net_events)"
    assert_eq "committed events of $cell" "$reference_net" \
        "$(json_get run.json counters.events_committed)"
    assert_eq "fingerprint of events of $cell" "$reference_events" \
        "$(json_get run.json committed_fingerprint)"
    assert_eq "fingerprint of states of $cell" "$reference_states" \
        "$(json_get run.json state_fingerprint)"
}

scheduler_name() {
    case $1 in
    1) echo sequential ;;
    2) echo conservative ;;
    3) echo optimistic ;;
    esac
}

# check_row RANKS NLP END REMOTE LOOKAHEAD START-EVENTS [NET]: checks a row of either table on these ranks.
check_row() {
    row_ranks=$1 row_nlp=$2
    row_options="--end=$3 --remote=$4 --lookahead=$5 --start-events=$6"
    # shellcheck disable=SC2086 # options are words
    reference $((row_nlp * row_ranks)) $row_options
    [ $# -lt 7 ] || assert_eq "net events of --nlp=$2 $row_options, $1 ranks" "$7" "$reference_net"
    for synch in $parallel; do
        # shellcheck disable=SC2086
        compare "$row_ranks" "$synch" "$row_nlp" $row_options
    done
}

while read -r nlp end remote lookahead start one two; do
    [ -n "$nlp" ] || continue
    check_row 1 "$nlp" "$end" "$remote" "$lookahead" "$start" "$one"
    first=$reference_events
    check_row 2 "$nlp" "$end" "$remote" "$lookahead" "$start" "$two"
    assert_ne "fingerprint of twice as many LPs" "$first" "$reference_events"
done <<TABLE
$table
TABLE

while read -r nlp end remote lookahead start; do
    [ -n "$nlp" ] || continue
    for ranks in 3 4; do
        check_row "$ranks" "$nlp" "$end" "$remote" "$lookahead" "$start"
    done
done <<TABLE
$agreement
TABLE
finish
