/*
 * phold.c - the LPs of PHOLD.
 *
 * Draws of one event, in this order: u; if u <= remote, the destination; the offset. The reverse
 * handler undoes as many: bit c0 of the event says whether there was a destination to draw.
 */
#include "phold.h"

/* Handlers get no pointer of the model's own, so its parameters stand in a global. */
struct phold_options phold_options = {
    .remote = 0.25,
    .nlp = 8,
    .mean = 1.0,
    .mult = 1.4,
    .lookahead = 1.0,
    .start_events = 1,
    .stagger = 0,
    .memory = 100,
    .run = "undefined",
};

/* Written so that NaN is an error. */
const char *phold_options_error(const struct phold_options *options)
{
    if (!(options->remote >= 0.0 && options->remote <= 1.0)) {
        return "--remote: a probability, must be from 0 to 1";
    }
    if (options->nlp == 0) {
        return "--nlp: must be at least 1";
    }
    if (!(options->mean > 0.0 && options->mean <= DBL_MAX)) {
        return "--mean: must be greater than 0 and finite";
    }
    if (!(options->lookahead >= 0.0 && options->lookahead <= 1.0)) {
        return "--lookahead: must be from 0 to 1";
    }
    if (options->lookahead > options->mean) {
        return "--lookahead: must not be greater than --mean; lower the one or raise the other";
    }
    return NULL;
}

/* ---- Events ------------------------------------------------------------------------------------
 */

/* mean - lookahead may be 0: then every offset is the lookahead, and the draw is made all the same.
 */
static tw_stime draw_offset(tw_lp *lp)
{
    const struct phold_options *o = &phold_options;
    return tw_rand_exponential(lp->rng, o->mean - o->lookahead) + o->lookahead;
}

static void send_event(tw_lpid dest, tw_stime offset, long hops, tw_lp *lp)
{
    tw_event *event = tw_event_new(dest, offset, lp);
    struct phold_message *message = tw_event_data(event);
    message->hops = hops;
    tw_event_send(event);
}

/* --stagger: LP number g starts g time units later, counted round and round below the end time. */
static tw_stime stagger_delay(tw_lpid gid)
{
    double whole_units = floor(g_tw_ts_end);
    return whole_units >= 1.0 ? fmod((double)gid, whole_units) : 0.0;
}

static void phold_init(void *state, tw_lp *lp)
{
    ((struct phold_state *)state)->dummy_state = 0;
    tw_stime delay = phold_options.stagger ? stagger_delay(lp->gid) : 0.0;
    for (unsigned int i = 0; i < phold_options.start_events; i++) {
        send_event(lp->gid, draw_offset(lp) + delay, 0, lp);
    }
}

static void phold_event(void *state, tw_bf *bf, void *msg, tw_lp *lp)
{
    const struct phold_message *message = msg;
    (void)state;
    tw_lpid dest = lp->gid;
    if (tw_rand_unif(lp->rng) <= phold_options.remote) {
        bf->c0 = 1;
        dest = (tw_lpid)tw_rand_integer(lp->rng, 0, (long)g_tw_total_lps - 1);
    }
    send_event(dest, draw_offset(lp), message->hops + 1, lp);
}

static void phold_event_reverse(void *state, tw_bf *bf, void *msg, tw_lp *lp)
{
    (void)state;
    (void)msg;
    tw_rand_reverse_unif(lp->rng); /* offset */
    if (bf->c0) {
        tw_rand_reverse_unif(lp->rng); /* destination */
    }
    tw_rand_reverse_unif(lp->rng); /* u */
}

/* Every rank has the same number of LPs, in order. */
static tw_peid phold_map(tw_lpid gid)
{
    return (tw_peid)(gid / g_tw_nlp);
}

tw_lptype phold_lp_type = {
    .init = phold_init,
    .event = phold_event,
    .revent = phold_event_reverse,
    .map = phold_map,
    .state_sz = sizeof(struct phold_state),
};

/* ---- Instrumentation ---------------------------------------------------------------------------
 */

/* For all events and for those that cause a rollback: the message. */
static void phold_trace(void *msg, tw_lp *lp, char *buffer, int *collect_flag)
{
    (void)lp;
    (void)collect_flag;
    memcpy(buffer, msg, sizeof(struct phold_message));
}

static void phold_stat(void *state, tw_lp *lp, char *buffer)
{
    (void)lp;
    memcpy(buffer, state, sizeof(struct phold_state));
}

st_model_types phold_model_types = {
    .rbev_trace = phold_trace,
    .rbev_sz = sizeof(struct phold_message),
    .ev_trace = phold_trace,
    .ev_sz = sizeof(struct phold_message),
    .model_stat_fn = phold_stat,
    .mstat_sz = sizeof(struct phold_state),
};

#define FIELD_LONG (sizeof(long) == 8 ? ST_I64 : ST_I32)

const st_field phold_message_fields[] = {
    {"hops", FIELD_LONG, offsetof(struct phold_message, hops), "events", 1},
    {NULL, ST_U8, 0, NULL, 0},
};

const st_field phold_state_fields[] = {
    {"dummy_state", FIELD_LONG, offsetof(struct phold_state, dummy_state), "", 1},
    {NULL, ST_U8, 0, NULL, 0},
};
