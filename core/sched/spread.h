/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * spread.h - lets a rank near its limit of memory continue if its new events are spread over many
 * ranks.
 *
 * The space of a rank is the number of events that still fit into its memory. A share is a fraction
 * of the smallest space of any rank. Between two GVTs, a rank may send each other rank 1/n of a
 * share, where n is the number of ranks. It may keep one whole share for its own events. If its
 * events are spread over the ranks, it may thus create many more events than if all of them went to
 * one rank. The hindmost rank, for whose next event GVT waits, may send a whole share to each other
 * rank: there is only one hindmost rank.
 */
#ifndef WARPSCOPE_SCHED_SPREAD_H
#define WARPSCOPE_SCHED_SPREAD_H

#include "engine/pe/pe.h"

struct spread {
    /* [i]: number of messages sent until the last GVT to element i of the list transport_peers(),
     * which then had n_before elements. */
    uint64_t *sent_before;
    size_t n_before, capacity;
    uint64_t kept_before; /* number of events in use on this rank at the last GVT */
    uint64_t kept_most;   /* maximum increase of the number of events in use until the next GVT */
    uint64_t sent_most;   /* maximum number of messages to each rank until the next GVT */
    /* Largest bursts so far, each caused by a single event: number of events added on this rank
     * (burst_kept), and number of events sent to one other rank (burst_sent). */
    uint64_t burst_kept;
    uint64_t burst_sent;
};

void spread_init(struct spread *s);
void spread_fini(struct spread *s);
/* Computes kept_most and sent_most. Called after each GVT. */
void spread_renew(struct spread *s, const struct pe *pe);
/* Returns true if the shares have space for an event with the largest bursts so far. Takes time
 * proportional to the number of ranks to which this rank has sent messages, so call it after a
 * simpler test has failed. */
bool spread_allows(const struct spread *s, const struct pe *pe, bool is_hindmost);
/* Returns true if the hindmost rank may execute its next event as a trial: the event will probably
 * cause only small bursts, although large bursts have occurred. */
bool spread_lets_try(const struct spread *s, const struct pe *pe);
/* Values before or after the execution of a single event near the limit of memory. */
struct spread_mark {
    uint64_t kept;
    /* number of messages sent since the last GVT to the rank that was sent the most */
    uint64_t sent;
};
struct spread_mark spread_mark(const struct spread *s, const struct pe *pe);
void spread_note(struct spread *s, const struct pe *pe, struct spread_mark before);

#endif
