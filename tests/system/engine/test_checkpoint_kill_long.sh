#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# test_checkpoint_kill.sh with 100 runs.
# test: processors=2 timeout=3000 labels=long
WS_KILLS=${WS_KILLS_LONG:-100}
. "$WS_SRC/tests/system/engine/test_checkpoint_kill.sh"
