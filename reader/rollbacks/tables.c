/* SPDX-License-Identifier: BSD-3-Clause */
/* tables.c - makes the tables of results; see rollbacks.h. */
#include <inttypes.h>
#include <math.h>

#include "render/plot.h"
#include "rollbacks/rollbacks.h"

static struct ws_result_cell seconds_or_none(const struct rollbacks *r, uint64_t ns)
{
    return r->is_timed ? ws_result_real(WS_RESULT_SECONDS, (double)ns * 1e-9)
                       : (struct ws_result_cell){0};
}

/* The last columns of a table. They show a struct rollbacks_sum, for which sum_cells() fills in the
 * cells. */
#define SUM_COLUMNS                                                                                \
    {"primary", "primary"}, {"own_undone", "its own"}, {"rollbacks", "rollbacks"},                 \
        {"undone", "undone"}, {"share", "share"},                                                  \
    {                                                                                              \
        "undone_time", "handler time"                                                              \
    }

static void sum_cells(struct ws_result_cell *cells, const struct rollbacks *r,
                      const struct rollbacks_sum *sum)
{
    cells[0] = ws_result_count(sum->roots);
    cells[1] = ws_result_count(sum->own);
    cells[2] = ws_result_count(sum->rollbacks);
    cells[3] = ws_result_count(sum->undone);
    cells[4] = ws_result_real(WS_RESULT_SHARE, (double)sum->undone / fmax(1.0, (double)r->undone));
    cells[5] = seconds_or_none(r, sum->ns);
}

static void top_cells(struct ws_result_cell *cells, const struct rollbacks *r,
                      const uint64_t *values)
{
    const struct rollbacks_sum sum = {values[0], values[1], values[2], values[3], values[4]};
    sum_cells(cells, r, &sum);
}

static void totals_table(struct ws_results *results, const struct rollbacks *r)
{
    static const struct ws_result_column columns[] = {
        {"what", ""}, {"trace", "in the trace"}, {"engine", "in the engine"}, {NULL, NULL}};
    struct ws_result_table *t = ws_result_begin(results, "totals", "totals", columns);
    const struct {
        const char *name;
        uint64_t trace, engine;
    } rows[] = {{"primary rollbacks", r->primary, r->engine.primary},
                {"secondary rollbacks", r->secondary, r->engine.secondary},
                {"events undone", r->undone, r->engine.undone}};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct ws_result_cell *cells = ws_result_row(results, t);
        cells[0] = ws_result_words(rows[i].name);
        cells[1] = ws_result_count(rows[i].trace);
        cells[2] = r->engine.known ? ws_result_count(rows[i].engine) : (struct ws_result_cell){0};
    }
}

static void reasons_table(struct ws_results *results, const struct rollbacks *r)
{
    static const struct ws_result_column columns[] = {
        {"reason", "reason"}, SUM_COLUMNS, {NULL, NULL}};
    struct ws_result_table *t =
        ws_result_begin(results, "reasons", "why stragglers came late", columns);
    for (enum rollbacks_reason reason = 0; reason < REASONS; reason++) {
        if (r->reasons[reason].roots > 0) {
            struct ws_result_cell *cells = ws_result_row(results, t);
            cells[0] = ws_result_words(rollbacks_reason_words(reason));
            sum_cells(cells + 1, r, &r->reasons[reason]);
        }
    }
}

static void dist_row(struct ws_results *results, struct ws_result_table *t, const char *what,
                     const struct ws_histogram *dist, enum ws_result_kind kind)
{
    static const double parts[] = {0.5, 0.9, 0.99};
    if (dist->n == 0) {
        return;
    }
    struct ws_result_cell *cells = ws_result_row(results, t);
    cells[0] = ws_result_words(what);
    cells[1] = ws_result_count(dist->n);
    cells[2] = ws_result_real(kind, ws_histogram_mean(dist));
    for (size_t i = 0; i < 3; i++) {
        cells[3 + i] = ws_result_real(kind, ws_histogram_quantile(dist, parts[i]));
    }
    cells[6] = ws_result_real(kind, dist->max);
}

