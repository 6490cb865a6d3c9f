#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# The warpscope command from outside: its output and exit status for valid, damaged, incomplete and missing
# input, wrong command lines, and output that cannot be written.
# test: processors=1 timeout=300 sanitize=yes
. "$WS_SRC/tests/support/lib.sh"

warpscope=$WS_BIN/warpscope
make_records=$WS_TEST_BIN/make_records

# poke FILE OFFSET OCTAL: overwrites one byte.
poke() {
    printf "\\$3" | dd of="$1" bs=1 seek="$2" conv=notrunc 2>/dev/null
}

# find_block FILE N: offset of the N-th block (from 1) by its magic.
find_block() {
    grep -obUaF WSBK "$1" | sed -n "$2s/:.*//p"
}

mkdir run
assert_ok "make_records" "$make_records" run a pes=3 rows=2000

# ---- info
assert_ok "info of a directory" "$warpscope" info run
for words in "run/a-evtrace.bin" "run/a-gvt.bin" "run/a-model.bin" "complete        yes" \
    "records         6003 in" "start date      2026-01-31T12:00:00Z" "reached the end time"; do
    assert_contains "info" last.out "$words"
done
assert_eq "messages" "" "$(cat last.err)"
assert_eq "longest line" "" "$(awk 'length > 80' last.out)"
assert_ok "info of a file" "$warpscope" info run/a-evtrace.bin
assert_contains "fields" last.out "recv_ts"
assert_contains "payload fields" last.out "delay"
assert_contains "PEs" last.out "     2           2002"
assert_eq "longest line" "" "$(awk 'length > 80' last.out)"
assert_ok "info --json" "$warpscope" info --json run
cp last.out info.json
assert_eq "complete" true "$(json_get info.json complete)"
assert_eq "records of evtrace" 6003 "$(json_get info.json files.0.records)"
assert_eq "stream" gvt "$(json_get info.json files.1.stream)"
assert_eq "records of a PE" 2001 "$(json_get info.json files.0.pes.1.records)"
assert_eq "run" "example --synch=3" "$(json_get info.json files.0.run.command)"
assert_eq "version" optimistic "$(json_get info.json files.0.run.scheduler)"

mkdir kinds && assert_ok "make_run" "$WS_TEST_BIN/make_run" kinds a samples=3
assert_ok "info of several kinds" "$warpscope" info kinds/a-gvt.bin
assert_contains "several kinds" last.out "kinds           6 gvt_pe, 24 gvt_kp, 192 gvt_lp"
assert_ok "info --json of several kinds" "$warpscope" info --json kinds/a-gvt.bin
cp last.out kinds.json
assert_eq "records of KPs" 24 "$(json_get kinds.json files.0.records_of.1.records)"
assert_eq "journals" 0 "$(json_get kinds.json files.0.journals)"

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
mkdir plain && "$make_records" plain a pes=1 rows=5 plain
assert_ok "no payloads" "$warpscope" dump plain/a-evtrace.bin
assert_contains "payload column" last.out "handler_time,payload"

# ---- verify
assert_ok "verify" "$warpscope" verify run plain/a-gvt.bin
assert_eq "lines" 4 "$(grep -c 'complete and valid' last.out)"

# ---- a file that lacks records is not complete, and every command says so
mkdir lossy && "$make_records" lossy a dropped=5
for command in verify dump stats recover; do
    assert_status "$command of a lossy run" 1 "$warpscope" $command lossy/a-gvt.bin
    cp last.out lossy-$command.txt
