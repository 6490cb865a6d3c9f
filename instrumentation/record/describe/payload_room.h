/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * payload_room.h - the buffer in which callbacks of a model write their payload, and its fence.
 *
 * The buffer is larger than the registered bytes, with a fence behind them (base/fence.h). The
 * payload is copied from it to the record. A callback that writes more than registered ends the run
 * with a message; it has then overwritten nothing else.
 *
 *     void *bytes = payload_room_open(size);
 *     types->model_stat_fn(state, lp, bytes);
 *     payload_room_close(size, lp, "model_stat_fn");
 *     payload_copy(record, bytes, size);
 *
 * There is one buffer per process, for the simulation's thread. Calls do not nest.
 */
#ifndef WARPSCOPE_RECORD_DESCRIBE_PAYLOAD_ROOM_H
#define WARPSCOPE_RECORD_DESCRIBE_PAYLOAD_ROOM_H

#include <assert.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "ross.h"

/* Size of the part of the fence that is checked after each call, in bytes. */
#define PAYLOAD_FENCE      16u
#define PAYLOAD_FENCE_WORD UINT64_C(0xc82d96e75cb13ad3)

struct lp_names;

struct payload_room {
    unsigned char *bytes;         /* memory of the buffer; NULL: not allocated yet */
    size_t size_max;              /* size of the largest payload in bytes */
    bool is_deep;                 /* true if the fence has FENCE_BYTES_MAX bytes */
    const struct lp_names *names; /* not owned; names of LP types for messages; NULL: no names */
};
extern struct payload_room g_payload_room;

/* Enlarges the buffer. Lack of memory is fatal. */
void payload_room_grow(size_t size) __attribute__((cold));
/* Enables or disables the check of a larger fence, for --synch=6. */
void payload_room_check_deep(bool is_deep);
/* Makes messages name LP types. The caller owns the names, which must outlive the buffer. */
void payload_room_set_names(const struct lp_names *names);
/* Ends the run with a message: the callback has written beyond its size bytes. */
void payload_room_refuse(size_t size, const tw_lp *lp, const char *callback)
    __attribute__((cold, noreturn));
/* Check and fill the part of a deep fence beyond PAYLOAD_FENCE. */
bool payload_room_is_whole_deep(size_t size);
void payload_room_fill_deep(size_t size);
void payload_room_free(void);

/* Returns the size of a payload with padding in bytes, a multiple of 8. */
static inline size_t payload_padded(size_t size)
{
    return (size + 7) & ~(size_t)7;
}

/* A short payload is accessed from both ends, some words twice, to avoid a loop. Up to this
 * size, in words, that is faster than memset() and memcpy(). */
#define PAYLOAD_SMALL_WORDS 4u
static inline void payload_clear_words(uint64_t *to, size_t n)
{
    if (n - 1 < PAYLOAD_SMALL_WORDS) {
        to[0] = 0;
        to[n - 1] = 0;
        if (n > 2) {
            to[1] = 0;
            to[n - 2] = 0;
        }
    } else if (n > 0) {
        memset(to, 0, 8 * n);
    }
}

static inline void payload_copy_words(uint64_t *to, const uint64_t *from, size_t n)
{
    if (n - 1 < PAYLOAD_SMALL_WORDS) {
        to[0] = from[0];
        to[n - 1] = from[n - 1];
        if (n > 2) {
            to[1] = from[1];
            to[n - 2] = from[n - 2];
        }
    } else if (n > 0) {
        memcpy(to, from, 8 * n);
    }
}

/* Copies a payload of size bytes with its padding; both are 8-aligned. */
static inline void payload_copy(void *to, const void *from, size_t size)
{
    assert((uintptr_t)to % 8 == 0 && (uintptr_t)from % 8 == 0);
    payload_copy_words(to, from, payload_padded(size) / 8);
}

/* Returns the buffer with size zeroed bytes, 16-aligned. */
static inline void *payload_room_open(size_t size)
{
    const uint64_t fence[2] = {PAYLOAD_FENCE_WORD, ~PAYLOAD_FENCE_WORD};
    if (__builtin_expect(size > g_payload_room.size_max || g_payload_room.bytes == NULL, 0)) {
        payload_room_grow(size);
    }
    unsigned char *bytes = g_payload_room.bytes;
    payload_clear_words((uint64_t *)(void *)bytes, payload_padded(size) / 8);
    memcpy(bytes + size, fence, sizeof fence);
    if (__builtin_expect(g_payload_room.is_deep, 0)) {
        payload_room_fill_deep(size);
    }
    return bytes;
}

/* Checks the fence after a callback, named as in st_model_types, and pads the payload with
 * zeros. */
static inline void payload_room_close(size_t size, const tw_lp *lp, const char *callback)
{
    assert(g_payload_room.bytes != NULL && size <= g_payload_room.size_max);
    uint64_t fence[2];
    unsigned char *behind = g_payload_room.bytes + size;
    memcpy(fence, behind, sizeof fence);
    uint64_t damage = (fence[0] ^ PAYLOAD_FENCE_WORD) | (fence[1] ^ ~PAYLOAD_FENCE_WORD);
    if (__builtin_expect(damage != 0, 0) ||
        __builtin_expect(g_payload_room.is_deep && !payload_room_is_whole_deep(size), 0)) {
        payload_room_refuse(size, lp, callback);
    }
    if (size % 8 != 0) {
        memset(behind, 0, 8 - size % 8);
    }
}

#endif
