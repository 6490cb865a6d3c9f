/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * feeds.c - selects the kinds of records that are added to the sums of a run; see run.h.
 *
 * Samples of PEs, KPs and LPs are taken by wall clock, at GVT computations or at virtual times. All
 * three sources report the same counts, so that only one of them is counted at a time. If a request
 * ends that source during the run, counting continues with another one.
 */
#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "access/bind.h"
#include "access/facts.h"
#include "top/run.h"

/* [sampled entity][source]: name of the kind of sample; NULL: there is none. */
static const char *const sampled[TOP_SAMPLED][TOP_SOURCES] = {
    [TOP_OF_PES] = {"rt_pe", "gvt_pe", "vt_pe"},
    [TOP_OF_KPS] = {"rt_kp", "gvt_kp", NULL},
    [TOP_OF_LPS] = {"rt_lp", "gvt_lp", NULL},
};

/* ---- The sources that count ------------------------------------------------------------------ */

/* Returns the wall-clock time at which a request ended a file, in seconds since the run began;
 * INFINITY if no request did. */
static double file_end(const struct ws_live *live)
{
    const struct fmt_superblock *sb = live->sb;
    double latest = 0;
    for (uint32_t pe = 0; pe < sb->layout.n_pes; pe++) {
        const struct ws_live_pe *seen = ws_live_pe(live, pe);
        bool changed = seen->ended && seen->end.info.code == FMT_END_CHANGED;
        double end = changed ? seen->end.info.real_time : INFINITY;
        latest = end > latest && !seen->elsewhere ? end : latest;
    }
    return latest;
}

/* Returns the wall-clock time until which a kind of record was recorded without a gap, from `time`
 * on. Returns `time` itself if the kind was not recorded then. Sets *next to the next time at which
 * a file with that kind begins; INFINITY: none. */
static double covered_until(const struct top_run *run, const char *name, double time, double *next)
{
    double until = time;
    *next = INFINITY;
    for (size_t i = 0; name != NULL && i < run->n_files; i++) { /* in the order of time */
        const struct fmt_superblock *sb = run->files[i].live->sb;
        if (ws_schema_named(sb, name) != NULL) {
            double begin = ws_fact_number(sb, "begins_real_time", 0);
            double end = file_end(run->files[i].live);
            until = begin <= until && end > until ? end : until;
            *next = begin > time && begin < *next ? begin : *next;
        }
    }
    return until;
}

/* Returns the source that records longest from `time` on, and sets *until to the end of its
 * recording. Samples at virtual times, which have fewer counts, are used only if there is no other
 * source. If no source recorded at `time`, returns TOP_SOURCES, and sets *until to the time at
 * which the next source begins; INFINITY: none. */
static enum top_source source_at(const struct top_run *run, enum top_entity what, double time,
                                 double *until)
{
    assert(what < TOP_SAMPLED);
    int best = TOP_SOURCES;
    double nearest = INFINITY;
    *until = time;
    for (int i = 0; i < TOP_SOURCES; i++) {
        double next, end = covered_until(run, sampled[what][i], time, &next);
        bool is_better = end > *until && (i != TOP_AT_TIMES || best == TOP_SOURCES);
        best = is_better ? i : best;
        *until = is_better ? end : *until;
        nearest = next < nearest ? next : nearest;
    }
    *until = best == TOP_SOURCES ? nearest : *until;
    return (enum top_source)best;
}

/* Builds the chain of the sources that are counted, from the open files. what: sampled entity. */
static void chain_make(const struct top_run *run, enum top_entity what, struct top_chain *chain)
{
    double time = 0, until = 0;
    *chain = (struct top_chain){.n = 0};
    while (time < INFINITY && chain->n < TOP_LINKS_MAX) {
        enum top_source source = source_at(run, what, time, &until);
        if (source != TOP_SOURCES) {
            chain->links[chain->n++] = (struct top_link){.source = source, .until = until};
        }
        time = until;
    }
    if (chain->n > 0) { /* the latest source also covers records that are still to come */
        chain->links[chain->n - 1].until = INFINITY;
    }
}

