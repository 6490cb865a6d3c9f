/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * words.c - prints the parts that several statistics share as readable text, 80 columns wide.
 */
#include <assert.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "render/plot.h"
#include "render/text.h"
#include "show/show.h"

#define LIST_COLUMNS 5 /* maximum number of values in a row of a list */

const char *ws_stats_words(char *to, size_t size, const char *name)
{
    snprintf(to, size, "%s", name);
    for (char *p = to; *p != '\0'; p++) {
        *p = *p == '_' ? ' ' : *p;
    }
    return to;
}

void ws_stats_nothing_text(FILE *out, const struct ws_select *select)
{
    fputs(ws_select_given(select) ? "  no records were chosen\n" : "  no records\n", out);
}

void ws_stats_dist_text(FILE *out, const char *words, const struct ws_histogram *d, bool seconds)
{
    char t[4][WS_COUNT_MAX];
    const double values[4] = {ws_histogram_mean(d), ws_histogram_quantile(d, 0.5),
                              ws_histogram_quantile(d, 0.9), d->max};
    if (d->n == 0) {
        return;
    }
    for (int i = 0; i < 4; i++) {
        if (seconds) {
            ws_seconds_text(t[i], values[i]);
        } else {
            ws_number_fit(t[i], values[i], 12);
        }
    }
    fprintf(out, "  %-25s %12s %12s %12s %12s\n", words, t[0], t[1], t[2], t[3]);
}

void ws_stats_line_text(FILE *out, const char *words, const double *values, uint32_t n, double low,
                        double high, bool utf8)
{
    assert(n <= WS_STATS_BINS);
    char line[WS_PLOT_BYTES(WS_STATS_BINS)];
    ws_plot_line(line, values, n, low, high, utf8);
    fprintf(out, "  %-12s %s\n", words, line);
}

void ws_stats_axis_text(FILE *out, const char *words, const struct ws_stats_axis *axis)
{
    char low[WS_COUNT_MAX], high[WS_COUNT_MAX], step[WS_COUNT_MAX];
    if (axis->virtual_time) {
        ws_number_text(low, axis->low);
        ws_number_text(high, axis->high);
        ws_number_text(step, (axis->high - axis->low) / axis->n);
    } else {
        ws_seconds_text(low, axis->low);
        ws_seconds_text(high, axis->high);
        ws_seconds_text(step, (axis->high - axis->low) / axis->n);
    }
    fprintf(out, "\n  %s over %s, %s to %s, %" PRIu32 " step%s of %s\n", words,
            axis->virtual_time ? "virtual time" : "wall clock", low, high, axis->n,
            axis->n == 1 ? "" : "s", step);
}

/* Returns true if the value with index `value` is 0 in all entries of the list. */
static bool is_zero(const struct ws_top_k *top, uint32_t value)
{
    assert(value < top->n_values);
    uint64_t most = 0;
    for (uint32_t w = 0; w < top->n_winners; w++) {
        most |= top->winners[w].values[value];
    }
    return most == 0;
}

/* Stores in shown the indices of the values that a list shows as columns: the value that determines
 * the order of the list, then those of `wanted` that are not 0 everywhere. Returns the number of
 * columns. */
static uint32_t list_columns(const struct ws_stats_list *list, uint32_t shown[LIST_COLUMNS])
{
    static const char *const wanted[] = {
        "total_rollbacks",  "secondary_rollbacks", "events_rolled_back",
        "events_processed", "rollbacks",           "events_undone",
        "events",           "secondary",           "events_aborted",
        "network_sends",    "remote_events",       "events_committed"};
    uint32_t n = 0;
    shown[n++] = 0;
    for (size_t w = 0; w < sizeof wanted / sizeof wanted[0]; w++) {
        for (uint32_t i = 1; i < list->top.n_values && n < LIST_COLUMNS; i++) {
            if (strcmp(list->names[i], wanted[w]) == 0 && !is_zero(&list->top, i)) {
                shown[n++] = i;
            }
        }
    }
    return n;
}

/* Prints the heading of a column, at most 11 characters: a short form of the name, or the name as
 * words. */
static void heading_print(FILE *out, const char *name)
{
    static const char *const short_for[][2] = {
        {"total_rollbacks", "rollbacks"},  {"secondary_rollbacks", "secondary"},
        {"events_rolled_back", "undone"},  {"events_processed", "executed"},
        {"events_committed", "committed"}, {"events_aborted", "aborted"},
        {"events_undone", "undone"},       {"network_sends", "sent msgs"},
        {"network_recvs", "received"},     {"remote_events", "sent away"}};
    char words[64];
    for (size_t i = 0; i < sizeof short_for / sizeof short_for[0]; i++) {
        name = strcmp(name, short_for[i][0]) == 0 ? short_for[i][1] : name;
    }
    ws_stats_words(words, sizeof words, name);
    fprintf(out, " %11.11s", words);
}

void ws_stats_list_text(FILE *out, const struct ws_stats_list *list, const char *what, bool with_pe)
{
    uint32_t shown[LIST_COLUMNS], n = list_columns(list, shown);
    char words[64], number[WS_COUNT_MAX];
    const struct ws_top_k *top = &list->top;
    if (!list->used || top->n_winners == 0) {
        return;
    }
    ws_stats_words(words, sizeof words, list->names[0]);
    if (is_zero(top, 0)) {
        fprintf(out, "\n  %ss with %s: none\n", what, words);
        return;
    }
    fprintf(out, "\n  %ss with the most %s, of %s\n", what, words,
            ws_count_text(number, top->keys));
    fprintf(out, "  %5s %10s", with_pe ? "PE" : "", what);
    for (uint32_t i = 0; i < n; i++) {
        heading_print(out, list->names[shown[i]]);
    }
    fputc('\n', out);
    for (uint32_t w = 0; w < top->n_winners && top->winners[w].values[0] > 0; w++) {
        const struct ws_top_k_entry *e = &top->winners[w];
        char pe[WS_COUNT_MAX] = "";
        if (with_pe) {
            snprintf(pe, sizeof pe, "%" PRIu64, e->group);
        }
        fprintf(out, "  %5s %10" PRIu64, pe, e->key);
        for (uint32_t i = 0; i < n; i++) {
            fprintf(out, " %11s", ws_count_fit(number, e->values[shown[i]], 11));
        }
        fputs(e->error > 0 ? " *\n" : "\n", out);
    }
    if (list->moved) {
        fprintf(out, "  Some %ss moved during the run: PE is their last one.\n", what);
    }
    if (top->error_most > 0) {
        fprintf(out,
                "  Not exact: %s more than %u %ss. Those with * may have more,\n"
                "  and one that is missing may have up to %s.\n",
                list->moved ? "there are" : "a PE has", WS_STATS_KEYS, what,
                ws_count_text(number, top->error_most));
    }
}
