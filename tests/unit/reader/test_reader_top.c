/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The parts of "warpscope top" that need no run: the history of the latest minutes against a naive
 * list, the estimate of the end, the canvas at its edges, and screens of any size.
 *
 * test: libs=warpscope_reading
 */
#include <math.h>
#include <string.h>

#include "support/suite.h"
#include "top/panes.h"

#define EVENTS_MAX 4000

/* ---- History ----------------------------------------------------------------------------------- */

/* The naive list of all that was added. */
struct list {
    double time[EVENTS_MAX], processed[EVENTS_MAX], undone[EVENTS_MAX];
    unsigned n;
};

/* Sums what was added in the steps from `from` to `to`. */
static double list_sum(const struct list *list, const double *values, double from, double to)
{
    double sum = 0;
    for (unsigned i = 0; i < list->n; i++) {
        double step = floor(list->time[i] / TOP_STEP);
        sum += step >= floor(from / TOP_STEP) && step <= floor(to / TOP_STEP) ? values[i] : 0;
    }
    return sum;
}

static void test_rates(void)
{
    uint64_t random = suite_seed();
    suite_print_seed("top, rates", random);
    struct top_history *h = malloc(sizeof *h);
    struct list *list = malloc(sizeof *list);
    for (int round = 0; round < 50; round++) {
        double pace = exp(8 * random_unit(&random) - 5), now = random_unit(&random) * 100;
        memset(h, 0, sizeof *h);
        list->n = 0;
        while (list->n < EVENTS_MAX) {
            now += pace * random_unit(&random);
            double late = now - 0.9 * random_unit(&random); /* PEs are not in step */
            double at = late < 0 ? 0 : late;
            struct ws_counts counts = {{{0}}};
            list->time[list->n] = at;
            counts.processed = random_below(&random, 1000);
            counts.undone = random_below(&random, 10);
            list->processed[list->n] = (double)counts.processed;
            list->undone[list->n] = (double)counts.undone;
            top_history_count(h, at, at, &counts);
            list->n++;
        }
        struct top_rates r;
        double span = 1 + random_unit(&random) * 100;
        top_history_rates(h, h->last, span, &r);
        double sum = list_sum(list, list->processed,
                              h->last - span > h->first ? h->last - span : h->first, h->last);
        CU_ASSERT_DOUBLE_EQUAL(r.of.processed * r.seconds, sum, 1e-6 * sum + 1e-9);
        sum = list_sum(list, list->undone, h->last - span > h->first ? h->last - span : h->first,
                       h->last);
        CU_ASSERT_DOUBLE_EQUAL(r.of.undone * r.seconds, sum, 1e-6 * sum + 1e-9);
        CU_ASSERT(r.seconds > 0 && r.seconds <= span + TOP_STEP);
    }
    CU_ASSERT_PTR_NULL(top_history_at(h, -1));
    CU_ASSERT_PTR_NULL(top_history_at(h, NAN));
    CU_ASSERT_PTR_NULL(top_history_at(h, INFINITY));
    CU_ASSERT_PTR_NULL(top_history_at(
        h, h->last - 2 * TOP_STEP * TOP_STEPS > 0 ? h->last - 2 * TOP_STEP * TOP_STEPS : -1));
    free(h);
    free(list);
}

/* A file that begins midway, and its second part: rates are of the intervals between samples. */
static void test_parts(void)
{
    struct top_history *h = calloc(1, sizeof *h);
    struct top_rates r;
    top_history_gvt(h, 50, 10); /* the first sample: since when its counts are is not known */
    top_history_rates(h, 55, 10, &r);
    CU_ASSERT(isnan(r.of.processed) && isnan(r.of.committed));
    const struct ws_counts counts = {.processed = 2000, .committed = 1000};
    top_history_count(h, 50, 60, &counts); /* the last of the first part */
    top_history_rates(h, 60, 10, &r);
    CU_ASSERT_DOUBLE_EQUAL(r.of.committed, 100, 3);
    top_history_count(h, 60, 80, &counts); /* the first of the second part */
    top_history_rates(h, 80, 10, &r);
    CU_ASSERT_DOUBLE_EQUAL(r.of.committed, 50, 3);
    CU_ASSERT_DOUBLE_EQUAL(r.of.processed, 100, 6);
    top_history_rates(h, 80, 1000, &r); /* not since 0 */
    CU_ASSERT_DOUBLE_EQUAL(r.seconds, 30, TOP_STEP);
    CU_ASSERT_DOUBLE_EQUAL(r.of.committed, 2000.0 / 30, 1);
    free(h);
}

