/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Journals, written by one side and read by the other: the later of two checkpoints counts unless
 * it is torn, segments are in the order in which they were closed, and impossible values are
 * refused.
 */
#include "format/journal.h"
#include "support/suite.h"

#define SEGMENT_SIZE 256u
#define N_SEGMENTS   6u
#define SIZE         (FMT_JOURNAL_HEAD_MIN + N_SEGMENTS * SEGMENT_SIZE)

/* A journal in memory, which also plays the file. */
struct bench {
    _Alignas(64) uint8_t bytes[SIZE];
    size_t size;
    struct fmt_io io;
    struct fmt_journal journal;
    struct fmt_error error;
};

static int read_bytes(void *ctx, void *data, size_t size, uint64_t offset, size_t *got)
{
    const struct bench *b = ctx;
    *got = offset >= b->size ? 0 : size < b->size - offset ? size : b->size - (size_t)offset;
    memcpy(data, b->bytes + offset, *got);
    return 0;
}

static int get_size(void *ctx, uint64_t *size)
{
    *size = ((const struct bench *)ctx)->size;
    return 0;
}

static const struct fmt_journal_head usual = {.file_id = 99,
                                              .pe = 3,
                                              .stream = FMT_STREAM_EVTRACE,
                                              .head_size = FMT_JOURNAL_HEAD_MIN,
                                              .segment_size = SEGMENT_SIZE,
                                              .row_bytes_max = 128};

static void begin(struct bench *b)
{
    *b = (struct bench){.size = SIZE};
    b->io =
        (struct fmt_io){.ctx = b, .path = "journal", .read_at = read_bytes, .get_size = get_size};
    fmt_journal_begin(b->bytes, usual);
}

static struct fmt_segment_head *segment(struct bench *b, unsigned i)
{
    return (void *)(b->bytes + FMT_JOURNAL_HEAD_MIN + i * SEGMENT_SIZE);
}

static void put_segment(struct bench *b, unsigned i, uint64_t order, uint64_t used, uint32_t schema)
{
    struct fmt_segment_head *s = segment(b, i);
    atomic_store(&s->used, used);
    atomic_store(&s->order, order);
    s->schema_id = schema;
}

static enum fmt_status open_it(struct bench *b)
{
    return fmt_journal_open(&b->journal, &b->io, &b->error);
}

/* Returns the numbers of the pending segments as a string, or "refused". */
static const char *pending(struct bench *b, char *text, size_t size)
{
    struct fmt_journal_segment *segments = NULL;
    size_t n = 0, length = 0;
    text[0] = '\0';
    if (open_it(b) != FMT_OK ||
        fmt_journal_pending(&b->journal, &segments, &n, &b->error) != FMT_OK) {
        CU_ASSERT_PTR_NULL(segments);
        return "refused";
    }
    for (size_t i = 0; i < n; i++) {
        uint64_t place = (segments[i].offset - FMT_SEGMENT_HEAD - FMT_JOURNAL_HEAD_MIN) / 256;
        length += (size_t)snprintf(text + length, size - length, "%u:%u ", (unsigned)place,
                                   (unsigned)segments[i].used);
    }
    free(segments);
    return text;
}

static void test_head(void)
{
    struct bench b;
    begin(&b);
    CU_ASSERT_EQUAL(open_it(&b), FMT_OK);
    CU_ASSERT_EQUAL(b.journal.head.file_id, 99);
    CU_ASSERT_EQUAL(b.journal.head.pe, 3);
    CU_ASSERT_EQUAL(b.journal.head.stream, FMT_STREAM_EVTRACE);
    CU_ASSERT_EQUAL(b.journal.n_segments, N_SEGMENTS);
    CU_ASSERT_EQUAL(b.journal.checkpoint.order, 0);
    atomic_store(&fmt_journal_live(b.bytes)->dropped, 17);
    atomic_store(&fmt_journal_live(b.bytes)->gvt, 2.5);
    CU_ASSERT_EQUAL(open_it(&b), FMT_OK);
    CU_ASSERT_EQUAL(b.journal.dropped, 17);
    CU_ASSERT_EQUAL(b.journal.gvt, 2.5);
}

