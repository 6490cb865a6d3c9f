# SPDX-License-Identifier: BSD-3-Clause
# random.sh - random choices of test scripts, the same ones in every shell; source it after lib.sh. seed is
# WS_TEST_SEED or the time. The test that sources it prints the seed.

seed=${WS_TEST_SEED:-$(date +%s)}

# A multiplicative generator (Park & Miller).
random_state=$((seed % 2147483646 + 1))

# random N: sets random to a number from 0 to N - 1.
random() {
    random_state=$((random_state * 48271 % 2147483647))
    random=$((random_state / 3 % $1))
}

# choose WORDS...: sets chosen to one of them.
choose() {
    random $#
    shift $random
    chosen=$1
}
