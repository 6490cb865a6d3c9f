/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Reading a file while its run records: random series of records, read in rounds between and beside
 * them, return what the naive model of the stream says, each record once and in order.
 *
 * test: libs=warpscope_reading,warpscope alone=yes
 */
#define _GNU_SOURCE /* AT_EMPTY_PATH */
#include "live/live.h"

#include <fcntl.h>

#include "support/killed_run.h"

/* Number of the next call of fstat() that fails, from 1; 0: none. */
static int fstat_fails_in;

int fstat(int fd, struct stat *state)
{
    if (fstat_fails_in > 0 && --fstat_fails_in == 0) {
        errno = EIO;
        return -1;
    }
    return fstatat(fd, "", state, AT_EMPTY_PATH);
}

static struct ws_live *live_open(void)
{
    struct ws_live *live = NULL;
    struct fmt_error error = {0};
    CU_ASSERT_EQUAL_FATAL(ws_live_open(&live, path_file, &error), FMT_OK);
    for (uint32_t k = 0; k < live->sb->n_schemas; k++) {
        struct fmt_wanted all = {.payload = false};
        for (uint32_t i = 0; i < live->sb->schemas[k]->n_fields; i++) {
            fmt_wanted_add(&all, i);
        }
        ws_live_want(live, k, &all);
    }
    return live;
}

/* Reads a round, and compares its records with the model. */
static enum ws_live_got read_round(struct ws_live *live, struct stream_model *m)
{
    struct ws_live_rows rows;
    struct fmt_error error = {0};
    enum ws_live_got got;
    while ((got = ws_live_next(live, &rows, &error)) == WS_LIVE_ROWS) {
        const struct fmt_columns *c = rows.columns;
        CU_ASSERT(rows.first < c->n_records && rows.pe == 0);
        for (uint32_t r = rows.first; r < c->n_records; r++) {
            model_expect(m, c->schema->id == model_kinds[0] ? 0 : 1, c, r);
        }
    }
    CU_ASSERT_EQUAL(got, WS_LIVE_ROUND);
    return got;
}

/* ---- Between records ------------------------------------------------------------------------- */

struct recording {
    struct record_stream stream;
    struct fmt_file file;
};

static void recording_begin(struct recording *r, const struct killed_run *run)
{
    char error[300];
    const struct fmt_schema *schemas[2];
    size_t row_bytes_max = model_schemas(schemas, run->n_channels);
    CU_ASSERT_EQUAL_FATAL(fmt_file_open_write(&r->file, path_file, NULL), FMT_OK);
    CU_ASSERT_EQUAL_FATAL(
        stream_init(&r->stream, 0, model_kinds, run->n_channels, &run->buffers, row_bytes_max),
        TW_OK);
    CU_ASSERT_EQUAL_FATAL(stream_connect(&r->stream, &r->file.io, path_file, &run->layout,
                                         row_bytes_max, error, sizeof(error)),
                          TW_OK);
}

static void recording_end(struct recording *r)
{
    struct fmt_end_info end = {.code = FMT_END_TIME, .gvt = 7, .text = "end"};
    stream_end(&r->stream, &end);
    stream_fini(&r->stream);
    fmt_file_close(&r->file, NULL);
}

/* Records, and reads a round after random numbers of records. with_journal: each round then has all
 * that was recorded before it. */
static void record_and_read(struct killed_run *run, bool with_journal, uint64_t *random)
{
    static struct recording r;
    struct stream_model *m = run->model;
    uint64_t next[2] = {0, 0}, every = 1 + random_below(random, 400);
    make_file(run);
    struct ws_live *live = live_open();
    recording_begin(&r, run);
    CU_ASSERT(!with_journal ||
              stream_keep_journal(&r.stream, path_journal, FMT_STREAM_EVTRACE) == 0);
    while (next[0] < m->n[0] || next[1] < m->n[1]) {
        unsigned channel = (unsigned)random_below(random, 5) == 0 ? 1 : 0;
        channel = next[channel] < m->n[channel] ? channel : 1 - channel;
        model_put(&r.stream, channel, next[channel], m->sizes[channel][next[channel]]);
        next[channel]++;
        if (random_below(random, run->gvt_every) == 0) {
            stream_gvt_advanced(&r.stream, (double)next[0]);
        }
        if (random_below(random, every) == 0) {
            read_round(live, m);
            CU_ASSERT_EQUAL(ws_live_pe(live, 0)->has_journal, with_journal);
            for (unsigned i = 0; with_journal && !m->dropping && i < 2; i++) {
                CU_ASSERT_EQUAL(m->seen[i], next[i]);
            }
        }
    }
    recording_end(&r);
    read_round(live, m);
    CU_ASSERT_EQUAL(live->n_ended, 1);
    CU_ASSERT_EQUAL(ws_live_pe(live, 0)->end.info.gvt, 7);
    CU_ASSERT_EQUAL(ws_live_pe(live, 0)->end.info.records, m->seen[0] + m->seen[1]);
    CU_ASSERT(m->dropping || (m->seen[0] == m->n[0] && m->seen[1] == m->n[1]));
    CU_ASSERT_EQUAL(m->wrong, 0);
    CU_ASSERT_STRING_EQUAL(live->damage, "");
    ws_live_close(live);
}

