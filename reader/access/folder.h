/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * folder.h - finds the record files in directories that are given as operands.
 */
#ifndef WARPSCOPE_READER_ACCESS_FOLDER_H
#define WARPSCOPE_READER_ACCESS_FOLDER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "data/messages.h"

/* The files of a stream, its parts in order; see stream_files.h. */
struct ws_stream_files {
    size_t first, n; /* index of the first path, and number of paths */
    size_t stem;     /* length of the paths without "-STREAM.bin" and the number of the part;
                      * length of the whole path if the name has another form */
};

struct ws_files {
    char **paths; /* on the heap; n_all elements */
    size_t n;     /* number of files that belong to streams: the first ones of paths */
    /* Number of all files. The others have further PEs of one of the first n, see joined.h. */
    size_t n_all;
    size_t *joined_to; /* on the heap; for paths n to n_all - 1, the index of that file */
    struct ws_stream_files *streams; /* on the heap; n_streams elements */
    size_t n_streams;
    /* On the heap; for each path, the number of the part in its stream, from 1. */
    uint32_t *numbers;
};

/*
 * Collects the files that n operands name. For a directory, these are the files in it that are
 * named like record files, sorted by name, without those in the layout of ROSS 8. If it has none,
 * its subdirectories with parts of a recording (joined.h) are used, or its only subdirectory with
 * record files. The parts of a stream follow one another, in any order of the operands. Returns
 * false, after a line of messages, if a directory could not be read or has no such file; files then
 * holds the rest. Must be freed in any case.
 */
bool ws_files_gather(struct ws_files *files, const char *const *operands, int n,
                     const struct ws_messages *messages);
void ws_files_free(struct ws_files *files);

#endif
