/*
 * points.c - places in programs.
 *
 * A place is found by two ways. By what it is: the numbers of its two texts (equal numbers mean
 * equal texts), line and column; the comparison is complete, so the hash only chooses the slot. By
 * its id: 64 of 128 bits that are computed from the texts themselves, so that every rank and every
 * run has the same ones; two places with the same 64 bits are refused, not confused. Entries lie in
 * chunks that never move. Nothing is ever removed.
 *
 * Invariants: 1. Entries differ in function, file, line or column, and in their ids. 2. Each entry
 * is in exactly one slot of both tables, without a free slot between the one that its hash or id
 * names and it. 3. At most half of the slots are in use.
 *
 * Cost: making a new one costs two texts and three hashes of them; finding it again two texts and a
 * probe; by id a probe.
 */
#include "bus/points.h"

#include <stdlib.h>
#include <xxhash.h>

#define SLOTS_MIN 64u
#define N_MAX     (UINT32_MAX / 4)

static struct point_entry *entry_at(const struct points *p, uint32_t number)
{
    return &p->chunks[number / POINTS_PER_CHUNK][number % POINTS_PER_CHUNK];
}

void points_hash(const char *function, const char *file, uint32_t line, uint32_t column,
                 uint64_t wide[2])
{
    XXH128_hash_t f = XXH3_128bits(function, strlen(function));
    XXH128_hash_t g = XXH3_128bits(file, strlen(file));
    const uint64_t all[5] = {f.low64, f.high64, g.low64, g.high64, (uint64_t)line << 32 | column};
    XXH128_hash_t h = XXH3_128bits(all, sizeof all);
    wide[0] = h.low64;
    wide[1] = h.high64;
}

/* Where to look for a place: any mixture of what it is. */
static uint32_t slot_hash(const st_point *p)
{
    uint64_t texts = (uint64_t)p->function << 32 | p->file;
    uint64_t lines = (uint64_t)p->line << 32 | p->column;
    uint64_t h = (texts ^ lines * 0x9e3779b97f4a7c15u) * 0xff51afd7ed558ccdu;
    return (uint32_t)(h ^ h >> 32);
}

static bool is_same_place(const st_point *a, const st_point *b)
{
    return a->function == b->function && a->file == b->file && a->line == b->line &&
           a->column == b->column;
}

/* The slot of a place, or the free one where it belongs. */
static struct point_slot *probe(const struct points *p, const st_point *place, uint32_t hash)
{
    uint32_t i = hash & p->slot_mask;
    while (p->by_place[i].number != 0 &&
           (p->by_place[i].hash != hash ||
            !is_same_place(&entry_at(p, p->by_place[i].number - 1)->point, place))) {
        i = (i + 1) & p->slot_mask;
    }
    return &p->by_place[i];
}

static void insert_slots(struct points *p, struct point_slot slot)
{
    uint32_t i = slot.hash & p->slot_mask;
    while (p->by_place[i].number != 0) {
        i = (i + 1) & p->slot_mask;
    }
    p->by_place[i] = slot;
    struct point_entry *entry = entry_at(p, slot.number - 1);
    i = (uint32_t)entry->point.id & p->slot_mask;
    while (p->by_id[i].entry != NULL) {
        i = (i + 1) & p->slot_mask;
    }
    p->by_id[i] = (struct point_id_slot){.id = entry->point.id, .entry = entry};
}

static bool grow_slots(struct points *p)
{
    uint32_t n_slots = p->by_place == NULL ? SLOTS_MIN : (p->slot_mask + 1) * 2;
    struct point_slot *before = p->by_place;
    uint32_t n_before = before == NULL ? 0 : p->slot_mask + 1;
    struct point_slot *by_place = calloc(n_slots, sizeof *by_place);
    struct point_id_slot *by_id = calloc(n_slots, sizeof *by_id);
    if (by_place == NULL || by_id == NULL) {
        free(by_place);
        free(by_id);
        return false;
    }
    free(p->by_id);
    p->by_place = by_place;
    p->by_id = by_id;
    p->slot_mask = n_slots - 1;
    for (uint32_t i = 0; i < n_before; i++) {
        if (before[i].number != 0) {
            insert_slots(p, before[i]);
        }
    }
    free(before);
    return true;
}

/* Room for one more entry. */
static bool grow_entries(struct points *p)
{
    struct point_entry **chunks = realloc(p->chunks, (p->n_chunks + 1) * sizeof *chunks);
    if (chunks == NULL) {
        return false;
    }
    p->chunks = chunks;
    chunks[p->n_chunks] = calloc(POINTS_PER_CHUNK, sizeof **chunks);
    p->n_chunks += chunks[p->n_chunks] != NULL;
    return p->n < p->n_chunks * POINTS_PER_CHUNK;
}

