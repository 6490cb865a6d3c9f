/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * samples.c - prints statistics of samples as readable text, 80 columns wide.
 */
#include <assert.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "render/plot.h"
#include "show/show.h"
#include "stats/pes.h"

#define LINES_SHOWN 8u /* if there are at most this many PEs, each has its own picture */

static const struct fmt_field *count_field(const struct ws_samples *s, uint32_t i)
{
    assert(i < s->counts.n);
    return &s->counts.schema->fields[s->counts.field[i]];
}

static bool is_ticks(const struct ws_samples *s, uint32_t i)
{
    return strcmp(count_field(s, i)->unit, "ticks") == 0;
}

/* Prints the names of the totals that are not sums over the PEs, because all PEs count the same
 * collective action. */
static void collective_print(FILE *out, const struct ws_samples *s)
{
    char words[64];
    uint32_t n = 0;
    for (uint32_t i = 0; s->file->sb->layout.n_pes > 1 && i < s->counts.n; i++) {
        if (s->counts.collective[i] && s->sums[i] > 0) {
            ws_stats_words(words, sizeof words, count_field(s, i)->name);
            fprintf(out, "%s%s", n++ == 0 ? "  collective, of all PEs together: " : ", ", words);
        }
    }
    fputs(n > 0 ? "\n" : "", out);
}

/* Prints the names of the counts that are 0. */
static void zeros_print(FILE *out, const struct ws_samples *s)
{
    struct doc_list list = {.out = out, .lead = "  none: "};
    char words[64];
    for (uint32_t i = 0; i < s->counts.n; i++) {
        if (!is_ticks(s, i) && s->sums[i] == 0) {
            doc_list_add(&list, ws_stats_words(words, sizeof words, count_field(s, i)->name));
        }
    }
    doc_list_end(&list);
}

/* Prints totals and rates, then a list of the counts that are 0. */
static void totals_print(FILE *out, const struct ws_samples *s)
{
    char words[64];
    struct doc doc = {.n = 0};
    struct doc_table *t = ws_stats_totals_table(&doc);
    for (uint32_t i = 0; i < s->counts.n; i++) {
        if (!is_ticks(s, i) && s->sums[i] > 0) {
            ws_stats_words(words, sizeof words, count_field(s, i)->name);
            ws_stats_total_row(t, words, s->sums[i], &s->span);
        }
    }
    if (s->has_efficiency) {
        uint64_t done = s->sums[ws_stats_count_find(&s->counts, "events_processed")];
        uint64_t undone = s->sums[ws_stats_count_find(&s->counts, "events_rolled_back")];
        doc_row(t, doc_name("efficiency"),
                doc_measure(DOC_PERCENT, ws_efficiency((double)done, (double)undone)));
    }
    doc_print_free(out, &doc);
    collective_print(out, s);
    zeros_print(out, s);
}

/* ---- Counts over time ------------------------------------------------------------------------ */

/* Computes values[i], which a picture over time shows for bin i: the efficiency in per cent if it
 * is known, otherwise the count. NaN (shown as a blank) stands for a bin without samples. */
static void bins_values(const struct ws_samples *s, const struct ws_stats_bins *bins,
                        double *values)
{
    assert(s->axis.n <= WS_STATS_BINS);
    for (uint32_t i = 0; i < s->axis.n; i++) {
        values[i] = s->has_efficiency ? ws_efficiency(bins->a[i], bins->b[i])
                    : bins->a[i] > 0  ? bins->a[i]
                                      : NAN;
    }
}

/* Finds the smallest and the largest value in the bins of all PEs. Returns false if all bins are
 * empty. */
static bool pes_range(const struct ws_samples *s, double *low, double *high)
{
    double values[WS_STATS_BINS], own_low = 0.0, own_high = 0.0;
    bool any = false;
    for (uint32_t i = 0; i < s->pes.n; i++) {
        bins_values(s, &s->pes.list[i].bins, values);
        if (ws_plot_range(values, s->axis.n, &own_low, &own_high)) {
            *low = !any || own_low < *low ? own_low : *low;
            *high = !any || own_high > *high ? own_high : *high;
            any = true;
        }
    }
    return any;
}

static uint32_t count_below_zero(const double *values, uint32_t n)
{
    uint32_t below = 0;
    for (uint32_t i = 0; i < n; i++) {
        below += values[i] < 0.0;
    }
    return below;
}

/* Prints the scale of a picture. below: number of bins with an efficiency below 0 %. */
static void scale_print(FILE *out, const struct ws_samples *s, double low, double high,
                        uint32_t below)
{
    char from[WS_COUNT_MAX], to[WS_COUNT_MAX];
    double step = (s->axis.high - s->axis.low) / s->axis.n;
    if (s->has_efficiency && low == high) {
        fprintf(out, "  %-12s 0 %% to 100 %%: always %s %%\n", "", ws_number_text(from, low));
    } else if (s->has_efficiency) {
        fprintf(out, "  %-12s 0 %% to 100 %%: lowest %s %%, highest %s %%", "",
                ws_number_text(from, low), ws_number_text(to, high));
        if (below > 0) {
            fprintf(out, "; %" PRIu32 " below 0 %%", below);
        }
        fputc('\n', out);
    } else {
        fprintf(out, "  %-12s at most %s per %s\n", "", ws_number_text(to, high / step),
                s->axis.virtual_time ? "virtual time" : "second");
    }
}

/* Prints pictures over time. If the efficiency is known, they show it on a scale from 0 % to 100 %.
 * Otherwise they show counts on a scale from 0 to the largest count; pictures of single PEs then
 * have a scale of their own. */
