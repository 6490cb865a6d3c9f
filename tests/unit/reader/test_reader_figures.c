/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The figures of random recordings against a naive model: all records in one list, intervals found by
 * looking for the sample before, and each bin computed by itself. Also intervals and efficiency alone.
 *
 * test: libs=warpscope_reading
 */
#include "support/root_dir.h"

#include <math.h>
#include <string.h>
#include <sys/stat.h>

#include "figures/over_time.h"
#include "support/run_example_streams.h"

/* ---- The naive model ------------------------------------------------------------------------- */

#define FIELDS_MAX 64

/* A record: the values of all its fields as numbers. */
struct record {
    uint32_t pe;
    const struct fmt_schema *schema;
    double values[FIELDS_MAX];
};

struct records {
    struct record *list;
    size_t n, room;
};

static bool part_take(const struct ws_part *part, void *ctx)
{
    struct records *all = ctx;
    const struct fmt_columns *c = part->columns;
    for (uint32_t row = 0; row < c->n_records; row++) {
        if (all->n == all->room) {
            all->room = 2 * all->room + 1000;
            all->list = realloc(all->list, all->room * sizeof *all->list);
        }
        struct record *r = &all->list[all->n];
        *r = (struct record){.pe = part->block->pe, .schema = c->schema};
        for (uint32_t i = 0; i < c->schema->n_fields; i++) {
            r->values[i] = ws_number_at(c, (int32_t)i, row);
        }
        all->n += ws_part_has(part, row);
    }
    return true;
}

static void records_read(struct records *all, struct ws_figures *figures,
                         struct ws_figures_file *file)
{
    ws_select_file(figures->select, file->stream.sb, &file->stream.descs);
    ws_scan(&file->stream, figures->select, NULL, part_take, all);
}

static double value_of(const struct record *r, const char *name)
{
    int32_t field = ws_field_find(r->schema, name);
    return field < 0 ? (double)NAN : r->values[field];
}

static double time_of(const struct record *r, int clock)
{
    return r->values[r->schema->role_field[clock == WS_WALL ? FMT_ROLE_REAL_TIME
                                                            : FMT_ROLE_VIRTUAL_TIME]];
}

/* Returns the part of the interval (from, to] that bin i of an axis covers, 0 to 1. */
static double part_in_bin(const struct ws_stats_axis *axis, uint32_t i, double from, double to)
{
    double step = (axis->high - axis->low) / axis->n;
    double low = axis->low + i * step, high = low + step;
    double covered = fmin(high, to) - fmax(low, from);
    return covered > 0.0 ? covered / (to - from) : 0.0;
}

static bool near(double a, double b, double scale)
{
    return fabs(a - b) <= 1e-6 * (1.0 + fabs(scale));
}

/* ---- Samples --------------------------------------------------------------------------------- */

/* Compares totals, and curves over one clock, with those of the list of samples. */
static uint64_t samples_compare(struct ws_figures *figures, struct ws_figures_file *file,
                                const char *field, enum ws_count count, int clock)
{
    struct records all = {0};
    records_read(&all, figures, file);
    const struct ws_stats_axis *axis = &figures->axes[clock];
    double *bins = calloc(WS_BINS, sizeof *bins), total = 0.0;
    uint64_t wrong = 0;
    for (size_t i = 0; i < all.n; i++) {
        const struct record *r = &all.list[i];
        if (r->schema != file->sums.counted->primary) {
            continue;
        }
        double to = fmin(time_of(r, clock), axis->high), from = axis->low;
        for (size_t k = i; k-- > 0 && all.list[k].pe == r->pe;) {
            if (all.list[k].schema == r->schema) {
                from = fmin(time_of(&all.list[k], clock), axis->high);
                break;
            }
        }
        total += value_of(r, field);
        for (uint32_t b = 0; b < WS_BINS; b++) {
            bins[b] += to > from ? value_of(r, field) * part_in_bin(axis, b, from, to)
                                 : value_of(r, field) * (ws_stats_bin(axis, to) == b);
        }
    }
    if (!near(ws_figures_total(file->sums.counted, field), total, 0.0)) {
        printf("total of %s: %g instead of %g\n", field,
               ws_figures_total(file->sums.counted, field), total);
        wrong++;
    }
    for (uint32_t b = 0; b < WS_BINS; b++) {
        wrong += !near(figures->curves.counts[clock][count][b], bins[b], total);
    }
    free(bins);
    free(all.list);
    return wrong;
}

