/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * counts.c - prints statistics of samples and of event traces (struct ws_counted) as readable text, 80
 * columns wide.
 */
#include <assert.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "data/number.h"
#include "document/document.h"
#include "render/text.h"
#include "stats/stats.h"

#define TYPES_SHOWN  16u /* maximum number of rows in the table of LP types */
#define LINES_SHOWN  8u  /* if there are at most this many PEs, each has its own picture */
#define PES_SHOWN    16u /* if there are more PEs, the spread and those that stand out are shown */
#define LIST_COLUMNS 5u  /* maximum number of values in a row of a list */

/* Returns the heading of a count: a short form of its name, or the name as words. */
static const char *heading_of(struct doc *doc, const char *name)
{
    char words[64];
    for (uint32_t i = 0; i < WS_WORDS; i++) {
        if (strcmp(name, ws_words_of[i].name) == 0 && ws_words_of[i].heading != NULL) {
            return ws_words_of[i].heading;
        }
    }
    return doc_text(doc, "%.20s", ws_words(words, sizeof words, name)).as.text;
}

/* ---- Totals ---------------------------------------------------------------------------------- */

/* Prints the names of the totals that are not sums over the PEs, because all PEs count the same
 * collective action, those of the counts that are 0, and those of the counts that were not recorded. */
static void names_print(FILE *out, const struct ws_counted *v)
{
    static const char *const leads[] = {
        "  collective, of all PEs together: ", "  none: ", "  not recorded: "};
    char words[64];
    for (int l = 0; l < 3; l++) {
        struct doc_list list = {.out = out, .lead = leads[l]};
        for (uint32_t i = 0; i < v->counts.n; i++) {
            bool same = l == 0 && !v->is_trace && v->file->sb->layout.n_pes > 1 &&
                        v->counts.collective[i] && v->all.sums[i] > 0;
            bool zero = l > 0 && !v->counts.apart[i] && v->all.sums[i] == 0 &&
                        v->counts.unknown[i] == (l == 2);
            if (same || zero) {
                doc_list_add(&list, ws_words(words, sizeof words, v->counts.names[i]));
            }
        }
        doc_list_end(&list);
    }
}

static void totals_print(FILE *out, const struct ws_counted *v)
{
    char words[64];
    uint64_t net;
    struct doc doc = {.n = 0};
    struct doc_table *t = doc_totals(&doc);
    for (uint32_t i = 0; i < v->counts.n; i++) {
        if (!v->counts.apart[i] && v->all.sums[i] > 0) {
            ws_words(words, sizeof words, v->counts.names[i]);
            doc_total_row(t, words, v->all.sums[i], ws_view_span(v, i)->length[WS_WALL],
                          ws_view_span(v, i)->length[WS_VIRTUAL]);
        }
    }
    if (!v->is_trace && ws_net_remote(v, &net) && net > 0) {
        ws_words(words, sizeof words, "net_remote_events");
        doc_total_row(t, words, net, v->span.length[WS_WALL], v->span.length[WS_VIRTUAL]);
    }
    if (v->has_efficiency) {
        doc_row(t, doc_name("efficiency"),
                doc_measure(DOC_PERCENT, ws_view_efficiency(v, v->all.sums)));
    }
    doc_print_free(out, &doc);
    names_print(out, v);
}

/* ---- Over time ------------------------------------------------------------------------------- */

/* A picture over time shows one of the two counts, or the efficiency in per cent. */
enum what { FIRST, SECOND, EFFICIENCY };

/* Values of a picture. NaN (shown as a blank) stands for a bin without samples. */
struct values {
    double at[WS_STATS_BINS], low, high; /* low, high: range of the values */
    uint32_t below_zero;                 /* number of values */
    bool any;
};

static void values_of(struct values *to, const struct ws_counted *v, const struct ws_stats_pe *of,
                      enum what what)
{
    assert(v->axis.n <= WS_STATS_BINS);
    *to = (struct values){.low = 0.0};
    for (uint32_t i = 0; i < v->axis.n; i++) {
        double count = of->bins[what == SECOND][i];
        to->at[i] = what == EFFICIENCY ? ws_efficiency(of->bins[0][i], of->bins[1][i])
                    : count > 0        ? count
                                       : (double)NAN;
        to->below_zero += to->at[i] < 0.0;
    }
    to->any = ws_plot_range(to->at, v->axis.n, &to->low, &to->high);
}

