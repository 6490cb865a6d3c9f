/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * writer.c - writes the sealed blocks of one PE into its extents.
 *
 * Invariants
 *  W1  Blocks are written at ascending offsets; each block lies within one extent.
 *  W2  Counts and position advance only after a block is written. A failed write may therefore be
 *      retried; the retry overwrites the partly written block.
 *  W3  Nothing is written after the END block.
 *  W4  The current extent is reserved. The next extent is reserved as well if less than
 *      FMT_END_ROOM is left in the current one.
 *  W5  With a quota, each block except the END block takes its size from the quota before it is
 *      written, together with the unused space before the block. If writing fails, both are
 *      returned to the quota.
 */
#include <assert.h>
#include <stdlib.h>

#include "format/bytes.h"
#include "format/clear.h"
#include "format/fail.h"
#include "format/meta.h"
#include "format/names.h"
#include "format/schema.h"
#include "format/seal.h"
#include "format/superblock.h"

static struct fmt_place place_of(const struct fmt_writer *w)
{
    return (struct fmt_place){w->io->path, FMT_NO_OFFSET, w->pe};
}

/* Returns NULL if all schemas are valid; otherwise the reason why one of them is not. */
static const char *schemas_check(const struct fmt_schema *const *schemas, uint32_t n_schemas)
{
    const char *wrong = n_schemas == 0 ? "there are no kinds of records" : NULL;
    for (uint32_t i = 0; i < n_schemas && wrong == NULL; i++) {
        wrong = fmt_schema_check(schemas[i]);
    }
    return wrong;
}

enum fmt_status fmt_writer_init(struct fmt_writer *w, const struct fmt_io *io,
                                const struct fmt_schema *const *schemas, uint32_t n_schemas,
                                const struct fmt_layout *layout, uint32_t pe, size_t row_bytes_max,
                                struct fmt_error *error)
{
    *w = (struct fmt_writer){.io = io, .layout = *layout, .pe = pe};
    struct fmt_place place = place_of(w);
    const char *wrong = fmt_layout_check(layout);
    if (wrong == NULL) {
        wrong = schemas_check(schemas, n_schemas);
    }
    if (wrong == NULL && pe >= layout->n_pes) {
        wrong = "there is no such PE";
    }
    if (wrong != NULL) {
        return fmt_fail(error, FMT_ERR_ARG, place, 0, "%s", wrong);
    }
    size_t row_bytes_most = 0;
    uint32_t columns = 0;
    for (uint32_t i = 0; i < n_schemas; i++) {
        size_t row_size = schemas[i]->row_size;
        size_t most = fmt_row_bytes(row_size, FMT_PAYLOAD_MAX);
        uint32_t n = fmt_schema_columns(schemas[i]);
        row_bytes_max = row_bytes_max < row_size ? row_size : row_bytes_max;
        row_bytes_most = row_bytes_most < most ? most : row_bytes_most;
        columns = columns < n ? n : columns;
    }
    uint32_t header = FMT_BLOCK_FIXED + FMT_COLUMN_ENTRY * columns;
    if (row_bytes_max > row_bytes_most || row_bytes_max + header > layout->extent_size) {
        return fmt_fail(error, FMT_ERR_ARG, place, 0,
                        "records of up to %zu bytes do not fit into the file", row_bytes_max);
    }
    w->sealer = fmt_sealer_create(schemas, n_schemas, row_bytes_max, layout);
    if (w->sealer == NULL) {
        return fmt_fail(error, FMT_ERR_MEMORY, place, 0, "out of memory");
    }
    return FMT_OK;
}

/* Takes the given number of bytes from the quota. Returns false if the quota has fewer bytes
 * left. */
static bool quota_take(struct fmt_quota *quota, uint64_t bytes)
{
    uint64_t limit = atomic_load_explicit(&quota->limit, memory_order_relaxed);
    uint64_t used = atomic_load_explicit(&quota->used, memory_order_relaxed);
    do {
        if (used > limit || bytes > limit - used) {
            atomic_store_explicit(&quota->refused, true, memory_order_relaxed);
            return false;
        }
    } while (!atomic_compare_exchange_weak_explicit(&quota->used, &used, used + bytes,
                                                    memory_order_relaxed, memory_order_relaxed));
    return true;
}

