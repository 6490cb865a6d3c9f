// SPDX-License-Identifier: BSD-3-Clause
// A queue of work: CTAs take items until no item is left. Any CTA may take an item.
#include "program.h"

enum { ITEMS = 24, BLOCKS = 4, BLOCK = 32 };

FILL(int, 8, 3 * i)

extern "C" __global__ void serve(unsigned *head, const int *items, int *results)
{
    __shared__ unsigned item;
    for (;;) {
        if (threadIdx.x == 0) {
            item = atomicAdd(head, 1u);
        }
        __syncthreads();
        unsigned mine = item;
        __syncthreads();
        if (mine >= ITEMS) {
            break;
        }
        if (threadIdx.x == 0) {
            results[mine] = items[mine] + 1;
        }
    }
}

int main()
{
    unsigned *head = device<unsigned>("head", 1);
    int *items = device<int>("items", ITEMS), *results = device<int>("results", ITEMS);
    fill<<<ITEMS / 8, 8>>>(items);
    serve<<<BLOCKS, BLOCK>>>(head, items, results);
    check("results", results, ITEMS, [](int i) { return 3 * i + 1; });
    same<unsigned>("head", 0, host(head, 1)[0], ITEMS + BLOCKS);
    return finish();
}
