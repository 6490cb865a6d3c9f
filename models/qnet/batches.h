/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * batches.h - the counts of an LP: in the warm-up (batch 0), then in batches of equal length.
 */
#ifndef QNET_BATCHES_H
#define QNET_BATCHES_H

#include <stdbool.h>
#include <stdint.h>

/* The division of the time of the statistics. Read-only. */
struct qn_window {
    double from; /* end of the warm-up */
    double to;   /* end of the simulation */
    unsigned n;  /* number of batches */
};

/* The counts of one batch. All zero before it begins. 8 * 8 bytes. */
struct qn_batch {
    double jobs_time;     /* integral of the number of jobs at the station */
    double busy_time;     /* integral of the number of busy servers */
    double response_sum;  /* of departed jobs */
    double trip_time_sum; /* of the trips that ended here */
    uint64_t arrivals;
    uint64_t waits; /* arrivals that found all servers busy */
    uint64_t departures;
    uint64_t trips;
};

/* Returns the end of batch number b. */
static inline double qn_batch_end(const struct qn_window *w, unsigned b)
{
    return b == w->n ? w->to : w->from + b * ((w->to - w->from) / w->n);
}

/* Values that undo an advance. All zero if unused. */
struct qn_advance_undo {
    double last;
    double jobs_time;
    double busy_time;
    uint64_t batch;
};

/*
 * Updates the integrals to time now with jobs present and busy servers. batches[0 .. w->n] belong
 * to the LP; *last and *batch are its position in time.
 */
void qn_batches_advance(struct qn_batch *batches, double *last, uint32_t *batch,
                        const struct qn_window *w, double now, uint64_t jobs, uint64_t busy,
                        struct qn_advance_undo *undo);

/* Undoes the last advance exactly and clears undo. Counts and sums added after that advance must be
 * undone before. */
void qn_batches_advance_undo(struct qn_batch *batches, double *last, uint32_t *batch,
                             struct qn_advance_undo *undo);

/* Adds the counts of b to a. */
void qn_batch_add(struct qn_batch *a, const struct qn_batch *b);

#endif
