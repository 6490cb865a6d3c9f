/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Tests of progress: a small terminal (rows of fixed width, \r and \n) shows the output as a user
 * would see it. The test controls the clock and the stream.
 */
#include <CUnit/Basic.h>
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/progress.h"
#include "support/screen.h"
#include "support/suite.h"

/* ---- A progress on it ------------------------------------------------------------------------ */

struct run {
    struct progress progress;
    FILE *err;
    char *text;
    size_t size;
};

static void run_start(struct run *run, bool tty, double end_time, struct progress_options options)
{
    run->err = open_memstream(&run->text, &run->size);
    if (run->err == NULL) {
        abort();
    }
    options.name = options.name != NULL ? options.name : "phold";
    progress_init(&run->progress, run->err, tty, end_time, &options);
}

static const char *run_text(struct run *run)
{
    fflush(run->err);
    return run->text;
}

static void run_stop(struct run *run)
{
    fclose(run->err);
    free(run->text);
}

/* The text of the last line of a run on a terminal. */
static void check_shown(struct run *run, const char *expected)
{
    struct screen screen;
    screen_init(&screen, 80);
    screen_write(&screen, run_text(run));
    const char *shown = screen_row(&screen, screen.row);
    if (strcmp(shown, expected) != 0) {
        printf("\n    shown    %s\n    expected %s ", shown, expected);
    }
    CU_ASSERT_STRING_EQUAL(shown, expected);
}

static void test_one_line_on_a_terminal(void)
{
    struct run run;
    struct screen screen;
    run_start(&run, true, 1000.0, (struct progress_options){.columns = 80});
    progress_update(&run.progress, 0.2, 10.0, 100, 100);
    CU_ASSERT_STRING_EQUAL(run_text(&run), "");
    for (int i = 1; i <= 200; i++) {
        uint64_t net = (uint64_t)i * 421052;
        progress_update(&run.progress, 0.1 * i, 4.53 * i / 2, net, net + net / 100);
    }
    check_shown(&run, "phold   44.8%  GVT 448.5  4.21M ev/s  eff 99.00%  ETA 0:25");
    progress_done(&run.progress);
    screen_init(&screen, 80);
    screen_write(&screen, run_text(&run));
    CU_ASSERT_EQUAL(screen.wraps, 0);
    CU_ASSERT_EQUAL(screen.row, 0);
    CU_ASSERT_EQUAL(screen.column, 0);
    CU_ASSERT_STRING_EQUAL(screen_row(&screen, 0), "");
    size_t before = run.size;
    progress_update(&run.progress, 1e6, 1e6, 1, 1);
    progress_done(&run.progress);
    CU_ASSERT_EQUAL((run_text(&run), run.size), before);
    run_stop(&run);
}

static void test_shorter_line_leaves_nothing(void)
{
    struct run run;
    run_start(&run, true, 1e6, (struct progress_options){.columns = 80});
    progress_update(&run.progress, 1.0, 123.4, 123456789, 223456789);
    check_shown(&run, "phold    0.0%  GVT 123.4  123M ev/s  eff 19.00%  ETA 2:15:03");
    progress_update(&run.progress, 1e5, 1e6, 123456789, 123456789);
    check_shown(&run, "phold  100.0%  GVT 1e+06  0 ev/s  eff 100.00%  ETA 0:00");
    run_stop(&run);
}

static void test_hide_and_return(void)
{
    struct run run;
    struct screen screen;
    run_start(&run, true, 10.0, (struct progress_options){.columns = 80});
    progress_hide(&run.progress);
    progress_update(&run.progress, 1.0, 1.0, 10, 10);
    progress_hide(&run.progress);
    fputs("model says\n", run.err);
    progress_update(&run.progress, 2.0, 2.0, 20, 20);
    screen_init(&screen, 80);
    screen_write(&screen, run_text(&run));
    CU_ASSERT_STRING_EQUAL(screen_row(&screen, 0), "model says");
    CU_ASSERT_STRING_EQUAL(screen_row(&screen, 1),
                           "phold   20.0%  GVT 2  10 ev/s  eff 100.00%  ETA 0:08");
    run_stop(&run);
}

