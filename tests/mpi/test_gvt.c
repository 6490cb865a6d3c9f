/*
 * test_gvt.c - GVT against an oracle that sees all ranks at once.
 *
 * Tokens wander over the ranks: each is executed, which makes none, one or more tokens at the same
 * time or later, here or elsewhere. How many tokens of each time there are, pending or in transit,
 * is counted in memory that all ranks share, children before their parent is taken off. So the true
 * minimum is known at any moment, it never decreases, and no GVT that a rank has learned may lie
 * beyond it. Ranks poll, flush, execute, sleep and join rounds at random.
 */
#include <sched.h>
#include <stdatomic.h>
#include <unistd.h>

#include "support/hand_engine.h"
#include "support/suite.h"

#define SLOTS        4000 /* times are multiples of SLOT */
#define SLOT         0.25
#define RANKS_MAX    64
#define FORWARD_NONE UINT64_MAX

struct shared {
    _Atomic int64_t tokens[SLOTS + 1]; /* alive, by time */
    _Atomic int64_t rounds[RANKS_MAX]; /* completed by each rank */
    _Atomic int64_t gvt_slot;          /* greatest GVT that any rank has learned */
};

struct token {
    uint64_t random; /* decides about its children: the same on any rank */
};

static uint64_t seed;
static MPI_Win window;
static struct shared *shared;
static unsigned bad;
static bool spawning;      /* do tokens make tokens? */
static tw_lpid forward_to; /* where the next token sends one of its own time, or FORWARD_NONE */
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

/* 0, but chains of 0 must not become too long. */
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
    bad += slot_of(now) < shared->gvt_slot; /* G3: beyond what any rank has been told */
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

/* All ranks have new tokens; nothing is in transit from before. */
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

/* A round has ended on this rank. */
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
    for (int r = 0; r < pe->comm.n_ranks; r++) { /* G2; others may go on meanwhile */
        bad += shared->rounds[r] < mine - 1;
    }
}

static void nap(uint64_t *random)
{
    if (random_below(random, 4) == 0) {
        usleep((useconds_t)random_below(random, 300));
    } else {
        sched_yield();
    }
}

static void storm(unsigned n_tokens, uint64_t salt)
{
    uint64_t random;
    struct pe *pe = begin(n_tokens, &random, salt);
    uint64_t habits[4];
    for (int i = 0; i < 4; i++) {
        habits[i] = 1 + random_below(&random, i == 3 ? 200 : 10);
    }
    while (!(pe->head.GVT > 1e300)) {
        if (random_below(&random, habits[0]) == 0) {
            engine_receive(pe);
        }
        if (random_below(&random, habits[1]) == 0) {
            transport_flush(pe->transport);
        }
        for (uint64_t n = random_below(&random, habits[2] * 3); n > 0 && hand_step(pe); n--) {
        }
        if (random_below(&random, habits[3]) == 0) {
            nap(&random);
        }
        double before = pe->head.GVT;
        if (!pe->gvt.in_round && random_below(&random, 3) == 0) {
            gvt_start(pe);
        }
        if (pe->gvt.in_round && gvt_step(pe)) {
            check_round(pe, before);
        }
    }
    CU_ASSERT_EQUAL(bad, 0);
    CU_ASSERT_EQUAL(true_minimum(), SLOTS); /* it was the end, and nothing is left anywhere */
    CU_ASSERT_EQUAL(pending_count(pe->pending), 0);
    CU_ASSERT_EQUAL(pe->gvt.result.processed, pe->gvt.result.net);
    uint64_t sum = executed;
    MPI_Allreduce(MPI_IN_PLACE, &sum, 1, MPI_UINT64_T, MPI_SUM, MPI_COMM_WORLD);
    CU_ASSERT_EQUAL(pe->gvt.result.processed, sum); /* the vote's sums */
    CU_ASSERT(sum >= n_tokens * (uint64_t)pe->comm.n_ranks);
    hand_end();
}

static void test_storm(void)
{
    for (uint64_t round = 0; round < 8; round++) {
        storm(300, 1 + round);
    }
}

