/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * spread.c - distributions over time: lengths of rollbacks, offsets of events, durations of tasks;
 * see report.h.
 */
#include <assert.h>
#include <math.h>
#include <stdlib.h>

#include "report/report.h"

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

void report_spread_add(struct report_spread *s, uint32_t step, double v)
{
    assert(step < REPORT_CELLS);
    if (v != v) {
        return;
    }
    int32_t at = ws_histogram_step(v);
    uint32_t bar = at < 0 ? s->bars.n : ((uint32_t)at - s->bars.first) / s->bars.width;
    if (bar > s->bars.n || (at >= 0 && bar == s->bars.n)) {
        return;
    }
    s->least[step] = s->n[step] == 0 || v < s->least[step] ? v : s->least[step];
    s->most[step] = s->n[step] == 0 || v > s->most[step] ? v : s->most[step];
    s->sum[step] += v;
    s->n[step]++;
    s->cells[step * (s->bars.n + 1) + bar]++;
}

/* Returns the count of a bar in steps from `step` on. */
static uint64_t cell_of(const struct report_spread *s, uint32_t step, uint32_t join, uint32_t bar)
{
    uint64_t n = 0;
    for (uint32_t i = step; i < step + join && i < REPORT_CELLS; i++) {
        n += s->cells[i * (s->bars.n + 1) + bar];
    }
    return n;
}

uint32_t report_spread_cells(const struct report_spread *s, uint32_t join)
{
    uint32_t n = 0;
    for (uint32_t step = 0; step < REPORT_CELLS; step += join) {
        for (uint32_t bar = 0; bar <= s->bars.n; bar++) {
            n += cell_of(s, step, join, bar) > 0;
        }
    }
    return n;
}

/* Writes a value of each step; those of steps without a number are null. */
static void values_json(struct json_writer *json, const struct report_spread *s, const char *name,
                        const double *values)
{
    double known[REPORT_CELLS];
    for (uint32_t i = 0; i < REPORT_CELLS; i++) {
        known[i] = s->n[i] > 0 ? values[i] : (double)NAN;
    }
    report_put_numbers(json, name, known, REPORT_CELLS, 6);
}

void report_spread_json(struct json_writer *json, const struct report_spread *s, uint32_t join)
{
    json_array_open(json, "over_time");
    for (uint32_t step = 0; step < REPORT_CELLS; step += join) {
        for (uint32_t bar = 0; bar <= s->bars.n; bar++) {
            uint64_t n = cell_of(s, step, join, bar);
            if (n > 0) {
                json_array_open(json, NULL);
                json_put_u64(json, NULL, step + (join - 1) / 2);
                json_put_u64(json, NULL, bar);
                json_put_u64(json, NULL, n);
                json_array_close(json);
            }
        }
    }
    json_array_close(json);
    values_json(json, s, "sums", s->sum);
    values_json(json, s, "lows", s->least);
    values_json(json, s, "highs", s->most);
}
