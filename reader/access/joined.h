/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * joined.h - record files of one run on the disks of several hosts, read as one file.
 *
 * Where the hosts of a run have no common disk, each host has a file with the blocks of its own PEs
 * (fact "recorded_pes"). All these files have one file id and one layout, and the extents of other
 * PEs are holes. A joined file takes each PE's extents from the file that has them.
 */
#ifndef WARPSCOPE_READER_ACCESS_JOINED_H
#define WARPSCOPE_READER_ACCESS_JOINED_H

#include "access/folder.h"
#include "format/format.h"

/* Key of the fact that lists the PEs of a file. */
#define WS_PES_FACT "recorded_pes"

/* Reads an ascending list of PEs: "0-3,8". Sets has[pe] for each of the n_pes PEs. Returns false for a text of
 * another form; has is then undefined. */
bool ws_pes_read(const char *text, bool has[], uint32_t n_pes);

/* Returns true if the file can be read and has the blocks of some PEs only. */
bool ws_file_is_part(const char *path);

/* Moves the files that belong to the same run and stream as an earlier one, but have other PEs, to
 * the end of files->paths, and sets files->n, files->n_all and files->joined_to. Reads the
 * superblocks of all files. Called before ws_files_group(). Returns false if out of memory. */
bool ws_files_join(struct ws_files *files);

struct ws_joined {
    struct fmt_io io; /* access to the joined file */
    struct fmt_file *files;
    uint32_t n_files;
    uint32_t n_pes;
    uint32_t *owner; /* for each PE, the index of its file; WS_NO_FILE: not among the files */
    uint64_t first_extent, extent_size, size;
};
#define WS_NO_FILE UINT32_MAX

/* Opens path number i of files together with those joined to it. *joined is freed with
 * ws_joined_close(), after any outcome. */
enum fmt_status ws_joined_open(struct ws_joined **joined, const struct ws_files *files, size_t i,
                               struct fmt_error *error);
void ws_joined_close(struct ws_joined *joined);

#endif