/* ---- Events ---------------------------------------------------------------------------------- */

/* Returns the PE that has records about an LP, as receiver or sampled; -1: none. */
static int64_t pe_of(const struct records *all, double lp)
{
    for (size_t i = 0; i < all->n; i++) {
        double own = value_of(&all->list[i], "dest_lp");
        own = isnan(own) ? value_of(&all->list[i], "lp") : own;
        if (!isnan(own) && !(own < lp) && !(own > lp)) {
            return all->list[i].pe;
        }
    }
    return -1;
}

static uint64_t events_compare(struct ws_figures *figures, struct ws_figures_file *file)
{
    struct records all = {0};
    double traced[WS_CLOCKS][WS_BINS] = {{0.0}}, sums[WS_EVENTS_COUNTS] = {0.0};
    uint64_t wrong = 0, placed = 0, hits = 0, undone = 0, between = 0, cells = 0;
    for (size_t i = 0; i < figures->n; i++) {
        records_read(&all, figures, &figures->list[i]);
    }
    for (size_t i = 0; i < all.n; i++) {
        const struct record *r = &all.list[i];
        if (isnan(value_of(r, "dest_lp"))) {
            continue; /* of another stream */
        }
        int64_t from = pe_of(&all, value_of(r, "src_lp"));
        if (value_of(r, "events_undone") >= 0.0) {
            sums[WS_EVENTS_ROLLBACKS]++;
            sums[WS_EVENTS_UNDONE] += value_of(r, "events_undone");
            sums[WS_EVENTS_SECONDARY] += (int)value_of(r, "cause") == 2;
            continue;
        }
        sums[WS_EVENTS]++;
        placed += from >= 0;
        between += from >= 0 && from != (int64_t)r->pe;
        for (int c = 0; c < WS_CLOCKS; c++) {
            traced[c][ws_stats_bin(&figures->axes[c], time_of(r, c))]++;
        }
    }
    for (int i = 0; i < WS_EVENTS_COUNTS; i++) {
        wrong += !near((double)file->sums.counted->all.sums[i], sums[i], 0.0);
    }
    wrong +=
        memcmp(traced[WS_WALL], figures->curves.counts[WS_WALL][WS_TRACED], sizeof traced[0]) != 0;
    wrong += memcmp(traced[WS_VIRTUAL], figures->curves.counts[WS_VIRTUAL][WS_TRACED],
                    sizeof traced[0]) != 0;
    for (uint32_t bin = 0; bin < WS_CELLS; bin++) {
        for (uint32_t from = 0; from <= figures->places.pe_rows; from++) {
            for (uint32_t to = 0; to < WS_KP_ROWS && figures->traffic.hits != NULL; to++) {
                hits += figures->traffic.hits[bin][from][to].count;
                undone += figures->traffic.hits[bin][from][to].undone;
            }
            for (uint32_t to = 0; to < figures->places.pe_rows; to++) {
                uint32_t n = figures->traffic.pes[bin][from][to];
                cells += from < figures->places.pe_rows ? n : 0;
                between -= from < figures->places.pe_rows && from != to ? n : 0;
            }
        }
    }
    wrong += !near((double)hits, sums[WS_EVENTS_ROLLBACKS], 0.0);
    wrong += !near((double)undone, sums[WS_EVENTS_UNDONE], 0.0);
    wrong += cells != placed || between != 0;
    free(all.list);
    return wrong;
}

