#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# test_kills.sh with 500 kills.
# test: processors=2 timeout=6000 labels=long
WS_KILLS=${WS_KILLS_LONG:-500}
. "$WS_SRC/tests/system/record/test_kills.sh"
