/* SPDX-License-Identifier: BSD-3-Clause */
/* command.c - "warpscope serve": a live page about running simulations. */
#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/files.h"
#include "cli/messages.h"
#include "commands.h"
#include "files/trust.h"
#include "serve/alerts.h"
#include "text/date.h"

#define PORT         8470u
#define INTERVAL_MAX 3600.0

struct command {
    struct serve serve;
    struct serve_alerts alerts;
    struct ws_paths on;
    const char *token_file;
};

static const struct ws_option options[] = {
    {"port", "N",
     "port to listen on; 0: a free one. Default: 8470, or the\n"
     "next one that is free",
     WS_INTO(struct command, serve.port), .max = 65535},
    {"listen", "ADDRESS",
     "numeric address to listen on (default 127.0.0.1, which\n"
     "only this host reaches)",
     WS_INTO(struct command, serve.address)},
    {"token-file", "FILE",
     "file that has the token, for other programs; it is made\n"
     "if it is missing, and only you may read it",
     WS_INTO(struct command, token_file), .min = 1},
    {"interval", "SECONDS", "time between refreshes (default 1)",
     WS_INTO(struct command, serve.interval), .min = TOP_INTERVAL_MIN, .max = INTERVAL_MAX},
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
               "_COMMAND, _GVT, _END_TIME, _ELAPSED, _EFFICIENCY (in per cent),\n"
               "_EVENTS_COMMITTED and _COMMITTED_PER_SECOND. It starts once when the event\n"
               "begins, and again only after the event has passed, and a minute. Runs that had\n"
               "ended before the server began give no events.\n"},
    {"access", "The address that is printed contains a token of 128 random bits, which the page\n"
               "exchanges for a cookie. Who has neither sees nothing but an empty page. Other\n"
               "programs send the token in a header:\n"
               "\n"
               "  curl -H \"Authorization: Bearer $(cat FILE)\" http://127.0.0.1:8470/metrics\n"
               "\n"
               "/metrics has the state of all runs for Prometheus, /runs and /state?run=0 have\n"
               "it as JSON, and /events?run=0 sends it after each refresh. Requests are not\n"
               "encrypted. From another computer, use a tunnel with the same port on both\n"
               "sides, such as ssh -L 8470:127.0.0.1:8470 HOST, rather than --listen.\n"},
    {NULL, NULL}};
static const struct ws_usage usage = {
    "serve",
    "DIR-or-FILE...",
    "Shows running simulations on a page in the browser, which follows them: what\n"
    "warpscope top shows, as pictures. The command prints the address of the page,\n"
    "and serves it until Ctrl-C. The page works without a network.\n"
    "\n"
    "DIR is the directory of a run, or a directory with the directories of up to 64\n"
    "runs, which may begin later. The command only reads the record files and the\n"
    "buffers beside them (*.journal), and does not disturb the runs; which options\n"
    "let them record enough, warpscope top says. If a killed run is restarted in\n"
    "DIR-1, DIR-2 ..., the page follows it. A run that has ended is shown as its\n"
    "report.\n"
    "\n"
    "With --control, the page also sends requests to runs, under the rules of\n"
    "warpscope ctl: only to runs of the user who runs this command.\n",
    options,
    .sections = sections,
    .exit_status = "  0  a signal has ended the command: Ctrl-C, SIGTERM or SIGHUP\n"
                   "  1  the command cannot listen on the address and port, or cannot read the\n"
                   "     token\n"
                   "  2  the command line is wrong, or the program was built without\n"
                   "     libmicrohttpd\n",
    .examples = "Watch a run in the browser:\n"
                "  warpscope serve stats-output\n"
                "Send a mail when a run is over:\n"
                "  warpscope serve --on='ended:mail -s \"$WARPSCOPE_STATE\" me' runs\n"
                "Metrics of all runs in a directory, on a fixed port:\n"
                "  warpscope serve --port=8470 --token-file=token runs\n",
    .see = "top report ctl"};

