/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * st_point.h - strings and points of the bus. A point is a place in a program that emits records,
 * with the facts that tools add to that place. st_bus.h includes it.
 *
 * A point is made once. It can be found again by its id, which is the same on every rank and in
 * every run of the program. Models and tools may add to a point: texts by key (st_point_set()), a
 * kind and an activity (st_point_describe()), and values of their own (st_point_attach()). A
 * subscriber reads all of these through record->point.
 *
 * Additions last until tw_end(); the point itself lasts as long as the process. A rollback undoes
 * no addition: add to points before tw_run() or in subscribers, not in event handlers. No function
 * here is collective.
 */
#ifndef WARPSCOPE_ST_POINT_H
#define WARPSCOPE_ST_POINT_H

#include <stdint.h>

#include "st_result.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- Strings ------------------------------------------------------------------------------------
 *
 * The bus keeps each text once per rank, and gives it an id. Ids differ between ranks: write texts
 * to files, not ids.
 */

typedef uint32_t st_string_id; /* id of a string; 0: none */

/* Returns the id of text, which is copied. Equal texts have equal ids. 0: text is NULL, or memory
 * is exhausted. */
st_string_id st_string(const char *text);
/* Returns the text with this id; its address stays the same until the process ends. NULL: unknown
 * id. */
const char *st_string_text(st_string_id id);

/* ---- Kinds and activities -----------------------------------------------------------------------
 *
 * The kind of a point names the construct that the point stands for. The activity of a point
 * classifies the time spent there. Tools may register further kinds and activities. (XPTI calls
 * them event types and activity types.)
 */

typedef uint16_t st_kind;     /* kind of a point; 0: not described */
typedef uint16_t st_activity; /* activity of a point; 0: not described */

/* List of the predefined kinds. For X(NAME, number), the enum below defines ST_KIND_NAME. */
#define ST_KIND_LIST(X)                                                                            \
    X(GRAPH, 1)                                                                                    \
    X(ALGORITHM, 2)                                                                                \
    X(BARRIER, 3)                                                                                  \
    X(SCHEDULER, 4)                                                                                \
    X(ASYNC, 5)                                                                                    \
    X(LOCK, 6)                                                                                     \
    X(OFFLOAD_READ, 7)                                                                             \
    X(OFFLOAD_WRITE, 8)

/* List of the predefined activities. For X(NAME, number), the enum below defines
 * ST_ACTIVITY_NAME. */
#define ST_ACTIVITY_LIST(X)                                                                        \
    X(ACTIVE, 1)                                                                                   \
    X(OVERHEAD, 2)                                                                                 \
    X(BACKGROUND, 3)                                                                               \
    X(SLEEP, 4)

#define X(name, number) ST_KIND_##name = (number),
enum { ST_KIND_LIST(X) };
#undef X
#define X(name, number) ST_ACTIVITY_##name = (number),
enum { ST_ACTIVITY_LIST(X) };
#undef X

/*
 * These functions register a kind or an activity of a tool. tool: name of the tool, the same for
 * its kinds, activities and types of records; there are at most 127 tools. number: number of the
 * kind or activity within the tool, 0 .. 127. *kind or *activity receives the value. Returns ST_OK;
 * ST_DUPLICATE: registered before, with the same value; ST_INVALID; ST_FULL; ST_NO_MEMORY.
 *
 * A value may differ between ranks, and is valid until tw_end(): write names to files, not values.
 */
st_result st_kind_register(const char *tool, unsigned number, st_kind *kind);
st_result st_activity_register(const char *tool, unsigned number, st_activity *activity);
/* Returns the name of a kind, such as "offload read" or "mytool 3"; "none" for 0. The text is valid
 * until the same thread calls the function again. st_activity_name() does the same for
 * activities. */
const char *st_kind_name(st_kind kind);
const char *st_activity_name(st_activity activity);

/* ---- Points: places in a program ------------------------------------------------------------- */

/* A place in a program. It stays valid until the process ends. */
typedef struct st_point {
    /* Id of the point: unique, and equal on every rank and in every run of this program. */
    uint64_t id;
    /* 128-bit hash of the place; id is its first half */
    uint64_t id_wide[2];
    st_string_id function, file;
    uint32_t line, column;
    st_kind kind;         /* kind, set by st_point_describe() */
    st_activity activity; /* activity, set by st_point_describe() */
} st_point;

