/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * clear.h - zeroes the parts of a file that contain no blocks (internal to format/).
 */
#ifndef WARPSCOPE_FORMAT_CLEAR_H
#define WARPSCOPE_FORMAT_CLEAR_H

#include "format/common.h"

/*
 * Zeroes size bytes of a file, from offset on. Releases their space if io can do that, otherwise
 * overwrites the nonzero bytes. Bytes past the end of the file already read as zeros. Returns 0 or
 * an errno value.
 */
int fmt_clear(const struct fmt_io *io, uint64_t offset, uint64_t size);

/* Returns true if all size bytes at p are zero. */
bool fmt_all_zero(const uint8_t *p, size_t size);

#endif
