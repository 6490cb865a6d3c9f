/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * top.c - "warpscope top": watches a run while it goes on.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <time.h>
#include <unistd.h>

#include "access/record_file.h"
#include "cli/exit.h"
#include "cli/files.h"
#include "commands.h"
#include "data/number.h"
#include "render/plot.h"
#include "render/text.h"
#include "top/panes.h"
#include "top/screen.h"

#define INTERVAL_MIN 0.1
#define INTERVAL_MAX 3600.0
#define WORK_SHARE   0.5 /* share of the refresh interval in which records are read */
#define NUMBER_MAX   1000000000000

struct top {
    struct top_run run;
    struct top_view view;
    struct top_canvas canvas;
    struct top_screen *screen; /* NULL: the output is text */
    bool once, json, lines, wait;
    uint64_t count; /* number of refreshes after which the command ends; 0: no limit */
};

static const struct ws_option options[] = {
    {"once", NULL, "print the present state as text, and exit", WS_INTO(struct top, once)},
    {"json", NULL, "print a line of JSON at each refresh", WS_INTO(struct top, json)},
    {"lines", NULL,
     "print a line of text at each refresh; the default if\n"
     "standard output is not a terminal",
     WS_INTO(struct top, lines)},
    {"interval", "SECONDS", "time between refreshes (default 1)",
     WS_INTO(struct top, view.interval), .min = INTERVAL_MIN, .max = INTERVAL_MAX},
    {"count", "N", "end after N refreshes", WS_INTO(struct top, count), .min = 1},
    {"show", "all|pes|kps|lps|types|findings", "first page (default all)",
     WS_INTO(struct top, view.page)},
    {"wait", NULL,
     "wait for a run if there is none yet, and for the restart\n"
     "of a killed run",
     WS_INTO(struct top, wait)},
    {NULL, NULL, NULL},
};
static const struct ws_section sections[] = {
    {"keys", "  a        overview\n"
             "  p k l t  PEs, KPs, LPs, types of LPs\n"
             "  f        findings: the main costs so far, and remedies\n"
             "  Enter    the KPs of the selected PE, or the LPs of the selected KP; on the\n"
             "           page of LPs, follow the selected LP\n"
             "  5 Enter  go to PE, KP or LP number 5\n"
             "  s S r    sort by the next column, by the previous one, in reverse order\n"
             "  Space    pause the screen; the run goes on\n"
             "  + -      refresh more or less often\n"
             "  h q      help, quit\n"
             "Arrows, PgUp, PgDn, Home and End select and scroll.\n"},
    {NULL, NULL}};
static const struct ws_usage usage = {
    "top",
    "DIR-or-FILE",
    "Shows a run while it goes on: virtual time, rates, the expected end, the times,\n"
    "queues and memory of its PEs, and the KPs that undo most events. When the run\n"
    "ends, its report is printed.\n"
    "\n"
    "The command only reads the record files and the buffers beside them (*.journal).\n"
    "It does not disturb the run, which continues when the command ends. The run must\n"
    "record something: --real-time-samp=1000 suffices for most tables, --kp-data=1\n"
    "adds KPs, --lp-data=1 LPs, and --event-trace=2 types of LPs.\n"
    "\n"
    "If a killed run is restarted in DIR-1, DIR-2 ..., the display follows it. Memory\n"
    "and stopped processes are shown only for processes on this machine. \"warpscope\n"
    "watch\" is the same command.\n",
    options,
    .exit_status = "  0  the run goes on, or ended normally\n"
                   "  1  the run was killed or stopped early, or there is no run\n"
                   "  2  the command line is wrong; no file was read\n",
    .examples = "How far has the run progressed?\n"
                "  warpscope top stats-output\n"
                "A line of JSON every ten seconds, for a script:\n"
                "  warpscope top --json --interval=10 stats-output\n",
    .sections = sections,
    .see = "stats recover info"};

static int operands_check(void *command, const struct ws_args *args)
{
    (void)command;
    return args->n_operands == 1
               ? WS_EXIT_OK
               : ws_usage_error(&usage, "needs one directory or file, not %d", args->n_operands);
}

/* ---- Text ------------------------------------------------------------------------------------ */

static void say(const char *words)
{
    fputs("warpscope: ", stderr);
    utf8_plain_print(stderr, words);
    fputc('\n', stderr);
}

/* Returns the exit status for the state of the run. Prints the reason on stderr if there is no
 * recording, if the run was killed, or if its files are damaged. */
