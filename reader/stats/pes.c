/* SPDX-License-Identifier: BSD-3-Clause */
/* pes.c - see pes.h. */
#include "stats/pes.h"

#include "data/cell.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>

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

double ws_pes_efficiency(const struct ws_pes_table *t, uint32_t i)
{
    assert(i < t->pes->n);
    const struct ws_stats_pe *pe = &t->pes->list[i];
    return ws_efficiency((double)pe->sums[t->counts[0]], (double)pe->sums[t->counts[1]]);
}

bool ws_pes_spread(struct ws_spread *spread, const struct ws_pes_table *t, uint32_t column)
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

void ws_stats_pes_spread_json(struct json_writer *json, const struct ws_pes_table *t)
{
    json_object_open(json, "spread");
    for (uint32_t c = 0; t->pes->n > 0 && c < t->n_columns; c++) {
        struct ws_spread s;
        if (!ws_pes_spread(&s, t, c)) {
            continue;
        }
        ws_put_object(
            json, t->fields[c], "least|percent_10|median|percent_90|largest|mean|imbalance",
            doc_count(s.least), doc_count(s.tenth), doc_count(s.median), doc_count(s.ninetieth),
            doc_count(s.largest), doc_real(s.mean), doc_real(s.imbalance));
    }
    json_object_close(json);
}

/* ---- Columns --------------------------------------------------------------------------------- */

void ws_samples_pes(struct ws_pes_table *t, const struct ws_samples *s, uint32_t top)
{
    static const char *const wanted[][2] = {{"events_processed", "executed"},
                                            {"events_rolled_back", "undone"},
                                            {"total_rollbacks", "rollbacks"},
                                            {"remote_events", "sent away"},
                                            {"events_committed", "committed"}};
    *t = (struct ws_pes_table){
        .pes = &s->pes, .has_efficiency = s->has_efficiency, .width = 11, .top = top};
    for (int i = 0; i < 5; i++) {
        int32_t count = ws_stats_count_find(&s->counts, wanted[i][0]);
        if (count >= 0) {
            t->fields[t->n_columns] = wanted[i][0];
            t->names[t->n_columns] = wanted[i][1];
            t->counts[t->n_columns++] = (uint32_t)count;
        }
    }
}

void ws_events_pes(struct ws_pes_table *t, const struct ws_events *e, uint32_t top)
{
    bool rollbacks = e->sums[WS_EVENTS_ROLLBACKS] > 0;
    *t = (struct ws_pes_table){
        .pes = &e->pes,
        .n_columns = rollbacks ? 4 : 1,
        .names = {"events", "rollbacks", "secondary", "undone"},
        .counts = {WS_EVENTS, WS_EVENTS_ROLLBACKS, WS_EVENTS_SECONDARY, WS_EVENTS_UNDONE},
        .rank = rollbacks ? 3 : 0,
        .width = 14,
        .top = top};
    for (uint32_t c = 0; c < t->n_columns; c++) {
        t->fields[c] = ws_events_names[t->counts[c]];
    }
}