static void test_every_width(void)
{
    for (unsigned columns = 1; columns <= SCREEN_COLUMNS; columns++) {
        struct run run;
        struct screen screen;
        run_start(&run, true, 1e300,
                  (struct progress_options){.name = "a-program-with-quite-a-long-name-that-goes-on",
                                            .columns = columns});
        progress_update(&run.progress, 1.0, 1.234e290, 123456, 1234567);
        progress_update(&run.progress, 2.0, 1.234e299, UINT64_MAX, UINT64_MAX);
        screen_init(&screen, columns);
        screen_write(&screen, run_text(&run));
        CU_ASSERT_EQUAL(screen.wraps, 0);
        CU_ASSERT(screen.column < columns || columns == 1);
        const char *row = screen_row(&screen, 0);
        size_t length = strlen(row);
        CU_ASSERT(length == 0 || columns < 16 || strchr("%n/sd0123456789e", row[length - 1]));
        run_stop(&run);
    }
}

static void test_plain_lines(void)
{
    struct run run;
    run_start(&run, false, 100.0, (struct progress_options){.interval_seconds = 10.0});
    for (int i = 1; i < 1000; i++) {
        progress_update(&run.progress, 0.01 * i, 0.001 * i, 1, 1);
    }
    CU_ASSERT_STRING_EQUAL(run_text(&run), "");
    progress_update(&run.progress, 10.0, 25.0, 100000, 200000);
    progress_update(&run.progress, 19.9, 49.0, 200000, 300000);
    progress_update(&run.progress, 20.0, 50.0, 200000, 300000);
    progress_done(&run.progress);
    CU_ASSERT_STRING_EQUAL(run_text(&run),
                           "phold   25.0%  GVT 25  10.0k ev/s  eff 0.00%  ETA 0:30\n"
                           "phold   50.0%  GVT 50  10.0k ev/s  eff 50.00%  ETA 0:20\n");
    run_stop(&run);
}

static void test_plain_lines_grow_rare(void)
{
    static const unsigned expected[] = {2, 4, 8, 16, 32, 62, 92, 122};
    struct run run;
    unsigned lines = 0;
    run_start(&run, false, 100.0, (struct progress_options){0});
    for (unsigned wall = 0; wall < 130; wall++) {
        progress_update(&run.progress, wall, 1.0, 1, 1);
        size_t before = run.size;
        if ((run_text(&run), run.size) > before) {
            CU_ASSERT_EQUAL(wall, expected[lines]);
            lines++;
        }
    }
    CU_ASSERT_EQUAL(lines, sizeof expected / sizeof *expected);
    run_stop(&run);
}

static unsigned count_lines(const char *text)
{
    unsigned lines = 0;
    for (; *text != '\0'; text++) {
        lines += *text == '\n';
    }
    return lines;
}

static void test_lines_by_share_of_the_end_time(void)
{
    struct run run;
    run_start(&run, false, 100.0, (struct progress_options){.interval_fraction = 0.1});
    for (int i = 1; i <= 3000; i++) {
        progress_update(&run.progress, 100.0 * i, i / 10 * 0.5, 1, 1); /* GVT up to 150 */
    }
    CU_ASSERT_EQUAL(count_lines(run_text(&run)), 10);
    CU_ASSERT_PTR_NOT_NULL(strstr(run_text(&run), "phold   10.0%"));
    CU_ASSERT_PTR_NOT_NULL(strstr(run_text(&run), "phold  100.0%"));
    run_stop(&run);

    /* A jump over many shares prints one line. */
    run_start(&run, false, 100.0, (struct progress_options){.interval_fraction = 0.01});
    progress_update(&run.progress, 1.0, 55.5, 1, 1);
    progress_update(&run.progress, 2.0, 55.9, 1, 1);
    progress_update(&run.progress, 3.0, INFINITY, 1, 1);
    progress_update(&run.progress, 4.0, INFINITY, 1, 1);
    CU_ASSERT_EQUAL(count_lines(run_text(&run)), 2);
    run_stop(&run);

    /* A run without an end time has no shares: lines follow the clock. */
    run_start(&run, false, DBL_MAX, (struct progress_options){.interval_fraction = 0.01});
    progress_update(&run.progress, 1.0, 55.5, 1, 1);
    progress_update(&run.progress, 20.0, 60.0, 1, 1);
    CU_ASSERT_EQUAL(count_lines(run_text(&run)), 1);
    run_stop(&run);

    /* Very small shares: no line is printed twice, and lines do not stop. */
    run_start(&run, false, 1.0, (struct progress_options){.interval_fraction = DBL_TRUE_MIN});
    for (int i = 0; i < 100; i++) {
        progress_update(&run.progress, i, i < 50 ? 0.5 : 0.6, 1, 1);
    }
    CU_ASSERT_EQUAL(count_lines(run_text(&run)), 2);
    run_stop(&run);

    /* Two lines at the same reading of the clock: the rates do not change. */
    run_start(&run, false, 100.0, (struct progress_options){.interval_fraction = 0.1});
    progress_update(&run.progress, 1.0, 10.0, 1000, 1000);
    progress_update(&run.progress, 1.0, 20.0, 2000, 2000);
    CU_ASSERT_STRING_EQUAL(run_text(&run),
                           "phold   10.0%  GVT 10  1.00k ev/s  eff 100.00%  ETA 0:09\n"
                           "phold   20.0%  GVT 20  1.00k ev/s  eff 100.00%  ETA 0:08\n");
    run_stop(&run);
}

