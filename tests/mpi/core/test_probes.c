/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * test_probes.c - the calls of the probes during whole runs, under every scheduler and mapping:
 * each in its place, and in sum equal to the engine's counters.
 *
 * The model sends to itself and others, now and later. It makes ranks wait at random to cause
 * stragglers. Half of the LPs have their states saved.
 *
 * test: alone=yes
 */
#include <unistd.h>

#include "support/hand_engine.h"
#include "support/probe_books.h"
#include "support/suite.h"

#define LPS_PER_RANK 9
#define END_TIME     40.0

/* A walker never ends; it starts chains of events at its own time, each of which makes a spark. */
enum kind { WALKER = 100, SPARK = 101 }; /* less: remaining length of a chain */

struct message {
    uint64_t value;
    uint64_t old_hash;
    uint32_t kind;
    uint32_t draws;
};

struct state {
    uint64_t hash;
};

static struct probe_books books;
static bool listening;
static unsigned stragglers_wanted; /* per mille of events that wait a while */
static double signal_time;         /* the run is stopped at this time */
static bool random_rollbacks;
static uint64_t naps;

/* ---- The model ------------------------------------------------------------------------------- */

static void send(tw_lp *lp, tw_lpid dest, double offset, uint64_t value, uint32_t kind)
{
    tw_event *event = tw_event_new(dest, offset, lp);
    *(struct message *)tw_event_data(event) = (struct message){.value = value, .kind = kind};
    tw_event_send(event);
}

static tw_lpid anyone(tw_lp *lp)
{
    return (tw_lpid)tw_rand_integer(lp->rng, 0, (long)g_tw_total_lps - 1);
}

static void init(void *sv, tw_lp *lp)
{
    (void)sv;
    send(lp, lp->gid, 0.25 * (double)tw_rand_integer(lp->rng, 0, 4), lp->gid, WALKER);
    send(lp, anyone(lp), 1.0, lp->gid, WALKER); /* messages before the first event */
}

static void walk(tw_lp *lp, uint64_t value)
{
    if (tw_rand_unif(lp->rng) < 0.5) {
        send(lp, anyone(lp), 0.5 * (double)tw_rand_integer(lp->rng, 1, 4), value, WALKER);
    } else {
        send(lp, lp->gid, 0.5 + tw_rand_exponential(lp->rng, 0.5), value, WALKER);
    }
    if (tw_rand_unif(lp->rng) < 0.2) {
        send(lp, lp->gid, 0.0, value, 3);
        send(lp, lp->gid, END_TIME, 0, SPARK); /* past the end */
    }
}

static void wait_at_random(void)
{
    naps = naps * 6364136223846793005u + 1442695040888963407u;
    if ((naps >> 33) % 1000 < stragglers_wanted) {
        usleep(300);
    }
}

static void forward(void *sv, tw_bf *bf, void *msg, tw_lp *lp)
{
    struct state *s = sv;
    struct message *m = msg;
    unsigned long before = lp->rng->count;
    (void)bf;
    wait_at_random();
    if (tw_now(lp) >= signal_time) {
        g_tw_signal = SIGTERM;
    }
    m->old_hash = s->hash;
    s->hash = (s->hash ^ m->value) * 0x9e3779b97f4a7c15u + (uint64_t)(tw_now(lp) * 1024.0);
    if (m->kind == WALKER) {
        walk(lp, s->hash);
    } else if (m->kind != SPARK) {
        send(lp, anyone(lp), 0.5 + tw_rand_unif(lp->rng), s->hash, SPARK);
        if (m->kind > 1) {
            send(lp, lp->gid, 0.0, m->value + 1, m->kind - 1);
        }
    }
    m->draws = (uint32_t)(lp->rng->count - before);
}

static void reverse(void *sv, tw_bf *bf, void *msg, tw_lp *lp)
{
    struct state *s = sv;
    const struct message *m = msg;
    (void)bf;
    for (uint32_t i = 0; i < m->draws; i++) {
        tw_rand_reverse_unif(lp->rng);
    }
    s->hash = m->old_hash;
}

static tw_peid rank_of(tw_lpid gid)
{
    return (gid / 3) % tw_nnodes(); /* CUSTOM */
}

static tw_lp *local_of(tw_lpid gid)
{
    return tw_getlp(gid / (3 * tw_nnodes()) * 3 + gid % 3);
}

static void map_lps(void)
{
    for (tw_lpid i = 0; i < g_tw_nlp; i++) {
        tw_lp_onpe(i, g_tw_pe, (i / 3 * tw_nnodes() + g_tw_mynode) * 3 + i % 3);
    }
}

