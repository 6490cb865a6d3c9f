/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * --stats-format and ROSS 8's meanings of options; how files of ROSS 8 are distinguished from
 * record files.
 *
 * test: alone=yes
 */
#include "record/options/options.h"
#include "ross8/layout.h"
#include "session.h"
#include "support/fake_engine.h"
#include "support/suite.h"

struct meaning {
    bool built; /* a program built as for ROSS 8 */
    enum record_format format;
    unsigned engine_stats, model_stats;
    double end;
    const char *given; /* names, each between blanks */
    /* resulting meaning */
    unsigned points; /* enum record_model */
    unsigned gvt, rt, vt;
    bool left_out, engine_left_out;
    bool use_analysis_lps;
};

static void check_meaning(const struct meaning *m)
{
    struct record_options o;
    char error[600] = "";
    session_reset();
    fake.given = m->given;
    g_tw_ts_end = m->end;
    g_st_options.built_for_ross8 = m->built;
    g_st_options.format = m->format;
    g_st_options.engine_stats = m->engine_stats;
    g_st_options.rt_interval = strstr(m->given, "rt-interval") != NULL ? 5 : 0;
    g_st_options.vt_interval = strstr(m->given, "vt-interval") != NULL ? 5.0 : 0.0;
    g_st_model_stats = m->model_stats;
    bool early = record_options_want_virtual_times(&g_st_options, g_st_model_stats);
    enum tw_status status = record_options_read(&o, error, sizeof(error));
    bool right = status == TW_OK && o.model_stats == m->points && o.gvt_stats == m->gvt &&
                 o.rt_stats == m->rt && o.vt_stats == m->vt && o.vt_is_left_out == m->left_out &&
                 o.vt_engine_is_left_out == m->engine_left_out && early == m->use_analysis_lps;
    if (!right) {
        printf("built %d, format %u, engine %u, model %u,%s: status %d %s; points %u gvt %u rt %u "
               "vt %u\n",
               m->built, m->format, m->engine_stats, m->model_stats, m->given, status, error,
               o.model_stats, o.gvt_stats, o.rt_stats, o.vt_stats);
    }
    CU_ASSERT(right);
    session_reset();
    fake.given = NULL;
    g_tw_ts_end = 1000.0;
}

static void test_meanings(void)
{
    const double inf = INFINITY;
    const struct meaning cases[] = {
        /* numbers of the model's data */
        {false, RECORD_FORMAT_WARPSCOPE, 0, 3, 100, " ", 3, 0, 0, 0, false, false, false},
        {false, RECORD_FORMAT_WARPSCOPE, 0, 4, 100, " ", 4, 0, 0, 0, false, false, true},
        {false, RECORD_FORMAT_BOTH, 0, 1, 100, " ", 1, 0, 0, 0, false, false, false},
        {false, RECORD_FORMAT_BOTH, 0, 2, 100, " ", 2, 0, 0, 0, false, false, false},
        {false, RECORD_FORMAT_BOTH, 0, 3, 100, " ", 4, 0, 0, 0, false, false, true},
        {false, RECORD_FORMAT_ROSS8, 0, 4, 100, " ", 7, 0, 0, 0, false, false, true},
        {true, RECORD_FORMAT_WARPSCOPE, 0, 3, 100, " ", 4, 0, 0, 0, false, false, true},
        {true, RECORD_FORMAT_BOTH, 0, 4, 100, " ", 7, 0, 0, 0, false, false, true},
        /* intervals without a mode */
        {false, RECORD_FORMAT_WARPSCOPE, 0, 0, 100, " rt-interval ", 0, 0, 1, 0, false, false,
         false},
        {false, RECORD_FORMAT_WARPSCOPE, 0, 0, 100, " vt-interval ", 0, 0, 0, 1, false, false,
         true},
        {true, RECORD_FORMAT_BOTH, 0, 0, 100, " rt-interval vt-interval ", 0, 0, 0, 0, false, false,
         false},
        {true, RECORD_FORMAT_BOTH, 4, 0, 100, " engine-stats ", 0, 1, 1, 1, false, false, true},
        /* no records of the engine at virtual times */
        {true, RECORD_FORMAT_ROSS8, 4, 4, 100, " engine-stats ", 7, 1, 1, 0, false, true, true},
        {true, RECORD_FORMAT_ROSS8, 3, 0, inf, " engine-stats ", 0, 0, 0, 0, false, true, true},
        /* no end time, so no default interval */
        {true, RECORD_FORMAT_BOTH, 0, 4, inf, " ", 3, 0, 0, 0, true, false, true},
        {true, RECORD_FORMAT_BOTH, 4, 4, inf, " engine-stats ", 3, 1, 1, 0, true, false, true},
        {true, RECORD_FORMAT_BOTH, 4, 4, inf, " engine-stats vt-interval ", 7, 1, 1, 1, false,
         false, true},
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        check_meaning(&cases[i]);
    }
}

