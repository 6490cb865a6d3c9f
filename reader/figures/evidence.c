/* SPDX-License-Identifier: BSD-3-Clause */
/* evidence.c - see evidence.h. */
#include "figures/evidence.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "figures/over_time.h"

#define FIFTH (WS_BINS / 5u)
#define TENTH (WS_BINS / 10u)

void ws_evidence_init(struct ws_evidence *e)
{
    const double unknown = (double)NAN;
    *e = (struct ws_evidence){
        .lookahead = unknown,
        .alone_seconds = unknown,
        .lost_part = unknown,
        .lost_most = unknown,
        .run_seconds = unknown,
        .kp_rollbacks = unknown,
        .pair_all = unknown,
        .pair_most = unknown,
        .lp_events = unknown,
        .lps_events = unknown,
        .types_all = unknown,
        .types_most = unknown,
        .offset_mean = unknown,
        .offset_least = unknown,
        .low_from = unknown,
        .low_to = unknown,
        .low_efficiency = unknown,
        .queue_first = unknown,
        .queue_middle = unknown,
        .queue_last = unknown,
        .records_lost = unknown,
        .records_damaged = unknown,
    };
    for (int i = 0; i < WS_COUNTS; i++) {
        e->sum.each[i] = unknown;
    }
}

void ws_evidence_facts(struct ws_evidence *e, const struct fmt_superblock *sb)
{
    const char *hosts = ws_fact(sb, "hosts"), *phases = ws_fact(sb, "phase_times");
    const char *given = ws_fact(sb, "given_options");
    e->scheduler = ws_scheduler_of(sb);
    e->ranks = sb->layout.n_pes;
    if (hosts != NULL && strchr(hosts, ',') == NULL) {
        uint64_t processors = ws_fact_u64(sb, "processors");
        e->processors = processors <= UINT32_MAX ? (uint32_t)processors : 0;
    }
    e->kps_per_pe = ws_fact_u64(sb, "kps_per_pe");
    e->lps = ws_fact_u64(sb, "total_lps");
    e->lookahead = ws_fact_number(sb, "lookahead", (double)NAN);
    e->phases_exact = phases != NULL && strcmp(phases, "exact") == 0;
    e->random_rollbacks = given != NULL && strstr(given, "--random-rollbacks=") != NULL &&
                          strstr(given, "--random-rollbacks=0") == NULL;
}

static void facts_take(struct ws_figures *run)
{
    struct ws_evidence *e = &run->evidence;
    const struct ws_select *s = run->select;
    ws_evidence_facts(e, run->first->stream.sb);
    e->run_seconds = run->axes[WS_WALL].high - run->axes[WS_WALL].low;
    if (s->pes.n > 0 || s->kps.n > 0 || s->lps.n > 0 || s->types != NULL) {
        e->lps = 0; /* figures of selected LPs must not be compared with the number of all LPs */
    }
}

/* ---- Totals and PEs -------------------------------------------------------------------------- */

static void totals_take(struct ws_figures *run)
{
    struct ws_evidence *e = &run->evidence;
    const struct ws_samples *s = ws_figures_totals(run);
    for (int i = 0; i < WS_COUNTS; i++) {
        const char *field = ws_count_names[i].field;
        e->sum.each[i] = field == NULL ? (double)NAN : ws_figures_total(s, field);
    }
    const struct ws_figures_file *trace = ws_figures_file_of(run, FMT_STREAM_EVTRACE);
    if (trace != NULL && trace->sums.events->sums[WS_EVENTS_ROLLBACKS] > 0 &&
        e->sum.rollbacks != e->sum.rollbacks) {
        e->sum.rollbacks = (double)trace->sums.events->sums[WS_EVENTS_ROLLBACKS];
        e->sum.secondary = (double)trace->sums.events->sums[WS_EVENTS_SECONDARY];
    }
}

/* Adds the times of phases in the samples s of one stream to the n PEs in run->pes. */
static void phases_take(struct ws_figures *run, const struct ws_samples *s, size_t n)
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

static bool pes_take(struct ws_figures *run)
{
    const struct ws_samples *s = ws_figures_totals(run);
    const struct ws_figures_file *rt = ws_figures_file_of(run, FMT_STREAM_RT);
    if (s == NULL || s->pes.n == 0) {
        return true;
    }
    run->pes = calloc(s->pes.n, sizeof *run->pes);
    if (run->pes == NULL) {
        return false;
    }
    for (int k = 0; k < WS_COUNTS; k++) {
        const char *field = ws_count_names[k].field;
        int32_t at = field == NULL ? -1 : ws_stats_count_find(&s->counts, field);
        for (uint32_t i = 0; i < s->pes.n; i++) {
            run->pes[i].pe = s->pes.list[i].pe;
            run->pes[i].sum.each[k] = at < 0 ? (double)NAN : (double)s->pes.list[i].sums[at];
        }
    }
    if (rt != NULL && rt->sums.samples != NULL && rt->sums.samples->primary != NULL) {
        phases_take(run, rt->sums.samples, s->pes.n);
    }
    run->evidence.pes = run->pes;
    run->evidence.n_pes = s->pes.n;
    return true;
}

