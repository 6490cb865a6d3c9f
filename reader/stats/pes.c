/* SPDX-License-Identifier: BSD-3-Clause */
/* pes.c - see pes.h. */
#include "stats/pes.h"

#include <assert.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

#include "render/plot.h"

#define ALL_SHOWN 16u /* more PEs: the spread is printed instead */

static int by_number(const void *a, const void *b)
{
    const uint64_t *x = a, *y = b;
    return (*x > *y) - (*x < *y);
}

void ws_spread_find(struct ws_spread *s, uint64_t *numbers, size_t n)
{
    assert(n > 0);
    double sum = 0.0;
    qsort(numbers, n, sizeof *numbers, by_number);
    for (size_t i = 0; i < n; i++) {
        sum += (double)numbers[i];
    }
    *s = (struct ws_spread){.least = numbers[0],
                            .tenth = numbers[(n - 1) / 10],
                            .median = numbers[(n - 1) / 2],
                            .ninetieth = numbers[(n - 1) - (n - 1) / 10],
                            .largest = numbers[n - 1],
                            .mean = sum / (double)n};
    s->imbalance = sum > 0.0 ? (double)s->largest / s->mean : (double)NAN;
}

static double efficiency_of(const struct ws_pes_table *t, uint32_t i)
{
    assert(i < t->pes->n);
    const struct ws_stats_pe *pe = &t->pes->list[i];
    return ws_stats_efficiency((double)pe->sums[t->counts[0]], (double)pe->sums[t->counts[1]]);
}

/* Computes the spread of a column. Returns false if out of memory. */
static bool spread_of(const struct ws_pes_table *t, uint32_t column, struct ws_spread *spread)
{
    assert(column < t->n_columns);
    uint64_t *numbers = malloc(t->pes->n * sizeof *numbers);
    for (uint32_t i = 0; numbers != NULL && i < t->pes->n; i++) {
        numbers[i] = t->pes->list[i].sums[t->counts[column]];
    }
    if (numbers != NULL) {
        ws_spread_find(spread, numbers, t->pes->n);
    }
    free(numbers);
    return numbers != NULL;
}

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
    if (t->has_efficiency) {
        fprintf(out, " %8.2f %%", efficiency_of(t, i));
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
        if (!spread_of(t, c, &s) || s.largest == 0) {
            continue;
        }
        fprintf(out, "  %-11s %10s %10s %10s %10s %10s %9.3g\n", t->names[c],
                ws_count_fit(texts[0], s.least, 10), ws_count_fit(texts[1], s.tenth, 10),
                ws_count_fit(texts[2], s.median, 10), ws_count_fit(texts[3], s.ninetieth, 10),
                ws_count_fit(texts[4], s.largest, 10), s.imbalance);
    }
}

/* Returns true if PE number a is ranked before b. Of equals, the lower number is first. */
static bool stands_out(const struct ws_pes_table *t, uint32_t a, uint32_t b)
{
    if (t->has_efficiency) {
        double x = efficiency_of(t, a), y = efficiency_of(t, b);
        if (x < y || x > y) {
            return x < y;
        }
    }
    uint32_t count = t->counts[t->rank];
    return t->pes->list[a].sums[count] > t->pes->list[b].sums[count];
}

/* Prints the PEs that stand out, the worst first: by insertion, as they are few. */
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

void ws_stats_pes_spread_json(struct json_writer *json, const struct ws_pes_table *t)
{
    json_object_open(json, "spread");
    for (uint32_t c = 0; t->pes->n > 0 && c < t->n_columns; c++) {
        struct ws_spread s;
        if (!spread_of(t, c, &s)) {
            continue;
        }
        json_object_open(json, t->fields[c]);
        json_put_u64(json, "least", s.least);
        json_put_u64(json, "percent_10", s.tenth);
        json_put_u64(json, "median", s.median);
        json_put_u64(json, "percent_90", s.ninetieth);
        json_put_u64(json, "largest", s.largest);
        json_put_double(json, "mean", s.mean);
        json_put_double(json, "imbalance", s.imbalance);
        json_object_close(json);
    }
    json_object_close(json);
}
