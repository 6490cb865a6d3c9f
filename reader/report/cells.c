/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * cells.c - writes rollbacks and communication as lists of cells; see report.h.
 *
 * Cells with the value 0 are omitted. If too many cells remain, neighbouring bins of time share
 * cells, and neighbouring KPs share rows.
 */
#include <assert.h>
#include <string.h>

#include "report/report.h"

#define VALUES_MAX 3

/* A table [bin][from][to] whose cells have n_values counts. add() adds the counts of a cell to
 * sums. */
struct table {
    const struct ws_traffic *events;
    void (*add)(const struct ws_traffic *e, uint32_t bin, uint32_t from, uint32_t to,
                uint64_t sums[VALUES_MAX]);
    uint32_t n_values, n_from, n_to;
    /* Number of neighbouring bins, and number of neighbouring receivers, that share a cell. */
    uint32_t step, fold;
};

static void hits_get(const struct ws_traffic *e, uint32_t bin, uint32_t from, uint32_t to,
                     uint64_t sums[VALUES_MAX])
{
    assert(bin < WS_CELLS && from <= WS_PE_ROWS && to < WS_KP_ROWS);
    const struct ws_hit *hit = &e->hits[bin][from][to];
    sums[0] += hit->count;
    sums[1] += hit->undone;
    sums[2] += hit->secondary;
}

static void traffic_get(const struct ws_traffic *e, uint32_t bin, uint32_t from, uint32_t to,
                        uint64_t sums[VALUES_MAX])
{
    assert(bin < WS_CELLS && from <= WS_PE_ROWS && to < WS_PE_ROWS);
    sums[0] += e->pes[bin][from][to];
}

static void types_get(const struct ws_traffic *e, uint32_t bin, uint32_t from, uint32_t to,
                      uint64_t sums[VALUES_MAX])
{
    assert(bin < WS_CELLS && from <= WS_TYPES && to <= WS_TYPES);
    sums[0] += e->types[bin][from][to];
}

/* Computes the counts of a shared cell. bin and `to` are the first bin and receiver that share it.
 * Returns false if the cell is empty. */
static bool cell_get(const struct table *t, uint32_t bin, uint32_t from, uint32_t to,
                     uint64_t sums[VALUES_MAX])
{
    assert(t->step > 0 && t->fold > 0);
    memset(sums, 0, VALUES_MAX * sizeof *sums);
    for (uint32_t b = bin; b < bin + t->step && b < WS_CELLS; b++) {
        for (uint32_t k = to; k < to + t->fold && k < t->n_to; k++) {
            t->add(t->events, b, from, k, sums);
        }
    }
    return sums[0] > 0;
}

/* Writes an array with each cell as [bin, from, to, counts...], unless json is NULL. from_index,
 * to_index: number to write for each sender and receiver. Returns the number of cells. */
static uint32_t cells_json(struct json_writer *json, const struct table *t,
                           const uint32_t *from_index, const uint32_t *to_index)
{
    uint64_t sums[VALUES_MAX];
    uint32_t n = 0;
    for (uint32_t bin = 0; bin < WS_CELLS; bin += t->step) {
        for (uint32_t from = 0; from < t->n_from; from++) {
            for (uint32_t to = 0; to < t->n_to; to += t->fold) {
                bool any = cell_get(t, bin, from, to, sums);
                n += any;
                if (any && json != NULL) {
                    const struct doc_cell cells[] = {doc_count(bin + (t->step - 1) / 2),
                                                     doc_count(from_index[from]),
                                                     doc_count(to_index[to / t->fold]),
                                                     doc_count(sums[0]),
                                                     doc_count(sums[1]),
                                                     doc_count(sums[2])};
                    json_array_open(json, NULL);
                    ws_cells_json(json, NULL, cells, 3 + t->n_values);
                    json_array_close(json);
                }
            }
        }
    }
    return n;
}

/* Sets t->step and t->fold so that there are at most max cells, if possible. First joins up to 6
 * bins, then up to fold_max receivers, then more bins. */
static void resolution_find(struct table *t, uint32_t fold_max, uint32_t max)
{
    static const uint32_t steps[] = {1, 2, 3, 6, 12, 20, 30, 60};
    size_t at = 0;
    t->step = t->fold = 1;
    while (cells_json(NULL, t, NULL, NULL) > max) {
        if (steps[at] < 6 || (t->fold >= fold_max && steps[at] < 60)) {
            t->step = steps[++at];
        } else if (t->fold < fold_max) {
            t->fold *= 2;
        } else {
            return;
        }
    }
}

/* ---- Rollbacks ------------------------------------------------------------------------------- */

