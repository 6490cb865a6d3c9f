/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A rank without space for its records and without journals asks the other ranks for theirs. Its
 * records stay in its buffers meanwhile.
 *
 * test: alone=yes
 */
#include <time.h>
#include <unistd.h>

#include "support/stream_bench.h"
#include "support/suite.h"

#define FILE_ID 7u /* names of stream_bench.h, whose file is called "memory" */

static const char other_path[] = "me.1.journal";

/* ---- The other rank's journal, as a file ----------------------------------------------------- */

struct journal_page {
    _Alignas(8) unsigned char bytes[FMT_JOURNAL_HEAD_MIN];
};

static void other_make(uint64_t file_id)
{
    static struct journal_page page;
    memset(&page, 0, sizeof(page));
    fmt_journal_begin(
        &page, (struct fmt_journal_head){
                   .file_id = file_id, .pe = 1, .head_size = sizeof(page), .segment_size = 4096});
    FILE *out = fopen(other_path, "wb");
    CU_ASSERT_PTR_NOT_NULL_FATAL(out);
    CU_ASSERT_EQUAL(fwrite(&page, sizeof(page), 1, out), 1);
    CU_ASSERT_EQUAL(fclose(out), 0);
}

static bool other_is_asked(void)
{
    static struct journal_page page;
    FILE *in = fopen(other_path, "rb");
    bool asked = in != NULL && fread(&page, sizeof(page), 1, in) == 1 &&
                 fmt_journal_live(&page)->unwanted != 0;
    if (in != NULL) {
        fclose(in);
    }
    return asked;
}

/* ---- A stream -------------------------------------------------------------------------------- */

struct case_of {
    struct bench b;
    struct stream_model model;
};

static struct case_of *begin(enum stream_full full, bool thread)
{
    struct case_of *c = calloc(1, sizeof(*c));
    bench_begin(&c->b, &(struct setting){.buffer_size = 20000,
                                         .buffer_free = 15,
                                         .full = full,
                                         .n_pes = 2,
                                         .limit = 8704,
                                         .thread = thread});
    streams_share_disk(&c->b.stream, 1);
    fake.last_message[0] = '\0';
    return c;
}

static void put(struct case_of *c, unsigned n)
{
    struct stream_model *e = &c->model;
    for (unsigned i = 0; i < n; i++, e->n[0]++) {
        e->sizes[0][e->n[0]] = (uint32_t)(e->n[0] % 50);
        model_put(&c->b.stream, 0, e->n[0], e->sizes[0][e->n[0]]);
        CU_ASSERT(stream_check(&c->b.stream));
    }
}

/* Waits until the writer thread, if there is one, has written everything or has met an error. */
static void wait_for_thread(struct record_stream *stream)
{
    while (stream->queue.thread != NULL && write_queue_count(&stream->queue) > 0 &&
           !write_queue_is_stalled(&stream->queue)) {
        nanosleep(&(struct timespec){.tv_nsec = 100000}, NULL);
    }
}

/* Records until the stream waits for the other rank. */
static void put_until_waiting(struct case_of *c)
{
    while (c->b.stream.asking == STREAM_NOT_ASKED && c->model.n[0] < 3000) {
        put(c, 10);
        wait_for_thread(&c->b.stream);
        stream_gvt_advanced(&c->b.stream, (double)c->model.n[0]);
    }
    CU_ASSERT(other_is_asked());
    CU_ASSERT_EQUAL(c->b.stream.mode, STREAM_OPEN);
}

/* lost: true if some records are lost. */
static void finish(struct case_of *c, bool lost)
{
    struct stream_totals totals = bench_finish(&c->b);
    CU_ASSERT_EQUAL(totals.failed > 0, lost);
    CU_ASSERT_EQUAL(totals.lost > 0, lost);
    CU_ASSERT_EQUAL(totals.written + totals.lost, c->model.n[0]);
    CU_ASSERT_EQUAL(model_compare(&c->b.io, &c->model), totals.lost);
    CU_ASSERT_EQUAL(c->model.wrong, 0);
    CU_ASSERT_EQUAL(strstr(fake.last_message, "stopped") != NULL, lost);
    bench_end(&c->b);
    free(c);
    unlink(other_path);
}

