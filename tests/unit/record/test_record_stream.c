/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Streams: every committed record reads back from the file, for all sizes of buffers, policies for
 * full buffers, times of GVT, and with or without a writer thread. Dropped and unwritten records
 * are counted exactly.
 *
 * test: alone=yes
 */
#include <stdarg.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

#include "support/stream_bench.h"
#include "support/suite.h"

/* ---- Against a naive model ------------------------------------------------------------------- */

static void run_against_model(uint64_t *random, const struct setting *s)
{
    struct stream_model *e = calloc(1, sizeof(*e));
    struct bench b;
    bench_begin(&b, s);
    unsigned warnings = fake.warnings;
    unsigned gvt_every = 1 + (unsigned)random_below(random, 400);
    uint32_t size_max = (uint32_t)random_below(random, MODEL_PAYLOAD_MAX + 1);
    uint64_t n = 1 + random_below(random, MODEL_RECORDS_MAX);
    for (uint64_t k = 0; k < n; k++) {
        unsigned channel = s->n_channels == 2 && random_below(random, 5) == 0 ? 1 : 0;
        uint32_t size = (uint32_t)random_below(random, size_max + 1);
        e->sizes[channel][e->n[channel]] = size;
        model_put(&b.stream, channel, e->n[channel]++, size);
        if (random_below(random, gvt_every) == 0) {
            stream_gvt_advanced(&b.stream, (double)k);
        }
        if (random_below(random, 1000) == 0) {
            stream_flush(&b.stream);
        }
        CU_ASSERT(stream_check(&b.stream));
    }
    struct stream_totals totals = bench_finish(&b);
    e->dropping = s->full == STREAM_DROP;
    uint64_t dropped = model_compare(&b.io, e);
    CU_ASSERT_EQUAL(e->wrong, 0);
    CU_ASSERT_EQUAL(totals.collected, n);
    CU_ASSERT_EQUAL(totals.written, e->seen[0] + e->seen[1]);
    CU_ASSERT_EQUAL(totals.written + totals.lost + totals.dropped, n);
    CU_ASSERT(totals.dropped == 0 || s->full == STREAM_DROP);
    CU_ASSERT(totals.lost == 0 || (totals.failed && s->limit + s->pages > 0));
    CU_ASSERT(totals.spilled_bytes == 0 || s->full == STREAM_SPILL);
    CU_ASSERT_EQUAL(fake.warnings, warnings + (totals.failed ? 1 : 0));
    bool may_have_no_end = totals.failed && (s->pages == 0 || s->blind);
    CU_ASSERT(dropped == totals.lost + totals.dropped || may_have_no_end);
    bench_end(&b);
    free(e);
}

enum failing { NOTHING_FAILS, WRITES_FAIL, DISK_FILLS_UP };

static void run_many(const char *name, bool thread, enum failing failing)
{
    uint64_t random = suite_seed();
    suite_print_seed(name, random);
    static const uint64_t fixed[] = {1, 64, 500, 4096, 65536, 1 << 20};
    unsigned step = (unsigned)suite_step(5); /* no divisor of the periods below */
    for (unsigned i = (unsigned)random_below(&random, step); i < 48; i += step) {
        struct setting s = {.buffer_size = i < 6 ? fixed[i] : 1 + random_below(&random, 100000),
                            .buffer_free = i < 6 ? 15 : (unsigned)random_below(&random, 101),
                            .full = (enum stream_full)(i % 3),
                            .n_channels = 1 + (unsigned)random_below(&random, 2),
                            .thread = thread};
        s.limit = failing == WRITES_FAIL ? 1 + random_below(&random, 400000) : 0;
        s.pages = failing == DISK_FILLS_UP ? 1 + random_below(&random, 200) : 0;
        s.blind = i % 4 == 3;
        s.extent_size = i % 2 == 0 ? 0 : PAGE * (2 + random_below(&random, 8));
        s.delay_ns = thread && i % 4 == 0 ? 100000 : 0;
        run_against_model(&random, &s);
    }
}