/*
 * Returns the point of a place in the source; makes the point if there is none. instance: may be
 * NULL; *instance receives the number of calls for this place so far, including this one.
 *
 * Returns NULL if function and file are both NULL or empty, or if memory is exhausted. Also returns
 * NULL if another place has the same 64-bit id (which happens once in 10^19 pairs of places); an
 * error message then names both places.
 */
const st_point *st_point_make(const char *function, const char *file, uint32_t line,
                              uint32_t column, uint64_t *instance);
/*
 * Returns the point of an address in the program's code, such as the address of a function. For
 * places that have no __FILE__. The point's names come from the dynamic linker:
 * - file: the program or library, without its directory;
 * - function: the argument function if it is not NULL, otherwise the symbol that contains the
 *   address;
 * - line: 0;
 * - column: the offset of the address in the file, as addr2line expects it.
 * The dynamic linker does not know symbols that are not exported (a static function, or a function
 * of a program linked without -rdynamic). The point's function is then the offset, such as
 * "0x1139". An address that is in no file is identified by the argument function alone.
 *
 * A call takes a microsecond: keep the result. *instance is set in the same way as by
 * st_point_make(). Returns NULL in the same cases as st_point_make(), and if the address is in no
 * file and the argument function is NULL.
 */
const st_point *st_point_make_at(const char *function, const void *address, uint64_t *instance);
/* Returns the address with which the point was last made in this process; NULL: the point was made
 * without an address. */
const void *st_point_address(const st_point *point);
const st_point *st_point_by_id(uint64_t id); /* returns the point with this id; NULL: unknown id */

/* Yields the point of this place in the source. The first use makes the point; each later use costs
 * one load. */
#define ST_POINT() ST_POINT_NAMED(__func__)
/* Variant of ST_POINT() with a name in place of the name of the function. */
#define ST_POINT_NAMED(name)                                                                       \
    (__extension__({                                                                               \
        static const st_point *st_point_kept_;                                                     \
        const st_point *st_point_here_ = __atomic_load_n(&st_point_kept_, __ATOMIC_ACQUIRE);       \
        if (__builtin_expect(st_point_here_ == NULL, 0)) {                                         \
            st_point_here_ = st_point_make(name, __FILE__, __LINE__, 0, NULL);                     \
            __atomic_store_n(&st_point_kept_, st_point_here_, __ATOMIC_RELEASE);                   \
        }                                                                                          \
        st_point_here_;                                                                            \
    }))

/* Sets the value of a key for a point; both texts are copied. Returns ST_OK; ST_DUPLICATE: an
 * earlier value was replaced; ST_INVALID; ST_NO_MEMORY. */
st_result st_point_set(const st_point *point, const char *key, const char *value);
/* Returns the value of a key of a point; NULL: the point does not have the key. */
const char *st_point_get(const st_point *point, const char *key);
/* Calls fn for each key of a point and its value, in the order in which the keys were first set. */
void st_point_each(const st_point *point, void (*fn)(const char *key, const char *value, void *arg),
                   void *arg);

/* Sets the kind and the activity of a point; 0 leaves the present value. Returns ST_OK;
 * ST_DUPLICATE: an earlier value was replaced; ST_INVALID: point is not a point of the bus, or a
 * value is neither predefined nor registered. */
st_result st_point_describe(const st_point *point, st_kind kind, st_activity activity);

/*
 * Attaches a value to a point for one owner, in addition to the values of other owners. owner: any
 * address that belongs to the caller, such as that of a static variable. value: the bus neither
 * reads nor frees it; NULL detaches the present value. Returns ST_OK; ST_DUPLICATE: an earlier
 * value was replaced; ST_INVALID: point is not a point of the bus, or owner is NULL; ST_NO_MEMORY.
 */
st_result st_point_attach(const st_point *point, const void *owner, void *value);
/* Returns the value that the owner attached to the point; NULL: none. Takes no lock; costs one load
 * and one comparison for each owner that has attached a value. */
void *st_point_attached(const st_point *point, const void *owner);

#ifdef __cplusplus
}
#endif

#endif
