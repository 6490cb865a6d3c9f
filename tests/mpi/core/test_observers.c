/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * test_observers.c - the engine's services for observers within handlers. It reports the running
 * context, numbers records so that undone numbers are used again, and throttles itself when
 * observers use too much memory.
 *
 * Some LPs send to themselves and others. Half of them have their states saved. An observer takes
 * up to three numbers per event and allocates memory for each until the event commits or is undone.
 * Commits must not depend on the scheduler: each rank runs all LPs sequentially as a reference.
 *
 * test: alone=yes
 */
#include "engine/pe/pe.h"
#include "support/suite.h"

#define LPS_TOTAL  36 /* a multiple of 1, 2, 3 and 4 */
#define BYTES_EACH 500
#define LIMIT      "8000"
#define LIMIT_MOST (8000 + 16 * 3 * BYTES_EACH) /* one batch may exceed the earlier ones */

struct message {
    uint64_t value;
    uint64_t old;
    uint32_t draws;
};

#define MANY_NUMBERS 300u /* more than an event counts in itself */

struct entry {
    const tw_event *event;
    uint64_t before; /* numbers of the LP before it */
    unsigned n;      /* number of allocations */
    unsigned taken;  /* numbers */
};

/* Allocations of the observer for a KP: entries[old .. young - 1]. */
struct queue {
    struct entry *entries;
    size_t old, young, capacity;
};

struct observer {
    struct queue *queues;
    uint64_t *committed; /* numbers, by LP */
    uint64_t held, held_most;
    uint64_t hash, numbers, undone; /* hash of commits; numbers taken; numbers undone */
    uint64_t leaked;                /* bytes that it never releases */
    unsigned inits, finals, bad;
};

static struct observer observer;
static uint64_t leak_bytes;

#define OBSERVER_ASSERT(condition) ((condition) ? (void)0 : observer_fail(#condition))

static void observer_fail(const char *what)
{
    if (observer.bad++ < 10) {
        fprintf(stderr, "rank %lu: %s\n", g_tw_mynode, what);
    }
}

static bool now_is(enum probe_context context, const tw_lp *lp, double ts)
{
    struct probe_now now = probe_now();
    return now.context == context && now.lp == lp && now.ts == ts;
}

/* ---- The model ------------------------------------------------------------------------------- */

static void send(tw_lp *lp, tw_lpid dest, double offset, uint64_t value)
{
    tw_event *event = tw_event_new(dest, offset, lp);
    *(struct message *)tw_event_data(event) = (struct message){.value = value};
    tw_event_send(event);
}

static void init(void *state, tw_lp *lp)
{
    (void)state;
    OBSERVER_ASSERT(now_is(PROBE_IN_INIT, lp, 0.0));
    send(lp, lp->gid, tw_rand_unif(lp->rng), lp->gid);
    send(lp, lp->gid, tw_rand_unif(lp->rng), ~lp->gid);
}

static void forward(void *state, tw_bf *bf, void *msg, tw_lp *lp)
{
    uint64_t *hash = state;
    struct message *m = msg;
    unsigned long before = lp->rng->count;
    (void)bf;
    OBSERVER_ASSERT(now_is(PROBE_IN_EVENT, lp, tw_now(lp)));
    m->old = *hash;
    *hash = (*hash ^ m->value) * 0x9e3779b97f4a7c15u + 1;
    bool stay = tw_rand_unif(lp->rng) < 0.7;
    tw_lpid dest = stay ? lp->gid : (tw_lpid)tw_rand_integer(lp->rng, 0, LPS_TOTAL - 1);
    double offset = 0.1 + tw_rand_exponential(lp->rng, 0.9);
    send(lp, dest, offset, *hash);
    m->draws = (uint32_t)(lp->rng->count - before);
}

static void reverse(void *state, tw_bf *bf, void *msg, tw_lp *lp)
{
    const struct message *m = msg;
    (void)bf;
    OBSERVER_ASSERT(now_is(PROBE_IN_REVERSE, lp, tw_now(lp)));
    for (uint32_t i = 0; i < m->draws; i++) {
        tw_rand_reverse_unif(lp->rng);
    }
    *(uint64_t *)state = m->old;
}

