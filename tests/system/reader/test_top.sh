#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# "warpscope top" as text and JSON: a complete recording, runs that go on, that stop, that are killed, that
# are restarted and that end; places without a run.
# test: processors=2 timeout=120
. "$WS_SRC/tests/support/lib.sh"
. "$WS_SRC/tests/support/watch.sh"
. "$WS_SRC/tests/support/findings.sh"

# ---- Without a run --------------------------------------------------------------------------------

mkdir empty
printf 'junk' >empty/x-rt.bin
assert_status "a file that is none" 1 "$warpscope" top --once empty

# ---- A complete recording: the numbers of stats ----------------------------------------------------

assert_ok "a run" "$WS_BIN/phold" --quiet --synch=3 --nlp=64 --nkp=4 --end=3000 --real-time-samp=1 --kp-data=1 \
    --enable-gvt-stats=1 --event-trace=2 --stats-path=done
assert_ok "complete" "$warpscope" top --once --json done
cp last.out top.json
assert_ok "stats" "$warpscope" stats --json --type=rt_pe done/warpscope-rt.bin
for count in events_processed events_rolled_back events_committed; do
    assert_eq "$count" "$(json_get last.out files.0.totals.$count)" "$(json_get top.json $count)"
done
assert_eq "state" ended "$(json_get top.json state)"
assert_ok "the same as text" "$warpscope" top --once done
assert_contains "report" last.out "events committed"
assert_ok "alias" "$warpscope" watch --lines done/warpscope-rt.bin
assert_contains "line" last.out " ended "
assert_contains "report" last.out "\"warpscope stats done/warpscope-rt.bin\" has more."

# Many PEs.
assert_ok "many PEs" "$WS_TEST_BIN/make_run" . many pes=1000 lps=2000 samples=3 records=10
mkdir many && mv many-*.bin many
assert_ok "top of many PEs" "$warpscope" top --once --show=pes many
assert_contains "many PEs" last.out "1000 PEs"
assert_num "lines" "$(wc -l <last.out)" "<" 80

# Files with some of the PEs: the others recorded on disks of other hosts.
mkdir own_disk
assert_ok "a disk of each host" "$WS_TEST_BIN/make_run" own_disk x pes=6 elsewhere=2 lps=60 samples=3 records=10
assert_ok "top of a host" "$warpscope" top --once --json own_disk
assert_eq "state" ended "$(json_get last.out state)"
assert_eq "recorded PEs" 2-5 "$(json_get last.out recorded_pes)"
assert_eq "first PE" 2 "$(json_get last.out pes.0.pe)"
assert_eq "last PE" 5 "$(json_get last.out pes.3.pe)"
assert_eq "more PEs" "" "$(json_get last.out pes.4.pe)"
assert_ok "top of a host, text" "$warpscope" top --once own_disk
assert_contains "text" last.out "* only PEs 2-5: the others record on disks of other hosts"
assert_contains "the end" last.out "only PEs 2-5 are here: the others recorded on disks of other hosts"
assert_ok "top of a host, lines" "$warpscope" top --lines own_disk
assert_contains "lines" last.out ", 4 of 6 PEs"

# One KP takes part in most rollbacks: a finding, in text and JSON.
assert_ok "a run with one bad KP" "$WS_BIN/phold" --quiet --synch=3 --nlp=64 --nkp=4 --end=400 \
    --random-rollbacks=5 --real-time-samp=1 --kp-data=1 --stats-path=bad
assert_ok "findings" "$warpscope" top --once --show=findings bad
assert_num "findings" "$(grep -c '^ [*] ' last.out)" ">=" 1
finding=$(sed -n 's/^ [*] //p' last.out | head -n 1)
top_json bad
assert_contains "the same in JSON" top.json "$finding"
COLUMNS=60 "$warpscope" top --once bad | tr -s ' \n' ' ' >narrow.txt
# The overview has the first ones only.
finding=$(json_get top.json findings.0.text)
assert_ok "the first finding in JSON" test -n "$finding"
assert_contains "a finding is not cut on a narrow screen" narrow.txt "$finding"
assert_ok "rates say of which time they are" grep -q ' last [0-9.]* m*s: ' narrow.txt
assert_ok "no findings" "$warpscope" top --once --show=findings done/warpscope-gvt.bin
top_json done/warpscope-gvt.bin
grep -o '"rule":"[a-z-]*"' top.json | cut -d'"' -f4 >found.txt
assert_eq "no findings but those that chance may add" "" "$(only_certain)"

