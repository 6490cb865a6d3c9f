/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * bench_seal - measures the cost of sealing records into blocks, on a core without other work, and
 * the size of the blocks. The program reads PE 0's records of one kind from a record file, seals
 * them repeatedly, and discards the output. For comparison, it measures other operations on the
 * same rows:
 *
 *   copy   copying the rows
 *   hash   computing a checksum of the rows
 *   lz4    compressing the rows as they are, by LZ4 (acceleration 4)
 *   read   decoding the blocks of the file
 *
 * All operations take turns; the table has the medians. Times are CPU times of the thread, so other
 * programs on the machine count only if they slow down the core. Instructions are counted if the
 * system permits it. A second table has the sealed bytes of each column and encoding.
 */
#include <linux/perf_event.h>
#include <lz4.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>
#include <xxhash.h>

#include "format/block.h"
#include "format/bytes.h"
#include "format/format.h"
#include "support/measure.h"

#define RUNS_MAX  101
#define PIECE     (128u << 10) /* size in bytes of the rows that LZ4 compresses together */
#define SEGMENT   (1u << 20)   /* size in bytes of the rows per call of the writer, as in a run */
#define ROWS_MOST (64u << 20)  /* maximum size in bytes of the rows to read from the file */

/* The rows of PE 0 and of one kind in the file. */
struct records {
    const struct fmt_schema *schema;
    uint8_t *rows;        /* owned */
    size_t size;          /* size of all rows in bytes */
    uint64_t n;           /* number of rows */
    size_t row_bytes_max; /* size of the largest row in bytes */
    /* Owned; offsets at which the rows are divided into segments of at most SEGMENT bytes: the
     * start of each segment, and finally `size`. */
    size_t *cuts;
    size_t n_cuts; /* number of cuts */
};

/* ---- Records from a file --------------------------------------------------------------------- */

static void rows_add(struct records *r, const struct fmt_columns *c)
{
    const struct fmt_schema *schema = c->schema;
    for (uint32_t i = 0; i < c->n_records && r->size < ROWS_MOST; i++) {
        uint64_t from = c->payload_offset[i];
        size_t payload = (size_t)(c->payload_offset[i + 1] - from);
        size_t bytes = fmt_row_bytes(schema->row_size, payload);
        uint8_t *row = r->rows + r->size;
        if (bytes > SEGMENT) {
            measure_fail("a record of %zu bytes is too large", bytes);
        }
        memset(row, 0, bytes);
        for (uint32_t f = 0; f < schema->n_fields; f++) {
            size_t width = fmt_type_size(schema->fields[f].type);
            memcpy(row + schema->fields[f].offset, c->values[f] + i * width, width);
        }
        if (payload > 0) {
            memcpy(row + schema->row_size, c->payload + from, payload);
        }
        if (r->n_cuts == 0 || r->size + bytes > r->cuts[r->n_cuts - 1] + SEGMENT) {
            r->cuts[r->n_cuts++] = r->size;
        }
        r->size += bytes;
        r->row_bytes_max = bytes > r->row_bytes_max ? bytes : r->row_bytes_max;
        r->n++;
    }
}

/* Reads PE 0's records of the kind that PE 0's first block holds. */
static void records_read(struct records *r, const struct fmt_reader *reader)
{
    struct fmt_scan scan;
    struct fmt_block block;
    struct fmt_columns columns = {0};
    struct fmt_error error = {0};
    *r = (struct records){.rows = measure_alloc(ROWS_MOST + SEGMENT, 1),
                          .cuts = measure_alloc(4 * ROWS_MOST / SEGMENT, sizeof *r->cuts)};
    fmt_scan_init(&scan, reader, 0);
    enum fmt_status status;
    while (r->size < ROWS_MOST && (status = fmt_scan_next(&scan, &block, &error)) != FMT_END) {
        if (status != FMT_OK) {
            measure_fail("%s", error.text);
        }
        if (block.kind != FMT_BLOCK_DATA || (r->schema != NULL && r->schema != block.schema)) {
            continue;
        }
        r->schema = block.schema;
        if (fmt_block_decode(reader, &block, &columns, &error) != FMT_OK) {
            measure_fail("%s", error.text);
        }
        rows_add(r, &columns);
    }
    if (r->n == 0) {
        measure_fail("there are no records of PE 0 in the file");
    }
    r->cuts[r->n_cuts++] = r->size;
    fmt_columns_free(&columns);
}

