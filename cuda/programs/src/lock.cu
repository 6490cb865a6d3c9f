// SPDX-License-Identifier: BSD-3-Clause
// A lock: one thread of each CTA increments a counter under the lock. The CTAs' order is undefined.
#include "program.h"

enum { BLOCKS = 4, BLOCK = 32, ROUNDS = 5 };

extern "C" __global__ void locked(int *lock, volatile int *counter, volatile int *last)
{
    if (threadIdx.x == 0) {
        for (int round = 0; round < ROUNDS; round++) {
            while (atomicCAS(lock, 0, 1) != 0) {
            }
            __threadfence();
            int value = *counter;
            *counter = value + 1;
            last[value] = blockIdx.x;
            __threadfence();
            atomicExch(lock, 0);
        }
    }
}

int main()
{
    int *lock = device<int>("lock", 1), *counter = device<int>("counter", 1);
    int *last = device<int>("last", BLOCKS * ROUNDS);
    locked<<<BLOCKS, BLOCK>>>(lock, counter, last);
    same("counter", 0, host(counter, 1)[0], BLOCKS * ROUNDS);
    std::vector<int> order = host(last, BLOCKS * ROUNDS), turns(BLOCKS);
    for (int block : order) {
        turns[block]++;
    }
    for (int i = 0; i < BLOCKS; i++) {
        same("turns", i, turns[i], (int)ROUNDS);
    }
    return finish();
}