done
assert_contains "verify" lossy-verify.txt "valid but incomplete: "
assert_contains "verify" lossy-verify.txt "; 10 are missing (dropped or not written)"
assert_contains "recover" lossy-recover.txt "nothing to recover; 10 records had been lost while recording"
assert_num "records that are there" "$(wc -l <lossy-dump.txt)" ">" 20
assert_status "info --json of a lossy run" 1 "$warpscope" info --json lossy/a-gvt.bin
cp last.out lossy.json
assert_eq "complete" false "$(json_get lossy.json complete)"
assert_eq "complete, a PE" false "$(json_get lossy.json files.0.pes.1.complete)"
assert_status "info of a lossy run" 1 "$warpscope" info lossy/a-gvt.bin
assert_contains "losses" last.out "complete        NO: 10 records lost (PE 0: 5, PE 1: 5)"
assert_contains "losses" last.out "10 LOST while recording"
assert_contains "losses" last.err "10 records were lost"

# ---- the end of the run: that of the worst PE, and the others are named
make_run=$WS_TEST_BIN/make_run
for end in "3 PE 1 was stopped by a signal" "4 PE 1 was stopped by an error" "5 PE 1 was killed"; do
    rm -rf ended && mkdir ended
    assert_ok "make_run" "$make_run" ended a pes=3 records=100 only_events=1 end_code="${end%% *}" end_pe=1
    assert_ok "info" "$warpscope" info ended
    assert_contains "worst end" last.out "outcome         ended early"
    assert_contains "ends" last.out "${end#* }; 2 PEs reached the end time"
    assert_ok "info --json" "$warpscope" info --json ended
    cp last.out ended.json
    assert_eq "worst end" "${end%% *} true" \
        "$(json_get ended.json files.0.end_code) $(json_get ended.json files.0.ends_differ)"
done
assert_ok "info" "$warpscope" info run/a-gvt.bin
assert_lacks "all ended alike" last.out "PEs reached"
rm -rf ended && mkdir ended
assert_ok "make_run" "$make_run" ended a pes=2 records=100 only_events=1 end_code=5 \
    dropped=18446744073709551615
for command in info verify dump stats; do
    assert_status "$command: unknown loss" 1 "$warpscope" $command ended/a-evtrace.bin
    assert_contains "$command: unknown loss" last.err "an unknown number of records of 2 PEs may be missing"
done
assert_status "info" 1 "$warpscope" info ended/a-evtrace.bin
assert_contains "info: unknown loss" last.out "lost: unknown"
assert_eq "info: PEs of unknown loss" 2 "$(grep -c ' unknown  NO$' last.out)"

# ---- damage: every command says so and ends with 1
damaged() {
    for command in info verify; do
        assert_status "$command: $1" 1 "$warpscope" "$command" broken-evtrace.bin
        assert_contains "$command: $1" last.err "$2"
    done
    assert_status "dump: $1" 1 "$warpscope" dump broken-evtrace.bin
    assert_contains "dump: $1" last.err "$2"
    assert_status "info --json: $1" 1 "$warpscope" info --json broken-evtrace.bin
    cp last.out broken.json
    assert_eq "complete: $1" false "$(json_get broken.json complete)"
}
fresh() {
    cp run/a-evtrace.bin broken-evtrace.bin
}
fresh && truncate -s -1 broken-evtrace.bin
damaged "cut off by a byte" "incomplete: no END block"
fresh && truncate -s 70000 broken-evtrace.bin
damaged "cut off in the first blocks" "cut off"
assert_num "records before the cut" "$(json_get broken.json files.0.n_faults)" ">" 2
fresh && truncate -s 100 broken-evtrace.bin
damaged "cut off in the superblock" "cut off in its superblock; if its run was killed at the start, remove the file"
: >broken-evtrace.bin
damaged "empty" "the file is empty; if its run was killed, it lost no record: remove the file and repeat the run"
assert_status "recover: empty" 1 "$warpscope" recover broken-evtrace.bin
assert_contains "recover: empty" last.err "the file is empty; if its run was killed, it lost no record: remove the file"
fresh && poke broken-evtrace.bin 0 000
damaged "wrong magic" "not a Warpscope record file"
# Files of other programs are named as what they are, whatever the command.
mkdir foreign
printf '{"traceEvents":[]}\n' >foreign/c.json
printf '\037\213\010' >foreign/a.gz
for command in info verify stats dump tasks analyze rollbacks partition rerun recover "top --once" \
    "$(echo memtrace info | built)" "report -o foreign.html" "export --format=csv"; do
    [ -n "$command" ] || continue # not in this build
    # shellcheck disable=SC2086 # several words
    assert_status "$command of JSON" 1 "$warpscope" $command foreign/c.json
    assert_contains "$command of JSON" last.err ", but JSON text: "
    # shellcheck disable=SC2086
    assert_status "$command of gzip" 1 "$warpscope" $command foreign/a.gz
    assert_contains "$command of gzip" last.err ", but data compressed by gzip: decompress it first (gunzip)"
