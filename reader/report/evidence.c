/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * evidence.c - computes the evidence from which the findings about a run follow; see report.h and
 * findings/findings.h.
 */
#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "report/report.h"

#define FIFTH (REPORT_BINS / 5u)
#define TENTH (REPORT_BINS / 10u)

static void facts_take(struct report_run *run)
{
    struct ws_evidence *e = &run->evidence;
    const struct ws_select *s = run->select;
    ws_evidence_facts(e, run->first->stream.sb);
    e->run_seconds = run->axes[REPORT_WALL].high - run->axes[REPORT_WALL].low;
    if (s->pes.n > 0 || s->kps.n > 0 || s->lps.n > 0 || s->types != NULL) {
        e->lps = 0; /* figures of selected LPs must not be compared with the number of all LPs */
    }
}

/* ---- Totals and PEs -------------------------------------------------------------------------- */

static void totals_take(struct report_run *run)
{
    struct ws_evidence *e = &run->evidence;
    const struct ws_samples *s = report_totals(run);
    e->executed = report_total(s, "events_processed");
    e->undone = report_total(s, "events_rolled_back");
    e->rollbacks = report_total(s, "total_rollbacks");
    e->secondary = report_total(s, "secondary_rollbacks");
    e->gvts = report_total(s, "num_gvt");
    e->remote = report_total(s, "remote_events");
    const struct report_file *trace = report_file_of(run, FMT_STREAM_EVTRACE);
    if (trace != NULL && trace->events != NULL && run->events.has_rollbacks &&
        e->rollbacks != e->rollbacks) {
        e->rollbacks = (double)trace->events->sums[WS_EVENTS_ROLLBACKS];
        e->secondary = (double)trace->events->sums[WS_EVENTS_SECONDARY];
    }
}

/* Adds the times of phases in the samples s of one stream to the n PEs in run->pes. */
static void phases_take(struct report_run *run, const struct ws_samples *s, size_t n)
{
    double ticks = ws_stats_ticks_per_second(s->file->sb);
    for (uint32_t k = 0; k < s->counts.n && ticks > 0.0; k++) {
        const struct fmt_field *field = &s->counts.schema->fields[s->counts.field[k]];
        enum ws_phase phase = ws_phase_of(field->name);
        for (uint32_t i = 0; i < s->pes.n && strcmp(field->unit, "ticks") == 0; i++) {
            for (size_t p = 0; p < n; p++) {
                if (run->pes[p].pe == s->pes.list[i].pe) {
                    double seconds = (double)s->pes.list[i].sums[k] / ticks;
                    run->pes[p].seconds += seconds;
                    if (phase != WS_PHASE_COUNT) {
                        run->pes[p].phases[phase] += seconds;
                    }
                    break;
                }
            }
        }
    }
}

static bool pes_take(struct report_run *run)
{
    const struct ws_samples *s = report_totals(run);
    const struct report_file *rt = report_file_of(run, FMT_STREAM_RT);
    if (s == NULL || s->pes.n == 0) {
        return true;
    }
    int32_t executed = ws_stats_count_find(&s->counts, "events_processed");
    int32_t committed = ws_stats_count_find(&s->counts, "events_committed");
    run->pes = calloc(s->pes.n, sizeof *run->pes);
    if (run->pes == NULL) {
        return false;
    }
    for (uint32_t i = 0; i < s->pes.n; i++) {
        const struct ws_stats_pe *pe = &s->pes.list[i];
        run->pes[i].pe = pe->pe;
        run->pes[i].executed = executed < 0 ? (double)NAN : (double)pe->sums[executed];
        run->pes[i].committed = committed < 0 ? (double)NAN : (double)pe->sums[committed];
    }
    if (rt != NULL && rt->samples != NULL && rt->samples->primary != NULL) {
        phases_take(run, rt->samples, s->pes.n);
    }
    run->evidence.pes = run->pes;
    run->evidence.n_pes = s->pes.n;
    return true;
}

/* ---- KPs, LPs, communication ----------------------------------------------------------------- */

/* If the list is exact and ordered by rollbacks, copies its first KP, which has the most rollbacks,
 * to *e. order: name of the field with the number of rollbacks. Returns true if a KP was copied. */
static bool kp_take(struct ws_evidence *e, const struct ws_stats_list *list, const char *order)
{
    if (!list->used || list->top.n_winners == 0 || strcmp(list->names[0], order) != 0 ||
        list->top.error_most > 0) {
        return false;
    }
    e->kp_pe = (uint32_t)list->top.winners[0].group;
    e->kp = list->top.winners[0].key;
    e->kp_rollbacks = (double)list->top.winners[0].values[0];
    e->kps = list->top.keys;
    return true;
}

static void kps_take(struct report_run *run)
{
    static const uint32_t streams[] = {FMT_STREAM_GVT, FMT_STREAM_RT};
    struct ws_evidence *e = &run->evidence;
    bool taken = false;
    for (size_t i = 0; i < 2 && !taken; i++) {
        const struct report_file *file = report_file_of(run, streams[i]);
        taken = file != NULL && file->samples != NULL &&
                kp_take(e, &file->samples->kps, "total_rollbacks");
    }
    const struct report_file *trace = report_file_of(run, FMT_STREAM_EVTRACE);
    if (!taken && trace != NULL && trace->events != NULL && run->events.has_rollbacks) {
        taken = kp_take(e, &trace->events->kps, "rollbacks");
        /* A trace may contain only some LPs. The number of rollbacks of the KP is scaled so that
         * its share of all rollbacks is the same as in the trace. */
        double all = (double)trace->events->sums[WS_EVENTS_ROLLBACKS];
        e->kp_rollbacks *= taken && all > 0.0 ? e->rollbacks / all : 1.0;
    }
}

