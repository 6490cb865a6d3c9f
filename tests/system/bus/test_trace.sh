#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# The event trace: committed events are the same on any number of ranks and under every scheduler. Each
# rollback has one record with its cause. A model's flag and --trace-lps leave events out. Records name the
# type of their LP.
# test: timeout=300
# shellcheck disable=SC2016,SC2034,SC2317 # repeat_until evaluates its condition
. "$WS_SRC/tests/support/lib.sh"
. "$WS_SRC/tests/support/records.sh"

meter="$WS_TEST_BIN/meter"
netsim="$WS_BIN/netsim"

# run NAME RANKS PROGRAM OPTIONS...: records into NAME, report in NAME.json.
run() {
    name=$1
    ranks=$2
    program=$3
    shift 3
    rm -rf "$name"
    assert_ok "${program##*/} $* on $ranks ranks" run_mpi "$ranks" "$program" --quiet \
        --stats-path="$name" --report-json="$name.json" --buffer-size=100000 "$@"
}

# columns NAME COLUMN...: prints these columns of all records of the event trace, separated by commas.
columns() {
    columns_of=$1
    shift
    dump "$columns_of/warpscope-evtrace.bin" "$@"
}

# ---- Committed events ----

# compare PROGRAM "COLUMNS" "OPTIONS" CASES...: each case (RANKS,OPTION,...) must commit and record the same
# as a sequential run.
compare() {
    compare_program=$1
    compare_columns=$2
    compare_options=$3
    shift 3
    # shellcheck disable=SC2086 # lists
    {
        run reference 1 "$compare_program" --synch=1 --event-trace=3 $compare_options
        columns reference $compare_columns | sort >reference.csv
        "$warpscope" dump --merge reference/warpscope-evtrace.bin >reference.merged
    }
    assert_eq "committed events of ${compare_program##*/}" "$(json_get reference.json net_events)" \
        "$(wc -l <reference.csv | tr -d ' ')"
    rm -rf other other.json
    for case in "$@"; do
        # shellcheck disable=SC2046,SC2086
        {
            run other "${case%%,*}" "$compare_program" $(echo "${case#*,}" | tr , ' ') \
                --event-trace=3 $compare_options
            columns other $compare_columns | sort >other.csv
        }
        assert_same "committed events of ${compare_program##*/}, $case" reference.csv other.csv
        "$warpscope" dump --merge other/warpscope-evtrace.bin >other.merged
        assert_same "merged trace of ${compare_program##*/}, $case" reference.merged other.merged
        assert_ok "verify $case" "$warpscope" verify other
        rm -rf other
    done
    rm -rf reference
}

events="src_lp dest_lp send_ts recv_ts prio payload_type payload_size"
compare "$netsim" "$events packet flow size kind hops from_site to_site" --end=0.0005 \
    1,--synch=2 1,--synch=3 2,--synch=2 2,--synch=3,--batch=1 2,--synch=5,--gvt-interval=1 \
    4,--synch=2 4,--synch=3,--gvt-interval=2 4,--synch=5,--gvt-interval=1
compare "$meter" "$events value" --end=30 2,--synch=3,--batch=1 3,--synch=2 \
    4,--synch=5,--gvt-interval=1

# ---- Rollbacks: one record for each ----

# check_rollbacks NAME RANKS PROGRAM OPTIONS...
check_rollbacks() {
    run "$@" --event-trace=2
    columns "$1" cause events_undone recv_ts kp_ts >rollbacks.csv
    assert_eq "stragglers of $1" "$(counter "$1" primary_rollbacks)" \
        "$(awk -F, '$1 == 1 { n++ } END { print n + 0 }' rollbacks.csv)"
    assert_eq "cancelled events that caused rollbacks of $1" "$(counter "$1" secondary_rollbacks)" \
        "$(awk -F, '$1 == 2 { n++ } END { print n + 0 }' rollbacks.csv)"
    assert_eq "events undone by them" "$(counter "$1" events_rolled_back)" \
        "$(awk -F, '{ s += $2 } END { print s + 0 }' rollbacks.csv)"
    assert_eq "rollbacks that begin after what they undo, or undo nothing" 0 \
        "$(awk -F, '$2 < 1 || $4 < $3 { n++ } END { print n + 0 }' rollbacks.csv)"
    assert_ok "verify $1" "$warpscope" verify "$1"
}
repeat_until 'is_num "$(counter rollbacks primary_rollbacks)" ">" 10 &&
    is_num "$(counter rollbacks secondary_rollbacks)" ">" 0' \
    check_rollbacks rollbacks 4 "$meter" --synch=3 --batch=1 --end=100
