/*
 * clear.h - zeros where no block is (inside format/ only).
 */
#ifndef WARPSCOPE_FORMAT_CLEAR_H
#define WARPSCOPE_FORMAT_CLEAR_H

#include "format/common.h"

/*
 * Sees to it that size bytes from offset on read as zeros; space behind the end of the file does.
 * Gives the space back if io can do that, otherwise writes zeros where something else is. 0 or an
 * errno value.
 */
int fmt_clear(const struct fmt_io *io, uint64_t offset, uint64_t size);

/* Are all bytes zero? */
bool fmt_all_zero(const uint8_t *p, size_t size);

#endif
