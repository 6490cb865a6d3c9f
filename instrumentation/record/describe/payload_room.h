/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * payload_room.h - the buffer in which callbacks of a model write their payload, and its fence.
 *
 * The buffer has space for the registered number of bytes and a fence behind them (base/fence.h).
 * An intact fence stays for the next payload, if that has the same size.
 * The payload is then copied from the buffer to the record. If a callback writes more bytes than
 * registered, the run ends with an error message. Such a callback overwrites nothing outside the
 * buffer.
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

/* Size in bytes of the part of the fence that is checked after each call of a callback. */
#define PAYLOAD_FENCE      16u
#define PAYLOAD_FENCE_WORD UINT64_C(0xc82d96e75cb13ad3)

struct lp_names;

struct payload_room {
    unsigned char *bytes; /* memory of the buffer; NULL: not allocated yet */
    size_t size_max;      /* size of the largest payload in bytes */
    /* Size of the payload behind which the fence is; SIZE_MAX: there is none, or it is_deep. */
    size_t fenced;
    /* True if the fence has FENCE_BYTES_MAX bytes, false if it has PAYLOAD_FENCE bytes. */
    bool is_deep;
    /* Not owned; names of LP types for error messages; NULL: no names. */
    const struct lp_names *names;
};
extern struct payload_room g_payload_room;

/* Enlarges the buffer, if necessary, for a payload of size bytes, and puts the fence behind these.
 * Lack of memory is fatal. */
void payload_room_prepare(size_t size) __attribute__((cold));
/* Enables or disables the check of a larger fence, for --synch=6. */
void payload_room_check_deep(bool is_deep);
/* Sets the names of LP types for error messages. The caller owns the names, which must outlive the
 * buffer. */
void payload_room_set_names(const struct lp_names *names);
/* Pads the payload of `size` bytes, and removes the fence. If the fence is not intact, ends the run
 * with an error message that the callback of lp has written beyond its payload. */
void payload_room_look(size_t size, const tw_lp *lp, const char *callback);
void payload_room_free(void);

/* Returns the size of a payload including its padding: size, rounded up to a multiple of 8. */
static inline size_t payload_padded(size_t size)
{
    return (size + 7) & ~(size_t)7;
}

/* Maximum length, in words, of a short payload. A short payload is accessed from both ends, some
 * words twice. That avoids a loop, and is faster than memset() and memcpy(). */
#define PAYLOAD_SMALL_WORDS 4u
static inline void payload_clear_words(uint64_t *to, size_t n)
{
    if (n == 1) {
        to[0] = 0;
    } else if (n - 2 < PAYLOAD_SMALL_WORDS - 1) {
        to[0] = 0;
        to[1] = 0;
        to[n - 2] = 0;
        to[n - 1] = 0;
    } else if (n > 0) {
        memset(to, 0, 8 * n);
    }
}

static inline void payload_copy_words(uint64_t *to, const uint64_t *from, size_t n)
{
    if (n == 1) {
        to[0] = from[0];
    } else if (n - 2 < PAYLOAD_SMALL_WORDS - 1) {
        to[0] = from[0];
        to[1] = from[1];
        to[n - 2] = from[n - 2];
        to[n - 1] = from[n - 1];
    } else if (n > 0) {
        memcpy(to, from, 8 * n);
    }
}

/* Copies a payload of `size` bytes and its padding. Both addresses must be 8-aligned. */
static inline void payload_copy(void *to, const void *from, size_t size)
{
    assert((uintptr_t)to % 8 == 0 && (uintptr_t)from % 8 == 0);
    payload_copy_words(to, from, payload_padded(size) / 8);
}

/* Returns the buffer, 16-aligned, with `size` zeroed bytes before the fence. */
static inline void *payload_room_open(size_t size)
{
    if (__builtin_expect(size != g_payload_room.fenced, 0)) {
        payload_room_prepare(size);
    }
    unsigned char *bytes = g_payload_room.bytes;
    payload_clear_words((uint64_t *)(void *)bytes, size / 8);
    return bytes;
}

/* Checks the fence after a callback, and pads the payload of size bytes with zeros. Damage ends the
 * run. callback: the callback's name in st_model_types. */
static inline void payload_room_close(size_t size, const tw_lp *lp, const char *callback)
{
    assert(g_payload_room.bytes != NULL && size <= g_payload_room.size_max);
    uint64_t fence[2];
    memcpy(fence, g_payload_room.bytes + size, sizeof fence);
    uint64_t damage = (fence[0] ^ PAYLOAD_FENCE_WORD) | (fence[1] ^ ~PAYLOAD_FENCE_WORD);
    if (__builtin_expect(damage != 0, 0)) {
        payload_room_look(size, lp, callback);
    }
}

#endif
