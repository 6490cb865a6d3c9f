/* SPDX-License-Identifier: BSD-3-Clause */
/* evidence.c - see evidence.h. */
#include "figures/evidence.h"

#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "data/number.h"
#include "figures/over_time.h"

#define FIFTH (WS_BINS / 5u)
#define TENTH (WS_BINS / 10u)
/* By default, the engine times phases in one of so many turns; more often if samples read the times
 * (core/engine/pe/phases.h). */
#define STRIDE         512.0
#define STRIDE_READ    64.0
#define HANDLERS_LEAST 1000.0 /* number of timed handlers from which their mean is known */

void ws_evidence_init(struct ws_evidence *e)
{
    const double unknown = (double)NAN;
    *e = (struct ws_evidence){.n_pes = 0};
    double *const all[] = {
        &e->lookahead,    &e->batch,        &e->gvt_interval, &e->max_optimism,   &e->alone_seconds,
        &e->lost_part,    &e->lost_most,    &e->state_saves,  &e->run_seconds,    &e->span,
        &e->planned,      &e->kp_rollbacks, &e->kp_all,       &e->pair_all,       &e->pair_most,
        &e->lp_events,    &e->lps_events,   &e->types_all,    &e->types_most,     &e->offset_mean,
        &e->offset_least, &e->low_from,     &e->low_to,       &e->low_efficiency, &e->queue_first,
        &e->queue_middle, &e->queue_last,   &e->records_lost, &e->records_damaged};
    for (size_t i = 0; i < sizeof all / sizeof all[0]; i++) {
        *all[i] = unknown;
    }
    for (int i = 0; i < WS_COUNTS; i++) {
        e->sum.each[i] = unknown;
    }
}

void ws_evidence_free(struct ws_evidence *e)
{
    free(e->pes);
    e->pes = NULL;
    e->n_pes = 0;
}

struct ws_evidence_pe *ws_evidence_pe(struct ws_evidence *e, uint32_t pe)
{
    for (size_t i = pe < e->n_pes ? pe : 0, n = 0; n < e->n_pes; n++, i = (i + 1) % e->n_pes) {
        if (e->pes[i].pe == pe) {
            return &e->pes[i];
        }
    }
    struct ws_evidence_pe *more = realloc(e->pes, (e->n_pes + 1) * sizeof *more);
    if (more == NULL) {
        return NULL;
    }
    e->pes = more;
    more = &more[e->n_pes++];
    *more = (struct ws_evidence_pe){.pe = pe, .lost = (double)NAN};
    for (int i = 0; i < WS_COUNTS; i++) {
        more->sum.each[i] = (double)NAN;
    }
    return more;
}

/* ---- Facts ----------------------------------------------------------------------------------- */

/* Returns the value of the option `name` in `given`, the options of the command line; NaN if it is not
 * there. */
static double given_number(const char *given, const char *name)
{
    char text[64];
    double value;
    size_t length = strlen(name);
    for (const char *at = given; at != NULL && (at = strstr(at, name)) != NULL; at += length) {
        if ((at == given || at[-1] == ' ') && at[length] == '=') {
            at += length + 1;
            snprintf(text, sizeof text, "%.*s", (int)strcspn(at, " "), at);
            return ws_parse_f64(text, &value) ? value : (double)NAN;
        }
    }
    return (double)NAN;
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
    e->lookahead = ws_fact_number(sb, "lookahead", given_number(given, "--cons-lookahead"));
    e->planned =
        ws_fact_number(sb, "end_time", (double)NAN) - ws_fact_number(sb, "restarted_at", 0.0);
    e->phases_exact = phases != NULL && strcmp(phases, "exact") == 0;
    e->stride = e->phases_exact ? 1.0
                : ws_fact_u64(sb, "option_enable_gvt_stats") > 0 ||
                        ws_fact_u64(sb, "option_real_time_samp") > 0
                    ? STRIDE_READ
                    : STRIDE;
    e->random_rollbacks = given_number(given, "--random-rollbacks") > 0.0;
    e->handlers_timed |= ws_fact_u64(sb, "option_event_times") == 1 &&
                         (ws_fact_u64(sb, "option_event_trace") & 1) == 1;
    e->batch = ws_fact_number(sb, "batch", (double)NAN);
    e->gvt_interval = ws_fact_number(sb, "gvt_interval", (double)NAN);
    e->is_batch_given = given_number(given, "--batch") >= 0.0;
    e->is_gvt_given = given_number(given, "--gvt-interval") >= 0.0;
    e->max_optimism = given_number(given, "--max-opt-lookahead");
}

