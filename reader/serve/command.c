/* SPDX-License-Identifier: BSD-3-Clause */
/* command.c - "warpscope serve": a live page about running simulations. */
#include <arpa/inet.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/files.h"
#include "cli/messages.h"
#include "commands.h"
#include "serve/serve.h"
#include "text/date.h"

#define PORT         8470u
#define INTERVAL_MIN 0.1
#define INTERVAL_MAX 3600.0

static const struct ws_option options[] = {
    {"port", "N", "port; 0: a free one. Default: 8470, or the next free one",
     WS_INTO(struct serve, port), .max = 65535},
    {"listen", "ADDRESS", "numeric address to listen on (default 127.0.0.1)",
     WS_INTO(struct serve, address)},
    {"interval", "SECONDS", "time between refreshes (default 1)", WS_INTO(struct serve, interval),
     .min = INTERVAL_MIN, .max = INTERVAL_MAX},
    {"control", NULL, "let the page send requests to runs, as warpscope ctl",
     WS_INTO(struct serve, control)},
    {NULL, NULL, NULL},
};
static const struct ws_usage usage = {
    "serve",
    "DIR-or-FILE...",
    "Shows running simulations on a page in the browser.\n",
    options,
    .exit_status = "  0  a signal ended the command: Ctrl-C, SIGTERM or SIGHUP\n"
                   "  1  the address or port cannot be used\n"
                   "  2  the command line is wrong, or the program was built without\n"
                   "     libmicrohttpd\n",
    .examples = "Watch a run in the browser:\n"
                "  warpscope serve stats-output\n",
    .see = "top report ctl"};

static int check(void *command, const struct ws_args *args)
{
    struct serve *serve = command;
    struct in6_addr bits;
    serve->has_port = ws_args_has(args, "port");
    if (inet_pton(AF_INET, serve->address, &bits) != 1 &&
        inet_pton(AF_INET6, serve->address, &bits) != 1) {
        return ws_usage_error(&usage, "--listen=%s is no numeric address, such as 127.0.0.1 or ::1",
                              serve->address);
    }
    return WS_EXIT_OK;
}

/* Prints the address of the page. */
static bool ready(const struct serve *serve)
{
    bool is_v6 = strchr(serve->address, ':') != NULL;
    printf("http://%s%s%s:%u/#%s\n", is_v6 ? "[" : "", serve->address, is_v6 ? "]" : "",
           (unsigned)serve->port, serve->token);
    return fflush(stdout) == 0; /* main() reports the error */
}

int ws_command_serve(int argc, char **argv)
{
    struct serve serve = {.address = "127.0.0.1",
                          .port = PORT,
                          .interval = 1.0,
                          .ready = ready,
                          .began = date_clock()};
    struct ws_args args;
    int status;
    if (!ws_args_parse_paths(&args, &usage, &serve, check, argc, argv, &status)) {
        return status;
    }
    serve.operands = (const char *const *)args.operands;
    serve.n_operands = args.n_operands;
    if (!serve_secret_make(serve.token) || !serve_secret_make(serve.cookie)) {
        ws_say(&ws_on_stderr, "no random numbers: %s", strerror(errno));
        return WS_EXIT_DAMAGED;
    }
    return serve_run_server(&serve);
}
