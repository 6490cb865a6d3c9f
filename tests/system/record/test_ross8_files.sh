#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# The files of ROSS 8 that a run makes (--stats-format): read back by an independent reader and compared with
# the records. Also which files are made, their names, the record files beside them, and the files left after
# a failed write or a kill.
# test: processors=2 timeout=200
. "$WS_SRC/tests/support/lib.sh"

warpscope="$WS_BIN/warpscope"
samples="$WS_TEST_BIN/ross8_samples" # built as for ROSS 8
other="$WS_TEST_BIN/layout_seed"     # built as usual
all="--engine-stats=4 --kp-data=1 --lp-data=1 --rt-interval=1 --model-stats=4 --vt-interval=2 \
    --event-trace=1 --quiet"
five="analysis-lps evtrace gvt model rt"
python=$(command -v python3) || partly "no python3: what is in the files is not compared"

# names DIRECTORY PREFIX: prints the part between PREFIX- and .bin of the file names there.
names() {
    (cd "$1" && ls) | sed -n "s/^$2-\(.*\)\.bin\$/\1/p" | xargs
}

# compare PREFIX DIRECTORY OURS: ROSS 8's files PREFIX-... have the contents of the record files
# DIRECTORY/OURS-...
compare() {
    rm -rf dumps
    mkdir dumps
    for stream in gvt rt evtrace model; do
        [ ! -f "$2/$3-$stream.bin" ] ||
            "$warpscope" dump "$2/$3-$stream.bin" >dumps/$stream.csv 2>/dev/null
    done
    [ -z "$python" ] ||
        assert_ok "$1" "$python" -B "$WS_SRC/tests/system/python/ross8_files.py" "$1" dumps
}

# read_count NAME: number of records of that file that compare read.
read_count() {
    sed -n "s/^$1 //p" last.out
}

# ---- Contents of the files --------------------------------------------------------------------------

for run in 1,1 1,3 3,2 3,3; do
    ranks=${run%,*} synch=${run#*,}
    case=both-$ranks-$synch
    # shellcheck disable=SC2086 # words
    assert_ok "$case" run_mpi "$ranks" "$samples" --synch="$synch" --end=40 $all --stats-path=$case
    assert_contains "$case, known after tw_init()" last.out "g_st_use_analysis_lps 1"
    assert_contains "$case, report" last.out "Records in ross-stats-analysis-lps.bin"
    assert_eq "$case, ROSS 8's" "$five" "$(names "$case" ross-stats)"
    assert_eq "$case, ours" "evtrace gvt model rt vt" "$(names "$case" warpscope)"
    compare "$case/ross-stats" "$case" warpscope
    if [ -n "$python" ]; then
        for name in $five; do
            assert_num "$case, records of $name" "$(read_count "$name")" ">" 0
        done
        # Two of the six LPs of a rank have a sample_event_fn: at 2, 4, ... 40.
        assert_eq "$case, samples at virtual times" $((20 * 2 * ranks)) "$(read_count analysis-lps)"
    fi
    cp last.out counts.txt
    assert_eq "$case, LPs with such samples" "0 3" "$(awk -F, 'NR > 1 && $6 == 3 { print $3 % 6 }' \
        dumps/model.csv 2>/dev/null | sort -u | xargs)"
    assert_eq "$case, reasons of other samples" "1 2" "$(awk -F, 'NR > 1 && $6 != 3 { print $6 }' \
        dumps/model.csv 2>/dev/null | sort -u | xargs)"

    # All LPs are traced, also those without callbacks.
    [ -z "$python" ] || assert_eq "$case, traced LPs" $((6 * ranks)) \
        "$(awk -F, 'NR > 1 { print $2 }' dumps/evtrace.csv | sort -u | wc -l | tr -d ' ')"

    # The reader ignores them, and makes equal files.
    assert_ok "$case, verify" "$warpscope" verify "$case"
    assert_lacks "$case, verify" last.out ross-stats
    assert_ok "$case, export" "$warpscope" export --format=ross --output="$case-out" "$case"
    assert_eq "$case, export" "$five" "$(names "$case-out" warpscope)"
    for name in $five; do
        assert_same "$case, $name exported" "$case/ross-stats-$name.bin" \
            "$case-out/warpscope-$name.bin"
    done
done

# ---- Which are made, and their names ------------------------------------------------------------------

# shellcheck disable=SC2086
assert_ok "ross8" run_mpi 3 "$samples" --synch=3 --end=40 $all --stats-format=ross8 --stats-path=ross8 \
    --report-json=ross8.json
assert_eq "ross8, files" "ross-stats-analysis-lps.bin ross-stats-evtrace.bin ross-stats-gvt.bin \
ross-stats-model.bin ross-stats-rt.bin warpscope-README.txt" "$(ls ross8 | xargs)"
assert_contains "ross8, README" ross8/warpscope-README.txt "ross-stats-analysis-lps.bin"
assert_lacks "ross8, README" ross8/warpscope-README.txt "warpscope-gvt.bin"
assert_contains "ross8, report" ross8.json '"file": "ross8/ross-stats-gvt.bin"'
assert_lacks "ross8, report" ross8.json warpscope-gvt.bin
assert_eq "ross8, samples at virtual times" "$(wc -c <both-3-3/ross-stats-analysis-lps.bin)" \
    "$(wc -c <ross8/ross-stats-analysis-lps.bin)"
assert_status "ross8, none of ours" 1 "$warpscope" info ross8
assert_contains "ross8, none of ours" last.err "files in the layout of ROSS 8"

for format in "" --stats-format=warpscope --stats-format=both; do
    rm -rf other
    # shellcheck disable=SC2086
    assert_ok "other $format" "$other" --synch=1 --end=10 --event-trace=1 --model-stats=4 \
        --vt-interval=2 --quiet --stats-path=other $format
    case $format in
    *both) ross8="analysis-lps evtrace model" ;;
    *) ross8= ;;
    esac
    assert_eq "other $format" "$ross8" "$(names other ross-stats)"
    assert_eq "other $format" "evtrace model" "$(names other warpscope)"
