/*
 * payload_room.h - where the callbacks of a model write their bytes, and whether they wrote more.
 *
 * A callback gets a room that is larger than the bytes it has registered, with a fence behind them
 * (base/fence.h). What it wrote is copied to the record. More than was registered ends the run with
 * a message, and nothing else has been overwritten then.
 *
 *     void *bytes = payload_room_open(size);
 *     types->model_stat_fn(state, lp, bytes);
 *     payload_room_close(size, lp, "model_stat_fn");
 *     payload_copy(record, bytes, size);
 *
 * One room for the process, for the simulation's thread. Calls do not nest.
 */
#ifndef WARPSCOPE_RECORD_PAYLOAD_ROOM_H
#define WARPSCOPE_RECORD_PAYLOAD_ROOM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "ross.h"

#define PAYLOAD_FENCE      16u /* bytes behind those registered that are looked at after each call */
#define PAYLOAD_FENCE_WORD UINT64_C(0xc82d96e75cb13ad3)

struct lp_names;

struct payload_room {
    unsigned char *bytes; /* NULL: there is none yet */
    size_t size_max;      /* of a payload */
    bool is_deep;         /* the fence has FENCE_BYTES_MAX bytes, see payload_room_check_deep() */
    const struct lp_names *names; /* not owned; for messages, NULL: LP types have none */
};
extern struct payload_room g_payload_room;

/* Makes the room larger. Lack of memory is fatal. */
void payload_room_grow(size_t size) __attribute__((cold));
/* From now on all of a larger fence is looked at: for --synch=6. */
void payload_room_check_deep(bool is_deep);
/* Messages name LP types from now on. The names stay the caller's and must outlive the room. */
void payload_room_set_names(const struct lp_names *names);
/* The callback has written beyond its size bytes: a message, and the end of the run. */
void payload_room_refuse(size_t size, const tw_lp *lp, const char *callback)
    __attribute__((cold, noreturn));
/* The rest of the fence, if it is deep. */
bool payload_room_is_whole_deep(size_t size);
void payload_room_fill_deep(size_t size);
void payload_room_free(void);

/* Bytes of a payload with its padding: a multiple of 8. */
static inline size_t payload_padded(size_t size)
{
    return (size + 7) & ~(size_t)7;
}

/* Few words are reached from both ends, some twice, in place of a loop. */
#define PAYLOAD_SMALL_WORDS 4u /* for which a call of memset() or memcpy() takes longer */
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

/* A payload of size bytes with its padding, both 8-aligned. */
static inline void payload_copy(void *to, const void *from, size_t size)
{
    payload_copy_words(to, from, payload_padded(size) / 8);
}

/* A room of size zeros, 16-aligned. */
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

/* After the call of a callback, by its name in st_model_types. Zeros pad the bytes then. */
static inline void payload_room_close(size_t size, const tw_lp *lp, const char *callback)
{
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
