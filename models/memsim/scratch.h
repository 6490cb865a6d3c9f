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

/* Opens a new file for reading and writing in the directory `folder`, or in $TMPDIR or /tmp if
 * `folder` is "". Returns the file descriptor; -1 after an error, with an error message in
 * *error. */
int ms_scratch_open(const char *folder, struct model_error *error);

/* Writes `size` bytes to the file, from offset `offset` on. Returns false after an error, with the
 * reason in errno. */
bool ms_scratch_write(int fd, const void *bytes, size_t size, uint64_t offset);
/* Reads `size` bytes from the file, from offset `offset` on. Returns false after an error, with the
 * reason in errno; EIO if the file ends before the last of these bytes. */
bool ms_scratch_read(int fd, void *bytes, size_t size, uint64_t offset);

#endif
