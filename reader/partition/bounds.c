/* SPDX-License-Identifier: BSD-3-Clause */
/* bounds.c - finds bounds on the speed-up of placements; see bounds.h. */
#include "partition/bounds.h"

#include <assert.h>

#include "analyze/bounds.h"

void partition_bounds_find(struct partition *p, struct ws_file *trace)
{
    assert(p->graph != NULL && p->n_ranks > 0);
    struct analyze_bounds bounds = {.by_time = p->graph->by_time};
    enum partition_kind kinds[PARTITION_KINDS];
    for (int kind = 0; kind < PARTITION_KINDS; kind++) {
        if (p->sums[kind].known && p->ranks[kind] != NULL) {
            kinds[bounds.n] = (enum partition_kind)kind;
            bounds.list[bounds.n++] = (struct analyze_bound){
                .rank = kind == PARTITION_RECORDED ? NULL : p->ranks[kind], .n_ranks = p->n_ranks};
        }
    }
    bool good = analyze_bounds_find(&bounds, trace);
    for (uint32_t i = 0; i < bounds.n && good; i++) {
        p->sums[kinds[i]].at_most = bounds.list[i].at_most;
        p->sums[kinds[i]].in_order = bounds.list[i].in_order;
    }
    p->any = good ? bounds.any : 0.0;
    p->causes_missing = bounds.missing;
    p->bounds_why = good ? NULL : bounds.why;
}
