#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# docs/FORMAT.md is correct and complete: the file that it prints is read by warpscope and by a reader written
# from it alone, and both read all kinds of files alike.
# test: processors=1
. "$WS_SRC/tests/support/lib.sh"

warpscope=$WS_BIN/warpscope
reference="$WS_SRC/tests/system/python/format_reference_reader.py"
command -v python3 >/dev/null || skip "no python3"

# Prints the n-th text between ``` lines of FORMAT.md whose first line begins with the given words.
listing() {
    awk -v begin="$1" '/^```/ { inside = !inside; fresh = inside; next }
        inside && fresh { wanted = index($0, begin) == 1; fresh = 0 }
        inside && wanted { print }' "$WS_SRC/docs/FORMAT.md"
}

# both FILE: warpscope and the reference print the same records, at least one.
both() {
    assert_ok "dump of $1" "$warpscope" dump "$1"
    cp last.out ours.csv
    assert_ok "reference reader on $1" python3 "$reference" "$1"
    cp last.out reference.csv
    assert_same "records of $1" ours.csv reference.csv
    assert_num "lines of $1" "$(wc -l <ours.csv)" ">" 1
    assert_ok "JSON of $1" "$warpscope" dump --format=json "$1"
    cp last.out ours.json
    assert_ok "records in the JSON of $1" python3 -c \
        'import json; print(len(json.load(open("ours.json"))))'
    assert_eq "records in the JSON of $1" "$(($(wc -l <ours.csv) - 1))" "$(cat last.out)"
}

listing "00000000: " >example.hex
listing "pe,kp,lp" >example.csv
assert_num "lines of the hexdump" "$(wc -l <example.hex)" ">" 50
python3 "$reference" --unhex <example.hex >example-model.bin
both example-model.bin
assert_same "the records in FORMAT.md" ours.csv example.csv
# It is of version 1.0, which does not state what fields measure.
assert_ok "info" "$warpscope" info --json example-model.bin
assert_eq "measures" "" "$(grep -o '"measure":[^n][^,}]*' last.out)"
assert_ok "verify" "$warpscope" verify example-model.bin

# Files of version 1.1, which have encodings 0 to 2 only, have the same records as later ones.
corpus=$WS_SRC/tests/fuzz/corpus/reader
for stream in evtrace gvt model rt vt; do
    assert_ok "verify old $stream" "$warpscope" verify "$corpus/old-$stream"
done
for stream in model vt; do
    assert_ok "dump of old $stream" "$warpscope" dump "$corpus/old-$stream"
    cp last.out old.csv
    assert_ok "dump of $stream" "$warpscope" dump "$corpus/$stream"
    assert_same "records of $stream" old.csv last.out
done

number=0
for options in "pes=1 rows=10" "pes=3 rows=2000" "pes=2 rows=700 extent=8192" "pes=4 rows=50 plain"; do
    number=$((number + 1))
    mkdir "run$number"
    # shellcheck disable=SC2086 # several words
    assert_ok "make_records $options" "$WS_TEST_BIN/make_records" "run$number" x $options
    for stream in evtrace gvt model; do
        both "run$number/x-$stream.bin"
    done
done
# Events of netsim have columns of all encodings.
if [ -x "$WS_BIN/netsim" ]; then
    assert_ok "netsim" "$WS_BIN/netsim" --synch=1 --load=0.6 --end=0.0002 --event-trace=1 --stats-path=netsim
    both netsim/warpscope-evtrace.bin
fi
mkdir names
assert_ok "make_names" "$WS_TEST_BIN/make_names" names x
both names/x-evtrace.bin
assert_contains "names of values" ours.csv ",uno,"
finish