static void pairs_take(struct report_run *run)
{
    struct ws_evidence *e = &run->evidence;
    const struct report_places *p = &run->places;
    if (run->events.hits == NULL || p->pes_per_row > 1) {
        return;
    }
    e->pair_all = e->pair_most = 0.0;
    for (uint32_t from = 0; from < p->pe_rows; from++) {
        for (uint32_t to = 0; to < p->pe_rows; to++) {
            double n = 0.0;
            for (uint32_t i = 0; i < REPORT_CELLS * p->kp_rows; i++) {
                n += run->events.hits[i / p->kp_rows][from][to * p->kp_rows + i % p->kp_rows].count;
            }
            e->pairs += n > 0.0;
            e->pair_all += n;
            if (n > e->pair_most) {
                e->pair_most = n;
                e->pair_from = from;
                e->pair_to = to;
            }
        }
    }
}

static void lps_take(struct report_run *run)
{
    struct ws_evidence *e = &run->evidence;
    const struct report_file *trace = report_file_of(run, FMT_STREAM_EVTRACE);
    const struct report_file *gvt = report_file_of(run, FMT_STREAM_GVT);
    const struct ws_stats_list *list = NULL;
    const char *order = "events";
    if (trace != NULL && trace->events != NULL && run->events.has_events) {
        list = &trace->events->lps;
        e->lps_events = (double)trace->events->sums[WS_EVENTS];
        e->offset_mean = ws_histogram_mean(&trace->events->delay);
        e->offset_least = trace->events->delay.min;
    } else if (gvt != NULL && gvt->samples != NULL) {
        list = &gvt->samples->lps;
        order = "events_processed";
        e->lps_events = e->executed;
    }
    /* Only a list that is ordered by events contains the LP with the most events. */
    if (list != NULL && list->used && list->top.n_winners > 0 && list->top.error_most == 0 &&
        strcmp(list->names[0], order) == 0) {
        e->lp_events = (double)list->top.winners[0].values[0];
        e->lp = list->top.winners[0].key;
    }
}

static void types_take(struct report_run *run)
{
    struct ws_evidence *e = &run->evidence;
    const struct report_events *events = &run->events;
    e->types = events->n_types;
    if (!events->has_events) {
        return;
    }
    e->types_all = e->types_most = 0.0;
    for (uint32_t from = 0; from < events->n_types; from++) {
        for (uint32_t to = 0; to < events->n_types; to++) {
            double n = (double)events->remote_types[from][to];
            e->types_all += n;
            if (n > e->types_most) {
                e->types_most = n;
                e->type_from = events->type_names[from];
                e->type_to = events->type_names[to];
            }
        }
    }
}

/* ---- Over time ------------------------------------------------------------------------------- */

/* Finds the tenth of the run, by wall-clock time, with the lowest efficiency. Ignores tenths with
 * few events. */
static void low_take(struct report_run *run)
{
    struct ws_evidence *e = &run->evidence;
    const double *executed = run->curves.counts[REPORT_WALL][REPORT_EXECUTED];
    const double *undone = run->curves.counts[REPORT_WALL][REPORT_UNDONE];
    const struct ws_stats_axis *axis = &run->axes[REPORT_WALL];
    double step = (axis->high - axis->low) / axis->n;
    for (uint32_t i = 0; run->curves.known[REPORT_EXECUTED] && i + TENTH <= REPORT_BINS; i++) {
        double a = 0.0, b = 0.0;
        for (uint32_t k = i; k < i + TENTH; k++) {
            a += executed[k];
            b += undone[k];
        }
        double efficiency = fmax(0.0, ws_efficiency(a, b));
        if (a >= 0.03 * e->executed && !(e->low_efficiency <= efficiency)) {
            e->low_efficiency = efficiency;
            e->low_from = axis->low + i * step;
            e->low_to = axis->low + (i + TENTH) * step;
        }
    }
}

static double level_mean(const struct report_level *level, uint32_t first, uint32_t n)
{
    double sum = 0.0, weight = 0.0;
    assert(first + n <= REPORT_BINS);
    for (uint32_t i = first; i < first + n; i++) {
        sum += level->sum[i];
        weight += level->weight[i];
    }
    return weight > 0.0 ? sum / weight : (double)NAN;
}

static void losses_take(struct report_run *run)
{
    struct ws_evidence *e = &run->evidence;
    e->records_lost = 0.0;
    for (size_t i = 0; i < run->n; i++) {
        const struct ws_file *stream = &run->list[i].stream;
        if (stream->pes == NULL) {
            continue;
        }
        uint32_t open = stream->sb->layout.n_pes - stream->pes_ended;
        e->records_lost += (double)stream->dropped + (double)stream->missing;
        e->blocks_damaged += stream->n_faults - run->list[i].first_faults;
        e->loss_unknown |= stream->pes_unknown_loss > 0;
        e->pes_open = open > e->pes_open ? open : e->pes_open;
    }
}

bool report_evidence_gather(struct report_run *run)
{
    struct ws_evidence *e = &run->evidence;
    const struct report_level *queue = &run->curves.levels[REPORT_WALL][REPORT_QUEUE];
    facts_take(run);
    totals_take(run);
    if (!pes_take(run)) {
        return false;
    }
    kps_take(run);
    pairs_take(run);
    lps_take(run);
    types_take(run);
    low_take(run);
    if (run->curves.level_known[REPORT_QUEUE]) {
        e->queue_first = level_mean(queue, 0, FIFTH);
        e->queue_middle = level_mean(queue, 2 * FIFTH, FIFTH);
        e->queue_last = level_mean(queue, 4 * FIFTH, FIFTH);
    }
    losses_take(run);
    run->n_findings = ws_findings_find(e, run->findings, WS_FINDINGS_MAX);
    return true;
}
