/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * events.c - prints statistics of an event trace as readable text, 80 columns wide.
 */
#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "render/plot.h"
#include "render/text.h"
#include "show/show.h"
#include "stats/pes.h"

#define ROWS_SHOWN 16u /* maximum number of rows in the table of LP types */

static const char *rate_text(char to[WS_COUNT_MAX], uint64_t count, double per)
{
    return per > 0.0 ? ws_number_fit(to, (double)count / per, 16) : "";
}

static void totals_print(FILE *out, const struct ws_events *e)
{
    static const char *const words[WS_EVENTS_COUNTS] = {
        "events", "rollbacks", "events undone by them", "by cancelled events"};
    static const int order[] = {WS_EVENTS, WS_EVENTS_ROLLBACKS, WS_EVENTS_SECONDARY,
                                WS_EVENTS_UNDONE};
    char total[WS_COUNT_MAX], wall[WS_COUNT_MAX], virtual[WS_COUNT_MAX];
    fprintf(out, "\n  %-22s %16s %16s %18s\n", "", "total", "per second", "per virtual time");
    for (int k = 0; k < WS_EVENTS_COUNTS; k++) {
        int i = order[k];
        if (e->sums[i] > 0) {
            fprintf(out, "  %-22s %16s %16s %18s\n", words[i], ws_count_text(total, e->sums[i]),
                    rate_text(wall, e->sums[i], e->spans[i].wall),
                    rate_text(virtual, e->sums[i], e->spans[i].virtual));
        }
    }
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
    if (e->delay.n + e->late.n + e->undone.n == 0) {
        return;
    }
    fprintf(out, "\n  %-25s %12s %12s %12s %12s\n", "", "mean", "median", "90 % below", "largest");
    ws_stats_dist_text(out, "from send to receive time", &e->delay, false);
    ws_stats_dist_text(out, "stragglers came late by", &e->late, false);
    ws_stats_dist_text(out, "events undone at a time", &e->undone, false);
}

/* Prints the table of LP types. Payload descriptions with the same owner count as one LP type. */
static void types_print(FILE *out, const struct ws_events *e)
{
    const struct fmt_desc_set *descs = &e->file->descs;
    char number[WS_COUNT_MAX];
    uint32_t shown = 0;
    bool header = false;
    for (size_t d = 0; d <= descs->n && shown < ROWS_SHOWN; d++) {
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
        if (seen || sums[0] + sums[1] == 0 || (descs->n == 0 && owner[0] == '\0')) {
            continue;
        }
        if (!header) {
            fprintf(out, "\n  %-36s %14s %14s\n", "type of LP", "events", "rollbacks");
            header = true;
        }
        fputs("  ", out);
        utf8_plain_column(out, owner[0] != '\0' ? owner : "(not known)", 36);
        fprintf(out, " %14s", ws_count_fit(number, sums[0], 14));
        fprintf(out, " %14s\n", ws_count_fit(number, sums[1], 14));
        shown++;
    }
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