/* Where no other samples remain, the missing interval is an error. */
static void test_refused(void)
{
    struct record_options o;
    char error[600] = "";
    session_reset();
    g_tw_ts_end = INFINITY;
    g_st_options.built_for_ross8 = true;
    g_st_model_stats = 3;
    CU_ASSERT_EQUAL(record_options_read(&o, error, sizeof(error)), TW_ERR_USAGE);
    CU_ASSERT_PTR_NOT_NULL(strstr(error, "--model-stats=3"));
    g_st_model_stats = 4;
    g_st_options.engine_stats = 3;
    fake.given = " engine-stats ";
    CU_ASSERT_EQUAL(record_options_read(&o, error, sizeof(error)), TW_ERR_USAGE);
    CU_ASSERT_PTR_NOT_NULL(strstr(error, "--engine-stats=3"));
    session_reset();
    fake.given = NULL;
    g_tw_ts_end = 1000.0;
}

static void test_names(void)
{
    static const struct {
        enum record_format format;
        const char *filename, *alias; /* "": not given */
        const char *ours, *ross8;
    } cases[] = {
        {RECORD_FORMAT_WARPSCOPE, "", "", "warpscope", ""},
        {RECORD_FORMAT_WARPSCOPE, "", "x", "x", ""},
        {RECORD_FORMAT_BOTH, "", "", "warpscope", "ross-stats"},
        {RECORD_FORMAT_ROSS8, "", "x", "warpscope", "x"},
        {RECORD_FORMAT_BOTH, "x", "", "warpscope", "x"},
        {RECORD_FORMAT_BOTH, "warpscope", "", "warpscope-records", "warpscope"},
        {RECORD_FORMAT_BOTH, "", "warpscope", "warpscope-records", "warpscope"},
        {RECORD_FORMAT_BOTH, "", "warpscope-records", "warpscope", "warpscope-records"},
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        struct record_options o;
        char error[600] = "";
        session_reset();
        g_st_options.format = cases[i].format;
        strcpy(g_st_options.prefix_alias, cases[i].alias);
        if (cases[i].filename[0] != '\0') {
            strcpy(g_st_options.prefix, cases[i].filename);
            fake.given = " stats-filename ";
        }
        CU_ASSERT_EQUAL(record_options_read(&o, error, sizeof(error)), TW_OK);
        CU_ASSERT_STRING_EQUAL(o.prefix, cases[i].ours);
        CU_ASSERT_STRING_EQUAL(o.ross8_prefix, cases[i].ross8);
        fake.given = NULL;
    }
    session_reset();
}

static void test_heads(void)
{
    uint8_t head[ROSS8_HEAD_SIZE] = {1, 0, 0, 0, 44};
    CU_ASSERT_TRUE(ross8_is_head(head, sizeof(head), ROSS8_GVT));
    CU_ASSERT_TRUE(ross8_is_head(head, sizeof(head), ROSS8_RT));
    CU_ASSERT_FALSE(ross8_is_head(head, sizeof(head), ROSS8_MODEL));
    CU_ASSERT_FALSE(ross8_is_head(head, sizeof(head), ROSS8_ANALYSIS));
    CU_ASSERT_FALSE(ross8_is_head(head, sizeof(head) - 1, ROSS8_GVT));
    head[4] = 48;
    CU_ASSERT_FALSE(ross8_is_head(head, sizeof(head), ROSS8_GVT));
    memcpy(head, "\3\0\0\0\30\0\0\0", 8);
    CU_ASSERT_TRUE(ross8_is_head(head, sizeof(head), ROSS8_MODEL));
    CU_ASSERT_FALSE(ross8_is_head(head, sizeof(head), ROSS8_GVT));
    const float times[] = {0.5f, 1.5f, 1e-4f};
    memcpy(head + 8, times, sizeof(times));
    memset(head + 20, 0, 4);
    CU_ASSERT_TRUE(ross8_is_head(head, sizeof(head), ROSS8_EVTRACE));
    CU_ASSERT_FALSE(ross8_is_head(head, sizeof(head), ROSS8_ANALYSIS));
    /* numbers of an LP, a KP and a PE, each of 64 bits */
    memcpy(head, "\377\1\0\0\0\0\0\0\17\0\0\0\0\0\0\0\3\0\0\0\0\0\0\0", sizeof(head));
    CU_ASSERT_TRUE(ross8_is_head(head, sizeof(head), ROSS8_ANALYSIS));
    CU_ASSERT_FALSE(ross8_is_head(head, sizeof(head), ROSS8_EVTRACE));
    /* a record file, even with a damaged magic number: version 1.0 cannot be the time of an
     * event */
    uint8_t ours[ROSS8_HEAD_SIZE] = {0, 'W', 'S', 'C', '\r', '\n', 26, '\n', 1, 0, 0, 0};
    for (int file = 0; file < ROSS8_FILES; file++) {
        CU_ASSERT_FALSE(ross8_is_head(ours, sizeof(ours), (enum ross8_file)file));
    }
}

int main(int argc, char **argv)
{
    static const CU_TestInfo tests[] = {
        {"meanings", test_meanings},
        {"refused", test_refused},
        {"names", test_names},
        {"heads", test_heads},
    };
    MPI_Init(&argc, &argv);
    int status = suite_run("record/option_ross8", tests, sizeof(tests) / sizeof(tests[0]));
    MPI_Finalize();
    return status;
}