static void commit(void *state, tw_bf *bf, void *msg, tw_lp *lp)
{
    (void)state;
    (void)bf;
    (void)msg;
    OBSERVER_ASSERT(now_is(PROBE_IN_COMMIT, lp, tw_now(lp)));
}

static void final(void *state, tw_lp *lp)
{
    (void)state;
    OBSERVER_ASSERT(now_is(PROBE_IN_FINAL, lp, g_tw_ts_end));
}

static tw_lptype types[2] = {
    {.init = init, .event = forward, .revent = reverse, .commit = commit, .state_sz = 8},
    {.init = init, .event = forward, .final = final, .state_sz = 8},
};

/* ---- The observer ---------------------------------------------------------------------------- */

static void hold(int64_t bytes)
{
    probe_hold_bytes(bytes);
    observer.held += (uint64_t)bytes;
    observer.held_most = observer.held > observer.held_most ? observer.held : observer.held_most;
    OBSERVER_ASSERT(probe_observer_bytes() == observer.held + observer.leaked);
}

static void see_init(void *ctx, tw_lp *lp)
{
    (void)ctx;
    OBSERVER_ASSERT(now_is(PROBE_IN_INIT, lp, 0.0) && probe_record_numbers(lp) == 0);
    OBSERVER_ASSERT(probe_record_number(lp) == 1);
    OBSERVER_ASSERT(!probe_is_guarded());
    probe_observer_enter("one");
    probe_observer_enter("another");
    probe_observer_leave();
    OBSERVER_ASSERT(probe_is_guarded());
    probe_observer_leave();
    OBSERVER_ASSERT(!probe_is_guarded());
    observer.committed[lp->id] = 1;
    observer.inits++;
}

static void see_executed(void *ctx, const tw_event *e, const tw_lp *ahead)
{
    (void)ahead;
    struct queue *q = &observer.queues[e->dest_lp->kp->id];
    struct entry entry = {e, probe_record_numbers(e->dest_lp), 0, 0};
    (void)ctx;
    OBSERVER_ASSERT(now_is(PROBE_IN_EVENT, e->dest_lp, e->recv_ts));
    entry.n = (unsigned)(((const struct message *)probe_message(e))->value % 4);
    entry.taken =
        ((const struct message *)probe_message(e))->value % 61 == 0 ? MANY_NUMBERS : entry.n;
    for (unsigned i = 1; i <= entry.taken; i++) {
        OBSERVER_ASSERT(probe_record_number(e->dest_lp) == entry.before + i);
    }
    hold(entry.n * BYTES_EACH);
    if (q->young == q->capacity) {
        size_t kept = q->young - q->old;
        if (kept > 0) {
            memmove(q->entries, q->entries + q->old, kept * sizeof *q->entries);
        }
        q->capacity = 2 * kept + 64;
        q->entries = realloc(q->entries, q->capacity * sizeof *q->entries);
        q->old = 0;
        q->young = kept;
    }
    q->entries[q->young++] = entry;
}

static void see_undone(void *ctx, const tw_event *e, bool state_restored)
{
    struct queue *q = &observer.queues[e->dest_lp->kp->id];
    (void)ctx;
    (void)state_restored;
    OBSERVER_ASSERT(now_is(PROBE_IN_REVERSE, e->dest_lp, e->recv_ts));
    OBSERVER_ASSERT(q->young > q->old && q->entries[q->young - 1].event == e);
    struct entry entry = q->entries[--q->young];
    OBSERVER_ASSERT(probe_record_numbers(e->dest_lp) == entry.before);
    observer.undone += entry.taken;
    hold(-(int64_t)(entry.n * BYTES_EACH));
}

