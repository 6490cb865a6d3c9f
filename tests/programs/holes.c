/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * holes - a model with CUSTOM mapping whose LPs have numbers with holes.
 *
 * The model has --lps LPs on any number of ranks, in blocks of almost equal size. LP k of them has a
 * number by --numbers:
 *
 *     dense    k
 *     tens     10 k + 3
 *     far      7 k for the first half of the LPs, and numbers up to 2^64 - 2 for the second half
 *     middle   numbers around 2^63, in descending order
 *
 * Each event sends one to a random LP; with --partners, to one of two LPs, n_lps / 2 apart, which are
 * on different ranks as the model places them. An LP's state is a chained hash of the events that it
 * received. --mistake makes the last rank give wrong numbers or use a wrong one.
 */
#include "ross.h"

#define LEAST_OFFSET 0.25

struct message {
    uint64_t old_hash; /* for the reverse handler */
};

struct state {
    uint64_t hash;
    uint64_t received;
};

enum numbers { DENSE, TENS, FAR, MIDDLE };
enum mistake { NONE, TWICE, APART, ELSEWHERE, LARGEST, MISSING, HOLE, BEYOND };

static unsigned int n_lps = 11;
static unsigned int numbers = TENS;
static unsigned int mistake = NONE;
static unsigned int takes_maps = 0;
static unsigned int streams = 1;
static unsigned int partners = 0;

static tw_lpid number_of(uint64_t k)
{
    switch (numbers) {
    case TENS:
        return 10 * k + 3;
    case FAR:
        return k < n_lps / 2 ? 7 * k : UINT64_MAX - 1 - 5 * (n_lps - 1 - k);
    case MIDDLE:
        return ((uint64_t)1 << 63) + 3 * n_lps / 2 - 3 * k;
    default:
        return k;
    }
}

/* Returns k for the number of LP k. */
static uint64_t index_of(tw_lpid gid)
{
    switch (numbers) {
    case TENS:
        return gid / 10;
    case FAR:
        return gid < UINT64_MAX / 2 ? gid / 7 : n_lps - 1 - (UINT64_MAX - 1 - gid) / 5;
    case MIDDLE:
        return (((uint64_t)1 << 63) + 3 * n_lps / 2 - gid) / 3;
    default:
        return gid;
    }
}

static uint64_t first_of(uint64_t rank)
{
    return rank * n_lps / tw_nnodes();
}

static tw_peid rank_of(tw_lpid gid)
{
    uint64_t k = index_of(gid), rank = 0;
    while (rank + 1 < tw_nnodes() && k >= first_of(rank + 1)) {
        rank++;
    }
    if (mistake == ELSEWHERE && k + 1 == n_lps) {
        rank = 0;
    }
    return rank;
}

static bool is_last_rank(void)
{
    return g_tw_mynode + 1 == tw_nnodes();
}

static void initial_mapping(void)
{
    const uint64_t first = first_of(g_tw_mynode);
    for (tw_kpid k = 0; k < g_tw_nkp; k++) {
        tw_kp_onpe(k, g_tw_pe);
    }
    for (uint64_t i = 0; i < g_tw_nlp; i++) {
        bool is_last = is_last_rank() && i + 1 == g_tw_nlp;
        tw_lpid gid = number_of(first + i);
        gid = is_last && mistake == TWICE ? number_of(first) : gid;
        gid = is_last && mistake == APART ? number_of(0) : gid;
        gid = is_last && mistake == LARGEST ? UINT64_MAX : gid;
        if (!is_last || mistake != MISSING) {
            tw_lp_onpe(i, g_tw_pe, gid);
        }
        tw_lp_onkp(g_tw_lp[i], g_tw_kp[i % g_tw_nkp]);
    }
}

static tw_lp *local_of(tw_lpid gid)
{
    uint64_t i = index_of(gid) - first_of(g_tw_mynode);
    return i < g_tw_nlp ? g_tw_lp[i] : NULL;
}

static void send(tw_lp *lp)
{
    uint64_t k = (uint64_t)tw_rand_integer(lp->rng, 0, (long)n_lps - 1);
    if (partners != 0) {
        k = (index_of(lp->gid) + k % 2 * (n_lps / 2)) % n_lps;
    }
    tw_lpid dest = number_of(k);
    if (mistake == HOLE && is_last_rank() && tw_now(lp) > 3) {
        dest = number_of(n_lps - 1) - 1;
    } else if (mistake == BEYOND) {
        dest = UINT64_MAX;
    }
    double offset = LEAST_OFFSET + tw_rand_exponential(lp->rng, 1.0);
    tw_event_send(tw_event_new(dest, offset, lp));
}

static void init(void *sv, tw_lp *lp)
{
    ((struct state *)sv)->hash = lp->gid;
    send(lp);
}

static void forward(void *sv, tw_bf *bf, void *msg, tw_lp *lp)
{
    struct state *s = sv;
    struct message *m = msg;
    (void)bf;
    m->old_hash = s->hash;
    s->hash = s->hash * 0x9e3779b97f4a7c15u + (uint64_t)(tw_now(lp) * 1048576.0);
    s->received++;
    send(lp);
}

static void reverse(void *sv, tw_bf *bf, void *msg, tw_lp *lp)
{
    struct state *s = sv;
    (void)bf;
    tw_rand_reverse_unif(lp->rng);
    tw_rand_reverse_unif(lp->rng);
    s->received--;
    s->hash = ((const struct message *)msg)->old_hash;
}

#define TYPE                                                                                       \
    {                                                                                              \
        .init = init, .event = forward, .revent = reverse, .map = rank_of,                         \
        .state_sz = sizeof(struct state)                                                           \
    }
static tw_lptype types[] = {TYPE, TYPE};

static void set_types(void)
{
    for (tw_lpid i = 0; i < g_tw_nlp; i++) {
        tw_lp_settype(i, &types[index_of(g_tw_lp[i]->gid) % 2]);
    }
}

static const tw_optdef options[] = {
    TWOPT_GROUP("holes"),
    TWOPT_UINT("lps", n_lps, "LPs on all ranks"),
    TWOPT_WORD("numbers", numbers, "<dense|tens|far|middle> numbers of the LPs"),
    TWOPT_UINT("mistake", mistake, "a value of enum mistake"),
    TWOPT_UINT("maps", takes_maps, "1: the model takes part in --lp-map and --map=auto"),
    TWOPT_UINT("streams", streams, "random streams per LP"),
    TWOPT_UINT("partners", partners, "1: each LP sends only to itself and to one other LP"),
    TWOPT_END(),
};

int main(int argc, char **argv)
{
    static const tw_lp_moves moves = {.arrive = set_types};
    g_tw_ts_end = 30.0;
    g_tw_lookahead = LEAST_OFFSET;
    tw_opt_add(options);
    tw_init(&argc, &argv);
    g_tw_mapping = CUSTOM;
    g_tw_custom_initial_mapping = initial_mapping;
    g_tw_custom_lp_global_to_local_map = local_of;
    g_tw_nRNG_per_lp = streams;
    if (takes_maps != 0) {
        tw_lp_map_allow();
        tw_lp_map_moves(&moves);
    }
    tw_define_lps(first_of(g_tw_mynode + 1) - first_of(g_tw_mynode), sizeof(struct message));
    set_types();
    st_lptype_name(&types[0], "even");
    st_lptype_name(&types[1], "odd");
    tw_run();
    tw_end();
    return 0;
}
