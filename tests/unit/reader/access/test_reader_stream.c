/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A stream with several files, read as one: random parts against a plain model.
 *
 * test: libs=warpscope_reading
 */
#include "access/covers.h"
#include "access/record_scan.h"
#include "support/stream_parts.h"

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

static bool block_compare(const struct ws_part *chosen, void *ctx)
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
            fmt_desc_set_find(&chosen->file->descs, (uint32_t)fmt_columns_value(c, type, row).as.u);
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
    uint32_t found = 0;
    for (uint32_t i = 1; i < ws_stream_parts(&s); i++) {
        struct ws_cover gap;
        found += ws_stream_gap(&s, i, NULL, &gap);
    }
    CU_ASSERT_EQUAL(found, gaps);
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

int main(void)
{
    const CU_TestInfo tests[] = {{"random parts", test_random_parts}};
    return root_suite_run("reader: streams", tests, sizeof tests / sizeof tests[0]);
}