static tw_lptype types[2] = {
    {.init = init, .event = forward, .revent = reverse, .map = rank_of, .state_sz = 8},
    {.init = init, .event = forward, .map = rank_of, .state_sz = 8},
};

/* ---- The extension: the books ---------------------------------------------------------------- */

static enum tw_status set_up(tw_pe *pe, struct probe_table *table)
{
    (void)pe;
    books_open(&books, g_tw_nkp, g_tw_nlp);
    books.random_rollbacks = random_rollbacks;
    if (listening) {
        books_listen(&books, table);
    }
    return TW_OK;
}

const struct tw_extension tw_extension = {.setup = set_up};

/* ---- Runs ------------------------------------------------------------------------------------ */

static struct tw_counters simulate(tw_synch synch, tw_lp_map mapping, tw_kpid n_kps)
{
    char name[] = "probes", quiet[] = "--quiet", often[] = "--random-rollbacks=3";
    char *args[] = {name, quiet, often, NULL};
    char **argv = args;
    int argc = random_rollbacks ? 3 : 2;
    g_tw_synchronization_protocol = synch;
    g_tw_mapping = mapping;
    g_tw_custom_initial_mapping = map_lps;
    g_tw_custom_lp_global_to_local_map = local_of;
    g_tw_ts_end = END_TIME;
    g_tw_lookahead = 0.5;
    g_tw_nkp = n_kps;
    tw_init(&argc, &argv);
    tw_define_lps(LPS_PER_RANK, sizeof(struct message));
    for (tw_lpid i = 0; i < g_tw_nlp; i++) {
        tw_lp_settype(i, &types[g_tw_lp[i]->gid % 2]);
    }
    tw_run();
    struct tw_counters counters = *pe_counters(g_tw_pe);
    bool stopped = pe_self()->ended == RUN_END_SIGNAL;
    CU_ASSERT_EQUAL(stopped, signal_time < END_TIME);
    if (listening) {
        books_check(&books, g_tw_pe, stopped);
        books_check_queue(&books, g_tw_pe);
    }
    CU_ASSERT_EQUAL(books.bad, 0);
    CU_ASSERT(books.turns > 0 || !listening);
    pe_self()->ended = RUN_END_TIME; /* tw_end() would end the program after a signal */
    tw_end();
    books_close(&books);
    return counters;
}

static uint64_t sum_of_ranks(uint64_t value)
{
    MPI_Allreduce(MPI_IN_PLACE, &value, 1, MPI_UINT64_T, MPI_SUM, MPI_COMM_WORLD);
    return value;
}

static int world_size(void)
{
    int n_ranks;
    MPI_Comm_size(MPI_COMM_WORLD, &n_ranks);
    return n_ranks;
}

static void quiet_model(void)
{
    listening = true;
    signal_time = INFINITY;
    stragglers_wanted = 0;
}

static void test_in_order(void)
{
    quiet_model();
    for (int mapping = LINEAR; mapping <= CUSTOM; mapping++) {
        if (world_size() == 1) {
            CU_ASSERT(simulate(SEQUENTIAL, (tw_lp_map)mapping, 3).events_processed > 1000);
            CU_ASSERT(books.gvts > 0 && books.committed == books.executed);
        }
        CU_ASSERT(simulate(CONSERVATIVE, (tw_lp_map)mapping, 3).events_processed > 1000);
        CU_ASSERT(books.gvts > 0 && books.undone == 0 && books.cancelled == 0);
    }
}

/* Counts of all ranks, over the runs. */
struct late {
    uint64_t primary, secondary, cancelled, restored, anti_messages;
};

static bool is_enough(const struct late *l)
{
    return l->primary > 10 && l->secondary > 10 && l->cancelled > 10 && l->restored > 10 &&
           l->anti_messages > 10;
}

/* Stragglers depend on the machine: runs are repeated until every possible consequence has
 * occurred. */
