/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Options with two forms: their combined meaning, and contradictions.
 *
 * test: alone=yes
 */
#include "record/options/options.h"
#include "session.h"
#include "support/fake_engine.h"
#include "support/suite.h"

/* One command line: options "name=value", separated by blanks. */
struct given_case {
    const char *line;
    /* resulting meaning */
    unsigned gvt, rt, vt;
    unsigned rt_interval_ms; /* 0: does not matter */
    unsigned pe, kp, lp;
};

static unsigned *number_of(const char *name)
{
    struct record_options *o = &g_st_options;
    const struct {
        const char *name;
        unsigned *value;
    } numbers[] = {
        {"enable-gvt-stats", &o->gvt_stats},
        {"engine-stats", &o->engine_stats},
        {"real-time-samp", &o->real_time_samp},
        {"rt-interval", &o->rt_interval},
        {"granularity", &o->granularity},
        {"pe-data", &o->pe_data},
        {"kp-data", &o->kp_data},
        {"lp-data", &o->lp_data},
        {"num-gvt", &o->num_gvt},
        {"model-stats", &g_st_model_stats},
    };
    for (size_t i = 0; i < sizeof(numbers) / sizeof(numbers[0]); i++) {
        if (strcmp(name, numbers[i].name) == 0) {
            return numbers[i].value;
        }
    }
    return NULL;
}

/* Sets the options of a line like the command line, and marks them as given. */
static void give(const char *line)
{
    static char given[512];
    char words[512];
    session_reset();
    snprintf(words, sizeof(words), "%s", line);
    strcpy(given, " ");
    for (char *word = strtok(words, " "); word != NULL; word = strtok(NULL, " ")) {
        char *value = strchr(word, '=');
        CU_ASSERT_PTR_NOT_NULL_FATAL(value);
        *value++ = '\0';
        if (strcmp(word, "vt-interval") == 0) {
            g_st_options.vt_interval = strtod(value, NULL);
        } else if (strcmp(word, "stats-filename") == 0) {
            strcpy(g_st_options.prefix, value);
        } else if (strcmp(word, "stats-prefix") == 0) {
            strcpy(g_st_options.prefix_alias, value);
        } else {
            CU_ASSERT_PTR_NOT_NULL_FATAL(number_of(word));
            *number_of(word) = (unsigned)strtoul(value, NULL, 10);
        }
        strcat(given, word);
        strcat(given, " ");
    }
    fake.given = given;
}

static void test_meanings(void)
{
    static const struct given_case cases[] = {
        {"", 0, 0, 0, 0, 1, 0, 0},
        {"enable-gvt-stats=1", 1, 0, 0, 0, 1, 0, 0},
        {"real-time-samp=20", 0, 1, 0, 20, 1, 0, 0},
        {"rt-interval=20", 0, 1, 0, 20, 1, 0, 0},
        {"real-time-samp=20 rt-interval=20", 0, 1, 0, 20, 1, 0, 0},
        {"real-time-samp=0", 0, 0, 0, 0, 1, 0, 0},
        {"engine-stats=0", 0, 0, 0, 0, 1, 0, 0},
        {"engine-stats=1", 1, 0, 0, 0, 1, 0, 0},
        {"engine-stats=2", 0, 1, 0, 1000, 1, 0, 0},
        {"engine-stats=2 rt-interval=7", 0, 1, 0, 7, 1, 0, 0},
        {"engine-stats=2 real-time-samp=7", 0, 1, 0, 7, 1, 0, 0},
        {"engine-stats=3", 0, 0, 1, 0, 1, 0, 0},
        {"engine-stats=3 vt-interval=9", 0, 0, 1, 0, 1, 0, 0},
        {"engine-stats=4 vt-interval=9", 1, 1, 1, 1000, 1, 0, 0},
        {"engine-stats=4 enable-gvt-stats=1 real-time-samp=3 vt-interval=9", 1, 1, 1, 3, 1, 0, 0},
        {"engine-stats=1 rt-interval=7", 1, 0, 0, 0, 1, 0, 0},
        {"model-stats=2", 0, 0, 0, 1000, 1, 0, 0},
        {"model-stats=2 rt-interval=7", 0, 0, 0, 7, 1, 0, 0},
        {"model-stats=3 rt-interval=7", 0, 0, 0, 7, 1, 0, 0},
        {"model-stats=1 rt-interval=7", 0, 1, 0, 7, 1, 0, 0},
        {"model-stats=2 real-time-samp=7", 0, 1, 0, 7, 1, 0, 0},
        {"model-stats=2 engine-stats=0 rt-interval=7", 0, 0, 0, 7, 1, 0, 0},
        {"model-stats=2 engine-stats=2 rt-interval=7", 0, 1, 0, 7, 1, 0, 0},
        {"enable-gvt-stats=1 granularity=1", 1, 0, 0, 0, 1, 1, 1},
        {"enable-gvt-stats=1 granularity=0", 1, 0, 0, 0, 1, 0, 0},
        {"enable-gvt-stats=1 granularity=1 kp-data=1 lp-data=1", 1, 0, 0, 0, 1, 1, 1},
        {"enable-gvt-stats=1 granularity=1 pe-data=0", 1, 0, 0, 0, 0, 1, 1},
        {"enable-gvt-stats=1 kp-data=1", 1, 0, 0, 0, 1, 1, 0},
        {"enable-gvt-stats=1 lp-data=1", 1, 0, 0, 0, 1, 0, 1},
        {"enable-gvt-stats=1 lp-data=1 pe-data=0", 1, 0, 0, 0, 0, 0, 1},
        {"real-time-samp=5 pe-data=0", 0, 1, 0, 5, 0, 0,
         0}, /* only the time ahead of GVT is recorded */
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        const struct given_case *c = &cases[i];
        struct record_options o;
        char error[600] = "";
        give(c->line);
        enum tw_status status = record_options_read(&o, error, sizeof(error));
        bool right = status == TW_OK && o.gvt_stats == c->gvt && o.rt_stats == c->rt &&
                     o.vt_stats == c->vt && o.pe_data == c->pe && o.kp_data == c->kp &&
                     o.lp_data == c->lp &&
                     (c->rt_interval_ms == 0 || o.rt_interval_ms == c->rt_interval_ms);
        if (!right) {
            printf("\"%s\": status %d %s; gvt %u rt %u vt %u interval %u levels %u%u%u\n", c->line,
                   status, error, o.gvt_stats, o.rt_stats, o.vt_stats, o.rt_interval_ms, o.pe_data,
                   o.kp_data, o.lp_data);
        }
        CU_ASSERT_TRUE(right);
    }
    session_reset();
}

