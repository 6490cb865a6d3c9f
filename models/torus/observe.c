/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * observe.c - the fields that torus adds to the records of the instrumentation. Event records
 * describe the packet of the event; samples hold the counts of a terminal or router. The structs
 * have no padding.
 */
#include "common/observe.h"
#include "model.h"

struct packet_record {
    uint64_t number; /* number of the packet among those of its source node; 0: no packet */
    uint32_t source;
    uint32_t dest;
    uint32_t hops;
    uint32_t kind;
};
_Static_assert(sizeof(struct packet_record) == 24, "no padding");

struct terminal_record {
    uint64_t made;
    uint64_t refused;
    uint64_t received;
    uint64_t waiting;
};
_Static_assert(sizeof(struct terminal_record) == 32, "no padding");

struct router_record {
    uint64_t forwarded;
    uint64_t stalls;
    uint32_t held;
    uint32_t held_max;
};
_Static_assert(sizeof(struct router_record) == 24, "no padding");

static const char *const message_kinds[] = {[0] = "",
                                            [TO_MAKE] = "make",
                                            [TO_LINE_FREE] = "line free",
                                            [TO_DELIVER] = "deliver",
                                            [TO_ROOM] = "room",
                                            [TO_ARRIVE] = "arrive",
                                            [TO_PORT_FREE] = "port free",
                                            [TO_CREDIT] = "credit",
                                            NULL};

static const st_field packet_fields[] = {
    {"number", ST_U64, offsetof(struct packet_record, number), "", 1, ST_IDENTITY},
    {"source", ST_U32, offsetof(struct packet_record, source), "", 1, ST_IDENTITY},
    {"dest", ST_U32, offsetof(struct packet_record, dest), "", 1, ST_IDENTITY},
    {"hops", ST_U32, offsetof(struct packet_record, hops), "links", 1, ST_LEVEL},
    {"kind", ST_U32, offsetof(struct packet_record, kind), "", 1, ST_IDENTITY, message_kinds},
    {NULL, ST_U8, 0, NULL, 0, ST_UNSTATED},
};

static const st_field terminal_fields[] = {
    {"made", ST_U64, offsetof(struct terminal_record, made), "packets", 1, ST_COUNTER},
    {"refused", ST_U64, offsetof(struct terminal_record, refused), "packets", 1, ST_COUNTER},
    {"received", ST_U64, offsetof(struct terminal_record, received), "packets", 1, ST_COUNTER},
    {"waiting", ST_U64, offsetof(struct terminal_record, waiting), "packets", 1, ST_LEVEL},
    {NULL, ST_U8, 0, NULL, 0, ST_UNSTATED},
};

static const st_field router_fields[] = {
    {"forwarded", ST_U64, offsetof(struct router_record, forwarded), "packets", 1, ST_COUNTER},
    {"stalls", ST_U64, offsetof(struct router_record, stalls), "", 1, ST_COUNTER},
    {"held", ST_U32, offsetof(struct router_record, held), "packets", 1, ST_LEVEL},
    {"held_max", ST_U32, offsetof(struct router_record, held_max), "packets", 1, ST_LEVEL},
    {NULL, ST_U8, 0, NULL, 0, ST_UNSTATED},
};

static void packet_trace(void *msg, tw_lp *lp, char *buffer, int *collect_flag)
{
    (void)lp;
    (void)collect_flag;
    const struct to_message *message = msg;
    const struct to_packet *p = &message->packet;
    struct packet_record record = {p->number, p->source, p->dest, p->hops, message->kind};
    memcpy(buffer, &record, sizeof record);
}

static void terminal_sample(void *state, tw_lp *lp, char *buffer)
{
    (void)lp;
    const struct to_terminal *t = state;
    struct terminal_record record = {t->made, t->refused, t->received, t->waiting};
    memcpy(buffer, &record, sizeof record);
}

static void router_sample(void *state, tw_lp *lp, char *buffer)
{
    (void)lp;
    const struct to_router *r = state;
    struct router_record record = {r->arrived - r->held, 0, r->held, r->held_max};
    for (unsigned port = 0; port < TO_MAX_PORTS; port++) {
        record.stalls += r->outputs[port].stalls;
    }
    memcpy(buffer, &record, sizeof record);
}

static st_model_types terminal_observers = {
    MODEL_OBSERVE_EVENTS(packet_trace, struct packet_record),
    MODEL_OBSERVE_STATE(terminal_sample, struct terminal_record),
};

static st_model_types router_observers = {
    MODEL_OBSERVE_EVENTS(packet_trace, struct packet_record),
    MODEL_OBSERVE_STATE(router_sample, struct router_record),
};

st_model_types *to_terminal_observers(void)
{
    return &terminal_observers;
}

st_model_types *to_router_observers(void)
{
    return &router_observers;
}

void to_observers_describe(void)
{
    model_observers_describe(&terminal_observers, packet_fields, terminal_fields);
    model_observers_describe(&router_observers, packet_fields, router_fields);
}
