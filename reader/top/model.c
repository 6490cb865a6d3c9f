/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * model.c - adds records to the sums that "warpscope top" keeps; see model.h.
 */
#include "top/model.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "access/bind.h"
#include "store/array.h"

#define FADE      0.75       /* factor by which older counts are multiplied at a refresh */
#define PARTS_MAX (1u << 20) /* maximum number of parts of an entity; further ones are not listed */

/* ---- Life ------------------------------------------------------------------------------------ */

bool top_model_init(struct top_model *m, uint32_t n_pes)
{
    assert(n_pes > 0);
    *m = (struct top_model){.n_pes = n_pes, .n_here = n_pes};
    struct top_parts *parts = &m->parts[TOP_OF_PES];
    m->pes = calloc(n_pes, sizeof *m->pes);
    parts->list = calloc(n_pes, sizeof *parts->list);
    double now = date_clock();
    m->news = m->gvt_news = now;
    for (uint32_t i = 0; m->pes != NULL && parts->list != NULL && i < n_pes; i++) {
        m->pes[i].news = now;
        parts->list[i] = (struct top_part){.id = i, .number = i, .pe = i};
        parts->n++;
    }
    return parts->n > 0;
}

void top_model_free(struct top_model *m)
{
    for (int of = 0; of < TOP_ENTITIES; of++) {
        free(m->parts[of].list);
        index_fini(&m->parts[of].index);
    }
    free(m->pes);
    *m = (struct top_model){0};
}

double top_chain_share(const struct top_chain *chain, enum top_source source, double from,
                       double to)
{
    assert(chain->n <= TOP_LINKS_MAX && source < TOP_SOURCES);
    double begin = -INFINITY, share = 0;
    for (unsigned i = 0; i < chain->n; i++) {
        double end = chain->links[i].until;
        if (chain->links[i].source == source && (isnan(from) || from >= to)) {
            share += to > begin && to <= end;
        } else if (chain->links[i].source == source) {
            double covered = fmin(to, end) - fmax(from, begin);
            share += covered > 0 ? covered / (to - from) : 0;
        }
        begin = end;
    }
    return share < 1 ? share : 1;
}

/* ---- Records --------------------------------------------------------------------------------- */

static const struct ws_binding bindings[] = {
    {offsetof(struct top_feed, kp), "kp", WS_ANY_TYPE, false},
    {offsetof(struct top_feed, lp), "lp", WS_ANY_TYPE, false},
    {offsetof(struct top_feed, queue), "pq_size", WS_ANY_TYPE, false},
    {offsetof(struct top_feed, ahead), "time_ahead_gvt", WS_ANY_TYPE, false},
    {offsetof(struct top_feed, cause), "cause", WS_ANY_TYPE, false},
    {offsetof(struct top_feed, dest), "dest_lp", WS_ANY_TYPE, false},
    {0, NULL, 0, false},
};

void top_feed_init(struct top_feed *feed, enum top_entity of, const struct fmt_schema *schema,
                   struct fmt_wanted *wanted)
{
    *feed = (struct top_feed){.is_used = true,
                              .of = of,
                              .real_time = schema->role_field[FMT_ROLE_REAL_TIME],
                              .gvt = schema->role_field[FMT_ROLE_VIRTUAL_TIME],
                              .type = schema->role_field[FMT_ROLE_PAYLOAD_TYPE]};
    *wanted = (struct fmt_wanted){.payload = false};
    ws_bind(bindings, schema, feed);
    ws_bind_want(bindings, feed, wanted);
    for (int i = 0; i < WS_COUNTS; i++) {
        const char *name =
            of == TOP_OF_TYPES && i == WS_UNDONE ? "events_undone" : ws_count_names[i].field;
        feed->counts[i] = name == NULL ? -1 : ws_field_find(schema, name);
        ws_want(wanted, feed->counts[i]);
    }
    for (uint32_t i = 0; i < WS_PHASE_FIELDS; i++) {
        feed->phases[i] = ws_field_find(schema, ws_phase_fields[i].name);
        ws_want(wanted, feed->phases[i]);
    }
    ws_want(wanted, of == TOP_OF_TYPES ? feed->type : feed->real_time);
    ws_want(wanted, of == TOP_OF_TYPES && feed->cause >= 0 ? -1 : feed->gvt);
}

