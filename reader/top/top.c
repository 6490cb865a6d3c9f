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
#include "cli/files.h"
#include "cli/messages.h"
#include "commands.h"
#include "data/number.h"
#include "render/text.h"
#include "top/panes.h"

#define INTERVAL_MAX 3600.0

struct top {
    struct top_run run;
    struct top_view view;
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
     WS_INTO(struct top, view.interval), .min = TOP_INTERVAL_MIN, .max = INTERVAL_MAX},
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

/* Returns the exit status for the state of the run. Prints the reason on stderr if there is no
 * recording, if the run was killed, or if its files are damaged. */
static int status_find(const struct top_run *run)
{
    struct top_end end;
    if (run->state == TOP_WAITING) {
        ws_say(&ws_on_stderr, "%s", run->problem);
        return WS_EXIT_DAMAGED;
    }
    if (run->state == TOP_KILLED || (run->state == TOP_ENDED && run->warning[0] != '\0')) {
        ws_say(&ws_on_stderr, "%s", run->warning);
        return WS_EXIT_DAMAGED;
    }
    return run->state == TOP_ENDED && top_run_end(run, &end) && ws_end_is_early(end.info->code)
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
    struct top_canvas canvas = {.utf8 = ws_plot_utf8()};
    if (top_canvas_clear(&canvas, 48, (int)cols)) {
        top_draw(&canvas, &top->run, &top->view);
        top_canvas_print(&canvas, stdout);
    }
    top_canvas_free(&canvas);
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

/* Prints the state of the run in the form that the options choose; nothing if there is no run. */
static void state_print(struct top *top)
{
    if (top->json) {
        top_json_print(stdout, &top->run);
    } else if (top->run.state == TOP_WAITING && !top->wait) {
        return;
    } else if (top->once) {
        screen_print(top);
    } else {
        top_line_print(stdout, &top->run);
    }
}

/* Prints the state once, or at each refresh until the run has ended, or was killed or does not exist and
 * the command does not wait for another one. Returns the exit status. */
static int text(struct top *top)
{
    const struct top_run *run = &top->run;
    unsigned followed = 0;
    for (uint64_t n = 1;; n++) {
        double begin = date_clock();
        read_all(top);
        bool waits = top->wait && run->state == TOP_WAITING;
        bool over = run->state == TOP_ENDED || (top->once && !waits) ||
                    (!top->wait && (run->state == TOP_KILLED || run->state == TOP_WAITING));
        if (!top->json && !top->once && run->followed != followed) {
            utf8_plain_print(stdout, run->notice);
            putchar('\n');
        }
        followed = run->followed;
        if (!top->once || !waits) {
            state_print(top);
        }
        if (fflush(stdout) != 0) {
            return WS_EXIT_OK; /* main() reports the error */
        }
        if (over || n == top->count) {
            break;
        }
        sleep_for(top->view.interval - (date_clock() - begin));
    }
    if (top->once && !top->json && run->state == TOP_ENDED) {
        putchar('\n');
    }
    if (!top->json) {
        top_end_print(stdout, run);
    }
    return status_find(run);
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
    const char *why = "";
    if (!top_run_init(&top.run, args.operands[0])) {
        ws_no_memory(NULL);
        return WS_EXIT_DAMAGED;
    }
    if (!top.once && !top.json && !top.lines &&
        top_full_screen(&top.run, &top.view, top.wait, top.count, &why)) {
        top_end_print(stdout, &top.run);
        status = status_find(&top.run);
    } else {
        if (why[0] != '\0' && isatty(STDOUT_FILENO)) {
            ws_say(&ws_on_stderr, "lines instead of the full screen: %s", why);
        }
        status = text(&top);
    }
    top_run_free(&top.run);
    return status;
}
