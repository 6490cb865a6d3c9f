/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * parts.c - statistics that several kinds of files have in common; see stats.h.
 */
#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "data/number.h"
#include "stats/stats.h"
#include "store/array.h"

struct ws_stats_pe *ws_stats_pe_get(struct ws_stats_pes *pes, uint32_t pe)
{
    if (pes->last == pe + 1) {
        return pes->n > 0 && pes->list[pes->n - 1].pe == pe ? &pes->list[pes->n - 1] : NULL;
    }
    pes->last = pe + 1;
    if (pes->n == WS_STATS_PES_MAX ||
        !array_reserve(&pes->list, &pes->reserved, pes->n + 1u, sizeof *pes->list)) {
        pes->left_out++;
        return NULL;
    }
    memset(&pes->list[pes->n], 0, sizeof *pes->list);
    pes->list[pes->n].pe = pe;
    return &pes->list[pes->n++];
}

/* Returns true if the field is an identity or a level, not a counter. Files before version 1.1 do
 * not state measures; for them, the name decides. */
static bool is_no_count(const struct fmt_field *field)
{
    if (field->measure != FMT_UNSTATED) {
        return field->measure != FMT_CHANGE || field->type > FMT_U64;
    }
    static const char *const names[] = {"kp", "lp", "sample", "pq_size", "kind"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        if (strcmp(field->name, names[i]) == 0) {
            return true;
        }
    }
    return field->role != FMT_ROLE_NONE || field->type > FMT_U64;
}

/* Returns true if all PEs count the same collective action, such as a GVT computation. A sum over
 * PEs would count it several times. */
static bool is_collective(const char *name)
{
    return strcmp(name, "num_gvt") == 0 || strcmp(name, "all_reduce_count") == 0;
}

void ws_stats_counts_find(struct ws_stats_counts *counts, const struct fmt_schema *schema)
{
    *counts = (struct ws_stats_counts){.schema = schema};
    for (uint32_t i = 0; i < schema->n_fields && counts->n < WS_STATS_COUNTS_MAX; i++) {
        if (!is_no_count(&schema->fields[i])) {
            counts->collective[counts->n] = is_collective(schema->fields[i].name);
            counts->field[counts->n++] = (int32_t)i;
        }
    }
}

int32_t ws_stats_count_find(const struct ws_stats_counts *counts, const char *name)
{
    assert(counts->n <= WS_STATS_COUNTS_MAX);
    for (uint32_t i = 0; i < counts->n; i++) {
        if (strcmp(counts->schema->fields[counts->field[i]].name, name) == 0) {
            return (int32_t)i;
        }
    }
    return -1;
}

/* ---- Clocks ---------------------------------------------------------------------------------- */

struct ranges {
    const struct ws_select *select;
    struct ws_stats_clocks *clocks;
    double to; /* end of the range: later virtual times do not count */
};

static void clock_add(struct ws_range *range, const struct fmt_columns *c, enum fmt_role role,
                      uint32_t row, double to)
{
    int32_t field = c->schema->role_field[role];
    if (field >= 0) {
        double v = fmt_columns_value(c, (uint32_t)field, row).as.f;
        ws_range_add(range, v < to ? v : (double)NAN, v < to ? v : (double)NAN);
    }
}

/* Extends the ranges by the times of the records in a block. Ignores errors in the block, since the
 * walk that computes sums reports them. */
static void records_ranges(struct ws_file *survey, const struct fmt_block *block, struct ranges *r)
{
    static const enum fmt_role roles[] = {FMT_ROLE_VIRTUAL_TIME, FMT_ROLE_REAL_TIME};
    struct fmt_wanted wanted = {0};
    struct fmt_columns *c = &survey->columns;
    for (size_t i = 0; i < 2; i++) {
        int32_t field = block->schema->role_field[roles[i]];
        if (field >= 0) {
            fmt_wanted_add(&wanted, (uint32_t)field);
        }
    }
    ws_select_wanted(r->select, block->schema, &wanted);
    if (fmt_block_decode_some(survey->reader, block, &wanted, c, NULL) != FMT_OK) {
        return;
    }
    for (uint32_t row = 0; row < c->n_records; row++) {
        if (ws_select_row(r->select, c, row)) {
            clock_add(&r->clocks->virtual_time, c, FMT_ROLE_VIRTUAL_TIME, row, r->to);
            clock_add(&r->clocks->real_time, c, FMT_ROLE_REAL_TIME, row, (double)INFINITY);
        }
    }
}

static bool block_ranges(struct ws_file *survey, const struct fmt_block *block, void *ctx)
{
    struct ranges *r = ctx;
    enum ws_share share = ws_select_block(r->select, block);
    bool beyond = share != WS_SHARE_NONE && block->max_virtual_time >= r->to;
    if (beyond || (share == WS_SHARE_SOME && r->select->by_time)) {
        records_ranges(survey, block, r);
    } else if (share != WS_SHARE_NONE) {
        ws_range_add(&r->clocks->virtual_time, block->min_virtual_time, block->max_virtual_time);
        ws_range_add(&r->clocks->real_time, block->min_real_time, block->max_real_time);
    }
    return true;
}