void fmt_writer_limit(struct fmt_writer *w, struct fmt_quota *quota)
{
    assert(w->at.blocks == 0);
    w->quota = quota;
    atomic_fetch_add_explicit(&quota->used, FMT_END_ROOM, memory_order_relaxed);
}

void fmt_writer_resume(struct fmt_writer *w, const struct fmt_position *at)
{
    assert(w->at.blocks == 0 && w->reserved == 0);
    w->at = *at;
    w->reserved = at->extent;
}

void fmt_writer_fini(struct fmt_writer *w)
{
    fmt_sealer_destroy(w->sealer);
    w->sealer = NULL;
}

/* Returns a header for the next block. Sets the members that the sealer does not set. */
static struct fmt_block_header next_header(const struct fmt_writer *w, uint32_t kind)
{
    return (struct fmt_block_header){.kind = kind,
                                     .pe = w->pe,
                                     .sequence = w->at.blocks,
                                     .first_record = w->at.records,
                                     .file_id = w->layout.file_id,
                                     .gvt = w->gvt};
}

/* Returns the file offset of byte pos in an extent of the PE. extent: index among the PE's
 * extents. */
static uint64_t offset_of(const struct fmt_writer *w, uint64_t extent, uint64_t pos)
{
    assert(w->pe < w->layout.n_pes && pos <= w->layout.extent_size);
    const struct fmt_layout *l = &w->layout;
    return l->first_extent + (extent * l->n_pes + w->pe) * l->extent_size + pos;
}

/* Reserves disk space for all extents of the PE up to the index `extent`, inclusive. */
static enum fmt_status extents_reserve(struct fmt_writer *w, uint64_t extent,
                                       struct fmt_error *error)
{
    while (w->reserved <= extent) {
        uint64_t offset = offset_of(w, w->reserved, 0);
        int err =
            w->io->reserve == NULL ? 0 : w->io->reserve(w->io->ctx, offset, w->layout.extent_size);
        if (err != 0) {
            return fmt_fail(error, FMT_ERR_IO, (struct fmt_place){w->io->path, offset, w->pe}, err,
                            "cannot write");
        }
        w->reserved++;
    }
    return FMT_OK;
}

enum fmt_status fmt_writer_reserve(struct fmt_writer *w, struct fmt_error *error)
{
    return extents_reserve(w, w->at.extent, error);
}

/* Writes the sealed block at the next offset where it fits, and advances the position. */
static enum fmt_status block_write(struct fmt_writer *w, const struct fmt_block_header *h,
                                   struct fmt_error *error)
{
    assert(!w->ended && w->sealer->out_size <= w->layout.extent_size);
    const struct fmt_layout *l = &w->layout;
    uint64_t size = w->sealer->out_size;
    uint64_t extent = w->at.extent, pos = w->at.extent_pos;
    assert(pos % FMT_BLOCK_ALIGN == 0);
    if (pos + size > l->extent_size) {
        extent++;
        pos = 0;
    }
    bool room = h->kind == FMT_BLOCK_END || pos + size + FMT_END_ROOM <= l->extent_size;
    enum fmt_status status = extents_reserve(w, room ? extent : extent + 1, error);
    if (status != FMT_OK) {
        return status;
    }
    uint64_t offset = offset_of(w, extent, pos);
    /* The unused rest of the previous extent also takes disk space. */
    uint64_t rest = extent > w->at.extent ? l->extent_size - w->at.extent_pos : 0;
    uint64_t quota = h->kind == FMT_BLOCK_END ? 0 : rest + fmt_align(size, FMT_BLOCK_ALIGN);
    if (w->quota != NULL && !quota_take(w->quota, quota)) {
        return fmt_fail(error, FMT_ERR_LIMIT, (struct fmt_place){w->io->path, offset, w->pe}, 0,
                        "the limit of all files is reached");
    }
    int err = w->io->write_at(w->io->ctx, w->sealer->out, size, offset);
    if (err != 0) {
        w->torn = offset;
        w->torn_size = size;
        if (w->quota != NULL) {
            atomic_fetch_sub_explicit(&w->quota->used, quota, memory_order_relaxed);
        }
        return fmt_fail(error, FMT_ERR_IO, (struct fmt_place){w->io->path, offset, w->pe}, err,
                        "cannot write");
    }
    w->torn = w->torn == offset && w->torn_size <= size ? 0 : w->torn;
    w->at.extent = extent;
    w->at.extent_pos = fmt_align(pos + size, FMT_BLOCK_ALIGN);
    w->at.records += h->n_records;
    w->at.blocks++;
    if (h->kind != FMT_BLOCK_END) {
        w->at.bytes += size;
    }
    return FMT_OK;
}

