/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * observe.c - the fields that memsim adds to the records of the instrumentation. Event records
 * describe the request of the event; samples hold the counts and rates of an LP. The structs have
 * no padding.
 */
#include "common/observe.h"
#include "model.h"

struct request_record {
    /* Address in bytes; in MS_FILL, MS_READ and MS_WRITE, the number of the line. */
    uint64_t address;
    uint64_t number; /* number of the request's task; 0: none */
    uint32_t bytes;
    uint32_t sm;
    uint32_t type;
    uint32_t kind;
};
_Static_assert(sizeof(struct request_record) == 32, "no padding");

struct launcher_record {
    uint64_t begun;
    uint64_t finished;
    uint64_t waiting;
};

struct sm_record {
    uint64_t accesses;
    uint64_t bytes;
    uint64_t requests;
    uint64_t in_flight;
    uint64_t blocked;
    double mean_latency;
    double mean_wait; /* mean waiting time of replies for the incoming port, in ns */
};

struct slice_record {
    uint64_t requests;
    uint64_t misses;
    uint64_t writebacks;
    uint64_t held;
    uint64_t stalls;
    double hit_rate;
    double mean_wait;
};

struct channel_record {
    uint64_t reads;
    uint64_t writes;
    double row_hit_rate;
    /* Mean bandwidth from time 0 to the time at which the last planned transfer of a line ends. The
     * value stays the same while the channel is idle. */
    double bandwidth;
    double mean_wait;
};

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

static const st_field request_fields[] = {
    {"address", ST_U64, offsetof(struct request_record, address), "", 1, ST_IDENTITY},
    {"number", ST_U64, offsetof(struct request_record, number), "", 1, ST_IDENTITY},
    {"bytes", ST_U32, offsetof(struct request_record, bytes), "bytes", 1, ST_LEVEL},
    {"sm", ST_U32, offsetof(struct request_record, sm), "", 1, ST_IDENTITY},
    {"type", ST_U32, offsetof(struct request_record, type), "", 1, ST_IDENTITY, access_types},
    {"kind", ST_U32, offsetof(struct request_record, kind), "", 1, ST_IDENTITY, message_kinds},
    {NULL, ST_U8, 0, NULL, 0, ST_UNSTATED},
};

static const st_field launcher_fields[] = {
    {"begun", ST_U64, offsetof(struct launcher_record, begun), "launches", 1, ST_COUNTER},
    {"finished", ST_U64, offsetof(struct launcher_record, finished), "launches", 1, ST_COUNTER},
    {"waiting", ST_U64, offsetof(struct launcher_record, waiting), "SMs", 1, ST_LEVEL},
    {NULL, ST_U8, 0, NULL, 0, ST_UNSTATED},
};

static const st_field sm_fields[] = {
    {"accesses", ST_U64, offsetof(struct sm_record, accesses), "", 1, ST_COUNTER},
    {"bytes", ST_U64, offsetof(struct sm_record, bytes), "bytes", 1, ST_COUNTER},
    {"requests", ST_U64, offsetof(struct sm_record, requests), "", 1, ST_COUNTER},
    {"in_flight", ST_U64, offsetof(struct sm_record, in_flight), "requests", 1, ST_LEVEL},
    {"blocked", ST_U64, offsetof(struct sm_record, blocked), "", 1, ST_COUNTER},
    {"mean_latency", ST_F64, offsetof(struct sm_record, mean_latency), "ns", 1, ST_LEVEL},
    {"mean_wait", ST_F64, offsetof(struct sm_record, mean_wait), "ns", 1, ST_LEVEL},
    {NULL, ST_U8, 0, NULL, 0, ST_UNSTATED},
};

static const st_field slice_fields[] = {
    {"requests", ST_U64, offsetof(struct slice_record, requests), "", 1, ST_COUNTER},
    {"misses", ST_U64, offsetof(struct slice_record, misses), "", 1, ST_COUNTER},
    {"writebacks", ST_U64, offsetof(struct slice_record, writebacks), "lines", 1, ST_COUNTER},
    {"held", ST_U64, offsetof(struct slice_record, held), "requests", 1, ST_LEVEL},
    {"stalls", ST_U64, offsetof(struct slice_record, stalls), "", 1, ST_COUNTER},
    {"hit_rate", ST_F64, offsetof(struct slice_record, hit_rate), "", 1, ST_LEVEL},
    {"mean_wait", ST_F64, offsetof(struct slice_record, mean_wait), "ns", 1, ST_LEVEL},
    {NULL, ST_U8, 0, NULL, 0, ST_UNSTATED},
};