done
fresh && poke broken-evtrace.bin 8 011
damaged "newer version" "newer"
fresh && poke broken-evtrace.bin 100 000
damaged "superblock" "checksum"
fresh
block=$(find_block run/a-evtrace.bin 2)
assert_ne "second block" "" "$block"
poke broken-evtrace.bin $((block + 900)) 000
damaged "body" "byte $block: PE 0"
assert_num "records that are left" "$(wc -l <last.out)" ">" 0
assert_status "what is left" 1 "$warpscope" dump broken-evtrace.bin
assert_num "records that are left" "$(wc -l <last.out)" ">" 3000
mkdir unended && "$make_records" unended a no_end
cp unended/a-evtrace.bin broken-evtrace.bin
damaged "no END" "incomplete: no END block (4 good blocks, 100 records before)"
assert_eq "records of an unended file" 201 "$(json_get broken.json files.0.records)"
fresh && poke broken-evtrace.bin 60000 101
assert_status "unused space" 1 "$warpscope" verify broken-evtrace.bin
assert_contains "unused space" last.err "byte 60000: PE 0: bytes where nothing should be"

# ---- input that is not there
assert_status "missing file" 1 "$warpscope" info nowhere.bin
assert_contains "missing file" last.err "nowhere.bin: cannot open: No such file"
assert_ok "dump of a directory" "$warpscope" dump run
mkdir empty
for command in info verify; do
    assert_status "$command of an empty directory" 1 "$warpscope" "$command" empty
    assert_contains "$command of an empty directory" last.err "no record files"
done
mkfifo pipe-gvt.bin
assert_status "a pipe" 1 "$warpscope" verify pipe-gvt.bin
assert_contains "a pipe" last.err "not a regular file"

# ---- command lines
usage() {
    words=$1
    shift
    assert_status "$*" 2 "$warpscope" "$@"
    assert_contains "$*" last.err "$words"
    assert_eq "output of $*" "" "$(cat last.out)"
}
usage "usage: warpscope"
usage "did you mean dump?" dmp run/a-gvt.bin
usage "did you mean --format?" dump --fromat=csv run/a-gvt.bin
usage "no option --zzzzzzz (see" dump --zzzzzzz run/a-gvt.bin
usage "no option -x" dump -x run/a-gvt.bin
usage "must be csv, tsv, json or jsonl" dump --format=xml run/a-gvt.bin
usage "must be a whole number" dump --limit=-1 run/a-gvt.bin
usage "must be a list" dump --pe=3-1 run/a-gvt.bin
usage "must be a list" dump --pe= run/a-gvt.bin
usage "must be a number" dump --from=nan run/a-gvt.bin
for command in dump stats "export --format=csv" "diff run/a-gvt.bin"; do
    # shellcheck disable=SC2086 # several words
    usage "--from=2 is later than --to=1" $command --from=2 --to=1 run/a-gvt.bin
    assert_eq "one message" 1 "$(wc -l <last.err)"
done
usage "needs a directory or a file" dump
usage "needs a directory or a file" info
usage "takes no value" info --json=1 run
usage "needs a value" dump run/a-gvt.bin --limit
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
