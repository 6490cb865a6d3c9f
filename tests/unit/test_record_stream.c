/*
 * Streams: every record that is committed comes back from the file, whatever the buffer's size and
 * the moments of GVT; what cannot be written is counted exactly.
 */
#include "support/fake_engine.h"
#include "support/read_back.h"
#include "support/suite.h"

/* A file in memory. Writes that would end behind limit fail with ENOSPC. */
struct memory_file {
    unsigned char *bytes;
    size_t size;
    uint64_t limit;
    unsigned writes;
};

static int memory_write_at(void *ctx, const void *data, size_t size, uint64_t offset)
{
    struct memory_file *file = ctx;
    if (offset + size > file->limit) {
        return 28; /* ENOSPC */
    }
    if (offset + size > file->size) {
        file->bytes = realloc(file->bytes, offset + size);
        memset(file->bytes + file->size, 0, offset + size - file->size);
        file->size = offset + size;
    }
    memcpy(file->bytes + offset, data, size);
    file->writes++;
    return 0;
}

static int memory_read_at(void *ctx, void *data, size_t size, uint64_t offset, size_t *got)
{
    const struct memory_file *file = ctx;
    *got = offset >= file->size ? 0 : size < file->size - offset ? size : file->size - offset;
    if (*got > 0) {
        memcpy(data, file->bytes + offset, *got);
    }
    return 0;
}

static int memory_get_size(void *ctx, uint64_t *size)
{
    *size = ((const struct memory_file *)ctx)->size;
    return 0;
}

static struct fmt_io memory_io(struct memory_file *file)
{
    return (struct fmt_io){.ctx = file,
                           .path = "memory",
                           .write_at = memory_write_at,
                           .read_at = memory_read_at,
                           .get_size = memory_get_size};
}

#define PAYLOAD_MAX 700u

/* A stream of event records into a file in memory. */
struct bench {
    struct memory_file file;
    struct fmt_io io;
    struct record_stream stream;
    const struct fmt_schema *schema;
    struct fmt_layout layout;
};

static void bench_begin(struct bench *b, uint64_t buffer_size, unsigned buffer_free, uint64_t limit)
{
    char error[300] = "";
    size_t row_bytes_max = event_trace_row_bytes(PAYLOAD_MAX);
    const uint32_t kind = FMT_RECORD_EVENT;
    struct stream_buffers buffers = {buffer_size, buffer_free};
    *b = (struct bench){.file = {.limit = limit}};
    b->io = memory_io(&b->file);
    b->schema = fmt_schema_builtin(FMT_RECORD_EVENT);
    fmt_layout_init(&b->layout, FMT_STREAM_EVTRACE, 1, 7, row_bytes_max);
    struct fmt_superblock sb = {
        .stream = FMT_STREAM_EVTRACE, .n_schemas = 1, .layout = b->layout, .schemas = &b->schema};
    CU_ASSERT_EQUAL(fmt_superblock_write(&b->io, &sb, NULL), FMT_OK);
    CU_ASSERT_EQUAL(stream_init(&b->stream, 0, &kind, 1, &buffers, row_bytes_max), TW_OK);
    CU_ASSERT_EQUAL(stream_connect(&b->stream, &b->io, "memory", &b->layout, row_bytes_max, error,
                                   sizeof(error)),
                    TW_OK);
}

static void bench_end(struct bench *b)
{
    stream_fini(&b->stream);
    free(b->file.bytes);
}

/* Record number i, its payload of size bytes derived from the number. */
static void put_record(struct record_stream *stream, uint64_t i, uint32_t size)
{
    size_t bytes = fmt_row_bytes(sizeof(struct fmt_event_row), size);
    struct fmt_event_row *row = lane_reserve(&stream->lanes[0], bytes);
    *row = (struct fmt_event_row){.src_lp = i, .recv_ts = (double)i, .payload_size = size};
    memset(row + 1, (int)(i & 0xff), size);
    lane_commit(&stream->lanes[0], bytes);
}