static int status_find(const struct top_run *run)
{
    struct top_end end;
    if (run->state == TOP_WAITING) {
        say(run->problem);
        return WS_EXIT_DAMAGED;
    }
    if (run->state == TOP_KILLED || (run->state == TOP_ENDED && run->warning[0] != '\0')) {
        say(run->warning);
        return WS_EXIT_DAMAGED;
    }
    return run->state == TOP_ENDED && top_run_end(run, &end) && ws_end_is_early(end.code)
               ? WS_EXIT_DAMAGED
               : WS_EXIT_OK;
}

static void screen_print(struct top *top)
{
    const char *columns = getenv("COLUMNS");
    struct winsize size;
    uint64_t cols = 100;
    if (columns == NULL || !ws_parse_u64(columns, &cols) || cols < 40 || cols > 1000) {
        cols =
            ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col >= 40 ? size.ws_col : 100;
    }
    top->view.once = true;
    top->canvas.utf8 = ws_plot_utf8();
    if (top_canvas_clear(&top->canvas, 48, (int)cols)) {
        top_draw(&top->canvas, &top->run, &top->view);
        top_canvas_print(&top->canvas, stdout);
    }
}

static void sleep_for(double seconds)
{
    struct timespec time = {(time_t)seconds, (long)((seconds - (double)(time_t)seconds) * 1e9)};
    while (seconds > 0 && nanosleep(&time, &time) != 0 && errno == EINTR) {
    }
}

/* Reads all records that exist now. */
static void read_all(struct top *top)
{
    do {
        top_run_refresh(&top->run, 1.0, top->wait);
    } while (top->run.state == TOP_READING);
}

static int once(struct top *top)
{
    read_all(top);
    while (top->run.state == TOP_WAITING && top->wait) {
        sleep_for(top->view.interval);
        read_all(top);
    }
    if (top->run.state == TOP_WAITING && !top->json) {
        return status_find(&top->run);
    }
    if (top->json) {
        top_json_print(stdout, &top->run);
    } else {
        screen_print(top);
        if (top->run.state == TOP_ENDED) {
            putchar('\n');
            top_end_print(stdout, &top->run);
        }
    }
    return status_find(&top->run);
}

/* Returns true if the run has ended, or if it was killed or does not exist and the command does not
 * wait for another run. */
static bool is_over(const struct top *top)
{
    enum top_state state = top->run.state;
    return state == TOP_ENDED || (!top->wait && (state == TOP_KILLED || state == TOP_WAITING));
}

static int lines(struct top *top)
{
    unsigned followed = 0;
    for (uint64_t n = 1;; n++) {
        double begin = top_clock();
        read_all(top);
        bool over = is_over(top);
        if (!top->json && top->run.followed != followed) {
            utf8_plain_print(stdout, top->run.notice);
            putchar('\n');
        }
        followed = top->run.followed;
        if (top->json) {
            top_json_print(stdout, &top->run);
        } else if (!(over && top->run.state == TOP_WAITING)) {
            top_line_print(stdout, &top->run);
        }
        if (fflush(stdout) != 0) {
            return WS_EXIT_OK; /* main() reports the error */
        }
        if (over || n == top->count) {
            break;
        }
        sleep_for(top->view.interval - (top_clock() - begin));
    }
    if (!top->json) {
        top_end_print(stdout, &top->run);
    }
    return status_find(&top->run);
}

/* ---- Full screen ----------------------------------------------------------------------------- */

static void page_turn(struct top_view *view, enum top_page page)
{
    view->page = page;
    view->selected = view->scroll = 0;
    view->only_pe = view->only_kp = -1;
    view->row_pe = view->row_id = -1;
}

static void select_row(struct top_view *view, int64_t to)
{
    int64_t last = (int64_t)view->n_rows - 1;
    view->selected = to < 0 || last < 0 ? 0 : (size_t)(to > last ? last : to);
    view->moved = true;
}

static void sort_turn(struct top_view *view, unsigned by)
{
    enum top_page page = view->page == TOP_OVERVIEW ? TOP_PES : view->page;
    view->sort[page] = (view->sort[page] + by) % top_sorts(page);
}

