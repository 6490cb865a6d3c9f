/*
 * superblock.c - the first bytes of a file: what is in it and how to read it.
 *
 *     0  magic, 8 bytes            24  u64 first_extent     44  u32 stream
 *     8  u16 version major         32  u64 extent_size      48  u32 offset of the first section
 * (64) 10  u16 version minor         40  u32 n_pes            52  12 zero bytes, reserved 12  u32
 * size of the superblock, multiple of 8          64  sections 16  u64 file_id size-8  u64 xxh3 of
 * all before
 *
 * A section is u32 tag, u32 length, length bytes, zeros to a multiple of 8. Invariants: (1) a
 * reader skips sections whose tag it does not know, unless bit 31 of the tag is set; (2) entries
 * that may grow carry their length; (3) nothing in the file beyond the superblock is needed to read
 * it.
 */
#include "format/superblock.h"

#include <stdlib.h>
#include <xxhash.h>

#include "format/bytes.h"
#include "format/fail.h"
#include "format/schema.h"

/* Catches files that went through text conversion: high bit, CR LF, end of file, LF. */
static const uint8_t magic[8] = {0x89, 'W', 'S', 'C', '\r', '\n', 0x1a, '\n'};

enum { SECTION_SCHEMA = 1, SECTION_RUN = 2 };
#define SECTION_CRITICAL 0x80000000u
#define RUN_VALUE_MAX    8192u /* longer values are cut */

void fmt_layout_init(struct fmt_layout *layout, uint32_t stream, uint32_t n_pes, uint64_t file_id,
                     size_t row_bytes_max)
{
    bool sampled = stream != FMT_STREAM_EVTRACE && stream != FMT_STREAM_MODEL;
    uint64_t size = sampled ? 64u << 10 : 256u << 10;
    uint64_t needed = fmt_align((uint64_t)row_bytes_max + (32u << 10), FMT_PAGE);
    *layout = (struct fmt_layout){.file_id = file_id,
                                  .first_extent = 64u << 10,
                                  .extent_size = needed > size ? needed : size,
                                  .n_pes = n_pes};
}

const char *fmt_layout_check(const struct fmt_layout *layout)
{
    if (layout->n_pes == 0 || layout->n_pes > FMT_PES_MAX)
        return "the number of PEs is not in 1 .. 1048576";
    if (layout->first_extent < FMT_PAGE || layout->first_extent > FMT_FIRST_EXTENT_MAX ||
        layout->first_extent % FMT_PAGE != 0)
        return "the first extent is not at a multiple of 4096 up to 16 MiB";
    if (layout->extent_size < FMT_PAGE || layout->extent_size > FMT_EXTENT_SIZE_MAX ||
        layout->extent_size % FMT_PAGE != 0)
        return "the size of extents is not a multiple of 4096 up to 256 MiB";
    return NULL;
}

/* ---- Writing -------------------------------------------------------------------------------- */

/* Starts a section; returns where its length goes. */
static size_t section_begin(struct fmt_out *out, uint32_t tag)
{
    fmt_out_u32(out, tag);
    fmt_out_u32(out, 0);
    return out->size - 4;
}

static void section_end(struct fmt_out *out, size_t length_at)
{
    if (!out->full)
        fmt_put_u32(out->data + length_at, (uint32_t)(out->size - length_at - 4));
    fmt_out_pad8(out);
}

static void schema_write(struct fmt_out *out, const struct fmt_schema *schema)
{
    size_t section = section_begin(out, SECTION_SCHEMA);
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
        if (out->size - entry - 2 > UINT16_MAX)
            out->full = true;
        if (!out->full)
            fmt_put_u16(out->data + entry, (uint16_t)(out->size - entry - 2));
    }
    section_end(out, section);
}

static void run_write(struct fmt_out *out, const struct fmt_text *run, uint32_t n)
{
    size_t section = section_begin(out, SECTION_RUN);
    fmt_out_u32(out, n);
    for (uint32_t i = 0; i < n; i++) {
        const char *value = run[i].value == NULL ? "" : run[i].value;
        size_t length = strlen(value);
        bool cut = length > RUN_VALUE_MAX;
        if (cut)
            length = RUN_VALUE_MAX - 3;
        fmt_out_string(out, run[i].key);
        fmt_out_u32(out, (uint32_t)length + (cut ? 3 : 0));
        fmt_out_bytes(out, value, length);
        if (cut)
            fmt_out_bytes(out, "...", 3);
    }
    section_end(out, section);
}

