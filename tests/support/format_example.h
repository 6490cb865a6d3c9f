/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * format_example.h - small files made through the format's own API, without an engine: for tests
 * that need a file to read or to damage.
 */
#ifndef WARPSCOPE_TESTS_FORMAT_EXAMPLE_H
#define WARPSCOPE_TESTS_FORMAT_EXAMPLE_H

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "format/format.h"

/* The payload of example events: described as id 1. */
struct example_payload {
    double delay;
    uint32_t bytes;
    uint16_t hops[2];
    char name[8];
};

static const struct fmt_payload_field example_fields[] = {
    {"delay", "s", FMT_F64, 0, 1, 0, NULL},
    {"bytes", "bytes", FMT_U32, 8, 1, 0, NULL},
    {"hops", "", FMT_U16, 12, 2, 0, NULL},
    {"name", "", FMT_CHAR, 16, 8, 0, NULL},
};

/* Id 2 shares a field with id 1, has one with the name of a column of the record, and floats. */
static const struct fmt_payload_field example_other_fields[] = {
    {"delay", "s", FMT_F32, 0, 1, 0, NULL},
    {"pe", "", FMT_I16, 4, 1, 0, NULL},
    {"level", "", FMT_I8, 6, 1, 0, NULL},
};

static const struct fmt_payload_desc example_descs[] = {
    {1, FMT_PAYLOAD_EV, 24, 4, "router", example_fields},
    {2, FMT_PAYLOAD_EV, 7, 3, "host", example_other_fields},
};
#define EXAMPLE_DESCS 2

struct example {
    uint32_t n_pes;
    uint32_t rows_per_pe; /* PE p gets p more */
    uint64_t extent_size; /* 0: default */
    bool described;       /* payloads, with descriptions */
    bool no_end;          /* leave the END blocks out */
};

/* Writes event number i of PE pe with its payload. Returns the number of bytes at to. */
static inline size_t example_row(uint8_t *to, uint32_t pe, uint32_t i, bool payload)
{
    struct fmt_event_row row = {.src_lp = i % 7,
                                .dest_lp = pe * 1000 + i % 5,
                                .send_ts = i * 0.1,
                                .recv_ts = i * 0.1 + 1.0 / (1 + i % 3),
                                .prio = 1.0,
                                .real_time = i * 1e-6,
                                .pe = pe,
                                .kp = i % 5};
    struct example_payload one = {.delay = i / 3.0, .bytes = 40 + i, .hops = {(uint16_t)i, 2}};
    uint8_t two[7] = {0};
    float delay = (float)i / 3.0f;
    int16_t negative = (int16_t)-i;
    const void *bytes = &one;
    memset(to, 0, sizeof row + sizeof one);
    snprintf(one.name, sizeof one.name, "r%u,\"q\"", i % 10);
    memcpy(two, &delay, 4);
    memcpy(two + 4, &negative, 2);
    two[6] = (uint8_t)(0 - i % 3);
    if (payload) {
        row.payload_type = i % 3 == 2 ? 2 : 1;
        row.payload_size = row.payload_type == 1 ? (uint32_t)sizeof one : (uint32_t)sizeof two;
        bytes = row.payload_type == 1 ? (const void *)&one : two;
    }
    memcpy(to, &row, sizeof row);
    memcpy(to + sizeof row, bytes, row.payload_size);
    return fmt_row_bytes(sizeof row, row.payload_size);
}

static inline enum fmt_status example_superblock(const struct fmt_io *io, const struct example *ex,
                                                 struct fmt_layout *layout, struct fmt_error *error)
{
    static const struct fmt_text run[] = {{"command", "example --synch=3"},
                                          {"version", "Warpscope 0.1.0"},
                                          {"scheduler", "optimistic"},
                                          {"start_date", "2026-01-31T12:00:00Z"}};
    const struct fmt_schema *schema = fmt_schema_builtin(FMT_RECORD_EVENT);
    fmt_layout_init(layout, FMT_STREAM_EVTRACE, ex->n_pes, 77,
                    fmt_row_bytes(schema->row_size, sizeof(struct example_payload)));
    if (ex->extent_size != 0) {
        layout->extent_size = ex->extent_size;
        layout->first_extent = 4096;
    }
    struct fmt_superblock sb = {.stream = FMT_STREAM_EVTRACE,
                                .n_schemas = 1,
                                .n_run = 4,
                                .layout = *layout,
                                .schemas = &schema,
                                .run = run};
    return fmt_superblock_write(io, &sb, error);
}

/* Writes one PE's part in several steps, like a recorder. */
static inline enum fmt_status example_pe(const struct fmt_io *io, const struct example *ex,
                                         const struct fmt_layout *layout, uint32_t pe,
                                         struct fmt_error *error)
{
    static const struct fmt_counter counters[] = {{"events_processed", 1234}};
    const struct fmt_schema *schema = fmt_schema_builtin(FMT_RECORD_EVENT);
    size_t row_max = fmt_row_bytes(schema->row_size, sizeof(struct example_payload));
    uint32_t n = ex->rows_per_pe + pe;
    uint8_t *rows = malloc((n + 1) * row_max);
    struct fmt_writer w;
    enum fmt_status status = fmt_writer_init(&w, io, &schema, 1, layout, pe, row_max, error);
    if (status == FMT_OK && ex->described) {
        status = fmt_writer_meta(&w, example_descs, EXAMPLE_DESCS, error);
    }
    for (uint32_t i = 0; i < n && status == FMT_OK;) {
        size_t size = 0;
        uint32_t step = i + 1 + n / 3;
        for (; i < n && i < step; i++) {
            size += example_row(rows + size, pe, i, ex->described);
        }
        status = fmt_writer_append(&w, schema, rows, size, i * 0.1, NULL, error);
    }
    struct fmt_end_info end = {.code = 1,
                               .gvt = n * 0.1,
                               .real_time = 0.25,
                               .text = "reached the end time",
                               .n_counters = 1,
                               .counters = counters};
    if (status == FMT_OK && !ex->no_end) {
        status = fmt_writer_end(&w, &end, error);
    }
    fmt_writer_fini(&w);
    free(rows);
    return status;
}

static inline enum fmt_status example_write(const struct fmt_io *io, const struct example *ex,
                                            struct fmt_error *error)
{
    struct fmt_layout layout;
    enum fmt_status status = example_superblock(io, ex, &layout, error);
    for (uint32_t pe = 0; pe < ex->n_pes && status == FMT_OK; pe++) {
        status = example_pe(io, ex, &layout, pe, error);
    }
    return status;
}

/* Returns the number of records that example_write() writes. */
static inline uint64_t example_records(const struct example *ex)
{
    return (uint64_t)ex->n_pes * ex->rows_per_pe + (uint64_t)ex->n_pes * (ex->n_pes - 1) / 2;
}

#endif
