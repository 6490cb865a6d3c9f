/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * points.c - places in programs. point_additions.c has the additions to these places.
 *
 * A place is found by its id: 64 of the 128 bits that are computed from its two texts, line and
 * column. Ids are therefore the same on every rank and in every run. The place found is compared
 * with the place sought: a new place that has the same 64 bits as an earlier one is thus detected,
 * and refused. Entries lie in chunks that never move. No entry is ever removed.
 *
 * Invariants
 * 1. Entries differ in their ids, which are those of their places.
 * 2. Each entry is at exactly one position in by_id. No position is free between the first one for
 *    the entry's id and that position.
 * 3. At most half of the positions in by_id are in use.
 * 4. `file` is empty, or has the name of a file with the string id and the hash of that name.
 *
 * Cost: a new place costs two hashes, one of them of its function's text, and copying the new
 * texts. If the file differs from that of the place before, the hash of its text is added. Finding
 * a place costs these hashes and comparing the texts; finding a place by its id costs a search in
 * by_id. A place with a text of 24 bytes takes about 180 bytes.
 */
#include "bus/tables/points.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>

#include "store/array.h"

#define POSITIONS_MIN 64u
#define N_MAX         (UINT32_MAX / 4)
#define LINE_BYTES    64 /* size of a cache line in bytes */

static struct point_entry *entry_at(const struct points *p, uint32_t number)
{
    assert(number < p->n_chunks * POINTS_PER_CHUNK);
    return &p->chunks[number / POINTS_PER_CHUNK][number % POINTS_PER_CHUNK];
}

static inline struct text_hash hash_place(struct text_hash function, struct text_hash file,
                                          uint32_t line, uint32_t column)
{
    const uint64_t all[5] = {function.low, function.high, file.low, file.high,
                             (uint64_t)line << 32 | column};
    return text_hash_bytes(all, sizeof all);
}

void points_hash(const char *function, const char *file, uint32_t line, uint32_t column,
                 uint64_t wide[2])
{
    const struct text_hash f = text_hash_bytes(function, strlen(function));
    const struct text_hash hash = hash_place(f, text_hash_bytes(file, strlen(file)), line, column);
    wide[0] = hash.low;
    wide[1] = hash.high;
}

static bool grow_by_id(struct points *p)
{
    assert(p->by_id == NULL || ((p->by_id_mask + 1) & p->by_id_mask) == 0);
    uint32_t n_positions = p->by_id == NULL ? POSITIONS_MIN : (p->by_id_mask + 1) * 2;
    struct point_entry **by_id = calloc(n_positions, sizeof(*by_id));
    if (by_id == NULL) {
        return false;
    }
    /* Entries are visited in the order of their addresses. */
    for (uint32_t number = 0; number < p->n; number++) {
        struct point_entry *entry = entry_at(p, number);
        uint32_t i = (uint32_t)entry->point.id & (n_positions - 1);
        while (by_id[i] != NULL) {
            i = (i + 1) & (n_positions - 1);
        }
        by_id[i] = entry;
    }
    free(p->by_id);
    p->by_id = by_id;
    p->by_id_mask = n_positions - 1;
    return true;
}

/* Makes space for one more entry. Returns false if memory is exhausted. */
static bool grow_entries(struct points *p)
{
    if (!array_append(&p->chunks, p->n_chunks, sizeof *p->chunks)) {
        return false;
    }
    struct point_entry *chunk = aligned_alloc(LINE_BYTES, POINTS_PER_CHUNK * sizeof *chunk);
    p->chunks[p->n_chunks] = chunk;
    p->n_chunks += chunk != NULL;
    return p->n < p->n_chunks * POINTS_PER_CHUNK;
}

/* Sets p->file to this file's string id, text and hash. Returns false if memory is exhausted. */
static bool take_file(struct points *p, const char *file)
{
    if (p->file.id != 0 && strcmp(p->file.text, file) == 0) {
        return true;
    }
    size_t length = strlen(file);
    struct text_hash hash = text_hash_bytes(file, length);
    st_string_id id = strings_insert_hashed(p->strings, file, length, hash.low);
    if (id != 0) {
        p->file = (struct point_file){id, strings_text(p->strings, id), hash};
    }
    return id != 0;
}

/* Adds an entry for a new id at `position`, which must be the free position for that id in by_id.
 * The caller sets the members of the entry. Returns NULL if memory is exhausted. */
