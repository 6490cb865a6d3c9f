#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# A run with a tenth of the event memory of unlimited optimism completes, with the same committed events, and
# keeps to the limit; also when events create many others at once.
# test: processors=2 timeout=900 labels=long
. "$WS_SRC/tests/support/lib.sh"
. "$WS_SRC/tests/support/memory_limit.sh"

check_bursts 2 40 2000 200 --fan=10000
check_bursts 2 400 2000 150 --fan=1000
check_bursts 2 4000 500 150
check_bursts 2 4000 500 150 --tied=1
check_bursts 2 4000 2000 150
check_bursts 2 4000 2000 200
check_bursts 4 4000 500 200
check_ties 2 12000
check 2 4000 1000 --remote=0.0001 --lookahead=0.1 --end=400
check 4 1000 1000 --remote=0.0001 --lookahead=0.1 --end=1500 --payload=1000
# Random models, the same in each run of this test.
for number in $(seq 30); do
    check_random "$number"
done
finish