static void scale_print(FILE *out, const struct ws_counted *v, enum what what,
                        const struct values *range)
{
    char from[WS_COUNT_MAX], to[WS_COUNT_MAX];
    double step = (v->axis.high - v->axis.low) / v->axis.n;
    if (what != EFFICIENCY) {
        fprintf(out, "  %-12s at most %s per %s\n", "", ws_number_text(to, range->high / step),
                v->axis.clock == WS_VIRTUAL ? "virtual time" : "second");
    } else if (!(range->low < range->high)) {
        fprintf(out, "  %-12s 0 %% to 100 %%: always %s %%\n", "",
                ws_number_text(from, range->low));
    } else {
        fprintf(out, "  %-12s 0 %% to 100 %%: lowest %s %%, highest %s %%", "",
                ws_number_text(from, range->low), ws_number_text(to, range->high));
        if (range->below_zero > 0) {
            fprintf(out, "; %" PRIu32 " below 0 %%", range->below_zero);
        }
        fputc('\n', out);
    }
}

/* Prints a picture of all PEs and, if there are few, one of each. Efficiencies have a common scale from
 * 0 % to 100 %. Counts have a scale from 0 to the largest count; single PEs then have one of their
 * own. */
static void picture_print(FILE *out, const struct ws_counted *v, enum what what, const char *words,
                          bool utf8)
{
    struct values all, one, each = {.any = false};
    bool percent = what == EFFICIENCY;
    bool few = v->pes.n > 1 && v->pes.n <= LINES_SHOWN && v->pes.left_out == 0;
    values_of(&all, v, &v->all, what);
    if (!all.any) {
        return;
    }
    for (uint32_t i = 0; few && !v->is_trace && i < v->pes.n; i++) {
        values_of(&one, v, &v->pes.list[i], what);
        if (one.any) {
            each.low = each.any ? fmin(each.low, one.low) : one.low;
            each.high = each.any ? fmax(each.high, one.high) : one.high;
            each.any = true;
        }
        each.below_zero += one.below_zero;
    }
    ws_plot_print(out, words, all.at, v->axis.n, 0.0, percent ? 100.0 : all.high, utf8);
    if (percent && each.any) {
        each.low = fmin(all.low, each.low);
        each.high = fmax(all.high, each.high);
        each.below_zero += all.below_zero;
    } else {
        scale_print(out, v, what, &all);
    }
    for (uint32_t i = 0; each.any && i < v->pes.n; i++) {
        char name[32];
        values_of(&one, v, &v->pes.list[i], what);
        snprintf(name, sizeof name, "PE %" PRIu32, v->pes.list[i].pe);
        ws_plot_print(out, name, one.at, v->axis.n, 0.0, percent ? 100.0 : each.high, utf8);
    }
    if (each.any) {
        scale_print(out, v, what, &each);
    }
}

/* Prints words, then the clock and the range of the axis, and the number and length of its bins. */
static void axis_print(FILE *out, const char *words, const struct ws_stats_axis *axis)
{
    const bool is_virtual = axis->clock == WS_VIRTUAL;
    char *(*text)(char *, double) = is_virtual ? ws_number_text : ws_seconds_text;
    char low[WS_COUNT_MAX], high[WS_COUNT_MAX], step[WS_COUNT_MAX];
    fprintf(out, "\n  %s over %s, %s to %s, %" PRIu32 " step%s of %s\n", words,
            is_virtual ? "virtual time" : "wall clock", text(low, axis->low),
            text(high, axis->high), axis->n, axis->n == 1 ? "" : "s",
            text(step, (axis->high - axis->low) / axis->n));
}