/* ---- Operations ------------------------------------------------------------------------------ */

#define COLUMNS_MAX 64u

/* Number of stored bytes of a column, and number of blocks that store it, both indexed by
 * encoding. */
struct column_count {
    uint64_t bytes[FMT_ENCODINGS];
    uint64_t blocks[FMT_ENCODINGS];
};

struct counts {
    uint64_t bytes;   /* number of bytes that the writer has written */
    bool in_detail;   /* true to update the members below */
    uint64_t headers; /* total size of the block headers in bytes */
    struct column_count columns[COLUMNS_MAX];
};

struct bench {
    struct records records;
    struct counts counts;
    const struct fmt_reader *reader;
    struct fmt_columns columns;
    int instructions; /* descriptor of the counter of instructions; -1: none */
    struct fmt_writer writer;
    struct fmt_layout layout;
    struct fmt_io scratch;
    uint8_t *out;
    void *lz4_state;
    uint64_t sink; /* sum of results; its use keeps the compiler from removing operations */
};

/* Returns the size in bytes of the piece of rows that begins at offset `at`. */
static size_t piece_size(const struct bench *b, size_t at)
{
    return b->records.size - at < PIECE ? b->records.size - at : PIECE;
}

/* The functions rows_...() process all rows and return the size of their output in bytes. */
static uint64_t rows_copy(struct bench *b)
{
    for (size_t at = 0; at < b->records.size; at += PIECE) {
        memcpy(b->out, b->records.rows + at, piece_size(b, at));
        b->sink += b->out[0];
    }
    return b->records.size;
}

static uint64_t rows_hash(struct bench *b)
{
    for (size_t at = 0; at < b->records.size; at += PIECE) {
        b->sink += XXH3_64bits(b->records.rows + at, piece_size(b, at));
    }
    return 8;
}

static uint64_t rows_lz4(struct bench *b)
{
    uint64_t bytes = 0;
    for (size_t at = 0; at < b->records.size; at += PIECE) {
        bytes += (uint64_t)LZ4_compress_fast_extState(
            b->lz4_state, (const char *)b->records.rows + at, (char *)b->out,
            (int)piece_size(b, at), LZ4_compressBound((int)PIECE), 4);
    }
    return bytes;
}

/* ---- Stored bytes by column ------------------------------------------------------------------ */

/* Adds to *c the stored bytes of a payload column with encoding FMT_ENCODING_PIECES. */
static void count_pieces(struct column_count *c, const uint8_t *body)
{
    uint32_t n = fmt_get_u16(body);
    for (uint32_t i = 0; i < n; i++) {
        c->bytes[body[2 + 6 * i + 1]] += fmt_get_u32(body + 2 + 6 * i + 2);
    }
    c->bytes[FMT_ENCODING_PIECES] += 2 + 6 * (uint64_t)n;
}

/* Adds the columns of a sealed block to the counts. */
static void count_block(struct counts *counts, const uint8_t *block)
{
    struct fmt_block_header h;
    fmt_block_header_decode(block, &h);
    const uint8_t *body = block + h.header_size;
    counts->headers += h.header_size;
    for (uint32_t i = 0; i < h.n_columns && i < COLUMNS_MAX; i++) {
        struct column_count *count = &counts->columns[i];
        struct fmt_column c;
        fmt_column_decode(block + FMT_BLOCK_FIXED + (size_t)i * FMT_COLUMN_ENTRY, &c);
        if (c.encoding == FMT_ENCODING_PIECES) {
            count_pieces(count, body);
        } else {
            count->bytes[c.encoding] += c.stored_size;
        }
        count->blocks[c.encoding]++;
        body += c.stored_size;
    }
}

