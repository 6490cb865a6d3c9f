/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * totals.c - totals by PE, and by KP and LP, that several kinds of files have, and distributions over
 * time: lengths of rollbacks, offsets of events, durations of tasks; see figures.h.
 */
#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "data/known.h"
#include "data/number.h"
#include "figures/figures.h"
#include "store/array.h"

#define N_BUCKETS (WS_DIST_OCTAVES * WS_DIST_BUCKETS)

struct ws_stats_pe *ws_stats_pe_get(struct ws_stats_pes *pes, uint32_t pe)
{
    if (pes->last == pe + 1) {
        return pes->n > 0 && pes->list[pes->n - 1].pe == pe ? &pes->list[pes->n - 1] : NULL;
    }
    pes->last = pe + 1;
    if (pes->n == WS_STATS_PES_MAX ||
        !array_reserve(&pes->list, &pes->reserved, pes->n + 1u, sizeof *pes->list)) {
        pes->left_out++;
        return NULL;
    }
    memset(&pes->list[pes->n], 0, sizeof *pes->list);
    pes->list[pes->n].pe = pe;
    return &pes->list[pes->n++];
}

/* Returns true if the values of a field cannot be added up: they are not changes, or not unsigned
 * integers. Files before version 1.1 do not state measures; for them, name and role of the field
 * decide. */
static bool is_no_count(const struct fmt_field *field)
{
    if (field->measure != FMT_UNSTATED) {
        return field->measure != FMT_CHANGE || field->type > FMT_U64;
    }
    static const char *const names[] = {"kp", "lp", "sample", "pq_size", "kind"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        if (strcmp(field->name, names[i]) == 0) {
            return true;
        }
    }
    return field->role != FMT_ROLE_NONE || field->type > FMT_U64;
}

void ws_stats_counts_find(struct ws_stats_counts *counts, const struct fmt_schema *schema)
{
    *counts = (struct ws_stats_counts){.n = 0};
    for (uint32_t i = 0; i < schema->n_fields && counts->n < WS_STATS_COUNTS_MAX; i++) {
        const struct fmt_field *field = &schema->fields[i];
        if (!is_no_count(field)) {
            counts->names[counts->n] = field->name;
            counts->collective[counts->n] =
                strcmp(field->name, "num_gvt") == 0 || strcmp(field->name, "all_reduce_count") == 0;
            counts->ticks[counts->n] = counts->apart[counts->n] = strcmp(field->unit, "ticks") == 0;
            counts->field[counts->n++] = (int32_t)i;
        }
    }
}

int32_t ws_stats_count_find(const struct ws_stats_counts *counts, const char *name)
{
    assert(counts->n <= WS_STATS_COUNTS_MAX);
    for (uint32_t i = 0; i < counts->n; i++) {
        if (strcmp(counts->names[i], name) == 0) {
            return (int32_t)i;
        }
    }
    return -1;
}

void ws_list_init(struct ws_stats_list *list, const struct ws_stats_counts *counts,
                  const struct ws_stats_options *options, const char *const *usual)
{
    int32_t rank = -1;
    for (uint32_t i = 0; options->by != NULL && i < counts->n; i++) {
        ws_known_add(options->by_known, WS_STATS_BY_MAX, counts->names[i]);
        rank = strcmp(options->by, counts->names[i]) == 0 ? (int32_t)i : rank;
        *options->by_found |= rank >= 0;
    }
    for (; rank < 0 && *usual != NULL; usual++) {
        rank = ws_stats_count_find(counts, *usual);
    }
    if (rank < 0) {
        return;
    }
    /* The count that determines the order comes first. */
    list->field[0] = counts->field[rank];
    list->names[0] = counts->names[rank];
    uint32_t n = 1;
    for (uint32_t i = 0; i < counts->n && n < WS_TOP_VALUES_MAX; i++) {
        if ((int32_t)i != rank) {
            list->field[n] = counts->field[i];
            list->names[n++] = counts->names[i];
        }
    }
    ws_top_k_init(&list->top, n, 0, WS_STATS_KEYS, options->top);
    list->used = true;
}

bool ws_view_unknown(const struct ws_counted *c, const char *name)
{
    int32_t at = ws_stats_count_find(&c->counts, name);
    return at >= 0 && c->counts.unknown[at];
}

