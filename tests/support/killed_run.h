/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * killed_run.h - a child process that records into a real file with a journal and is killed at some
 * point, even in the middle of a write; and the recovery of its file, which can also be killed.
 *
 * Include it in the only source file of a program: it includes the fake engine.
 */
#ifndef WARPSCOPE_TESTS_KILLED_RUN_H
#define WARPSCOPE_TESTS_KILLED_RUN_H

#include <errno.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "format/recover.h"
#include "support/fake_engine.h"
#include "support/stream_model.h"
#include "support/suite.h"

static char root[] = "record_recover_XXXXXX";
static char path_file[64];
static char path_journal[64];

/* Data from a child for its parent, in shared memory. */
struct shared {
    _Atomic uint64_t committed[2]; /* records of each channel, counted after each was put */
    _Atomic uint64_t writes;
    atomic_bool ended; /* true if the run was killed after its END block */
};

static struct shared *shared;

#define AT_THE_END UINT64_MAX

/* A file whose process is killed at a write: before it, in its middle, or after it. */
struct deadly_file {
    struct fmt_io io;
    struct fmt_file file;
    uint64_t kill_at; /* number of the write, from 1; 0: never; AT_THE_END: that of the END block */
    unsigned how;     /* 0 before, 1 in the middle, 2 after */
};

static _Noreturn void die(void)
{
    raise(SIGKILL);
    abort();
}

static int deadly_write(void *ctx, const void *data, size_t size, uint64_t offset)
{
    struct deadly_file *d = ctx;
    uint32_t kind;
    memcpy(&kind, (const char *)data + 24, sizeof(kind));
    bool is_end = kind == FMT_BLOCK_END;
    bool now = atomic_fetch_add(&shared->writes, 1) + 1 == d->kill_at ||
               (is_end && d->kill_at == AT_THE_END);
    if (now && d->how == 0) {
        die();
    }
    if (now && d->how == 1) {
        d->file.io.write_at(&d->file, data, size / 2, offset);
        die();
    }
    int err = d->file.io.write_at(&d->file, data, size, offset);
    if (now) {
        atomic_store(&shared->ended, is_end);
        die();
    }
    return err;
}

static int deadly_read(void *ctx, void *data, size_t size, uint64_t offset, size_t *got)
{
    struct deadly_file *d = ctx;
    return d->file.io.read_at(&d->file, data, size, offset, got);
}

static int deadly_size(void *ctx, uint64_t *size)
{
    struct deadly_file *d = ctx;
    return d->file.io.get_size(&d->file, size);
}

static void deadly_open(struct deadly_file *d, uint64_t kill_at, unsigned how)
{
    *d = (struct deadly_file){.kill_at = kill_at, .how = how};
    if (fmt_file_open_write(&d->file, path_file, NULL) != FMT_OK) {
        abort();
    }
    d->io = (struct fmt_io){.ctx = d,
                            .path = path_file,
                            .write_at = deadly_write,
                            .read_at = deadly_read,
                            .get_size = deadly_size};
}

/* ---- The run that is killed ------------------------------------------------------------------ */

struct killed_run {
    struct stream_model *model; /* the records to write */
    struct fmt_layout layout;
    struct stream_buffers buffers;
    unsigned n_channels;
    bool thread;
    bool keeps_all; /* never a flight recorder */
    unsigned gvt_every;
    uint64_t kill_record; /* killed after this many records; never if there are fewer */
    uint64_t kill_write;
    unsigned how;
    uint64_t seed;
    bool ended; /* killed after its END block was written, or never */
};

static void make_file(struct killed_run *run)
{
    const struct fmt_schema *schemas[2];
    size_t row_bytes_max = model_schemas(schemas, run->n_channels);
    fmt_layout_init(&run->layout, FMT_STREAM_EVTRACE, 1, run->seed, row_bytes_max);
    struct fmt_superblock sb = {.stream = FMT_STREAM_EVTRACE,
                                .n_schemas = run->n_channels,
                                .layout = run->layout,
                                .schemas = schemas};
    struct fmt_file file;
    unlink(path_file);
    unlink(path_journal);
    CU_ASSERT_EQUAL_FATAL(fmt_file_create(&file, path_file, NULL), FMT_OK);
    CU_ASSERT_EQUAL_FATAL(fmt_superblock_write(&file.io, &sb, NULL), FMT_OK);
    fmt_file_close(&file, NULL);
}

