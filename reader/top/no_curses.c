/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * no_curses.c - replaces curses.c in builds without ncurses.
 */
#include "top/screen.h"

struct top_screen *top_screen_open(const char **why)
{
    *why = "this program was built without ncurses, which the full screen needs; install its "
           "development package (libncurses-dev) and build again";
    return NULL;
}

void top_screen_close(struct top_screen *screen)
{
    (void)screen;
}

bool top_screen_utf8(void)
{
    return false;
}

void top_screen_size(int *rows, int *cols)
{
    *rows = *cols = 0;
}

void top_screen_show(struct top_screen *screen, const struct top_canvas *canvas)
{
    (void)screen;
    (void)canvas;
}

int top_screen_key(double seconds)
{
    (void)seconds;
    return TOP_KEY_INTERRUPT;
}
