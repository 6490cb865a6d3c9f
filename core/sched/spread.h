/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * spread.h - lets a rank near its limit of memory continue if its new events are spread over many
 * ranks.
 *
 * The space of a rank is the number of events that still fit into its memory. A share is a fraction
 * of the least space of any rank. Between two GVTs, a rank may send every other rank one share
 * divided by the number of ranks, and may keep one share of events itself. If its events are spread
 * over the ranks, it may thus create many more than if all went to one rank. The hindmost rank, for
 * whose next event GVT waits, may send a whole share to each other rank: there is only one such
 * rank.
 */
#ifndef WARPSCOPE_SCHED_SPREAD_H
#define WARPSCOPE_SCHED_SPREAD_H

#include "engine/pe/pe.h"

struct spread {
    /* Number of messages, at the last GVT, to each of the first n_before ranks of
     * transport_peers(). The others had received none. */
    uint64_t *sent_before;
    size_t n_before, capacity;
    uint64_t kept_before; /* number of events in use on this rank at the last GVT */
    uint64_t kept_most;   /* most events by which the number in use may grow until the next GVT */
    uint64_t sent_most;   /* most messages to each rank until the next GVT */
    /* Most events that a single event has added on this rank (kept), and has sent to one other rank
     * (sent): the largest bursts so far. */
    uint64_t burst_kept;
    uint64_t burst_sent;
};

void spread_init(struct spread *s);
void spread_fini(struct spread *s);
/* Computes the bounds until the next GVT. Called after each GVT. */
void spread_renew(struct spread *s, const struct pe *pe);
/* Returns true if the share has space for an event with the largest bursts so far. The cost is
 * linear in the number of ranks that this rank has sent messages to, so call it after a simpler test has failed. */
bool spread_allows(const struct spread *s, const struct pe *pe, bool is_hindmost);
/* Returns true if the hindmost rank may execute its next event as a trial: its bursts are probably
 * small, although large ones have occurred. */
bool spread_lets_try(const struct spread *s, const struct pe *pe);
/* Counts of events before or after an event that is executed alone. */
struct spread_mark {
    uint64_t kept;
    uint64_t sent; /* number of messages to the rank that was sent the most */
};
struct spread_mark spread_mark(const struct spread *s, const struct pe *pe);
void spread_note(struct spread *s, const struct pe *pe, struct spread_mark before);

#endif
