/*
 * test_rollback_random.c - Time Warp on one PE, driven by hand: events that come late, events that
 * are taken back, everything undone, at random moments, must leave no trace.
 *
 * The model is the same as in a second run that gets its events in order and cannot roll back. Both
 * must commit the same events in the same order and end in the same states, to the last bit of the
 * random streams. Late events are held back by the test; events that another rank sent and cancels
 * are played by the test, as remote.c would take them in. The probes keep books of all of it.
 */
#include <string.h>

#include "support/hand_engine.h"
#include "support/probe_books.h"
#include "support/suite.h"

#define LPS       12
#define ROOTS     60
#define END_TIME  16.0
#define FOREIGN   1 /* the rank that events of others come from */
#define STACK_MAX 4096

struct message {
    uint64_t value;
    uint32_t depth;   /* of a chain still to go */
    uint32_t touched; /* by handlers, not taken back */
    uint64_t old_hash;
    double old_sum;
    double now; /* when it was executed */
    uint32_t draws[2];
    uint32_t normal_calls;
    uint32_t bits; /* what the handler wrote to the bit field */
    uint64_t id;   /* of this execution; the reverse handler must meet the last one first */
};

struct state {
    uint64_t hash;
    uint64_t received;
    double sum;
};

struct commit {
    tw_event_sig sig;
    tw_lpid lp;
    uint64_t value;
    uint64_t hash; /* of the LP after the event */
};

/* What a run leaves behind. */
struct outcome {
    struct commit *commits;
    size_t n_commits;
    size_t capacity;
    struct state states[LPS];
    tw_rng_stream streams[LPS][3];
    struct tw_counters counters;
    uint64_t undone_without_rollback;
};

static uint64_t seed;
static unsigned bad;
static struct outcome *outcome; /* of the run in progress */
static uint64_t executions;
static uint64_t stack[LPS][STACK_MAX]; /* executions of each LP that could still be undone */
static size_t depth_of[LPS];

static void send(tw_lp *lp, tw_lpid dest, double offset, double prio, uint64_t value,
                 unsigned depth)
{
    tw_event *event = tw_event_new_user_prio(dest, offset, lp, prio);
    *(struct message *)tw_event_data(event) = (struct message){.value = value, .depth = depth};
    tw_event_send(event);
}

static double any_prio(tw_lp *lp)
{
    return 0.5 * (double)tw_rand_integer(&lp->rng[0], 0, 2);
}

static void send_some(tw_lp *lp, const struct message *m)
{
    if (m->depth > 0) {
        send(lp, m->depth % 3 == 0 ? (tw_lpid)tw_rand_integer(&lp->rng[0], 0, LPS - 1) : lp->gid,
             0.0, any_prio(lp), m->value + 1, m->depth - 1);
        return;
    }
    long n = tw_rand_integer(&lp->rng[0], 0, 8);
    for (long i = 0; i < (n < 1 ? 0 : n < 7 ? 1 : 2); i++) {
        double offset = 0.5 * (double)tw_rand_integer(&lp->rng[0], 1, 8);
        if (tw_rand_unif(&lp->rng[0]) < 0.5) {
            offset = tw_rand_exponential(&lp->rng[0], 1.0);
        }
        send(lp, (tw_lpid)tw_rand_integer(&lp->rng[0], 0, LPS - 1), offset, any_prio(lp),
             m->value * 31 + 1, 0);
    }
    if (n == 5 && tw_now_sig(lp).tie_lineage_length == 1) {
        send(lp, lp->gid, 0.0, any_prio(lp), m->value,
             (unsigned)tw_rand_integer(&lp->rng[0], 0, 9));
    }
    if (n == 3) {
        (void)tw_event_new(lp->gid, 1.0, lp); /* made and not sent */
    }
}

static void forward(void *sv, tw_bf *bf, void *msg, tw_lp *lp)
{
    struct state *s = sv;
    struct message *m = msg;
    unsigned long before[2] = {lp->rng[0].count, lp->rng[1].count};
    uint32_t clear = 0;

    bad += tw_now(lp) < lp->pe->GVT || m->touched != 0;
    bad += memcmp(bf, &clear, sizeof clear) != 0;
    m->bits = (uint32_t)(m->value * 2654435761u) ^ (uint32_t)s->hash;
    memcpy(bf, &m->bits, sizeof m->bits);
    m->touched++;
    m->old_hash = s->hash;
    m->old_sum = s->sum;
    m->now = tw_now(lp);
    m->id = ++executions;
    if (lp->pe->cur_event->state == EVENT_PROCESSING && pe_keeps_history(pe_self())) {
        stack[lp->id][depth_of[lp->id]++ % STACK_MAX] = m->id;
    }
    s->hash = (s->hash ^ m->value) * 0x9e3779b97f4a7c15u + (uint64_t)(tw_now(lp) * 1024.0);
    s->received++;
    if (tw_rand_unif(&lp->rng[0]) < 0.5) {
        s->sum += tw_rand_normal01(&lp->rng[1], &m->normal_calls);
    }
    send_some(lp, m);
    m->draws[0] = (uint32_t)(lp->rng[0].count - before[0]);
    m->draws[1] = (uint32_t)(lp->rng[1].count - before[1]);
}

