/* SPDX-License-Identifier: BSD-3-Clause */
/* pes.c - prints statistics of PEs as a table; see pes.h. */
#include "stats/pes.h"

#include <assert.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

#include "render/plot.h"
#include "show/show.h"

/* Maximum number of PEs that are printed one by one. If there are more PEs, only the spread and the
 * worst PEs are printed. */
#define ALL_SHOWN 16u

static struct doc_table *table_begin(struct doc *doc, const struct ws_pes_table *t)
{
    struct doc_table *table = doc_table(doc, "pes", "", "PE");
    for (uint32_t c = 0; c < t->n_columns; c++) {
        doc_column(table, t->names[c], t->names[c]);
    }
    doc_column(table, "efficiency", "efficiency");
    return table;
}

static void row_add(struct doc_table *table, const struct ws_pes_table *t, uint32_t i)
{
    assert(i < t->pes->n);
    const struct ws_stats_pe *pe = &t->pes->list[i];
    struct doc_cell *cells = doc_row(table, doc_number(pe->pe));
    for (uint32_t c = 0; c < t->n_columns; c++) {
        cells[1 + c] = doc_count(pe->sums[t->counts[c]]);
    }
    if (t->has_efficiency) {
        cells[1 + t->n_columns] = doc_measure(DOC_PERCENT, ws_pes_efficiency(t, i));
    }
}

static void spread_print(FILE *out, const struct ws_pes_table *t)
{
    char columns[128];
    struct doc doc = {.n = 0};
    snprintf(columns, sizeof columns,
             "%" PRIu32 " PEs|least|10 %% below|median|90 %% below|largest|max/mean", t->pes->n);
    struct doc_table *table = doc_table(&doc, "spread", "", columns);
    for (uint32_t c = 0; c < t->n_columns; c++) {
        struct ws_spread s;
        if (ws_pes_spread(&s, t, c) && s.largest > 0) {
            doc_row(table, doc_name(t->names[c]), doc_count(s.least), doc_count(s.tenth),
                    doc_count(s.median), doc_count(s.ninetieth), doc_count(s.largest),
                    doc_real(s.imbalance));
        }
    }
    doc_print_free(out, &doc);
}

/* Returns true if PE a comes before PE b in the list of PEs that stand out. a, b: indices in the
 * table. A lower efficiency comes first; if both are equal or unknown, a larger count does. */
static bool stands_out(const struct ws_pes_table *t, uint32_t a, uint32_t b)
{
    assert(a < t->pes->n && b < t->pes->n);
    if (t->has_efficiency) {
        double x = ws_pes_efficiency(t, a), y = ws_pes_efficiency(t, b);
        if (x < y || x > y) {
            return x < y;
        }
    }
    uint32_t count = t->counts[t->rank];
    return t->pes->list[a].sums[count] > t->pes->list[b].sums[count];
}

/* Adds the PEs that stand out, the worst first. Sorts them by insertion, since they are few. */
static void worst_add(struct doc_table *table, const struct ws_pes_table *t)
{
    uint32_t most = t->top < t->pes->n ? t->top : t->pes->n, n = 0;
    uint32_t *worst = malloc((most + 1) * sizeof *worst);
    for (uint32_t i = 0; worst != NULL && i < t->pes->n; i++) {
        uint32_t at = n;
        while (at > 0 && stands_out(t, i, worst[at - 1])) {
            worst[at] = worst[at - 1];
            at--;
        }
        worst[at] = i;
        n += n < most;
    }
    for (uint32_t i = 0; i < n; i++) {
        row_add(table, t, worst[i]);
    }
    free(worst);
}

void ws_stats_pes_text(FILE *out, const struct ws_pes_table *t)
{
    if (t->pes->n < 2 || t->n_columns == 0) {
        return;
    }
    char title[80];
    struct doc doc = {.n = 0};
    struct doc_table *table = table_begin(&doc, t);
    if (t->pes->n > ALL_SHOWN) {
        spread_print(out, t);
        snprintf(title, sizeof title, "PEs with %s %s", t->has_efficiency ? "the lowest" : "most",
                 t->has_efficiency ? "efficiency" : t->names[t->rank]);
        table->title = title;
        worst_add(table, t);
    } else {
        for (uint32_t i = 0; i < t->pes->n; i++) {
            row_add(table, t, i);
        }
    }
    doc_print_free(out, &doc);
    if (t->pes->left_out > 0) {
        fprintf(out, "  ... without %" PRIu64 " more PEs (choose with --pe)\n", t->pes->left_out);
    }
}