static void superblock_encode(struct fmt_out *out, const struct fmt_superblock *sb)
{
    fmt_out_bytes(out, magic, sizeof magic);
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
    for (uint32_t i = 0; i < sb->n_schemas; i++)
        schema_write(out, sb->schemas[i]);
    run_write(out, sb->run, sb->n_run);
    if (out->full)
        return;
    fmt_put_u32(out->data + 12, (uint32_t)out->size + 8);
    fmt_out_u64(out, XXH3_64bits(out->data, out->size));
}

static const char *superblock_check(const struct fmt_superblock *sb)
{
    if (fmt_stream_name(sb->stream) == NULL)
        return "no such stream";
    if (sb->n_schemas == 0 || sb->n_schemas > FMT_SCHEMAS_MAX)
        return "a file must have 1 to 16 schemas";
    for (uint32_t i = 0; i < sb->n_schemas; i++) {
        const char *wrong = fmt_schema_check(sb->schemas[i]);
        if (wrong != NULL)
            return wrong;
        for (uint32_t k = 0; k < i; k++) {
            if (sb->schemas[k]->id == sb->schemas[i]->id)
                return "two schemas have the same number";
        }
    }
    return fmt_layout_check(&sb->layout);
}

enum fmt_status fmt_superblock_write(const struct fmt_io *io, const struct fmt_superblock *sb,
                                     struct fmt_error *error)
{
    struct fmt_place place = {io->path, 0, FMT_NO_PE};
    const char *wrong = superblock_check(sb);
    if (wrong != NULL)
        return fmt_fail(error, FMT_ERR_ARG, place, 0, "%s", wrong);
    uint64_t room = sb->layout.first_extent;
    struct fmt_out out = {.capacity = room < FMT_SUPERBLOCK_MAX ? room : FMT_SUPERBLOCK_MAX};
    out.data = malloc(out.capacity);
    if (out.data == NULL)
        return fmt_fail(error, FMT_ERR_MEMORY, place, 0, "out of memory");
    superblock_encode(&out, sb);
    enum fmt_status status = FMT_OK;
    if (out.full) {
        status = fmt_fail(error, FMT_ERR_ARG, place, 0,
                          "the description of the run and its records is too long");
    } else {
        int err = io->write_at(io->ctx, out.data, out.size, 0);
        if (err != 0)
            status = fmt_fail(error, FMT_ERR_IO, place, err, "cannot write");
    }
    free(out.data);
    return status;
}

/* ---- Reading -------------------------------------------------------------------------------- */

struct decoder {
    struct fmt_arena arena;
    struct fmt_superblock *sb;
    const struct fmt_schema **schemas;
    const char *wrong; /* more exact than "damaged" */
    bool newer;
};

static void schema_read(struct decoder *d, struct fmt_in in)
{
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
    if (schema == NULL || fields == NULL)
        return;
    *schema = (struct fmt_schema){.id = id, .n_fields = n, .name = name, .text = text};
    schema->fields = fields;
    for (uint32_t i = 0; i < n; i++) {
        struct fmt_in entry = fmt_in_part(&in, fmt_in_u16(&in));
        fields[i].type = fmt_in_u8(&entry);
        fields[i].role = fmt_in_u8(&entry);
        fields[i].name = fmt_in_string(&entry, &d->arena);
        fields[i].unit = fmt_in_string(&entry, &d->arena);
        fields[i].text = fmt_in_string(&entry, &d->arena);
        in.bad |= entry.bad;
    }
    d->wrong = in.bad ? "the description of the records is damaged" : fmt_schema_check(schema);
    for (uint32_t i = 0; i < d->sb->n_schemas; i++) {
        if (d->schemas[i]->id == id)
            d->wrong = "two schemas have the same number";
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
    if (in.bad)
        d->wrong = "the description of the run is damaged";
    d->sb->run = run;
    d->sb->n_run = n;
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
        } else if (tag == SECTION_SCHEMA) {
            schema_read(d, body);
        } else if (tag == SECTION_RUN) {
            run_read(d, body);
        } else if ((tag & SECTION_CRITICAL) != 0) {
            d->newer = true;
            d->wrong = "the file needs a newer version of this program (unknown section)";
        }
    }
    if (d->wrong == NULL && in->pos != in->size)
        d->wrong = "bytes are left over in the superblock";
}

/* The part before the sections. raw holds size bytes, checksum included. */
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
    if (d->wrong == NULL && sb->layout.first_extent < size)
        d->wrong = "the first extent lies within the superblock";
    in.pos = sections;
    if (d->wrong == NULL)
        sections_read(d, &in);
    if (d->wrong == NULL && sb->n_schemas == 0)
        d->wrong = "the superblock describes no records";
}

