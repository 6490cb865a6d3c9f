#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# The soak of test_soak.sh for some seconds: new configurations at each ./check, also with sanitizers.
# test: processors=2 timeout=300 sanitize=yes
WS_SOAK_SECONDS=${WS_SOAK_SHORT_SECONDS:-15}
. "$WS_SRC/tests/system/engine/test_soak.sh"
