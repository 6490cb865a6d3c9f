/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * machine.h - optimistic runs of a parallel simulator on a hypothetical machine: ranks on cores
 * execute the events of a source; messages, rounds of GVT and undone events take their time there.
 */
#ifndef WARPSCOPE_MACHINE_MACHINE_H
#define WARPSCOPE_MACHINE_MACHINE_H

#include "machine/rank.h"

struct wp_result {
    double time_ns;        /* time of the run */
    struct wp_counts sums; /* over all ranks */
    /* Over all ranks. What is left of their time went without an event, a result or a core, and for
     * turns. */
    struct wp_times times;
    uint64_t rounds;      /* greatest number of a rank: GVT rounds */
    uint64_t votes;       /* greatest number of a rank: reductions */
    uint32_t most_events; /* greatest number of pending, executed and arriving events of a rank */
};

/* Executes the events of model->source. sums.strange is greater than 0 if the source does not follow
 * its rules. Returns false if memory is exhausted. */
bool wp_run(const struct wp_model *model, struct wp_result *result);

#endif