static void over_time_print(FILE *out, const struct ws_counted *v, bool utf8)
{
    const char *all = v->pes.n > 1 ? "all PEs" : "";
    char words[64];
    struct values first, second = {.any = false};
    /* Where nothing was undone, the efficiency has nothing to show. */
    enum what what = v->has_efficiency && v->all.sums[v->binned[1]] > 0 ? EFFICIENCY : FIRST;
    values_of(&first, v, &v->all, what);
    if (v->is_trace) {
        values_of(&second, v, &v->all, SECOND);
    }
    if (v->axis.n < 2 || !(first.any || second.any)) {
        return;
    }
    axis_print(out,
               v->is_trace          ? "records"
               : what == EFFICIENCY ? "efficiency"
                                    : ws_words(words, sizeof words, v->in_bins[0]),
               &v->axis);
    picture_print(out, v, what, v->is_trace ? v->in_bins[0] : all, utf8);
    if (v->is_trace) {
        picture_print(out, v, SECOND, v->in_bins[1], utf8);
    }
}

/* ---- Distributions --------------------------------------------------------------------------- */

static void dists_print(FILE *out, const struct ws_counted *v)
{
    struct doc doc = {.n = 0};
    struct doc_table *t =
        doc_table(&doc, "distributions", "", "what=|(n)|mean|median|90 % below|largest");
    for (uint32_t i = 0; i < v->n_dists; i++) {
        doc_dist_row(t, v->dist_names[i].words, &v->dists[i],
                     v->dist_names[i].is_time ? DOC_SECONDS : DOC_REAL);
    }
    doc_print_free(out, &doc);
}

/* Returns the name of a phase as the report of a run prints it: the beginning of the description of its
 * field. */
static struct doc_cell phase_words(struct doc *doc, const struct fmt_field *field)
{
    char words[64];
    const char *end = strstr(field->text, ", since last");
    return end == NULL || end == field->text
               ? doc_text(doc, "%s", ws_words(words, sizeof words, field->name))
               : doc_text(doc, "%.*s", (int)(end - field->text), field->text);
}

static void phases_print(FILE *out, const struct ws_counted *v, bool utf8)
{
    uint64_t order[WS_STATS_COUNTS_MAX][2], total = 0, pes = v->pes.n + v->pes.left_out;
    const struct ws_stats_counts *counts = &v->counts;
    const struct fmt_superblock *sb = v->file->sb;
    char time[WS_COUNT_MAX], title[160], on[80] = "";
    double per_second = ws_stats_ticks_per_second(sb);
    uint32_t n = 0;
    for (uint32_t i = 0; i < v->counts.n; i++) {
        if (v->counts.ticks[i]) {
            order[n][0] = v->all.sums[i];
            order[n++][1] = i;
            total += v->all.sums[i];
        }
    }
    qsort(order, n, sizeof order[0], ws_by_u64_down);
    if (per_second > 0.0) {
        snprintf(on, sizeof on, ", %s on %" PRIu64 " PE%s",
                 ws_seconds_text(time, (double)total / per_second), pes, pes == 1 ? "" : "s");
    }
    const char *how = ws_fact(sb, "phase_times");
    snprintf(title, sizeof title, "where the time goes%s%s", on,
             how != NULL && strcmp(how, "sampled") == 0 ? " (estimated from one turn in 64)" : "");
    struct doc doc = {.utf8 = utf8};
    struct doc_table *t = doc_table(&doc, "phases", title, "phase|share|bar=|time");
    for (uint32_t i = 0; i < n && order[i][0] > 0; i++) {
        struct doc_cell part = doc_share((double)order[i][0], (double)total);
        doc_row(t, phase_words(&doc, &v->primary->fields[counts->field[order[i][1]]]), part,
                doc_measure(DOC_BAR, part.as.real),
                doc_if(per_second > 0.0, doc_seconds((double)order[i][0] / per_second)));
    }
    doc_print_free(out, &doc);
}