/* Runs in the child. */
static void record_until_killed(const struct killed_run *run)
{
    static struct record_stream stream;
    static struct deadly_file file;
    static struct write_thread thread;
    char error[300];
    const struct fmt_schema *schemas[2];
    size_t row_bytes_max = model_schemas(schemas, run->n_channels);
    uint64_t random = run->seed, next[2] = {0, 0};
    deadly_open(&file, run->kill_write, run->how);
    if (stream_init(&stream, 0, model_kinds, run->n_channels, &run->buffers, row_bytes_max) !=
            TW_OK ||
        stream_connect(&stream, &file.io, path_file, &run->layout, row_bytes_max, error,
                       sizeof(error)) != TW_OK ||
        stream_keep_journal(&stream, path_journal, FMT_STREAM_EVTRACE) != 0) {
        abort();
    }
    if (run->thread) {
        write_thread_start(&thread);
        write_queue_use_thread(&stream.queue, &thread);
    }
    for (uint64_t k = 0; next[0] < run->model->n[0] || next[1] < run->model->n[1]; k++) {
        unsigned channel = (unsigned)random_below(&random, 5) == 0 ? 1 : 0;
        channel = next[channel] < run->model->n[channel] ? channel : 1 - channel;
        if (k == run->kill_record) { /* a row has been begun */
            memset(channel_reserve(&stream.channels[channel], row_bytes_max), 0xee, row_bytes_max);
            die();
        }
        model_put(&stream, channel, next[channel], run->model->sizes[channel][next[channel]]);
        next[channel]++;
        atomic_store(&shared->committed[channel], next[channel]);
        if (random_below(&random, run->gvt_every) == 0) {
            stream_gvt_advanced(&stream, (double)k);
        }
    }
    struct fmt_end_info end = {.code = FMT_END_TIME, .text = "end"};
    stream_end(&stream, &end);
    write_thread_stop(&thread);
    stream_fini(&stream);
}

/* Runs fn in a child. Returns true if it was killed. */
static bool in_child(void (*fn)(const struct killed_run *run), const struct killed_run *run)
{
    int status = 0;
    fflush(stdout);
    pid_t child = fork();
    CU_ASSERT_FATAL(child >= 0);
    if (child == 0) {
        fn(run);
        _exit(0);
    }
    CU_ASSERT_EQUAL(waitpid(child, &status, 0), child);
    bool killed = WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL;
    CU_ASSERT(killed || (WIFEXITED(status) && WEXITSTATUS(status) == 0));
    return killed;
}

/* ---- Recovering ------------------------------------------------------------------------------ */

/* Recovers the file. io: of the record file. */
static enum fmt_status recover(const struct fmt_io *io, struct fmt_recovery *plan)
{
    struct fmt_file journal_file;
    struct fmt_journal journal;
    struct fmt_reader *reader = NULL;
    struct fmt_error error = {0};
    enum fmt_status status = fmt_reader_open(io, &reader, &error);
    if (status == FMT_OK) {
        status = fmt_file_open_read(&journal_file, path_journal, &error);
    }
    if (status == FMT_OK) {
        status = fmt_journal_open(&journal, &journal_file.io, &error);
        if (status == FMT_OK) {
            status = fmt_recover_plan(reader, 0, &journal, plan, &error);
        }
        if (status == FMT_OK && !plan->is_complete) {
            status = fmt_recover_apply(reader, &journal, plan, &error);
        }
        fmt_file_close(&journal_file, NULL);
    }
    fmt_reader_close(reader);
    return status;
}

/* Checks that the file is complete and has the committed records; one more is allowed for the
 * current channel. ended: true if the run had ended when it was killed. */
