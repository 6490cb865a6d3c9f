/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * stats_dir.h - the directory where subscriber libraries put their files.
 */
#ifndef WARPSCOPE_BUS_STATS_DIR_H
#define WARPSCOPE_BUS_STATS_DIR_H

#include <stdbool.h>

/* The directory for libraries. A zero-initialised object has no directory. */
struct stats_dir {
    char *path;   /* owned; path of the directory; NULL: none */
    bool is_ours; /* true if stats_dir_fini() is to remove the directory when it is empty */
    /* True if a library in this process has asked for the directory, or the recorder has printed
     * the directory's path. */
    bool was_asked;
};

/*
 * Chooses the directory for libraries: of_recorder, the recorder's directory, or, if that is NULL,
 * a new directory that --stats-path names. has_records: true if the recorder has files in its
 * directory and has printed it. There is no directory with --disable-output, or if the directory
 * cannot be made; rank 0 then prints a warning. Collective.
 */
void stats_dir_init(struct stats_dir *dir, const char *of_recorder, bool has_records);
/* Returns the directory for libraries; NULL: none. The first call on rank 0 prints the path, unless
 * the recorder has printed it. */
const char *stats_dir_ask(struct stats_dir *dir);
/* Removes the directory if it is empty and the recorder has no files there, and frees the contents
 * of *dir. Collective. Called when no library writes any more. */
void stats_dir_fini(struct stats_dir *dir);

#endif
