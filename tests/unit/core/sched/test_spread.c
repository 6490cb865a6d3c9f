/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The number of events that ranks near their limit of memory may make between two GVTs, against the
 * test's own counts. The events must never fill the space of the rank with the least.
 *
 * There are four ranks, but MPI has one: the test writes the engine's sends into its counters.
 */
#include <mpi.h>
#include <unistd.h>

#include "sched/spread.h"
#include "support/suite.h"

#define RANKS 4
#define STEPS 20000
/* A job of very many ranks, of which one sends to PEERS others, and the memory that it may need: each
 * peer has a batch of 16 KiB and a page of each array at most. */
#define MANY       1000000
#define PEERS      100
#define MANY_BYTES ((size_t)8 << 20)
#define BURST      5 /* the most events that one event keeps, or sends to one rank */

static uint64_t seed;

/* A rank, with the test's counts. */
struct rank {
    struct pe pe;
    struct spread spread;
    uint64_t *sent_to;          /* the transport's counters */
    uint64_t sent_since[RANKS]; /* GVT */
    uint64_t kept_at_gvt;
    uint64_t most_kept, most_sent; /* maximum of one event */
};

static void rank_init(struct rank *r, int number, uint64_t room)
{
    const char *trouble;
    *r = (struct rank){.most_kept = 1, .most_sent = 1};
    comm_init(&r->pe.comm, MPI_COMM_SELF, NULL, NULL);
    r->pe.comm.rank = number;
    r->pe.comm.n_ranks = RANKS;
    r->pe.transport = transport_create(&r->pe.comm, TRANSPORT_MPI, 64, &trouble);
    r->sent_to = (uint64_t *)(uintptr_t)transport_sent_to(r->pe.transport);
    r->pe.pool.in_use = 1000;
    r->pe.gvt.result.room = room;
    for (int to = 0; to < RANKS; to++) {
        if (to != number) { /* these messages are never flushed; they make the ranks peers */
            memset(transport_reserve(r->pe.transport, to, 8), 0, 8);
        }
    }
    spread_init(&r->spread);
}

static void rank_fini(struct rank *r)
{
    spread_fini(&r->spread);
    transport_destroy(r->pe.transport);
    comm_fini(&r->pe.comm);
}

static void gvt(struct rank *r, uint64_t room)
{
    r->pe.gvt.result.room = room;
    r->kept_at_gvt = r->pe.pool.in_use;
    memset(r->sent_since, 0, sizeof r->sent_since);
    spread_renew(&r->spread, &r->pe);
}

static uint64_t largest_sent(const struct rank *r)
{
    uint64_t largest = 0;
    for (int to = 0; to < RANKS; to++) {
        largest = r->sent_since[to] > largest ? r->sent_since[to] : largest;
    }
    return largest;
}

static uint64_t kept_since(const struct rank *r)
{
    return r->pe.pool.in_use > r->kept_at_gvt ? r->pe.pool.in_use - r->kept_at_gvt : 0;
}

/* Executes one event: changes the rank's own events by `keeps`, and sends as many messages to each
 * rank. */
static void event(struct rank *r, int64_t keeps, const uint64_t sends[RANKS])
{
    const struct spread_mark before = spread_mark(&r->spread, &r->pe);
    const uint64_t largest = largest_sent(r);
    CU_ASSERT_EQUAL(before.kept, r->pe.pool.in_use);
    CU_ASSERT_EQUAL(before.sent, largest);
    r->pe.pool.in_use += (uint64_t)keeps;
    for (int to = 0; to < RANKS; to++) {
        r->sent_to[to] += sends[to];
        r->sent_since[to] += sends[to];
    }
    spread_note(&r->spread, &r->pe, before);
    if (keeps > 0 && (uint64_t)keeps > r->most_kept) {
        r->most_kept = (uint64_t)keeps;
    }
    if (largest_sent(r) - largest > r->most_sent) {
        r->most_sent = largest_sent(r) - largest;
    }
}

static void random_event(struct rank *r, uint64_t *random, int64_t least_kept, bool to_one)
{
    uint64_t sends[RANKS] = {0};
    const uint64_t only = random_below(random, RANKS);
    for (uint64_t to = 0; to < RANKS; to++) {
        const bool is_sent_to = (int)to != r->pe.comm.rank && (!to_one || to == only);
        sends[to] = is_sent_to ? random_below(random, BURST + 1) : 0;
    }
    event(r, least_kept + (int64_t)random_below(random, (uint64_t)(BURST + 1 - least_kept)), sends);
}

/* The rule of spread.h, applied to the test's own counts. */
static bool rule_allows(const struct rank *r, uint64_t room, bool is_hindmost)
{
    const uint64_t part = room / 6;
    const uint64_t to_each = is_hindmost ? part : part / RANKS;
    bool allowed = kept_since(r) + r->most_kept <= part;
    for (int to = 0; to < RANKS; to++) {
        allowed = allowed && r->sent_since[to] + r->most_sent <= to_each;
    }
    return allowed;
}

static void test_rule(void)
{
    uint64_t random = seed;
    unsigned n_allowed = 0;
    uint64_t room = 600;
    struct rank r;

    rank_init(&r, 1, room);
    gvt(&r, room);
    for (int i = 0; i < STEPS; i++) {
        if (random_below(&random, 20) == 0) {
            room = random_below(&random, 4) == 0 ? random_below(&random, 100)
                                                 : random_below(&random, 3000);
            gvt(&r, room);
        }
        const bool is_hindmost = random_below(&random, 2) == 0;
        const bool allows = spread_allows(&r.spread, &r.pe, is_hindmost);
        CU_ASSERT_EQUAL(allows, rule_allows(&r, room, is_hindmost));
        n_allowed += allows;
        random_event(&r, &random, random_below(&random, 2) == 0 ? -BURST : 0,
                     random_below(&random, 2) == 0);
    }
    CU_ASSERT(n_allowed > STEPS / 20 && n_allowed < STEPS - STEPS / 20);
    rank_fini(&r);
}

