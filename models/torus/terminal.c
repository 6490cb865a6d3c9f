/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * terminal.c - the terminal of a node: creates packets, sends them to its router, and receives
 * packets.
 *
 * A packet goes to the router when the line to the router is free and a credit guarantees space in
 * the router. Each event sends at most one packet to the router. The event's struct to_message
 * stores that packet in `undo`. Empty places of the queue are zero, so that undo restores all
 * bytes.
 *
 * Bits of an event:
 * - c0: a packet went to the router
 * - c1: there was no space for a new packet
 * - c2: a received packet counted for the throughput
 * - c3: a received packet counted for the latency
 * - c4: a received packet counted as one that never waited
 *
 * Cost: O(dimensions) per packet.
 */
#include "model.h"

#include <assert.h>

struct to_message *to_message_new(tw_lpid to, double offset, enum to_kind kind, tw_lp *lp,
                                  tw_event **event)
{
    *event = tw_event_new(to, offset, lp);
    struct to_message *message = tw_event_data(*event);
    memset(message, 0, sizeof *message);
    message->kind = kind;
    return message;
}

static void send_plain(tw_lpid to, double offset, enum to_kind kind, tw_lp *lp)
{
    tw_event *event;
    to_message_new(to, offset, kind, lp, &event);
    tw_event_send(event);
}

/* ---- Creation of packets --------------------------------------------------------------------- */

/* Returns the interval to the next packet, which is at least one tick. Makes one draw if packets
 * form a Poisson process, otherwise none. */
static double interval_draw(const struct to_model *m, tw_lp *lp)
{
    double mean = m->send_time / m->rate;
    double interval = m->periodic ? mean : tw_rand_exponential(lp->rng, mean);
    return ROSS_MAX(rint(interval * TO_TICKS_PER_NS), 1) / TO_TICKS_PER_NS;
}

static void make_later(const struct to_model *m, tw_lp *lp)
{
    double interval = interval_draw(m, lp);
    if (tw_now(lp) + interval < m->stop) {
        send_plain(lp->gid, interval, TO_MAKE, lp);
    }
}

/* Returns the destination of a packet from `node`. For uniform traffic, makes one draw, which
 * selects any other node; for other patterns, makes no draw. */
static unsigned destination_draw(const struct to_model *m, unsigned node, tw_lp *lp)
{
    if (m->pattern != TO_UNIFORM) {
        return to_destination(&m->geometry, m->pattern, node);
    }
    unsigned other = (unsigned)tw_rand_integer(lp->rng, 0, (long)m->geometry.n_nodes - 2);
    return other + (other >= node);
}

/* Returns the number of draws that packet_make() makes. The draws determine, in this order, the
 * destination (uniform traffic only), the member `ways` of the packet, and the interval to the next
 * packet (Poisson process only). */
static unsigned make_draws(const struct to_model *m)
{
    return 1u + (m->pattern == TO_UNIFORM) + !m->periodic;
}

static struct to_packet *queue_place(const struct to_model *m, struct to_terminal *t, uint64_t i)
{
    assert(t->first < m->source_queue);
    return &t->queue[(t->first + i) % m->source_queue];
}

static void packet_make(const struct to_model *m, struct to_terminal *t, tw_bf *bf, tw_lp *lp)
{
    unsigned node = to_node(lp->gid);
    struct to_packet p = {.made = tw_now(lp), .source = node, .dim = TO_NO_DIM};
    p.dest = destination_draw(m, node, lp);
    p.ways = (uint16_t)tw_rand_integer(lp->rng, 0, (1L << m->geometry.n_dims) - 1);
    p.port = (uint8_t)to_terminal_port(&m->geometry);
    make_later(m, lp);
    if (p.dest == node) {
        /* The pattern maps the node to itself, for example in the middle of an odd ring. Such a
         * node sends no packets. */
        return;
    }
    bf->c1 = t->waiting == m->source_queue;
    t->refused += bf->c1;
    if (!bf->c1) {
        uint64_t hops = to_distance(&m->geometry, node, p.dest);
        p.number = ++t->made;
        t->hops += hops;
        t->hops_squared += hops * hops;
        *queue_place(m, t, t->waiting++) = p;
    }
}

static void packet_make_undo(const struct to_model *m, struct to_terminal *t, const tw_bf *bf,
                             tw_lp *lp)
{
    unsigned node = to_node(lp->gid);
    bool to_itself =
        m->pattern != TO_UNIFORM && to_destination(&m->geometry, m->pattern, node) == node;
    if (!to_itself && !bf->c1) {
        assert(t->waiting > 0 && t->made > 0);
        struct to_packet *p = queue_place(m, t, --t->waiting);
        uint64_t hops = to_distance(&m->geometry, node, p->dest);
        t->hops_squared -= hops * hops;
        t->hops -= hops;
        t->made--;
        memset(p, 0, sizeof *p);
    }
    t->refused -= bf->c1;
    for (unsigned draws = make_draws(m); draws > 0; draws--) {
        tw_rand_reverse_unif(lp->rng);
    }
}

/* ---- Events of the line to the router -------------------------------------------------------- */

