#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# test_faults.sh with 500 faults.
# test: processors=2 timeout=3000 labels=long
WS_FAULTS=${WS_FAULTS_LONG:-500}
. "$WS_SRC/tests/system/record/test_faults.sh"