/* ---- Ends of PEs ----------------------------------------------------------------------------- */

/* The final counters that evidence takes, before those of phases; the first are counts of a PE. */
enum {
    SAVES = 9,
    KEPT,
    SHARED,
    HANDLERS,
    HANDLERS_NS,
    END_PHASES,
    ENDS = END_PHASES + WS_PHASE_FIELDS
};
static const struct {
    const char *name;
    enum ws_count count;
} ends[END_PHASES] = {{"events_processed", WS_PROCESSED},
                      {"events_committed", WS_COMMITTED},
                      {"events_rolled_back", WS_UNDONE},
                      {"remote_events", WS_REMOTE},
                      {"primary_rollbacks", WS_ROLLBACKS},
                      {"secondary_rollbacks", WS_SECONDARY},
                      {"gvt_rounds", WS_GVTS},
                      {"processor_wall_ns", WS_COVERED},
                      {"processor_lost_ns", WS_LOST},
                      [SAVES] = {"state_saves", WS_COUNTS},
                      [KEPT] = {"lookahead_kept", WS_COUNTS},
                      [SHARED] = {"processor_shared_ns", WS_COUNTS},
                      [HANDLERS] = {"handlers_timed", WS_COUNTS},
                      [HANDLERS_NS] = {"handlers_ns", WS_COUNTS}};

/* Takes the final counters of a PE, and adds those that are no counts of a PE to all[]. */
static void end_take(struct ws_evidence *e, struct ws_evidence_pe *pe, const uint64_t of[ENDS],
                     double all[ENDS])
{
    for (int i = 0; i < ENDS; i++) {
        double value = (double)of[i];
        if (i < SAVES) {
            pe->sum.each[ends[i].count] = value;
        } else if (i >= END_PHASES) {
            pe->phases[ws_phase_fields[i - END_PHASES].phase] += 1e-9 * value;
            pe->seconds += 1e-9 * value;
        }
        all[i] += value;
    }
    pe->sum.rollbacks += pe->sum.secondary;
    for (int k = 0; k < WS_COUNTS; k++) {
        e->sum.each[k] =
            k == WS_GVTS ? fmax(e->sum.gvts, pe->sum.gvts) : e->sum.each[k] + pe->sum.each[k];
    }
    if (pe->sum.covered > 0.0) {
        pe->lost = fmin(1.0, pe->sum.lost / pe->sum.covered);
        e->lost_pe = pe->lost > e->lost_most ? pe->pe : e->lost_pe;
        e->lost_most = fmax(e->lost_most, pe->lost);
    }
    e->alone_seconds += (pe->phases[WS_PHASE_EXECUTE] + pe->phases[WS_PHASE_QUEUE]) *
                        pe->sum.committed / fmax(1.0, pe->sum.processed);
    e->has_times |= pe->seconds > 0.0;
}

void ws_evidence_ends(struct ws_evidence *e, ws_end_f *end, void *of, double real_time)
{
    const char *names[ENDS];
    double all[ENDS] = {0.0};
    uint64_t(*values)[ENDS] = e->has_ends ? NULL : calloc(e->ranks, sizeof *values);
    bool good = values != NULL;
    for (int i = 0; i < ENDS; i++) {
        names[i] = i < END_PHASES ? ends[i].name : ws_phase_fields[i - END_PHASES].end;
    }
    for (uint32_t pe = 0; good && pe < e->ranks; pe++) {
        good = end(of, pe, names, values[pe], ENDS);
    }
    if (good) {
        ws_evidence_free(e);
        e->sum = (struct ws_reals){.committed = 0.0};
        e->lost_most = e->alone_seconds = 0.0;
    }
    for (uint32_t pe = 0; good && pe < e->ranks; pe++) {
        struct ws_evidence_pe *to = ws_evidence_pe(e, pe);
        good = to != NULL;
        if (good) {
            end_take(e, to, values[pe], all);
        }
    }
    if (good) {
        bool has = e->sum.covered > 0.0; /* earlier versions have no times */
        e->has_ends = true;
        e->run_seconds = real_time > 0.0 ? real_time : e->run_seconds;
        e->state_saves = all[SAVES];
        e->lookahead_kept = all[KEPT];
        e->handler_seconds =
            all[HANDLERS] >= HANDLERS_LEAST ? 1e-9 * all[HANDLERS_NS] / all[HANDLERS] : 0.0;
        e->lost_part = has ? fmin(1.0, e->sum.lost / e->sum.covered) : (double)NAN;
        e->lost_most = has ? e->lost_most : (double)NAN;
        e->shared_part = has ? fmin(1.0, all[SHARED] / e->sum.covered) : 0.0;
        e->alone_seconds = has && e->alone_seconds > 0.0 ? e->alone_seconds : (double)NAN;
    }
    free(values);
}