/* Returns true if row `from` of the table has a cell that is not empty. */
static bool from_used(const struct table *t, uint32_t from)
{
    struct table all = *t;
    uint64_t sums[VALUES_MAX];
    all.step = WS_CELLS;
    all.fold = t->n_to;
    return cell_get(&all, 0, from, 0, sums);
}

void report_rollbacks_json(struct json_writer *json, struct ws_figures *run)
{
    const struct ws_counted *sums = ws_figures_file_of(run, FMT_STREAM_EVTRACE)->sums.counted;
    struct ws_places places = run->places;
    uint32_t from_index[WS_PE_ROWS + 1] = {0}, to_index[WS_KP_ROWS] = {0}, n = 0;
    struct table t = {.events = &run->traffic, .add = hits_get, .n_values = 3};
    t.n_from = places.pe_rows + 1;
    t.n_to = places.pe_rows * places.kp_rows;
    resolution_find(&t, places.kp_rows, REPORT_CELLS_MAX / run->n_runs);
    for (uint32_t fold = t.fold; fold > 1; fold /= 2) {
        places.kp_rows /= 2;
        places.kp_shift++;
    }
    json_array_open(json, "from");
    for (uint32_t from = 0; from < t.n_from; from++) {
        if (from_used(&t, from)) {
            from_index[from] = n++;
            report_pe_json(json, &places, from);
        }
    }
    json_array_close(json);
    json_array_open(json, "to");
    n = 0;
    for (uint32_t to = 0; to < places.pe_rows * places.kp_rows; to++) {
        bool seen = false;
        for (uint32_t k = to * t.fold; k < (to + 1) * t.fold; k++) {
            seen |= run->places.kp_seen[k];
        }
        if (seen) {
            to_index[to] = n++;
            report_kp_json(json, &places, to);
        }
    }
    json_array_close(json);
    json_put_u64(json, "cell_step", t.step);
    json_array_open(json, "cells");
    cells_json(json, &t, from_index, to_index);
    json_array_close(json);
    struct ws_bars bars = ws_bars_of(&sums->dists[WS_DIST_UNDONE], true);
    json_object_open(json, "lengths");
    report_dist_json(json, &sums->dists[WS_DIST_UNDONE], &bars);
    report_spread_json(json, &run->traffic.lengths, &bars, 1);
    json_object_close(json);
    uint64_t all = sums->all.sums[WS_EVENTS_ROLLBACKS],
             secondary = sums->all.sums[WS_EVENTS_SECONDARY];
    ws_put(json, "primary|secondary", doc_count(all - secondary), doc_count(secondary));
}

/* ---- Communication --------------------------------------------------------------------------- */

void report_traffic_json(struct json_writer *json, struct ws_figures *run)
{
    uint32_t max = REPORT_CELLS_MAX / run->n_runs;
    const struct ws_traffic *e = &run->traffic;
    uint32_t same[WS_PE_ROWS + 1];
    struct table pes = {.events = e, .add = traffic_get, .n_values = 1};
    struct table types = {.events = e, .add = types_get, .n_values = 1};
    /* Events from senders on unknown PEs are omitted. */
    pes.n_from = pes.n_to = run->places.pe_rows;
    types.n_from = types.n_to = WS_TYPES + 1;
    for (uint32_t i = 0; i <= WS_PE_ROWS; i++) {
        same[i] = i;
    }
    report_pes_json(json, &run->places);
    resolution_find(&pes, 1, max);
    json_put_u64(json, "cell_step", pes.step);
    json_array_open(json, "pe_cells");
    cells_json(json, &pes, same, same);
    json_array_close(json);
    same[WS_TYPES] = run->lps.types.n;
    json_array_open(json, "types");
    for (uint32_t i = 0; i < run->lps.types.n; i++) {
        json_put_string(json, NULL, run->lps.types.names[i]);
    }
    json_put_string(json, NULL, "not recorded");
    json_array_close(json);
    resolution_find(&types, 1, max);
    json_put_u64(json, "type_cell_step", types.step);
    json_put_u64(json, "unplaced", run->lps.unplaced);
    json_array_open(json, "type_cells");
    cells_json(json, &types, same, same);
    json_array_close(json);
}

void report_offsets_json(struct json_writer *json, struct ws_figures *run)
{
    const struct ws_counted *sums = ws_figures_file_of(run, FMT_STREAM_EVTRACE)->sums.counted;
    const struct ws_histogram *delay = &sums->dists[WS_DIST_DELAY];
    struct ws_bars bars = ws_bars_of(delay, false);
    report_dist_json(json, delay, &bars);
    report_spread_json(json, &run->traffic.offsets, &bars, 1);
    json_put_string(json, "unit", "virtual time");
    ws_put(json, "least|mean|largest", report_real(delay->min, 6),
           report_real(ws_histogram_mean(delay), 6), report_real(delay->max, 6));
}
