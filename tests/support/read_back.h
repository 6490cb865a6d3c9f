/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * read_back.h - all records of one file, through the format's own reader, for comparison in tests.
 */
#ifndef WARPSCOPE_TESTS_READ_BACK_H
#define WARPSCOPE_TESTS_READ_BACK_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "format/format.h"
#include "support/room.h"

/* Zero-initialise, fill with read_back(), free with read_back_free(). */
struct read_back {
    unsigned char *rows; /* n rows of row_size bytes, by PE and then in the order of writing */
    size_t row_size;
    size_t n;
    unsigned char *payload; /* payloads of all records, one after another */
    uint64_t *payload_at;   /* n + 1 offsets */
    size_t payload_bytes;
    struct fmt_desc_set descs;
    unsigned ends;     /* END blocks */
    unsigned errors;   /* of any kind */
    uint64_t dropped;  /* sum over END blocks */
    uint32_t end_code; /* of the last END block */
    uint64_t data_blocks;
    uint32_t record; /* enum fmt_record of those wanted, 0: all, which then are of one kind */
    char first_error[768];
};

static inline void read_back_error(struct read_back *all, const struct fmt_error *error)
{
    if (all->errors++ == 0) {
        snprintf(all->first_error, sizeof(all->first_error), "%s", error->text);
    }
}

static inline void read_back_rows(struct read_back *all, const struct fmt_columns *c)
{
    const struct fmt_schema *schema = c->schema;
    size_t n = all->n + c->n_records;
    all->row_size = schema->row_size;
    size_t bytes = (size_t)c->payload_offset[c->n_records];
    all->rows = room_for(all->rows, all->n * schema->row_size, n * schema->row_size);
    all->payload_at = room_for(all->payload_at, (all->n + 1) * sizeof(*all->payload_at),
                               (n + 1) * sizeof(*all->payload_at));
    all->payload = room_for(all->payload, all->payload_bytes, all->payload_bytes + bytes);
    if (bytes > 0) {
        memcpy(all->payload + all->payload_bytes, c->payload, bytes);
    }
    memset(all->rows + all->n * schema->row_size, 0, c->n_records * schema->row_size);
    for (uint32_t r = 0; r < c->n_records; r++) {
        unsigned char *row = all->rows + (all->n + r) * schema->row_size;
        for (uint32_t f = 0; f < schema->n_fields; f++) {
            size_t size = fmt_type_size(schema->fields[f].type);
            memcpy(row + schema->fields[f].offset, (const char *)c->values[f] + r * size, size);
        }
        all->payload_at[all->n + r] = all->payload_bytes + c->payload_offset[r];
    }
    all->n = n;
    all->payload_bytes += bytes;
    all->payload_at[n] = all->payload_bytes;
}

static inline void read_back_block(struct read_back *all, const struct fmt_reader *reader,
                                   const struct fmt_block *block, struct fmt_columns *columns)
{
    struct fmt_error error = {0};
    struct fmt_end end = {0};
    if (fmt_block_verify(reader, block, columns, &error) != FMT_OK) {
        read_back_error(all, &error);
        return;
    }
    switch (block->kind) {
    case FMT_BLOCK_DATA:
        all->data_blocks++;
        if (all->record != 0 && block->schema->id != all->record) {
            return;
        }
        if (fmt_block_decode(reader, block, columns, &error) == FMT_OK) {
            read_back_rows(all, columns);
            return;
        }
        break;
    case FMT_BLOCK_META:
        if (fmt_block_read_meta(reader, block, &all->descs, &error) == FMT_OK) {
            return;
        }
        break;
    case FMT_BLOCK_END:
        if (fmt_block_read_end(reader, block, &end, &error) == FMT_OK) {
            all->ends++;
            all->dropped += end.info.records_dropped;
            all->end_code = end.info.code;
            fmt_end_free(&end);
            return;
        }
        break;
    default:
        break;
    }
    read_back_error(all, &error);
}

static inline void read_back_io(struct read_back *all, const struct fmt_io *io)
{
    struct fmt_error error = {0};
    struct fmt_reader *reader = NULL;
    struct fmt_columns columns = {0};
    if (fmt_reader_open(io, &reader, &error) != FMT_OK) {
        read_back_error(all, &error);
        return;
    }
    uint32_t n_pes = fmt_reader_superblock(reader)->layout.n_pes;
    for (uint32_t pe = 0; pe < n_pes; pe++) {
        struct fmt_scan scan;
        struct fmt_block block;
        enum fmt_status status;
        fmt_scan_init(&scan, reader, pe);
        fmt_scan_strict(&scan);
        while ((status = fmt_scan_next(&scan, &block, &error)) != FMT_END) {
            if (status == FMT_OK) {
                read_back_block(all, reader, &block, &columns);
            } else {
                read_back_error(all, &error);
            }
        }
    }
    fmt_columns_free(&columns);
    fmt_reader_close(reader);
}

/* Only records of one kind (enum fmt_record). */
static inline void read_back_kind(struct read_back *all, const char *path, uint32_t record)
{
    struct fmt_error error = {0};
    struct fmt_file file;
    *all = (struct read_back){.record = record};
    if (fmt_file_open_read(&file, path, &error) != FMT_OK) {
        read_back_error(all, &error);
        return;
    }
    read_back_io(all, &file.io);
    fmt_file_close(&file, NULL);
}

static inline void read_back(struct read_back *all, const char *path)
{
    read_back_kind(all, path, 0);
}

static inline void read_back_free(struct read_back *all)
{
    free(all->rows);
    free(all->payload);
    free(all->payload_at);
    fmt_desc_set_free(&all->descs);
    *all = (struct read_back){0};
}

#endif
