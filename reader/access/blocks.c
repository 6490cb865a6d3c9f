/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * blocks.c - walks over the blocks of a file, or of a stream with several files; see record_file.h.
 */
#include <assert.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "access/bind.h"
#include "access/stream.h"
#include "data/intern.h"

#define WS_FAULTS_PLACED 4096u

/* ---- Faults ---------------------------------------------------------------------------------- */

/* Returns a number that identifies the place of a fault: a hash of the path and the offset with which its
 * text begins; of the whole text if the offset is not known. */
static uint64_t fault_place(const struct fmt_error *error)
{
    char offset[48];
    snprintf(offset, sizeof offset, ": byte %" PRIu64 ": ", error->offset);
    const char *end = strstr(error->text, offset);
    size_t size = end == NULL ? strlen(error->text) : (size_t)(end - error->text) + strlen(offset);
    return ws_hash(error->text, size);
}

void ws_file_fault(struct ws_file *s, const struct fmt_error *error)
{
    uint64_t place = fault_place(error);
    size_t hint = 0;
    /* A second pass over the file finds the same damage again. */
    if (s->is_surveyed && id_set_find(&s->fault_places, place, &hint) != ID_SET_NONE) {
        return;
    }
    if (s->fault_places.n < WS_FAULTS_PLACED) {
        /* If memory is exhausted, the fault may be counted twice. */
        (void)id_set_add(&s->fault_places, &place, 1);
    }
    if (s->n_faults < WS_FAULTS_SHOWN) {
        s->faults[s->n_faults] = *error;
        ws_say(s->messages, "%s", error->text);
    }
    s->n_faults++;
}

void ws_file_fault_memory(struct ws_file *s)
{
    struct fmt_error error;
    ws_fault_memory(&error, NULL);
    ws_file_fault(s, &error);
}

void ws_file_block_fault(struct ws_file *s, const struct fmt_block *block, const char *words)
{
    struct fmt_error error = {.status = FMT_ERR_DAMAGED, .pe = block->pe, .offset = block->offset};
    const char *path = s->n_parts > 0 ? s->parts[block->part].path : s->path;
    snprintf(error.text, sizeof error.text, "%.120s: byte %" PRIu64 ": PE %" PRIu32 ": %s", path,
             block->offset, block->pe, words);
    ws_file_fault(s, &error);
}

void ws_file_faults_end(const struct ws_file *s)
{
    if (s->n_faults > WS_FAULTS_SHOWN) {
        ws_say(s->messages, "%s: and %" PRIu64 " more faults", s->path,
               s->n_faults - WS_FAULTS_SHOWN);
    }
}

/* ---- The walk -------------------------------------------------------------------------------- */

/* Returns the schema in a superblock that is equal to that of a block. */
static const struct fmt_schema *schema_in(const struct fmt_superblock *sb,
                                          const struct fmt_block *block)
{
    return block->schema == NULL ? NULL : ws_schema_of(sb, block->schema->id);
}

void ws_walk_init(struct ws_walk *walk, const struct ws_file *file, uint32_t pe)
{
    assert(file->pes != NULL && pe < file->sb->layout.n_pes);
    *walk = (struct ws_walk){.file = file, .pe = pe, .end = ws_stream_parts(file)};
}

enum fmt_status ws_walk_next(struct ws_walk *walk, struct fmt_block *block)
{
    for (; walk->part < walk->end; walk->part++, walk->begun = false) {
        const struct ws_file *part = ws_stream_part(walk->file, walk->part);
        if (part->pes == NULL) {
            continue;
        }
        if (!walk->begun) {
            fmt_scan_init(&walk->scan, part->sources[part->pes[walk->pe].source].reader, walk->pe);
            walk->begun = true;
        }
        enum fmt_status status = fmt_scan_next(&walk->scan, block, NULL);
        if (status == FMT_OK) {
            block->part = walk->part;
            block->schema = schema_in(walk->file->sb, block);
        }
        if (status != FMT_END) {
            return status;
        }
    }
    return FMT_END;
}

bool ws_file_each(struct ws_file *s, uint32_t pe, ws_block_f fn, void *ctx)
{
    struct ws_walk walk;
    struct fmt_block block;
    enum fmt_status status;
    ws_walk_init(&walk, s, pe);
    while ((status = ws_walk_next(&walk, &block)) != FMT_END) {
        if (status == FMT_OK && !fn(s, &block, ctx)) {
            return false;
        }
    }
    return true;
}

