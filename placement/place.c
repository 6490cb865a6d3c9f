/* SPDX-License-Identifier: BSD-3-Clause */
/* place.c - see place.h. */
#include "placement/place.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

static uint32_t linear_rank(const struct partition *p, uint64_t lp)
{
    return (uint32_t)(lp * p->n_ranks / p->graph->n_lps);
}

/* ---- Prediction ------------------------------------------------------------------------------ */

static double rank_balance_of(const struct partition *p, const uint32_t *rank, uint64_t *loads)
{
    double most = 0.0;
    memset(loads, 0, p->n_ranks * sizeof *loads);
    for (uint64_t lp = 0; lp < p->graph->n_lps; lp++) {
        loads[rank[lp]] += p->graph->load[lp];
    }
    for (uint32_t r = 0; r < p->n_ranks; r++) {
        double share = p->cut.shares != NULL ? p->cut.shares[r] : 1.0 / p->n_ranks;
        double load = (double)loads[r] / share;
        most = load > most ? load : most;
    }
    uint64_t total = p->graph->total_load;
    return total > 0 ? most / (double)total : 1.0;
}

static struct partition_sums predict(const struct partition *p, const uint32_t *rank,
                                     uint64_t *loads)
{
    const struct partition_graph *g = p->graph;
    struct partition_sums sums = {.known = true};
    uint64_t remote = 0;
    for (uint64_t lp = 0; lp < g->n_lps; lp++) {
        for (uint64_t k = g->begin[lp]; k < g->begin[lp + 1] && g->to[k] < lp; k++) {
            remote += rank[lp] != rank[g->to[k]] ? g->weight[k] : 0;
        }
    }
    sums.remote = (double)remote;
    sums.balance = rank_balance_of(p, rank, loads);
    return sums;
}

/* ---- Ranks ----------------------------------------------------------------------------------- */

/* Places LPs with events on ranks by METIS. Sets p->why and returns false on failure. */
static bool metis_ranks(struct partition *p, uint32_t *rank)
{
    const struct partition_graph *g = p->graph;
    size_t n = 0;
    uint32_t *lps = calloc(g->n_lps, sizeof *lps);
    uint32_t *parts = malloc(g->n_lps * sizeof *parts);
    p->why = lps == NULL || parts == NULL ? "out of memory" : NULL;
    for (uint64_t lp = 0; p->why == NULL && lp < g->n_lps; lp++) {
        rank[lp] = linear_rank(p, lp);
        if (partition_graph_is_active(g, lp)) {
            lps[n++] = (uint32_t)lp;
        }
    }
    if (p->why == NULL) {
        p->why = partition_cut(g, lps, n, p->n_ranks, &p->cut, p->index, parts);
    }
    for (size_t i = 0; p->why == NULL && i < n; i++) {
        rank[lps[i]] = parts[i];
    }
    p->silent = g->n_lps - n;
    free(lps);
    free(parts);
    return p->why == NULL;
}

/* Places each LP without events on the rank with the fewest LPs so far; if there are several such
 * ranks, on the first of them. n_lps: scratch array, [n_ranks]. Cost: O(LPs + ranks), since the
 * minimum number of LPs on a rank only grows. */
static void silent_spread(const struct partition *p, uint32_t *rank, uint64_t *n_lps)
{
    uint64_t least = 0;
    uint32_t r = 0;
    memset(n_lps, 0, p->n_ranks * sizeof *n_lps);
    for (uint64_t lp = 0; lp < p->graph->n_lps; lp++) {
        n_lps[rank[lp]] += partition_graph_is_active(p->graph, lp);
    }
    for (uint64_t lp = 0; lp < p->graph->n_lps; lp++) {
        if (partition_graph_is_active(p->graph, lp)) {
            continue;
        }
        while (n_lps[r] > least) {
            r = (r + 1) % p->n_ranks;
            least += r == 0;
        }
        rank[lp] = r;
        n_lps[r]++;
    }
}

/* Sets rank[gid] to the LP's rank in the original run. If that rank is unknown, sets it to the rank
 * in the linear placement. */
static void recorded_ranks(const struct partition *p, uint32_t *rank)
{
    for (uint64_t lp = 0; lp < p->graph->n_lps; lp++) {
        uint32_t pe = p->graph->pe[lp];
        rank[lp] = pe < p->n_ranks ? pe : linear_rank(p, lp);
    }
}

/* Predicts a placement. Chooses it if it is balanced and has no more remote events than the
 * placement chosen so far. loads: scratch array, [n_ranks]. */
