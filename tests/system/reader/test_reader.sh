#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# "warpscope dump" from outside: the records of files, chosen and in all forms; help; output that cannot be written.
# test_mistakes.sh has what cannot be read, and wrong command lines.
# test: processors=1 timeout=300 sanitize=yes
. "$WS_SRC/tests/support/lib.sh"

warpscope=$WS_BIN/warpscope
make_records=$WS_TEST_BIN/make_records

mkdir run
assert_ok "make_records" "$make_records" run a pes=3 rows=2000

# ---- dump
assert_ok "dump" "$warpscope" dump run/a-evtrace.bin
cp last.out all.csv
assert_eq "lines" 6004 "$(wc -l <all.csv)"
assert_eq "header" "src_lp,dest_lp,send_ts,recv_ts,prio,real_time,pe,kp,payload_type,payload_size,send_order,sent,handler_time,delay,bytes,hops_0,hops_1,name,payload.pe,level,lp_type" \
    "$(head -n 1 all.csv)"
assert_eq "a described payload" '1,1,0.1,0.6,1,1e-06,0,1,1,24,0,0,0,0.3333333333333333,41,1,2,"r1,""q""",,,router' \
    "$(sed -n 3p all.csv)"
assert_eq "another one" '2,2,0.2,0.5333333333333333,1,2e-06,0,2,2,7,0,0,0,0.6666667,,,,,-2,-2,host' \
    "$(sed -n 4p all.csv)"
assert_eq "order of PEs" "0 1 2" "$(awk -F, 'BEGIN { last = -1 } NR > 1 && $7 != last { printf "%s%s", s, $7; s = " "; last = $7 }' all.csv)"
assert_ok "--limit" "$warpscope" dump run/a-evtrace.bin --limit=7
assert_same "the first seven" last.out - <<END
$(head -n 8 all.csv)
END
assert_ok "--pe" "$warpscope" dump run/a-evtrace.bin --pe=0,2-5
assert_eq "records of PEs 0 and 2" 4002 "$(($(wc -l <last.out) - 1))"
assert_eq "records of PE 1" 0 "$(awk -F, '$7 == 1' last.out | wc -l)"
assert_ok "--from, --to" "$warpscope" dump --from 10 --to=20.5 run/a-evtrace.bin
awk -F, 'NR == 1 || ($4 >= 10 && $4 < 20.5)' all.csv >expected.csv
assert_same "records by time" last.out expected.csv
assert_ok "--to leaves its own time out" "$warpscope" dump --from=20.5 --to=20.5 run/a-evtrace.bin
assert_eq "records of no time" 1 "$(wc -l <last.out)"
assert_num "records at 20.5" "$(awk -F, '$4 == 20.5' all.csv | wc -l)" ">" 0
assert_ok "--kp" "$warpscope" dump --kp=1,3-4 run/a-evtrace.bin
awk -F, 'NR == 1 || $8 == 1 || $8 >= 3' all.csv >expected.csv
assert_same "records by KP" last.out expected.csv
assert_ok "--lp" "$warpscope" dump --lp=0-2,1004,2000-3000 run/a-evtrace.bin
awk -F, 'NR == 1 || $2 <= 2 || $2 == 1004 || $2 >= 2000' all.csv >expected.csv
assert_same "records by LP" last.out expected.csv
assert_ok "--type of an LP" "$warpscope" dump --type='h?st' run/a-evtrace.bin
awk -F, 'NR == 1 || $9 == 2' all.csv >expected.csv
assert_same "records by type of LP" last.out expected.csv
assert_ok "--type of a record" "$warpscope" dump --type='host,ev*' run/a-evtrace.bin
assert_same "records by kind" last.out all.csv
assert_status "a PE that is not there" 1 "$warpscope" dump --pe=1,9 run/a-evtrace.bin
assert_contains "a PE that is not there" last.err "no PE 9: the run had 3 (from 0)"
assert_eq "records of PE 1" 2001 "$(($(wc -l <last.out) - 1))"
assert_status "a type that is not there" 1 "$warpscope" dump --type=host,gvt_kp run/a-evtrace.bin
assert_contains "a type that is not there" last.err "is called gvt_kp; there are event, router, host"
assert_num "records by time" "$(wc -l <last.out)" ">" 100
assert_ok "JSON" "$warpscope" dump run/a-evtrace.bin --format=json --limit=3
cp last.out three.json
assert_eq "a number" 0.5333333333333333 "$(json_get three.json 2.recv_ts)"
assert_eq "no column without value" "" "$(json_get three.json 2.bytes)"
assert_ok "JSON without records" "$warpscope" dump run/a-evtrace.bin --format=json --limit=0
assert_eq "empty array" "[ ]" "$(tr '\n' ' ' <last.out | sed 's/ $//')"
assert_ok "NaN" "$warpscope" dump run/a-gvt.bin --limit=4
assert_contains "NaN in CSV" last.out ",nan"
assert_ok "NaN in JSON" "$warpscope" dump run/a-gvt.bin --limit=4 --format=json
assert_contains "NaN in JSON" last.out '"efficiency":null'
assert_ok "payloads that are not described" "$warpscope" dump run/a-model.bin --limit=3
assert_contains "hex" last.out "0,0,2,0,0.002,1,2,3,"
assert_eq "hex" 0102ff "$(sed -n "4s/,[^,]*$//;4s/,[^,]*$//;4s/.*,//p" last.out)"
"$WS_TEST_BIN/make_causal" units.bin payload=1 || fail "make_causal"
assert_ok "units" "$warpscope" dump --units --limit=1 units.bin
assert_contains "units of several types" last.out ",handler_time [ns],\"kind [\"\"]\",wait [several units],"
assert_ok "units in JSON" "$warpscope" dump --units --format=json --limit=1 units.bin
assert_ne "unit in quotes" "" "$(json_get last.out '0.kind ["]')"
mkdir plain && "$make_records" plain a pes=1 rows=5 plain
assert_ok "no payloads" "$warpscope" dump plain/a-evtrace.bin
assert_contains "payload column" last.out "handler_time,payload"

# ---- help
for command in "" info stats tasks dump export diff verify recover rerun; do
    # shellcheck disable=SC2086 # no word when empty
    assert_ok "help" "$warpscope" $command --help
    assert_contains "help of $command" last.out "usage: warpscope $command"
    assert_eq "longest line" "" "$(awk 'length > 80' last.out)"
done
assert_ok "--version" "$warpscope" --version
assert_eq "version" warpscope "$(cut -d' ' -f1 last.out)"

# ---- output
if [ -w /dev/full ]; then
    for arguments in "dump run/a-evtrace.bin" "info run" "verify run" "stats run" "--help"; do
        # shellcheck disable=SC2086 # several words
        "$warpscope" $arguments >/dev/full 2>full.err
        assert_eq "status on a full disk: $arguments" 1 $?
        assert_contains "full disk: $arguments" full.err "cannot write the output: No space left"
    done
fi
"$warpscope" dump run/a-evtrace.bin 2>pipe.err | head -n 1 >/dev/null
assert_eq "messages when a pipe is closed" "" "$(cat pipe.err)"
(trap '' PIPE && "$warpscope" dump run/a-evtrace.bin 2>pipe.err) | head -n 1 >/dev/null
assert_eq "messages when a pipe is closed, signal ignored" "" "$(cat pipe.err)"
(trap '' PIPE && sleep 0.3 && "$warpscope" stats run 2>pipe.err) | true
assert_eq "messages of stats when a pipe is closed" "" "$(cat pipe.err)"
finish
