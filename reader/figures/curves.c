/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * curves.c - adds samples to the figures over time: curves of counts and levels, the phases and the memory
 * of PEs, and how far KPs are ahead of GVT; see over_time.h.
 */
#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "figures/over_time.h"

/* ---- What a stream adds ---------------------------------------------------------------------- */

/* Adds a field that measures a phase to *phases. Returns its index there; -1 if it is none. */
static int8_t phase_add(struct ws_phases *phases, const struct fmt_field *field)
{
    size_t length = strlen(field->name);
    if (strcmp(field->unit, "ticks") != 0 || length < 4 || length > 30 ||
        phases->n == WS_PHASES_MAX || strcmp(field->name + length - 3, "_cc") != 0) {
        return -1;
    }
    const char *end = strstr(field->text, ", since");
    int words = end == NULL ? (int)strlen(field->text) : (int)(end - field->text);
    snprintf(phases->names[phases->n], sizeof phases->names[0], "%.*s", (int)length - 3,
             field->name);
    snprintf(phases->words[phases->n], sizeof phases->words[0], "%.*s", words > 63 ? 63 : words,
             field->text);
    return (int8_t)phases->n++;
}

void ws_over_init(struct ws_counted *s, struct ws_figures *over)
{
    s->over = over;
    s->over_curves = s->file == over->exact || s->file == over->sampled;
    s->over_ahead = s->file == over->ahead.source.stream ? over->ahead.source.kind : NULL;
    s->ticks = ws_stats_ticks_per_second(s->file->sb);
    s->over_phases = s->file->sb->stream == FMT_STREAM_RT && s->ticks > 0.0;
    for (uint32_t i = 0; i < s->counts.n; i++) {
        const struct fmt_field *field = &s->primary->fields[s->counts.field[i]];
        uint8_t k = 0;
        while (k < WS_COUNTS && (k == WS_SECONDARY || ws_count_names[k].field == NULL ||
                                 strcmp(ws_count_names[k].field, field->name) != 0)) {
            k++;
        }
        s->curve[i] = k;
        s->phase[i] = s->over_phases ? phase_add(&over->phases, field) : (int8_t)-1;
    }
}

/* ---- Bins ------------------------------------------------------------------------------------ */

/* Returns the part of the time t to which an axis of figures over time reaches. */
static double clip(const struct ws_stats_axis *axis, double t)
{
    t = t > axis->low ? t : axis->low;
    return t < axis->high ? t : axis->high;
}

/* Spreads counts over the bins of an axis of figures over time. */
static void counts_spread(const struct ws_counted *s, const struct ws_stats_axis *axis,
                          double *bins, const struct ws_intervals *in, const uint64_t *values,
                          double per)
{
    enum ws_clock c = axis->clock;
    for (uint32_t i = 0; i < s->load.n; i++) {
        if (values[i] > 0) {
            ws_stats_bins_spread(axis, bins, clip(axis, in->before[c][i]), clip(axis, in->at[c][i]),
                                 (double)values[i] / per);
        }
    }
}

void ws_over_count(struct ws_counted *s, uint32_t pe, uint32_t i, const struct ws_intervals *in,
                   const uint64_t *values)
{
    struct ws_figures *over = s->over;
    uint8_t k = s->curve[i];
    if (s->phase[i] >= 0) {
        counts_spread(s, &over->cell_axes[WS_WALL],
                      over->phases.cells[ws_pe_row(&over->places, pe)][s->phase[i]], in, values,
                      s->ticks);
    }
    bool is_exact = s->file == over->exact;
    if (!s->over_curves || k == WS_COUNTS || (is_exact && k != WS_COMMITTED)) {
        return;
    }
    /* Samples at exact virtual times have no wall-clock times; others then leave to them the events
     * committed over virtual time. */
    int first = is_exact ? WS_VIRTUAL : WS_WALL;
    int last = !is_exact && k == WS_COMMITTED && over->exact != NULL ? WS_WALL : WS_VIRTUAL;
    over->curves.known[k] = true;
    for (int c = first; c <= last; c++) {
        over->curves.sources[c][k] = (struct ws_source){s->file, s->primary};
        counts_spread(s, &over->axes[c], over->curves.counts[c][k], in, values, 1.0);
    }
}

/* Raises the peaks of all bins that the interval of a sample overlaps to at least `value`. If this interval is
 * empty, raises the peak of the bin of `to`. */
