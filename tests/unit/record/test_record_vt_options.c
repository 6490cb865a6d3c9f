/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Sampling at virtual times: the meaning of the options.
 *
 * test: alone=yes
 */
#include "session.h"
#include "support/fake_engine.h"
#include "support/suite.h"

struct option_case {
    const char *given; /* names, each between blanks */
    double interval, samp_end, end;
    unsigned engine_stats, model_stats;
    enum tw_status status;
    unsigned vt_stats;
    uint64_t points;
    const char *text; /* part of the message */
};

static void check_option_case(const struct option_case *c)
{
    struct record_options o;
    char error[600] = "";
    session_reset();
    fake.given = c->given;
    g_tw_ts_end = c->end;
    g_st_options.vt_interval = c->interval;
    g_st_options.vt_samp_end = c->samp_end;
    g_st_options.engine_stats = c->engine_stats;
    g_st_model_stats = c->model_stats;
    enum tw_status status = record_options_read(&o, error, sizeof error);
    bool right = status == c->status;
    if (status == TW_OK) {
        right = right && o.vt_stats == c->vt_stats && o.vt_points == c->points;
        right = right && record_options_any(&o) == (c->vt_stats != 0 || c->model_stats != 0);
    } else {
        right = right && strstr(error, c->text) != NULL && strchr(error, '\n') == NULL;
    }
    if (!right) {
        printf("given%s: status %d, %s\n", c->given, status, error);
    }
    CU_ASSERT(right);
    session_reset();
    fake.given = NULL;
    g_tw_ts_end = 1000.0;
}

static void test_options(void)
{
    const double inf = INFINITY;
    const struct option_case cases[] = {
        {" ", 0, 0, 1000, 0, 0, TW_OK, 0, 0, NULL},
        /* alone, it also samples the engine */
        {" vt-interval ", 10, 0, 1000, 0, 0, TW_OK, 1, 100, NULL},
        {" vt-interval ", 3, 0, 1000, 0, 0, TW_OK, 1, 333, NULL},
        {" vt-interval ", 1001, 0, 1000, 0, 0, TW_OK, 1, 0, NULL},
        {" vt-interval ", 0.1, 0, 0.3, 0, 0, TW_OK, 1, 2, NULL}, /* 3 * 0.1 > 0.3 */
        {" vt-interval vt-samp-end ", 10, 55, 1000, 0, 0, TW_OK, 1, 5, NULL},
        {" vt-interval vt-samp-end ", 10, 5000, 1000, 0, 0, TW_OK, 1, 100, NULL},
        /* samples by other options */
        {" vt-interval ", 10, 0, 1000, 0, 4, TW_OK, 0, 100, NULL},
        {" vt-interval engine-stats ", 10, 0, 1000, 3, 4, TW_OK, 1, 100, NULL},
        {" vt-interval engine-stats ", 10, 0, 1000, 4, 0, TW_OK, 1, 100, NULL},
        {" vt-interval engine-stats ", 10, 0, 1000, 0, 0, TW_OK, 0, 100, NULL},
        /* without interval */
        {" engine-stats ", 0, 0, 1000, 3, 0, TW_OK, 1, 100, NULL},
        {" ", 0, 0, 50, 0, 4, TW_OK, 0, 100, NULL},
        {" engine-stats ", 0, 0, inf, 3, 0, TW_ERR_USAGE, 0, 0, "--engine-stats=3"},
        {" ", 0, 0, DBL_MAX, 0, 4, TW_ERR_USAGE, 0, 0, "--model-stats=4"},
        /* no end */
        {" vt-interval ", 10, 0, inf, 0, 0, TW_OK, 1, RECORD_VT_POINTS_MAX, NULL},
        {" vt-interval vt-samp-end ", 10, 50, inf, 0, 0, TW_OK, 1, 5, NULL},
        /* invalid values */
        {" vt-interval ", 0, 0, 1000, 0, 0, TW_ERR_USAGE, 0, 0, "--vt-interval=0"},
        {" vt-interval ", -1, 0, 1000, 0, 0, TW_ERR_USAGE, 0, 0, "--vt-interval=-1"},
        {" vt-interval ", (double)NAN, 0, 1000, 0, 0, TW_ERR_USAGE, 0, 0, "nan"},
        {" vt-interval ", 1e-9, 0, 1000, 0, 0, TW_ERR_USAGE, 0, 0, "--vt-interval=1e-09"},
        {" vt-interval ", 4.9e-324, 0, 1000, 0, 0, TW_ERR_USAGE, 0, 0, "--vt-interval="},
        {" vt-interval vt-samp-end ", 10, 9, 1000, 0, 0, TW_ERR_USAGE, 0, 0, "--vt-samp-end=9"},
        {" vt-interval vt-samp-end ", 10, -9, 1000, 0, 0, TW_ERR_USAGE, 0, 0, "--vt-samp-end"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        check_option_case(&cases[i]);
    }
}

int main(int argc, char **argv)
{
    static const CU_TestInfo tests[] = {
        {"options", test_options},
    };
    MPI_Init(&argc, &argv);
    int status = suite_run("record/vt_sampling, options", tests, sizeof(tests) / sizeof(tests[0]));
    MPI_Finalize();
    return status;
}
