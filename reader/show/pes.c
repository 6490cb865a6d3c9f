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

static void header_print(FILE *out, const struct ws_pes_table *t)
{
    fprintf(out, "\n  %6s", "PE");
    for (uint32_t c = 0; c < t->n_columns; c++) {
        fprintf(out, " %*s", t->width, t->names[c]);
    }
    fputs(t->has_efficiency ? " efficiency\n" : "\n", out);
}

static void row_print(FILE *out, const struct ws_pes_table *t, uint32_t i)
{
    assert(i < t->pes->n);
    char number[WS_COUNT_MAX];
    const struct ws_stats_pe *pe = &t->pes->list[i];
    fprintf(out, "  %6" PRIu32, pe->pe);
    for (uint32_t c = 0; c < t->n_columns; c++) {
        fprintf(out, " %*s", t->width,
                ws_count_fit(number, pe->sums[t->counts[c]], (size_t)t->width));
    }
    if (t->has_efficiency && isnan(ws_pes_efficiency(t, i))) {
        fprintf(out, " %8s", "-"); /* the PE executed nothing */
    } else if (t->has_efficiency) {
        fprintf(out, " %8.2f %%", ws_pes_efficiency(t, i));
    }
    fputc('\n', out);
}

static void spread_print(FILE *out, const struct ws_pes_table *t)
{
    char texts[5][WS_COUNT_MAX];
    char title[32];
    snprintf(title, sizeof title, "%" PRIu32 " PEs", t->pes->n);
    fprintf(out, "\n  %-11s %10s %10s %10s %10s %10s %9s\n", title, "least", "10 % below", "median",
            "90 % below", "largest", "max/mean");
    for (uint32_t c = 0; c < t->n_columns; c++) {
        struct ws_spread s;
        if (!ws_pes_spread(&s, t, c) || s.largest == 0) {
            continue;
        }
        fprintf(out, "  %-11s %10s %10s %10s %10s %10s %9.3g\n", t->names[c],
                ws_count_fit(texts[0], s.least, 10), ws_count_fit(texts[1], s.tenth, 10),
                ws_count_fit(texts[2], s.median, 10), ws_count_fit(texts[3], s.ninetieth, 10),
                ws_count_fit(texts[4], s.largest, 10), s.imbalance);
    }
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

/* Prints the PEs that stand out, the worst first. Sorts them by insertion, since they are few. */
static void worst_print(FILE *out, const struct ws_pes_table *t)
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
    if (n > 0) {
        fprintf(out, "\n  PEs with %s %s:", t->has_efficiency ? "the lowest" : "most",
                t->has_efficiency ? "efficiency" : t->names[t->rank]);
        header_print(out, t);
    }
    for (uint32_t i = 0; i < n; i++) {
        row_print(out, t, worst[i]);
    }
    free(worst);
}

void ws_stats_pes_text(FILE *out, const struct ws_pes_table *t)
{
    if (t->pes->n < 2 || t->n_columns == 0) {
        return;
    }
    if (t->pes->n > ALL_SHOWN) {
        spread_print(out, t);
        worst_print(out, t);
    } else {
        header_print(out, t);
        for (uint32_t i = 0; i < t->pes->n; i++) {
            row_print(out, t, i);
        }
    }
    if (t->pes->left_out > 0) {
        fprintf(out, "  ... without %" PRIu64 " more PEs (choose with --pe)\n", t->pes->left_out);
    }
}
