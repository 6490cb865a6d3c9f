/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * fold.c - merges pairs of neighbouring rows of KPs, so that KPs with larger numbers have rows; see
 * report.h.
 */
#include <assert.h>
#include <string.h>

#include "report/report.h"

/* Adds up each pair of neighbouring rows of KPs, within each row of PEs. */
static void cells_fold(const struct report_places *p, double (*rows)[REPORT_CELLS])
{
    assert(p->pe_rows * p->kp_rows <= REPORT_KP_ROWS);
    double folded[REPORT_KP_ROWS][REPORT_CELLS] = {{0.0}};
    for (uint32_t r = 0; r < p->pe_rows * p->kp_rows; r++) {
        uint32_t to = r / p->kp_rows * p->kp_rows + r % p->kp_rows / 2;
        for (uint32_t i = 0; i < REPORT_CELLS; i++) {
            folded[to][i] += rows[r][i];
        }
    }
    memcpy(rows, folded, sizeof folded);
}

static void hits_fold(const struct report_places *p, struct report_hit row[REPORT_KP_ROWS])
{
    assert(p->pe_rows * p->kp_rows <= REPORT_KP_ROWS);
    struct report_hit folded[REPORT_KP_ROWS] = {{0, 0, 0}};
    for (uint32_t r = 0; r < p->pe_rows * p->kp_rows; r++) {
        uint32_t to = r / p->kp_rows * p->kp_rows + r % p->kp_rows / 2;
        folded[to].count += row[r].count;
        folded[to].secondary += row[r].secondary;
        folded[to].undone += row[r].undone;
    }
    memcpy(row, folded, sizeof folded);
}

void report_places_fold(struct report_run *run)
{
    struct report_places *p = &run->places;
    assert(p->kp_shift < 63);
    bool seen[REPORT_KP_ROWS] = {false};
    for (uint32_t r = 0; r < p->pe_rows * p->kp_rows; r++) {
        seen[r / p->kp_rows * p->kp_rows + r % p->kp_rows / 2] |= p->kp_seen[r];
    }
    memcpy(p->kp_seen, seen, sizeof seen);
    for (int c = 0; run->ahead.used && c < REPORT_CLOCKS; c++) {
        cells_fold(p, run->ahead.sum[c]);
        cells_fold(p, run->ahead.weight[c]);
    }
    for (uint32_t i = 0; run->events.hits != NULL && i < REPORT_CELLS; i++) {
        for (uint32_t from = 0; from <= p->pe_rows; from++) {
            hits_fold(p, run->events.hits[i][from]);
        }
    }
    p->kp_shift++;
}
