/* SPDX-License-Identifier: BSD-3-Clause */
/* run.c - reads the placement map, and runs the passes of an analysis; see analyze.h. */
#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analyze/analyze.h"
#include "cli/messages.h"
#include "text/map_text.h"

/* Assigns an index to each LP type, and stores these indices in a->type_of. A payload description
 * names its LP type as its owner. Returns false if out of memory. */
static bool types_init(struct analyze *a)
{
    const struct fmt_desc_set *descs = &a->trace.file->descs;
    a->type_of = calloc(descs->n + 1, sizeof *a->type_of);
    if (a->type_of == NULL) {
        return false;
    }
    for (size_t i = 0; i < descs->n; i++) {
        const char *owner = descs->descs[i].owner;
        uint32_t type = owner[0] == '\0'
                            ? WS_NAMES_NONE
                            : ws_intern_add(&a->types, owner, strlen(owner), ANALYZE_TYPES_MAX);
        a->type_of[i] = type == WS_NAMES_NONE ? 0 : type + 1;
    }
    return true;
}

/* ---- Ranks of the LPs ------------------------------------------------------------------------ */

#define RANKS_MOST (1u << 20)

/* Sets a->n_ranks, and reads the placement map that the options name. Prints an error message and
 * returns false on failure. */
static bool placement_init(struct analyze *a)
{
    size_t n = a->trace.lps.n;
    struct map_text map = {.path = a->options->lp_map,
                           .lps = &a->trace.lps,
                           .is_part = !id_set_is_dense(&a->trace.lps),
                           .n_ranks = RANKS_MOST,
                           .n_kps = UINT32_MAX - 1u};
    a->n_ranks = a->trace.n_pes;
    if (map.path == NULL) {
        return true;
    }
    map.rank_of = a->rank_of = malloc(n * sizeof *a->rank_of);
    map.kp_of = malloc(n * sizeof *map.kp_of);
    if (a->rank_of == NULL || map.kp_of == NULL) {
        free(map.kp_of);
        return ws_no_memory(&a->failed);
    }
    bool good = map_text_read(&map, NULL);
    free(map.kp_of);
    if (!good) {
        return ws_say(&ws_on_stderr, "--lp-map: %s", map.error);
    }
    a->n_ranks = 1;
    for (size_t lp = 0; lp < n; lp++) {
        a->n_ranks = a->rank_of[lp] < a->n_ranks ? a->n_ranks : a->rank_of[lp] + 1;
    }
    return true;
}

/* Replaces the recorded ranks of the LPs by those of the placement map, if there is one. */
static void placement_apply(struct analyze *a)
{
    for (uint64_t lp = 0; a->rank_of != NULL && lp < a->n_lps; lp++) {
        if (a->lps[lp].pe > 0) {
            a->lps[lp].pe = a->rank_of[lp] + 1;
        }
    }
}

/* ---- Passes ---------------------------------------------------------------------------------- */

static bool latency_init(struct analyze *a)
{
    const struct analyze_options *o = a->options;
    if (o->by_time && !a->trace.times.is_timed) {
        return ws_say(
            &ws_on_stderr,
            "%s: the times of handlers were not recorded, so --weight=%s is not possible: "
            "record with --event-times=1",
            a->trace.file->path, o->typical ? "typical" : "time");
    }
    if (o->has_latency && o->latency_time && !a->trace.times.is_timed) {
        return ws_say(&ws_on_stderr,
                      "%s: the times of handlers were not recorded, so --latency cannot be a time: "
                      "record with --event-times=1, or give it in events, such as --latency=2",
                      a->trace.file->path);
    }
    double units = o->latency * (o->latency_time ? 1e9 : ANALYZE_EVENT_UNITS);
    a->latency = o->has_latency ? (uint64_t)fmin(units, 0x1p62) : 0;
    return true;
}

static bool state_init(struct analyze *a)
{
    const struct analyze_options *o = a->options;
    ws_edges_init(&a->edges, o->edges_max);
    a->levels.n_max = ANALYZE_LEVELS_MAX;
    a->path_of = a->trace.times.is_timed && !o->by_events && (o->by_time || a->trace.times.is_long)
                     ? ANALYZE_TIME_LP
                     : ANALYZE_EVENTS_LP;
    if (o->csv_folder != NULL || o->graph_file != NULL) {
        a->graph.edges_max = ANALYZE_EDGES_FILES;
    } else if (o->communities) {
        a->graph.edges_max = ANALYZE_EDGES_COMMUNITIES;
    }
    if (ws_memory_take_sparse(&a->lp_memory, a->trace.lps.n * sizeof *a->lps)) {
        a->lps = a->lp_memory.at;
    }
    if (!placement_init(a)) {
        return false;
    }
    a->self = calloc(a->trace.lps.n + 1, sizeof *a->self);
    a->pes = calloc(a->n_ranks, sizeof *a->pes);
    a->pairs = calloc(ANALYZE_TYPES_MAX + 1, sizeof *a->pairs);
    /* a->before has an element for every record, since the number of an event is its index among
     * the records of all kinds. */
    bool good =
        a->lps != NULL && a->self != NULL && a->pes != NULL && a->pairs != NULL && types_init(a);
    return (good || ws_no_memory(&a->failed)) &&
           ws_pages_init(&a->before, sizeof(uint64_t), a->trace.bases[a->trace.n_pes],
                         o->pages_memory == 0 ? ANALYZE_PAGES : o->pages_memory, &a->failed) &&
           latency_init(a);
}

static bool graph_is_kept(const struct analyze *a)
{
    return !a->graph.too_large ||
           (a->options->csv_folder == NULL && a->options->graph_file == NULL) ||
           ws_say(&ws_on_stderr,
                  "%s: the graph of the LPs has more than 16,777,216 edges, too many for --csv and "
                  "--graph",
                  a->trace.file->path);
}

bool analyze_run(struct analyze *a, struct ws_file *file, const struct analyze_options *options)
{
    assert(file->pes != NULL && options != NULL);
    *a = (struct analyze){.options = options};
    if (!analyze_trace_init(&a->trace, file, ANALYZE_NEEDS, options->typical, options->pe_costs) ||
        !state_init(a) || !analyze_forward(a)) {
        return false;
    }
    if (a->events == 0) {
        return ws_say(&ws_on_stderr, "%s: no event has a valid LP and valid times", file->path);
    }
    placement_apply(a);
    a->more = calloc(a->n_lps + 1, sizeof *a->more);
    if (a->more == NULL) {
        return ws_no_memory(&a->failed);
    }
    if (!analyze_second(a)) {
        return false;
    }
    ws_pages_free(&a->before);
    if (!analyze_graph(a) || !graph_is_kept(a)) {
        return false;
    }
    if (options->communities) {
        ws_edges_free(&a->edges); /* makes room for the links of communities */
        analyze_opens_free(&a->opens);
        analyze_communities(a);
    }
    return true;
}

void analyze_free(struct analyze *a)
{
    analyze_trace_free(&a->trace);
    ws_pages_free(&a->path_out);
    ws_edges_free(&a->edges);
    analyze_opens_free(&a->opens);
    ws_pages_free(&a->before);
    analyze_levels_free(&a->levels);
    free(a->fields);
    free(a->values);
    ws_intern_free(&a->types);
    free(a->graph.list);
    ws_memory_free(&a->lp_memory);
    free(a->self);
    free(a->more);
    free(a->pes);
    free(a->rank_of);
    free(a->pairs);
    free(a->type_of);
}
