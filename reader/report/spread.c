/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * spread.c - counts distributions over time: lengths of rollbacks, offsets of events, durations of
 * tasks; see report.h.
 */
#include <assert.h>
#include <math.h>
#include <stdlib.h>

#include "report/report.h"

#define N_BUCKETS (WS_DIST_OCTAVES * WS_DIST_BUCKETS)

struct report_bars report_bars_of(const struct ws_histogram *d, bool whole)
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
    return (struct report_bars){first, width, (last - first) / width + 1};
}

bool report_spread_init(struct report_spread *s, struct report_bars bars)
{
    assert(bars.n > 0 && bars.width > 0);
    *s = (struct report_spread){.bars = bars};
    s->cells = calloc((size_t)REPORT_CELLS * (bars.n + 1), sizeof *s->cells);
    return s->cells != NULL;
}

void report_spread_free(struct report_spread *s)
{
    free(s->cells);
    *s = (struct report_spread){.cells = NULL};
}

void report_spread_add(struct report_spread *s, uint32_t bin, double v)
{
    assert(bin < REPORT_CELLS);
    if (v != v) {
        return;
    }
    int32_t at = ws_histogram_bucket(v);
    uint32_t bar = at < 0 ? s->bars.n : ((uint32_t)at - s->bars.first) / s->bars.width;
    if (bar > s->bars.n || (at >= 0 && bar == s->bars.n)) {
        return;
    }
    s->least[bin] = s->n[bin] == 0 || v < s->least[bin] ? v : s->least[bin];
    s->most[bin] = s->n[bin] == 0 || v > s->most[bin] ? v : s->most[bin];
    s->sum[bin] += v;
    s->n[bin]++;
    s->cells[bin * (s->bars.n + 1) + bar]++;
}