static int check(void *command, const struct ws_args *args)
{
    struct command *c = command;
    struct in6_addr bits;
    c->serve.has_port = ws_args_has(args, "port");
    if (inet_pton(AF_INET, c->serve.address, &bits) != 1 &&
        inet_pton(AF_INET6, c->serve.address, &bits) != 1) {
        return ws_usage_error(&usage, "--listen=%s is no numeric address, such as 127.0.0.1 or ::1",
                              c->serve.address);
    }
    for (int i = 0; i < c->on.n; i++) {
        if (!serve_alert_read(&c->alerts.list[c->alerts.n++], c->on.list[i])) {
            return ws_usage_error(&usage,
                                  "--on=%s must begin with stalled:, efficiency<X:, ended: or "
                                  "failed:, and then have a command",
                                  c->on.list[i]);
        }
    }
    return WS_EXIT_OK;
}

/* Reads the token from its file, or makes both. Returns false after an error message. */
static bool token_find(const char *path, char token[SERVE_SECRET + 1])
{
    char why[TRUST_WHY_MAX], text[SERVE_SECRET + 2] = "";
    bool is_new = path == NULL || access(path, F_OK) != 0;
    if (is_new && !serve_secret_make(token)) {
        return ws_say(&ws_on_stderr, "no random numbers: %s", strerror(errno));
    }
    if (path == NULL) {
        return true;
    }
    int fd = is_new
                 ? trust_open(TRUST_WRITE, path, O_WRONLY | O_CREAT | O_EXCL, 0600, why, sizeof why)
                 : trust_open_private(path, O_RDONLY, why, sizeof why);
    if (fd < 0) {
        return ws_refuse(path, why, NULL);
    }
    bool good = true;
    if (is_new) {
        snprintf(text, sizeof text, "%s\n", token);
        good = write(fd, text, SERVE_SECRET + 1) == (ssize_t)SERVE_SECRET + 1 ||
               ws_refuse(path, "cannot write", strerror(errno));
    } else {
        ssize_t size = read(fd, text, sizeof text - 1);
        text[size > 0 ? size : 0] = '\0';
        text[strcspn(text, "\n")] = '\0';
        good = serve_secret_is_valid(text) ||
               ws_refuse(path, "has no token, which is a line of 32 hexadecimal digits",
                         "remove the file, and a new one is made");
        memcpy(token, text, SERVE_SECRET + 1);
    }
    close(fd);
    return good;
}

/* Prints the address of the page. */
static bool ready(const struct serve *serve)
{
    bool is_any = strcmp(serve->address, "0.0.0.0") == 0 || strcmp(serve->address, "::") == 0;
    bool is_v6 = !is_any && strchr(serve->address, ':') != NULL;
    char name[256] = "localhost";
    if (is_any) {
        gethostname(name, sizeof name - 1);
    }
    printf("http://%s%s%s:%u/#%s\n", is_v6 ? "[" : "", is_any ? name : serve->address,
           is_v6 ? "]" : "", (unsigned)serve->port, serve->token);
    return fflush(stdout) == 0; /* main() reports the error */
}

int ws_command_serve(int argc, char **argv)
{
    struct ws_args args;
    int status;
    struct command *c = calloc(1, sizeof *c);
    if (c == NULL) {
        ws_no_memory(NULL);
        return WS_EXIT_DAMAGED;
    }
    c->serve = (struct serve){.address = "127.0.0.1",
                              .port = PORT,
                              .interval = 1.0,
                              .ready = ready,
                              .alerts = &c->alerts,
                              .began = date_clock()};
    if (ws_args_parse_paths(&args, &usage, c, check, argc, argv, &status)) {
        c->serve.operands = (const char *const *)args.operands;
        c->serve.n_operands = args.n_operands;
        status = token_find(c->token_file, c->serve.token) && serve_secret_make(c->serve.cookie)
                     ? serve_run_server(&c->serve)
                     : WS_EXIT_DAMAGED;
    }
    free(c);
    return status;
}