static void consider(struct partition *p, enum partition_kind kind, uint64_t *loads)
{
    p->sums[kind] = predict(p, p->ranks[kind], loads);
    const struct partition_sums *best = &p->sums[p->chosen];
    double permitted = 1.0 + p->cut.imbalance;
    permitted = best->balance > permitted ? best->balance : permitted;
    if (p->sums[kind].balance <= permitted && p->sums[kind].remote <= best->remote &&
        partition_groups_are_kept(p->graph, p->ranks[kind])) {
        p->chosen = kind;
    }
}

static bool ranks_choose(struct partition *p, uint64_t *loads)
{
    const struct partition_graph *g = p->graph;
    if (!metis_ranks(p, p->ranks[PARTITION_METIS])) {
        return false;
    }
    if (!partition_groups_keep(g, p->ranks[PARTITION_METIS])) {
        p->why = "out of memory";
        return false;
    }
    silent_spread(p, p->ranks[PARTITION_METIS], loads);
    if (p->cut.shares == NULL && !partition_labels_keep(p, p->ranks[PARTITION_METIS])) {
        p->why = "out of memory";
        return false;
    }
    p->chosen = PARTITION_METIS;
    p->sums[PARTITION_METIS] = predict(p, p->ranks[PARTITION_METIS], loads);
    for (uint64_t lp = 0; lp < g->n_lps; lp++) {
        p->ranks[PARTITION_LINEAR][lp] = linear_rank(p, lp);
    }
    consider(p, PARTITION_LINEAR, loads);
    if (p->ranks[PARTITION_RECORDED] != NULL) {
        recorded_ranks(p, p->ranks[PARTITION_RECORDED]);
        consider(p, PARTITION_RECORDED, loads);
    }
    p->rank = p->ranks[p->chosen];
    /* In a random placement, an event between two LPs is local with probability 1 / n_ranks. */
    p->sums[PARTITION_RANDOM] =
        (struct partition_sums){.known = true,
                                .remote = (double)(g->events - g->self) * (1.0 - 1.0 / p->n_ranks),
                                .balance = 1.0};
    return true;
}

/* ---- KPs ------------------------------------------------------------------------------------- */

/* Sorts the gids of all LPs by rank, and in ascending order within a rank: those on rank r become
 * lps[begin[r]] to lps[begin[r + 1] - 1]. begin: n_ranks + 1 elements. */
static void by_rank(const struct partition *p, uint32_t *lps, uint64_t *begin)
{
    memset(begin, 0, ((size_t)p->n_ranks + 1) * sizeof *begin);
    for (uint64_t lp = 0; lp < p->graph->n_lps; lp++) {
        begin[p->rank[lp] + 1]++;
    }
    for (uint32_t r = 0; r < p->n_ranks; r++) {
        begin[r + 1] += begin[r];
    }
    for (uint64_t lp = 0; lp < p->graph->n_lps; lp++) {
        lps[begin[p->rank[lp]]++] = (uint32_t)lp;
    }
    memmove(begin + 1, begin, p->n_ranks * sizeof *begin);
    begin[0] = 0;
}

/* Sets kp[gid] for a division of each rank's LPs into blocks in the order of their gids, like the
 * default of the engine. lps, begin: see by_rank(). */
static void linear_kps(const struct partition *p, const uint32_t *lps, const uint64_t *begin,
                       uint32_t *kp)
{
    for (uint32_t r = 0; r < p->n_ranks; r++) {
        uint64_t n = begin[r + 1] - begin[r];
        uint64_t kps = n < p->n_kps ? n : p->n_kps;
        for (uint64_t i = 0; i < n; i++) {
            kp[lps[begin[r] + i]] = (uint32_t)(i * kps / n);
        }
    }
}

/* A KP counts as one with remote events only if the number of its remote events exceeds this share
 * of the mean number over all KPs. */
#define FEW_REMOTE 0.01
/* Two values of `exposed` are considered equal if they differ by at most this share. */
#define EXPOSED_EQUAL 0.05

/* Sums over the LPs of a KP. */
struct kp_sums {
    uint64_t load, remote; /* load; number of remote events, sent and received */
};

/* Computes the prediction *kps for the division kp[gid]. Returns false if out of memory. */
static bool kps_predict(const struct partition *p, const uint32_t *kp, struct partition_kps *kps)
{
    const struct partition_graph *g = p->graph;
    size_t n = (size_t)p->n_ranks * p->n_kps;
    struct kp_sums *sums = calloc(n, sizeof *sums);
    uint64_t remote = 0;
    uint64_t exposed = 0;
    *kps = (struct partition_kps){.cut = 0};
    for (uint64_t lp = 0; sums != NULL && lp < g->n_lps; lp++) {
        struct kp_sums *own = &sums[(size_t)p->rank[lp] * p->n_kps + kp[lp]];
        own->load += g->load[lp];
        for (uint64_t k = g->begin[lp]; k < g->begin[lp + 1]; k++) {
            uint32_t to = g->to[k];
            bool is_remote = p->rank[lp] != p->rank[to];
            own->remote += is_remote ? g->weight[k] : 0;
            remote += is_remote ? g->weight[k] : 0;
            kps->cut += !is_remote && to < lp && kp[lp] != kp[to] ? g->weight[k] : 0;
        }
    }
    double few = FEW_REMOTE * (double)remote / (double)n;
    for (size_t i = 0; sums != NULL && i < n; i++) {
        exposed += (double)sums[i].remote > few ? sums[i].load : 0;
    }
    kps->exposed = g->total_load > 0 ? (double)exposed / (double)g->total_load : 0.0;
    free(sums);
    return sums != NULL;
}

