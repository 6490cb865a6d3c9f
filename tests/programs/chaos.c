/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * chaos - a model for stress tests of the engine. Any difference in the order of events changes its
 * final states. It combines features that have caused errors in Time Warp engines:
 *
 *   - many events at the same time, priorities, chains of events with offset 0;
 *   - two random streams per LP, and normal deviates, which come in pairs;
 *   - LP types with reverse handlers and without (saved states);
 *   - handlers that change their message, send nothing or send much; output;
 *   - commit handlers that check their order;
 *   - unequal numbers of LPs per rank (also none), and three mappings.
 *
 * An LP's state is a chained hash of the events that it received: equal states mean equal order.
 */
#include "ross.h"

#define KINDS 3

struct message {
    uint64_t value;
    uint32_t depth;    /* remaining length of a chain; 0: a walker, which never ends */
    uint32_t touched;  /* net number of changes of this message by handlers; must be 1 */
    uint64_t old_hash; /* this and the following: for the reverse handler */
    double old_sum;
    uint32_t draws[2];
    uint32_t normal_calls;
};

struct state {
    uint64_t hash;
    uint64_t received;
    double sum;
};

static unsigned int total_lps = 60;
static unsigned int walkers = 3;
static unsigned int mapping = 0;
static unsigned int output = 0;
static tw_event_sig *committed; /* per local LP: the last event committed */

static unsigned ranks(void)
{
    return tw_nnodes();
}

static tw_peid rank_of(tw_lpid gid)
{
    return (gid / 3) % ranks(); /* CUSTOM mapping */
}

static void send(tw_lp *lp, tw_lpid dest, double offset, double prio, uint64_t value,
                 unsigned depth)
{
    tw_event *event = tw_event_new_user_prio(dest, offset, lp, prio);
    *(struct message *)tw_event_data(event) = (struct message){.value = value, .depth = depth};
    tw_event_send(event);
}

static tw_lpid anyone(tw_lp *lp)
{
    return (tw_lpid)tw_rand_integer(&lp->rng[0], 0, (long)g_tw_total_lps - 1);
}

static double any_prio(tw_lp *lp)
{
    return 0.25 * (double)tw_rand_integer(&lp->rng[0], 0, 4);
}

static void init(void *sv, tw_lp *lp)
{
    struct state *s = sv;
    s->hash = lp->gid;
    for (unsigned i = 0; i < walkers; i++) {
        send(lp, lp->gid, i == 0 ? 0.0 : (double)tw_rand_integer(&lp->rng[0], 1, 3), any_prio(lp),
             i, 0);
    }
}

static void pre_run(void *sv, tw_lp *lp)
{
    (void)sv;
    if (lp->gid % 5 == 0) {
        send(lp, anyone(lp), 0.5, 1.0, lp->gid, 0);
    }
}

/* Walkers step by multiples of a coarse grid, so that many meet. Some start a chain at their own
 * time. */
static void walk(tw_lp *lp, struct message *m, double normal)
{
    double offset = 0.5 * (double)tw_rand_integer(&lp->rng[0], 1, 4);
    if (tw_rand_unif(&lp->rng[0]) < 0.3) {
        offset = 0.5 + tw_rand_exponential(&lp->rng[0], 1.0);
    }
    send(lp, anyone(lp), offset, any_prio(lp), m->value * 31 + (uint64_t)(normal > 0.0), 0);
    if (tw_rand_unif(&lp->rng[0]) < 0.4) {
        unsigned depth = (unsigned)tw_rand_integer(&lp->rng[0], 1, 18);
        send(lp, lp->gid, 0.0, any_prio(lp), m->value, depth);
        send(lp, lp->gid, 0.0, any_prio(lp), m->value + 1, depth / 2 + 1);
    }
}

