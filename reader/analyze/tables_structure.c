/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * tables_structure.c - makes the tables of chains, offsets, destinations, shares of ranks, delays
 * and ties; see output.h.
 */
#include <math.h>

#include "analyze/output.h"

static void chains_make(struct ws_results *tables, const struct analyze *a)
{
    static const struct ws_result_column columns[] = {{"length", "length"},
                                                      {"local", "local"},
                                                      {"linked", "linked"},
                                                      {"global", "global"},
                                                      {NULL, NULL}};
    struct ws_result_table *t = ws_result_begin(tables, "chains", "lengths of chains", columns);
    t->n_text = 5;
    for (uint32_t length = 1; length <= ANALYZE_CHAIN_MAX; length++) {
        uint64_t any = 0;
        for (int k = 0; k < ANALYZE_CHAINS; k++) {
            any += a->chains[k].counts[length];
        }
        if (any == 0) {
            continue;
        }
        struct ws_result_cell *row = ws_result_row(tables, t);
        row[0] = length < ANALYZE_CHAIN_MAX
                     ? ws_result_count(length)
                     : ws_result_words(ws_result_text(tables, t, "%u+", length));
        for (int k = 0; k < ANALYZE_CHAINS; k++) {
            row[1 + k] = ws_result_count(a->chains[k].counts[length]);
        }
    }
}

static void chain_sums_make(struct ws_results *tables, const struct analyze *a)
{
    static const struct ws_result_column columns[] = {{"chain", "chains"},
                                                      {"chains", "number"},
                                                      {"mean_length", "mean length"},
                                                      {"longest", "longest"},
                                                      {NULL, NULL}};
    static const char *const names[ANALYZE_CHAINS] = {"local", "linked", "global"};
    struct ws_result_table *t =
        ws_result_begin(tables, "chain_sums", "chains of events of an LP", columns);
    t->note = "events that an LP could execute at once: local from itself before the chain,\n"
              "  linked from itself, global from any LP before the chain";
    for (int k = 0; k < ANALYZE_CHAINS; k++) {
        struct ws_result_cell *row = ws_result_row(tables, t);
        row[0] = ws_result_words(names[k]);
        row[1] = ws_result_count(a->chains[k].n);
        row[2] =
            ws_result_real(WS_RESULT_REAL, (double)a->events / fmax(1.0, (double)a->chains[k].n));
        row[3] = ws_result_count(a->chains[k].longest);
    }
}

static void offsets_make(struct ws_results *tables, const struct analyze *a)
{
    static const struct ws_result_column columns[] = {
        {"from_type", "from"},    {"to_type", "to"},          {"events", "events"},
        {"self", "to itself"},    {"least", "least"},         {"mean", "mean"},
        {"greatest", "greatest"}, {"lookahead", "lookahead"}, {NULL, NULL}};
    struct ws_result_table *t =
        ws_result_begin(tables, "offsets", "offsets of events, by types of LPs", columns);
    t->n_text = 20;
    for (uint32_t i = 0; i <= ANALYZE_TYPES_MAX; i++) {
        for (uint32_t k = 0; k <= ANALYZE_TYPES_MAX; k++) {
            const struct analyze_pair *pair = &a->pairs[i][k];
            if (pair->events == 0) {
                continue;
            }
            struct ws_result_cell *row = ws_result_row(tables, t);
            row[0] = ws_result_words(analyze_type_name(a, i));
            row[1] = ws_result_words(analyze_type_name(a, k));
            row[2] = ws_result_count(pair->events);
            row[3] = ws_result_real(WS_RESULT_SHARE, (double)pair->self / (double)pair->events);
            row[4] = ws_result_real(WS_RESULT_REAL, pair->min);
            row[5] = ws_result_real(WS_RESULT_REAL, pair->sum / (double)pair->events);
            row[6] = ws_result_real(WS_RESULT_REAL, pair->max);
            if (isfinite(pair->lookahead)) {
                row[7] = ws_result_real(WS_RESULT_REAL, pair->lookahead);
            }
        }
    }
}

