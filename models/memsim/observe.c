/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * observe.c - the fields that memsim adds to the records of the instrumentation. Event records
 * describe the request of the event; samples hold the counts and rates of an LP.
 */
#include "model.h"

static const char *const message_kinds[] = {[0] = "",
                                            [MS_BEGIN] = "begin",
                                            [MS_DONE] = "done",
                                            [MS_START] = "start",
                                            [MS_PORT_FREE] = "port free",
                                            [MS_REPLY] = "reply",
                                            [MS_ARRIVED] = "arrived",
                                            [MS_REQUEST] = "request",
                                            [MS_LOOKUP] = "lookup",
                                            [MS_FILL] = "fill",
                                            [MS_DRAIN] = "drain",
                                            [MS_RETRY] = "retry",
                                            [MS_READ] = "read",
                                            [MS_WRITE] = "write",
                                            NULL};

/* Names of the access types, indexed by enum memtrace_type. All types from MEMTRACE_ATOMIC on are
 * atomics. */
static const char *const access_types[MEMTRACE_TYPE_MAX + 2] = {
    "load",   "store",  "atomic", "atomic", "atomic", "atomic", "atomic", "atomic",
    "atomic", "atomic", "atomic", "atomic", "atomic", "atomic", "atomic", NULL};

/* address: in bytes; in MS_FILL, MS_READ and MS_WRITE, the number of the line. number: of the request's
 * task; 0: none. */
#define REQUEST_FIELDS(X, r)                                                                       \
    X(r, U64, address, "", IDENTITY, NULL)                                                         \
    X(r, U64, number, "", IDENTITY, NULL)                                                          \
    X(r, U32, bytes, "bytes", LEVEL, NULL)                                                         \
    X(r, U32, sm, "", IDENTITY, NULL)                                                              \
    X(r, U32, type, "", IDENTITY, access_types)                                                    \
    X(r, U32, kind, "", IDENTITY, message_kinds)
MODEL_PAYLOAD(request, REQUEST_FIELDS)

#define LAUNCHER_FIELDS(X, r)                                                                      \
    X(r, U64, begun, "launches", COUNTER, NULL)                                                    \
    X(r, U64, finished, "launches", COUNTER, NULL)                                                 \
    X(r, U64, waiting, "SMs", LEVEL, NULL)
MODEL_PAYLOAD(launcher, LAUNCHER_FIELDS)

/* mean_wait: mean waiting time of replies for the incoming port. */
#define SM_FIELDS(X, r)                                                                            \
    X(r, U64, accesses, "", COUNTER, NULL)                                                         \
    X(r, U64, bytes, "bytes", COUNTER, NULL)                                                       \
    X(r, U64, requests, "", COUNTER, NULL)                                                         \
    X(r, U64, in_flight, "requests", LEVEL, NULL)                                                  \
    X(r, U64, blocked, "", COUNTER, NULL)                                                          \
    X(r, F64, mean_latency, "ns", LEVEL, NULL)                                                     \
    X(r, F64, mean_wait, "ns", LEVEL, NULL)
MODEL_PAYLOAD(sm, SM_FIELDS)

#define SLICE_FIELDS(X, r)                                                                         \
    X(r, U64, requests, "", COUNTER, NULL)                                                         \
    X(r, U64, misses, "", COUNTER, NULL)                                                           \
    X(r, U64, writebacks, "lines", COUNTER, NULL)                                                  \
    X(r, U64, held, "requests", LEVEL, NULL)                                                       \
    X(r, U64, stalls, "", COUNTER, NULL)                                                           \
    X(r, F64, hit_rate, "", LEVEL, NULL)                                                           \
    X(r, F64, mean_wait, "ns", LEVEL, NULL)
MODEL_PAYLOAD(slice, SLICE_FIELDS)

/* bandwidth: mean from time 0 to the time at which the last planned transfer of a line ends. The value
 * stays the same while the channel is idle. */
#define CHANNEL_FIELDS(X, r)                                                                       \
    X(r, U64, reads, "lines", COUNTER, NULL)                                                       \
    X(r, U64, writes, "lines", COUNTER, NULL)                                                      \
    X(r, F64, row_hit_rate, "", LEVEL, NULL)                                                       \
    X(r, F64, bandwidth, "GB/s", LEVEL, NULL)                                                      \
    X(r, F64, mean_wait, "ns", LEVEL, NULL)
MODEL_PAYLOAD(channel, CHANNEL_FIELDS)

static double share(uint64_t part, uint64_t of)
{
    return of == 0 ? 0 : (double)part / (double)of;
}

MODEL_EVENT(request, const struct ms_message *message)
{
    const struct ms_request *r = &message->request;
    return (struct request){r->address, r->number, r->bytes, r->sm, r->type, message->kind};
}

MODEL_PURE_SAMPLE(launcher, const struct ms_launcher *l)
{
    return (struct launcher){l->begun, l->finished_launches, l->waiting};
}

MODEL_PURE_SAMPLE(sm, const struct ms_sm *sm)
{
    uint64_t accesses = sm->accesses[0] + sm->accesses[1] + sm->accesses[2];
    return (struct sm){.accesses = accesses,
                       .bytes = sm->bytes[0] + sm->bytes[1] + sm->bytes[2],
                       .requests = sm->requests,
                       .in_flight = sm->in_flight,
                       .blocked = sm->blocked,
                       .mean_latency = ms_mean_ns(sm->latency, accesses),
                       .mean_wait = ms_mean_ns(sm->wait, sm->requests - sm->in_flight)};
}

MODEL_PURE_SAMPLE(slice, const struct ms_slice *s)
{
    return (struct slice){.requests = s->requests,
                          .misses = s->misses,
                          .writebacks = s->writebacks,
                          .held = s->held,
                          .stalls = s->stalls,
                          .hit_rate = share(s->hits, s->hits + s->merges + s->misses),
                          .mean_wait = ms_mean_ns(s->wait, s->requests)};
}

MODEL_PURE_SAMPLE(channel, const struct ms_channel *c)
{
    uint64_t n = c->reads + c->writes;
    return (struct channel){.reads = c->reads,
                            .writes = c->writes,
                            .row_hit_rate = share(c->row_hits, n),
                            .bandwidth = n > 0 ? (double)n * ms_model()->line / c->bus_free : 0,
                            .mean_wait = ms_mean_ns(c->wait, n)};
}

struct model_observers ms_observers[MS_LP_KINDS] = {
    [MS_LAUNCHER] = MODEL_OBSERVERS(request, launcher),
    [MS_SM] = MODEL_OBSERVERS(request, sm),
    [MS_SLICE] = MODEL_OBSERVERS(request, slice),
    [MS_CHANNEL] = MODEL_OBSERVERS(request, channel),
};