assert_num "stragglers" "$(counter rollbacks primary_rollbacks)" ">" 10
assert_num "cancelled events that caused rollbacks" "$(counter rollbacks secondary_rollbacks)" ">" 0
repeat_until 'is_num "$(counter rollbacks-phold primary_rollbacks)" ">" 0' \
    check_rollbacks rollbacks-phold 2 "$phold" --synch=5 --gvt-interval=1 --batch=1 --nlp=100 \
    --lookahead=0.01 --remote=0.9 --end=60
assert_num "stragglers of phold" "$(counter rollbacks-phold primary_rollbacks)" ">" 0
assert_eq "messages of stragglers that cannot be" 0 \
    "$(columns rollbacks-phold hops | awk '$1 == "" || $1 < 0 { n++ } END { print n + 0 }')"
for synch in 1 2; do
    run none-$synch 1 "$netsim" --synch=$synch --event-trace=2 --end=0.0002
    assert_eq "records of rollbacks, --synch=$synch" 0 "$(records_in none-$synch/warpscope-evtrace.bin)"
    assert_ok "verify a trace without records" "$warpscope" verify none-$synch
done

# ---- Events that the model leaves out ----

run everything 1 "$meter" --synch=1 --event-trace=1
columns everything $events value | awk -F, '$8 == "" || !($8 ~ /[05]$/)' >kept.csv
assert_num "events to leave out" "$(records_in everything/warpscope-evtrace.bin)" ">" "$(wc -l <kept.csv)"
for mode in 1 3; do
    run "skip-$mode" 1 "$meter" --synch=1 --event-trace=$mode --skip=5
    columns "skip-$mode" $events value >got.csv
    assert_same "events that the model wants, --event-trace=$mode" kept.csv got.csv
done
# left_out NAME: succeeds if some rollbacks were recorded and others were not.
left_out() {
    is_num "$(records_in "$1/warpscope-evtrace.bin")" ">" 0 &&
        is_num "$(json_get "$1.json" total_rollbacks)" ">" "$(records_in "$1/warpscope-evtrace.bin")"
}
repeat_until 'left_out skip-2' \
    run skip-2 4 "$meter" --synch=3 --batch=1 --end=100 --event-trace=2 --skip=5
assert_eq "unwanted events that caused rollbacks" 0 \
    "$(columns skip-2 value | grep -c '[05]$')"
assert_num "wanted ones" "$(records_in skip-2/warpscope-evtrace.bin)" ">" 0
assert_num "rollbacks" "$(json_get skip-2.json total_rollbacks)" ">" "$(records_in skip-2/warpscope-evtrace.bin)"

# ---- Only some LPs ----

columns everything $events value >all.csv
# LPs are of kinds meter.reversed, meter.saved, meter.stat, idle by gid % 4
for case in 0-15:'$2 <= 15' 7:'0' 5,30-100:'$2 == 5 || $2 >= 30' meter.saved:'$2 % 4 == 1' \
    'meter.s*':'$2 % 4 == 1 || $2 % 4 == 2' '*.reversed,1':'$2 % 4 == 0 || $2 == 1' idle:0; do
    awk -F, "${case##*:}" all.csv >wanted.csv
    for mode in 1 3; do
        run some 2 "$meter" --synch=2 --event-trace=$mode --trace-lps="${case%:*}"
        columns some $events value | sort >got.csv
        sort wanted.csv >wanted.sorted
        assert_same "--trace-lps=${case%:*} --event-trace=$mode" wanted.sorted got.csv
        rm -rf some
    done
