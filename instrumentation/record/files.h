/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * files.h - the recording's directory and files, created by rank 0 and opened by all ranks.
 */
#ifndef WARPSCOPE_RECORD_FILES_H
#define WARPSCOPE_RECORD_FILES_H

#include "record/recorder.h"

/*
 * Creates a directory with the README and, for each stream in use, a file with its superblock;
 * opens the files on all ranks and connects the streams to them. After a failure, none of these
 * files and directories is left, except parents of the directory. Collective; all ranks return the
 * same status, and an error message is printed.
 */
enum tw_status files_create(struct recorder *recorder, const tw_pe *pe);

/* Removes the README of a run that has had no record file. Also removes its directory, unless
 * in_use is true or the directory has other files. Called at the end of the run on ranks that lead
 * a place. */
void files_remove_empty(const struct recorder *recorder, bool in_use);

/* Kinds of record files to create, and the change that requires them. */
struct files_wanted {
    bool kind[RECORD_FILES];
    const struct fmt_change *change; /* borrowed; NULL at the start of the run */
};

/* For a change during the run: creates, in the directory of `next`, the files of the wanted kinds
 * that `next` uses, and sets their paths. Their superblocks have the facts of `next`. parts[kind]:
 * number of files of that kind that the run has had. *file_id: receives the id to pass to
 * files_open_more(). Returns a status equal on all ranks; after a failure error
 * (size bytes) has one line, equal on all ranks, and none of the files exists. Collective. */
enum tw_status files_create_more(struct recorder *next, const struct files_wanted *wanted,
                                 const unsigned *parts, uint64_t *file_id, const tw_pe *pe,
                                 char *error, size_t size);

/* Opens on this rank the files that files_create_more() has created, and creates journals if the
 * options request them. again: true for streams that have ended, which keep their buffers and
 * journals; such a stream whose file cannot be opened is switched off. After a failure, error (size
 * bytes) has one line about the first stream. Not collective. */
enum tw_status files_open_more(struct recorder *recorder, const struct files_wanted *wanted,
                               uint64_t file_id, bool again, char *error, size_t size);

/* Removes the marks of new files (fmt_file_mark_new()). Called once all ranks have the journals of
 * the files, and before a rank adds records to them. Collective. */
void files_begin(struct recorder *recorder);

/* Removes the files and the directory of a run that ends before its first event. Collective. */
void files_abandon(struct recorder *recorder);

/*
 * Maps the buffers of all open streams from journals beside the record files. If that fails on some
 * ranks, rank 0 prints why it failed on the lowest of these ranks, and the run goes on. Collective.
 */
void journals_create(struct recorder *recorder, const tw_pe *pe);

/* Does the same as journals_create() during the run, for those streams in use whose kinds are
 * wanted. Each rank prints a warning if it cannot create a journal. Not collective. */
void journals_create_more(struct recorder *recorder, const bool wanted[RECORD_FILES]);

#endif
