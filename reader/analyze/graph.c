/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * graph.c - reads the graph of the LPs: destinations of each LP, shares of events between ranks,
 * edges for communities and files; see analyze.h.
 *
 * Edges come in ascending order of senders, so that all edges of a sender are consecutive.
 */
#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "access/facts.h"
#include "analyze/analyze.h"
#include "data/number.h"
#include "store/array.h"

static const double parts[4] = {0.50, 0.75, 0.90, 0.95};

#define SMALL 64u

struct pass {
    struct analyze *a;
    /* Owned; one element for each destination that received SMALL or more events from the current
     * sender: number of these events. */
    uint64_t *counts;
    size_t n, room;
    /* [i]: number of destinations that received i events from the current sender. */
    uint64_t small[SMALL];
    /* Owned; [lp * n_shares + i]: rank that a->shares[i] assigns to the LP. */
    uint32_t *ranks;
    uint32_t src;
    uint64_t n_lps; /* number of LPs of the run */
};

/* ---- Ranks ----------------------------------------------------------------------------------- */

/* Returns the rank that *share assigns to an LP. If is_block is true, the numbers of LPs of two
 * ranks differ by at most one. */
static uint32_t rank_of(const struct analyze_share *share, uint64_t lp, uint64_t n_lps)
{
    assert(share->ranks > 0 && lp < n_lps);
    return (uint32_t)(share->is_block ? lp * share->ranks / n_lps : lp % share->ranks);
}

uint64_t analyze_lps_of_run(const struct analyze *a)
{
    const double total = ws_fact_number(a->trace.file->sb, "total_lps", (double)a->n_lps);
    return total >= (double)a->n_lps ? (uint64_t)total : a->n_lps;
}

static void shares_init(struct analyze *a)
{
    for (uint32_t i = 0; i < a->options->n_ranks; i++) {
        for (int block = 1; block >= 0; block--) {
            a->shares[a->n_shares++] =
                (struct analyze_share){.ranks = a->options->ranks[i], .is_block = block != 0};
        }
    }
}

/* Sets p->ranks, and the imbalance of each element of a->shares. Returns false after an error
 * message. */
static bool ranks_fill(struct pass *p)
{
    struct analyze *a = p->a;
    p->ranks = malloc(((size_t)a->n_lps * a->n_shares + 1) * sizeof *p->ranks);
    for (uint32_t i = 0; i < a->n_shares && p->ranks != NULL; i++) {
        struct analyze_share *share = &a->shares[i];
        uint64_t *events = calloc(share->ranks, sizeof *events), most = 0;
        for (uint64_t lp = 0; lp < a->n_lps && events != NULL; lp++) {
            uint32_t rank = p->ranks[lp * a->n_shares + i] = rank_of(share, lp, p->n_lps);
            events[rank] += a->lps[lp].events;
            most = events[rank] > most ? events[rank] : most;
        }
        if (events == NULL) {
            return ws_no_memory(&a->failed);
        }
        share->imbalance = (double)most * share->ranks / (double)a->events;
        free(events);
    }
    return p->ranks != NULL || ws_no_memory(&a->failed);
}

/* ---- Destinations ---------------------------------------------------------------------------- */

/* Counts n more destinations of the sender, each of which received `count` events. *taken: number
 * of destinations counted so far; *sum: number of events that these received. When *sum reaches the
 * share parts[*part] of the sender's events, stores *taken in more->parts[*part] and increments
 * *part. */
static void parts_add(struct analyze_lp_more *more, uint64_t count, uint64_t n, uint64_t *sum,
                      uint32_t *taken, uint32_t *part)
{
    for (; n > 0 && *part < 4; n--) {
        *sum += count;
        (*taken)++;
        for (; *part < 4 && (double)*sum >= parts[*part] * (double)more->sent; (*part)++) {
            more->parts[*part] = *taken;
        }
    }
}

/* Finds the smallest numbers of destinations that received 50, 75, 90 and 95 per cent of the events
 * of the current sender. Numbers of events below SMALL, which are the most frequent, are counted
 * instead of sorted. */
