#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Failed writes are reported: standard output, the report. Options out of range are refused. Little memory
# slows a run down and does not end it.
# test: processors=2 timeout=120
. "$WS_SRC/tests/support/lib.sh"

phold="$WS_BIN/phold --quiet --end=5"

# into FILE COMMAND...: redirects standard output to the file; returns the command's status.
into() {
    into_file=$1
    shift
    "$@" >"$into_file"
}

# A full disk under standard output.
if [ -w /dev/full ]; then
    assert_status 'report to a full disk' 1 into /dev/full $phold
    assert_contains 'report to a full disk' last.err 'phold: standard output could not be written completely: No space left'
    assert_status 'help to a full disk' 1 into /dev/full $phold --help
fi

# Closed standard output: printed text does not get into files, or into MPI.
$phold >&- 2>last.err
assert_eq 'status with standard output closed' 1 $?
assert_contains 'standard output closed' last.err 'could not be written completely: Bad file descriptor'
$phold --event-trace=1 --stats-path=quiet --report-json=quiet.json >last.out 2>&-
assert_eq 'status with standard error closed' 0 $?
assert_ok 'records of a run with standard error closed' "$WS_BIN/warpscope" verify quiet
head -c 1000 quiet/warpscope-evtrace.bin >cut.bin
cp cut.bin before.bin
"$WS_BIN/warpscope" recover cut.bin 2>&-
assert_eq 'recovery with standard error closed' 1 $?
assert_same 'a file that cannot be recovered' before.bin cut.bin

# A report that cannot be written is an error before the run, not after.
mkdir -p folder
for path in folder missing/report.json; do
    assert_status "report to $path" 2 $phold --report-json="$path"
    assert_contains "report to $path" last.err "--report-json=$path: cannot be written: "
    assert_lacks "report to $path" last.out 'Net Events Processed'
done
assert_status 'report to a full disk' 1 $phold --report-json=/dev/full
assert_status 'report on two ranks' 2 run_mpi 2 $phold --report-json=missing/report.json
assert_eq 'one message for two ranks' 1 "$(grep -c 'cannot be written' last.err)"
echo 'old' >report.json
assert_status 'run refused later' 2 $phold --report-json=report.json --stats-path=/ --event-trace=1
assert_eq 'old report of a refused run' old "$(cat report.json)"
assert_ok 'report over an old one' $phold --report-json=report.json
assert_eq 'report over an old one' 32 "$(json_get report.json net_events)"
# A report is complete or not there: a run that is killed while it writes leaves the old one.
echo 'old' >report.json
chmod 640 report.json
LD_PRELOAD="$WS_TEST_BIN/libfault_io.so" FAULT_CALL=write FAULT_PATH=report.json FAULT_ERRNO=KILL \
    FAULT_LOG=struck.txt $phold --report-json=report.json >last.out 2>&1
assert_eq 'status of a run killed in its report' 137 $?
assert_eq 'report that the killed run found' old "$(cat report.json)"
rm -f report.json.tmp-*
assert_status 'a full disk' 1 env LD_PRELOAD="$WS_TEST_BIN/libfault_io.so" FAULT_CALL=write \
    FAULT_PATH=report.json FAULT_ERRNO=ENOSPC FAULT_LOG=struck.txt $phold --report-json=report.json
assert_contains 'a full disk' last.err 'the report could not be written to report.json: No space left'
assert_eq 'report that the run on a full disk found' old "$(cat report.json)"
ln -sf report.json link.json
assert_ok 'report through a link' $phold --report-json=link.json
assert_eq 'events in the report through a link' 32 "$(json_get report.json net_events)"
assert_eq 'permissions of a report' 640 "$(stat -c %a report.json)"
assert_eq 'files beside the report' 'link.json quiet.json report.json' "$(echo *.json*)"

rm -f behind.json
ln -sf behind.json to-behind.json
assert_ok 'report through a link to nothing' $phold --report-json=to-behind.json
assert_eq 'events in the report behind the link' 32 "$(json_get behind.json net_events)"
rm to-behind.json behind.json

# Two options that name one file are refused before anything is written; devices are not.
echo '--nlp=8' >args.txt
: >old.csv
ln -f old.csv link.csv
ln -sf new.json to-new.json
ln -sf to-new.json to-link.json
for pair in 'new.json --csv=to-new.json' 'to-link.json --csv=./new.json' 'made --stats-path=made/' \
    './made --checkpoint-path=made' \
    'new.json --csv=new.json' 'folder/../new.json --csv=./new.json' 'old.csv --csv=link.csv' \
    'args.txt --args-file=args.txt'; do
    assert_status "--report-json=$pair" 2 $phold --report-json=$pair
    assert_contains "--report-json=$pair" last.err 'name the same file, '
done
assert_status 'one file on two ranks' 2 run_mpi 2 $phold --report-json=new.json --csv=new.json
assert_eq 'one message' 1 "$(grep -cF -e '--report-json and --csv name the same file, new.json; give two' last.err)"
assert_eq 'file of two refused options' '' "$(ls new.json 2>/dev/null)"
assert_eq 'args file that was to be the report' '--nlp=8' "$(cat args.txt)"
assert_ok 'a device named twice' $phold --report-json=/dev/null --csv=/dev/null

# Options: the message names the invalid one.
for option in --batch=0 --gvt-interval=0 --report-interval=-1 --report-interval=2; do
    assert_status "$option" 2 $phold "$option"
    assert_contains "$option" last.err "phold: ${option%%=*}: must be "
done
assert_status 'stray argument' 2 $phold stray
assert_contains 'stray argument' last.err 'phold: unexpected argument "stray"'

# SIGHUP ends a run in order, unless it is ignored, as under nohup.
heeds='env --default-signal=HUP'
$heeds true 2>/dev/null || heeds=
$heeds "$WS_TEST_BIN/chaos" --quiet --end=1e9 >hangup.out 2>hangup.err &
pid=$!
wait_until_heard $pid
kill -HUP $pid
wait $pid
assert_eq 'status after a hangup' 129 $?
assert_contains 'report after a hangup' hangup.out 'Run Ended: stopped by a signal'

# Large batches and little memory: slower, but it completes. A sequential run needs no more.
"$WS_BIN/phold" --quiet --synch=1 --nlp=1000 --end=50 --lookahead=0.1 --report-json=memory.json \
    >last.out
events=$(json_get memory.json net_events)
for mib in 1 2 3 5; do
    assert_ok "$mib MiB" "$WS_BIN/phold" --quiet --synch=3 --nlp=1000 --end=50 --lookahead=0.1 \
        --gvt-interval=4294967295 --batch=1000000 --max-memory=$mib --report-json=memory.json
    assert_eq "events with $mib MiB" "$events" "$(json_get memory.json net_events)"
    assert_num "memory with $mib MiB" "$(json_get memory.json memory.event_bytes_peak)" '<=' \
        $((mib * 1048576))
done
finish
