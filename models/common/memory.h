/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * memory.h - checks, before the run, that there is enough memory for a model's results.
 *
 * The engine checks the memory for LPs and their states. A model that keeps copies of states, or
 * tables with an entry for each state, needs more memory at the end of the run. If memory ran out
 * then, all results would be lost.
 */
#ifndef MODELS_COMMON_MEMORY_H
#define MODELS_COMMON_MEMORY_H

#include <inttypes.h>
#include <stdio.h>

#include "ross.h"

/* Returns the total size in bytes of the states of this rank's LPs. Must be called after the types
 * of the LPs are set. */
static inline double model_states_bytes(void)
{
    double bytes = 0;
    for (tw_lpid i = 0; i < g_tw_nlp; i++) {
        bytes += (double)g_tw_lp[i]->type->state_sz;
    }
    return bytes;
}

/*
 * Ends the program with status 2 if memory does not suffice for the states of this rank's LPs plus
 * `bytes` bytes of results. Collective. Must be called after the types of all LPs are set and
 * before tw_run().
 */
static inline void model_ask_results(double bytes)
{
    char what[96];
    snprintf(what, sizeof what, "the states of %" PRIu64 " LPs and their results%s",
             (uint64_t)g_tw_nlp, tw_nnodes() > 1 ? " on a rank" : "");
    tw_ask_memory(what, model_states_bytes() + bytes);
}

#endif
