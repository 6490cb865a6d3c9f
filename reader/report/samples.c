/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * samples.c - computes curves, phases and times ahead of GVT from samples (streams gvt, rt, vt);
 * see report.h.
 *
 * The counts in a sample are spread over the time since the previous sample of the PE, on both
 * clocks. The levels in a sample hold for that time.
 */
#include <assert.h>
#include <math.h>
#include <string.h>

#include "report/report.h"

/* Times of the latest sampling point of the PE, and of the point before it. */
struct point {
    bool has;
    double at[REPORT_CLOCKS], before[REPORT_CLOCKS];
};

struct pass {
    struct report_run *run;
    struct report_file *file;
    /* curves: kind of record from which this pass computes curves; ahead: kind of record from which
     * it computes times ahead of GVT. NULL: none. */
    const struct fmt_schema *curves, *ahead;
    bool phases;
    /* True if the samples were taken at exact virtual times; they have no wall-clock times. */
    bool exact;
    uint32_t pe;                 /* number of the current PE, plus 1; 0: none */
    uint32_t part;               /* index of the current part of the stream */
    double begin[REPORT_CLOCKS]; /* times, on both clocks, at which part `part` begins */
    struct point point, ahead_point;
    double ticks; /* number of ticks per second */
    struct ws_load load;
};

static const char *const count_fields[REPORT_COUNTS] = {[REPORT_COMMITTED] = "events_committed",
                                                        [REPORT_EXECUTED] = "events_processed",
                                                        [REPORT_UNDONE] = "events_rolled_back",
                                                        [REPORT_ROLLBACKS] = "total_rollbacks",
                                                        [REPORT_GVTS] = "num_gvt",
                                                        [REPORT_REMOTE] = "remote_events"};

static double fmin_of(double a, double b)
{
    return a < b ? a : b;
}

