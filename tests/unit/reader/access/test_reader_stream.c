/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A stream with several files, read as one: random parts against a plain model. Parts have different
 * kinds of records, and use the same numbers for different payload types.
 *
 * test: libs=warpscope_reading
 */
#include <math.h>
#include <string.h>
#include <sys/stat.h>

#include "access/covers.h"
#include "access/record_scan.h"
#include "access/so_far.h"
#include "access/stream.h"
#include "support/root_dir.h"

#define PARTS_MAX   12u
#define PES_MAX     3u
#define RECORDS_MAX 40u
#define OWNERS      4u
#define PAYLOAD     8u

enum { EVENT, ROLLBACK, KINDS };
static const uint32_t kind_ids[KINDS] = {FMT_RECORD_EVENT, FMT_RECORD_ROLLBACK};

/* A part of the model: its kinds, payload types and records. */
struct part {
    bool has[KINDS];
    uint32_t n_types, owner[OWNERS]; /* payload type i + 1 is of this owner */
    double from, to;
    const char *mode, *lps; /* options; NULL: default */
    uint32_t n[PES_MAX][KINDS];
    uint32_t type[PES_MAX][KINDS][RECORDS_MAX]; /* payload types */
};

struct model {
    char folder[64];
    const char *prefix;
    uint32_t n_parts, n_pes;
    struct part parts[PARTS_MAX];
};

/* ---- Making files ---------------------------------------------------------------------------- */

static void draw_model(struct model *m, uint64_t *random)
{
    double time = 0;
    *m = (struct model){.prefix = random_below(random, 2) == 0 ? "p" : "p-7",
                        .n_parts = 1 + (uint32_t)random_below(random, PARTS_MAX),
                        .n_pes = 1 + (uint32_t)random_below(random, PES_MAX)};
    for (uint32_t i = 0; i < m->n_parts; i++) {
        struct part *p = &m->parts[i];
        time += i == 0 || random_below(random, 2) == 0 ? 0 : 1 + (double)random_below(random, 5);
        p->from = time;
        time += 1 + (double)random_below(random, 5);
        p->to = time;
        p->has[EVENT] = random_below(random, 3) > 0;
        p->has[ROLLBACK] = !p->has[EVENT] || random_below(random, 3) == 0;
        p->n_types = 1 + (uint32_t)random_below(random, OWNERS);
        for (uint32_t t = 0; t < p->n_types; t++) {
            p->owner[t] = (t + (uint32_t)random_below(random, 2)) % OWNERS;
        }
        for (uint32_t pe = 0; pe < m->n_pes; pe++) {
            for (int k = 0; k < KINDS; k++) {
                p->n[pe][k] = p->has[k] ? (uint32_t)random_below(random, RECORDS_MAX) : 0;
                for (uint32_t r = 0; r < p->n[pe][k]; r++) {
                    p->type[pe][k][r] = 1 + (uint32_t)random_below(random, p->n_types);
                }
            }
        }
    }
}

/* Returns a number that identifies a record: it is in the field src_lp and in the payload. */
static uint64_t number_of(uint32_t part, uint32_t pe, int kind, uint32_t record)
{
    return ((part * PES_MAX + pe) * KINDS + (uint64_t)kind) * RECORDS_MAX + record;
}

static void path_make(char path[160], const struct model *m, uint32_t part)
{
    if (part == 0) {
        snprintf(path, 160, "%s/%s-evtrace.bin", m->folder, m->prefix);
    } else {
        snprintf(path, 160, "%s/%s-%u-evtrace.bin", m->folder, m->prefix, part + 1);
    }
}