/* Prints the processor time of all PEs together, and of the PE that lost the largest share. */
static void processors_print(FILE *out, const struct ws_counted *v)
{
    const struct ws_stats_pe *worst = v->pes.list;
    struct doc doc = {.n = 0};
    struct doc_table *t = doc_table(&doc, "processors", "processor time",
                                    "PE|program|system|lost|of its time|slept|had to stop|faults");
    for (uint32_t i = 1; i < v->pes.n; i++) {
        const struct ws_stats_pe *pe = &v->pes.list[i];
        worst = ws_view_lost(v, pe->sums) > fmax(0.0, ws_view_lost(v, worst->sums)) ? pe : worst;
    }
    for (int row = 0; ws_view_lost(v, v->all.sums) >= 0.0 && row < (v->pes.n > 1 ? 2 : 1); row++) {
        const uint64_t *sums = row == 0 ? v->all.sums : worst->sums;
        struct doc_cell *cells =
            doc_row(t, row == 0 ? doc_name("all") : doc_text(&doc, "%" PRIu32, worst->pe));
        for (uint32_t i = 1; i < WS_PROCESSOR_FIELDS; i++) {
            const uint64_t of = v->processor[i] < 0 ? 0 : sums[v->processor[i]];
            cells[i + (i > 3)] = i <= 3 ? doc_seconds(1e-9 * (double)of) : doc_count(of);
        }
        cells[4] = doc_measure(DOC_PERCENT, ws_view_lost(v, sums));
    }
    doc_print_free(out, &doc);
}

/* Prints the table of LP types. Payload descriptions with the same owner count as one LP type. */
static void types_print(FILE *out, const struct ws_counted *e)
{
    const struct fmt_desc_set *descs = &e->file->descs;
    struct doc doc = {.n = 0};
    struct doc_table *t = doc_table(&doc, "types", "", "type of LP|events|rollbacks");
    for (size_t d = 0; d <= descs->n && t->n_rows < TYPES_SHOWN; d++) {
        const char *owner = d < descs->n ? descs->descs[d].owner : "";
        uint64_t sums[2] = {0};
        bool seen = false;
        for (size_t k = 0; k <= descs->n; k++) {
            if (strcmp(owner, k < descs->n ? descs->descs[k].owner : "") == 0) {
                seen |= k < d;
                sums[0] += e->types[k][0];
                sums[1] += e->types[k][1];
            }
        }
        if (!seen && sums[0] + sums[1] > 0 && (descs->n > 0 || owner[0] != '\0')) {
            doc_row(t, doc_name(owner[0] != '\0' ? owner : "(not known)"),
                    doc_known(e->has_events, sums[0]), doc_known(e->has_rollbacks, sums[1]));
        }
    }
    doc_print_free(out, &doc);
}

/* ---- PEs ------------------------------------------------------------------------------------- */

static void spread_print(FILE *out, const struct ws_counted *v)
{
    char columns[128];
    struct doc doc = {.n = 0};
    snprintf(columns, sizeof columns,
             "%" PRIu32 " PEs|least|10 %% below|median|90 %% below|largest|max/mean", v->pes.n);
    struct doc_table *t = doc_table(&doc, "spread", "", columns);
    for (uint32_t c = 0; c < v->n_columns; c++) {
        struct ws_spread s;
        if (ws_view_spread(&s, v, v->columns[c]) && s.largest > 0) {
            doc_row(t, doc_name(heading_of(&doc, v->counts.names[v->columns[c]])),
                    doc_count(s.least), doc_count(s.tenth), doc_count(s.median),
                    doc_count(s.ninetieth), doc_count(s.largest), doc_real(s.imbalance));
        }
    }
    doc_print_free(out, &doc);
}

/* Returns true if PE a comes before PE b in the list of PEs that stand out. a, b: indices in the
 * table. A lower efficiency comes first; if both are equal or unknown, a larger count does. */
static bool stands_out(const struct ws_counted *v, uint32_t a, uint32_t b)
{
    assert(a < v->pes.n && b < v->pes.n);
    const uint64_t *first = v->pes.list[a].sums, *second = v->pes.list[b].sums;
    if (v->has_efficiency) {
        double x = ws_view_efficiency(v, first), y = ws_view_efficiency(v, second);
        if (x < y || x > y) {
            return x < y;
        }
    }
    return first[v->rank] > second[v->rank];
}

/* Prints a table of PEs: of all if they are few, otherwise of at most `top` that stand out, the worst
 * first. Sorts these by insertion. */
