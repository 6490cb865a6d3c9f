/* SPDX-License-Identifier: BSD-3-Clause */
/* ctl.c - "warpscope ctl": sends requests to a running simulation. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/args.h"
#include "cli/messages.h"
#include "commands.h"
#include "control/channel.h"
#include "text/date.h"
#include "text/utf8.h"

#define TIMEOUT_S     60.0
#define TIMEOUT_S_MAX 1e9

struct ctl {
    double timeout; /* in seconds */
    bool no_wait;
};

static const struct ws_option options[] = {
    {"timeout", "SECONDS", "maximum time to wait for the answer (default 60)",
     WS_INTO(struct ctl, timeout), .max = TIMEOUT_S_MAX},
    {"no-wait", NULL, "do not wait for the answer", WS_INTO(struct ctl, no_wait)},
    {NULL, NULL, NULL},
};
static const struct ws_usage usage = {
    "ctl",
    "DIR WHAT [NAME=VALUE...]",
    "Sends a request to a running simulation that records to DIR. The request takes\n"
    "effect at the next GVT, on all ranks at once. Only the user who started the run\n"
    "can send requests. The results of the simulation stay the same.\n"
    "\n"
    "WHAT is one of:\n"
    "\n"
    "  set         changes options of the run, written as event-trace=3 or\n"
    "              --event-trace=3\n"
    "  checkpoint  writes a checkpoint, if the run has a directory for checkpoints\n"
    "  save        writes the records that a flight recorder holds in memory\n"
    "              (--buffer-overwrite)\n"
    "  stop        ends the run in order, like SIGTERM\n"
    "  status      prints the progress of the run, and what it records\n"
    "\n"
    "set accepts these options: enable-gvt-stats, num-gvt, real-time-samp,\n"
    "vt-interval, vt-samp-end, granularity, pe-data, kp-data, lp-data, engine-stats,\n"
    "rt-interval, event-trace, event-times, trace-lps, trace-from, trace-to,\n"
    "model-stats, checkpoint-every, stall-warning. A model explains them with\n"
    "--help=all. If options overlap, those of the latest request replace older ones.\n"
    "\n"
    "vt-interval=0 ends samples at virtual times. \"trace-lps=\" ends the selection of\n"
    "LPs; \"trace-from=\" and \"trace-to=\" remove the limits of the window.\n"
    "checkpoint-every=0 ends checkpoints by time.\n"
    "\n"
    "A run accepts requests if it records something, or was started with\n"
    "--stats-path.\n",
    options,
    .words = "set|checkpoint|save|stop|status",
    .pairs = "enable-gvt-stats|num-gvt|real-time-samp|vt-interval|vt-samp-end|granularity|pe-data|"
             "kp-data|lp-data|engine-stats|rt-interval|event-trace|event-times|trace-lps|"
             "trace-from|trace-to|model-stats|checkpoint-every|stall-warning",
    .exit_status =
        "  0  the run has carried out the request; with --no-wait: the request was sent\n"
        "  1  the run has refused the request or not answered in time, or there is no run\n"
        "  2  the command line is wrong\n",
    .examples = "Trace the committed events of some LPs from now on:\n"
                "  warpscope ctl stats-output set event-trace=3 trace-lps=0-15\n"
                "Sample ten times a second, and stop sampling at GVT:\n"
                "  warpscope ctl stats-output set real-time-samp=100 enable-gvt-stats=0\n",
    .see = "info recover"};

/* Returns WS_EXIT_OK if the operands are correct. Otherwise prints an error message and returns the
 * exit status of the command. */
static int check(const struct ws_args *args)
{
    if (args->n_operands < 2) {
        return ws_usage_error(&usage,
                              "needs a directory and set, checkpoint, save, stop or status");
    }
    const char *action = args->operands[1];
    int i = ws_args_word(&usage, action);
    if (i < 0) {
        return WS_EXIT_USAGE;
    }
    if (i == 0 && args->n_operands < 3) {
        return ws_usage_error(&usage, "set needs NAME=VALUE, such as real-time-samp=10");
    }
    if (i > 0 && args->n_operands > 2) {
        return ws_usage_error(&usage, "%s takes no further arguments", action);
    }
    return WS_EXIT_OK;
}

/* Prints the text of an answer line by line, without its empty lines. Replaces the line feeds in
 * text by zero bytes. */
static void text_print(FILE *out, char *text)
{
    for (char *line = text; line != NULL;) {
        char *end = strchr(line, '\n');
        if (end != NULL) {
            *end++ = '\0';
        }
        if (*line != '\0') {
            utf8_plain_print(out, line);
            fputc('\n', out);
        }
        line = end;
    }
}

static int answer_print(const char *action, struct ws_answer *answer)
{
    if (!answer->done) {
        fputs("warpscope: refused: ", stderr);
        text_print(stderr, answer->text);
        return WS_EXIT_DAMAGED;
    }
    char date[DATE_MAX];
    date_text(date, answer->date);
    if (strcmp(action, "status") != 0) {
        printf("done at GVT %.10g, after %.1f s, %s\n", answer->gvt, answer->seconds, date);
    }
    text_print(stdout, answer->text);
    return WS_EXIT_OK;
}

static int answer_await(struct ws_channel *channel, const char *action, double timeout_s)
{
    struct ws_answer answer;
    enum ws_wait got = ws_channel_wait(channel, timeout_s, &answer);
    if (got == WS_WAIT_ANSWER) {
        return answer_print(action, &answer);
    }
    ws_channel_silence_say(channel, got, timeout_s);
    return WS_EXIT_DAMAGED;
}

int ws_command_ctl(int argc, char **argv)
{
    struct ws_args args;
    struct ws_channel channel;
    struct ctl ctl = {.timeout = TIMEOUT_S};
    int status;
    if (!ws_args_parse(&args, &usage, &ctl, argc, argv, &status)) {
        return status;
    }
    status = check(&args);
    if (status != WS_EXIT_OK) {
        return status;
    }
    if (!ws_channel_open(&channel, args.operands[0], &ws_on_stderr) ||
        !ws_channel_send(&channel, args.operands + 1, args.n_operands - 1, ctl.timeout)) {
        status = WS_EXIT_DAMAGED;
    } else if (ctl.no_wait) {
        puts("requested");
    } else {
        status = answer_await(&channel, args.operands[1], ctl.timeout);
    }
    ws_channel_close(&channel);
    return status;
}