static void records_write(struct fmt_writer *w, const struct part *p, uint32_t number, uint32_t pe,
                          int kind)
{
    const struct fmt_schema *schema = fmt_schema_builtin(kind_ids[kind]);
    for (uint32_t r = 0; r < p->n[pe][kind]; r++) {
        uint64_t id = number_of(number, pe, kind, r);
        _Alignas(8) uint8_t row[sizeof(struct fmt_rollback_row) + PAYLOAD] = {0};
        struct fmt_rollback_row rollback = {.src_lp = id,
                                            .recv_ts = p->from,
                                            .pe = pe,
                                            .payload_type = p->type[pe][kind][r],
                                            .payload_size = PAYLOAD};
        memcpy(row, &rollback, schema->row_size);
        memcpy(row + schema->row_size, &id, PAYLOAD);
        CU_ASSERT_EQUAL(
            fmt_writer_append(w, schema, row, schema->row_size + PAYLOAD, p->from, NULL, NULL),
            FMT_OK);
    }
}

static void pe_write(const struct model *m, uint32_t number, uint32_t pe, struct fmt_writer *w)
{
    static const char *const owners[OWNERS] = {"a", "b", "c", "d"};
    static const struct fmt_payload_field field = {
        .name = "id", .unit = "", .type = FMT_U64, .count = 1};
    const struct part *p = &m->parts[number];
    struct fmt_payload_desc descs[OWNERS];
    bool last = number + 1 == m->n_parts;
    for (uint32_t t = 0; t < p->n_types; t++) {
        descs[t] = (struct fmt_payload_desc){.id = t + 1,
                                             .kind = FMT_PAYLOAD_EV,
                                             .size = PAYLOAD,
                                             .n_fields = 1,
                                             .owner = owners[p->owner[t]],
                                             .fields = &field};
    }
    CU_ASSERT_EQUAL(fmt_writer_meta(w, descs, p->n_types, NULL), FMT_OK);
    for (int k = 0; k < KINDS; k++) {
        records_write(w, p, number, pe, k);
    }
    struct fmt_end_info end = {.code = last ? FMT_END_TIME : FMT_END_CHANGED,
                               .gvt = p->to,
                               .real_time = p->to,
                               .text = "x"};
    CU_ASSERT_EQUAL(fmt_writer_end(w, &end, NULL), FMT_OK);
}

static void part_write(const struct model *m, uint32_t number)
{
    const struct part *p = &m->parts[number];
    const struct fmt_schema *schemas[KINDS];
    char path[160], gvt[32];
    uint32_t n = 0;
    struct fmt_file file;
    size_t row_max = sizeof(struct fmt_rollback_row) + PAYLOAD;
    snprintf(gvt, sizeof gvt, "%.17g", p->from);
    struct fmt_text facts[] = {
        {"prefix", m->prefix},
        {"host", "node"},
        {"option_event_trace", p->mode != NULL ? p->mode : (p->has[EVENT] ? "1" : "2")},
        {"option_trace_lps", p->lps != NULL ? p->lps : ""},
        {"begins_gvt", gvt},
        {"begins_real_time", gvt}};
    for (int k = 0; k < KINDS; k++) {
        if (p->has[k]) {
            schemas[n++] = fmt_schema_builtin(kind_ids[k]);
        }
    }
    struct fmt_superblock sb = {.stream = FMT_STREAM_EVTRACE,
                                .n_schemas = n,
                                .n_run = number == 0 ? 4 : 6,
                                .schemas = schemas,
                                .run = facts};
    fmt_layout_init(&sb.layout, FMT_STREAM_EVTRACE, m->n_pes, 1000 + number, row_max);
    path_make(path, m, number);
    CU_ASSERT_EQUAL_FATAL(fmt_file_create(&file, path, NULL), FMT_OK);
    CU_ASSERT_EQUAL(fmt_superblock_write(&file.io, &sb, NULL), FMT_OK);
    for (uint32_t pe = 0; pe < m->n_pes; pe++) {
        struct fmt_writer w;
        CU_ASSERT_EQUAL_FATAL(
            fmt_writer_init(&w, &file.io, schemas, n, &sb.layout, pe, row_max, NULL), FMT_OK);
        pe_write(m, number, pe, &w);
        fmt_writer_fini(&w);
    }
    CU_ASSERT_EQUAL(fmt_file_close(&file, NULL), FMT_OK);
}

