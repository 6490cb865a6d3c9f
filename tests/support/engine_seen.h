/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * engine_seen.h - records of the calls of a run: to subscribers of the engine's streams, and to
 * hooks.
 *
 * Calls are counted by position, and commits are kept. Errors are counted in wrong.
 */
#ifndef WARPSCOPE_TESTS_ENGINE_SEEN_H
#define WARPSCOPE_TESTS_ENGINE_SEEN_H

#include <mpi.h>
#include <string.h>

#include "bus/sources/engine_stream.h"
#include "st.h"
#include "support/suite.h"

static uint64_t emitted[ST_POSITIONS]; /* to the speculative subscriber */
static uint64_t by_pe[ST_POSITIONS];   /* to hooks */
static uint64_t by_kp[ST_POSITIONS];
static uint64_t by_lp[ST_POSITIONS];
static uint64_t undone_by_rollbacks, fossils, wrong;

static inline st_position position_of(st_type type)
{
    for (unsigned p = 0; p < ST_POSITIONS; p++) {
        if (st_engine_type((st_position)p) == type) {
            return (st_position)p;
        }
    }
    wrong++;
    return ST_POS_COMMIT;
}

static inline void note_detail(st_position position, const void *detail)
{
    if (position == ST_POS_ROLLBACK_END) {
        undone_by_rollbacks += ((const st_rollback_info *)detail)->events_undone;
    } else if (position == ST_POS_FOSSILS) {
        fossils += ((const st_gvt_info *)detail)->events;
    }
}

static inline void on_speculative(const st_record *record, void *arg)
{
    st_position position = position_of(record->type);
    (void)arg;
    emitted[position]++;
    note_detail(position, record->data);
}

static inline void on_hook(const st_hook_context *context, void *arg)
{
    uint64_t *counts = arg;
    counts[context->position]++;
    wrong += context->detail == NULL;
    if (context->position == ST_POS_BEFORE_EVENT) {
        const st_event_info *info = context->detail;
        wrong +=
            context->item == NULL || info->recv_ts < context->ts || info->recv_ts > context->ts;
    }
}

/* A commit, as bytes for sorting. */
struct commit {
    uint64_t position;
    double ts;
    tw_lpid lp;
    uint64_t number;
    st_event_info info;
};
static struct commit *commits;
static size_t n_commits, commits_room;
static double last_committed;

static inline void on_committed(const st_record *record, void *arg)
{
    st_position position = position_of(record->type);
    struct commit c = {
        .position = position, .lp = record->lp, .ts = record->ts, .number = record->number};
    (void)arg;
    if (position == ST_POS_GVT_END) { /* its times are not the model's */
        return;
    }
    wrong += position != ST_POS_COMMIT && position != ST_POS_SEND && position != ST_POS_LP_INIT &&
             position != ST_POS_LP_FINAL;
    if (record->size == sizeof(c.info)) {
        memcpy(&c.info, record->data, sizeof(c.info));
        wrong += record->ts < last_committed;
        last_committed = record->ts;
        bool follows = n_commits > 0 && commits[n_commits - 1].position == ST_POS_COMMIT &&
                       memcmp(&commits[n_commits - 1].ts, &c.ts, 2 * sizeof(c.ts)) == 0;
        wrong += position == ST_POS_SEND && follows; /* sends come before their commit */
    }
    if (n_commits == commits_room) {
        commits_room = commits_room == 0 ? 1024 : 2 * commits_room;
        commits = realloc(commits, commits_room * sizeof(*commits));
    }
    commits[n_commits++] = c;
}

/* Clears the records before a run. */
static inline void seen_begin(void)
{
    memset(emitted, 0, sizeof(emitted));
    memset(by_pe, 0, sizeof(by_pe));
    memset(by_kp, 0, sizeof(by_kp));
    memset(by_lp, 0, sizeof(by_lp));
    undone_by_rollbacks = fossils = wrong = n_commits = 0;
    last_committed = 0.0;
}

static inline int compare(const void *a, const void *b)
{
    return memcmp(a, b, sizeof(struct commit));
}

/* Returns the n commits of all ranks, sorted. */
static inline struct commit *gather(MPI_Comm comm, size_t *n)
{
    int n_ranks, bytes[64], at[64];
    int mine = (int)(n_commits * sizeof(*commits));
    int total = 0;
    MPI_Comm_size(comm, &n_ranks);
    MPI_Allgather(&mine, 1, MPI_INT, bytes, 1, MPI_INT, comm);
    for (int i = 0; i < n_ranks; i++) {
        at[i] = total;
        total += bytes[i];
    }
    struct commit *all = malloc((size_t)total + 1);
    MPI_Allgatherv(commits, mine, MPI_BYTE, all, bytes, at, MPI_BYTE, comm);
    *n = (size_t)total / sizeof(*all);
    qsort(all, *n, sizeof(*all), compare);
    return all;
}

#endif