/* Samples of one PE, in two parts: all counts are in the sums, and the first one is in no rate. */
static void test_model_parts(void)
{
    static const struct fmt_field fields[] = {{.name = "real_time", .type = FMT_F64},
                                              {.name = "events_committed", .type = FMT_U64}};
    const struct fmt_schema schema = {
        .n_fields = 2,
        .name = "gvt_pe",
        .fields = fields,
        .role_field = {[FMT_ROLE_VIRTUAL_TIME] = -1, [FMT_ROLE_PAYLOAD_TYPE] = -1}};
    double times[2][2] = {{40, 50}, {60, 80}};
    uint64_t counts[2][2] = {{70000, 1000}, {1000, 1000}};
    struct top_model *m = malloc(sizeof *m);
    CU_ASSERT_FATAL(m != NULL && top_model_init(m, 1));
    for (int part = 0; part < 2; part++) {
        struct top_feed feed; /* each file has its own */
        struct fmt_wanted wanted;
        uint8_t *values[] = {(uint8_t *)times[part], (uint8_t *)counts[part]};
        struct fmt_columns columns = {.schema = &schema, .n_records = 2, .values = values};
        struct ws_live_rows rows = {.columns = &columns};
        top_feed_init(&feed, TOP_OF_PES, &schema, &wanted);
        top_model_add(m, &feed, &rows);
    }
    top_model_settle(m);
    struct top_rates r;
    CU_ASSERT_EQUAL(m->sum.committed, 73000);
    top_history_rates(&m->history, 60, 10, &r);
    CU_ASSERT_DOUBLE_EQUAL(r.of.committed, 100, 5);
    top_history_rates(&m->history, 80, 10, &r);
    CU_ASSERT_DOUBLE_EQUAL(r.of.committed, 50, 3);
    top_history_rates(&m->history, 80, 1000, &r);
    CU_ASSERT_DOUBLE_EQUAL(r.of.committed * r.seconds, 3000, 1);
    top_model_free(m);
    free(m);
}

/* Two sources of samples, of which the second counts from the end of the first on. */
static void test_sources(void)
{
    const struct top_chain chain = {
        2, {{.source = TOP_AT_GVT, .until = 50}, {.source = TOP_BY_CLOCK, .until = INFINITY}}};
    CU_ASSERT_EQUAL(top_chain_share(&chain, TOP_AT_GVT, 40, 50), 1);
    CU_ASSERT_EQUAL(top_chain_share(&chain, TOP_AT_GVT, NAN, 50), 1);
    CU_ASSERT_EQUAL(top_chain_share(&chain, TOP_AT_GVT, 50, 60), 0);
    CU_ASSERT_EQUAL(top_chain_share(&chain, TOP_BY_CLOCK, 30, 40), 0);
    CU_ASSERT_DOUBLE_EQUAL(top_chain_share(&chain, TOP_BY_CLOCK, 40, 60), 0.5, 1e-9);
    CU_ASSERT_EQUAL(top_chain_share(&chain, TOP_BY_CLOCK, 60, 70), 1);
    CU_ASSERT_EQUAL(top_chain_share(&chain, TOP_BY_CLOCK, NAN, 50), 0);
    CU_ASSERT_EQUAL(top_chain_share(&chain, TOP_AT_TIMES, 0, 70), 0);

    static const struct fmt_field fields[] = {{.name = "real_time", .type = FMT_F64},
                                              {.name = "events_committed", .type = FMT_U64}};
    const struct fmt_schema schema = {
        .n_fields = 2,
        .name = "gvt_pe",
        .fields = fields,
        .role_field = {[FMT_ROLE_VIRTUAL_TIME] = -1, [FMT_ROLE_PAYLOAD_TYPE] = -1}};
    /* The samples by wall clock count from 50 on: a quarter of the one from 20 to 60. */
    double times[TOP_SOURCES][3] = {{20, 60, 80}, {10, 50, 90}};
    uint64_t counts[TOP_SOURCES][3] = {{100, 200, 100}, {50, 200, 1000}};
    struct top_model *m = malloc(sizeof *m);
    CU_ASSERT_FATAL(m != NULL && top_model_init(m, 1));
    for (int source = 0; source < TOP_AT_TIMES; source++) {
        struct top_feed feed;
        struct fmt_wanted wanted;
        uint8_t *values[] = {(uint8_t *)times[source], (uint8_t *)counts[source]};
        struct fmt_columns columns = {.schema = &schema, .n_records = 3, .values = values};
        struct ws_live_rows rows = {.columns = &columns};
        top_feed_init(&feed, TOP_OF_PES, &schema, &wanted);
        feed.source = (enum top_source)source;
        feed.chain = &chain;
        top_model_add(m, &feed, &rows);
    }
    CU_ASSERT_EQUAL(m->sum.committed, 50 + 200 + 50 + 100);
    top_model_free(m);
    free(m);
}

