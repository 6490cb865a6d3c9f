/* SPDX-License-Identifier: BSD-3-Clause */
/* view.c - see view.h. */
#include "figures/view.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

bool ws_view_unknown(const struct ws_counted *c, const char *name)
{
    int32_t at = ws_stats_count_find(&c->counts, name);
    return at >= 0 && c->counts.unknown[at];
}

bool ws_net_remote(const struct ws_counted *s, uint64_t *net)
{
    int32_t sent = ws_stats_count_find(&s->counts, "remote_events");
    int32_t anti = ws_stats_count_find(&s->counts, "anti_sends");
    bool known = sent >= 0 && anti >= 0 && s->sums[sent] >= s->sums[anti];
    *net = known ? s->sums[sent] - s->sums[anti] : 0;
    return known;
}

/* ---- Spread ---------------------------------------------------------------------------------- */

static int by_number(const void *a, const void *b)
{
    const uint64_t *x = a, *y = b;
    return (*x > *y) - (*x < *y);
}

void ws_spread_find(struct ws_spread *s, uint64_t *numbers, size_t n)
{
    assert(n > 0);
    double sum = 0.0;
    qsort(numbers, n, sizeof *numbers, by_number);
    for (size_t i = 0; i < n; i++) {
        sum += (double)numbers[i];
    }
    *s = (struct ws_spread){.least = numbers[0],
                            .tenth = numbers[(n - 1) / 10],
                            .median = numbers[(n - 1) / 2],
                            .ninetieth = numbers[(n - 1) - (n - 1) / 10],
                            .largest = numbers[n - 1],
                            .mean = sum / (double)n};
    s->imbalance = sum > 0.0 ? (double)s->largest / s->mean : (double)NAN;
}

bool ws_view_spread(struct ws_spread *spread, const struct ws_counted *c, uint32_t count)
{
    assert(count < c->counts.n);
    uint64_t *numbers = c->pes.n == 0 ? NULL : malloc(c->pes.n * sizeof *numbers);
    for (uint32_t i = 0; numbers != NULL && i < c->pes.n; i++) {
        numbers[i] = c->pes.list[i].sums[count];
    }
    if (numbers != NULL) {
        ws_spread_find(spread, numbers, c->pes.n);
    }
    free(numbers);
    return numbers != NULL;
}
