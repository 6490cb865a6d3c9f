/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * api_model.h - a model that uses all of ross.h and checks the engine's values while it runs.
 *
 * Every LP starts walkers, which step by multiples of a half so that many meet. They carry the
 * signature of their cause. Some events start chains of offset 0, some write a line, some send past
 * the end. An LP's state is a chained hash of its received events, so any other order changes it.
 *
 * The model counts each error and prints it once per place: see api_failures.
 */
#ifndef WARPSCOPE_TESTS_API_MODEL_H
#define WARPSCOPE_TESTS_API_MODEL_H

#include <stdatomic.h>

#include "ross.h"

#define API_LPS     12 /* on all ranks */
#define API_END     30.0
#define API_CHAIN   (MAX_TIE_CHAIN - 1) /* length of a chain of events of offset 0 */
#define API_STREAMS 2

enum api_phase { API_SETUP, API_BEFORE_INIT, API_INIT, API_PRE_RUN, API_RUN, API_FINAL };

struct api_message {
    tw_event_sig cause; /* length 0: none */
    tw_event_sig mine;  /* seen by the handler */
    uint64_t value;
    uint32_t depth; /* remaining length of a chain */
    uint32_t draws[API_STREAMS];
    uint64_t old_hash; /* for the reverse handler */
    tw_event_sig old_last;
    uint64_t old_lines;
    uint64_t old_past_end;
};

struct api_state {
    uint64_t hash;
    uint64_t received;
    uint64_t past_end; /* events sent at or past the end */
    uint64_t lines;
    tw_event_sig last;
};

/* Results of a run on this rank; outcome_sum() makes those of all ranks. */
struct api_outcome {
    uint64_t hash;
    uint64_t received;
    uint64_t past_end;
    uint64_t lines;
    uint64_t committed;
};

struct api_run {
    enum api_phase phase;
    struct api_outcome outcome;
    uint64_t inits, pre_runs, finals, commits, gvts;
    uint64_t committed[API_LPS]; /* by gid */
    tw_event_sig last_commit;
    double last_gvt;
    _Atomic int *inits_of_all; /* in memory shared by the ranks, or NULL */
    tw_rng_stream fresh[API_LPS][API_STREAMS];
};

static struct api_run api;
static unsigned api_failures;
static bool api_chains_travel; /* from LP to LP, also between ranks: not for --synch=2 */

static void api_fail(const char *what, int line)
{
    if (api_failures++ < 20) {
        fprintf(stderr, "rank %lu, line %d: %s\n", g_tw_mynode, line, what);
    }
}

#define API_CHECK(holds) ((holds) ? (void)0 : api_fail(#holds, __LINE__))

static inline bool api_same_time(double a, double b)
{
    return !(a < b) && !(a > b);
}

static void api_send(tw_lp *lp, tw_lpid dest, double offset, double prio, uint64_t value,
                     uint32_t depth)
{
    tw_event *event = tw_event_new_user_prio(dest, offset, lp, prio);
    struct api_message *m = tw_event_data(event);
    API_CHECK((uintptr_t)m % 16 == 0);
    *m = (struct api_message){.cause = tw_now_sig(lp), .value = value, .depth = depth};
    tw_event_send(event);
}

/* ---- Before the run -------------------------------------------------------------------------- */

static void api_before_init(tw_pe *pe)
{
    API_CHECK(api.phase == API_SETUP && api.inits == 0 && pe == g_tw_pe);
    api.phase = API_BEFORE_INIT;
}

static void api_after_init(tw_pe *pe)
{
    API_CHECK(api.phase == API_INIT || g_tw_nlp == 0);
    API_CHECK(api.inits == g_tw_nlp && api.pre_runs == 0 && pe == g_tw_pe);
    api.phase = API_PRE_RUN;
}

/* Checks streams: their positions, restarts, draws and undone draws. */
static void api_check_streams(tw_lp *lp)
{
    for (unsigned i = 0; i < API_STREAMS; i++) {
        tw_rng_stream other;
        uint32_t a[4], b[4];
        tw_rand_initial_seed(&other, lp->gid * API_STREAMS + i, NULL);
        rng_get_state(&other, a);
        rng_get_state(&lp->rng[i], b);
        API_CHECK(memcmp(a, b, sizeof a) == 0 && lp->rng[i].count == 0);
        api.fresh[lp->gid][i] = lp->rng[i];
    }
    double first = tw_rand_unif(&lp->rng[0]);
    double second = rng_gen_val(&lp->rng[0]);
    API_CHECK(lp->rng[0].count == 2 && first > 0.0 && first < 1.0);
    rng_gen_reverse_val(&lp->rng[0]);
    API_CHECK(api_same_time(tw_rand_unif(&lp->rng[0]), second));
    tw_rand_init_streams(lp, API_STREAMS, 1);
    API_CHECK(memcmp(lp->rng, api.fresh[lp->gid], API_STREAMS * sizeof *lp->rng) == 0);
}

