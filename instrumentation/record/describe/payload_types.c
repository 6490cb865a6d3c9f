/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * payload_types.c - gives payload types their ids, without comparing pointers between ranks.
 *
 * Each payload type is converted to a string of bytes, its key (kind, whether it holds, size, owner,
 * fields with names, units and names of their values). A tree of ranks merges the keys of all ranks into a list
 * that holds each key once, in the order of ranks and, within a rank, of LPs. Rank 0 sends the list
 * to all ranks. The position in the list gives the id. Ids are therefore independent of addresses
 * and, with LINEAR mapping, of the number of ranks. Two LP types share an id if they have the same
 * name, or both have no name, and their payloads have equal sizes and descriptions. The bytes of
 * their payloads then have the same meaning.
 *
 * Invariants: P1 No two keys have equal bytes. P2 slot.types == NULL <=> slot.size == 0; slot.id ==
 * 0 => slot.size == 0.
 *
 * Cost: once per run. The number of different types is small, so lists are searched linearly.
 */
#include "record/describe/payload_types.h"
#include "record/base/tree_merge.h"
#include "store/array.h"

#include <assert.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- Keys of payload types ------------------------------------------------------------------- */

struct byte_string {
    unsigned char *bytes;
    size_t size;
    size_t capacity;
};

static void put(struct byte_string *s, const void *bytes, size_t size)
{
    if (!array_reserve(&s->bytes, &s->capacity, s->size + size, 1)) {
        tw_error(TW_LOC, "out of memory for %zu bytes of payload types", s->size + size);
    }
    if (size > 0) {
        memcpy(s->bytes + s->size, bytes, size);
    }
    s->size += size;
}

static void put_u32(struct byte_string *s, size_t value)
{
    uint32_t v = (uint32_t)value;
    put(s, &v, sizeof(v));
}

static void put_key(struct byte_string *s, st_payload_kind kind, bool holds, size_t size,
                    const char *owner, const st_field *fields)
{
    put_u32(s, (size_t)kind << 1 | holds);
    put_u32(s, size);
    put(s, owner, strlen(owner) + 1);
    for (const st_field *f = fields; f != NULL && f->name != NULL; f++) {
        put_u32(s, (size_t)f->type);
        put_u32(s, f->offset);
        put_u32(s, f->count);
        put_u32(s, (size_t)f->measure);
        put(s, f->name, strlen(f->name) + 1);
        put(s, f->unit, strlen(f->unit) + 1);
        for (size_t i = 0; f->names != NULL && f->names[i] != NULL; i++) {
            put(s, "=", 1);
            put(s, f->names[i], strlen(f->names[i]) + 1);
        }
        put(s, "", 1); /* an empty name ends the list of values' names */
    }
}

/* Returns the index in types->keys of the key with these bytes; n_keys if there is none. */
static size_t find_key(const struct payload_types *types, const unsigned char *bytes, size_t size)
{
    size_t i = 0;
    while (i < types->n_keys &&
           (types->keys[i].size != size || memcmp(types->keys[i].bytes, bytes, size) != 0)) {
        i++;
    }
    return i;
}

/* Returns the index in types->keys of the key of this payload. Adds the key if it is new. */
static size_t intern_key(struct payload_types *types, bool holds, size_t size, const char *owner,
                         const st_field *fields)
{
    struct byte_string s = {0};
    put_key(&s, types->kind, holds, size, owner, fields);
    size_t at = find_key(types, s.bytes, s.size);
    if (at < types->n_keys) {
        free(s.bytes);
        return at;
    }
    if (!array_append(&types->keys, at, sizeof(*types->keys))) {
        tw_error(TW_LOC, "out of memory for %zu payload types", at + 1);
    }
    types->keys[at] =
        (struct payload_key){s.bytes, s.size, fields, owner, (uint32_t)size, 0, holds};
    types->n_keys = at + 1;
    return at;
}

/* ---- Collecting ------------------------------------------------------------------------------ */

/* Fills the slot of an LP that has the given callbacks. owner: name of the LP's type. Returns
 * TW_ERR_USAGE, with a line in error, if the payload is too large. */
