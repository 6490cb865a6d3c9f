/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * temp_file.h - temporary files for data beyond the memory of a command.
 *
 * A file lies in $TMPDIR (otherwise /tmp), has no name, and disappears with the process. A function
 * that fails stores an error message in `error`, which has `size` bytes: one line without a line
 * end.
 */
#ifndef WARPSCOPE_READER_ORDER_TEMP_FILE_H
#define WARPSCOPE_READER_ORDER_TEMP_FILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Returns the descriptor of a new file, which the caller closes; -1 on failure. */
int ws_temp_open(char *error, size_t size);
/* Writes n bytes to the file at an offset. Returns false on failure. */
bool ws_temp_write(int fd, const void *from, size_t n, uint64_t offset, char *error, size_t size);
/* Reads n bytes of the file at an offset. Returns false on failure, or if the file ends before the
 * last of them. */
bool ws_temp_read(int fd, void *to, size_t n, uint64_t offset, char *error, size_t size);

#endif
