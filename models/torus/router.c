/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * router.c - a router: the buffers of its incoming links, and its outgoing links.
 *
 * A packet that has arrived waits in the line of its next link and virtual channel. It leaves when
 * the link is free and the next router has space. Credits count that space: there is one credit per
 * place in the next router's buffer. A packet takes a credit when it leaves for the next router.
 * When the packet leaves the next router, an event returns the credit. The place of a leaving
 * packet is free at once, because the next packet needs as long to arrive as this packet needs to
 * leave. The virtual channels of a link are served round robin.
 *
 * Every event lets at most one packet leave. The event's struct to_message stores that packet in
 * `undo`.
 *
 * A router has memory for as many packets as fit into all its buffers, so the memory cannot
 * overflow while the credits are correct. In an optimistic run, the credits can be wrong for a
 * while: if a credit is cancelled, the packet that was sent with this credit can still arrive
 * before it is cancelled, too. Therefore a packet that finds no free place is ignored. The lack of
 * a place is an error only if the event of the packet's arrival commits. Free places form a stack;
 * all their members except `next` are zero. The place taken last is returned first, so that undo
 * restores all bytes.
 *
 * Invariants:
 * 1. `held` is the number of packets in lines.
 * 2. For a link and virtual channel v: credits[v] + packets on the link + packets in the buffer +
 *    credits on their way back = buffers.
 * 3. A line is empty if and only if first = last = 0.
 *
 * Bits of an event:
 * - c0: a packet left
 * - c1: held_max increased
 * - c2: packets could not leave because credits were missing
 * - c3: old value of `turn`
 * - c4: there was no place for the arriving packet
 * - c5: the packet that left had been injected at this node
 * - c6: the packet left between --warmup and --stop, so it counts for the use of the link
 *
 * Cost: O(dimensions) per event.
 */
#include "model.h"

#include <assert.h>

/* ---- Lines of waiting packets ---------------------------------------------------------------- */

static struct to_place *place_at(struct to_router *r, unsigned number)
{
    assert(number >= 1 && number <= to_router_places(to_model()));
    return &r->places[number - 1];
}

/* Takes a free place for the packet, and puts it into the line between the places prev and next, of
 * which 0 stands for an end of the line. */
static void line_insert(struct to_router *r, struct to_line *line, const struct to_packet *packet,
                        uint16_t prev, uint16_t next)
{
    assert(r->free != 0);
    unsigned number = r->free;
    struct to_place *place = place_at(r, number);
    r->free = place->next;
    *place = (struct to_place){.packet = *packet, .prev = prev, .next = next};
    *(prev == 0 ? &line->first : &place_at(r, prev)->next) = (uint16_t)number;
    *(next == 0 ? &line->last : &place_at(r, next)->prev) = (uint16_t)number;
    r->held++;
}

/* Removes a place from the line and gives it back. Returns its packet. */
static struct to_packet line_remove(struct to_router *r, struct to_line *line, unsigned number)
{
    assert(number != 0 && r->held > 0);
    struct to_place *place = place_at(r, number);
    struct to_packet packet = place->packet;
    *(place->prev == 0 ? &line->first : &place_at(r, place->prev)->next) = place->next;
    *(place->next == 0 ? &line->last : &place_at(r, place->next)->prev) = place->prev;
    memset(place, 0, sizeof *place);
    place->next = (uint16_t)r->free;
    r->free = number;
    r->held--;
    return packet;
}

/* ---- Departure of packets -------------------------------------------------------------------- */

static void credit_send(const struct to_model *m, const struct to_packet *p, tw_lp *lp)
{
    unsigned node = to_node(lp->gid);
    tw_event *event;
    if (p->port == to_terminal_port(&m->geometry)) {
        to_message_new(to_terminal_gid(node), 0, TO_ROOM, lp, &event);
    } else { /* the credit goes back through the other port of the same dimension */
        unsigned before = to_neighbour(&m->geometry, node, p->port ^ 1u);
        struct to_message *message =
            to_message_new(to_router_gid(before), m->latency, TO_CREDIT, lp, &event);
        message->port = p->port;
        message->vc = p->vc;
    }
    tw_event_send(event);
}