static struct ws_counts counts_read(const struct fmt_columns *c, const struct top_feed *feed,
                                    uint32_t row)
{
    struct ws_counts counts;
    for (int i = 0; i < WS_COUNTS; i++) {
        counts.each[i] = ws_whole_at(c, feed->counts[i], row);
    }
    return counts;
}

static void counts_add(struct ws_counts *to, const struct ws_counts *more)
{
    for (int i = 0; i < WS_COUNTS; i++) {
        to->each[i] += more->each[i];
    }
}

static void part_count(struct top_part *part, const struct ws_counts *counts)
{
    counts_add(&part->counts, counts);
    part->recent += (double)(counts->traced + counts->undone);
}

static void pe_add(struct top_model *m, const struct top_feed *feed, uint32_t number,
                   const struct fmt_columns *c, uint32_t row)
{
    struct top_pe *pe = &m->pes[number];
    struct ws_counts counts = counts_read(c, feed, row);
    double real_time = ws_number_at(c, feed->real_time, row), share = 1;
    double *before = &pe->sampled[feed->source];
    bool *is_sampled = &pe->is_sampled[feed->source];
    if (feed->chain != NULL && feed->chain->n > 1) {
        share = top_chain_share(feed->chain, feed->source, *is_sampled ? *before : NAN, real_time);
        for (int i = 0; i < WS_COUNTS; i++) {
            counts.each[i] = (uint64_t)(share * (double)counts.each[i] + 0.5);
        }
    }
    part_count(&m->parts[TOP_OF_PES].list[number], &counts);
    counts_add(&m->sum, &counts);
    pe->processed += (double)counts.processed;
    pe->covered += (double)counts.covered;
    pe->lost += (double)counts.lost;
    pe->queue = feed->queue >= 0 ? ws_whole_at(c, feed->queue, row) : pe->queue;
    for (uint32_t i = 0; m->has_phases && i < WS_PHASE_FIELDS; i++) {
        double ticks = share * ws_number_at(c, feed->phases[i], row);
        pe->phases[ws_phase_fields[i].phase] += ticks;
        pe->times[ws_phase_fields[i].phase] += ticks;
    }
    if (*is_sampled && real_time >= *before && share > 0) {
        /* Each PE counts every GVT computation. */
        counts.gvts = number == m->first_here ? counts.gvts : 0;
        top_history_count(&m->history, real_time - share * (real_time - *before), real_time,
                          &counts);
    }
    *before = !*is_sampled || real_time > *before ? real_time : *before;
    *is_sampled = true;
    top_history_gvt(&m->history, real_time, ws_number_at(c, feed->gvt, row));
}

/* Returns the part of a KP, LP or type, which is made if it is new; NULL if there are too many, or if
 * memory is exhausted. number: as in struct top_part. */
static struct top_part *part_get(struct top_model *m, enum top_entity of, uint32_t pe,
                                 uint64_t number)
{
    assert(of != TOP_OF_PES && pe < m->n_pes);
    struct top_parts *p = &m->parts[of];
    const uint64_t id = of == TOP_OF_KPS ? (uint64_t)pe << 32 | number : number;
    /* Events of a type follow one another; so do the parts at each sampling point. */
    if (p->n > 0 && p->list[p->last].id != id) {
        p->last = p->last + 1 < p->n ? p->last + 1 : 0;
    }
    if (p->n > 0 && p->list[p->last].id == id) {
        return &p->list[p->last];
    }
    const uint32_t hash = index_hash(id);
    for (uint32_t at = hash, i; index_next(&p->index, hash, &at, &i);) {
        if (p->list[i].id == id) {
            p->last = i;
            return &p->list[i];
        }
    }
    if (p->n == PARTS_MAX || !array_reserve(&p->list, &p->room, p->n + 1, sizeof *p->list) ||
        !index_add(&p->index, hash, (uint32_t)p->n)) {
        return NULL;
    }
    p->list[p->n] = (struct top_part){.id = id, .number = number, .pe = pe, .kp = (uint32_t)number};
    p->last = p->n++;
    return &p->list[p->last];
}

