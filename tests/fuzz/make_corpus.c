/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * make_corpus DIR: makes small inputs for fuzz_reader (see fuzz_input.h), the same in each run.
 * They contain every kind of record, described and other payloads, several PEs, files without an
 * end, pairs of files that differ, files with journals, names of values, parts of later versions,
 * and a memory trace. Each record file exists in the form of the recorder, and with uncompressed
 * columns, where mutations reach the values. tests/fuzz/corpus/reader holds the output, and inputs that
 * fuzzing added.
 *
 * test: libs=warpscope_format
 */
#include <stdio.h>

#include "format/block.h"
#include "format/memtrace.h"
#include "fuzz/corpus_raw.h"
#include "fuzz/fuzz_input.h"
#include "support/format_example.h"
#include "support/named_fields.h"

#define EXTENT     4096u
#define ROWS_BYTES 16384u

/* ---- Files ----------------------------------------------------------------------------------- */

static void value_put(uint8_t *row, const struct fmt_field *f, uint32_t pe, uint32_t i)
{
    uint32_t u32 = i % 5;
    uint64_t u64 = (uint64_t)i * 3 % 11;
    float f32 = (float)i / 4.0f;
    double f64 = f->role == FMT_ROLE_VIRTUAL_TIME ? i / 2
                 : f->role == FMT_ROLE_REAL_TIME  ? i * 0.01
                                                  : 100.0 - i;
    if (f->role == FMT_ROLE_PE) {
        u32 = pe;
    }
    switch (f->type) {
    case FMT_F64:
        memcpy(row + f->offset, &f64, 8);
        break;
    case FMT_F32:
        memcpy(row + f->offset, &f32, 4);
        break;
    case FMT_U32:
        memcpy(row + f->offset, &u32, 4);
        break;
    default:
        memcpy(row + f->offset, &u64, fmt_type_size(f->type));
        break;
    }
}

/* Makes row number i of any kind, with a described payload if the kind has payloads. named: the
 * description has names of values. */
static size_t any_row(uint8_t *row, const struct fmt_schema *schema, uint32_t pe, uint32_t i,
                      bool named)
{
    memset(row, 0, schema->row_size + 32);
    for (uint32_t f = 0; f < schema->n_fields; f++) {
        value_put(row, &schema->fields[f], pe, i);
    }
    int32_t type = schema->role_field[FMT_ROLE_PAYLOAD_TYPE];
    int32_t size = schema->role_field[FMT_ROLE_PAYLOAD_SIZE];
    const struct fmt_payload_desc *descs = named ? named_descs : example_descs;
    uint32_t id = 1 + i % 2, bytes = descs[id - 1].size;
    if (size < 0) {
        return schema->row_size;
    }
    memcpy(row + schema->fields[type].offset, &id, 4);
    memcpy(row + schema->fields[size].offset, &bytes, 4);
    for (uint32_t k = 0; k < bytes; k++) {
        row[schema->row_size + k] = (uint8_t)(named ? i / 2 % 3 : i + k);
    }
    return fmt_row_bytes(schema->row_size, bytes);
}

struct plan {
    uint32_t stream, n_pes, rows; /* rows of each kind and PE */
    uint32_t skip;                /* number of rows of PE 0 that are missing from the file */
    bool no_end, plain, named;
    bool runs; /* true if six records in a row are alike, with payloads of one size */
    uint64_t id;
    struct fmt_position reached; /* result: of PE 0, before END */
};

static void stream_open(struct memory_io *m, const struct plan *p, struct fmt_superblock *sb,
                        const struct fmt_schema **schemas)
{
    static const struct fmt_text run[] = {{"command", "example --synch=3"},
                                          {"scheduler", "optimistic"},
                                          {"ranks", "2"},
                                          {"ticks_per_second", "1e9"},
                                          {"option_event_trace", "3"}};
    *sb = (struct fmt_superblock){.stream = p->stream,
                                  .n_run = 5,
                                  .run = run,
                                  .schemas = schemas,
                                  .layout = {p->id, 2 * EXTENT, EXTENT, p->n_pes, false}};
    for (uint32_t record = 1; record < 32; record++) {
        if (fmt_record_stream(record) == p->stream) {
            schemas[sb->n_schemas++] = fmt_schema_builtin(record);
        }
    }
    memory_io_init(m);
    struct fmt_error error = {0};
    if (fmt_superblock_write(&m->io, sb, &error) != FMT_OK) {
        sb->layout.first_extent += EXTENT;
        corpus_check(fmt_superblock_write(&m->io, sb, &error) == FMT_OK, error.text);
    }
}