/* Adds a place that is not there yet. */
static st_result add(struct points *p, st_point place, struct point_entry **point)
{
    (p->hash != NULL ? p->hash : points_hash)(strings_text(p->strings, place.function),
                                              strings_text(p->strings, place.file), place.line,
                                              place.column, place.id_wide);
    place.id = place.id_wide[0];
    *point = points_find(p, place.id);
    if (*point != NULL) {
        return ST_DUPLICATE;
    }
    bool full = p->by_id == NULL || p->n >= (p->slot_mask + 1) / 2;
    if (p->n >= N_MAX || (full && !grow_slots(p)) ||
        (p->n == p->n_chunks * POINTS_PER_CHUNK && !grow_entries(p))) {
        return ST_NO_MEMORY;
    }
    *point = entry_at(p, p->n++);
    (*point)->point = place;
    insert_slots(p, (struct point_slot){.hash = slot_hash(&place), .number = p->n});
    return ST_OK;
}

st_result points_make(struct points *p, const char *function, const char *file, uint32_t line,
                      uint32_t column, struct point_entry **point)
{
    function = function == NULL ? "" : function;
    file = file == NULL ? "" : file;
    if (function[0] == '\0' && file[0] == '\0') {
        return ST_INVALID;
    }
    st_point place = {.function = strings_insert(p->strings, function),
                      .file = strings_insert(p->strings, file),
                      .line = line,
                      .column = column};
    if (place.function == 0 || place.file == 0) {
        return ST_NO_MEMORY;
    }
    uint32_t number = p->by_place == NULL ? 0 : probe(p, &place, slot_hash(&place))->number;
    if (number != 0) {
        *point = entry_at(p, number - 1);
        return ST_OK;
    }
    return add(p, place, point);
}

/* ---- Notes --------------------------------------------------------------------------------------
 */

struct point_entry *points_entry(const struct points *p, const st_point *point)
{
    struct point_entry *entry = point == NULL ? NULL : points_find(p, point->id);
    return entry != NULL && &entry->point == point ? entry : NULL;
}

static struct point_note *find_note(const struct point_entry *entry, st_string_id key)
{
    for (uint32_t i = 0; i < entry->n_notes; i++) {
        if (entry->notes[i].key == key) {
            return &entry->notes[i];
        }
    }
    return NULL;
}

st_result points_set(struct points *p, struct point_entry *entry, const char *key,
                     const char *value)
{
    struct point_note new = {strings_insert(p->strings, key), strings_insert(p->strings, value)};
    if (new.key == 0 || new.value == 0) {
        return ST_NO_MEMORY;
    }
    struct point_note *note = find_note(entry, new.key);
    if (note != NULL) {
        note->value = new.value;
        return ST_DUPLICATE;
    }
    if (entry->n_notes == entry->notes_max) {
        uint32_t max = entry->notes_max == 0 ? 4 : entry->notes_max * 2;
        struct point_note *notes = realloc(entry->notes, max * sizeof *notes);
        if (notes == NULL) {
            return ST_NO_MEMORY;
        }
        entry->notes = notes;
        entry->notes_max = max;
    }
    entry->notes[entry->n_notes++] = new;
    return ST_OK;
}

const char *points_get(const struct points *p, const struct point_entry *entry, const char *key)
{
    uint32_t id = strings_find(p->strings, key);
    const struct point_note *note = id == 0 ? NULL : find_note(entry, id);
    return note == NULL ? NULL : strings_text(p->strings, note->value);
}

void points_reset(struct points *p)
{
    for (uint32_t i = 0; i < p->n; i++) {
        struct point_entry *entry = entry_at(p, i);
        free(entry->notes);
        entry->notes = NULL;
        entry->n_notes = entry->notes_max = 0;
        entry->instances = 0;
    }
}

/* ---- Checks, the end ----------------------------------------------------------------------------
 */

bool points_check(const struct points *p)
{
    uint32_t in_use[2] = {0, 0};
    for (uint32_t i = 0; p->by_id != NULL && i <= p->slot_mask; i++) {
        in_use[0] += p->by_place[i].number != 0;
        in_use[1] += p->by_id[i].entry != NULL;
        if (p->by_id[i].entry != NULL && p->by_id[i].entry->point.id != p->by_id[i].id) {
            return false;
        }
    }
    if (in_use[0] != p->n || in_use[1] != p->n || p->n > p->n_chunks * POINTS_PER_CHUNK ||
        (p->n > 0 && p->n > (p->slot_mask + 1) / 2)) {
        return false;
    }
    for (uint32_t i = 0; i < p->n; i++) {
        const struct point_entry *entry = entry_at(p, i);
        const st_point *point = &entry->point;
        if (probe(p, point, slot_hash(point))->number != i + 1 ||
            points_find(p, point->id) != entry || point->id != point->id_wide[0] ||
            strings_text(p->strings, point->function) == NULL ||
            strings_text(p->strings, point->file) == NULL || entry->n_notes > entry->notes_max) {
            return false;
        }
    }
    return true;
}

void points_fini(struct points *p)
{
    points_reset(p);
    for (uint32_t i = 0; i < p->n_chunks; i++) {
        free(p->chunks[i]);
    }
    free(p->chunks);
    free(p->by_place);
    free(p->by_id);
    *p = (struct points){.strings = p->strings, .hash = p->hash};
}