done
assert_ok "ROSS_MODEL_TYPES_V7" "$WS_TEST_BIN/layout_v7" --synch=1 --end=10 --model-stats=4 \
    --vt-interval=2 --quiet --stats-path=v7
assert_eq "ROSS_MODEL_TYPES_V7" "warpscope-README.txt warpscope-model.bin" "$(ls v7 | xargs)"
assert_ok "warpscope, built as for ROSS 8" "$samples" --synch=1 --end=10 --event-trace=1 --quiet \
    --stats-format=warpscope --stats-path=ours
assert_eq "warpscope" "warpscope-README.txt warpscope-evtrace.bin" "$(ls ours | xargs)"

# --model-stats with ROSS 8's numbers; an interval alone does not sample.
for number in 1,model 2,model 3,analysis-lps "4,analysis-lps model"; do
    rm -rf numbers
    assert_ok "--model-stats=${number%,*}" "$samples" --synch=1 --end=10 --quiet --rt-interval=1 \
        --model-stats="${number%%,*}" --vt-interval=2 --stats-path=numbers
    assert_eq "--model-stats=${number%%,*}" "${number#*,}" "$(names numbers ross-stats)"
done
assert_ok "intervals" "$samples" --synch=1 --end=10 --rt-interval=1 --vt-interval=2 \
    --stats-path=intervals
assert_contains "intervals" last.out "g_st_use_analysis_lps 0"
assert_eq "files of intervals" "" "$(ls -d intervals 2>/dev/null)"
"$samples" --synch=1 --end=1e308 --model-stats=4 --engine-stats=4 --rt-interval=500 --stats-path=endless \
    >last.out 2>last.err &
pid=$!
wait_until_heard $pid
kill -s INT $pid
wait $pid
assert_eq "all modes in a run without end" 130 $?
assert_contains "all modes in a run without end" last.err "nothing is sampled at virtual times"
assert_eq "files of a run without end" "gvt model rt" "$(names endless ross-stats)"

