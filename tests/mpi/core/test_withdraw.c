/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * test_withdraw.c - events are withdrawn at one GVT and return at a later one: equal events in
 * every scheduler and on any number of ranks, nothing lost and nothing undone.
 *
 * Half of the LPs are a network, the others its clients. At FREEZE the network's events are
 * withdrawn, some of them are dropped, and each client sends to itself instead of to the network.
 * At THAW they return, later by the elapsed time. The reference is a sum of hashes of all events
 * that LPs execute and commit.
 */
#include "support/part_run.h"
#include "support/suite.h"

#define LPS      24u
#define END_TIME 40.0
#define FREEZE   10.0
#define THAW     17.25

struct message {
    uint64_t token;
    uint32_t draws;
};

/* State of each LP. */
struct state {
    uint64_t n_frozen; /* events executed while the network was frozen */
    uint64_t sum;
};

/* Method of the function at GVT. */
enum way { BY_LISTS, BY_QUEUE, WAYS };

static enum way way;
static bool frozen;
static tw_event *kept; /* BY_QUEUE: the model's own list */
static uint64_t failures, n_withdrawn, n_dropped, n_back, committed_sum, final_sum, calls;
static bool restarts; /* from a checkpoint between FREEZE and THAW */

static bool is_network(tw_lpid gid)
{
    return gid % 2 == 1;
}

static void send(tw_lp *lp, tw_lpid dest, double offset, uint64_t token)
{
    tw_event *event = tw_event_new(dest, offset, lp);
    struct message *m = tw_event_data(event);
    failures += m->token != 0 || m->draws != 0; /* a new message holds zeros */
    m->token = token;
    tw_event_send(event);
}

static void init(void *sv, tw_lp *lp)
{
    (void)sv;
    for (uint64_t k = 0; k < 3; k++) {
        send(lp, lp->gid, 0.125 * (double)(k + 1), lp->gid * 8 + k);
    }
}

static void event(void *sv, tw_bf *bf, void *msg, tw_lp *lp)
{
    struct state *s = sv;
    struct message *m = msg;
    const unsigned long before = lp->rng->count;
    const tw_event *now = lp->pe->cur_event;
    failures += now->dest_lpid != lp->gid || now->recv_ts < now->send_ts || now->dest_lp != lp;
    failures += tw_now(lp) < now->recv_ts || tw_now(lp) > now->recv_ts;
    bf->c0 = frozen;
    s->n_frozen += frozen;
    s->sum += m->token;
    tw_lpid dest = tw_rand_ulong(lp->rng, 0, LPS - 1);
    if (frozen && is_network(dest)) {
        dest = lp->gid;
    }
    send(lp, dest, 0.25 + tw_rand_exponential(lp->rng, 0.5), m->token);
    m->draws = (uint32_t)(lp->rng->count - before);
}

static void reverse(void *sv, tw_bf *bf, void *msg, tw_lp *lp)
{
    struct state *s = sv;
    const struct message *m = msg;
    for (uint32_t i = 0; i < m->draws; i++) {
        tw_rand_reverse_unif(lp->rng);
    }
    s->sum -= m->token;
    s->n_frozen -= bf->c0;
}

static void commit(void *sv, tw_bf *bf, void *msg, tw_lp *lp)
{
    (void)sv;
    const struct message *m = msg;
    const uint64_t when = (uint64_t)(tw_now(lp) * 0x1p40);
    /* while it is frozen, nothing happens in the network */
    failures += bf->c0 && (is_network(lp->gid) || tw_now(lp) < FREEZE || tw_now(lp) >= THAW);
    committed_sum += (when ^ (lp->gid << 32)) * (2 * m->token + 1) * UINT64_C(0x9e3779b97f4a7c15);
}

static void final(void *sv, tw_lp *lp)
{
    const struct state *s = sv;
    failures += is_network(lp->gid) && s->n_frozen != 0;
    final_sum += (s->sum + s->n_frozen) * (lp->gid + 1);
}

static tw_lptype type = {init, NULL, event, reverse, commit, final, NULL, sizeof(struct state)};

