/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * progress.h - prints the progress of a run on stderr. For rank 0; the functions do not
 * communicate with other ranks.
 *
 *     phold   45.3%  GVT 453.1  4.21M ev/s  eff 98.52%  ETA 0:12
 *
 * On a terminal the line is rewritten in place, and removed at the end of the run. Elsewhere
 * complete lines appear at growing intervals: a short run prints nothing, and a long run does not
 * fill its log. Most MPI launchers forward stderr through a pipe, so complete lines appear under
 * them as well. The share of the end time, the events and the efficiency are defined as in the
 * report (report.h). The event rate is smoothed over the recent past, and so is the rate of GVT
 * from which the ETA is computed.
 *
 * Invariants
 *  P1  No line is longer than the width of the terminal minus one column (elsewhere: 79 columns).
 *      Fields that do not fit are omitted from the right; fields are never cut.
 *  P2  The line is well-formed for any behaviour of GVT, end time and clock (standing still,
 *      jumping, running backwards, infinite, NaN). Dashes represent unknown values.
 *  P3  After progress_hide() or progress_done() the cursor is at the start of an empty line.
 */
#ifndef WARPSCOPE_BASE_PROGRESS_H
#define WARPSCOPE_BASE_PROGRESS_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

/* Options of the progress display. A member that is 0 or NULL has its default value. */
struct progress_options {
    bool quiet;       /* true: no progress is printed */
    const char *name; /* prefix of the line, not copied; default "progress" */
    /* Seconds of wall-clock time between lines. Default: 0.25 on a terminal; elsewhere lines appear
     * after 2, 4, 8, 16, 32 s and then every 30 s. */
    double interval_seconds;
    /* Interval between lines as a share of the end time (--report-interval). Replaces
     * interval_seconds, except on a terminal. */
    double interval_fraction;
    /* Width of the terminal in columns. Default: as the terminal reports, or 80 if unknown. */
    unsigned columns;
};

/* A rate per second of wall-clock time, exponentially smoothed over a few seconds. */
struct progress_rate {
    double value;
    bool known; /* false until the first sample */
};

/* Arguments of a call of progress_update(). */
struct progress_sample {
    double wall_seconds;
    double gvt;
    uint64_t net_events;
    uint64_t processed;
};

/* State of the progress line. Only progress.c and progress_update() use its members. */
struct progress {
    FILE *err;
    const char *name;
    bool tty;
    unsigned columns;       /* width of the terminal in columns; 0: queried for each line */
    unsigned shown_columns; /* width of the line that the terminal now shows, in columns */
    double end_time;
    double interval_seconds; /* seconds between lines; 0: growing intervals */
    double interval_fraction;
    /* Seconds of wall-clock time at which the next line is due; NaN: never. */
    double next_wall_seconds;
    double next_gvt; /* GVT at which the next line is due; NaN: never */
    struct progress_sample last;
    struct progress_rate fraction_rate; /* progress per second, as a share of the end time */
    struct progress_rate event_rate;    /* events per second */
};

/* Starts the output; the wall-clock time is 0 at this call. The caller owns err, which should be
 * unbuffered or line-buffered. tty: true if err is a terminal, on which a carriage return works.
 * end_time: in virtual time; DBL_MAX or infinite: none. options NULL: all defaults. */
void progress_init(struct progress *progress, FILE *err, bool tty, double end_time,
                   const struct progress_options *options);

/* Prints a line and determines when the next one is due. Called by progress_update(). */
void progress_show(struct progress *progress, const struct progress_sample *sample);

/* Prints a line if one is due. Call it after each GVT computation. wall_seconds: time since
 * progress_init(). net_events, processed: numbers of net events and of forward executions so far,
 * over all ranks. Costs two comparisons if no line is due. */
static inline void progress_update(struct progress *progress, double wall_seconds, double gvt,
                                   uint64_t net_events, uint64_t processed)
{
    if (wall_seconds >= progress->next_wall_seconds || gvt >= progress->next_gvt) {
        progress_show(progress,
                      &(struct progress_sample){wall_seconds, gvt, net_events, processed});
    }
}

/* Removes the line from the terminal, so that other output can follow. The next line appears when
 * it is due. */
void progress_hide(struct progress *progress);

/* Ends the output at the end of the run, and removes the line from a terminal. */
void progress_done(struct progress *progress);

#endif