static void forward(void *sv, tw_bf *bf, void *msg, tw_lp *lp)
{
    struct state *s = sv;
    struct message *m = msg;
    unsigned long before[2] = {lp->rng[0].count, lp->rng[1].count};
    tw_event_sig now = tw_now_sig(lp);
    double normal = 0.0;

    m->old_hash = s->hash;
    m->old_sum = s->sum;
    m->touched++;
    s->hash = (s->hash ^ m->value) * 0x9e3779b97f4a7c15u + m->touched;
    s->hash += (uint64_t)(now.recv_ts * 1024.0) + now.tie_lineage_length;
    s->received++;
    if (tw_rand_unif(&lp->rng[0]) < 0.5) {
        bf->c0 = 1;
        normal = tw_rand_normal01(&lp->rng[1], &m->normal_calls);
        s->sum += normal;
    }
    if (m->depth > 1) {
        send(lp, lp->gid, 0.0, any_prio(lp), m->value + 7, m->depth - 1);
    } else if (m->depth == 0) {
        walk(lp, m, normal);
    }
    if (output != 0 && s->received % 16 == 0) {
        tw_output(lp, "at %.17g lp %" PRIu64 " hash %016" PRIx64 "\n", tw_now(lp), lp->gid,
                  s->hash);
        tw_output(lp, "    received %" PRIu64 "\n", s->received);
    }
    m->draws[0] = (uint32_t)(lp->rng[0].count - before[0]);
    m->draws[1] = (uint32_t)(lp->rng[1].count - before[1]);
}

static void reverse(void *sv, tw_bf *bf, void *msg, tw_lp *lp)
{
    struct state *s = sv;
    struct message *m = msg;
    for (int i = 0; i < 2; i++) {
        for (uint32_t n = 0; n < m->draws[i]; n++) {
            tw_rand_reverse_unif(&lp->rng[i]);
        }
    }
    if (bf->c0) {
        s->sum = m->old_sum;
    }
    s->received--;
    s->hash = m->old_hash;
    m->touched--;
}

static void commit(void *sv, tw_bf *bf, void *msg, tw_lp *lp)
{
    const struct message *m = msg;
    (void)sv;
    (void)bf;
    tw_event_sig *last = &committed[lp->id];
    if (m->touched != 1) {
        tw_error(TW_LOC, "LP %" PRIu64 " commits a message that was changed %u times", lp->gid,
                 m->touched);
    }
    if (tw_now(lp) < last->recv_ts) {
        tw_error(TW_LOC, "LP %" PRIu64 " commits an event at %g after one at %g", lp->gid,
                 tw_now(lp), last->recv_ts);
    }
    last->recv_ts = tw_now(lp);
    last->tie_lineage_length++; /* counts */
}

static void final(void *sv, tw_lp *lp)
{
    const struct state *s = sv;
    if (lp->type->commit != NULL && committed[lp->id].tie_lineage_length != s->received) {
        tw_error(TW_LOC, "LP %" PRIu64 " received %" PRIu64 " events and committed %u", lp->gid,
                 s->received, committed[lp->id].tie_lineage_length);
    }
}

static tw_lptype types[KINDS] = {
    {init, pre_run, forward, reverse, commit, final, rank_of, sizeof(struct state)},
    {init, pre_run, forward, NULL, commit, final, rank_of, sizeof(struct state)},
    {init, pre_run, forward, NULL, NULL, final, rank_of, sizeof(struct state)},
};

/* A restarted run has not observed the commits of the previous run. */
static bool restore(void *sv, tw_lp *lp, const void *bytes, size_t size)
{
    struct state *s = sv;
    if (size != sizeof *s) {
        return false;
    }
    memcpy(s, bytes, sizeof *s);
    committed[lp->id].tie_lineage_length = (unsigned)s->received;
    return true;
}

static const tw_state_io state_io = {.restore = restore};

static tw_lpid type_of(tw_lpid gid)
{
    return gid % KINDS;
}