static bool is_same(const struct top_chain *a, const struct top_chain *b)
{
    bool same = a->n == b->n;
    for (unsigned i = 0; same && i < a->n; i++) {
        same = a->links[i].source == b->links[i].source && a->links[i].until >= b->links[i].until &&
               a->links[i].until <= b->links[i].until;
    }
    return same;
}

bool top_feeds_change(struct top_run *run, bool take)
{
    bool change = false;
    for (int what = 0; what < TOP_SAMPLED; what++) {
        struct top_chain now;
        chain_make(run, (enum top_entity)what, &now);
        change |= !is_same(&now, &run->chains[what]);
        if (take) {
            run->chains[what] = now;
        }
    }
    return change;
}

/* ---- Feeds ----------------------------------------------------------------------------------- */

/* Selects the records of one kind, in all files that have it, for reading. of: what they are added to.
 * Returns the first feed of the kind; NULL if no file has it. */
static const struct top_feed *feed_add(struct top_run *run, enum top_entity of, const char *name,
                                       enum top_source source, const struct top_chain *chain)
{
    assert(source < TOP_SOURCES);
    const struct top_feed *first = NULL;
    for (size_t i = 0; name != NULL && i < run->n_files; i++) {
        struct top_file *file = &run->files[i];
        const struct fmt_superblock *sb = file->live->sb;
        const struct fmt_schema *schema = ws_schema_named(sb, name);
        if (schema != NULL) {
            uint32_t kind = ws_schema_number(sb, schema);
            struct fmt_wanted wanted;
            top_feed_init(&file->feeds[kind], of, schema, &wanted);
            file->feeds[kind].source = source;
            file->feeds[kind].chain = chain;
            ws_live_want(file->live, kind, &wanted);
            first = first == NULL ? &file->feeds[kind] : first;
        }
    }
    return first;
}

/* Selects the samples of an entity, from all sources of its chain, for reading. Returns the feed of
 * the latest source; NULL if there is none. */
static const struct top_feed *samples_add(struct top_run *run, enum top_entity what)
{
    assert(what < TOP_SAMPLED && run->chains[what].n <= TOP_LINKS_MAX);
    struct top_chain *chain = &run->chains[what];
    const struct top_feed *latest = NULL;
    if (chain->n == 0) {
        chain_make(run, what, chain);
    }
    for (unsigned i = 0; i < chain->n; i++) {
        enum top_source source = chain->links[i].source;
        latest = feed_add(run, what, sampled[what][source], source, chain);
    }
    for (int i = 0; latest != NULL && i < WS_COUNTS; i++) {
        run->model.known[what] |= (unsigned)(latest->counts[i] >= 0) << i;
    }
    return latest;
}

void top_feeds_make(struct top_run *run)
{
    struct top_model *m = &run->model;
    const unsigned of_rollbacks = 1u << WS_ROLLBACKS | 1u << WS_SECONDARY | 1u << WS_UNDONE;
    const struct top_feed *pe = samples_add(run, TOP_OF_PES);
    m->has_phases = pe != NULL && pe->phases[0] >= 0;
    m->has_queue = pe != NULL && pe->queue >= 0;
    m->has_ahead = samples_add(run, TOP_OF_KPS) != NULL ||
                   feed_add(run, TOP_OF_KPS, "rt_ahead", TOP_BY_CLOCK, NULL) != NULL;
    samples_add(run, TOP_OF_LPS);
    if (feed_add(run, TOP_OF_TYPES, "event", TOP_BY_CLOCK, NULL) != NULL) {
        m->known[TOP_OF_TYPES] |= 1u << WS_TRACED;
    }
    if (feed_add(run, TOP_OF_TYPES, "rollback", TOP_BY_CLOCK, NULL) != NULL) {
        m->known[TOP_OF_TYPES] |= of_rollbacks;
        m->known[TOP_OF_KPS] |= of_rollbacks;
    }
}
