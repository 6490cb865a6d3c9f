/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * test_gvt_cut.c - when the cut at a time is made, each rank has all events that belong to it.
 *
 * Tokens make tokens by a rule that a recursion can follow. The number of tokens that cross the cut
 * (made before it, for a time after it) is therefore known. Ranks drive the engine by hand: they
 * poll, flush, execute and join rounds at random, so that messages are late, and sometimes execute
 * events past the cut. When the rounds report the cut, and no more messages arrive, the tokens
 * pending on all ranks must be exactly those.
 */
#include <sched.h>
#include <unistd.h>

#include "support/hand_engine.h"
#include "support/mpi_seed.h"

#define SLOT       0.25
#define LPS        3 /* per rank */
#define TOKENS_MAX 30

struct token {
    uint64_t random; /* decides about its children */
};

static uint64_t seed;

struct child {
    double ts;
    uint64_t dest;
    uint64_t random;
};

/* Stores the children of a token, at most two. */
static unsigned children_of(uint64_t random, double ts, uint64_t n_lps, struct child child[2])
{
    uint64_t kind = random_below(&random, 100);
    unsigned n = kind < 10 ? 0 : kind < 90 ? 1 : 2;
    for (unsigned i = 0; i < n; i++) {
        bool far = random_below(&random, 10) == 0;
        child[i].ts = ts + SLOT * (double)(1 + random_below(&random, far ? 60 : 4));
        child[i].dest = random_below(&random, n_lps);
        child[i].random = random_bits(&random);
    }
    return n;
}

static void on_token(void *state, tw_bf *bf, void *msg, tw_lp *lp)
{
    struct child child[2];
    double now = tw_now(lp);
    unsigned n = children_of(((struct token *)msg)->random, now, g_tw_total_lps, child);
    (void)state;
    (void)bf;
    for (unsigned i = 0; i < n; i++) {
        tw_event *event = tw_event_new(child[i].dest, child[i].ts - now, lp);
        ((struct token *)tw_event_data(event))->random = child[i].random;
        tw_event_send(event);
    }
}

static void undo_token(void *state, tw_bf *bf, void *msg, tw_lp *lp)
{
    (void)state;
    (void)bf;
    (void)msg;
    (void)lp;
}

static tw_lptype type = {.event = on_token, .revent = undo_token, .state_sz = 8};

/* Returns the number of tokens that cross the cut among this one and its descendants. */
static uint64_t crossing(uint64_t random, double ts, uint64_t n_lps, double cut)
{
    struct child child[2];
    uint64_t sum = 0;
    if (ts >= cut) {
        return 1;
    }
    unsigned n = children_of(random, ts, n_lps, child);
    for (unsigned i = 0; i < n; i++) {
        sum += crossing(child[i].random, child[i].ts, n_lps, cut);
    }
    return sum;
}

/* Sends the first tokens of this rank. Returns the number of them and their descendants that will
 * cross the cut. */
static uint64_t make_tokens(struct pe *pe, uint64_t *random, double cut)
{
    uint64_t sum = 0;
    pe->initialising = true;
    for (uint64_t n = 1 + random_below(random, TOKENS_MAX); n > 0; n--) {
        uint64_t number = random_bits(random);
        double ts = SLOT * (double)random_below(random, 40);
        tw_event *event = tw_event_new(random_below(random, g_tw_total_lps), ts, g_tw_lp[0]);
        ((struct token *)tw_event_data(event))->random = number;
        tw_event_send(event);
        sum += crossing(number, ts, g_tw_total_lps, cut);
    }
    pe->initialising = false;
    return sum;
}

/* Executes an event: one before the cut, or any if past is true. */
static bool step(struct pe *pe, bool past)
{
    const tw_event *next = pending_peek(pe->pending);
    return next != NULL && (past || next->recv_ts < pe->gvt.cut.at) && hand_step(pe);
}

