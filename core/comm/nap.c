/* SPDX-License-Identifier: BSD-3-Clause */
/* nap.c - see nap.h. */
#define _GNU_SOURCE /* required for syscall() */
#include "comm/nap.h"

#include <assert.h>
#include <errno.h>
#include <limits.h>
#include <linux/futex.h>
#include <sched.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

/* Number of calls in a row that only yield the processor; later calls sleep. */
#define LOOKS 2u
/* Lengths of sleeps. FIRST_NS: length of the first sleep in nanoseconds. DOUBLINGS: number of
 * further sleeps that are each twice as long as the one before. BOARD_...: for sleeps that another
 * rank can end. CLOCK_...: for other sleeps. */
#define BOARD_FIRST_NS  4000000L
#define BOARD_DOUBLINGS 4u
#define CLOCK_FIRST_NS  20000L
#define CLOCK_DOUBLINGS 7u

_Static_assert(sizeof(_Atomic uint32_t) == sizeof(uint32_t), "the system sleeps on plain words");

static struct timespec length(long first_ns, unsigned doublings, unsigned most)
{
    return (struct timespec){.tv_nsec = first_ns << (doublings < most ? doublings : most)};
}

bool nap_take(struct comm_board *mine, struct comm_board *first, unsigned tries)
{
    assert((mine == NULL) == (first == NULL));
    if (tries == 0 && mine != NULL) {
        /* Withdraws the announcement of a sleep that an earlier call made. */
        nap_wake_now(mine, first);
    }
    if (mine == NULL) {
        if (tries < LOOKS) {
            sched_yield();
            return false;
        }
        struct timespec t = length(CLOCK_FIRST_NS, tries - LOOKS, CLOCK_DOUBLINGS);
        nanosleep(&t, NULL); /* a signal may end this sleep early */
        return true;
    }
    if (atomic_load_explicit(&mine->asleep, memory_order_relaxed) == 0) {
        atomic_fetch_add_explicit(&first->n_asleep, 1, memory_order_relaxed);
        atomic_store_explicit(&mine->asleep, 1, memory_order_seq_cst);
        atomic_thread_fence(memory_order_seq_cst);
        return false; /* only the next call sleeps: the caller must first poll once more */
    }
    struct timespec t = length(BOARD_FIRST_NS, tries, BOARD_DOUBLINGS);
    return syscall(SYS_futex, &mine->asleep, FUTEX_WAIT, 1, &t, NULL, 0) != 0 && errno != EAGAIN;
}

bool nap_take_until_ended(const struct comm_reduction *r, unsigned tries)
{
    assert(r->boards != NULL && r->number > 0);
    struct timespec t = length(BOARD_FIRST_NS, tries, BOARD_DOUBLINGS);
    /* Only the end of reduction r can change this word while this rank waits for that end. */
    uint32_t before = atomic_load_explicit(&r->boards[0]->ended, memory_order_acquire);
    return before != (uint32_t)r->number &&
           syscall(SYS_futex, &r->boards[0]->ended, FUTEX_WAIT, before, &t, NULL, 0) != 0 &&
           errno != EAGAIN;
}

void nap_wake_all(struct comm_board **boards, int n)
{
    struct comm_board *first = boards[0];
    syscall(SYS_futex, &first->ended, FUTEX_WAKE, INT_MAX, NULL, NULL, 0);
    atomic_thread_fence(memory_order_seq_cst);
    for (int i = 0; i < n && atomic_load_explicit(&first->n_asleep, memory_order_relaxed) > 0;
         i++) {
        nap_wake_now(boards[i], first);
    }
}

void nap_wake_now(struct comm_board *board, struct comm_board *first)
{
    if (atomic_load_explicit(&board->asleep, memory_order_relaxed) != 0 &&
        atomic_exchange_explicit(&board->asleep, 0, memory_order_seq_cst) != 0) {
        atomic_fetch_sub_explicit(&first->n_asleep, 1, memory_order_relaxed);
        syscall(SYS_futex, &board->asleep, FUTEX_WAKE, 1, NULL, NULL, 0);
    }
}