static void packet_inject(const struct to_model *m, struct to_terminal *t, tw_bf *bf,
                          struct to_message *msg, tw_lp *lp)
{
    bf->c0 = t->waiting > 0 && !t->busy && t->credits > 0;
    if (!bf->c0) {
        return;
    }
    struct to_packet *p = queue_place(m, t, 0);
    msg->undo = *p;
    memset(p, 0, sizeof *p);
    t->first = (t->first + 1) % m->source_queue;
    t->waiting--;
    t->credits--;
    t->busy = 1;
    t->injected++;
    tw_event *event;
    to_message_new(to_router_gid(to_node(lp->gid)), 0, TO_ARRIVE, lp, &event)->packet = msg->undo;
    tw_event_send(event);
    send_plain(lp->gid, m->send_time, TO_LINE_FREE, lp);
}

static void packet_inject_undo(const struct to_model *m, struct to_terminal *t, const tw_bf *bf,
                               struct to_message *msg)
{
    if (!bf->c0) {
        return;
    }
    t->injected--;
    t->busy = 0;
    t->credits++;
    t->waiting++;
    t->first = (t->first + m->source_queue - 1) % m->source_queue;
    *queue_place(m, t, 0) = msg->undo;
    memset(&msg->undo, 0, sizeof msg->undo);
}

/* ---- Events from the router ------------------------------------------------------------------ */

static uint64_t latency_ticks(const struct to_packet *p, const tw_lp *lp)
{
    assert(tw_now(lp) >= p->made);
    return (uint64_t)((tw_now(lp) - p->made) * TO_TICKS_PER_NS);
}

static void packet_receive(const struct to_model *m, struct to_terminal *t, tw_bf *bf,
                           const struct to_packet *p, tw_lp *lp)
{
    double now = tw_now(lp);
    bf->c2 = now >= m->warmup && now < m->stop;
    bf->c3 = p->made >= m->warmup;
    bf->c4 = now - p->made == to_least_latency(m, p->hops);
    t->received++;
    t->counted += bf->c2;
    t->ticks_counted += bf->c3;
    t->ticks += bf->c3 ? latency_ticks(p, lp) : 0;
    t->fast += bf->c4;
    st_task_id id = to_packet_task(p);
    st_task_add(lp, &id, (st_task_id){0, 0, 0}, "packet", bf->c4 ? "unhindered" : "delayed", NULL,
                p->made, NULL, 0);
}

static void packet_receive_undo(struct to_terminal *t, const tw_bf *bf, const struct to_packet *p,
                                tw_lp *lp)
{
    assert(t->received > 0);
    t->fast -= bf->c4;
    t->ticks -= bf->c3 ? latency_ticks(p, lp) : 0;
    t->ticks_counted -= bf->c3;
    t->counted -= bf->c2;
    t->received--;
}

/* ---- Event handlers -------------------------------------------------------------------------- */

void to_terminal_init(void *state, tw_lp *lp)
{
    struct to_terminal *t = state;
    t->credits = (uint16_t)to_model()->buffers;
    make_later(to_model(), lp);
}

void to_terminal_event(void *state, tw_bf *bf, void *msg, tw_lp *lp)
{
    const struct to_model *m = to_model();
    struct to_terminal *t = state;
    struct to_message *message = msg;
    switch (message->kind) {
    case TO_MAKE:
        packet_make(m, t, bf, lp);
        break;
    case TO_LINE_FREE:
        t->busy = 0;
        break;
    case TO_ROOM:
        t->credits++;
        break;
    default:
        packet_receive(m, t, bf, &message->packet, lp);
        return;
    }
    packet_inject(m, t, bf, message, lp);
}

void to_terminal_revent(void *state, tw_bf *bf, void *msg, tw_lp *lp)
{
    const struct to_model *m = to_model();
    struct to_terminal *t = state;
    struct to_message *message = msg;
    packet_inject_undo(m, t, bf, message);
    switch (message->kind) {
    case TO_MAKE:
        packet_make_undo(m, t, bf, lp);
        break;
    case TO_LINE_FREE:
        t->busy = 1;
        break;
    case TO_ROOM:
        t->credits--;
        break;
    default:
        packet_receive_undo(t, bf, &message->packet, lp);
    }
}

/* Ends the run if an impossible event commits: the arrival of a packet at the wrong node, after a
 * detour, or earlier than its path allows. */
void to_terminal_commit(void *state, tw_bf *bf, void *msg, tw_lp *lp)
{
    (void)state;
    (void)bf;
    const struct to_model *m = to_model();
    const struct to_message *message = msg;
    const struct to_packet *p = &message->packet;
    if (message->kind != TO_DELIVER) {
        return;
    }
    double latency = tw_now(lp) - p->made;
    if (latency < to_least_latency(m, p->hops) || p->dest != to_node(lp->gid) ||
        p->hops != to_distance(&m->geometry, p->source, p->dest)) {
        tw_error(TW_LOC, "packet %" PRIu64 " of node %u came to node %u in %g ns over %u hops",
                 p->number, p->source, to_node(lp->gid), latency, p->hops);
    }
}