static void test_each_share_once(void)
{
    static const double shares[] = {0.1, 0.01, 0.3, 1.0 / 3, 0.07, 0.25, 1.0, 2.0};
    static const double ends[] = {1.0, 100.0, 0.3, 1e-9, 12345.678, 1e300};
    for (size_t s = 0; s < sizeof shares / sizeof *shares; s++) {
        for (size_t e = 0; e < sizeof ends / sizeof *ends; e++) {
            struct run run;
            double share = shares[s];
            unsigned expected = (unsigned)floor(1.0 / share + 1e-9);
            run_start(&run, false, ends[e], (struct progress_options){.interval_fraction = share});
            for (unsigned i = 0; i <= 4200; i++) {
                progress_update(&run.progress, i, ends[e] * (i / 4200.0), 1, 1);
                progress_update(&run.progress, i, ends[e] * (i / 4200.0), 1, 1);
            }
            CU_ASSERT_EQUAL(count_lines(run_text(&run)), expected);
            run_stop(&run);
        }
    }
}

static void test_quiet(void)
{
    struct run run;
    for (int tty = 0; tty < 2; tty++) {
        run_start(&run, tty != 0, 100.0,
                  (struct progress_options){.quiet = true, .interval_fraction = 0.5});
        progress_update(&run.progress, 1e9, 99.0, 1, 1);
        progress_update(&run.progress, INFINITY, INFINITY, 1, 1);
        progress_done(&run.progress);
        CU_ASSERT_STRING_EQUAL(run_text(&run), "");
        run_stop(&run);
    }
}

/* ---- Corners --------------------------------------------------------------------------------- */

static void check_once(double end_time, double wall, double gvt, const char *expected)
{
    struct run run;
    run_start(&run, true, end_time, (struct progress_options){.columns = 80});
    progress_update(&run.progress, wall, gvt, 1000, 1000);
    check_shown(&run, expected);
    run_stop(&run);
}

static void test_corners(void)
{
    check_once(100.0, 1.0, 0.0, "phold    0.0%  GVT 0  1.00k ev/s  eff 100.00%  ETA --:--");
    check_once(100.0, 1.0, NAN, "phold    0.0%  GVT --  1.00k ev/s  eff 100.00%  ETA --:--");
    check_once(100.0, 1.0, -5.0, "phold    0.0%  GVT -5  1.00k ev/s  eff 100.00%  ETA --:--");
    check_once(100.0, 1.0, 99.99, "phold   99.9%  GVT 99.99  1.00k ev/s  eff 100.00%  ETA 0:01");
    check_once(100.0, 1.0, 100.0, "phold  100.0%  GVT 100  1.00k ev/s  eff 100.00%  ETA 0:00");
    check_once(100.0, 1.0, INFINITY, "phold  100.0%  GVT 100  1.00k ev/s  eff 100.00%  ETA 0:00");
    check_once(DBL_MAX, 1.0, 5.0, "phold    --%  GVT 5  1.00k ev/s  eff 100.00%  ETA --:--");
    check_once(INFINITY, 1.0, 5.0, "phold    --%  GVT 5  1.00k ev/s  eff 100.00%  ETA --:--");
    check_once(NAN, 1.0, 5.0, "phold    --%  GVT 5  1.00k ev/s  eff 100.00%  ETA --:--");
    check_once(1e300, 1.0, 5.0, "phold    0.0%  GVT 5  1.00k ev/s  eff 100.00%  ETA > 99 d");
    check_once(0.0, 1.0, 0.0, "phold  100.0%  GVT 0  1.00k ev/s  eff 100.00%  ETA 0:00");
    check_once(100.0, 1000.0, 50.0, "phold   50.0%  GVT 50  1 ev/s  eff 100.00%  ETA 16:40");
    check_once(10.0, 1e4, 1.0, "phold   10.0%  GVT 1  0 ev/s  eff 100.00%  ETA 1 d 1 h");
    check_once(100.0, INFINITY, 50.0, "phold   50.0%  GVT 50  0 ev/s  eff 100.00%  ETA --:--");
}