static int write_nothing(void *ctx, const void *data, size_t size, uint64_t offset)
{
    struct counts *counts = ctx;
    (void)offset;
    counts->bytes += size;
    if (counts->in_detail) {
        count_block(counts, data);
    }
    return 0;
}

static void counts_print(const struct bench *b)
{
    static const char *const names[FMT_ENCODINGS] = {"raw",   "const", "lz4",  "frame",
                                                     "delta", "dict",  "runs", "pieces"};
    const struct fmt_schema *schema = b->records.schema;
    double n = (double)b->records.n;
    printf("\n%-14s %13s\n%-14s %13.2f\n", "column", "bytes/record", "headers",
           (double)b->counts.headers / n);
    for (uint32_t i = 0; i < COLUMNS_MAX && i <= schema->n_fields; i++) {
        const struct column_count *c = &b->counts.columns[i];
        uint64_t all = 0;
        for (uint32_t e = 0; e < FMT_ENCODINGS; e++) {
            all += c->bytes[e];
        }
        printf("%-14s %13.2f", i < schema->n_fields ? schema->fields[i].name : "payload",
               (double)all / n);
        for (uint32_t e = 0; e < FMT_ENCODINGS; e++) {
            if (c->blocks[e] > 0 || c->bytes[e] > 0) {
                printf("  %s %.2f", names[e], (double)c->bytes[e] / n);
            }
        }
        putchar('\n');
    }
}

/* ---- Operations on blocks -------------------------------------------------------------------- */

static uint64_t rows_seal(struct bench *b)
{
    const struct records *r = &b->records;
    b->counts.bytes = 0;
    b->scratch.ctx = &b->counts;
    for (size_t i = 0; i + 1 < r->n_cuts; i++) {
        struct fmt_error error;
        if (fmt_writer_append(&b->writer, r->schema, r->rows + r->cuts[i],
                              r->cuts[i + 1] - r->cuts[i], 0.0, NULL, &error) != FMT_OK) {
            measure_fail("%s", error.text);
        }
    }
    return b->counts.bytes;
}

/* Decodes blocks of the file until they have at least as many records as there are rows. Returns
 * the size of these blocks in bytes. */
static uint64_t blocks_read(struct bench *b)
{
    struct fmt_scan scan;
    struct fmt_block block;
    struct fmt_error error;
    uint64_t n = 0, bytes = 0;
    fmt_scan_init(&scan, b->reader, 0);
    while (n < b->records.n && fmt_scan_next(&scan, &block, &error) == FMT_OK) {
        if (block.kind != FMT_BLOCK_DATA || block.schema != b->records.schema) {
            continue;
        }
        if (fmt_block_decode(b->reader, &block, &b->columns, &error) != FMT_OK) {
            measure_fail("%s", error.text);
        }
        n += block.n_records;
        bytes += block.stored_size;
    }
    return bytes;
}

static const struct way {
    const char *name;
    uint64_t (*run)(struct bench *b);
} ways[] = {{"copy", rows_copy},
            {"hash", rows_hash},
            {"lz4", rows_lz4},
            {"seal", rows_seal},
            {"read", blocks_read}};
#define N_WAYS (sizeof ways / sizeof *ways)