static void see_committed(void *ctx, const tw_event *e, const tw_lp *ahead)
{
    (void)ahead;
    struct queue *q = &observer.queues[e->dest_lp->kp->id];
    (void)ctx;
    OBSERVER_ASSERT(now_is(PROBE_IN_COMMIT, e->dest_lp, e->recv_ts));
    OBSERVER_ASSERT(q->young > q->old && q->entries[q->old].event == e);
    struct entry entry = q->entries[q->old++];
    OBSERVER_ASSERT(entry.before == observer.committed[e->dest_lp->id]);
    observer.committed[e->dest_lp->id] += entry.taken;
    observer.numbers += entry.taken;
    uint64_t bits = e->dest_lp->gid * 1000003 + observer.committed[e->dest_lp->id];
    bits ^= (uint64_t)(e->recv_ts * 0x1p32) * 0x9e3779b97f4a7c15u;
    observer.hash += random_bits(&bits);
    hold(-(int64_t)(entry.n * BYTES_EACH));
}

static void see_final(void *ctx, tw_lp *lp)
{
    (void)ctx;
    OBSERVER_ASSERT(probe_now().context == PROBE_IN_FINAL && probe_now().lp == lp);
    OBSERVER_ASSERT(probe_record_number(lp) == observer.committed[lp->id] + 1);
    observer.finals++;
}

static enum tw_status set_up(tw_pe *pe, struct probe_table *table)
{
    (void)pe;
    observer = (struct observer){.leaked = leak_bytes};
    observer.queues = tw_calloc(TW_LOC, "queues", sizeof *observer.queues, g_tw_nkp);
    observer.committed = tw_calloc(TW_LOC, "numbers", sizeof *observer.committed, g_tw_nlp);
    probe_hold_bytes((int64_t)leak_bytes);
    OBSERVER_ASSERT(probe_now().context == PROBE_IN_NOTHING && probe_now().lp == NULL);
    PROBE_ADD(table, lp_init, see_init, NULL);
    PROBE_ADD(table, event_executed, see_executed, NULL);
    PROBE_ADD(table, event_undone, see_undone, NULL);
    PROBE_ADD(table, event_committed, see_committed, NULL);
    PROBE_ADD(table, lp_final, see_final, NULL);
    return TW_OK;
}

static void after_final(tw_pe *pe)
{
    (void)pe;
    OBSERVER_ASSERT(observer.finals == g_tw_nlp && observer.inits == g_tw_nlp);
    OBSERVER_ASSERT(observer.held == 0 && observer.numbers > 0);
    observer.finals = 0; /* the handler was called */
}

const struct tw_extension tw_extension = {.setup = set_up, .after_final = after_final};

/* ---- Runs ------------------------------------------------------------------------------------ */

struct outcome {
    struct tw_counters counters; /* of this rank */
    struct observer seen;
    uint64_t hash; /* of all ranks of the communicator */
};

static struct outcome simulate(MPI_Comm comm, tw_synch synch, double end, const char *option1,
                               const char *option2)
{
    char name[] = "observers", quiet[] = "--quiet", options[2][64];
    char *args[] = {name, quiet, options[0], options[1], NULL};
    char **argv = args;
    int argc = 4;
    struct outcome outcome;
    snprintf(options[0], sizeof options[0], "%s", option1);
    snprintf(options[1], sizeof options[1], "%s", option2);
    g_tw_synchronization_protocol = synch;
    g_tw_ts_end = end;
    g_tw_lookahead = 0.1;
    g_tw_nkp = 3;
    tw_comm_set(comm);
    tw_init(&argc, &argv);
    tw_define_lps(LPS_TOTAL / tw_nnodes(), sizeof(struct message));
    for (tw_lpid i = 0; i < g_tw_nlp; i++) {
        tw_lp_settype(i, &types[g_tw_lp[i]->gid % 2]);
    }
    tw_run();
    outcome.counters = *pe_counters(g_tw_pe);
    outcome.seen = observer;
    CU_ASSERT(observer.bad == 0 && observer.finals == 0 && observer.inits == g_tw_nlp);
    for (tw_kpid k = 0; k < g_tw_nkp; k++) {
        free(observer.queues[k].entries);
    }
    tw_end();
    free(observer.queues);
    free(observer.committed);
    MPI_Allreduce(&observer.hash, &outcome.hash, 1, MPI_UINT64_T, MPI_SUM, comm);
    return outcome;
}

