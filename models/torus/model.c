/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * model.c - creates the LPs: blocks of nodes per rank, each with its terminal and its router.
 */
#include "model.h"

/* LP types. The sizes of their states depend on the options; to_model_define() sets them. */
static tw_lptype terminal_type = {
    .init = to_terminal_init,
    .event = to_terminal_event,
    .revent = to_terminal_revent,
    .commit = to_terminal_commit,
    .final = to_terminal_final,
};

static tw_lptype router_type = {
    .init = to_router_init,
    .event = to_router_event,
    .revent = to_router_revent,
    .commit = to_router_commit,
    .final = to_router_final,
};

static tw_lpid nodes_before(const struct to_model *m, unsigned rank)
{
    return (tw_lpid)m->geometry.n_nodes * rank / tw_nnodes();
}

void to_model_define(void)
{
    const struct to_model *m = to_model();
    unsigned rank = (unsigned)g_tw_mynode;
    terminal_type.state_sz =
        sizeof(struct to_terminal) + m->source_queue * sizeof(struct to_packet);
    router_type.state_sz = sizeof(struct to_router) + to_router_places(m) * sizeof(struct to_place);
    g_tw_lookahead = m->latency;
    tw_define_lps(2 * (nodes_before(m, rank + 1) - nodes_before(m, rank)),
                  sizeof(struct to_message));
    for (tw_lpid i = 0; i < g_tw_nlp; i++) { /* the first LP of each rank is a terminal */
        tw_lp_settype(i, i % 2 == 0 ? &terminal_type : &router_type);
        st_model_settype(i, i % 2 == 0 ? to_terminal_observers() : to_router_observers());
    }
    st_lptype_name(&terminal_type, "terminal");
    st_lptype_name(&router_type, "router");
    to_observers_describe();
}
