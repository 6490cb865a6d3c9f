/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * meta.c - encodes and decodes the bodies of META and END blocks, see meta.h.
 *
 * Memory for a hostile body is bounded. It is at most eight times the size of the body, and a set
 * of descriptions is limited by FMT_DESCS_MAX and FMT_DESC_MEMORY_MAX. Every PE may write the same
 * description; a repeated description takes no memory.
 */
#include "format/meta.h"

#include <assert.h>
#include <stdlib.h>

#include "format/schema.h"

#define END_TEXT_MAX 255u

/* Head of the memory for the descriptions in one META block; their strings and tables follow it. */
struct fmt_desc_chunk {
    struct fmt_desc_chunk *next;
    size_t size;
    uint64_t data[];
};

/* ---- Descriptions ---------------------------------------------------------------------------- */

static bool field_fits(const struct fmt_payload_field *f, uint32_t payload_size)
{
    uint64_t size = (uint64_t)fmt_type_size(f->type) * f->count;
    return size > 0 && f->offset <= payload_size && size <= payload_size - f->offset;
}

/* Returns the number of names that the values of a field have. */
static size_t names_count(const struct fmt_payload_field *f)
{
    size_t n = 0;
    while (f->names != NULL && f->names[n] != NULL) {
        n++;
    }
    return n;
}

static bool names_fit(const struct fmt_payload_field *f)
{
    size_t n = names_count(f);
    return n == 0 || (n <= FMT_VALUE_NAMES_MAX && f->type <= FMT_I64 && f->count == 1);
}

const char *fmt_desc_check(const struct fmt_payload_desc *desc)
{
    if (desc->id == 0) {
        return "number 0 stands for no description";
    }
    if (desc->n_fields > FMT_FIELDS_MAX) {
        return "more than 1024 fields";
    }
    for (uint32_t i = 0; i < desc->n_fields; i++) {
        const struct fmt_payload_field *f = &desc->fields[i];
        if (!fmt_name_valid(f->name)) {
            return "a field's name is not made of letters, digits and '_'";
        }
        if (!field_fits(f, desc->size)) {
            return "a field lies outside the payload or is of no known type";
        }
        if (!names_fit(f)) {
            return "a field has names of values, and is no single integer or has too many";
        }
        for (uint32_t k = 0; k < i; k++) {
            if (strcmp(desc->fields[k].name, f->name) == 0) {
                return "two fields have the same name";
            }
        }
    }
    return NULL;
}

/* Writes the names of the values of a field to out, if there are any. */
static void names_encode(struct fmt_out *out, const struct fmt_payload_field *f)
{
    size_t n = names_count(f);
    if (n > 0) {
        fmt_out_u16(out, (uint16_t)n);
    }
    for (size_t i = 0; i < n; i++) {
        fmt_out_string(out, f->names[i]);
    }
}

void fmt_desc_encode(struct fmt_out *out, const struct fmt_payload_desc *desc)
{
    size_t start = out->size;
    fmt_out_u32(out, 0);
    fmt_out_u32(out, desc->id);
    fmt_out_u32(out, desc->kind);
    fmt_out_u32(out, desc->size);
    fmt_out_u32(out, desc->n_fields);
    fmt_out_string(out, desc->owner);
    for (uint32_t i = 0; i < desc->n_fields && !out->full; i++) {
        const struct fmt_payload_field *f = &desc->fields[i];
        size_t entry = out->size;
        fmt_out_u16(out, 0);
        fmt_out_u8(out, (uint8_t)f->type);
        fmt_out_u8(out, (uint8_t)f->measure);
        fmt_out_u32(out, f->offset);
        fmt_out_u32(out, f->count);
        fmt_out_string(out, f->name);
        fmt_out_string(out, f->unit);
        names_encode(out, f);
        if (out->size - entry - 2 > UINT16_MAX) {
            out->full = true;
        }
        if (!out->full) {
            fmt_put_u16(out->data + entry, (uint16_t)(out->size - entry - 2));
        }
    }
    if (!out->full) {
        fmt_put_u32(out->data + start, (uint32_t)(out->size - start - 4));
    }
}

/* Reads the names of values from the rest of a field's entry, which may end before them. Returns
 * NULL if there are no names, or if they are invalid (then entry->bad is true). */
