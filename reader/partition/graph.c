/* SPDX-License-Identifier: BSD-3-Clause */
/* graph.c - counts events by LP and by pair of LPs; see graph.h. */
#include "partition/graph.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "cli/messages.h"
#include "store/array.h"

bool partition_graph_init(struct partition_graph *g, uint64_t n_lps)
{
    assert(n_lps > 0 && n_lps <= PARTITION_LPS_MAX);
    *g = (struct partition_graph){.n_lps = n_lps};
    ws_edges_init(&g->pairs, 0);
    g->received = calloc(n_lps, sizeof *g->received);
    g->load = calloc(n_lps, sizeof *g->load);
    g->timed = calloc(n_lps, sizeof *g->timed);
    g->pe = malloc(n_lps * sizeof *g->pe);
    if (g->received == NULL || g->load == NULL || g->timed == NULL || g->pe == NULL) {
        return false;
    }
    for (uint64_t lp = 0; lp < n_lps; lp++) {
        g->pe[lp] = PARTITION_UNKNOWN_PE;
    }
    return true;
}

void partition_graph_free(struct partition_graph *g)
{
    free(g->received);
    free(g->load);
    free(g->timed);
    free(g->pe);
    free(g->begin);
    free(g->to);
    free(g->weight);
    ws_edges_free(&g->pairs);
    *g = (struct partition_graph){.n_lps = 0};
}

bool partition_graph_add(struct partition_graph *g, uint32_t src, uint32_t dest, int64_t handler_ns)
{
    assert(src < g->n_lps && dest < g->n_lps);
    g->events++;
    g->received[dest]++;
    if (handler_ns >= 0) {
        g->timed[dest]++;
        g->n_timed++;
        g->time += (double)handler_ns;
        g->load[dest] += (uint64_t)handler_ns;
    }
    if (src == dest) {
        g->self++;
        return true;
    }
    return src < dest ? ws_edges_add(&g->pairs, src, dest) : ws_edges_add(&g->pairs, dest, src);
}

int64_t partition_graph_steady(const struct partition_graph *g, int64_t handler_ns)
{
    bool is_long = handler_ns >= 1000000 && g->n_timed > 0 &&
                   (double)handler_ns >= 100.0 * g->time / (double)g->n_timed;
    return is_long ? -1 : handler_ns;
}

/* The pairs as a list by ascending key. */
struct list {
    struct ws_edge *pairs; /* owned */
    size_t n, room;
};

static bool no_memory(void)
{
    ws_say(&ws_on_stderr, "out of memory");
    return false;
}

static bool pair_keep(const struct ws_edge *pair, void *ctx)
{
    struct list *list = ctx;
    if (!array_reserve(&list->pairs, &list->room, list->n + 1, sizeof *list->pairs)) {
        return no_memory();
    }
    list->pairs[list->n++] = *pair;
    return true;
}

static void pair_put(struct partition_graph *g, uint64_t *next, uint32_t from, uint32_t to,
                     uint64_t events)
{
    uint64_t at = next[from]++;
    g->to[at] = to;
    g->weight[at] = events;
}

/* Sorts the pairs of a list into the arrays by LP. Returns false if out of memory. */
static bool pairs_sort(struct partition_graph *g, const struct list *list)
{
    size_t n = list->n;
    g->begin = calloc(g->n_lps + 1, sizeof *g->begin);
    g->to = malloc((2 * n + 1) * sizeof *g->to);
    g->weight = malloc((2 * n + 1) * sizeof *g->weight);
    uint64_t *next = malloc(g->n_lps * sizeof *next);
    bool good = g->begin != NULL && g->to != NULL && g->weight != NULL && next != NULL;
    for (size_t i = 0; good && i < n; i++) {
        g->begin[ws_edge_src(list->pairs[i].key) + (uint64_t)1]++;
        g->begin[ws_edge_dest(list->pairs[i].key) + (uint64_t)1]++;
    }
    for (uint64_t lp = 0; good && lp < g->n_lps; lp++) {
        next[lp] = g->begin[lp];
        g->begin[lp + 1] += g->begin[lp];
    }
    /* All neighbours with smaller numbers come before those with larger ones. */
    for (size_t i = 0; good && i < n; i++) {
        const struct ws_edge *pair = &list->pairs[i];
        pair_put(g, next, ws_edge_dest(pair->key), ws_edge_src(pair->key), pair->events);
    }
    for (size_t i = 0; good && i < n; i++) {
        const struct ws_edge *pair = &list->pairs[i];
        pair_put(g, next, ws_edge_src(pair->key), ws_edge_dest(pair->key), pair->events);
    }
    free(next);
    g->n_pairs = n;
    return good;
}

/* Events without a time count as the mean of those of their LP, or of all LPs. */
static void load_from_times(struct partition_graph *g)
{
    uint64_t sum = 0;
    for (uint64_t lp = 0; lp < g->n_lps; lp++) {
        sum += g->load[lp];
    }
    double mean = (double)sum / (double)g->n_timed;
    for (uint64_t lp = 0; lp < g->n_lps; lp++) {
        double own = g->timed[lp] > 0 ? (double)g->load[lp] / (double)g->timed[lp] : mean;
        g->load[lp] += (uint64_t)(own * (double)(g->received[lp] - g->timed[lp]));
    }
}

bool partition_graph_finish(struct partition_graph *g, bool by_time)
{
    g->by_time = by_time && g->n_timed > 0;
    if (g->by_time) {
        load_from_times(g);
    } else {
        memcpy(g->load, g->received, g->n_lps * sizeof *g->load);
    }
    g->total_load = 0;
    for (uint64_t lp = 0; lp < g->n_lps; lp++) {
        g->total_load += g->load[lp];
    }
    struct list list = {.n = 0};
    bool good = ws_edges_each(&g->pairs, pair_keep, &list);
    ws_edges_free(&g->pairs);
    good = good && (pairs_sort(g, &list) || no_memory());
    free(list.pairs);
    return good;
}