/* Does the file hold exactly the records 0 .. n-1 with these payload sizes? */
static void check_records(const struct read_back *back, const uint32_t *sizes, uint64_t n)
{
    unsigned wrong = 0;
    CU_ASSERT_EQUAL(back->n, n);
    for (uint64_t i = 0; i < back->n && i < n; i++) {
        struct fmt_event_row row;
        memcpy(&row, back->rows + i * back->row_size, sizeof(row));
        uint64_t size = back->payload_at[i + 1] - back->payload_at[i];
        wrong += row.src_lp != i || row.payload_size != sizes[i] || size != sizes[i];
        for (uint64_t b = 0; b < size; b++) {
            wrong += back->payload[back->payload_at[i] + b] != (unsigned char)(i & 0xff);
        }
    }
    CU_ASSERT_EQUAL(wrong, 0);
}

/* The naive model of a stream: the list of all sizes, and the bytes that must be in the buffer. */
static void run_against_model(uint64_t *random, uint64_t buffer_size, unsigned buffer_free)
{
    enum { N = 3000 };
    uint32_t *sizes = calloc(N, sizeof(*sizes));
    struct bench b;
    bench_begin(&b, buffer_size, buffer_free, UINT64_MAX);
    size_t expected_used = 0;
    size_t capacity = b.stream.lanes[0].capacity;
    for (uint64_t i = 0; i < N; i++) {
        sizes[i] = (uint32_t)random_below(random, PAYLOAD_MAX + 1);
        size_t bytes = sizeof(struct fmt_event_row) + (sizes[i] + 7) / 8 * 8;
        expected_used = expected_used + bytes > capacity ? bytes : expected_used + bytes;
        put_record(&b.stream, i, sizes[i]);
        CU_ASSERT_EQUAL(b.stream.lanes[0].used, expected_used);
        if (random_below(random, 10) == 0) {
            stream_gvt_advanced(&b.stream, (double)i);
            double free_percent = 100.0 * (double)(capacity - expected_used) / (double)capacity;
            expected_used = free_percent < buffer_free ? 0 : expected_used;
            CU_ASSERT_EQUAL(b.stream.lanes[0].used, expected_used);
        }
        stream_check(&b.stream);
    }
    struct fmt_end_info end = {.code = RUN_END_TIME, .text = "end"};
    stream_end(&b.stream, &end);
    struct stream_totals totals = stream_totals(&b.stream);
    CU_ASSERT_EQUAL(totals.collected, N);
    CU_ASSERT_EQUAL(totals.written, N);
    CU_ASSERT_EQUAL(totals.lost, 0);
    CU_ASSERT_FALSE(totals.failed);
    struct read_back back = {0};
    read_back_io(&back, &b.io);
    CU_ASSERT_EQUAL(back.errors, 0);
    CU_ASSERT_EQUAL(back.ends, 1);
    check_records(&back, sizes, N);
    read_back_free(&back);
    bench_end(&b);
    free(sizes);
}

static void test_against_model(void)
{
    uint64_t random = suite_seed();
    suite_print_seed("stream against model", random);
    static const uint64_t fixed[] = {1, 64, 500, 4096, 65536, 1 << 20};
    for (size_t i = 0; i < sizeof(fixed) / sizeof(fixed[0]); i++) {
        run_against_model(&random, fixed[i], 15);
    }
    for (int i = 0; i < 10; i++) {
        uint64_t buffer_size = 1 + random_below(&random, 200000);
        run_against_model(&random, buffer_size, (unsigned)random_below(&random, 101));
    }
}

/* The threshold is on what is free, not on what is used. */
static void test_threshold(void)
{
    struct bench b;
    bench_begin(&b, 64 * 100, 15, UINT64_MAX);
    for (uint64_t i = 0; i < 85; i++) {
        put_record(&b.stream, i, 0);
        stream_gvt_advanced(&b.stream, (double)i);
        CU_ASSERT_EQUAL(b.stream.lanes[0].used, 64 * (i + 1));
    }
    put_record(&b.stream, 85, 0); /* 14 % free */
    CU_ASSERT_EQUAL(b.stream.writer.records, 0);
    stream_gvt_advanced(&b.stream, 85.0);
    CU_ASSERT_EQUAL(b.stream.lanes[0].used, 0);
    CU_ASSERT_EQUAL(b.stream.writer.records, 86);
    bench_end(&b);
}

