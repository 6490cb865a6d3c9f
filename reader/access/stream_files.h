/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * stream_files.h - finds the files of a stream, from the names of files and the facts stated in
 * them.
 *
 * A stream that a request changed continues in PREFIX-2-STREAM.bin, PREFIX-3-STREAM.bin, and so on:
 * its parts. A file is such a part if its name has a number, and if the facts in the file state
 * that it begins in the middle of the run, and that the run's prefix does not include this number.
 * (The prefix of a run can itself end in a number.)
 *
 * If the hosts of a run have no common disk, each host has a file with the blocks of its own PEs,
 * which the fact WS_PES_FACT lists. All these files have the same file id and the same layout; in each,
 * the extents of the other hosts' PEs are holes. They are joined: ws_file_survey_joined() reads them as
 * one file, and the blocks of each PE from the file that has them.
 */
#ifndef WARPSCOPE_READER_ACCESS_STREAM_FILES_H
#define WARPSCOPE_READER_ACCESS_STREAM_FILES_H

#include "access/folder.h"
#include "format/format.h"

/* Parsed path of a record file, PREFIX-STREAM.bin or PREFIX-N-STREAM.bin. */
struct ws_part_name {
    size_t prefix; /* length of the path without "-STREAM.bin"; 0: the name has another form */
    size_t stem; /* length of the path without "-N-STREAM.bin"; equal to prefix if there is no N */
    uint32_t stream; /* stream of the file: enum fmt_stream */
    uint32_t number; /* number N of the part; 1 if the name has no N */
};

/* Returns the name of a file: the part of its path after the last slash. */
const char *ws_path_name(const char *path);

/* Parses a path by its form alone, without reading the file. Returns false if it does not have the
 * form PREFIX-STREAM.bin; prefix and stem are then 0. */
bool ws_part_name_read(struct ws_part_name *name, const char *path);
/* Like ws_part_name_read(), but accepts the number in the name only if the facts in the file state
 * that the file is that part of its stream. Reads the file only if its name has a number. */
bool ws_part_name_find(struct ws_part_name *name, const char *path);

/* Compares paths like strcmp(): by stem, then by stream, then by number of the part. */
int ws_part_compare(const char *a, const char *b);

/* Returns true if the file at path, with its parsed name, and another one in its directory are different
 * parts of a stream. Reads their superblocks if their names permit it. */
bool ws_is_other_part(const char *path, const struct ws_part_name *name, const char *other);

/* Returns true if the file can be read and has the blocks of only some PEs of its run. */
bool ws_file_is_part(char *path);

/* Sorts the paths so that the parts of each stream lie together in order, and sets all other members of
 * files. Files are parts of one stream only if they are in one directory and belong to one run. Two
 * files with the same number belong to different streams. Files of one run and stream that have other
 * PEs than an earlier one are joined to it, and come last. Reads the superblocks of all files. Returns
 * false if out of memory. */
bool ws_files_group(struct ws_files *files);

#endif