/* ---- Comparison ------------------------------------------------------------------------------ */

/* A walk that expects the records of the model in order. */
struct expected {
    const struct model *m;
    uint32_t pe, part, record;
    int kind;
    uint64_t seen, wrong;
};

/* Moves to the next record of the model. Returns false at the end. */
static bool next(struct expected *e)
{
    for (;; e->record = 0) {
        if (e->pe == e->m->n_pes) {
            return false;
        }
        if (e->record < e->m->parts[e->part].n[e->pe][e->kind]) {
            return true;
        }
        e->kind = (e->kind + 1) % KINDS;
        e->part = (e->part + (e->kind == 0)) % e->m->n_parts;
        e->pe += e->kind == 0 && e->part == 0;
    }
}

static bool block_compare(struct ws_file *s, const struct ws_part *chosen, void *ctx)
{
    static const char owners[] = "abcd";
    struct expected *e = ctx;
    const struct fmt_columns *c = chosen->columns;
    uint32_t type = (uint32_t)c->schema->role_field[FMT_ROLE_PAYLOAD_TYPE];
    for (uint32_t row = 0; row < c->n_records; row++, e->record++, e->seen++) {
        if (!next(e)) {
            e->wrong++;
            return false;
        }
        const struct part *p = &e->m->parts[e->part];
        uint64_t id = number_of(e->part, e->pe, e->kind, e->record), stored;
        const struct fmt_payload_desc *desc =
            fmt_desc_set_find(&s->descs, (uint32_t)fmt_columns_value(c, type, row).as.u);
        char owner = owners[p->owner[p->type[e->pe][e->kind][e->record] - 1]];
        memcpy(&stored, c->payload + c->payload_offset[row], sizeof stored);
        e->wrong += c->schema->id != kind_ids[e->kind] || chosen->block->part != e->part ||
                    fmt_columns_value(c, 0, row).as.u != id || stored != id || desc == NULL ||
                    desc->owner[0] != owner;
    }
    return true;
}

static void covers_compare(const struct model *m, const struct ws_file *s, int kind)
{
    const struct fmt_schema *schema = NULL;
    double covered = 0, end = m->parts[m->n_parts - 1].to;
    uint64_t n = 0;
    for (uint32_t i = 0; i < m->n_parts; i++) {
        const struct part *p = &m->parts[i];
        covered += p->has[kind] ? p->to - p->from : 0;
        for (uint32_t pe = 0; pe < m->n_pes; pe++) {
            n += p->n[pe][kind];
        }
    }
    for (uint32_t k = 0; k < s->sb->n_schemas; k++) {
        if (s->sb->schemas[k]->id == kind_ids[kind]) {
            schema = s->sb->schemas[k];
            CU_ASSERT_EQUAL(s->kind_records[k], n);
        }
    }
    CU_ASSERT_EQUAL(schema != NULL, covered > 0);
    if (schema != NULL) {
        CU_ASSERT_DOUBLE_EQUAL(ws_stream_share(s, schema, true, 0, end), covered / end, 1e-12);
        CU_ASSERT_DOUBLE_EQUAL(ws_stream_share(s, schema, false, 0, end), covered / end, 1e-12);
    }
}

