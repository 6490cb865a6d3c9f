/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * joined.h - reads record files of one run, which lie on the disks of several hosts, as one file.
 *
 * If the hosts of a run have no common disk, each host has a file with the blocks of its own PEs,
 * which the fact "recorded_pes" lists. All these files have the same file id and the same layout;
 * in each, the extents of the other hosts' PEs are holes. A joined file takes the extents of each
 * PE from the file that has them.
 */
#ifndef WARPSCOPE_READER_ACCESS_JOINED_H
#define WARPSCOPE_READER_ACCESS_JOINED_H

#include "access/folder.h"
#include "format/format.h"

/* Key of the fact that lists the PEs whose blocks a file has. */
#define WS_PES_FACT "recorded_pes"

/* Parses text, an ascending list of PEs such as "0-3,8". Sets has[pe], for each of the n_pes PEs,
 * to true if the list contains the PE. Returns false if text has another form or names a PE >=
 * n_pes; has is then undefined. */
bool ws_pes_read(const char *text, bool has[], uint32_t n_pes);

/* Returns true if the file can be read and has the blocks of only some PEs of its run. */
bool ws_file_is_part(const char *path);

/* Finds the files that belong to the same run and stream as an earlier file, but have other PEs.
 * Moves their paths to the end of files->paths, and sets files->n, files->n_all and
 * files->joined_to. Reads the superblocks of all files. Called before ws_files_group(). Returns
 * false if out of memory. */
bool ws_files_join(struct ws_files *files);

struct ws_joined {
    struct fmt_io io; /* functions that read the joined file */
    struct fmt_file *files;
    uint32_t n_files;
    uint32_t n_pes;
    /* Owned; [pe]: index in `files` of the file with the blocks of the PE; WS_NO_FILE: no file has
     * them. */
    uint32_t *owner;
    uint64_t first_extent, extent_size, size;
};
#define WS_NO_FILE UINT32_MAX

/* Opens file number i of files together with the files joined to it. *joined must be freed with
 * ws_joined_close() even after an error. */
enum fmt_status ws_joined_open(struct ws_joined **joined, const struct ws_files *files, size_t i,
                               struct fmt_error *error);
void ws_joined_close(struct ws_joined *joined);

#endif
