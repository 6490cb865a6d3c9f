/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * origins - a model in which each event knows its cause: messages carry a unique id and the id of the
 * event that sent them. The event trace has both, so a test can check what a reader finds out.
 *
 * Receive times are mostly whole numbers, and a third of the events have offset 0, so LPs have many
 * events at one time. Some new events are never sent, or lie past the end. With --hook=T the model
 * sends an event from each LP at time T, withdraws a third of the pending events, and reinjects them
 * two units later.
 */
#include "ross.h"
#include "st.h"

#define TOTAL_LPS    24u
#define FIRST_EVENTS 4u
#define CHAIN_MAX    6u
#define LATER        3.0

struct message {
    uint64_t id, origin; /* origin: id of the event that sent it; 0: none */
    uint32_t chain;      /* offsets of 0 in a row */
    uint32_t draws;      /* numbers that the handler drew, for the reverse handler */
    uint64_t made;       /* ids that it made, in 64 bits since padding would not be set */
};

struct state {
    uint64_t made; /* ids made so far */
};

static double hook_at = 0.0;
static bool has_withdrawn;

static double draw(tw_lp *lp, struct message *m)
{
    m->draws++;
    return tw_rand_unif(lp->rng);
}

static tw_lpid any_lp(double u)
{
    return (tw_lpid)(u * TOTAL_LPS) % TOTAL_LPS;
}

static void send(struct state *s, tw_lp *lp, struct message *m, double kind)
{
    double offset = kind < 0.7 ? 1.0 : kind < 0.9 ? 2.0 : 1.0 + draw(lp, m);
    tw_lpid dest = any_lp(draw(lp, m));
    double priority = draw(lp, m) < 0.5 ? 0.5 : 1.0;
    uint32_t chain = 0;
    if (kind < 0.33 && m->chain < CHAIN_MAX) {
        offset = 0.0;
        dest = lp->gid; /* other ranks need the lookahead */
        chain = m->chain + 1;
    }
    tw_event *e = tw_event_new_user_prio(dest, offset, lp, priority);
    *(struct message *)tw_event_data(e) =
        (struct message){.id = (lp->gid + 1) << 32 | ++s->made, .origin = m->id, .chain = chain};
    m->made++;
    tw_event_send(e);
}

static void init(void *sv, tw_lp *lp)
{
    struct message none = {.chain = CHAIN_MAX};
    for (unsigned i = 0; i < FIRST_EVENTS; i++) {
        send(sv, lp, &none, draw(lp, &none));
    }
}

static void forward(void *sv, tw_bf *bf, void *msg, tw_lp *lp)
{
    struct message *m = msg;
    (void)bf;
    m->draws = 0;
    m->made = 0;
    double u = draw(lp, m);
    unsigned n = u < 0.25 ? 0 : u < 0.75 ? 1 : 2;
    if (u < 0.05) {
        (void)tw_event_new(lp->gid, 1.0, lp); /* never sent */
    }
    for (unsigned i = 0; i < n; i++) {
        send(sv, lp, m, draw(lp, m));
    }
}

static void reverse(void *sv, tw_bf *bf, void *msg, tw_lp *lp)
{
    struct state *s = sv;
    struct message *m = msg;
    (void)bf;
    s->made -= m->made;
    while (m->draws > 0) {
        m->draws--;
        tw_rand_reverse_unif(lp->rng);
    }
}

static tw_event_choice choose(void *ctx, tw_event *event)
{
    (void)ctx;
    return event->dest_lpid % 3 == 0 ? TW_EVENT_MOVES : TW_EVENT_STAYS;
}

static void at_gvt(tw_pe *pe, bool nothing_left)
{
    if (nothing_left) {
        return;
    }
    if (has_withdrawn) {
        tw_reinject_events(pe, NULL, NULL, LATER);
        return;
    }
    tw_withdraw_events(pe, choose, NULL);
    has_withdrawn = true;
    for (tw_lpid i = 0; i < g_tw_nlp; i++) {
        struct message none = {.chain = CHAIN_MAX};
        send(g_tw_lp[i]->cur_state, g_tw_lp[i], &none, 0.5);
    }
    tw_trigger_gvt_hook_at(pe->GVT + 2.0);
}

static void trace(void *msg, tw_lp *lp, char *buffer, int *collect_flag)
{
    (void)lp;
    (void)collect_flag;
    memcpy(buffer, msg, 2 * sizeof(uint64_t));
}

static tw_peid rank_of(tw_lpid gid)
{
    return (tw_peid)(gid / g_tw_nlp);
}

/* LPs of the second type have their states saved. */
static tw_lptype types[] = {
    {.init = init,
     .event = forward,
     .revent = reverse,
     .map = rank_of,
     .state_sz = sizeof(struct state)},
    {.init = init, .event = forward, .map = rank_of, .state_sz = sizeof(struct state)}};
static st_model_types traced = {.rbev_trace = trace,
                                .rbev_sz = 2 * sizeof(uint64_t),
                                .ev_trace = trace,
                                .ev_sz = 2 * sizeof(uint64_t)};
static const st_field fields[] = {
    {"id", ST_U64, 0, "", 1}, {"origin", ST_U64, 8, "", 1}, {NULL, ST_U8, 0, NULL, 0}};

static const tw_optdef options[] = {
    TWOPT_GROUP("origins"),
    TWOPT_DOUBLE("hook", hook_at, "time at which g_tw_gvt_hook withdraws and sends; 0: never"),
    TWOPT_END(),
};

int main(int argc, char **argv)
{
    g_tw_ts_end = 40.0;
    g_tw_lookahead = 1.0;
    tw_opt_add(options);
    tw_init(&argc, &argv);
    tw_define_lps(TOTAL_LPS / tw_nnodes(), sizeof(struct message));
    for (tw_lpid i = 0; i < g_tw_nlp; i++) {
        tw_lp_settype(i, &types[(g_tw_mynode * g_tw_nlp + i) % 2]);
        st_model_settype(i, &traced);
    }
    st_model_fields(&traced, ST_PAYLOAD_EV, fields);
    st_model_fields(&traced, ST_PAYLOAD_RBEV, fields);
    if (hook_at > 0.0) {
        g_tw_gvt_hook = at_gvt;
        tw_trigger_gvt_hook_at(hook_at);
    }
    tw_run();
    tw_end();
    return 0;
}