static void packet_send(const struct to_model *m, const struct to_packet *p, unsigned port,
                        unsigned vc, tw_lp *lp)
{
    unsigned node = to_node(lp->gid);
    bool is_last = port == to_terminal_port(&m->geometry);
    tw_lpid to =
        is_last ? to_terminal_gid(node) : to_router_gid(to_neighbour(&m->geometry, node, port));
    double offset = m->send_time + (is_last ? 0 : m->latency + m->router_delay);
    tw_event *event;
    struct to_message *message =
        to_message_new(to, offset, is_last ? TO_DELIVER : TO_ARRIVE, lp, &event);
    message->packet = *p;
    message->packet.arrived = 0;
    if (!is_last) {
        message->packet.hops++;
        message->packet.dim = (uint8_t)(port / 2);
        message->packet.port = (uint8_t)port;
        message->packet.vc = (uint8_t)vc;
    }
    tw_event_send(event);
    to_message_new(lp->gid, m->send_time, TO_PORT_FREE, lp, &event)->port = (uint8_t)port;
    tw_event_send(event);
}

/* Returns the index of the next line, in round-robin order, whose first packet may leave;
 * 2 * TO_VCS: there is none. */
static unsigned line_pick(const struct to_output *out, bool is_last, tw_bf *bf)
{
    bool stalled = false;
    for (unsigned i = 0; i < 2 * TO_VCS; i++) {
        unsigned vc = (out->turn + i) % TO_VCS;
        unsigned line = i < TO_VCS ? vc : TO_VCS + vc;
        if (out->line[line].first != 0) {
            if (is_last || out->credits[vc] > 0) {
                return line;
            }
            stalled = true;
        }
    }
    bf->c2 = stalled;
    return 2 * TO_VCS;
}

static void packet_leave(const struct to_model *m, struct to_router *r, unsigned port, tw_bf *bf,
                         struct to_message *msg, tw_lp *lp)
{
    struct to_output *out = &r->outputs[port];
    bool is_last = port == to_terminal_port(&m->geometry);
    unsigned line = out->busy ? 2 * TO_VCS : line_pick(out, is_last, bf);
    unsigned vc = line % TO_VCS;
    out->stalls += bf->c2;
    bf->c0 = line < 2 * TO_VCS;
    if (!bf->c0) {
        return;
    }
    msg->undo = line_remove(r, &out->line[line], out->line[line].first);
    bf->c5 = line >= TO_VCS;
    bf->c6 = tw_now(lp) >= m->warmup && tw_now(lp) < m->stop;
    out->counted += bf->c6;
    bf->c3 = out->turn & 1u;
    out->turn = (uint16_t)(1 - vc);
    out->credits[vc] = (uint16_t)(out->credits[vc] - !is_last);
    out->busy = 1;
    out->sent++;
    credit_send(m, &msg->undo, lp);
    packet_send(m, &msg->undo, port, vc, lp);
    st_task_id id = {0, 0, 0};
    st_task_add(lp, &id, to_packet_task(&msg->undo), "hop", is_last ? "to the terminal" : "on",
                NULL, msg->undo.arrived, NULL, 0);
}

static void packet_leave_undo(const struct to_model *m, struct to_router *r, unsigned port,
                              const tw_bf *bf, struct to_message *msg)
{
    struct to_output *out = &r->outputs[port];
    if (bf->c0) {
        unsigned vc = 1u - out->turn;
        bool is_last = port == to_terminal_port(&m->geometry);
        out->sent--;
        out->counted -= bf->c6;
        out->busy = 0;
        out->credits[vc] = (uint16_t)(out->credits[vc] + !is_last);
        out->turn = bf->c3;
        struct to_line *line = &out->line[vc + (bf->c5 ? TO_VCS : 0)];
        line_insert(r, line, &msg->undo, 0, line->first);
        memset(&msg->undo, 0, sizeof msg->undo);
    }
    out->stalls -= bf->c2;
}