static void destinations_make(struct ws_results *tables, const struct analyze *a)
{
    static const struct ws_result_column columns[] = {{"events_share", "events of an LP"},
                                                      {"least", "least"},
                                                      {"mean", "mean"},
                                                      {"median", "median"},
                                                      {"ninety", "90 % of LPs"},
                                                      {"most", "most"},
                                                      {NULL, NULL}};
    static const double parts[4] = {0.50, 0.75, 0.90, 0.95};
    struct ws_result_table *t =
        ws_result_begin(tables, "destinations", "LPs that get the events of an LP", columns);
    uint64_t senders = 0;
    for (uint64_t i = 0; i < a->n_lps; i++) {
        senders += a->more[i].sent > 0;
    }
    for (uint32_t part = 0; part < 4 && senders > 0; part++) {
        const uint64_t *p = a->parts[part];
        struct ws_result_cell *row = ws_result_row(tables, t);
        row[0] = ws_result_real(WS_RESULT_SHARE, parts[part]);
        row[1] = ws_result_count(p[0]);
        row[2] = ws_result_real(WS_RESULT_REAL, (double)p[4] / (double)senders);
        row[3] = ws_result_count(p[1]);
        row[4] = ws_result_count(p[2]);
        row[5] = ws_result_count(p[3]);
    }
}

static void shares_make(struct ws_results *tables, const struct analyze *a)
{
    static const struct ws_result_column columns[] = {
        {"ranks", "ranks"},         {"mapping", "mapping"},          {"local_share", "local"},
        {"remote_share", "remote"}, {"imbalance", "busiest / mean"}, {NULL, NULL}};
    struct ws_result_table *t = ws_result_begin(
        tables, "ranks", "events that stay on a rank, for other numbers of ranks", columns);
    for (uint32_t i = 0; i < a->n_shares; i++) {
        const struct analyze_share *s = &a->shares[i];
        double n = fmax(1.0, (double)(s->local + s->remote));
        struct ws_result_cell *row = ws_result_row(tables, t);
        row[0] = ws_result_count(s->ranks);
        row[1] = ws_result_words(s->is_block ? "block" : "round robin");
        row[2] = ws_result_real(WS_RESULT_SHARE, (double)s->local / n);
        row[3] = ws_result_real(WS_RESULT_SHARE, (double)s->remote / n);
        row[4] = ws_result_real(WS_RESULT_REAL, s->imbalance);
    }
}

static void delay_row(struct ws_results *tables, struct ws_result_table *t, const char *what,
                      const struct ws_histogram *h, enum ws_result_kind kind)
{
    if (h->n == 0) {
        return;
    }
    struct ws_result_cell *row = ws_result_row(tables, t);
    row[0] = ws_result_words(what);
    row[1] = ws_result_count(h->n);
    row[2] = ws_result_real(kind, ws_histogram_mean(h));
    row[3] = ws_result_real(kind, ws_histogram_quantile(h, 0.5));
    row[4] = ws_result_real(kind, ws_histogram_quantile(h, 0.9));
    row[5] = ws_result_real(kind, h->max);
}

static void delays_make(struct ws_results *tables, const struct analyze *a)
{
    static const struct ws_result_column columns[] = {
        {"what", ""},         {"events", "number"},     {"mean", "mean"},
        {"median", "median"}, {"ninety", "90 % below"}, {"most", "most"},
        {NULL, NULL}};
    struct ws_result_table *t =
        ws_result_begin(tables, "distributions", "from sending to execution", columns);
    delay_row(tables, t, "virtual time", &a->offsets, WS_RESULT_REAL);
    delay_row(tables, t, "wall clock, same rank", &a->local_delay, WS_RESULT_SECONDS);
    delay_row(tables, t, "wall clock, other rank", &a->remote_delay, WS_RESULT_SECONDS);
    delay_row(tables, t, "events of an LP", &a->skew, WS_RESULT_REAL);
}

static void ties_make(struct ws_results *tables, const struct analyze *a)
{
    static const struct ws_result_column columns[] = {
        {"what", NULL}, {"count", NULL}, {"events_share", NULL}, {NULL, NULL}};
    const struct analyze_ties *ties = &a->ties;
    const struct {
        const char *words;
        uint64_t n;
        bool is_events;
    } rows[] = {{"events at the time of another event", ties->events, true},
                {"events at the time of another event of their LP", ties->lp_events, true},
                {"times that several events have", ties->groups, false},
                {"most events at one time", ties->largest, false}};
    struct ws_result_table *t = ws_result_begin(tables, "ties", NULL, columns);
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct ws_result_cell *row = ws_result_row(tables, t);
        row[0] = ws_result_words(rows[i].words);
        row[1] = ws_result_count(rows[i].n);
        if (rows[i].is_events) {
            row[2] = ws_result_real(WS_RESULT_SHARE, (double)rows[i].n / (double)a->events);
        }
    }
}

void analyze_tables_structure(struct ws_results *tables, const struct analyze *a)
{
    chain_sums_make(tables, a);
    chains_make(tables, a);
    offsets_make(tables, a);
    destinations_make(tables, a);
    shares_make(tables, a);
    delays_make(tables, a);
    ties_make(tables, a);
}
