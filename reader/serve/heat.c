/* SPDX-License-Identifier: BSD-3-Clause */
/* heat.c - the figures of PEs and KPs over the latest minutes; see state.h. */
#include <assert.h>
#include <math.h>
#include <stdlib.h>

#include "access/facts.h"
#include "report/report.h"
#include "serve/state.h"

#define HELD 5 /* number of columns for which a figure holds if no refresh came */

enum { UNDONE, LOST, WAITING, QUEUE, AHEAD, KP_AHEAD, KP_UNDONE, MAPS };

static const struct {
    enum top_entity of;
    const char *name, *words, *unit;
} maps[MAPS] = {
    [UNDONE] = {TOP_OF_PES, "undone", "undone, of those executed", "%"},
    [LOST] = {TOP_OF_PES, "lost", "lost to other threads", "%"},
    [WAITING] = {TOP_OF_PES, "waiting", "waiting and scheduling", "%"},
    [QUEUE] = {TOP_OF_PES, "queue", "pending events", "events"},
    [AHEAD] = {TOP_OF_PES, "ahead", "ahead of GVT", "virtual time"},
    [KP_AHEAD] = {TOP_OF_KPS, "kp_ahead", "ahead of GVT", "virtual time"},
    [KP_UNDONE] = {TOP_OF_KPS, "kp_undone", "undone lately", "events"},
};

/* Returns true if the records state the figures of a map. */
static bool is_known(const struct top_model *m, int map)
{
    bool kps = m->parts[TOP_OF_KPS].n > 0;
    return map == UNDONE      ? top_knows(m, TOP_OF_PES, WS_UNDONE)
           : map == LOST      ? top_knows(m, TOP_OF_PES, WS_LOST)
           : map == WAITING   ? m->has_phases
           : map == QUEUE     ? m->has_queue
           : map == KP_UNDONE ? kps && top_knows(m, TOP_OF_KPS, WS_UNDONE)
                              : kps && m->has_ahead;
}

static double figure_of(const struct top_model *m, int map, const struct top_part *part)
{
    const struct top_pe *pe = &m->pes[part->pe];
    double phases = map == WAITING ? top_phases_sum(pe) : 0;
    switch (map) {
    case UNDONE:
        return pe->processed > 0 ? fmin(100, 100 * part->recent / pe->processed) : NAN;
    case LOST:
        return ws_lost_share(pe->lost, pe->covered);
    case WAITING:
        return phases > 0 ? 100 * pe->phases[WS_PHASE_REST] / phases : NAN;
    case QUEUE:
        return (double)pe->queue;
    case KP_UNDONE:
        return part->recent;
    default:
        return part->ahead;
    }
}

static uint32_t rows_of(const struct serve_heat *heat, int map)
{
    return heat->places.pe_rows * (maps[map].of == TOP_OF_KPS ? heat->places.kp_rows : 1);
}

/* Returns the cells of a row. */
static float *row_of(const struct serve_heat *heat, int map, uint32_t row)
{
    size_t rows = row;
    for (int i = 0; i < map; i++) {
        rows += rows_of(heat, i);
    }
    return heat->cells + rows * SERVE_COLUMNS;
}

static void heat_begin(struct serve_heat *heat, const struct top_run *run, int64_t now)
{
    double kps = ws_fact_number(run->files[0].live->sb, "kps_per_pe", (double)NAN);
    serve_heat_free(heat);
    ws_places_init(&heat->places, run->model.n_pes, kps >= 1.0 && kps < 0x1p62 ? (uint64_t)kps : 0);
    size_t rows = (size_t)(row_of(heat, MAPS, 0) - heat->cells) / SERVE_COLUMNS;
    heat->cells = calloc(rows * SERVE_COLUMNS, sizeof *heat->cells);
    heat->followed = run->followed;
    heat->first = now;
    heat->latest = now - 1;
}

/* Sets a column to the figures of now; a row of several PEs or KPs has the largest. m NULL: none is
 * known. */
