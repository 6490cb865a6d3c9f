/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * screen.h - the terminal in full-screen mode. In builds without ncurses it cannot be opened.
 */
#ifndef WARPSCOPE_READER_TOP_SCREEN_H
#define WARPSCOPE_READER_TOP_SCREEN_H

#include "top/canvas.h"

struct top_screen; /* on the heap */

enum top_key {
    TOP_KEY_NONE = 0, /* no key was pressed in the given time */
    TOP_KEY_UP = 256, /* smaller values are ASCII characters */
    TOP_KEY_DOWN,
    TOP_KEY_PAGE_UP,
    TOP_KEY_PAGE_DOWN,
    TOP_KEY_HOME,
    TOP_KEY_END,
    TOP_KEY_ENTER,
    TOP_KEY_RESIZED,
    TOP_KEY_INTERRUPT /* a signal asks the program to end */
};

/* Opens the screen. At most one screen can be open. While it is open, signals that would end the
 * program become TOP_KEY_INTERRUPT. Returns NULL if the terminal cannot be used; *why is then the
 * reason, as the end of a sentence. */
struct top_screen *top_screen_open(const char **why);
void top_screen_close(struct top_screen *screen);
/* Returns true if the terminal shows UTF-8. */
bool top_screen_utf8(void);
void top_screen_size(int *rows, int *cols);
void top_screen_show(struct top_screen *screen, const struct top_canvas *canvas);
/* Waits up to `seconds` for a key. Returns an ASCII character, or a value of enum top_key. */
int top_screen_key(double seconds);

#endif