static void test_time_warp(void)
{
    struct late late = {0};
    bool several = world_size() > 1; /* a single rank has no stragglers */
    quiet_model();
    stragglers_wanted = 10;
    for (int round = 0; round < 9 || (several && !is_enough(&late) && round < 100); round++) {
        struct tw_counters c = simulate(OPTIMISTIC, (tw_lp_map)(round % 3), round % 2 ? 2 : 9);
        late.primary += sum_of_ranks(books.rollbacks[PROBE_ROLLBACK_PRIMARY]);
        late.secondary += sum_of_ranks(books.rollbacks[PROBE_ROLLBACK_SECONDARY]);
        late.cancelled += sum_of_ranks(books.cancelled);
        late.restored += sum_of_ranks(books.restored);
        late.anti_messages += sum_of_ranks(c.anti_sends);
    }
    CU_ASSERT_EQUAL(several, is_enough(&late));
    CU_ASSERT(several || (late.primary | late.secondary | late.cancelled | late.restored) == 0);
    CU_ASSERT(several || late.anti_messages == 0);
}

/* Rollbacks without a straggler, also on one rank. */
static void test_random_rollbacks(void)
{
    uint64_t primary = 0, cancelled = 0;
    quiet_model();
    random_rollbacks = true;
    for (int round = 0; round < 3; round++) {
        simulate(OPTIMISTIC, (tw_lp_map)round, round % 2 ? 1 : 5);
        primary += books.rollbacks[PROBE_ROLLBACK_PRIMARY];
        cancelled += books.cancelled;
    }
    random_rollbacks = false;
    CU_ASSERT(sum_of_ranks(primary) > 10);
    CU_ASSERT(sum_of_ranks(cancelled) > 10);
}

/* A run that is stopped undoes the events after its GVT. */
static void test_signal(void)
{
    quiet_model();
    stragglers_wanted = 10;
    bool several = world_size() > 1;
    uint64_t without_rollback = 0;
    for (int round = 0; round < 3 || (several && without_rollback == 0 && round < 100); round++) {
        signal_time = 5.0 + 5.0 * (round % 3);
        simulate(OPTIMISTIC, LINEAR, 4);
        without_rollback += sum_of_ranks(books.undone - books.undone_by_rollbacks);
    }
    CU_ASSERT(without_rollback > 0 || !several);
}

/* Observers do not change the results. */
static void test_without_function(void)
{
    quiet_model();
    struct tw_counters heard = simulate(CONSERVATIVE, LINEAR, 3);
    listening = false;
    struct tw_counters without = simulate(CONSERVATIVE, LINEAR, 3);
    CU_ASSERT_EQUAL(heard.events_processed, without.events_processed);
    CU_ASSERT_EQUAL(heard.network_recvs, without.network_recvs);
}

/* The anti-message of an event overtakes it: by hand, since the transport keeps the order. */
static void test_early_anti_message(void)
{
    quiet_model();
    g_tw_mapping = LINEAR;
    g_tw_nkp = 1;
    struct pe *pe = hand_begin(1, sizeof(struct message), types, 2, OPTIMISTIC, END_TIME);
    books_open(&books, 1, 1);
    books_listen(&books, &pe->probes);
    if (pe->comm.rank == 0 && pe->comm.n_ranks > 1) {
        pe->initialising = true;
        tw_event *event = tw_event_new(1, 1.0, g_tw_lp[0]);
        tw_event *same = tw_event_new(1, 1.0, g_tw_lp[0]);
        hand_keep_unsent(pe);
        pe->initialising = false;
        remote_table_take_handle(&pe->remotes, event);
        same->handle = event->handle;
        same->event_id = event->event_id;
        engine_send_anti(pe, same);
        engine_send_remote(pe, event, 0);
        event_pool_put(&pe->pool, event);
        transport_flush(pe->transport);
        CU_ASSERT(books.lps[0].sent[0] == 1 && books.lps[0].sent[1] == 1);
    }
    if (pe->comm.rank == 1) {
        while (books.lps[0].received[0] == 0) {
            engine_receive(pe);
        }
        CU_ASSERT_EQUAL(books.lps[0].received[1], 1);
    }
    MPI_Barrier(MPI_COMM_WORLD);
    CU_ASSERT_EQUAL(pending_count(pe->pending), 0);
    books_check(&books, &pe->head, false);
    CU_ASSERT_EQUAL(books.bad, 0);
    books_close(&books);
    hand_end();
}

int main(int argc, char **argv)
{
    static const CU_TestInfo tests[] = {
        {"without rollback", test_in_order},
        {"Time Warp", test_time_warp},
        {"random rollbacks", test_random_rollbacks},
        {"a run that is stopped", test_signal},
        {"no subscriber", test_without_function},
        {"an anti-message that comes early", test_early_anti_message},
    };
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    naps = suite_seed() + (unsigned)rank; /* the seed changes only the times at which ranks wait */
    int status = suite_run("probes", tests, sizeof tests / sizeof *tests);
    MPI_Finalize();
    return status;
}
