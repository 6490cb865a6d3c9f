/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * fence.h - bytes behind a block of memory that detect writes beyond its end.
 *
 * A fence holds a pattern. Code that writes beyond the end of the block changes the pattern. A
 * later check of the fence detects the change.
 */
#ifndef WARPSCOPE_BASE_FENCE_H
#define WARPSCOPE_BASE_FENCE_H

#include <stddef.h>
#include <stdint.h>

#define FENCE_BYTES_MAX ((size_t)4096)

/* Damaged range of a fence: bytes `first` to `end` - 1, counted from the beginning of the fence. If
 * the fence is intact, `end` is 0. */
struct fence_damage {
    size_t first;
    size_t end;
};

/* Writes the pattern to the first `bytes` bytes of a fence, at most FENCE_BYTES_MAX. */
void fence_fill(void *fence, size_t bytes);
/* Checks a fence from byte `skip` to byte `bytes` - 1, and returns the damaged range. Cost: one
 * memcmp() if the fence is intact. */
struct fence_damage fence_look(const void *fence, size_t skip, size_t bytes);

#endif