/* A segment counts if its head is complete, even if its end is not. */
static void test_cut(void)
{
    struct bench b;
    char text[100];
    begin(&b);
    put_segment(&b, 5, 0, 128, 1);
    for (unsigned left = 0; left <= SEGMENT_SIZE; left += 8) {
        b.size = SIZE - SEGMENT_SIZE + left;
        CU_ASSERT_STRING_EQUAL(pending(&b, text, sizeof text),
                               left < FMT_SEGMENT_HEAD ? "" : "5:128 ");
    }
}

/* The limit of segments includes the one that is cut off. */
static void test_most_segments(void)
{
    struct bench b;
    begin(&b);
    for (unsigned left = 0; left < SEGMENT_SIZE; left += 8) {
        b.size = FMT_JOURNAL_HEAD_MIN + FMT_JOURNAL_SEGMENTS_MAX * SEGMENT_SIZE + left;
        CU_ASSERT_EQUAL(open_it(&b), left < FMT_SEGMENT_HEAD ? FMT_OK : FMT_ERR_DAMAGED);
        CU_ASSERT(left >= FMT_SEGMENT_HEAD || b.journal.n_segments == FMT_JOURNAL_SEGMENTS_MAX);
    }
}

static void test_bad_heads(void)
{
    struct bench b;
    struct fmt_journal_head head = usual;
    begin(&b);
    b.bytes[0] ^= 1;
    CU_ASSERT_EQUAL(open_it(&b), FMT_ERR_MAGIC);
    begin(&b);
    b.bytes[8] ^= 1;
    CU_ASSERT_EQUAL(open_it(&b), FMT_ERR_VERSION);
    begin(&b);
    b.bytes[12] += 2;
    CU_ASSERT_EQUAL(open_it(&b), FMT_ERR_VERSION);
    begin(&b);
    b.bytes[16] ^= 1;
    CU_ASSERT_EQUAL(open_it(&b), FMT_ERR_DAMAGED);
    const uint64_t sizes[][3] = {{4095, 256, 128}, {8192, 256, 128}, {4096, 64, 0},
                                 {4096, 252, 128}, {4096, 256, 193}, {0, 0, 0}};
    for (size_t i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++) {
        begin(&b);
        head.head_size = sizes[i][0];
        head.segment_size = sizes[i][1];
        head.row_bytes_max = sizes[i][2];
        fmt_journal_begin(b.bytes, head);
        CU_ASSERT_EQUAL(open_it(&b), FMT_ERR_DAMAGED);
    }
}

/* A journal whose process was killed during its set-up. */
static void test_not_begun(void)
{
    struct bench b;
    begin(&b);
    b.size = 0;
    CU_ASSERT_EQUAL(open_it(&b), FMT_END);
    b.size = SIZE;
    memset(b.bytes, 0, 8); /* the magic number comes last */
    CU_ASSERT_EQUAL(open_it(&b), FMT_END);
    begin(&b);
    b.size = 100;
    CU_ASSERT_EQUAL(open_it(&b), FMT_ERR_DAMAGED);
    CU_ASSERT_PTR_NOT_NULL(strstr(b.error.text, "journal"));
}

