/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * places.c - assigns rows to PEs and KPs; merges pairs of neighbouring rows of KPs, so that KPs with
 * larger numbers have rows; see figures.h.
 */
#include <assert.h>
#include <string.h>

#include "figures/over_time.h"

void ws_places_init(struct ws_places *p, uint32_t n_pes, uint64_t kps_per_pe)
{
    assert(n_pes > 0);
    *p = (struct ws_places){.n_pes = n_pes, .kp_rows = 1};
    p->pes_per_row = (n_pes + WS_PE_ROWS - 1) / WS_PE_ROWS;
    p->pe_rows = (n_pes + p->pes_per_row - 1) / p->pes_per_row;
    while (2 * p->kp_rows * p->pe_rows <= WS_KP_ROWS) {
        p->kp_rows *= 2;
    }
    while (kps_per_pe > 0 && (kps_per_pe - 1) >> p->kp_shift >= p->kp_rows) {
        p->kp_shift++;
    }
}

/* Adds up each pair of neighbouring rows of KPs, within each row of PEs. */
static void cells_fold(const struct ws_places *p, double (*rows)[WS_CELLS])
{
    assert(p->pe_rows * p->kp_rows <= WS_KP_ROWS);
    double folded[WS_KP_ROWS][WS_CELLS] = {{0.0}};
    for (uint32_t r = 0; r < p->pe_rows * p->kp_rows; r++) {
        uint32_t to = r / p->kp_rows * p->kp_rows + r % p->kp_rows / 2;
        for (uint32_t i = 0; i < WS_CELLS; i++) {
            folded[to][i] += rows[r][i];
        }
    }
    memcpy(rows, folded, sizeof folded);
}

static void hits_fold(const struct ws_places *p, struct ws_hit row[WS_KP_ROWS])
{
    assert(p->pe_rows * p->kp_rows <= WS_KP_ROWS);
    struct ws_hit folded[WS_KP_ROWS] = {{0, 0, 0}};
    for (uint32_t r = 0; r < p->pe_rows * p->kp_rows; r++) {
        uint32_t to = r / p->kp_rows * p->kp_rows + r % p->kp_rows / 2;
        folded[to].count += row[r].count;
        folded[to].secondary += row[r].secondary;
        folded[to].undone += row[r].undone;
    }
    memcpy(row, folded, sizeof folded);
}

void ws_places_fold(struct ws_figures *run)
{
    struct ws_places *p = &run->places;
    assert(p->kp_shift < 63);
    bool seen[WS_KP_ROWS] = {false};
    for (uint32_t r = 0; r < p->pe_rows * p->kp_rows; r++) {
        seen[r / p->kp_rows * p->kp_rows + r % p->kp_rows / 2] |= p->kp_seen[r];
    }
    memcpy(p->kp_seen, seen, sizeof seen);
    for (int c = 0; run->ahead.used && c < WS_CLOCKS; c++) {
        cells_fold(p, run->ahead.sum[c]);
        cells_fold(p, run->ahead.weight[c]);
    }
    for (uint32_t i = 0; run->traffic.hits != NULL && i < WS_CELLS; i++) {
        for (uint32_t from = 0; from <= p->pe_rows; from++) {
            hits_fold(p, run->traffic.hits[i][from]);
        }
    }
    p->kp_shift++;
}
