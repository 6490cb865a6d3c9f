/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * report.c - the report of a run that has ended; see routes.h. "warpscope report" makes it, as a process of
 * its own, since large recordings take long.
 */
#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "serve/routes.h"

#define REPORTS_MAX 2u /* number of reports that are made at a time */
#define SELF        "/proc/self/exe"

struct report {
    pid_t child; /* 0: it has ended */
    FILE *page;  /* its standard output, an unnamed file */
};

/* Answers with a page, and lets only the scripts in it act: they get a number that its other parts cannot
 * know. Data in a page have no less-than characters. */
static void report_send(struct http_client *client, const char *page)
{
    static const char mark[] = "\n<script>\n";
    char nonce[SERVE_SECRET + 1], policy[512], *bytes = NULL;
    size_t size = 0;
    FILE *out = serve_secret_make(nonce) ? open_memstream(&bytes, &size) : NULL;
    if (out == NULL) {
        return;
    }
    for (const char *next; (next = strstr(page, mark)) != NULL; page = next + sizeof mark - 1) {
        fprintf(out, "%.*s\n<script nonce=\"%s\">\n", (int)(next - page), page, nonce);
    }
    fputs(page, out);
    snprintf(policy, sizeof policy,
             "default-src 'none'; script-src 'nonce-%s'; style-src 'unsafe-inline'; img-src data:; "
             "base-uri 'none'; form-action 'none'; frame-ancestors 'none'; "
             "sandbox allow-scripts allow-downloads",
             nonce);
    fclose(out);
    http_answer(client, MHD_HTTP_OK, "text/html; charset=utf-8", bytes, size,
                MHD_RESPMEM_MUST_FREE);
    http_header(client, "Content-Security-Policy", policy);
}

static bool report_poll(struct http_client *client)
{
    struct report *report = client->job;
    int status;
    if (waitpid(report->child, &status, WNOHANG) == 0) {
        return false;
    }
    report->child = 0;
    long size = fseek(report->page, 0, SEEK_END) == 0 ? ftell(report->page) : 0;
    char *page = size > 0 ? calloc(1, (size_t)size + 1) : NULL;
    rewind(report->page);
    if (page != NULL && fread(page, 1, (size_t)size, report->page) == (size_t)size) {
        report_send(client, page);
    } else {
        http_say(client, MHD_HTTP_INTERNAL_SERVER_ERROR,
                 "warpscope report failed, and said why on the standard error of this server");
    }
    free(page);
    return true;
}

static void report_end(struct http_client *client)
{
    struct report *report = client->job;
    if (report->child > 0) {
        kill(report->child, SIGKILL);
        waitpid(report->child, NULL, 0);
    }
    fclose(report->page);
    free(report);
}

void routes_report(struct http_client *client)
{
    unsigned n_waiting = 0;
    for (const struct http_client *c = client->server->clients; c != NULL; c = c->next) {
        n_waiting += c->poll == report_poll;
    }
    struct serve_run *run = http_run(client);
    if (run == NULL) {
        return;
    }
    if (run->top.state != TOP_ENDED && run->top.state != TOP_KILLED) {
        http_say(client, MHD_HTTP_CONFLICT, "the run has not ended");
        return;
    }
    if (n_waiting >= REPORTS_MAX) {
        http_say(client, MHD_HTTP_SERVICE_UNAVAILABLE, "other reports are being made");
        return;
    }
    char *words[] = {(char[]){"warpscope"}, (char[]){"report"}, (char[]){"--output=-"},
                     (char[]){"--"},        run->top.folder,    NULL};
    struct report *report = calloc(1, sizeof *report);
    FILE *page = report == NULL ? NULL : tmpfile();
    if (page == NULL) {
        free(report);
        return;
    }
    report->page = page;
    report->child = serve_spawn(SELF, words, fileno(page));
    client->job = report;
    client->end = report_end;
    if (report->child > 0) {
        client->poll = report_poll;
    } else {
        http_say(client, MHD_HTTP_INTERNAL_SERVER_ERROR, strerror(errno));
    }
}
