/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * stream_parts.h - a stream with several files from a plain model. Parts have different kinds of records,
 * and use the same numbers for different payload types.
 */
#ifndef WARPSCOPE_TESTS_STREAM_PARTS_H
#define WARPSCOPE_TESTS_STREAM_PARTS_H

#include <math.h>
#include <string.h>
#include <sys/stat.h>

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

/* Returns a number that identifies a record: it is in the field src_lp and in the payload. */
static inline uint64_t number_of(uint32_t part, uint32_t pe, int kind, uint32_t record)
{
    return ((part * PES_MAX + pe) * KINDS + (uint64_t)kind) * RECORDS_MAX + record;
}

static inline void path_make(char path[160], const struct model *m, uint32_t part)
{
    if (part == 0) {
        snprintf(path, 160, "%s/%s-evtrace.bin", m->folder, m->prefix);
    } else {
        snprintf(path, 160, "%s/%s-%u-evtrace.bin", m->folder, m->prefix, part + 1);
    }
}

static inline void records_write(struct fmt_writer *w, const struct part *p, uint32_t number,
                                 uint32_t pe, int kind)
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

static inline void pe_write(const struct model *m, uint32_t number, uint32_t pe,
                            struct fmt_writer *w)
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

static inline void part_write(const struct model *m, uint32_t number)
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

/* Makes parts that all have events of one PE. */
static inline void make_simple(struct model *m, const char *name, uint32_t n_parts)
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

#endif