static double thread_seconds(void)
{
    struct timespec t;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* Opens a counter of the instructions that this thread executes, and returns its descriptor. -1:
 * the system has no such counter. */
static int instructions_open(void)
{
    struct perf_event_attr attr = {.type = PERF_TYPE_HARDWARE,
                                   .size = sizeof attr,
                                   .config = PERF_COUNT_HW_INSTRUCTIONS,
                                   .exclude_kernel = 1,
                                   .exclude_hv = 1};
    return (int)syscall(SYS_perf_event_open, &attr, 0, -1, -1, 0);
}

static double instructions_now(const struct bench *b)
{
    uint64_t n = 0;
    bool good = b->instructions >= 0 && read(b->instructions, &n, sizeof n) == sizeof n;
    return good ? (double)n : 0.0;
}

static void measure_ways(struct bench *b, unsigned runs)
{
    static double ns[N_WAYS][RUNS_MAX], instructions[N_WAYS][RUNS_MAX];
    uint64_t bytes[N_WAYS];
    double n = (double)b->records.n;
    for (unsigned run = 0; run < runs; run++) {
        for (size_t w = 0; w < N_WAYS; w++) {
            double begin = thread_seconds(), before = instructions_now(b);
            bytes[w] = ways[w].run(b);
            instructions[w][run] = (instructions_now(b) - before) / n;
            ns[w][run] = 1e9 * (thread_seconds() - begin) / n;
        }
    }
    printf("%.0f records \"%s\" of %.1f bytes in memory\n", n, b->records.schema->name,
           (double)b->records.size / n);
    printf("%-6s %10s %13s%s\n", "", "ns/record", "bytes/record",
           b->instructions >= 0 ? " instructions" : "");
    for (size_t w = 0; w < N_WAYS; w++) {
        printf("%-6s %10.1f %13.1f", ways[w].name, measure_median(ns[w], runs),
               (double)bytes[w] / n);
        if (b->instructions >= 0) {
            printf(" %12.1f", measure_median(instructions[w], runs));
        }
        putchar('\n');
    }
}

static void bench_begin(struct bench *b, const struct fmt_reader *reader)
{
    const struct fmt_superblock *sb = fmt_reader_superblock(reader);
    struct fmt_error error;
    records_read(&b->records, reader);
    b->reader = reader;
    b->instructions = instructions_open();
    b->layout = sb->layout;
    b->layout.is_plain = false;
    b->scratch = (struct fmt_io){.path = "scratch", .write_at = write_nothing};
    b->out = measure_alloc((size_t)LZ4_compressBound((int)PIECE), 1);
    b->lz4_state = measure_alloc((size_t)LZ4_sizeofState(), 1);
    if (fmt_writer_init(&b->writer, &b->scratch, &b->records.schema, 1, &b->layout, 0,
                        b->records.row_bytes_max, &error) != FMT_OK) {
        measure_fail("%s", error.text);
    }
}

static void bench_end(struct bench *b)
{
    fmt_writer_fini(&b->writer);
    fmt_columns_free(&b->columns);
    if (b->instructions >= 0) {
        close(b->instructions);
    }
    free(b->records.rows);
    free(b->records.cuts);
    free(b->out);
    free(b->lz4_state);
}

static char path[512];
static unsigned turns = 7;

static const tw_optdef table[] = {
    TWOPT_GROUP("Cost of sealing"),
    TWOPT_CHAR("file", path, "<FILE> record file whose records are sealed"),
    TWOPT_UINT("runs", turns, "<1..101> turns, of which the median is printed"),
    TWOPT_END(),
};

static void run(void)
{
    struct fmt_file file;
    struct fmt_reader *reader;
    struct fmt_error error;
    struct bench b = {0};
    if (fmt_file_open_read(&file, path, &error) != FMT_OK ||
        fmt_reader_open(&file.io, &reader, &error) != FMT_OK) {
        measure_fail("%s", error.text);
    }
    bench_begin(&b, reader);
    measure_ways(&b, turns);
    b.counts.in_detail = true;
    rows_seal(&b);
    counts_print(&b);
    bench_end(&b);
    fmt_reader_close(reader);
    fmt_file_close(&file, NULL);
}

const struct measure_program measure_program = {
    "What sealing records costs, beside copying and compressing them.", table, run};
