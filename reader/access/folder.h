/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * folder.h - finds the record files that the operands of a command name, alone or by their
 * directory.
 */
#ifndef WARPSCOPE_READER_ACCESS_FOLDER_H
#define WARPSCOPE_READER_ACCESS_FOLDER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "data/messages.h"

/* The files of one stream: its parts, in their order (stream_files.h). */
struct ws_stream_files {
    size_t first, n; /* index in paths of the first file, and number of files */
    /* Length in bytes of the paths without the part's number and "-STREAM.bin"; length of the whole
     * path if it has another form. */
    size_t stem;
};

struct ws_files {
    char **paths; /* owned, with its n_all elements; paths of all files */
    size_t n;     /* number of files that belong to streams; their paths come first */
    /* Number of all files. The files with index n and higher have further PEs of files with lower
     * indices, see joined.h. */
    size_t n_all;
    size_t *joined_to; /* owned; [i], for i >= n: index of the file to which file i is joined */
    struct ws_stream_files *streams; /* owned; n_streams elements */
    size_t n_streams;
    /* Owned; [i]: number of file i among the parts of its stream, from 1. */
    uint32_t *numbers;
};

/*
 * Collects the record files that n operands name. An operand is a file or a directory. For a
 * directory, these are the files in it that have names of record files, sorted by name, without
 * those in the layout of ROSS 8. If it has none, its subdirectories with parts of a recording
 * (joined.h) are used, or else its only subdirectory with a whole recording.
 *
 * The parts of a stream follow one another, whatever the order of the operands. If a directory
 * cannot be read or has no record file, sends a line to messages and returns false; files then
 * holds the others. Returns false also if out of memory. files must be freed in any case.
 */
bool ws_files_gather(struct ws_files *files, const char *const *operands, int n,
                     const struct ws_messages *messages);
void ws_files_free(struct ws_files *files);

#endif