# ---- A run that goes on ----------------------------------------------------------------------------

live_start live 1e9
assert_ok "runs" wait_for $live top_says events_committed '>' 1000 live
assert_eq "state" running "$(json_get top.json state)"
assert_eq "status" 0 $top_status
assert_eq "its process" $live "$(json_get top.json pes.0.process)"
assert_num "its memory" "$(json_get top.json pes.0.memory)" '>' 1000000
before=$(json_get top.json events_committed)
assert_ok "advances" wait_for $live top_says events_committed '>' "$before" live
assert_lacks "JSON" top.json nan

# Lines while it goes on, is stopped, is continued and is killed; then its restart, until the end.
"$warpscope" top --lines --wait --interval=0.2 live >lines.txt 2>lines.err &
watcher=$!
assert_ok "a line" wait_for $watcher grep -q " running .*committed/s" lines.txt
kill -STOP $live
assert_ok "stopped" wait_for $watcher grep -q "no news for .*; PE 0 (process $live) is stopped" lines.txt
assert_ok "silent" wait_for $watcher top_state silent live
kill -CONT $live
assert_ok "continued" wait_for $watcher sh -c 'tail -n 1 lines.txt | grep -v stopped | grep " running "'
live_kill
assert_ok "killed" wait_for $watcher grep -q " killed .*warpscope recover live" lines.txt
# A watcher writes nothing.
assert_ok "killed, at once" wait_for $watcher top_state killed live
find live -type f -exec cksum {} + -exec stat -c '%n %Y %s' {} + | sort >before.txt
assert_status "killed" 1 "$warpscope" top --once live
assert_contains "what to do" last.err "warpscope recover live"
assert_status "killed, lines" 1 "$warpscope" top --lines live
find live -type f -exec cksum {} + -exec stat -c '%n %Y %s' {} + | sort >after.txt
assert_same "files of the killed run" before.txt after.txt
top_json live
live_start live 2000
assert_ok "the restart ends" wait_for $watcher grep -q "reached the end time" lines.txt
wait $watcher
assert_eq "status of the watcher" 0 $?
watcher=
wait $live
assert_contains "followed" lines.txt "the run goes on in live-1"
assert_eq "its words on stderr" "" "$(cat lines.err)"
# The numbers of the killed run, with what was only in buffers, are those that recovery saves.
assert_ok "recover" "$warpscope" recover live
assert_status "stats of a killed run" 1 "$warpscope" stats --json --type=rt_pe live/warpscope-rt.bin
assert_eq "committed events of the killed run" "$(json_get last.out files.0.totals.events_committed)" \
    "$(json_get top.json events_committed)"
top_json live
assert_eq "after recovery" recovered "$(json_get top.json state)"
assert_eq "status of a run that was killed" 1 $top_status
assert_status "a recovered run" 1 "$warpscope" top --once live
assert_contains "a recovered run" last.out ' recovered '
assert_eq "its PEs" 1 "$(grep -c ' killed$' last.out)"

# ---- A run whose records a request changes -----------------------------------------------------------

"$WS_BIN/phold" --nlp=64 --nkp=4 --lookahead=0.1 --synch=3 --quiet --end=1e9 --random-rollbacks=5 --enable-gvt-stats=1 --num-gvt=10 \
    --stats-path=changed >live.out 2>&1 &
live=$!
assert_ok "runs" wait_for $live top_says events_committed '>' 1000 changed
assert_ok "a change" "$warpscope" ctl changed set real-time-samp=10 granularity=1
before=$(json_get top.json events_committed)
assert_ok "a second part" wait_for $live test -e changed/warpscope-2-gvt.bin
assert_ok "goes on" wait_for $live top_says events_committed '>' "$before" changed
assert_eq "state" running "$(json_get top.json state)"
# The samples that counted end; others go on.
"$warpscope" top --lines --interval=0.2 changed >changed.txt 2>&1 &
watcher=$!
assert_ok "watched" wait_for $watcher grep -q ' running .*efficiency' changed.txt
assert_ok "no samples at GVT any more" "$warpscope" ctl changed set enable-gvt-stats=0
before=$(json_get top.json events_committed)
assert_ok "goes on by wall clock" wait_for $live top_says events_committed '>' $((before + 1000)) changed
phases=$(json_get top.json pes.0.phases.executing)
assert_num "times of phases" "$phases" '>=' 0
# All recording ends for a while.
assert_ok "nothing is recorded" "$warpscope" ctl changed set real-time-samp=0
assert_ok "says so" wait_for $watcher grep -q ' running .*a request ended the recording' changed.txt
top_json changed
assert_eq "state" running "$(json_get top.json state)"
assert_contains "warning" top.json 'and the run goes on'
assert_ok "samples at GVT again" "$warpscope" ctl changed set enable-gvt-stats=1
assert_ok "goes on" wait_for $live top_says events_committed '>' $((before + 1000)) changed
assert_ok "stop" "$warpscope" ctl changed stop
wait $live
live=
wait $watcher
assert_eq "status of the watcher of a run that was stopped" 1 $?
watcher=
assert_contains "its end" changed.txt 'was stopped by a request of warpscope ctl'
assert_lacks "its lines" changed.txt ' killed '
top_json changed
assert_eq "state" ended "$(json_get top.json state)"