/* ---- Tests ----------------------------------------------------------------------------------- */

/* Compares the evidence from the ends of the PEs with the times that the example wrote there. */
static uint64_t ends_compare(const struct ws_figures *figures, const struct run_example *example)
{
    static const char *const names[] = {"events_processed", "events_committed"};
    const struct ws_evidence *e = &figures->evidence;
    double alone = 0.0, lost = 0.0, wall = 0.0, most = 0.0;
    if (!example->has_times) {
        return !(isnan(e->alone_seconds) && isnan(e->lost_part) && isnan(e->lost_most));
    }
    for (uint32_t pe = 0; pe < example->n_pes; pe++) {
        const struct run_times times = run_pe_times(example, pe);
        uint64_t events[2] = {0};
        CU_ASSERT_TRUE(ws_file_counters(&figures->list[0].stream, pe, names, events, 2));
        alone += 1e-9 * (double)(times.executing + times.queue) * (double)events[1] /
                 (events[0] > 0 ? (double)events[0] : 1.0);
        lost += (double)times.lost;
        wall += (double)times.wall;
        most = fmax(most, (double)times.lost / (double)times.wall);
    }
    bool good = near(e->lost_part, lost / wall, 1.0) && near(e->lost_most, most, 1.0);
    return !(good &&
             (alone > 0.0 ? near(e->alone_seconds, alone, alone) : isnan(e->alone_seconds)));
}

static void test_recordings(void)
{
    uint64_t seed = suite_seed(), wrong = 0;
    suite_print_seed("reader_figures", seed);
    for (int round = 0; round < 6; round++) {
        char folder[64];
        snprintf(folder, sizeof folder, "%s/%d", root, round);
        struct run_example example = {.folder = folder,
                                      .prefix = "a",
                                      .n_pes = 1 + (uint32_t)random_below(&seed, 6),
                                      .n_kps = 1 + (uint32_t)random_below(&seed, 5),
                                      .n_lps = 8 + random_below(&seed, 60),
                                      .samples = 1 + random_below(&seed, 400),
                                      .events = 200 + random_below(&seed, 2000),
                                      .rollbacks = random_below(&seed, 40),
                                      .seed = random_below(&seed, 1000000),
                                      .granularity = (unsigned)random_below(&seed, 2),
                                      .has_times = round % 2 == 0};
        CU_ASSERT_EQUAL_FATAL(mkdir(folder, 0777), 0);
        CU_ASSERT_TRUE_FATAL(run_example_write(&example));
        struct ws_figures *figures = calloc(1, sizeof *figures);
        const struct ws_select_texts no_texts = {.from = (double)NAN, .to = (double)NAN};
        struct ws_select select;
        const char *path = folder;
        struct ws_select_bad bad;
        CU_ASSERT_TRUE(ws_select_set(&select, &no_texts, &bad));
        CU_ASSERT_TRUE_FATAL(ws_figures_open(figures, &path, 1, &select, NULL));
        CU_ASSERT_TRUE_FATAL(ws_figures_gather(figures));
        for (size_t i = 0; i < figures->n; i++) {
            struct ws_figures_file *file = &figures->list[i];
            if (file->sums.counted != NULL && file->sums.counted->is_trace) {
                wrong += events_compare(figures, file);
            } else if (&file->stream == figures->sampled) {
                wrong += samples_compare(figures, file, "events_processed", WS_PROCESSED, WS_WALL);
                wrong +=
                    samples_compare(figures, file, "events_processed", WS_PROCESSED, WS_VIRTUAL);
                wrong += samples_compare(figures, file, "total_rollbacks", WS_ROLLBACKS, WS_WALL);
                wrong += samples_compare(figures, file, "events_committed", WS_COMMITTED, WS_WALL);
            } else if (&file->stream == figures->exact) {
                wrong +=
                    samples_compare(figures, file, "events_committed", WS_COMMITTED, WS_VIRTUAL);
            }
        }
        wrong += ends_compare(figures, &example);
        ws_figures_free(figures);
        ws_select_free(&select);
        free(figures);
    }
    CU_ASSERT_EQUAL(wrong, 0);
}

