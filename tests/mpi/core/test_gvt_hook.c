/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * test_gvt_hook.c - g_tw_gvt_hook is called as requested, at equal GVTs on all ranks, and once at
 * the end, under every scheduler. A request that is rolled back has no effect.
 */
#include "support/part_run.h"
#include "support/suite.h"

#define LPS      12
#define END_TIME 50.0
#define STEP     10.0

struct message {
    unsigned draws;
};

static uint64_t failures, calls, last_calls, requests_committed;
static double next_time, last_gvt;
static bool again;  /* true if the function requests its next call */
static bool exact;  /* true if it is called at given times */
static bool asking; /* true if LPs request calls */
static tw_stat every;

static void init(void *sv, tw_lp *lp)
{
    (void)sv;
    tw_event_send(tw_event_new(lp->gid, 0.5 + tw_rand_exponential(lp->rng, 1.0), lp));
}

static void event(void *sv, tw_bf *bf, void *msg, tw_lp *lp)
{
    struct message *m = msg;
    unsigned long before = lp->rng->count;
    tw_lpid dest = tw_rand_ulong(lp->rng, 0, LPS - 1);
    tw_event_send(tw_event_new(dest, 0.5 + tw_rand_exponential(lp->rng, 1.0), lp));
    bf->c0 = asking && tw_rand_unif(lp->rng) < 0.05;
    if (bf->c0) {
        tw_trigger_gvt_hook_now(lp);
    }
    m->draws = (unsigned)(lp->rng->count - before);
    ++*(uint64_t *)sv;
}

static void reverse(void *sv, tw_bf *bf, void *msg, tw_lp *lp)
{
    const struct message *m = msg;
    for (unsigned i = 0; i < m->draws; i++) {
        tw_rand_reverse_unif(lp->rng);
    }
    if (bf->c0) {
        tw_trigger_gvt_hook_now_rev(lp);
    }
    --*(uint64_t *)sv;
}

static void commit(void *sv, tw_bf *bf, void *msg, tw_lp *lp)
{
    (void)sv;
    (void)msg;
    (void)lp;
    requests_committed += bf->c0;
}

static tw_lptype type = {init, NULL, event, reverse, commit, NULL, NULL, sizeof(uint64_t)};

/* All ranks must agree on these values: they may communicate in the function. */
static void check_agreement(const tw_pe *pe)
{
    double range[2] = {pe->GVT, -pe->GVT};
    MPI_Allreduce(MPI_IN_PLACE, range, 2, MPI_DOUBLE, MPI_MAX, MPI_COMM_ROSS);
    failures += range[0] < -range[1] || range[0] > -range[1];
}

static void hook(tw_pe *pe, bool past_end_time)
{
    bool in_event = pe->cur_event != NULL && pe->cur_event != pe->abort_event;
    failures += pe != g_tw_pe || in_event || last_calls > 0;
    failures += pe->GVT < last_gvt;
    last_gvt = pe->GVT;
    check_agreement(pe);
    if (past_end_time) {
        last_calls++;
        return;
    }
    calls++;
    failures += pe->GVT >= END_TIME;
    failures += exact ? pe->GVT != next_time : pe->GVT < next_time;
    failures += every > 0 && g_tw_gvt_done % every != 0;
    while (again && next_time <= pe->GVT) {
        next_time += STEP;
    }
    if (again) {
        tw_trigger_gvt_hook_at(next_time);
    }
}

static void at_a_time(void)
{
    tw_trigger_gvt_hook_every(1); /* the later request takes effect */
    tw_trigger_gvt_hook_at(next_time);
}

static void every_third(void)
{
    every = 3;
    tw_trigger_gvt_hook_every(3);
}

static void unused(void)
{
}

struct outcome {
    uint64_t calls, last_calls, requests, gvts;
};

static tw_stat gvts_seen;

static void count_gvts(tw_pe *pe)
{
    (void)pe;
    gvts_seen = g_tw_gvt_done;
}

static const tw_petype pe_type = {.gvt = count_gvts};
static void (*set_trigger)(void);

static void before_run(void)
{
    tw_pe_settype(&pe_type);
    g_tw_gvt_hook = hook;
    set_trigger();
}