/* ---- Tests ----------------------------------------------------------------------------------- */

static void test_others_give_way(void)
{
    for (unsigned thread = 0; thread < 2; thread++) {
        other_make(FILE_ID);
        struct case_of *c = begin(thread != 0 ? STREAM_SPILL : STREAM_BLOCK, thread != 0);
        put_until_waiting(c);
        put(c, 500); /* more than the buffers hold, so they grow */
        CU_ASSERT(c->b.stream.queue.buffers.n > c->b.stream.queue.buffers.n_base);
        c->b.file.limit = UINT64_MAX;
        stream_gvt_advanced(&c->b.stream, 5000.0);
        stream_gvt_advanced(&c->b.stream, 5001.0);
        CU_ASSERT_EQUAL(c->b.stream.asking, STREAM_HAS_ASKED);
        put(c, 1000);
        finish(c, false);
    }
}

static void test_others_do_not(void)
{
    for (unsigned thread = 0; thread < 2; thread++) {
        other_make(FILE_ID);
        struct case_of *c = begin(STREAM_SPILL, thread != 0);
        put_until_waiting(c);
        stream_gvt_advanced(&c->b.stream, 5000.0);
        stream_gvt_advanced(&c->b.stream, 5001.0);
        CU_ASSERT_EQUAL(c->b.stream.asking, STREAM_HAS_ASKED);
        put(c, 1000);
        stream_flush(&c->b.stream);
        CU_ASSERT_EQUAL(c->b.stream.mode, STREAM_OFF);
        finish(c, true);
    }
}

/* The buffers are full, or the run ends, before the other ranks have answered. */
static void test_no_time(void)
{
    for (unsigned put_more = 0; put_more < 2; put_more++) {
        other_make(FILE_ID);
        struct case_of *c = begin(STREAM_SPILL, false);
        put_until_waiting(c);
        if (put_more != 0) {
            put(c, 5000 - (unsigned)c->model.n[0]);
            CU_ASSERT_EQUAL(c->b.stream.mode, STREAM_OFF);
        }
        finish(c, true);
    }
}

/* There are no journals of other ranks, or only those of another run. */
static void test_no_journal_to_ask_for(void)
{
    for (unsigned there = 0; there < 2; there++) {
        unlink(other_path);
        if (there != 0) {
            other_make(FILE_ID + 1);
        }
        struct case_of *c = begin(STREAM_SPILL, false);
        put(c, 3000);
        stream_flush(&c->b.stream);
        CU_ASSERT_EQUAL(c->b.stream.mode, STREAM_OFF);
        CU_ASSERT_EQUAL(c->b.stream.asking, STREAM_NOT_ASKED);
        CU_ASSERT_FALSE(other_is_asked());
        finish(c, true);
    }
}

/* The other side: on request, a stream with a journal releases it after GVT. */
static void test_gives_way(void)
{
    static const char path[] = "test_record_full_disk.0.journal";
    struct case_of *c = begin(STREAM_SPILL, false);
    c->b.file.limit = UINT64_MAX;
    unlink(path);
    CU_ASSERT_EQUAL_FATAL(stream_keep_journal(&c->b.stream, path, FMT_STREAM_EVTRACE), 0);
    put(c, 100);
    stream_gvt_advanced(&c->b.stream, 1.0);
    CU_ASSERT_EQUAL(access(path, F_OK), 0);
    buffers_live(&c->b.stream.queue.buffers)->unwanted = 1;
    stream_gvt_advanced(&c->b.stream, 2.0);
    CU_ASSERT_NOT_EQUAL(access(path, F_OK), 0);
    CU_ASSERT_PTR_NOT_NULL(strstr(fake.last_message, "another rank has no space left"));
    put(c, 100);
    CU_ASSERT_TRUE(stream_totals(&c->b.stream).unsafe > 0);
    finish(c, false);
}

int main(void)
{
    static const CU_TestInfo tests[] = {
        {"others give way", test_others_give_way},
        {"others do not", test_others_do_not},
        {"no time", test_no_time},
        {"no journal to ask for", test_no_journal_to_ask_for},
        {"gives way", test_gives_way},
    };
    return suite_run("record/full disk", tests, sizeof(tests) / sizeof(tests[0]));
}
