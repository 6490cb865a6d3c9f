#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# test_checkpoint_kill.sh with 500 runs.
# test: processors=2 timeout=6000 labels=long
WS_KILLS=${WS_KILLS_LONG:-500}
. "$WS_SRC/tests/system/engine/test_checkpoint_kill.sh"
