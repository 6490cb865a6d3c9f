/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * fence.h - bytes around a block of memory that detect writes beyond it.
 *
 * A fence holds a pattern. Code that writes beyond the end of the block changes the pattern. A
 * later check of the fence detects the change.
 */
#ifndef WARPSCOPE_BASE_FENCE_H
#define WARPSCOPE_BASE_FENCE_H

#include <stddef.h>
#include <stdint.h>

#define FENCE_BYTES_MAX ((size_t)4096)

/* Damaged range of a fence: bytes first to end - 1, counted from the beginning of the fence. end is
 * 0 if it is intact. */
struct fence_damage {
    size_t first;
    size_t end;
};

/* Writes the first `bytes` bytes of a fence, at most FENCE_BYTES_MAX. */
void fence_fill(void *fence, size_t bytes);
/* Checks bytes skip to bytes - 1 of a fence. Cost: a memcmp() while it is intact. */
struct fence_damage fence_look(const void *fence, size_t skip, size_t bytes);

#endif
