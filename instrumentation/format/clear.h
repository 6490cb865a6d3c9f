/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * clear.h - fills the parts of a file that hold no blocks with zeros (internal to format/).
 */
#ifndef WARPSCOPE_FORMAT_CLEAR_H
#define WARPSCOPE_FORMAT_CLEAR_H

#include "format/common.h"

/*
 * Makes size bytes from offset on read as zeros; space past the end of the file already does.
 * Releases the space if io can do that, otherwise overwrites nonzero bytes. Returns 0 or an errno
 * value.
 */
int fmt_clear(const struct fmt_io *io, uint64_t offset, uint64_t size);

/* Returns true if all bytes are zero. */
bool fmt_all_zero(const uint8_t *p, size_t size);

#endif
