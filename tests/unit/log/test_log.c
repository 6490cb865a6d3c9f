/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Loggers: states, names, combinators, disks that are full.
 */
/* test: libs=warpscope_log */
#include <math.h>
#include <unistd.h>

#include "support/json_check.h"
#include "support/log_sink.h"
#include "support/suite.h"

static const create_f creates[] = {st_log_csv_create, st_log_chrome_create, st_log_text_create};

/* ---- States ---------------------------------------------------------------------------------- */

static void states_check(st_logger *log)
{
    st_log_entry entry = {.name = "a"};
    CU_ASSERT_EQUAL(st_logger_add(log, &entry), ST_WRONG_STATE);
    CU_ASSERT_EQUAL(st_logger_flush(log), ST_WRONG_STATE);
    CU_ASSERT_EQUAL(st_logger_finish(log), ST_WRONG_STATE);
    CU_ASSERT_EQUAL(st_logger_start(log), ST_OK);
    CU_ASSERT_EQUAL(st_logger_start(log), ST_WRONG_STATE);
    CU_ASSERT_EQUAL(st_logger_add(log, &entry), ST_OK);
    CU_ASSERT_EQUAL(st_logger_flush(log), ST_OK);
    CU_ASSERT_EQUAL(st_logger_finish(log), ST_OK);
    CU_ASSERT_EQUAL(st_logger_finish(log), ST_WRONG_STATE);
    CU_ASSERT_EQUAL(st_logger_add(log, &entry), ST_WRONG_STATE);
    CU_ASSERT_EQUAL(st_logger_start(log), ST_WRONG_STATE);
    CU_ASSERT_EQUAL(st_logger_entries(log), 1);
    CU_ASSERT_EQUAL(st_logger_lost(log), 0);
    st_logger_destroy(log);
}

static void test_states(void)
{
    struct sink s = sink_make(1u << 16);
    st_log_target target = target_of(&s);
    st_logger *log, *pair[2];
    for (size_t i = 0; i < 3; i++) {
        CU_ASSERT_EQUAL_FATAL(creates[i](&target, NULL, &log), ST_OK);
        states_check(log);
    }
    CU_ASSERT_EQUAL_FATAL(st_log_memory_create(5, &log), ST_OK);
    states_check(log);
    CU_ASSERT_EQUAL_FATAL(st_log_memory_create(5, &pair[0]), ST_OK);
    CU_ASSERT_EQUAL_FATAL(st_log_filter_create(NULL, NULL, 0, pair[0], &log), ST_OK);
    states_check(log);
    CU_ASSERT_EQUAL_FATAL(st_log_memory_create(5, &pair[0]), ST_OK);
    CU_ASSERT_EQUAL_FATAL(st_log_text_create(&target, NULL, &pair[1]), ST_OK);
    CU_ASSERT_EQUAL_FATAL(st_log_broadcast_create(pair, 2, &log), ST_OK);
    states_check(log);
    free(s.data);
}

static void test_invalid(void)
{
    struct sink s = sink_make(1000);
    st_log_target none = {.path = NULL}, target = target_of(&s);
    st_log_options negative = {.unit_s = -1};
    st_logger *log, *started;
    CU_ASSERT_EQUAL(st_log_csv_create(&none, NULL, &log), ST_INVALID);
    CU_ASSERT_EQUAL(st_log_csv_create(NULL, NULL, &log), ST_INVALID);
    CU_ASSERT_EQUAL(st_log_csv_create(&target, NULL, NULL), ST_INVALID);
    CU_ASSERT_EQUAL(st_log_chrome_create(&target, &negative, &log), ST_INVALID);
    CU_ASSERT_EQUAL(st_log_filter_create(NULL, NULL, 0, NULL, &log), ST_INVALID);
    CU_ASSERT_EQUAL(st_log_broadcast_create(NULL, 0, &log), ST_INVALID);
    CU_ASSERT_EQUAL(st_logger_start(NULL), ST_INVALID);
    CU_ASSERT_EQUAL_FATAL(st_log_csv_create(&target, NULL, &started), ST_OK);
    CU_ASSERT_EQUAL(st_logger_start(started), ST_OK);
    CU_ASSERT_EQUAL(st_log_filter_create(NULL, NULL, 0, started, &log), ST_INVALID);
    st_log_entry bad[] = {
        {.phase = 'Q'},   {.time = NAN},     {.time = INFINITY}, {.time = -1e291},
        {.duration = -1}, {.duration = NAN}, {.scope = 'x'},     {.n_args = 1, .args = NULL}};
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        CU_ASSERT_EQUAL(st_logger_add(started, &bad[i]), ST_INVALID);
    }
    CU_ASSERT_EQUAL(st_logger_add(started, NULL), ST_INVALID);
    CU_ASSERT_EQUAL(st_logger_entries(started) + st_logger_lost(started), 0);
    st_logger *twice[2] = {NULL, NULL};
    CU_ASSERT_EQUAL_FATAL(st_log_memory_create(1, &twice[0]), ST_OK);
    twice[1] = twice[0];
    CU_ASSERT_EQUAL(st_log_broadcast_create(twice, 2, &log), ST_INVALID);
    st_logger_destroy(twice[0]);
    st_logger_destroy(started);
    st_logger_destroy(NULL);
    free(s.data);
}