static void peak_raise(const struct ws_stats_axis *axis, double *peaks, double from, double to,
                       double value)
{
    assert(axis->n <= WS_BINS);
    uint32_t last = ws_stats_bin(axis, to);
    for (uint32_t i = from < to ? ws_stats_bin(axis, from) : last; i <= last; i++) {
        peaks[i] = fmax(peaks[i], value);
    }
}

/* Stores in over->clock, for each bin of wall-clock time, the largest GVT of the samples in the bin,
 * as GVT at the end of the bin. */
static void clock_add(struct ws_counted *s, const struct ws_intervals *in)
{
    struct ws_figures *over = s->over;
    const struct ws_stats_axis *axis = over->axes;
    over->has_clock = true;
    over->clock_source = (struct ws_source){s->file, s->primary};
    for (uint32_t i = 0; i < s->load.n; i++) {
        uint32_t edge = ws_stats_bin(&axis[WS_WALL], in->at[WS_WALL][i]) + 1;
        double gvt = clip(&axis[WS_VIRTUAL], in->at[WS_VIRTUAL][i]);
        if (!(over->clock[edge] >= gvt)) {
            over->clock[edge] = gvt;
        }
    }
}

/* Adds the memory of the PE in the loaded samples. bytes[level]: its levels in these samples. */
static void memory_add(struct ws_counted *s, uint32_t pe, const struct ws_intervals *in,
                       double bytes[WS_LEVELS][WS_LOAD_MAX])
{
    const struct ws_stats_axis *axis = &s->over->cell_axes[WS_WALL];
    struct ws_memory_cells *m = &s->over->memory;
    uint32_t row = ws_pe_row(&s->over->places, pe);
    for (uint32_t i = 0; i < s->load.n; i++) {
        double from = clip(axis, in->before[WS_WALL][i]), to = clip(axis, in->at[WS_WALL][i]);
        double in_use = bytes[WS_LEVEL_EVENTS][i] + bytes[WS_LEVEL_SAVED][i];
        ws_level_spread(axis, m->sum[row], m->weight[row], from, to, in_use);
        peak_raise(axis, m->peak[row], from, to, in_use);
        peak_raise(axis, m->allocated[row], from, to, bytes[WS_LEVEL_ALLOCATED][i]);
    }
}

void ws_over_levels(struct ws_counted *s, uint32_t pe, const struct ws_intervals *in)
{
    struct ws_curves *curves = &s->over->curves;
    double values[WS_LEVELS][WS_LOAD_MAX];
    bool has_memory = true;
    for (int k = 0; k < WS_LEVELS; k++) {
        int32_t field = ws_field_find(s->primary, ws_level_names[k].field);
        if (field < 0) {
            has_memory &= k == WS_LEVEL_QUEUE;
            continue;
        }
        curves->level_known[k] = true;
        ws_load_f64(&s->load, field, values[k]);
        for (int c = 0; c < WS_CLOCKS; c++) {
            const struct ws_stats_axis *axis = &s->over->axes[c];
            struct ws_level *level = &curves->levels[c][k];
            for (uint32_t i = 0; i < s->load.n; i++) {
                double from = clip(axis, in->before[c][i]), to = clip(axis, in->at[c][i]);
                ws_level_spread(axis, level->sum, level->weight, from, to, values[k][i]);
                peak_raise(axis, level->peak, from, to, values[k][i]);
            }
        }
    }
    if (has_memory) {
        memory_add(s, pe, in, values);
    }
    clock_add(s, in);
}

void ws_over_ahead(struct ws_counted *s, uint32_t pe, const struct ws_intervals *in,
                   const uint64_t *kps, const double *values)
{
    struct ws_figures *over = s->over;
    for (uint32_t i = 0; i < s->load.n; i++) {
        uint32_t row;
        while (!ws_kp_row(&over->places, pe, kps[i], &row)) {
            ws_places_fold(over);
        }
        over->places.kp_seen[row] = over->ahead.used = true;
        for (int c = 0; c < WS_CLOCKS; c++) {
            const struct ws_stats_axis *axis = &over->cell_axes[c];
            ws_level_spread(axis, over->ahead.sum[c][row], over->ahead.weight[c][row],
                            clip(axis, in->before[c][i]), clip(axis, in->at[c][i]), values[i]);
        }
    }
}