# Samples at GVT throughout, and others by wall clock for a part of it: those at GVT count, exactly.
assert_ok "two sources" "$WS_BIN/phold" --nlp=64 --nkp=4 --lookahead=0.1 --synch=3 --quiet --end=3000 --random-rollbacks=5 \
    --enable-gvt-stats=1 --real-time-samp=1 --stats-path=both
top_json both
assert_status "the end report" 0 "$warpscope" top --once both
for count in events_processed:executed events_rolled_back:undone events_committed:committed; do
    words="events ${count#*:}" count=${count%:*}
    assert_eq "$count of both parts" \
        "$(sed -n "s/^  $words  *\([0-9,]*\) .*\$/\1/p" last.out | tail -n 1 | tr -d ,)" \
        "$(json_get top.json $count)"
done

# ---- Samples of which the columns show only some values ------------------------------------------------

assert_ok "only how far KPs are ahead" "$WS_BIN/phold" --nlp=64 --nkp=4 --lookahead=0.1 --synch=3 --quiet --end=3000 \
    --real-time-samp=1 --pe-data=0 --stats-path=ahead
"$warpscope" top --once --show=kps ahead >kps.txt
assert_eq "values that are not recorded" 4 "$(grep -c '^     0      [0-3] *- *- *- *- *[0-9.]* *-$' kps.txt)"
assert_ok "LPs" "$warpscope" top --once --show=lps ahead
assert_contains "LPs that are not recorded" last.out 'no data of LPs: record with --real-time-samp=MS --lp-data=1'
assert_ok "only LPs" "$WS_BIN/phold" --nlp=64 --nkp=4 --lookahead=0.1 --synch=3 --quiet --end=300 --random-rollbacks=5 \
    --enable-gvt-stats=1 --lp-data=1 --stats-path=lps
"$warpscope" top --once --show=lps lps >lps.txt
assert_eq "LPs" 1 "$(grep -c '^ *PE  *KP  *LP  *>undone  *just now  *eff. %  *remote  *executed$' lps.txt)"
top_json lps
assert_eq "LPs with samples" 64 "$(json_get top.json lps_sampled)"
assert_ok "stats" "$warpscope" stats --json --type=gvt_lp --lp="$(json_get top.json lps.0.lp)" lps/warpscope-gvt.bin
for count in events_processed events_rolled_back; do
    assert_eq "$count of the worst LP" "$(json_get last.out files.0.totals.$count)" "$(json_get top.json lps.0.$count)"
done

# ---- A run that is not there yet, and one that is replaced ------------------------------------------

"$warpscope" top --json --wait --interval=0.2 later >later.txt 2>&1 &
watcher=$!
assert_ok "waits" wait_for $watcher grep -q '"state":"waiting"' later.txt
live_start later 1e9
assert_ok "begins" wait_for $watcher grep -q '"state":"running"' later.txt
live_kill
rm -r later
live_start later 1e9
assert_ok "replaced" wait_for $watcher sh -c 'tail -n 1 later.txt | grep "\"state\":\"running\".*\"followed\":[12]"'
kill -TERM $live
wait $live
wait $watcher
assert_eq "status after a signal" 1 $?
watcher=
live=
assert_contains "the end" later.txt '"words":"was stopped by a signal"'
awk '{ print > ("line" NR ".json") }' later.txt
for line in line*.json; do
    awk -f "$WS_SRC/tests/support/json.awk" "$line" >/dev/null || fail "$line is no JSON"
done
finish
