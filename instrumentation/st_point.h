/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * st_point.h - strings and points of the bus: the places in a program where records are emitted,
 * and what tools know of these places. st_bus.h includes it.
 *
 * A point is made once and found again by its id, which is the same on every rank and in every run
 * of the program. Owners and tools may add to a point: texts by key (st_point_set()), its kind and
 * activity (st_point_describe()), and values of their own (st_point_attach()). A subscriber finds
 * all of it from record->point.
 *
 * What is added lasts until tw_end(); the point itself lasts as long as the process. A rollback
 * undoes none of it: add to points before tw_run(), or in subscribers, not in event handlers.
 * Nothing here is collective.
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
 * Each text once per rank. Ids are a rank's own: write texts, not ids.
 */

typedef uint32_t st_string_id; /* 0: none */

/* The id of text (copied); the same for equal texts. 0: NULL or no memory. */
st_string_id st_string(const char *text);
/* The text, always at the same address until the run ends; NULL: unknown id. */
const char *st_string_text(st_string_id id);

/* ---- Kinds and activities -----------------------------------------------------------------------
 *
 * A kind says what a point stands for; an activity says how the time spent there counts. Tools add
 * their own. (XPTI: event types and activity types.)
 */

typedef uint16_t st_kind;     /* 0: not described */
typedef uint16_t st_activity; /* 0: not described */

/* X(NAME, number): ST_KIND_NAME. */
#define ST_KIND_LIST(X)                                                                            \
    X(GRAPH, 1)                                                                                    \
    X(ALGORITHM, 2)                                                                                \
    X(BARRIER, 3)                                                                                  \
    X(SCHEDULER, 4)                                                                                \
    X(ASYNC, 5)                                                                                    \
    X(LOCK, 6)                                                                                     \
    X(OFFLOAD_READ, 7)                                                                             \
    X(OFFLOAD_WRITE, 8)

/* X(NAME, number): ST_ACTIVITY_NAME. */
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
 * A tool's own kind or activity, number 0 .. 127 under the tool's name. A tool has one name for
 * these and for types of records; there are at most 127 tools. ST_OK; ST_DUPLICATE: registered
 * before, the value is the same; ST_INVALID; ST_FULL; ST_NO_MEMORY. Values are a rank's own and
 * valid until tw_end(): write names.
 */
st_result st_kind_register(const char *tool, unsigned number, st_kind *kind);
st_result st_activity_register(const char *tool, unsigned number, st_activity *activity);
/* "offload read", "mytool 3", "none" for 0; the text stays until the thread's next call. */
const char *st_kind_name(st_kind kind);
const char *st_activity_name(st_activity activity);

/* ---- Points: places in a program ------------------------------------------------------------- */

/* A place, as long as the process lives. */
typedef struct st_point {
    uint64_t id;         /* unique, the same on every rank and in every run of this program */
    uint64_t id_wide[2]; /* 128 bits of the same */
    st_string_id function, file;
    uint32_t line, column;
    st_kind kind;         /* see st_point_describe() */
    st_activity activity; /* the same */
} st_point;

/*
 * The point of a place, made when it is new. *instance (may be NULL): how often this was called for
 * it, from 1. NULL: function and file are both NULL or empty, no memory, or another place has the
 * same 64 bits (once in 10^19 pairs; a message says so).
 */
const st_point *st_point_make(const char *function, const char *file, uint32_t line,
                              uint32_t column, uint64_t *instance);
/*
 * The point of an address in the program's code, such as that of a function, for places without
 * __FILE__. The dynamic linker says the names: file is that of the program or library without its
 * folders, function is the symbol that the address lies in, line is 0, and column is the place of
 * the address in the file, as addr2line takes it. function: the name to use in place of the symbol,
 * or NULL. A symbol that is not exported (a static function, or a function of a program that was
 * not linked with -rdynamic) has no name here; function is then the place as "0x1139". An address
 * in no file is known by the given name alone. Takes a microsecond: keep the result.
 * *instance and NULL: as above; NULL also for an address in no file without a name.
 */
const st_point *st_point_make_at(const char *function, const void *address, uint64_t *instance);
/* The address that the point was last made of in this process; NULL: it was made without one. */
const void *st_point_address(const st_point *point);
const st_point *st_point_by_id(uint64_t id); /* NULL: there is none */

/* This place in the source; found once, a load afterwards. */
#define ST_POINT() ST_POINT_NAMED(__func__)
/* The same with another name than the function's. */
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

/* A value for a key of a point. ST_OK; ST_DUPLICATE: the key had a value, which is replaced;
 * ST_INVALID; ST_NO_MEMORY. */
st_result st_point_set(const st_point *point, const char *key, const char *value);
const char *st_point_get(const st_point *point, const char *key); /* NULL: it has none */
/* Calls fn for each key in the order of their first values. */
void st_point_each(const st_point *point, void (*fn)(const char *key, const char *value, void *arg),
                   void *arg);

/* Says what a point stands for; 0 leaves its kind, or activity, as it is. ST_OK; ST_DUPLICATE: it
 * had another one, which is replaced; ST_INVALID: no point, or a value that is neither predefined
 * nor registered. */
st_result st_point_describe(const st_point *point, st_kind kind, st_activity activity);

/*
 * Attaches a value to a point. owner is any address of the caller's own, so that owners do not
 * disturb each other: that of a static variable, say. The bus never looks at the value and does not
 * free it. NULL: takes the value away. ST_OK; ST_DUPLICATE: the owner had attached another one,
 * which is replaced; ST_INVALID: no point, or owner is NULL; ST_NO_MEMORY.
 */
st_result st_point_attach(const st_point *point, const void *owner, void *value);
/* What the owner attached; NULL: nothing. A load and a comparison per owner, without a lock. */
void *st_point_attached(const st_point *point, const void *owner);

#ifdef __cplusplus
}
#endif

#endif
