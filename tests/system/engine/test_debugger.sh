#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# scripts/gdb.py and the functions for debuggers print the same about a stopped simulation.
# test: processors=1 timeout=120
. "$WS_SRC/tests/support/lib.sh"

gdb --version >gdb.version 2>&1 || skip "gdb is not installed"
gdb -q -batch -ex 'python print("py")' >gdb.python 2>&1
grep -qx py gdb.python || skip "this gdb has no Python"
gdb -q -batch -ex 'break main' -ex run -ex 'print 6 * 7' "$WS_TEST_BIN/stopped" >gdb.runs 2>&1
grep -q '= 42' gdb.runs || skip "gdb cannot run programs here"

# What the commands print of a stopped simulation.
gdb -q -batch -x "$WS_SRC/scripts/gdb.py" -ex 'break stop_here' \
    -ex "run --synch=3 --gvt-interval=16 --event-trace=1 --stats-path=recorded --quiet" \
    -ex 'echo @pe\n' -ex 'ws pe' -ex 'echo @kp\n' -ex 'ws kp 1' -ex 'echo @pending\n' \
    -ex 'ws pending' -ex 'echo @first\n' -ex 'ws pending 2' -ex 'echo @streams\n' -ex 'ws streams' \
    -ex 'echo @wrong\n' -ex 'ws kp 77' -ex kill "$WS_TEST_BIN/stopped" >script.out 2>script.err
assert_matches() { # assert_matches REGEX FILE
    assertions=$((assertions + 1))
    grep -q -e "$1" "$2" || fail "no line of $2 matches '$1': $(head -n 5 "$2")"
}
part() { # part NAME FILE: the lines between @NAME and the next @
    awk -v name="@$1" '$0 == name { on = 1; next } /^@/ { on = 0 } on' "$2"
}
part pe script.out >pe
assert_matches '^PE 0 of 1, GVT ' pe
assert_matches '8 LPs, 4 KPs' pe
assert_matches '  processing at 20 ' pe
part pending script.out >pending
# 8 LPs with 3 events each, of which one is in its handler
assert_matches '^pending queue: 23 events, 0 more are cancelled' pending
assert_eq "lines of pending events" 23 "$(grep -c '^  pending ' pending)"
assert_eq "order of pending events" "$(sed -n 's/.* at \([^ ]*\) .*/\1/p' pending | sort -n | tr '\n' ' ')" \
    "$(sed -n 's/.* at \([^ ]*\) .*/\1/p' pending | tr '\n' ' ')"
assert_eq "lines of the first two" 3 "$(part first script.out | wc -l)"
part kp script.out >kp
assert_eq "events of the KP" "$(sed -n 's/^KP 1: \([0-9]*\) uncommitted events.*/\1/p' kp)" \
    "$(grep -c '^  processed ' kp)"
part streams script.out >streams
assert_matches 'recorded/warpscope-evtrace.bin: open, ' streams
assert_matches ' event  *[1-9][0-9]* records, sub-buffer [1-9][0-9]* of ' streams
assert_matches 'there is no KP 77; this PE has 4' script.err

# The functions print the same.
gdb -q -batch -ex 'break stop_here' \
    -ex "run --synch=3 --gvt-interval=16 --event-trace=1 --stats-path=recorded2 --quiet" \
    -ex 'call (void)ws_dump_pe()' -ex 'call (void)ws_dump_kp(1)' -ex 'call (void)ws_dump_pending(0)' \
    -ex 'call (void)ws_dump_streams()' -ex kill "$WS_TEST_BIN/stopped" >calls.out 2>calls.err
# addresses are the script's alone
for name in pe kp pending; do
    part $name script.out | sed 's/  (0x.*//' >expected
    grep -Fxf expected calls.err >found
    assert_eq "lines of $name by functions" "$(wc -l <expected)" "$(wc -l <found)"
done
assert_matches 'recorded2/warpscope-evtrace.bin: open, ' calls.err

# Programs without debug information.
strip -o stripped "$WS_TEST_BIN/stopped"
gdb -q -batch -x "$WS_SRC/scripts/gdb.py" -ex 'ws pe' ./stripped >stripped.out 2>&1
assert_matches 'configure with -DCMAKE_BUILD_TYPE=Debug' stripped.out
finish
