/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * model.h - the packets, the states of routers and hosts, and the simulated network. All LPs share
 * the network, which is read-only during the run.
 */
#ifndef NETSIM_MODEL_H
#define NETSIM_MODEL_H

#include "common/observe.h"
#include "layout.h"
#include "queue.h"
#include "traffic.h"

/* Size in bytes of the name of a flow or line, including the terminating zero. Longer names are
 * truncated. */
#define NS_NAME_SIZE 160

/* ---- Options (settings.c) ---------------------------------------------------------------------- */

#define NS_PATH_SIZE 4096
#define NS_AUTO      (-1.0) /* value of a time option: the model chooses the time */

struct ns_settings {
    /* Path of the topology file; "": the Abilene network, which is part of netsim. */
    char topology[NS_PATH_SIZE];
    char traffic[NS_PATH_SIZE];   /* path of the traffic matrix; "": gravity model */
    char links_csv[NS_PATH_SIZE]; /* path of the file for the results of links; "": no file */
    char flows_csv[NS_PATH_SIZE];
    char mix_text[512];
    unsigned int hosts; /* number of hosts per site */
    /* Offered load of the busiest link; 0: the load that results from the traffic file, or
     * NS_DEFAULT_LOAD if there is no traffic file. */
    double load;
    double capacity_bps;
    double
        delay_s; /* of links for which the file gives neither a delay nor the places of both ends */
    double buffer_bytes;    /* size of a buffer in bytes; 0: unlimited */
    double access_rate_bps; /* rate of access lines in bit/s; 0: infinitely fast */
    double access_delay_s;
    /* Duration of the warm-up in seconds; NS_AUTO: the longest propagation delay between hosts, but
     * at most half the run. */
    double warmup_s;
    unsigned int top_links;
    unsigned int top_flows;
    struct ns_mix mix; /* packet sizes, parsed from mix_text */
};

#define NS_DEFAULT_LOAD  0.3
#define NS_DEFAULT_END_S 0.06

/* Returns the settings. They have their default values until tw_init() reads the command line. */
struct ns_settings *ns_settings(void);

extern const tw_optdef ns_options[]; /* for tw_opt_add() */

/*
 * Checks all values that do not depend on the topology, including g_tw_ts_end. Parses mix_text.
 * argc, argv: the rest of the command line after tw_init(). Returns false after an error, with an
 * error message in *error that names the option. Not collective.
 */
bool ns_settings_check(struct ns_settings *settings, int argc, char **argv,
                       struct model_error *error);

/* ---- Events ---------------------------------------------------------------------------------- */

enum ns_packet_kind {
    NS_SEND = 1, /* to a host, from itself: the time to send the packet has come */
    NS_FORWARD,  /* to a router: the packet has arrived */
    NS_DELIVER   /* to a host: the packet has arrived */
};

/* Old values with which a delivery is undone. */
struct ns_delivery_undo {
    double host_delay_sum_s;
    double peer_delay_sum_s;
    double peer_delay_max_s;
    double unused;
};

/* Payload of every event: a packet and its position. The struct has 72 bytes without padding. */
struct ns_packet {
    /* Identity: (index of the sending host among all hosts) << 40 | index of the packet among that
     * host's packets. Both indices count from 0. */
    uint64_t id;
    /* Virtual time at which the host sent the packet, in seconds; 0 in NS_SEND. */
    double sent_s;
    /* Virtual time at which the packet arrived at the output queue of its latest line, in seconds;
     * 0 before the first line. */
    double queued_s;
    uint16_t from_site;
    uint16_t to_site;
    uint16_t to_host; /* index of the destination host within to_site */
    uint16_t hops;    /* number of lines that the packet has passed so far */
    uint32_t size_bytes;
    uint16_t kind; /* kind of event: enum ns_packet_kind */
    /* Index of the latest arc if the packet came over a link between sites; otherwise 0. */
    uint16_t arc;
    union {
        struct ns_queue_undo queue; /* used by NS_SEND and NS_FORWARD */
        struct ns_delivery_undo delivery;
    } undo; /* set by forward handlers, cleared by reverse handlers; zero while in transit */
};
_Static_assert(sizeof(struct ns_packet) == 72, "a packet has no padding");

/* ---- States ---------------------------------------------------------------------------------- */

/*
 * State of a router: totals since the start, and the outputs, first those to the arcs of its site
 * in the order of arcs, then those to its hosts. Behind the outputs, there is a drop count for each
 * flow that passes through the router, indexed by ns_through_slot(). Only the totals include events
 * outside the window of the statistics (ns_window).
 */
struct ns_router {
    uint64_t packets; /* number of packets that the outputs have accepted */
    uint64_t bytes;
    uint64_t drops;
    struct ns_queue outputs[];
};

