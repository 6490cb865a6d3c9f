/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * points.h - a table of places in programs, and what tools note about them.
 */
#ifndef WARPSCOPE_BUS_TABLES_POINTS_H
#define WARPSCOPE_BUS_TABLES_POINTS_H

#include "bus/tables/strings.h"
#include "bus/tables/text_hash.h"
#include "st_bus.h"

struct point_note {
    st_string_id key, value;
};

/* What an owner attached. Never freed while the point may be read; in no order. */
struct point_attachment {
    const void *owner;
    void *value; /* atomic; NULL: taken away */
    struct point_attachment *next;
};

/* What only some points have. */
struct point_more {
    struct point_note *notes; /* in the order of their first values */
    uint32_t n_notes, notes_max;
    const void *address;                  /* NULL: none */
    struct point_attachment *attachments; /* atomic */
};

/* A place with all that belongs to it; a cache line. */
struct point_entry {
    st_point point; /* first: a st_point of ours is at the address of its entry */
    uint64_t instances;
    struct point_more *more; /* atomic; NULL: nothing */
};

/* The 128 bits that stand for a place. */
typedef void (*point_hash)(const char *function, const char *file, uint32_t line, uint32_t column,
                           uint64_t wide[2]);

#define POINTS_PER_CHUNK 256u

/* The file of the last place that was made: that of the next one is often the same. */
struct point_file {
    st_string_id id;  /* 0: none yet */
    const char *text; /* of that id */
    struct text_hash hash;
};

/* All zero but for strings: empty. */
struct points {
    struct strings *strings;
    point_hash hash;            /* NULL: points_hash; tests make collisions with another */
    struct point_entry **slots; /* by id, a power of two of them; NULL: free */
    uint32_t slot_mask;
    uint32_t n; /* entries */
    uint32_t n_chunks;
    struct point_entry **chunks;
    struct point_file file;
};

/* See st_point_make(). ST_OK; ST_INVALID; ST_NO_MEMORY; ST_DUPLICATE: *point is another place with
 * the same 64 bits. */
st_result points_make(struct points *points, const char *function, const char *file, uint32_t line,
                      uint32_t column, struct point_entry **point);

/* Two places with the same id, 64 bits are not enough after all: says so on standard error. */
void points_report_collision(const struct points *points, const char *function, const char *file,
                             uint32_t line, const st_point *other);

/* The slot of an id, or the free one where it belongs. There are slots. */
static inline struct point_entry **points_probe(const struct points *points, uint64_t id)
{
    uint32_t i = (uint32_t)id & points->slot_mask;
    while (points->slots[i] != NULL && points->slots[i]->point.id != id) {
        i = (i + 1) & points->slot_mask;
    }
    return &points->slots[i];
}

/* NULL: there is none. */
static inline struct point_entry *points_find(const struct points *points, uint64_t id)
{
    return points->slots == NULL ? NULL : *points_probe(points, id);
}

void points_hash(const char *function, const char *file, uint32_t line, uint32_t column,
                 uint64_t wide[2]);

/* The entry of a point; NULL: it is none of these. */
struct point_entry *points_entry(const struct points *points, const st_point *point);
/* See st_point_set(). */
st_result points_set(struct points *points, struct point_entry *entry, const char *key,
                     const char *value);
const char *points_get(const struct points *points, const struct point_entry *entry,
                       const char *key);

/* Text number i; NULL: it has fewer. */
const struct point_note *points_note(const struct point_entry *entry, uint32_t i);
/* Remembers the address. ST_NO_MEMORY. */
st_result points_set_address(struct point_entry *entry, const void *address);
/* See st_point_describe(); both are known. */
st_result points_describe(struct point_entry *entry, st_kind kind, st_activity activity);
/* See st_point_attach(); owner is not NULL. */
st_result points_attach(struct point_entry *entry, const void *owner, void *value);
/* See st_point_attached(); any thread, without a lock. */
void *points_attached(const struct point_entry *entry, const void *owner);
/* Of what was added to it, is everything as it should be? */
bool points_check_more(const struct point_entry *entry);
/* Forgets what was added to an entry, and counts its instances anew. */
void points_reset_entry(struct point_entry *entry);

/* Forgets what tools noted and counts instances anew. */
void points_reset(struct points *points);
/* Is everything as it should be? */
bool points_check(const struct points *points);
void points_fini(struct points *points);

#endif
