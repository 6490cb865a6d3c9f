/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * words.c - prints the parts that several statistics share as readable text, 80 columns wide.
 */
#include <assert.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "render/plot.h"
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

struct doc_table *ws_stats_totals_table(struct doc *doc)
{
    return doc_table(doc, "totals", "", "what=|total|per second|per virtual time");
}

void ws_stats_total_row(struct doc_table *t, const char *words, uint64_t count,
                        const struct ws_stats_span *span)
{
    doc_row(t, doc_text(t->doc, "%s", words), doc_count(count),
            doc_if(span->wall > 0.0, doc_real((double)count / span->wall)),
            doc_if(span->virtual > 0.0, doc_real((double)count / span->virtual)));
}

struct doc_table *ws_stats_dists_table(struct doc *doc)
{
    return doc_table(doc, "distributions", "", "what=|(n)|mean|median|90 % below|largest");
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

/* Returns the heading of a column: a short form of the name, or the name as words. */
static const char *heading_of(struct doc *doc, const char *name)
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
    return doc_text(doc, "%.20s", ws_stats_words(words, sizeof words, name)).as.text;
}

static void list_rows(struct doc_table *t, const struct ws_top_k *top, const uint32_t *shown,
                      uint32_t n, bool with_pe)
{
    for (uint32_t w = 0; w < top->n_winners && top->winners[w].values[0] > 0; w++) {
        const struct ws_top_k_entry *e = &top->winners[w];
        struct doc_cell *cells =
            doc_row(t, doc_if(with_pe, doc_number(e->group)), doc_number(e->key));
        for (uint32_t i = 0; i < n; i++) {
            cells[2 + i] = doc_count(e->values[shown[i]]);
        }
        cells[2 + n] = doc_if(e->error > 0, doc_name("*"));
    }
}

void ws_stats_list_text(FILE *out, const struct ws_stats_list *list, const char *what, bool with_pe)
{
    uint32_t shown[LIST_COLUMNS], n = list_columns(list, shown);
    char words[64], number[WS_COUNT_MAX], title[160];
    const struct ws_top_k *top = &list->top;
    struct doc doc = {.n = 0};
    if (!list->used || top->n_winners == 0) {
        return;
    }
    ws_stats_words(words, sizeof words, list->names[0]);
    if (is_zero(top, 0)) {
        fprintf(out, "\n%ss with %s: none\n", what, words);
        return;
    }
    snprintf(title, sizeof title, "%ss with the most %s, of %s", what, words,
             ws_count_text(number, top->keys));
    struct doc_table *t = doc_table(&doc, "list", title, "PE");
    doc_column(t, what, what);
    for (uint32_t i = 0; i < n; i++) {
        doc_column(t, list->names[shown[i]], heading_of(&doc, list->names[shown[i]]));
    }
    doc_column(t, "error", "");
    list_rows(t, top, shown, n, with_pe);
    doc_print_free(out, &doc);
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
