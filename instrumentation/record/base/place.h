/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * place.h - the directories of a recording whose ranks have no common disk.
 *
 * Rank 0 makes the directory of a recording. Ranks on other hosts possibly do not see that
 * directory, because each host may have a separate disk at its path. The ranks of such a host then
 * record into a directory of the same name on their own disk. The ranks that share a directory form
 * a place; the lowest of them leads the place and creates the files. The files of all places have
 * the same file id and the same layout. A file has only the blocks of its place's PEs, and lists
 * these PEs (fact "recorded_pes").
 *
 * A marker file (base/marker.h) shows whether a rank sees the directory of another. Cost: one
 * reduction if all ranks see the directory of rank 0; otherwise three communicators are split, and
 * each rank holds O(ranks of its place) bytes.
 */
#ifndef WARPSCOPE_RECORD_BASE_PLACE_H
#define WARPSCOPE_RECORD_BASE_PLACE_H

#include <mpi.h>
#include <stdbool.h>
#include <stdint.h>

#include "record/base/run_dir.h"

#define PLACE_PES_MAX 4096u

struct record_place {
    bool is_apart; /* true if the recording has several places; only then is pes set */
    bool leads;    /* true if this rank is the lowest of its place */
    /* Number of places of the recording, at least 1. */
    int n_places;
    char pes[PLACE_PES_MAX]; /* ranges of the PEs of this place, such as "0-3,8" */
};

/*
 * Finds the place of this rank. wanted: value of --stats-path. dir (dir_size bytes): on entry, the
 * directory of rank 0, in which rank 0 has left the marker of this id (marker_leave()); on return,
 * the directory of this rank's place, which is made if necessary. Removes the markers. After an
 * error, error (size bytes) has an error message, and the directories that were made remain.
 * Collective; ranks may return different statuses.
 */
enum tw_status place_find(struct record_place *place, const char *wanted, uint64_t id, char *dir,
                          size_t dir_size, char *error, size_t size);

#endif
