/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * serve.h - "warpscope serve": the state of running simulations by HTTP. One thread does all: it reads
 * new records (runs.c), answers requests (http.c, routes.c), and starts processes, for whose end it does
 * not wait: commands of the user (alerts.c), and other commands of this program (pass.c).
 *
 * The routes, of which all but the page's own parts need the token or the cookie:
 *
 *   GET  /  /live.js  /live.css  /d3.js    the page, without data
 *   POST /session                          body: the token; sets the cookie
 *   GET  /runs                             the list of runs as JSON
 *   GET  /state?run=N[&lp=L]               the state of run N as JSON, with details of LP L
 *   GET  /events?run=N                     a server-sent event with the state of run N after each refresh
 *   GET  /report?run=N                     the report of a run that has ended
 *   POST /control?run=N                    body: a request as for "warpscope ctl", a word in each line; the
 *                                          answer is {"done":true|false,"text":"..."}
 *   GET  /metrics                          OpenMetrics
 *
 * No text of a request becomes the name of a file: runs have numbers, in the order in which they were found.
 */
#ifndef WARPSCOPE_READER_SERVE_SERVE_H
#define WARPSCOPE_READER_SERVE_SERVE_H

#include <sys/types.h>

#include "cli/args.h"
#include "data/cell.h"
#include "figures/figures.h"
#include "top/panes.h"

#define SERVE_RUNS_MAX    64u
#define SERVE_REQUEST_MAX 4096u /* maximum number of bytes of a request to a run */
#define SERVE_COLUMNS     300   /* columns of heat maps and curves: the latest five minutes */

/* ---- Who may ask (guard.c) ------------------------------------------------------------------- */

/* Length of a secret: 128 random bits as hexadecimal digits. */
#define SERVE_SECRET 32u

/* Stores a new secret in `secret`. Returns false, and sets errno, if the system has no random numbers. */
bool serve_secret_make(char secret[SERVE_SECRET + 1]);
/* Returns true if `size` bytes are the secret. Takes the same time wherever they differ. */
bool serve_secret_is(const char *given, size_t size, const char *secret);
/* Reads a whole number from 0 to `max`; text NULL: `missing`. Returns false if it is none. */
bool serve_number_read(const char *text, uint64_t max, uint64_t missing, uint64_t *number);

/* ---- Alerts (alerts.c) ----------------------------------------------------------------------- */

enum serve_event {
    SERVE_STALLED,    /* no news comes, or GVT does not advance */
    SERVE_EFFICIENCY, /* the efficiency of the last seconds is below a bound */
    SERVE_ENDED,      /* the run is over */
    SERVE_FAILED      /* the run is over, and did not end as it should */
};
struct serve_alert {
    enum serve_event event;
    double below;        /* in per cent */
    const char *text;    /* the option: event, colon, command */
    const char *command; /* in text */
};
/* Reads EVENT:COMMAND. Returns false if it has another form. */
bool serve_alert_read(struct serve_alert *alert, const char *text);

/* ---- The state of a run (state.c, heat.c) ---------------------------------------------------- */

#define SERVE_SINCE (2 * WS_FINDINGS_MAX)

/* Since when a finding holds. Dates are seconds since 1970. */
struct serve_since {
    const char *rule;   /* NULL: the element is empty */
    uint64_t about;     /* a number for the rank, PE, KP and LP that it names */
    double since, seen; /* when it was first and last made */
    bool before; /* true if it was there when the run was first read: since is then that time */
};

/* Sums over the samples of a PE or KP in a second. */
#define SERVE_SUMS 8
struct serve_cell {
    uint32_t column; /* number of the second, from 1; another one: the cell is empty */
    float sums[SERVE_SUMS];
};
/* The samples of the latest minutes, by the second of the run in which they were taken. Zero-initialised:
 * empty. */
struct serve_heat {
    struct ws_places places;  /* rows of PEs, then of KPs */
    double opened;            /* top_run.opened of the files that it has the samples of */
    uint32_t latest;          /* number of the latest second; 0: none */
    unsigned known[2];        /* [is of KPs]: bits 1 << number of the sums that samples have */
    struct serve_cell *cells; /* owned; [row][column % SERVE_COLUMNS]; NULL: none yet */
};

/* Adds new records to heat maps (top_run.rows_seen). */
void serve_heat_add(void *heat, const struct top_run *run, const struct top_feed *feed,
                    const struct ws_live_rows *rows);
/* Writes them as the object "heat": all columns, or the latest ones. */
void serve_heat_json(struct json_writer *json, const struct serve_heat *heat, bool whole);
void serve_heat_free(struct serve_heat *heat);