static const char *const *names_decode(struct fmt_in *entry, struct fmt_arena *arena)
{
    uint32_t n = entry->pos < entry->size ? fmt_in_u16(entry) : 0;
    if (n == 0) {
        return NULL;
    }
    if (n > FMT_VALUE_NAMES_MAX || n > (entry->size - entry->pos) / 2) {
        entry->bad = true;
        return NULL;
    }
    const char **names = fmt_arena_take(arena, n + 1, sizeof *names);
    for (uint32_t i = 0; names != NULL && i < n; i++) {
        names[i] = fmt_in_string(entry, arena);
    }
    if (names != NULL) {
        names[n] = NULL;
    }
    return names;
}

static const char *desc_decode(struct fmt_in *in, struct fmt_arena *arena,
                               struct fmt_payload_desc *desc)
{
    static const char damaged[] = "a payload description is damaged";
    desc->id = fmt_in_u32(in);
    desc->kind = fmt_in_u32(in);
    desc->size = fmt_in_u32(in);
    desc->n_fields = fmt_in_u32(in);
    desc->owner = fmt_in_string(in, arena);
    if (in->bad || desc->n_fields > FMT_FIELDS_MAX) {
        return damaged;
    }
    struct fmt_payload_field *fields = fmt_arena_take(arena, desc->n_fields, sizeof *fields);
    if (fields == NULL) {
        return damaged;
    }
    desc->fields = fields;
    for (uint32_t i = 0; i < desc->n_fields; i++) {
        struct fmt_in entry = fmt_in_part(in, fmt_in_u16(in));
        fields[i].type = fmt_in_u8(&entry);
        fields[i].measure = fmt_in_u8(&entry);
        fields[i].offset = fmt_in_u32(&entry);
        fields[i].count = fmt_in_u32(&entry);
        fields[i].name = fmt_in_string(&entry, arena);
        fields[i].unit = fmt_in_string(&entry, arena);
        fields[i].names = names_decode(&entry, arena);
        if (in->bad || entry.bad || arena->full) {
            return damaged;
        }
    }
    return fmt_desc_check(desc);
}

static bool names_equal(const struct fmt_payload_field *a, const struct fmt_payload_field *b)
{
    size_t n = names_count(a), i = 0;
    if (n != names_count(b)) {
        return false;
    }
    while (i < n && strcmp(a->names[i], b->names[i]) == 0) {
        i++;
    }
    return i == n;
}

static bool desc_equal(const struct fmt_payload_desc *a, const struct fmt_payload_desc *b)
{
    assert(a->id == b->id);
    if (a->kind != b->kind || a->size != b->size || a->n_fields != b->n_fields ||
        strcmp(a->owner, b->owner) != 0) {
        return false;
    }
    for (uint32_t i = 0; i < a->n_fields; i++) {
        const struct fmt_payload_field *f = &a->fields[i], *g = &b->fields[i];
        if (f->type != g->type || f->offset != g->offset || f->count != g->count ||
            f->measure != g->measure || strcmp(f->name, g->name) != 0 ||
            strcmp(f->unit, g->unit) != 0 || !names_equal(f, g)) {
            return false;
        }
    }
    return true;
}

/* Returns the index of the description with this id in the set, or the index at which it would be
 * inserted. */
