#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# The soak of test_soak.sh for a few models: the same ones at each ./check, also with sanitizers.
# test: processors=2 timeout=300 sanitize=yes
WS_SOAK_MODELS=${WS_SOAK_MODELS:-7}
WS_SOAK_PARALLEL=${WS_SOAK_PARALLEL:-3}
WS_SOAK_SECONDS=${WS_SOAK_SECONDS:-60}
. "$WS_SRC/tests/system/engine/test_soak.sh"
