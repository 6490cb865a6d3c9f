/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * convert.c - writes files of ROSS 8, see convert.h.
 *
 * Memory: one buffer for each file of ROSS 8, and one decoded block.
 */
#include "ross8/convert.h"

#include <assert.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "files/write_all.h"
#include "format/part_file.h"

#define BUFFER_SIZE ((size_t)256 << 10)

static bool fail(struct ross8_convert *c, const char *path, const char *what, int sys_errno)
{
    snprintf(c->error, sizeof c->error, "%s: %s%s%s", path, what, sys_errno != 0 ? ": " : "",
             sys_errno != 0 ? strerror(sys_errno) : "");
    return false;
}

/* ---- Output files ---------------------------------------------------------------------------- */

static bool out_open(struct ross8_convert *c, struct ross8_out *out, const char *dir,
                     const char *prefix, const char *name)
{
    size_t size = strlen(dir) + strlen(prefix) + strlen(name) + sizeof "/-.bin";
    out->path = malloc(size);
    out->buffer = malloc(BUFFER_SIZE);
    if (out->path == NULL || out->buffer == NULL) {
        return fail(c, dir, "out of memory", 0);
    }
    snprintf(out->path, size, "%s/%s-%s.bin", dir, prefix, name);
    out->fd = fmt_part_create(out->path, 0666, &out->part);
    return out->fd >= 0 || fail(c, out->path, "cannot create", errno);
}

static bool all_write(struct ross8_convert *c, struct ross8_out *out, const uint8_t *data,
                      size_t size)
{
    int why = write_all(out->fd, data, size);
    return why == 0 || fail(c, out->path, "cannot write", why);
}

static bool out_flush(struct ross8_convert *c, struct ross8_out *out)
{
    size_t used = out->used;
    out->used = 0;
    return all_write(c, out, out->buffer, used);
}

static bool out_write(struct ross8_convert *c, struct ross8_out *out, const uint8_t *data,
                      size_t size)
{
    assert(out->fd >= 0 && out->used <= BUFFER_SIZE);
    if (size > BUFFER_SIZE - out->used && !out_flush(c, out)) {
        return false;
    }
    out->bytes += size;
    if (size > BUFFER_SIZE) {
        return all_write(c, out, data, size);
    }
    if (size > 0) { /* if size is 0, data may be NULL */
        memcpy(out->buffer + out->used, data, size);
        out->used += size;
    }
    return true;
}

/* Writes the rest of the buffer and closes the file. Returns false if writing or closing fails. */
static bool out_close(struct ross8_convert *c, struct ross8_out *out)
{
    assert(out->fd >= 0);
    bool good = out_flush(c, out);
    int fd = out->fd;
    out->fd = -1;
    return (close(fd) == 0 || fail(c, out->path, "cannot write", errno)) && good;
}

bool ross8_convert_begin(struct ross8_convert *convert, const char *dir, const char *prefix,
                         const bool wanted[ROSS8_FILES], const struct ross8_notes *notes)
{
    *convert = (struct ross8_convert){.notes = *notes};
    for (int file = 0; file < ROSS8_FILES; file++) {
        convert->outs[file].fd = -1;
    }
    for (int file = 0; file < ROSS8_FILES; file++) {
        if (wanted[file] && !out_open(convert, &convert->outs[file], dir, prefix,
                                      ross8_file_name((enum ross8_file)file))) {
            return false;
        }
    }
    return true;
}

bool ross8_convert_end(struct ross8_convert *convert)
{
    for (int file = 0; file < ROSS8_FILES; file++) {
        struct ross8_out *out = &convert->outs[file];
        if (out->fd >= 0 && !out_close(convert, out)) {
            return false;
        }
    }
    for (int file = 0; file < ROSS8_FILES; file++) {
        struct ross8_out *out = &convert->outs[file];
        if (out->part != NULL && rename(out->part, out->path) != 0) {
            return fail(convert, out->path, "cannot give the file its name", errno);
        }
        free(out->part);
        out->part = NULL;
    }
    return true;
}

void ross8_convert_fini(struct ross8_convert *convert)
{
    for (int file = 0; file < ROSS8_FILES; file++) {
        struct ross8_out *out = &convert->outs[file];
        if (out->fd >= 0) {
            close(out->fd);
        }
        if (out->part != NULL) {
            unlink(out->part);
        }
        free(out->path);
        free(out->part);
        free(out->buffer);
    }
    fmt_columns_free(&convert->columns);
    *convert = (struct ross8_convert){.error = ""};
}

