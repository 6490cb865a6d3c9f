/* SPDX-License-Identifier: BSD-3-Clause */
/* fence.c - see fence.h. */
#include "base/fence.h"

#include <assert.h>
#include <string.h>

/* Pattern of a fence, repeated every 16 bytes. Neighbouring bytes differ, and models hardly ever
 * write these values. */
static const unsigned char pattern[16] = {0xd3, 0x3a, 0xb1, 0x5c, 0xe7, 0x96, 0x2d, 0xc8,
                                          0x71, 0xae, 0x4b, 0xf5, 0x1e, 0x83, 0x69, 0xda};

static unsigned char pattern_at(size_t i)
{
    return pattern[i % sizeof pattern];
}

void fence_fill(void *fence, size_t bytes)
{
    assert(bytes <= FENCE_BYTES_MAX);
    unsigned char *to = fence;
    for (size_t i = 0; i < bytes; i++) {
        to[i] = pattern_at(i);
    }
}

/* Returns true if the fence is intact from byte `from` to byte `to` - 1. The first period of the
 * range must match the pattern, and each further byte must equal the byte one period before it. */
static int is_whole(const unsigned char *fence, size_t from, size_t to)
{
    size_t period = sizeof pattern;
    for (size_t i = from; i < to && i < from + period; i++) {
        if (fence[i] != pattern_at(i)) {
            return 0;
        }
    }
    return to - from <= period ||
           memcmp(fence + from + period, fence + from, to - from - period) == 0;
}

struct fence_damage fence_look(const void *fence, size_t skip, size_t bytes)
{
    const unsigned char *at = fence;
    struct fence_damage damage = {0, 0};
    if (skip >= bytes || is_whole(at, skip, bytes)) {
        return damage;
    }
    for (size_t i = skip; i < bytes; i++) {
        if (at[i] != pattern_at(i)) {
            damage.first = damage.end == 0 ? i : damage.first;
            damage.end = i + 1;
        }
    }
    return damage;
}
