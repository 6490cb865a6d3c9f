/*
 * progress.h - says on stderr how far a run has come. Rank 0 only; nothing here communicates.
 *
 *     phold   45.3%  GVT 453.1  4.21M ev/s  eff 98.52%  ETA 0:12
 *
 * On a terminal that is one line, rewritten in place and gone when the run is over. Elsewhere (also
 * under most MPI launchers, which hand stderr on through a pipe) plain lines at growing intervals,
 * so that a short run prints nothing and a long one does not fill its log. The shares of end time,
 * events and efficiency are as in the report (report.h); the event rate and the rate of GVT behind
 * the ETA are smoothed over the recent past.
 *
 * Invariants
 *  P1  No line is longer than the terminal is wide less one column (elsewhere: 79 columns), and
 * none holds half a figure: what does not fit is left out from the right. P2  Whatever GVT, end
 * time and clock do (stand still, jump, run backwards, be infinite or NaN), the line is
 * well-formed; what cannot be known shows as dashes. P3  After progress_hide() or progress_done()
 * the cursor is at the start of an empty line.
 */
#ifndef WARPSCOPE_BASE_PROGRESS_H
#define WARPSCOPE_BASE_PROGRESS_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

/* Zero means the default, in each member. */
struct progress_options {
    bool quiet;               /* print nothing at all */
    const char *name;         /* start of the line, kept by reference; default "progress" */
    double interval_seconds;  /* of wall clock between lines; default 0.25 on a terminal, else after
                               * 2, 4, 8, 16, 32 and from then on every 30 */
    double interval_fraction; /* not on a terminal: a line whenever GVT has passed another such
                               * fraction of the end time (--report-interval), instead of every so
                               * many seconds */
    unsigned columns;         /* width of the terminal; default: ask it, 80 if it does not know */
};

/* A smoothed rate: exponentially weighted over some seconds of wall clock. */
struct progress_rate {
    double value;
    bool known;
};

/* What progress_update() was told. */
struct progress_sample {
    double wall_seconds;
    double gvt;
    uint64_t net_events;
    uint64_t processed;
};

/* All members private but for progress_update(). */
struct progress {
    FILE *err;
    const char *name;
    bool tty;
    unsigned columns;       /* 0: ask the terminal */
    unsigned shown_columns; /* of the line on the terminal now */
    double end_time;
    double interval_seconds; /* 0: growing */
    double interval_fraction;
    double next_wall_seconds; /* a line is due from then on; NaN: never */
    double next_gvt;          /* or from there on; NaN: never */
    struct progress_sample last;
    struct progress_rate fraction_rate; /* 1/s */
    struct progress_rate event_rate;    /* 1/s */
};

/*
 * Starts; wall clock 0 is now. err stays the caller's and should be unbuffered or line-buffered;
 * tty says whether it is a terminal that understands \r. end_time is in virtual time, DBL_MAX or
 * infinite for none. options may be NULL.
 */
void progress_init(struct progress *progress, FILE *err, bool tty, double end_time,
                   const struct progress_options *options);

/* The rest of progress_update(). */
void progress_show(struct progress *progress, const struct progress_sample *sample);

/*
 * To be called after each GVT: seconds of wall clock since the start, GVT, net and forward-executed
 * events so far, both over all ranks. Two comparisons unless a line is due.
 */
static inline void progress_update(struct progress *progress, double wall_seconds, double gvt,
                                   uint64_t net_events, uint64_t processed)
{
    if (wall_seconds >= progress->next_wall_seconds || gvt >= progress->next_gvt) {
        progress_show(progress,
                      &(struct progress_sample){wall_seconds, gvt, net_events, processed});
    }
}

/* Takes the line off the terminal, for others to print; the next update brings it back. */
void progress_hide(struct progress *progress);

/* The run is over: takes the line off the terminal, and nothing is shown from now on. */
void progress_done(struct progress *progress);

#endif
