#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# "warpscope stats": its sums equal those of awk over "warpscope dump"; its text fits into 80 columns; its
# memory is bounded for files of any size.
# test: processors=1 timeout=200 sanitize=yes
. "$WS_SRC/tests/support/lib.sh"

warpscope=$WS_BIN/warpscope
make_run=$WS_TEST_BIN/make_run

# total FILE RECORD FIELD: sum of a field over the records of a kind.
total() {
    awk -F, -v record="$2" -v field="$3" '
        NR == 1 { for (i = 1; i <= NF; i++) { c[$i] = i }; next }
        $c["record"] == record { n += $c[field] }
        END { printf "%d\n", n }' "$1"
}

# most FILE RECORD FIELD: the largest sum of a PE.
most() {
    awk -F, -v record="$2" -v field="$3" '
        NR == 1 { for (i = 1; i <= NF; i++) { c[$i] = i }; next }
        $c["record"] == record { n[$c["pe"]] += $c[field] }
        END { for (pe in n) { most = n[pe] > most ? n[pe] : most }; printf "%d\n", most }' "$1"
}

# ranking FILE RECORD KEY FIELD: "PE KEY sum" of all keys, greatest sum first.
ranking() {
    awk -F, -v record="$2" -v key="$3" -v field="$4" '
        NR == 1 { for (i = 1; i <= NF; i++) { c[$i] = i }; next }
        $c["record"] == record { n[$c["pe"] " " $c[key]] += field == "" ? 1 : $c[field] }
        END { for (k in n) { print k, n[k] } }' "$1" | sort -k3,3nr -k2,2n -k1,1n
}

# listed JSON LIST KEY FIELD: the same from the output, where each list is on its own line.
listed() {
    grep "^,*\"$2\":" "$1" | tr '{' '\n' |
        sed -n "s/^\"pe\":\([0-9]*\),\"$3\":\([0-9]*\),.*\"$4\":\([0-9]*\).*/\1 \2 \3/p"
}

mkdir run
assert_ok "make_run" "$make_run" run a pes=3 kps=3 lps=22 samples=120 records=6000 rollbacks=20
for stream in gvt rt vt evtrace model; do
    "$warpscope" dump run/a-$stream.bin >$stream.csv
done

# ---- samples
for stream in gvt rt; do
    assert_ok "stats of $stream" "$warpscope" stats --json --top=7 run/a-$stream.bin
    cp last.out s.json
    for field in events_processed events_rolled_back total_rollbacks network_sends \
        events_committed; do
        assert_eq "$stream: $field" "$(total $stream.csv ${stream}_pe $field)" \
            "$(json_get s.json files.0.totals.$field)"
    done
    for field in num_gvt all_reduce_count; do # of all PEs together: the maximum of a PE
        assert_eq "$stream: $field" "$(most $stream.csv ${stream}_pe $field)" \
            "$(json_get s.json files.0.totals.$field)"
    done
    assert_eq "$stream: collective" "all_reduce_count num_gvt" \
        "$(json_get s.json files.0.collective.0) $(json_get s.json files.0.collective.1)"
    done=$(total $stream.csv ${stream}_pe events_processed)
    undone=$(total $stream.csv ${stream}_pe events_rolled_back)
    assert_near "$stream: efficiency" "100 * (1 - $undone / ($done - $undone))" \
        "$(json_get s.json files.0.efficiency)" 1e-12
    assert_near "$stream: rate" "$done / $(json_get s.json files.0.seconds)" \
        "$(json_get s.json files.0.per_second.events_processed)" 1e-12
    assert_near "$stream: rate" "$done / 1000" \
        "$(json_get s.json files.0.per_virtual_time.events_processed)" 1e-12
    assert_eq "$stream: a PE" \
        "$(awk -F, -v r=${stream}_pe 'NR == 1 { for (i = 1; i <= NF; i++) { c[$i] = i } }
            $1 == r && $2 == 1 { n += $c["total_rollbacks"] } END { print n }' $stream.csv)" \
        "$(json_get s.json files.0.pes.1.total_rollbacks)"
    ranking $stream.csv ${stream}_kp kp total_rollbacks | head -n 7 >expected.txt
    listed s.json kps kp total_rollbacks >list.txt
    assert_same "$stream: KPs" list.txt expected.txt
    ranking $stream.csv ${stream}_lp lp events_rolled_back | head -n 7 >expected.txt
    listed s.json lps lp events_rolled_back >list.txt
    assert_same "$stream: LPs" list.txt expected.txt
    assert_eq "$stream: KPs in all" 9 "$(json_get s.json files.0.kps.different)"
