/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * files.h - the recording's directory and files, created by rank 0 and opened by all ranks.
 */
#ifndef WARPSCOPE_RECORD_FILES_H
#define WARPSCOPE_RECORD_FILES_H

#include "record/recorder.h"

/*
 * Creates a directory with the README and, per stream in use, a file with its superblock; opens the
 * files on all ranks and connects the streams. After a failure, none of this exists, except parents
 * of the directory. Collective; all ranks return the same status, and an error message is
 * printed.
 */
enum tw_status files_create(struct recorder *recorder, const tw_pe *pe);

/* Removes the README of a run that has had no record file, and its directory unless that is in use
 * or has other files. Called on rank 0 at the end of the run. */
void files_remove_empty(const struct recorder *recorder, bool in_use);

/* Kinds of record files to create, and the change that requires them. */
struct files_wanted {
    bool kind[RECORD_FILES];
    const struct fmt_change *change; /* borrowed; NULL at the start of the run */
};

/* For a change during the run: creates, in the directory of `next`, the files of the wanted kinds
 * that `next` uses, and sets their paths. Their superblocks have the facts of `next`. parts: for
 * each kind, the number of files that the run has had. *file_id: receives a number for
 * files_open_more(). Returns a status equal on all ranks; after a failure error (size bytes) has
 * one line, equal on all ranks, and none of the files exists. Collective. */
enum tw_status files_create_more(struct recorder *next, const struct files_wanted *wanted,
                                 const unsigned *parts, uint64_t *file_id, const tw_pe *pe,
                                 char *error, size_t size);

/* Opens the files of files_create_more() on this rank for streams that have ended, with their buffers
 * and journals as before. A stream whose file cannot be opened is off; error (size bytes) then has
 * one line about the first of them. Not collective. */
enum tw_status files_reopen(struct recorder *recorder, const struct files_wanted *wanted,
                            uint64_t file_id, char *error, size_t size);

/* Opens the files of files_create_more() on this rank, and creates their journals if the options
 * request journals. On failure writes one line to error (size bytes). Not collective. */
enum tw_status files_open_more(struct recorder *recorder, const struct files_wanted *wanted,
                               uint64_t file_id, char *error, size_t size);

#endif
