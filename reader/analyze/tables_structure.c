/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * tables_structure.c - makes the tables of chains, offsets, destinations, shares of ranks, delays,
 * ties, LPs, edges and communities; see analyze.h.
 */
#include <assert.h>
#include <math.h>
#include <stdlib.h>

#include "analyze/analyze.h"

static void chains_make(struct doc *doc, const struct analyze *a)
{
    struct doc_table *t =
        doc_table(doc, "chains", "lengths of chains", "length|local|linked|global");
    t->n_text = 5;
    for (uint32_t length = 1; length <= ANALYZE_CHAIN_MAX; length++) {
        uint64_t any = 0;
        for (int k = 0; k < ANALYZE_CHAINS; k++) {
            any += a->chains[k].counts[length];
        }
        if (any == 0) {
            continue;
        }
        struct doc_cell *row = doc_row(
            t, length < ANALYZE_CHAIN_MAX ? doc_count(length) : doc_text(doc, "%u+", length));
        for (int k = 0; k < ANALYZE_CHAINS; k++) {
            row[1 + k] = doc_count(a->chains[k].counts[length]);
        }
    }
}

static void chain_sums_make(struct doc *doc, const struct analyze *a)
{
    static const char *const names[ANALYZE_CHAINS] = {"local", "linked", "global"};
    struct doc_table *t = doc_table(doc, "chain_sums", "chains of events of an LP",
                                    "chain=chains|chains=number|mean_length=mean length|longest");
    t->note = "events that an LP could execute at once: local from itself before the chain,\n"
              "  linked from itself, global from any LP before the chain";
    for (int k = 0; k < ANALYZE_CHAINS; k++) {
        doc_row(t, doc_name(names[k]), doc_count(a->chains[k].n),
                doc_real((double)a->events / fmax(1.0, (double)a->chains[k].n)),
                doc_count(a->chains[k].longest));
    }
}

static void offsets_make(struct doc *doc, const struct analyze *a)
{
    struct doc_table *t =
        doc_table(doc, "offsets", "offsets of events, by types of LPs",
                  "from_type=from|to_type=to|events|self=to itself|least|mean|greatest|lookahead");
    t->n_text = 20;
    for (uint32_t i = 0; i <= ANALYZE_TYPES_MAX; i++) {
        for (uint32_t k = 0; k <= ANALYZE_TYPES_MAX; k++) {
            const struct analyze_pair *pair = &a->pairs[i][k];
            if (pair->events == 0) {
                continue;
            }
            doc_row(t, doc_name(analyze_type_name(a, i)), doc_name(analyze_type_name(a, k)),
                    doc_count(pair->events), doc_share((double)pair->self, (double)pair->events),
                    doc_real(pair->min), doc_real(pair->sum / (double)pair->events),
                    doc_real(pair->max),
                    doc_if(isfinite(pair->lookahead), doc_real(pair->lookahead)));
        }
    }
}

static void destinations_make(struct doc *doc, const struct analyze *a)
{
    static const double parts[4] = {0.50, 0.75, 0.90, 0.95};
    struct doc_table *t =
        doc_table(doc, "destinations", "LPs that get the events of an LP",
                  "events_share=events of an LP|least|mean|median|ninety=90 % of LPs|most");
    uint64_t senders = 0;
    for (uint64_t i = 0; i < a->n_lps; i++) {
        senders += a->more[i].sent > 0;
    }
    for (uint32_t part = 0; part < 4 && senders > 0; part++) {
        const uint64_t *p = a->parts[part];
        doc_row(t, doc_measure(DOC_SHARE, parts[part]), doc_count(p[0]),
                doc_real((double)p[4] / (double)senders), doc_count(p[1]), doc_count(p[2]),
                doc_count(p[3]));
    }
}

static void shares_make(struct doc *doc, const struct analyze *a)
{
    struct doc_table *t =
        doc_table(doc, "ranks", "events that stay on a rank, for other numbers of ranks",
                  "ranks|mapping|local_share=local|remote_share=remote|imbalance=busiest / mean");
    for (uint32_t i = 0; i < a->n_shares; i++) {
        const struct analyze_share *s = &a->shares[i];
        double n = fmax(1.0, (double)(s->local + s->remote));
        doc_row(t, doc_count(s->ranks), doc_name(s->is_block ? "block" : "round robin"),
                doc_share((double)s->local, n), doc_share((double)s->remote, n),
                doc_real(s->imbalance));
    }
}

static void delays_make(struct doc *doc, const struct analyze *a)
{
    struct doc_table *t = doc_table(doc, "distributions", "from sending to execution",
                                    "what=|events=number|mean|median|ninety=90 % below|most");
    doc_dist_row(t, "virtual time", &a->offsets, DOC_REAL);
    doc_dist_row(t, "wall clock, same rank", &a->local_delay, DOC_SECONDS);
    doc_dist_row(t, "wall clock, other rank", &a->remote_delay, DOC_SECONDS);
    doc_dist_row(t, "events of an LP", &a->skew, DOC_REAL);
}

