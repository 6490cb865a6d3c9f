/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * serve.h - "warpscope serve": the state of running simulations by HTTP. One thread does all: it reads
 * new records (runs.c), answers requests (server.c), and starts commands (alerts.c). None of these waits.
 *
 * The routes, of which all but the page's own parts need the token or the cookie:
 *
 *   GET  /  /live.js  /live.css  /d3.js    the page, without data
 *   POST /session                          body: the token; sets the cookie
 *   GET  /runs                             the list of runs as JSON
 *   GET  /state?run=N[&lp=L]               the state of run N as JSON, with details of LP L
 *   GET  /events[?run=N]                   server-sent events: "runs" with the list whenever it has changed,
 *                                          "state" with the state of run N after each refresh
 *   GET  /report?run=N                     the report of a run that has ended
 *   POST /control?run=N                    body: a request as for "warpscope ctl", a word in each line; the
 *                                          answer is {"done":true|false,"text":"..."}
 *   GET  /metrics                          OpenMetrics
 *
 * No text of a request becomes the name of a file: runs have numbers, in the order in which they were found.
 */
#ifndef WARPSCOPE_READER_SERVE_SERVE_H
#define WARPSCOPE_READER_SERVE_SERVE_H

#include "cli/args.h"
#include "serve/guard.h"
#include "serve/state.h"
#include "text/json.h"
#include "top/panes.h"

#define SERVE_RUNS_MAX 64u

/* A text that several connections send. */
struct serve_text {
    unsigned users; /* the text is freed with its last user */
    char *bytes;    /* owned */
    size_t size;
};
/* Returns a text with one user; NULL if memory is exhausted. Takes ownership of bytes, from malloc(). */
struct serve_text *serve_text_make(char *bytes, size_t size);
void serve_text_drop(struct serve_text *text); /* does nothing if text is NULL */

struct serve_run {
    struct top_run top;
    char *found;     /* owned; path where the run was found; top.folder is that of its restart */
    bool is_operand; /* false: it was found in a directory of several */
    /* Times by date_clock() of the next refresh, and of the last state while records were being read that
     * existed before. */
    double due, shown;
    bool is_settled;  /* true if all records that existed when the run was found have been read */
    uint64_t version; /* number of refreshes after which the state may be another one */
    /* Owned; the event that has the state of version `text_version`; NULL: none was wanted. */
    struct serve_text *text;
    uint64_t text_version;
    struct serve_live live;
    uint32_t alerted;              /* bit i: alert i has been given, and still holds */
    double alert_at[WS_PATHS_MAX]; /* [i]: time by date_clock() when alert i was given; 0: never */
    bool was_over;                 /* true if the run had ended before the server began */
};

struct serve {
    /* From the command line. */
    const char *const *operands;
    int n_operands;
    const char *address; /* numeric address that the server listens on */
    uint32_t port;       /* 0: a free one */
    bool has_port;       /* true: no other port will do */
    bool control;
    double interval;
    struct serve_alerts *alerts; /* borrowed */
    char token[SERVE_SECRET + 1], cookie[SERVE_SECRET + 1];
    /* Called once the server listens, to tell the user where. Returns false if this fails. */
    bool (*ready)(const struct serve *serve);

    struct serve_run *runs[SERVE_RUNS_MAX]; /* owned */
    uint32_t n_runs, first;                 /* first: index of the run that is refreshed first */
    struct serve_passes passes;
    double searched,
        began; /* times by date_clock() of the last search for runs, and of the start */
    struct serve_text *list; /* owned; the event that has the list of runs */
    uint64_t list_version;
};

/* Answers requests until a signal asks to end. Returns the exit status. */
int serve_run_server(struct serve *serve);

/* Starts a program without standard input, and in a process group of its own, so that Ctrl-C does not reach
 * it. out: descriptor for its standard output; -1: it goes to standard error. Returns its process id, for
 * waitpid(); -1, and sets errno, on failure. */
pid_t serve_spawn(const char *path, char *const argv[], int out);

/* ---- The runs -------------------------------------------------------------------------------- */

/* Looks for runs that are not listed yet. */
void serve_runs_find(struct serve *serve);
/* Reads new records of the runs that are due, for a tenth of a second at most. Returns the number of
 * seconds until the next run is due. */
double serve_runs_refresh(struct serve *serve);
void serve_runs_free(struct serve *serve);
/* Writes the list of runs as an array. */
void serve_list_json(struct json_writer *json, const struct serve *serve);
/* Returns the event with the latest state of a run, or the list of runs; NULL if memory is exhausted. */
struct serve_text *serve_run_event(struct serve_run *run);
/* Makes the event with the list anew. Returns true if it has changed. */
bool serve_list_event(struct serve *serve);

/* Writes the states of all runs in the text format of OpenMetrics. */
void serve_metrics_write(FILE *out, const struct serve *serve);

#endif
