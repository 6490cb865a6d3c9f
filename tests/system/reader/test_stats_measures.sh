#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Measures of fields: "warpscope stats" shows last values and rates of counters, sums of changes, and the
# number of distinct identities. Rates per virtual time cover the time with records. Efficiency is drawn from
# 0 % to 100 %. Phases have the names of the report.
# test: processors=2 timeout=120
. "$WS_SRC/tests/support/lib.sh"

warpscope=$WS_BIN/warpscope

# value FILE TYPE NAME MEMBER: a member of the model's values in the JSON of "stats" of one file.
value() {
    for i in 0 1 2 3; do
        if [ "$(json_get "$1" "files.0.types.$i.owner")" = "$2" ]; then
            json_get "$1" "files.0.types.$i.values.$3.$4"
        fi
    done
}

# ---- counters and levels of a model
assert_ok "netsim" "$WS_BIN/netsim" --synch=1 --model-stats=1 --gvt-interval=4 --end=0.004 --quiet \
    --stats-path=net
assert_ok "stats" "$warpscope" stats --json net/warpscope-model.bin
cp last.out s.json
"$warpscope" dump net/warpscope-model.bin >model.csv
assert_eq "a counter" counter "$(value s.json router packets measure)"
assert_eq "a level" level "$(value s.json router utilisation_max measure)"
# The last record of each LP is its value at the end.
for name in packets sent; do
    owner=$([ $name = packets ] && echo router || echo host)
    last=$(awk -F, -v name=$name 'NR == 1 { for (i = 1; i <= NF; i++) { c[$i] = i }; next }
        $c[name] != "" { last[$c["lp"]] = $c[name] }
        END { for (lp in last) { n += last[lp] } print n }' model.csv)
    assert_num "$name at the end" "$last" ">" 100
    assert_eq "$name" "$last" "$(value s.json $owner $name last)"
    assert_near "$name per second" "$last / $(json_get s.json files.0.seconds)" \
        "$(value s.json $owner $name per_second)" 1e-12
    assert_near "$name per virtual time" "$last / 0.004" \
        "$(value s.json $owner $name per_virtual_time)" 1e-12
    assert_eq "$name has no mean" "" "$(value s.json $owner $name mean)"
done
assert_ok "stats from a time on" "$warpscope" stats --json --from=0.001 net/warpscope-model.bin
cp last.out from.json
counted=$(awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) { c[$i] = i }; next }
    $c["gvt"] >= 0.001 && $c["packets"] != "" {
        if (!($c["lp"] in first)) { first[$c["lp"]] = $c["packets"] }
        last[$c["lp"]] = $c["packets"]
    }
    END { for (lp in last) { n += last[lp] - first[lp] } print n }' model.csv)
assert_near "rate from a time on" "$counted / $(json_get from.json files.0.virtual_time)" \
    "$(value from.json router packets per_virtual_time)" 1e-12
assert_ok "stats for people" "$warpscope" stats net/warpscope-model.bin
assert_eq "counters" "count total per second per virtual time" \
    "$(sed -n 's/.* \(count .*\)/\1/p' last.out | tr -s ' ')"
assert_eq "counters have no mean" 1 "$(grep -c "^  router  *packets " last.out)"
assert_ok "info" "$warpscope" info net/warpscope-model.bin
assert_contains "info" last.out "packets              u64  [packets] counter"

# ---- changes: samples at virtual times that start a count anew
assert_ok "meter" "$WS_TEST_BIN/meter" --synch=1 --model-stats=4 --vt-interval=10 --quiet --stats-path=counts
assert_ok "stats of meter" "$warpscope" stats --json counts/warpscope-model.bin
cp last.out s.json
for i in 0 1 2 3 4 5; do
    [ "$(json_get s.json "files.0.types.$i.values.since_sample.measure")" != change ] || found=$i