static void ties_make(struct doc *doc, const struct analyze *a)
{
    const struct analyze_ties *ties = &a->ties;
    const struct {
        const char *words;
        uint64_t n;
        bool is_events;
    } rows[] = {{"events at the time of another event", ties->events, true},
                {"events at the time of another event of their LP", ties->lp_events, true},
                {"times that several events have", ties->groups, false},
                {"most events at one time", ties->largest, false}};
    struct doc_table *t = doc_table(doc, "ties", ties->events > 0 ? "ties" : NULL,
                                    "what=|count=number|events_share=share");
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        doc_row(t, doc_name(rows[i].words), doc_count(rows[i].n),
                doc_if(rows[i].is_events, doc_share((double)rows[i].n, (double)a->events)));
    }
}

/* ---- LPs ------------------------------------------------------------------------------------- */

static void lp_row(struct doc_table *t, const struct analyze *a, uint32_t lp)
{
    assert(lp < a->n_lps);
    const struct analyze_lp *l = &a->lps[lp];
    const struct analyze_lp_more *m = &a->more[lp];
    doc_row(t, analyze_lp_cell(a, lp), doc_name(analyze_type_name(a, l->type)),
            doc_if(l->pe > 0, doc_number(l->pe - 1)), doc_count(l->events),
            doc_if(a->trace.times.is_timed, doc_seconds((double)l->handler_time * 1e-9)),
            doc_count(m->path_events),
            doc_measure(DOC_SHARE, analyze_path_part(a, m->path_events, m->path_time)),
            doc_count(m->sent), doc_count(m->sent_self), doc_count(m->destinations),
            doc_count(m->parts[0]), doc_count(m->parts[1]), doc_count(m->parts[2]),
            doc_count(m->parts[3]), doc_if(m->community > 0, doc_number(m->community - 1)));
}

static void lps_make(struct doc *doc, const struct analyze *a)
{
    struct doc_table *t = doc_table(doc, "lps", "LPs with most of the critical path",
                                    "lp=LP|type|rank|events|handler_time=handlers|"
                                    "path_events=on the path|path_share=of its length|sent|"
                                    "(sent_self)|(destinations)|(destinations_50)|"
                                    "(destinations_75)|(destinations_90)|(destinations_95)|"
                                    "(community)");
    bool all = a->options->csv_folder != NULL;
    struct analyze_place *places = malloc((a->n_lps + 1) * sizeof *places);
    size_t n = 0;
    t->n_text = t->n_json = a->options->top;
    if (places == NULL) {
        doc->no_memory = true;
        return;
    }
    for (uint64_t i = 0; i < a->n_lps; i++) {
        const struct analyze_lp_more *m = &a->more[i];
        if (a->lps[i].events + m->sent > 0) {
            places[n++] = (struct analyze_place){
                a->path_of == ANALYZE_TIME_LP ? m->path_time : m->path_events, a->lps[i].events, i};
        }
    }
    analyze_places_sort(places, n);
    size_t on_path = 1;
    while (on_path < n && places[on_path].path > 0) {
        on_path++;
    }
    t->n_text = on_path < t->n_text ? on_path : t->n_text;
    for (size_t i = 0; i < n && (all || i < a->options->top); i++) {
        lp_row(t, a, (uint32_t)places[i].number);
    }
    free(places);
}

static void edges_make(struct doc *doc, const struct analyze *a)
{
    struct doc_table *t = doc_table(doc, "edges", NULL, "(src)|(dest)|(events)");
    t->n_json = 0;
    for (size_t i = 0; a->options->csv_folder != NULL && i < a->graph.n; i++) {
        doc_row(t, doc_number(analyze_lp_number(a, ws_edge_src(a->graph.list[i].key))),
                doc_number(analyze_lp_number(a, ws_edge_dest(a->graph.list[i].key))),
                doc_count(a->graph.list[i].events));
    }
}

static void communities_make(struct doc *doc, const struct analyze *a)
{
    uint32_t n = a->graph.communities;
    struct doc_table *t =
        doc_table(doc, "communities", n > 0 ? "communities of LPs" : NULL,
                  "community|lps=LPs|events|events_share=share|handler_time=handlers");
    struct analyze_lp *sums = calloc((size_t)n + 1, sizeof *sums);
    t->n_text = t->n_json = a->options->top;
    if (sums == NULL) {
        doc->no_memory = true;
        return;
    }
    for (uint64_t i = 0; i < a->n_lps; i++) {
        struct analyze_lp *sum = &sums[a->more[i].community];
        sum->order++;
        sum->events += a->lps[i].events;
        sum->handler_time += a->lps[i].handler_time;
    }
    for (uint32_t c = 1; c <= n; c++) {
        doc_row(t, doc_count(c - 1), doc_count(sums[c].order), doc_count(sums[c].events),
                doc_share((double)sums[c].events, (double)a->events),
                doc_if(a->trace.times.is_timed, doc_seconds((double)sums[c].handler_time * 1e-9)));
    }
    free(sums);
}

void analyze_tables_make(struct doc *doc, const struct analyze *a)
{
    analyze_tables_paths(doc, a);
    chain_sums_make(doc, a);
    chains_make(doc, a);
    offsets_make(doc, a);
    destinations_make(doc, a);
    shares_make(doc, a);
    delays_make(doc, a);
    ties_make(doc, a);
    lps_make(doc, a);
    edges_make(doc, a);
    communities_make(doc, a);
}