static void reach_cut(struct pe *pe, uint64_t *random)
{
    uint64_t habits[4];
    for (int i = 0; i < 4; i++) {
        habits[i] = 1 + random_below(random, i == 3 ? 200 : 10);
    }
    while (pe->gvt.cut.rounds < GVT_CUT_ROUNDS) {
        if (random_below(random, habits[0]) == 0) {
            engine_receive(pe);
        }
        if (random_below(random, habits[1]) == 0) {
            transport_flush(pe->transport);
        }
        bool past = random_below(random, 20) == 0;
        for (uint64_t n = random_below(random, habits[2] * 3); n > 0 && step(pe, past); n--) {
        }
        if (random_below(random, habits[3]) == 0) {
            usleep((useconds_t)random_below(random, 300));
        } else {
            sched_yield();
        }
        if (!pe->gvt.in_round && random_below(random, 3) == 0) {
            gvt_start(pe);
        }
        if (pe->gvt.in_round && gvt_step(pe)) {
            CU_ASSERT(pe->head.GVT <= pe->gvt.cut.at);
            engine_fossil_collect(pe, pe->gvt.result.least);
        }
    }
}

struct count {
    double cut;
    uint64_t before, crossing;
};

static bool count_token(void *ctx, tw_event *event)
{
    struct count *count = ctx;
    count->before += event->recv_ts < count->cut;
    count->crossing += event->recv_ts >= count->cut && event->send_ts < count->cut;
    return true;
}

static void undo_all(struct pe *pe)
{
    for (tw_kpid k = 0; k < pe->n_kps; k++) {
        if (!kp_is_empty(&pe->kps[k])) {
            CU_ASSERT(kp_oldest(&pe->kps[k])->recv_ts >= pe->gvt.cut.at);
            engine_rollback_to(pe, &pe->kps[k], kp_oldest(&pe->kps[k]), PROBE_TRIGGER_RANDOM);
        }
    }
}

/* Executes nothing: after two rounds all messages have arrived. */
static void drain(struct pe *pe)
{
    gvt_cut_next(&pe->gvt, GVT_CUT_HOOK, INFINITY);
    for (int i = 0; i < 2; i++) {
        gvt_start(pe);
        while (!gvt_step(pe)) {
            engine_receive(pe);
        }
    }
}

static void cut_once(uint64_t salt)
{
    uint64_t random = seed ^ salt;
    double cut = SLOT * (double)(1 + random_below(&random, 200));
    struct pe *pe = hand_begin(LPS, sizeof(struct token), &type, 1, OPTIMISTIC, 1e9);
    for (int r = 0; r <= pe->comm.rank; r++) {
        random = random_bits(&random);
    }
    gvt_cut_next(&pe->gvt, GVT_CUT_HOOK, cut);
    uint64_t sums[3] = {make_tokens(pe, &random, cut), 0, 0};
    MPI_Barrier(MPI_COMM_WORLD);
    reach_cut(pe, &random);
    undo_all(pe);
    struct count count = {.cut = cut};
    CU_ASSERT(pending_each(pe->pending, count_token, &count));
    sums[1] = count.crossing;
    sums[2] = count.before;
    MPI_Allreduce(MPI_IN_PLACE, sums, 3, MPI_UINT64_T, MPI_SUM, MPI_COMM_WORLD);
    CU_ASSERT_EQUAL(sums[1], sums[0]);
    CU_ASSERT_EQUAL(sums[2], 0);
    CU_ASSERT_EQUAL(pe->head.GVT, cut);
    drain(pe);
    MPI_Barrier(MPI_COMM_WORLD);
    hand_end();
}

static void test_cuts(void)
{
    for (uint64_t round = 0; round < 100; round += suite_step(3)) {
        cut_once(1 + round);
    }
}

int main(int argc, char **argv)
{
    static const CU_TestInfo tests[] = {{"all that crosses the cut is there", test_cuts}};
    MPI_Init(&argc, &argv);
    seed = mpi_suite_seed("gvt_cut", MPI_COMM_WORLD);
    int status = suite_run("gvt_cut", tests, 1);
    MPI_Finalize();
    return status;
}