done
repeat_until 'left_out some-rollbacks' \
    run some-rollbacks 4 "$meter" --synch=3 --batch=1 --end=100 --event-trace=2 --trace-lps=meter.saved
assert_num "rollbacks by LPs of one type" "$(records_in some-rollbacks/warpscope-evtrace.bin)" ">" 0
assert_eq "rollbacks by others" 0 \
    "$(columns some-rollbacks dest_lp | awk '$1 % 4 != 1 { n++ } END { print n + 0 }')"

# If a model registers callbacks for some LPs, these are traced, unless the user chooses others.
awk -F, '$2 % 4 != 1' all.csv | cut -d, -f1-5 | sort >wanted.registered
cut -d, -f1-5 all.csv | sort >wanted.all
for mode in 1 3; do
    run some 2 "$meter" --synch=2 --event-trace=$mode --unregistered=1
    columns some $events | cut -d, -f1-5 | sort >got.csv
    assert_same "events of registered LPs, --event-trace=$mode" wanted.registered got.csv
    run some 2 "$meter" --synch=2 --event-trace=$mode --unregistered=1 --trace-lps=all
    columns some $events | cut -d, -f1-5 | sort >got.csv
    assert_same "--trace-lps=all --event-trace=$mode" wanted.all got.csv
done
rm -rf some
assert_ok "a run that is not quiet" run_mpi 2 "$meter" --synch=2 --event-trace=3 --unregistered=1 \
    --stats-path=some
assert_contains "what it says of it" last.err "events of 30 of 40 LPs are recorded, those that the model \
registers callbacks for; --trace-lps=all records all"
rm -rf some

# ---- Records tell the type of their LP ----

"$warpscope" info everything >info.txt
for description in "(event, meter.reversed): 8 bytes" "(event, meter.saved): 13 bytes" \
    "(event, meter.stat): 0 bytes" "(event, idle): 8 bytes"; do
    assert_contains "descriptions" info.txt "$description"
done
awk -F, '{ print $2 % 4, $6 }' all.csv | sort -u >types.txt
assert_eq "kinds of LPs and payload types" 3 "$(wc -l <types.txt | tr -d ' ')"
assert_eq "payload types" 3 "$(cut -d' ' -f2 types.txt | sort -u | wc -l | tr -d ' ')"
run unnamed 1 "$meter" --synch=1 --event-trace=1 --no-names --end=5
"$warpscope" info unnamed >info.txt
assert_lacks "descriptions of LPs without name" info.txt "meter."
assert_eq "payload types of unnamed LPs" "0 1 2" \
    "$(columns unnamed payload_type | sort -u | tr '\n' ' ' | sed 's/ $//')"
assert_ok "verify them" "$warpscope" verify unnamed

# ---- Wrong options ----

refused() {
    refused_text=$1
    shift
    assert_status "$*" 2 run_mpi 2 "$meter" --quiet --stats-path=refused --event-trace=1 "$@"
    assert_contains "message of $*" last.err "$refused_text"
    assert_eq "lines about $*" 1 "$(grep -c -e --trace-lps last.err)"
    [ ! -e refused ] || fail "$*: a directory was made"
}
refused "these are known: idle, meter.reversed, meter.saved, meter.stat" --trace-lps=nobody
refused "give numbers or ranges" --trace-lps=router --no-names
refused '"40-50" has no LP: the largest number is 39' --trace-lps=1,40-50
refused "empty item" --trace-lps=1,,2
assert_ok "--trace-lps without a trace" run_mpi 1 "$meter" --synch=1 --trace-lps=1 --end=5 \
    --vt-interval=1 --stats-path=idle
assert_contains "note about it" last.err "--trace-lps has no effect"
finish
