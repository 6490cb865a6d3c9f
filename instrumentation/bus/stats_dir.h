/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * stats_dir.h - the directory that libraries write to.
 */
#ifndef WARPSCOPE_BUS_STATS_DIR_H
#define WARPSCOPE_BUS_STATS_DIR_H

#include <stdbool.h>

/* All zero: there is none. */
struct stats_dir {
    char *path;     /* owned; NULL: none */
    bool is_ours;   /* made here, not by the recorder */
    bool was_asked; /* by a library of this rank */
};

/*
 * Settles the directory: that of the recorder (NULL: it has none), or a new one that --stats-path
 * names. None with --disable-output, or when it cannot be made, about which a line is printed.
 * Collective.
 */
void stats_dir_init(struct stats_dir *dir, const char *of_recorder);
/* For libraries; tells people where it is the first time. NULL: none. */
const char *stats_dir_ask(struct stats_dir *dir);
/* Takes it away if it was made here and is empty. Collective, when no library writes any more. */
void stats_dir_fini(struct stats_dir *dir);

#endif