/* Every fifth token of the network is dropped. */
static tw_event_choice choose(void *ctx, tw_event *event)
{
    const struct message *m = tw_event_data(event);
    failures += ctx != &way || event->recv_ts < g_tw_pe->GVT;
    if (!is_network(event->dest_lpid)) {
        return TW_EVENT_STAYS;
    }
    return m->token % 5 == 0 ? TW_EVENT_IS_DROPPED : TW_EVENT_MOVES;
}

/* Freezes like models for ROSS do. */
static void freeze_by_queue(tw_pe *pe)
{
    tw_event *others = NULL;
    tw_event *event;
    double last = 0.0;
    while ((event = tw_pq_dequeue(pe->pq)) != NULL) {
        tw_event_choice choice = choose(&way, event);
        failures += event->prev != NULL || event->recv_ts < last;
        last = event->recv_ts;
        if (event->event_id != 0 && event->state.remote) {
            tw_hash_remove(pe->hash_t, event, event->send_pe);
        }
        tw_event **list = choice == TW_EVENT_STAYS ? &others : &kept;
        if (choice == TW_EVENT_IS_DROPPED) {
            tw_event_free(pe, event);
            n_dropped++;
            continue;
        }
        n_withdrawn += choice == TW_EVENT_MOVES;
        event->prev = *list;
        *list = event;
    }
    while (others != NULL) {
        event = others;
        others = event->prev;
        event->prev = NULL;
        tw_pq_enqueue(pe->pq, event);
    }
}

static void thaw_by_queue(tw_pe *pe)
{
    while (kept != NULL) {
        tw_event *event = kept;
        kept = event->prev;
        event->prev = NULL;
        event->recv_ts += THAW - FREEZE;
        tw_pq_enqueue(pe->pq, event);
        n_back++;
    }
}

static tw_event_choice count_dropped(void *ctx, tw_event *event)
{
    tw_event_choice choice = choose(ctx, event);
    n_dropped += choice == TW_EVENT_IS_DROPPED;
    n_withdrawn += choice == TW_EVENT_MOVES;
    return choice;
}

static void switch_over(tw_pe *pe)
{
    if (way == BY_QUEUE) {
        tw_scheduler_rollback_and_cancel_events_pe(pe);
        frozen ? thaw_by_queue(pe) : freeze_by_queue(pe);
    } else if (frozen) {
        n_back += tw_reinject_events(pe, NULL, NULL, THAW - FREEZE);
    } else {
        uint64_t before = n_withdrawn + n_dropped;
        size_t n = tw_withdraw_events(pe, count_dropped, &way);
        failures += n != n_withdrawn + n_dropped - before;
    }
}

static void hook(tw_pe *pe, bool nothing_left)
{
    if (nothing_left) {
        return;
    }
    calls++;
    failures += pe->GVT != (frozen ? THAW : FREEZE) || pe->GVT_sig.recv_ts != pe->GVT;
    for (tw_lpid i = 0; i < g_tw_nlp; i++) {
        failures += tw_now(g_tw_lp[i]) != pe->GVT;
    }
    switch_over(pe);
    frozen = !frozen;
    for (tw_lpid i = 0; i < g_tw_nlp; i++) { /* messages sent here are never undone */
        tw_lp *lp = g_tw_lp[i];
        if (!is_network(lp->gid)) {
            send(lp, frozen ? (lp->gid + 2) % LPS : lp->gid, 0.5 * tw_rand_unif(lp->rng), 1000);
            send(lp, lp->gid, 0.0, 2000);
        }
    }
    if (frozen) {
        tw_trigger_gvt_hook_at(THAW);
    }
}

static void before_run(void)
{
    g_tw_gvt_hook = hook;
    tw_trigger_gvt_hook_at(restarts ? THAW : FREEZE);
}

struct outcome {
    uint64_t sum, net, withdrawn, dropped, back, final_sum;
};