static void stream_compare(const struct model *m)
{
    const char *operand = m->folder;
    struct ws_files files;
    struct ws_file s;
    struct ws_select all = {.sb = NULL};
    struct expected e = {.m = m};
    uint32_t gaps = 0;
    CU_ASSERT_TRUE_FATAL(ws_files_gather(&files, &operand, 1, NULL));
    CU_ASSERT_EQUAL_FATAL(files.n_streams, 1);
    CU_ASSERT_EQUAL_FATAL(files.n, m->n_parts);
    for (uint32_t i = 0; i < m->n_parts; i++) {
        char path[160];
        path_make(path, m, i);
        CU_ASSERT_STRING_EQUAL(files.paths[i], path);
        CU_ASSERT_EQUAL(files.numbers[i], i + 1);
        gaps += i > 0 && m->parts[i].from > m->parts[i - 1].to;
    }
    ws_stream_survey(&s, &files, 0, NULL);
    CU_ASSERT_TRUE(ws_file_good(&s));
    CU_ASSERT_EQUAL(s.end_code, FMT_END_TIME);
    CU_ASSERT_EQUAL(s.end_gvt, m->parts[m->n_parts - 1].to);
    CU_ASSERT_EQUAL(ws_stream_gaps(&s), gaps);
    ws_select_file(&all, s.sb, &s.descs);
    CU_ASSERT_TRUE(ws_scan(&s, &all, NULL, block_compare, &e));
    CU_ASSERT_FALSE(next(&e));
    CU_ASSERT_EQUAL(e.wrong, 0);
    CU_ASSERT_EQUAL(e.seen, s.records);
    covers_compare(m, &s, EVENT);
    covers_compare(m, &s, ROLLBACK);
    ws_select_free(&all);
    ws_file_close(&s);
    ws_files_free(&files);
}

static void test_random_parts(void)
{
    uint64_t random = suite_seed();
    struct model *m = calloc(1, sizeof *m);
    suite_print_seed("parts of a stream", random);
    for (int i = 0; i < 60; i++) {
        draw_model(m, &random);
        snprintf(m->folder, sizeof m->folder, "%s/%d", root, i);
        CU_ASSERT_EQUAL_FATAL(mkdir(m->folder, 0777), 0);
        for (uint32_t part = 0; part < m->n_parts; part++) {
            part_write(m, part);
        }
        stream_compare(m);
    }
    free(m);
}

/* ---- Damage ---------------------------------------------------------------------------------- */

/* Makes parts that all have events of one PE. */
static void make_simple(struct model *m, const char *name, uint32_t n_parts)
{
    *m = (struct model){.prefix = "p", .n_parts = n_parts, .n_pes = 1};
    snprintf(m->folder, sizeof m->folder, "%s/%s", root, name);
    CU_ASSERT_EQUAL_FATAL(mkdir(m->folder, 0777), 0);
    for (uint32_t i = 0; i < n_parts; i++) {
        struct part *p = &m->parts[i];
        *p = (struct part){.has = {[EVENT] = true}, .n_types = 1, .from = i, .to = i + 1};
        p->n[0][EVENT] = 5;
        for (uint32_t r = 0; r < 5; r++) {
            p->type[0][EVENT][r] = 1;
        }
        part_write(m, i);
    }
}

/* The last byte of the first data block of each part. */
struct places {
    uint64_t byte[PARTS_MAX];
};

static bool place_note(struct ws_file *s, const struct fmt_block *block, void *ctx)
{
    struct places *places = ctx;
    uint64_t *byte = &places->byte[block->part];
    (void)s;
    if (block->kind == FMT_BLOCK_DATA && *byte == 0) {
        *byte = block->offset + block->stored_size - 1;
    }
    return true;
}

static void byte_change(const char *path, uint64_t at)
{
    FILE *file = fopen(path, "r+b");
    CU_ASSERT_PTR_NOT_NULL_FATAL(file);
    fseek(file, (long)at, SEEK_SET);
    int byte = fgetc(file);
    fseek(file, (long)at, SEEK_SET);
    fputc(byte ^ 0x55, file);
    fclose(file);
}

static void survey_open(struct ws_file *s, struct ws_files *files, const struct model *m)
{
    const char *operand = m->folder;
    CU_ASSERT_TRUE_FATAL(ws_files_gather(files, &operand, 1, NULL));
    CU_ASSERT_EQUAL_FATAL(files->n_streams, 1);
    ws_stream_survey(s, files, 0, NULL);
}

static bool rows_count(struct ws_file *s, const struct ws_part *part, void *ctx)
{
    (void)s;
    *(uint64_t *)ctx += part->columns->n_records;
    return true;
}

