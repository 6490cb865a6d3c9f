/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * events.c - prints statistics of an event trace as readable text, 80 columns wide.
 */
#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "render/plot.h"
#include "show/show.h"
#include "stats/pes.h"

#define ROWS_SHOWN 16u /* maximum number of rows in the table of LP types */

static void totals_print(FILE *out, const struct ws_events *e)
{
    static const char *const words[WS_EVENTS_COUNTS] = {
        "events", "rollbacks", "events undone by them", "by cancelled events"};
    static const int order[] = {WS_EVENTS, WS_EVENTS_ROLLBACKS, WS_EVENTS_SECONDARY,
                                WS_EVENTS_UNDONE};
    struct doc doc = {.n = 0};
    struct doc_table *t = ws_stats_totals_table(&doc);
    for (int k = 0; k < WS_EVENTS_COUNTS; k++) {
        int i = order[k];
        if (e->sums[i] > 0) {
            ws_stats_total_row(t, words[i], e->sums[i], &e->spans[i]);
        }
    }
    doc_print_free(out, &doc);
}

static void over_time_print(FILE *out, const struct ws_events *e, bool utf8)
{
    double values[WS_STATS_BINS], step = (e->axis.high - e->axis.low) / e->axis.n;
    char most[WS_COUNT_MAX];
    if (e->axis.n < 2) {
        return;
    }
    ws_stats_axis_text(out, "records", &e->axis);
    for (int b = 0; b < 2; b++) {
        double high = 0.0;
        for (uint32_t i = 0; i < e->axis.n; i++) {
            double count = (b ? e->bins.b : e->bins.a)[i];
            values[i] = count > 0.0 ? count : NAN;
            high = fmax(high, count);
        }
        if (high > 0.0) {
            ws_stats_line_text(out, b ? "rollbacks" : "events", values, e->axis.n, 0.0, high, utf8);
            fprintf(out, "  %-12s at most %s per second\n", "", ws_number_text(most, high / step));
        }
    }
}

static void dists_print(FILE *out, const struct ws_events *e)
{
    struct doc doc = {.n = 0};
    struct doc_table *t = ws_stats_dists_table(&doc);
    doc_dist_row(t, "from send to receive time", &e->delay, DOC_REAL);
    doc_dist_row(t, "stragglers came late by", &e->late, DOC_REAL);
    doc_dist_row(t, "events undone at a time", &e->undone, DOC_REAL);
    doc_print_free(out, &doc);
}

/* Prints the table of LP types. Payload descriptions with the same owner count as one LP type. */
static void types_print(FILE *out, const struct ws_events *e)
{
    const struct fmt_desc_set *descs = &e->file->descs;
    struct doc doc = {.n = 0};
    struct doc_table *t = doc_table(&doc, "types", "", "type of LP|events|rollbacks");
    for (size_t d = 0; d <= descs->n && t->n_rows < ROWS_SHOWN; d++) {
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
            doc_row(t, doc_name(owner[0] != '\0' ? owner : "(not known)"), doc_count(sums[0]),
                    doc_count(sums[1]));
        }
    }
    doc_print_free(out, &doc);
}

void ws_events_text(FILE *out, const struct ws_events *e, const struct ws_stats_options *options)
{
    if (e->sums[WS_EVENTS] + e->sums[WS_EVENTS_ROLLBACKS] == 0) {
        ws_stats_nothing_text(out, e->select);
        return;
    }
    totals_print(out, e);
    over_time_print(out, e, options->utf8);
    dists_print(out, e);
    types_print(out, e);
    struct ws_pes_table pes;
    ws_events_pes(&pes, e, options->top);
    ws_stats_pes_text(out, &pes);
    ws_stats_list_text(out, &e->kps, "KP", true);
    ws_stats_list_text(out, &e->lps, "LP", true);
}