static void reverse(void *sv, tw_bf *bf, void *msg, tw_lp *lp)
{
    struct state *s = sv;
    struct message *m = msg;
    bad += tw_now(lp) < lp->pe->GVT || m->touched != 1 || fabs(tw_now(lp) - m->now) > 0.0;
    bad += memcmp(bf, &m->bits, sizeof m->bits) != 0;
    bad += depth_of[lp->id] == 0 || stack[lp->id][--depth_of[lp->id] % STACK_MAX] != m->id;
    for (int i = 0; i < 2; i++) {
        for (uint32_t n = 0; n < m->draws[i]; n++) {
            tw_rand_reverse_unif(&lp->rng[i]);
        }
    }
    s->sum = m->old_sum;
    s->received--;
    s->hash = m->old_hash;
    m->touched--;
}

static void commit(void *sv, tw_bf *bf, void *msg, tw_lp *lp)
{
    const struct message *m = msg;
    (void)sv;
    bad += m->touched != 1 || memcmp(bf, &m->bits, sizeof m->bits) != 0;
    if (outcome->n_commits == outcome->capacity) {
        outcome->capacity = 2 * outcome->capacity + 1000;
        outcome->commits = realloc(outcome->commits, outcome->capacity * sizeof *outcome->commits);
    }
    outcome->commits[outcome->n_commits++] = (struct commit){
        .sig = {.recv_ts = tw_now(lp)}, .lp = lp->gid, .value = m->value, .hash = m->old_hash};
}

static tw_lptype types[2] = {
    {.event = forward, .revent = reverse, .commit = commit, .state_sz = sizeof(struct state)},
    {.event = forward, .commit = commit, .state_sz = sizeof(struct state)}, /* state is saved */
};

/* The events that a run begins with. Each is made at once, and comes when the test wants it to. */
struct root {
    tw_event *event;
    double ts;
    bool foreign; /* came from another rank, with a handle */
    bool doomed;  /* and will be cancelled */
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
        r->event->peer = FOREIGN;
        r->event->handle = r->foreign ? i : EVENT_HANDLE_NONE;
        r->event->seq = i;
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

/* Its anti-message comes, perhaps before itself. */
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
            bad += next != NULL && next->lp->kp == &kp->head &&
                   event_compare(next, kp_youngest(kp)) <= 0; /* K2, for the first */
        }
    }
    bad += pe->head.cur_event != NULL || pe->cancel_list != NULL || pe->unsent != NULL;
    pending_check(pe->pending);
}

/* No event before it can appear any more: roots to come, doomed ones, pending ones. */
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

/* One run from the seed; schedule_seed 0: in order. */
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

static bool same_commits(const struct outcome *a, const struct outcome *b)
{
    if (a->n_commits != b->n_commits) {
        return false;
    }
    for (size_t i = 0; i < a->n_commits; i++) {
        const struct commit *x = &a->commits[i];
        const struct commit *y = &b->commits[i];
        if (tw_event_sig_compare_ptr(&x->sig, &y->sig) != 0 || x->lp != y->lp ||
            x->value != y->value || x->hash != y->hash) {
            return false;
        }
    }
    return true;
}

static void compare(const struct outcome *a, const struct outcome *b)
{
    CU_ASSERT(same_commits(a, b));
    CU_ASSERT_EQUAL(memcmp(a->states, b->states, sizeof a->states), 0);
    CU_ASSERT_EQUAL(memcmp(a->streams, b->streams, sizeof a->streams), 0);
    CU_ASSERT_EQUAL(b->counters.events_committed, a->counters.events_processed);
    CU_ASSERT_EQUAL(b->counters.events_processed - b->counters.events_rolled_back,
                    a->counters.events_processed);
    CU_ASSERT_EQUAL(b->counters.events_past_end, a->counters.events_past_end);
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
    /* all of it has really happened */
    CU_ASSERT(sum.primary_rollbacks > 500 && sum.secondary_rollbacks > 500);
    CU_ASSERT(sum.events_aborted > sum.secondary_rollbacks);
    CU_ASSERT(sum.state_saves > 1000 && sum.events_past_end > 100);
    CU_ASSERT(sum.events_committed > 30000 && without_rollback > 100);
}

/* Without anything late there is nothing to undo. */
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
