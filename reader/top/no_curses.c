/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * no_curses.c - replaces curses.c in builds without ncurses.
 */
#include "top/panes.h"

bool top_full_screen(struct top_run *run, struct top_view *view, bool wait, uint64_t count,
                     const char **why)
{
    (void)run, (void)view, (void)wait, (void)count;
    *why = "this program was built without ncurses, which the full screen needs; install its "
           "development package (libncurses-dev) and build again";
    return false;
}
