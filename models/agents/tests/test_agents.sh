#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# agents: every lost agent is accounted for, lines and counts agree, suspended cells appear in the report, and
# invalid options are refused.
# test: processors=1 timeout=60
. "$WS_SRC/tests/support/lib.sh"

# agents OPTIONS...: writes events to lines.txt, counts to last.out and run.json.
agents() {
    assert_ok "agents $*" "$WS_BIN/agents" --quiet --lines --report-json=run.json "$@"
    grep '^agents: [0-9.]* cell' last.out >lines.txt
}
value() {
    awk -v row="$1" '$1 == row { print $2; exit }' last.out
}
lines_of() {
    grep -c "$1" lines.txt
}

for options in '' '--overgrazed=30' '--synch=3 --random-rollbacks=3 --end=40' '--overgrazed=0 --growth=2 --end=60' \
    '--width=1 --height=1 --agents=30' '--appetite=0'; do
    # shellcheck disable=SC2086 # options
    agents --synch=1 $options
    assert_eq "births ($options)" "$(value born)" "$(lines_of 'is born$')"
    assert_eq "starved ($options)" "$(value starved)" "$(lines_of 'has starved$')"
    assert_eq "deserts ($options)" "$(value deserts)" "$(lines_of 'is a desert$')"
    assert_eq "deserts in the report ($options)" "$(value deserts)" \
        "$(json_get run.json lps_suspended)"
    first=$(awk '$1 == "born" { print $5 }' last.out)
    assert_eq "agents ($options)" "$((first + $(value born)))" \
        "$(($(value starved) + $(json_get run.json counters.events_suspended) + \
            $(json_get run.json counters.events_past_end)))"
done
agents --synch=1 --appetite=0 --energy=5 # no agent eats
assert_eq "all starve" 256 "$(value starved)"
agents --synch=1 --infected=0
assert_eq "no agent to catch it from" 0 "$(value infected)"
agents --synch=1 --infected=4294967295 --width=2 --height=3 --agents=5
assert_contains "no more than there are" last.out "5 agents each, 30 of them infected"
agents --synch=1 --overgrazed=30
assert_num "deserts" "$(value deserts)" '>' 10
assert_num "infected" "$(value infected)" '>' 50
# A cell has no events after it has become a desert.
awk '$3 in desert { bad++ } /is a desert/ { desert[$4] = 1 } { if ($4 in desert && !/desert$/) bad++ }
    END { print bad + 0 }' lines.txt >bad.txt
assert_eq "lines of cells after their end" 0 "$(cat bad.txt)"

refuse() {
    assert_refused "agents: ${1%%=*}" 1 "$WS_BIN/agents" "$@"
}
refuse --width=0
refuse --height=5000
refuse --metabolism=-1
refuse --infect=1.1
refuse --infect=nan
refuse --wander=0
refuse --synch=2 --rest=0
assert_refused '"stray"' 1 "$WS_BIN/agents" stray

assert_ok "records" "$WS_BIN/agents" --synch=1 --quiet --end=20 --model-stats=4 --vt-interval=5 \
    --event-trace=3 --stats-path=records
"$WS_BIN/warpscope" dump --merge records/warpscope-model.bin >model.csv
assert_contains "model statistics" model.csv grass,visits,infections,starved,spores,desert
"$WS_BIN/warpscope" dump --merge records/warpscope-evtrace.bin >events.csv
assert_contains "event trace" events.csv agent,energy,health,moves
finish