static void test_against_model(void)
{
    run_many("stream against model", false, NOTHING_FAILS);
}

static void test_with_thread(void)
{
    run_many("stream with a writer thread", true, NOTHING_FAILS);
}

/* One message, exact loss, and the written records are readable. */
static void test_failing_writes(void)
{
    run_many("failing writes", false, WRITES_FAIL);
}

static void test_failing_thread(void)
{
    run_many("failing writes of a thread", true, WRITES_FAIL);
}

/* A disk that fills up. There is an END block in any case, and no partial block. */
static void test_full_disk(void)
{
    run_many("full disk", false, DISK_FILLS_UP);
}

static void test_full_disk_thread(void)
{
    run_many("full disk of a thread", true, DISK_FILLS_UP);
}

/* ---- Times of writing ------------------------------------------------------------------------ */

#define ROW sizeof(struct fmt_event_row)

/* Rows without payload that fit into the buffers of a bench. */
static uint64_t rows_that_fit(const struct bench *b)
{
    return b->stream.queue.buffers.n_base * (b->stream.queue.buffers.capacity / ROW);
}

/* The threshold applies to free space, not to used space. */
static void test_threshold(void)
{
    struct bench b;
    bench_begin(&b, &(struct setting){.buffer_size = ROW * 100 * 8, .buffer_free = 15});
    const struct buffers *buffers = &b.stream.queue.buffers;
    CU_ASSERT_EQUAL(buffers->n_base, 8);
    CU_ASSERT_EQUAL(buffers->capacity, 100 * ROW);
    for (uint64_t i = 0; i < 680; i++) { /* 85 % used */
        model_put(&b.stream, 0, i, 0);
    }
    stream_gvt_advanced(&b.stream, 679.0);
    CU_ASSERT_EQUAL(b.stream.queue.writer.at.records, 0);
    model_put(&b.stream, 0, 680, 0);
    CU_ASSERT_EQUAL(b.stream.queue.writer.at.records, 0);
    stream_gvt_advanced(&b.stream, 680.0);
    CU_ASSERT_EQUAL(b.stream.queue.writer.at.records, 100); /* the oldest closed sub-buffer */
    CU_ASSERT_EQUAL(stream_pending(&b.stream), 581 * ROW);
    CU_ASSERT_EQUAL(b.stream.channels[0].sub_buffer->head->used, 81 * ROW);
    for (uint64_t i = 681; i < 900; i++) {
        model_put(&b.stream, 0, i, 0);
    }
    stream_gvt_advanced(&b.stream, 900.0); /* closed sub-buffers must be at most 5 */
    CU_ASSERT_EQUAL(b.stream.queue.writer.at.records, 300);
    CU_ASSERT_EQUAL(stream_pending(&b.stream), 600 * ROW);
    bench_end(&b);
    bench_begin(&b, &(struct setting){.buffer_size = ROW * 100 * 8, .buffer_free = 100});
    model_put(&b.stream, 0, 0, 0);
    stream_gvt_advanced(&b.stream, 1.0); /* 100 % must be free */
    CU_ASSERT_EQUAL(b.stream.queue.writer.at.records, 1);
    bench_end(&b);
}

/* All closed sub-buffers are written after each 8th GVT computation, those beyond 512 KiB after
 * others, but at most 512 KiB at once, in blocks. */
