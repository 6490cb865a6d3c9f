/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * model.h - packets, events and states of the torus.
 *
 * LPs: node n has the terminal 2n and the router 2n+1, on the same rank unless --lp-map separates
 * them. They send each other events of offset 0; routers send events over links to other routers.
 */
#ifndef TORUS_MODEL_H
#define TORUS_MODEL_H

#include "settings.h"

/* ---- Packets and events ---------------------------------------------------------------------- */

struct to_packet {
    uint64_t number; /* ordinal number among the packets of the source node, from 1; 0: no packet */
    double made;     /* virtual time of its creation in ns */
    double arrived;  /* virtual time of its arrival at the current router in ns */
    uint32_t source; /* number of the source node */
    uint32_t dest;   /* number of the destination node */
    uint16_t ways;   /* bit d: direction in dimension d if both ways are equally long */
    uint16_t hops;   /* number of links between routers traversed */
    uint8_t dim;     /* dimension of the last link, or TO_NO_DIM */
    uint8_t vc;      /* virtual channel of the buffer that holds the packet */
    uint8_t port;    /* output port at the previous router; the terminal's port: it was injected */
    uint8_t unused;  /* unused, always 0 */
};
_Static_assert(sizeof(struct to_packet) == 40, "a packet has no padding");

enum to_kind {
    TO_MAKE = 1,  /* to a terminal, from itself: the next packet is due */
    TO_LINE_FREE, /* to a terminal, from itself: the line to the router is free */
    TO_DELIVER,   /* to a terminal: a packet has arrived */
    TO_ROOM,      /* to a terminal: a credit for a place in the router's buffer */
    TO_ARRIVE,    /* to a router: a packet has arrived */
    TO_PORT_FREE, /* to a router, from itself: a packet has left the port */
    TO_CREDIT     /* to a router: a credit for a place in the next router's buffer */
};

/* The payload of every event. Forward handlers set its member undo, and reverse handlers clear
 * it. */
struct to_message {
    struct to_packet packet;
    uint32_t kind; /* kind of event: enum to_kind */
    uint8_t port;  /* port, in TO_PORT_FREE and TO_CREDIT */
    uint8_t vc;    /* virtual channel, in TO_CREDIT */
    uint16_t unused;
    struct to_packet undo; /* the packet that this event forwarded */
};
_Static_assert(sizeof(struct to_message) == 88, "a message has no padding");

/* ---- States ---------------------------------------------------------------------------------- */

struct to_terminal {
    uint64_t made;
    uint64_t refused; /* number of packets not created, because the queue was full */
    uint64_t injected;
    uint64_t received;
    /* Sums over created packets. All sums are of integers, so that the order of additions does not
     * matter. */
    uint64_t hops;
    uint64_t hops_squared;
    uint64_t counted; /* number of packets received from --warmup to --stop */
    /* Sum of the latencies of received packets that were created from --warmup to --stop, in
     * ticks. */
    uint64_t ticks;
    uint64_t ticks_counted; /* number of the packets whose latencies are in the member ticks */
    uint64_t fast;          /* number of packets received that never waited */
    uint16_t credits;       /* number of free places in the router's buffer */
    uint16_t busy;          /* 1: the line to the router is busy */
    uint32_t first;         /* index of the first waiting packet in the ring */
    uint64_t waiting;
    struct to_packet queue[]; /* ring of source_queue places; empty ones are zero */
};

/* Memory for one packet in a router. Places are numbered from 1; number 0 means none. */
struct to_place {
    struct to_packet packet;
    uint16_t next, prev;
    uint32_t unused;
};

/* Packets that wait for a link and virtual channel, in order of arrival. */
struct to_line {
    uint16_t first, last;
};

struct to_output {
    uint64_t sent;
    uint64_t counted; /* number of packets from --warmup to --stop */
    uint64_t stalls;  /* number of times that only a lack of credits kept packets from leaving */
    /* Number of free places in the next router's buffers, by virtual channel. */
    uint16_t credits[TO_VCS];
    /* Lines by virtual channel: first those of packets that arrived over links, then those of
     * packets that the terminal injected. */
    struct to_line line[2 * TO_VCS];
    uint16_t busy;
    uint16_t turn; /* virtual channel to consider first when the next packet leaves */
};

struct to_router {
    uint64_t arrived;
    uint32_t held;
    uint32_t held_max;
    uint32_t free; /* place number of the top of the stack of free places; 0: none */
    uint32_t unused;
    struct to_output outputs[TO_MAX_PORTS];
    struct to_place places[]; /* the places, as many as all buffers of the incoming links have */
};

/* Returns the number of places of a router. */
static inline unsigned to_router_places(const struct to_model *m)
{
    return (2 * m->geometry.n_dims * TO_VCS + 1) * m->buffers;
}

static inline tw_lpid to_terminal_gid(unsigned node)
{
    return 2 * (tw_lpid)node;
}

static inline tw_lpid to_router_gid(unsigned node)
{
    return 2 * (tw_lpid)node + 1;
}

static inline unsigned to_node(tw_lpid gid)
{
    return (unsigned)(gid / 2);
}

/* Returns the id of the task of a packet, which is added at its destination. The id follows from
 * the packet's number. */
static inline st_task_id to_packet_task(const struct to_packet *p)
{
    st_task_id request = {to_terminal_gid(p->source) + 1, p->number, 0};
    return st_request_in(request, to_terminal_gid(p->dest));
}

/* ---- LPs ------------------------------------------------------------------------------------- */

/* Creates the LPs of this rank and gives them their types. Must be called after
 * to_settings_check(). Returns false if this placement does not permit --synch=2. Collective; all
 * ranks return the same result and message. */
bool to_model_define(struct model_error *error);

void to_terminal_init(void *state, tw_lp *lp);
void to_terminal_event(void *state, tw_bf *bf, void *msg, tw_lp *lp);
void to_terminal_revent(void *state, tw_bf *bf, void *msg, tw_lp *lp);
void to_terminal_commit(void *state, tw_bf *bf, void *msg, tw_lp *lp);
void to_terminal_final(void *state, tw_lp *lp);
void to_router_init(void *state, tw_lp *lp);
void to_router_event(void *state, tw_bf *bf, void *msg, tw_lp *lp);
void to_router_revent(void *state, tw_bf *bf, void *msg, tw_lp *lp);
void to_router_commit(void *state, tw_bf *bf, void *msg, tw_lp *lp);
void to_router_final(void *state, tw_lp *lp);

/* Creates an event for LP `to`. Returns its message, which is zero except for its kind. */
struct to_message *to_message_new(tw_lpid to, double offset, enum to_kind kind, tw_lp *lp,
                                  tw_event **event);

/* Return the callbacks for terminals and for routers, whose fields are described. */
st_model_types *to_terminal_observers(void);
st_model_types *to_router_observers(void);
void to_observers_describe(void);

#endif
