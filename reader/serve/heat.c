/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * heat.c - samples of PEs and KPs over the latest minutes; see serve.h. A row of several PEs or KPs has the
 * sums of all, and the largest level.
 */
#include <math.h>
#include <stdlib.h>

#include "access/bind.h"
#include "access/facts.h"
#include "report/report.h"
#include "serve/serve.h"

#define COLUMNS_FEW 15 /* columns that each event repeats; samples may come so many seconds late */

/* The sums of a cell: counts, ticks in the phase of waiting and in all, then levels, of which a cell has the
 * largest. */
enum { UNDONE, EXECUTED, LOST, COVERED, WAITING, TICKS, QUEUE, AHEAD };
static const char *const names[SERVE_SUMS] = {"undone",  "executed", "lost",  "covered",
                                              "waiting", "ticks",    "queue", "ahead"};

static uint32_t rows_of(const struct serve_heat *heat, bool of_kps)
{
    return heat->places.pe_rows * (of_kps ? heat->places.kp_rows : 1);
}

static struct serve_cell *cell_of(const struct serve_heat *heat, bool of_kps, uint32_t row,
                                  uint32_t column)
{
    return &heat->cells[(size_t)(of_kps ? rows_of(heat, false) + row : row) * SERVE_COLUMNS +
                        column % SERVE_COLUMNS];
}

static void heat_begin(struct serve_heat *heat, const struct top_run *run)
{
    double kps = ws_fact_number(run->files[0].live->sb, "kps_per_pe", (double)NAN);
    serve_heat_free(heat);
    heat->opened = run->opened;
    ws_places_init(&heat->places, run->model.n_pes, kps >= 1.0 && kps < 0x1p62 ? (uint64_t)kps : 0);
    heat->cells = calloc((size_t)(rows_of(heat, false) + rows_of(heat, true)) * SERVE_COLUMNS,
                         sizeof *heat->cells);
}

/* Adds a sample to a row. */
static void cell_add(struct serve_heat *heat, bool of_kps, uint32_t row, uint32_t column,
                     const double sums[SERVE_SUMS])
{
    struct serve_cell *cell = cell_of(heat, of_kps, row, column);
    if (cell->column < column) {
        *cell = (struct serve_cell){.column = column};
    }
    for (int i = 0; cell->column == column && i < SERVE_SUMS; i++) { /* it may be older than all */
        cell->sums[i] =
            i < QUEUE ? cell->sums[i] + (float)sums[i] : fmaxf(cell->sums[i], (float)sums[i]);
    }
}

/* Stores what a sample counts. Returns the sums that it has. */
static unsigned sample_read(double sums[SERVE_SUMS], const struct top_feed *feed,
                            const struct fmt_columns *c, uint32_t row)
{
    const int32_t fields[SERVE_SUMS] = {[UNDONE] = feed->counts[WS_UNDONE],
                                        [EXECUTED] = feed->counts[WS_PROCESSED],
                                        [LOST] = feed->counts[WS_LOST],
                                        [COVERED] = feed->counts[WS_COVERED],
                                        [WAITING] = -1,
                                        [TICKS] = -1,
                                        [QUEUE] = feed->queue,
                                        [AHEAD] = feed->ahead};
    unsigned known = 0;
    for (int i = 0; i < SERVE_SUMS; i++) {
        sums[i] = ws_number_at(c, fields[i], row);
        known |= (unsigned)(fields[i] >= 0) << i;
    }
    for (uint32_t i = 0; i < WS_PHASE_FIELDS; i++) {
        double ticks = ws_number_at(c, feed->phases[i], row);
        sums[TICKS] += ticks;
        sums[WAITING] += ws_phase_fields[i].phase == WS_PHASE_REST ? ticks : 0;
        known |= (feed->phases[i] >= 0 ? 3u : 0u) << WAITING; /* and all ticks */
    }
    return known;
}

void serve_heat_add(void *to, const struct top_run *run, const struct top_feed *feed,
                    const struct ws_live_rows *rows)
{
    struct serve_heat *heat = to;
    const bool of_kps = feed->of == TOP_OF_KPS;
    if (!feed->is_used || (feed->of != TOP_OF_PES && !of_kps)) {
        return;
    }
    if (heat->cells == NULL || heat->opened != run->opened) {
        heat_begin(heat, run);
    }
    for (uint32_t i = rows->first; heat->cells != NULL && i < rows->columns->n_records; i++) {
        double sums[SERVE_SUMS], at = ws_number_at(rows->columns, feed->real_time, i);
        uint32_t row = ws_pe_row(&heat->places, rows->pe);
        if (!(at >= 0 && at < 1e9) ||
            (feed->chain != NULL && feed->chain->n > 1 &&
             !(top_chain_share(feed->chain, feed->source, NAN, at) > 0))) {
            continue;
        }
        const uint32_t column = (uint32_t)at + 1;
        heat->known[of_kps] |= sample_read(sums, feed, rows->columns, i);
        heat->latest = column > heat->latest ? column : heat->latest;
        if (of_kps) { /* a PE is as far ahead as its farthest KP */
            const double ahead[SERVE_SUMS] = {[AHEAD] = sums[AHEAD]};
            heat->known[0] |= heat->known[1] & 1u << AHEAD;
            cell_add(heat, false, row, column, ahead);
            if (!ws_kp_row(&heat->places, rows->pe, ws_whole_at(rows->columns, feed->kp, i),
                           &row)) {
                continue;
            }
            heat->places.kp_seen[row] = true;
        }
        cell_add(heat, of_kps, row, column, sums);
    }
}

/* Writes the sums of PEs or KPs, each as an array of rows, in the order of the columns. */
static void sums_json(struct json_writer *json, const struct serve_heat *heat, bool of_kps,
                      uint32_t first)
{
    json_object_open(json, of_kps ? "kp_sums" : "pe_sums");
    for (int i = 0; i < SERVE_SUMS; i++) {
        if ((heat->known[of_kps] >> i & 1u) == 0) {
            continue;
        }
        json_array_open(json, names[i]);
        for (uint32_t row = 0; row < rows_of(heat, of_kps); row++) {
            double values[SERVE_COLUMNS];
            for (uint32_t c = first; c <= heat->latest; c++) {
                const struct serve_cell *cell = cell_of(heat, of_kps, row, c);
                values[c - first] = cell->column == c ? (double)cell->sums[i] : NAN;
            }
            if (!of_kps || heat->places.kp_seen[row]) {
                report_put_numbers(json, NULL, values, heat->latest + 1 - first, 4);
            }
        }
        json_array_close(json);
    }
    json_object_close(json);
}

void serve_heat_json(struct json_writer *json, const struct serve_heat *heat, bool whole)
{
    const uint32_t n = whole ? SERVE_COLUMNS : COLUMNS_FEW;
    const uint32_t first = heat->latest > n ? heat->latest - n + 1 : 1;
    if (heat->latest == 0) {
        return;
    }
    json_object_open(json, "heat");
    json_put_u64(json, "first", first - 1);
    report_pes_json(json, &heat->places);
    json_array_open(json, "kps");
    for (uint32_t row = 0; row < rows_of(heat, true); row++) {
        if (heat->places.kp_seen[row]) {
            report_kp_json(json, &heat->places, row);
        }
    }
    json_array_close(json);
    sums_json(json, heat, false, first);
    sums_json(json, heat, true, first);
    json_object_close(json);
}

void serve_heat_free(struct serve_heat *heat)
{
    free(heat->cells);
    *heat = (struct serve_heat){.latest = 0};
}
