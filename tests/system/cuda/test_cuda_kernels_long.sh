#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# 100,000 random kernels on the interpreter: the rewritten ones record the accesses of the original ones.
# test: processors=1 timeout=1500 labels=long
. "$WS_SRC/tests/support/lib.sh"

assert_ok "random kernels" "$WS_TEST_BIN/test_cuda_kernels" 100000
grep WS_TEST_SEED last.out
finish