static struct outcome simulate(tw_synch synch, double first_time, void (*trigger)(void))
{
    struct part_run run = {.comm = synch == SEQUENTIAL || synch == SEQUENTIAL_ROLLBACK_CHECK
                                       ? MPI_COMM_SELF
                                       : MPI_COMM_WORLD,
                           .synch = synch,
                           .total_lps = LPS,
                           .msg_bytes = sizeof(struct message),
                           .type = &type,
                           .end = END_TIME,
                           .lookahead = 0.5,
                           .options = {"--random-rollbacks=3", "--gvt-interval=1"},
                           .before_run = before_run};
    failures = calls = last_calls = requests_committed = gvts_seen = 0;
    next_time = first_time;
    last_gvt = -1.0;
    set_trigger = trigger;
    exact = trigger == at_a_time;
    part_simulate(&run);
    uint64_t requests = requests_committed;
    MPI_Allreduce(MPI_IN_PLACE, &requests, 1, MPI_UINT64_T, MPI_SUM, run.comm);
    CU_ASSERT_EQUAL(failures, 0);
    g_tw_gvt_hook = NULL;
    every = 0;
    return (struct outcome){calls, last_calls, requests, gvts_seen};
}

static const tw_synch schedulers[] = {SEQUENTIAL, SEQUENTIAL_ROLLBACK_CHECK, CONSERVATIVE,
                                      OPTIMISTIC, OPTIMISTIC_REALTIME};
#define N_SCHEDULERS (sizeof schedulers / sizeof *schedulers)

static void test_at(void)
{
    again = false;
    for (size_t i = 0; i < N_SCHEDULERS; i++) {
        struct outcome o = simulate(schedulers[i], 20.0, at_a_time);
        CU_ASSERT_EQUAL(o.calls, 1);
        CU_ASSERT_EQUAL(o.last_calls, 1);
    }
}

static void test_at_again(void)
{
    again = true;
    for (size_t i = 0; i < N_SCHEDULERS; i++) {
        struct outcome o = simulate(schedulers[i], STEP, at_a_time);
        CU_ASSERT_EQUAL(o.calls, 4); /* 10, 20, 30, 40 */
        CU_ASSERT_EQUAL(o.last_calls, 1);
    }
    again = false;
}

static void test_after_the_end(void)
{
    for (size_t i = 0; i < N_SCHEDULERS; i++) {
        struct outcome o = simulate(schedulers[i], 2.0 * END_TIME, at_a_time);
        CU_ASSERT(o.calls == 0 && o.last_calls == 1);
    }
}

static void test_every(void)
{
    for (size_t i = 0; i < N_SCHEDULERS; i++) {
        struct outcome o = simulate(schedulers[i], 0.0, every_third);
        CU_ASSERT(o.gvts > 0);
        CU_ASSERT_EQUAL(o.calls, (o.gvts - 1) / 3); /* the last GVT ended the run */
        CU_ASSERT_EQUAL(o.last_calls, 1);
    }
}

static void test_model_calls(void)
{
    struct outcome reference = {0};
    asking = true;
    for (size_t i = 0; i < N_SCHEDULERS; i++) {
        struct outcome o = simulate(schedulers[i], 0.0, tw_trigger_gvt_hook_when_model_calls);
        reference = i == 0 ? o : reference;
        CU_ASSERT_EQUAL(o.requests, reference.requests); /* undone requests do not count */
        CU_ASSERT(o.requests > 5 && o.calls <= o.requests);
        CU_ASSERT(o.calls > 0 || schedulers[i] == OPTIMISTIC_REALTIME);
        CU_ASSERT_EQUAL(o.last_calls, 1);
    }
    asking = false;
}

static void test_without_request(void)
{
    for (size_t i = 0; i < N_SCHEDULERS; i++) {
        struct outcome o = simulate(schedulers[i], 0.0, tw_trigger_gvt_hook_when_model_calls);
        CU_ASSERT(o.calls == 0 && o.last_calls == 1);
        o = simulate(schedulers[i], 0.0, unused);
        CU_ASSERT(o.calls == 0 && o.last_calls == 0);
    }
}

int main(int argc, char **argv)
{
    static const CU_TestInfo tests[] = {
        {"at a time", test_at},
        {"at a time, and again", test_at_again},
        {"at a time after the end", test_after_the_end},
        {"every third GVT", test_every},
        {"when LPs ask", test_model_calls},
        {"without a request", test_without_request},
    };
    MPI_Init(&argc, &argv);
    int status = suite_run("gvt_hook", tests, sizeof tests / sizeof *tests);
    MPI_Finalize();
    return status;
}