static enum tw_status fill_slot(struct payload_types *types, const struct registry *registry,
                                const st_model_types *callbacks, const char *owner,
                                struct payload_slot *slot, char *error, size_t error_size)
{
    bool of_events = types->kind == ST_PAYLOAD_RBEV || types->kind == ST_PAYLOAD_EV;
    size_t size = registry_size(callbacks, types->kind);
    if (size == 0 && !(of_events && owner[0] != '\0')) {
        *slot = (struct payload_slot){0};
        return TW_OK;
    }
    if (size > FMT_PAYLOAD_MAX) {
        return REFUSE(error, error_size,
                      "st_model_types: %zu bytes of model data per record; at most %u are possible",
                      size, FMT_PAYLOAD_MAX);
    }
    const struct registry_fields *facts =
        size > 0 ? registry_find(registry, callbacks, types->kind) : NULL;
    const bool holds = types->may_hold && facts != NULL && facts->is_pure;
    size_t key = intern_key(types, holds, size, owner, facts != NULL ? facts->fields : NULL);
    *slot = (struct payload_slot){.types = size > 0 ? callbacks : NULL,
                                  .size = (uint32_t)size & (UINT32_MAX >> 1),
                                  .holds = holds,
                                  .id = (uint32_t)key + 1};
    types->size_max = size > types->size_max ? size : types->size_max;
    return TW_OK;
}

enum tw_status payload_types_collect(struct payload_types *types, const struct registry *registry,
                                     const struct lp_names *names, st_payload_kind kind,
                                     bool may_hold, tw_lpid n_lps, char *error, size_t error_size)
{
    *types = (struct payload_types){.kind = kind, .may_hold = may_hold};
    types->slots = calloc(n_lps > 0 ? n_lps : 1, sizeof(*types->slots));
    if (types->slots == NULL) {
        snprintf(error, error_size, "out of memory for the callbacks of the LPs");
        return TW_ERR_MEMORY;
    }
    types->n_slots = n_lps;
    for (tw_lpid lp = 0; lp < n_lps; lp++) {
        const st_model_types *callbacks = registry_get(registry, lp);
        const char *owner = lp_names_of(names, lp);
        struct payload_slot *slot = &types->slots[lp];
        if (lp > 0 && registry_get(registry, lp - 1) == callbacks &&
            lp_names_of(names, lp - 1) == owner) {
            *slot = slot[-1]; /* most LPs have the same type as the preceding LP */
        } else {
            enum tw_status status =
                fill_slot(types, registry, callbacks, owner, slot, error, error_size);
            if (status != TW_OK) {
                return status;
            }
        }
        types->n_lps += slot->types != NULL;
    }
    return TW_OK;
}

/* ---- Numbering over ranks -------------------------------------------------------------------- */

/* Appends to s the length and the bytes of each key. */
static void put_keys(struct byte_string *s, const struct payload_types *types)
{
    for (size_t i = 0; i < types->n_keys; i++) {
        put_u32(s, types->keys[i].size);
        put(s, types->keys[i].bytes, types->keys[i].size);
    }
}

/* Returns the key at *pos in a string made by put_keys(), and sets *size. Advances *pos. */
static const unsigned char *next_key(const unsigned char *bytes, size_t *pos, uint32_t *size)
{
    memcpy(size, bytes + *pos, sizeof(*size));
    const unsigned char *key = bytes + *pos + sizeof(*size);
    *pos += sizeof(*size) + *size;
    return key;
}

/* Returns true if the string s, made by put_keys(), has this key. */
static bool contains(const struct byte_string *s, const unsigned char *key, uint32_t size)
{
    for (size_t pos = 0; pos < s->size;) {
        uint32_t other_size;
        const unsigned char *other = next_key(s->bytes, &pos, &other_size);
        if (other_size == size && memcmp(other, key, size) == 0) {
            return true;
        }
    }
    return false;
}

/* Adds to `ctx` those keys in `bytes` that `ctx` does not have yet; callback of tree_merge(). */
static void take_keys(void *ctx, const unsigned char *bytes, size_t size)
{
    struct byte_string *all = ctx;
    for (size_t pos = 0; pos < size;) {
        uint32_t key_size;
        const unsigned char *key = next_key(bytes, &pos, &key_size);
        if (!contains(all, key, key_size)) {
            put_u32(all, key_size);
            put(all, key, key_size);
        }
    }
}

static const unsigned char *give_keys(void *ctx, size_t *size)
{
    const struct byte_string *all = ctx;
    *size = all->size;
    return all->bytes;
}

/* Sets the ids in keys and slots to `id` plus the index of the key in `all`, the list of the keys
 * of all ranks (size bytes). Returns the next free id. */
static uint32_t take_ids(struct payload_types *types, uint32_t id, const unsigned char *all,
                         size_t size)
{
    for (size_t pos = 0; pos < size;) {
        uint32_t key_size;
        const unsigned char *key = next_key(all, &pos, &key_size);
        size_t at = find_key(types, key, key_size);
        if (at < types->n_keys) {
            types->keys[at].id = id;
        }
        id++;
    }
    for (tw_lpid lp = 0; lp < types->n_slots; lp++) {
        struct payload_slot *slot = &types->slots[lp];
        if (slot->id != 0) {
            assert(types->keys[slot->id - 1].id != 0);
            slot->id = types->keys[slot->id - 1].id;
        }
    }
    return id;
}

