/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * host.c - a host: sends packets as a Poisson process, receives packets and measures their delay.
 *
 * When a host sends a packet, it draws its next packet (destination, size, time) and sends this
 * next packet to itself as an event. Therefore every event contains the packet to send or to
 * receive. The output queue from a host to its router is unlimited: if a host sends faster than its
 * access line can carry, its packets wait.
 *
 * Bits of an event:
 * - c1: the output counted the packet in the window of the statistics
 * - c2: the packet was counted for its flow
 */
#include "model.h"

#include <assert.h>

/* Returns the number of random numbers that host_draw() draws per packet. The reverse handler
 * undoes the same number of draws. */
static unsigned draws_per_packet(const struct ns_model *m)
{
    return m->layout.hosts > 1 ? 4 : 3;
}

/* Draws the host's next packet, and sends it to the host itself as an event at the packet's sending
 * time. */
static void host_draw(const struct ns_model *m, struct ns_host *host, tw_lp *lp)
{
    uint32_t site = ns_site_of_gid(&m->layout, lp->gid);
    uint32_t number = ns_place_of_gid(&m->layout, lp->gid) - 1;
    double bps = m->traffic.site_bps[site] / m->layout.hosts;
    double interval_s = 8.0 * m->settings->mix.mean_bytes / bps;
    double offset_s = tw_rand_exponential(lp->rng, interval_s);
    uint32_t to_site = ns_traffic_pick(&m->traffic, site, tw_rand_unif(lp->rng));
    uint32_t size_bytes = ns_mix_pick(&m->settings->mix, tw_rand_unif(lp->rng));
    long to_host = m->layout.hosts > 1 ? tw_rand_integer(lp->rng, 0, (long)m->layout.hosts - 1) : 0;

    tw_event *event = tw_event_new(lp->gid, offset_s, lp);
    struct ns_packet *packet = tw_event_data(event);
    uint64_t host_number = (uint64_t)site * m->layout.hosts + number;
    *packet = (struct ns_packet){
        .id = host_number << 40 | host->drawn,
        .from_site = (uint16_t)site,
        .to_site = (uint16_t)to_site,
        .to_host = (uint16_t)to_host,
        .size_bytes = size_bytes,
        .kind = NS_SEND,
    };
    host->drawn++;
    tw_event_send(event);
}

static void host_draw_undo(const struct ns_model *m, struct ns_host *host, tw_lp *lp)
{
    assert(host->drawn > 0);
    host->drawn--;
    for (unsigned i = draws_per_packet(m); i > 0; i--) {
        tw_rand_reverse_unif(lp->rng);
    }
}

void ns_host_init(void *state, tw_lp *lp)
{
    const struct ns_model *m = ns_model();
    if (m->traffic.site_bps[ns_site_of_gid(&m->layout, lp->gid)] > 0) {
        host_draw(m, state, lp);
    }
}

static void host_send(const struct ns_model *m, struct ns_host *host, tw_bf *bf,
                      struct ns_packet *packet, tw_lp *lp)
{
    struct ns_offer offer = ns_queue_offer(&host->uplink, &m->uplink, &m->window, tw_now(lp),
                                           packet->size_bytes, &packet->undo.queue);
    bf->c1 = offer.counted;
    host->sent++;
    bf->c2 = ns_window_has_sent(&m->window, tw_now(lp));
    host->peers[packet->to_site].sent += bf->c2;

    tw_lpid router = ns_gid_of_router(&m->layout, packet->from_site);
    tw_event *event = tw_event_new(router, offer.latency_s, lp);
    struct ns_packet *next = tw_event_data(event);
    *next = *packet;
    memset(&next->undo, 0, sizeof next->undo);
    next->kind = NS_FORWARD;
    next->hops = 1;
    next->sent_s = tw_now(lp);
    next->queued_s = tw_now(lp);
    tw_event_send(event);

    host_draw(m, host, lp);
}

static void host_send_undo(const struct ns_model *m, struct ns_host *host, const tw_bf *bf,
                           struct ns_packet *packet, tw_lp *lp)
{
    assert(host->sent > 0);
    host_draw_undo(m, host, lp);
    host->peers[packet->to_site].sent -= bf->c2;
    host->sent--;
    ns_queue_offer_undo(&host->uplink, true, bf->c1, packet->size_bytes, &packet->undo.queue);
}

static void host_deliver(const struct ns_model *m, struct ns_host *host, tw_bf *bf,
                         struct ns_packet *packet, tw_lp *lp)
{
    assert(packet->from_site < m->topology.n_sites);
    ns_trace_line(m, packet, lp);
    ns_trace_journey(m, packet, lp);
    struct ns_peer *peer = &host->peers[packet->from_site];
    double delay_s = tw_now(lp) - packet->sent_s;
    packet->undo.delivery =
        (struct ns_delivery_undo){host->delay_sum_s, peer->delay_sum_s, peer->delay_max_s, 0.0};
    host->received++;
    host->delay_sum_s += delay_s;
    bf->c2 = ns_window_has_sent(&m->window, packet->sent_s);
    if (bf->c2) {
        peer->received++;
        peer->delay_sum_s += delay_s;
        peer->delay_max_s = ROSS_MAX(peer->delay_max_s, delay_s);
    }
}

static void host_deliver_undo(struct ns_host *host, const tw_bf *bf, struct ns_packet *packet)
{
    assert(host->received > 0);
    struct ns_peer *peer = &host->peers[packet->from_site];
    host->received--;
    peer->received -= bf->c2;
    host->delay_sum_s = packet->undo.delivery.host_delay_sum_s;
    peer->delay_sum_s = packet->undo.delivery.peer_delay_sum_s;
    peer->delay_max_s = packet->undo.delivery.peer_delay_max_s;
    memset(&packet->undo, 0, sizeof packet->undo);
}

void ns_host_event(void *state, tw_bf *bf, void *msg, tw_lp *lp)
{
    struct ns_packet *packet = msg;
    if (packet->kind == NS_SEND) {
        host_send(ns_model(), state, bf, packet, lp);
    } else {
        host_deliver(ns_model(), state, bf, packet, lp);
    }
}

void ns_host_revent(void *state, tw_bf *bf, void *msg, tw_lp *lp)
{
    struct ns_packet *packet = msg;
    if (packet->kind == NS_SEND) {
        host_send_undo(ns_model(), state, bf, packet, lp);
    } else {
        host_deliver_undo(state, bf, packet);
    }
}
