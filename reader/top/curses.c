/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * curses.c - shows a canvas on the terminal in full-screen mode, by ncurses; see screen.h.
 */
#define NCURSES_WIDECHAR 1
#include <assert.h>
#include <curses.h>
#include <langinfo.h>
#include <locale.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/interrupt.h"
#include "render/plot.h"
#include "top/model.h"
#include "top/screen.h"

#define SLICE 0.1 /* maximum time between checks for signals, in seconds */

struct top_screen {
    SCREEN *terminal;
    struct ws_interrupt interrupt;
    attr_t attributes[TOP_STYLES];
};

static void styles_make(attr_t *attributes, bool colored)
{
    static const short colors[WS_PHASE_COUNT] = {
        [WS_PHASE_EXECUTE] = COLOR_GREEN,  [WS_PHASE_QUEUE] = COLOR_CYAN,
        [WS_PHASE_NETWORK] = COLOR_BLUE,   [WS_PHASE_GVT] = COLOR_MAGENTA,
        [WS_PHASE_COMMIT] = COLOR_WHITE,   [WS_PHASE_UNDO] = COLOR_RED,
        [WS_PHASE_ANTI] = COLOR_RED,       [WS_PHASE_STATES] = COLOR_YELLOW,
        [WS_PHASE_RECORDS] = COLOR_YELLOW, [WS_PHASE_REST] = -1,
    };
    attributes[TOP_BOLD] = A_BOLD;
    attributes[TOP_DIM] = colored ? A_DIM : 0;
    attributes[TOP_TITLE] = attributes[TOP_SELECTED] = A_REVERSE;
    attributes[TOP_WARNING] = A_BOLD;
    if (!colored) {
        return;
    }
    start_color();
    use_default_colors();
    for (short i = 0; i < WS_PHASE_COUNT; i++) {
        init_pair((short)(i + 1), colors[i] == COLOR_WHITE || colors[i] < 0 ? -1 : COLOR_BLACK,
                  colors[i] == COLOR_WHITE ? -1 : colors[i]);
        attributes[TOP_PHASE_STYLE + i] = COLOR_PAIR(i + 1);
    }
    attributes[TOP_PHASE_STYLE + WS_PHASE_REST] = A_DIM;
    init_pair(WS_PHASE_COUNT + 1, COLOR_GREEN, -1);
    init_pair(WS_PHASE_COUNT + 2, COLOR_RED, -1);
    attributes[TOP_GOOD] = COLOR_PAIR(WS_PHASE_COUNT + 1);
    attributes[TOP_WARNING] = A_BOLD | COLOR_PAIR(WS_PHASE_COUNT + 2);
}

struct top_screen *top_screen_open(const char **why)
{
    const char *term = getenv("TERM"), *no_color = getenv("NO_COLOR");
    if (!isatty(STDOUT_FILENO) || !isatty(STDIN_FILENO)) {
        *why = "standard input or output is no terminal";
        return NULL;
    }
    if (term == NULL || term[0] == '\0' || strcmp(term, "dumb") == 0) {
        *why = "the terminal cannot show it (see TERM)";
        return NULL;
    }
    struct top_screen *screen = calloc(1, sizeof *screen);
    setlocale(LC_CTYPE, "");
    if (screen != NULL) {
        screen->terminal = newterm(NULL, stdout, stdin);
    }
    if (screen == NULL || screen->terminal == NULL) {
        *why = screen == NULL ? "out of memory" : "the terminal is not known (see TERM)";
        setlocale(LC_CTYPE, "C");
        free(screen);
        return NULL;
    }
    ws_interrupt_hold(&screen->interrupt);
    set_escdelay(25);
    cbreak();
    noecho();
    keypad(stdscr, TRUE);
    curs_set(0);
    styles_make(screen->attributes, has_colors() && (no_color == NULL || no_color[0] == '\0'));
    return screen;
}

/* Consumes the pending signals. Each asks the program to close the screen, which the caller does
 * next. */
static void signals_take(void)
{
    for (int signal = ws_interrupt_waits(); signal != 0; signal = ws_interrupt_waits()) {
        sigset_t set;
        sigemptyset(&set);
        sigaddset(&set, signal);
        sigwait(&set, &signal);
    }
}

void top_screen_close(struct top_screen *screen)
{
    signals_take();
    endwin();
    delscreen(screen->terminal);
    setlocale(LC_CTYPE, "C");
    ws_interrupt_release(&screen->interrupt);
    free(screen);
}

bool top_screen_utf8(void)
{
    return ws_plot_utf8() && strcmp(nl_langinfo(CODESET), "UTF-8") == 0;
}

void top_screen_size(int *rows, int *cols)
{
    getmaxyx(stdscr, *rows, *cols);
}

void top_screen_show(struct top_screen *screen, const struct top_canvas *canvas)
{
    assert(canvas->rows == 0 || canvas->cells != NULL);
    erase();
    for (int y = 0; y < canvas->rows; y++) {
        for (int x = 0; x < canvas->cols; x++) {
            const struct top_cell *cell = &canvas->cells[y * canvas->cols + x];
            bool blank = cell->bytes[0] == '\0';
            if (!blank || cell->style != TOP_PLAIN) {
                attrset((int)screen->attributes[cell->style]);
                mvaddstr(y, x, blank ? " " : cell->bytes);
            }
        }
    }
    attrset(A_NORMAL);
    refresh();
}

static int key_of(int c)
{
    switch (c) {
    case KEY_UP:
        return TOP_KEY_UP;
    case KEY_DOWN:
        return TOP_KEY_DOWN;
    case KEY_PPAGE:
        return TOP_KEY_PAGE_UP;
    case KEY_NPAGE:
        return TOP_KEY_PAGE_DOWN;
    case KEY_HOME:
        return TOP_KEY_HOME;
    case KEY_END:
        return TOP_KEY_END;
    case KEY_ENTER:
    case '\n':
    case '\r':
        return TOP_KEY_ENTER;
    case KEY_RESIZE:
        return TOP_KEY_RESIZED;
    default:
        return c < 128 ? c : TOP_KEY_RESIZED;
    }
}

int top_screen_key(double seconds)
{
    double until = top_clock() + seconds;
    for (;;) {
        double left = until - top_clock();
        left = left > SLICE ? SLICE : left;
        timeout(left > 0 ? (int)(left * 1000) + 1 : 0);
        int c = getch();
        if (ws_interrupt_waits() != 0) {
            return TOP_KEY_INTERRUPT;
        }
        if (c != ERR) {
            return key_of(c);
        }
        if (left <= 0) {
            return TOP_KEY_NONE;
        }
    }
}
