/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * counts.c - counts events per LP and per pair of LPs, and reads them from an event trace in one
 * pass; see partition.h.
 */
#include <assert.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "access/facts.h"
#include "access/load.h"
#include "access/stream.h"
#include "analyze/times.h"
#include "cli/files.h"
#include "cli/messages.h"
#include "partition/partition.h"
#include "store/array.h"

bool partition_counts_init(struct partition_counts *c, const struct id_set *lps)
{
    const uint64_t n_lps = lps->n;
    *c = (struct partition_counts){
        .lps = *lps, .largest_lp = id_set_at(lps, n_lps - 1), .is_complete = true};
    ws_edges_init(&c->pairs, 0);
    return partition_graph_init(&c->graph, n_lps);
}

void partition_counts_free(struct partition_counts *c)
{
    id_set_free(&c->lps);
    ws_edges_free(&c->pairs);
    partition_graph_free(&c->graph);
    *c = (struct partition_counts){.is_complete = false};
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

struct pass {
    struct partition_counts *counts;
    const struct fmt_schema *schema;
    uint64_t n_events; /* number of events in the file */
    struct analyze_times times;
    bool failed; /* true after an error message */
    /* True if an LP changed its PE during the run, as with --map=auto. */
    bool moved;
    struct ws_load load;
    uint64_t srcs[WS_LOAD_MAX], dests[WS_LOAD_MAX], types[WS_LOAD_MAX];
    double ns[WS_LOAD_MAX]; /* the field handler_time */
};
/* The first two are needed only if handlers were timed. */
static const struct ws_loaded loaded[] = {{"payload_type", offsetof(struct pass, types), false},
                                          {"handler_time", offsetof(struct pass, ns), true},
                                          {"src_lp", offsetof(struct pass, srcs), false},
                                          {"dest_lp", offsetof(struct pass, dests), false},
                                          {NULL, 0, false}};

static const struct ws_loaded *needed(const struct pass *p)
{
    return &loaded[p->times.is_timed ? 0 : 2];
}

static bool part_add(struct ws_file *file, const struct ws_part *part, void *ctx)
{
    struct pass *p = ctx;
    struct partition_graph *g = &p->counts->graph;
    const struct fmt_columns *columns = part->columns;
    uint32_t row = 0;
    while (ws_load_next(&p->load, part, &row)) {
        ws_load_all(&p->load, needed(p), p);
        for (uint32_t i = 0; i < p->load.n; i++) {
            size_t src = id_set_place(&p->counts->lps, p->srcs[i]);
            size_t dest = id_set_place(&p->counts->lps, p->dests[i]);
            if (src == ID_SET_NONE || dest == ID_SET_NONE) {
                p->failed = true;
                return ws_refuse(file->path, "an event is of an LP that the run did not have",
                                 "record again, warpscope verify shows damage");
            }
            const uint64_t *payloads = p->times.has_kinds ? columns->payload_offset : NULL;
            const uint64_t begin = payloads == NULL ? 0 : payloads[p->load.rows[i]];
            const uint64_t ns =
                !p->times.is_timed
                    ? 0
                    : analyze_event_time(
                          &p->times, p->ns[i] < 0x1p63 ? (int64_t)p->ns[i] : INT64_MAX,
                          (uint32_t)p->types[i], payloads == NULL ? NULL : columns->payload + begin,
                          payloads == NULL ? 0 : payloads[p->load.rows[i] + 1] - begin);
            uint32_t *pe = &g->pe[dest];
            p->moved = p->moved || (*pe != PARTITION_UNKNOWN_PE && *pe != part->block->pe);
            *pe = part->block->pe;
            if (!partition_counts_add(p->counts, (uint32_t)src, (uint32_t)dest, ns)) {
                p->failed = true;
                return false;
            }
        }
    }
    return true;
}

/* Returns true if the trace has the events of all LPs, and sets the members of p that describe its
 * records. Otherwise prints an error message and returns false. */
static bool trace_check(struct ws_file *file, struct pass *p)
{
    p->schema = ws_file_kind(file, FMT_RECORD_EVENT, &p->n_events);
    if (p->schema == NULL) {
        return ws_refuse(file->path, "there are no events in it", "record with --event-trace=3");
    }
    if (ws_field_find(p->schema, "src_lp") < 0 || ws_field_find(p->schema, "dest_lp") < 0) {
        return ws_refuse(file->path, "its events lack sender or receiver",
                         "record with this version");
    }
    return ws_trace_require(file, WS_TRACE_PLACEMENT);
}

/* Maximum number of LPs per event of the trace. A file that states a larger number of LPs is
 * refused, so that the size of the file bounds the memory. Up to LPS_ANYWAY LPs are always
 * accepted. */
#define LPS_PER_EVENT 64u
#define LPS_ANYWAY    65536u

/* Returns the number of LPs of the run. Prints an error message and returns 0 if the number is
 * unknown or too large. */
static uint64_t lps_count(const struct ws_file *file, uint64_t n_events)
{
    const uint64_t n = ws_fact_u64(file->sb, "total_lps");
    const char *why =
        n == 0                  ? "it does not say how many LPs the run had"
        : n > PARTITION_LPS_MAX ? "the run has more than 268,435,456 LPs, the most for partition"
        : n / LPS_PER_EVENT > n_events && n > LPS_ANYWAY
            ? "the run has more than 64 LPs per event in the trace, too many to place "
              "them; record a longer part of the run"
            : NULL;
    return why == NULL || ws_refuse(file->path, why, NULL) ? n : 0;
}

/* Initialises *c for the LPs of the run; if their numbers have holes, for those with events. Prints
 * an error message and returns false on failure. */
static bool counts_init(struct partition_counts *c, struct ws_file *file, uint64_t n_lps)
{
    struct id_set lps = {.n = n_lps};
    bool have_holes = ws_lps_have_holes(file->sb);
    if (have_holes && !ws_lps_read(&lps, file)) {
        id_set_free(&lps);
        return ws_refuse(
            file->path, "its records name more LPs than the run had, or memory is exhausted", NULL);
    }
    if (lps.n == 0) {
        return ws_refuse(file->path,
                         "no event is of an LP of the run; warpscope verify shows damage", NULL);
    }
    if (!partition_counts_init(c, &lps)) {
        return ws_no_memory(NULL);
    }
    c->is_complete = lps.n == n_lps;
    c->largest_lp = have_holes ? ws_fact_u64(file->sb, "largest_lp") : n_lps - 1;
    return true;
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

static bool times_find(struct pass *p, struct ws_file *file)
{
    const int32_t time = ws_field_find(p->schema, "handler_time");
    const bool usable = time >= 0 && p->schema->fields[time].type == FMT_I64;
    return analyze_times_find(&p->times, file, p->schema, usable ? time : -1,
                              ws_field_find(p->schema, "payload_type"), false, false) ||
           ws_no_memory(NULL);
}

bool partition_counts_read(struct partition_counts *c, struct ws_file *file,
                           enum partition_weights weights)
{
    struct fmt_wanted wanted = {.payload = false};
    struct pass *p = calloc(1, sizeof *p);
    *c = (struct partition_counts){.is_complete = false};
    if (p == NULL) {
        return ws_no_memory(NULL);
    }
    p->counts = c;
    uint64_t n_lps = trace_check(file, p) ? lps_count(file, p->n_events) : 0;
    bool good = n_lps > 0 && counts_init(c, file, n_lps) &&
                (weights == PARTITION_EVENTS || times_find(p, file));
    if (good) {
        c->graph.all_executed = has_undone(file, p->schema);
        c->graph.n_pes = file->sb->layout.n_pes;
        ws_load_want(needed(p), p->schema, &wanted);
        wanted.payload = p->times.has_kinds;
        ws_scan_kind(file, p->schema, &wanted, WS_ALL_PES, part_add, p);
        c->graph.n_pes = p->moved ? 0 : c->graph.n_pes;
        const bool by_time = weights == PARTITION_TIME
                                 ? p->times.is_timed
                                 : weights == PARTITION_ANY && p->times.is_long;
        good = !p->failed && partition_counts_finish(c, by_time);
    }
    analyze_times_free(&p->times);
    free(p);
    return good;
}
