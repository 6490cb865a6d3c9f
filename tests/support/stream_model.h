/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * stream_model.h - the naive model of a stream: the payload sizes of all records of each channel.
 * Every record's contents follow from its number, so that any contents of a file can be checked.
 */
#ifndef WARPSCOPE_TESTS_STREAM_MODEL_H
#define WARPSCOPE_TESTS_STREAM_MODEL_H

#include <CUnit/CUnit.h>
#include <stdint.h>
#include <string.h>

#include "record/buffer/stream.h"

#define MODEL_PAYLOAD_MAX 700u
#define MODEL_ROW_MAX     (sizeof(struct fmt_event_row) + (MODEL_PAYLOAD_MAX + 7) / 8 * 8)

/* The channels: records of events, and of rollbacks, which begin with the same fields. */
static const uint32_t model_kinds[] = {FMT_RECORD_EVENT, FMT_RECORD_ROLLBACK};

/* Fills in the schemas of the channels and returns the bytes of the largest row. */
static inline size_t model_schemas(const struct fmt_schema **schemas, unsigned n_channels)
{
    for (unsigned i = 0; i < n_channels; i++) {
        schemas[i] = fmt_schema_builtin(model_kinds[i]);
    }
    size_t more = sizeof(struct fmt_rollback_row) - sizeof(struct fmt_event_row);
    return n_channels == 1 ? MODEL_ROW_MAX : MODEL_ROW_MAX + more;
}

/* Puts record number i of a channel, with a payload of size bytes derived from the number. */
static inline void model_put(struct record_stream *stream, unsigned channel, uint64_t i,
                             uint32_t size)
{
    struct record_channel *to = &stream->channels[channel];
    size_t row_size = to->schema->row_size;
    size_t bytes = fmt_row_bytes(row_size, size);
    unsigned char *row = channel_reserve(to, bytes);
    struct fmt_event_row common = {.src_lp = i, .recv_ts = (double)i, .payload_size = size};
    memset(row, 0, row_size);
    memcpy(row, &common, sizeof(common));
    memset(row + row_size, (int)(i & 0xff), size);
    channel_commit(to, bytes);
}

#define MODEL_RECORDS_MAX 6000u

/* Zero-initialise. */
struct stream_model {
    uint32_t sizes[2][MODEL_RECORDS_MAX];
    uint64_t n[2];
    uint64_t seen[2]; /* in the file */
    uint64_t next[2]; /* the next number, or any later one if records were dropped */
    bool dropping;
    bool ring; /* the first records of a channel may have been overwritten */
    unsigned wrong;
    struct fmt_end_info end; /* of the END block; its pointers are not valid */
};

/* Compares a record with what is expected. Columns without payloads have at least their sizes. */
static inline void model_expect(struct stream_model *e, unsigned channel,
                                const struct fmt_columns *c, uint32_t r)
{
    uint64_t i = fmt_columns_value(c, 0, r).as.u;
    const uint8_t *payload = c->payload_offset == NULL ? NULL : c->payload + c->payload_offset[r];
    int32_t field = c->schema->role_field[FMT_ROLE_PAYLOAD_SIZE];
    uint64_t size = payload != NULL ? c->payload_offset[r + 1] - c->payload_offset[r]
                    : field >= 0    ? fmt_columns_value(c, (uint32_t)field, r).as.u
                                    : 0;
    bool may_skip = e->dropping || (e->ring && e->seen[channel] == 0);
    bool in_order = may_skip ? i >= e->next[channel] : i == e->next[channel];
    e->wrong +=
        !in_order || i >= e->n[channel] || size != e->sizes[channel][i < MODEL_RECORDS_MAX ? i : 0];
    for (uint64_t k = 0; payload != NULL && k < size; k++) {
        e->wrong += payload[k] != (uint8_t)(i & 0xff);
    }
    e->next[channel] = i + 1;
    e->seen[channel]++;
}

/* Compares the file with what is expected. Returns the END block's count of lost records, or
 * UINT64_MAX if there is no END block. */
static inline uint64_t model_compare(const struct fmt_io *io, struct stream_model *e)
{
    struct fmt_reader *reader = NULL;
    struct fmt_columns c = {0};
    struct fmt_scan scan;
    struct fmt_block block;
    struct fmt_end end = {0};
    uint64_t dropped = UINT64_MAX;
    CU_ASSERT_EQUAL_FATAL(fmt_reader_open(io, &reader, NULL), FMT_OK);
    fmt_scan_init(&scan, reader, 0);
    fmt_scan_strict(&scan);
    enum fmt_status status;
    while ((status = fmt_scan_next(&scan, &block, NULL)) == FMT_OK) {
        if (block.kind == FMT_BLOCK_END) {
            CU_ASSERT_EQUAL(fmt_block_read_end(reader, &block, &end, NULL), FMT_OK);
            dropped = end.info.records_dropped;
            e->end = end.info;
            fmt_end_free(&end);
        } else if (fmt_block_verify(reader, &block, &c, NULL) == FMT_OK) {
            for (uint32_t r = 0; r < c.n_records; r++) {
                model_expect(e, c.schema->id == model_kinds[0] ? 0 : 1, &c, r);
            }
        } else {
            e->wrong++;
        }
    }
    CU_ASSERT(status == FMT_END || dropped == UINT64_MAX);
    fmt_columns_free(&c);
    fmt_reader_close(reader);
    return dropped;
}

#endif
