/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * meter - a model that samples at virtual times change: LPs count events since the last sample, and
 * this count decides their behaviour. A sample that is taken at the wrong time, twice or not at all
 * thus changes the events.
 *
 * Kinds of LPs, by gid: with reverse handlers and sample_event_fn; with saved states and
 * sample_event_fn; with model_stat_fn; and without events, but sampled.
 *
 * Many events are at multiples of 0.25, some with offset 0.
 */
#include "ross.h"

enum kind { REVERSED, SAVED, STAT, IDLE, KINDS };

struct message {
    uint64_t value;
    uint64_t hops; /* remaining length; 0: endless */
    /* for the reverse handler */
    uint64_t old_hash;
    uint32_t draws;
    uint32_t filler;
};

struct state {
    uint64_t hash;
    uint64_t since_sample; /* events */
    uint64_t samples;
    double last_sample;
};

/* Contents of a sample. */
struct sample {
    double now;
    uint64_t hash;
    uint64_t since_sample;
    uint64_t samples;
    double last_sample;
};
_Static_assert(sizeof(struct sample) == 40, "no padding");

static unsigned int total_lps = 40;
static unsigned int hops = 0;
static unsigned int no_names = 0;
static unsigned int no_stats = 0;
static unsigned int skip = 0;
static unsigned int unregistered = KINDS; /* of LPs without callbacks */

static void send(tw_lp *lp, tw_lpid dest, double offset, uint64_t value, uint64_t left)
{
    tw_event *event = tw_event_new(dest, offset, lp);
    *(struct message *)tw_event_data(event) = (struct message){.value = value, .hops = left};
    tw_event_send(event);
}

static enum kind kind_of(tw_lpid gid)
{
    return (enum kind)(gid % KINDS);
}

/* Draws an LP that is not idle. */
static tw_lpid anyone(tw_lp *lp)
{
    tw_lpid gid = (tw_lpid)tw_rand_integer(lp->rng, 0, (long)g_tw_total_lps - 1);
    return kind_of(gid) == IDLE ? gid - 1 : gid;
}

static void init(void *sv, tw_lp *lp)
{
    struct state *s = sv;
    s->hash = lp->gid;
    if (kind_of(lp->gid) != IDLE) {
        send(lp, lp->gid, 0.25 * (double)tw_rand_integer(lp->rng, 0, 4), lp->gid, hops);
    }
}

static void forward(void *sv, tw_bf *bf, void *msg, tw_lp *lp)
{
    struct state *s = sv;
    struct message *m = msg;
    unsigned long before = lp->rng->count;
    (void)bf;
    m->old_hash = s->hash;
    s->since_sample++;
    s->hash = (s->hash ^ m->value) * 0x9e3779b97f4a7c15u + s->since_sample;
    if (m->hops != 1) {
        double offset = 0.25 * (double)tw_rand_integer(lp->rng, 1, 8);
        if (s->since_sample % 3 == 0) { /* off the grid */
            offset = 0.25 + tw_rand_exponential(lp->rng, 0.5);
        }
        send(lp, anyone(lp), offset, s->hash, m->hops == 0 ? 0 : m->hops - 1);
        if (s->hash % 4 == 0) {
            send(lp, lp->gid, 0.0, s->hash + 1, 1);
        }
    }
    m->draws = (uint32_t)(lp->rng->count - before);
}

static void reverse(void *sv, tw_bf *bf, void *msg, tw_lp *lp)
{
    struct state *s = sv;
    const struct message *m = msg;
    (void)bf;
    for (uint32_t i = 0; i < m->draws; i++) {
        tw_rand_reverse_unif(lp->rng);
    }
    s->since_sample--;
    s->hash = m->old_hash;
}

/* ---- Samples --------------------------------------------------------------------------------- */

static void read_state(const struct state *s, tw_lp *lp, void *bytes)
{
    struct sample sample = {tw_now(lp), s->hash, s->since_sample, s->samples, s->last_sample};
    memcpy(bytes, &sample, sizeof sample);
}

static void stat_fn(void *sv, tw_lp *lp, char *buffer)
{
    read_state(sv, lp, buffer);
}

static void sample_fn(void *sv, tw_bf *bf, tw_lp *lp, void *bytes)
{
    struct state *s = sv;
    read_state(s, lp, bytes);
    bf->c0 = s->since_sample > 0;
    if (bf->c0) {
        s->since_sample = 0;
        s->hash++;
    }
    s->samples++;
    s->last_sample = tw_now(lp);
}

static void sample_back_fn(void *sv, tw_bf *bf, tw_lp *lp, void *bytes)
{
    struct state *s = sv;
    const struct sample *sample = bytes;
    if (s->last_sample < tw_now(lp) || s->last_sample > tw_now(lp)) {
        tw_error(TW_LOC, "LP %" PRIu64 " takes the sample at %g back, its last was at %g", lp->gid,
                 tw_now(lp), s->last_sample);
    }
    if (bf->c0) {
        s->since_sample = sample->since_sample;
        s->hash--;
    }
    s->samples--;
    s->last_sample = sample->last_sample;
}

/* ---- Traces ---------------------------------------------------------------------------------- */