static void src_end(struct pass *p)
{
    assert(p->src < p->a->n_lps);
    struct analyze_lp_more *more = &p->a->more[p->src];
    uint64_t sum = 0;
    uint32_t part = 0, taken = 0;
    if (more->destinations == 0) {
        return;
    }
    if (p->n > 0) {
        qsort(p->counts, p->n, sizeof *p->counts, ws_by_u64_down);
    }
    for (size_t i = 0; i < p->n; i++) {
        parts_add(more, p->counts[i], 1, &sum, &taken, &part);
    }
    for (uint64_t count = SMALL - 1; count > 0; count--) {
        parts_add(more, count, p->small[count], &sum, &taken, &part);
    }
    p->n = 0;
    memset(p->small, 0, sizeof p->small);
}

static int by_number(const void *a, const void *b)
{
    const uint32_t *x = a, *y = b;
    return *x < *y ? -1 : *x > *y;
}

/* Computes statistics of the numbers of destinations over all senders. For each share in parts[],
 * they are the minimum, the median, the 90th percentile, the maximum, and the sum. Returns false
 * after an error message. */
static bool parts_end(struct analyze *a)
{
    uint32_t *needed = malloc((a->n_lps + 1) * sizeof *needed);
    for (uint32_t part = 0; part < 4 && needed != NULL; part++) {
        uint64_t *to = a->parts[part];
        size_t n = 0;
        for (uint64_t lp = 0; lp < a->n_lps; lp++) {
            needed[n] = a->more[lp].parts[part];
            n += a->more[lp].destinations > 0;
            to[4] += a->more[lp].parts[part];
        }
        if (n > 0) {
            qsort(needed, n, sizeof *needed, by_number);
            to[0] = needed[0];
            to[1] = needed[(n - 1) / 2];
            to[2] = needed[(n - 1) * 9 / 10];
            to[3] = needed[n - 1];
        }
    }
    free(needed);
    return needed != NULL || ws_no_memory(&a->failed);
}

/* ---- Edges ----------------------------------------------------------------------------------- */

static bool edge_keep(struct analyze *a, const struct ws_edge *edge)
{
    struct analyze_graph *g = &a->graph;
    assert(g->n <= g->edges_max && g->n <= g->room);
    if (g->n >= g->edges_max) {
        g->too_large = true;
        free(g->list);
        g->list = NULL;
        g->n = g->room = 0;
        g->edges_max = 0;
        return true;
    }
    if (!array_reserve(&g->list, &g->room, g->n + 1, sizeof *g->list)) {
        return ws_no_memory(&a->failed);
    }
    g->list[g->n++] = *edge;
    return true;
}

static bool edge_take(const struct ws_edge *edge, void *ctx)
{
    struct pass *p = ctx;
    struct analyze *a = p->a;
    uint32_t src = ws_edge_src(edge->key), dest = ws_edge_dest(edge->key);
    if (src != p->src) {
        src_end(p);
    }
    p->src = src;
    if (!array_reserve(&p->counts, &p->room, p->n + 1, sizeof *p->counts)) {
        return ws_no_memory(&a->failed);
    }
    if (edge->events < SMALL) {
        p->small[edge->events]++;
    } else {
        p->counts[p->n++] = edge->events;
    }
    a->more[src].destinations++;
    a->more[src].sent += edge->events;
    a->graph.edges += src != dest;
    a->graph.events += edge->events;
    const uint32_t *from = p->ranks + (size_t)src * a->n_shares;
    const uint32_t *to = p->ranks + (size_t)dest * a->n_shares;
    for (uint32_t i = 0; i < a->n_shares; i++) {
        struct analyze_share *share = &a->shares[i];
        bool is_local = from[i] == to[i];
        *(is_local ? &share->local : &share->remote) += edge->events;
    }
    if (src == dest) {
        a->more[src].sent_self += edge->events;
        a->graph.self += edge->events;
        return true;
    }
    return a->graph.edges_max == 0 || edge_keep(a, edge);
}

bool analyze_graph(struct analyze *a)
{
    struct pass p = {.a = a, .n_lps = analyze_lps_of_run(a)};
    shares_init(a);
    bool good = ranks_fill(&p);
    for (uint32_t lp = 0; good && lp < a->n_lps; lp++) {
        good = a->self[lp] == 0 || ws_edges_add(&a->edges, lp, lp, a->self[lp]);
    }
    good = good && ws_edges_each(&a->edges, edge_take, &p);
    if (good) {
        src_end(&p);
    }
    free(p.counts);
    free(p.ranks);
    return good && parts_end(a);
}