/* ---- A run ----------------------------------------------------------------------------------- */

/* Other commands about a run: its report, the report of an LP's own fields as JSON, and a request. */
enum serve_kind { SERVE_REPORT, SERVE_LP, SERVE_CONTROL, SERVE_KINDS };
struct serve_made {
    bool is_wanted, is_made, is_good; /* the command is to start; it has ended; with status 0 */
    char *text;                       /* owned; its output; NULL: there is none */
    double due; /* time by date_clock() before which it does not start again */
};

struct serve_run {
    struct top_run top;
    char *found;     /* owned; path where the run was found; top.folder is that of its restart */
    bool is_operand; /* false: it was found in a directory of several */
    /* Times by date_clock() of the next refresh, and of the last state that was published. */
    double due, shown;
    bool is_settled;  /* true if all records that existed when the run was found have been read */
    bool was_over;    /* true if the run had ended before the server began */
    uint64_t version; /* number of refreshes after which the state may be another one */

    struct serve_heat heat;
    struct ws_finding findings[WS_FINDINGS_MAX];
    size_t n_findings;
    struct serve_since since[SERVE_SINCE];
    struct {
        bool holds; /* true if the command of alert i was started, and the event lasts */
        double at;  /* time by date_clock() when it was started; 0: never */
    } given[WS_PATHS_MAX];
    struct serve_made made[SERVE_KINDS];
    uint64_t lp;                         /* the chosen LP */
    char request[SERVE_REQUEST_MAX + 1]; /* the latest request, a word in each line */
};

struct serve {
    /* From the command line. */
    const char *const *operands;
    int n_operands;
    const char *address; /* numeric address that the server listens on */
    uint32_t port;       /* 0: a free one, until the server listens */
    bool control;
    double interval;
    struct serve_alert alerts[WS_PATHS_MAX];
    int n_alerts;
    char token[SERVE_SECRET + 1], cookie[SERVE_SECRET + 1];
    char host[300], local[32]; /* the values of Host that it accepts, once it listens */

    struct serve_run *runs[SERVE_RUNS_MAX]; /* owned */
    uint32_t n_runs, first;                 /* first: index of the run that is refreshed first */
    double searched, began; /* times by date_clock() of the last search for runs, and the start */
    struct {
        pid_t child; /* process of the command that runs now; 0: none */
        FILE *result;
        struct serve_run *run;
        double began;
    } pass[SERVE_KINDS];
};

/* Answers requests until a signal asks to end. Returns the exit status. */
int serve_run_server(struct serve *serve);

/* Looks for runs that are not listed yet. */
void serve_runs_find(struct serve *serve);
/* Reads new records of the runs that are due, for a tenth of a second at most. Returns the number of
 * seconds until the next run is due. */
double serve_runs_refresh(struct serve *serve);
void serve_runs_free(struct serve *serve);

/* The facts that the list of runs and commands get, and their names. */
#define SERVE_FACTS 11
#define SERVE_FACT_NAMES                                                                           \
    "directory|state|gvt|end_time|elapsed|events_committed|committed_per_second|efficiency|"       \
    "ranks|warning|command"
void serve_facts_find(struct doc_cell facts[SERVE_FACTS], const struct top_run *run);
/* Writes the list of runs as an array. */
void serve_list_json(struct json_writer *json, const char *key, const struct serve *serve);
/* Writes the states of all runs in the text format of OpenMetrics. */
void serve_metrics_write(FILE *out, const struct serve *serve);

/* Takes over the findings of a run, after each refresh: notes which are new, and which are over. now: in
 * seconds since 1970. */
void serve_state_take(struct serve_run *run, double now);
/* Writes the state of a run as members of the current JSON object. whole: all columns of heat maps;
 * otherwise the latest ones. with_lp: true to write what is known of the chosen LP. */
void serve_state_json(struct json_writer *json, struct serve_run *run, bool whole, bool with_lp);

/* Starts the commands of the alerts that a run gives since its last refresh: each when it begins to hold,
 * and at most once a minute. */
void serve_alerts_check(const struct serve *serve, struct serve_run *run);

/* Makes a process, of a group of its own, so that Ctrl-C does not reach it. Returns its id; -1, and sets
 * errno, on failure; in the new process 0. That has only its standard output and error, which both are
 * what the error of this process is, and `out` in place of the former unless it is negative. */
pid_t serve_fork(int out);
/* Takes the output of commands that have ended, and starts the next ones that are wanted. */
void serve_pass_tend(struct serve *serve);
/* Forgets the output of a kind of command about a run, and ends it. */
void serve_pass_forget(struct serve *serve, struct serve_run *run, enum serve_kind kind);

#endif