static uint64_t sequential_hash(double end)
{
    return simulate(MPI_COMM_SELF, SEQUENTIAL, end, "--batch=16", "--nkp=3").hash;
}

static uint64_t sum_of_ranks(uint64_t value)
{
    MPI_Allreduce(MPI_IN_PLACE, &value, 1, MPI_UINT64_T, MPI_SUM, MPI_COMM_WORLD);
    return value;
}

static void test_numbers(void)
{
    static const char *const often[] = {"--random-rollbacks=0", "--random-rollbacks=1",
                                        "--random-rollbacks=10"};
    uint64_t wanted = sequential_hash(20.0);
    uint64_t hash = simulate(MPI_COMM_WORLD, CONSERVATIVE, 20.0, "--batch=16", "--nkp=3").hash;
    CU_ASSERT_EQUAL(hash, wanted);
    for (int i = 0; i < 3; i++) {
        struct outcome o = simulate(MPI_COMM_WORLD, OPTIMISTIC, 20.0, often[i], "--batch=8");
        CU_ASSERT_EQUAL(o.hash, wanted);
        CU_ASSERT(i == 0 || sum_of_ranks(o.seen.undone) > 100);
    }
    hash = simulate(MPI_COMM_WORLD, OPTIMISTIC_REALTIME, 20.0, often[1], "--gvt-interval=1").hash;
    CU_ASSERT_EQUAL(hash, wanted);
}

static void test_memory(void)
{
    uint64_t wanted = sequential_hash(20.0);
    struct outcome o =
        simulate(MPI_COMM_WORLD, OPTIMISTIC, 20.0, "--observer-memory=0", "--gvt-interval=1000");
    CU_ASSERT_EQUAL(o.hash, wanted);
    CU_ASSERT_EQUAL(o.counters.turns_held_back, 0);
    CU_ASSERT(sum_of_ranks(o.seen.held_most) > LIMIT_MOST);
    static const char *const others[] = {"--gvt-interval=1000", "--random-rollbacks=1",
                                         "--max-opt-lookahead=5", "--batch=1000"};
    for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
        o = simulate(MPI_COMM_WORLD, OPTIMISTIC, 20.0, "--observer-memory=" LIMIT, others[i]);
        CU_ASSERT_EQUAL(o.hash, wanted);
        CU_ASSERT(i != 0 || sum_of_ranks(o.counters.turns_held_back) > 0);
        CU_ASSERT(o.seen.held_most <= LIMIT_MOST);
    }
    o = simulate(MPI_COMM_WORLD, CONSERVATIVE, 20.0, "--observer-memory=1", others[0]);
    CU_ASSERT_EQUAL(o.hash, wanted);
}

/* More than the limit is always allocated: GVT then advances event by event. */
static void test_leak(void)
{
    static const tw_synch synchs[] = {CONSERVATIVE, OPTIMISTIC, OPTIMISTIC_REALTIME};
    leak_bytes = 30000;
    uint64_t wanted = sequential_hash(2.0);
    for (int i = 0; i < 3; i++) {
        struct outcome o = simulate(MPI_COMM_WORLD, synchs[i], 2.0, "--observer-memory=" LIMIT,
                                    "--random-rollbacks=1");
        CU_ASSERT_EQUAL(o.hash, wanted);
        CU_ASSERT(o.seen.held_most <= 3 * BYTES_EACH || synchs[i] == CONSERVATIVE);
    }
    leak_bytes = 0;
}

int main(int argc, char **argv)
{
    static const CU_TestInfo tests[] = {
        {"numbers of LPs", test_numbers},
        {"memory that observers hold", test_memory},
        {"memory that they never give back", test_leak},
    };
    MPI_Init(&argc, &argv);
    int status = suite_run("observers", tests, sizeof tests / sizeof *tests);
    MPI_Finalize();
    return status;
}
