/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * test_suspend.c - tw_lp_suspend(): commits of suspended LPs are equal under every scheduler, and
 * rollbacks over the suspension leave no trace.
 *
 * LPs send to each other at random. Each is suspended at its first event after a time of its own.
 * Every third one has nothing to undo (do_orig_event_rc 0); every other one counts the event that
 * suspends it. Handlers check that they are not called afterwards.
 */
#include "support/part_run.h"
#include "support/suite.h"

#define LPS      24
#define END_TIME 60.0

struct message {
    uint64_t sum_before;
    unsigned draws;
};

/* is_suspended is the model's own record of the state that the engine should have. */
struct state {
    uint64_t sum;
    uint64_t received;
    uint64_t is_suspended;
};

static uint64_t failures;
static uint64_t final_sum, final_received, finals, commits, n_suspended;
static uint64_t commits_of[LPS];
static uint64_t suspensions_of[LPS]; /* committed */
static bool saves_states;            /* the type has no reverse handler */
static tw_lptype types[2];

static double suspended_from(tw_lpid gid)
{
    return gid % 4 == 3 ? 2.0 * END_TIME : 7.0 + 1.5 * (double)gid;
}

static void send(tw_lp *lp, double least)
{
    tw_lpid dest = tw_rand_ulong(lp->rng, 0, g_tw_total_lps - 1);
    tw_event_send(tw_event_new(dest, least + tw_rand_exponential(lp->rng, 1.0), lp));
}

static void init(void *sv, tw_lp *lp)
{
    (void)sv;
    for (int i = 0; i < 3; i++) {
        send(lp, 0.5);
    }
}

static void event(void *sv, tw_bf *bf, void *msg, tw_lp *lp)
{
    struct state *s = sv;
    struct message *m = msg;
    failures += s->is_suspended != 0;
    if (tw_now(lp) >= suspended_from(lp->gid)) {
        bf->c1 = 1;
        if (lp->gid % 3 == 0 &&
            !saves_states) { /* its own record cannot be undone: there is none */
            tw_lp_suspend(lp, 0, 7);
            return;
        }
        tw_lp_suspend(lp, 0, 99); /* the second call takes effect */
        tw_lp_suspend(lp, 1, lp->gid % 2 == 0 ? 11 : 0);
        s->is_suspended = 1;
    }
    m->sum_before = s->sum;
    unsigned long before = lp->rng->count;
    s->received++;
    s->sum = (s->sum ^ (uint64_t)(tw_now(lp) * 1e6)) * 0x9e3779b97f4a7c15u;
    send(lp, 0.5);
    m->draws = (unsigned)(lp->rng->count - before);
}

static void reverse(void *sv, tw_bf *bf, void *msg, tw_lp *lp)
{
    struct state *s = sv;
    const struct message *m = msg;
    failures += lp->gid % 3 == 0 && bf->c1; /* must not be called */
    failures += lp->type != &types[0];
    for (unsigned i = 0; i < m->draws; i++) {
        tw_rand_reverse_unif(lp->rng);
    }
    s->sum = m->sum_before;
    s->received--;
    s->is_suspended = 0;
}

static void commit(void *sv, tw_bf *bf, void *msg, tw_lp *lp)
{
    (void)sv;
    (void)msg;
    suspensions_of[lp->gid] += bf->c1;
    commits++;
    commits_of[lp->gid]++;
}

static void final(void *sv, tw_lp *lp)
{
    const struct state *s = sv;
    bool counts_its_last = !(lp->gid % 3 == 0 && !saves_states);
    bool should_be = suspensions_of[lp->gid] == 1;
    failures += suspensions_of[lp->gid] > 1;
    n_suspended += should_be;
    failures += lp->type != &types[saves_states ? 1 : 0];
    failures += counts_its_last && s->is_suspended != should_be;
    failures += commits_of[lp->gid] != s->received + (should_be && !counts_its_last ? 1 : 0);
    final_sum += s->sum * (2 * lp->gid + 1);
    final_received += s->received;
    finals++;
}