static struct outcome simulate_with(tw_synch synch, const char *option, const char *other)
{
    const bool alone = synch == SEQUENTIAL || synch == SEQUENTIAL_ROLLBACK_CHECK;
    struct part_run run = {.comm = alone ? MPI_COMM_SELF : MPI_COMM_WORLD,
                           .synch = synch,
                           .total_lps = LPS,
                           .msg_bytes = sizeof(struct message),
                           .type = &type,
                           .end = END_TIME,
                           .lookahead = 0.25,
                           .options = {option, other},
                           .before_run = before_run};
    frozen = restarts;
    failures = n_withdrawn = n_dropped = n_back = committed_sum = final_sum = calls = 0;
    struct part_outcome part = part_simulate(&run);
    uint64_t sums[6] = {committed_sum, failures, n_withdrawn, n_dropped, n_back, final_sum};
    MPI_Allreduce(MPI_IN_PLACE, sums, 6, MPI_UINT64_T, MPI_SUM, run.comm);
    g_tw_gvt_hook = NULL;
    CU_ASSERT_EQUAL(sums[1], 0);
    CU_ASSERT_EQUAL(calls, restarts ? 1 : 2);
    CU_ASSERT(kept == NULL && !frozen);
    return (struct outcome){sums[0], part.net, sums[2], sums[3], sums[4], sums[5]};
}

static struct outcome simulate(tw_synch synch, const char *option)
{
    return simulate_with(synch, option, NULL);
}

static void check_same(struct outcome a, struct outcome b)
{
    CU_ASSERT_EQUAL(a.sum, b.sum);
    CU_ASSERT_EQUAL(a.net, b.net);
    CU_ASSERT_EQUAL(a.withdrawn, b.withdrawn);
    CU_ASSERT_EQUAL(a.dropped, b.dropped);
    CU_ASSERT_EQUAL(a.back, b.back);
    CU_ASSERT_EQUAL(a.final_sum, b.final_sum);
}

static const tw_synch schedulers[] = {CONSERVATIVE, OPTIMISTIC, OPTIMISTIC_REALTIME,
                                      SEQUENTIAL_ROLLBACK_CHECK};

static void test_schedulers(void)
{
    for (int w = 0; w < WAYS; w++) {
        way = (enum way)w;
        struct outcome reference = simulate(SEQUENTIAL, NULL);
        CU_ASSERT(reference.withdrawn > 5 && reference.dropped > 0 && reference.net > 1000);
        CU_ASSERT_EQUAL(reference.back, reference.withdrawn);
        for (size_t i = 0; i < sizeof schedulers / sizeof *schedulers; i++) {
            check_same(simulate(schedulers[i], NULL), reference);
        }
        check_same(simulate(OPTIMISTIC, "--random-rollbacks=2"), reference);
        check_same(simulate(OPTIMISTIC, "--gvt-interval=1"), reference);
        check_same(simulate(OPTIMISTIC, "--batch=1000"), reference);
    }
}

/* Both methods have equal results. */
static void test_ways(void)
{
    way = BY_LISTS;
    struct outcome lists = simulate(OPTIMISTIC, NULL);
    way = BY_QUEUE;
    check_same(simulate(OPTIMISTIC, NULL), lists);
}

/* The first of the two checkpoints is at time 15: events are withdrawn. */
static void test_checkpoint(void)
{
    char path[80], from[80];
    long number = (long)getpid();
    way = BY_LISTS;
    MPI_Bcast(&number, 1, MPI_LONG, 0, MPI_COMM_WORLD);
    snprintf(path, sizeof path, "--checkpoint-path=withdrawn-%ld", number);
    snprintf(from, sizeof from, "--restart=withdrawn-%ld/at-1", number);
    struct outcome whole = simulate_with(OPTIMISTIC, "--checkpoint-every=15", path);
    restarts = true;
    for (size_t i = 0; i < 2; i++) {
        struct outcome rest = simulate_with(schedulers[i], from, NULL);
        CU_ASSERT_EQUAL(rest.back, whole.withdrawn);
        CU_ASSERT_EQUAL(rest.final_sum, whole.final_sum);
        CU_ASSERT(rest.net < whole.net);
    }
    restarts = false;
}

int main(int argc, char **argv)
{
    static const CU_TestInfo tests[] = {{"every scheduler", test_schedulers},
                                        {"a checkpoint meanwhile", test_checkpoint},
                                        {"both ways are one", test_ways}};
    MPI_Init(&argc, &argv);
    int status = suite_run("withdraw", tests, sizeof tests / sizeof *tests);
    MPI_Finalize();
    return status;
}
