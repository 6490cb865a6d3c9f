/* SPDX-License-Identifier: BSD-3-Clause */
/* graph.c - counts events per LP and per pair of LPs; see graph.h. */
#include "partition/graph.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "cli/messages.h"
#include "store/array.h"

bool partition_counts_init(struct partition_counts *c, const struct id_set *lps)
{
    const uint64_t n_lps = lps->n;
    *c = (struct partition_counts){
        .lps = *lps, .largest_lp = id_set_at(lps, n_lps - 1), .is_complete = true};
    ws_edges_init(&c->pairs, 0);
    c->timed = calloc(n_lps, sizeof *c->timed);
    return partition_graph_init(&c->graph, n_lps) && c->timed != NULL;
}

void partition_counts_free(struct partition_counts *c)
{
    free(c->timed);
    id_set_free(&c->lps);
    ws_edges_free(&c->pairs);
    partition_graph_free(&c->graph);
    *c = (struct partition_counts){.n_timed = 0};
}

bool partition_counts_add(struct partition_counts *c, uint32_t src, uint32_t dest,
                          int64_t handler_ns)
{
    struct partition_graph *g = &c->graph;
    assert(src < g->n_lps && dest < g->n_lps);
    g->events++;
    g->received[dest]++;
    if (handler_ns >= 0) {
        c->timed[dest]++;
        c->n_timed++;
        c->time += (double)handler_ns;
        g->load[dest] += (uint64_t)handler_ns;
    }
    if (src == dest) {
        g->self++;
        return true;
    }
    return src < dest ? ws_edges_add(&c->pairs, src, dest) : ws_edges_add(&c->pairs, dest, src);
}

int64_t partition_counts_steady(const struct partition_counts *c, int64_t handler_ns)
{
    bool is_long = handler_ns >= 1000000 && c->n_timed > 0 &&
                   (double)handler_ns >= 100.0 * c->time / (double)c->n_timed;
    return is_long ? -1 : handler_ns;
}

/* A growing list of pairs, in ascending order of their keys. */
struct list {
    struct partition_pair *pairs; /* owned */
    size_t n, room;
};

static bool pair_keep(const struct ws_edge *pair, void *ctx)
{
    struct list *list = ctx;
    if (!array_reserve(&list->pairs, &list->room, list->n + 1, sizeof *list->pairs)) {
        return ws_no_memory(NULL);
    }
    list->pairs[list->n++] = (struct partition_pair){pair->key, pair->events};
    return true;
}

/* Computes the loads from the measured times. An event without a measured time counts with the mean
 * time of the events of its LP or, if none of these was timed, with the mean time of all events. */
static void load_from_times(struct partition_counts *c)
{
    assert(c->n_timed > 0);
    struct partition_graph *g = &c->graph;
    uint64_t sum = 0;
    for (uint64_t lp = 0; lp < g->n_lps; lp++) {
        sum += g->load[lp];
    }
    double mean = (double)sum / (double)c->n_timed;
    for (uint64_t lp = 0; lp < g->n_lps; lp++) {
        double own = c->timed[lp] > 0 ? (double)g->load[lp] / (double)c->timed[lp] : mean;
        g->load[lp] += (uint64_t)(own * (double)(g->received[lp] - c->timed[lp]));
    }
}

bool partition_counts_finish(struct partition_counts *c, bool by_time)
{
    struct partition_graph *g = &c->graph;
    g->by_time = by_time && c->n_timed > 0;
    if (g->by_time) {
        load_from_times(c);
    } else {
        memcpy(g->load, g->received, g->n_lps * sizeof *g->load);
    }
    struct list list = {.n = 0};
    bool good = ws_edges_each(&c->pairs, pair_keep, &list);
    ws_edges_free(&c->pairs);
    good = good && (partition_graph_link(g, list.pairs, list.n) || ws_no_memory(NULL));
    free(list.pairs);
    return good;
}