static void test_checkpoints(void)
{
    struct bench b;
    begin(&b);
    for (uint64_t order = 1; order < 10; order++) {
        struct fmt_position at = {.records = 100 * order, .extent_pos = 64 * order};
        fmt_journal_checkpoint(b.bytes, order, &at);
        CU_ASSERT_EQUAL(open_it(&b), FMT_OK);
        CU_ASSERT_EQUAL(b.journal.checkpoint.order, order);
        CU_ASSERT_EQUAL(b.journal.checkpoint.at.records, 100 * order);
        CU_ASSERT_EQUAL(b.journal.checkpoint.at.extent_pos, 64 * order);
        /* A kill during the next write, at any byte: this checkpoint counts. */
        struct bench torn = b;
        torn.io.ctx = &torn;
        fmt_journal_checkpoint(torn.bytes, order + 1, &at);
        for (size_t i = 0; i < sizeof(struct fmt_checkpoint); i++) {
            struct bench cut = torn;
            cut.io.ctx = &cut;
            size_t place = order % 2 == 0 ? FMT_JOURNAL_CHECKPOINT_2 : FMT_JOURNAL_CHECKPOINT;
            place = memcmp(b.bytes + place, torn.bytes + place, 64) != 0
                        ? place
                        : FMT_JOURNAL_CHECKPOINT + FMT_JOURNAL_CHECKPOINT_2 - place;
            memcpy(cut.bytes + place + i, b.bytes + place + i, sizeof(struct fmt_checkpoint) - i);
            CU_ASSERT_EQUAL(open_it(&cut), FMT_OK);
            CU_ASSERT_EQUAL(cut.journal.checkpoint.order, order);
        }
    }
    b.bytes[FMT_JOURNAL_CHECKPOINT + 9] ^= 4;
    b.bytes[FMT_JOURNAL_CHECKPOINT_2 + 9] ^= 4;
    CU_ASSERT_EQUAL(open_it(&b), FMT_ERR_DAMAGED);
}

static void test_pending(void)
{
    struct bench b;
    char text[200];
    begin(&b);
    CU_ASSERT_STRING_EQUAL(pending(&b, text, sizeof(text)), "");
    fmt_journal_checkpoint(b.bytes, 4, &(struct fmt_position){0});
    put_segment(&b, 0, 6, 64, 2);
    put_segment(&b, 1, 0, 128, 2);
    put_segment(&b, 2, 4, 64, 2); /* written */
    put_segment(&b, 3, 5, 192, 1);
    put_segment(&b, 4, 0, 64, 1);
    put_segment(&b, 5, 0, 0, 2); /* reserved and not yet used */
    CU_ASSERT_STRING_EQUAL(pending(&b, text, sizeof(text)), "3:192 0:64 1:128 4:64 ");
    put_segment(&b, 5, 0, 8, 2);
    CU_ASSERT_STRING_EQUAL(pending(&b, text, sizeof(text)), "refused"); /* 2 open, of one kind */
    put_segment(&b, 5, 5, 8, 2);
    CU_ASSERT_STRING_EQUAL(pending(&b, text, sizeof(text)), "refused"); /* a number twice */
    put_segment(&b, 5, 8, 8, 2);
    CU_ASSERT_STRING_EQUAL(pending(&b, text, sizeof(text)), "refused"); /* 7 is missing */
    put_segment(&b, 5, 7, 200, 2);
    CU_ASSERT_STRING_EQUAL(pending(&b, text, sizeof(text)), "refused"); /* too large */
    put_segment(&b, 5, 7, 12, 2);
    CU_ASSERT_STRING_EQUAL(pending(&b, text, sizeof(text)), "refused"); /* half a number */
    CU_ASSERT_EQUAL(b.error.offset, FMT_JOURNAL_HEAD_MIN + 5 * SEGMENT_SIZE);
    put_segment(&b, 5, 7, 8, 2);
    CU_ASSERT_STRING_EQUAL(pending(&b, text, sizeof(text)), "3:192 0:64 5:8 1:128 4:64 ");
}

int main(void)
{
    static const CU_TestInfo tests[] = {
        {"head", test_head},
        {"bad heads", test_bad_heads},
        {"not begun", test_not_begun},
        {"checkpoints", test_checkpoints},
        {"pending", test_pending},
        {"cut", test_cut},
        {"most segments", test_most_segments},
    };
    int status = suite_run("format/journal", tests, sizeof(tests) / sizeof(tests[0]));
    return status;
}
