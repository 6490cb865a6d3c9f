/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * nap.h - waiting of idle ranks on a node with fewer processors than ranks.
 *
 * Ranks that share memory sleep on a word of their board. The last voter of a reduction wakes all
 * of them. A sender wakes the receiver if fewer ranks are awake than there are processors;
 * otherwise the receiver would only displace a busy rank. A rank that is about to sleep announces
 * the sleep on its board and polls for messages once more. It sleeps only if no rank has woken it
 * meanwhile. No message is thus missed. A sleep ends by itself after a while, because signals,
 * errors of other ranks and the passing of time wake no rank. Ranks that vote by MPI sleep for
 * fixed times only.
 *
 * A rank that has nothing to do before the end of a reduction sleeps on a word of rank 0's board
 * instead. No message wakes it, and a single system call wakes all such ranks.
 */
#ifndef WARPSCOPE_COMM_NAP_H
#define WARPSCOPE_COMM_NAP_H

#include "comm/comm.h"

/* Waits for a short time. An idle caller alternates these calls with polls. tries: number of calls
 * that the caller has made in a row before this one. mine, first: boards of the caller and of rank
 * 0; both are NULL if there are no boards. Returns true if the caller slept and no rank woke it; it
 * should then poll for errors of other ranks. */
bool nap_take(struct comm_board *mine, struct comm_board *first, unsigned tries);

/* Like nap_take(), for a rank that waits only for the end of reduction r, which must use boards. */
bool nap_take_until_ended(const struct comm_reduction *r, unsigned tries);

/* Wakes the owners of the n boards after the end of a reduction. boards[0]: board of rank 0. */
void nap_wake_all(struct comm_board **boards, int n);

/* Wakes the rank that owns the board, if that rank sleeps or is about to sleep. first: board of
 * rank 0. */
void nap_wake_now(struct comm_board *board, struct comm_board *first);

/* For use after a message was sent to the owner of the board: wakes that rank if it sleeps and a
 * processor is free. */
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
