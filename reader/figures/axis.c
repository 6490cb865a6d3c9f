/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * axis.c - the ranges of time of the chosen records of a stream or a run, and the bins of these ranges; see
 * figures.h.
 */
#include <assert.h>
#include <math.h>

#include "access/record_scan.h"
#include "figures/over_time.h"

static const enum fmt_role roles[WS_CLOCKS] = {FMT_ROLE_REAL_TIME, FMT_ROLE_VIRTUAL_TIME};

struct ranges {
    const struct ws_select *select;
    struct ws_range of[WS_CLOCKS]; /* of the times of the chosen records in the current part */
    double to[WS_CLOCKS];          /* only earlier times count */
};

/* Extends the ranges by the times of the chosen records in decoded columns. */
static void columns_ranges(const struct fmt_columns *columns, struct ranges *r)
{
    struct ws_group group = {0};
    for (uint32_t row = 0; row < columns->n_records; row++) {
        bool has = ws_select_row(r->select, columns, row, &group);
        for (int c = 0; has && c < WS_CLOCKS; c++) {
            int32_t field = columns->schema->role_field[roles[c]];
            double v = field < 0 ? (double)NAN : ws_number_at(columns, field, row);
            ws_range_add(&r->of[c], v < r->to[c] ? v : (double)NAN, v);
        }
    }
}

/* Extends the ranges by the times of the chosen records in a block. Ignores errors in the block,
 * since the walk that computes sums reports them. */
static void records_ranges(struct ws_file *file, const struct fmt_block *block, struct ranges *r)
{
    struct fmt_wanted wanted = {0};
    for (int c = 0; c < WS_CLOCKS; c++) {
        ws_want(&wanted, block->schema->role_field[roles[c]]);
    }
    ws_select_wanted(r->select, block->schema, &wanted);
    if (ws_file_decode(file, block, &wanted, &file->columns, NULL) == FMT_OK) {
        columns_ranges(&file->columns, r);
    }
}

/* Like records_ranges(), for all samples of the kind `schema` in the walk, with those filled in. */
static void held_ranges(struct ws_file *file, const struct ws_walk *walk,
                        const struct fmt_schema *schema, struct ranges *r)
{
    struct fmt_columns columns = {0};
    struct ws_blocks blocks = {
        .file = file, .select = r->select, .schema = schema, .columns = &columns, .walk = *walk};
    for (struct ws_part part; ws_blocks_next(&blocks, &part);) {
        columns_ranges(&columns, r);
    }
    ws_blocks_fini(&blocks);
    fmt_columns_free(&columns);
}

static void block_ranges(struct ws_file *file, const struct fmt_block *block, struct ranges *r)
{
    enum ws_share share = ws_select_block(r->select, block);
    bool beyond = share != WS_SHARE_NONE && block->max_virtual_time >= r->to[WS_VIRTUAL];
    if (beyond || (share == WS_SHARE_SOME && r->select->by_time)) {
        records_ranges(file, block, r);
    } else if (share != WS_SHARE_NONE) {
        ws_range_add(&r->of[WS_VIRTUAL], block->min_virtual_time, block->max_virtual_time);
        ws_range_add(&r->of[WS_WALL], block->min_real_time, block->max_real_time);
    }
}

/* ---- Parts ----------------------------------------------------------------------------------- */

/* Sets ends[] to the recorded end of a part on each clock; NaN: none. */
static void ends_find(const struct ws_file *part, double ends[WS_CLOCKS])
{
    ends[WS_WALL] = part->pes_ended > 0 ? part->end_real_time : (double)NAN;
    ends[WS_VIRTUAL] =
        part->pes_ended > 0 && part->end_code != FMT_END_NO_EVENTS && isfinite(part->end_gvt)
            ? part->end_gvt
            : (double)NAN;
}