/* Names of the LPs 0, 2, 4 ... 10. */
static const char *next_name(void *ctx, uint64_t *lp)
{
    static const char *const names[] = {"north", "north-east", "Z\xc3\xbcrich",
                                        "n",     "north 2",    "east"};
    uint32_t *n = ctx;
    *lp = 2 * (uint64_t)*n;
    return *n < 6 ? names[(*n)++] : NULL;
}

static void stream_pe(struct memory_io *m, struct plan *p, const struct fmt_superblock *sb,
                      uint32_t pe)
{
    static uint64_t rows[ROWS_BYTES / 8];
    static const struct fmt_counter counters[] = {{"events_processed", 1234}, {"ticks", 5}};
    struct fmt_writer w;
    struct fmt_error error = {0};
    bool good = fmt_writer_init(&w, &m->io, sb->schemas, sb->n_schemas, &sb->layout, pe, 1024,
                                &error) == FMT_OK;
    if (!p->plain) {
        good = good && fmt_writer_meta(&w, p->named ? named_descs : example_descs,
                                       p->named ? NAMED_DESCS : EXAMPLE_DESCS, &error) == FMT_OK;
    }
    uint32_t n_names = 0;
    if (p->named) {
        good = good && fmt_writer_names(&w, next_name, &n_names, &error) == FMT_OK;
    }
    for (uint32_t s = 0; good && s < sb->n_schemas; s++) {
        size_t size = 0;
        uint32_t n = p->rows - (pe == 0 ? p->skip : 0);
        for (uint32_t i = 0; i < n; i++) {
            uint32_t number = p->runs ? i / 6 * 2 : i;
            size += any_row((uint8_t *)rows + size, sb->schemas[s], pe, number, p->named);
        }
        good = fmt_writer_append(&w, sb->schemas[s], rows, size, p->rows, NULL, &error) == FMT_OK;
    }
    if (pe == 0) {
        p->reached = w.at;
    }
    struct fmt_end_info end = {.code = 1,
                               .gvt = p->rows,
                               .real_time = 0.25,
                               .text = "reached the end time",
                               .n_counters = 2,
                               .counters = counters};
    good = good && (p->no_end || fmt_writer_end(&w, &end, &error) == FMT_OK);
    corpus_check(good, error.text);
    fmt_writer_fini(&w);
}

static void stream_make(struct memory_io *m, struct plan *p)
{
    const struct fmt_schema *schemas[FMT_SCHEMAS_MAX];
    struct fmt_superblock sb;
    stream_open(m, p, &sb, schemas);
    for (uint32_t pe = 0; pe < p->n_pes; pe++) {
        stream_pe(m, p, &sb, pe);
    }
}