static tw_lp *custom_local(tw_lpid gid)
{
    for (tw_lpid i = 0; i < g_tw_nlp; i++) {
        if (g_tw_lp[i]->gid == gid) {
            return g_tw_lp[i];
        }
    }
    return NULL;
}

static void custom_map(void)
{
    tw_lpid local = 0;
    for (tw_lpid gid = 0; gid < g_tw_total_lps; gid++) {
        if (rank_of(gid) == g_tw_mynode) {
            tw_lp_onpe(local, g_tw_pe, gid);
            tw_lp_onkp(tw_getlp(local), tw_getkp(gid % g_tw_nkp));
            local++;
        }
    }
}

static tw_lpid local_count(void)
{
    if (g_tw_mapping == CUSTOM) {
        tw_lpid n = 0;
        for (tw_lpid gid = 0; gid < total_lps; gid++) {
            n += rank_of(gid) == g_tw_mynode;
        }
        return n;
    }
    if (g_tw_mapping == ROUND_ROBIN) {
        return total_lps / ranks();
    }
    /* unequal: the first rank gets the remainder */
    tw_lpid each = total_lps / ranks() / 2 + (total_lps / ranks() > 0);
    tw_lpid rest = total_lps - each * (ranks() - 1);
    return g_tw_mynode == 0 ? rest : each;
}

/* Checks tw_lp_rank(): each LP is on one rank, and without a map on that of its mapping. */
static void check_ranks(void)
{
    tw_lpid here = 0;
    if (g_tw_mapping == CUSTOM && g_tw_nlp == 0) {
        return; /* no LP type, whose function would map */
    }
    for (tw_lpid gid = 0; gid < g_tw_total_lps; gid++) {
        tw_peid rank = tw_lp_rank(gid);
        here += rank == g_tw_mynode;
        if (rank >= ranks() || (g_tw_mapping == CUSTOM && rank != rank_of(gid)) ||
            (rank == g_tw_mynode && tw_getlocal_lp(gid)->gid != gid)) {
            tw_error(TW_LOC, "LP %" PRIu64 " is said to be on rank %lu", (uint64_t)gid, rank);
        }
    }
    if (here != g_tw_nlp) {
        tw_error(TW_LOC, "%" PRIu64 " LPs are said to be here", (uint64_t)here);
    }
}

static void arrive(void)
{
    tw_lp_setup_types();
    free(committed);
    committed = tw_calloc(TW_LOC, "commits", sizeof *committed, g_tw_nlp);
}

static const tw_lp_moves moves = {.arrive = arrive};

static const tw_optdef options[] = {
    TWOPT_GROUP("chaos"),
    TWOPT_UINT("lps", total_lps, "LPs on all ranks"),
    TWOPT_UINT("walkers", walkers, "walkers per LP at the start"),
    TWOPT_UINT("mapping", mapping, "0 linear, 1 round robin, 2 custom"),
    TWOPT_UINT("output", output, "1: some events write a line"),
    TWOPT_END(),
};

int main(int argc, char **argv)
{
    g_tw_ts_end = 50.0;
    g_tw_lookahead = 0.5;
    g_tw_nRNG_per_lp = 2;
    tw_opt_add(options);
    tw_init(&argc, &argv);
    g_tw_mapping = (tw_lp_map)mapping;
    g_tw_custom_initial_mapping = custom_map;
    g_tw_custom_lp_global_to_local_map = custom_local;
    tw_define_lps(local_count(), sizeof(struct message));
    g_tw_lp_types = types;
    g_tw_lp_typemap = type_of;
    tw_lp_setup_types();
    check_ranks();
    tw_lp_map_moves(&moves);
    for (int kind = 0; kind < KINDS; kind++) {
        tw_lptype_state_io(&types[kind], &state_io);
    }
    committed = tw_calloc(TW_LOC, "commits", sizeof *committed, g_tw_nlp);
    tw_run();
    free(committed);
    tw_end();
    return 0;
}
