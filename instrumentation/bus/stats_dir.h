/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * stats_dir.h - the directory where subscriber libraries put their files.
 */
#ifndef WARPSCOPE_BUS_STATS_DIR_H
#define WARPSCOPE_BUS_STATS_DIR_H

#include <stdbool.h>

/* The directory for libraries. All zero: no directory. */
struct stats_dir {
    char *path;     /* owned; path of the directory; NULL: none */
    bool is_ours;   /* true if stats_dir_fini() removes the directory if it is empty */
    bool was_asked; /* true if a library of this rank has asked for it */
};

/*
 * Chooses the directory: the recorder's (of_recorder; NULL: none; has_records: with files, and
 * printed already), or a new one that --stats-path names. There is none with --disable-output, or if it cannot be made; a line then reports the
 * error. Collective.
 */
void stats_dir_init(struct stats_dir *dir, const char *of_recorder, bool has_records);
/* Returns the directory, for libraries; NULL: none. The first call on rank 0 prints it. */
const char *stats_dir_ask(struct stats_dir *dir);
/* Removes the directory if it is empty and the recorder has no files there. Collective. Called when no
 * library writes any more. */
void stats_dir_fini(struct stats_dir *dir);

#endif
