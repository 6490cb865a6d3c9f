#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# warpscope ctl and the files of requests in bad circumstances: other owners, modes, links, garbage, several
# commands at once, runs that are stopped or were killed. The run goes on to the same results.
# test: processors=1 timeout=180
. "$WS_SRC/tests/support/lib.sh"
. "$WS_SRC/tests/support/control.sh"

warpscope="$WS_BIN/warpscope"
box=rec/warpscope-control

run_model 1 "$WS_TEST_BIN/gated" --synch=1 --lps=32 --end=150
truth="$events $states"

# refused WHAT TEXT WORDS...: ctl ends with status 1 and one line with the text.
refused() {
    refused_what=$1
    refused_line=$2
    shift 2
    assert_status "$refused_what" 1 "$warpscope" ctl "$@"
    assert_contains "$refused_what" last.err "$refused_line"
    assert_eq "lines: $refused_what" 1 "$(grep -c '' last.err)"
}

# ---- Command lines
for words in "rec" "rec sto" "rec set" "rec stop now" "rec status --timeout=x" "rec status --timeout=-1"; do
    # shellcheck disable=SC2086 # words
    assert_status "ctl $words" 2 "$warpscope" ctl $words
    assert_eq "lines of ctl $words" 1 "$(grep -c '' last.err)"
done
assert_status "no request" 2 "$warpscope" ctl rec
assert_contains "no request" last.err 'needs a directory and set, checkpoint, save, stop or status'
assert_status "a request that is nearly one" 2 "$warpscope" ctl rec sto
assert_contains "a request that is nearly one" last.err 'did you mean stop?'
refused "no directory" 'there is no such directory; a run makes it when it starts' nowhere status
refused "a file instead of a directory" 'cannot read the directory' "$0" status
mkdir -p empty
refused "a directory without a run" 'no running simulation takes requests here: it is starting, has ended' empty status

# ---- Files that are not the run's own. The run waits at its gate, and does not look at them meanwhile.
gated_start 1 3 --synch=3 --enable-gvt-stats=1
await_gate
assert_eq "mode of requests" 600 "$(stat -c %a $box)"
assert_eq "mode of answers" 600 "$(stat -c %a $box.answers)"
for file in $box $box.answers; do
    chmod 644 $file
    refused "mode of $file" 'other users may open it (mode 0644): the run takes no requests from it any more' rec status
    chmod 600 $file
    mv $file aside
    ln -s ../aside $file
    refused "$file is a symbolic link" 'is a symbolic link' rec status
    rm $file
    mkfifo -m 600 $file
    refused "$file is a pipe" 'is no regular file' rec status
    rm $file
    mv aside $file
    ln $file another
    refused "$file has two names" 'hard links' rec status
    rm another
    if [ "$(id -u)" -eq 0 ]; then
        chown 65534 $file
        refused "$file of another owner" 'only its owner may control the run' rec status
        chown 0 $file
    fi
done
cp -p $box kept
printf 'something else\n' >$box
refused "another first line" 'is no file for requests' rec status
printf '' >$box
refused "no first line" 'has no first line' rec status
sed 's/^warpscope-control 1/warpscope-control 9/' kept >$box
refused "another version" 'takes requests of version 9' rec status
cat kept >$box

# ---- Requests that are none, and several commands at once
printf 'request cut-off user host 1 stop' >>$box # as if the command was killed
request set real-time-samp=7
printf 'request a user host 1 stop\nrequest a user host 1 st%%zzop end\n\n \nanswer x done 1 1 1 x end\n' >>$box
head -c 3000000 /dev/zero | tr '\0' 'x' >>$box
printf '\n\0\0\377\376 end\nrequest %0200d u h 1 stop end\nrequest b u h 1 dance end\n' 0 >>$box
for n in 1 2 3 4 5 6; do
    "$warpscope" ctl --no-wait rec set num-gvt=$n >/dev/null 2>&1 &
    pids="${pids:-} $!"