static void column_fill(struct serve_heat *heat, const struct top_model *m, int64_t column)
{
    const size_t at = (size_t)(column % SERVE_COLUMNS);
    for (int map = 0; map < MAPS; map++) {
        for (uint32_t row = 0; row < rows_of(heat, map); row++) {
            row_of(heat, map, row)[at] = NAN;
        }
        const size_t n = m != NULL && is_known(m, map) ? m->parts[maps[map].of].n : 0;
        for (size_t i = 0; i < n; i++) {
            const struct top_part *part = &m->parts[maps[map].of].list[i];
            uint32_t row = ws_pe_row(&heat->places, part->pe);
            if (m->pes[part->pe].elsewhere ||
                (maps[map].of == TOP_OF_KPS &&
                 !ws_kp_row(&heat->places, part->pe, part->kp, &row))) {
                continue;
            }
            if (maps[map].of == TOP_OF_KPS) {
                heat->places.kp_seen[row] = true;
            }
            float *cell = &row_of(heat, map, row)[at];
            *cell = fmaxf(*cell, (float)figure_of(m, map, part));
        }
    }
}

void serve_heat_tick(struct serve_heat *heat, const struct top_run *run)
{
    const struct top_model *m = &run->model;
    int64_t now = (int64_t)fmin(fmax(run->elapsed, 0), 1e12);
    if (run->n_files == 0 || run->state <= TOP_READING) {
        return;
    }
    /* The time of a run is an estimate until its records tell it: it may go back. */
    if (heat->cells == NULL || now + HELD < heat->latest || heat->followed != run->followed ||
        heat->places.n_pes != m->n_pes) {
        heat_begin(heat, run, now);
    }
    if (heat->cells == NULL) {
        return;
    }
    now = now < heat->latest ? heat->latest : now;
    int64_t c = heat->latest < now ? heat->latest + 1 : now;
    c = c < now - SERVE_COLUMNS + 1 ? now - SERVE_COLUMNS + 1 : c;
    for (; c <= now; c++) {
        column_fill(heat, c + HELD < now ? NULL : m, c);
    }
    heat->latest = now;
}

static void map_json(struct json_writer *json, const struct serve_heat *heat, int map, int64_t from)
{
    double values[SERVE_COLUMNS];
    const bool kps = maps[map].of == TOP_OF_KPS;
    json_object_open(json, NULL);
    ws_put(json, "of|name|words|unit", doc_name(kps ? "kps" : "pes"), doc_name(maps[map].name),
           doc_name(maps[map].words), doc_name(maps[map].unit));
    json_array_open(json, "cells");
    for (uint32_t row = 0; row < rows_of(heat, map); row++) {
        if (kps && !heat->places.kp_seen[row]) {
            continue;
        }
        for (int64_t c = from; c <= heat->latest; c++) {
            values[c - from] = (double)row_of(heat, map, row)[c % SERVE_COLUMNS];
        }
        report_put_numbers(json, NULL, values, (size_t)(heat->latest - from + 1), 4);
    }
    json_array_close(json);
    json_object_close(json);
}

void serve_heat_json(struct json_writer *json, const struct serve_heat *heat,
                     const struct top_run *run, int64_t from)
{
    const int64_t least = heat->latest - SERVE_COLUMNS + 1;
    if (heat->cells == NULL) {
        return;
    }
    from = from < heat->first ? heat->first : from;
    from = from < least ? least : from;
    json_object_open(json, "heat");
    json_put_u64(json, "first", (uint64_t)from);
    report_pes_json(json, &heat->places);
    json_array_open(json, "kps");
    for (uint32_t row = 0; row < rows_of(heat, KP_AHEAD); row++) {
        if (heat->places.kp_seen[row]) {
            report_kp_json(json, &heat->places, row);
        }
    }
    json_array_close(json);
    json_array_open(json, "maps");
    for (int map = 0; map < MAPS; map++) {
        if (is_known(&run->model, map)) {
            map_json(json, heat, map, from);
        }
    }
    json_array_close(json);
    json_object_close(json);
}

void serve_heat_free(struct serve_heat *heat)
{
    free(heat->cells);
    *heat = (struct serve_heat){.cells = NULL};
}
