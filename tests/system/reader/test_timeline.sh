#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# warpscope export --format=chrome, perfetto and ctf: timelines of real runs agree with the records. Every
# event appears once, at its time; slices are nested; flows connect existing slices. Independent readers check
# this. Missing data is reported; memory is bounded.
#
# Python 3 does most of the comparison; protoc and babeltrace2 read their formats where they are installed.
# test: processors=2 timeout=300 sanitize=yes
. "$WS_SRC/tests/support/lib.sh"
. "$WS_SRC/tests/support/timeline.sh"

# check FILE CSV CLOCK [OPTION...]: sets the counts that timeline_check.py prints.
check() {
    slices= undone= rollbacks= depth= flows= counters=
    assert_ok "timeline $*" "$python" -B -S "$checks/timeline_check.py" "$@"
    eval "$(cat last.out)"
}

# check_all RUN CLOCK [OPTION...]: all formats of a run are equal and agree with its records. check_options:
# options for timeline_check.py.
check_options=
check_all() {
    all_run=$1
    all_clock=$2
    shift 2
    all_trace=$all_run/warpscope-evtrace.bin
    case "$*" in *--unit*) all_dump= ;; *) all_dump="$*" ;; esac
    # shellcheck disable=SC2086 # options are words
    "$warpscope" dump "$all_trace" $all_dump >records.csv
    export_all "$all_run" --clock="$all_clock" "$@"
    # shellcheck disable=SC2086
    check out/warpscope.json records.csv "$all_clock" $check_options
    all_counts=$(cat last.out)
    if reads_all; then
        # shellcheck disable=SC2086
        check perfetto.json records.csv "$all_clock" $check_options
        assert_eq "Perfetto's and Chrome's timeline" "$all_counts" "$(cat last.out)"
    fi
    if read_ctf; then
        # shellcheck disable=SC2086
        check ctf.json records.csv "$all_clock" digits $check_options
        assert_eq "slices in CTF" "${all_counts%% flows*}" "$(sed 's/ flows.*//' last.out)"
    fi
    eval "$all_counts"
}

# engine_count RUN FIELD: the sum over the run, from the engine's counters.
engine_count() {
    "$warpscope" dump "$1/warpscope-gvt.bin" | "$python" -c '
import csv, sys
print(sum(int(r[sys.argv[1]]) for r in csv.DictReader(sys.stdin)))' "$2"
}

phold="$WS_BIN/phold --nlp=20 --nkp=4 --remote=0.5 --mean=1 --lookahead=0.1 --synch=3 --quiet"

# ---- every execution: undone ones agree with the engine's counters
# shellcheck disable=SC2086
assert_ok "phold" run_mpi 3 $phold --end=4 --event-trace=1 --enable-gvt-stats=1 \
    --real-time-samp=1 --stats-path=all
check_all all wall
assert_eq "undone" "$(engine_count all events_rolled_back)" "$undone"
assert_eq "executions" "$(engine_count all events_processed)" "$slices"
assert_num "rollbacks" "$rollbacks" "<=" "$(engine_count all total_rollbacks)"
assert_num "flows" "$flows" ">" "$((slices / 2))"
assert_num "counters" "$counters" ">=" 9
assert_num "Perfetto's trace is small" "$(wc -c <out/warpscope.pftrace)" "<" \
    "$(($(wc -c <out/warpscope.json) / 2))"
check_all all virtual
assert_eq "undone" "$(engine_count all events_rolled_back)" "$undone"
check_options=unit=0.001
check_all all virtual --unit=ms
check_options=some
check_all all wall --pe=0,2 --kp=1-2 --from=1 --to=3.2
check_all all virtual --lp=3,40-50
check_options=
assert_ok "short slices" "$warpscope" export --format=chrome --longest=0.002 --output=short.json all
"$warpscope" dump all/warpscope-evtrace.bin >records.csv
check short.json records.csv wall
assert_eq "longest" 0 "$("$python" -c 'import json, sys
print(sum(e["dur"] > 0.002 for e in json.load(open("short.json")) if e["ph"] == "X"
          and e["cat"] != "rollback"))')"

# ---- rollbacks, and committed events
# shellcheck disable=SC2086
assert_ok "phold, rollbacks" run_mpi 2 $phold --end=20 --event-trace=2 --stats-path=causes
check_all causes wall
check_all causes virtual
# shellcheck disable=SC2086
assert_ok "phold, committed" run_mpi 2 $phold --end=4 --event-trace=3 --stats-path=committed
check_all committed wall
assert_eq "undone" 0 "$undone"
check_all committed virtual
assert_num "flows" "$flows" ">" "$((slices / 2))"

# ---- a model with types of LPs, on four ranks
assert_ok "netsim" run_mpi 4 "$WS_BIN/netsim" --synch=3 --end=0.0001 --event-trace=1 \
    --enable-gvt-stats=1 --quiet --stats-path=net
