/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * format_memory.h - a file in memory behind a fmt_io, with faults on demand, and a walk through a
 * whole file. For tests of the record file format.
 */
#ifndef WARPSCOPE_TESTS_FORMAT_MEMORY_H
#define WARPSCOPE_TESTS_FORMAT_MEMORY_H

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "format/format.h"

/* ---- A file in memory ------------------------------------------------------------------------ */

struct memory_io {
    uint8_t *bytes;
    size_t size;
    size_t capacity;
    uint64_t limit;       /* writes that would end behind it fail with ENOSPC */
    unsigned writes_left; /* then writes fail with EIO */
    unsigned reads_left;  /* then reads fail with EIO */
    struct fmt_io io;
};

static int memory_io_write(void *ctx, const void *data, size_t size, uint64_t offset)
{
    struct memory_io *m = ctx;
    if (m->writes_left == 0) {
        return EIO;
    }
    m->writes_left--;
    if (offset + size > m->limit) {
        return ENOSPC;
    }
    if (offset + size > m->capacity) {
        size_t capacity = (offset + size) * 2;
        m->bytes = realloc(m->bytes, capacity);
        memset(m->bytes + m->capacity, 0, capacity - m->capacity);
        m->capacity = capacity;
    }
    if (offset + size > m->size) {
        m->size = offset + size;
    }
    memcpy(m->bytes + offset, data, size);
    return 0;
}

static int memory_io_read(void *ctx, void *data, size_t size, uint64_t offset, size_t *got)
{
    struct memory_io *m = ctx;
    *got = 0;
    if (m->reads_left == 0) {
        return EIO;
    }
    m->reads_left--;
    if (offset >= m->size) {
        return 0;
    }
    *got = size < m->size - offset ? size : m->size - (size_t)offset;
    memcpy(data, m->bytes + offset, *got);
    return 0;
}

static int memory_io_size(void *ctx, uint64_t *size)
{
    *size = ((const struct memory_io *)ctx)->size;
    return 0;
}

/* Detects holes as pages of 4096 zeros, like a file system. */
static int memory_io_next_data(void *ctx, uint64_t offset, uint64_t *data)
{
    const struct memory_io *m = ctx;
    while (offset < m->size) {
        uint64_t end = (offset | 4095) + 1;
        if (end > m->size) {
            end = m->size;
        }
        for (uint64_t i = offset; i < end; i++) {
            if (m->bytes[i] != 0) {
                *data = offset;
                return 0;
            }
        }
        offset = end;
    }
    *data = m->size;
    return 0;
}

static inline void memory_io_init(struct memory_io *m)
{
    *m = (struct memory_io){
        .limit = UINT64_MAX, .writes_left = UINT32_MAX, .reads_left = UINT32_MAX};
    m->io = (struct fmt_io){.ctx = m,
                            .path = "memory",
                            .write_at = memory_io_write,
                            .read_at = memory_io_read,
                            .get_size = memory_io_size,
                            .next_data = memory_io_next_data};
}

static inline void memory_io_fini(struct memory_io *m)
{
    free(m->bytes);
    m->bytes = NULL;
}

/* ---- Everything in a file -------------------------------------------------------------------- */

/* Result of a walk through a file. */
struct look {
    uint64_t faults;
    uint64_t records;
    uint64_t blocks;
    uint64_t dropped;
    uint64_t missing; /* as far as the walk can determine */
    uint64_t hash;    /* hash of all records' fields and payloads, by PE, in order */
    uint32_t ends;
    struct fmt_error first;
};

static inline void look_fault(struct look *look, const struct fmt_error *error)
{
    if (look->faults++ == 0) {
        look->first = *error;
    }
}

static inline void look_hash(struct look *look, const void *data, size_t size)
{
    const uint8_t *p = data;
    for (size_t i = 0; i < size; i++) {
        look->hash = (look->hash ^ p[i]) * UINT64_C(1099511628211);
    }
}

static inline void look_records(struct look *look, const struct fmt_columns *c)
{
    for (uint32_t row = 0; row < c->n_records; row++) {
        for (uint32_t f = 0; f < c->schema->n_fields; f++) {
            struct fmt_value v = fmt_columns_value(c, f, row);
            look_hash(look, &v.as, sizeof v.as);
        }
        uint64_t at = c->payload_offset[row], end = c->payload_offset[row + 1];
        if (end > at) {
            look_hash(look, c->payload + at, (size_t)(end - at));
        }
    }
    look->records += c->n_records;
}

static inline bool look_name(void *ctx, uint64_t lp, const char *name)
{
    look_hash(ctx, &lp, sizeof lp);
    look_hash(ctx, name, strlen(name));
    return true;
}

static inline void look_block(struct look *look, const struct fmt_reader *reader,
                              const struct fmt_block *block, struct fmt_columns *columns,
                              struct fmt_desc_set *descs)
{
    struct fmt_error error = {0};
    struct fmt_end end = {0};
    enum fmt_status status = fmt_block_verify(reader, block, columns, &error);
    look->blocks++;
    if (status == FMT_OK && block->kind == FMT_BLOCK_DATA) {
        look_records(look, columns);
    }
    if (status == FMT_OK && block->kind == FMT_BLOCK_META) {
        status = fmt_block_read_meta(reader, block, descs, &error);
    }
    if (status == FMT_OK && block->kind == FMT_BLOCK_NAMES) {
        status = fmt_block_read_names(reader, block, look_name, look, &error);
    }
    if (status == FMT_OK && block->kind == FMT_BLOCK_END) {
        status = fmt_block_read_end(reader, block, &end, &error);
        look->ends += status == FMT_OK;
        look->dropped += end.info.records_dropped;
        fmt_end_free(&end);
    }
    if (status != FMT_OK) {
        look_fault(look, &error);
    }
}

/* Reads all of a file, like "warpscope verify" (strict) or "warpscope dump" (not). */
static inline struct look look_through(const struct fmt_io *io, bool strict)
{
    struct look look = {.hash = UINT64_C(14695981039346656037)};
    struct fmt_reader *reader = NULL;
    struct fmt_columns columns = {0};
    struct fmt_desc_set descs = {0};
    struct fmt_error error = {0};
    if (fmt_reader_open(io, &reader, &error) != FMT_OK) {
        look_fault(&look, &error);
        return look;
    }
    for (uint32_t pe = 0; pe < fmt_reader_superblock(reader)->layout.n_pes; pe++) {
        struct fmt_scan scan;
        struct fmt_block block;
        enum fmt_status status;
        fmt_scan_init(&scan, reader, pe);
        if (strict) {
            fmt_scan_strict(&scan);
        }
        while ((status = fmt_scan_next(&scan, &block, &error)) != FMT_END) {
            if (status == FMT_OK) {
                look_block(&look, reader, &block, &columns, &descs);
            } else {
                look_fault(&look, &error);
            }
        }
        look.missing += scan.missing_records;
    }
    fmt_desc_set_free(&descs);
    fmt_columns_free(&columns);
    fmt_reader_close(reader);
    return look;
}

#endif
