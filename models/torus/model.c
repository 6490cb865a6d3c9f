/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * model.c - creates the LPs. Each rank has a block of nodes, and each node has a terminal and a
 * router.
 */
#include "model.h"

#include <assert.h>

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
    assert(rank <= tw_nnodes());
    return (tw_lpid)m->geometry.n_nodes * rank / tw_nnodes();
}

/* Returns true if a map places the terminal and the router of a node on different ranks.
 * Collective. */
static bool nodes_are_split(void)
{
    int split = 0;
    for (tw_lpid i = 0; i < g_tw_nlp; i++) {
        unsigned node = to_node(g_tw_lp[i]->gid);
        split |= tw_lp_rank(to_terminal_gid(node)) != tw_lp_rank(to_router_gid(node));
    }
    MPI_Allreduce(MPI_IN_PLACE, &split, 1, MPI_INT, MPI_MAX, MPI_COMM_ROSS);
    return split != 0;
}

static void types_set(void)
{
    for (tw_lpid i = 0; i < g_tw_nlp; i++) {
        bool is_terminal = to_terminal_gid(to_node(g_tw_lp[i]->gid)) == g_tw_lp[i]->gid;
        tw_lp_settype(i, is_terminal ? &terminal_type : &router_type);
        st_model_settype(i,
                         is_terminal ? &to_terminal_observers.types : &to_router_observers.types);
    }
}

static bool lps_accept(void)
{
    return g_tw_synchronization_protocol != CONSERVATIVE || !nodes_are_split();
}

static const tw_lp_moves moves = {.accept = lps_accept, .arrive = types_set};

bool to_model_define(struct model_error *error)
{
    const struct to_model *m = to_model();
    unsigned rank = (unsigned)g_tw_mynode;
    terminal_type.state_sz =
        sizeof(struct to_terminal) + m->source_queue * sizeof(struct to_packet);
    router_type.state_sz = sizeof(struct to_router) + to_router_places(m) * sizeof(struct to_place);
    g_tw_lookahead = m->latency;
    bool has_map = tw_lp_map_allow();
    tw_lp_map_moves(&moves);
    tw_define_lps(2 * (nodes_before(m, rank + 1) - nodes_before(m, rank)),
                  sizeof(struct to_message));
    types_set();
    st_lptype_name(&terminal_type, "terminal");
    st_lptype_name(&router_type, "router");
    model_observers_describe(&to_terminal_observers);
    model_observers_describe(&to_router_observers);
    return !has_map || g_tw_synchronization_protocol != CONSERVATIVE || !nodes_are_split() ||
           model_fail(error, "--synch=2 needs time between ranks, but --lp-map puts a terminal and "
                             "its router on different ranks; keep LPs 2n and 2n+1 together, or use "
                             "--synch=3");
}