/* Finds the ranges of the times of the chosen records in part `number`. */
static void part_ranges(struct ranges *r, struct ws_file *file, uint32_t number)
{
    const struct ws_file *part = ws_stream_part(file, number);
    *r = (struct ranges){.select = r->select, .to = {(double)INFINITY, (double)INFINITY}};
    if (part->pes_ended > 0 && part->end_code == FMT_END_NO_EVENTS) {
        /* The last samples have the end time of the run, but no event was later than the last
         * GVT. */
        r->to[WS_VIRTUAL] = part->end_gvt;
    }
    for (uint32_t pe = 0; pe < file->sb->layout.n_pes; pe++) {
        struct ws_walk walk;
        struct fmt_block block;
        enum fmt_status status;
        const struct fmt_schema *held = NULL;
        ws_walk_init(&walk, file, pe);
        walk.part = number;
        walk.end = number + 1;
        const struct ws_walk begin = walk;
        while (ws_select_pe(r->select, pe) && (status = ws_walk_next(&walk, &block)) != FMT_END) {
            if (status != FMT_OK) {
                continue;
            }
            if (r->select->by_time && block.kind == FMT_BLOCK_DATA &&
                ws_held_any(file, number, block.schema)) {
                held = block.schema;
            } else {
                block_ranges(file, &block, r);
            }
        }
        if (held != NULL) {
            held_ranges(file, &begin, held, r);
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

/* Adds a part of the stream, whose chosen records have the ranges r->of, to the span: if the user chose no
 * range of time, with its beginning and end. */
static void span_add(struct ws_stats_span *span, struct ws_file *file, uint32_t number,
                     const struct ranges *r)
{
    const struct ws_file *part = ws_stream_part(file, number);
    const struct ws_cover cover = ws_stream_cover(file, number);
    const double begin[WS_CLOCKS] = {cover.real_from, cover.virtual_from};
    const double limit[WS_CLOCKS] = {cover.real_to, cover.virtual_to};
    double ends[WS_CLOCKS];
    bool whole = !r->select->by_time, any = r->of[WS_WALL].known || r->of[WS_VIRTUAL].known;
    bool is_idle = !any && file->n_parts > 0 && whole && records_chosen(file, part, r->select);
    ends_find(part, ends);
    for (int c = 0; c < WS_CLOCKS; c++) {
        struct ws_range of = r->of[c];
        if (whole && of.known) {
            of.min = begin[c] < of.min ? begin[c] : of.min;
            of.max = ends[c] > of.max && isfinite(ends[c]) ? ends[c] : of.max;
            /* The time after the next part's beginning is counted for that part. */
            of.max = isfinite(limit[c]) ? limit[c] : of.max;
        }
        if (is_idle) { /* nothing was chosen of what it recorded */
            span->length[c] += length_of(begin[c], limit[c]);
        } else if (of.known) {
            span->from[c] = span->to[c] > 0.0 ? fmin(span->from[c], of.min) : of.min;
            span->to[c] = fmax(span->to[c], of.max);
            span->length[c] += length_of(of.min, of.max);
        }
    }
}

void ws_stats_clocks_find(struct ws_stats_clocks *clocks, struct ws_file *file,
                          const struct ws_select *select, const struct fmt_schema *kind)
{
    struct ranges r = {.select = select};
    const struct ws_file *first = ws_stream_part(file, 0);
    const struct ws_cover begin =
        first->pes != NULL
            ? ws_part_cover(first)
            : (struct ws_cover){.virtual_from = ws_part_begin(file),
                                .real_from = ws_fact_number(file->sb, "begins_real_time", 0.0)};
    *clocks = (struct ws_stats_clocks){.begin = {begin.real_from, begin.virtual_from}};
    for (uint32_t i = 0; i < ws_stream_parts(file); i++) {
        const struct ws_file *part = ws_stream_part(file, i);
        if (part->pes == NULL) {
            continue;
        }
        part_ranges(&r, file, i);
        for (int c = 0; c < WS_CLOCKS; c++) {
            if (r.of[c].known) {
                ws_range_add(&clocks->range[c], r.of[c].min, r.of[c].max);
            }
        }
        if (ws_part_records(part, kind)) {
            span_add(&clocks->span, file, i, &r);
        }
    }
}

/* ---- Bins of a clock ------------------------------------------------------------------------- */

void ws_stats_axis_init(struct ws_stats_axis *axis, const struct ws_stats_clocks *clocks,
                        bool whole, enum ws_clock clock, uint64_t steps)
{
    const struct ws_range *range = &clocks->range[clock];
    *axis = (struct ws_stats_axis){.clock = clock, .low = 0.0, .high = 1.0};
    if (range->known && isfinite(range->min) && isfinite(range->max)) {
        axis->low = whole ? fmin(range->min, clocks->begin[clock]) : range->min;
        axis->high = range->max;
    }
    if (!(axis->high - axis->low > 0.0) || !isfinite(axis->high - axis->low)) {
        axis->high = axis->low + 1.0;
        steps = 1;
    }
    axis->n = steps < 1 ? 1 : steps > WS_STATS_BINS ? WS_STATS_BINS : (uint32_t)steps;
}

void ws_figures_axes(struct ws_figures *run)
{
    struct ws_stats_clocks all = {.begin = {(double)INFINITY, (double)INFINITY}};
    bool whole = !run->select->by_time;
    for (size_t i = 0; i < run->n; i++) {
        struct ws_file *stream = &run->list[i].stream;
        struct ws_stats_clocks clocks;
        double ends[WS_CLOCKS];
        if (stream->pes == NULL) {
            continue;
        }
        ws_select_file(run->select, stream->sb, &stream->descs);
        ws_stats_clocks_find(&clocks, stream, run->select, NULL);
        ends_find(stream, ends);
        for (int c = 0; c < WS_CLOCKS; c++) {
            const struct ws_range *range = &clocks.range[c];
            all.begin[c] = fmin(all.begin[c], clocks.begin[c]);
            if (range->known) {
                ws_range_add(&all.range[c], range->min, range->max);
                ws_range_add(&all.range[c], range->min, whole ? ends[c] : (double)NAN);
            }
        }
    }
    for (int c = 0; c < WS_CLOCKS; c++) {
        ws_stats_axis_init(&run->axes[c], &all, whole, (enum ws_clock)c, WS_STATS_BINS);
        run->axes[c].n = WS_BINS;
        run->cell_axes[c] = run->axes[c];
        run->cell_axes[c].n = WS_CELLS;
    }
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
