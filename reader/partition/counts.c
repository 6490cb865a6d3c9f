/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * counts.c - counts events per LP and per pair of LPs, and reads them from an event trace in one
 * pass; see partition.h.
 */
#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "access/facts.h"
#include "access/stream.h"
#include "cli/messages.h"
#include "partition/partition.h"
#include "store/array.h"

bool partition_counts_init(struct partition_counts *c, const struct analyze_trace *trace)
{
    const uint64_t n_lps = trace->lps.n;
    *c = (struct partition_counts){.trace = *trace};
    ws_edges_init(&c->pairs, 0);
    return partition_graph_init(&c->graph, n_lps);
}

void partition_counts_free(struct partition_counts *c)
{
    analyze_trace_free(&c->trace);
    ws_edges_free(&c->pairs);
    partition_graph_free(&c->graph);
    *c = (struct partition_counts){.trace = {.file = NULL}};
}

bool partition_counts_add(struct partition_counts *c, uint32_t src, uint32_t dest,
                          uint64_t handler_ns)
{
    struct partition_graph *g = &c->graph;
    assert(src < g->n_lps && dest < g->n_lps);
    g->events++;
    g->received[dest]++;
    g->load[dest] += handler_ns;
    if (src == dest) {
        g->self++;
        return true;
    }
    return ws_edges_add(&c->pairs, src < dest ? src : dest, src < dest ? dest : src, 1);
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

bool partition_counts_finish(struct partition_counts *c, bool by_time)
{
    struct partition_graph *g = &c->graph;
    g->by_time = by_time;
    if (!by_time) {
        memcpy(g->load, g->received, g->n_lps * sizeof *g->load);
    }
    struct list list = {.n = 0};
    bool good = ws_edges_each(&c->pairs, pair_keep, &list);
    ws_edges_free(&c->pairs);
    good = good && (partition_graph_link(g, list.pairs, list.n) || ws_no_memory(NULL));
    free(list.pairs);
    return good;
}

/* ---- The trace ------------------------------------------------------------------------------- */

static enum analyze_taken event_take(const struct analyze_event *e, bool must,
                                     const struct analyze_event *ahead, void *ctx)
{
    struct partition_counts *c = ctx;
    struct partition_graph *g = &c->graph;
    (void)must;
    (void)ahead;
    if (g->pe[e->lp] != PARTITION_UNKNOWN_PE && g->pe[e->lp] != e->pe) {
        g->n_pes = 0; /* an LP changed its PE during the run, as with --map=auto */
    }
    g->pe[e->lp] = e->pe;
    if (e->src != e->lp && e->send_order >= 0 && e->ts < e->send_ts + c->lookahead &&
        !partition_graph_group(g, e->src, e->lp)) {
        ws_no_memory(NULL);
        return ANALYZE_STOP;
    }
    return partition_counts_add(c, e->src, e->lp, e->handler_time) ? ANALYZE_TAKEN : ANALYZE_STOP;
}

/* Maximum number of LPs per event of the trace. A file that states a larger number of LPs is
 * refused, so that the size of the file bounds the memory. Up to LPS_ANYWAY LPs are always
 * accepted. */
#define LPS_PER_EVENT 64u
#define LPS_ANYWAY    65536u

/* Returns true if LPs of the trace can be placed; otherwise prints an error message. n_lps: their
 * number in the run. */
static bool lps_check(const struct analyze_trace *t, uint64_t n_lps)
{
    const char *why = n_lps == 0 ? "it does not say how many LPs the run had"
                      : n_lps / LPS_PER_EVENT > t->n_events && n_lps > LPS_ANYWAY
                          ? "the run has more than 64 LPs per event in the trace, too many to "
                            "place them; record a longer part of the run"
                      : t->lps.n == 0
                          ? "no event is of an LP of the run; warpscope verify shows damage"
                          : NULL;
    return why == NULL || ws_refuse(t->file->path, why, NULL);
}

/* Returns true if a part of the stream may contain events that were rolled back. */
static bool has_undone(const struct ws_file *file, const struct fmt_schema *schema)
{
    enum ws_scheduler scheduler = ws_scheduler_of(file->sb);
    bool any = false;
    for (uint32_t i = 0; i < ws_stream_parts(file); i++) {
        const struct ws_file *part = ws_stream_part(file, i);
        if (ws_part_records(part, schema)) {
            const char *mode = ws_fact(part->sb, "option_event_trace");
            any = any || mode == NULL || strcmp(mode, "3") != 0;
        }
    }
    return any && (scheduler == WS_SCHED_UNKNOWN || scheduler == WS_SCHED_OPTIMISTIC);
}

bool partition_counts_read(struct partition_counts *c, struct ws_file *file,
                           enum partition_weights weights, double lookahead)
{
    struct analyze_trace trace;
    if (!analyze_trace_init(&trace, file, WS_TRACE_PLACEMENT, false, false) ||
        !lps_check(&trace, ws_fact_u64(file->sb, "total_lps"))) {
        *c = (struct partition_counts){.trace = trace};
        return false;
    }
    bool good = partition_counts_init(c, &trace) || ws_no_memory(NULL);
    c->graph.all_executed = has_undone(file, trace.schema);
    c->graph.n_pes = trace.n_pes;
    c->lookahead = lookahead;
    struct analyze_times *times = &c->trace.times;
    times->is_timed &= weights == PARTITION_TIME || (weights == PARTITION_ANY && times->is_long);
    times->has_kinds &= times->is_timed;
    good = good && analyze_trace_walk(
                       &c->trace, lookahead > 0.0 ? ANALYZE_READ_TIMES | ANALYZE_READ_CAUSES : 0,
                       event_take, c);
    if (good && c->trace.left_out > 0) {
        return ws_refuse(file->path, "an event is of an LP that the run did not have",
                         "record again, warpscope verify shows damage");
    }
    return good && partition_counts_finish(c, times->is_timed);
}