/* Returns the time that a fact states; 0 without such a fact. */
static double fact_time(const struct fmt_superblock *sb, const char *key)
{
    const char *text = ws_stats_fact(sb, key);
    double time;
    return text != NULL && ws_parse_f64(text, &time) && isfinite(time) ? time : 0.0;
}

void ws_stats_clocks_find(struct ws_stats_clocks *clocks, struct ws_file *survey,
                          const struct ws_select *select)
{
    struct ranges r = {.select = select, .clocks = clocks, .to = (double)INFINITY};
    if (survey->pes_ended > 0 && survey->end_code == FMT_END_NO_EVENTS) {
        /* The last samples are at the end time, but nothing happened after this GVT. */
        r.to = survey->end_gvt;
    }
    *clocks = (struct ws_stats_clocks){.virtual_from = fact_time(survey->sb, "begins_gvt"),
                                       .real_from = fact_time(survey->sb, "begins_real_time")};
    for (uint32_t pe = 0; pe < survey->sb->layout.n_pes; pe++) {
        if (ws_select_pe(select, pe)) {
            ws_file_each(survey, pe, block_ranges, &r);
        }
    }
}

void ws_stats_axis_init(struct ws_stats_axis *axis, const struct ws_stats_clocks *clocks,
                        bool whole, bool virtual_time, uint64_t steps)
{
    const struct ws_range *range = virtual_time ? &clocks->virtual_time : &clocks->real_time;
    bool usable = range->known && isfinite(range->min) && isfinite(range->max);
    *axis = (struct ws_stats_axis){.virtual_time = virtual_time, .low = 0.0, .high = 1.0};
    if (usable) {
        double from = virtual_time ? clocks->virtual_from : clocks->real_from;
        axis->low = range->min < from || !whole ? range->min : from;
        axis->high = range->max;
    }
    if (!(axis->high - axis->low > 0.0) || !isfinite(axis->high - axis->low)) {
        axis->high = axis->low + 1.0;
        steps = 1;
    }
    axis->n = steps < 1 ? 1 : steps > WS_STATS_BINS ? WS_STATS_BINS : (uint32_t)steps;
}

void ws_stats_span_find(struct ws_stats_span *span, const struct ws_stats_clocks *clocks,
                        const struct ws_file *survey, bool whole)
{
    const struct ws_range *real = &clocks->real_time, *virtual = &clocks->virtual_time;
    *span = (struct ws_stats_span){0};
    if (real->known) {
        double end = whole && survey->pes_ended > 0 ? survey->end_real_time : real->max;
        end = end >= real->max ? end : real->max;
        span->wall = end - (whole ? fmin(clocks->real_from, real->min) : real->min);
    }
    if (virtual->known) {
        bool to_end = whole && survey->pes_ended > 0 && survey->end_code != FMT_END_NO_EVENTS;
        double end = to_end ? survey->end_gvt : virtual->max;
        end = end >= virtual->max && isfinite(end) ? end : virtual->max;
        span->virtual_from = whole ? fmin(clocks->virtual_from, virtual->min) : virtual->min;
        span->virtual = end - span->virtual_from;
    }
    span->wall = isfinite(span->wall) && span->wall > 0.0 ? span->wall : 0.0;
    span->virtual = isfinite(span->virtual) && span->virtual > 0.0 ? span->virtual : 0.0;
}

double ws_stats_efficiency(double processed, double rolled_back)
{
    if (!(rolled_back > 0.0)) {
        return 100.0;
    }
    if (!(processed > rolled_back)) {
        return 0.0;
    }
    return 100.0 * (1.0 - rolled_back / (processed - rolled_back));
}

void ws_stats_bins_spread(const struct ws_stats_axis *axis, double *bins, double from, double to,
                          double count)
{
    assert(axis->n >= 1);
    uint32_t first = ws_stats_bin(axis, from), last = ws_stats_bin(axis, to);
    if (!(to > from) || first == last) {
        bins[last] += count;
        return;
    }
    double step = (axis->high - axis->low) / axis->n;
    for (uint32_t i = first; i <= last; i++) {
        double low = axis->low + i * step, high = low + step;
        low = low < from ? from : low;
        high = high > to ? to : high;
        if (high > low) {
            bins[i] += count * (high - low) / (to - from);
        }
    }
}

double ws_stats_ticks_per_second(const struct fmt_superblock *sb)
{
    for (uint32_t i = 0; i < sb->n_run; i++) {
        double v;
        if (strcmp(sb->run[i].key, "ticks_per_second") == 0 && ws_parse_f64(sb->run[i].value, &v) &&
            v > 0.0 && isfinite(v)) {
            return v;
        }
    }
    return 0.0;
}
