#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# bench/warp_model.py reads the reports of phold and warp, fits its parameters and prints the comparison.
# test: processors=2 timeout=60
. "$WS_SRC/tests/support/lib.sh"
command -v python3 >/dev/null || skip "no python3"

cat >steps.py <<'END'
import sys
sys.dont_write_bytecode = True
sys.path.insert(0, sys.argv[1] + "/bench")
import warp_model as w
w.RANKS, w.FIT_RANKS = [1, 2], [2]
w.CASES = {"bound": ("--nlp=64 --remote=0.5 --lookahead=0.1 --end=5 --max-opt-lookahead=1",
                     "--events=64 --remote=0.5 --lookahead=0.1 --span=5 --bound=1")}
w.GRID = {"slice": [3e5, 1e5], "hop": [1e3]}
bench = w.Bench(sys.argv[2], 1, "kept")
bench.keep("times", {"event-cost": 100, "undo-cost": 200, "send-cost": 300, "receive-cost": 300, "latency": 500})
for step in ["measure", "fit", "check"]:
    getattr(bench, step)()
row = bench.kept("checked")[0]
assert row["measured"]["committed"] > 100 and row["warp"]["committed"] > 100, row
assert abs(row["warp"]["committed"] / row["measured"]["committed"] - 1) < 0.5, row
END
assert_ok "steps" env MPIEXEC="$WS_MPIEXEC" python3 steps.py "$WS_SRC" "$WS_BUILD"
assert_contains "measure" last.out "1 ranks:"
assert_contains "fit" last.out "fitted: --slice="
assert_contains "check" last.out "simulated / measured"
assert_status "an unknown step" 1 python3 -B "$WS_SRC/bench/warp_model.py" "$WS_BUILD" fly
assert_contains "an unknown step" last.err "the model warp beside measured runs of phold"
assert_status "a step too early" 1 python3 -B "$WS_SRC/bench/warp_model.py" "$WS_BUILD" --work=empty check
assert_contains "a step too early" last.err "is missing: run the step that writes it first"
finish