/* Sets kp[gid] for a division of each rank's LPs by METIS. Sets p->why and returns false on
 * failure. lps, begin: see by_rank(). */
static bool metis_kps(struct partition *p, const uint32_t *lps, const uint64_t *begin, uint32_t *kp)
{
    struct partition_cut_options cut = {p->cut.seed, p->cut.imbalance, NULL};
    uint32_t *parts = calloc(p->graph->n_lps, sizeof *parts);
    p->why = parts == NULL ? "out of memory" : NULL;
    for (uint32_t r = 0; p->why == NULL && r < p->n_ranks; r++) {
        size_t n = (size_t)(begin[r + 1] - begin[r]);
        p->why = partition_cut(p->graph, lps + begin[r], n, p->n_kps, &cut, p->index, parts);
        for (size_t i = 0; p->why == NULL && i < n; i++) {
            kp[lps[begin[r] + i]] = parts[i];
        }
    }
    free(parts);
    return p->why == NULL;
}

static bool kps_choose(struct partition *p, uint32_t *by_metis)
{
    uint32_t *lps = calloc(p->graph->n_lps, sizeof *lps);
    uint64_t *begin = calloc((size_t)p->n_ranks + 2, sizeof *begin);
    struct partition_kps *blocks = &p->kps[PARTITION_KP_BLOCKS];
    struct partition_kps *metis = &p->kps[PARTITION_KP_METIS];
    p->why = lps == NULL || begin == NULL ? "out of memory" : NULL;
    if (p->why == NULL) {
        by_rank(p, lps, begin);
        linear_kps(p, lps, begin, p->kp);
    }
    if (p->why == NULL && metis_kps(p, lps, begin, by_metis) &&
        !(kps_predict(p, p->kp, blocks) && kps_predict(p, by_metis, metis))) {
        p->why = "out of memory";
    }
    bool is_equal = metis->exposed <= blocks->exposed * (1.0 + EXPOSED_EQUAL) &&
                    blocks->exposed <= metis->exposed * (1.0 + EXPOSED_EQUAL);
    bool is_better = is_equal ? metis->cut < blocks->cut : metis->exposed < blocks->exposed;
    if (p->why == NULL && is_better) {
        p->kp_chosen = PARTITION_KP_METIS;
        memcpy(p->kp, by_metis, p->graph->n_lps * sizeof *p->kp);
    }
    free(lps);
    free(begin);
    return p->why == NULL;
}

/* Allocates the arrays in *p. Returns false if out of memory. */
static bool arrays_make(struct partition *p)
{
    uint64_t n = p->graph->n_lps;
    bool good = true;
    for (int kind = 0; kind < PARTITION_KINDS; kind++) {
        bool is_recorded = p->graph->n_pes == p->n_ranks;
        if (kind != PARTITION_RANDOM && (kind != PARTITION_RECORDED || is_recorded)) {
            p->ranks[kind] = malloc(n * sizeof **p->ranks);
            good = good && p->ranks[kind] != NULL;
        }
    }
    p->kp = calloc(n, sizeof *p->kp);
    p->index = malloc(n * sizeof *p->index);
    return good && p->kp != NULL && p->index != NULL;
}

bool partition_make(struct partition *p)
{
    assert(p->n_ranks > 0 && p->graph->begin != NULL);
    uint32_t *by_metis = malloc(p->graph->n_lps * sizeof *by_metis);
    uint64_t *loads = malloc(((size_t)p->n_ranks + 1) * sizeof *loads);
    bool good = arrays_make(p) && by_metis != NULL && loads != NULL;
    p->why = good ? NULL : "out of memory";
    good = good && ranks_choose(p, loads) && (p->n_kps == 0 || kps_choose(p, by_metis));
    free(by_metis);
    free(loads);
    return good;
}

void partition_free(struct partition *p)
{
    for (int kind = 0; kind < PARTITION_KINDS; kind++) {
        free(p->ranks[kind]);
    }
    free(p->kp);
    free(p->index);
    *p = (struct partition){.graph = NULL};
}