static void test_soon(void)
{
    struct bench b;
    bench_begin(&b, &(struct setting){.buffer_size = 16 << 20, .buffer_free = 15});
    const uint64_t size = b.stream.queue.buffers.capacity, soon = 512 << 10;
    CU_ASSERT_EQUAL(b.stream.queue.buffers.n_base, 64);
    for (uint64_t i = 0; i < (4 << 20) / ROW; i++) {
        model_put(&b.stream, 0, i, 0);
    }
    const uint64_t open = b.stream.channels[0].sub_buffer->head->used;
    uint64_t before = stream_pending(&b.stream) - open;
    for (uint64_t gvt = 1; gvt <= 8; gvt++) {
        stream_gvt_advanced(&b.stream, (double)gvt);
        const uint64_t left = stream_pending(&b.stream) - open;
        const uint64_t most = gvt == 8 ? 0 : before > 2 * soon ? before - soon : soon;
        CU_ASSERT(left <= most && (left + size > most || gvt == 8));
        before = left;
    }
    bench_end(&b);
}

static void test_spill(void)
{
    struct bench b;
    bench_begin(&b, &(struct setting){.buffer_size = ROW * 100 * 8, .full = STREAM_SPILL});
    uint64_t fit = rows_that_fit(&b), i = 0;
    for (; i < fit * BUFFERS_GROWTH_MAX; i++) {
        model_put(&b.stream, 0, i, 0);
        CU_ASSERT_EQUAL(b.stream.queue.writer.at.records, 0);
    }
    model_put(&b.stream, 0, i++, 0);
    CU_ASSERT_EQUAL(b.stream.queue.writer.at.records, 100); /* one sub-buffer had to be written */
    struct stream_totals totals = bench_finish(&b);
    CU_ASSERT_EQUAL(totals.written, i);
    CU_ASSERT_EQUAL(totals.spilled_bytes, ROW * fit * (BUFFERS_GROWTH_MAX - 1));
    bench_end(&b);
}

static void test_block(void)
{
    struct bench b;
    bench_begin(&b, &(struct setting){.buffer_size = ROW * 100 * 8, .full = STREAM_BLOCK});
    uint64_t fit = rows_that_fit(&b);
    for (uint64_t i = 0; i < fit + 250; i++) {
        model_put(&b.stream, 0, i, 0);
    }
    CU_ASSERT_EQUAL(b.stream.queue.writer.at.records, 300); /* three had to be written */
    CU_ASSERT_EQUAL(b.stream.queue.buffers.n, b.stream.queue.buffers.n_base);
    CU_ASSERT_EQUAL(bench_finish(&b).written, fit + 250);
    bench_end(&b);
}

static void test_drop(void)
{
    struct bench b;
    bench_begin(&b, &(struct setting){.buffer_size = ROW * 100 * 8, .full = STREAM_DROP});
    uint64_t fit = rows_that_fit(&b);
    for (uint64_t i = 0; i < fit + 250; i++) {
        model_put(&b.stream, 0, i, 0);
    }
    CU_ASSERT_EQUAL(b.stream.queue.writer.at.records, 0);
    stream_flush(&b.stream);
    for (uint64_t i = 0; i < 64; i++) { /* rest of a page of scratch rows */
        model_put(&b.stream, 0, i, 0);
    }
    struct stream_totals totals = bench_finish(&b);
    CU_ASSERT_EQUAL(totals.collected, fit + 314);
    CU_ASSERT_EQUAL(totals.written + totals.dropped, totals.collected);
    CU_ASSERT(totals.dropped >= 250 && totals.dropped < 250 + 64);
    CU_ASSERT_EQUAL(totals.lost, 0);
    CU_ASSERT_FALSE(totals.failed);
    struct read_back back = {0};
    read_back_io(&back, &b.io);
    CU_ASSERT_EQUAL(back.errors, 0);
    CU_ASSERT_EQUAL(back.n, totals.written);
    CU_ASSERT_EQUAL(back.dropped, totals.dropped);
    read_back_free(&back);
    bench_end(&b);
}

