/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Samples of models that a run has left out: random files against a plain model, which keeps the last
 * record of each LP.
 *
 * test: libs=warpscope_reading
 */
#include <string.h>

#include "access/record_scan.h"
#include "support/root_dir.h"

#define LPS_MAX    6u
#define POINTS_MAX 14u
#define ROWS_MAX   (LPS_MAX * POINTS_MAX)
#define WORDS_MAX  2u
#define PES        3u
#define TYPE       1u

struct row {
    struct fmt_model_lp_row head;
    uint64_t payload[WORDS_MAX];
};

enum fate { ENDED, LOST, KILLED, FATES };

/* The records of a PE: those that are written, and those that readers are to see. */
struct pe_rows {
    enum fate fate;
    uint32_t n_written, n_seen;
    struct row written[ROWS_MAX], seen[ROWS_MAX];
};

static struct row row_draw(uint64_t *random, uint32_t pe, uint32_t lp, uint32_t words)
{
    return (struct row){{.pe = pe,
                         .kp = lp % 2,
                         .lp = 10 + lp,
                         .payload_type = TYPE + words - 1,
                         .payload_size = 8 * words,
                         .lp_ts = (double)random_below(random, 1000)},
                        {random_bits(random), words > 1 ? random_bits(random) : 0}};
}

static void pe_draw(struct pe_rows *p, uint32_t pe, uint64_t *random)
{
    struct row last[2][LPS_MAX];
    uint32_t words[LPS_MAX], n_lps = 1 + (uint32_t)random_below(random, LPS_MAX);
    uint32_t n_points = 1 + (uint32_t)random_below(random, POINTS_MAX);
    bool has_all[2] = {false, false};
    *p = (struct pe_rows){.fate = (enum fate)random_below(random, FATES)};
    for (uint32_t i = 0; i < n_lps; i++) {
        words[i] = 1 + (uint32_t)random_below(random, WORDS_MAX);
    }
    for (uint32_t point = 0; point < n_points; point++) {
        const uint32_t kind = 1 + (uint32_t)random_below(random, 3), table = kind == 3;
        const uint32_t chosen = (uint32_t)random_below(random, n_lps);
        for (uint32_t i = 0; i < n_lps; i++) {
            const bool is_fresh = !has_all[table] || i == chosen || random_below(random, 4) == 0;
            struct row *row = &last[table][i];
            *row = is_fresh ? row_draw(random, pe, i, words[i]) : *row;
            row->head.kind = kind;
            row->head.sample = point + 1;
            row->head.gvt = point;
            row->head.real_time = 0.5 * point;
            row->head.lp_ts = table == 1 ? point : row->head.lp_ts;
            if (is_fresh) {
                p->written[p->n_written++] = *row;
            }
            if (is_fresh || p->fate == ENDED || (p->fate == KILLED && point + 1 < n_points)) {
                p->seen[p->n_seen++] = *row;
            }
        }
        has_all[table] = true;
    }
}

/* Writes the records of a PE in pieces, which need not end with a sampling point. */
static void pe_write(const struct pe_rows *p, struct fmt_writer *w, uint64_t *random)
{
    const struct fmt_schema *schema = fmt_schema_builtin(FMT_RECORD_MODEL_LP);
    uint64_t bytes[ROWS_MAX * sizeof(struct row) / 8];
    size_t size = 0;
    for (uint32_t i = 0; i < p->n_written; i++) {
        const size_t row = schema->row_size + p->written[i].head.payload_size;
        memcpy((char *)bytes + size, &p->written[i], row);
        size += row;
        if (i + 1 == p->n_written || random_below(random, 4) == 0) {
            CU_ASSERT_EQUAL(fmt_writer_append(w, schema, bytes, size, 0, NULL, NULL), FMT_OK);
            size = 0;
        }
    }
    const struct fmt_end_info end = {
        .code = FMT_END_TIME, .text = "", .records_dropped = p->fate == LOST};
    CU_ASSERT_EQUAL(p->fate == KILLED ? FMT_OK : fmt_writer_end(w, &end, NULL), FMT_OK);
}

