/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * batches.c - the counts of an LP, separate for each batch. A batch is a period of virtual time.
 * Batch 0 is the warm-up; the other batches have equal lengths.
 *
 * The integrals over time are updated whenever a value changes. If an LP was idle, several batches
 * can end between two updates.
 *
 * Invariants:
 * 1. All members of the batches after the current one are zero.
 * 2. Undo restores every byte: it restores sums of doubles from saved values, not by subtraction.
 *
 * Cost: O(1 + number of batches that ended since the last update) per update.
 */
#include "batches.h"

#include <assert.h>

static void integrate(struct qn_batch *b, double time, uint64_t jobs, uint64_t busy)
{
    b->jobs_time += (double)jobs * time;
    b->busy_time += (double)busy * time;
}

void qn_batches_advance(struct qn_batch *batches, double *last, uint32_t *batch,
                        const struct qn_window *w, double now, uint64_t jobs, uint64_t busy,
                        struct qn_advance_undo *undo)
{
    assert(now >= *last && *batch <= w->n);
    *undo = (struct qn_advance_undo){*last, batches[*batch].jobs_time, batches[*batch].busy_time,
                                     *batch};
    while (*batch < w->n && now >= qn_batch_end(w, *batch)) {
        integrate(&batches[*batch], qn_batch_end(w, *batch) - *last, jobs, busy);
        *last = qn_batch_end(w, *batch);
        (*batch)++;
    }
    integrate(&batches[*batch], now - *last, jobs, busy);
    *last = now;
}

void qn_batches_advance_undo(struct qn_batch *batches, double *last, uint32_t *batch,
                             struct qn_advance_undo *undo)
{
    assert(*batch >= undo->batch && *last >= undo->last);
    for (; *batch > undo->batch; (*batch)--) {
        batches[*batch].jobs_time = 0;
        batches[*batch].busy_time = 0;
    }
    batches[*batch].jobs_time = undo->jobs_time;
    batches[*batch].busy_time = undo->busy_time;
    *last = undo->last;
    *undo = (struct qn_advance_undo){0, 0, 0, 0};
}

void qn_batch_add(struct qn_batch *a, const struct qn_batch *b)
{
    a->jobs_time += b->jobs_time;
    a->busy_time += b->busy_time;
    a->response_sum += b->response_sum;
    a->trip_time_sum += b->trip_time_sum;
    a->arrivals += b->arrivals;
    a->waits += b->waits;
    a->departures += b->departures;
    a->trips += b->trips;
}