check_all net wall
check_all net virtual
assert_contains "names" out/warpscope.json '"name":"router"'
check_options=some
check_all net wall --type=host

# ---- the encodings, by other programs
if read_perfetto; then
    assert_eq "beginnings" "$slices" "$(grep -c TYPE_SLICE_BEGIN decoded.txt)"
    assert_eq "ends" "$slices" "$(grep -c TYPE_SLICE_END decoded.txt)"
fi

# ---- missing data, and invalid options
mkdir none two
cp all/warpscope-gvt.bin none
assert_status "no trace" 1 "$warpscope" export --format=chrome --output=out none
assert_contains "no trace" last.err "run the model with --event-trace=1"
cp all/warpscope-evtrace.bin two/a-evtrace.bin
cp causes/warpscope-evtrace.bin two/b-evtrace.bin
assert_status "two runs" 1 "$warpscope" export --format=perfetto --output=out two
assert_contains "two runs" last.err "a timeline shows one run"
assert_status "CTF in a file" 1 "$warpscope" export --format=ctf --output=x.ctf all
assert_contains "CTF in a file" last.err "name the directory"
mkdir fresh
assert_ok "CTF" "$warpscope" export --format=ctf --output=fresh all
assert_status "CTF again" 1 "$warpscope" export --format=ctf --output=fresh all
assert_contains "CTF again" last.err "fresh/warpscope-ctf: exists already"
assert_ok "CTF of a PE" "$warpscope" export --format=ctf --pe=1 --force --output=fresh all
assert_eq "streams of other PEs are gone" "metadata pe_1" "$(ls fresh/warpscope-ctf | xargs)"
assert_status "a unit too large" 0 "$warpscope" export --format=chrome --clock=virtual --unit=1e12 \
    --output=large.json all
assert_contains "a unit too large" last.err "--unit=S may name a smaller unit"
usage() {
    usage_words=$1
    shift
    assert_status "export $*" 2 "$warpscope" export "$@" all
    assert_contains "export $*" last.err "$usage_words"
}
usage "must be wall or virtual" --format=chrome --clock=x
usage "for --clock=virtual" --format=chrome --unit=s
usage "must be s, ms, us, ns" --format=chrome --clock=virtual --unit=0
usage "--longest is for --clock=wall" --format=ctf --clock=virtual --longest=1
usage "must be a number from 0.001 to" --format=ctf --longest=-1
usage "is for timelines, which csv is not" --format=csv --clock=wall
usage "cannot be written to standard output" --format=ctf --output=-

# ---- outputs that take nothing, and damage
if [ -w /dev/full ]; then
    for format in chrome perfetto; do
        assert_status "$format, full disk" 1 "$warpscope" export --format=$format \
            --output=/dev/full all
        assert_eq "one message" "warpscope: /dev/full: cannot write: No space left on device" \
            "$(cat last.err)"
    done
fi
mkdir limit
for format in chrome perfetto ctf; do
    (trap '' XFSZ && ulimit -f 16 && exec "$warpscope" export --format=$format --output=limit all) \
        >last.out 2>last.err
    assert_eq "$format, file too large" 1 $?
    assert_eq "one message" 1 "$(wc -l <last.err)"
    assert_eq "no half file" "" "$(ls -A limit)"
done
cp -r all broken
block=$(grep -obUaF WSBK broken/warpscope-evtrace.bin | sed -n '2s/:.*//p')
printf '\377\000\377' | dd of=broken/warpscope-evtrace.bin bs=1 seek=$((block + 900)) conv=notrunc 2>/dev/null
assert_status "damage" 1 "$warpscope" export --format=chrome --output=broken.json broken
assert_contains "damage" last.err "checksum"
"$warpscope" dump broken/warpscope-evtrace.bin >records.csv 2>/dev/null
check broken.json records.csv wall
assert_num "what is left" "$slices" ">" 100

# ---- memory has a bound: 200,000 events take a temporary file
if [ "$WS_SANITIZE" = 0 ]; then
    mkdir large spill && "$WS_TEST_BIN/make_records" large c pes=2 rows=100000 plain
    for format in chrome perfetto ctf; do
        assert_ok "memory of $format" sh -c "ulimit -v 110000 && TMPDIR=spill exec '$warpscope' \
            export --force --format=$format --output=bound large"
    done
    assert_eq "events" "$(($("$warpscope" dump large/c-evtrace.bin | wc -l) - 1))" "$(grep '"ph":"X"' bound/c.json | grep -cv '"cat":"rollback"')"
    assert_eq "temporary files" "" "$(ls -A spill)"
    assert_status "no place for temporary files" 1 env TMPDIR=/nowhere "$warpscope" export \
        --force --format=chrome --output=bound large
    assert_contains "no place" last.err "cannot create a temporary file in /nowhere"
fi
finish