static tw_lptype types[2] = {
    {init, NULL, event, reverse, commit, final, NULL, sizeof(struct state)},
    {init, NULL, event, NULL, commit, final, NULL, sizeof(struct state)},
};

struct outcome {
    struct part_outcome counted;
    uint64_t sum, received, commits, n_suspended;
};

static struct outcome simulate(MPI_Comm comm, tw_synch synch, bool saving)
{
    struct part_run run = {.comm = comm,
                           .synch = synch,
                           .total_lps = LPS,
                           .msg_bytes = sizeof(struct message),
                           .type = &types[saving ? 1 : 0],
                           .end = END_TIME,
                           .lookahead = 0.5,
                           .options = {"--random-rollbacks=2"}};
    saves_states = saving;
    final_sum = final_received = finals = commits = n_suspended = 0;
    memset(commits_of, 0, sizeof commits_of);
    memset(suspensions_of, 0, sizeof suspensions_of);
    struct outcome o = {.counted = part_simulate(&run)};
    uint64_t sums[5] = {final_sum, final_received, commits, finals, n_suspended};
    MPI_Allreduce(MPI_IN_PLACE, sums, 5, MPI_UINT64_T, MPI_SUM, comm);
    CU_ASSERT_EQUAL(sums[3], LPS);
    o.sum = sums[0];
    o.received = sums[1];
    o.commits = sums[2];
    o.n_suspended = sums[4];
    return o;
}

static void check_like(const struct outcome *o, const struct outcome *reference)
{
    CU_ASSERT_EQUAL(o->sum, reference->sum);
    CU_ASSERT_EQUAL(o->received, reference->received);
    CU_ASSERT_EQUAL(o->commits, reference->commits);
    CU_ASSERT_EQUAL(o->n_suspended, reference->n_suspended);
    CU_ASSERT_EQUAL(o->counted.net, reference->counted.net);
    CU_ASSERT_EQUAL(o->counted.suspended, reference->counted.suspended);
    CU_ASSERT_EQUAL(failures, 0);
}

static void check_all(bool saving)
{
    static const tw_synch parallel[] = {CONSERVATIVE, OPTIMISTIC, OPTIMISTIC_REALTIME};
    failures = 0;
    struct outcome reference = simulate(MPI_COMM_SELF, SEQUENTIAL, saving);
    CU_ASSERT_EQUAL(failures, 0);
    CU_ASSERT(reference.n_suspended > 8 && reference.counted.suspended > 50 &&
              reference.commits > 300);
    CU_ASSERT_EQUAL(reference.commits + reference.counted.suspended, reference.counted.net);
    CU_ASSERT_EQUAL(reference.counted.net, reference.counted.committed);
    struct outcome checked = simulate(MPI_COMM_SELF, SEQUENTIAL_ROLLBACK_CHECK, saving);
    check_like(&checked, &reference);
    for (size_t i = 0; i < sizeof parallel / sizeof *parallel; i++) {
        struct outcome o = simulate(MPI_COMM_WORLD, parallel[i], saving);
        check_like(&o, &reference);
        CU_ASSERT(parallel[i] == CONSERVATIVE || o.counted.undone > 50);
    }
}

/* --synch=4 executes all events, rolls them back and compares the states, including suspensions. */
static void test_all_rolled_back(void)
{
    failures = 0;
    struct outcome o = simulate(MPI_COMM_SELF, OPTIMISTIC_DEBUG, false);
    CU_ASSERT_EQUAL(failures, 0);
    CU_ASSERT(o.counted.undone > 300 && o.counted.suspended == 0);
    CU_ASSERT(o.n_suspended == 0 && o.received == 0 && o.commits == 0);
}

static void test_reverse_handlers(void)
{
    check_all(false);
}

static void test_saved_states(void)
{
    check_all(true);
}

int main(int argc, char **argv)
{
    static const CU_TestInfo tests[] = {
        {"LPs with a reverse handler", test_reverse_handlers},
        {"LPs whose states are saved", test_saved_states},
        {"all rolled back", test_all_rolled_back},
    };
    MPI_Init(&argc, &argv);
    int status = suite_run("suspend", tests, sizeof tests / sizeof *tests);
    MPI_Finalize();
    return status;
}