bool ws_net_remote(const struct ws_counted *s, uint64_t *net)
{
    int32_t sent = ws_stats_count_find(&s->counts, "remote_events");
    int32_t anti = ws_stats_count_find(&s->counts, "anti_sends");
    bool known = sent >= 0 && anti >= 0 && s->all.sums[sent] >= s->all.sums[anti];
    *net = known ? s->all.sums[sent] - s->all.sums[anti] : 0;
    return known;
}

bool ws_spread_find(struct ws_spread *s, const uint64_t *first, size_t stride, size_t n)
{
    double sum = 0.0;
    uint64_t *numbers = n == 0 ? NULL : malloc(n * sizeof *numbers);
    if (numbers == NULL) {
        return false;
    }
    for (size_t i = 0; i < n; i++) {
        memcpy(&numbers[i], (const char *)first + i * stride, sizeof *first);
        sum += (double)numbers[i];
    }
    qsort(numbers, n, sizeof *numbers, ws_by_u64);
    *s = (struct ws_spread){.least = numbers[0],
                            .tenth = numbers[(n - 1) / 10],
                            .median = numbers[(n - 1) / 2],
                            .ninetieth = numbers[(n - 1) - (n - 1) / 10],
                            .largest = numbers[n - 1],
                            .mean = sum / (double)n};
    s->imbalance = sum > 0.0 ? (double)s->largest / s->mean : (double)NAN;
    free(numbers);
    return true;
}

bool ws_view_spread(struct ws_spread *spread, const struct ws_counted *c, uint32_t count)
{
    assert(count < c->counts.n);
    return c->pes.n > 0 &&
           ws_spread_find(spread, &c->pes.list[0].sums[count], sizeof *c->pes.list, c->pes.n);
}

void ws_counted_free(struct ws_counted *c)
{
    if (c != NULL) {
        ws_top_k_free(&c->kps.top);
        ws_top_k_free(&c->lps.top);
        free(c->pes.list);
        free(c->types);
        free(c);
    }
}

/* ---- Distributions over time ----------------------------------------------------------------- */

struct ws_bars ws_bars_of(const struct ws_histogram *d, bool whole)
{
    uint32_t first = N_BUCKETS, last = 0;
    for (uint32_t i = 0; i < N_BUCKETS; i++) {
        if (d->buckets[i] > 0) {
            first = first == N_BUCKETS ? i : first;
            last = i;
        }
    }
    if (first == N_BUCKETS) {
        first = last = (uint32_t)-WS_DIST_LOWEST * WS_DIST_BUCKETS; /* the bucket that contains 1 */
    }
    uint32_t octaves = last / WS_DIST_BUCKETS - first / WS_DIST_BUCKETS + 1;
    uint32_t width = whole || octaves > 16 ? WS_DIST_BUCKETS : octaves > 4 ? 4 : 1;
    first -= first % width;
    return (struct ws_bars){first, width, (last - first) / width + 1};
}

bool ws_dists_init(struct ws_dists *d, uint32_t first, uint32_t n)
{
    assert(n > 0 && first + n <= N_BUCKETS);
    *d = (struct ws_dists){.first = first, .n = n};
    d->cells = calloc((size_t)WS_CELLS * (n + 1), sizeof *d->cells);
    return d->cells != NULL;
}

void ws_dists_free(struct ws_dists *d)
{
    free(d->cells);
    *d = (struct ws_dists){.cells = NULL};
}

void ws_dists_count(struct ws_dists *d, uint32_t bin, double v, int32_t at)
{
    assert(bin < WS_CELLS && v == v);
    uint32_t bucket = at < 0 ? d->n : (uint32_t)at - d->first;
    if (bucket > d->n || (at >= 0 && bucket == d->n)) {
        return;
    }
    d->least[bin] = d->counts[bin] == 0 || v < d->least[bin] ? v : d->least[bin];
    d->most[bin] = d->counts[bin] == 0 || v > d->most[bin] ? v : d->most[bin];
    d->sum[bin] += v;
    d->counts[bin]++;
    d->cells[bin * (d->n + 1) + bucket]++;
}
