/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * observe.c - the fields that torus adds to the records of the instrumentation. Event records
 * describe the packet of the event; samples hold the counts of a terminal or router.
 */
#include "model.h"

static const char *const kinds[] = {[0] = "",
                                    [TO_MAKE] = "make",
                                    [TO_LINE_FREE] = "line free",
                                    [TO_DELIVER] = "deliver",
                                    [TO_ROOM] = "room",
                                    [TO_ARRIVE] = "arrive",
                                    [TO_PORT_FREE] = "port free",
                                    [TO_CREDIT] = "credit",
                                    NULL};

/* number: number of the packet among those of its source node; 0: no packet. */
#define PACKET_FIELDS(X, r)                                                                        \
    X(r, U64, number, "", IDENTITY, NULL)                                                          \
    X(r, U32, source, "", IDENTITY, NULL)                                                          \
    X(r, U32, dest, "", IDENTITY, NULL)                                                            \
    X(r, U32, hops, "links", LEVEL, NULL)                                                          \
    X(r, U32, kind, "", IDENTITY, kinds)
MODEL_PAYLOAD(packet, PACKET_FIELDS)

#define TERMINAL_FIELDS(X, r)                                                                      \
    X(r, U64, made, "packets", COUNTER, NULL)                                                      \
    X(r, U64, refused, "packets", COUNTER, NULL)                                                   \
    X(r, U64, received, "packets", COUNTER, NULL)                                                  \
    X(r, U64, waiting, "packets", LEVEL, NULL)
MODEL_PAYLOAD(terminal, TERMINAL_FIELDS)

#define ROUTER_FIELDS(X, r)                                                                        \
    X(r, U64, forwarded, "packets", COUNTER, NULL)                                                 \
    X(r, U64, stalls, "", COUNTER, NULL)                                                           \
    X(r, U32, held, "packets", LEVEL, NULL)                                                        \
    X(r, U32, held_max, "packets", LEVEL, NULL)
MODEL_PAYLOAD(router, ROUTER_FIELDS)

MODEL_EVENT(packet, const struct to_message *message)
{
    const struct to_packet *p = &message->packet;
    return (struct packet){p->number, p->source, p->dest, p->hops, message->kind};
}

MODEL_PURE_SAMPLE(terminal, const struct to_terminal *t)
{
    return (struct terminal){t->made, t->refused, t->received, t->waiting};
}

MODEL_PURE_SAMPLE(router, const struct to_router *r)
{
    struct router sample = {r->arrived - r->held, 0, r->held, r->held_max};
    for (unsigned port = 0; port < TO_MAX_PORTS; port++) {
        sample.stalls += r->outputs[port].stalls;
    }
    return sample;
}

struct model_observers to_terminal_observers = MODEL_OBSERVERS(packet, terminal);
struct model_observers to_router_observers = MODEL_OBSERVERS(packet, router);
