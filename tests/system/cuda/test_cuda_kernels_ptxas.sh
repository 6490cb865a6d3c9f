#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# ptxas accepts random kernels, original and rewritten: what the interpreter runs is PTX. Without ptxas there is
# nothing to test.
# test: processors=1 timeout=120
. "$WS_SRC/tests/support/lib.sh"

ptx=$WS_BIN/warpscope-ptx
[ -x "$ptx" ] || skip "warpscope-ptx is not built (WARPSCOPE_CUDA=OFF)"
PATH=$PATH:/usr/local/cuda/bin
command -v ptxas >/dev/null || skip "there is no ptxas"

for seed in 1 2 3 4 5 6; do
    "$WS_TEST_BIN/random_kernel" "$seed" >kernel.ptx || fail "no kernel of seed $seed"
    assert_ok "kernel of seed $seed" ptxas -O0 -arch=sm_80 kernel.ptx -o kernel.o
    assert_ok "rewriting the kernel of seed $seed" "$ptx" --quiet kernel.ptx -o traced.ptx
    assert_ok "rewritten kernel of seed $seed" ptxas -O0 -arch=sm_80 traced.ptx -o traced.o
done
finish