static bool stream_end(void *of, uint32_t pe, const char *const names[], uint64_t values[],
                       size_t n)
{
    return ws_file_counters(of, pe, names, values, n);
}

/* ---- Samples --------------------------------------------------------------------------------- */

/* Sets a figure that is unknown, or that no counter at the end of a PE states. */
static void fill(double *to, double value)
{
    *to = *to > 0.0 ? *to : value;
}

/* Adds the times of phases in samples to those of the PEs. */
static void phases_take(struct ws_evidence *e, const struct ws_counted *s)
{
    double ticks = ws_stats_ticks_per_second(s->file->sb);
    for (uint32_t k = 0; k < s->counts.n && ticks > 0.0; k++) {
        enum ws_phase phase = ws_phase_of(s->counts.names[k]);
        for (uint32_t i = 0; i < s->pes.n && s->counts.ticks[k]; i++) {
            struct ws_evidence_pe *pe = ws_evidence_pe(e, s->pes.list[i].pe);
            double seconds = (double)s->pes.list[i].sums[k] / ticks;
            if (pe != NULL) {
                pe->seconds += seconds;
            }
            if (pe != NULL && phase != WS_PHASE_COUNT) {
                pe->phases[phase] += seconds;
            }
        }
    }
}

/* Returns the first entry of a list, if it is exact, and ordered by this field; NULL: there is none. */
static const struct ws_top_k_entry *first_of(const struct ws_stats_list *list, const char *order)
{
    bool has = list->used && list->top.n_winners > 0 && list->top.error_most == 0 &&
               strcmp(list->names[0], order) == 0;
    return has ? &list->top.winners[0] : NULL;
}

/* Takes the KP with the most of `all` rollbacks. order: name of the field with the number of rollbacks. */
static void kp_take(struct ws_evidence *e, const struct ws_stats_list *list, const char *order,
                    double all)
{
    const struct ws_top_k_entry *kp = first_of(list, order);
    if (!(e->kp_rollbacks > 0.0) && kp != NULL) {
        e->kp_pe = (uint32_t)kp->group;
        e->kp = kp->key;
        e->kp_rollbacks = (double)kp->values[0];
        e->kp_all = all;
        e->kps = list->top.keys;
    }
}

/* Takes the LP with the most of `all` events. */
static void lp_take(struct ws_evidence *e, const struct ws_stats_list *list, const char *order,
                    double all)
{
    const struct ws_top_k_entry *lp = first_of(list, order);
    e->lps_events = all;
    e->lp_events = lp == NULL ? (double)NAN : (double)lp->values[0];
    e->lp = lp == NULL ? e->lp : lp->key;
}

static bool samples_take(struct ws_evidence *e, const struct ws_counted *s)
{
    for (int k = 0; k < WS_COUNTS; k++) {
        const char *field = ws_count_names[k].field;
        int32_t at = field == NULL ? -1 : ws_stats_count_find(&s->counts, field);
        for (uint32_t i = 0; at >= 0 && i < s->pes.n; i++) {
            struct ws_evidence_pe *pe = ws_evidence_pe(e, s->pes.list[i].pe);
            if (pe == NULL) {
                return false;
            }
            fill(&pe->sum.each[k], (double)s->pes.list[i].sums[at]);
        }
        fill(&e->sum.each[k], field == NULL ? (double)NAN : ws_figures_total(s, field));
    }
    if (s->file->sb->stream == FMT_STREAM_RT && !e->has_times) {
        phases_take(e, s);
    }
    if (s->file->sb->stream != FMT_STREAM_VT) {
        kp_take(e, &s->kps, "total_rollbacks", ws_figures_total(s, "total_rollbacks"));
    }
    if (s->file->sb->stream == FMT_STREAM_GVT && !(e->lps_events > 0.0)) {
        e->names = &s->file->descs;
        lp_take(e, &s->lps, "events_processed", ws_figures_total(s, "events_processed"));
    }
    return true;
}

