/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * gvt_tokens.h - tokens that wander over the ranks, and an oracle with a view of all ranks.
 *
 * Executing a token makes none, one or more tokens at the same time or later, on any rank. Shared
 * memory counts the tokens of each time, pending or in transit; children are added before their
 * parent is removed. The true minimum is therefore known at any moment, it never decreases, and no
 * rank may have a GVT beyond it.
 */
#ifndef WARPSCOPE_TESTS_GVT_TOKENS_H
#define WARPSCOPE_TESTS_GVT_TOKENS_H

#include <stdatomic.h>

#include "support/hand_engine.h"
#include "support/mpi_seed.h"

#define SLOTS        4000 /* times are multiples of SLOT */
#define SLOT         0.25
#define RANKS_MAX    64
#define FORWARD_NONE UINT64_MAX

struct shared {
    _Atomic int64_t tokens[SLOTS + 1]; /* live tokens, by time */
    _Atomic int64_t rounds[RANKS_MAX]; /* rounds completed by each rank */
    _Atomic int64_t gvt_slot;          /* greatest GVT on any rank */
};

struct token {
    uint64_t random; /* determines its children: equal on any rank */
};

static uint64_t seed;
static MPI_Win window;
static struct shared *shared;
static unsigned bad;
static bool spawning;      /* true if tokens make tokens */
static tw_lpid forward_to; /* receiver of one more token by the next event, or FORWARD_NONE */
static uint64_t executed;

static int64_t slot_of(double ts)
{
    return ts < SLOTS * SLOT ? (int64_t)(ts / SLOT) : SLOTS;
}

static int64_t true_minimum(void)
{
    int64_t slot = 0;
    while (slot < SLOTS && shared->tokens[slot] == 0) {
        slot++;
    }
    return slot;
}

static void send_token(tw_lp *lp, tw_lpid dest, double offset, uint64_t number)
{
    tw_event *event = tw_event_new(dest, offset, lp);
    ((struct token *)tw_event_data(event))->random = number;
    shared->tokens[slot_of(tw_now(lp) + offset)]++;
    tw_event_send(event);
}

/* Returns 0, unless chains of 0 would become too long. */
static double chain_offset(const tw_lp *lp)
{
    return tw_now_sig(lp).tie_lineage_length < MAX_TIE_CHAIN ? 0.0 : SLOT;
}

static void on_token(void *state, tw_bf *bf, void *msg, tw_lp *lp)
{
    uint64_t random = ((struct token *)msg)->random;
    double now = tw_now(lp);
    (void)state;
    (void)bf;
    bad += now < lp->pe->GVT;
    bad += slot_of(now) < shared->gvt_slot; /* G3: beyond the GVT of any rank */
    bad += shared->tokens[slot_of(now)] <= 0;
    uint64_t children = spawning ? random_below(&random, 100) : 0;
    children = children < 11 ? 0 : children < 90 ? 1 : 2;
    for (uint64_t i = 0; i < children; i++) {
        bool far = random_below(&random, 20) == 0;
        double offset = SLOT * (double)random_below(&random, far ? 200 : 4);
        if (now + offset < (SLOTS - 1) * SLOT) {
            tw_lpid dest = random_below(&random, g_tw_total_lps);
            send_token(lp, dest, offset > 0.0 ? offset : chain_offset(lp), random_bits(&random));
        }
    }
    if (forward_to != FORWARD_NONE) {
        send_token(lp, forward_to, 0.0, 0);
        forward_to = FORWARD_NONE;
    }
    shared->tokens[slot_of(now)]--;
    executed++;
}

static tw_lptype type = {.event = on_token, .state_sz = 8};

static void make_tokens(struct pe *pe, unsigned n, uint64_t *random)
{
    pe->initialising = true;
    for (unsigned i = 0; i < n; i++) {
        tw_lpid dest = random_below(random, g_tw_total_lps);
        send_token(g_tw_lp[0], dest, SLOT * (double)random_below(random, SLOTS / 2),
                   random_bits(random));
    }
    pe->initialising = false;
}

/* All ranks get new tokens; no message is in transit. */
static struct pe *begin(unsigned n_tokens, uint64_t *random, uint64_t salt)
{
    struct pe *pe = hand_begin(3, sizeof(struct token), &type, 1, CONSERVATIVE, 1e9);
    pe->lookahead = 0.0;
    *random = seed ^ salt;
    for (int r = 0; r <= pe->comm.rank; r++) {
        *random = random_bits(random);
    }
    if (pe->comm.rank == 0) {
        for (int64_t i = 0; i <= SLOTS; i++) {
            shared->tokens[i] = 0;
        }
        for (int r = 0; r < RANKS_MAX; r++) {
            shared->rounds[r] = 0;
        }
        shared->gvt_slot = 0;
    }
    MPI_Barrier(MPI_COMM_WORLD);
    make_tokens(pe, n_tokens, random);
    MPI_Barrier(MPI_COMM_WORLD);
    bad = 0;
    executed = 0;
    spawning = true;
    forward_to = FORWARD_NONE;
    return pe;
}

/* Called at the end of a round on this rank. */
static void check_round(struct pe *pe, double gvt_before)
{
    double gvt = pe->head.GVT;
    int64_t slot = slot_of(gvt);
    bad += gvt < gvt_before; /* G1 */
    bad += true_minimum() < slot;
    int64_t known = shared->gvt_slot;
    while (known < slot && !atomic_compare_exchange_weak(&shared->gvt_slot, &known, slot)) {
    }
    int64_t mine = ++shared->rounds[pe->comm.rank];
    for (int r = 0; r < pe->comm.n_ranks; r++) { /* G2; other ranks may continue meanwhile */
        bad += shared->rounds[r] < mine - 1;
    }
}

static void whole_round(struct pe *pe)
{
    double before = pe->head.GVT;
    gvt_start(pe);
    while (!gvt_step(pe)) {
        engine_receive(pe);
    }
    check_round(pe, before);
}

/* Runs the tests of a program. Returns its exit status. */
static int tokens_run(int argc, char **argv, const char *name, const CU_TestInfo *tests, size_t n)
{
    int rank = 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Win_allocate_shared(rank == 0 ? sizeof *shared : 0, 1, MPI_INFO_NULL, MPI_COMM_WORLD,
                            &shared, &window);
    MPI_Aint size;
    int unit;
    MPI_Win_shared_query(window, 0, &size, &unit, &shared);
    seed = mpi_suite_seed(name, MPI_COMM_WORLD);
    int status = suite_run(name, tests, n);
    MPI_Win_free(&window);
    MPI_Finalize();
    return status;
}

#endif
