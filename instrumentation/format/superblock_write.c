/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * superblock_write.c - sets up layouts, and writes the superblock; see superblock.h for its bytes.
 *
 * Values of facts about the run are truncated if they are too long, so that a long command line
 * does not prevent a run.
 */
#include <assert.h>
#include <stdlib.h>
#include <xxhash.h>

#include "format/bytes.h"
#include "format/column/column.h"
#include "format/fail.h"
#include "format/schema.h"
#include "format/superblock.h"

/* Maximum length in bytes of a value; longer values are truncated. */
#define RUN_VALUE_MAX 8192u

void fmt_layout_init(struct fmt_layout *layout, uint32_t stream, uint32_t n_pes, uint64_t file_id,
                     size_t row_bytes_max)
{
    assert(n_pes > 0);
    bool sampled =
        stream != FMT_STREAM_EVTRACE && stream != FMT_STREAM_MODEL && stream != FMT_STREAM_TASK;
    uint64_t size = sampled ? 64u << 10 : 256u << 10;
    uint64_t needed = fmt_align((uint64_t)row_bytes_max + (32u << 10), FMT_PAGE);
    *layout = (struct fmt_layout){.file_id = file_id,
                                  .first_extent = 64u << 10,
                                  .extent_size = needed > size ? needed : size,
                                  .n_pes = n_pes};
}

/* Starts a section. Returns the position of the section's length in out, which section_end()
 * sets. */
static size_t section_begin(struct fmt_out *out, uint32_t tag)
{
    fmt_out_u32(out, tag);
    fmt_out_u32(out, 0);
    return out->size - 4;
}

static void section_end(struct fmt_out *out, size_t length_at)
{
    assert(out->full || length_at + 4 <= out->size);
    if (!out->full) {
        fmt_put_u32(out->data + length_at, (uint32_t)(out->size - length_at - 4));
    }
    fmt_out_pad8(out);
}

static void schema_write(struct fmt_out *out, const struct fmt_schema *schema)
{
    size_t section = section_begin(out, FMT_SECTION_SCHEMA);
    fmt_out_u32(out, schema->id);
    fmt_out_u32(out, schema->n_fields);
    fmt_out_string(out, schema->name);
    fmt_out_string(out, schema->text);
    for (uint32_t i = 0; i < schema->n_fields && !out->full; i++) {
        const struct fmt_field *f = &schema->fields[i];
        size_t entry = out->size;
        fmt_out_u16(out, 0);
        fmt_out_u8(out, (uint8_t)f->type);
        fmt_out_u8(out, (uint8_t)f->role);
        fmt_out_string(out, f->name);
        fmt_out_string(out, f->unit);
        fmt_out_string(out, f->text);
        fmt_out_u8(out, (uint8_t)f->measure);
        if (out->size - entry - 2 > UINT16_MAX) {
            out->full = true;
        }
        if (!out->full) {
            fmt_put_u16(out->data + entry, (uint16_t)(out->size - entry - 2));
        }
    }
    section_end(out, section);
}

static void run_write(struct fmt_out *out, const struct fmt_text *run, uint32_t n)
{
    size_t section = section_begin(out, FMT_SECTION_RUN);
    fmt_out_u32(out, n);
    for (uint32_t i = 0; i < n; i++) {
        const char *value = run[i].value == NULL ? "" : run[i].value;
        size_t length = strlen(value);
        bool cut = length > RUN_VALUE_MAX;
        if (cut) {
            length = RUN_VALUE_MAX - 3;
        }
        fmt_out_string(out, run[i].key);
        fmt_out_u32(out, (uint32_t)length + (cut ? 3 : 0));
        fmt_out_bytes(out, value, length);
        if (cut) {
            fmt_out_bytes(out, "...", 3);
        }
    }
    section_end(out, section);
}

static void superblock_encode(struct fmt_out *out, const struct fmt_superblock *sb)
{
    assert(out->data != NULL && out->size == 0);
    fmt_out_bytes(out, FMT_MAGIC, FMT_MAGIC_SIZE);
    fmt_out_u16(out, FMT_VERSION_MAJOR);
    fmt_out_u16(out, FMT_VERSION_MINOR);
    fmt_out_u32(out, 0);
    fmt_out_u64(out, sb->layout.file_id);
    fmt_out_u64(out, sb->layout.first_extent);
    fmt_out_u64(out, sb->layout.extent_size);
    fmt_out_u32(out, sb->layout.n_pes);
    fmt_out_u32(out, sb->stream);
    fmt_out_u32(out, FMT_SUPERBLOCK_FIXED);
    fmt_out_u32(out, 0);
    fmt_out_u64(out, 0);
    for (uint32_t i = 0; i < sb->n_schemas; i++) {
        schema_write(out, sb->schemas[i]);
    }
    run_write(out, sb->run, sb->n_run);
    size_t section = section_begin(out, FMT_SECTION_ENCODINGS);
    fmt_out_u32(out, FMT_ENCODINGS);
    section_end(out, section);
    if (out->full) {
        return;
    }
    fmt_put_u32(out->data + 12, (uint32_t)out->size + 8);
    fmt_out_u64(out, XXH3_64bits(out->data, out->size));
}

static const char *superblock_check(const struct fmt_superblock *sb)
{
    if (fmt_stream_name(sb->stream) == NULL) {
        return "no such stream";
    }
    if (sb->n_schemas == 0 || sb->n_schemas > FMT_SCHEMAS_MAX) {
        return "a file must have 1 to 16 schemas";
    }
    for (uint32_t i = 0; i < sb->n_schemas; i++) {
        const char *wrong = fmt_schema_check(sb->schemas[i]);
        if (wrong != NULL) {
            return wrong;
        }
        for (uint32_t k = 0; k < i; k++) {
            if (sb->schemas[k]->id == sb->schemas[i]->id) {
                return "two schemas have the same number";
            }
        }
    }
    return fmt_layout_check(&sb->layout);
}

enum fmt_status fmt_superblock_write(const struct fmt_io *io, const struct fmt_superblock *sb,
                                     struct fmt_error *error)
{
    struct fmt_place place = {io->path, 0, FMT_NO_PE};
    const char *wrong = superblock_check(sb);
    if (wrong != NULL) {
        return fmt_fail(error, FMT_ERR_ARG, place, 0, "%s", wrong);
    }
    uint64_t room = sb->layout.first_extent - 8; /* leaves space for the mark */
    struct fmt_out out = {.capacity = room < FMT_SUPERBLOCK_MAX ? room : FMT_SUPERBLOCK_MAX};
    out.data = malloc(out.capacity);
    if (out.data == NULL) {
        return fmt_fail(error, FMT_ERR_MEMORY, place, 0, "out of memory");
    }
    superblock_encode(&out, sb);
    enum fmt_status status = FMT_OK;
    if (out.full) {
        status = fmt_fail(error, FMT_ERR_ARG, place, 0,
                          "the description of the run and its records is too long");
    } else {
        int err = io->write_at(io->ctx, out.data, out.size, 0);
        if (err != 0) {
            status = fmt_fail(error, FMT_ERR_IO, place, err, "cannot write");
        }
    }
    free(out.data);
    return status;
}

int fmt_file_mark_new(const struct fmt_io *io, const struct fmt_layout *layout, bool is_new)
{
    static const uint8_t zeros[FMT_NEW_MARK_SIZE];
    return io->write_at(io->ctx, is_new ? (const uint8_t *)FMT_NEW_MARK : zeros, FMT_NEW_MARK_SIZE,
                        layout->first_extent - FMT_NEW_MARK_SIZE);
}