/* Writes the rows that p->skip left out, of all kinds, to open and closed segments. */
static void journal_make(struct memory_io *m, const struct plan *p)
{
    enum { SEGMENT = 2048, N = 4 };
    const struct fmt_schema *schema = fmt_schema_builtin(FMT_RECORD_EVENT);
    static uint64_t memory[(FMT_JOURNAL_HEAD_MIN + N * SEGMENT) / 8];
    uint8_t *bytes = (uint8_t *)memory;
    memset(memory, 0, sizeof memory);
    fmt_journal_begin(memory, (struct fmt_journal_head){.file_id = p->id,
                                                        .stream = p->stream,
                                                        .head_size = FMT_JOURNAL_HEAD_MIN,
                                                        .segment_size = SEGMENT,
                                                        .row_bytes_max = 1024});
    fmt_journal_checkpoint(memory, 3, &p->reached);
    fmt_journal_live(memory)->dropped = 7;
    fmt_journal_live(memory)->gvt = 2.5;
    for (uint32_t s = 0; s < N - 1; s++) {
        uint8_t *segment = bytes + FMT_JOURNAL_HEAD_MIN + s * SEGMENT;
        struct fmt_segment_head *head = (void *)segment;
        size_t used = 0;
        for (uint32_t i = 0; i < 3; i++) {
            used += any_row(segment + FMT_SEGMENT_HEAD + used, schema, 0, 10 * s + i, false);
        }
        head->used = used;
        head->order = s < 2 ? 4 + s : 0;
        head->schema_id = schema->id;
    }
    memory_io_init(m);
    corpus_check(m->io.write_at(m, memory, sizeof memory, 0) == 0, "out of memory");
}

/* Parts of later versions: a section, a kind of block, a minor version. */
static void file_make_newer(struct memory_io *m)
{
    size_t size = (size_t)reseal_get(m->bytes + 12, 4);
    memset(m->bytes + size - 8, 0, 24);
    m->bytes[size - 8] = 77;
    m->bytes[size - 4] = 8;
    m->bytes[12] = (uint8_t)(size + 16);
    m->bytes[13] = (uint8_t)((size + 16) >> 8);
    m->bytes[10] = 3;
    for (size_t at = 0; at + 128 <= m->size; at += 64) {
        if (memcmp(m->bytes + at, "WSBK", 4) == 0 && m->bytes[at + 24] == FMT_BLOCK_META) {
            m->bytes[at + 24] = 4;
        }
    }
    reseal_file(m->bytes, m->size);
}

/* ---- Output ---------------------------------------------------------------------------------- */

static void input_write(const char *folder, const char *name, const struct memory_io *first,
                        const struct memory_io *second)
{
    char path[4096];
    uint8_t head[FUZZ_PAIR_HEAD];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *out = fopen(path, "wb");
    corpus_check(out != NULL, path);
    if (second != NULL) {
        memcpy(head, FUZZ_PAIR, 8);
        reseal_put(head + 8, first->size);
        fwrite(head, 1, sizeof head, out);
    }
    fwrite(first->bytes, 1, first->size, out);
    if (second != NULL) {
        fwrite(second->bytes, 1, second->size, out);
    }
    corpus_check(fclose(out) == 0, path);
}

/* Writes a file of each stream, as recorded and with raw columns. */
static void streams_write(const char *folder)
{
    for (uint32_t stream = FMT_STREAM_GVT; stream <= FMT_STREAM_EVTRACE; stream++) {
        for (int raw = 0; raw < 2; raw++) {
            struct memory_io m;
            char name[64];
            bool many = stream == FMT_STREAM_EVTRACE;
            struct plan p = {.stream = stream,
                             .n_pes = raw != 0 ? 1 : 2,
                             .rows = many ? 10 : 3,
                             .plain = raw != 0 && many,
                             .id = 2 * stream + (uint64_t)raw};
            stream_make(&m, &p);
            if (raw != 0) {
                file_make_raw(&m);
            }
            snprintf(name, sizeof name, "%s%s", fmt_stream_name(stream), raw != 0 ? "-raw" : "");
            input_write(folder, name, &m, NULL);
            memory_io_fini(&m);
        }
    }
}

/* Writes payloads with names of values, as recorded and with raw columns. */
static void names_write(const char *folder)
{
    for (int raw = 0; raw < 2; raw++) {
        struct memory_io m;
        struct plan p = {
            .stream = FMT_STREAM_EVTRACE, .n_pes = 1, .rows = 6, .named = true, .id = 20};
        stream_make(&m, &p);
        if (raw != 0) {
            file_make_raw(&m);
        }
        input_write(folder, raw != 0 ? "names-raw" : "names", &m, NULL);
        memory_io_fini(&m);
    }
}

