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
    g_payload_room = (struct payload_room){.fenced = SIZE_MAX};
}

/* Enlarges the buffer for payloads of size bytes. */
static void grow(size_t size)
{
    assert(size > g_payload_room.size_max || g_payload_room.bytes == NULL);
    struct payload_room grown = {.size_max = size,
                                 .fenced = SIZE_MAX,
                                 .is_deep = g_payload_room.is_deep,
                                 .names = g_payload_room.names};
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

/* Returns true if the fence behind a payload of size bytes may stay. Otherwise its first words are
 * exchanged, so that payload_room_close() calls payload_room_look(). */
static bool fence_stays(size_t size)
{
    return size % 8 == 0 && !g_payload_room.is_deep;
}

void payload_room_prepare(size_t size)
{
    if (size > g_payload_room.size_max || g_payload_room.bytes == NULL) {
        grow(size);
    }
    const bool stays = fence_stays(size);
    unsigned char *behind = g_payload_room.bytes + size;
    const uint64_t first = stays ? PAYLOAD_FENCE_WORD : ~PAYLOAD_FENCE_WORD, second = ~first;
    memset(behind - size % 8, 0, size % 8);
    memcpy(behind, &first, sizeof first);
    memcpy(behind + sizeof first, &second, sizeof second);
    if (g_payload_room.is_deep) {
        fence_fill(behind + DEEP_FROM, FENCE_BYTES_MAX - DEEP_FROM);
    }
    g_payload_room.fenced = stays ? size : SIZE_MAX;
}

void payload_room_check_deep(bool is_deep)
{
    g_payload_room.is_deep = is_deep;
    g_payload_room.fenced = SIZE_MAX;
}

void payload_room_set_names(const struct lp_names *names)
{
    g_payload_room.names = names;
}

/* Returns the end of the damage in the first PAYLOAD_FENCE bytes behind a payload of size bytes, in
 * bytes from the end of the payload; 0: they are intact. */
static size_t end_of_near_damage(size_t size)
{
    const uint64_t first = fence_stays(size) ? PAYLOAD_FENCE_WORD : ~PAYLOAD_FENCE_WORD;
    const uint64_t words[2] = {first, ~first};
    const unsigned char *fence = g_payload_room.bytes + size;
    size_t end = PAYLOAD_FENCE;
    while (end > 0 && fence[end - 1] == ((const unsigned char *)words)[end - 1]) {
        end--;
    }
    return end;
}

/* Likewise in the rest of a deep fence; 0: that is intact, or the fence is not deep. */
static size_t end_of_deep_damage(size_t size)
{
    const unsigned char *deep = g_payload_room.bytes + size + DEEP_FROM;
    size_t end = g_payload_room.is_deep ? fence_look(deep, 0, FENCE_BYTES_MAX - DEEP_FROM).end : 0;
    return end > 0 ? DEEP_FROM + end : 0;
}

/* Likewise in the fence and in the zero bytes behind it. */
static size_t end_of_damage(size_t size)
{
    assert(size <= g_payload_room.size_max);
    const unsigned char *fence = g_payload_room.bytes + size;
    size_t known = g_payload_room.is_deep ? FENCE_BYTES_MAX : PAYLOAD_FENCE;
    size_t end = map_bytes(g_payload_room.size_max) - MAP_UNIT - size;
    while (end > known && fence[end - 1] == 0) {
        end--;
    }
    if (end > known) {
        return end;
    }
    const size_t deep = end_of_deep_damage(size);
    return deep > 0 ? deep : end_of_near_damage(size);
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

static __attribute__((cold, noreturn)) void refuse(size_t size, const tw_lp *lp,
                                                   const char *callback)
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

void payload_room_look(size_t size, const tw_lp *lp, const char *callback)
{
    unsigned char *behind = g_payload_room.bytes + size;
    if (end_of_near_damage(size) > 0 || end_of_deep_damage(size) > 0) {
        refuse(size, lp, callback);
    }
    memset(behind, 0, payload_padded(size) - size);
}
