/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * memory.c - memory of PEs over time, from their samples; see report.h.
 */
#include <math.h>

#include "report/report.h"

static const struct {
    const char *field;
    const char *name, *words; /* of the page; NULL: not a level of memory */
} levels[REPORT_LEVELS] = {
    [REPORT_QUEUE] = {"pq_size", NULL, NULL},
    [REPORT_MEMORY_EVENTS] = {"event_bytes", "events", "Events"},
    [REPORT_MEMORY_SAVED] = {"saved_bytes", "saved", "Saved states and other data"},
    [REPORT_MEMORY_ALLOCATED] = {"allocated_bytes", "allocated", "Allocated"},
};

int32_t report_level_field(const struct fmt_schema *schema, enum report_level_kind level)
{
    return ws_field_find(schema, levels[level].field);
}

/* Raises the steps of (from, to] to a value. */
static void peak_raise(const struct ws_stats_axis *axis, double *peaks, double from, double to,
                       double value)
{
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
        int32_t field = report_level_field(schema, k);
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

/* Writes a list of numbers per row of PEs; those of steps without a sample are null. */
static void rows_json(struct json_writer *json, const struct report_run *run, const char *name,
                      const double rows[REPORT_PE_ROWS][REPORT_CELLS], bool mean)
{
    json_array_open(json, name);
    for (uint32_t row = 0; row < run->places.pe_rows; row++) {
        double values[REPORT_CELLS];
        for (uint32_t i = 0; i < REPORT_CELLS; i++) {
            double weight = run->memory.weight[row][i];
            values[i] = !(weight > 0.0) ? (double)NAN : mean ? rows[row][i] / weight : rows[row][i];
        }
        report_put_numbers(json, NULL, values, REPORT_CELLS, 4);
    }
    json_array_close(json);
}

void report_memory_json(struct json_writer *json, const struct report_run *run)
{
    if (!run->curves.level_known[REPORT_MEMORY_EVENTS]) {
        return;
    }
    json_line(json);
    json_object_open(json, "memory");
    for (int c = 0; c < REPORT_CLOCKS; c++) {
        json_array_open(json, c == REPORT_WALL ? "wall" : "virtual");
        for (int k = REPORT_MEMORY_EVENTS; k < REPORT_LEVELS; k++) {
            report_level_json(json, run, c, k, levels[k].name, levels[k].words);
        }
        json_array_close(json);
    }
    report_pes_json(json, &run->places);
    rows_json(json, run, "in_use", run->memory.sum, true);
    rows_json(json, run, "peak", run->memory.peak, false);
    rows_json(json, run, "pe_allocated", run->memory.allocated, false);
    json_object_close(json);
}
