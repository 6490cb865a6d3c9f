#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# For many PEs, stats and info show the distribution of their counts, and the PEs that stand out, worst first.
# test: processors=1 timeout=60
. "$WS_SRC/tests/support/lib.sh"

warpscope=$WS_BIN/warpscope
mkdir many few
assert_ok "64 PEs" "$WS_TEST_BIN/make_run" many a pes=64 samples=4 lps=256 records=8000
assert_ok "16 PEs" "$WS_TEST_BIN/make_run" few a pes=16 samples=4 lps=64 records=2000

# Counts of each PE, "PE PROCESSED UNDONE", from the JSON.
"$warpscope" stats --json many/a-gvt.bin >stats.json || fail "stats --json"
awk -f "$WS_SRC/tests/support/json.awk" stats.json | awk -F'[.=]' '
    $3 == "pes" { value[$4, $5] = $6; n = $4 > n ? $4 : n }
    END { for (i = 0; i <= n; i++) print value[i, "pe"], value[i, "events_processed"], value[i, "events_rolled_back"] }
    ' >pes.txt
assert_eq "PEs" 64 "$(wc -l <pes.txt)"
sort -n -k2,2 pes.txt | awk '{ v[NR] = $2; sum += $2 }
    END { print v[1], v[7], v[32], v[NR - 6], v[NR]; printf "%.9g\n", v[NR] / (sum / NR) }' >wanted.txt
for name in least percent_10 median percent_90 largest; do
    printf '%s ' "$(json_get stats.json "files.0.spread.events_processed.$name")"
done | sed 's/ $//' >got.txt
assert_eq "spread" "$(head -n 1 wanted.txt)" "$(cat got.txt)"
assert_near "imbalance" "$(json_get stats.json files.0.spread.events_processed.imbalance)" "$(tail -n 1 wanted.txt)" 1e-6

# The same in text, and the PEs with the lowest efficiency, 1 - undone / (executed - undone).
assert_ok "stats" "$warpscope" stats --top=4 many/a-gvt.bin
awk '{ print 1 - $3 / ($2 - $3), $1 }' pes.txt | sort -n | head -n 4 | cut -d' ' -f2 >wanted.txt
sed -n '/PEs with the lowest efficiency/,/^$/p' last.out | sed 1,2d | awk 'NF > 0 { print $1 }' >got.txt
assert_same "the worst" got.txt wanted.txt
assert_eq "spread" "64 PEs least 10 % below median 90 % below largest max/mean" \
    "$(sed -n 's/^ *\(64 PEs\)/\1/p' last.out | tr -s ' ')"
assert_lacks "all PEs" last.out "and 48 more"
assert_eq "longest line" "" "$(awk 'length > 80' last.out)"
assert_ok "stats of events" "$warpscope" stats many/a-evtrace.bin
assert_contains "events" last.out "PEs with most undone"
assert_eq "longest line" "" "$(awk 'length > 80' last.out)"
assert_ok "stats of 16 PEs" "$warpscope" stats few/a-gvt.bin
assert_lacks "16 PEs" last.out "max/mean"

# info: the PEs with the most records, from the JSON.
"$warpscope" info --json many/a-evtrace.bin >info.json
awk -f "$WS_SRC/tests/support/json.awk" info.json | sed -n 's/^files\.0\.pes\.\([0-9]*\)\.records=/\1 /p' |
    sort -k2,2nr -k1,1n | head -n 16 | cut -d' ' -f1 >wanted.txt
assert_ok "info" "$warpscope" info many/a-evtrace.bin
sed -n '/^ *PE /,$p' last.out | awk 'NR > 1 && $NF == "yes" { print $1 }' >got.txt
assert_same "the PEs with most records" got.txt wanted.txt
assert_contains "spread" last.out "records of 64 PEs"
assert_eq "longest line" "" "$(awk 'length > 80' last.out)"

# Of a large file info reads the headers of blocks only. A change in the contents is found by verify, and
# by info in a small file.
mkdir large
assert_ok "a large file" "$WS_TEST_BIN/make_run" large a pes=2 samples=4 lps=64 records=600000
assert_ok "more than 8 MiB" test "$(wc -c <large/a-evtrace.bin)" -gt 9000000
for run in few large; do
    printf 'changed' | dd of=$run/a-evtrace.bin bs=1 seek=68036 conv=notrunc 2>dd.txt
    assert_status "verify $run" 1 "$warpscope" verify $run/a-evtrace.bin
done
assert_status "info of a small file" 1 "$warpscope" info few/a-evtrace.bin
assert_ok "info of a large file" "$warpscope" info large/a-evtrace.bin
assert_contains "info of a large file" last.out 'yes, by the headers of blocks'
assert_eq "longest line" "" "$(awk 'length > 80' last.out)"
assert_ok "info --json" "$warpscope" info --json large/a-evtrace.bin
assert_eq "contents" false "$(json_get last.out files.0.contents_checked)"

# Nor does it read the tables of columns in the headers of records. It finds a change before them. Other
# commands find both. args: the offset of the change in the header of the last records of PE 1
header_change() {
    rm -r large
    mkdir large
    assert_ok "a large file again" "$WS_TEST_BIN/make_run" large a pes=2 samples=4 lps=64 records=600000
    python3 - large/a-evtrace.bin "$1" <<'END'
import sys
with open(sys.argv[1], "r+b") as file:
    data = file.read()
    starts = range(0, len(data), 64)
    at = [i for i in starts if data[i : i + 4] == b"WSBK" and data[i + 24] == data[i + 32] == 1][-1] + int(sys.argv[2])
    file.seek(at)
    file.write(bytes([data[at] ^ 1]))
END
}
header_change 130
assert_ok "info, table of columns" "$warpscope" info large/a-evtrace.bin
assert_status "stats, table of columns" 1 "$warpscope" stats large/a-evtrace.bin
header_change 56
assert_status "info, number of records" 1 "$warpscope" info large/a-evtrace.bin
finish
