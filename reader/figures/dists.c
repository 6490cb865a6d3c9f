/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * dists.c - counts distributions over time: lengths of rollbacks, offsets of events, durations of
 * tasks; see figures.h.
 */
#include <assert.h>
#include <stdlib.h>

#include "figures/figures.h"

#define N_BUCKETS (WS_DIST_OCTAVES * WS_DIST_BUCKETS)

struct ws_bars ws_bars_of(const struct ws_histogram *d, bool whole)
{
    uint32_t first = N_BUCKETS, last = 0;
    for (uint32_t i = 0; i < N_BUCKETS; i++) {
        if (d->buckets[i] > 0) {
            first = first == N_BUCKETS ? i : first;
            last = i;
        }
    }
    if (first == N_BUCKETS) {
        first = last = (uint32_t)-WS_DIST_LOWEST * WS_DIST_BUCKETS; /* the bucket that contains 1 */
    }
    uint32_t octaves = last / WS_DIST_BUCKETS - first / WS_DIST_BUCKETS + 1;
    uint32_t width = whole || octaves > 16 ? WS_DIST_BUCKETS : octaves > 4 ? 4 : 1;
    first -= first % width;
    return (struct ws_bars){first, width, (last - first) / width + 1};
}

bool ws_dists_init(struct ws_dists *d, uint32_t first, uint32_t n)
{
    assert(n > 0 && first + n <= N_BUCKETS);
    *d = (struct ws_dists){.first = first, .n = n};
    d->cells = calloc((size_t)WS_CELLS * (n + 1), sizeof *d->cells);
    return d->cells != NULL;
}

void ws_dists_free(struct ws_dists *d)
{
    free(d->cells);
    *d = (struct ws_dists){.cells = NULL};
}

void ws_dists_count(struct ws_dists *d, uint32_t bin, double v, int32_t at)
{
    assert(bin < WS_CELLS && v == v);
    uint32_t bucket = at < 0 ? d->n : (uint32_t)at - d->first;
    if (bucket > d->n || (at >= 0 && bucket == d->n)) {
        return;
    }
    d->least[bin] = d->counts[bin] == 0 || v < d->least[bin] ? v : d->least[bin];
    d->most[bin] = d->counts[bin] == 0 || v > d->most[bin] ? v : d->most[bin];
    d->sum[bin] += v;
    d->counts[bin]++;
    d->cells[bin * (d->n + 1) + bucket]++;
}
