/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * temp_file.h - temporary files for data beyond the memory of a command.
 *
 * A file lies in $TMPDIR (otherwise /tmp), has no name, and is removed with the process. Functions
 * that fail store the reason, one line without an end, in error (size bytes).
 */
#ifndef WARPSCOPE_READER_ORDER_TEMP_FILE_H
#define WARPSCOPE_READER_ORDER_TEMP_FILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Returns the descriptor of a new file, which the caller closes; -1 on failure. */
int ws_temp_open(char *error, size_t size);
/* Write or read n bytes at an offset. Return false on failure. A file without that many bytes at
 * the offset is one. */
bool ws_temp_write(int fd, const void *from, size_t n, uint64_t offset, char *error, size_t size);
bool ws_temp_read(int fd, void *to, size_t n, uint64_t offset, char *error, size_t size);

#endif
