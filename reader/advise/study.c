/* SPDX-License-Identifier: BSD-3-Clause */
/* study.c - facts that other rooms find in the trace of events; see advise.h. */
#include <math.h>
#include <stdlib.h>

#include "advise/advise.h"
#include "analyze/output.h"
#include "cli/out.h"
#include "partition/report.h"
#include "rollbacks/rollbacks.h"

#define RANKS_MOST  65536u
#define UNDONE_MANY 0.2 /* part of the executed events */

/* ---- Placement ------------------------------------------------------------------------------- */

static void prediction_take(struct advise_facts *facts, const struct partition *p)
{
    const struct partition_sums *now = &p->sums[PARTITION_RECORDED];
    const struct partition_sums *then = &p->sums[p->chosen];
    facts->has_placement = now->known && then->known;
    facts->placement_why = "the placement of the run is not in the trace";
    facts->events = (double)p->graph->events;
    facts->remote_now = now->remote;
    facts->remote_new = then->remote;
    facts->balance_now = now->balance;
    facts->balance_new = then->balance;
}

static bool map_save(struct ws_outs *outs, const char *map, const struct partition *p)
{
    struct ws_out *out = ws_out_begin(outs, map);
    return out != NULL && partition_map_write(out, p) && ws_out_end(out) && ws_outs_publish(outs);
}

void advise_study_placement(struct advise_facts *facts, struct ws_file *trace, struct ws_outs *outs,
                            const char *map)
{
    struct partition_graph graph;
    struct partition p = {.n_ranks = facts->ranks,
                          .n_kps =
                              map != NULL && facts->kps <= RANKS_MOST ? (uint32_t)facts->kps : 0,
                          .cut = {1, 0.03},
                          .graph = &graph};
    if (facts->placement_why != NULL || facts->ranks < 2 || facts->ranks > RANKS_MOST) {
        return;
    }
    if (partition_cut_missing() != NULL) {
        facts->placement_why = partition_cut_missing();
        return;
    }
    facts->placement_why = "the trace does not allow it; see the message of warpscope partition";
    if (partition_graph_read(&graph, trace, true)) {
        if (partition_make(&p)) {
            prediction_take(facts, &p);
        } else {
            facts->placement_why = p.why;
        }
        facts->map_failed =
            map != NULL && advise_placement_helps(facts) && !map_save(outs, map, &p);
    }
    partition_free(&p);
    partition_graph_free(&graph);
}

/* ---- Rollbacks ------------------------------------------------------------------------------- */

void advise_study_rollbacks(struct advise_facts *facts, struct ws_file *trace)
{
    static const struct rollbacks_options options = {.top = 1};
    bool has_any = false;
    for (uint32_t i = 0; i < trace->sb->n_schemas; i++) {
        has_any |= trace->sb->schemas[i]->id == FMT_RECORD_ROLLBACK && trace->kind_records[i] > 0;
    }
    if (!has_any || advise_wasted(facts) < UNDONE_MANY) {
        return;
    }
    struct rollbacks *r = calloc(1, sizeof *r);
    if (r == NULL) {
        return;
    }
    if (rollbacks_run(r, trace, &options)) {
        facts->has_bound = true;
        facts->bound = rollbacks_bound(r, 0.5);
    }
    rollbacks_free(r);
    free(r);
}

/* ---- What the model allows ------------------------------------------------------------------- */

void advise_study_speed_up(struct advise_facts *facts, struct ws_file *trace)
{
    static const struct analyze_options options = {.top = 1};
    struct analyze *a = facts->speed_up_why == NULL ? calloc(1, sizeof *a) : NULL;
    if (a == NULL) {
        return;
    }
    if (analyze_run(a, trace, &options)) {
        /* Measured times are those of a machine that may have been busy: the larger bound counts. */
        facts->speed_up =
            fmax(analyze_speed_up(a, a->path_of), analyze_speed_up(a, ANALYZE_EVENTS_LP));
    } else {
        facts->speed_up_why = "The trace cannot be analysed.";
    }
    analyze_free(a);
    free(a);
}
