/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * batches.h - the counts of an LP, separate for each batch. A batch is a period of virtual time.
 * Batch 0 is the warm-up; the other batches have equal lengths.
 */
#ifndef QNET_BATCHES_H
#define QNET_BATCHES_H

#include <stdbool.h>
#include <stdint.h>

/* Division of the virtual time into warm-up and batches. The members are constant during the
 * run. */
struct qn_window {
    double from; /* virtual time of the end of the warm-up */
    double to;   /* virtual time of the end of the simulation */
    unsigned n;  /* number of batches after the warm-up */
};

/* Counts of one batch. All members are zero before the batch begins. The struct takes 64 bytes. */
struct qn_batch {
    double jobs_time;     /* integral over virtual time of the number of jobs at the station */
    double busy_time;     /* integral over virtual time of the number of busy servers */
    double response_sum;  /* sum of the response times of the jobs that departed */
    double trip_time_sum; /* sum of the durations of the trips that ended at this LP */
    uint64_t arrivals;
    uint64_t waits; /* number of arrivals at a time when all servers were busy */
    uint64_t departures;
    uint64_t trips;
};

/* Returns the virtual time at which batch b ends. */
static inline double qn_batch_end(const struct qn_window *w, unsigned b)
{
    return b == w->n ? w->to : w->from + b * ((w->to - w->from) / w->n);
}

/* Old values with which qn_batches_advance_undo() undoes a call of qn_batches_advance(). All values
 * are zero if unused. */
struct qn_advance_undo {
    double last;
    double jobs_time;
    double busy_time;
    uint64_t batch;
};

/*
 * Updates the integrals over virtual time to the time `now`, and stores the old values in *undo.
 * jobs: number of jobs present since the last update; busy: number of servers that have been busy
 * since then. batches: the w->n + 1 batches of the LP. *last: virtual time of the last update;
 * *batch: index of the current batch. The function updates *last and *batch.
 */
void qn_batches_advance(struct qn_batch *batches, double *last, uint32_t *batch,
                        const struct qn_window *w, double now, uint64_t jobs, uint64_t busy,
                        struct qn_advance_undo *undo);

/* Undoes the latest call of qn_batches_advance() exactly, and clears *undo. The caller must first
 * undo its additions to counts and sums after that call. */
void qn_batches_advance_undo(struct qn_batch *batches, double *last, uint32_t *batch,
                             struct qn_advance_undo *undo);

/* Adds the counts of b to those of a. */
void qn_batch_add(struct qn_batch *a, const struct qn_batch *b);

#endif