static void api_init(void *sv, tw_lp *lp)
{
    struct api_state *s = sv;
    struct api_state zero = {0};
    API_CHECK(api.phase == API_BEFORE_INIT || api.phase == API_INIT);
    api.phase = API_INIT;
    API_CHECK(memcmp(s, &zero, sizeof zero) == 0 && sv == lp->cur_state);
    API_CHECK((uintptr_t)sv % 16 == 0);
    API_CHECK(lp->id == api.inits && api_same_time(tw_now(lp), 0.0));
    API_CHECK(tw_now_sig(lp).tie_lineage_length == 0 && lp->pe->cur_event == NULL);
    api_check_streams(lp);
    s->hash = lp->gid;
    for (uint64_t i = 0; i < 3; i++) {
        api_send(lp, lp->gid, i == 0 ? 0.0 : (double)i, 0.25 * (double)i, i, 0);
    }
    api.inits++;
    if (api.inits_of_all != NULL) {
        atomic_fetch_add(api.inits_of_all, 1);
    }
}

static void api_pre_run(void *sv, tw_lp *lp)
{
    (void)sv;
    API_CHECK(api.phase == API_PRE_RUN);
    API_CHECK(api.inits_of_all == NULL || *api.inits_of_all == API_LPS); /* on every rank */
    api_send(lp, (lp->gid + 1) % API_LPS, 1.0, 0.5, 100, 0);
    api.pre_runs++;
}

/* ---- The run --------------------------------------------------------------------------------- */

/* Checks that the event is later than its cause, and that a chain of offset 0 is complete. */
static void api_check_order(const struct api_state *s, const struct api_message *m)
{
    const tw_event_sig *now = &m->mine;
    const tw_event_sig *cause = &m->cause;
    API_CHECK(s->received == 0 || tw_event_sig_compare_ptr(&s->last, now) < 0);
    API_CHECK(now->tie_lineage_length >= 1 && now->tie_lineage_length <= MAX_TIE_CHAIN);
    API_CHECK(now->event_tiebreaker[0] > 0.0 && now->event_tiebreaker[0] < 1.0);
    if (cause->tie_lineage_length == 0) {
        API_CHECK(now->tie_lineage_length == 1);
        return;
    }
    API_CHECK(tw_event_sig_compare_ptr(cause, now) < 0);
    if (!api_same_time(cause->recv_ts, now->recv_ts)) {
        API_CHECK(now->tie_lineage_length == 1);
        return;
    }
    API_CHECK(now->tie_lineage_length == cause->tie_lineage_length + 1);
    API_CHECK(now->priority >= cause->priority);
    API_CHECK(memcmp(now->event_tiebreaker, cause->event_tiebreaker,
                     cause->tie_lineage_length * sizeof(double)) == 0);
}

static tw_lpid api_chain_dest(const tw_lp *lp)
{
    return api_chains_travel ? (lp->gid + 5) % API_LPS : lp->gid;
}

static void api_walk(struct api_state *s, struct api_message *m, tw_lp *lp)
{
    tw_rng_stream *rng = &lp->rng[0];
    double prio = 0.25 * (double)tw_rand_integer(rng, 0, 4);
    tw_lpid dest = tw_rand_ulong(rng, 0, API_LPS - 1);
    double offset = 0.5 * (double)tw_rand_integer(rng, 1, 4);
    s->past_end += tw_now(lp) + offset >= API_END;
    api_send(lp, dest, offset, prio, m->value * 31 + 1, 0);
    if (tw_rand_unif(rng) < 0.1) {
        uint32_t depth = tw_rand_unif(rng) < 0.2 ? API_CHAIN : 3;
        api_send(lp, api_chain_dest(lp), 0.0, 0.0, m->value, depth);
    }
    if (tw_rand_unif(rng) < 0.05) { /* exactly at the end: never delivered */
        s->past_end++;
        api_send(lp, dest, API_END - tw_now(lp), 1.0, 0, 0);
    }
}

static void api_event(void *sv, tw_bf *bf, void *msg, tw_lp *lp)
{
    struct api_state *s = sv;
    struct api_message *m = msg;
    unsigned long count[API_STREAMS] = {lp->rng[0].count, lp->rng[1].count};
    tw_bf clear;
    memset(&clear, 0, sizeof clear);

    API_CHECK(memcmp(bf, &clear, sizeof clear) == 0);
    API_CHECK(tw_now(lp) < API_END && tw_now(lp) >= lp->pe->GVT);
    API_CHECK(lp->pe->cur_event != NULL && api_same_time(lp->kp->last_time, tw_now(lp)));
    m->mine = tw_now_sig(lp);
    API_CHECK(api_same_time(m->mine.recv_ts, tw_now(lp)));
    api_check_order(s, m);
    bf->c7 = (unsigned)m->value & 1u;
    m->old_hash = s->hash;
    m->old_last = s->last;
    m->old_lines = s->lines;
    m->old_past_end = s->past_end;
    s->last = m->mine;
    s->received++;
    s->hash = (s->hash ^ m->value) * 0x9e3779b97f4a7c15u + (uint64_t)(tw_now(lp) * 8.0);
    s->hash += (uint64_t)(tw_rand_exponential(&lp->rng[1], 1000.0));
    if (m->depth == 0) {
        api_walk(s, m, lp);
    } else if (m->depth > 1) {
        api_send(lp, api_chain_dest(lp), 0.0, 0.5, m->value + 1, m->depth - 1);
    }
    if (s->received % 5 == 0) {
        tw_output(lp, "@ %.17g %" PRIu64 " %" PRIu64 "\n", tw_now(lp), lp->gid, s->received);
        s->lines++;
    }
    for (unsigned i = 0; i < API_STREAMS; i++) {
        m->draws[i] = (uint32_t)(lp->rng[i].count - count[i]);
    }
}

