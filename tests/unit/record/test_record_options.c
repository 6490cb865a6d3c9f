/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Options of the instrumentation, and the directory that a run makes for its files.
 *
 * test: alone=yes
 */
#include <sys/stat.h>
#include <unistd.h>

#include "record/base/run_dir.h"
#include "session.h"
#include "support/fake_engine.h"
#include "support/root_dir.h"

/* ---- Options --------------------------------------------------------------------------------- */

static const tw_optdef *find_option(const char *name)
{
    for (const tw_optdef *const *table = tw_extension.option_tables(); *table != NULL; table++) {
        for (const tw_optdef *o = *table; o->type != TWOPTTYPE_END; o++) {
            if (o->name != NULL && strcmp(o->name, name) == 0) {
                return o;
            }
        }
    }
    return NULL;
}

/* Sets an option like the command line, then reads all options. */
static enum tw_status read_with(const char *name, const char *value, struct record_options *out,
                                char *error, size_t size)
{
    const tw_optdef *o = find_option(name);
    CU_ASSERT_PTR_NOT_NULL_FATAL(o);
    if (o->type == TWOPTTYPE_CHAR) {
        CU_ASSERT_FATAL(strlen(value) < o->size);
        strcpy(o->value, value);
    } else if (o->type == TWOPTTYPE_ULONGLONG) {
        CU_ASSERT_EQUAL_FATAL(o->size, sizeof(unsigned long long));
        *(unsigned long long *)o->value = strtoull(value, NULL, 0);
    } else {
        CU_ASSERT_EQUAL_FATAL(o->size, sizeof(unsigned));
        *(unsigned *)o->value = (unsigned)strtoul(value, NULL, 0);
    }
    error[0] = '\0';
    enum tw_status status = record_options_read(out, error, size);
    session_reset();
    return status;
}

static void test_defaults(void)
{
    struct record_options o;
    char error[600] = "";
    session_reset();
    CU_ASSERT_EQUAL(record_options_read(&o, error, sizeof(error)), TW_OK);
    CU_ASSERT_FALSE(record_options_any(&o));
    CU_ASSERT_EQUAL(o.gvt_stats, 0);
    CU_ASSERT_EQUAL(o.num_gvt, 1);
    CU_ASSERT_EQUAL(o.event_trace, 0);
    CU_ASSERT_EQUAL(o.model_stats, 0);
    CU_ASSERT_EQUAL(o.buffer_size, 8388608);
    CU_ASSERT_EQUAL(o.buffer_free, 15);
    CU_ASSERT_EQUAL(o.disable_output, 0);
    CU_ASSERT_STRING_EQUAL(o.prefix, "warpscope");
    CU_ASSERT_STRING_EQUAL(o.path, "stats-output");
}

static void test_values(void)
{
    static const struct {
        const char *name, *value;
        enum tw_status status;
    } cases[] = {
        {"enable-gvt-stats", "1", TW_OK},
        {"num-gvt", "7", TW_OK},
        {"num-gvt", "0", TW_ERR_USAGE},
        {"event-trace", "1", TW_OK},
        {"event-trace", "2", TW_OK},
        {"event-trace", "3", TW_OK},
        {"event-trace", "4", TW_ERR_USAGE},
        {"model-stats", "1", TW_OK},
        {"model-stats", "2", TW_OK},
        {"model-stats", "3", TW_OK},
        {"model-stats", "4", TW_OK},
        {"model-stats", "5", TW_ERR_USAGE},
        {"real-time-samp", "0", TW_OK},
        {"real-time-samp", "4294967295", TW_OK},
        {"rt-interval", "20", TW_OK},
        {"granularity", "1", TW_OK},
        {"engine-stats", "4", TW_OK},
        {"engine-stats", "5", TW_ERR_USAGE},
        {"pe-data", "0", TW_OK},
        {"kp-data", "1", TW_OK},
        {"lp-data", "1", TW_OK},
        {"stats-prefix", "other", TW_OK},
        {"stats-filename", "run.1", TW_OK},
        {"stats-filename", "", TW_ERR_USAGE},
        {"stats-filename", "a/b", TW_ERR_USAGE},
        {"stats-filename", ".hidden", TW_ERR_USAGE},
        {"stats-filename", "two\nlines", TW_ERR_USAGE},
        {"stats-path", "a/b/c", TW_OK},
        {"stats-path", "a/", TW_OK},
        {"stats-path", "", TW_ERR_USAGE},
        {"stats-path", "/", TW_ERR_USAGE},
        {"stats-path", ".", TW_ERR_USAGE},
        {"stats-path", "a/..", TW_ERR_USAGE},
        {"stats-path", "..a", TW_OK},
        {"buffer-size", "1", TW_OK},
        {"buffer-size", "0", TW_ERR_USAGE},
        {"buffer-free", "0", TW_OK},
        {"buffer-free", "100", TW_OK},
        {"buffer-free", "101", TW_ERR_USAGE},
        {"disable-output", "1", TW_OK},
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        struct record_options o;
        char error[600];
        char named[64];
        enum tw_status status = read_with(cases[i].name, cases[i].value, &o, error, sizeof(error));
        if (status != cases[i].status) {
            printf("--%s=%s: status %d\n", cases[i].name, cases[i].value, status);
        }
        CU_ASSERT_EQUAL(status, cases[i].status);
        snprintf(named, sizeof(named), "--%s=", cases[i].name);
        CU_ASSERT(status == TW_OK || strstr(error, named) == error);
    }
}