static struct point_entry *add(struct points *p, struct point_entry **position, uint64_t id)
{
    if (p->n >= N_MAX || (p->n == p->n_chunks * POINTS_PER_CHUNK && !grow_entries(p))) {
        return NULL;
    }
    if (p->n >= (p->by_id_mask + 1) / 2) {
        if (!grow_by_id(p)) {
            return NULL;
        }
        position = points_probe(p, id);
    }
    *position = entry_at(p, p->n++);
    return *position;
}

static bool is_place(const struct points *p, const st_point *point, const char *function,
                     uint32_t line, uint32_t column)
{
    return point->line == line && point->column == column && point->file == p->file.id &&
           strcmp(strings_text(p->strings, point->function), function) == 0;
}

/* Finds or makes the point for a place in the file p->file, see points_make(). */
static st_result make(struct points *p, const char *function, uint32_t line, uint32_t column,
                      struct point_entry **point)
{
    assert(p->file.id != 0 && p->by_id != NULL);
    const size_t length = strlen(function);
    const struct text_hash hash = text_hash_bytes(function, length);
    struct text_hash id = hash_place(hash, p->file.hash, line, column);
    if (p->hash != NULL) {
        uint64_t wide[2];
        p->hash(function, p->file.text, line, column, wide);
        id = (struct text_hash){wide[0], wide[1]};
    }
    struct point_entry **position = points_probe(p, id.low);
    *point = *position;
    if (*point != NULL) {
        return is_place(p, &(*point)->point, function, line, column) ? ST_OK : ST_DUPLICATE;
    }
    const st_string_id name = strings_insert_hashed(p->strings, function, length, hash.low);
    *point = name == 0 ? NULL : add(p, position, id.low);
    if (*point == NULL) {
        return ST_NO_MEMORY;
    }
    **point = (struct point_entry){.point = {.id = id.low,
                                             .id_wide = {id.low, id.high},
                                             .function = name,
                                             .file = p->file.id,
                                             .line = line,
                                             .column = column}};
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
    if (!take_file(p, file) || (p->by_id == NULL && !grow_by_id(p))) {
        return ST_NO_MEMORY;
    }
    return make(p, function, line, column, point);
}

void points_report_collision(const struct points *p, const char *function, const char *file,
                             uint32_t line, const st_point *other)
{
    fprintf(stderr,
            "warpscope: the point %s (%s:%u) has the same id as %s (%s:%u), %016llx, and cannot be "
            "used; give its function another name\n",
            function == NULL ? "" : function, file == NULL ? "" : file, line,
            strings_text(p->strings, other->function), strings_text(p->strings, other->file),
            other->line, (unsigned long long)other->id);
}

struct point_entry *points_entry(const struct points *p, const st_point *point)
{
    struct point_entry *entry = point == NULL ? NULL : points_find(p, point->id);
    return entry != NULL && &entry->point == point ? entry : NULL;
}

void points_reset(struct points *p)
{
    for (uint32_t i = 0; i < p->n; i++) {
        points_reset_entry(entry_at(p, i));
    }
}

/* ---- Checks and end -------------------------------------------------------------------------- */

/* Returns true if the entry is found by its id, and its id is the one computed from its place. */
static bool entry_is_right(const struct points *p, const struct point_entry *entry)
{
    const st_point *point = &entry->point;
    const char *function = strings_text(p->strings, point->function);
    const char *file = strings_text(p->strings, point->file);
    if (function == NULL || file == NULL || points_find(p, point->id) != entry ||
        !points_check_more(entry)) {
        return false;
    }
    uint64_t wide[2];
    (p->hash != NULL ? p->hash : points_hash)(function, file, point->line, point->column, wide);
    return point->id == wide[0] && point->id_wide[0] == wide[0] && point->id_wide[1] == wide[1];
}

static bool file_is_right(const struct points *p)
{
    if (p->file.id == 0) {
        return true;
    }
    const char *text = strings_text(p->strings, p->file.id);
    if (text == NULL || text != p->file.text) {
        return false;
    }
    struct text_hash hash = text_hash_bytes(text, strlen(text));
    return hash.low == p->file.hash.low && hash.high == p->file.hash.high;
}

bool points_check(const struct points *p)
{
    uint32_t in_use = 0;
    for (uint32_t i = 0; p->by_id != NULL && i <= p->by_id_mask; i++) {
        in_use += p->by_id[i] != NULL;
    }
    if (in_use != p->n || p->n > p->n_chunks * POINTS_PER_CHUNK ||
        (p->n > 0 && p->n > (p->by_id_mask + 1) / 2) || !file_is_right(p)) {
        return false;
    }
    for (uint32_t i = 0; i < p->n; i++) {
        if (!entry_is_right(p, entry_at(p, i))) {
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
    free(p->by_id);
    *p = (struct points){.strings = p->strings, .hash = p->hash};
}
