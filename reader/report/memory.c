/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * memory.c - computes the memory of PEs over time from their samples; see report.h.
 */

#include <assert.h>
#include <math.h>

#include "report/report.h"

static const char *const level_fields[REPORT_LEVELS] = {
    [REPORT_QUEUE] = "pq_size",
    [REPORT_MEMORY_EVENTS] = "event_bytes",
    [REPORT_MEMORY_SAVED] = "saved_bytes",
    [REPORT_MEMORY_ALLOCATED] = "allocated_bytes",
};

int32_t report_level_field(const struct fmt_schema *schema, enum report_level_kind level)
{
    assert(level < REPORT_LEVELS);
    return ws_field_find(schema, level_fields[level]);
}

/* Raises the peaks of all bins that overlap (from, to] to at least `value`. If this interval is
 * empty, raises the peak of the bin of `to`. */
static void peak_raise(const struct ws_stats_axis *axis, double *peaks, double from, double to,
                       double value)
{
    assert(axis->n <= REPORT_CELLS);
    uint32_t last = ws_stats_bin(axis, to);
    for (uint32_t i = from < to ? ws_stats_bin(axis, from) : last; i <= last; i++) {
        peaks[i] = fmax(peaks[i], value);
    }
}

void report_memory_add(struct report_run *run, uint32_t pe, const struct ws_load *load,
                       const double *before, const double *at)
{
    const struct fmt_schema *schema = load->part->columns->schema;
    const struct ws_stats_axis *axis = &run->cell_axes[REPORT_WALL];
    struct report_memory *m = &run->memory;
    uint32_t row = report_pe_row(&run->places, pe);
    double bytes[REPORT_LEVELS][WS_LOAD_MAX];
    for (int k = REPORT_MEMORY_EVENTS; k < REPORT_LEVELS; k++) {
        int32_t field = report_level_field(schema, (enum report_level_kind)k);
        if (field < 0) {
            return;
        }
        ws_load_f64(load, field, bytes[k]);
    }
    for (uint32_t i = 0; i < load->n; i++) {
        double in_use = bytes[REPORT_MEMORY_EVENTS][i] + bytes[REPORT_MEMORY_SAVED][i];
        report_level_spread(axis, m->sum[row], m->weight[row], before[i], at[i], in_use);
        peak_raise(axis, m->peak[row], before[i], at[i], in_use);
        peak_raise(axis, m->allocated[row], before[i], at[i], bytes[REPORT_MEMORY_ALLOCATED][i]);
    }
}
