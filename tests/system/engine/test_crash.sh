#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# A crashing model reports the place in one line and dies of its signal; its recording can be recovered. A
# signal handler of the program itself stays installed.
# test: processors=2 timeout=120
. "$WS_SRC/tests/support/lib.sh"

model="$WS_TEST_BIN/signalled"
ulimit -c 0
ulimit -s 8192
# The sanitizers install their own handlers, which would stay.
theirs="handle_segv=0:handle_sigbus=0:handle_sigill=0:handle_sigfpe=0:handle_abort=0"
export ASAN_OPTIONS="${ASAN_OPTIONS:+$ASAN_OPTIONS:}$theirs"
export UBSAN_OPTIONS="${UBSAN_OPTIONS:+$UBSAN_OPTIONS:}$theirs"

# crashes NAME NUMBER TEXT OPTIONS...
crashes() {
    crashes_name=$1 crashes_number=$2 crashes_text=$3
    shift 3
    assert_status "$crashes_name, $*" $((128 + crashes_number)) "$model" --quiet "$@"
    assert_contains "$crashes_name, $*" last.err "signalled: error: $crashes_name$crashes_text"
    assert_eq "lines for $crashes_name, $*" 1 "$(grep -c '^signalled: error: ' last.err)"
}

where=' in the event handler of LP 0 (token) at time 10.'
crashes SIGSEGV 11 "$where" --synch=1 --raise=11
crashes SIGBUS 7 "$where" --synch=3 --raise=7
crashes SIGILL 4 "$where" --synch=2 --raise=4
crashes SIGFPE 8 "$where" --synch=4 --raise=8
crashes SIGABRT 6 "$where" --synch=6 --crash=abort
crashes SIGSEGV 11 ' at address 0x' --synch=1 --crash=access
assert_contains "the event" last.err ', KP 0, event from LP 0'
crashes SIGSEGV 11 " (the stack is full)$where" --synch=3 --crash=stack
crashes SIGABRT 6 ' in init of LP 0 (token) at time 0, KP 0' --crash=init

crashes SIGSEGV 11 ' at address 0x' --synch=1 --at=2000 --crash=access --event-trace=3 --stats-path=rec
assert_contains "the recording" last.err 'warpscope recover rec'
assert_ok "recover" "$WS_BIN/warpscope" recover rec
assert_ok "verify" "$WS_BIN/warpscope" verify rec

assert_ne "status on two ranks" 0 "$(run_mpi 2 "$model" --quiet --synch=3 --crash=access --on=last \
    >last.out 2>last.err; echo $?)"
assert_eq "lines on two ranks" 1 "$(grep -c '^signalled: error: rank 1: SIGSEGV' last.err)"

assert_ok "a handler of its own" "$model" --own=1 --quiet --synch=1 --crash=access --end=100
assert_lacks "a handler of its own" last.err 'SIGSEGV'
finish