/* ---- Event handlers -------------------------------------------------------------------------- */

static struct to_hop packet_route(const struct to_model *m, const struct to_packet *p,
                                  const tw_lp *lp)
{
    return to_route(&m->geometry, to_node(lp->gid), p->dest, p->ways, p->dim, p->vc);
}

static struct to_line *arrival_line(const struct to_model *m, struct to_router *r,
                                    const struct to_packet *p, struct to_hop hop)
{
    bool injected = p->port == to_terminal_port(&m->geometry);
    return &r->outputs[hop.port].line[hop.vc + (injected ? TO_VCS : 0)];
}

static void packet_arrive(struct to_router *r, struct to_line *line, tw_bf *bf,
                          const struct to_packet *packet, tw_lp *lp)
{
    struct to_packet p = *packet;
    p.arrived = tw_now(lp);
    bf->c4 = r->free == 0;
    if (bf->c4) {
        return;
    }
    line_insert(r, line, &p, line->last, 0);
    r->arrived++;
    bf->c1 = r->held > r->held_max;
    r->held_max += bf->c1;
}

static void packet_arrive_undo(struct to_router *r, struct to_line *line, const tw_bf *bf)
{
    if (!bf->c4) {
        r->held_max -= bf->c1;
        r->arrived--;
        line_remove(r, line, line->last);
    }
}

void to_router_init(void *state, tw_lp *lp)
{
    const struct to_model *m = to_model();
    struct to_router *r = state;
    unsigned n = to_router_places(m);
    for (unsigned i = 1; i < n; i++) {
        place_at(r, i)->next = (uint16_t)(i + 1);
    }
    r->free = 1;
    for (unsigned port = 0; port < to_terminal_port(&m->geometry); port++) {
        for (unsigned vc = 0; vc < TO_VCS; vc++) {
            r->outputs[port].credits[vc] = (uint16_t)m->buffers;
        }
    }
    (void)lp;
}

void to_router_event(void *state, tw_bf *bf, void *msg, tw_lp *lp)
{
    const struct to_model *m = to_model();
    struct to_router *r = state;
    struct to_message *message = msg;
    unsigned port = message->port;
    assert(port < TO_MAX_PORTS);
    if (message->kind == TO_ARRIVE) {
        struct to_hop hop = packet_route(m, &message->packet, lp);
        port = hop.port;
        packet_arrive(r, arrival_line(m, r, &message->packet, hop), bf, &message->packet, lp);
    } else if (message->kind == TO_PORT_FREE) {
        r->outputs[port].busy = 0;
    } else {
        r->outputs[port].credits[message->vc]++;
    }
    packet_leave(m, r, port, bf, message, lp);
}

void to_router_revent(void *state, tw_bf *bf, void *msg, tw_lp *lp)
{
    const struct to_model *m = to_model();
    struct to_router *r = state;
    struct to_message *message = msg;
    struct to_hop hop = {message->port, 0};
    if (message->kind == TO_ARRIVE) {
        hop = packet_route(m, &message->packet, lp);
    }
    packet_leave_undo(m, r, hop.port, bf, message);
    if (message->kind == TO_ARRIVE) {
        packet_arrive_undo(r, arrival_line(m, r, &message->packet, hop), bf);
    } else if (message->kind == TO_PORT_FREE) {
        r->outputs[hop.port].busy = 1;
    } else {
        r->outputs[hop.port].credits[message->vc]--;
    }
}

void to_router_commit(void *state, tw_bf *bf, void *msg, tw_lp *lp)
{
    (void)state;
    const struct to_message *message = msg;
    if (message->kind == TO_ARRIVE && bf->c4) {
        tw_error(TW_LOC, "packet %" PRIu64 " of node %u came to router %u without a credit",
                 message->packet.number, message->packet.source, to_node(lp->gid));
    }
}