/* ---- Records --------------------------------------------------------------------------------- */

/* The record file that is being converted. */
struct source {
    const struct fmt_superblock *sb;
    double ticks_per_second;
    struct ross8_kind *kinds; /* [i]: conversion of the records of schema i */
    bool has_place[FMT_SCHEMAS_MAX];
};

static void keep_damage(struct ross8_convert *c, const struct fmt_error *error)
{
    if (c->damage[0] == '\0') {
        snprintf(c->damage, sizeof c->damage, "%s", error->text);
    }
}

static bool rows_convert(struct ross8_convert *c, const struct source *source,
                         struct ross8_kind *kind)
{
    const struct fmt_columns *columns = &c->columns;
    struct ross8_record record;
    for (uint32_t row = 0; row < columns->n_records; row++) {
        ross8_record_make(kind, columns, row, source->ticks_per_second, &c->notes, &record);
        struct ross8_out *out = &c->outs[record.file];
        uint64_t from = columns->payload_offset[row], to = columns->payload_offset[row + 1];
        if (out->path == NULL) {
            continue;
        }
        if (!out_write(c, out, record.bytes, record.size) ||
            !out_write(c, out, to > from ? columns->payload + from : NULL, (size_t)(to - from))) {
            return false;
        }
        out->records++;
    }
    return true;
}

static bool block_convert(struct ross8_convert *c, const struct source *source,
                          const struct fmt_reader *reader, const struct fmt_block *block)
{
    assert(block->kind == FMT_BLOCK_DATA);
    struct fmt_error error = {0};
    uint32_t number = 0;
    while (number < source->sb->n_schemas && source->sb->schemas[number] != block->schema) {
        number++;
    }
    if (number == source->sb->n_schemas || !source->has_place[number]) {
        return true;
    }
    if (fmt_block_decode(reader, block, &c->columns, &error) != FMT_OK) {
        keep_damage(c, &error);
        return true;
    }
    return rows_convert(c, source, &source->kinds[number]);
}

static bool pe_convert(struct ross8_convert *c, const struct source *source,
                       const struct fmt_reader *reader, uint32_t pe)
{
    struct fmt_scan scan;
    fmt_scan_init(&scan, reader, pe);
    for (;;) {
        struct fmt_error error = {0};
        struct fmt_block block;
        enum fmt_status status = fmt_scan_next(&scan, &block, &error);
        if (status == FMT_END) {
            return true;
        }
        if (status != FMT_OK) {
            keep_damage(c, &error);
        } else if (block.kind == FMT_BLOCK_DATA && !block_convert(c, source, reader, &block)) {
            return false;
        }
    }
}

static bool source_convert(struct ross8_convert *c, const struct fmt_reader *reader,
                           const char *path)
{
    struct source source = {.sb = fmt_reader_superblock(reader)};
    source.ticks_per_second = ross8_ticks_per_second(source.sb);
    source.kinds = calloc(source.sb->n_schemas + 1, sizeof *source.kinds);
    if (source.kinds == NULL) {
        return fail(c, path, "out of memory", 0);
    }
    for (uint32_t i = 0; i < source.sb->n_schemas; i++) {
        source.has_place[i] = ross8_kind_init(&source.kinds[i], source.sb->schemas[i]);
    }
    bool good = true;
    for (uint32_t pe = 0; good && pe < source.sb->layout.n_pes; pe++) {
        good = pe_convert(c, &source, reader, pe);
    }
    free(source.kinds);
    return good;
}

bool ross8_convert_file(struct ross8_convert *convert, const char *path)
{
    struct fmt_file file = {.fd = -1};
    struct fmt_reader *reader = NULL;
    struct fmt_error error = {0};
    bool good = true;
    if (fmt_file_open_read(&file, path, &error) != FMT_OK ||
        fmt_reader_open(&file.io, &reader, &error) != FMT_OK) {
        keep_damage(convert, &error);
    } else {
        good = source_convert(convert, reader, path);
    }
    fmt_reader_close(reader);
    fmt_file_close(&file, NULL);
    return good;
}