static void test_dropped_reservation(void)
{
    struct bench b;
    bench_begin(&b, &(struct setting){.buffer_size = 4096, .buffer_free = 15});
    model_put(&b.stream, 0, 0, 8);
    memset(channel_reserve(&b.stream.channels[0], ROW), 0xff, ROW); /* not committed */
    model_put(&b.stream, 0, 1, 8);
    bench_finish(&b);
    struct stream_model *e = calloc(1, sizeof(*e));
    e->n[0] = 2;
    e->sizes[0][0] = e->sizes[0][1] = 8;
    CU_ASSERT_EQUAL(model_compare(&b.io, e), 0);
    CU_ASSERT_EQUAL(e->seen[0], 2);
    CU_ASSERT_EQUAL(e->wrong, 0);
    free(e);
    bench_end(&b);
}

static void test_message_names_path_and_reason(void)
{
    struct bench b;
    bench_begin(&b, &(struct setting){.buffer_size = 64, .buffer_free = 15});
    b.file.limit = 0;
    model_put(&b.stream, 0, 0, 0);
    fake.last_message[0] = '\0';
    stream_flush(&b.stream);
    CU_ASSERT_PTR_NOT_NULL(strstr(fake.last_message, "memory"));
    CU_ASSERT_PTR_NOT_NULL(strstr(fake.last_message, "No space left on device"));
    CU_ASSERT_EQUAL(b.stream.mode, STREAM_OFF);
    bench_end(&b);
}

/* A disk that is full before the first record: the message names the file once. */
static void test_full_at_start(void)
{
    const struct stream_buffers buffers = {.size = 2000, .free = 15, .full = STREAM_SPILL};
    const char *path = "/dev/full";
    struct record_stream stream;
    struct fmt_layout layout;
    char error[300] = "";
    CU_ASSERT_EQUAL(stream_init(&stream, 0, model_kinds, 1, &buffers, MODEL_ROW_MAX), TW_OK);
    fmt_layout_init(&layout, FMT_STREAM_MODEL, 1, 7, MODEL_ROW_MAX);
    CU_ASSERT_EQUAL(stream_open(&stream, path, &layout, MODEL_ROW_MAX, error, sizeof error),
                    TW_ERR_IO);
    CU_ASSERT_EQUAL(strncmp(error, path, strlen(path)), 0);
    CU_ASSERT_PTR_NULL(strstr(error + 1, path));
    stream_fini(&stream);
}

/* --disable-output: the stream writes no records and overwrites its buffers. */
static void test_memory_only(void)
{
    const struct stream_buffers buffers = {.size = 20000, .free = 15, .full = STREAM_SPILL};
    struct record_stream stream;
    bool used[64] = {false};
    CU_ASSERT_EQUAL(stream_init(&stream, 0, model_kinds, 1, &buffers, MODEL_ROW_MAX), TW_OK);
    for (uint64_t i = 0; i < 1000; i++) {
        model_put(&stream, 0, i, 100);
        stream_gvt_advanced(&stream, (double)i);
        CU_ASSERT(stream_check(&stream));
        used[stream.channels[0].sub_buffer - stream.queue.buffers.sub_buffers] = true;
    }
    CU_ASSERT_EQUAL(stream.queue.buffers.n, stream.queue.buffers.n_base);
    for (unsigned i = 0; i < stream.queue.buffers.n_base; i++) {
        CU_ASSERT(used[i]);
    }
    struct fmt_end_info end = {.text = ""};
    stream_end(&stream, &end);
    struct stream_totals totals = stream_totals(&stream);
    CU_ASSERT_EQUAL(totals.collected, 1000);
    CU_ASSERT_EQUAL(totals.written, 0);
    CU_ASSERT_EQUAL(totals.lost, 0);
    stream_fini(&stream);
}

static void test_impossible_buffer(void)
{
    const struct stream_buffers buffers = {.size = UINT64_MAX, .free = 15, .full = STREAM_SPILL};
    struct record_stream stream;
    CU_ASSERT_EQUAL(stream_init(&stream, 0, model_kinds, 1, &buffers, 64), TW_ERR_MEMORY);
    stream_fini(&stream);
}

/* ---- Giving up journals ---------------------------------------------------------------------- */