done
# Counts are spread over the steps of the clock, and their sum is exact.
steps=$(sed -n 's/^,*"over_time".*"events_processed":\[\([^]]*\)\].*/\1/p' s.json |
    awk -F, '{ for (i = 1; i <= NF; i++) { n += $i } printf "%.3f\n", n }')
assert_near "over time" "$steps" "$(json_get s.json files.0.totals.events_processed)" 1e-9
awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) { c[$i] = i } }
    $1 == "rt_pe" { for (f in c) { if (f ~ /_cc$/) { all += $c[f] } } gvt += $c["gvt_cc"] }
    END { printf "%.12f\n", gvt / all }' rt.csv >expected.txt
assert_near "part of the time for GVT" "$(cat expected.txt)" "$(json_get s.json files.0.part_of_time.gvt_cc)" 1e-9
awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) { c[$i] = i } }
    $1 == "rt_pe" {
        if ($2 == pe) { n++; sum += $c["real_time"] - last }
        pe = $2; last = $c["real_time"]
    }
    END { printf "%.12f\n", sum / n }' pe=-1 rt.csv >expected.txt
assert_near "time between GVTs" "$(cat expected.txt)" \
    "$(json_get s.json files.0.seconds_between_gvts.mean)" 1e-9
assert_ok "stats of vt" "$warpscope" stats --json run/a-vt.bin
cp last.out s.json
assert_eq "vt: committed" "$(total vt.csv vt_pe events_committed)" \
    "$(json_get s.json files.0.totals.events_committed)"
ranking vt.csv vt_lp lp events_committed | head -n 5 >expected.txt
listed s.json lps lp events_committed >list.txt
assert_same "vt: LPs" list.txt expected.txt

# ---- events
assert_ok "stats of events" "$warpscope" stats --json --top=100 run/a-evtrace.bin
cp last.out s.json
assert_eq "events" 6000 "$(json_get s.json files.0.totals.events)"
assert_eq "rollbacks" "$(grep -c ^rollback evtrace.csv)" "$(json_get s.json files.0.totals.rollbacks)"
assert_eq "undone" "$(total evtrace.csv rollback events_undone)" \
    "$(json_get s.json files.0.totals.events_undone)"
ranking evtrace.csv rollback kp "" >expected.txt
listed s.json kps kp rollbacks >list.txt
assert_same "KPs" list.txt expected.txt
ranking evtrace.csv event dest_lp "" >expected.txt
assert_ok "--by" "$warpscope" stats --json --top=22 --by=events run/a-evtrace.bin
cp last.out by.json
listed by.json lps lp events >list.txt
assert_same "LPs by events" list.txt expected.txt
awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) { c[$i] = i } }
    $1 == "rollback" && $c["cause"] == 1 { print $c["kp_ts"] - $c["recv_ts"] }' evtrace.csv |
    sort -g >late.txt
assert_near "late, largest" "$(tail -n 1 late.txt)" "$(json_get s.json files.0.late_by.max)" 1e-4
assert_near "late, median" "$(sed -n "$((($(wc -l <late.txt) + 1) / 2))p" late.txt)" \
    "$(json_get s.json files.0.late_by.median)" 0.035
assert_eq "types of LPs" "$(awk -F, '$1 == "event" && $10 == 2' evtrace.csv | wc -l)" \
    "$(json_get s.json files.0.types.1.events)"

# ---- the model's values
assert_ok "stats of the model" "$warpscope" stats --json run/a-model.bin
cp last.out s.json
awk -F, 'NR > 1 && $12 != "" { n++; sum += $12 } END { printf "%.12f\n", sum / n }' model.csv >expected.txt
assert_near "mean of a value" "$(cat expected.txt)" "$(json_get s.json files.0.types.0.values.packets.mean)" 1e-9
assert_eq "most of a value" 63 "$(json_get s.json files.0.types.0.values.packets.max)"

