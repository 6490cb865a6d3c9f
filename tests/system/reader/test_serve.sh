#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# "warpscope serve": what it answers, to whom, and what hostile requests change: nothing, neither in its answers
# nor in the committed events of the run. Metrics, events, alerts, requests to the run.
# test: processors=2 timeout=120
. "$WS_SRC/tests/support/lib.sh"
. "$WS_SRC/tests/support/control.sh"
export PYTHONDONTWRITEBYTECODE=1

warpscope=$WS_BIN/warpscope
"$warpscope" serve 2>&1 . --listen=nowhere | grep -q "numeric address" || fail "--listen=nowhere"
ldd "$warpscope" | grep -q microhttpd || skip "warpscope was built without libmicrohttpd"

# The run without a server.
options="--enable-gvt-stats=1 --num-gvt=1 --kp-data=1 --lp-data=1"
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
finish