static void lateness_table(struct ws_results *results, const struct rollbacks *r)
{
    static const struct ws_result_column columns[] = {{"what", ""},
                                                      {"stragglers", "stragglers"},
                                                      {"mean", "mean"},
                                                      {"median", "median"},
                                                      {"below_90", "90 % below"},
                                                      {"below_99", "99 % below"},
                                                      {"largest", "largest"},
                                                      {NULL, NULL}};
    struct ws_result_table *t =
        ws_result_begin(results, "lateness", "how late stragglers came", columns);
    dist_row(results, t, "virtual time", &r->late, WS_RESULT_REAL);
    dist_row(results, t, "under way", &r->travel, WS_RESULT_SECONDS);
    dist_row(results, t, "sender late by", &r->lag, WS_RESULT_SECONDS);
}

static void bounds_table(struct ws_results *results, const struct rollbacks *r)
{
    static const struct ws_result_column columns[] = {
        {"avoided", "avoided"}, {"max_opt_lookahead", "--max-opt-lookahead"}, {NULL, NULL}};
    static const double parts[] = {0.25, 0.5, 0.75, 0.9};
    struct ws_result_table *t =
        ws_result_begin(results, "bounds",
                        "bounds on optimism, and what they avoid of primary rollbacks' undone "
                        "events",
                        columns);
    for (size_t i = 0; i < sizeof parts / sizeof parts[0] && r->late.n > 0; i++) {
        double bound = rollbacks_bound(r, parts[i]);
        struct ws_result_cell *cells = ws_result_row(results, t);
        cells[0] = ws_result_real(WS_RESULT_SHARE, parts[i]);
        cells[1] = bound > 0.0 ? ws_result_real(WS_RESULT_REAL, bound) : (struct ws_result_cell){0};
    }
}

static void pes_table(struct ws_results *results, const struct rollbacks *r)
{
    static const struct ws_result_column columns[] = {
        {"src_pe", "from PE"}, {"pe", "to PE"}, SUM_COLUMNS, {NULL, NULL}};
    struct ws_result_table *t = ws_result_begin(
        results, "pe_pairs", "causes by PE: of the sender, and that rolled back", columns);
    for (uint32_t i = 0; i < r->pe_pairs.n_winners; i++) {
        const struct ws_top_k_entry *e = &r->pe_pairs.winners[i];
        struct ws_result_cell *cells = ws_result_row(results, t);
        cells[0] = ws_result_count(e->key >> 32);
        cells[1] = ws_result_count(e->key & UINT32_MAX);
        top_cells(cells + 2, r, e->values);
    }
}

static void kps_table(struct ws_results *results, const struct rollbacks *r)
{
    static const struct ws_result_column columns[] = {
        {"pe", "PE"}, {"kp", "KP"}, SUM_COLUMNS, {NULL, NULL}};
    struct ws_result_table *t =
        ws_result_begin(results, "kps", "KPs where cascades began", columns);
    for (uint32_t i = 0; i < r->kps.n_winners; i++) {
        const struct ws_top_k_entry *e = &r->kps.winners[i];
        struct ws_result_cell *cells = ws_result_row(results, t);
        cells[0] = ws_result_count(e->key >> 32);
        cells[1] = ws_result_count(e->key & UINT32_MAX);
        top_cells(cells + 2, r, e->values);
    }
}

static const char *type_name(const struct rollbacks *r, uint64_t type)
{
    return type == 0 || type > r->types.n ? "unknown" : r->types.names[type - 1];
}

static void types_table(struct ws_results *results, const struct rollbacks *r)
{
    static const struct ws_result_column columns[] = {
        {"src_type", "from type"}, {"dest_type", "to type"}, SUM_COLUMNS, {NULL, NULL}};
    struct ws_result_table *t =
        ws_result_begin(results, "type_pairs", "causes by type of LP", columns);
    for (uint32_t i = 0; i < r->type_pairs.n_winners && r->types.n > 0; i++) {
        const struct ws_top_k_entry *e = &r->type_pairs.winners[i];
        struct ws_result_cell *cells = ws_result_row(results, t);
        cells[0] = ws_result_words(type_name(r, e->key >> 32));
        cells[1] = ws_result_words(type_name(r, e->key & UINT32_MAX));
        top_cells(cells + 2, r, e->values);
    }
}