static void trace_take(struct ws_evidence *e, const struct ws_counted *events)
{
    double rollbacks = (double)events->all.sums[WS_EVENTS_ROLLBACKS];
    if (rollbacks > 0.0) {
        fill(&e->sum.rollbacks, rollbacks);
        fill(&e->sum.secondary, (double)events->all.sums[WS_EVENTS_SECONDARY]);
        kp_take(e, &events->kps, "rollbacks", rollbacks);
    }
    if (events->all.sums[WS_EVENTS] > 0) {
        e->names = &events->file->descs;
        lp_take(e, &events->lps, "events", (double)events->all.sums[WS_EVENTS]);
        e->offset_mean = ws_histogram_mean(&events->dists[WS_DIST_DELAY]);
        e->offset_least = events->dists[WS_DIST_DELAY].min;
    }
}

bool ws_evidence_stream(struct ws_evidence *e, struct ws_file *file,
                        const struct ws_stats_sums *sums, const struct ws_select *select)
{
    if (file->pes == NULL) {
        return true;
    }
    if (e->ranks == 0) {
        e->records_lost = e->records_damaged = 0.0;
    }
    ws_evidence_facts(e, file->sb);
    if (!ws_select_given(select)) {
        ws_evidence_ends(e, stream_end, file, file->end_real_time);
    } else if (select->pes.n > 0 || select->kps.n > 0 || select->lps.n > 0 || select->types.n > 0) {
        e->lps = 0; /* figures of selected LPs must not be compared with the number of all LPs */
        e->is_chosen = true;
    }
    uint32_t here = file->sb->layout.n_pes - file->pes_absent;
    uint32_t open = here > file->pes_ended ? here - file->pes_ended : 0;
    e->records_lost += (double)file->dropped;
    e->records_damaged += (double)file->missing;
    e->blocks_damaged += file->n_faults - file->first_faults;
    e->loss_unknown |= file->pes_unknown_loss > 0;
    e->pes_open = open > e->pes_open ? open : e->pes_open;
    e->pes_absent = file->pes_absent > e->pes_absent ? file->pes_absent : e->pes_absent;
    e->is_running |= file->is_running;
    if (sums->counted != NULL && sums->counted->is_trace) {
        trace_take(e, sums->counted);
    }
    return sums->counted == NULL || sums->counted->primary == NULL ||
           samples_take(e, sums->counted);
}

/* ---- Communication --------------------------------------------------------------------------- */

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

static void types_take(struct ws_figures *run)
{
    struct ws_evidence *e = &run->evidence;
    const struct ws_lps *lps = &run->lps;
    e->types = lps->types.n;
    if (run->traffic.pes == NULL) {
        return;
    }
    e->types_all = e->types_most = 0.0;
    for (uint32_t from = 0; from < lps->types.n; from++) {
        for (uint32_t to = 0; to < lps->types.n; to++) {
            double n = (double)run->traffic.remote_types[from][to];
            e->types_all += n;
            if (n > e->types_most) {
                e->types_most = n;
                e->type_from = lps->types.names[from];
                e->type_to = lps->types.names[to];
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

bool ws_figures_evidence(struct ws_figures *run)
{
    struct ws_evidence *e = &run->evidence;
    const struct ws_level *queue = &run->curves.levels[WS_WALL][WS_LEVEL_QUEUE];
    ws_evidence_init(e);
    for (size_t i = 0; i < run->n; i++) {
        struct ws_figures_file *file = &run->list[i];
        if (!ws_evidence_stream(e, &file->stream, &file->sums, run->select)) {
            return false;
        }
    }
    if (!(e->run_seconds > 0.0)) {
        e->run_seconds = run->axes[WS_WALL].high - run->axes[WS_WALL].low;
    }
    e->span = run->axes[WS_VIRTUAL].high - run->axes[WS_VIRTUAL].low;
    pairs_take(run);
    types_take(run);
    low_take(run);
    if (run->curves.level_known[WS_LEVEL_QUEUE]) {
        e->queue_first = level_mean(queue, 0, FIFTH);
        e->queue_middle = level_mean(queue, 2 * FIFTH, FIFTH);
        e->queue_last = level_mean(queue, 4 * FIFTH, FIFTH);
    }
    return true;
}
