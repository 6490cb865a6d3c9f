/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * superblock.c - checks layouts, and reads the superblock; see superblock.h for its bytes.
 *
 * Invariants
 *  S1  All decoded data have been checked.
 *  S2  Memory is bounded by eight times the size of the superblock, plus a constant.
 */
#include "format/superblock.h"

#include <assert.h>
#include <stdlib.h>
#include <xxhash.h>

#include "files/foreign.h"
#include "format/bytes.h"
#include "format/column/column.h"
#include "format/fail.h"
#include "format/schema.h"

const char *fmt_layout_check(const struct fmt_layout *layout)
{
    if (layout->n_pes == 0 || layout->n_pes > FMT_PES_MAX) {
        return "the number of PEs is not in 1 .. 1048576";
    }
    if (layout->first_extent < FMT_PAGE || layout->first_extent > FMT_FIRST_EXTENT_MAX ||
        layout->first_extent % FMT_PAGE != 0) {
        return "the first extent is not at a multiple of 4096 up to 16 MiB";
    }
    if (layout->extent_size < FMT_PAGE || layout->extent_size > FMT_EXTENT_SIZE_MAX ||
        layout->extent_size % FMT_PAGE != 0) {
        return "the size of extents is not a multiple of 4096 up to 256 MiB";
    }
    return NULL;
}

struct decoder {
    struct fmt_arena arena;
    struct fmt_superblock *sb;
    const struct fmt_schema **schemas;
    const char *wrong; /* the first error, if it is more specific than "damaged"; NULL: none */
    bool newer;
};

static void schema_read(struct decoder *d, struct fmt_in in)
{
    assert(d->sb->n_schemas <= FMT_SCHEMAS_MAX);
    struct fmt_schema *schema = fmt_arena_take(&d->arena, 1, sizeof *schema);
    uint32_t id = fmt_in_u32(&in);
    uint32_t n = fmt_in_u32(&in);
    const char *name = fmt_in_string(&in, &d->arena);
    const char *text = fmt_in_string(&in, &d->arena);
    if (in.bad || n == 0 || n > FMT_FIELDS_MAX || d->sb->n_schemas == FMT_SCHEMAS_MAX) {
        d->wrong = "the description of the records is damaged";
        return;
    }
    struct fmt_field *fields = fmt_arena_take(&d->arena, n, sizeof *fields);
    if (schema == NULL || fields == NULL) {
        return;
    }
    *schema = (struct fmt_schema){.id = id, .n_fields = n, .name = name, .text = text};
    schema->fields = fields;
    for (uint32_t i = 0; i < n; i++) {
        struct fmt_in entry = fmt_in_part(&in, fmt_in_u16(&in));
        fields[i].type = fmt_in_u8(&entry);
        fields[i].role = fmt_in_u8(&entry);
        fields[i].name = fmt_in_string(&entry, &d->arena);
        fields[i].unit = fmt_in_string(&entry, &d->arena);
        fields[i].text = fmt_in_string(&entry, &d->arena);
        /* Field entries before version 1.1 end without a measure. */
        fields[i].measure = entry.pos < entry.size ? fmt_in_u8(&entry) : 0;
        in.bad |= entry.bad;
    }
    d->wrong = in.bad ? "the description of the records is damaged" : fmt_schema_check(schema);
    for (uint32_t i = 0; i < d->sb->n_schemas; i++) {
        if (d->schemas[i]->id == id) {
            d->wrong = "two schemas have the same number";
        }
    }
    if (d->wrong == NULL) {
        fmt_schema_layout(schema, fields);
        d->schemas[d->sb->n_schemas++] = schema;
    }
}

static void run_read(struct decoder *d, struct fmt_in in)
{
    uint32_t n = fmt_in_u32(&in);
    if (in.bad || n > in.size / 6 || d->sb->n_run != 0) {
        d->wrong = "the description of the run is damaged";
        return;
    }
    struct fmt_text *run = fmt_arena_take(&d->arena, n, sizeof *run);
    for (uint32_t i = 0; i < n && run != NULL; i++) {
        run[i].key = fmt_in_string(&in, &d->arena);
        size_t length = fmt_in_u32(&in);
        run[i].value = fmt_in_text(&in, length, &d->arena);
    }
    if (in.bad) {
        d->wrong = "the description of the run is damaged";
    }
    d->sb->run = run;
    d->sb->n_run = n;
}