static void test_contradictions(void)
{
    static const struct {
        const char *line, *message;
    } cases[] = {
        {"engine-stats=0 enable-gvt-stats=1", "--engine-stats=0 and --enable-gvt-stats=1 "},
        {"engine-stats=4 enable-gvt-stats=0", "--engine-stats=4 and --enable-gvt-stats=0 "},
        {"engine-stats=3 enable-gvt-stats=1", "--engine-stats=3 and --enable-gvt-stats=1 "},
        {"engine-stats=1 real-time-samp=9", "--engine-stats=1 and --real-time-samp=9 "},
        {"engine-stats=4 real-time-samp=0", "--engine-stats=4 and --real-time-samp=0 "},
        {"engine-stats=5", "--engine-stats=5: give"},
        {"real-time-samp=9 rt-interval=8", "--real-time-samp=9 and --rt-interval=8 "},
        {"real-time-samp=0 rt-interval=8", "--real-time-samp=0 and --rt-interval=8 "},
        {"granularity=1 kp-data=0", "--granularity=1 and --kp-data=0 "},
        {"granularity=1 lp-data=0", "--granularity=1 and --lp-data=0 "},
        {"granularity=0 kp-data=1", "--granularity=0 and --kp-data=1 "},
        {"granularity=0 lp-data=1", "--granularity=0 and --lp-data=1 "},
        {"enable-gvt-stats=1 pe-data=0", "--pe-data=0: nothing is left"},
        {"engine-stats=4 vt-interval=9 pe-data=0", "--pe-data=0: nothing is left"},
        {"stats-filename=a stats-prefix=b", "--stats-filename=a and --stats-prefix=b "},
        {"stats-prefix=a/b", "--stats-filename=a/b: give a plain"},
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        struct record_options o;
        char error[600] = "";
        give(cases[i].line);
        CU_ASSERT_EQUAL(record_options_read(&o, error, sizeof(error)), TW_ERR_USAGE);
        if (strstr(error, cases[i].message) != error) {
            printf("\"%s\": %s\n", cases[i].line, error);
        }
        CU_ASSERT_PTR_EQUAL(strstr(error, cases[i].message), error);
        CU_ASSERT_PTR_NULL(strchr(error, '\n'));
    }
    session_reset();
}

static const char *prefix_of(const char *line)
{
    static struct record_options o;
    char error[600];
    give(line);
    CU_ASSERT_EQUAL(record_options_read(&o, error, sizeof(error)), TW_OK);
    return o.prefix;
}

static void test_prefix(void)
{
    CU_ASSERT_STRING_EQUAL(prefix_of(""), "warpscope");
    CU_ASSERT_STRING_EQUAL(prefix_of("stats-filename=a"), "a");
    CU_ASSERT_STRING_EQUAL(prefix_of("stats-prefix=b"), "b");
    CU_ASSERT_STRING_EQUAL(prefix_of("stats-filename=a stats-prefix=a"), "a");
    session_reset();
}

/* Options without effect are named. */
static void test_idle(void)
{
    static const struct {
        const char *line, *idle;
    } cases[] = {
        {"granularity=1", "granularity"},
        {"kp-data=1 model-stats=3", "kp-data"},
        {"pe-data=0", "pe-data"},
        {"num-gvt=2 real-time-samp=9", "num-gvt"},
        {"engine-stats=0 rt-interval=9", "rt-interval"},
        {"num-gvt=2 model-stats=1", NULL},
        {"num-gvt=2 enable-gvt-stats=1 lp-data=1", NULL},
        {"real-time-samp=9 granularity=1", NULL},
        {"", NULL},
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        struct record_options o;
        char error[600];
        give(cases[i].line);
        CU_ASSERT_EQUAL(record_options_read(&o, error, sizeof(error)), TW_OK);
        const char *idle = record_options_idle(&o);
        CU_ASSERT_EQUAL(idle != NULL, cases[i].idle != NULL);
        if (idle != NULL && cases[i].idle != NULL) {
            CU_ASSERT_STRING_EQUAL(idle, cases[i].idle);
        }
    }
    session_reset();
}

int main(void)
{
    static const CU_TestInfo tests[] = {
        {"meanings", test_meanings},
        {"contradictions", test_contradictions},
        {"prefix", test_prefix},
        {"idle", test_idle},
    };
    return suite_run("record/option_aliases", tests, sizeof(tests) / sizeof(tests[0]));
}
