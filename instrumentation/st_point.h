/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * st_point.h - strings and points of the bus: the places in a program that emit records, and the
 * facts that tools add to these places. st_bus.h includes it.
 *
 * A point is made once and found again by its id, which is the same on every rank and in every run
 * of the program. Owners and tools may add to a point: texts by key (st_point_set()), its kind and
 * activity (st_point_describe()), and values of their own (st_point_attach()). A subscriber reads
 * all of these through record->point.
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
 * A table that holds each text once per rank. Ids differ between ranks: write texts to files, not
 * ids.
 */

typedef uint32_t st_string_id; /* id of a string; 0: none */

/* Returns the id of text (copied); equal texts have equal ids. 0: text is NULL, or no memory. */
st_string_id st_string(const char *text);
/* Returns the text, at an address that is fixed until the process ends; NULL: unknown id. */
const char *st_string_text(st_string_id id);

/* ---- Kinds and activities -----------------------------------------------------------------------
 *
 * The kind of a point names the construct that the point stands for. The activity classifies the
 * time spent there. Tools register their own values. (XPTI: event types and activity types.)
 */

typedef uint16_t st_kind;     /* kind of a point; 0: not described */
typedef uint16_t st_activity; /* activity of a point; 0: not described */

/* List of the predefined kinds: X(NAME, number) defines ST_KIND_NAME. */
#define ST_KIND_LIST(X)                                                                            \
    X(GRAPH, 1)                                                                                    \
    X(ALGORITHM, 2)                                                                                \
    X(BARRIER, 3)                                                                                  \
    X(SCHEDULER, 4)                                                                                \
    X(ASYNC, 5)                                                                                    \
    X(LOCK, 6)                                                                                     \
    X(OFFLOAD_READ, 7)                                                                             \
    X(OFFLOAD_WRITE, 8)

/* List of the predefined activities: X(NAME, number) defines ST_ACTIVITY_NAME. */
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
 * Registers a tool's own kind or activity: number 0 .. 127 under the tool's name. A tool uses one
 * name for kinds, activities and types of records; there are at most 127 tools. Returns ST_OK;
 * ST_DUPLICATE: registered before, the value is the same; ST_INVALID; ST_FULL; ST_NO_MEMORY. Values
 * differ between ranks and are valid until tw_end(): write names to files.
 */
st_result st_kind_register(const char *tool, unsigned number, st_kind *kind);
st_result st_activity_register(const char *tool, unsigned number, st_activity *activity);
/* Returns the name of a kind: "offload read", "mytool 3"; "none" for 0. The text is valid until the
 * thread's next call. */
const char *st_kind_name(st_kind kind);
const char *st_activity_name(st_activity activity);

/* ---- Points: places in a program ------------------------------------------------------------- */

/* A place in a program. It stays valid until the process ends. */
typedef struct st_point {
    /* Id of the point: unique, and equal on every rank and in every run of this program. */
    uint64_t id;
    uint64_t id_wide[2]; /* the 128-bit form of id */
    st_string_id function, file;
    uint32_t line, column;
    st_kind kind;         /* kind, see st_point_describe() */
    st_activity activity; /* activity, see st_point_describe() */
} st_point;

/*
 * Returns the point of a place, and makes it if it is new. *instance (may be NULL): the number of
 * calls for this place so far, from 1. Returns NULL if function and file are both NULL or empty, or
 * if there is no memory. Also NULL if another place has the same 64-bit id (once in 10^19 pairs; a
 * message reports it).
 */
const st_point *st_point_make(const char *function, const char *file, uint32_t line,
                              uint32_t column, uint64_t *instance);
/*
 * Returns the point of an address in the program's code, such as the address of a function, for
 * places without __FILE__. The names come from the dynamic linker:
 * - file: the program or library, without its directory;
 * - function: the argument function if it is not NULL, otherwise the symbol that contains the
 *   address;
 * - line: 0;
 * - column: the offset of the address in the file, as addr2line takes it.
 * A symbol that is not exported (a static function, or a function of a program linked without
 * -rdynamic) has no name here; function is then the offset, such as "0x1139". An address in no file
 * is identified by the argument function alone. Takes a microsecond: keep the result.
 * *instance and NULL: as for st_point_make(). Also NULL for an address in no file without a name.
 */
const st_point *st_point_make_at(const char *function, const void *address, uint64_t *instance);
/* Returns the address with which the point was last made in this process; NULL: it was made without
 * an address. */
const void *st_point_address(const st_point *point);
const st_point *st_point_by_id(uint64_t id); /* returns the point with this id; NULL: unknown id */

/* Yields the point of this place in the source. The first use makes it; later uses cost one
 * load. */
#define ST_POINT() ST_POINT_NAMED(__func__)
/* Like ST_POINT(), with a name in place of the function's. */
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

/* Sets the value of a key of a point; both texts are copied. Returns ST_OK; ST_DUPLICATE: replaced
 * an earlier value; ST_INVALID; ST_NO_MEMORY. */
st_result st_point_set(const st_point *point, const char *key, const char *value);
/* Returns the value of a key; NULL: no such key. */
const char *st_point_get(const st_point *point, const char *key);
/* Calls fn for each key, in the order in which the keys were first set. */
void st_point_each(const st_point *point, void (*fn)(const char *key, const char *value, void *arg),
                   void *arg);

/* Sets the kind and the activity of a point; 0 leaves the present value. Returns ST_OK;
 * ST_DUPLICATE: replaced an earlier value; ST_INVALID: no point, or a value that is neither
 * predefined nor registered. */
st_result st_point_describe(const st_point *point, st_kind kind, st_activity activity);

/*
 * Attaches a value to a point for one owner. owner: an address of the caller, for example of a
 * static variable; each owner has its own value. The bus neither reads nor frees the value. NULL:
 * detaches the value. Returns ST_OK; ST_DUPLICATE: replaced an earlier value; ST_INVALID: no point,
 * or owner is NULL; ST_NO_MEMORY.
 */
st_result st_point_attach(const st_point *point, const void *owner, void *value);
/* Returns the value that the owner attached; NULL: none. Costs a load and a comparison per owner,
 * without a lock. */
void *st_point_attached(const st_point *point, const void *owner);

#ifdef __cplusplus
}
#endif

#endif