static size_t desc_place(const struct fmt_desc_set *set, uint32_t id)
{
    size_t low = 0, high = set->n;
    while (low < high) {
        size_t middle = (low + high) / 2;
        if (set->descs[middle].id < id) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low;
}

const struct fmt_payload_desc *fmt_desc_set_find(const struct fmt_desc_set *set, uint32_t id)
{
    /* Ids usually count from 1. */
    const size_t usual = id > 0 && id <= set->n ? id - 1 : 0;
    size_t at = usual < set->n && set->descs[usual].id == id ? usual : desc_place(set, id);
    return at < set->n && set->descs[at].id == id ? &set->descs[at] : NULL;
}

/* Adds desc to the set and sets *added to true. Does neither if the set has an equal description.
 * Returns NULL, or the text of an error. */
static const char *desc_insert(struct fmt_desc_set *set, const struct fmt_payload_desc *desc,
                               bool *added)
{
    assert(set->n <= FMT_DESCS_MAX);
    size_t at = desc_place(set, desc->id);
    if (at < set->n && set->descs[at].id == desc->id) {
        return desc_equal(&set->descs[at], desc) ? NULL
                                                 : "one payload type is described in two ways";
    }
    if (set->n == FMT_DESCS_MAX) {
        return "more than 4096 payload descriptions";
    }
    memmove(&set->descs[at + 1], &set->descs[at], (set->n - at) * sizeof *set->descs);
    set->descs[at] = *desc;
    set->n++;
    *added = true;
    return NULL;
}

static const char *meta_body_decode(struct fmt_desc_set *set, struct fmt_in *in,
                                    struct fmt_arena *arena, bool *added)
{
    while (in->pos < in->size) {
        struct fmt_payload_desc desc;
        struct fmt_in entry = fmt_in_part(in, fmt_in_u32(in));
        const char *wrong = desc_decode(&entry, arena, &desc);
        if (wrong == NULL) {
            wrong = desc_insert(set, &desc, added);
        }
        if (wrong != NULL) {
            return wrong;
        }
    }
    return NULL;
}

static struct fmt_desc_chunk *chunk_create(struct fmt_desc_set *set, size_t body_size,
                                           bool *no_memory)
{
    size_t used = 0, size = body_size * 8 + 64;
    for (const struct fmt_desc_chunk *c = set->memory; c != NULL; c = c->next) {
        used += c->size;
    }
    if (size > FMT_DESC_MEMORY_MAX - used) {
        return NULL;
    }
    if (set->descs == NULL) {
        set->descs = malloc(FMT_DESCS_MAX * sizeof *set->descs);
    }
    struct fmt_desc_chunk *chunk = set->descs == NULL ? NULL : malloc(sizeof *chunk + size);
    *no_memory = chunk == NULL;
    if (chunk != NULL) {
        chunk->size = size;
    }
    return chunk;
}

const char *fmt_desc_set_add(struct fmt_desc_set *set, const uint8_t *body, size_t size,
                             bool *no_memory)
{
    bool added = false;
    *no_memory = false;
    struct fmt_desc_chunk *chunk = chunk_create(set, size, no_memory);
    if (chunk == NULL) {
        return *no_memory ? "out of memory" : "too many payload descriptions";
    }
    struct fmt_arena arena = {.data = (uint8_t *)chunk->data, .capacity = chunk->size};
    struct fmt_in in = {.data = body, .size = size};
    const char *wrong = meta_body_decode(set, &in, &arena, &added);
    if (!added) {
        free(chunk);
        return wrong;
    }
    chunk->next = set->memory;
    set->memory = chunk;
    return wrong;
}

bool fmt_desc_set_copy(struct fmt_desc_set *set, const struct fmt_payload_desc *desc)
{
    struct fmt_out out = {.data = malloc(FMT_META_RAW_MAX), .capacity = FMT_META_RAW_MAX};
    bool no_memory = out.data == NULL;
    if (!no_memory) {
        fmt_desc_encode(&out, desc);
        no_memory = out.full || fmt_desc_set_add(set, out.data, out.size, &no_memory) != NULL;
    }
    free(out.data);
    return !no_memory;
}

void fmt_desc_set_free(struct fmt_desc_set *set)
{
    while (set->memory != NULL) {
        struct fmt_desc_chunk *next = set->memory->next;
        free(set->memory);
        set->memory = next;
    }
    free(set->descs);
    *set = (struct fmt_desc_set){0};
}

/* ---- END block ------------------------------------------------------------------------------- */

/* Size in bytes of the part about overwritten records, which ends the body. */
#define END_OVERWRITTEN 24u

void fmt_end_encode(struct fmt_out *out, const struct fmt_end_info *end)
{
    assert(out->data != NULL && out->size == 0);
    fmt_out_u64(out, end->records);
    fmt_out_u64(out, end->blocks);
    fmt_out_u64(out, end->bytes);
    fmt_out_u64(out, end->records_dropped);
    fmt_out_u32(out, end->code);
    size_t count_at = out->size;
    fmt_out_u32(out, 0);
    fmt_out_f64(out, end->gvt);
    fmt_out_f64(out, end->real_time);
    size_t length = end->text == NULL ? 0 : strlen(end->text);
    length = length < END_TEXT_MAX ? length : END_TEXT_MAX;
    fmt_out_u16(out, (uint16_t)length);
    fmt_out_bytes(out, end->text, length);
    uint32_t n = 0;
    size_t more = end->overwritten > 0 ? END_OVERWRITTEN : 0;
    while (n < end->n_counters) {
        size_t needed = 2 + strlen(end->counters[n].name) + 8;
        if (needed + more > out->capacity - out->size) {
            break;
        }
        fmt_out_string(out, end->counters[n].name);
        fmt_out_u64(out, end->counters[n].value);
        n++;
    }
    fmt_put_u32(out->data + count_at, n);
    if (end->overwritten > 0) {
        fmt_out_u64(out, end->overwritten);
        fmt_out_f64(out, end->kept_gvt);
        fmt_out_f64(out, end->kept_real_time);
    }
    assert(!out->full);
}

bool fmt_end_decode(struct fmt_end *end, const uint8_t *body, size_t size, bool *no_memory)
{
    struct fmt_arena arena = {.capacity = size * 8 + 64};
    arena.data = malloc(arena.capacity);
    *no_memory = arena.data == NULL;
    if (*no_memory) {
        return false;
    }
    struct fmt_in in = {.data = body, .size = size};
    struct fmt_end_info *info = &end->info;
    *info = (struct fmt_end_info){.records = fmt_in_u64(&in)};
    info->blocks = fmt_in_u64(&in);
    info->bytes = fmt_in_u64(&in);
    info->records_dropped = fmt_in_u64(&in);
    info->code = fmt_in_u32(&in);
    info->n_counters = fmt_in_u32(&in);
    info->gvt = fmt_in_f64(&in);
    info->real_time = fmt_in_f64(&in);
    info->text = fmt_in_string(&in, &arena);
    bool good = !in.bad && info->n_counters <= (in.size - in.pos) / 10;
    struct fmt_counter *counters =
        good ? fmt_arena_take(&arena, info->n_counters, sizeof *counters) : NULL;
    for (uint32_t i = 0; counters != NULL && i < info->n_counters; i++) {
        counters[i].name = fmt_in_string(&in, &arena);
        counters[i].value = fmt_in_u64(&in);
    }
    info->counters = counters;
    if (good && in.size - in.pos >= END_OVERWRITTEN) {
        info->overwritten = fmt_in_u64(&in);
        info->kept_gvt = fmt_in_f64(&in);
        info->kept_real_time = fmt_in_f64(&in);
    }
    end->memory = arena.data;
    if (good && counters != NULL && !in.bad && !arena.full) {
        return true;
    }
    fmt_end_free(end);
    return false;
}

void fmt_end_free(struct fmt_end *end)
{
    free(end->memory);
    *end = (struct fmt_end){0};
}

/* ---- CHANGE blocks ----------------------------------------------------------------------------- */

void fmt_change_encode(struct fmt_out *out, const struct fmt_change *change)
{
    fmt_out_u64(out, change->number);
    fmt_out_f64(out, change->gvt);
    fmt_out_f64(out, change->real_time);
    fmt_out_f64(out, change->date);
    fmt_out_u32(out, change->pid);
    fmt_out_string(out, change->user);
    fmt_out_string(out, change->host);
    fmt_out_string(out, change->text);
}

/* Reads a string into `to`, which has size bytes. If the string does not fit, the input counts as
 * damaged. */
static void string_read(struct fmt_in *in, char *to, size_t size)
{
    size_t length = fmt_in_u16(in);
    const uint8_t *bytes = fmt_in_bytes(in, length);
    if (bytes == NULL || length >= size || memchr(bytes, 0, length) != NULL) {
        in->bad = true;
        return;
    }
    memcpy(to, bytes, length);
    to[length] = '\0';
}

bool fmt_change_decode(struct fmt_change *change, const uint8_t *body, size_t size)
{
    struct fmt_in in = {.data = body, .size = size};
    *change = (struct fmt_change){.number = fmt_in_u64(&in)};
    change->gvt = fmt_in_f64(&in);
    change->real_time = fmt_in_f64(&in);
    change->date = fmt_in_f64(&in);
    change->pid = fmt_in_u32(&in);
    string_read(&in, change->user, sizeof change->user);
    string_read(&in, change->host, sizeof change->host);
    string_read(&in, change->text, sizeof change->text);
    return !in.bad;
}