# ---- selections
assert_ok "of LPs" "$warpscope" stats --json --lp=4,9-11 --pe=0-1 run/a-gvt.bin
cp last.out s.json
assert_eq "records that are left" gvt_lp "$(json_get s.json files.0.records_of)"
assert_eq "events of LPs" "$(awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) { c[$i] = i } }
    $1 == "gvt_lp" && $2 < 2 && ($c["lp"] == 4 || ($c["lp"] >= 9 && $c["lp"] <= 11)) {
        n += $c["events_processed"]
    }
    END { print n }' gvt.csv)" "$(json_get s.json files.0.totals.events_processed)"
assert_ok "of a time" "$warpscope" stats --json --from=250 --to=750 run/a-evtrace.bin
cp last.out s.json
assert_eq "events of a time" "$(awk -F, '$1 == "event" && $5 >= 250 && $5 < 750' evtrace.csv | wc -l)" \
    "$(json_get s.json files.0.totals.events)"
awk -F, '$1 == "event" || $1 == "rollback" { if ($5 >= 250 && $5 < 750) { print $7 } }' evtrace.csv |
    sort -g >clock.txt
assert_near "wall clock of a time" "$(tail -n 1 clock.txt) - $(head -n 1 clock.txt)" \
    "$(json_get s.json files.0.seconds)" 1e-6

# ---- layout of the output
for locale in C C.UTF-8; do
    for arguments in run run/a-gvt.bin "--ascii run" "--top=3 --by=network_sends run/a-rt.bin"; do
        # shellcheck disable=SC2086 # several words
        (LC_ALL=$locale && export LC_ALL && "$warpscope" stats $arguments) >text.txt 2>text.err
        assert_eq "messages" "" "$(cat text.err)"
        # Block characters are three bytes each.
        LC_ALL=C sed 's/\xe2\x96[\x80-\xbf]/#/g' text.txt >narrow.txt
        assert_eq "longest line of $arguments" "" "$(awk 'length > 80' narrow.txt)"
        assert_eq "control characters" "" "$(LC_ALL=C tr -d '\n -~\200-\377' <text.txt)"
    done
done
LC_ALL=C.UTF-8 "$warpscope" stats run >text.txt
assert_num "lines of block characters" "$(LC_ALL=C grep -c "$(printf '\342\226')" text.txt)" ">" 20
LC_ALL=C.UTF-8 "$warpscope" stats --ascii run >text.txt
assert_eq "--ascii" "" "$(LC_ALL=C tr -d '\n -~' <text.txt)"
assert_contains "a heading" text.txt "KPs with the most rollbacks, of 9"
assert_contains "time" text.txt "where the time goes, "
assert_contains "time" text.txt " on 3 PEs (estimated from one turn in 64)"
assert_contains "what is zero" text.txt "none: anti-messages sent"

# ---- memory: 64 MiB beside the program itself, for a file of 150 MB, and for more LPs than are kept
if [ "$WS_SANITIZE" = 0 ]; then
    mkdir big many
    assert_ok "make_run" "$make_run" big a pes=2 records=5000000 only_events=1
    assert_num "size" "$(wc -c <big/a-evtrace.bin)" ">" 100000000
    (ulimit -v 80000 && "$warpscope" stats --json big/a-evtrace.bin >s.json 2>s.err)
    assert_eq "status with 80 MB" 0 $?
    assert_eq "events" 5000000 "$(json_get s.json files.0.totals.events)"
    rm -r big
    assert_ok "make_run" "$make_run" many a pes=1 lps=300000 samples=1 records=600000
    for stream in evtrace gvt; do
        (ulimit -v 80000 && "$warpscope" stats many/a-$stream.bin >text.txt 2>s.err)
        assert_eq "status with 80 MB, $stream" 0 $?
    done
    assert_contains "more LPs than are kept" text.txt "Not exact: a PE has more than 131072 LPs"
    rm -r many
fi
finish