static void test_between_records(void)
{
    uint64_t random = suite_seed();
    suite_print_seed("live, between records", random);
    struct killed_run run = {.model = calloc(1, sizeof(*run.model)), .keeps_all = true};
    for (int i = 0; i < 150; i++) {
        draw_run(&run, &random);
        record_and_read(&run, i % 3 != 0, &random);
    }
    free(run.model);
}

/* ---- Beside a run that is killed ------------------------------------------------------------- */

static pid_t start_run(const struct killed_run *run)
{
    fflush(stdout);
    pid_t child = fork();
    CU_ASSERT_FATAL(child >= 0);
    if (child == 0) {
        record_until_killed(run);
        _exit(0);
    }
    return child;
}

static void read_killed(struct killed_run *run)
{
    struct stream_model *m = run->model;
    int status = 0;
    make_file(run);
    *shared = (struct shared){.writes = 0};
    struct ws_live *live = live_open();
    pid_t child = start_run(run);
    while (waitpid(child, &status, WNOHANG) == 0) {
        read_round(live, m);
    }
    read_round(live, m);
    bool killed = WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL;
    CU_ASSERT(killed || (WIFEXITED(status) && WEXITSTATUS(status) == 0));
    CU_ASSERT_EQUAL(m->wrong, 0);
    CU_ASSERT_STRING_EQUAL(live->damage, "");
    CU_ASSERT(killed || live->n_ended == 1);
    for (unsigned i = 0; i < 2 && !m->dropping; i++) {
        uint64_t committed = atomic_load(&shared->committed[i]);
        CU_ASSERT(m->seen[i] == committed || (killed && m->seen[i] == committed + 1));
    }
    /* Recovering changes nothing of what was returned, and ends the file. */
    struct stream_model *all = calloc(1, sizeof(*all));
    memcpy(all, m, sizeof(*all));
    memset(all->seen, 0, sizeof(all->seen));
    memset(all->next, 0, sizeof(all->next));
    struct deadly_file file;
    struct fmt_recovery plan;
    deadly_open(&file, 0, 0);
    if (access(path_journal, F_OK) == 0) {
        CU_ASSERT_EQUAL(recover(&file.io, &plan), FMT_OK);
        unlink(path_journal);
    }
    read_round(live, m);
    CU_ASSERT_EQUAL(live->n_ended, 1);
    model_compare(&file.io, all);
    CU_ASSERT_EQUAL(m->wrong + all->wrong, 0);
    CU_ASSERT(all->seen[0] == m->seen[0] && all->seen[1] == m->seen[1]);
    fmt_file_close(&file.file, NULL);
    free(all);
    ws_live_close(live);
}

static void test_beside_a_run(void)
{
    uint64_t random = suite_seed();
    suite_print_seed("live, beside a run", random);
    struct killed_run run = {.model = calloc(1, sizeof(*run.model)), .keeps_all = true};
    for (int i = 0; i < 100; i++) {
        draw_run(&run, &random);
        read_killed(&run);
    }
    free(run.model);
}

/* ---- Files that change under the reader ------------------------------------------------------ */

