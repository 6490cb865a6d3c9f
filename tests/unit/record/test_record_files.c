/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A whole recording: its files, and the results of a full disk.
 *
 * test: alone=yes
 */
#include <signal.h>
#include <sys/resource.h>

#include "support/record_root.h"

/* ---- Files ----------------------------------------------------------------------------------- */

static void test_files_of_enabled_streams(void)
{
    begin(2);
    g_st_options.gvt_stats = 1;
    strcpy(g_st_options.prefix, "mine");
    CU_ASSERT_EQUAL_FATAL(setup(), TW_OK);
    fake_finish();
    fake_end();
    CU_ASSERT_TRUE(exists(dir, "mine-gvt.bin"));
    CU_ASSERT_TRUE(exists(dir, "mine-README.txt"));
    CU_ASSERT_FALSE(exists(dir, "mine-model.bin"));
    CU_ASSERT_FALSE(exists(dir, "mine-evtrace.bin"));
}

static void test_nothing_enabled(void)
{
    begin(2);
    char wanted[RECORD_PATH_MAX];
    snprintf(wanted, sizeof(wanted), "%s", g_st_options.path);
    CU_ASSERT_EQUAL(setup(), TW_OK);
    fake_finish();
    char text[100] = "";
    FILE *out = fmemopen(text, sizeof(text), "w");
    tw_extension.report_text(out);
    report_json_print(out);
    fclose(out);
    CU_ASSERT_STRING_EQUAL(text, "{}\n");
    fake_end();
    CU_ASSERT_FALSE(exists(wanted, ""));
}

static void test_disable_output(void)
{
    begin(2);
    char wanted[RECORD_PATH_MAX];
    snprintf(wanted, sizeof(wanted), "%s", g_st_options.path);
    g_st_options.gvt_stats = 1;
    g_st_options.disable_output = 1;
    g_st_options.buffer_size = 300;
    CU_ASSERT_EQUAL_FATAL(setup(), TW_OK);
    for (int g = 0; g < 100; g++) {
        fake_gvt(g);
    }
    fake_finish();
    CU_ASSERT_EQUAL(context_recorder()->files[RECORD_GVT].totals.collected, 101);
    CU_ASSERT_EQUAL(context_recorder()->files[RECORD_GVT].totals.lost, 0);
    fake_end();
    CU_ASSERT_FALSE(exists(wanted, ""));
}

/* The directory cannot be made: a status, and no probes. */
static void test_bad_path(void)
{
    begin(2);
    g_st_options.gvt_stats = 1;
    snprintf(g_st_options.path, sizeof(g_st_options.path), "/proc/none/x");
    CU_ASSERT_EQUAL(setup(), TW_ERR_IO);
    CU_ASSERT_FALSE(PROBE_IS_WANTED(&fake.probes, gvt_advanced));
    fake_end();
}

/* Limits the size of files that this process may write: simulates a full disk. */
static void limit_file_size(rlim_t bytes)
{
    struct rlimit limit;
    getrlimit(RLIMIT_FSIZE, &limit);
    limit.rlim_cur = bytes;
    signal(SIGXFSZ, SIG_IGN);
    setrlimit(RLIMIT_FSIZE, &limit);
}

/* The superblock does not fit: no file remains. */
static void test_no_room_at_start(void)
{
    begin(2);
    char wanted[RECORD_PATH_MAX];
    snprintf(wanted, sizeof(wanted), "%s", g_st_options.path);
    g_st_options.gvt_stats = 1;
    limit_file_size(0);
    enum tw_status status = setup();
    limit_file_size(RLIM_INFINITY);
    CU_ASSERT_EQUAL(status, TW_ERR_IO);
    fake_end();
    CU_ASSERT_FALSE(exists(wanted, ""));
}

/* The disk fills up during the run: one message, exact loss, the rest is readable. */
static void test_no_room_later(void)
{
    begin(2);
    g_st_options.gvt_stats = 1;
    g_st_options.buffer_size = 1200;
    CU_ASSERT_EQUAL_FATAL(setup(), TW_OK);
    limit_file_size(65536 + 8000);
    for (int g = 0; g < 500; g++) {
        fake.counters.events_processed++;
        fake_gvt(g);
    }
    fake_finish();
    limit_file_size(RLIM_INFINITY);
    struct stream_totals totals = context_recorder()->files[RECORD_GVT].totals;
    CU_ASSERT_EQUAL(fake.warnings, 1);
    CU_ASSERT_PTR_NOT_NULL(strstr(fake.last_message, path_gvt));
    CU_ASSERT_TRUE(totals.failed > 0);
    CU_ASSERT_EQUAL(totals.collected, 501);
    CU_ASSERT_EQUAL(totals.written + totals.lost, 501);
    CU_ASSERT(totals.written > 0 && totals.lost > 0);
    char text[4000] = "";
    FILE *out = fmemopen(text, sizeof(text), "w");
    tw_extension.report_text(out);
    report_json_print(out);
    fclose(out);
    char words[100];
    snprintf(words, sizeof(words), "WARNING: %" PRIu64 " of 501 records", totals.lost);
    CU_ASSERT_PTR_NOT_NULL(strstr(text, words));
    snprintf(words, sizeof(words), "\"lost\": %" PRIu64, totals.lost);
    CU_ASSERT_PTR_NOT_NULL(strstr(text, words));
    fake_end();
    struct read_back back;
    read_back(&back, path_gvt);
    CU_ASSERT_EQUAL(back.n, totals.written);
    CU_ASSERT_EQUAL(sum_rows(&back).processed, totals.written);
    read_back_free(&back);
}

int main(void)
{
    static const CU_TestInfo tests[] = {
        {"files of enabled streams", test_files_of_enabled_streams},
        {"nothing enabled", test_nothing_enabled},
        {"disable output", test_disable_output},
        {"bad path", test_bad_path},
        {"no room at start", test_no_room_at_start},
        {"no room later", test_no_room_later},
    };
    return root_mpi_run("record/recorder, files", tests, sizeof(tests) / sizeof(tests[0]));
}