static enum fmt_status superblock_decode(const uint8_t *raw, size_t size, struct fmt_place place,
                                         struct fmt_superblock *sb, void **memory,
                                         struct fmt_error *error)
{
    /* Tables grow: an entry of 10 bytes becomes a field of 40, a pair of 6 bytes one of 16. */
    struct decoder d = {.sb = sb};
    d.arena.capacity = size * 8 + (FMT_SCHEMAS_MAX + 1) * (sizeof(void *) + 128);
    d.arena.data = malloc(d.arena.capacity);
    if (d.arena.data == NULL)
        return fmt_fail(error, FMT_ERR_MEMORY, place, 0, "out of memory");
    d.schemas = fmt_arena_take(&d.arena, FMT_SCHEMAS_MAX, sizeof(struct fmt_schema *));
    sb->schemas = d.schemas;
    fixed_read(&d, raw, size);
    if (d.wrong == NULL && d.arena.full)
        d.wrong = "the superblock is damaged";
    if (d.wrong == NULL) {
        *memory = d.arena.data;
        return FMT_OK;
    }
    free(d.arena.data);
    return fmt_fail(error, d.newer ? FMT_ERR_VERSION : FMT_ERR_DAMAGED, place, 0, "%s", d.wrong);
}

/* Checks what comes before the size is known; returns the size in *size. */
static enum fmt_status head_check(const uint8_t *head, size_t got, struct fmt_place place,
                                  struct fmt_superblock *sb, uint64_t *size,
                                  struct fmt_error *error)
{
    size_t known = got < sizeof magic ? got : sizeof magic;
    if (got == 0)
        return fmt_fail(error, FMT_ERR_DAMAGED, place, 0, "the file is empty");
    if (memcmp(head, magic, known) != 0)
        return fmt_fail(error, FMT_ERR_MAGIC, place, 0, "not a Warpscope record file");
    if (got < FMT_SUPERBLOCK_FIXED)
        return fmt_fail(error, FMT_ERR_DAMAGED, place, 0, "the file is cut off in its superblock");
    sb->version_major = fmt_get_u16(head + 8);
    sb->version_minor = fmt_get_u16(head + 10);
    *size = fmt_get_u32(head + 12);
    if (sb->version_major > FMT_VERSION_MAJOR)
        return fmt_fail(error, FMT_ERR_VERSION, place, 0,
                        "format version %u.%u is newer than this program's %d.%d: use a newer one",
                        sb->version_major, sb->version_minor, FMT_VERSION_MAJOR, FMT_VERSION_MINOR);
    if (sb->version_major != FMT_VERSION_MAJOR || *size < FMT_SUPERBLOCK_FIXED + 8 ||
        *size > FMT_SUPERBLOCK_MAX || *size % 8 != 0)
        return fmt_fail(error, FMT_ERR_DAMAGED, place, 0, "the superblock is damaged");
    return FMT_OK;
}

/* Reads all of it into raw (size bytes) and checks the checksum. */
static enum fmt_status raw_read(const struct fmt_io *io, uint8_t *raw, size_t size,
                                struct fmt_place place, struct fmt_error *error)
{
    size_t got = 0;
    int err = io->read_at(io->ctx, raw, size, 0, &got);
    if (err != 0)
        return fmt_fail(error, FMT_ERR_IO, place, err, "cannot read");
    if (got < size)
        return fmt_fail(error, FMT_ERR_DAMAGED, place, 0, "the file is cut off in its superblock");
    if (XXH3_64bits(raw, size - 8) != fmt_get_u64(raw + size - 8))
        return fmt_fail(error, FMT_ERR_DAMAGED, place, 0, "the superblock's checksum is wrong");
    return FMT_OK;
}

enum fmt_status fmt_superblock_read(const struct fmt_io *io, struct fmt_superblock *sb,
                                    uint64_t *size, void **memory, struct fmt_error *error)
{
    struct fmt_place place = {io->path, 0, FMT_NO_PE};
    uint8_t head[FMT_SUPERBLOCK_FIXED] = {0};
    size_t got = 0;
    *memory = NULL;
    *sb = (struct fmt_superblock){0};
    int err = io->read_at(io->ctx, head, sizeof head, 0, &got);
    if (err != 0)
        return fmt_fail(error, FMT_ERR_IO, place, err, "cannot read");
    enum fmt_status status = head_check(head, got, place, sb, size, error);
    if (status != FMT_OK)
        return status;
    uint8_t *raw = malloc(*size);
    if (raw == NULL)
        return fmt_fail(error, FMT_ERR_MEMORY, place, 0, "out of memory");
    status = raw_read(io, raw, *size, place, error);
    if (status == FMT_OK)
        status = superblock_decode(raw, *size, place, sb, memory, error);
    free(raw);
    return status;
}