static void test_replaced(void)
{
    struct killed_run run = {.n_channels = 1, .seed = 5};
    struct ws_live_rows rows;
    struct fmt_error error = {0};
    make_file(&run);
    struct ws_live *live = live_open();
    CU_ASSERT_EQUAL(ws_live_next(live, &rows, &error), WS_LIVE_ROUND);
    run.seed = 6;
    make_file(&run); /* under the same name */
    CU_ASSERT_EQUAL(ws_live_next(live, &rows, &error), WS_LIVE_REPLACED);
    ws_live_close(live);
    live = live_open();
    CU_ASSERT_EQUAL(ws_live_next(live, &rows, &error), WS_LIVE_ROUND);
    unlink(path_file);
    CU_ASSERT_EQUAL(ws_live_next(live, &rows, &error), WS_LIVE_REPLACED);
    ws_live_close(live);
    CU_ASSERT_EQUAL(ws_live_open(&live, path_file, &error), FMT_ERR_IO);
    CU_ASSERT_PTR_NULL(live);
    FILE *young = fopen(path_file, "w");
    CU_ASSERT_FATAL(young != NULL);
    fclose(young);
    CU_ASSERT_NOT_EQUAL(ws_live_open(&live, path_file, &error), FMT_OK);
    CU_ASSERT_PTR_NULL(live);
}

/* Whichever call of fstat() fails: if the file cannot be opened, the error says so. */
static void test_no_state(void)
{
    struct killed_run run = {.n_channels = 1, .seed = 5};
    unsigned failed = 0;
    make_file(&run);
    for (int i = 1; fstat_fails_in == 0; i++) {
        struct ws_live *live = NULL;
        struct fmt_error error = {0};
        fstat_fails_in = i;
        enum fmt_status status = ws_live_open(&live, path_file, &error);
        CU_ASSERT_EQUAL(error.status, status);
        if (status != FMT_OK) {
            failed++;
            CU_ASSERT_EQUAL(status, FMT_ERR_IO);
            CU_ASSERT_EQUAL(error.sys_errno, EIO);
            CU_ASSERT_PTR_NOT_NULL(strstr(error.text, strerror(EIO)));
            CU_ASSERT_PTR_NULL(live);
        }
        ws_live_close(live);
    }
    CU_ASSERT(failed > 0);
    fstat_fails_in = 0;
}

/* Kinds that are not wanted are counted; once wanted, new records come. */
static void test_wanted(void)
{
    static struct recording r;
    struct killed_run run = {
        .n_channels = 1, .seed = 9, .buffers = {.size = 100000, .free = 0, .full = STREAM_BLOCK}};
    struct ws_live *live = NULL;
    struct ws_live_rows rows;
    struct fmt_error error = {0};
    struct fmt_wanted one = {0};
    uint64_t seen = 0;
    make_file(&run);
    recording_begin(&r, &run);
    CU_ASSERT_EQUAL(stream_keep_journal(&r.stream, path_journal, FMT_STREAM_EVTRACE), 0);
    CU_ASSERT_EQUAL_FATAL(ws_live_open(&live, path_file, &error), FMT_OK);
    for (uint64_t i = 0; i < 50; i++) {
        model_put(&r.stream, 0, i, 8);
    }
    stream_flush(&r.stream);
    CU_ASSERT_EQUAL(ws_live_next(live, &rows, &error), WS_LIVE_ROUND);
    CU_ASSERT_EQUAL(ws_live_pe(live, 0)->records, 50);
    fmt_wanted_add(&one, 0);
    ws_live_want(live, 0, &one);
    for (uint64_t i = 50; i < 60; i++) {
        model_put(&r.stream, 0, i, 8);
    }
    while (ws_live_next(live, &rows, &error) == WS_LIVE_ROWS) {
        CU_ASSERT_EQUAL(ws_live_pe(live, 0)->records, 50); /* they are in the journal only */
        CU_ASSERT_PTR_NULL(rows.columns->values[1]);
        for (uint32_t i = rows.first; i < rows.columns->n_records; i++, seen++) {
            CU_ASSERT_EQUAL(fmt_columns_value(rows.columns, 0, i).as.u, 50 + seen);
        }
    }
    CU_ASSERT_EQUAL(seen, 10);
    recording_end(&r);
    CU_ASSERT_EQUAL(ws_live_next(live, &rows, &error), WS_LIVE_ROUND);
    CU_ASSERT_EQUAL(ws_live_pe(live, 0)->records, 60);
    ws_live_close(live);
}

int main(void)
{
    static const CU_TestInfo tests[] = {
        {"between records", test_between_records},
        {"beside a run", test_beside_a_run},
        {"replaced", test_replaced},
        {"no state", test_no_state},
        {"wanted", test_wanted},
    };
    if (!killed_runs_begin()) {
        perror("killed runs");
        return EXIT_FAILURE;
    }
    int status = suite_run("reader/live", tests, sizeof(tests) / sizeof(tests[0]));
    killed_runs_end();
    return status;
}
