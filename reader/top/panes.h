/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * panes.h - the panes of the screen of "warpscope top", drawn on a canvas.
 */
#ifndef WARPSCOPE_READER_TOP_PANES_H
#define WARPSCOPE_READER_TOP_PANES_H

#include "findings/findings.h"
#include "render/text.h"
#include "top/canvas.h"
#include "top/run.h"

enum top_page {
    TOP_OVERVIEW,
    TOP_PES,
    TOP_KPS,
    TOP_LPS,
    TOP_TYPES,
    TOP_FINDINGS,
    TOP_HELP,
    TOP_PAGES
};

/* The choices of the user; top_view_init() sets the defaults. */
struct top_view {
    enum top_page page, before_help;
    unsigned sort[TOP_PAGES]; /* [page]: index of the column by which it is sorted */
    bool reverse;
    bool paused;
    int64_t only_pe;     /* PE whose KPs and LPs are shown; -1: all */
    int64_t only_kp;     /* KP of PE only_pe whose LPs are shown; -1: all */
    uint64_t lp;         /* LP that the user follows; UINT64_MAX: none */
    int64_t number;      /* number that the user is typing; -1: none */
    size_t selected;     /* index of the selected row of the table */
    size_t scroll;       /* index of the first row that is shown */
    size_t page_rows;    /* set by drawing: number of rows of the table that fit */
    size_t n_rows;       /* set by drawing: number of rows of the table */
    bool moved;          /* true if the user has moved the selection; reset by drawing */
    bool has_row;        /* set by drawing: true if a row is selected */
    struct top_part row; /* set by drawing: the selected row, if there is one */
    /* Number of the PE, KP or LP whose row the next drawing selects; -1: the selection stays. */
    int64_t wanted;
    double interval; /* time between refreshes in seconds */
    bool once;       /* true for one text output, without keys and selection */
};

void top_view_init(struct top_view *view);

void top_draw(struct top_canvas *canvas, const struct top_run *run, struct top_view *view);

/* Returns the number of columns by which a page can be sorted. */
unsigned top_sorts(enum top_page page);

/* A row of a table. key: its sort key; part: borrowed from the model. */
struct top_row {
    double key;
    const struct top_part *part;
};
/* Returns the *n rows of the table on a page, sorted by the column that the user has chosen. The caller
 * frees them. */
struct top_row *top_rows_find(const struct top_model *model, const struct top_view *view,
                              enum top_page page, size_t *n);

/* Computes the rates over the latest ten seconds; NaN: unknown. */
void top_rates_now(const struct top_run *run, struct top_rates *rates);
/* The rates that are known, as texts such as "12.5 GVT/s". */
#define TOP_HEADLINE_MAX 4u
struct top_headline {
    char texts[TOP_HEADLINE_MAX][48];
    unsigned n;
    char span[WS_COUNT_MAX]; /* the time over which they are means */
    bool is_poor;            /* true if the second one is a low efficiency */
};
void top_headline_find(const struct top_run *run, struct top_headline *headline);
/* Estimates when the run ends. Returns false if no estimate is possible. */
bool top_eta_now(const struct top_run *run, struct top_eta *eta);
/* Returns the estimate as text, such as "ends in 2 m 05 s"; NULL: there is none. spread: true to add its
 * range. */
#define TOP_ETA_MAX 160
const char *top_eta_text(const struct top_run *run, bool spread, char to[TOP_ETA_MAX]);
const char *top_state_word(const struct top_run *run);
/* Returns true if the run was killed, and its files have been recovered. */
bool top_was_recovered(const struct top_run *run);
/* Writes a duration to `to`, such as "1 h 02 m", "2 m 05 s" or "12.3 s". Returns `to`. */
#define TOP_DURATION_MAX 40
char *top_duration(char to[TOP_DURATION_MAX], double seconds);
/* Writes the local time of day to `to`, such as "12:00:00". Returns `to`. */
const char *top_clock_text(char to[TOP_DURATION_MAX]);
/* Like top_duration(), but rounded to one unit, such as "62 m". */
char *top_duration_rough(char to[TOP_DURATION_MAX], double seconds);

/* Stores the greatest costs of the run so far in list, in descending order, but at most max.
 * Returns their number. */
size_t top_findings(const struct top_run *run, struct ws_finding *list, size_t max);

/* Prints the state of the run as one line of text. */
void top_line_print(FILE *out, const struct top_run *run);
/* Writes the place and the counts of a KP or LP as members of the current JSON object. */
void top_counts_json(struct json_writer *json, const struct top_model *model, enum top_entity of,
                     const struct top_part *part);
/* Writes the state of the run as members of the current JSON object, but for the findings. */
void top_members_json(struct json_writer *json, const struct top_run *run);
/* Prints the state of the run as one JSON document in one line. */
void top_json_print(FILE *out, const struct top_run *run);
/* Prints how the run ended, and its counters. Prints nothing if the run has not ended, or if its
 * files are damaged. */
void top_end_print(FILE *out, const struct top_run *run);

/* Shows the run on the full screen, until it ends, the user quits, or `count` refreshes are done (0: no
 * limit). wait: true to wait for a run if there is none. Returns false if the terminal cannot be used;
 * *why is then the reason, as the end of a sentence. */
#define TOP_INTERVAL_MIN 0.1
bool top_full_screen(struct top_run *run, struct top_view *view, bool wait, uint64_t count,
                     const char **why);

/* ---- Inside panes only ----------------------------------------------------------------------- */

/* On screens with fewer rows, the command line, the charts of the latest minutes, and the legends
 * are omitted. */
#define TOP_ROWS_LOW 18

/* The following functions draw parts of the screen: from row y on or, if they have no such
 * parameter, from the top. Those with a result return the row after their part. is_main: true for
 * the table in which the user selects rows. */
void top_draw_title(struct top_canvas *canvas, const struct top_run *run,
                    const struct top_view *view);
int top_draw_head(struct top_canvas *canvas, const struct top_run *run,
                  const struct top_view *view);
int top_draw_table(struct top_canvas *canvas, int y, int rows, const struct top_run *run,
                   struct top_view *view, enum top_page page, bool is_main);
/* Draws a bar that is divided among the phases of a PE, with the letter of each phase. */
void top_draw_phases(struct top_canvas *canvas, int y, int x, int width, const struct top_pe *pe);
/* Draws the letters and words of all phases, unless their times are not recorded or the screen is low. */
int top_draw_legend(struct top_canvas *canvas, int y, const struct top_run *run);
/* Draws one line about the PEs that stand out, for screens with fewer rows than PEs. */
int top_draw_extremes(struct top_canvas *canvas, int y, const struct top_run *run);
/* Writes to `to` the options that would record missing data; "" if nothing is missing. */
void top_missing(const struct top_run *run, char *to, size_t size);

#endif