/* Adds a sample of the LP that the user follows. net: executed minus undone events since the previous
 * sample. */
static void chosen_add(struct top_chosen_lp *chosen, double real_time, double net)
{
    double seconds = real_time - chosen->sampled;
    if (seconds > 0) {
        unsigned keep = chosen->n < TOP_LP_STEPS ? chosen->n : TOP_LP_STEPS - 1;
        if (keep < chosen->n) {
            memmove(chosen->rates, chosen->rates + 1, keep * sizeof *chosen->rates);
        }
        chosen->rates[keep] = net > 0 ? net / seconds : 0;
        chosen->n = keep + 1;
    }
    chosen->sampled = real_time;
}

/* Adds a sample of a KP or LP. */
static void part_add(struct top_model *m, const struct top_feed *feed, uint32_t pe,
                     const struct fmt_columns *c, uint32_t row)
{
    const struct ws_counts counts = counts_read(c, feed, row);
    uint64_t kp = ws_whole_at(c, feed->kp, row), lp = ws_whole_at(c, feed->lp, row);
    if (feed->chain != NULL && feed->chain->n > 1 &&
        !(top_chain_share(feed->chain, feed->source, NAN, ws_number_at(c, feed->real_time, row)) >
          0)) {
        return;
    }
    struct top_part *part = part_get(m, feed->of, pe, feed->of == TOP_OF_LPS ? lp : kp);
    if (part == NULL) {
        return;
    }
    part_count(part, &counts);
    part->pe = pe;
    part->kp = (uint32_t)kp;
    part->ahead = feed->ahead >= 0 ? ws_number_at(c, feed->ahead, row) : part->ahead;
    if (feed->of == TOP_OF_LPS && m->chosen.any && m->chosen.lp == lp) {
        chosen_add(&m->chosen, ws_number_at(c, feed->real_time, row),
                   (double)counts.processed - (double)counts.undone);
    }
}

/* Adds an event or a rollback. If there are no samples of KPs, adds the rollback to its KP as well. */
static void event_add(struct top_model *m, const struct top_feed *feed, uint32_t pe,
                      const struct fmt_columns *c, uint32_t row)
{
    struct top_part *type = part_get(m, TOP_OF_TYPES, 0, ws_whole_at(c, feed->type, row));
    if (feed->cause < 0) {
        if (type != NULL) { /* as part_count(), for the most frequent of all records */
            type->counts.traced++;
            type->recent += 1.0;
        }
        return;
    }
    const struct ws_counts counts = {.rollbacks = 1,
                                     .secondary = ws_whole_at(c, feed->cause, row) == 2,
                                     .undone = ws_whole_at(c, feed->counts[WS_UNDONE], row)};
    struct top_part *kp = top_knows(m, TOP_OF_KPS, WS_PROCESSED)
                              ? NULL
                              : part_get(m, TOP_OF_KPS, pe, ws_whole_at(c, feed->kp, row));
    if (type != NULL) {
        part_count(type, &counts);
    }
    if (kp != NULL) {
        part_count(kp, &counts);
    }
}

