/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * tables_lps.c - makes the tables of LPs, edges and communities; see output.h.
 */
#include <assert.h>
#include <stdlib.h>

#include "analyze/output.h"

static void lp_row(struct ws_results *tables, struct ws_result_table *t, const struct analyze *a,
                   uint32_t lp)
{
    assert(lp < a->n_lps);
    const struct analyze_lp *l = &a->lps[lp];
    const struct analyze_lp_more *m = &a->more[lp];
    struct ws_result_cell *row = ws_result_row(tables, t);
    row[0] = ws_result_count(analyze_lp_number(a, lp));
    row[1] = ws_result_words(analyze_type_name(a, l->type));
    if (l->pe > 0) {
        row[2] = ws_result_count(l->pe - 1);
    }
    row[3] = ws_result_count(l->events);
    if (a->trace.is_timed) {
        row[4] = ws_result_real(WS_RESULT_SECONDS, (double)l->handler_time * 1e-9);
    }
    row[5] = ws_result_count(m->path_events);
    row[6] = ws_result_real(WS_RESULT_SHARE, analyze_path_part(a, m->path_events, m->path_time));
    row[7] = ws_result_count(m->sent);
    row[8] = ws_result_count(m->sent_self);
    row[9] = ws_result_count(m->destinations);
    for (int part = 0; part < 4; part++) {
        row[10 + part] = ws_result_count(m->parts[part]);
    }
    if (m->community > 0) {
        row[14] = ws_result_count(m->community - 1);
    }
}

static void lps_make(struct ws_results *tables, const struct analyze *a)
{
    static const struct ws_result_column columns[] = {{"lp", "LP"},
                                                      {"type", "type"},
                                                      {"rank", "rank"},
                                                      {"events", "events"},
                                                      {"handler_time", "handlers"},
                                                      {"path_events", "on the path"},
                                                      {"path_share", "of its length"},
                                                      {"sent", "sent"},
                                                      {"sent_self", NULL},
                                                      {"destinations", NULL},
                                                      {"destinations_50", NULL},
                                                      {"destinations_75", NULL},
                                                      {"destinations_90", NULL},
                                                      {"destinations_95", NULL},
                                                      {"community", NULL},
                                                      {NULL, NULL}};
    struct ws_result_table *t =
        ws_result_begin(tables, "lps", "LPs with most of the critical path", columns);
    bool all = a->options->csv_folder != NULL;
    struct analyze_place *places = malloc((a->n_lps + 1) * sizeof *places);
    size_t n = 0;
    t->n_text = t->n_json = a->options->top;
    if (places == NULL) {
        tables->no_memory = true;
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
        lp_row(tables, t, a, (uint32_t)places[i].number);
    }
    free(places);
}

static void edges_make(struct ws_results *tables, const struct analyze *a)
{
    static const struct ws_result_column columns[] = {
        {"src", NULL}, {"dest", NULL}, {"events", NULL}, {NULL, NULL}};
    struct ws_result_table *t = ws_result_begin(tables, "edges", NULL, columns);
    t->n_json = 0;
    for (size_t i = 0; a->options->csv_folder != NULL && i < a->graph.n; i++) {
        struct ws_result_cell *row = ws_result_row(tables, t);
        row[0] = ws_result_count(analyze_lp_number(a, ws_edge_src(a->graph.list[i].key)));
        row[1] = ws_result_count(analyze_lp_number(a, ws_edge_dest(a->graph.list[i].key)));
        row[2] = ws_result_count(a->graph.list[i].events);
    }
}

static void communities_make(struct ws_results *tables, const struct analyze *a)
{
    static const struct ws_result_column columns[] = {
        {"community", "community"},   {"lps", "LPs"},
        {"events", "events"},         {"events_share", "share"},
        {"handler_time", "handlers"}, {NULL, NULL}};
    uint32_t n = a->graph.communities;
    struct ws_result_table *t =
        ws_result_begin(tables, "communities", n > 0 ? "communities of LPs" : NULL, columns);
    struct analyze_lp *sums = calloc((size_t)n + 1, sizeof *sums);
    t->n_text = t->n_json = a->options->top;
    if (sums == NULL) {
        tables->no_memory = true;
        return;
    }
    for (uint64_t i = 0; i < a->n_lps; i++) {
        struct analyze_lp *sum = &sums[a->more[i].community];
        sum->order++;
        sum->events += a->lps[i].events;
        sum->handler_time += a->lps[i].handler_time;
    }
    for (uint32_t c = 1; c <= n; c++) {
        struct ws_result_cell *row = ws_result_row(tables, t);
        row[0] = ws_result_count(c - 1);
        row[1] = ws_result_count(sums[c].order);
        row[2] = ws_result_count(sums[c].events);
        row[3] = ws_result_real(WS_RESULT_SHARE, (double)sums[c].events / (double)a->events);
        if (a->trace.is_timed) {
            row[4] = ws_result_real(WS_RESULT_SECONDS, (double)sums[c].handler_time * 1e-9);
        }
    }
    free(sums);
}

void analyze_tables_lps(struct ws_results *tables, const struct analyze *a)
{
    lps_make(tables, a);
    edges_make(tables, a);
    communities_make(tables, a);
}

void analyze_tables_make(struct ws_results *tables, const struct analyze *a)
{
    *tables = (struct ws_results){0};
    analyze_tables_paths(tables, a);
    analyze_tables_structure(tables, a);
    analyze_tables_lps(tables, a);
}
