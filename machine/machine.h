/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * machine.h - runs of a parallel simulator on a hypothetical machine: ranks on cores execute the
 * events of a source; messages, rounds of GVT and undone events take their time there.
 */
#ifndef WARPSCOPE_MACHINE_MACHINE_H
#define WARPSCOPE_MACHINE_MACHINE_H

#include "machine/rank.h"

enum wp_scheduler {
    WP_SEQUENTIAL,   /* one rank, without GVT */
    WP_CONSERVATIVE, /* windows of lookahead */
    WP_OPTIMISTIC    /* Time Warp */
};

/* Counts and times of a rank. The times add up to the time of the run. */
struct wp_rank_result {
    struct wp_counts counts;
    double execute_ns, undo_ns; /* time in which the rank executed events, and undid them */
    double message_ns;          /* to send and to receive messages */
    double gvt_ns;              /* to vote in GVT rounds, and to take their results */
    double wait_ns;             /* the rest: without an event, a result or a core, and for turns */
    uint32_t most_events;       /* greatest number of pending, executed and arriving events */
};

struct wp_result {
    double time_ns;        /* time of the run */
    struct wp_counts sums; /* over all ranks */
    uint64_t rounds;       /* greatest number of a rank: GVT rounds; windows of WP_CONSERVATIVE */
    uint64_t votes;        /* greatest number of a rank: reductions */
    uint32_t n_ranks;
    struct wp_rank_result *ranks; /* [n_ranks] */
};

/* Executes the events of model->source. WP_SEQUENTIAL needs a model of one rank, WP_CONSERVATIVE a
 * lookahead greater than 0 if there are several. sums.strange is greater than 0 if the source does
 * not follow its rules, or messages are earlier than the lookahead. Returns false, with nothing to
 * free, if memory is exhausted. */
bool wp_run(const struct wp_model *model, enum wp_scheduler scheduler, struct wp_result *result);
void wp_result_fini(struct wp_result *result);

#endif