static void pes_print(FILE *out, const struct ws_counted *v, uint32_t top)
{
    bool few = v->pes.n <= PES_SHOWN;
    uint32_t most = few || top > v->pes.n ? v->pes.n : top, n = 0;
    uint32_t *order = v->pes.n < 2 || v->n_columns == 0 ? NULL : malloc((most + 1) * sizeof *order);
    struct doc doc = {.n = 0};
    struct doc_table *t = doc_table(&doc, "pes", "", "PE");
    for (uint32_t i = 0; order != NULL && i < v->pes.n; i++) {
        uint32_t at = n;
        for (; !few && at > 0 && stands_out(v, i, order[at - 1]); at--) {
            order[at] = order[at - 1];
        }
        order[at] = i;
        n += n < most;
    }
    for (uint32_t c = 0; c < v->n_columns; c++) {
        doc_column(t, v->counts.names[v->columns[c]],
                   heading_of(&doc, v->counts.names[v->columns[c]]));
    }
    doc_column(t, "efficiency", "efficiency");
    for (uint32_t i = 0; i < n; i++) {
        const struct ws_stats_pe *pe = &v->pes.list[order[i]];
        struct doc_cell *cells = doc_row(t, doc_number(pe->pe));
        for (uint32_t c = 0; c < v->n_columns; c++) {
            cells[1 + c] = doc_count(pe->sums[v->columns[c]]);
        }
        if (v->has_efficiency) {
            cells[1 + v->n_columns] = doc_measure(DOC_PERCENT, ws_view_efficiency(v, pe->sums));
        }
    }
    if (!few && order != NULL) {
        spread_print(out, v);
        t->title = v->has_efficiency ? "PEs with the lowest efficiency"
                                     : doc_text(&doc, "PEs with most %s",
                                                heading_of(&doc, v->counts.names[v->rank]))
                                           .as.text;
    }
    doc_print_free(out, &doc);
    if (v->pes.left_out > 0 && order != NULL) {
        fprintf(out, "  ... without %" PRIu64 " more PEs (choose with --pe)\n", v->pes.left_out);
    }
    free(order);
}

/* ---- KPs and LPs ----------------------------------------------------------------------------- */

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
 * the order of the list, then those with headings that are not 0 everywhere. Returns the number of
 * columns. */
static uint32_t list_columns(const struct ws_stats_list *list, uint32_t shown[LIST_COLUMNS])
{
    uint32_t n = 0;
    shown[n++] = 0;
    for (uint32_t w = 0; w < WS_WORDS; w++) {
        for (uint32_t i = 1; i < list->top.n_values && n < LIST_COLUMNS; i++) {
            if (strcmp(list->names[i], ws_words_of[w].name) == 0 &&
                ws_words_of[w].heading != NULL && !is_zero(&list->top, i)) {
                shown[n++] = i;
            }
        }
    }
    return n;
}

/* Prints the KPs or LPs in a list. what: "KP" or "LP". names: of the LPs; NULL for KPs. */
static void list_print(FILE *out, const struct ws_stats_list *list, const char *what,
                       const struct fmt_desc_set *names)
{
    uint32_t shown[LIST_COLUMNS], n = list_columns(list, shown);
    char words[64], number[WS_COUNT_MAX], title[160];
    const struct ws_top_k *top = &list->top;
    struct doc doc = {.n = 0};
    if (!list->used || top->n_winners == 0) {
        return;
    }
    ws_words(words, sizeof words, list->names[0]);
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
    for (uint32_t w = 0; w < top->n_winners && top->winners[w].values[0] > 0; w++) {
        const struct ws_top_k_entry *e = &top->winners[w];
        struct doc_cell *cells = doc_row(t, doc_number(e->group), ws_lp_cell(names, e->key));
        for (uint32_t i = 0; i < n; i++) {
            cells[2 + i] = doc_count(e->values[shown[i]]);
        }
        cells[2 + n] = doc_if(e->error > 0, doc_name("*"));
    }
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

void ws_counted_text(FILE *out, const struct ws_counted *v, const struct ws_stats_options *options)
{
    totals_print(out, v);
    over_time_print(out, v, options->utf8);
    if (!v->is_trace) {
        phases_print(out, v, options->utf8);
        processors_print(out, v);
    }
    dists_print(out, v);
    if (v->is_trace) {
        types_print(out, v);
    }
    pes_print(out, v, options->top);
    list_print(out, &v->kps, "KP", NULL);
    list_print(out, &v->lps, "LP", &v->file->descs);
}
