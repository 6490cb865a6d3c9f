/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * curses.c - the full screen of "warpscope top", by ncurses: shows canvases and handles keys; see panes.h.
 */
#define NCURSES_WIDECHAR 1
#include <curses.h>
#include <langinfo.h>
#include <locale.h>
#include <math.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/interrupt.h"
#include "render/text.h"
#include "top/panes.h"

#define SLICE      0.1 /* maximum time between checks for signals, in seconds */
#define WORK_SHARE 0.5 /* share of the refresh interval in which records are read */
#define NUMBER_MAX 1000000000000

/* ---- The terminal ---------------------------------------------------------------------------- */

struct screen {
    SCREEN *terminal;
    struct ws_interrupt interrupt;
    attr_t attributes[TOP_STYLES];
    struct top_canvas canvas;
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

/* Opens the screen. While it is open, signals that would end the program have the effect of the key
 * 'q'. Returns false if the terminal cannot be used; *why is then the reason, as the end of a sentence. */
static bool screen_open(struct screen *screen, const char **why)
{
    const char *term = getenv("TERM"), *no_color = getenv("NO_COLOR");
    if (!isatty(STDOUT_FILENO) || !isatty(STDIN_FILENO)) {
        *why = "standard input or output is no terminal";
        return false;
    }
    if (term == NULL || term[0] == '\0' || strcmp(term, "dumb") == 0) {
        *why = "the terminal cannot show it (see TERM)";
        return false;
    }
    setlocale(LC_CTYPE, "");
    screen->terminal = newterm(NULL, stdout, stdin);
    if (screen->terminal == NULL) {
        *why = "the terminal is not known (see TERM)";
        setlocale(LC_CTYPE, "C");
        return false;
    }
    ws_interrupt_hold(&screen->interrupt);
    set_escdelay(25);
    cbreak();
    noecho();
    keypad(stdscr, TRUE);
    curs_set(0);
    styles_make(screen->attributes, has_colors() && (no_color == NULL || no_color[0] == '\0'));
    screen->canvas.utf8 = ws_plot_utf8() && strcmp(nl_langinfo(CODESET), "UTF-8") == 0;
    return true;
}

/* Closes the screen, and consumes the pending signals that asked for it. */
static void screen_close(struct screen *screen)
{
    for (int signal = ws_interrupt_waits(); signal != 0; signal = ws_interrupt_waits()) {
        sigset_t set;
        sigemptyset(&set);
        sigaddset(&set, signal);
        sigwait(&set, &signal);
    }
    endwin();
    delscreen(screen->terminal);
    setlocale(LC_CTYPE, "C");
    ws_interrupt_release(&screen->interrupt);
    top_canvas_free(&screen->canvas);
}

static void draw(struct screen *screen, const struct top_run *run, struct top_view *view)
{
    struct top_canvas *canvas = &screen->canvas;
    if (!top_canvas_clear(canvas, getmaxy(stdscr), getmaxx(stdscr))) {
        return;
    }
    top_draw(canvas, run, view);
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

/* Waits up to `seconds` for a key. Returns its code, with '\n' for all Enter keys; ERR: none was
 * pressed. */
static int key_read(double seconds)
{
    double until = date_clock() + seconds;
    for (;;) {
        double left = until - date_clock();
        left = left > SLICE ? SLICE : left;
        timeout(left > 0 ? (int)(left * 1000) + 1 : 0);
        int c = getch();
        if (ws_interrupt_waits() != 0) {
            return 'q';
        }
        if (c != ERR || left <= 0) {
            return c == '\r' || c == KEY_ENTER ? '\n' : c;
        }
    }
}

/* ---- Keys ------------------------------------------------------------------------------------ */

static void page_turn(struct top_view *view, enum top_page page)
{
    view->page = page;
    view->selected = view->scroll = 0;
    view->only_pe = view->only_kp = -1;
    view->has_row = false;
}

/* Selects another row if the key is one that moves the selection. */
static void select_row(struct top_view *view, int key)
{
    const int64_t row = (int64_t)view->selected, last = (int64_t)view->n_rows - 1;
    const int64_t page = (int64_t)view->page_rows;
    int64_t to = key == KEY_UP      ? row - 1
                 : key == KEY_DOWN  ? row + 1
                 : key == KEY_PPAGE ? row - page
                 : key == KEY_NPAGE ? row + page
                 : key == KEY_HOME  ? 0
                 : key == KEY_END   ? last
                                    : INT64_MIN;
    if (to != INT64_MIN) {
        to = to > last ? last : to;
        view->selected = to < 0 ? 0 : (size_t)to;
        view->moved = true;
    }
}

static void sort_turn(struct top_view *view, unsigned by)
{
    enum top_page page = view->page == TOP_OVERVIEW ? TOP_PES : view->page;
    view->sort[page] = (view->sort[page] + by) % top_sorts(page);
}

/* Handles the Enter key: opens the selected row, or goes to the row with the typed number. */
static void enter(struct top_view *view)
{
    const struct top_part row = view->row;
    const bool has_row = view->has_row;
    if (view->number >= 0) {
        view->wanted = view->number;
        view->lp = view->page == TOP_LPS ? (uint64_t)view->number : view->lp;
        view->number = -1;
    } else if (view->page == TOP_OVERVIEW || view->page == TOP_PES) {
        page_turn(view, TOP_KPS);
        view->only_pe = has_row ? (int64_t)row.pe : -1;
    } else if (view->page == TOP_KPS && has_row) {
        page_turn(view, TOP_LPS);
        view->only_pe = row.pe;
        view->only_kp = row.kp;
    } else if (view->page == TOP_LPS) {
        view->lp = !has_row || view->lp == row.number ? UINT64_MAX : row.number;
    }
}

/* Adds a digit to the number that the user is typing. Returns false if the key is no digit; most
 * other keys end the number. */
static bool digit_take(struct top_view *view, int key)
{
    bool is_digit =
        key >= '0' && key <= '9' && view->page != TOP_TYPES && view->page != TOP_FINDINGS;
    int64_t before = view->number < 0 ? 0 : view->number;
    if (is_digit && before < NUMBER_MAX) {
        view->number = before * 10 + (key - '0');
    } else if (key != '\n' && key != KEY_RESIZE) {
        view->number = -1;
    }
    return is_digit;
}

/* Returns the page that a key opens; TOP_HELP if it opens none. */
static enum top_page page_of(int key)
{
    static const char keys[] = "apkltf";
    const char *at = key > 0 && key < 128 ? strchr(keys, key) : NULL;
    return at == NULL ? TOP_HELP : (enum top_page)(at - keys);
}

/* Handles a key. Returns false if the user quits. */
static bool key_handle(struct top_view *view, int key)
{
    if (key == 'q' || key == 'Q') {
        return false;
    }
    if (view->page == TOP_HELP && key != KEY_RESIZE) {
        view->page = view->before_help;
        return true;
    }
    if (digit_take(view, key)) {
        return true;
    }
    if (page_of(key) != TOP_HELP) {
        page_turn(view, page_of(key));
        return true;
    }
    switch (key) {
    case 'h':
    case '?':
        view->before_help = view->page;
        view->page = TOP_HELP;
        break;
    case 's':
        sort_turn(view, 1);
        break;
    case 'S':
        sort_turn(view, top_sorts(view->page == TOP_OVERVIEW ? TOP_PES : view->page) - 1);
        break;
    case 'r':
        view->reverse = !view->reverse;
        break;
    case ' ':
        view->paused = !view->paused;
        break;
    case '+':
        view->interval = fmax(view->interval / 2, TOP_INTERVAL_MIN);
        break;
    case '-':
        view->interval = view->interval < 30 ? 2 * view->interval : 60;
        break;
    case '\n':
        enter(view);
        break;
    default:
        select_row(view, key);
        break;
    }
    return true;
}

bool top_full_screen(struct top_run *run, struct top_view *view, bool wait, uint64_t count,
                     const char **why)
{
    struct screen screen = {.terminal = NULL};
    bool goes_on = screen_open(&screen, why);
    if (!goes_on) {
        return false;
    }
    for (uint64_t n = 1; goes_on; n++) {
        double begin = date_clock();
        if (view->lp != UINT64_MAX &&
            !(run->model.chosen.any && run->model.chosen.lp == view->lp)) {
            top_model_choose_lp(&run->model, view->lp); /* the LP that the user follows */
        }
        top_run_refresh(run, WORK_SHARE * view->interval, true);
        if (!view->paused || run->state == TOP_ENDED) {
            draw(&screen, run, view);
        }
        if (run->state == TOP_ENDED || (run->state == TOP_WAITING && !wait && n == 1) ||
            n == count) {
            break;
        }
        double until = begin + (run->state == TOP_READING ? 0 : view->interval);
        for (int key = 0; goes_on && key != ERR;) {
            double left = until - date_clock();
            key = key_read(left > 0 ? left : 0);
            goes_on = key == ERR || key_handle(view, key);
            if (goes_on && key != ERR) {
                draw(&screen, run, view);
            }
        }
    }
    screen_close(&screen);
    return true;
}
