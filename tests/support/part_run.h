/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * part_run.h - consecutive simulations in one program, under any scheduler, on a communicator of
 * the test's choice; MPI belongs to the test.
 */
#ifndef WARPSCOPE_TESTS_PART_RUN_H
#define WARPSCOPE_TESTS_PART_RUN_H

#include "engine/probe.h"
#include "ross.h"

struct part_run {
    MPI_Comm comm;
    tw_synch synch;
    tw_lpid total_lps; /* distributed as evenly as possible over the ranks */
    size_t msg_bytes;
    tw_lptype *type;
    double end;
    double lookahead;
    const char *options[8]; /* more of them, then NULL */
    void (*before_run)(void);
};

/* Results of a run, over all ranks of its communicator. */
struct part_outcome {
    uint64_t net, committed, suspended, snapshots, snapshot_bytes, undone;
};

static inline tw_lpid part_local_lps(tw_lpid total, int rank, int size)
{
    return total / (tw_lpid)size + ((tw_lpid)rank < total % (tw_lpid)size ? 1 : 0);
}

/* Collective over comm. */
static inline struct part_outcome part_simulate(const struct part_run *run)
{
    char words[16][96] = {"part", "--quiet", "--phase-times=off"};
    char *args[17] = {words[0], words[1], words[2]};
    char **argv = args;
    int argc = 3, rank, size;
    for (int i = 0; run->options[i] != NULL; i++) {
        snprintf(words[argc], sizeof words[argc], "%s", run->options[i]);
        args[argc] = words[argc];
        argc++;
    }
    MPI_Comm_rank(run->comm, &rank);
    MPI_Comm_size(run->comm, &size);
    tw_comm_set(run->comm);
    tw_init(&argc, &argv);
    g_tw_synchronization_protocol = run->synch;
    g_tw_mapping = LINEAR;
    g_tw_ts_end = run->end;
    g_tw_lookahead = run->lookahead;
    g_tw_nkp = 3;
    tw_define_lps(part_local_lps(run->total_lps, rank, size), run->msg_bytes);
    for (tw_lpid i = 0; i < g_tw_nlp; i++) {
        tw_lp_settype(i, run->type);
    }
    if (run->before_run != NULL) {
        run->before_run();
    }
    tw_run();
    const struct tw_counters *c = pe_counters(g_tw_pe);
    uint64_t sums[6] = {c->events_processed - c->events_rolled_back,
                        c->events_committed,
                        c->events_suspended,
                        c->snapshots,
                        c->snapshot_bytes,
                        c->events_rolled_back};
    tw_end();
    MPI_Allreduce(MPI_IN_PLACE, sums, 6, MPI_UINT64_T, MPI_SUM, run->comm);
    return (struct part_outcome){sums[0], sums[1], sums[2], sums[3], sums[4], sums[5]};
}

#endif
