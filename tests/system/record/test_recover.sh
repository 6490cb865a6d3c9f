#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Runs that are killed at random and at chosen moments: "warpscope recover" makes their files complete and
# valid, with each record that was in the buffers, in the order of an undisturbed run.
#
#   WS_KILLS       number of random moments; default 25, as far as they fit into 12 seconds,
#                  but at least some
#   WS_TEST_SEED   repeats the choices of this seed, which is printed at the start
# test: processors=2 timeout=300
. "$WS_SRC/tests/support/lib.sh"
. "$WS_SRC/tests/support/random.sh"

kills=${WS_KILLS:-25}
[ -n "${WS_KILLS:-}" ] && seconds=1000000 || seconds=12
points_min=3
warpscope="$WS_BIN/warpscope"
patience_s=600

# ---- Runs that are killed ------------------------------------------------------------------------

# start RANKS PROGRAM ARGUMENTS...: in the background; the process number of each rank is a file in pids.
# Returns when the first rank is about to begin.
start() {
    start_ranks=$1
    shift
    rm -rf pids
    mkdir pids
    # shellcheck disable=SC2016 # for the shell of the rank
    set -- sh -c 'touch pids/$$; exec "$0" "$@"' "$@"
    [ "$start_ranks" = 1 ] || set -- "$WS_MPIEXEC" -n "$start_ranks" "$@"
    timeout -s KILL "$patience_s" "$@" >run.out 2>run.err &
    launcher=$!
    while [ -z "$(ls pids)" ] && kill -0 "$launcher" 2>/dev/null; do sleep 0.02; done
}

# Waits until the run has made its files.
wait_for_files() {
    while [ ! -s "$1/warpscope-evtrace.bin" ] && kill -0 "$launcher" 2>/dev/null; do
        sleep 0.02
    done
}

# Prints the number of ranks of the run that are alive.
count_alive() {
    alive=0
    for pid in $(ls pids); do
        kill -0 "$pid" 2>/dev/null && alive=$((alive + 1))
    done
    echo $alive
}

# kill_ranks N: kills N of the ranks, or all if there are fewer. The launcher ends the others.
kill_ranks() {
    ls pids 2>/dev/null | head -n "$1" | while read -r pid; do
        kill -9 "$pid" 2>/dev/null
    done
}

# Waits until no rank is left. The launcher ends later; the test does not wait for it.
wait_for_end() {
    waited=0
    while [ "$(count_alive)" -gt 0 ] && [ "$waited" -lt 4800 ]; do
        sleep 0.05
        waited=$((waited + 1))
    done
}

# Waits until one rank has ended by itself, then kills the others.
wait_for_death() {
    waited=0
    while [ "$(ls pids | wc -l)" -lt "$start_ranks" ] && [ "$waited" -lt 4800 ]; do
        sleep 0.05
        waited=$((waited + 1))
    done
    while [ "$(count_alive)" -eq "$start_ranks" ] && [ "$waited" -lt 4800 ]; do
        sleep 0.05
        waited=$((waited + 1))
    done
    kill_ranks 8
    wait_for_end
}

