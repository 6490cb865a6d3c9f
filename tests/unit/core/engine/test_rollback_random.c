/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * test_rollback_random.c - Time Warp on one PE, driven by hand: late events, cancelled events and
 * complete rollbacks, at random moments, must leave no trace.
 *
 * A second run gets the same events in order and cannot roll back. Both runs must commit the same
 * events in the same order and end in the same states, to the last bit of the random streams. The
 * test holds late events back. It also plays the events that another rank sends and cancels, as
 * wire_in.c would receive them. The probes count all of it.
 */
#include "support/probe_books.h"
#include "support/rollback_model.h"

#define ROOTS    60
#define END_TIME 16.0
#define FOREIGN  1 /* the sender of events from another rank */

static uint64_t seed;

/* The first events of a run. Each is made at once, and arrives when the test delivers it. */
struct root {
    tw_event *event;
    double ts;
    bool foreign; /* came from another rank, with a handle */
    bool doomed;  /* its sender will cancel it */
    bool came;
    bool cancelled;
};

static void make_roots(struct pe *pe, struct root *roots, uint64_t random)
{
    pe->initialising = true;
    for (uint32_t i = 0; i < ROOTS; i++) {
        struct root *r = &roots[i];
        tw_lp *lp = g_tw_lp[random_below(&random, LPS)];
        r->ts = 0.25 * (double)random_below(&random, 60);
        r->foreign = random_below(&random, 2) == 0;
        r->doomed = r->foreign && random_below(&random, 2) == 0;
        r->came = false;
        r->cancelled = false;
        r->event = tw_event_new_user_prio(random_below(&random, LPS), r->ts, lp,
                                          0.5 * (double)random_below(&random, 3));
        *(struct message *)tw_event_data(r->event) =
            (struct message){.value = i, .depth = (uint32_t)random_below(&random, 4)};
        r->event->send_pe = FOREIGN;
        r->event->handle = r->foreign ? i : EVENT_HANDLE_NONE;
        r->event->event_id = i;
    }
    hand_keep_unsent(pe);
    pe->initialising = false;
}

static void root_comes(struct pe *pe, struct root *r)
{
    r->came = true;
    if (!r->foreign || remote_table_arrive(&pe->remotes, r->event)) {
        engine_enqueue(pe, r->event);
    } else {
        bad += !r->cancelled;
        event_pool_put(&pe->pool, r->event);
    }
}

/* Delivers its anti-message, perhaps before the event. */
static void root_cancelled(struct pe *pe, struct root *r, uint32_t i)
{
    r->cancelled = true;
    tw_event *event = remote_table_cancel(&pe->remotes, FOREIGN, i, i);
    bad += event != (r->came ? r->event : NULL);
    if (event != NULL) {
        engine_cancel(pe, event);
    }
}

static void check_engine(struct pe *pe)
{
    for (tw_kpid k = 0; k < pe->n_kps; k++) {
        struct kp *kp = &pe->kps[k];
        const tw_event *next = pending_peek(pe->pending);
        kp_check(kp);
        if (!kp_is_empty(kp)) {
            bad += kp->head.last_time != kp_youngest(kp)->recv_ts;
            bad += next != NULL && next->dest_lp->kp == &kp->head &&
                   event_compare(next, kp_youngest(kp)) <= 0; /* K2, for the first */
        }
    }
    bad += pe->head.cur_event != NULL || pe->cancel_list != NULL || pe->unsent != NULL;
    pending_check(pe->pending);
}

/* Returns the time before which no event can appear: the least of roots to come, events to be
 * cancelled, and pending ones. */
static double safe_time(struct pe *pe, const struct root *roots)
{
    const tw_event *next = pending_peek(pe->pending);
    double min = next != NULL ? next->recv_ts : (double)INFINITY;
    for (int i = 0; i < ROOTS; i++) {
        bool waits = !roots[i].came || (roots[i].doomed && !roots[i].cancelled);
        min = waits && roots[i].ts < min ? roots[i].ts : min;
    }
    return min;
}

static void collect(struct pe *pe, const struct root *roots)
{
    double gvt = safe_time(pe, roots);
    bad += gvt < pe->head.GVT;
    pe->head.GVT = gvt;
    engine_fossil_collect(pe, event_key_at(gvt));
}

static void random_step(struct pe *pe, struct root *roots, uint64_t *random)
{
    uint32_t i = (uint32_t)random_below(random, ROOTS);
    switch (random_below(random, 40)) {
    case 0:
    case 1:
        if (!roots[i].came) {
            root_comes(pe, &roots[i]);
        }
        break;
    case 2:
        if (roots[i].doomed && !roots[i].cancelled) {
            root_cancelled(pe, &roots[i], i);
        }
        break;
    case 3:
        if (random_below(random, 10) == 0) {
            engine_undo_all(pe, &pe->kps[random_below(random, pe->n_kps)]);
        }
        break;
    case 4:
        if (random_below(random, 4) == 0) {
            collect(pe, roots);
        }
        break;
    default:
        hand_step(pe);
    }
}

static void run_optimistic(struct pe *pe, struct root *roots, uint64_t random)
{
    for (int step = 0; step < 4000; step++) {
        random_step(pe, roots, &random);
        if (step % 100 == 0) {
            check_engine(pe);
        }
    }
    for (uint32_t i = 0; i < ROOTS; i++) {
        if (!roots[i].came) {
            root_comes(pe, &roots[i]);
        }
        if (roots[i].doomed && !roots[i].cancelled) {
            root_cancelled(pe, &roots[i], i);
        }
    }
    while (hand_step(pe)) {
    }
    check_engine(pe);
    collect(pe, roots);
}

