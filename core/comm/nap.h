/*
 * nap.h - how a rank with nothing to do waits where the node has fewer processors than ranks.
 *
 * Ranks that share memory sleep on a word of their board. The last voter of a reduction wakes all
 * of them; a sender wakes the receiver when fewer ranks are awake than there are processors, else
 * it would only take one from a rank that has work. A rank first says that it is about to sleep,
 * then looks once more at all that it may wait for, and sleeps then, unless it has been woken
 * meanwhile; so nothing is missed. It wakes by itself after a while, since some things come
 * unannounced: signals, errors of other ranks, the clock. Ranks that vote by MPI sleep by the clock
 * alone.
 */
#ifndef WARPSCOPE_COMM_NAP_H
#define WARPSCOPE_COMM_NAP_H

#include "comm/comm.h"

/* Called again and again while there is nothing to do, between two looks at all that may come;
 * tries: how often in a row, from 0 on. mine, first: the boards of the caller and of rank 0; NULL:
 * there are none. */
void nap_take(struct comm_board *mine, struct comm_board *first, unsigned tries);

/* Wakes the rank of a board, if it sleeps or is about to. */
void nap_wake_now(struct comm_board *board, struct comm_board *first);

/* The rank of a board has been sent something: wakes it if it sleeps and a processor is free. */
static inline void nap_wake_for_message(struct comm_board *board, struct comm_board *first,
                                        const struct comm *c)
{
    atomic_thread_fence(memory_order_seq_cst);
    if (atomic_load_explicit(&board->asleep, memory_order_relaxed) != 0 &&
        c->n_ranks - atomic_load_explicit(&first->n_asleep, memory_order_relaxed) < c->cores) {
        nap_wake_now(board, first);
    }
}

#endif
