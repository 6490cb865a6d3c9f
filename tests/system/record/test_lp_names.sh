#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Names of LPs (st_lp_name()): netsim names its LPs after the sites of the topology. Recordings of 1 to 4
# ranks, of restarted runs and of LPs that move have the same names; --lp, --where and --trace-lps take them.
# test: processors=2 timeout=120
. "$WS_SRC/tests/support/lib.sh"

warpscope=$WS_BIN/warpscope
netsim=$WS_BIN/netsim

# record DIR RANKS OPTION...: a run with an event trace.
record() {
    record_dir=$1 record_ranks=$2
    shift 2
    rm -rf "$record_dir"
    assert_ok "run $record_dir" run_mpi "$record_ranks" "$netsim" --quiet --end=0.006 --event-trace=3 \
        --stats-path="$record_dir" "$@"
    assert_ok "verify $record_dir" "$warpscope" verify "$record_dir"
}

# names DIR: number and name of each LP, in ascending order.
names() {
    "$warpscope" stats --json --top=100 "$1"/*evtrace.bin | grep -o '"lp":[0-9]*,"lp_name":"[^"]*"' |
        sed 's/"lp":\([0-9]*\),"lp_name":"\(.*\)"/\1 \2/' | sort -n
}

# ---- Through ranks, restarts and moves ----

record one 1 --synch=1
names one >one.names
assert_eq "LPs with names" 33 "$(wc -l <one.names | tr -d ' ')"
assert_contains "a router" one.names "18 Atlanta"
assert_contains "a host" one.names "32 New York host 2"
for ranks in 2 3 4; do
    record many "$ranks" --synch=3
    names many >many.names
    assert_same "names of $ranks ranks" one.names many.names
done
assert_ok "checkpoints" run_mpi 2 "$netsim" --quiet --synch=3 --end=0.006 --checkpoint-every=0.002 --checkpoint-path=ck
record again 3 --synch=3 --restart=ck
names again >again.names
assert_same "names of a restarted run" one.names again.names
rm -rf moved
run_mpi 2 "$netsim" --quiet --synch=3 --end=0.006 --event-trace=3 --stats-path=moved --map=auto --map-at=0.003 \
    >last.out 2>last.err
if [ -e moved/warpscope-2-evtrace.bin ]; then
    names moved >moved.names
    assert_same "names after a move" one.names moved.names
    "$warpscope" stats --json --top=100 moved/warpscope-2-evtrace.bin | grep -c '"lp_name":"Atlanta"' >moved.atlanta
    assert_eq "the second part alone" 1 "$(cat moved.atlanta)"
else
    partly "LPs did not move: $(tail -1 last.err)"
fi

# ---- In databases and graphs ----

if "$warpscope" export --format=sqlite --output=one.sqlite one 2>last.err; then
    assert_ok "a database" python3 -c '
import sqlite3
for lp, name in sqlite3.connect("one.sqlite").execute("SELECT lp, name FROM lp_names ORDER BY lp"):
    print(lp, name)'
    assert_same "names in the database" one.names last.out
else
    assert_contains "no SQLite" last.err "built without"
    partly "built without SQLite"
fi
assert_ok "a graph" "$warpscope" analyze one --graph=one.graphml
assert_contains "a name in the graph" one.graphml '<data key="name">New York host 2</data>'

# ---- In place of numbers ----

"$warpscope" dump one --lp=18,3-4 >by-number.csv
"$warpscope" dump one --lp=Atlanta,3-4 >by-name.csv
assert_same "--lp" by-number.csv by-name.csv
"$warpscope" dump one --where='dest_lp == 30 && src_lp != 18' >by-number.csv
"$warpscope" dump one --where='dest_lp == "New York" && src_lp != Atlanta' >by-name.csv
assert_same "--where" by-number.csv by-name.csv
for wrong in --lp=Atlanto "--where=src_lp==Atlanto"; do
    assert_status "$wrong" 1 "$warpscope" dump one "$wrong"
    assert_contains "$wrong" last.err "no LP is called Atlanto; did you mean Atlanta?"
done
record some 3 --synch=3 --trace-lps='Atlanta,New*host?1,0'
assert_eq "--trace-lps" "0 18 31" \
    "$("$warpscope" dump some --fields=dest_lp | sed 1d | sort -nu | tr '\n' ' ' | sed 's/ $//')"
sed -e 's/"Atlanta"/"7th, Hall [1]"/' "$WS_SRC/models/netsim/data/abilene.gml" >sites.gml
for name in '7th, Hall [1]' '7th, Hall [[]?]'; do # begins with a digit, and has a comma and a pattern's characters
    record some 2 --synch=3 --topology=sites.gml --trace-lps="$name"
    assert_eq "--trace-lps=$name" 18 "$("$warpscope" dump some --fields=dest_lp | sed 1d | sort -u)"
done
record some 2 --synch=3 --topology=sites.gml --trace-lps='7th*,3'
assert_status "a part of a name" 2 run_mpi 2 "$netsim" --quiet --topology=sites.gml --event-trace=3 --trace-lps=7th
assert_contains "a part of a name" last.err 'did you mean "7th, Hall [1]"?'
assert_status "wrong --trace-lps" 2 run_mpi 2 "$netsim" --quiet --event-trace=3 --stats-path=wrong \
    --trace-lps=Atlanto
assert_contains "wrong --trace-lps" last.err 'did you mean "Atlanta"?'
[ ! -e wrong ] || fail "wrong --trace-lps: a directory was made"

# ---- In tables ----

"$warpscope" analyze one >text
assert_contains "sentence of analyze" text "LP Indianapolis (router)"
"$warpscope" stats one >text
assert_contains "table of stats" text "Kansas City"

# ---- Damage ----

# A NAMES block is damaged in the midst of a name. All commands that read whole files say so.
rm -rf damaged && cp -r one damaged
trace=damaged/warpscope-evtrace.bin
at=$(grep -abo Indianapolis "$trace" | head -n 1 | cut -d: -f1)
printf '\377' | dd of="$trace" bs=1 seek="$((at + 3))" conv=notrunc 2>dd.err
for command in info verify stats "report --format=json -o -" analyze dump; do
    # shellcheck disable=SC2086 # a command with its options
    assert_status "$command of damaged names" 1 "$warpscope" $command damaged
    assert_contains "$command of damaged names" last.err "PE 0: the checksum of a block's body is wrong"
done

finish