done
"$warpscope" dump --type="$(json_get s.json "files.0.types.$found.owner")" counts/warpscope-model.bin >model.csv
changes=$(awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) { c[$i] = i }; next }
    { n += $c["since_sample"] } END { print n }' model.csv)
assert_num "changes" "$changes" '>' 100
assert_eq "changes" "$changes" "$(json_get s.json "files.0.types.$found.values.since_sample.total")"

# ---- identities
mkdir made
assert_ok "make_run" "$WS_TEST_BIN/make_run" made a records=10
assert_ok "stats" "$warpscope" stats --json made/a-model.bin
assert_eq "different ports" \
    "$("$warpscope" dump made/a-model.bin | awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) { c[$i] = i }; next }
        $c["port"] != "" && !seen[$c["port"]]++ { n++ } END { print n }')" \
    "$(cp last.out s.json && json_get s.json files.0.types.0.values.port.different)"

# ---- a run with a distant end time: virtual time counts up to its last event
[ "$WS_CUDA" = 0 ] ||
    assert_ok "memsim" run_mpi 2 "$WS_BIN/memsim" --workload=producer --ctas=4 --repeat=1 --synch=3 \
        --enable-gvt-stats=1 --model-stats=1 --event-trace=3 --end=31536000000 --quiet --stats-path=far
[ ! -d far ] ||
    "$warpscope" dump far/warpscope-evtrace.bin | awk -F, 'NR > 1 { print $4 }' | sort -g | tail -n 1 >latest.txt
for stream in evtrace gvt model; do
    [ "$WS_CUDA" = 1 ] || continue
    assert_ok "stats of $stream" "$warpscope" stats --json far/warpscope-$stream.bin
    cp last.out s.json
    assert_num "virtual time of $stream" \
        "$(json_get s.json files.0.virtual_time)" "<=" "$(cat latest.txt)"
    assert_num "virtual time of $stream" "$(json_get s.json files.0.virtual_time)" ">" 0
done

# ---- efficiency from 0 % to 100 %
assert_ok "phold" run_mpi 2 "$WS_BIN/phold" --synch=3 --enable-gvt-stats=1 --real-time-samp=1 --end=30 \
    --quiet --nlp=64 --random-rollbacks=4 --stats-path=eff
(LC_ALL=C.UTF-8 && export LC_ALL && "$warpscope" stats eff/warpscope-gvt.bin >text.txt)
assert_contains "the scale" text.txt "0 % to 100 %: "
assert_ok "netsim" "$WS_BIN/netsim" --synch=1 --enable-gvt-stats=1 --gvt-interval=4 --end=0.004 --quiet \
    --stats-path=whole
(LC_ALL=C.UTF-8 && export LC_ALL && "$warpscope" stats whole/warpscope-gvt.bin >text.txt)
assert_lacks "a picture of what is the same everywhere" text.txt "efficiency over"
assert_contains "the events in its place" text.txt "events executed over wall clock"

# ---- phases are called as in the report
assert_ok "report" "$WS_BIN/netsim" --synch=1 --end=0.002
grep -E '^	[a-z].* +[0-9.]+ +[0-9.]+ %$' last.out | sed 's/^	//;s/  .*//' | sort >report.txt
assert_num "phases of the report" "$(wc -l <report.txt)" ">" 5
(LC_ALL=C && export LC_ALL && "$warpscope" stats eff/warpscope-rt.bin >text.txt)
sed -n '/where the time goes/,/^$/s/^  \([a-z][a-z ,-]*[a-z]\)  *[0-9.]* %.*/\1/p' text.txt | sort >stats.txt
assert_num "phases of stats" "$(wc -l <stats.txt)" ">" 3
sed -n 's/.*X([a-z_]*, "\(.*\)").*/\1/p' "$WS_SRC/core/engine/counters.h" | sort >names.txt
assert_eq "names that the report has not" "" "$(comm -23 stats.txt names.txt)"
finish
