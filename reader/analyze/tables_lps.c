/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * tables_lps.c - makes the tables of LPs, edges and communities; see output.h.
 */
#include <assert.h>
#include <stdlib.h>

#include "analyze/output.h"

static void lp_row(struct doc_table *t, const struct analyze *a, uint32_t lp)
{
    assert(lp < a->n_lps);
    const struct analyze_lp *l = &a->lps[lp];
    const struct analyze_lp_more *m = &a->more[lp];
    doc_row(t, doc_number(analyze_lp_number(a, lp)), doc_name(analyze_type_name(a, l->type)),
            doc_if(l->pe > 0, doc_number(l->pe - 1)), doc_count(l->events),
            doc_if(a->trace.is_timed, doc_seconds((double)l->handler_time * 1e-9)),
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
                doc_if(a->trace.is_timed, doc_seconds((double)sums[c].handler_time * 1e-9)));
    }
    free(sums);
}

void analyze_tables_lps(struct doc *doc, const struct analyze *a)
{
    lps_make(doc, a);
    edges_make(doc, a);
    communities_make(doc, a);
}

void analyze_tables_make(struct doc *doc, const struct analyze *a)
{
    analyze_tables_paths(doc, a);
    analyze_tables_structure(doc, a);
    analyze_tables_lps(doc, a);
}
