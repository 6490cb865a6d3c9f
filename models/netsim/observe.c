/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * observe.c - the fields that netsim adds to the records of the instrumentation.
 *
 * Event records describe the packet of the event. Samples hold the totals of a router or host since
 * the start of the simulation; unlike the results in the report, these totals include the warm-up.
 */
#include "model.h"

static const char *const kinds[] = {
    [0] = "", [NS_SEND] = "send", [NS_FORWARD] = "forward", [NS_DELIVER] = "deliver", NULL};

/* flow: number of the flow: source site * number of sites + destination site. */
#define PACKET_FIELDS(X, r)                                                                        \
    X(r, U64, packet, "", IDENTITY, NULL)                                                          \
    X(r, U32, flow, "", IDENTITY, NULL)                                                            \
    X(r, U32, size, "bytes", LEVEL, NULL)                                                          \
    X(r, U16, kind, "", IDENTITY, kinds)                                                           \
    X(r, U16, hops, "", LEVEL, NULL)                                                               \
    X(r, U16, from_site, "", IDENTITY, NULL)                                                       \
    X(r, U16, to_site, "", IDENTITY, NULL)
MODEL_PAYLOAD(packet, PACKET_FIELDS)

#define ROUTER_FIELDS(X, r)                                                                        \
    X(r, U64, packets, "packets", COUNTER, NULL)                                                   \
    X(r, U64, bytes, "bytes", COUNTER, NULL)                                                       \
    X(r, U64, drops, "packets", COUNTER, NULL)                                                     \
    X(r, F64, utilisation_max, "", LEVEL, NULL)                                                    \
    X(r, F64, backlog_max, "bytes", LEVEL, NULL)
MODEL_PAYLOAD(router, ROUTER_FIELDS)

#define HOST_FIELDS(X, r)                                                                          \
    X(r, U64, sent, "packets", COUNTER, NULL)                                                      \
    X(r, U64, received, "packets", COUNTER, NULL)                                                  \
    X(r, F64, delay_mean, "s", LEVEL, NULL)
MODEL_PAYLOAD(host, HOST_FIELDS)

MODEL_EVENT(packet, const struct ns_packet *p)
{
    return (struct packet){p->id,         ns_flow(ns_model(), p->from_site, p->to_site),
                           p->size_bytes, (uint16_t)p->kind,
                           p->hops,       p->from_site,
                           p->to_site};
}

/* Utilisation and backlog are maxima over the router's outputs to other sites, computed for the
 * elapsed part of the window. */
MODEL_SAMPLE(router, const struct ns_router *router)
{
    const struct ns_model *m = ns_model();
    uint32_t site = ns_site_of_gid(&m->layout, lp->gid);
    uint32_t degree = ns_site_degree(&m->topology, site);
    double passed_s = tw_now(lp) - m->window.from_s;
    struct router sample = {router->packets, router->bytes, router->drops, 0.0, 0.0};
    for (uint32_t k = 0; k < degree; k++) {
        const struct ns_queue *q = &router->outputs[k];
        const struct ns_line *line = &m->arc_lines[m->topology.arc_begin[site] + k];
        double utilisation = passed_s > 0 ? ROSS_MIN(1.0, q->busy_s / passed_s) : 0.0;
        double backlog = q->wait_max_s / line->s_per_byte;
        sample.utilisation_max = ROSS_MAX(sample.utilisation_max, utilisation);
        sample.backlog_max = ROSS_MAX(sample.backlog_max, backlog);
    }
    return sample;
}

MODEL_PURE_SAMPLE(host, const struct ns_host *host)
{
    double mean_s = host->received == 0 ? 0.0 : host->delay_sum_s / (double)host->received;
    return (struct host){host->sent, host->received, mean_s};
}

struct model_observers ns_router_observers = MODEL_OBSERVERS(packet, router);
struct model_observers ns_host_observers = MODEL_OBSERVERS(packet, host);
