#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# warpscope diff and dump --merge: runs of one simulation are equal under every scheduler and on any number of
# ranks. A model with a wrong reverse handler is detected, with the LP and the time of the first mistake.
# Files that are cut off, shorter or of another run are distinguished; more of this is in test_mistakes.sh.
# test: processors=2 timeout=600 sanitize=yes
# shellcheck disable=SC2016,SC2034,SC2317 # repeat_until evaluates its condition
. "$WS_SRC/tests/support/lib.sh"
. "$WS_SRC/tests/support/control.sh"

warpscope=$WS_BIN/warpscope

# record DIR RANKS PROGRAM ARGUMENTS...: a run that records its committed events to DIR.
record() {
    record_folder=$1
    record_ranks=$2
    record_program=$3
    shift 3
    rm -rf "$record_folder"
    assert_ok "${record_program##*/} $*" run_mpi "$record_ranks" "$record_program" "$@" --quiet \
        --event-trace=3 --stats-path="$record_folder" --report-json=run.json
}

# merged DIR STREAM: fingerprint of its records in merged order.
merged() {
    "$warpscope" dump --merge "$1"/*-"$2".bin >merged.csv
    cksum <merged.csv
}

# ---- The same simulation, run in other ways, RANKS:SCHEDULER
if [ "$WS_SANITIZE" -eq 1 ]; then ways=2:3; else ways="1:3 2:2 4:3"; fi

# same_everywhere NAME LPS-OPTION PROGRAM ARGUMENTS...: LPS-OPTION gets the LPs of each rank, 24 in all;
# empty: the program divides them itself.
same_everywhere() {
    same_lps=$2
    same_program=$3
    shift 3
    set -- "$same_program" "$@" --engine-stats=4 --granularity=1 --model-stats=4
    record reference 1 "$@" ${same_lps:+$same_lps=24} --synch=1
    for stream in vt model evtrace; do
        merged reference $stream >wanted.$stream
    done
    wanted_lines=$(wc -l <merged.csv)
    assert_num "records of ${same_program##*/}" "$wanted_lines" '>' 500
    for way in $ways; do
        record other "${way%:*}" "$@" ${same_lps:+$same_lps=$((24 / ${way%:*}))} --synch="${way#*:}"
        for stream in vt model evtrace; do
            assert_eq "$stream in one order, ranks:scheduler $way" "$(cat wanted.$stream)" \
                "$(merged other $stream)"
        done
        assert_ok "diff, ranks:scheduler $way" "$warpscope" diff reference other
        assert_contains "diff of events" last.out "event: equal: $((wanted_lines - 1)) records"
        assert_contains "diff of samples" last.out "vt_lp: equal: "
        assert_contains "diff of sums" last.out "vt_kp: equal: "
        assert_contains "diff of model values" last.out "model_lp: equal: "
        assert_lacks "diff of model values" last.out "model_lp: no records"
    done
}

same_everywhere phold --nlp "$WS_BIN/phold" --end=40 --remote=0.5 --vt-interval=5
same_everywhere netsim "" "$WS_BIN/netsim" --end=0.003 --vt-interval=0.001
assert_lacks "columns that depend on the ranks" merged.csv real_time
assert_lacks "columns that depend on the ranks" merged.csv ",pe,"

# ---- A wrong reverse handler
# The truth, from the two dumps: of all records that only one has, the sender and time of the earliest
# sent; of those of which only the values differ, the receiver and time of the earliest received.
cat >truth.awk <<'AWK'
NR == 1 { for (i = 1; i <= NF; i++) column[$i] = i; next }
{ id = $column["src_lp"] "," $column["dest_lp"] "," $column["send_ts"] "," $column["recv_ts"] }
FNR == 1 { next }
FNR == NR { line[id] = line[id] $0 ";"; seen[id] = 1; next }
{ other[id] = other[id] $0 ";"; seen[id] = 1 }
END {
    best = 1e300
    for (id in seen) {
        if (line[id] == other[id]) continue
        split(id, f, ",")
        both = line[id] != "" && other[id] != ""
        time = both ? f[4] : f[3]
        if (time + 0 < best + 0) { best = time; lp = both ? f[2] : f[1] }
    }
    print lp " " best
}
AWK

