/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * model.h - the simulated network, shared by the LPs and read-only while the simulation runs; the
 * packets; the states of routers and hosts.
 */
#ifndef NETSIM_MODEL_H
#define NETSIM_MODEL_H

#include "layout.h"
#include "queue.h"
#include "settings.h"

/* Size in bytes of the name of a flow or line, with its terminating zero; longer names are
 * truncated. */
#define NS_NAME_SIZE 160

/* ---- Events ---------------------------------------------------------------------------------- */

enum ns_packet_kind {
    NS_SEND = 1, /* to a host, from itself: time to send this packet */
    NS_FORWARD,  /* to a router: the packet has arrived */
    NS_DELIVER   /* to a host: the packet has arrived */
};

/* Old values by which a delivery is undone. */
struct ns_delivery_undo {
    double host_delay_sum_s;
    double peer_delay_sum_s;
    double peer_delay_max_s;
    double unused;
};

/* The payload of every event: a packet and its place. 72 bytes without padding. */
struct ns_packet {
    uint64_t id;   /* (number of the sending host among all hosts) << 40 | count of its packets */
    double sent_s; /* virtual time at which the host sent the packet, in seconds; 0 before */
    /* Virtual time at which the packet arrived at the output of its last line, in seconds; 0 before
     * the first line. */
    double queued_s;
    uint16_t from_site;
    uint16_t to_site;
    uint16_t to_host; /* index of the destination host within to_site */
    uint16_t hops;    /* number of routers reached so far */
    uint32_t size_bytes;
    uint16_t kind; /* kind of event: enum ns_packet_kind */
    /* Index of the last arc, if the packet came over a link between sites; otherwise 0. */
    uint16_t arc;
    union {
        struct ns_queue_undo queue; /* used by NS_SEND and NS_FORWARD */
        struct ns_delivery_undo delivery;
    } undo; /* set by forward handlers, cleared by reverse handlers; zero while in transit */
};
_Static_assert(sizeof(struct ns_packet) == 72, "a packet has no padding");

/* ---- States ---------------------------------------------------------------------------------- */

/*
 * State of a router: totals; an output for each arc of its site, in the order of arcs; an output
 * for each host; a count of drops for each flow that passes through the router (ns_through_slot()).
 * Only the totals include events outside the window of the statistics (ns_window).
 */
struct ns_router {
    uint64_t packets; /* packets that any output has accepted since the start */
    uint64_t bytes;
    uint64_t drops;
    struct ns_queue outputs[];
};

/* Counts of a host for one other site. They include only packets that were sent while flows count,
 * see ns_window. */
struct ns_peer {
    uint64_t sent;      /* packets sent to the site */
    uint64_t received;  /* packets received from the site */
    double delay_sum_s; /* sum of the delays of the received packets, in seconds */
    double delay_max_s;
};

/* State of a host: totals, its output to the router, and one peer per site. */
struct ns_host {
    uint64_t drawn; /* packets created so far, including the one that is not yet sent */
    uint64_t sent;  /* packets sent since the start */
    uint64_t received;
    double delay_sum_s; /* sum of the delays of all received packets, in seconds */
    struct ns_queue uplink;
    struct ns_peer peers[];
};

/* ---- Model ----------------------------------------------------------------------------------- */

struct ns_model {
    const struct ns_settings *settings;
    struct ns_topology topology;
    struct ns_routes routes;
    struct ns_traffic traffic;
    struct ns_layout layout;
    struct ns_through through; /* flows through the sites of this rank, see router_types */
    /* Longest propagation delay between hosts that send to each other, in seconds. */
    double longest_way_s;
    struct ns_window window;
    struct ns_line *arc_lines;       /* line of each arc: the outputs of routers to other sites */
    char (*arc_names)[NS_NAME_SIZE]; /* name of each arc: "A > B" */
    struct ns_line downlink;         /* line from a router to a host */
    struct ns_line uplink;           /* line from a host to its router */
    bool is_placed;                  /* true if a map decides where LPs are, not the layout */
    double lookahead_s;              /* least offset of an event between ranks, in seconds */
    /* LP types of routers by the index of the site in through; they differ only in state_sz. */
    tw_lptype *router_types;
    tw_lptype host_type;
};

/* Returns the model, zeroed before ns_model_init(). Handlers only read it. */
const struct ns_model *ns_model(void);

/*
 * Reads the inputs and builds the model for this rank of comm. settings: checked; must stay valid.
 * Collective; all ranks return the same result and message.
 */
bool ns_model_init(const struct ns_settings *settings, MPI_Comm comm, struct model_error *error);

/* Adapts the model to the placement by a map (--lp-map), after tw_define_lps(). Returns false if
 * --synch=2 is impossible with it. All ranks return the same result and message. */
bool ns_model_place(struct model_error *error);

/* For --map=auto. ns_model_accept() computes the lookahead for the new places of LPs, and returns false if
 * the scheduler cannot run with it. ns_model_arrive() makes the types of the new local LPs, and the
 * tables of their sites. */
bool ns_model_accept(void);
void ns_model_arrive(void);
/* Builds the table of flows, which is large. Called after ns_model_init() and before tw_run(). */
void ns_model_fill(void);
void ns_model_fini(void);

/* Returns the number of LPs of this rank, from the layout. Not collective. */
tw_lpid ns_model_local_lps(void);
/* Gives each LP of this rank its type. Must be called after tw_define_lps(). Not collective. */
void ns_model_settypes(void);

/* Returns the number of outputs of a site's router: arcs, then hosts. */
static inline uint32_t ns_router_outputs(const struct ns_model *m, uint32_t site)
{
    return ns_site_degree(&m->topology, site) + m->layout.hosts;
}

/* Returns the drop counts of flows, which follow the outputs of a router. */
static inline uint64_t *ns_router_flow_drops(const struct ns_model *m, struct ns_router *router,
                                             uint32_t site)
{
    return (uint64_t *)(router->outputs + ns_router_outputs(m, site));
}

static inline uint32_t ns_flow(const struct ns_model *m, uint32_t from, uint32_t to)
{
    return from * m->topology.n_sites + to;
}

/* ---- Handlers of the LPs (router.c, host.c) -------------------------------------------------- */

void ns_router_event(void *state, tw_bf *bf, void *msg, tw_lp *lp);
void ns_router_revent(void *state, tw_bf *bf, void *msg, tw_lp *lp);

void ns_host_init(void *state, tw_lp *lp);
void ns_host_event(void *state, tw_bf *bf, void *msg, tw_lp *lp);
void ns_host_revent(void *state, tw_bf *bf, void *msg, tw_lp *lp);

#endif
