/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * model.h - packets, events and states of the torus.
 *
 * Node n has two LPs: the terminal with gid 2n and the router with gid 2n+1. Both are on the same
 * rank, unless --lp-map separates them. Some events between them have offset 0. Routers send events
 * over links to other routers.
 */
#ifndef TORUS_MODEL_H
#define TORUS_MODEL_H

#include "common/observe.h"
#include "settings.h"

/* ---- Packets and events ---------------------------------------------------------------------- */

struct to_packet {
    uint64_t number; /* number of the packet among those of the source node, from 1; 0: no packet */
    double made;     /* virtual time of the packet's creation in ns */
    double arrived;  /* virtual time of the packet's arrival at the current router in ns */
    uint32_t source; /* number of the source node */
    uint32_t dest;   /* number of the destination node */
    uint16_t ways;   /* bit d: direction in dimension d if both directions are equally long */
    uint16_t hops;   /* number of links between routers that the packet has traversed */
    uint8_t dim;     /* dimension of the last link, or TO_NO_DIM */
    uint8_t vc;      /* virtual channel of the buffer that holds the packet */
    /* Output port of the previous router; the terminal's port if the terminal injected the
     * packet. */
    uint8_t port;
    uint8_t unused; /* unused, always 0 */
};
_Static_assert(sizeof(struct to_packet) == 40, "a packet has no padding");

enum to_kind {
    TO_MAKE = 1,  /* to a terminal, from itself: the next packet is due */
    TO_LINE_FREE, /* to a terminal, from itself: the line to the router is free */
    TO_DELIVER,   /* to a terminal: a packet has arrived */
    TO_ROOM,      /* to a terminal: a credit for a place in its router's buffer */
    TO_ARRIVE,    /* to a router: a packet has arrived */
    TO_PORT_FREE, /* to a router, from itself: a packet has left the port */
    TO_CREDIT     /* to a router: a credit for a place in the next router's buffer */
};

/* Payload of every event. Forward handlers set `undo`; reverse handlers clear it. */
struct to_message {
    struct to_packet packet;
    uint32_t kind; /* kind of event: enum to_kind */
    uint8_t port;  /* in TO_PORT_FREE and TO_CREDIT: index of the port */
    uint8_t vc;    /* in TO_CREDIT: index of the virtual channel */
    uint16_t unused;
    struct to_packet undo; /* packet that this event forwarded */
};
_Static_assert(sizeof(struct to_message) == 88, "a message has no padding");

/* ---- States ---------------------------------------------------------------------------------- */

struct to_terminal {
    uint64_t made;
    uint64_t refused; /* number of packets not created because the queue was full */
    uint64_t injected;
    uint64_t received;
    /* hops: number of hops, summed over all created packets; hops_squared: sum of the squares of
     * these numbers. All sums in the state are integers, so that the order of additions does not
     * matter. */
    uint64_t hops;
    uint64_t hops_squared;
    uint64_t counted; /* number of packets received in the time from --warmup to --stop */
    /* Sum of the latencies of those received packets that were created in the time from --warmup to
     * --stop, in ticks. */
    uint64_t ticks;
    uint64_t ticks_counted; /* number of packets whose latencies are included in `ticks` */
    uint64_t fast;          /* number of received packets that never had to wait */
    uint16_t credits;       /* number of free places in the router's buffer for this terminal */
    uint16_t busy;          /* 1: the line to the router is busy */
    uint32_t first;         /* index in queue of the first waiting packet */
    uint64_t waiting;
    struct to_packet queue[]; /* ring of source_queue places; empty places hold zeros */
};

/* Memory for one packet in a router. Places are numbered from 1. next, prev: numbers of the next
 * and previous place in the line; 0: none. */
struct to_place {
    struct to_packet packet;
    uint16_t next, prev;
    uint32_t unused;
};

/* Packets that wait for the same link and virtual channel, in order of arrival. first, last:
 * numbers of their places; 0: the line is empty. */
struct to_line {
    uint16_t first, last;
};

struct to_output {
    uint64_t sent;
    uint64_t counted; /* number of packets that left in the time from --warmup to --stop */
    /* Number of times that packets could not leave only because credits were missing. */
    uint64_t stalls;
    /* [v]: number of free places in the next router's buffer of virtual channel v. */
    uint16_t credits[TO_VCS];
    /* [v]: packets for virtual channel v that arrived over links; [TO_VCS + v]: packets for virtual
     * channel v that the terminal injected. */
    struct to_line line[2 * TO_VCS];
    uint16_t busy;
    uint16_t turn; /* virtual channel to consider first when the next packet is to leave */
};

struct to_router {
    uint64_t arrived;
    uint32_t held;
    uint32_t held_max;
    uint32_t free; /* number of the place on top of the stack of free places; 0: no place is free */
    uint32_t unused;
    struct to_output outputs[TO_MAX_PORTS];
    /* [to_router_places()]: one place for each packet that fits into the input buffers of the
     * router. */
    struct to_place places[];
};

/* Returns the number of places in a router. */
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

/* Returns the id of the packet's task, computed from the source node and the number of the packet.
 * The task is added at the packet's destination. */
static inline st_task_id to_packet_task(const struct to_packet *p)
{
    st_task_id request = {to_terminal_gid(p->source) + 1, p->number, 0};
    return st_request_in(request, to_terminal_gid(p->dest));
}

/* ---- LPs ------------------------------------------------------------------------------------- */

/* Creates the LPs of this rank and sets their types. Must be called after to_settings_check().
 * Returns false, with an error message in *error, if the placement of LPs does not permit
 * --synch=2. Collective; all ranks return the same result and error message. */
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

/* Creates an event from lp to LP `to`, and stores it in *event for tw_event_send(). Returns the
 * message of the event, in which all members except `kind` are zero. */
struct to_message *to_message_new(tw_lpid to, double offset, enum to_kind kind, tw_lp *lp,
                                  tw_event **event);

/* Defined in report.c. Prints the heading before the run. */
void to_report_heading(FILE *out, const struct to_model *m);
/* Gathers the counts of all LPs and prints the results on rank 0. Must be called after tw_run().
 * Collective. */
void to_report_results(FILE *out, const struct to_model *m);

/* Defined in observe.c. */
extern struct model_observers to_terminal_observers, to_router_observers;

#endif