enum fmt_status fmt_writer_append_block(struct fmt_writer *w, const struct fmt_schema *schema,
                                        const void *rows, size_t size, double gvt, size_t *consumed,
                                        struct fmt_error *error)
{
    assert((uintptr_t)rows % 8 == 0 && size > 0);
    *consumed = 0;
    w->gvt = gvt;
    if (w->ended) {
        return fmt_fail(error, FMT_ERR_ARG, place_of(w), 0, "records after the end");
    }
    const char *wrong;
    enum fmt_status status = FMT_OK;
    size_t bytes = fmt_sealer_choose(w->sealer, schema, rows, size, &wrong);
    if (bytes > 0) {
        struct fmt_block_header header = next_header(w, FMT_BLOCK_DATA);
        fmt_sealer_seal_rows(w->sealer, rows, &header);
        status = block_write(w, &header, error);
    }
    *consumed = status == FMT_OK ? bytes : 0;
    if (status == FMT_OK && wrong != NULL) {
        status = fmt_fail(error, FMT_ERR_ARG, place_of(w), 0, "%s", wrong);
    }
    return status;
}

enum fmt_status fmt_writer_append(struct fmt_writer *w, const struct fmt_schema *schema,
                                  const void *rows, size_t size, double gvt, size_t *consumed,
                                  struct fmt_error *error)
{
    const uint8_t *from = rows;
    size_t done = 0, block = 0;
    enum fmt_status status = FMT_OK;
    while (done < size && status == FMT_OK) {
        status = fmt_writer_append_block(w, schema, from + done, size - done, gvt, &block, error);
        done += block;
    }
    if (consumed != NULL) {
        *consumed = done;
    }
    return status;
}

static enum fmt_status bytes_write(struct fmt_writer *w, uint32_t kind, size_t size,
                                   struct fmt_error *error)
{
    struct fmt_block_header header = next_header(w, kind);
    fmt_sealer_seal_bytes(w->sealer, size, &header);
    return block_write(w, &header, error);
}

enum fmt_status fmt_writer_meta(struct fmt_writer *w, const struct fmt_payload_desc *descs,
                                size_t n, struct fmt_error *error)
{
    struct fmt_out out = {.data = w->sealer->column, .capacity = w->sealer->block_bytes};
    if (w->ended) {
        return fmt_fail(error, FMT_ERR_ARG, place_of(w), 0, "descriptions after the end");
    }
    for (size_t i = 0; i < n;) {
        const char *wrong = fmt_desc_check(&descs[i]);
        size_t before = out.size;
        if (wrong == NULL) {
            fmt_desc_encode(&out, &descs[i]);
            if (out.full && before == 0) {
                wrong = "it is too long";
            }
        }
        if (wrong != NULL) {
            return fmt_fail(error, FMT_ERR_ARG, place_of(w), 0, "payload description %u: %s",
                            descs[i].id, wrong);
        }
        i += out.full ? 0 : 1;
        if (out.full || i == n) {
            enum fmt_status status =
                bytes_write(w, FMT_BLOCK_META, out.full ? before : out.size, error);
            if (status != FMT_OK) {
                return status;
            }
            out.size = 0;
            out.full = false;
        }
    }
    return FMT_OK;
}