/* ---- Counters -------------------------------------------------------------------------------- */

/* The counters of one END block. */
struct counters {
    const char *const *names;
    size_t n;
    uint64_t values[WS_END_COUNTERS];
    bool any; /* true if the block has counters, whatever their names */
};

bool ws_end_counters(const struct fmt_end_info *info, const char *const names[], uint64_t values[],
                     size_t n)
{
    for (uint32_t k = 0; k < info->n_counters; k++) {
        for (size_t i = 0; i < n; i++) {
            values[i] +=
                strcmp(info->counters[k].name, names[i]) == 0 ? info->counters[k].value : 0;
        }
    }
    return info->n_counters > 0;
}

static bool counters_take(struct ws_file *file, const struct fmt_block *block, void *ctx)
{
    struct counters *c = ctx;
    struct fmt_end end = {0};
    if (block->kind != FMT_BLOCK_END ||
        fmt_block_read_end(ws_file_reader(file, block), block, &end, NULL) != FMT_OK) {
        return true;
    }
    *c = (struct counters){.names = c->names, .n = c->n};
    c->any = ws_end_counters(&end.info, c->names, c->values, c->n);
    fmt_end_free(&end);
    return true;
}

bool ws_file_counters(struct ws_file *file, uint32_t pe, const char *const names[],
                      uint64_t values[], size_t n)
{
    assert(n <= WS_END_COUNTERS);
    struct counters c = {.names = names, .n = n};
    ws_file_each(file, pe, counters_take, &c);
    for (size_t i = 0; i < n; i++) {
        values[i] += c.values[i];
    }
    return c.any;
}

/* ---- Decoding -------------------------------------------------------------------------------- */

const struct fmt_reader *ws_file_reader(const struct ws_file *file, const struct fmt_block *block)
{
    const struct ws_file *part = ws_stream_part(file, block->part);
    return part->sources[part->pes[block->pe].source].reader;
}

/* Converts the n values of a column of payload types (U32) from ids of the part to ids of the stream. */
static void types_map(const struct ws_file *part, uint8_t *types, uint32_t n)
{
    uint32_t last = 0, to = 0;
    for (uint32_t i = 0; part->type_ids != NULL && i < n; i++) {
        uint8_t *at = types + (size_t)i * sizeof last;
        uint32_t id = (uint32_t)fmt_value_read(at, FMT_U32).as.u;
        if (i == 0 || id != last) {
            const struct fmt_payload_desc *desc = fmt_desc_set_find(&part->descs, id);
            to = desc == NULL ? id : part->type_ids[desc - part->descs.descs];
            last = id;
        }
        for (size_t byte = 0; byte < sizeof to; byte++) {
            at[byte] = (uint8_t)(to >> 8 * byte);
        }
    }
}

enum fmt_status ws_file_decode(const struct ws_file *file, const struct fmt_block *block,
                               const struct fmt_wanted *wanted, struct fmt_columns *columns,
                               struct fmt_error *error)
{
    const struct fmt_reader *reader = ws_file_reader(file, block);
    struct fmt_block own = *block;
    own.schema = schema_in(fmt_reader_superblock(reader), block);
    enum fmt_status status = fmt_block_decode_some(reader, &own, wanted, columns, error);
    if (status != FMT_OK) {
        return status;
    }
    columns->schema = block->schema;
    int32_t type = block->schema->role_field[FMT_ROLE_PAYLOAD_TYPE];
    if (type >= 0 && columns->values[type] != NULL) {
        types_map(ws_stream_part(file, block->part), columns->values[type], columns->n_records);
    }
    return FMT_OK;
}

static bool body_check(struct ws_file *s, const struct fmt_block *block, void *ctx)
{
    const struct fmt_reader *reader = ws_file_reader(s, block);
    struct fmt_error error = {0};
    struct fmt_block own = *block;
    own.schema = schema_in(fmt_reader_superblock(reader), block);
    (void)ctx;
    if (fmt_block_check(reader, &own, &s->columns, &error) != FMT_OK) {
        ws_file_fault(s, &error);
    }
    return true;
}

void ws_file_check_bodies(struct ws_file *s)
{
    assert(s->n_parts == 0);
    const uint32_t n = s->pes == NULL || ws_file_is_large(s) ? 0 : s->sb->layout.n_pes;
    for (uint32_t pe = 0; pe < n; pe++) {
        ws_file_each(s, pe, body_check, NULL);
    }
}