static struct bench *giving_up; /* stream whose file has space from the next mremap() on */
static bool journal_is_lost;

/* Replaces mremap() with one that fails as the system's may: the target is unmapped. */
void *mremap(void *from, size_t from_size, size_t size, int flags, ...);
void *mremap(void *from, size_t from_size, size_t size, int flags, ...)
{
    va_list args;
    va_start(args, flags);
    void *target = va_arg(args, void *);
    va_end(args);
    (void)from;
    (void)from_size;
    munmap(target, size);
    if (giving_up != NULL) {
        giving_up->file.limit = UINT64_MAX;
        if (journal_is_lost) {
            close(giving_up->stream.queue.buffers.journal);
        }
    }
    errno = ENOMEM;
    return MAP_FAILED;
}

/* The file is full until the journal is released; mremap() fails during the release. */
static void give_up_journal(bool lost, bool thread)
{
    static const char path[] = "test_record_stream.0.journal";
    const struct setting s = {.buffer_size = 20000, .buffer_free = 15, .full = STREAM_BLOCK};
    struct stream_model *e = calloc(1, sizeof(*e));
    struct bench b;
    bench_begin(&b, &s);
    unlink(path);
    CU_ASSERT_EQUAL_FATAL(stream_keep_journal(&b.stream, path, FMT_STREAM_EVTRACE), 0);
    streams_share_disk(&b.stream, 1);
    b.file.limit = b.layout.first_extent + 8192;
    if (thread) {
        CU_ASSERT_EQUAL(write_thread_start(&b.thread), 0);
        write_queue_use_thread(&b.stream.queue, &b.thread);
    }
    giving_up = &b;
    journal_is_lost = lost;
    for (; e->n[0] < 3000; e->n[0]++) {
        e->sizes[0][e->n[0]] = (uint32_t)(e->n[0] % 50);
        model_put(&b.stream, 0, e->n[0], e->sizes[0][e->n[0]]);
    }
    struct stream_totals totals = bench_finish(&b);
    giving_up = NULL;
    CU_ASSERT_EQUAL(b.file.limit, UINT64_MAX);
    CU_ASSERT_EQUAL(totals.failed > 0, lost);
    CU_ASSERT_EQUAL(totals.lost > 0, lost);
    CU_ASSERT_EQUAL(totals.written + totals.lost, 3000);
    CU_ASSERT_TRUE(totals.unsafe > 0);
    CU_ASSERT_EQUAL(model_compare(&b.io, e), totals.lost);
    CU_ASSERT_EQUAL(e->wrong, 0);
    CU_ASSERT_EQUAL(e->seen[0], totals.written);
    CU_ASSERT(lost || access(path, F_OK) !=
                          0); /* lost: the stream cannot know that the journal is its own */
    unlink(path);
    bench_end(&b);
    free(e);
}

static void test_journal_given_up(void)
{
    for (unsigned thread = 0; thread < 2; thread++) {
        give_up_journal(false, thread != 0);
        give_up_journal(true, thread != 0);
    }
}

int main(void)
{
    static const CU_TestInfo tests[] = {
        {"against model", test_against_model},
        {"with a writer thread", test_with_thread},
        {"failing writes", test_failing_writes},
        {"failing writes of a thread", test_failing_thread},
        {"full disk", test_full_disk},
        {"full disk of a thread", test_full_disk_thread},
        {"threshold", test_threshold},
        {"soon", test_soon},
        {"spill", test_spill},
        {"block", test_block},
        {"drop", test_drop},
        {"dropped reservation", test_dropped_reservation},
        {"message names path and reason", test_message_names_path_and_reason},
        {"a disk that is full at the start", test_full_at_start},
        {"journal given up", test_journal_given_up},
        {"memory only", test_memory_only},
        {"impossible buffer", test_impossible_buffer},
    };
    int status = suite_run("record/stream", tests, sizeof(tests) / sizeof(tests[0]));
    return status;
}