# recover_all DIRECTORY: everything in it must be complete and valid afterwards.
recover_all() {
    ls "$1"/*.bin >/dev/null 2>&1 || return # killed before files were made
    "$warpscope" recover --dry-run "$1" >last.out 2>last.err
    dry_status=$?
    "$warpscope" recover "$1" >last.out 2>last.err
    assert_eq "dry run on $1" $? $dry_status
    if [ $dry_status = 1 ]; then # killed while journals were set up: some PEs have none
        assert_contains "recover $1" last.out "without buffers NOT ended"
        assert_status "recover $1 at any price" 1 "$warpscope" recover --force "$1"
        assert_contains "recover $1" last.out " is LOST"
        assert_status "verify $1" 1 "$warpscope" verify "$1"
        assert_contains "verify $1" last.out "valid but incomplete"
        return
    fi
    assert_eq "recover $1" 0 $dry_status
    assert_eq "journals of $1 after that" "" "$(ls "$1" | grep journal)"
    assert_ok "verify $1" "$warpscope" verify "$1"
    assert_eq "what verify says of $1" "" "$(cat last.err)"
}

# ---- At a chosen moment: in the middle of the callback of record N --------------------------------

number_in() {
    od -An -tu8 "$1" | tr -d ' '
}

records_of_pe() {
    "$warpscope" info "$1" | awk -v pe="$2" '/^ *PE +records/ { table = 1; next }
        table && $1 == pe { print $2 }'
}

# die WHAT RANKS SIGNAL OPTIONS...: the killed rank has all records except the one in progress; the others
# have all except at most one in progress.
die() {
    what="$1 on $2 ranks"
    die_ranks=$2
    signal=$3
    shift 3
    random 150000
    at=$((random + 1))
    rank=$((at % die_ranks))
    rm -rf died counts.*
    start "$die_ranks" "$WS_TEST_BIN/tally" --quiet --event-trace=1 --stats-path=died \
        --die-at=$at --die-rank=$rank --die-signal="$signal" "$@"
    wait_for_death
    recover_all died
    for pe in $(seq 0 $((die_ranks - 1))); do
        counted=$(number_in counts.$pe)
        recovered=$(records_of_pe died/warpscope-evtrace.bin $pe)
        assert_num "records of PE $pe, $what" "$recovered" "<=" "$counted"
        assert_num "records of PE $pe, $what" "$recovered" ">=" "$((counted - 1))"
        [ $pe != $rank ] || assert_eq "records of the rank that died, $what" $((at - 1)) "$recovered"
    done
    "$warpscope" dump died/warpscope-evtrace.bin --format=csv | awk -F, '
        NR == 1 { for (i = 1; i <= NF; i++) if ($i == "pe") pe = i; else if ($i == "count") c = i; next }
        $c != ++n[$pe] { print "record " n[$pe] " of PE " $pe " has the count " $c; exit }' >wrong.txt
    assert_eq "records that are not in their place, $what" "" "$(cat wrong.txt)"
    "$warpscope" info died >info.txt
    assert_contains "outcome, $what" info.txt "killed"
}

echo "WS_TEST_SEED=$seed"
die "SIGKILL" 1 9 --synch=1
die "SIGKILL, writer thread" 1 9 --synch=1 --writer-thread=on --buffer-size=20000
die "SIGSEGV" 1 11 --synch=1 --writer-thread=off --buffer-size=50000
die "SIGABRT" 1 6 --synch=1 --buffer-full=block --buffer-size=3000
die "SIGKILL" 2 9 --synch=3

# ---- At random moments --------------------------------------------------------------------------

# The program, with the same arguments as for an undisturbed run. The runs take a second or two.
configure() {
    choose "phold 1 1" "phold 1 3" "phold 2 2" "phold 2 3" "netsim 1 1" "netsim 2 3"
    kind=$chosen
    # shellcheck disable=SC2086 # three words
    set -- $kind
    model=$1
    ranks=$2
    synch=$3
    case $model in
    phold) arguments="--lookahead=0.5 --remote=0.5 --start-events=10 --nlp=$((200 / ranks)) --end=300" ;;
    netsim) arguments="--end=0.05" ;;
    esac
    arguments="$arguments --synch=$synch --quiet --event-trace=3 --enable-gvt-stats=1"
    whole=whole-$model-$ranks-$synch
}

# Runs each configuration once to its end. The time from the creation of its files on is stored beside it.
run_whole() {
    [ ! -d "$whole" ] || return
    # shellcheck disable=SC2086 # a list
    start "$ranks" "$WS_BIN/$model" $arguments --stats-path="$whole" --crash-safe=0
    wait_for_files "$whole"
    began=$(date +%s%N)
    wait "$launcher"
    assert_eq "exit status of the whole run of $kind" 0 $?
    echo $((($(date +%s%N) - began) / 1000000)) >"$whole/took_ms"
}

empty=0
finished=0
point=0
stop_at=$(($(date +%s) + seconds))
# in_midst: enough runs were killed while they recorded. More runs may be necessary if the load of the machine
# differs from that during the whole run.
in_midst() {
    [ $((point - empty - finished)) -gt $((point / 5)) ]
}
while [ "$failures" -lt 5 ] && { [ "$point" -lt $points_min ] ||
    { [ "$point" -lt "$kills" ] && [ "$(date +%s)" -lt $stop_at ]; } ||
    { ! in_midst && [ "$point" -lt $((kills + 25)) ]; }; }; do
    point=$((point + 1))
    configure
    run_whole
    choose 8388608 8388608 200000 4096
    buffer=$chosen
    choose on off
    thread=$chosen
    choose spill block
    full=$chosen
    choose 0 1 1 1 # one of four from the start on, the others once files exist
    with_files=$chosen
    random $(($(cat "$whole/took_ms") + 1))
    after_ms=$random
    choose 1 8 8 8
    victims=$chosen
    dir=point-$point
    # shellcheck disable=SC2086
    start "$ranks" "$WS_BIN/$model" $arguments --stats-path=$dir --buffer-size=$buffer \
        --writer-thread=$thread --buffer-full=$full
    [ $with_files = 0 ] || wait_for_files $dir
    sleep "$(awk "BEGIN { print $after_ms / 1000 }")"
    kill_ranks "$victims"
    wait_for_end
    recover_all $dir
    if [ ! -f $dir/warpscope-evtrace.bin ]; then
        empty=$((empty + 1))
        continue
    fi
    "$warpscope" info $dir >info.txt
    grep -q killed info.txt || finished=$((finished + 1))
    assert_ok "records of $kind killed after $after_ms ms, --buffer-size=$buffer --writer-thread=$thread \
--buffer-full=$full, point $point" \
        "$WS_TEST_BIN/record_prefix" $dir/warpscope-evtrace.bin $whole/warpscope-evtrace.bin
    echo "$point: $kind, $after_ms ms, buffers $buffer, thread $thread: $(sed 's/ event//' last.out | tr '\n' ' ')"
    [ "$failures" -gt 0 ] || rm -rf $dir
done
echo "$point points: $empty before there were files, $finished after the end"
assert_num "points" "$point" ">=" 3
assert_num "points in the midst of a run" $((point - empty - finished)) ">" $((point / 5))

# ---- Files that recover does not change ----------------------------------------------------------

# mess DIRECTORY: files and journals of a killed run.
rm -rf died mess other
start 2 "$WS_TEST_BIN/tally" --quiet --event-trace=1 --stats-path=died --synch=2 --die-at=30000 \
    --die-rank=1 --enable-gvt-stats=1
wait_for_death
assert_eq "journals of a run that was killed" 4 "$(ls died | grep -c journal)"
cp -r died other
cp -r died linked
mkdir mess links
cp died/warpscope-evtrace.* mess
cp died/warpscope-gvt.0.journal mess/warpscope-evtrace.0.journal # of another file
cp died/warpscope-evtrace.0.journal mess/warpscope-evtrace.1.journal # of another PE
cp died/warpscope-evtrace.0.journal mess/warpscope-evtrace.7.journal # of no PE
cp died/warpscope-evtrace.0.journal mess/lost-evtrace.0.journal # of no file
echo "a journal?" >mess/warpscope-evtrace.2.journal
(cd mess && cksum * >../before.txt)
assert_status "recover a mess" 1 "$warpscope" recover mess
for words in "evtrace.0.journal: left unchanged: it belongs to another record file" \
    "evtrace.1.journal: left unchanged: it belongs to another PE" \
    "evtrace.7.journal: left unchanged: the record file has no such PE" \
    "lost-evtrace.0.journal: left unchanged: its record file is missing"; do
    assert_contains "message" last.err "$words"
done
(cd mess && cksum * >../after.txt)
assert_same "the mess after that" before.txt after.txt

# Commands that read name the remedy; dry runs change nothing.
for command in info verify dump; do
    "$warpscope" $command died/warpscope-evtrace.bin >/dev/null 2>last.err
    assert_contains "hint of $command" last.err "warpscope recover died/warpscope-evtrace.bin"
done
(cd died && cksum * >../before.txt)
assert_ok "dry run" "$warpscope" recover --dry-run died
assert_contains "dry run" last.out "would be"
(cd died && cksum * >../after.txt)
assert_same "files after a dry run" before.txt after.txt
assert_ok "recover" "$warpscope" recover died
assert_ok "recover again" "$warpscope" recover died
assert_contains "recover again" last.out "nothing to recover"
assert_ok "recover file by file" "$warpscope" recover other/warpscope-evtrace.bin other/warpscope-gvt.bin
(cd died && cksum * >../before.txt)
(cd other && cksum * >../after.txt)
assert_same "recovered by directory and by file" before.txt after.txt
# The journals are beside the file, not beside the link.
ln -s ../linked/warpscope-evtrace.bin links/name.bin
assert_ok "recover by a link" "$warpscope" recover links/name.bin linked/warpscope-gvt.bin
(cd linked && cksum * >../after.txt)
assert_same "recovered by a link" before.txt after.txt
assert_status "recover nothing" 2 "$warpscope" recover
assert_status "recover what is not there" 1 "$warpscope" recover nowhere

# Journals of another run beside complete files: recover prints a note, and does nothing else.
mkdir foreign
assert_ok "make_records" "$WS_TEST_BIN/make_records" foreign warpscope pes=2 rows=100
for journal in mess/warpscope-evtrace.1.journal mess/warpscope-evtrace.7.journal \
    mess/warpscope-evtrace.2.journal mess/lost-evtrace.0.journal; do
    cp $journal foreign/warpscope-evtrace."${journal#*evtrace.}"
done
(cd foreign && cksum * >../before.txt)
for command in info verify; do
    assert_ok "$command beside foreign journals" "$warpscope" $command foreign
    assert_eq "messages of $command beside foreign journals" "" "$(cat last.err)"
done
assert_ok "info --json beside foreign journals" "$warpscope" info --json foreign
cp last.out foreign.json
assert_eq "journals" 0 "$(json_get foreign.json files.0.journals)"
assert_ok "recover of a complete file beside foreign journals" "$warpscope" recover foreign
assert_contains "complete" last.out "evtrace.bin: complete, nothing to recover"
assert_contains "note" last.err "evtrace.1.journal: left unchanged: it belongs to another record file"
(cd foreign && cksum * >../after.txt)
assert_same "foreign journals after recover" before.txt after.txt

# ---- Damage: nothing is done, and nothing is lost

start 1 "$WS_TEST_BIN/tally" --quiet --event-trace=1 --stats-path=blocks --synch=1 --die-at=30000 \
    --buffer-size=20000
wait_for_death

# damaged WHAT FILE OFFSET BYTES MESSAGE: zeros in a file of a killed run (BYTES = cut: its end is cut off).
damaged() {
    rm -rf broken
    cp -r blocks broken
    if [ "$4" = cut ]; then
        truncate -s "$3" "broken/$2"
    else
        dd if=/dev/zero of="broken/$2" bs=1 seek="$3" count="$4" conv=notrunc 2>/dev/null
    fi
    (cd broken && cksum * >../before.txt)
    for dry in --dry-run ""; do
        assert_status "recover $dry, $1" 1 "$warpscope" recover $dry broken
        assert_contains "recover $dry, $1" last.err "$5"
    done
    (cd broken && cksum * >../after.txt)
    assert_same "files after that, $1" before.txt after.txt
}
# Behind the first row of a segment whose rows are in no block.
open_segment() {
    journal=blocks/warpscope-evtrace.0.journal
    # shellcheck disable=SC2046 # two numbers
    set -- $(od -An -tu8 -j32 -N16 $journal)
    at=$1
    while [ "$at" -lt "$(wc -c <$journal)" ]; do
        # "used" and "order" of a segment with rows: open
        od -An -tu8 -j"$at" -N16 $journal | awk -v at="$at" '$1 > 200 && $2 == 0 { print at + 128 }'
        at=$((at + $2))
    done | tail -n 1
}
second=$(grep -obUaF WSBK blocks/warpscope-evtrace.bin | sed -n '2s/:.*//p')
damaged "the head of a block" warpscope-evtrace.bin "$second" 512 "PE 0: "
damaged "the end of the file" warpscope-evtrace.bin "$second" cut "fewer blocks than the journal"
# The open segments decide what is missed first: the rows, or a whole segment.
damaged "the rows of the journal" warpscope-evtrace.0.journal "$(open_segment)" cut \
    "warpscope-evtrace.0.journal: "
damaged "the head of the journal" warpscope-evtrace.0.journal 16 8 "the checksum of the head is wrong"

# ---- A run that lives is left alone; without journals it ends at its last block, if that is wanted ---

rm -rf lives
start 1 "$WS_TEST_BIN/tally" --quiet --event-trace=1 --stats-path=lives --crash-safe=0 \
    --buffer-size=100000 --report-json=lives.json
wait_for "$launcher" has_size lives/warpscope-evtrace.bin 500000 # some of the blocks are intact
assert_status "recover a run that lives" 1 "$warpscope" recover lives
assert_contains "message" last.err "still going on"
assert_eq "journals with --crash-safe=0" "" "$(ls lives | grep journal)"
kill_ranks 8
wait_for_end
# A copy of a file without its journals ends in the same way; nothing is cut off from it without --force.
mkdir copy
cp blocks/warpscope-evtrace.bin copy
truncate -s "$second" copy/warpscope-evtrace.bin
for folder in lives copy; do
    (cd $folder && cksum * >../before.txt)
    for dry in --dry-run ""; do
        assert_status "recover $folder without journals $dry" 1 "$warpscope" recover $dry $folder
        assert_contains "what is not done" last.out \
            "NOT recovered; 1 PE without buffers NOT ended, as an unknown number of records would be missing"
        assert_contains "what to do" last.out "--force ends it at the last block"
    done
    (cd $folder && cksum * >../after.txt)
    assert_same "$folder after that" before.txt after.txt
done
for dry in --dry-run ""; do
    assert_status "recover without journals $dry" 1 "$warpscope" recover --force $dry lives
    assert_contains "outcome" last.out "1 PE without buffers ended at the last block"
    assert_contains "outcome" last.out "an unknown number of records that it had not written is LOST"
done
(cd lives && cksum * >../before.txt)
assert_status "recover again" 1 "$warpscope" recover lives
assert_contains "recover again" last.out "an unknown number of records may be missing"
(cd lives && cksum * >../after.txt)
assert_same "recovered again" before.txt after.txt
assert_status "verify that" 1 "$warpscope" verify lives
assert_contains "verify that" last.out "valid but incomplete"
assert_status "info of that" 1 "$warpscope" info lives/warpscope-evtrace.bin
assert_contains "info" last.out "NO: an unknown number of records may be missing"
assert_contains "info" last.out "lost: unknown"
assert_contains "info" last.err "an unknown number of records"
assert_status "info of that, JSON" 1 "$warpscope" info --json lives
assert_contains "info, JSON" last.out '"records_dropped":null'
assert_contains "info, JSON" last.out '"complete":false'
assert_status "stats of that" 1 "$warpscope" stats lives
assert_contains "stats" last.out "an unknown number of records may be missing"
assert_status "diff with itself" 1 "$warpscope" diff lives lives

# An empty journal is that of a run that had not recorded anything yet, so that no record is lost.
mkdir early
assert_ok "make_records" "$WS_TEST_BIN/make_records" early a pes=1 rows=0 no_end plain
: >early/a-gvt.0.journal
: >early/a-evtrace.0.journal
assert_ok "recover what recorded nothing" "$warpscope" recover early/a-evtrace.bin
assert_ok "verify what recorded nothing" "$warpscope" verify early/a-evtrace.bin
assert_status "recover what had blocks" 1 "$warpscope" recover early/a-gvt.bin
# ---- Killed before the buffers of a file exist: it can have received nothing -----------------------

ASAN_OPTIONS="${ASAN_OPTIONS:-}:verify_asan_link_order=0"
export ASAN_OPTIONS
# fault_kill CALL PATH COMMAND...: kills the command at its first such call.
fault_kill() {
    FAULT_CALL=$1 FAULT_PATH=$2 FAULT_ERRNO=KILL
    shift 2
    LD_PRELOAD="$WS_TEST_BIN/libfault_io.so" FAULT_CALL=$FAULT_CALL FAULT_PATH=$FAULT_PATH FAULT_ERRNO=KILL "$@" \
        >last.out 2>last.err
}
for call in open mmap; do
    rm -rf new
    fault_kill $call warpscope-evtrace.0.journal "$WS_BIN/phold" --synch=1 --end=10 --event-trace=3 \
        --enable-gvt-stats=1 --quiet --stats-path=new
    assert_file "killed at $call" new/warpscope-evtrace.bin
    assert_status "killed at $call: as it is" 1 "$warpscope" verify new
    assert_lacks "killed at $call: as it is" last.err "where nothing should be"
    assert_ok "killed at $call: recover" "$warpscope" recover new
    assert_contains "killed at $call: recover" last.out "evtrace.bin: 0 records of 0 PEs recovered; 1 PE without buffers ended"
    assert_ok "killed at $call: verify" "$warpscope" verify new
    assert_ok "killed at $call: again" "$warpscope" recover new
done
rm -rf new
assert_ok "not killed" "$WS_BIN/phold" --synch=1 --end=10 --event-trace=3 --crash-safe=0 --quiet --stats-path=new
assert_ok "not killed: verify" "$warpscope" verify new
finish