static void lps_table(struct ws_results *results, const struct rollbacks *r)
{
    static const struct ws_result_column columns[] = {
        {"src_lp", "from LP"}, {"dest_lp", "to LP"}, SUM_COLUMNS, {NULL, NULL}};
    struct ws_result_table *t = ws_result_begin(results, "lp_pairs", "causes by LP", columns);
    for (uint32_t i = 0; i < r->lp_pairs.n_winners; i++) {
        const struct ws_top_k_entry *e = &r->lp_pairs.winners[i];
        struct ws_result_cell *cells = ws_result_row(results, t);
        cells[0] = ws_result_count(id_set_at(&r->lps, e->key >> 32));
        cells[1] = ws_result_count(id_set_at(&r->lps, e->key & UINT32_MAX));
        top_cells(cells + 2, r, e->values);
    }
}

static void sizes_table(struct ws_results *results, const struct rollbacks *r)
{
    static const struct ws_result_column columns[] = {{"from", "from"},
                                                      {"to", "to rollbacks"},
                                                      {"cascades", "cascades"},
                                                      {"rollbacks", "rollbacks"},
                                                      {"undone", "undone"},
                                                      {"share", "share"},
                                                      {NULL, NULL}};
    struct ws_result_table *t = ws_result_begin(results, "sizes", "cascades by size", columns);
    for (uint32_t i = 0; i < ROLLBACKS_SIZES; i++) {
        const struct rollbacks_size *size = &r->sizes[i];
        if (size->trees > 0) {
            struct ws_result_cell *cells = ws_result_row(results, t);
            cells[0] = ws_result_count((uint64_t)1 << i);
            cells[1] = ws_result_count(((uint64_t)2 << i) - 1);
            cells[2] = ws_result_count(size->trees);
            cells[3] = ws_result_count(size->rollbacks);
            cells[4] = ws_result_count(size->undone);
            cells[5] = ws_result_real(WS_RESULT_SHARE,
                                      (double)size->undone / fmax(1.0, (double)r->undone));
        }
    }
}

static void largest_table(struct ws_results *results, const struct rollbacks *r)
{
    static const struct ws_result_column columns[] = {
        {"pe", "PE"},       {"number", "no."},     {"recv_ts", "at time"},      {"real_time", NULL},
        {"src_pe", NULL},   {"src_lp", "from LP"}, {"dest_lp", "to LP"},        {"kp", NULL},
        {"trigger", NULL},  {"whole", NULL},       {"rollbacks", "rollbacks"},  {"depth", "depth"},
        {"width", "width"}, {"undone", "undone"},  {"undone_time", "handlers"}, {NULL, NULL}};
    struct ws_result_table *t =
        ws_result_begin(results, "cascades", "the largest cascades, by their roots", columns);
    for (uint32_t i = 0; i < r->n_largest; i++) {
        const struct rollbacks_largest *l = &r->largest[i];
        const struct rollbacks_tree *tree = &l->tree;
        struct ws_result_cell *cells = ws_result_row(results, t);
        cells[0] = ws_result_count(l->pe);
        cells[1] = ws_result_count(l->root);
        cells[2] = ws_result_real(WS_RESULT_REAL, l->recv_ts);
        cells[3] = ws_result_real(WS_RESULT_SECONDS, l->real_time);
        cells[4] = ws_result_count((uint64_t)l->src_pe);
        cells[5] = ws_result_count(l->src_lp);
        cells[6] = ws_result_count(l->dest_lp);
        cells[7] = ws_result_count(l->kp);
        cells[8] = ws_result_count(l->trigger);
        cells[9] = ws_result_count(tree->is_whole);
        cells[10] = ws_result_count(tree->rollbacks);
        cells[11] = ws_result_count(tree->depth);
        cells[12] = ws_result_count(tree->width);
        cells[13] = ws_result_count(tree->undone);
        cells[14] = seconds_or_none(r, tree->ns);
    }
}

void rollbacks_tables(struct ws_results *results, const struct rollbacks *r)
{
    totals_table(results, r);
    reasons_table(results, r);
    lateness_table(results, r);
    bounds_table(results, r);
    pes_table(results, r);
    types_table(results, r);
    kps_table(results, r);
    lps_table(results, r);
    sizes_table(results, r);
    largest_table(results, r);
}