# caught MISTAKE TRACED LP
caught() {
    "$warpscope" dump --merge right/*.bin >right.csv
    # The number of undone events, and the effect of the mistake, depend on chance; by MPI no rank waits for the
    # other one. An independent comparison decides whether diff must find a difference.
    repeat_until 'is_num "$(json_get run.json counters.events_rolled_back)" ">" 100 &&
        ! "$warpscope" dump --merge wrong/*.bin | cmp -s - right.csv' \
        record wrong 2 "$WS_TEST_BIN/wrong_reverse" --synch=3 --mistake="$1" --traced="$2" \
        --wrong-lp="$3" --work=2000 --transport=mpi
    assert_num "events undone" "$(json_get run.json counters.events_rolled_back)" '>' 100
    assert_status "diff finds $1, $2 traced" 3 "$warpscope" diff --json right wrong
    cp last.out diff.json
    "$warpscope" dump --merge wrong/*.bin >wrong.csv
    truth=$(awk -F, -f truth.awk right.csv wrong.csv)
    assert_eq "the right LP for $1, $2 traced" "$3" "$(json_get diff.json compared.0.origin.lp)"
    assert_eq "LP and time for $1, $2 traced" "$truth" \
        "$(json_get diff.json compared.0.origin.lp) $(json_get diff.json compared.0.origin.virtual_time)"
    assert_eq "not equal" false "$(json_get diff.json equal)"
    if [ "$(json_get diff.json compared.0.origin.how)" = sent ]; then
        assert_contains "what it sent" diff.json '"sent":['
        assert_eq "what it sent: LP and time, not the same in both" "${truth#* } $3" "$(
            awk -f "$WS_SRC/tests/support/json.awk" diff.json | awk -F= '
                $1 ~ /\.sent\.[0-9]+\.equal$/ { equal = $2 }
                $1 ~ /\.sent\.[0-9]+\.[ab]\.src_lp$/ { lp = $2 }
                $1 ~ /\.sent\.[0-9]+\.[ab]\.send_ts$/ && equal == "false" { print $2 " " lp; exit }')"
    fi
    assert_status "diff finds $1, as text" 3 "$warpscope" diff right wrong
    assert_contains "text" last.out "The runs parted at LP $3, virtual time ${truth#* }"
    assert_contains "text" last.out "so trust A"
}

for traced in state nothing; do
    record right 1 "$WS_TEST_BIN/wrong_reverse" --synch=1 --traced=$traced
    "$warpscope" dump --merge right/*.bin >right.csv
    record wrong 2 "$WS_TEST_BIN/wrong_reverse" --synch=3 --traced=$traced --work=2000
    "$warpscope" dump --merge wrong/*.bin >wrong.csv
    assert_same "records without a mistake, $traced traced" right.csv wrong.csv
    assert_ok "no mistake, $traced traced" "$warpscope" diff right wrong
    caught draw $traced 7
done
caught draw nothing 20
record right 1 "$WS_TEST_BIN/wrong_reverse" --synch=1 --buffer-size=20000 # many blocks
for mistake in state order message; do
    caught $mistake state 7
done
caught state state 19

# ---- The first difference and its surroundings
first=$(json_get diff.json compared.0.first.virtual_time)
assert_eq "same event" "$(json_get diff.json compared.0.first.a.recv_ts)" \
    "$(json_get diff.json compared.0.first.b.recv_ts)"
assert_ne "count differs" "$(json_get diff.json compared.0.first.a.payload.count)" \
    "$(json_get diff.json compared.0.first.b.payload.count)"
assert_eq "surroundings: records of the LP, up to 3 before, at and 3 behind the time" "1 1 3" "$(
    awk -f "$WS_SRC/tests/support/json.awk" diff.json | awk -F= -v time="$first" '
        $1 ~ /context\.[0-9]+\.a\.recv_ts$/ { if ($2 + 0 < time + 0) before++; else if ($2 == time) at++; else behind++ }
        $1 ~ /context\.[0-9]+\.a\.dest_lp$/ && $2 != 19 { before = 99 }
        END { print (before <= 3) " " at " " behind }')"
assert_status "--context=0" 3 "$warpscope" diff --context=0 right wrong
assert_lacks "no surroundings" last.out "received"
assert_contains "marks what differs" last.out "* "
assert_ok "before the difference" "$warpscope" diff --to="$first" right wrong
assert_status "from the difference on" 3 "$warpscope" diff --from="$first" right wrong
assert_ok "another LP before" "$warpscope" diff --lp=0-18,20-23 --to="$first" right wrong
assert_status "that LP alone" 3 "$warpscope" diff --lp=19 right wrong

# ---- Runs that are not the same
record short 1 "$WS_TEST_BIN/wrong_reverse" --synch=1 --end=50
assert_status "a shorter run" 3 "$warpscope" diff right short
assert_contains "where it ended" last.out "B's run ended at virtual time 50"
assert_contains "what is more" last.out " 0 changed"
assert_contains "no more than that" last.out "One run just ended earlier: there is no difference before virtual time 50"
assert_lacks "nobody to blame" last.out "suspect"
assert_ok "as far as both go" "$warpscope" diff --to=50 right short
record seed 1 "$WS_TEST_BIN/wrong_reverse" --synch=1 --rng-seed1=1 --rng-seed2=2 --rng-seed3=3 --rng-seed4=4
assert_status "another seed" 3 "$warpscope" diff right seed
assert_contains "from the very start" last.out "sent when it was initialised"
record again 1 "$WS_TEST_BIN/wrong_reverse" --synch=1 --lps=12
assert_status "another model" 3 "$warpscope" diff right again

# ---- Files whose difference is uncertain
size=$(wc -c <right/warpscope-evtrace.bin)
mkdir cut && head -c $((size / 2)) right/warpscope-evtrace.bin >cut/warpscope-evtrace.bin
assert_status "cut off" 1 "$warpscope" diff right cut
assert_contains "may be losses" last.out "not known to be different"
assert_contains "says which" last.out "B is not complete"
assert_status "cut off, other way round" 1 "$warpscope" diff cut right
assert_status "cut off and wrong" 3 "$warpscope" diff cut wrong
assert_status "cut off with itself" 1 "$warpscope" diff cut cut
assert_status "cut off, JSON" 1 "$warpscope" diff --json right cut
cp last.out cut.json
assert_eq "cut off, JSON" null "$(json_get cut.json equal)"
assert_eq "cut off, JSON" false "$(json_get cut.json compared.0.b.complete)"

# ---- Bounded memory: 900 thousand records of 1000 PEs that all overlap in time do not fit (sanitizers need more)
if [ "$WS_SANITIZE" -eq 0 ]; then
    mkdir large
    assert_ok "make_records" "$WS_TEST_BIN/make_records" large a pes=1000 rows=400
    limited() ( # COMMAND...: runs with 80 MB, shared libraries included
        ulimit -v 80000
        exec "$@"
    )
    assert_ok "diff through a temporary file" limited "$warpscope" diff large/a-evtrace.bin large/a-evtrace.bin
    assert_contains "diff through a temporary file" last.out "equal: 899500 records"
    assert_ok "dump --merge through a temporary file" limited "$warpscope" dump --merge large/a-evtrace.bin
    assert_eq "records" 899501 "$(wc -l <last.out)"
    assert_eq "in order" "" "$(awk -F, 'NR > 2 && $4 + 0 < before + 0 { print NR; exit } { before = $4 }' last.out)"
    TMPDIR=/nowhere "$warpscope" diff large/a-evtrace.bin large/a-evtrace.bin >last.out 2>last.err
    assert_eq "no temporary file: status" 1 $?
    assert_contains "no temporary file" last.err "cannot create a temporary file in /nowhere"
    rm -rf large last.out
fi

# ---- A run whose trace changed between all events and committed events
assert_ok "the whole run" run_mpi 1 "$WS_TEST_BIN/gated" --synch=1 --lps=32 --end=150 --quiet --event-trace=3 \
    --stats-path=gated
gated_start 2 2 --synch=3 --event-trace=1
request set event-trace=3
open_gate
open_gate
gated_end
assert_status "a trace that changed" 0 "$warpscope" diff gated rec
assert_contains "a trace that changed" last.err "not a trace of committed events"

finish
