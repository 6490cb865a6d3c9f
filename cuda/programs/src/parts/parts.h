// SPDX-License-Identifier: BSD-3-Clause
// Functions and variables that the files of the program share.
#ifndef PARTS_H
#define PARTS_H

enum { N = 96, BLOCK = 32, BLOCKS = N / BLOCK, STATES = 8 };

extern __device__ int states[STATES];
__device__ int next_state(int i);
__device__ void store_twice(int *to, int i, int value);
void fill(int *x);

#endif