static const st_field channel_fields[] = {
    {"reads", ST_U64, offsetof(struct channel_record, reads), "lines", 1, ST_COUNTER},
    {"writes", ST_U64, offsetof(struct channel_record, writes), "lines", 1, ST_COUNTER},
    {"row_hit_rate", ST_F64, offsetof(struct channel_record, row_hit_rate), "", 1, ST_LEVEL},
    {"bandwidth", ST_F64, offsetof(struct channel_record, bandwidth), "GB/s", 1, ST_LEVEL},
    {"mean_wait", ST_F64, offsetof(struct channel_record, mean_wait), "ns", 1, ST_LEVEL},
    {NULL, ST_U8, 0, NULL, 0, ST_UNSTATED},
};

static double share(uint64_t part, uint64_t of)
{
    return of == 0 ? 0 : (double)part / (double)of;
}

static void request_trace(void *msg, tw_lp *lp, char *buffer, int *collect_flag)
{
    (void)lp;
    (void)collect_flag;
    const struct ms_message *message = msg;
    const struct ms_request *r = &message->request;
    struct request_record record = {r->address, r->number, r->bytes, r->sm, r->type, message->kind};
    memcpy(buffer, &record, sizeof record);
}

static void launcher_sample(void *state, tw_lp *lp, char *buffer)
{
    (void)lp;
    const struct ms_launcher *l = state;
    struct launcher_record record = {l->begun, l->finished_launches, l->waiting};
    memcpy(buffer, &record, sizeof record);
}

static void sm_sample(void *state, tw_lp *lp, char *buffer)
{
    (void)lp;
    const struct ms_sm *sm = state;
    uint64_t accesses = sm->accesses[0] + sm->accesses[1] + sm->accesses[2];
    struct sm_record record = {.accesses = accesses,
                               .bytes = sm->bytes[0] + sm->bytes[1] + sm->bytes[2],
                               .requests = sm->requests,
                               .in_flight = sm->in_flight,
                               .blocked = sm->blocked,
                               .mean_latency = ms_mean_ns(sm->latency, accesses),
                               .mean_wait = ms_mean_ns(sm->wait, sm->requests - sm->in_flight)};
    memcpy(buffer, &record, sizeof record);
}

static void slice_sample(void *state, tw_lp *lp, char *buffer)
{
    (void)lp;
    const struct ms_slice *s = state;
    struct slice_record record = {.requests = s->requests,
                                  .misses = s->misses,
                                  .writebacks = s->writebacks,
                                  .held = s->held,
                                  .stalls = s->stalls,
                                  .hit_rate = share(s->hits, s->hits + s->merges + s->misses),
                                  .mean_wait = ms_mean_ns(s->wait, s->requests)};
    memcpy(buffer, &record, sizeof record);
}

static void channel_sample(void *state, tw_lp *lp, char *buffer)
{
    (void)lp;
    const struct ms_channel *c = state;
    uint64_t n = c->reads + c->writes;
    struct channel_record record = {.reads = c->reads,
                                    .writes = c->writes,
                                    .row_hit_rate = share(c->row_hits, n),
                                    .bandwidth =
                                        n > 0 ? (double)n * ms_model()->line / c->bus_free : 0,
                                    .mean_wait = ms_mean_ns(c->wait, n)};
    memcpy(buffer, &record, sizeof record);
}

static st_model_types the_observers[MS_LP_KINDS] = {
    [MS_LAUNCHER] = {MODEL_OBSERVE_EVENTS(request_trace, struct request_record),
                     MODEL_OBSERVE_STATE(launcher_sample, struct launcher_record)},
    [MS_SM] = {MODEL_OBSERVE_EVENTS(request_trace, struct request_record),
               MODEL_OBSERVE_STATE(sm_sample, struct sm_record)},
    [MS_SLICE] = {MODEL_OBSERVE_EVENTS(request_trace, struct request_record),
                  MODEL_OBSERVE_STATE(slice_sample, struct slice_record)},
    [MS_CHANNEL] = {MODEL_OBSERVE_EVENTS(request_trace, struct request_record),
                    MODEL_OBSERVE_STATE(channel_sample, struct channel_record)},
};

st_model_types *ms_observers(enum ms_lp_kind kind)
{
    return &the_observers[kind];
}

void ms_observers_describe(void)
{
    static const st_field *const fields[MS_LP_KINDS] = {launcher_fields, sm_fields, slice_fields,
                                                        channel_fields};
    for (unsigned kind = 0; kind < MS_LP_KINDS; kind++) {
        model_observers_describe(&the_observers[kind], request_fields, fields[kind]);
    }
}