enum fmt_status fmt_writer_names(struct fmt_writer *w, fmt_next_name next, void *ctx,
                                 struct fmt_error *error)
{
    struct fmt_out out = {.data = w->sealer->column, .capacity = w->sealer->block_bytes};
    struct fmt_name_before before = {0};
    enum fmt_status status = FMT_OK;
    uint64_t lp = 0;
    if (w->ended) {
        return fmt_fail(error, FMT_ERR_ARG, place_of(w), 0, "names after the end");
    }
    for (const char *name = next(ctx, &lp); status == FMT_OK && (name != NULL || out.size > 0);) {
        const bool is_full = out.capacity - out.size < FMT_NAME_ENTRY_MAX;
        if (name == NULL || is_full) {
            status = bytes_write(w, FMT_BLOCK_NAMES, out.size, error);
            out.size = 0;
            before = (struct fmt_name_before){0};
        } else {
            fmt_name_encode(&out, &before, lp, name);
            name = next(ctx, &lp);
        }
    }
    return status;
}

enum fmt_status fmt_writer_change(struct fmt_writer *w, const struct fmt_change *change,
                                  struct fmt_error *error)
{
    struct fmt_out out = {.data = w->sealer->column, .capacity = w->sealer->block_bytes};
    if (w->ended) {
        return fmt_fail(error, FMT_ERR_ARG, place_of(w), 0, "a change after the end");
    }
    fmt_change_encode(&out, change);
    assert(!out.full);
    return bytes_write(w, FMT_BLOCK_CHANGE, out.size, error);
}

/* Releases the reserved space behind the END block, and clears the bytes of a torn block that the
 * END block has not overwritten. Ignores failures, since the file is valid without these steps. */
static void rest_release(struct fmt_writer *w)
{
    assert(w->ended);
    const struct fmt_io *io = w->io;
    uint64_t size = w->layout.extent_size, end = offset_of(w, w->at.extent, w->at.extent_pos);
    uint64_t torn_end = w->torn + w->torn_size;
    /* Start of the torn bytes that are left: the END block begins either at the offset of the torn
     * block, or in an earlier extent. */
    uint64_t torn = w->torn < end ? w->torn + w->sealer->out_size : w->torn;
    if (w->torn != 0 && torn < torn_end) {
        fmt_clear(io, torn, torn_end - torn);
    }
    if (io->release != NULL) {
        io->release(io->ctx, end, size - w->at.extent_pos);
        for (uint64_t extent = w->at.extent + 1; extent < w->reserved; extent++) {
            io->release(io->ctx, offset_of(w, extent, 0), size);
        }
    }
}

enum fmt_status fmt_writer_end(struct fmt_writer *w, const struct fmt_end_info *end,
                               struct fmt_error *error)
{
    struct fmt_out out = {.data = w->sealer->column,
                          .capacity = FMT_END_ROOM - FMT_BLOCK_FIXED - FMT_COLUMN_ENTRY};
    struct fmt_end_info info = *end;
    if (w->ended) {
        return fmt_fail(error, FMT_ERR_ARG, place_of(w), 0, "a second end");
    }
    if (out.capacity > w->sealer->block_bytes) {
        out.capacity = w->sealer->block_bytes;
    }
    info.records = w->at.records;
    info.blocks = w->at.blocks + 1;
    info.bytes = w->at.bytes;
    w->gvt = info.gvt;
    fmt_end_encode(&out, &info);
    w->before_end = w->at;
    enum fmt_status status = bytes_write(w, FMT_BLOCK_END, out.size, error);
    if (status == FMT_OK) {
        w->ended = true;
        rest_release(w);
    }
    return status;
}

enum fmt_status fmt_writer_end_again(struct fmt_writer *w, const struct fmt_end_info *end,
                                     struct fmt_error *error)
{
    if (!w->ended) {
        return fmt_fail(error, FMT_ERR_ARG, place_of(w), 0, "no end to write again");
    }
    /* Size of the old END block; the new one may be shorter. */
    uint64_t size = w->sealer->out_size;
    uint64_t pos = w->before_end.extent == w->at.extent ? w->before_end.extent_pos : 0;
    w->torn = offset_of(w, w->at.extent, pos);
    w->torn_size = size;
    w->at = w->before_end;
    w->ended = false;
    return fmt_writer_end(w, end, error);
}