for prefix in x,warpscope warpscope,warpscope-records warpscope-records,warpscope; do
    rm -rf named
    ours=${prefix#*,} prefix=${prefix%,*}
    # shellcheck disable=SC2086
    assert_ok "--stats-prefix=$prefix" run_mpi 2 "$samples" --synch=3 --end=10 $all \
        --stats-prefix=$prefix --stats-path=named
    compare "named/$prefix" named "$ours"
    assert_eq "--stats-prefix=$prefix" 10 "$(ls named | grep -c '\.bin$')"
    assert_eq "--stats-prefix=$prefix" "$five" "$(names named "$prefix" | tr ' ' '\n' |
        grep -v '^records-' | xargs)"
    assert_ok "--stats-prefix=$prefix, verify" "$warpscope" verify named
    assert_eq "--stats-prefix=$prefix, files of ours" 5 "$(grep -c "named/$ours-" last.out)"
done

# Records that ROSS 8's files cannot hold: the loss is reported, and the record files remain.
assert_ok "no place" "$samples" --synch=1 --end=10 --engine-stats=4 --event-trace=1 --task-trace=1 \
    --stats-format=ross8 --stats-path=noplace
assert_contains "no place" last.err "the engine is not sampled at virtual times"
assert_eq "no place" task "$(names noplace warpscope)"
assert_ok "nothing written" "$samples" --synch=1 --end=10 --event-trace=1 --disable-output=1 --quiet \
    --stats-path=disabled
assert_eq "nothing written" "" "$(ls -d disabled 2>/dev/null)"
assert_status "a wrong word" 2 "$samples" --stats-format=x
assert_eq "a wrong word" "ross8_samples: --stats-format=x: must be warpscope, ross8 or both" \
    "$(cat last.err)"

# A file of ROSS 8 without records is empty, and is no damaged record file.
for format in ross8 both; do
    assert_ok "no records, $format" "$samples" --synch=1 --end=10 --event-trace=2 --tracer=total --quiet \
        --stats-format=$format --stats-path=none-$format
    assert_eq "no records, $format" "evtrace" "$(names none-$format ross-stats)"
    assert_ok "no records, $format: verify" "$warpscope" verify none-$format
    assert_lacks "no records, $format" last.out ross-stats
done

# ---- They cannot be written -------------------------------------------------------------------------

# Records of ROSS 8 are not compressed: a limit that suffices for the record files, and not for theirs.
limited() {
    (ulimit -f 1200 && exec "$@")
}
for format in both ross8; do
    assert_status "a limit, $format" 1 limited "$samples" --synch=1 --end=6000 --model-stats=3 --vt-interval=1 \
        --quiet --crash-safe=0 --stats-format=$format --stats-path=limit-$format
    assert_eq "a limit, $format, lines" 1 "$(wc -l <last.err)"
    assert_contains "a limit, $format" last.err "limit-$format/ross-stats-analysis-lps.bin: cannot write"
    assert_eq "a limit, $format, files" "warpscope-README.txt warpscope-model.bin" \
        "$(ls limit-$format | xargs)"
    assert_ok "a limit, $format, ours" "$warpscope" verify limit-$format
done

# ---- A run that is killed -----------------------------------------------------------------------------

"$samples" --synch=1 --end=1e12 --event-trace=3 --trace-lps=0 --model-stats=3 --vt-interval=1000 --vt-samp-end=1e6 \
    --quiet --stats-format=ross8 --stats-path=killed >killed.out 2>killed.err &
pid=$!
wait_for $pid grep -q late killed.out
kill -9 $pid
wait $pid 2>/dev/null
assert_eq "killed" "evtrace model" "$(names killed warpscope)"
assert_eq "killed" "" "$(names killed ross-stats)"
assert_ok "recover" "$warpscope" recover killed
assert_ok "export" "$warpscope" export --format=ross --output=after killed
assert_eq "after the kill" "analysis-lps evtrace" "$(names after warpscope)"
compare after/warpscope killed warpscope
if [ -n "$python" ]; then
    assert_num "samples of the killed run" "$(read_count analysis-lps)" ">" 100
    assert_num "events of the killed run" "$(read_count evtrace)" ">" 1000
fi
finish