/* Levels and counts that are spread keep their sum, and a bin has what overlaps it. */
static void test_spread(void)
{
    uint64_t seed = suite_seed(), wrong = 0;
    suite_print_seed("reader_figures, spread", seed);
    for (int round = 0; round < 2000; round++) {
        struct ws_stats_axis axis = {.low = random_unit(&seed), .high = 2.0 + random_unit(&seed)};
        axis.n = 1 + (uint32_t)random_below(&seed, WS_BINS);
        double a = axis.low + random_unit(&seed) * (axis.high - axis.low);
        double b = axis.low + random_unit(&seed) * (axis.high - axis.low);
        double from = fmin(a, b), to = random_below(&seed, 10) == 0 ? from : fmax(a, b);
        double bins[WS_BINS] = {0.0}, sum[WS_BINS] = {0.0}, weight[WS_BINS] = {0.0}, all = 0.0;
        ws_stats_bins_spread(&axis, bins, from, to, 7.0);
        ws_level_spread(&axis, sum, weight, from, to, 3.0);
        for (uint32_t i = 0; i < axis.n; i++) {
            double part =
                to > from ? part_in_bin(&axis, i, from, to) : ws_stats_bin(&axis, to) == i;
            all += bins[i];
            wrong += !near(bins[i], 7.0 * part, 1.0) || !near(sum[i], 3.0 * weight[i], 1.0);
            wrong += to > from && !near(weight[i], (to - from) * part, 1.0);
        }
        wrong += !near(all, 7.0, 1.0);
    }
    CU_ASSERT_EQUAL(wrong, 0);
}

/* The interval of a sample begins at the point before, also if several records have one point. */
static void test_points(void)
{
    uint64_t seed = suite_seed(), wrong = 0;
    suite_print_seed("reader_figures, points", seed);
    const double begin[WS_CLOCKS] = {0.5, 1.5};
    struct ws_point point = {.has = false};
    double before[WS_CLOCKS] = {0.5, 1.5}, at[WS_CLOCKS] = {0.5, 1.5};
    for (int i = 0; i < 2000; i++) {
        if (i == 0 || random_below(&seed, 3) > 0) { /* a new point */
            uint64_t which = 1 + random_below(&seed, 3);
            memcpy(before, at, sizeof before);
            at[WS_WALL] += (double)(which & 1) * (0.01 + random_unit(&seed));
            at[WS_VIRTUAL] += (double)(which >> 1) * (0.01 + random_unit(&seed));
        }
        ws_point_follow(&point, begin, at);
        wrong +=
            memcmp(point.at, at, sizeof at) != 0 || memcmp(point.before, before, sizeof at) != 0;
    }
    CU_ASSERT_EQUAL(wrong, 0);
}

static void test_efficiency(void)
{
    CU_ASSERT_TRUE(isnan(ws_efficiency(0, 0)));
    CU_ASSERT_EQUAL(ws_efficiency(5, 0), 100.0);
    CU_ASSERT_EQUAL(ws_efficiency(5, 5), 0.0);
    CU_ASSERT_EQUAL(ws_efficiency(0, 5), 0.0);
    CU_ASSERT_DOUBLE_EQUAL(ws_efficiency(100, 20), 75.0, 1e-9);
    CU_ASSERT_DOUBLE_EQUAL(ws_efficiency(100, 80), -300.0, 1e-9);
}

int main(void)
{
    static const CU_TestInfo tests[] = {
        {"recordings", test_recordings},
        {"counts and levels in bins", test_spread},
        {"intervals of samples", test_points},
        {"efficiency", test_efficiency},
    };
    return root_suite_run("reader_figures", tests, sizeof tests / sizeof tests[0]);
}
