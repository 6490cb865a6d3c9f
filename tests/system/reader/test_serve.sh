#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# "warpscope serve": what it answers, to whom, and what hostile requests change: nothing, neither in its answers
# nor in the committed events of the run. Metrics, events, alerts, requests to the run; a restart, which it follows.
# test: processors=2 timeout=120
. "$WS_SRC/tests/support/lib.sh"
. "$WS_SRC/tests/support/control.sh"
export PYTHONDONTWRITEBYTECODE=1

warpscope=$WS_BIN/warpscope
"$warpscope" serve 2>&1 . --listen=nowhere | grep -q "numeric address" || fail "--listen=nowhere"
ldd "$warpscope" | grep -q microhttpd || skip "warpscope was built without libmicrohttpd"

# The run without a server.
options="--enable-gvt-stats=1 --num-gvt=1 --kp-data=1 --lp-data=1 --all-wait"
# shellcheck disable=SC2086 # words
run_model 2 "$WS_TEST_BIN/gated" --synch=3 --lps=16 --end=150 --stats-path=alone $options
truth="$events $states"

# shellcheck disable=SC2086
gated_start 2 3 --synch=3 $options
await_gate
assert_ok "the server" python3 "$WS_SRC/tests/system/python/serve_check.py" "$warpscope" rec "$PWD/gate" "$gated_pid"
cat last.out
gated_end
assert_eq "status of the run" 0 "$gated_status"
assert_eq "what the run committed" "$truth" "$events $states"

# A run that is killed at its second gate, and goes on from its checkpoint in rec-1: the server follows it.
# shellcheck disable=SC2086
gated_start 2 2 --synch=3 $options --checkpoint-path=saved --checkpoint-every=1
open_gate
await_gate
python3 "$WS_SRC/tests/system/python/serve_check.py" "$warpscope" rec "$PWD/gate" "$gated_pid" rec-1 >follow.out 2>&1 &
follower=$!
assert_ok "the run is killed" wait_for $follower test -e killed
wait "$gated_pid"
# shellcheck disable=SC2086
run_model 2 "$WS_TEST_BIN/gated" --restart=saved --synch=3 --lps=16 --end=150 --stats-path=rec $options
assert_eq "what the restarted run committed" "$truth" "$events $states"
wait $follower
assert_eq "following a restart" 0 $?
tail -n 20 follow.out
finish