/* Counts of a host for the packets that it exchanged with the hosts of one other site. Includes
 * only packets that were sent in the window for flows, see ns_window. */
struct ns_peer {
    uint64_t sent;      /* number of packets sent to the site */
    uint64_t received;  /* number of packets received from the site */
    double delay_sum_s; /* sum of the delays of the received packets, in seconds */
    double delay_max_s;
};

/* State of a host: totals since the start, the host's output to its router, and an ns_peer for each
 * site. */
struct ns_host {
    /* Number of packets created, including the next one, which has not been sent yet. */
    uint64_t drawn;
    uint64_t sent; /* number of packets sent */
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
    struct ns_through through; /* flows through the sites of this rank, see ns_through_init() */
    /* Maximum propagation delay, in seconds, over all pairs of hosts between which there is
     * traffic. */
    double longest_way_s;
    struct ns_window window;
    /* [a]: line of arc a, which is an output of a router to another site. */
    struct ns_line *arc_lines;
    /* [a]: name of arc a, such as "A > B". */
    char (*arc_names)[NS_NAME_SIZE];
    struct ns_line downlink; /* line from a router to a host */
    struct ns_line uplink;   /* line from a host to its router */
    /* true: a map determines the ranks of LPs; false: the layout does. */
    bool is_placed;
    double lookahead_s; /* minimum offset of an event between ranks, in seconds */
    /* LP types of routers, indexed by through.index[site]. They differ only in state_sz. */
    tw_lptype *router_types;
    tw_lptype host_type;
};

/* Returns the model, whose members are all zero until ns_model_init() builds it. Handlers only read
 * the model. */
extern const struct ns_model *const ns_the_model;
static inline const struct ns_model *ns_model(void)
{
    return ns_the_model;
}

/*
 * Reads the input files and builds the model for this rank of comm. settings: checked by
 * ns_settings_check(); must stay valid. Returns false after an error. Collective; all ranks return
 * the same result and error message.
 */
bool ns_model_init(const struct ns_settings *settings, MPI_Comm comm, struct model_error *error);

/* Adapts the model to the placement of LPs by a map (--lp-map). Must be called after
 * tw_define_lps(). Returns false, with an error message in *error, if --synch=2 is impossible with
 * the map. All ranks return the same result and error message. */
bool ns_model_place(struct model_error *error);

/* ns_model_accept() and ns_model_arrive() are called for --map=auto. ns_model_accept() computes the
 * lookahead for the new placement of LPs, and returns false if the scheduler cannot run with it. */
bool ns_model_accept(void);
/* Builds the LP types for the LPs that have moved to this rank, and the tables of their sites. */
void ns_model_arrive(void);
/* Builds the large table m->through.flows. Must be called after ns_model_init() and before
 * tw_run(). */
void ns_model_fill(void);
void ns_model_fini(void);

/* Returns the number of LPs of this rank in the layout. Not collective. */
tw_lpid ns_model_local_lps(void);
/* Gives each LP of this rank its type and its callbacks for the instrumentation. Must be called
 * after tw_define_lps(). Not collective. */
void ns_model_settypes(void);

/* Returns the number of outputs of a site's router: one for each arc of the site, then one for each
 * host. */
static inline uint32_t ns_router_outputs(const struct ns_model *m, uint32_t site)
{
    return ns_site_degree(&m->topology, site) + m->layout.hosts;
}

/* Returns the drop counts in the state of a router: an array behind the outputs, with one element
 * for each flow that passes through the router. */
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

/* ---- Passages of packets as tasks, for tracers and --task-trace (journey.c) ------------------ */

/* Composes m->arc_names, the names of links, such as "A > B". If several links are parallel, the
 * second one is named "A > B (2)", and so on. The caller frees the names by ns_journey_fini(). */
void ns_journey_init(struct ns_model *m);
void ns_journey_fini(struct ns_model *m);

/* Adds two tasks: the packet's passage over a line (hop or access), and the transmission within it.
 * Called when the packet has arrived at the end of the line. */
void ns_trace_line(const struct ns_model *m, const struct ns_packet *packet, tw_lp *lp);
/* Adds the task of the packet's journey. Called after ns_trace_line(), when the packet has arrived
 * at its host. */
void ns_trace_journey(const struct ns_model *m, const struct ns_packet *packet, tw_lp *lp);
/* Adds the task of a drop. Called when a router drops the packet because the output buffer of its
 * next line is full. */
void ns_trace_drop(const struct ns_model *m, const struct ns_packet *packet, tw_lp *lp);

/* Defined in observe.c. */
extern struct model_observers ns_router_observers, ns_host_observers;

#endif