static void over_time_print(FILE *out, const struct ws_samples *s, bool utf8)
{
    double values[WS_STATS_BINS], low = 0.0, high = 0.0, pe_low = 0.0, pe_high = 0.0;
    char words[80];
    uint32_t below = 0;
    bool with_pes = s->pes.n > 1 && s->pes.n <= LINES_SHOWN && s->pes.left_out == 0;
    bins_values(s, &s->bins, values);
    if (!ws_plot_range(values, s->axis.n, &low, &high) || s->axis.n < 2) {
        return;
    }
    with_pes = with_pes && pes_range(s, &pe_low, &pe_high);
    double top = s->has_efficiency ? 100.0 : high, pe_top = s->has_efficiency ? 100.0 : pe_high;
    if (s->has_efficiency && with_pes) {
        pe_low = fmin(low, pe_low);
        pe_high = fmax(high, pe_high);
    }
    below = count_below_zero(values, s->axis.n);
    ws_stats_axis_text(out, s->has_efficiency ? "efficiency" : "events committed", &s->axis);
    ws_stats_line_text(out, s->pes.n > 1 ? "all PEs" : "", values, s->axis.n, 0.0, top, utf8);
    if (!s->has_efficiency || !with_pes) {
        scale_print(out, s, low, high, below);
    }
    for (uint32_t i = 0; with_pes && i < s->pes.n; i++) {
        bins_values(s, &s->pes.list[i].bins, values);
        snprintf(words, sizeof words, "PE %" PRIu32, s->pes.list[i].pe);
        ws_stats_line_text(out, words, values, s->axis.n, 0.0, pe_top, utf8);
        below += count_below_zero(values, s->axis.n);
    }
    if (with_pes) {
        scale_print(out, s, pe_low, pe_high, below);
    }
}

/* ---- Distribution of time -------------------------------------------------------------------- */

static int by_ticks(const void *a, const void *b)
{
    const uint64_t *x = a, *y = b;
    return x[0] > y[0] ? -1 : x[0] < y[0];
}

/* Stores in `to` the name of a phase as the report of a run prints it, and returns `to`. That name
 * is the beginning of the description of the phase's field. */
static const char *phase_words(char *to, size_t size, const struct fmt_field *field)
{
    static const char tail[] = ", since last";
    const char *end = strstr(field->text, tail);
    if (end == NULL || end == field->text) {
        return ws_stats_words(to, size, field->name);
    }
    snprintf(to, size, "%.*s", (int)(end - field->text), field->text);
    return to;
}

static void cycles_print(FILE *out, const struct ws_samples *s, bool utf8)
{
    uint64_t order[WS_STATS_COUNTS_MAX][2], total = 0;
    uint32_t n = 0;
    char words[64], time[WS_COUNT_MAX], title[160], on[80] = "";
    double per_second = ws_stats_ticks_per_second(s->file->sb);
    for (uint32_t i = 0; i < s->counts.n; i++) {
        if (is_ticks(s, i)) {
            order[n][0] = s->sums[i];
            order[n++][1] = i;
            total += s->sums[i];
        }
    }
    qsort(order, n, sizeof order[0], by_ticks);
    uint64_t pes = s->pes.n + s->pes.left_out;
    if (per_second > 0.0) {
        snprintf(on, sizeof on, ", %s on %" PRIu64 " PE%s",
                 ws_seconds_text(time, (double)total / per_second), pes, pes == 1 ? "" : "s");
    }
    const char *how = ws_fact(s->file->sb, "phase_times");
    snprintf(title, sizeof title, "where the time goes%s%s", on,
             how != NULL && strcmp(how, "sampled") == 0 ? " (estimated from one turn in 64)" : "");
    struct doc doc = {.utf8 = utf8};
    struct doc_table *t = doc_table(&doc, "phases", title, "phase|share|bar=|time");
    for (uint32_t i = 0; i < n && order[i][0] > 0; i++) {
        struct doc_cell part = doc_share((double)order[i][0], (double)total);
        phase_words(words, sizeof words, count_field(s, (uint32_t)order[i][1]));
        doc_row(t, doc_text(&doc, "%s", words), part, doc_measure(DOC_BAR, part.as.real),
                doc_if(per_second > 0.0, doc_seconds((double)order[i][0] / per_second)));
    }
    doc_print_free(out, &doc);
}

static void dists_print(FILE *out, const struct ws_samples *s)
{
    struct doc doc = {.n = 0};
    struct doc_table *t = ws_stats_dists_table(&doc);
    doc_dist_row(t, "wall clock between GVTs", &s->gvt_wall, DOC_SECONDS);
    doc_dist_row(t, "advance of GVT", &s->gvt_advance, DOC_REAL);
    doc_dist_row(t, "KPs ahead of GVT", &s->ahead, DOC_REAL);
    doc_dist_row(t, "pending events of a PE", &s->queue, DOC_REAL);
    doc_print_free(out, &doc);
}

void ws_samples_text(FILE *out, const struct ws_samples *s, const struct ws_stats_options *options)
{
    if (s->primary == NULL || s->records == 0) {
        ws_stats_nothing_text(out, s->select);
        return;
    }
    totals_print(out, s);
    over_time_print(out, s, options->utf8);
    cycles_print(out, s, options->utf8);
    dists_print(out, s);
    struct ws_pes_table pes;
    ws_samples_pes(&pes, s, options->top);
    ws_stats_pes_text(out, &pes);
    ws_stats_list_text(out, &s->kps, "KP", true);
    ws_stats_list_text(out, &s->lps, "LP", true);
}