static void test_eta(void)
{
    struct top_history *h = calloc(1, sizeof *h);
    struct top_eta eta;
    CU_ASSERT_FALSE(top_history_eta(h, 0, 100, &eta));
    for (double t = 0; t < 200; t += 0.1) { /* one unit of virtual time per second */
        top_history_gvt(h, t, t);
    }
    CU_ASSERT_FATAL(top_history_eta(h, 200, 300, &eta));
    CU_ASSERT_DOUBLE_EQUAL(eta.likely, 100, 2);
    CU_ASSERT_DOUBLE_EQUAL(eta.early, 100, 4);
    CU_ASSERT_DOUBLE_EQUAL(eta.late, 100, 4);
    for (double t = 200; t < 300; t += 0.1) { /* then half of it */
        top_history_gvt(h, t, 200 + (t - 200) / 2);
    }
    CU_ASSERT_FATAL(top_history_eta(h, 250, 300, &eta));
    CU_ASSERT_DOUBLE_EQUAL(eta.likely, 100, 2);
    CU_ASSERT_DOUBLE_EQUAL(eta.early, 50, 3);
    CU_ASSERT(eta.early <= eta.likely && eta.likely <= eta.late);
    CU_ASSERT_FALSE(top_history_eta(h, 250, INFINITY, &eta));
    CU_ASSERT_FALSE(top_history_eta(h, 250, NAN, &eta));
    CU_ASSERT_FALSE(top_history_eta(h, 250, 200, &eta));
    top_history_gvt(h, 300, INFINITY); /* a run without events left */
    CU_ASSERT_TRUE(top_history_eta(h, 250, 300, &eta));
    memset(h, 0, sizeof *h);
    for (double t = 0; t < 100; t += 1) { /* no progress */
        top_history_gvt(h, t, 7);
    }
    CU_ASSERT_FALSE(top_history_eta(h, 7, 300, &eta));
    free(h);
}

static void test_pictures(void)
{
    struct top_history *h = calloc(1, sizeof *h);
    double values[60];
    top_history_picture(h, false, values, 60);
    CU_ASSERT(isnan(values[0]) && isnan(values[59]));
    for (double t = 0; t < 30; t += TOP_STEP) {
        struct top_step *step = top_history_at(h, t + TOP_STEP / 2);
        step->counts.committed += 25;
        step->counts.processed += 50;
        step->counts.undone += 10;
    }
    double seconds = top_history_picture(h, false, values, 60);
    CU_ASSERT_DOUBLE_EQUAL(values[59], 100, 1e-9);
    CU_ASSERT(seconds >= TOP_STEP);
    top_history_picture(h, true, values, 60);
    CU_ASSERT_DOUBLE_EQUAL(values[59], 75, 1e-9);
    free(h);
}

/* ---- Canvas and screens ------------------------------------------------------------------------ */