static void file_write(const char *path, const struct pe_rows pes[PES], uint64_t *random)
{
    static const struct fmt_payload_field fields[] = {
        {.name = "a", .unit = "", .type = FMT_U64, .count = 1},
        {.name = "b", .unit = "", .type = FMT_U64, .offset = 8, .count = 1}};
    const struct fmt_schema *schema = fmt_schema_builtin(FMT_RECORD_MODEL_LP);
    struct fmt_superblock sb = {.stream = FMT_STREAM_MODEL, .n_schemas = 1, .schemas = &schema};
    struct fmt_payload_desc descs[WORDS_MAX];
    struct fmt_file file;
    fmt_layout_init(&sb.layout, FMT_STREAM_MODEL, PES, 1, sizeof(struct row));
    CU_ASSERT_EQUAL_FATAL(fmt_file_create(&file, path, NULL), FMT_OK);
    CU_ASSERT_EQUAL(fmt_superblock_write(&file.io, &sb, NULL), FMT_OK);
    for (uint32_t i = 0; i < WORDS_MAX; i++) {
        descs[i] = (struct fmt_payload_desc){.id = TYPE + i,
                                             .kind = FMT_PAYLOAD_HELD,
                                             .size = 8 * (i + 1),
                                             .n_fields = i + 1,
                                             .owner = "lp",
                                             .fields = fields};
    }
    for (uint32_t pe = 0; pe < PES; pe++) {
        struct fmt_writer w;
        CU_ASSERT_EQUAL_FATAL(
            fmt_writer_init(&w, &file.io, &schema, 1, &sb.layout, pe, sizeof(struct row), NULL),
            FMT_OK);
        CU_ASSERT_EQUAL(fmt_writer_meta(&w, descs, WORDS_MAX, NULL), FMT_OK);
        pe_write(&pes[pe], &w, random);
        fmt_writer_fini(&w);
    }
    CU_ASSERT_EQUAL(fmt_file_close(&file, NULL), FMT_OK);
}

struct expected {
    const struct pe_rows *pes;
    uint32_t seen[PES], wrong;
};

static bool block_compare(const struct ws_part *part, void *ctx)
{
    struct expected *e = ctx;
    const struct fmt_columns *c = part->columns;
    const uint32_t pe = part->block->pe;
    for (uint32_t i = 0; i < c->n_records; i++) {
        const uint32_t at = e->seen[pe]++;
        const struct row *row = &e->pes[pe].seen[at];
        if (at >= e->pes[pe].n_seen) {
            e->wrong++;
            return false;
        }
        for (uint32_t f = 0; f < c->schema->n_fields; f++) {
            const struct fmt_field *field = &c->schema->fields[f];
            const size_t width = fmt_type_size(field->type);
            e->wrong +=
                memcmp(c->values[f] + i * width, (const char *)row + field->offset, width) != 0;
        }
        e->wrong +=
            c->payload_offset[i + 1] - c->payload_offset[i] != row->head.payload_size ||
            memcmp(c->payload + c->payload_offset[i], row->payload, row->head.payload_size) != 0;
    }
    return true;
}

static void test_random_files(void)
{
    static struct pe_rows pes[PES];
    uint64_t random = suite_seed();
    suite_print_seed("samples that are left out", random);
    for (int round = 0; round < 150; round++) {
        char path[100];
        struct ws_file file;
        struct expected e = {.pes = pes};
        for (uint32_t pe = 0; pe < PES; pe++) {
            pe_draw(&pes[pe], pe, &random);
        }
        snprintf(path, sizeof path, "%s/model.bin", root);
        file_write(path, pes, &random);
        ws_file_survey(&file, path, false, NULL);
        CU_ASSERT_TRUE(ws_scan(&file, NULL, NULL, block_compare, &e));
        CU_ASSERT_EQUAL(e.wrong, 0);
        for (uint32_t pe = 0; pe < PES; pe++) {
            CU_ASSERT_EQUAL(e.seen[pe], pes[pe].n_seen);
        }
        ws_file_close(&file);
        remove(path);
    }
}

int main(void)
{
    const CU_TestInfo tests[] = {{"random files", test_random_files}};
    return root_suite_run("reader: samples that are left out", tests,
                          sizeof tests / sizeof tests[0]);
}