static void test_few_tokens(void)
{
    for (uint64_t round = 0; round < 30; round++) {
        storm(round % 3 == 0 ? 1 : 4, 100 + round);
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

/* While nobody executes anything, GVT is not only a bound: it is the minimum, in the second round
 * at the latest, also of what had not been flushed, and it stays. */
static void test_quiet(void)
{
    for (uint64_t round = 0; round < 20; round++) {
        uint64_t random;
        struct pe *pe = begin(1 + (unsigned)round, &random, 1000 + round);
        whole_round(pe);
        whole_round(pe);
        CU_ASSERT_EQUAL(slot_of(pe->head.GVT), true_minimum());
        whole_round(pe);
        CU_ASSERT_EQUAL(slot_of(pe->head.GVT), true_minimum());
        MPI_Barrier(MPI_COMM_WORLD); /* all have looked */
        spawning = false;
        while (hand_step(pe)) {
        }
        MPI_Barrier(MPI_COMM_WORLD); /* all have executed */
        whole_round(pe);
        CU_ASSERT(pe->head.GVT > 1e300);
        CU_ASSERT_EQUAL(bad, 0);
        hand_end();
    }
}

/*
 * The two messages that make GVT hard. One rank has sent a message, of a late time, before it joins
 * the round; the receiver has not looked, so that the vote must be repeated. Meanwhile the sender
 * executes its last event, of an early time, and sends a message of that time: only its account of
 * messages sent since it joined keeps GVT from passing over that.
 */
static void test_in_transit(void)
{
    uint64_t random;
    struct pe *pe = begin(0, &random, 2000);
    spawning = false;
    for (int round = 0; round < 60 && pe->comm.n_ranks > 1; round++) {
        int sender = round % pe->comm.n_ranks;
        tw_lpid dest = 3 * (tw_lpid)((sender + 1) % pe->comm.n_ranks);
        double early = SLOT * (double)(10 + 40 * round);
        if (pe->comm.rank == sender) {
            tw_lp *lp = g_tw_lp[0];
            pe->initialising = true;
            send_token(lp, lp->gid, early - tw_now(lp), 0);
            send_token(lp, dest, early + 20 * SLOT - tw_now(lp), 0);
            pe->initialising = false;
        }
        MPI_Barrier(MPI_COMM_WORLD);
        gvt_start(pe);
        if (pe->comm.rank == sender) {
            forward_to = dest;
            hand_step(pe);
        }
        double before = pe->head.GVT;
        while (!gvt_step(pe)) {
        }
        check_round(pe, before);
        bad += true_minimum() != slot_of(early); /* the message forwarded, nobody has executed it */
        MPI_Barrier(MPI_COMM_WORLD);
        while (true_minimum() < SLOTS) {
            transport_flush(pe->transport);
            engine_receive(pe);
            hand_step(pe);
        }
        MPI_Barrier(MPI_COMM_WORLD);
    }
    CU_ASSERT_EQUAL(bad, 0);
    CU_ASSERT(pe->comm.n_ranks == 1 || pe->counters.all_reduces > pe->counters.gvt_rounds);
    hand_end();
}

/* A round that is made to look as if it had cost so many ticks and come `elapsed` after the last.
 */
static uint64_t interval_after(struct pe *pe, uint64_t cost, uint64_t elapsed)
{
    gvt_start(pe);
    pe->gvt.cost_ticks = cost;
    pe->gvt.last_ticks = clock_ticks() - elapsed;
    while (!gvt_step(pe)) {
        engine_receive(pe);
    }
    return pe->gvt.interval_events;
}

/* Dear rounds come less often, cheap ones more often, within bounds; a fixed interval stays. */
static void test_interval(void)
{
    uint64_t random;
    struct pe *pe = begin(7, &random, 4000);
    struct gvt *g = &pe->gvt;
    const uint64_t hour = (uint64_t)(3600.0 * g_run.ticks_per_second);
    CU_ASSERT(!g->adapts);
    CU_ASSERT_EQUAL(interval_after(pe, hour / 2, hour), 256);
    CU_ASSERT_EQUAL(interval_after(pe, 0, hour), 256);
    g->interval_events_least = 100;
    g->interval_events_most = 1000;
    CU_ASSERT_EQUAL(interval_after(pe, hour / 2, hour), 512);
    CU_ASSERT_EQUAL(interval_after(pe, hour / 2, hour), 1000);
    CU_ASSERT_EQUAL(interval_after(pe, hour / 2, hour), 1000);
    CU_ASSERT_EQUAL(interval_after(pe, hour / 100, hour), 1000); /* neither dear nor cheap */
    CU_ASSERT_EQUAL(interval_after(pe, 0, hour), 500);
    CU_ASSERT_EQUAL(interval_after(pe, 0, hour), 250);
    CU_ASSERT_EQUAL(interval_after(pe, 0, hour), 125);
    CU_ASSERT_EQUAL(interval_after(pe, 0, hour), 100);
    MPI_Barrier(MPI_COMM_WORLD);
    hand_end();
}

/* What the options and the model say about the interval. */
static void test_interval_choice(void)
{
    uint64_t random;
    struct pe *pe = begin(7, &random, 5000);
    struct gvt *g = &pe->gvt;
    pe->synch = OPTIMISTIC;
    gvt_choose_interval(pe);
    CU_ASSERT(g->adapts);
    CU_ASSERT_EQUAL(g->interval_events, 256);
    pe->synch = OPTIMISTIC_REALTIME;
    gvt_choose_interval(pe);
    CU_ASSERT(!g->adapts);
    CU_ASSERT_DOUBLE_EQUAL((double)g->interval_ticks / g_run.ticks_per_second, 0.016, 1e-6);
    pe->synch = OPTIMISTIC;
    g_tw_gvt_interval = 50;
    gvt_choose_interval(pe);
    CU_ASSERT(!g->adapts);
    CU_ASSERT_EQUAL(g->interval_events, 50 * g_tw_mblock);
    CU_ASSERT_EQUAL(g->interval_ticks, UINT64_MAX);
    g_tw_gvt_interval = TW_GVT_INTERVAL_DEFAULT;
    hand_end();
}

/* A signal on one rank is known to all at the end of the round. */
static void test_signal(void)
{
    uint64_t random;
    struct pe *pe = begin(5, &random, 3000);
    whole_round(pe);
    CU_ASSERT_EQUAL(pe->gvt.result.signal, 0);
    if (pe->comm.rank == pe->comm.n_ranks - 1) {
        g_tw_signal = SIGTERM;
    }
    whole_round(pe);
    CU_ASSERT_EQUAL(pe->gvt.result.signal, SIGTERM);
    g_tw_signal = 0;
    hand_end();
}

/* When a round is joined: after so many events, after so long, by the clock alone with --synch=5.
 */
static void test_due(void)
{
    uint64_t random;
    struct pe *pe = begin(0, &random, 4000);
    struct gvt *g = &pe->gvt;
    g->interval_events = 100;
    g->interval_ticks = UINT64_MAX / 2;
    g->last_processed = 1000;
    g->last_ticks = clock_ticks();
    pe->counters.events_processed = 1099;
    CU_ASSERT(!gvt_due(pe));
    pe->counters.events_processed = 1100;
    CU_ASSERT(gvt_due(pe));
    pe->synch = OPTIMISTIC_REALTIME;
    CU_ASSERT(!gvt_due(pe));
    g->interval_ticks = 1;
    while (clock_ticks() == g->last_ticks) {
    }
    CU_ASSERT(gvt_due(pe));
    pe->synch = OPTIMISTIC;
    pe->counters.events_processed = 1000;
    CU_ASSERT(gvt_due(pe));
    hand_end();
}

int main(int argc, char **argv)
{
    static const CU_TestInfo tests[] = {
        {"storm", test_storm},
        {"storms of few tokens", test_few_tokens},
        {"exact while nothing happens", test_quiet},
        {"messages in transit", test_in_transit},
        {"the interval adapts", test_interval},
        {"who chooses the interval", test_interval_choice},
        {"signals", test_signal},
        {"when a round is due", test_due},
    };
    int rank = 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Win_allocate_shared(rank == 0 ? sizeof *shared : 0, 1, MPI_INFO_NULL, MPI_COMM_WORLD,
                            &shared, &window);
    MPI_Aint size;
    int unit;
    MPI_Win_shared_query(window, 0, &size, &unit, &shared);
    seed = suite_seed();
    MPI_Bcast(&seed, 1, MPI_UINT64_T, 0, MPI_COMM_WORLD);
    if (rank == 0) {
        suite_print_seed("gvt", seed);
    }
    int status = suite_run("gvt", tests, sizeof tests / sizeof *tests);
    MPI_Win_free(&window);
    MPI_Finalize();
    return status;
}