done
# shellcheck disable=SC2086 # numbers
wait $pids
open_gate
await_gate
assert_eq "answers" 8 "$(grep -c '^answer ' $box.answers)"
assert_eq "requests that are not known" 1 "$(grep -c 'not%20known' $box.answers)"
assert_eq "requests carried out" 7 "$(grep -c ' done .*real-time-samp=7' $box.answers)"
assert_contains "flags in answers, as the command line takes them" $box.answers 'enable-gvt-stats=1'
long=$(printf '%05000d' 0)
refused "a long request" 'the request is too long' rec set "trace-lps=$long"

# ---- A run that does not answer, and a command that holds the lock
refused "a run at a gate" 'no answer within 0.2 s' rec status --timeout=0.2
kill -STOP "$(gated_process)"
refused "a stopped run" 'it may be stopped, or in one long event' rec set num-gvt=9 --timeout=0.2
kill -CONT "$(gated_process)"
if have flock; then
    mkfifo hold
    flock $box cat hold &
    holder=$!
    wait_for $holder sh -c "! flock -n $box true"
    refused "a lock that is held" 'another command holds the lock' rec status --timeout=0.2
    echo >hold
    wait $holder
fi
open_gate
await_gate
assert_contains "a request that was not awaited" $box.answers 'num-gvt=9'

# ---- What cannot begin is refused, and the rest goes on
: >rec/warpscope-evtrace.bin
request set event-trace=1
"$warpscope" ctl --timeout=100 rec status >status.out 2>&1 &
asker=$!
wait_for $asker grep -q ' status end' $box
open_gate
wait $asker
assert_contains "status of a run" status.out 'net events'
gated_end
rm -f rec/warpscope-evtrace.bin
assert_eq "results after all this" "$truth" "$events $states"
check_files "after all this"

# The file is in the way, as seen by a command that waits.
gated_start 1 1 --synch=3 --enable-gvt-stats=1
await_gate
: >rec/warpscope-evtrace.bin
"$warpscope" ctl --timeout=100 rec set event-trace=1 >late.out 2>&1 &
asker=$!
wait_for $asker grep -q event-trace $box
open_gate
wait $asker
assert_eq "status of a file in the way" 1 $?
assert_contains "a file in the way" late.out 'refused: '
assert_contains "a file in the way" late.out 'warpscope-evtrace.bin'
gated_end
assert_eq "results with a file in the way" "$truth" "$events $states"

# ---- Files that change under the run: it says so once and goes on
for what in 'chmod 660' 'rm'; do
    gated_start 1 2 --synch=3 --enable-gvt-stats=1
    await_gate
    "$warpscope" ctl --timeout=100 rec status >late.out 2>&1 &
    asker=$!
    wait_for $asker grep -q ' status end' $box
    $what $box
    open_gate
    await_gate
    wait $asker
    assert_eq "$what: status of a command that waits" 1 $?
    assert_contains "$what: a command that waits" late.out 'takes no requests any more, and says why'
    [ "$what" = rm ] || chmod 600 $box 2>/dev/null
    refused "$what: a command that comes later" 'takes none any more' rec status
    assert_eq "$what: files left" "" "$(ls rec | grep control)"
    open_gate
    gated_end
    assert_eq "$what: results" "$truth" "$events $states"
    assert_eq "$what: message" 1 "$(grep -c 'goes on without requests of warpscope ctl' gated.err)"
done

# ---- A run that was killed, with changes: they survive recovery
gated_start 1 3 --synch=3 --enable-gvt-stats=1
request set event-trace=3
open_gate
request set real-time-samp=5 granularity=1
open_gate
await_gate
kill -KILL "$(gated_process)"
wait "$gated_pid" 2>/dev/null
refused "a run that was killed" 'is not there any more' rec status
assert_contains "a run that was killed" last.err 'warpscope recover rec'
assert_ok "recover" "$warpscope" recover rec
for file in rec/*.bin; do
    "$warpscope" verify "$file" >/dev/null 2>verify.err
    assert_eq "faults of $file" "" "$(grep -v 'incomplete' verify.err)"
done
"$warpscope" info --json rec >info.json 2>/dev/null
assert_contains "changes after recovery" info.json 'set event-trace=3'
assert_contains "changes after recovery" info.json 'set real-time-samp=5 granularity=1'
refused "a recovered run" 'no running simulation takes requests here' rec status
assert_eq "files for requests after recovery" "" "$(ls rec | grep control)"
finish
