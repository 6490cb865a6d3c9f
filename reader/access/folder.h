/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * folder.h - finds the record files that the operands of a command name. An operand is a record
 * file or a directory.
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
    /* Number of bytes that the paths of all files of the stream begin with: the path without the
     * part's number and "-STREAM.bin". If the path has another form, length of the whole path. */
    size_t stem;
};

/* The journals that are read with their files (so_far.h). */
enum ws_journals { WS_JOURNALS_OF_RUNNING, WS_JOURNALS_ALL, WS_JOURNALS_NONE };

struct ws_files {
    char **paths; /* paths of all files; the array and its n_all elements are owned */
    size_t n;     /* number of files that belong to streams; their paths come first */
    /* Number of all files. Each file with index n or higher is joined to a file with a lower index,
     * and has the records of further PEs (stream_files.h). */
    size_t n_all;
    size_t *joined_to; /* owned; [i], for i >= n: index of the file to which file i is joined */
    struct ws_stream_files *streams; /* owned; n_streams elements */
    size_t n_streams;
    /* Owned; [i]: number of file i among the parts of its stream, from 1. */
    uint32_t *numbers;
    enum ws_journals journals; /* set by the caller */
};

/*
 * Collects the record files that n operands name. An operand is a file or a directory. For a file
 * that is a part of a stream, all parts of the stream in its directory are used (stream_files.h).
 * Of a directory, the files with names of record files are used, sorted by name, without those in
 * the layout of ROSS 8. If the directory has none, its subdirectories with parts of a recording
 * (stream_files.h) are used, or else its only subdirectory with a whole recording.
 *
 * The parts of a stream follow one another, whatever the order of the operands. If a directory
 * cannot be read or has no record file, sends a line to messages and returns false; files then
 * holds the files of the other operands. Returns false also if out of memory. files must be freed
 * even after an error.
 */
bool ws_files_gather(struct ws_files *files, const char *const *operands, int n,
                     const struct ws_messages *messages);
void ws_files_free(struct ws_files *files);

#endif
