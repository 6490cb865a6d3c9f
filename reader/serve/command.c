/* SPDX-License-Identifier: BSD-3-Clause */
/* command.c - "warpscope serve": a live page about running simulations. */
#include <arpa/inet.h>
#include <errno.h>
#include <string.h>

#include "cli/files.h"
#include "cli/messages.h"
#include "commands.h"
#include "serve/serve.h"

struct command {
    struct serve serve;
    struct ws_paths on;
    char address[INET6_ADDRSTRLEN];
};

static const struct ws_option options[] = {
    {"port", "N", "port to listen on (default: a free one)", WS_INTO(struct command, serve.port),
     .max = 65535},
    {"listen", "ADDRESS",
     "numeric address to listen on (default 127.0.0.1, which\n"
     "only this host reaches)",
     WS_INTO(struct command, serve.address)},
    {"interval", "SECONDS", "time between refreshes (default 1)",
     WS_INTO(struct command, serve.interval), .min = TOP_INTERVAL_MIN, .max = 3600.0},
    {"control", NULL, "let the page send requests to runs, as warpscope ctl",
     WS_INTO(struct command, serve.control)},
    {"on", "EVENT:COMMAND",
     "start a command when an event happens; may be repeated,\n"
     "see below",
     WS_INTO(struct command, on)},
    {NULL, NULL, NULL},
};
static const struct ws_section sections[] = {
    {"events", "The command of --on is run by /bin/sh when the event happens to a run. EVENT is\n"
               "one of:\n"
               "\n"
               "  stalled       no news comes from the run, or GVT does not advance\n"
               "  efficiency<X  the efficiency of the latest ten seconds is below X per cent\n"
               "  ended         the run is over, in whatever way\n"
               "  failed        the run was killed, stopped early, or damaged its files\n"
               "\n"
               "A command gets what is known in WARPSCOPE_EVENT, _DIRECTORY, _STATE, _WARNING,\n"
               "_COMMAND, _RANKS, _GVT, _END_TIME, _ELAPSED, _EFFICIENCY (in per cent),\n"
               "_EVENTS_COMMITTED and _COMMITTED_PER_SECOND. It starts once when the event\n"
               "begins, and again only after the event has passed, and a minute. Runs that had\n"
               "ended before the server began give no events.\n"},
    {"access", "The address that is printed ends in a token of 128 random bits, which the page\n"
               "exchanges for a cookie. Who has neither sees an empty page. Other programs send\n"
               "the header \"Authorization: Bearer TOKEN\": /metrics is for Prometheus, /runs and\n"
               "/state?run=0 have the same as JSON, and /events?run=0 follows a run.\n"
               "\n"
               "Requests are not encrypted. From another computer, use a tunnel with the same\n"
               "port on both sides, such as ssh -L 8470:127.0.0.1:8470 HOST.\n"},
    {NULL, NULL}};
static const struct ws_usage usage = {
    "serve",
    "DIR-or-FILE...",
    "Shows running simulations on a page in the browser, which follows them: what\n"
    "warpscope top shows, as pictures. The command prints the address of the page,\n"
    "and serves it until Ctrl-C. The page works without a network.\n"
    "\n"
    "DIR is the directory of a run, or a directory with the directories of up to 64\n"
    "runs, which may begin later. The command only reads what they record, and does\n"
    "not disturb them; warpscope top says which options record enough. If a killed\n"
    "run is restarted in DIR-1, DIR-2 ..., the page follows it. A run that has ended\n"
    "is shown as its report.\n"
    "\n"
    "With --control, the page also sends requests to runs, under the rules of\n"
    "warpscope ctl: only to runs of the user who runs this command.\n",
    options,
    .sections = sections,
    .exit_status = "  0  a signal has ended the command: Ctrl-C, SIGTERM or SIGHUP\n"
                   "  1  the command cannot listen on the address and port\n"
                   "  2  the command line is wrong, or the program was built without\n"
                   "     libmicrohttpd\n",
    .examples = "Watch a run in the browser:\n"
                "  warpscope serve stats-output\n"
                "Send a mail when a run is over:\n"
                "  warpscope serve --on='ended:mail -s \"$WARPSCOPE_STATE\" me' runs\n"
                "Metrics of all runs in a directory, with the token in a file of your own:\n"
                "  umask 077; warpscope serve --port=8470 runs | sed -u 's/.*#//' >token\n",
    .see = "top report ctl"};

static int check(void *command, const struct ws_args *args)
{
    struct command *c = command;
    struct serve *serve = &c->serve;
    struct in6_addr bits;
    const int family = strchr(serve->address, ':') != NULL ? AF_INET6 : AF_INET;
    serve->operands = (const char *const *)args->operands;
    serve->n_operands = args->n_operands;
    if (inet_pton(family, serve->address, &bits) != 1) {
        return ws_usage_error(&usage, "--listen=%s is no numeric address, such as 127.0.0.1 or ::1",
                              serve->address);
    }
    serve->address = inet_ntop(family, &bits, c->address, sizeof c->address); /* as browsers do */
    for (int i = 0; i < c->on.n; i++) {
        if (!serve_alert_read(&serve->alerts[serve->n_alerts++], c->on.list[i])) {
            return ws_usage_error(&usage,
                                  "--on=%s must begin with stalled:, efficiency<X:, ended: or "
                                  "failed:, and then have a command",
                                  c->on.list[i]);
        }
    }
    return WS_EXIT_OK;
}

int ws_command_serve(int argc, char **argv)
{
    struct ws_args args;
    int status = WS_EXIT_DAMAGED;
    struct command c = {.serve = {.address = "127.0.0.1", .interval = 1.0, .began = date_clock()}};
    if (ws_args_parse_paths(&args, &usage, &c, check, argc, argv, &status)) {
        bool good = (serve_secret_make(c.serve.token) && serve_secret_make(c.serve.cookie)) ||
                    ws_say(&ws_on_stderr, "no random numbers: %s", strerror(errno));
        status = good ? serve_run_server(&c.serve) : WS_EXIT_DAMAGED;
    }
    return status;
}