/* Before any event has made many, an event that makes one is allowed; later the observed numbers
 * count. */
static void test_bursts(void)
{
    static const uint64_t nothing[RANKS] = {0}, three[RANKS] = {3};
    struct rank r;

    rank_init(&r, 1, 24);
    gvt(&r, 24); /* the rank may keep 4 and send 1 to each rank */
    CU_ASSERT(spread_allows(&r.spread, &r.pe, false));
    event(&r, 3, nothing);
    CU_ASSERT(!spread_allows(&r.spread, &r.pe, false)); /* 3 and once more 3 */
    gvt(&r, 24);
    CU_ASSERT(spread_allows(&r.spread, &r.pe, false));
    event(&r, -2, nothing); /* fewer events than at GVT do not give more space */
    event(&r, 2, nothing);
    CU_ASSERT(spread_allows(&r.spread, &r.pe, false));
    event(&r, 0, three);
    gvt(&r, 24);
    CU_ASSERT(!spread_allows(&r.spread, &r.pe, false)); /* 3 to one rank exceed 1 */
    gvt(&r, 72);
    CU_ASSERT(spread_allows(&r.spread, &r.pe, false));
    gvt(&r, 71);
    CU_ASSERT(!spread_allows(&r.spread, &r.pe, false));
    rank_fini(&r);
}

/* All ranks make as many events as allowed. The events that reach any rank, and those that it
 * keeps, take at most half of the least space. Rank 0 is the hindmost. */
static void test_room(void)
{
    uint64_t random = seed ^ 1;
    struct rank r[RANKS];

    for (int i = 0; i < RANKS; i++) {
        static const uint64_t most[RANKS] = {BURST, BURST, BURST, BURST};
        rank_init(&r[i], i, 0);
        gvt(&r[i], 0);
        event(&r[i], BURST, most); /* the largest burst is known */
    }
    for (int round = 0; round < 200; round++) {
        const uint64_t room = random_below(&random, 3000);
        const bool to_one = random_below(&random, 2) == 0;
        for (int i = 0; i < RANKS; i++) {
            gvt(&r[i], room);
        }
        for (int i = 0; i < RANKS; i++) {
            while (spread_allows(&r[i].spread, &r[i].pe, i == 0) &&
                   random_below(&random, 100) != 0) {
                random_event(&r[i], &random, 0, to_one);
            }
        }
        for (int to = 0; to < RANKS; to++) {
            uint64_t all = kept_since(&r[to]);
            for (int from = 0; from < RANKS; from++) {
                all += r[from].sent_since[to];
            }
            CU_ASSERT(all <= room / 2);
        }
    }
    for (int i = 0; i < RANKS; i++) {
        rank_fini(&r[i]);
    }
}

/* Returns the memory of this process in bytes. */
static size_t memory_in_use(void)
{
    size_t pages = 0, resident = 0;
    FILE *file = fopen("/proc/self/statm", "r");
    CU_ASSERT_PTR_NOT_NULL_FATAL(file);
    CU_ASSERT_EQUAL(fscanf(file, "%zu %zu", &pages, &resident), 2);
    fclose(file);
    return resident * (size_t)sysconf(_SC_PAGESIZE);
}

/* The structures of a rank for a million others take memory for those with which it exchanges events. */
static void test_million(void)
{
    const char *trouble;
    struct pe pe = {.gvt.result.room = 1000};
    struct spread spread;
    size_t before = memory_in_use();
    comm_init(&pe.comm, MPI_COMM_SELF, NULL, NULL);
    pe.comm.n_ranks = MANY;
    pe.transport = transport_create(&pe.comm, TRANSPORT_MPI, 64, &trouble);
    remote_table_init(&pe.remotes, MANY);
    spread_init(&spread);
    for (unsigned i = 1; i <= PEERS; i++) {
        tw_event event = {.send_pe = i * (MANY / PEERS) - 1};
        memset(transport_reserve(pe.transport, (int)event.send_pe, 8), 0, 8);
        remote_table_take_handle(&pe.remotes, &event);
        CU_ASSERT_EQUAL(spread_mark(&spread, &pe).sent, 1);
        if (i % 10 == 0) {
            spread_renew(&spread, &pe);
            CU_ASSERT_EQUAL(spread_mark(&spread, &pe).sent, 0);
        }
    }
    size_t after = memory_in_use();
    CU_ASSERT(after < before || after - before < MANY_BYTES);
    spread_fini(&spread);
    remote_table_fini(&pe.remotes);
    transport_destroy(pe.transport);
    comm_fini(&pe.comm);
}

int main(int argc, char **argv)
{
    static const CU_TestInfo tests[] = {
        {"the rule, over random events", test_rule},
        {"bursts", test_bursts},
        {"no rank is filled", test_room},
        {"a million ranks", test_million},
    };
    MPI_Init(&argc, &argv);
    seed = suite_seed();
    suite_print_seed("spread", seed);
    int status = suite_run("spread over ranks", tests, sizeof tests / sizeof *tests);
    MPI_Finalize();
    return status;
}