static uint64_t scan_count(struct ws_file *s)
{
    struct ws_select all = {.sb = NULL};
    uint64_t n = 0;
    ws_select_file(&all, s->sb, &s->descs);
    ws_scan(s, &all, NULL, rows_count, &n);
    ws_select_free(&all);
    return n;
}

/* Blocks at the same place of two parts are two faults, each counted once however often it is met. */
static void test_damaged_blocks(void)
{
    struct model m;
    struct ws_files files;
    struct ws_file s;
    char path[160];
    struct places places = {{0}};
    make_simple(&m, "damaged", 3);
    survey_open(&s, &files, &m);
    CU_ASSERT_EQUAL(scan_count(&s), 15);
    ws_file_each(&s, 0, place_note, &places);
    ws_file_close(&s);
    ws_files_free(&files);
    CU_ASSERT_EQUAL(places.byte[1], places.byte[2]);
    for (uint32_t i = 1; i < 3; i++) {
        path_make(path, &m, i);
        byte_change(path, places.byte[i]);
    }
    survey_open(&s, &files, &m);
    s.faults_once = true;
    uint64_t before = s.n_faults;
    uint64_t n = scan_count(&s);
    CU_ASSERT_EQUAL(n, 13);
    CU_ASSERT_EQUAL(s.n_faults - before, 2);
    CU_ASSERT_EQUAL(scan_count(&s), n);
    CU_ASSERT_EQUAL(s.n_faults - before, 2);
    CU_ASSERT_FALSE(ws_file_good(&s));
    ws_file_close(&s);
    ws_files_free(&files);
}

/* A part that is no record file leaves the others readable. */
static void test_unreadable_part(void)
{
    struct model m;
    struct ws_files files;
    struct ws_file s;
    char path[160];
    make_simple(&m, "unreadable", 3);
    for (uint32_t i = 0; i < 3; i += 2) {
        path_make(path, &m, i);
        FILE *out = fopen(path, "wb");
        fputs("nothing", out);
        fclose(out);
    }
    const char *operand = m.folder;
    CU_ASSERT_TRUE_FATAL(ws_files_gather(&files, &operand, 1, NULL));
    uint64_t n = 0;
    for (size_t i = 0; i < files.n_streams; i++) {
        ws_stream_survey(&s, &files, i, NULL);
        n += s.pes == NULL ? 0 : scan_count(&s);
        CU_ASSERT(s.pes != NULL || s.n_faults > 0);
        ws_file_close(&s);
    }
    CU_ASSERT_EQUAL(n, 5);
    ws_files_free(&files);
}

/* Asserts that a trace of three parts has this problem, in part number where, only for commands that
 * need `need`; NULL: none. */
static void problem_is(const struct model *m, unsigned need, const char *problem, uint32_t where)
{
    struct ws_files files;
    struct ws_file s;
    survey_open(&s, &files, m);
    for (unsigned needs = 0; needs < 16; needs++) {
        const struct ws_file *found;
        const char *what_to_do, *why = ws_trace_problem(&s, needs, &found, &what_to_do);
        if (problem == NULL || (needs & need) == 0) {
            CU_ASSERT_PTR_NULL(why);
        } else {
            CU_ASSERT_FATAL(why != NULL && found == ws_stream_part(&s, where));
            CU_ASSERT_STRING_EQUAL(why, problem);
        }
    }
    ws_file_close(&s);
    ws_files_free(&files);
}

/* Asserts that the trace says this about what it covers, also if it is added twice. */
static void covers_are(const struct model *m, const char *words)
{
    struct ws_files files;
    struct ws_file s;
    struct ws_covers covers = {.what = WS_COVERS_ALL};
    char text[WS_COVERS_TEXT];
    survey_open(&s, &files, m);
    for (int i = 0; i < 2; i++) {
        ws_covers_add(&covers, &s);
        ws_covers_text(&covers, text);
        CU_ASSERT_STRING_EQUAL(text, words);
    }
    ws_file_close(&s);
    ws_files_free(&files);
}

