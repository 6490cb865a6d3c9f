/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * model.c - adds records to the sums that "warpscope top" keeps; see model.h.
 */
#include "top/model.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "access/select.h"
#include "store/array.h"

#define FADE      0.75       /* factor by which older counts are multiplied at a refresh */
#define KPS_MAX   (1u << 20) /* maximum number of KPs of a PE */
#define TYPES_MAX 4096u

static const char *const field_names[FIELD_PHASES - WS_COUNTS] = {
    [FIELD_REAL_TIME - WS_COUNTS] = "real_time",
    [FIELD_GVT - WS_COUNTS] = "gvt",
    [FIELD_KP - WS_COUNTS] = "kp",
    [FIELD_LP - WS_COUNTS] = "lp",
    [FIELD_QUEUE - WS_COUNTS] = "pq_size",
    [FIELD_AHEAD - WS_COUNTS] = "time_ahead_gvt",
    [FIELD_TYPE - WS_COUNTS] = "payload_type",
};

double top_clock(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

/* ---- Life ------------------------------------------------------------------------------------ */

bool top_model_init(struct top_model *m, uint32_t n_pes, bool has_holes)
{
    assert(n_pes > 0);
    *m = (struct top_model){.n_pes = n_pes, .n_here = n_pes, .has_holes = has_holes};
    m->pes = calloc(n_pes, sizeof *m->pes);
    double now = top_clock();
    m->news = m->gvt_news = now;
    for (uint32_t i = 0; m->pes != NULL && i < n_pes; i++) {
        m->pes[i].news = now;
    }
    return m->pes != NULL;
}

void top_model_free(struct top_model *m)
{
    for (uint32_t i = 0; m->pes != NULL && i < m->n_pes; i++) {
        free(m->pes[i].kps);
    }
    free(m->pes);
    free(m->types);
    free(m->lps);
    index_fini(&m->lp_index);
    *m = (struct top_model){0};
}

/* ---- Records --------------------------------------------------------------------------------- */

/* Returns the name of a field; NULL if samples do not have it. */
static const char *name_of(int field)
{
    return field < WS_COUNTS      ? ws_count_names[field].field
           : field < FIELD_PHASES ? field_names[field - WS_COUNTS]
                                  : ws_phase_fields[field - FIELD_PHASES].name;
}

static void field_take(struct top_feed *feed, int field, const struct fmt_schema *schema,
                       const char *name, struct fmt_wanted *wanted)
{
    feed->fields[field] = name == NULL ? -1 : ws_field_find(schema, name);
    if (feed->fields[field] >= 0 && wanted != NULL) {
        fmt_wanted_add(wanted, (uint32_t)feed->fields[field]);
    }
}

void top_feed_init(struct top_feed *feed, enum top_feed_kind kind, const struct fmt_schema *schema,
                   struct fmt_wanted *wanted)
{
    *feed = (struct top_feed){.kind = kind};
    *wanted = (struct fmt_wanted){.payload = false};
    for (int i = 0; i < FIELDS; i++) {
        bool idle = (kind == FEED_EVENT || kind == FEED_ROLLBACK) && i == FIELD_REAL_TIME;
        field_take(feed, i, schema, name_of(i), idle ? NULL : wanted);
    }
    if (kind == FEED_PE && feed->fields[FIELD_GVT] < 0) {
        field_take(feed, FIELD_GVT, schema, "vt", wanted); /* of samples at virtual times */
    }
    if (kind == FEED_ROLLBACK) {
        field_take(feed, WS_UNDONE, schema, "events_undone", wanted);
        field_take(feed, WS_SECONDARY, schema, "cause", wanted);
    }
}

static double number(const struct fmt_columns *c, const struct top_feed *feed, int field,
                     uint32_t row)
{
    assert(row < c->n_records && field < FIELDS);
    return ws_number_at(c, feed->fields[field], row);
}

static uint64_t count(const struct fmt_columns *c, const struct top_feed *feed, int field,
                      uint32_t row)
{
    assert(row < c->n_records && field < FIELDS);
    return ws_whole_at(c, feed->fields[field], row);
}

static struct ws_counts counts_read(const struct fmt_columns *c, const struct top_feed *feed,
                                    uint32_t row)
{
    struct ws_counts counts;
    for (int i = 0; i < WS_COUNTS; i++) {
        counts.each[i] = count(c, feed, i, row);
    }
    return counts;
}

/* Multiplies the counts in the sample *c by `share`. */
static void counts_share(struct ws_counts *c, double share)
{
    for (int i = 0; i < WS_COUNTS; i++) {
        c->each[i] = (uint64_t)(share * (double)c->each[i] + 0.5);
    }
}

static void counts_add(struct ws_counts *to, const struct ws_counts *more)
{
    for (int i = 0; i < WS_COUNTS; i++) {
        to->each[i] += more->each[i];
    }
}

/* Updates the wall-clock time and the GVT of a PE from a sample of the PE, or of a KP, since KPs may be the
 * only entities sampled. */
static void time_add(struct top_model *m, const struct top_feed *feed, uint32_t number_of_pe,
                     const struct fmt_columns *c, uint32_t row)
{
    struct top_pe *pe = &m->pes[number_of_pe];
    double real_time = number(c, feed, FIELD_REAL_TIME, row);
    double gvt = number(c, feed, FIELD_GVT, row);
    pe->real_time = real_time > pe->real_time ? real_time : pe->real_time;
    pe->gvt = gvt > pe->gvt && isfinite(gvt) ? gvt : pe->gvt;
}

static void pe_add(struct top_model *m, const struct top_feed *feed, uint32_t number_of_pe,
                   const struct fmt_columns *c, uint32_t row)
{
    struct top_pe *pe = &m->pes[number_of_pe];
    struct ws_counts counts = counts_read(c, feed, row);
    double real_time = number(c, feed, FIELD_REAL_TIME, row);
    double gvt = number(c, feed, FIELD_GVT, row), share = 1;
    double *before = &pe->sampled[feed->source];
    bool *is_sampled = &pe->is_sampled[feed->source];
    if (feed->chain != NULL && feed->chain->n > 1) {
        share = top_chain_share(feed->chain, feed->source, *is_sampled ? *before : NAN, real_time);
        counts_share(&counts, share);
    }
    counts_add(&pe->counts, &counts);
    counts_add(&m->sum, &counts);
    pe->processed += (double)counts.processed;
    pe->undone += (double)counts.undone;
    if (feed->fields[FIELD_QUEUE] >= 0) {
        pe->queue = count(c, feed, FIELD_QUEUE, row);
    }
    for (int i = FIELD_PHASES; m->has.phases && i < FIELDS; i++) {
        double ticks = share * number(c, feed, i, row);
        pe->phases[ws_phase_fields[i - FIELD_PHASES].phase] += ticks;
        pe->times[ws_phase_fields[i - FIELD_PHASES].phase] += ticks;
    }
    time_add(m, feed, number_of_pe, c, row);
    double gvts = number_of_pe == 0 ? share * number(c, feed, WS_GVTS, row) : 0;
    m->gvts += gvts;
    if (*is_sampled && real_time >= *before && share > 0) {
        struct top_step step = {.processed = (double)counts.processed,
                                .undone = (double)counts.undone,
                                .committed = (double)counts.committed,
                                .rollbacks = (double)counts.rollbacks,
                                .gvts = gvts};
        top_history_count(&m->history, real_time - share * (real_time - *before), real_time, &step);
    }
    *before = !*is_sampled || real_time > *before ? real_time : *before;
    *is_sampled = true;
    top_history_gvt(&m->history, real_time, gvt);
}

static struct top_kp *kp_get(struct top_model *m, uint32_t pe_number, uint64_t kp)
{
    assert(pe_number < m->n_pes);
    struct top_pe *pe = &m->pes[pe_number];
    if (kp >= KPS_MAX) {
        return NULL;
    }
    if (!array_reserve_zero(&pe->kps, &pe->room_kps, (size_t)kp + 1, sizeof *pe->kps)) {
        m->no_memory = true;
        return NULL;
    }
    pe->n_kps = kp >= pe->n_kps ? (size_t)kp + 1 : pe->n_kps;
    pe->kps[kp].seen = true;
    return &pe->kps[kp];
}

static struct top_type *type_get(struct top_model *m, uint32_t id)
{
    for (size_t i = 0; i < m->n_types; i++) {
        if (m->types[i].id == id) {
            return &m->types[i];
        }
    }
    if (m->n_types >= TYPES_MAX ||
        !array_reserve_zero(&m->types, &m->room_types, m->n_types + 1, sizeof *m->types)) {
        m->no_memory |= m->n_types < TYPES_MAX;
        return NULL;
    }
    m->types[m->n_types].id = id;
    return &m->types[m->n_types++];
}

/* Returns true if a sample of a KP or LP is counted: the chain uses its source at the time of the
 * sample. */
static bool counts_now(const struct top_feed *feed, const struct fmt_columns *c, uint32_t row)
{
    return feed->chain == NULL || feed->chain->n < 2 ||
           top_chain_share(feed->chain, feed->source, NAN, number(c, feed, FIELD_REAL_TIME, row)) >
               0;
}

/* ---- LPs ------------------------------------------------------------------------------------- */

static void lp_add(struct top_model *m, const struct top_feed *feed, uint32_t pe,
                   const struct fmt_columns *c, uint32_t row)
{
    uint64_t id = count(c, feed, FIELD_LP, row);
    struct ws_counts counts = counts_read(c, feed, row);
    struct top_lp *lp = counts_now(feed, c, row) ? top_model_lp(m, id) : NULL;
    if (lp == NULL) {
        return;
    }
    lp->seen = true;
    lp->pe = pe;
    lp->kp = (uint32_t)count(c, feed, FIELD_KP, row);
    lp->processed += counts.processed;
    lp->undone += counts.undone;
    lp->remote += counts.remote;
    lp->recent_undone += (float)counts.undone;
    if (m->chosen.any && m->chosen.lp == id) {
        top_chosen_add(&m->chosen, number(c, feed, FIELD_REAL_TIME, row),
                       (double)counts.processed - (double)counts.undone);
    }
}

/* ---- KPs and types --------------------------------------------------------------------------- */

static void kp_add(struct top_model *m, const struct top_feed *feed, uint32_t pe,
                   const struct fmt_columns *c, uint32_t row)
{
    time_add(m, feed, pe, c, row);
    struct top_kp *kp =
        counts_now(feed, c, row) ? kp_get(m, pe, count(c, feed, FIELD_KP, row)) : NULL;
    if (kp == NULL) {
        return;
    }
    if (feed->kind == FEED_KP) {
        struct ws_counts counts = counts_read(c, feed, row);
        counts_add(&kp->counts, &counts);
        kp->recent_undone += (double)counts.undone;
    }
    kp->ahead = feed->fields[FIELD_AHEAD] >= 0 ? number(c, feed, FIELD_AHEAD, row) : kp->ahead;
}

static void rollback_add(struct top_model *m, const struct top_feed *feed, uint32_t pe,
                         const struct fmt_columns *c, uint32_t row)
{
    uint64_t undone = count(c, feed, WS_UNDONE, row);
    struct top_type *type = type_get(m, (uint32_t)count(c, feed, FIELD_TYPE, row));
    if (type != NULL) {
        type->rollbacks++;
        type->undone += undone;
        type->recent += (double)undone;
    }
    struct top_kp *kp = m->has.kps ? NULL : kp_get(m, pe, count(c, feed, FIELD_KP, row));
    if (kp != NULL) {
        kp->counts.rollbacks++;
        kp->counts.secondary += count(c, feed, WS_SECONDARY, row) == 2;
        kp->counts.undone += undone;
        kp->recent_undone += (double)undone;
    }
}

void top_model_add(struct top_model *m, const struct top_feed *feed,
                   const struct ws_live_rows *rows)
{
    const struct fmt_columns *c = rows->columns;
    assert(rows->pe < m->n_pes);
    for (uint32_t row = rows->first; row < c->n_records; row++) {
        struct top_type *type;
        switch (feed->kind) {
        case FEED_PE:
            pe_add(m, feed, rows->pe, c, row);
            break;
        case FEED_KP:
        case FEED_AHEAD:
            kp_add(m, feed, rows->pe, c, row);
            break;
        case FEED_LP:
            lp_add(m, feed, rows->pe, c, row);
            break;
        case FEED_ROLLBACK:
            rollback_add(m, feed, rows->pe, c, row);
            break;
        case FEED_EVENT:
            type = type_get(m, (uint32_t)count(c, feed, FIELD_TYPE, row));
            if (type != NULL) {
                type->events++;
                type->recent++;
            }
            break;
        case FEED_NOTHING:
            break;
        }
    }
    m->records += c->n_records - rows->first;
    m->pes[rows->pe].news = top_clock();
}

void top_model_note(struct top_model *m, uint32_t number_of_pe, const struct ws_live_pe *seen)
{
    assert(number_of_pe < m->n_pes);
    struct top_pe *pe = &m->pes[number_of_pe];
    double now = top_clock();
    if (seen->gvt > pe->gvt_known && isfinite(seen->gvt)) {
        pe->gvt_known = seen->gvt;
        pe->news = now;
    }
    pe->real_time = seen->real_time > pe->real_time ? seen->real_time : pe->real_time;
}

/* ---- Refreshes ------------------------------------------------------------------------------- */

void top_model_fade(struct top_model *m)
{
    for (uint32_t i = 0; i < m->n_pes; i++) {
        struct top_pe *pe = &m->pes[i];
        pe->processed *= FADE;
        pe->undone *= FADE;
        for (int k = 0; k < WS_PHASE_COUNT; k++) {
            pe->phases[k] *= FADE;
        }
        for (size_t k = 0; k < pe->n_kps; k++) {
            pe->kps[k].recent_undone *= FADE;
        }
    }
    for (size_t i = 0; i < m->n_types; i++) {
        m->types[i].recent *= FADE;
    }
    for (size_t i = 0; i < m->n_lps; i++) {
        m->lps[i].recent_undone *= (float)FADE;
    }
}

void top_model_forget(struct top_model *m)
{
    for (uint32_t i = 0; i < m->n_pes; i++) {
        for (size_t k = 0; k < m->pes[i].n_kps; k++) {
            m->pes[i].kps[k].recent_undone = 0;
        }
    }
    for (size_t i = 0; i < m->n_types; i++) {
        m->types[i].recent = 0;
    }
    for (size_t i = 0; i < m->n_lps; i++) {
        m->lps[i].recent_undone = 0;
    }
}

void top_model_settle(struct top_model *m)
{
    double news = 0, gvt = m->gvt, now = top_clock();
    for (uint32_t i = 0; i < m->n_pes; i++) {
        struct top_pe *pe = &m->pes[i];
        news = pe->news > news && !pe->elsewhere ? pe->news : news;
        gvt = pe->gvt > gvt ? pe->gvt : gvt;
        gvt = pe->gvt_known > gvt ? pe->gvt_known : gvt;
        m->real_time = pe->real_time > m->real_time ? pe->real_time : m->real_time;
        pe->ahead = m->has.ahead ? 0 : NAN;
        for (size_t k = 0; k < pe->n_kps; k++) {
            pe->ahead = pe->kps[k].ahead > pe->ahead ? pe->kps[k].ahead : pe->ahead;
        }
    }
    if (news > m->news) {
        double gap = news - m->news;
        m->pace = gap > m->pace ? gap : 0.95 * m->pace + 0.05 * gap;
        m->news = news;
    }
    if (gvt > m->gvt) {
        m->gvt = gvt;
        m->gvt_news = now;
    }
}