/* Handles the Enter key: opens the selected row, or goes to the row with the typed number. */
static void enter(struct top_view *view)
{
    int64_t pe = view->row_pe, id = view->row_id;
    if (view->number >= 0) {
        view->wanted_id = view->number;
        view->lp = view->page == TOP_LPS ? (uint64_t)view->number : view->lp;
        view->number = -1;
    } else if (view->page == TOP_OVERVIEW || view->page == TOP_PES) {
        page_turn(view, TOP_KPS);
        view->only_pe = pe;
    } else if (view->page == TOP_KPS && pe >= 0) {
        page_turn(view, TOP_LPS);
        view->only_pe = pe;
        view->only_kp = id;
    } else if (view->page == TOP_LPS) {
        view->lp = view->lp == view->row_lp ? UINT64_MAX : view->row_lp;
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
    } else if (key != TOP_KEY_ENTER && key != TOP_KEY_NONE && key != TOP_KEY_RESIZED) {
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
    int64_t row = (int64_t)view->selected, page = (int64_t)view->page_rows;
    if (key == 'q' || key == 'Q' || key == TOP_KEY_INTERRUPT) {
        return false;
    }
    if (view->page == TOP_HELP && key != TOP_KEY_RESIZED && key != TOP_KEY_NONE) {
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
        view->interval = view->interval > 2 * INTERVAL_MIN ? view->interval / 2 : INTERVAL_MIN;
        break;
    case '-':
        view->interval = view->interval < 30 ? 2 * view->interval : 60;
        break;
    case TOP_KEY_ENTER:
        enter(view);
        break;
    case TOP_KEY_UP:
        select_row(view, row - 1);
        break;
    case TOP_KEY_DOWN:
        select_row(view, row + 1);
        break;
    case TOP_KEY_PAGE_UP:
        select_row(view, row - page);
        break;
    case TOP_KEY_PAGE_DOWN:
        select_row(view, row + page);
        break;
    case TOP_KEY_HOME:
        select_row(view, 0);
        break;
    case TOP_KEY_END:
        select_row(view, INT64_MAX);
        break;
    default:
        break;
    }
    return true;
}

static void draw(struct top *top)
{
    int rows = 0, cols = 0;
    top_screen_size(&rows, &cols);
    if (top_canvas_clear(&top->canvas, rows, cols)) {
        top_draw(&top->canvas, &top->run, &top->view);
        top_screen_show(top->screen, &top->canvas);
    }
}

/* Makes the sums include the rates of the LP that the user follows. */
static void follow(struct top *top)
{
    struct top_model *m = &top->run.model;
    const uint64_t lp = top->view.lp;
    if (lp != UINT64_MAX && !(m->chosen.any && m->chosen.lp == lp)) {
        top_model_choose_lp(m, lp);
    }
}

/* Runs the full-screen display until the user quits or the command ends. The screen must be open.
 * Returns the exit status. */
static int full_screen(struct top *top)
{
    bool goes_on = true;
    top->canvas.utf8 = top_screen_utf8();
    for (uint64_t n = 1; goes_on; n++) {
        double begin = top_clock();
        follow(top);
        top_run_refresh(&top->run, WORK_SHARE * top->view.interval, true);
        if (!top->view.paused || top->run.state == TOP_ENDED) {
            draw(top);
        }
        if (top->run.state == TOP_ENDED ||
            (top->run.state == TOP_WAITING && !top->wait && n == 1) || n == top->count) {
            break;
        }
        double left = top->run.state == TOP_READING ? 0 : top->view.interval;
        for (int key = 1; goes_on && key != TOP_KEY_NONE;) {
            double now = top_clock(), wait = begin + left - now;
            key = top_screen_key(wait > 0 ? wait : 0);
            goes_on = key_handle(&top->view, key);
            if (goes_on && key != TOP_KEY_NONE) {
                draw(top);
            }
        }
    }
    top_screen_close(top->screen);
    top_end_print(stdout, &top->run);
    return status_find(&top->run);
}

int ws_command_top(int argc, char **argv)
{
    struct ws_args args;
    struct top top = {.count = 0};
    int status;
    top_view_init(&top.view);
    if (!ws_args_parse_paths(&args, &usage, &top, operands_check, argc, argv, &status)) {
        return status;
    }
    if (!top_run_init(&top.run, args.operands[0])) {
        say("out of memory");
        return WS_EXIT_DAMAGED;
    }
    bool text = top.once || top.json || top.lines;
    const char *why = "";
    top.screen = text ? NULL : top_screen_open(&why);
    if (top.screen != NULL) {
        status = full_screen(&top);
    } else if (top.once) {
        status = once(&top);
    } else {
        if (why[0] != '\0' && isatty(STDOUT_FILENO)) {
            fprintf(stderr, "warpscope: lines instead of the full screen: %s\n", why);
        }
        status = lines(&top);
    }
    top_canvas_free(&top.canvas);
    top_run_free(&top.run);
    return status;
}
