/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * observe.c - the fields that netsim adds to the records of the instrumentation.
 *
 * Event records describe the packet of the event. Samples hold the totals of a router or host since
 * the start of the simulation; unlike the results in the report, these totals include the warm-up.
 * The structs below define the recorded bytes, and the tables describe their fields. The structs
 * have no padding.
 */
#include "observe.h"

#include "common/observe.h"

#include "model.h"

struct packet_record {
    uint64_t packet;
    uint32_t flow; /* number of the flow: source site * number of sites + destination site */
    uint32_t size_bytes;
    uint16_t kind;
    uint16_t hops;
    uint16_t from_site;
    uint16_t to_site;
};
_Static_assert(sizeof(struct packet_record) == 24, "no padding");

struct router_record {
    uint64_t packets;
    uint64_t bytes;
    uint64_t drops;
    double utilisation_max;
    double backlog_max_bytes;
};
_Static_assert(sizeof(struct router_record) == 40, "no padding");

struct host_record {
    uint64_t sent;
    uint64_t received;
    double delay_mean_s;
};
_Static_assert(sizeof(struct host_record) == 24, "no padding");

static const char *const packet_kinds[] = {
    [0] = "", [NS_SEND] = "send", [NS_FORWARD] = "forward", [NS_DELIVER] = "deliver", NULL};

static const st_field packet_fields[] = {
    {"packet", ST_U64, offsetof(struct packet_record, packet), "", 1, ST_IDENTITY},
    {"flow", ST_U32, offsetof(struct packet_record, flow), "", 1, ST_IDENTITY},
    {"size", ST_U32, offsetof(struct packet_record, size_bytes), "bytes", 1, ST_LEVEL},
    {"kind", ST_U16, offsetof(struct packet_record, kind), "", 1, ST_IDENTITY, packet_kinds},
    {"hops", ST_U16, offsetof(struct packet_record, hops), "", 1, ST_LEVEL},
    {"from_site", ST_U16, offsetof(struct packet_record, from_site), "", 1, ST_IDENTITY},
    {"to_site", ST_U16, offsetof(struct packet_record, to_site), "", 1, ST_IDENTITY},
    {NULL, ST_U8, 0, NULL, 0, ST_UNSTATED},
};

static const st_field router_fields[] = {
    {"packets", ST_U64, offsetof(struct router_record, packets), "packets", 1, ST_COUNTER},
    {"bytes", ST_U64, offsetof(struct router_record, bytes), "bytes", 1, ST_COUNTER},
    {"drops", ST_U64, offsetof(struct router_record, drops), "packets", 1, ST_COUNTER},
    {"utilisation_max", ST_F64, offsetof(struct router_record, utilisation_max), "", 1, ST_LEVEL},
    {"backlog_max", ST_F64, offsetof(struct router_record, backlog_max_bytes), "bytes", 1,
     ST_LEVEL},
    {NULL, ST_U8, 0, NULL, 0, ST_UNSTATED},
};

static const st_field host_fields[] = {
    {"sent", ST_U64, offsetof(struct host_record, sent), "packets", 1, ST_COUNTER},
    {"received", ST_U64, offsetof(struct host_record, received), "packets", 1, ST_COUNTER},
    {"delay_mean", ST_F64, offsetof(struct host_record, delay_mean_s), "s", 1, ST_LEVEL},
    {NULL, ST_U8, 0, NULL, 0, ST_UNSTATED},
};

static void packet_trace(void *msg, tw_lp *lp, char *buffer, int *collect_flag)
{
    (void)lp;
    (void)collect_flag;
    const struct ns_packet *p = msg;
    struct packet_record record = {p->id,         ns_flow(ns_model(), p->from_site, p->to_site),
                                   p->size_bytes, (uint16_t)p->kind,
                                   p->hops,       p->from_site,
                                   p->to_site};
    memcpy(buffer, &record, sizeof record);
}

/* Writes a sample of a router to buffer. Utilisation and backlog are maxima over the router's
 * outputs to other sites, computed for the elapsed part of the window. */
static void router_sample(void *state, tw_lp *lp, char *buffer)
{
    const struct ns_model *m = ns_model();
    const struct ns_router *router = state;
    uint32_t site = ns_site_of_gid(&m->layout, lp->gid);
    uint32_t degree = ns_site_degree(&m->topology, site);
    double passed_s = tw_now(lp) - m->window.from_s;
    struct router_record record = {router->packets, router->bytes, router->drops, 0.0, 0.0};
    for (uint32_t k = 0; k < degree; k++) {
        const struct ns_queue *q = &router->outputs[k];
        const struct ns_line *line = &m->arc_lines[m->topology.arc_begin[site] + k];
        double utilisation = passed_s > 0 ? ROSS_MIN(1.0, q->busy_s / passed_s) : 0.0;
        double backlog = q->wait_max_s / line->s_per_byte;
        record.utilisation_max = ROSS_MAX(record.utilisation_max, utilisation);
        record.backlog_max_bytes = ROSS_MAX(record.backlog_max_bytes, backlog);
    }
    memcpy(buffer, &record, sizeof record);
}

static void host_sample(void *state, tw_lp *lp, char *buffer)
{
    (void)lp;
    const struct ns_host *host = state;
    double mean = host->received == 0 ? 0.0 : host->delay_sum_s / (double)host->received;
    struct host_record record = {host->sent, host->received, mean};
    memcpy(buffer, &record, sizeof record);
}

static st_model_types router_observers = {
    MODEL_OBSERVE_EVENTS(packet_trace, struct packet_record),
    MODEL_OBSERVE_STATE(router_sample, struct router_record),
};

static st_model_types host_observers = {
    MODEL_OBSERVE_EVENTS(packet_trace, struct packet_record),
    MODEL_OBSERVE_STATE(host_sample, struct host_record),
};

st_model_types *ns_router_observers(void)
{
    return &router_observers;
}

st_model_types *ns_host_observers(void)
{
    return &host_observers;
}

void ns_observers_describe(void)
{
    model_observers_describe(&router_observers, packet_fields, router_fields);
    model_observers_describe(&host_observers, packet_fields, host_fields);
}
