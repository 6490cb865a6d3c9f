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
#include "render/text.h"
#include "show/show.h"
#include "stats/pes.h"

#define LINES_SHOWN 8u /* if there are at most this many PEs, each has its own picture */
#define BAR_WIDTH   13u
#define PHASE_WIDTH 40

static const struct fmt_field *count_field(const struct ws_samples *s, uint32_t i)
{
    assert(i < s->counts.n);
    return &s->counts.schema->fields[s->counts.field[i]];
}

static bool is_ticks(const struct ws_samples *s, uint32_t i)
{
    return strcmp(count_field(s, i)->unit, "ticks") == 0;
}

static const char *rate_text(char to[WS_COUNT_MAX], uint64_t count, double per)
{
    return per > 0.0 ? ws_number_fit(to, (double)count / per, 16) : "";
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

/* Prints totals and rates, then a list of the counts that are 0. */
static void totals_print(FILE *out, const struct ws_samples *s)
{
    char words[64], total[WS_COUNT_MAX], wall[WS_COUNT_MAX], virtual[WS_COUNT_MAX];
    size_t column = 0;
    fprintf(out, "\n  %-22s %16s %16s %18s\n", "", "total", "per second", "per virtual time");
    for (uint32_t i = 0; i < s->counts.n; i++) {
        if (is_ticks(s, i) || s->sums[i] == 0) {
            continue;
        }
        ws_stats_words(words, sizeof words, count_field(s, i)->name);
        fprintf(out, "  %-22s %16s %16s %18s\n", words, ws_count_text(total, s->sums[i]),
                rate_text(wall, s->sums[i], s->span.wall),
                rate_text(virtual, s->sums[i], s->span.virtual));
    }
    if (s->has_efficiency) {
        uint64_t done = s->sums[ws_stats_count_find(&s->counts, "events_processed")];
        uint64_t undone = s->sums[ws_stats_count_find(&s->counts, "events_rolled_back")];
        if (done > 0) {
            fprintf(out, "  %-22s %14.2f %%\n", "efficiency",
                    ws_efficiency((double)done, (double)undone));
        }
    }
    collective_print(out, s);
    for (uint32_t i = 0; i < s->counts.n; i++) {
        if (!is_ticks(s, i) && s->sums[i] == 0) {
            ws_stats_words(words, sizeof words, count_field(s, i)->name);
            if (column == 0 || column + strlen(", ,") + strlen(words) > 80) {
                fputs(column == 0 ? "  none: " : ",\n        ", out);
                column = 8;
            } else {
                fputs(", ", out);
                column += 2;
            }
            column += (size_t)fprintf(out, "%s", words);
        }
    }
    if (column > 0) {
        fputc('\n', out);
    }
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
    char words[64], bar[WS_PLOT_BYTES(BAR_WIDTH)], time[WS_COUNT_MAX];
    double per_second = ws_stats_ticks_per_second(s->file->sb);
    for (uint32_t i = 0; i < s->counts.n; i++) {
        if (is_ticks(s, i)) {
            order[n][0] = s->sums[i];
            order[n++][1] = i;
            total += s->sums[i];
        }
    }
    if (total == 0) {
        return;
    }
    qsort(order, n, sizeof order[0], by_ticks);
    fprintf(out, "\n  where the time goes");
    if (per_second > 0.0) {
        fprintf(out, ", %s on %" PRIu64 " PE%s", ws_seconds_text(time, (double)total / per_second),
                s->pes.n + s->pes.left_out, s->pes.n + s->pes.left_out == 1 ? "" : "s");
    }
    const char *how = ws_fact(s->file->sb, "phase_times");
    fputs(how != NULL && strcmp(how, "sampled") == 0 ? " (estimated from one turn in 64)\n" : "\n",
          out);
    for (uint32_t i = 0; i < n && order[i][0] > 0; i++) {
        double part = (double)order[i][0] / (double)total;
        phase_words(words, sizeof words, count_field(s, (uint32_t)order[i][1]));
        ws_plot_bar(bar, part, BAR_WIDTH, utf8);
        fputs("  ", out);
        utf8_plain_column(out, words, PHASE_WIDTH);
        fprintf(out, " %5.1f %%  %s", 100.0 * part, bar);
        if (per_second > 0.0) {
            fprintf(out, " %12s", ws_seconds_text(time, (double)order[i][0] / per_second));
        }
        fputc('\n', out);
    }
}

static void dists_print(FILE *out, const struct ws_samples *s)
{
    if (s->gvt_wall.n + s->gvt_advance.n + s->ahead.n + s->queue.n == 0) {
        return;
    }
    fprintf(out, "\n  %-25s %12s %12s %12s %12s\n", "", "mean", "median", "90 % below", "largest");
    ws_stats_dist_text(out, "wall clock between GVTs", &s->gvt_wall, true);
    ws_stats_dist_text(out, "advance of GVT", &s->gvt_advance, false);
    ws_stats_dist_text(out, "KPs ahead of GVT", &s->ahead, false);
    ws_stats_dist_text(out, "pending events of a PE", &s->queue, false);
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
