#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# The event trace tells the cause of each event exactly: joining src_lp, send_ts and send_order with the events
# finds the event that the model itself names, under every scheduler, on any number of ranks, with rollbacks, a
# restart, and a hook that withdraws and sends events. Records of rollbacks form trees, whose links and sums
# agree with the engine.
# test: processors=2 timeout=120 sanitize=yes
. "$WS_SRC/tests/support/lib.sh"
. "$WS_SRC/tests/support/records.sh"

origins=$WS_TEST_BIN/origins
columns="src_lp dest_lp send_ts recv_ts send_order sent id origin"

# run NAME RANKS OPTIONS...: records into NAME, the report in NAME.json.
run() {
    run_name=$1
    run_ranks=$2
    shift 2
    rm -rf "$run_name"
    assert_ok "origins $* on $run_ranks ranks" run_mpi "$run_ranks" "$origins" --quiet \
        --stats-path="$run_name" --report-json="$run_name.json" "$@"
}

# joined FILE FIRST: prints mistakes of the causes in a file with $columns; FIRST: the time at which the trace
# begins, before which causes are not in it.
joined() {
    awk -F, -v first="$2" '
        NR == FNR {
            key = $2 "," $4
            id[key "," n[key]++] = $7
            sent[$7] = $6
            next
        }
        $5 == -1 && $8 != 0 { print "not without cause", $0 }
        $5 == -1 { next }
        $3 < first { next }
        id[$1 "," $3 "," $5] != $8 { print "wrong cause", $0, id[$1 "," $3 "," $5] }
        { found[$8]++ }
        END { for (i in sent) if (sent[i] != found[i] + 0) print "sent", i, sent[i], found[i] + 0 }
    ' "$1" "$1" | head -n 5
}

# check NAME RANKS OPTIONS...: like reference, or makes it.
check() {
    run "$@" --event-trace=3
    dump "$1/warpscope-evtrace.bin" $columns >"$1.csv"
    assert_eq "events of $*" "$(json_get "$1.json" net_events)" "$(wc -l <"$1.csv" | tr -d ' ')"
    assert_eq "mistakes of $*" "" "$(joined "$1.csv" 0)"
    sort "$1.csv" >"$1.sorted"
    if [ "$1" != reference ]; then
        assert_same "records of $*" reference.sorted "$1.sorted"
    fi
}

for hook in "" --hook=11; do
    # shellcheck disable=SC2086 # none or one
    {
        check reference 1 --synch=1 $hook
        check other 3 --synch=3 --batch=1 $hook
        check other 4 --synch=5 --gvt-interval=1 --random-rollbacks=2 $hook
        check other 2 --synch=2 $hook
    }
    assert_num "events whose cause is not the first" \
        "$(awk -F, '$5 > 0' reference.csv | wc -l | tr -d ' ')" ">" 300
    assert_num "events without cause" "$(awk -F, '$5 == -1' reference.csv | wc -l | tr -d ' ')" ">" 50
done
check reference 1 --synch=1
check other 1 --synch=2
check other 1 --synch=6
check other 1 --synch=3 --random-rollbacks=1 --batch=3 --nkp=2
check other 1 --synch=3 --random-rollbacks=1 --nkp=1 --gvt-interval=1

# All executions: of each id the last one committed.
run executed 1 --synch=3 --random-rollbacks=1 --event-trace=1 --nkp=3
dump executed/warpscope-evtrace.bin $columns >executed.csv
assert_num "executions that were undone" "$(wc -l <executed.csv)" ">" "$(wc -l <reference.csv)"
awk -F, '{ last[$7] = $0 } END { for (i in last) print last[i] }' executed.csv >last.csv
awk -F, 'NR == FNR { row[$7] = $0; next } row[$7] != $0 { print $0 ";" row[$7] }' \
    last.csv reference.csv >differ.csv
assert_eq "committed events that are recorded otherwise" "" "$(head -n 3 differ.csv)"

# Times of handlers: one of three events on average, or all.
run timed 1 --synch=1 --event-trace=3 --event-times=3
assert_num "share of timed events" "$(dump timed/warpscope-evtrace.bin handler_time |
    awk '$1 >= 0 { n++ } $1 < -1 { n += 1e9 } END { print n / NR }')" ">" 0.28
assert_num "share of timed events" "$(dump timed/warpscope-evtrace.bin handler_time |
    awk '$1 >= 0 { n++ } END { print n / NR }')" "<" 0.39
