/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * router.c - a router: finds the output for a packet, and queues the packet there or drops it.
 *
 * The router handles each packet in a single event. Its first outputs send over the arcs of its
 * site, in the order of arcs. The other outputs lead to the site's hosts.
 *
 * Bits of an event:
 * - c0: the output accepted the packet
 * - c1: the output counted the packet in the window of the statistics
 * - c2: the drop was counted for the flow
 */
#include "model.h"

#include <assert.h>

/* An output of a router: its queue, its line, and the kind and receiver of the events that it
 * causes. */
struct output {
    struct ns_queue *queue;
    const struct ns_line *line;
    tw_lpid to;
    enum ns_packet_kind kind;
    uint32_t arc; /* index of the arc; 0 if the output leads to a host */
};

static struct output output_find(const struct ns_model *m, struct ns_router *router, uint32_t site,
                                 const struct ns_packet *packet)
{
    assert(site < m->topology.n_sites && packet->to_site < m->topology.n_sites &&
           packet->to_host < m->layout.hosts);
    if (packet->to_site == site) {
        uint32_t k = ns_site_degree(&m->topology, site) + packet->to_host;
        return (struct output){&router->outputs[k], &m->downlink,
                               ns_gid_of_host(&m->layout, site, packet->to_host), NS_DELIVER, 0};
    }
    uint32_t arc = ns_route_next(&m->routes, site, packet->to_site);
    uint32_t k = arc - m->topology.arc_begin[site];
    return (struct output){&router->outputs[k], &m->arc_lines[arc],
                           ns_gid_of_router(&m->layout, m->topology.arcs[arc].to), NS_FORWARD, arc};
}

static uint64_t *flow_drops(const struct ns_model *m, struct ns_router *router, uint32_t site,
                            const struct ns_packet *packet)
{
    uint32_t flow = ns_flow(m, packet->from_site, packet->to_site);
    return ns_router_flow_drops(m, router, site) + ns_through_slot(&m->through, site, flow);
}

static void packet_pass(const struct output *out, double latency_s, const struct ns_packet *packet,
                        tw_lp *lp)
{
    tw_event *event = tw_event_new(out->to, latency_s, lp);
    struct ns_packet *next = tw_event_data(event);
    *next = *packet;
    memset(&next->undo, 0, sizeof next->undo);
    next->kind = (uint16_t)out->kind;
    next->arc = (uint16_t)out->arc;
    next->queued_s = tw_now(lp);
    next->hops = (uint16_t)(packet->hops + 1);
    tw_event_send(event);
}

void ns_router_event(void *state, tw_bf *bf, void *msg, tw_lp *lp)
{
    const struct ns_model *m = ns_model();
    struct ns_router *router = state;
    struct ns_packet *packet = msg;
    uint32_t site = ns_site_of_gid(&m->layout, lp->gid);
    ns_trace_line(m, packet, lp);
    struct output out = output_find(m, router, site, packet);
    struct ns_offer offer = ns_queue_offer(out.queue, out.line, &m->window, tw_now(lp),
                                           packet->size_bytes, &packet->undo.queue);
    bf->c0 = offer.accepted;
    bf->c1 = offer.counted;
    if (offer.accepted) {
        router->packets++;
        router->bytes += packet->size_bytes;
        packet_pass(&out, offer.latency_s, packet, lp);
        return;
    }
    ns_trace_drop(m, packet, lp);
    router->drops++;
    bf->c2 = ns_window_has_sent(&m->window, packet->sent_s);
    if (bf->c2) {
        (*flow_drops(m, router, site, packet))++;
    }
}

void ns_router_revent(void *state, tw_bf *bf, void *msg, tw_lp *lp)
{
    const struct ns_model *m = ns_model();
    struct ns_router *router = state;
    struct ns_packet *packet = msg;
    uint32_t site = ns_site_of_gid(&m->layout, lp->gid);
    if (bf->c2) {
        (*flow_drops(m, router, site, packet))--;
    }
    if (bf->c0) {
        router->packets--;
        assert(router->bytes >= packet->size_bytes);
        router->bytes -= packet->size_bytes;
    } else {
        router->drops--;
    }
    struct output out = output_find(m, router, site, packet);
    ns_queue_offer_undo(out.queue, bf->c0, bf->c1, packet->size_bytes, &packet->undo.queue);
}