static void check_recovered(const struct killed_run *run, bool killed)
{
    struct stream_model *m = run->model;
    struct fmt_file file;
    CU_ASSERT_EQUAL_FATAL(fmt_file_open_read(&file, path_file, NULL), FMT_OK);
    uint64_t dropped = model_compare(&file.io, m);
    fmt_file_close(&file, NULL);
    uint64_t over = 0, records = 0;
    for (unsigned channel = 0; channel < 2; channel++) {
        uint64_t committed = atomic_load(&shared->committed[channel]);
        uint64_t reached = m->ring && m->seen[channel] > 0 ? m->next[channel] : m->seen[channel];
        bool all_overwritten = m->ring && m->seen[channel] == 0;
        CU_ASSERT(reached >= committed || m->dropping || all_overwritten);
        over += reached > committed ? reached - committed : 0;
        records += committed;
    }
    CU_ASSERT(over <= (killed ? 1 : 0));
    CU_ASSERT_EQUAL(m->wrong, 0);
    CU_ASSERT(dropped == 0 || m->dropping);
    CU_ASSERT_EQUAL(m->end.code, run->ended ? FMT_END_TIME : FMT_END_KILLED);
    CU_ASSERT(m->end.overwritten == 0 || m->ring);
    CU_ASSERT(m->seen[0] + m->seen[1] + m->end.overwritten <= records + over);
}

static void draw_run(struct killed_run *run, uint64_t *random)
{
    struct stream_model *m = run->model;
    uint32_t size_max = (uint32_t)random_below(random, MODEL_PAYLOAD_MAX + 1);
    *m = (struct stream_model){.n = {0, 0}};
    run->seed = random_bits(random);
    run->n_channels = 1 + (unsigned)random_below(random, 2);
    run->buffers = (struct stream_buffers){.size = 1 + random_below(random, 200000),
                                           .free = (unsigned)random_below(random, 101),
                                           .full = (enum stream_full)random_below(random, 3)};
    run->thread = random_below(random, 2) == 0;
    run->gvt_every = 1 + (unsigned)random_below(random, 2000);
    for (unsigned channel = 0; channel < run->n_channels; channel++) {
        m->n[channel] = random_below(random, channel == 0 ? 3000 : 800);
        for (uint64_t i = 0; i < m->n[channel]; i++) {
            m->sizes[channel][i] = (uint32_t)random_below(random, size_max + 1);
        }
    }
    m->ring = random_below(random, 3) == 0 && !run->keeps_all;
    run->buffers.overwrites = m->ring;
    run->thread &= !m->ring;
    m->dropping = run->buffers.full == STREAM_DROP && !m->ring;
    uint64_t when = random_below(random, 10); /* half at a record, half at a write */
    run->kill_record = when < 5 ? random_below(random, m->n[0] + m->n[1] + 1) : UINT64_MAX;
    run->kill_write = when < 5 ? 0 : when < 9 ? 1 + random_below(random, 25) : AT_THE_END;
    run->how = (unsigned)random_below(random, 3);
}

/* Draws runs until one was killed: its file and journal remain. */
static inline void have_one_killed(struct killed_run *run, uint64_t *random)
{
    bool killed;
    do {
        draw_run(run, random);
        make_file(run);
        *shared = (struct shared){.writes = 0};
        killed = in_child(record_until_killed, run);
        run->ended = !killed || atomic_load(&shared->ended);
        if (!killed) {
            CU_ASSERT_NOT_EQUAL(access(path_journal, F_OK), 0);
            check_recovered(run, false);
        }
    } while (!killed || access(path_journal, F_OK) != 0);
}

/* Makes the directory for the files, and the memory shared with children. Returns false with errno
 * on failure. */
static bool killed_runs_begin(void)
{
    if (mkdtemp(root) == NULL) {
        return false;
    }
    snprintf(path_file, sizeof(path_file), "%s/x-evtrace.bin", root);
    snprintf(path_journal, sizeof(path_journal), "%s/x-evtrace.0.journal", root);
    shared = mmap(NULL, sizeof(*shared), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    return shared != MAP_FAILED;
}

static void killed_runs_end(void)
{
    unlink(path_file);
    unlink(path_journal);
    rmdir(root);
}

#endif