uint32_t payload_types_number(struct payload_types *types, uint32_t first_id, MPI_Comm comm)
{
    assert(first_id >= 1);
    int rank = 0;
    MPI_Comm_rank(comm, &rank);
    struct byte_string all = {0};
    put_keys(&all, types);
    tree_merge(&(struct tree_merge){&all, take_keys, give_keys}, comm);
    if (all.size > INT_MAX - 1) {
        tw_error(TW_LOC, "the payload types of all ranks take %zu bytes, which is too much",
                 all.size);
    }
    int size = (int)all.size;
    MPI_Bcast(&size, 1, MPI_INT, 0, comm);
    if (rank != 0) {
        free(all.bytes);
        all.bytes = tw_calloc(TW_LOC, "payload types", 1, (size_t)size + 1);
    }
    if (size > 0) {
        MPI_Bcast(all.bytes, size, MPI_BYTE, 0, comm);
        first_id = take_ids(types, first_id, all.bytes, (size_t)size);
    }
    free(all.bytes);
    return first_id;
}

/* ---- Descriptions for the file --------------------------------------------------------------- */

static uint32_t count_fields(const st_field *fields)
{
    uint32_t n = 0;
    while (fields != NULL && fields[n].name != NULL) {
        n++;
    }
    return n;
}

static void convert_fields(const st_field *from, uint32_t n, struct fmt_payload_field *to)
{
    for (uint32_t i = 0; i < n; i++) {
        to[i] = (struct fmt_payload_field){.name = from[i].name,
                                           .unit = from[i].unit,
                                           .type = (uint32_t)from[i].type + 1,
                                           .offset = (uint32_t)from[i].offset,
                                           .count = from[i].count,
                                           .measure = (uint32_t)from[i].measure,
                                           .names = from[i].names};
    }
}

struct fmt_payload_desc *payload_types_describe(const struct payload_types *types)
{
    size_t n_fields = 0;
    for (size_t i = 0; i < types->n_keys; i++) {
        n_fields += count_fields(types->keys[i].fields);
    }
    struct fmt_payload_desc *descs =
        tw_calloc(TW_LOC, "payload descriptions", 1,
                  (types->n_keys + 1) * sizeof(*descs) + n_fields * sizeof(*descs->fields));
    struct fmt_payload_field *next = (struct fmt_payload_field *)(descs + types->n_keys + 1);
    for (size_t i = 0; i < types->n_keys; i++) {
        const struct payload_key *key = &types->keys[i];
        assert(key->id != 0);
        uint32_t n = count_fields(key->fields);
        convert_fields(key->fields, n, next);
        descs[i] = (struct fmt_payload_desc){.id = key->id,
                                             .kind = key->holds ? (uint32_t)FMT_PAYLOAD_HELD
                                                                : (uint32_t)types->kind,
                                             .size = key->payload_size,
                                             .n_fields = n,
                                             .owner = key->owner,
                                             .fields = next};
        next += n;
    }
    return descs;
}

void payload_types_fini(struct payload_types *types)
{
    for (size_t i = 0; i < types->n_keys; i++) {
        free(types->keys[i].bytes);
    }
    free(types->keys);
    free(types->slots);
    *types = (struct payload_types){0};
}

_Static_assert(FMT_PAYLOAD_MAX <= UINT32_MAX >> 1, "size of a slot's payload");
_Static_assert((int)ST_U8 + 1 == (int)FMT_U8 && (int)ST_CHAR + 1 == (int)FMT_CHAR, "field types");
_Static_assert((int)ST_PAYLOAD_RBEV == (int)FMT_PAYLOAD_RBEV &&
                   (int)ST_PAYLOAD_EV == (int)FMT_PAYLOAD_EV &&
                   (int)ST_PAYLOAD_MODEL == (int)FMT_PAYLOAD_MODEL &&
                   (int)ST_PAYLOAD_SAMPLE == (int)FMT_PAYLOAD_SAMPLE,
               "payload kinds");
_Static_assert((int)ST_UNSTATED == (int)FMT_UNSTATED && (int)ST_LEVEL == (int)FMT_LEVEL &&
                   (int)ST_COUNTER == (int)FMT_COUNTER && (int)ST_CHANGE == (int)FMT_CHANGE &&
                   (int)ST_IDENTITY == (int)FMT_IDENTITY,
               "measures");