static void api_reverse(void *sv, tw_bf *bf, void *msg, tw_lp *lp)
{
    struct api_state *s = sv;
    struct api_message *m = msg;
    API_CHECK(bf->c7 == ((unsigned)m->value & 1u));
    API_CHECK(api_same_time(tw_now(lp), m->mine.recv_ts) && tw_now(lp) >= lp->pe->GVT);
    API_CHECK(tw_event_sig_compare_ptr(&s->last, &m->mine) == 0); /* last done, first undone */
    tw_event_sig now = tw_now_sig(lp);
    API_CHECK(tw_event_sig_compare_ptr(&now, &m->mine) == 0);
    for (unsigned i = 0; i < API_STREAMS; i++) {
        for (uint32_t n = 0; n < m->draws[i]; n++) {
            tw_rand_reverse_unif(&lp->rng[i]);
        }
    }
    s->hash = m->old_hash;
    s->last = m->old_last;
    s->received--;
    s->lines = m->old_lines;
    s->past_end = m->old_past_end;
}

static void api_commit(void *sv, tw_bf *bf, void *msg, tw_lp *lp)
{
    const struct api_message *m = msg;
    (void)sv;
    API_CHECK(bf->c7 == ((unsigned)m->value & 1u));
    tw_event_sig now = tw_now_sig(lp);
    API_CHECK(api_same_time(tw_now(lp), m->mine.recv_ts));
    API_CHECK(tw_event_sig_compare_ptr(&now, &m->mine) == 0);
    API_CHECK(api.commits == 0 || tw_event_sig_compare_ptr(&api.last_commit, &m->mine) < 0);
    api.last_commit = m->mine;
    api.commits++;
    api.committed[lp->gid]++;
}

static void api_gvt(tw_pe *pe)
{
    API_CHECK(pe == g_tw_pe && pe->GVT >= api.last_gvt);
    API_CHECK(api.phase == API_PRE_RUN || api.phase == API_RUN);
    api.phase = API_RUN;
    api.last_gvt = pe->GVT;
    api.gvts++;
}

/* ---- After the run --------------------------------------------------------------------------- */

static void api_final(void *sv, tw_lp *lp)
{
    const struct api_state *s = sv;
    API_CHECK(api.phase == API_RUN || api.phase == API_FINAL);
    api.phase = API_FINAL;
    API_CHECK(lp->pe->cur_event == NULL);
    API_CHECK(api.committed[lp->gid] == s->received); /* each of them exactly once */
    api.finals++;
    api.outcome.hash += s->hash * (2 * lp->gid + 1);
    api.outcome.received += s->received;
    api.outcome.past_end += s->past_end;
    api.outcome.lines += s->lines;
}

static void api_pe_final(tw_pe *pe)
{
    API_CHECK(pe == g_tw_pe && api.finals == g_tw_nlp);
    api.phase = API_SETUP;
    api.outcome.committed = api.commits;
}

/* ---- Mappings and types ---------------------------------------------------------------------- */

static tw_peid api_rank_of(tw_lpid gid)
{
    return (gid / 2) % tw_nnodes(); /* CUSTOM */
}

static tw_lp *api_local_of(tw_lpid gid)
{
    for (tw_lpid i = 0; i < g_tw_nlp; i++) {
        if (tw_getlp(i)->gid == gid) {
            return tw_getlp(i);
        }
    }
    return NULL;
}

static void api_map(void)
{
    tw_lpid local = g_tw_nlp; /* from the last to the first, as a variation */
    for (tw_kpid k = 0; k < g_tw_nkp; k++) {
        tw_kp_onpe(k, g_tw_pe);
    }
    for (tw_lpid gid = 0; gid < API_LPS; gid++) {
        if (api_rank_of(gid) == g_tw_mynode) {
            tw_lp_onpe(--local, g_tw_pe, gid);
            tw_lp_onkp(g_tw_lp[local], g_tw_kp[gid % g_tw_nkp]);
        }
    }
}

/* The second type has no reverse handler: the engine saves its state. */
static tw_lptype api_types[2] = {
    {api_init, api_pre_run, api_event, api_reverse, api_commit, api_final, api_rank_of,
     sizeof(struct api_state)},
    {api_init, api_pre_run, api_event, NULL, api_commit, api_final, api_rank_of,
     sizeof(struct api_state)},
};

static tw_petype api_pe_type = {api_before_init, api_after_init, api_gvt, api_pe_final};

static tw_lpid api_type_of(tw_lpid gid)
{
    return gid % 3 == 0;
}

#endif