void top_model_add(struct top_model *m, const struct top_feed *feed,
                   const struct ws_live_rows *rows)
{
    const struct fmt_columns *c = rows->columns;
    assert(rows->pe < m->n_pes);
    struct top_pe *pe = &m->pes[rows->pe];
    for (uint32_t row = rows->first; feed->is_used && row < c->n_records; row++) {
        if (feed->of == TOP_OF_TYPES) {
            event_add(m, feed, rows->pe, c, row);
            continue;
        }
        if (feed->of == TOP_OF_PES) {
            pe_add(m, feed, rows->pe, c, row);
        } else {
            part_add(m, feed, rows->pe, c, row);
        }
        if (feed->of != TOP_OF_LPS) { /* KPs may be the only ones with samples */
            double real_time = ws_number_at(c, feed->real_time, row);
            double gvt = ws_number_at(c, feed->gvt, row);
            pe->real_time = real_time > pe->real_time ? real_time : pe->real_time;
            pe->gvt = gvt > pe->gvt && isfinite(gvt) ? gvt : pe->gvt;
        }
    }
    if (feed->is_used && feed->dest >= 0 && feed->cause < 0 && c->n_records > rows->first) {
        const uint32_t row = c->n_records - 1;
        pe->event.any = true;
        pe->event.lp = ws_whole_at(c, feed->dest, row);
        pe->event.type = ws_whole_at(c, feed->type, row);
        pe->event.time = ws_number_at(c, feed->gvt, row);
    }
    m->records += c->n_records - rows->first;
    pe->news = date_clock();
}

void top_model_note(struct top_model *m, uint32_t number_of_pe, const struct ws_live_pe *seen)
{
    assert(number_of_pe < m->n_pes);
    struct top_pe *pe = &m->pes[number_of_pe];
    double now = date_clock();
    if (seen->gvt > pe->gvt_known && isfinite(seen->gvt)) {
        pe->gvt_known = seen->gvt;
        pe->news = now;
    }
    pe->real_time = seen->real_time > pe->real_time ? seen->real_time : pe->real_time;
}

/* ---- Refreshes ------------------------------------------------------------------------------- */

/* Multiplies the recent counts of the parts of an entity and the following ones. */
static void recent_scale(struct top_model *m, enum top_entity first, double factor)
{
    for (int of = (int)first; of < TOP_ENTITIES; of++) {
        for (size_t i = 0; i < m->parts[of].n; i++) {
            m->parts[of].list[i].recent *= factor;
        }
    }
}

void top_model_fade(struct top_model *m)
{
    for (uint32_t i = 0; i < m->n_pes; i++) {
        m->pes[i].processed *= FADE;
        m->pes[i].covered *= FADE;
        m->pes[i].lost *= FADE;
        for (int k = 0; k < WS_PHASE_COUNT; k++) {
            m->pes[i].phases[k] *= FADE;
        }
    }
    recent_scale(m, TOP_OF_PES, FADE);
}

void top_model_forget(struct top_model *m)
{
    recent_scale(m, TOP_OF_KPS, 0);
}

void top_model_choose_lp(struct top_model *m, uint64_t lp)
{
    m->chosen = (struct top_chosen_lp){.any = true, .lp = lp, .sampled = NAN};
}

void top_model_settle(struct top_model *m)
{
    double news = 0, gvt = m->gvt, now = date_clock();
    for (uint32_t i = 0; i < m->n_pes; i++) {
        struct top_pe *pe = &m->pes[i];
        news = pe->news > news && !pe->elsewhere ? pe->news : news;
        gvt = pe->gvt > gvt ? pe->gvt : gvt;
        gvt = pe->gvt_known > gvt ? pe->gvt_known : gvt;
        m->real_time = pe->real_time > m->real_time ? pe->real_time : m->real_time;
        m->parts[TOP_OF_PES].list[i].ahead = m->has_ahead ? 0 : NAN;
    }
    for (size_t k = 0; k < m->parts[TOP_OF_KPS].n; k++) {
        const struct top_part *kp = &m->parts[TOP_OF_KPS].list[k];
        double *most = &m->parts[TOP_OF_PES].list[kp->pe].ahead;
        *most = kp->ahead > *most ? kp->ahead : *most;
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
