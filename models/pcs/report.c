/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * report.c - sums of the counts of all cells. On each rank, the final function of each cell adds
 * the cell's counts to the sums; the PE's final function then adds up the sums of all ranks. Sums
 * are integers, with times in millionths of a time unit, so that they do not depend on the number
 * of ranks.
 */
#include "pcs.h"

#define TIME_PARTS 1e6

enum {
    CALLS,
    URGENT,
    BLOCKED,
    COMPLETED,
    CUT,
    HANDOVERS,
    DROPPED,
    MOVES,
    IN_USE,
    TIME,
    CHANNEL_TIME,
    FULL_TIME,
    N_SUMS
};

static uint64_t sums[N_SUMS];

void pcs_report_clear(tw_pe *pe)
{
    (void)pe;
    memset(sums, 0, sizeof sums);
}

void pcs_report_add(const struct pcs_counts *c)
{
    sums[CALLS] += c->calls;
    sums[URGENT] += c->urgent;
    sums[BLOCKED] += c->blocked;
    sums[COMPLETED] += c->completed;
    sums[CUT] += c->cut;
    sums[HANDOVERS] += c->handovers;
    sums[DROPPED] += c->dropped;
    sums[MOVES] += c->moves;
    sums[IN_USE] += c->in_use;
    for (unsigned i = 0; i <= pcs_options.channels; i++) {
        uint64_t time = (uint64_t)llround(c->busy_time[i] * TIME_PARTS);
        sums[TIME] += time;
        sums[CHANNEL_TIME] += i * time;
        sums[FULL_TIME] += i == pcs_options.channels ? time : 0;
    }
}

void pcs_report_reduce(tw_pe *pe)
{
    (void)pe;
    uint64_t own[N_SUMS];
    memcpy(own, sums, sizeof own);
    MPI_Reduce(own, sums, N_SUMS, MPI_UINT64_T, MPI_SUM, 0, MPI_COMM_ROSS);
}

static double share(uint64_t part, uint64_t whole)
{
    return whole > 0 ? (double)part / (double)whole : 0;
}

static void row_print(FILE *out, const char *name, uint64_t n, const char *of_what, uint64_t whole)
{
    fprintf(out, "  %-12s %12" PRIu64, name, n);
    if (of_what != NULL) {
        fprintf(out, "   %.4f of %s", share(n, whole), of_what);
    }
    fputc('\n', out);
}

void pcs_report_print(FILE *out)
{
    const struct pcs_options *o = &pcs_options;
    fprintf(out, "\npcs: after %g time units\n", g_tw_ts_end);
    row_print(out, "calls", sums[CALLS], NULL, 0);
    row_print(out, "urgent", sums[URGENT], "all", sums[CALLS]);
    row_print(out, "blocked", sums[BLOCKED], "all", sums[CALLS]);
    row_print(out, "completed", sums[COMPLETED], "all", sums[CALLS]);
    row_print(out, "cut", sums[CUT], "all", sums[CALLS]);
    row_print(out, "moves", sums[MOVES], NULL, 0);
    row_print(out, "handovers", sums[HANDOVERS], "moves", sums[MOVES]);
    row_print(out, "dropped", sums[DROPPED], "handovers", sums[HANDOVERS]);
    row_print(out, "in-progress", sums[IN_USE], NULL, 0);
    fprintf(out, "  %-12s %12.4f   of %u channels, mean over cells and time\n", "in-use",
            share(sums[CHANNEL_TIME], sums[TIME]), o->channels);
    fprintf(out, "  %-12s %12.4f   of the time all channels of a cell\n", "full",
            share(sums[FULL_TIME], sums[TIME]));
    fflush(out);
}
