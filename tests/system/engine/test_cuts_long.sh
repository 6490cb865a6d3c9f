#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# The whole table of test_cuts.sh: each model, with each observer, at each cut, and moved on 2, 3 and 4 ranks.
# test: processors=2 timeout=2700 labels=long
. "$WS_SRC/tests/support/lib.sh"
. "$WS_SRC/tests/support/cuts.sh"
walk all
finish
