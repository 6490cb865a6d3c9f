// SPDX-License-Identifier: BSD-3-Clause
#include "parts.h"

__device__ int states[STATES] = {100, 101, 102, 103, 104, 105, 106, 107};

__device__ int next_state(int i)
{
    return states[i % STATES] + 1;
}