static void encodings_read(struct decoder *d, struct fmt_in in)
{
    uint32_t n = fmt_in_u32(&in);
    d->sb->layout.is_plain = false;
    d->newer = n > FMT_ENCODINGS;
    if (in.bad || d->newer) {
        d->wrong = in.bad ? "the section about encodings is damaged"
                          : "the file needs a newer version of this program (unknown encodings)";
    }
}

static void sections_read(struct decoder *d, struct fmt_in *in)
{
    while (in->size - in->pos >= 8 && d->wrong == NULL && !d->arena.full) {
        uint32_t tag = fmt_in_u32(in);
        uint32_t length = fmt_in_u32(in);
        struct fmt_in body = fmt_in_part(in, length);
        fmt_in_bytes(in, (8 - length % 8) % 8);
        if (in->bad) {
            d->wrong = "a section of the superblock is damaged";
        } else if (tag == FMT_SECTION_SCHEMA) {
            schema_read(d, body);
        } else if (tag == FMT_SECTION_RUN) {
            run_read(d, body);
        } else if (tag == FMT_SECTION_ENCODINGS) {
            encodings_read(d, body);
        } else if ((tag & FMT_SECTION_CRITICAL) != 0) {
            d->newer = true;
            d->wrong = "the file needs a newer version of this program (unknown section)";
        }
    }
    if (d->wrong == NULL && in->pos != in->size) {
        d->wrong = "bytes are left over in the superblock";
    }
}

/* Decodes the part before the sections, then the sections. raw has the whole superblock of size
 * bytes, including the checksum. */
static void fixed_read(struct decoder *d, const uint8_t *raw, size_t size)
{
    struct fmt_superblock *sb = d->sb;
    struct fmt_in in = {.data = raw, .size = size - 8, .pos = 16};
    sb->layout.file_id = fmt_in_u64(&in);
    sb->layout.first_extent = fmt_in_u64(&in);
    sb->layout.extent_size = fmt_in_u64(&in);
    sb->layout.n_pes = fmt_in_u32(&in);
    sb->stream = fmt_in_u32(&in);
    uint32_t sections = fmt_in_u32(&in);
    if (sections < FMT_SUPERBLOCK_FIXED || sections % 8 != 0 || sections > in.size) {
        d->wrong = "the superblock has no sections";
        return;
    }
    d->wrong = fmt_layout_check(&sb->layout);
    if (d->wrong == NULL && sb->layout.first_extent < size) {
        d->wrong = "the first extent lies within the superblock";
    }
    sb->layout.is_plain = true;
    in.pos = sections;
    if (d->wrong == NULL) {
        sections_read(d, &in);
    }
    if (d->wrong == NULL && sb->n_schemas == 0) {
        d->wrong = "the superblock describes no records";
    }
}

static enum fmt_status superblock_decode(const uint8_t *raw, size_t size, struct fmt_place place,
                                         struct fmt_superblock *sb, void **memory,
                                         struct fmt_error *error)
{
    /* Decoded tables are larger than their form in the file: an entry of 10 bytes becomes a struct
     * of 40 bytes, and a pair of 6 bytes a struct of 16. */
    struct decoder d = {.sb = sb};
    d.arena.capacity = size * 8 + (FMT_SCHEMAS_MAX + 1) * (sizeof(void *) + 128);
    d.arena.data = malloc(d.arena.capacity);
    if (d.arena.data == NULL) {
        return fmt_fail(error, FMT_ERR_MEMORY, place, 0, "out of memory");
    }
    d.schemas = fmt_arena_take(&d.arena, FMT_SCHEMAS_MAX, sizeof(struct fmt_schema *));
    sb->schemas = d.schemas;
    fixed_read(&d, raw, size);
    if (d.wrong == NULL && d.arena.full) {
        d.wrong = "the superblock is damaged";
    }
    if (d.wrong == NULL) {
        *memory = d.arena.data;
        return FMT_OK;
    }
    free(d.arena.data);
    return fmt_fail(error, d.newer ? FMT_ERR_VERSION : FMT_ERR_DAMAGED, place, 0, "%s", d.wrong);
}

