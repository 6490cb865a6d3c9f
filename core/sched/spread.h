/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * spread.h - may a rank that is near its limit of memory go on, because what it makes goes to many?
 *
 * Each rank may send every other one, between two GVTs, a part of the room that the rank with the
 * least of it has, divided by the number of ranks; and keep as large a part itself as all others
 * together may send it. Where events are spread over the ranks, much more may be made than if all
 * of them might go to one. The hindmost rank, whose next event GVT waits for, may send each other
 * one as much as all the rest together: there is only one such rank.
 */
#ifndef WARPSCOPE_SCHED_SPREAD_H
#define WARPSCOPE_SCHED_SPREAD_H

#include "engine/pe.h"

struct spread {
    uint64_t *sent_before; /* [n_ranks] messages to each when the last GVT was known */
    uint64_t kept_before;  /* events in use here then */
    uint64_t kept_most;    /* more of them than then */
    uint64_t sent_most;    /* more messages to each than then */
    uint64_t burst_kept;   /* the most of both that one event has made, as far as seen */
    uint64_t burst_sent;
};

void spread_init(struct spread *s, const struct pe *pe);
void spread_fini(struct spread *s);
/* After each GVT. */
void spread_renew(struct spread *s, const struct pe *pe);
/* May an event be executed that makes as much as any has so far? Takes time: for when a simpler
 * test says no. */
bool spread_allows(const struct spread *s, const struct pe *pe, bool is_hindmost);
/* May the hindmost rank execute an event that probably makes little, though some have made much? */
bool spread_lets_try(const struct spread *s, const struct pe *pe);
/* What stands before an event is executed alone, and after it. */
struct spread_mark {
    uint64_t kept;
    uint64_t sent; /* to the rank that has been sent most */
};
struct spread_mark spread_mark(const struct spread *s, const struct pe *pe);
void spread_note(struct spread *s, const struct pe *pe, struct spread_mark before);

#endif