static void test_canvas(void)
{
    struct top_canvas c = {.utf8 = true};
    CU_ASSERT_TRUE_FATAL(top_canvas_clear(&c, 2, 5));
    CU_ASSERT_EQUAL(top_put(&c, 0, 3, TOP_PLAIN, "abc"), 6);
    top_put(&c, 0, -2, TOP_PLAIN, "xyz");
    top_put(&c, 2, 0, TOP_PLAIN, "below");
    top_put(&c, -1, 0, TOP_PLAIN, "above");
    top_put_right(&c, 1, 5, TOP_BOLD, "é\x1b\xff");
    CU_ASSERT_STRING_EQUAL(c.cells[0].bytes, "z");
    CU_ASSERT_STRING_EQUAL(c.cells[4].bytes, "b");
    CU_ASSERT_STRING_EQUAL(c.cells[7].bytes, "é");
    CU_ASSERT_STRING_EQUAL(c.cells[8].bytes, "?"); /* a control character */
    CU_ASSERT_STRING_EQUAL(c.cells[9].bytes, "?"); /* no UTF-8 */
    top_put(&c, 1, 0, TOP_PLAIN, "漢\u202e");      /* two columns wide; changes the direction */
    CU_ASSERT_STRING_EQUAL(c.cells[5].bytes, "?");
    CU_ASSERT_STRING_EQUAL(c.cells[6].bytes, "?");
    c.utf8 = false;
    top_put(&c, 1, 0, TOP_PLAIN, "é");
    CU_ASSERT_STRING_EQUAL(c.cells[5].bytes, "?");
    CU_ASSERT_EQUAL(c.cells[9].style, TOP_BOLD);
    top_canvas_free(&c);
}

/* No page draws outside of a screen of any size, or fails without a run. */
static void test_any_size(void)
{
    uint64_t random = suite_seed();
    suite_print_seed("top, any size", random);
    struct top_run run;
    struct top_canvas c = {.utf8 = true};
    CU_ASSERT_TRUE_FATAL(top_run_init(&run, "no/such/directory"));
    for (int i = 0; i < 300; i++) {
        struct top_view view = {.only_pe = -1, .once = random_below(&random, 2) == 0};
        view.page = (enum top_page)random_below(&random, TOP_HELP + 1);
        int rows = (int)random_below(&random, 70), cols = (int)random_below(&random, 250);
        CU_ASSERT_TRUE_FATAL(top_canvas_clear(&c, rows, cols));
        top_draw(&c, &run, &view);
    }
    top_run_refresh(&run, 1, false);
    CU_ASSERT_EQUAL(run.state, TOP_WAITING);
    CU_ASSERT_PTR_NOT_NULL(strstr(run.problem, "no/such/directory"));
    top_canvas_free(&c);
    top_run_free(&run);
}

static void test_durations(void)
{
    char to[TOP_DURATION_MAX];
    CU_ASSERT_STRING_EQUAL(top_duration(to, NAN), "-");
    CU_ASSERT_STRING_EQUAL(top_duration(to, 3.21), "3.2 s");
    CU_ASSERT_STRING_EQUAL(top_duration(to, 59.99), "1 m 00 s");
    CU_ASSERT_STRING_EQUAL(top_duration(to, 62), "1 m 02 s");
    CU_ASSERT_STRING_EQUAL(top_duration(to, 3725), "1 h 02 m");
    CU_ASSERT_STRING_EQUAL(top_duration(to, 86400 * 9.0), "9 days");
    CU_ASSERT_STRING_EQUAL(top_duration_rough(to, 62), "62 s");
    CU_ASSERT_STRING_EQUAL(top_duration_rough(to, 3725), "62 m");
    CU_ASSERT_STRING_EQUAL(top_duration_rough(to, 7200), "2 h");
    CU_ASSERT_STRING_EQUAL(top_duration_rough(to, 1e7), "116 days");
}

int main(void)
{
    static const CU_TestInfo tests[] = {
        {"rates", test_rates},
        {"parts", test_parts},
        {"parts of a stream", test_model_parts},
        {"sources of samples", test_sources},
        {"end", test_eta},
        {"pictures", test_pictures},
        {"canvas", test_canvas},
        {"any size", test_any_size},
        {"durations", test_durations},
    };
    return suite_run("reader/top", tests, sizeof(tests) / sizeof(tests[0]));
}