/* Sizes that are not multiples of 8. REVERSED and SAVED differ, STAT has none. */
static void trace_fn(void *msg, tw_lp *lp, char *buffer, int *collect_flag)
{
    const struct message *m = msg;
    memcpy(buffer, &m->value, 8);
    if (kind_of(lp->gid) == SAVED) {
        memcpy(buffer + 8, &m->hops, 5);
    }
    if (skip != 0 && m->value % skip == 0) {
        *collect_flag = 0;
    }
}

static const st_field message_fields[] = {
    {"value", ST_U64, 0, "", 1},
    {NULL, ST_U8, 0, NULL, 0},
};

/* since: measure of since_sample. */
#define FIELDS(since)                                                                              \
    {                                                                                              \
        {"now", ST_F64, offsetof(struct sample, now), "", 1},                                      \
            {"hash", ST_U64, offsetof(struct sample, hash), "", 1},                                \
            {"since_sample", ST_U64, offsetof(struct sample, since_sample), "events", 1, (since)}, \
            {"samples", ST_U64, offsetof(struct sample, samples), "", 1},                          \
            {"last_sample", ST_F64, offsetof(struct sample, last_sample), "", 1},                  \
            {NULL, ST_U8, 0, NULL, 0},                                                             \
    }
/* Only sample_fn() resets the count. */
static const st_field stat_fields[] = FIELDS(ST_COUNTER);
static const st_field sample_fields[] = FIELDS(ST_CHANGE);

static st_model_types stat_types = {.model_stat_fn = stat_fn, .mstat_sz = sizeof(struct sample)};
/* Must not be called at virtual times for LPs with sample_event_fn. */
static void wrong_stat_fn(void *sv, tw_lp *lp, char *buffer)
{
    (void)sv;
    memcpy(buffer, "wrong", 6);
    tw_error(TW_LOC, "LP %" PRIu64 " was asked for its statistics", lp->gid);
}

#define SAMPLE_TYPES(trace_size)                                                                   \
    {                                                                                              \
        .rbev_trace = trace_fn, .rbev_sz = (trace_size), .ev_trace = trace_fn,                     \
        .ev_sz = (trace_size), .model_stat_fn = wrong_stat_fn, .mstat_sz = 8,                      \
        .sample_event_fn = sample_fn, .sample_revent_fn = sample_back_fn,                          \
        .sample_struct_sz = sizeof(struct sample)                                                  \
    }
static st_model_types sample_types[KINDS] = {
    SAMPLE_TYPES(8), SAMPLE_TYPES(13), {0}, SAMPLE_TYPES(8)};

static tw_lptype types[KINDS] = {
    {.init = init, .event = forward, .revent = reverse, .state_sz = sizeof(struct state)},
    {.init = init, .event = forward, .state_sz = sizeof(struct state)},
    {.init = init, .event = forward, .revent = reverse, .state_sz = sizeof(struct state)},
    {.init = init, .event = forward, .revent = reverse, .state_sz = sizeof(struct state)},
};

static const tw_optdef options[] = {
    TWOPT_GROUP("meter"),
    TWOPT_UINT("lps", total_lps, "LPs on all ranks"),
    TWOPT_UINT("hops", hops, "each of the first events causes so many in a row; 0: for ever"),
    TWOPT_FLAG("no-names", no_names, "do not name the types of LPs"),
    TWOPT_FLAG("no-stats", no_stats, "register no callbacks"),
    TWOPT_UINT("unregistered", unregistered,
               "LPs of this kind (0 to 3) register no callbacks; 4: all do"),
    TWOPT_UINT("skip", skip, "trace no event whose value is a multiple of it; 0: trace all"),
    TWOPT_END(),
};

static st_model_types no_callbacks;

static void register_types(void)
{
    for (tw_lpid i = 0; i < g_tw_nlp; i++) {
        enum kind kind = kind_of(g_tw_lp[i]->gid);
        tw_lp_settype(i, &types[kind]);
        if (no_stats == 0 && (unsigned int)kind != unregistered) {
            st_model_settype(i, kind == STAT ? &stat_types : &sample_types[kind]);
        } else if (no_stats == 0 && i % 8 < 4) {
            st_model_settype(i, &no_callbacks); /* the same as no registration */
        }
    }
    static const char *const names[KINDS] = {"meter.reversed", "meter.saved", "meter.stat", "idle"};
    for (int kind = 0; kind < KINDS && no_names == 0; kind++) {
        st_lptype_name(&types[kind], names[kind]);
    }
    st_model_fields(&stat_types, ST_PAYLOAD_MODEL, stat_fields);
    for (int kind = 0; kind < KINDS; kind++) {
        if (kind != STAT) {
            st_model_fields(&sample_types[kind], ST_PAYLOAD_SAMPLE, sample_fields);
            st_model_fields(&sample_types[kind], ST_PAYLOAD_EV, message_fields);
            st_model_fields(&sample_types[kind], ST_PAYLOAD_RBEV, message_fields);
        }
    }
}

int main(int argc, char **argv)
{
    g_tw_ts_end = 40.0;
    g_tw_lookahead = 0.25;
    tw_opt_add(options);
    tw_init(&argc, &argv);
    unsigned ranks = tw_nnodes();
    tw_lpid each = total_lps / ranks;
    tw_define_lps(g_tw_mynode == ranks - 1 ? total_lps - each * (ranks - 1) : each,
                  sizeof(struct message));
    register_types();
    tw_run();
    tw_end();
    return 0;
}
