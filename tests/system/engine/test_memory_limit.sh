#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# A run with a tenth of the event memory of unlimited optimism completes, with the same committed events, and
# keeps to the limit; also when events create many others at once. Where these fill the memory of all ranks,
# the run still advances. Where the first events do not fit, it is refused.
# test: processors=2 timeout=300
. "$WS_SRC/tests/support/lib.sh"
. "$WS_SRC/tests/support/memory_limit.sh"

check_bursts 2 400 500 150 --fan=1000 --end=3
check_bursts 2 4000 500 150 --end=3
check_bursts 2 4000 500 150 --tied=1 --end=3
check_spread 4 8 500 1
check_full 3 24 1000 1 --tied=1 --end=3
check_full 4 24 1000 1 --end=3
check_first 1
check_first 2
check_first_sent 2
check_first_sent 3
check_ties 1 12000
check_ties 4 12000
# By MPI, no rank sees how far the slow one is.
check 2 1000 1000 --remote=0.0003 --lookahead=0 --end=200 --payload=2000 --transport=mpi
finish
