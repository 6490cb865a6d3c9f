/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * scratch.h - temporary files. A file is unlinked as soon as it is open, so it disappears when the
 * process ends.
 */
#ifndef MEMSIM_SCRATCH_H
#define MEMSIM_SCRATCH_H

#include <stddef.h>
#include <stdint.h>

#include "common/error.h"

/* Opens a new file in folder ("": $TMPDIR or /tmp) for reading and writing. Returns -1 after an
 * error. */
int ms_scratch_open(const char *folder, struct model_error *error);

/* Write or read all bytes at an offset. Return false with the reason in errno; reading past the end
 * is EIO. */
bool ms_scratch_write(int fd, const void *bytes, size_t size, uint64_t offset);
bool ms_scratch_read(int fd, void *bytes, size_t size, uint64_t offset);

#endif
