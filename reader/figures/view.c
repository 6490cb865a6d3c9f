/* SPDX-License-Identifier: BSD-3-Clause */
/* view.c - see view.h. */
#include "figures/view.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

void ws_view_samples(struct ws_stats_view *v, const struct ws_samples *s)
{
    static const char *const shown[WS_VIEW_COLUMNS] = {"events_processed", "events_rolled_back",
                                                       "total_rollbacks", "remote_events",
                                                       "events_committed"};
    assert(s->primary != NULL);
    *v = (struct ws_stats_view){
        .samples = s,
        .select = s->select,
        .records = s->records,
        .n = s->counts.n,
        .sums = s->sums,
        .span = &s->span,
        .spans = &s->span,
        .pes = &s->pes,
        .axis = &s->axis,
        .bins = &s->bins,
        .a = s->has_efficiency ? "events_processed" : "events_committed",
        .b = s->has_efficiency ? "events_rolled_back" : NULL,
        .processed = s->has_efficiency ? s->a : -1,
        .undone = s->has_efficiency ? s->b : -1,
        .dists = {{"seconds_between_gvts", "wall clock between GVTs", &s->gvt_wall, true},
                  {"advance_of_gvt", "advance of GVT", &s->gvt_advance, false},
                  {"time_ahead_gvt", "KPs ahead of GVT", &s->ahead, false},
                  {"pq_size", "pending events of a PE", &s->queue, false}},
        .n_dists = 4,
        .kps = &s->kps,
        .lps = &s->lps};
    for (uint32_t i = 0; i < v->n; i++) {
        const struct fmt_field *field = &s->counts.schema->fields[s->counts.field[i]];
        v->names[i] = field->name;
        v->ticks[i] = v->apart[i] = strcmp(field->unit, "ticks") == 0;
    }
    for (uint32_t i = 0; i < WS_PROCESSOR_FIELDS; i++) {
        v->processor[i] = ws_stats_count_find(&s->counts, ws_processor_fields[i]);
        if (v->processor[i] >= 0) {
            v->apart[v->processor[i]] = true;
        }
    }
    for (uint32_t c = 0; c < WS_VIEW_COLUMNS; c++) {
        int32_t count = ws_stats_count_find(&s->counts, shown[c]);
        if (count >= 0) {
            v->columns[v->n_columns++] = (uint32_t)count;
        }
    }
    v->rank = v->columns[0];
}

void ws_view_events(struct ws_stats_view *v, const struct ws_events *e)
{
    bool rollbacks = e->sums[WS_EVENTS_ROLLBACKS] > 0;
    *v = (struct ws_stats_view){
        .events = e,
        .select = e->select,
        .records = e->sums[WS_EVENTS] + e->sums[WS_EVENTS_ROLLBACKS],
        .n = WS_EVENTS_COUNTS,
        .sums = e->sums,
        .span = &e->span,
        .spans = e->spans,
        .has_spans = true,
        .pes = &e->pes,
        .axis = &e->axis,
        .bins = &e->bins,
        .a = ws_events_names[WS_EVENTS],
        .b = ws_events_names[WS_EVENTS_ROLLBACKS],
        .processed = -1,
        .undone = -1,
        .dists = {{"send_to_receive", "from send to receive time", &e->delay, false},
                  {"late_by", "stragglers came late by", &e->late, false},
                  {"undone_at_a_time", "events undone at a time", &e->undone, false}},
        .n_dists = 3,
        .kps = &e->kps,
        .lps = &e->lps,
        .columns = {WS_EVENTS, WS_EVENTS_ROLLBACKS, WS_EVENTS_SECONDARY, WS_EVENTS_UNDONE},
        .n_columns = rollbacks ? 4 : 1,
        .rank = rollbacks ? WS_EVENTS_UNDONE : WS_EVENTS};
    memset(v->processor, -1, sizeof v->processor);
    memcpy(v->names, ws_events_names, sizeof ws_events_names);
    for (int i = 0; i < WS_EVENTS_COUNTS; i++) {
        v->unknown[i] = i == WS_EVENTS ? !e->has_events : !e->has_rollbacks;
    }
}

bool ws_view_unknown(const struct ws_stats_view *v, const char *name)
{
    for (uint32_t i = 0; i < v->n; i++) {
        if (strcmp(v->names[i], name) == 0) {
            return v->unknown[i];
        }
    }
    return false;
}

bool ws_net_remote(const struct ws_samples *s, uint64_t *net)
{
    int32_t sent = ws_stats_count_find(&s->counts, "remote_events");
    int32_t anti = ws_stats_count_find(&s->counts, "anti_sends");
    bool known = sent >= 0 && anti >= 0 && s->sums[sent] >= s->sums[anti];
    *net = known ? s->sums[sent] - s->sums[anti] : 0;
    return known;
}

/* ---- Spread ---------------------------------------------------------------------------------- */

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

bool ws_view_spread(struct ws_spread *spread, const struct ws_stats_view *v, uint32_t count)
{
    assert(count < v->n);
    uint64_t *numbers = v->pes->n == 0 ? NULL : malloc(v->pes->n * sizeof *numbers);
    for (uint32_t i = 0; numbers != NULL && i < v->pes->n; i++) {
        numbers[i] = v->pes->list[i].sums[count];
    }
    if (numbers != NULL) {
        ws_spread_find(spread, numbers, v->pes->n);
    }
    free(numbers);
    return numbers != NULL;
}
