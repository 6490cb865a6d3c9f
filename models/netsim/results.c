/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * results.c - gathers the counts of the LPs on rank 0.
 * The tables of arcs and flows take at most 100 MB, and each rank sends them once per run.
 */
#include "results.h"

#include <assert.h>

struct model_kept ns_kept;

void ns_results_keep(void *state, tw_lp *lp)
{
    model_kept_put(&ns_kept, lp, state, lp->type->state_sz);
}

size_t ns_results_bytes(const struct ns_model *m)
{
    size_t n_flows = (size_t)m->topology.n_sites * m->topology.n_sites;
    return (m->topology.n_arcs + 2) * sizeof(struct ns_queue) +
           n_flows * sizeof(struct ns_flow_result);
}

static void results_alloc(struct ns_results *r, const struct ns_model *m)
{
    r->n_arcs = m->topology.n_arcs;
    r->n_flows = m->topology.n_sites * m->topology.n_sites;
    r->memory_size = ns_results_bytes(m);
    assert(r->memory_size <= INT_MAX);
    r->memory = tw_calloc(TW_LOC, "results", 1, r->memory_size);
    r->arcs = r->memory;
    r->uplinks = r->arcs + r->n_arcs;
    r->downlinks = r->uplinks + 1;
    r->flows = (struct ns_flow_result *)(r->downlinks + 1);
}

static void router_add(struct ns_results *r, const struct ns_model *m, uint32_t site,
                       struct ns_router *router)
{
    assert(m->through.flows != NULL);
    uint32_t degree = ns_site_degree(&m->topology, site);
    for (uint32_t k = 0; k < degree; k++) {
        ns_queue_add(&r->arcs[m->topology.arc_begin[site] + k], &router->outputs[k]);
    }
    for (uint32_t k = 0; k < m->layout.hosts; k++) {
        ns_queue_add(r->downlinks, &router->outputs[degree + k]);
    }
    const struct ns_through *th = &m->through;
    const uint32_t *flows = th->flows + th->begin[th->index[site]];
    const uint64_t *drops = ns_router_flow_drops(m, router, site);
    for (uint32_t k = 0; k < ns_through_count(th, site); k++) {
        r->flows[flows[k]].dropped += drops[k];
    }
}

static void host_add(struct ns_results *r, const struct ns_model *m, uint32_t site,
                     const struct ns_host *host)
{
    assert(site < m->topology.n_sites);
    ns_queue_add(r->uplinks, &host->uplink);
    for (uint32_t other = 0; other < m->topology.n_sites; other++) {
        const struct ns_peer *peer = &host->peers[other];
        r->flows[ns_flow(m, site, other)].sent += peer->sent;
        struct ns_flow_result *in = &r->flows[ns_flow(m, other, site)];
        in->received += peer->received;
        in->delay_sum_s += peer->delay_sum_s;
        in->delay_max_s = ROSS_MAX(in->delay_max_s, peer->delay_max_s);
    }
}

static void lp_add(void *results, const struct model_kept_lp *lp)
{
    const struct ns_model *m = ns_model();
    uint32_t site = ns_site_of_gid(&m->layout, lp->gid);
    if (ns_place_of_gid(&m->layout, lp->gid) == 0) {
        router_add(results, m, site, lp->bytes);
    } else {
        host_add(results, m, site, lp->bytes);
    }
}

void ns_results_gather(struct ns_results *results, MPI_Comm comm)
{
    results_alloc(results, ns_model());
    model_kept_sum(&ns_kept, ns_model()->layout.first, comm, results->memory, results->memory_size,
                   lp_add, results);
}

void ns_results_fini(struct ns_results *results)
{
    free(results->memory);
    *results = (struct ns_results){.n_arcs = 0};
}