/* A model may set the g_st_ variables instead; tw_end() undoes it. */
static void test_set_by_model(void)
{
    struct record_options o;
    char error[600];
    g_st_ev_trace = 3;
    g_st_model_stats = 1;
    CU_ASSERT_EQUAL(record_options_read(&o, error, sizeof(error)), TW_OK);
    CU_ASSERT_EQUAL(o.event_trace, 3);
    CU_ASSERT_EQUAL(o.model_stats, 1);
    CU_ASSERT_TRUE(record_options_any(&o));
    session_reset();
    CU_ASSERT_EQUAL(g_st_ev_trace, 0);
    CU_ASSERT_EQUAL(g_st_model_stats, 0);
}

/* ---- Directory ------------------------------------------------------------------------------- */

/* Makes root/wanted. Sets result to the path relative to root, "" on failure. */
static const char *make(const char *wanted, char *error, size_t error_size)
{
    static char made[RECORD_PATH_MAX];
    char path[RECORD_PATH_MAX];
    snprintf(path, sizeof(path), "%s/%s", root, wanted);
    enum tw_status status = run_dir_make(path, made, sizeof(made), error, error_size);
    if (status != TW_OK) {
        CU_ASSERT_EQUAL(status, TW_ERR_IO);
        return "";
    }
    struct stat st;
    CU_ASSERT_EQUAL(stat(made, &st), 0);
    CU_ASSERT_TRUE(S_ISDIR(st.st_mode));
    return made + strlen(root) + 1;
}

static void test_directory_names(void)
{
    char error[600];
    CU_ASSERT_STRING_EQUAL(make("out", error, sizeof(error)), "out");
    CU_ASSERT_STRING_EQUAL(make("out", error, sizeof(error)), "out-1");
    CU_ASSERT_STRING_EQUAL(make("out///", error, sizeof(error)), "out-2");
    CU_ASSERT_STRING_EQUAL(make("deep/er/out", error, sizeof(error)), "deep/er/out");
    CU_ASSERT_STRING_EQUAL(make("deep/er/out", error, sizeof(error)), "deep/er/out-1");
    CU_ASSERT_STRING_EQUAL(make("deep//other/", error, sizeof(error)), "deep//other");
    CU_ASSERT_STRING_EQUAL(make("out-1", error, sizeof(error)), "out-1-1");
}

/* A file, or a dangling link, has the name: the run makes no numbered directory instead. If
 * an entry has a numbered name, the next number is used. */
static void test_name_taken_by_file(void)
{
    char error[600];
    char path[RECORD_PATH_MAX];
    snprintf(path, sizeof(path), "%s/plain", root);
    FILE *f = fopen(path, "w");
    CU_ASSERT_PTR_NOT_NULL_FATAL(f);
    fclose(f);
    CU_ASSERT_STRING_EQUAL(make("plain", error, sizeof(error)), "");
    CU_ASSERT_PTR_NOT_NULL(strstr(error, "/plain: exists and is not a directory"));
    CU_ASSERT_STRING_EQUAL(make("plain/", error, sizeof(error)), "");
    CU_ASSERT_PTR_NOT_NULL(strstr(error, "/plain: exists and is not a directory"));
    snprintf(path, sizeof(path), "%s/link", root);
    CU_ASSERT_EQUAL(symlink("nowhere", path), 0);
    CU_ASSERT_STRING_EQUAL(make("link", error, sizeof(error)), "");
    CU_ASSERT_STRING_EQUAL(make("runs", error, sizeof(error)), "runs");
    snprintf(path, sizeof(path), "%s/runs-1", root);
    CU_ASSERT_EQUAL(symlink("nowhere", path), 0);
    CU_ASSERT_STRING_EQUAL(make("runs", error, sizeof(error)), "runs-2");
    CU_ASSERT_STRING_EQUAL(make("plain/below", error, sizeof(error)), "");
    CU_ASSERT_PTR_NOT_NULL(strstr(error, "plain/below"));
    CU_ASSERT_PTR_NOT_NULL(strstr(error, "Not a directory"));
}

static void test_impossible_names(void)
{
    char error[600];
    char made[100];
    char longest[5000];
    memset(longest, 'x', sizeof(longest) - 1);
    longest[sizeof(longest) - 1] = '\0';
    CU_ASSERT_EQUAL(run_dir_make(longest, made, sizeof(made), error, sizeof(error)), TW_ERR_USAGE);
    CU_ASSERT_EQUAL(run_dir_make("/proc/none/x", made, sizeof(made), error, sizeof(error)),
                    TW_ERR_IO);
    CU_ASSERT_PTR_NOT_NULL(strstr(error, "/proc/none"));
}

int main(void)
{
    static const CU_TestInfo tests[] = {
        {"defaults", test_defaults},
        {"values", test_values},
        {"set by model", test_set_by_model},
        {"directory names", test_directory_names},
        {"name taken by file", test_name_taken_by_file},
        {"impossible names", test_impossible_names},
    };
    return root_suite_run("record/options", tests, sizeof(tests) / sizeof(tests[0]));
}