void report_level_spread(const struct ws_stats_axis *axis, double *sum, double *weight, double from,
                         double to, double value)
{
    assert(axis->n <= REPORT_BINS);
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

/* ---- Sampling points ------------------------------------------------------------------------- */

static void point_follow(const struct pass *p, struct point *point, const double at[REPORT_CLOCKS])
{
    for (int c = 0; c < REPORT_CLOCKS && !point->has; c++) {
        point->at[c] = p->begin[c];
    }
    if (point->has && !(at[0] < point->at[0]) && !(at[0] > point->at[0]) &&
        !(at[1] < point->at[1]) && !(at[1] > point->at[1])) {
        return;
    }
    for (int c = 0; c < REPORT_CLOCKS; c++) {
        point->before[c] = point->at[c];
        point->at[c] = fmin_of(at[c], p->run->axes[c].high);
    }
    point->has = true;
}

static void clocks_load(const struct pass *p, double to[REPORT_CLOCKS][WS_LOAD_MAX])
{
    const struct fmt_schema *schema = p->load.part->columns->schema;
    ws_load_f64(&p->load, schema->role_field[FMT_ROLE_REAL_TIME], to[REPORT_WALL]);
    ws_load_f64(&p->load, schema->role_field[FMT_ROLE_VIRTUAL_TIME], to[REPORT_VIRTUAL]);
}

/* Determines the interval (before[c][i], at[c][i]] of each loaded record, on both clocks. */
static void intervals(struct pass *p, struct point *point,
                      double before[REPORT_CLOCKS][WS_LOAD_MAX],
                      double at[REPORT_CLOCKS][WS_LOAD_MAX])
{
    clocks_load(p, at);
    for (uint32_t i = 0; i < p->load.n; i++) {
        const double now[REPORT_CLOCKS] = {at[0][i], at[1][i]};
        point_follow(p, point, now);
        for (int c = 0; c < REPORT_CLOCKS; c++) {
            before[c][i] = point->before[c];
            at[c][i] = point->at[c];
        }
    }
}

/* ---- Adding up ------------------------------------------------------------------------------- */

static void curves_add(struct pass *p, double before[REPORT_CLOCKS][WS_LOAD_MAX],
                       double at[REPORT_CLOCKS][WS_LOAD_MAX])
{
    const struct fmt_schema *schema = p->load.part->columns->schema;
    struct report_curves *curves = &p->run->curves;
    uint64_t values[WS_LOAD_MAX];
    int first = p->exact ? REPORT_VIRTUAL : REPORT_WALL;
    int last = !p->exact && p->run->curves.has_exact ? REPORT_WALL : REPORT_VIRTUAL;
    for (int k = 0; k < REPORT_COUNTS; k++) {
        int32_t field = count_fields[k] == NULL ? -1 : ws_field_find(schema, count_fields[k]);
        int end = k == REPORT_COMMITTED ? last : REPORT_VIRTUAL;
        if (field < 0 || (p->exact && k != REPORT_COMMITTED)) {
            continue;
        }
        curves->known[k] = true;
        ws_load_u64(&p->load, field, values);
        for (int c = first; c <= end; c++) {
            curves->sources[c][k] = (struct report_source){&p->file->stream, schema};
            for (uint32_t i = 0; i < p->load.n; i++) {
                if (values[i] > 0) {
                    ws_stats_bins_spread(&p->run->axes[c], curves->counts[c][k], before[c][i],
                                         at[c][i], (double)values[i]);
                }
            }
        }
    }
}

static void levels_add(struct pass *p, double before[REPORT_CLOCKS][WS_LOAD_MAX],
                       double at[REPORT_CLOCKS][WS_LOAD_MAX])
{
    const struct fmt_schema *schema = p->load.part->columns->schema;
    struct report_curves *curves = &p->run->curves;
    uint64_t values[WS_LOAD_MAX];
    for (int k = 0; k < REPORT_LEVELS; k++) {
        int32_t field = report_level_field(schema, (enum report_level_kind)k);
        if (field < 0) {
            continue;
        }
        curves->level_known[k] = true;
        ws_load_u64(&p->load, field, values);
        for (int c = 0; c < REPORT_CLOCKS; c++) {
            struct report_level *level = &curves->levels[c][k];
            for (uint32_t i = 0; i < p->load.n; i++) {
                report_level_spread(&p->run->axes[c], level->sum, level->weight, before[c][i],
                                    at[c][i], (double)values[i]);
            }
        }
    }
    report_memory_add(p->run, p->load.part->block->pe, &p->load, before[REPORT_WALL],
                      at[REPORT_WALL]);
}

/* Stores in run->clock, for each bin of wall-clock time, the largest GVT of the samples in the bin,
 * as GVT at the end of the bin. */
static void clock_add(struct pass *p, double at[REPORT_CLOCKS][WS_LOAD_MAX])
{
    struct report_run *run = p->run;
    run->has_clock = true;
    run->clock_source = (struct report_source){&p->file->stream, p->curves};
    for (uint32_t i = 0; i < p->load.n; i++) {
        uint32_t edge = ws_stats_bin(&run->axes[REPORT_WALL], at[REPORT_WALL][i]) + 1;
        double gvt = at[REPORT_VIRTUAL][i];
        if (!(run->clock[edge] >= gvt)) {
            run->clock[edge] = gvt;
        }
    }
}

static void phases_add(struct pass *p, uint32_t pe, double before[REPORT_CLOCKS][WS_LOAD_MAX],
                       double at[REPORT_CLOCKS][WS_LOAD_MAX])
{
    const struct fmt_schema *schema = p->load.part->columns->schema;
    struct report_phases *phases = &p->run->phases;
    uint64_t values[WS_LOAD_MAX];
    for (uint32_t k = 0; k < phases->n; k++) {
        double *cells = phases->cells[report_pe_row(&p->run->places, pe)][k];
        char name[40];
        snprintf(name, sizeof name, "%s_cc", phases->names[k]);
        ws_load_u64(&p->load, ws_field_find(schema, name), values);
        for (uint32_t i = 0; i < p->load.n; i++) {
            if (values[i] > 0) {
                ws_stats_bins_spread(&p->run->cell_axes[REPORT_WALL], cells, before[0][i], at[0][i],
                                     (double)values[i] / p->ticks);
            }
        }
    }
}

static void ahead_add(struct pass *p, uint32_t pe)
{
    const struct fmt_schema *schema = p->load.part->columns->schema;
    struct report_run *run = p->run;
    double before[REPORT_CLOCKS][WS_LOAD_MAX], at[REPORT_CLOCKS][WS_LOAD_MAX], value[WS_LOAD_MAX];
    uint64_t kps[WS_LOAD_MAX];
    uint32_t row;
    intervals(p, &p->ahead_point, before, at);
    ws_load_f64(&p->load, ws_field_find(schema, "time_ahead_gvt"), value);
    ws_load_u64(&p->load, ws_field_find(schema, "kp"), kps);
    for (uint32_t i = 0; i < p->load.n; i++) {
        while (!report_kp_row(&run->places, pe, kps[i], &row)) {
            report_places_fold(run);
        }
        run->places.kp_seen[row] = true;
        run->ahead.used = true;
        for (int c = 0; c < REPORT_CLOCKS; c++) {
            report_level_spread(&run->cell_axes[c], run->ahead.sum[c][row],
                                run->ahead.weight[c][row], before[c][i], at[c][i], value[i]);
        }
    }
}

/* Begins a part of the stream for a PE. The counts in the first sample of the part are the changes
 * since the part began. */
static void part_begin(struct pass *p, const struct fmt_block *block)
{
    struct ws_cover cover = ws_part_cover(ws_stream_part(&p->file->stream, block->part));
    p->pe = block->pe + 1;
    p->part = block->part;
    p->point.has = p->ahead_point.has = false;
    p->begin[REPORT_WALL] = fmax(p->run->axes[REPORT_WALL].low, cover.real_from);
    p->begin[REPORT_VIRTUAL] = fmax(p->run->axes[REPORT_VIRTUAL].low, cover.virtual_from);
}

static bool part_add(struct ws_file *stream, const struct ws_part *part, void *ctx)
{
    struct pass *p = ctx;
    double before[REPORT_CLOCKS][WS_LOAD_MAX], at[REPORT_CLOCKS][WS_LOAD_MAX];
    (void)stream;
    if (p->pe != part->block->pe + 1 || p->part != part->block->part) {
        part_begin(p, part->block);
    }
    for (uint32_t row = 0; ws_load_next(&p->load, part, &row);) {
        if (part->columns->schema == p->curves) {
            intervals(p, &p->point, before, at);
            curves_add(p, before, at);
            if (!p->exact) {
                levels_add(p, before, at);
                clock_add(p, at);
            }
        } else if (p->phases && part->columns->schema == p->file->samples->primary) {
            intervals(p, &p->point, before, at);
        }
        if (p->phases && part->columns->schema == p->file->samples->primary) {
            phases_add(p, part->block->pe, before, at);
        }
        if (part->columns->schema == p->ahead) {
            ahead_add(p, part->block->pe);
        }
    }
    return true;
}

/* ---- Which files are used for what ----------------------------------------------------------- */

/* Returns the mean number, per PE, of the sampling points from which the totals of a stream are
 * computed; 0: none. */
static double points_of(const struct report_file *file)
{
    if (file == NULL || file->samples == NULL || file->samples->primary == NULL) {
        return 0.0;
    }
    uint32_t kind = ws_schema_number(file->stream.sb, file->samples->primary);
    return (double)file->stream.kind_records[kind] / (double)file->stream.sb->layout.n_pes;
}

/* Among the kinds of records of a stream that state times ahead of GVT, returns the one with the
 * most records; NULL: none. Sets *n to the number of these records. */
static const struct fmt_schema *ahead_of(const struct report_file *file, uint64_t *n)
{
    const struct fmt_schema *best = NULL;
    *n = 0;
    for (uint32_t i = 0; file != NULL && i < file->stream.sb->n_schemas; i++) {
        const struct fmt_schema *schema = file->stream.sb->schemas[i];
        if (file->stream.kind_records[i] > *n && ws_field_find(schema, "time_ahead_gvt") >= 0 &&
            ws_field_find(schema, "kp") >= 0) {
            *n = file->stream.kind_records[i];
            best = schema;
        }
    }
    return best;
}

/* Adds the fields of a kind of record that measure phases to *phases. */
static void phases_find(struct report_phases *phases, const struct fmt_schema *schema)
{
    for (uint32_t i = 0; i < schema->n_fields && phases->n < REPORT_PHASES_MAX; i++) {
        const struct fmt_field *field = &schema->fields[i];
        size_t length = strlen(field->name);
        if (strcmp(field->unit, "ticks") != 0 || length < 4 || length > 30 ||
            strcmp(field->name + length - 3, "_cc") != 0) {
            continue;
        }
        const char *end = strstr(field->text, ", since");
        int words = end == NULL ? (int)strlen(field->text) : (int)(end - field->text);
        snprintf(phases->names[phases->n], sizeof phases->names[0], "%.*s", (int)length - 3,
                 field->name);
        snprintf(phases->words[phases->n], sizeof phases->words[0], "%.*s", words > 63 ? 63 : words,
                 field->text);
        phases->n++;
    }
}

/* Returns true if curves or phases use a field. number: index of the field. The answer depends on
 * the name and the unit only, because a file may state any measure for a field. */
static bool is_used(const struct fmt_schema *schema, uint32_t number)
{
    const struct fmt_field *field = &schema->fields[number];
    bool found = strcmp(field->unit, "ticks") == 0;
    for (int k = 0; k < REPORT_LEVELS && !found; k++) {
        found = report_level_field(schema, (enum report_level_kind)k) == (int32_t)number;
    }
    for (int k = 0; k < REPORT_COUNTS && !found; k++) {
        found = count_fields[k] != NULL && strcmp(field->name, count_fields[k]) == 0;
    }
    return found;
}

static void wanted_fill(const struct pass *p, struct fmt_wanted wanted[FMT_SCHEMAS_MAX])
{
    const struct fmt_superblock *sb = p->file->stream.sb;
    for (uint32_t s = 0; s < sb->n_schemas; s++) {
        const struct fmt_schema *schema = sb->schemas[s];
        for (uint32_t i = 0; i < schema->n_fields; i++) {
            const struct fmt_field *field = &schema->fields[i];
            bool use = field->role == FMT_ROLE_REAL_TIME || field->role == FMT_ROLE_VIRTUAL_TIME;
            use |= schema == p->ahead &&
                   (strcmp(field->name, "kp") == 0 || strcmp(field->name, "time_ahead_gvt") == 0);
            use |= schema == p->file->samples->primary && is_used(schema, i);
            if (use) {
                fmt_wanted_add(&wanted[s], i);
            }
        }
    }
}

static void file_pass(struct report_run *run, struct report_file *file, bool curves, bool ahead)
{
    struct fmt_wanted wanted[FMT_SCHEMAS_MAX] = {{{0}, false}};
    struct pass p = {.run = run, .file = file};
    uint64_t n;
    if (file == NULL || file->samples == NULL || file->samples->primary == NULL) {
        return;
    }
    p.exact = file->stream.sb->stream == FMT_STREAM_VT;
    p.curves = curves ? file->samples->primary : NULL;
    p.ahead = ahead ? ahead_of(file, &n) : NULL;
    p.ticks = ws_stats_ticks_per_second(file->stream.sb);
    if (file->stream.sb->stream == FMT_STREAM_RT && p.ticks > 0.0) {
        phases_find(&run->phases, file->samples->primary);
        p.phases = run->phases.n > 0;
    }
    ws_select_file(run->select, file->stream.sb, &file->stream.descs);
    wanted_fill(&p, wanted);
    ws_scan(&file->stream, run->select, wanted, part_add, &p);
}

bool report_samples_gather(struct report_run *run)
{
    struct report_file *gvt = report_file_of(run, FMT_STREAM_GVT);
    struct report_file *rt = report_file_of(run, FMT_STREAM_RT);
    struct report_file *vt = report_file_of(run, FMT_STREAM_VT);
    bool by_clock = points_of(rt) > points_of(gvt);
    uint64_t at_gvt, at_clock;
    ahead_of(gvt, &at_gvt);
    ahead_of(rt, &at_clock);
    run->curves.has_exact = points_of(vt) > 0.0;
    file_pass(run, vt, true, false);
    file_pass(run, gvt, !by_clock, at_gvt > at_clock);
    file_pass(run, rt, by_clock, at_clock >= at_gvt);
    return true;
}
