/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * report.c - sums of the counts of all cells. Counts are integers, so that their sums do not depend
 * on the number of ranks.
 */
#include "agents.h"

enum { VISITS, BIRTHS, STARVED, INFECTIONS, RECOVERIES, DESERTS, N_SUMS };

/* Sums over the cells of this rank. The final functions of cells add to them, because the model
 * cannot read states after tw_run(). */
static uint64_t local[N_SUMS];

void ag_report_add(void *state, tw_lp *lp)
{
    (void)lp;
    const struct ag_cell *c = state;
    local[VISITS] += c->visits;
    local[BIRTHS] += c->births;
    local[STARVED] += c->starved;
    local[INFECTIONS] += c->infections;
    local[RECOVERIES] += c->recoveries;
    local[DESERTS] += c->desert;
}

void ag_report_print(FILE *out)
{
    const struct ag_options *o = &ag_options;
    uint64_t sums[N_SUMS];
    MPI_Reduce(local, sums, N_SUMS, MPI_UINT64_T, MPI_SUM, 0, MPI_COMM_ROSS);
    if (!tw_ismaster()) {
        return;
    }
    uint64_t first = (uint64_t)o->width * o->height * o->agents;
    fprintf(out, "\nagents: after %g time units\n", g_tw_ts_end);
    fprintf(out, "  %-12s %12" PRIu64 "\n", "visits", sums[VISITS]);
    fprintf(out, "  %-12s %12" PRIu64 " agents, after %" PRIu64 " at the start\n", "born",
            sums[BIRTHS] - first, first);
    fprintf(out, "  %-12s %12" PRIu64 " agents\n", "starved", sums[STARVED]);
    fprintf(out, "  %-12s %12" PRIu64 " agents, of whom %" PRIu64 " got well\n", "infected",
            sums[INFECTIONS] + ROSS_MIN(o->infected, first), sums[RECOVERIES]);
    fprintf(out, "  %-12s %12" PRIu64 " cells of %u\n", "deserts", sums[DESERTS],
            o->width * o->height);
    fflush(out);
}