/* Writes enough events for columns of all encodings. */
static void columns_write(const char *folder)
{
    for (int runs = 0; runs < 2; runs++) {
        struct memory_io m;
        struct plan p = {
            .stream = FMT_STREAM_EVTRACE, .n_pes = 1, .rows = 60, .runs = runs != 0, .id = 21};
        stream_make(&m, &p);
        input_write(folder, runs != 0 ? "columns-runs" : "columns", &m, NULL);
        memory_io_fini(&m);
    }
}

static void pairs_write(const char *folder)
{
    struct memory_io a, b;
    struct plan p = {.stream = FMT_STREAM_EVTRACE, .n_pes = 1, .rows = 6, .id = 8};
    stream_make(&a, &p);
    p.rows = 8;
    stream_make(&b, &p);
    file_make_raw(&b);
    input_write(folder, "diff-longer", &a, &b);
    memory_io_fini(&a);
    memory_io_fini(&b);
    p = (struct plan){.stream = FMT_STREAM_VT, .n_pes = 2, .rows = 3, .id = 9};
    stream_make(&a, &p);
    p.n_pes = 1;
    stream_make(&b, &p);
    input_write(folder, "diff-pes", &a, &b);
    memory_io_fini(&a);
    memory_io_fini(&b);
}

static void journals_write(const char *folder)
{
    struct memory_io file, journal;
    struct plan p = {
        .stream = FMT_STREAM_EVTRACE, .n_pes = 1, .rows = 8, .skip = 3, .no_end = true, .id = 0};
    stream_make(&file, &p);
    journal_make(&journal, &p);
    input_write(folder, "journal", &file, &journal);
    input_write(folder, "no-end", &file, NULL);
    memory_io_fini(&file);
    p.skip = p.rows;
    p.plain = true;
    stream_make(&file, &p);
    memory_io_fini(&journal);
    journal_make(&journal, &p);
    input_write(folder, "journal-first", &file, &journal);
    memory_io_fini(&file);
    memory_io_fini(&journal);
}

/* Writes a memory trace: three CTAs of two kernels; the smallest and largest addresses, overlapping
 * accesses of all sizes, all kinds of atomics. */
static void trace_write(const char *folder, unsigned flags)
{
    static const char *const kernels[] = {"a", "b", "a"};
    static const uint32_t sizes[] = {4, 8, 1, MEMTRACE_SIZE_MAX};
    char path[512], error[512];
    snprintf(path, sizeof path, "%s/%s", folder, flags == 0 ? "memtrace" : "memtrace_packed");
    struct memtrace_writer *w = memtrace_writer_create_as(path, flags);
    corpus_check(w != NULL, "a trace cannot be created");
    for (uint32_t i = 0; i < 90; i++) {
        struct memtrace_access a = {.address = i % 11 == 0 ? UINT64_MAX - i % 3 : 0x100 + i % 7 * 2,
                                    .cta = memtrace_cta(i % 3, 0, i % 2),
                                    .sm = i % 4,
                                    .size = sizes[i % 29 == 28 ? 3 : i % 3],
                                    .type = i % 6 == 5 ? 2 + i % 13 : i / 3 % 2};
        corpus_check(i % 30 != 0 || memtrace_writer_launch(w, kernels[i / 30]), "a launch");
        corpus_check(memtrace_writer_add(w, &a), "an access");
    }
    corpus_check(memtrace_writer_close(w, error, sizeof error), error);
}

int main(int argc, char **argv)
{
    if (argc != 2) {
        fputs("usage: make_corpus DIR\n", stderr);
        return EXIT_FAILURE;
    }
    struct memory_io m;
    struct plan p = {.stream = FMT_STREAM_MODEL, .n_pes = 1, .rows = 2, .plain = true, .id = 5};
    streams_write(argv[1]);
    names_write(argv[1]);
    columns_write(argv[1]);
    pairs_write(argv[1]);
    journals_write(argv[1]);
    stream_make(&m, &p);
    file_make_newer(&m);
    input_write(argv[1], "newer", &m, NULL);
    trace_write(argv[1], 0);
    trace_write(argv[1], MEMTRACE_PACKED);
    memory_io_fini(&m);
    return EXIT_SUCCESS;
}