static void test_stuck_and_backwards(void)
{
    struct run run;
    run_start(&run, true, 100.0, (struct progress_options){.columns = 80});
    progress_update(&run.progress, 10.0, 50.0, 1000000, 1000000);
    check_shown(&run, "phold   50.0%  GVT 50  100k ev/s  eff 100.00%  ETA 0:10");
    for (int i = 11; i < 100; i++) {
        progress_update(&run.progress, i, 50.0, 1000000, 2000000);
    }
    check_shown(&run, "phold   50.0%  GVT 50  0 ev/s  eff 0.00%  ETA 20:22:00");
    for (int i = 100; i < 20000; i++) {
        progress_update(&run.progress, i, 50.0, 1000000, 2000000);
    }
    check_shown(&run, "phold   50.0%  GVT 50  0 ev/s  eff 0.00%  ETA > 99 d");
    /* GVT, clock or events that run backwards are invalid, but must not make the line invalid. */
    progress_update(&run.progress, 20000.0, 40.0, 500, 2000000);
    check_shown(&run, "phold   40.0%  GVT 40  0 ev/s  eff < -999%  ETA > 99 d");
    size_t before = (run_text(&run), run.size);
    progress_update(&run.progress, 5.0, 60.0, 500, 2000000);
    CU_ASSERT_EQUAL((run_text(&run), run.size), before);
    run_stop(&run);
}

/* The rate and the ETA follow a change within seconds. */
static void test_recent_rate(void)
{
    struct run run;
    run_start(&run, true, 1000.0, (struct progress_options){.columns = 80});
    for (int i = 1; i <= 100; i++) {
        progress_update(&run.progress, i, i * 0.5, (uint64_t)i * 1000, (uint64_t)i * 1000);
    }
    check_shown(&run, "phold    5.0%  GVT 50  1.00k ev/s  eff 100.00%  ETA 31:40");
    for (int i = 1; i <= 100; i++) {
        uint64_t net = 100000 + (uint64_t)i * 5000;
        progress_update(&run.progress, 100 + i, 50 + i * 5.0, net, net);
    }
    check_shown(&run, "phold   55.0%  GVT 550  5.00k ev/s  eff 100.00%  ETA 1:31");
    run_stop(&run);
}

static void test_defaults(void)
{
    struct progress progress;
    char *text = NULL;
    size_t size = 0;
    FILE *err = open_memstream(&text, &size);
    progress_init(&progress, err, true, 2.0, NULL);
    progress_update(&progress, 1.0, 1.0, 5, 5);
    fflush(err);
    CU_ASSERT_STRING_EQUAL(text, "\rprogress   50.0%  GVT 1  5 ev/s  eff 100.00%  ETA 0:01");
    fclose(err);
    free(text);
}

int main(void)
{
    static const CU_TestInfo tests[] = {
        {"one line on a terminal", test_one_line_on_a_terminal},
        {"a shorter line leaves nothing behind", test_shorter_line_leaves_nothing},
        {"hide and return", test_hide_and_return},
        {"every width of the terminal", test_every_width},
        {"plain lines", test_plain_lines},
        {"plain lines grow rare", test_plain_lines_grow_rare},
        {"lines by share of the end time", test_lines_by_share_of_the_end_time},
        {"each share once", test_each_share_once},
        {"quiet", test_quiet},
        {"corners", test_corners},
        {"GVT stuck, everything backwards", test_stuck_and_backwards},
        {"rate and ETA follow the recent past", test_recent_rate},
        {"defaults", test_defaults},
    };
    return suite_run("progress", tests, sizeof tests / sizeof *tests);
}