/* Takes the processor times and phases from the END blocks of the first stream in which all PEs have
 * them. Recordings of earlier versions have none. */
static void ends_take(struct ws_figures *run)
{
    enum { EXECUTED, COMMITTED, WALL, LOST, EXECUTING, QUEUE, ENDS };
    static const char *const names[ENDS] = {"events_processed",          "events_committed",
                                            "processor_wall_ns",         "processor_lost_ns",
                                            "phase_event_processing_ns", "phase_priority_queue_ns"};
    struct ws_evidence *e = &run->evidence;
    uint32_t pes = 0;
    for (size_t i = 0; i < run->n && (pes == 0 || pes < e->ranks); i++) {
        struct ws_file *file = &run->list[i].stream;
        double alone = 0.0, lost = 0.0, wall = 0.0;
        e->lost_most = 0.0;
        for (pes = 0; file->pes != NULL && pes < e->ranks; pes++) {
            uint64_t of[ENDS] = {0};
            if (!ws_file_counters(file, pes, names, of, ENDS) || of[WALL] == 0) {
                break;
            }
            double part = fmin(1.0, (double)of[LOST] / (double)of[WALL]);
            alone += (double)(of[EXECUTING] + of[QUEUE]) * (double)of[COMMITTED] /
                     fmax(1.0, (double)of[EXECUTED]);
            lost += part * (double)of[WALL];
            wall += (double)of[WALL];
            e->lost_pe = part > e->lost_most ? pes : e->lost_pe;
            e->lost_most = fmax(e->lost_most, part);
        }
        e->alone_seconds = alone > 0.0 ? 1e-9 * alone : (double)NAN;
        e->lost_part = lost / wall;
    }
    if (pes == 0 || pes < e->ranks) {
        e->alone_seconds = e->lost_part = e->lost_most = (double)NAN;
    }
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

static void kps_take(struct ws_figures *run)
{
    static const uint32_t streams[] = {FMT_STREAM_GVT, FMT_STREAM_RT};
    struct ws_evidence *e = &run->evidence;
    bool taken = false;
    for (size_t i = 0; i < 2 && !taken; i++) {
        const struct ws_figures_file *file = ws_figures_file_of(run, streams[i]);
        taken = file != NULL && file->sums.samples != NULL &&
                kp_take(e, &file->sums.samples->kps, "total_rollbacks");
    }
    const struct ws_figures_file *trace = ws_figures_file_of(run, FMT_STREAM_EVTRACE);
    if (!taken && trace != NULL && trace->sums.events->sums[WS_EVENTS_ROLLBACKS] > 0) {
        taken = kp_take(e, &trace->sums.events->kps, "rollbacks");
        /* A trace may contain only some LPs. The number of rollbacks of the KP is scaled so that
         * its share of all rollbacks is the same as in the trace. */
        double all = (double)trace->sums.events->sums[WS_EVENTS_ROLLBACKS];
        e->kp_rollbacks *= taken && all > 0.0 ? e->sum.rollbacks / all : 1.0;
    }
}

static void pairs_take(struct ws_figures *run)
{
    struct ws_evidence *e = &run->evidence;
    const struct ws_places *p = &run->places;
    if (run->traffic.hits == NULL || p->pes_per_row > 1) {
        return;
    }
    e->pair_all = e->pair_most = 0.0;
    for (uint32_t from = 0; from < p->pe_rows; from++) {
        for (uint32_t to = 0; to < p->pe_rows; to++) {
            double n = 0.0;
            for (uint32_t i = 0; i < WS_CELLS * p->kp_rows; i++) {
                n +=
                    run->traffic.hits[i / p->kp_rows][from][to * p->kp_rows + i % p->kp_rows].count;
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

static void lps_take(struct ws_figures *run)
{
    struct ws_evidence *e = &run->evidence;
    const struct ws_figures_file *trace = ws_figures_file_of(run, FMT_STREAM_EVTRACE);
    const struct ws_figures_file *gvt = ws_figures_file_of(run, FMT_STREAM_GVT);
    const struct ws_stats_list *list = NULL;
    const char *order = "events";
    if (trace != NULL && trace->sums.events->sums[WS_EVENTS] > 0) {
        list = &trace->sums.events->lps;
        e->lps_events = (double)trace->sums.events->sums[WS_EVENTS];
        e->offset_mean = ws_histogram_mean(&trace->sums.events->delay);
        e->offset_least = trace->sums.events->delay.min;
    } else if (gvt != NULL && gvt->sums.samples != NULL) {
        list = &gvt->sums.samples->lps;
        order = "events_processed";
        e->lps_events = e->sum.processed;
    }
    /* Only a list that is ordered by events contains the LP with the most events. */
    if (list != NULL && list->used && list->top.n_winners > 0 && list->top.error_most == 0 &&
        strcmp(list->names[0], order) == 0) {
        e->lp_events = (double)list->top.winners[0].values[0];
        e->lp = list->top.winners[0].key;
    }
}

static void types_take(struct ws_figures *run)
{
    struct ws_evidence *e = &run->evidence;
    const struct ws_lps *lps = &run->lps;
    e->types = lps->n_types;
    if (run->traffic.pes == NULL) {
        return;
    }
    e->types_all = e->types_most = 0.0;
    for (uint32_t from = 0; from < lps->n_types; from++) {
        for (uint32_t to = 0; to < lps->n_types; to++) {
            double n = (double)run->traffic.remote_types[from][to];
            e->types_all += n;
            if (n > e->types_most) {
                e->types_most = n;
                e->type_from = lps->type_names[from];
                e->type_to = lps->type_names[to];
            }
        }
    }
}

/* ---- Over time ------------------------------------------------------------------------------- */

/* Finds the tenth of the run, by wall-clock time, with the lowest efficiency. Ignores tenths with
 * few events. */
static void low_take(struct ws_figures *run)
{
    struct ws_evidence *e = &run->evidence;
    const double *executed = run->curves.counts[WS_WALL][WS_PROCESSED];
    const double *undone = run->curves.counts[WS_WALL][WS_UNDONE];
    const struct ws_stats_axis *axis = &run->axes[WS_WALL];
    double step = (axis->high - axis->low) / axis->n;
    for (uint32_t i = 0; run->curves.known[WS_PROCESSED] && i + TENTH <= WS_BINS; i++) {
        double a = 0.0, b = 0.0;
        for (uint32_t k = i; k < i + TENTH; k++) {
            a += executed[k];
            b += undone[k];
        }
        double efficiency = fmax(0.0, ws_efficiency(a, b));
        if (a >= 0.03 * e->sum.processed && !(e->low_efficiency <= efficiency)) {
            e->low_efficiency = efficiency;
            e->low_from = axis->low + i * step;
            e->low_to = axis->low + (i + TENTH) * step;
        }
    }
}

static double level_mean(const struct ws_level *level, uint32_t first, uint32_t n)
{
    double sum = 0.0, weight = 0.0;
    assert(first + n <= WS_BINS);
    for (uint32_t i = first; i < first + n; i++) {
        sum += level->sum[i];
        weight += level->weight[i];
    }
    return weight > 0.0 ? sum / weight : (double)NAN;
}

static void losses_take(struct ws_figures *run)
{
    struct ws_evidence *e = &run->evidence;
    e->records_lost = e->records_damaged = 0.0;
    for (size_t i = 0; i < run->n; i++) {
        const struct ws_file *stream = &run->list[i].stream;
        if (stream->pes == NULL) {
            continue;
        }
        uint32_t open = stream->sb->layout.n_pes - stream->pes_ended;
        e->records_lost += (double)stream->dropped;
        e->records_damaged += (double)stream->missing;
        e->blocks_damaged += stream->n_faults - run->list[i].first_faults;
        e->loss_unknown |= stream->pes_unknown_loss > 0;
        e->pes_open = open > e->pes_open ? open : e->pes_open;
    }
}

bool ws_figures_evidence(struct ws_figures *run)
{
    struct ws_evidence *e = &run->evidence;
    const struct ws_level *queue = &run->curves.levels[WS_WALL][WS_LEVEL_QUEUE];
    ws_evidence_init(e);
    facts_take(run);
    totals_take(run);
    if (!pes_take(run)) {
        return false;
    }
    ends_take(run);
    kps_take(run);
    pairs_take(run);
    lps_take(run);
    types_take(run);
    low_take(run);
    if (run->curves.level_known[WS_LEVEL_QUEUE]) {
        e->queue_first = level_mean(queue, 0, FIFTH);
        e->queue_middle = level_mean(queue, 2 * FIFTH, FIFTH);
        e->queue_last = level_mean(queue, 4 * FIFTH, FIFTH);
    }
    losses_take(run);
    return true;
}
