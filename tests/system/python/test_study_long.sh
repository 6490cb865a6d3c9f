#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# How often the intervals of studies contain the mean that is known exactly: 1,000 studies for each method.
# test: processors=1 timeout=3600 sanitize=no labels=long
. "$WS_SRC/tests/support/lib.sh"
. "$WS_SRC/tests/support/python.sh"
python_package

assert_ok "coverage" "$python" -B "$WS_SRC/tests/system/python/package/study_coverage.py" "$WS_BIN/qnet"
cat last.out
finish
