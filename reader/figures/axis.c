/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * axis.c - the ranges of time of the chosen records of a stream, and the bins of these ranges; see
 * figures.h.
 */
#include <assert.h>
#include <math.h>

#include "figures/figures.h"

struct ranges {
    const struct ws_select *select;
    /* Ranges of the times of the chosen records in the current part. */
    struct ws_range virtual_time, real_time;
    double to; /* only records of earlier virtual times count */
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

/* Extends the ranges by the times of the chosen records in a block. Ignores errors in the block,
 * since the walk that computes sums reports them. */
static void records_ranges(struct ws_file *file, const struct fmt_block *block, struct ranges *r)
{
    static const enum fmt_role roles[] = {FMT_ROLE_VIRTUAL_TIME, FMT_ROLE_REAL_TIME};
    struct fmt_wanted wanted = {0};
    struct fmt_columns *c = &file->columns;
    for (size_t i = 0; i < 2; i++) {
        ws_want(&wanted, block->schema->role_field[roles[i]]);
    }
    ws_select_wanted(r->select, block->schema, &wanted);
    if (ws_file_decode(file, block, &wanted, c, NULL) != FMT_OK) {
        return;
    }
    for (uint32_t row = 0; row < c->n_records; row++) {
        if (ws_select_row(r->select, c, row)) {
            clock_add(&r->virtual_time, c, FMT_ROLE_VIRTUAL_TIME, row, r->to);
            clock_add(&r->real_time, c, FMT_ROLE_REAL_TIME, row, (double)INFINITY);
        }
    }
}

static bool block_ranges(struct ws_file *file, const struct fmt_block *block, void *ctx)
{
    struct ranges *r = ctx;
    enum ws_share share = ws_select_block(r->select, block);
    bool beyond = share != WS_SHARE_NONE && block->max_virtual_time >= r->to;
    if (beyond || (share == WS_SHARE_SOME && r->select->by_time)) {
        records_ranges(file, block, r);
    } else if (share != WS_SHARE_NONE) {
        ws_range_add(&r->virtual_time, block->min_virtual_time, block->max_virtual_time);
        ws_range_add(&r->real_time, block->min_real_time, block->max_real_time);
    }
    return true;
}

/* ---- Parts ----------------------------------------------------------------------------------- */

/* Finds the ranges of the times of the chosen records in part `number`. */
static void part_ranges(struct ranges *r, struct ws_file *file, uint32_t number)
{
    const struct ws_file *part = ws_stream_part(file, number);
    r->virtual_time = r->real_time = (struct ws_range){.known = false};
    r->to = (double)INFINITY;
    if (part->pes_ended > 0 && part->end_code == FMT_END_NO_EVENTS) {
        /* The last samples have the end time of the run, but no event was later than the last
         * GVT. */
        r->to = part->end_gvt;
    }
    for (uint32_t pe = 0; pe < file->sb->layout.n_pes; pe++) {
        struct ws_walk walk;
        struct fmt_block block;
        enum fmt_status status;
        ws_walk_init_part(&walk, file, pe, number);
        while (ws_select_pe(r->select, pe) && (status = ws_walk_next(&walk, &block)) != FMT_END) {
            if (status == FMT_OK) {
                block_ranges(file, &block, r);
            }
        }
    }
}

/* Returns true if the part contains a kind of record that the selection does not rule out. */
static bool records_chosen(const struct ws_file *file, const struct ws_file *part,
                           const struct ws_select *select)
{
    for (uint32_t i = 0; i < file->sb->n_schemas; i++) {
        const struct fmt_schema *schema = file->sb->schemas[i];
        if (ws_select_schema(select, schema) && ws_part_records(part, schema)) {
            return true;
        }
    }
    return false;
}

/* Returns to - from if it is finite and positive, otherwise 0. */
static double length_of(double from, double to)
{
    return isfinite(to - from) && to > from ? to - from : 0.0;
}

/* Returns the interval to which the chosen records of a part belong. records: range of their times.
 * begin: beginning of the part. limit: beginning of the next part, or infinite. end: recorded end
 * of the part, or NaN. whole: true if the user chose no range of time; the interval is then that of
 * the part. */
static struct ws_range interval_of(const struct ws_range *records, double begin, double limit,
                                   double end, bool whole)
{
    struct ws_range i = *records;
    if (whole) {
        i.min = begin < i.min ? begin : i.min;
        i.max = end > i.max && isfinite(end) ? end : i.max;
        /* The time after the next part's beginning is counted for that part. */
        i.max = isfinite(limit) ? limit : i.max;
    }
    return i;
}

static void interval_add(double *sum, double *from, double *to, const struct ws_range *i)
{
    *from = *to > 0.0 ? fmin(*from, i->min) : i->min;
    *to = fmax(*to, i->max);
    *sum += length_of(i->min, i->max);
}

/* Adds the intervals of the chosen records of a part to the span. cover: the times that the part
 * covers. */
static void span_add(struct ws_stats_span *span, const struct ws_file *part,
                     const struct ws_cover *cover, const struct ranges *r, bool whole)
{
    double real_end = (double)NAN, virtual_end = (double)NAN;
    if (part->pes_ended > 0) {
        real_end = part->end_real_time;
        virtual_end = part->end_code != FMT_END_NO_EVENTS ? part->end_gvt : virtual_end;
    }
    if (r->real_time.known) {
        struct ws_range i =
            interval_of(&r->real_time, cover->real_from, cover->real_to, real_end, whole);
        interval_add(&span->wall, &span->wall_from, &span->wall_to, &i);
    }
    if (r->virtual_time.known) {
        struct ws_range i = interval_of(&r->virtual_time, cover->virtual_from, cover->virtual_to,
                                        virtual_end, whole);
        interval_add(&span->virtual, &span->virtual_from, &span->virtual_to, &i);
    }
}

/* Adds to the span the virtual and the wall-clock duration of a part from which no records were
 * chosen. cover: the times that the part covers. */
static void idle_add(struct ws_stats_span *span, const struct ws_cover *cover)
{
    span->wall += length_of(cover->real_from, cover->real_to);
    span->virtual += length_of(cover->virtual_from, cover->virtual_to);
}

/* Returns the times at which a stream begins, in virtual_from and real_from. */
static struct ws_cover begin_of(const struct ws_file *file)
{
    const struct ws_file *first = ws_stream_part(file, 0);
    return first->pes != NULL
               ? ws_part_cover(first)
               : (struct ws_cover){.virtual_from = ws_part_begin(file),
                                   .real_from = ws_fact_number(file->sb, "begins_real_time", 0.0)};
}

void ws_stats_clocks_find(struct ws_stats_clocks *clocks, struct ws_file *file,
                          const struct ws_select *select, const struct fmt_schema *kind)
{
    struct ranges r = {.select = select};
    bool whole = !select->by_time, several = file->n_parts > 0;
    const struct ws_cover begin = begin_of(file);
    *clocks =
        (struct ws_stats_clocks){.virtual_from = begin.virtual_from, .real_from = begin.real_from};
    for (uint32_t i = 0; i < ws_stream_parts(file); i++) {
        const struct ws_file *part = ws_stream_part(file, i);
        if (part->pes == NULL) {
            continue;
        }
        part_ranges(&r, file, i);
        if (r.virtual_time.known) {
            ws_range_add(&clocks->virtual_time, r.virtual_time.min, r.virtual_time.max);
        }
        if (r.real_time.known) {
            ws_range_add(&clocks->real_time, r.real_time.min, r.real_time.max);
        }
        if (!ws_part_records(part, kind)) {
            continue;
        }
        struct ws_cover cover = ws_stream_cover(file, i);
        if (r.real_time.known || r.virtual_time.known) {
            span_add(&clocks->span, part, &cover, &r, whole);
        } else if (several && whole && records_chosen(file, part, select)) {
            idle_add(&clocks->span, &cover);
        }
    }
}

/* ---- Steps of a clock ------------------------------------------------------------------------ */

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

void ws_level_spread(const struct ws_stats_axis *axis, double *sum, double *weight, double from,
                     double to, double value)
{
    assert(axis->n <= WS_BINS);
    double step = (axis->high - axis->low) / axis->n;
    uint32_t last = ws_stats_bin(axis, to);
    if (value != value) {
        return;
    }
    if (!(to > from)) {
        sum[last] += value * step * 1e-3; /* an empty interval counts with a small weight */
        weight[last] += step * 1e-3;
        return;
    }
    for (uint32_t i = ws_stats_bin(axis, from); i <= last; i++) {
        double low = axis->low + i * step, high = low + step;
        low = low < from ? from : low;
        high = high > to ? to : high;
        if (high > low) {
            sum[i] += value * (high - low);
            weight[i] += high - low;
        }
    }
}