static void run_in_order(struct pe *pe, struct root *roots)
{
    for (int i = 0; i < ROOTS; i++) {
        if (roots[i].doomed) {
            event_pool_put(&pe->pool, roots[i].event);
        } else {
            engine_enqueue(pe, roots[i].event);
        }
    }
    while (hand_step(pe)) {
    }
}

/* Makes a run from the seed; schedule_seed 0: in order. */
static void run(struct outcome *o, tw_kpid n_kps, uint64_t model_seed, uint64_t schedule_seed)
{
    struct root roots[ROOTS];
    *o = (struct outcome){0};
    outcome = o;
    executions = 0;
    memset(depth_of, 0, sizeof depth_of);
    g_tw_nkp = n_kps;
    g_tw_nRNG_per_lp = 2;
    struct pe *pe = hand_begin(LPS, sizeof(struct message), types, 2,
                               schedule_seed == 0 ? SEQUENTIAL : OPTIMISTIC, END_TIME);
    struct probe_books books;
    books_open(&books, pe->n_kps, LPS);
    books_listen(&books, &pe->probes);
    make_roots(pe, roots, model_seed);
    if (schedule_seed == 0) {
        run_in_order(pe, roots);
    } else {
        run_optimistic(pe, roots, schedule_seed);
    }
    bad += pe->pool.in_use != 0 || pending_count(pe->pending) != 0;
    for (tw_lpid i = 0; i < LPS; i++) {
        const tw_lp *lp = g_tw_lp[i];
        o->states[i] = *(struct state *)lp->cur_state;
        memcpy(o->streams[i], lp->rng, 2 * sizeof *lp->rng);
        o->streams[i][2] = lp->core_rng[0];
    }
    o->counters = pe->counters;
    o->undone_without_rollback = books.undone - books.undone_by_rollbacks;
    books_check(&books, &pe->head, schedule_seed != 0);
    bad += books.bad;
    books_close(&books);
    hand_end();
}

static void test_random_schedules(void)
{
    static const tw_kpid kps[] = {1, 2, 3, LPS};
    uint64_t random = seed;
    struct tw_counters sum = {0};
    uint64_t without_rollback = 0;
    bad = 0;
    for (int round = 0; round < 150; round++) {
        struct outcome in_order, optimistic;
        uint64_t model = random_bits(&random);
        run(&in_order, 4, model, 0);
        run(&optimistic, kps[round % 4], model, random_bits(&random) | 1);
        compare(&in_order, &optimistic);
        sum.primary_rollbacks += optimistic.counters.primary_rollbacks;
        sum.secondary_rollbacks += optimistic.counters.secondary_rollbacks;
        sum.events_aborted += optimistic.counters.events_aborted;
        sum.state_saves += optimistic.counters.state_saves;
        sum.events_past_end += optimistic.counters.events_past_end;
        sum.events_committed += optimistic.counters.events_committed;
        without_rollback += optimistic.undone_without_rollback;
        free(in_order.commits);
        free(optimistic.commits);
    }
    CU_ASSERT_EQUAL(bad, 0);
    /* each case has occurred */
    CU_ASSERT(sum.primary_rollbacks > 500 && sum.secondary_rollbacks > 500);
    CU_ASSERT(sum.events_aborted > sum.secondary_rollbacks);
    CU_ASSERT(sum.state_saves > 1000 && sum.events_past_end > 100);
    CU_ASSERT(sum.events_committed > 30000 && without_rollback > 100);
}

/* Without late events no event is undone. */
static void test_in_order(void)
{
    struct root roots[ROOTS];
    struct outcome o = {0};
    outcome = &o;
    bad = 0;
    g_tw_nkp = 3;
    g_tw_nRNG_per_lp = 2;
    struct pe *pe = hand_begin(LPS, sizeof(struct message), types, 2, OPTIMISTIC, END_TIME);
    make_roots(pe, roots, seed);
    run_in_order(pe, roots);
    CU_ASSERT_EQUAL(pe->counters.events_rolled_back, 0);
    CU_ASSERT_EQUAL(pe->counters.primary_rollbacks, 0);
    CU_ASSERT_EQUAL(pe->counters.events_committed, 0);
    CU_ASSERT_EQUAL(pe->pool.in_use, pe->counters.events_processed);
    uint64_t processed = pe->counters.events_processed;
    engine_fossil_collect(pe, event_key_at(10.0));
    CU_ASSERT(o.n_commits > 0 && o.commits[o.n_commits - 1].sig.recv_ts < 10.0);
    CU_ASSERT_EQUAL(pe->pool.in_use, processed - o.n_commits);
    engine_fossil_collect(pe, event_key_at((double)INFINITY));
    CU_ASSERT_EQUAL(o.n_commits, processed);
    CU_ASSERT_EQUAL(pe->pool.in_use, 0);
    CU_ASSERT_EQUAL(bad, 0);
    free(o.commits);
    hand_end();
}

int main(int argc, char **argv)
{
    static const CU_TestInfo tests[] = {
        {"nothing late, nothing undone", test_in_order},
        {"random schedules against one in order", test_random_schedules},
    };
    MPI_Init(&argc, &argv);
    seed = suite_seed();
    suite_print_seed("rollback_random", seed);
    int status = suite_run("rollback_random", tests, sizeof tests / sizeof *tests);
    MPI_Finalize();
    return status;
}
