#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# test_control_series.sh with 100 series.
# test: processors=2 timeout=3000 labels=long
WS_SERIES=${WS_SERIES_LONG:-100}
. "$WS_SRC/tests/system/record/test_control_series.sh"
