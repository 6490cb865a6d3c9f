/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * files.h - the recording's directory and files, created by rank 0 and opened by all ranks.
 */
#ifndef WARPSCOPE_RECORD_FILES_H
#define WARPSCOPE_RECORD_FILES_H

#include "record/recorder.h"

/*
 * Creates a directory with the README and, per stream in use, a file with its superblock; opens the
 * files on all ranks and connects the streams. After a failure nothing is left except parents of
 * the directory. Collective; the status is agreed, and its message is printed.
 */
enum tw_status files_create(struct recorder *recorder, const tw_pe *pe);

/* Says which kinds of streams a change of the run renews. */
struct files_wanted {
    bool kind[RECORD_FILES];
    const struct fmt_change *change; /* the change; borrowed */
};

/* For a change during the run: creates the files of the wanted kinds that `next` uses, with its facts,
 * in its directory, and sets their paths. Returns the agreed status; after a failure error (size
 * bytes) has the same line on all ranks, and no file is left. parts: for each kind, the number of
 * files that the run has had. file_id: set for files_open_more(). Collective. */
enum tw_status files_create_more(struct recorder *next, const struct files_wanted *wanted,
                                 const unsigned *parts, uint64_t *file_id, const tw_pe *pe,
                                 char *error, size_t size);

/* Opens these files on this rank, and keeps journals if the options request them. Not collective.
 * error (size bytes): set on failure. */
enum tw_status files_open_more(struct recorder *recorder, const struct files_wanted *wanted,
                               uint64_t file_id, char *error, size_t size);

#endif
