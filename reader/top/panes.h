/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * panes.h - what "warpscope top" shows of a run, drawn on a canvas.
 */
#ifndef WARPSCOPE_READER_TOP_PANES_H
#define WARPSCOPE_READER_TOP_PANES_H

#include "findings/findings.h"
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

/* The choices of the user, see top_view_init(). */
struct top_view {
    enum top_page page, before_help;
    unsigned sort[TOP_PAGES]; /* by page: number of the column that sorts */
    bool reverse;
    bool paused;
    int64_t only_pe;  /* PE whose KPs and LPs are shown, -1: all */
    int64_t only_kp;  /* KP of it whose LPs are shown, -1: all */
    int64_t lp;       /* LP that is followed, -1: none */
    int64_t number;   /* number that is being typed, -1: none */
    size_t selected;  /* row of the table */
    size_t scroll;    /* first row that is shown */
    size_t page_rows; /* set by drawing: rows of the table that fit */
    size_t n_rows;    /* set by drawing: rows of the table */
    bool moved;       /* the user has moved the selection; reset by drawing */
    int64_t row_pe;   /* set by drawing: PE of the selected row, -1: none */
    int64_t row_id;   /* set by drawing: KP, LP or type of it, -1: none */
    /* Row to select at the next drawing, by the number of its PE, KP or LP; -1: as it is. */
    int64_t wanted_id;
    double interval;
    bool once; /* all is text: no keys, no selection */
};

void top_view_init(struct top_view *view);

void top_draw(struct top_canvas *canvas, const struct top_run *run, struct top_view *view);

/* The number of columns that can sort a page. */
unsigned top_sorts(enum top_page page);

/* Rates of the latest seconds, and the state in one word. */
void top_rates_now(const struct top_run *run, struct top_rates *rates);
const char *top_state_word(const struct top_run *run);
/* Returns true if the run was killed, and its files have been recovered. */
bool top_was_recovered(const struct top_run *run);
/* Prints "1 h 02 m", "2 m 05 s", "12.3 s". Returns to. */
#define TOP_DURATION_MAX 40
char *top_duration(char to[TOP_DURATION_MAX], double seconds);
/* Prints one unit: "62 m". */
char *top_duration_rough(char to[TOP_DURATION_MAX], double seconds);

/* Finds what costs the run most so far, the heaviest first. Returns the number. */
size_t top_findings(const struct top_run *run, struct ws_finding *list, size_t max);

/* ---- Inside panes only ----------------------------------------------------------------------- */

/* Screens of fewer rows do without the command line, pictures of the last minutes, and legends. */
#define TOP_ROWS_LOW 18

/* Draw the part of the screen from row y on; return the row behind it. */
void top_draw_title(struct top_canvas *canvas, const struct top_run *run,
                    const struct top_view *view);
int top_draw_head(struct top_canvas *canvas, const struct top_run *run,
                  const struct top_view *view);
int top_draw_table(struct top_canvas *canvas, int y, int rows, const struct top_run *run,
                   struct top_view *view, enum top_page page, bool is_main);
/* Draws the LP that is followed. */
int top_draw_lp(struct top_canvas *canvas, int y, const struct top_run *run,
                const struct top_view *view);
/* advice: with what to try, and as many lines as it takes; otherwise a line for each. */
int top_draw_findings(struct top_canvas *canvas, int y, int bottom, const struct top_run *run,
                      bool advice);
void top_draw_help(struct top_canvas *canvas, int y, const struct top_run *run);
/* Writes which options record what is missing; "" if nothing is. */
void top_missing(const struct top_run *run, char *to, size_t size);

#endif
