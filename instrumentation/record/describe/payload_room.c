/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * payload_room.c - see payload_room.h.
 *
 * A block of BEYOND zero bytes follows the payload and its fence. A callback that writes far beyond
 * its payload thus does no harm, and the error message can report up to which byte it wrote. Memory
 * without write access follows the zero bytes.
 */
#include "record/describe/payload_room.h"

#include <assert.h>
#include <sys/mman.h>

#include "base/fence.h"
#include "engine/probe.h"
#include "record/describe/lp_names.h"

/* Number of zero bytes behind the buffer; they take memory only if a callback writes there. */
#define BEYOND ((size_t)16 << 20)
/* Unit of the mapping in bytes, a multiple of all page sizes. */
#define MAP_UNIT  ((size_t)64 << 10)
#define DEEP_FROM ((size_t)PAYLOAD_FENCE)

static size_t map_bytes(size_t size_max)
{
    return ((size_max + MAP_UNIT - 1) & ~(MAP_UNIT - 1)) + BEYOND + MAP_UNIT;
}

void payload_room_free(void)
{
    if (g_payload_room.bytes != NULL) {
        munmap(g_payload_room.bytes, map_bytes(g_payload_room.size_max));
    }
    g_payload_room = (struct payload_room){0};
}

void payload_room_grow(size_t size)
{
    assert(size > g_payload_room.size_max || g_payload_room.bytes == NULL);
    struct payload_room grown = {
        .size_max = size, .is_deep = g_payload_room.is_deep, .names = g_payload_room.names};
    size_t all = map_bytes(size);
    payload_room_free();
    unsigned char *bytes =
        mmap(NULL, all, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (bytes == MAP_FAILED) {
        tw_error(TW_LOC, "out of memory for the bytes of the model's callbacks: %zu", all);
    }
    (void)mprotect(bytes + all - MAP_UNIT, MAP_UNIT, PROT_NONE);
    grown.bytes = bytes;
    g_payload_room = grown;
}

void payload_room_check_deep(bool is_deep)
{
    g_payload_room.is_deep = is_deep;
}

void payload_room_set_names(const struct lp_names *names)
{
    g_payload_room.names = names;
}

void payload_room_fill_deep(size_t size)
{
    assert(g_payload_room.is_deep && size <= g_payload_room.size_max);
    fence_fill(g_payload_room.bytes + size + DEEP_FROM, FENCE_BYTES_MAX - DEEP_FROM);
}

bool payload_room_is_whole_deep(size_t size)
{
    assert(g_payload_room.is_deep && size <= g_payload_room.size_max);
    const unsigned char *fence = g_payload_room.bytes + size + DEEP_FROM;
    return fence_look(fence, 0, FENCE_BYTES_MAX - DEEP_FROM).end == 0;
}

/* Returns the end of the damage behind the payload, in bytes from the end of the payload. The deep
 * part of the fence, if any, is checked before the first PAYLOAD_FENCE bytes of the fence. */
static size_t end_of_damage(size_t size)
{
    assert(size <= g_payload_room.size_max);
    const unsigned char *fence = g_payload_room.bytes + size;
    const uint64_t words[2] = {PAYLOAD_FENCE_WORD, ~PAYLOAD_FENCE_WORD};
    size_t known = g_payload_room.is_deep ? FENCE_BYTES_MAX : PAYLOAD_FENCE;
    size_t end = map_bytes(g_payload_room.size_max) - MAP_UNIT - size;
    while (end > known && fence[end - 1] == 0) {
        end--;
    }
    if (end > known) {
        return end;
    }
    if (g_payload_room.is_deep) {
        size_t deep = fence_look(fence + DEEP_FROM, 0, known - DEEP_FROM).end;
        if (deep > 0) {
            return DEEP_FROM + deep;
        }
    }
    for (end = PAYLOAD_FENCE;
         end > 0 && fence[end - 1] == ((const unsigned char *)words)[end - 1];) {
        end--;
    }
    return end;
}

/* Returns the name of the member of st_model_types that states how many bytes a callback writes. */
static const char *size_member(const char *callback)
{
    static const char *const members[][2] = {{"rbev_trace", "rbev_sz"},
                                             {"ev_trace", "ev_sz"},
                                             {"model_stat_fn", "mstat_sz"},
                                             {"sample_event_fn", "sample_struct_sz"},
                                             {"sample_revent_fn", "sample_struct_sz"}};
    for (size_t i = 0; i < sizeof members / sizeof members[0]; i++) {
        if (strcmp(members[i][0], callback) == 0) {
            return members[i][1];
        }
    }
    return "the size";
}

void payload_room_refuse(size_t size, const tw_lp *lp, const char *callback)
{
    const struct lp_names *names = g_payload_room.names;
    const char *name = names != NULL ? lp_names_of_type(names, lp_names_key(names, lp)) : NULL;
    size_t beyond = end_of_damage(size);
    tw_error(TW_LOC,
             "LP %llu%s%s: %s has written %zu byte%s beyond the end of its block, which has %zu; "
             "%s of the LP's st_model_types sets this size",
             (unsigned long long)lp->gid, name != NULL ? " of type " : "", name != NULL ? name : "",
             callback, beyond, beyond == 1 ? "" : "s", size, size_member(callback));
}
