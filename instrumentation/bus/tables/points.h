/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * points.h - a table of places in programs (points), and of the additions that tools make to them.
 */
#ifndef WARPSCOPE_BUS_TABLES_POINTS_H
#define WARPSCOPE_BUS_TABLES_POINTS_H

#include <assert.h>

#include "bus/tables/strings.h"
#include "bus/tables/text_hash.h"
#include "st_bus.h"

struct point_text {
    st_string_id key, value;
};

/* A value that an owner attached to a point. It is not freed while the point may be read. The list
 * of attachments has no particular order. */
struct point_attachment {
    const void *owner;
    void *value; /* atomic; NULL: detached */
    struct point_attachment *next;
};

/* Those additions to a point that few points have. */
struct point_more {
    /* Texts of the point, in the order in which their keys were first set. */
    struct point_text *texts;
    uint32_t n_texts;
    size_t texts_max;
    const void *address;                  /* address in the code; NULL: none */
    struct point_attachment *attachments; /* atomic; list of the attached values */
};

/* A place with its additions, in one cache line. */
struct point_entry {
    st_point point; /* must be first: the address of a point of this table is that of its entry */
    /* Number of instances that st_point_make() has counted. */
    uint64_t instances;
    struct point_more *more; /* atomic; further additions; NULL: none */
};

/* Computes the 128-bit id of a place and stores it in `wide`, the low half first. */
typedef void (*point_hash)(const char *function, const char *file, uint32_t line, uint32_t column,
                           uint64_t wide[2]);

#define POINTS_PER_CHUNK 256u

/* The file of the place that was made or found last, because the next place often has the same
 * file. */
struct point_file {
    st_string_id id;  /* string id of the file's name; 0: no file yet */
    const char *text; /* name of the file; owned by the table of strings */
    struct text_hash hash;
};

/* The table of places. The table is empty if all members except `strings` are zero. */
struct points {
    struct strings *strings;
    /* Function that computes ids; NULL: points_hash(). Tests set another function to cause
     * collisions. */
    point_hash hash;
    /* Owned; hash table of the entries, by id; NULL marks a free position. */
    struct point_entry **by_id;
    /* Number of positions in by_id, a power of two, minus 1. */
    uint32_t by_id_mask;
    uint32_t n; /* number of entries in the table */
    uint32_t n_chunks;
    struct point_entry **chunks;
    struct point_file file;
};

/* Finds or makes a point as st_point_make() does. Returns ST_OK, and sets *point to the point's
 * entry. Returns ST_DUPLICATE if another place has the same 64-bit id, and sets *point to the entry
 * of that place. On other errors, returns ST_INVALID or ST_NO_MEMORY. */
st_result points_make(struct points *points, const char *function, const char *file, uint32_t line,
                      uint32_t column, struct point_entry **point);

/* Prints on standard error that the given place has the same 64-bit id as the point `other`. */
void points_report_collision(const struct points *points, const char *function, const char *file,
                             uint32_t line, const st_point *other);

/* Returns the position in by_id of the entry with this id, or the free position where that entry
 * belongs. by_id must not be NULL. */
static inline struct point_entry **points_probe(const struct points *points, uint64_t id)
{
    assert(points->by_id != NULL);
    uint32_t i = (uint32_t)id & points->by_id_mask;
    while (points->by_id[i] != NULL && points->by_id[i]->point.id != id) {
        i = (i + 1) & points->by_id_mask;
    }
    return &points->by_id[i];
}

/* Returns the entry with this id; NULL: none. */
static inline struct point_entry *points_find(const struct points *points, uint64_t id)
{
    return points->by_id == NULL ? NULL : *points_probe(points, id);
}

/* Computes the 128-bit id of a place from its texts, line and column, and stores it in `wide`, the
 * low half first. */
void points_hash(const char *function, const char *file, uint32_t line, uint32_t column,
                 uint64_t wide[2]);

/* Returns the entry of a point; NULL: not a point of this table. */
struct point_entry *points_entry(const struct points *points, const st_point *point);
/* Sets a text of a point as st_point_set() does. */
st_result points_set(struct points *points, struct point_entry *entry, const char *key,
                     const char *value);
/* Returns a text of a point as st_point_get() does; NULL: the key is not set. */
const char *points_get(const struct points *points, const struct point_entry *entry,
                       const char *key);

/* Returns text i of an entry, counted from 0; NULL: it has fewer texts. */
const struct point_text *points_text(const struct point_entry *entry, uint32_t i);
/* Sets the address of an entry. Returns ST_OK or ST_NO_MEMORY. */
st_result points_set_address(struct point_entry *entry, const void *address);
/* Sets kind and activity as st_point_describe() does; both values must be valid. */
st_result points_describe(struct point_entry *entry, st_kind kind, st_activity activity);
/* Attaches a value as st_point_attach() does; owner must not be NULL. */
st_result points_attach(struct point_entry *entry, const void *owner, void *value);
/* Returns the value that an owner attached, as st_point_attached() does. Any thread may call it
 * without a lock. */
void *points_attached(const struct point_entry *entry, const void *owner);
/* Returns true if the additions of an entry are consistent. For tests. */
bool points_check_more(const struct point_entry *entry);
/* Removes the additions of an entry, and resets its count of instances. */
void points_reset_entry(struct point_entry *entry);

/* Removes the additions of all entries, and resets their counts of instances. */
void points_reset(struct points *points);
/* Returns true if the table is consistent. For tests. */
bool points_check(const struct points *points);
void points_fini(struct points *points);

#endif
