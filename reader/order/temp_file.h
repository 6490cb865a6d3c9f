/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * temp_file.h - temporary files for data beyond the memory of a command.
 *
 * A file lies in $TMPDIR (otherwise /tmp), has no name, and disappears with the process.
 */
#ifndef WARPSCOPE_READER_ORDER_TEMP_FILE_H
#define WARPSCOPE_READER_ORDER_TEMP_FILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct ws_temp {
    int fd;          /* descriptor; -1: there is no file yet */
    char error[256]; /* error message, one line; "": no failure */
};

/* These functions write n bytes at an offset, in a new file if there is none yet, or read n bytes,
 * which must have been written. They return false on failure, with a message in temp->error. */
bool ws_temp_write(struct ws_temp *temp, const void *from, size_t n, uint64_t offset);
bool ws_temp_read(struct ws_temp *temp, void *to, size_t n, uint64_t offset);
/* Closes the file. *temp is then without a file and without an error. */
void ws_temp_close(struct ws_temp *temp);

#endif