static void test_names(void)
{
    struct sink s = sink_make(1000);
    st_log_target target = target_of(&s);
    st_logger *log;
    CU_ASSERT_EQUAL_FATAL(st_log_chrome_create(&target, NULL, &log), ST_OK);
    CU_ASSERT_EQUAL(st_log_process_name(log, 1, "PE 1"), ST_WRONG_STATE);
    CU_ASSERT_EQUAL(st_logger_start(log), ST_OK);
    CU_ASSERT_EQUAL(st_log_process_name(log, 1, "PE 1"), ST_OK);
    CU_ASSERT_EQUAL(st_log_thread_name(log, 1, 7, "KP 7"), ST_OK);
    st_logger_destroy(log); /* finishes it */
    CU_ASSERT_PTR_NOT_NULL(strstr(s.data, "{\"name\":\"thread_name\",\"ph\":\"M\",\"pid\":1,"
                                          "\"tid\":7,\"args\":{\"name\":\"KP 7\"}}"));
    CU_ASSERT(json_is_valid(s.data));
    free(s.data);
}

/* ---- Errors and bounds ----------------------------------------------------------------------- */

static void test_full_sink(void)
{
    for (size_t i = 0; i < 3; i++) {
        struct sink s = sink_make(1000);
        st_log_target target = target_of(&s);
        st_log_options options = {.flush_entries = 4};
        st_log_entry entry = {.name = "a name of some length", .phase = 'X', .duration = 1};
        st_logger *log;
        uint64_t taken = 0;
        CU_ASSERT_EQUAL_FATAL(creates[i](&target, &options, &log), ST_OK);
        CU_ASSERT_EQUAL(st_logger_start(log), ST_OK);
        for (unsigned k = 0; k < 100; k++) {
            st_result result = st_logger_add(log, &entry);
            taken += result == ST_OK;
            CU_ASSERT(result == ST_OK || result == ST_IO);
        }
        CU_ASSERT_EQUAL(st_logger_flush(log), ST_IO);
        CU_ASSERT_EQUAL(st_logger_finish(log), ST_IO);
        CU_ASSERT_STRING_EQUAL(st_logger_error(log), "sink: cannot write: No space left on device");
        CU_ASSERT_EQUAL(st_logger_entries(log) + st_logger_lost(log), 100);
        CU_ASSERT_EQUAL(st_logger_entries(log) % 4, 0); /* whole buffers */
        CU_ASSERT(st_logger_entries(log) > 0 && taken - st_logger_entries(log) == 3);
        st_logger_destroy(log);
        free(s.data);
    }
}