run timed 2 --synch=3 --event-trace=1 --event-times=1
assert_eq "events that are not timed" 0 \
    "$(dump timed/warpscope-evtrace.bin handler_time | awk '$1 == -1 { n++ } END { print n + 0 }')"
assert_eq "events that are timed without the option" 0 \
    "$(dump executed/warpscope-evtrace.bin handler_time | awk '$1 != -1 { n++ } END { print n + 0 }')"

# A restart on other ranks: events that were pending have their causes' numbers. With time 20 of the cut, the
# records are those of the whole run from there on.
run cut 2 --synch=3 --event-trace=3 --checkpoint-every=20 --checkpoint-path=kept
run rest 3 --synch=3 --event-trace=3 --restart=kept
dump rest/warpscope-evtrace.bin $columns >rest.csv
assert_num "events after the restart" "$(wc -l <rest.csv)" ">" 100
first=$(cut -d, -f4 rest.csv | sort -g | head -n 1)
awk -F, -v first="$first" '$4 >= first' reference.csv | sort >wanted.csv
sort rest.csv >got.csv
assert_same "records after a restart" wanted.csv got.csv

# ---- Rollbacks ----

# trees NAME: prints mistakes in the links of the records of rollbacks.
trees() {
    dump "$1/warpscope-evtrace.bin" pe number cause trigger cause_pe cause_number src_lp send_ts src_pe \
        real_time send_time passed_time events_undone dest_lp recv_ts undone_time >"$1.csv"
    awk -F, '
        NR == FNR {
            if (seen[$1, $2]++) print "twice", $0
            if ($2 > most[$1]) most[$1] = $2
            count[$1]++
            time[$1, $2] = $10
            next
        }
        ($3 == 1) != ($4 == 1 || $4 == 2 || $4 == 5 || $4 == 6) { print "trigger", $0 }
        $3 == 1 && ($5 != -1 || $6 != 0) { print "cause of a primary", $0 }
        $3 == 2 && !(($5, $6) in time) { print "no such cause", $0 }
        $4 == 3 && !($5 == $1 && $6 < $2) { print "order on the PE", $0 }
        $4 == 4 && $5 != $9 { print "the cause is not where the sender is", $0 }
        ($4 == 1 || $4 == 3) && ($9 != $1 || $11 != $10) { print "local", $0 }
        $11 > $10 + 0.001 || $12 > $10 { print "times", $0 }
        $16 < 0 { print "undone_time", $0 }
        END { for (pe in most) if (most[pe] != count[pe]) print "numbers of PE", pe }
    ' "$1.csv" "$1.csv" | head -n 5
}

# check_rollbacks NAME RANKS OPTIONS...
check_rollbacks() {
    run "$@" --event-trace=2 --event-times=1
    assert_eq "mistakes in trees of $*" "" "$(trees "$1")"
    assert_eq "primary rollbacks of $*" "$(counter "$1" primary_rollbacks)" \
        "$(awk -F, '$3 == 1' "$1.csv" | wc -l | tr -d ' ')"
    assert_eq "secondary rollbacks of $*" "$(counter "$1" secondary_rollbacks)" \
        "$(awk -F, '$3 == 2' "$1.csv" | wc -l | tr -d ' ')"
    assert_eq "events that they undid" "$(counter "$1" events_rolled_back)" \
        "$(awk -F, '{ n += $13 } END { print n + 0 }' "$1.csv")"
}
check_rollbacks random 1 --synch=3 --random-rollbacks=1 --nkp=6
assert_num "secondary rollbacks on a PE" "$(counter random secondary_rollbacks)" ">" 10
assert_eq "triggers" "3 5" "$(cut -d, -f4 random.csv | sort -u | tr '\n' ' ' | sed 's/ $//')"
check_rollbacks ranks 4 --synch=3 --random-rollbacks=1 --batch=2
assert_num "anti-messages" "$(awk -F, '$4 == 4' ranks.csv | wc -l | tr -d ' ')" ">" 0

# ---- Wrong options ----

assert_status "--event-times" 2 run_mpi 1 "$origins" --quiet --event-trace=3 --event-times=4000000000 \
    --stats-path=refused
assert_contains "message" last.err "give 0 to 1000000000"
assert_ok "--event-times alone" run_mpi 1 "$origins" --synch=1 --event-times=1 --vt-interval=1 --stats-path=idle
assert_contains "note about it" last.err "--event-times has no effect"
finish
