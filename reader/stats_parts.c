/*
 * stats_parts.c - what the sums of several kinds of files have in common, see stats.h.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "stats.h"

struct ws_stats_pe *ws_stats_pe_get(struct ws_stats_pes *pes, uint32_t pe)
{
    if (pes->last == pe + 1) {
        return pes->n > 0 && pes->list[pes->n - 1].pe == pe ? &pes->list[pes->n - 1] : NULL;
    }
    pes->last = pe + 1;
    if (pes->n == pes->reserved && pes->n < WS_STATS_PES_MAX) {
        uint32_t more = pes->n == 0 ? 16 : 2 * pes->n;
        struct ws_stats_pe *list = realloc(pes->list, more * sizeof *list);
        if (list != NULL) {
            pes->list = list;
            pes->reserved = more;
        }
    }
    if (pes->n == pes->reserved) {
        pes->left_out++;
        return NULL;
    }
    memset(&pes->list[pes->n], 0, sizeof *pes->list);
    pes->list[pes->n].pe = pe;
    return &pes->list[pes->n++];
}

/* Does the field say what the record is of, or how something is now, rather than count? */
static bool is_no_count(const struct fmt_field *field)
{
    static const char *const names[] = {"kp", "lp", "sample", "pq_size", "kind"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        if (strcmp(field->name, names[i]) == 0) {
            return true;
        }
    }
    return field->role != FMT_ROLE_NONE || field->type > FMT_U64;
}

void ws_stats_counts_find(struct ws_stats_counts *counts, const struct fmt_schema *schema)
{
    *counts = (struct ws_stats_counts){.schema = schema};
    for (uint32_t i = 0; i < schema->n_fields && counts->n < WS_STATS_COUNTS_MAX; i++) {
        if (!is_no_count(&schema->fields[i])) {
            counts->field[counts->n++] = (int32_t)i;
        }
    }
}

int32_t ws_stats_count_find(const struct ws_stats_counts *counts, const char *name)
{
    for (uint32_t i = 0; i < counts->n; i++) {
        if (strcmp(counts->schema->fields[counts->field[i]].name, name) == 0) {
            return (int32_t)i;
        }
    }
    return -1;
}

/* ---- Clocks ---------------------------------------------------------------------------------- */

/* What the headers of blocks that may have chosen records say. */
struct ranges {
    const struct ws_select *select;
    struct ws_range virtual_time, real_time;
};

static bool block_ranges(struct ws_survey *survey, const struct fmt_block *block, void *ctx)
{
    struct ranges *r = ctx;
    (void)survey;
    if (ws_select_block(r->select, block) != WS_SHARE_NONE) {
        ws_range_add(&r->virtual_time, block->min_virtual_time, block->max_virtual_time);
        ws_range_add(&r->real_time, block->min_real_time, block->max_real_time);
    }
    return true;
}

static struct ranges ranges_find(const struct ws_survey *survey, const struct ws_select *select)
{
    struct ranges r = {.select = select};
    for (uint32_t pe = 0; pe < survey->sb->layout.n_pes; pe++) {
        if (ws_select_pe(select, pe)) {
            ws_survey_each((struct ws_survey *)(uintptr_t)survey, pe, block_ranges, &r);
        }
    }
    if (r.virtual_time.known && select->by_time) {
        r.virtual_time.min = fmax(r.virtual_time.min, select->from);
        r.virtual_time.max = fmin(r.virtual_time.max, select->has_to ? select->to : INFINITY);
    }
    return r;
}

void ws_stats_axis_init(struct ws_stats_axis *axis, const struct ws_survey *survey,
                        const struct ws_select *select, bool virtual_time, uint64_t steps)
{
    struct ranges r = ranges_find(survey, select);
    const struct ws_range *range = virtual_time ? &r.virtual_time : &r.real_time;
    bool usable = range->known && isfinite(range->min) && isfinite(range->max);
    *axis = (struct ws_stats_axis){.virtual_time = virtual_time, .low = 0.0, .high = 1.0};
    if (usable) {
        axis->low = range->min < 0.0 || select->by_time ? range->min : 0.0;
        axis->high = range->max;
    }
    if (!(axis->high - axis->low > 0.0) || !isfinite(axis->high - axis->low)) {
        axis->high = axis->low + 1.0;
        steps = 1;
    }
    axis->n = steps < 1 ? 1 : steps > WS_STATS_BINS ? WS_STATS_BINS : (uint32_t)steps;
}

void ws_stats_span_find(struct ws_stats_span *span, const struct ws_survey *survey,
                        const struct ws_select *select)
{
    struct ranges r = ranges_find(survey, select);
    bool whole = !select->by_time;
    *span = (struct ws_stats_span){0};
    if (r.real_time.known) {
        double end = whole && survey->pes_ended > 0 ? survey->end_real_time : r.real_time.max;
        end = end >= r.real_time.max ? end : r.real_time.max;
        span->wall = end - (whole ? fmin(0.0, r.real_time.min) : r.real_time.min);
    }
    if (r.virtual_time.known) {
        double end = whole && survey->pes_ended > 0 ? survey->end_gvt : r.virtual_time.max;
        end = end >= r.virtual_time.max && isfinite(end) ? end : r.virtual_time.max;
        span->virtual_from = whole ? fmin(0.0, r.virtual_time.min) : r.virtual_time.min;
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
