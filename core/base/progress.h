/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * progress.h - prints the progress of a run on stderr. For rank 0; these functions do not
 * communicate.
 *
 *     phold   45.3%  GVT 453.1  4.21M ev/s  eff 98.52%  ETA 0:12
 *
 * On a terminal the line is rewritten in place and removed at the end of the run. Elsewhere (also
 * under most MPI launchers, which forward stderr through a pipe) complete lines appear at growing
 * intervals: a short run prints nothing, and a long one does not fill its log. The shares of end
 * time, events and efficiency are as in the report (report.h). The event rate, and the rate of GVT
 * behind the ETA, are smoothed over the recent past.
 *
 * Invariants
 *  P1  No line is longer than the width of the terminal minus one column (elsewhere: 79 columns).
 *      Fields that do not fit are omitted from the right; fields are never cut.
 *  P2  The line is well-formed for any behaviour of GVT, end time and clock (standing still,
 *      jumping, running backwards, infinite, NaN). Unknown values appear as dashes.
 *  P3  After progress_hide() or progress_done() the cursor is at the start of an empty line.
 */
#ifndef WARPSCOPE_BASE_PROGRESS_H
#define WARPSCOPE_BASE_PROGRESS_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

/* Options of the progress display. Zero selects the default of a member. */
struct progress_options {
    bool quiet;       /* true: no progress is printed */
    const char *name; /* prefix of the line, not copied; default "progress" */
    /* wall-clock seconds between lines; default 0.25 on a terminal, otherwise lines after 2, 4, 8,
     * 16, 32 s and then every 30 s. */
    double interval_seconds;
    /* Share of the end time between lines, if not on a terminal (--report-interval); replaces the
     * interval in seconds. */
    double interval_fraction;
    /* Width of the terminal in columns; default: as the terminal reports, 80 if unknown. */
    unsigned columns;
};

/* A rate, exponentially smoothed over some seconds of wall-clock time. */
struct progress_rate {
    double value;
    bool known;
};

/* Values passed to progress_update(). */
struct progress_sample {
    double wall_seconds;
    double gvt;
    uint64_t net_events;
    uint64_t processed;
};

/* State of the progress line. Private to progress.c and progress_update(). */
struct progress {
    FILE *err;
    const char *name;
    bool tty;
    unsigned columns;       /* width of the terminal; 0: the terminal is queried */
    unsigned shown_columns; /* width of the line that the terminal shows now */
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

/* Starts the output; wall-clock time 0 is now. The caller owns err, which should be unbuffered or
 * line-buffered. tty: true if err is a terminal that supports \r. end_time: virtual time; DBL_MAX
 * or infinite: none. options may be NULL. */
void progress_init(struct progress *progress, FILE *err, bool tty, double end_time,
                   const struct progress_options *options);

/* Slow path of progress_update(). */
void progress_show(struct progress *progress, const struct progress_sample *sample);

/* Prints a line if one is due. Call it after each GVT with seconds of wall-clock time since the
 * start, GVT, and net and forward-executed events so far over all ranks. Costs two comparisons if
 * no line is due. */
static inline void progress_update(struct progress *progress, double wall_seconds, double gvt,
                                   uint64_t net_events, uint64_t processed)
{
    if (wall_seconds >= progress->next_wall_seconds || gvt >= progress->next_gvt) {
        progress_show(progress,
                      &(struct progress_sample){wall_seconds, gvt, net_events, processed});
    }
}

/* Removes the line from the terminal for other output. The next update restores it. */
void progress_hide(struct progress *progress);

/* Ends the output at the end of the run and removes the line. */
void progress_done(struct progress *progress);

#endif
