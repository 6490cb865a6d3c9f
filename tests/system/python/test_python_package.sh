#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# The Python package: its arrays have the values that warpscope dump prints, for all kinds of records, choices and
# odd files; its sums are those of the command; wrong arguments, closed runs and damaged files raise exceptions;
# the structs declared in Python are those of the header.
# test: processors=1 timeout=120 sanitize=no
. "$WS_SRC/tests/support/lib.sh"
. "$WS_SRC/tests/support/python.sh"
python_package

record_network stats-output
mkdir made odd names
assert_ok "make_records" "$WS_TEST_BIN/make_records" made a pes=3 rows=700
assert_ok "make_odd" "$WS_TEST_BIN/make_odd" odd o
assert_ok "make_names" "$WS_TEST_BIN/make_names" names n
assert_ok "a recording with tasks" "$WS_BIN/netsim" --synch=1 --load=0.3 --end=0.0002 --task-trace=1 \
    --event-trace=1 --quiet --stats-path=tasks
# A run whose recording was changed: its samples at GVT and of the model have two files each.
. "$WS_SRC/tests/support/control.sh"
gated_start 1 3 --synch=1 --enable-gvt-stats=1 --model-stats=4 --vt-interval=0.5
open_gate
request set model-stats=3 enable-gvt-stats=0
open_gate
request set enable-gvt-stats=1 num-gvt=8
open_gate
gated_end
mv rec changed
[ "$failures" -eq 0 ] || finish

WS_HEADER=$WS_SRC/reader/library/warpscope/reader.h
export WS_HEADER
assert_file "header of the library" "$WS_HEADER"
assert_ok "structs of the header" "$python" -B "$WS_SRC/tests/system/python/package/make_layout.py" layout.c
assert_ok "compiling them" "$WS_CC" -std=c11 -I"${WS_HEADER%/*}" -o layout layout.c
./layout >layout.txt

for module in "$WS_SRC"/tests/system/python/package/test_*.py; do
    name=${module##*/}
    case $name in test_optional.py | test_page.py) continue ;; esac
    assert_ok "$name" "$python" -B -W error "$module"
    tail -n 3 last.err | grep -h -e '^Ran' -e '^OK' | sed "s/^/$name: /"
done
finish
