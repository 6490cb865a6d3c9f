/*
 * fence.h - bytes behind a block of memory that nobody may change, and whether somebody has.
 *
 * A fence holds a pattern. Code that writes beyond the end of the block in front changes it, and is
 * found out when the fence is looked at after that code has run.
 */
#ifndef WARPSCOPE_BASE_FENCE_H
#define WARPSCOPE_BASE_FENCE_H

#include <stddef.h>
#include <stdint.h>

#define FENCE_BYTES_MAX ((size_t)4096)

/* What was changed of a fence: bytes first to end - 1, counted from its beginning; end 0:
 * nothing. */
struct fence_damage {
    size_t first;
    size_t end;
};

/* Writes the fence, of at most FENCE_BYTES_MAX bytes, or the beginning of one. */
void fence_fill(void *fence, size_t bytes);
/* Looks at bytes skip to bytes - 1 of the fence. Cost: that of a memcmp() while it is whole. */
struct fence_damage fence_look(const void *fence, size_t skip, size_t bytes);

#endif
