#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# "warpscope rollbacks": cascades, causes and bounds are those that a plain script finds in the records, and the
# sums are the totals of the engine.
# test: processors=2 timeout=120
. "$WS_SRC/tests/support/lib.sh"
. "$WS_SRC/tests/support/records.sh"
. "$WS_SRC/tests/support/control.sh"

# plain: reads rows of pe, number, cause_pe, cause_number, events_undone, undone_time, cause, recv_ts, kp_ts and
# trigger, and prints what the command should find.
plain() {
    awk -F, '
        function root(key) { return parent[key] in undone ? root(parent[key]) : key }
        function depth(key) { return parent[key] in undone ? 1 + depth(parent[key]) : 1 }
        {
            key = $1 " " $2
            undone[key] = $5
            time[key] = $6
            parent[key] = $4 > 0 ? $3 " " $4 : "none"
        }
        END {
            for (key in undone) {
                top = root(key)
                size[top]++
                sum[top] += undone[key]
                times[top] += time[key]
                level = depth(key)
                if (level > deepest[top]) deepest[top] = level
                if (++at[top, level] > widest[top]) widest[top] = at[top, level]
            }
            for (top in size) {
                n++
                if (sum[top] > most) most = sum[top]
            }
            print "cascade_count", n + 0
            print "most", most + 0
            for (top in size)
                print "tree", top, size[top], deepest[top], widest[top], sum[top], times[top] * 1e-9
        }'
}

# avoided BOUND: the part of the events of stragglers that a bound avoids.
avoided() {
    awk -F, -v bound="$1" '$7 == 1 && $10 <= 2 {
            all += $5
            late = $9 - $8
            if (late > bound) n += $5 * (1 - bound / late)
        }
        END { print (all > 0 ? n / all : 0) }' rows.csv
}

# examine NAME: compares the command with the records of NAME and with the totals of the engine.
examine() {
    cascades "$1" "$1/warpscope-evtrace.bin"
    assert_eq "$1: sums of the engine" true "$(json_get "$1-found.json" equals_engine)"
    assert_eq "$1: undone" "$(counter "$1" events_rolled_back)" "$(json_get "$1-found.json" undone)"
    assert_eq "$1: secondary" "$(counter "$1" secondary_rollbacks)" "$(json_get "$1-found.json" secondary)"
}

# cascades NAME FILE...: compares the command with the records of NAME, which are in the files.
cascades() {
    what=$1
    shift
    for file in "$@"; do
        dump "$file" pe number cause_pe cause_number events_undone undone_time cause recv_ts kp_ts trigger
    done >rows.csv
    set -- "$what"
    plain <rows.csv >plain.txt
    rm -rf tables
    assert_ok "rollbacks $1" "$warpscope" rollbacks "$1" --json --top=1000 --csv=tables
    cp last.out "$1-found.json"
    assert_eq "$1: cascades" "$(sed -n 's/^cascade_count //p' plain.txt)" \
        "$(json_get "$1-found.json" cascade_count)"
    assert_eq "$1: the largest" "$(sed -n 's/^most //p' plain.txt)" \
        "$(json_get "$1-found.json" cascades.0.undone)"
    awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
        { print "tree", $at["pe"], $at["number"], $at["rollbacks"], $at["depth"], $at["width"], $at["undone"] }' \
        tables/cascades.csv | sort >found.txt
    sed -n 's/^\(tree.*\) [^ ]*$/\1/p' plain.txt | sort >wanted.txt
    assert_eq "$1: cascades that are wrong" "" "$(comm -13 wanted.txt found.txt | head -n 3)"
    for table in reasons pe_pairs; do
        assert_eq "$1: sum of $table" "$(json_get "$1-found.json" undone)" "$(awk -F, '
            NR == 1 { for (i = 1; i <= NF; i++) if ($i == "undone") at = i; next }
            { n += $at } END { print n + 0 }' tables/$table.csv)"
    done
    assert_eq "$1: sum of sizes" "$(json_get "$1-found.json" cascade_count)" \
        "$(awk -F, 'NR > 1 { n += $3 } END { print n + 0 }' tables/sizes.csv)"
    awk -F, 'NR > 1 && $2 != "" { print $1, $2 }' tables/bounds.csv >bounds.txt
    while read -r part bound; do
        assert_num "$1: bound for $part" "$(avoided "$bound")" ">" "$(echo "$part" | awk '{ print $1 - 0.03 }')"
        assert_num "$1: bound for $part" "$(avoided "$bound")" "<" "$(echo "$part" | awk '{ print $1 + 0.03 }')"
    done <bounds.txt
}

assert_ok "origins" "$WS_TEST_BIN/origins" --quiet --synch=3 --random-rollbacks=1 --nkp=6 --event-trace=2 \
    --event-times=1 --stats-path=random --report-json=random.json
examine random
assert_num "cascades deeper than one" "$(json_get random-found.json secondary)" ">" 10
assert_contains "rollbacks without straggler" random-found.json '"reason":"no straggler"'

record ranks 3 --synch=3 --batch=2 --event-trace=2 --event-times=1 --nlp=60 --remote=0.9 --end=60 --hot-lps=100
examine ranks
assert_num "bounds" "$(wc -l <bounds.txt)" ">=" 1

assert_ok "as text" "$warpscope" rollbacks ranks
assert_contains "findings" last.out "The sums of the trace equal the totals of the engine."
assert_contains "reasons" last.out "why stragglers came late"
assert_eq "lines that are too long" "" "$(sed 1,2d last.out | awk 'length($0) > 80')"

# A trace of some LPs lacks links and sums, and says so.
record some 2 --synch=3 --batch=2 --event-trace=2 --nlp=60 --remote=0.9 --end=60 --trace-lps=0-20
assert_ok "some LPs" "$warpscope" rollbacks some
assert_contains "what is missing" last.out "The engine counted"

# A request switched the trace off for a while: its two parts are one stream, with a gap in the numbers.
gated_start 2 3 --synch=3 --max-opt-lookahead=0.5 --random-rollbacks=2 --event-trace=2 --event-times=1
open_gate
request set event-trace=0
open_gate
request set event-trace=2
open_gate
gated_end
assert_eq "status" 0 "$gated_status"
cascades rec rec/warpscope-evtrace.bin rec/warpscope-2-evtrace.bin
assert_num "rollbacks of both parts" "$(json_get rec-found.json rollbacks)" ">" \
    "$("$warpscope" rollbacks "$(alone rec/warpscope-2-evtrace.bin)" --json >part.json; json_get part.json rollbacks)"
assert_ok "a gap" "$warpscope" rollbacks rec
assert_contains "a gap" last.out "a change of the"

assert_status "an existing directory" 1 "$warpscope" rollbacks ranks --csv=tables
finish