static void test_trace_problems(void)
{
    for (int change = 0; change < 4; change++) {
        struct model m;
        char name[32], path[160];
        snprintf(name, sizeof name, "problem-%d", change);
        make_simple(&m, name, 3);
        for (uint32_t i = 0; i < 3; i++) {
            m.parts[i].mode = change == 1 && i == 2 ? "1" : "3";
            m.parts[i].lps = change == 2 && i == 1 ? "0-9" : "all";
            m.parts[i].from += change == 3 && i == 1 ? 0.5 : 0.0;
            path_make(path, &m, i);
            CU_ASSERT_EQUAL(remove(path), 0);
            part_write(&m, i);
        }
        static const struct {
            const char *problem;
            unsigned need;
            uint32_t where;
        } expected[] = {{NULL, 0, 0},
                        {"these are not committed events", WS_TRACE_COMMITTED, 2},
                        {"the trace has the events of some LPs only", WS_TRACE_ALL_LPS, 1},
                        {"a request had switched the trace off before it", WS_TRACE_ALL_TIMES, 1}};
        static const char *const covers[] = {
            "the whole run", "the whole run",
            "part of the run: only events of LPs 0-9 (--trace-lps)",
            "part of the run: evtrace not from GVT 1 to 1.5: a request switched it off"};
        covers_are(&m, covers[change]);
        problem_is(&m, expected[change].need, expected[change].problem, expected[change].where);
    }
}

static const char *no_path(const void *ctx, uint32_t pe)
{
    (void)ctx;
    (void)pe;
    return NULL;
}

/* Random changes over the contents of a file that is not changed, compared with an array. */
static void test_so_far(void)
{
    enum { SIZE = 400000 };
    static uint8_t naive[SIZE], bytes[SIZE];
    uint64_t random = suite_seed();
    struct model m;
    struct fmt_file file;
    char path[160];
    size_t got = 0;
    make_simple(&m, "so_far", 1);
    path_make(path, &m, 0);
    CU_ASSERT_EQUAL_FATAL(fmt_file_open_read(&file, path, NULL), FMT_OK);
    CU_ASSERT_EQUAL(file.io.read_at(file.io.ctx, naive, SIZE, 0, &got), 0);
    struct ws_so_far *s = ws_so_far_open(&file.io, no_path, NULL);
    CU_ASSERT_PTR_NOT_NULL_FATAL(s);
    CU_ASSERT_FALSE(ws_so_far_is_open(s));
    const struct fmt_io *io = ws_so_far_io(s);
    uint64_t end = got;
    for (int i = 0; i < 500; i++) {
        uint64_t offset = random_below(&random, SIZE / 2);
        size_t size = 1 + (size_t)random_below(&random, i % 10 == 0 ? SIZE / 2 : 5000);
        if (random_below(&random, 2) == 0) {
            memset(naive + offset, i, size);
            CU_ASSERT_EQUAL(io->write_at(io->ctx, naive + offset, size, offset), 0);
            end = offset + size > end ? offset + size : end;
        }
        CU_ASSERT_EQUAL(io->read_at(io->ctx, bytes, size, offset, &got), 0);
        size_t most = offset >= end ? 0 : (size_t)(end - offset);
        CU_ASSERT_EQUAL(got, size < most ? size : most);
        CU_ASSERT(memcmp(bytes, naive + offset, got) == 0);
    }
    CU_ASSERT_EQUAL(io->get_size(io->ctx, &random), 0);
    CU_ASSERT_EQUAL(random, end);
    ws_so_far_close(s);
    fmt_file_close(&file, NULL);
}

int main(void)
{
    const CU_TestInfo tests[] = {{"random parts", test_random_parts},
                                 {"damaged blocks", test_damaged_blocks},
                                 {"an unreadable part", test_unreadable_part},
                                 {"problems of traces", test_trace_problems},
                                 {"contents so far", test_so_far}};
    return root_suite_run("reader: streams", tests, sizeof tests / sizeof tests[0]);
}