static void test_dropped_reservation(void)
{
    struct bench b;
    bench_begin(&b, 4096, 15, UINT64_MAX);
    put_record(&b.stream, 0, 8);
    memset(lane_reserve(&b.stream.lanes[0], 64), 0xff, 64); /* not committed */
    put_record(&b.stream, 1, 8);
    struct fmt_end_info end = {.text = ""};
    stream_end(&b.stream, &end);
    struct read_back back = {0};
    read_back_io(&back, &b.io);
    check_records(&back, (const uint32_t[]){8, 8}, 2);
    read_back_free(&back);
    bench_end(&b);
}

/* A disk that fills up: one message, exact loss, what was written stays readable. */
static void test_failing_writes(void)
{
    uint64_t random = suite_seed();
    suite_print_seed("failing writes", random);
    for (int round = 0; round < 20; round++) {
        enum { N = 4000 };
        uint32_t *sizes = calloc(N, sizeof(*sizes));
        struct bench b;
        /* Blocks start behind the superblock; with luck some fit, with less none. */
        bench_begin(&b, 1 + random_below(&random, 30000), 15, UINT64_MAX);
        b.file.limit = b.layout.first_extent + random_below(&random, 400000);
        unsigned warnings = fake.warnings;
        for (uint64_t i = 0; i < N; i++) {
            sizes[i] = (uint32_t)random_below(&random, PAYLOAD_MAX + 1);
            put_record(&b.stream, i, sizes[i]);
            stream_check(&b.stream);
        }
        struct fmt_end_info end = {.text = "end"};
        stream_end(&b.stream, &end);
        struct stream_totals totals = stream_totals(&b.stream);
        CU_ASSERT_EQUAL(fake.warnings, warnings + (totals.failed ? 1 : 0));
        CU_ASSERT_EQUAL(totals.collected, N);
        CU_ASSERT_EQUAL(totals.written + totals.lost, N);
        CU_ASSERT(totals.lost == 0 || totals.failed);
        struct read_back back = {0};
        read_back_io(&back, &b.io);
        check_records(&back, sizes, totals.written);
        if (back.ends == 1) {
            CU_ASSERT_EQUAL(back.dropped, totals.lost);
        }
        read_back_free(&back);
        bench_end(&b);
        free(sizes);
    }
}

static void test_message_names_path_and_reason(void)
{
    struct bench b;
    bench_begin(&b, 64, 15, UINT64_MAX);
    b.file.limit = 0;
    put_record(&b.stream, 0, 0);
    fake.last_message[0] = '\0';
    stream_flush(&b.stream);
    CU_ASSERT_PTR_NOT_NULL(strstr(fake.last_message, "memory"));
    CU_ASSERT_PTR_NOT_NULL(strstr(fake.last_message, "No space left on device"));
    CU_ASSERT_EQUAL(b.stream.mode, STREAM_OFF);
    bench_end(&b);
}

/* --disable-output: nothing is written, the buffer is filled over and over. */
static void test_memory_only(void)
{
    const uint32_t kind = FMT_RECORD_EVENT;
    const struct stream_buffers buffers = {1000, 15};
    struct record_stream stream;
    CU_ASSERT_EQUAL(stream_init(&stream, 0, &kind, 1, &buffers, event_trace_row_bytes(PAYLOAD_MAX)),
                    TW_OK);
    for (uint64_t i = 0; i < 1000; i++) {
        put_record(&stream, i, 100);
        stream_gvt_advanced(&stream, (double)i);
        stream_check(&stream);
        CU_ASSERT(stream.lanes[0].used > 0);
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
    const uint32_t kind = FMT_RECORD_EVENT;
    const struct stream_buffers buffers = {UINT64_MAX, 15};
    struct record_stream stream;
    CU_ASSERT_EQUAL(stream_init(&stream, 0, &kind, 1, &buffers, 64), TW_ERR_MEMORY);
    stream_fini(&stream);
}

int main(void)
{
    static const CU_TestInfo tests[] = {
        {"against model", test_against_model},
        {"threshold", test_threshold},
        {"dropped reservation", test_dropped_reservation},
        {"failing writes", test_failing_writes},
        {"message names path and reason", test_message_names_path_and_reason},
        {"memory only", test_memory_only},
        {"impossible buffer", test_impossible_buffer},
    };
    int status = suite_run("record/stream", tests, sizeof(tests) / sizeof(tests[0]));
    return status;
}