/* A run that is killed before its first record also leaves an empty file. */
static const char empty[] = "the file is empty; if its run was killed, it lost no record: remove "
                            "the file and repeat the run";
static const char cut_off[] = "the file is cut off in its superblock; if its run was killed at "
                              "the start, remove the file and repeat the run";

/* Checks the first bytes of the superblock: `got` bytes of the file, at most FOREIGN_HEAD.
 * Stores the size of the superblock in *size. */
static enum fmt_status read_head_check(const uint8_t *head, size_t got, struct fmt_place place,
                                       struct fmt_superblock *sb, uint64_t *size,
                                       struct fmt_error *error)
{
    size_t known = got < FMT_MAGIC_SIZE ? got : FMT_MAGIC_SIZE;
    if (got == 0) {
        return fmt_fail(error, FMT_ERR_DAMAGED, place, 0, "%s", empty);
    }
    if (memcmp(head, FMT_MAGIC, known) != 0) {
        return fmt_fail(error, FMT_ERR_MAGIC, place, 0, "not a Warpscope record file%s",
                        foreign_name(head, got));
    }
    if (got < FMT_SUPERBLOCK_FIXED) {
        return fmt_fail(error, FMT_ERR_DAMAGED, place, 0, "%s", cut_off);
    }
    sb->version_major = fmt_get_u16(head + 8);
    sb->version_minor = fmt_get_u16(head + 10);
    *size = fmt_get_u32(head + 12);
    if (sb->version_major > FMT_VERSION_MAJOR) {
        return fmt_fail(error, FMT_ERR_VERSION, place, 0,
                        "format version %u.%u is newer than this program's %d.%d: use a newer one",
                        sb->version_major, sb->version_minor, FMT_VERSION_MAJOR, FMT_VERSION_MINOR);
    }
    if (sb->version_major != FMT_VERSION_MAJOR || *size < FMT_SUPERBLOCK_FIXED + 8 ||
        *size > FMT_SUPERBLOCK_MAX || *size % 8 != 0) {
        return fmt_fail(error, FMT_ERR_DAMAGED, place, 0, "the superblock is damaged");
    }
    return FMT_OK;
}

/* Reads the superblock of size bytes into raw, and verifies its checksum. */
static enum fmt_status raw_read(const struct fmt_io *io, uint8_t *raw, size_t size,
                                struct fmt_place place, struct fmt_error *error)
{
    size_t got = 0;
    int err = io->read_at(io->ctx, raw, size, 0, &got);
    if (err != 0) {
        return fmt_fail(error, FMT_ERR_IO, place, err, "cannot read");
    }
    if (got < size) {
        return fmt_fail(error, FMT_ERR_DAMAGED, place, 0, "%s", cut_off);
    }
    if (XXH3_64bits(raw, size - 8) != fmt_get_u64(raw + size - 8)) {
        return fmt_fail(error, FMT_ERR_DAMAGED, place, 0, "the superblock's checksum is wrong");
    }
    return FMT_OK;
}

enum fmt_status fmt_superblock_read(const struct fmt_io *io, struct fmt_superblock *sb,
                                    uint64_t *size, void **memory, struct fmt_error *error)
{
    struct fmt_place place = {io->path, 0, FMT_NO_PE};
    uint8_t head[FOREIGN_HEAD > FMT_SUPERBLOCK_FIXED ? FOREIGN_HEAD : FMT_SUPERBLOCK_FIXED] = {0};
    size_t got = 0;
    *memory = NULL;
    *sb = (struct fmt_superblock){0};
    int err = io->read_at(io->ctx, head, sizeof head, 0, &got);
    if (err != 0) {
        return fmt_fail(error, FMT_ERR_IO, place, err, "cannot read");
    }
    enum fmt_status status = read_head_check(head, got, place, sb, size, error);
    if (status != FMT_OK) {
        return status;
    }
    uint8_t *raw = malloc(*size);
    if (raw == NULL) {
        return fmt_fail(error, FMT_ERR_MEMORY, place, 0, "out of memory");
    }
    status = raw_read(io, raw, *size, place, error);
    if (status == FMT_OK) {
        status = superblock_decode(raw, *size, place, sb, memory, error);
    }
    free(raw);
    return status;
}