static void test_paths(void)
{
    st_log_target nowhere = {.path = "/nowhere/log.json"}, full = {.path = "/dev/full"};
    st_logger *pair[2], *log;
    st_log_entry entry = {.name = "a"};
    size_t n;
    CU_ASSERT_EQUAL_FATAL(st_log_chrome_create(&nowhere, NULL, &log), ST_OK);
    CU_ASSERT_EQUAL(st_logger_start(log), ST_IO);
    CU_ASSERT_STRING_EQUAL(st_logger_error(log),
                           "/nowhere/log.json: cannot create: No such file or directory");
    CU_ASSERT_EQUAL(st_logger_add(log, &entry), ST_WRONG_STATE);
    st_logger_destroy(log);
    /* The target that works gets everything. */
    CU_ASSERT_EQUAL_FATAL(st_log_chrome_create(&nowhere, NULL, &pair[0]), ST_OK);
    CU_ASSERT_EQUAL_FATAL(st_log_memory_create(10, &pair[1]), ST_OK);
    CU_ASSERT_EQUAL_FATAL(st_log_broadcast_create(pair, 2, &log), ST_OK);
    CU_ASSERT_EQUAL(st_logger_start(log), ST_IO);
    CU_ASSERT_EQUAL(st_logger_add(log, &entry), ST_IO);
    CU_ASSERT_PTR_NOT_NULL(st_log_memory_entries(pair[1], &n));
    CU_ASSERT_EQUAL(n, 1);
    CU_ASSERT_EQUAL(st_logger_lost(log), 1);
    CU_ASSERT_EQUAL(st_logger_finish(log), ST_IO);
    st_logger_destroy(log);
    if (access("/dev/full", W_OK) == 0) {
        CU_ASSERT_EQUAL_FATAL(st_log_csv_create(&full, NULL, &log), ST_OK);
        CU_ASSERT_EQUAL(st_logger_start(log), ST_OK);
        CU_ASSERT_EQUAL(st_logger_add(log, &entry), ST_OK);
        CU_ASSERT_EQUAL(st_logger_finish(log), ST_IO);
        CU_ASSERT_STRING_EQUAL(st_logger_error(log),
                               "/dev/full: cannot write: No space left on device");
        CU_ASSERT_EQUAL(st_logger_lost(log), 1);
        CU_ASSERT_EQUAL(st_logger_entries(log), 0);
        st_logger_destroy(log);
    }
}

static void test_file(void)
{
    char path[] = "/tmp/test_log-XXXXXX", text[200];
    int fd = mkstemp(path);
    CU_ASSERT_FATAL(fd >= 0);
    CU_ASSERT_EQUAL(write(fd, "what was there before, and is long", 34), 34);
    st_log_target target = {.path = path};
    st_log_options each = {.flush_entries = 1};
    st_log_entry entry = {.name = "one"};
    st_logger *log;
    CU_ASSERT_EQUAL_FATAL(st_log_text_create(&target, &each, &log), ST_OK);
    CU_ASSERT_EQUAL(st_logger_start(log), ST_OK);
    CU_ASSERT_EQUAL(st_logger_add(log, &entry), ST_OK);
    ssize_t n = pread(fd, text, sizeof text - 1, 0); /* before the end, because of the flush */
    text[n < 0 ? 0 : n] = '\0';
    CU_ASSERT_STRING_EQUAL(text, "0 i 0.0 one\n");
    st_logger_destroy(log);
    close(fd);
    unlink(path);
}

static bool is_odd(const st_log_entry *entry, void *ctx)
{
    ++*(int *)ctx;
    return entry->id % 2 == 1;
}

static void test_filter(void)
{
    st_logger *memory, *log;
    int asked = 0;
    size_t n;
    CU_ASSERT_EQUAL_FATAL(st_log_memory_create(3, &memory), ST_OK);
    CU_ASSERT_EQUAL_FATAL(st_log_filter_create(is_odd, &asked, 2, memory, &log), ST_OK);
    CU_ASSERT_EQUAL(st_logger_start(log), ST_OK);
    for (uint64_t id = 0; id < 8; id++) {
        st_log_entry entry = {.name = "x", .id = id, .level = id == 3 ? 3 : 2};
        CU_ASSERT_EQUAL(st_logger_add(log, &entry), ST_OK);
    }
    const st_log_entry *list = st_log_memory_entries(memory, &n);
    CU_ASSERT_EQUAL_FATAL(n, 3);
    CU_ASSERT(list[0].id == 1 && list[1].id == 5 && list[2].id == 7);
    CU_ASSERT_EQUAL(asked, 7);
    CU_ASSERT_PTR_NULL(st_log_memory_entries(log, &n));
    st_log_entry more = {.id = 9};
    CU_ASSERT_EQUAL(st_logger_add(log, &more), ST_FULL);
    CU_ASSERT_EQUAL(st_logger_lost(memory), 1);
    CU_ASSERT_STRING_EQUAL(st_logger_error(log), "no room for more entries");
    st_logger_destroy(log);
}

int main(void)
{
    static const CU_TestInfo tests[] = {
        {"states", test_states}, {"invalid", test_invalid},
        {"names", test_names},   {"a sink that gets full", test_full_sink},
        {"paths", test_paths},   {"a file", test_file},
        {"filter", test_filter},
    };
    return suite_run("log", tests, sizeof tests / sizeof tests[0]);
}
