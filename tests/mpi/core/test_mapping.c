/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * test_mapping.c - the rank of each LP, against the list of all ranks' numbers of LPs.
 */
#include <mpi.h>

#include "engine/pe/mapping.h"
#include "support/mpi_seed.h"

static uint64_t seed;
static struct comm comm;

/* The expected result on every rank: the owner of each gid and its number there. */
struct truth {
    tw_lpid counts[64];
    tw_lpid total;
    unsigned *rank;
    tw_lpid *local;
};

static void truth_fill(struct truth *t, tw_lp_map kind)
{
    t->total = 0;
    for (int r = 0; r < comm.n_ranks; r++) {
        t->total += t->counts[r];
    }
    t->rank = calloc(t->total + 1, sizeof *t->rank);
    t->local = calloc(t->total + 1, sizeof *t->local);
    tw_lpid gid = 0;
    if (kind == LINEAR) {
        for (unsigned r = 0; r < (unsigned)comm.n_ranks; r++) {
            for (tw_lpid i = 0; i < t->counts[r]; i++, gid++) {
                t->rank[gid] = r;
                t->local[gid] = i;
            }
        }
        return;
    }
    for (tw_lpid i = 0; i < t->counts[0]; i++) { /* dealt in turn */
        for (unsigned r = 0; r < (unsigned)comm.n_ranks; r++, gid++) {
            t->rank[gid] = r;
            t->local[gid] = i;
        }
    }
}

static void truth_free(struct truth *t)
{
    free(t->rank);
    free(t->local);
}

/* Checks all functions of a mapping for every gid. */
static unsigned check_mapping(const struct truth *t, tw_lp_map kind)
{
    struct mapping m;
    struct lp_table lps;
    unsigned me = (unsigned)comm.rank;
    unsigned bad = 0;
    tw_lpid mine = 0;
    mapping_init(&m, kind, t->counts[me], &comm);
    lp_table_init(&lps, t->counts[me], 2);
    bad += m.total != t->total || m.count != t->counts[me] || m.rank != me;
    bad += m.n_ranks != (unsigned)comm.n_ranks || m.kind != kind;
    for (tw_lpid gid = 0; gid < t->total; gid++) {
        tw_lp *lp = t->rank[gid] == me ? lp_table_at(&lps, t->local[gid]) : NULL;
        bad += mapping_local(&m, &lps, gid, NULL) != lp;
        bad += mapping_arrived(&m, &lps, gid) != lp;
        bad += mapping_find(&m, &lps, gid) != lp;
        bad += lp == NULL && mapping_rank(&m, gid, NULL) != t->rank[gid];
        if (lp != NULL) {
            bad += mapping_gid(&m, t->local[gid]) != gid;
            bad += mine == 0 && kind == LINEAR && m.first != gid;
            mine++;
        }
    }
    bad += mine != t->counts[me];
    bad += mapping_arrived(&m, &lps, t->total) != NULL;
    bad += mapping_arrived(&m, &lps, UINT64_MAX) != NULL;
    lp_table_fini(&lps);
    mapping_fini(&m);
    return bad;
}

/* Ranks of any size, even empty. Equal sizes need no search. */
static void test_linear(void)
{
    uint64_t random = seed;
    unsigned bad = 0;
    for (int round = 0; round < 200; round++) {
        struct truth t = {.total = 0};
        bool even = random_below(&random, 4) == 0;
        tw_lpid most = 1 + random_below(&random, 30);
        for (int r = 0; r < comm.n_ranks; r++) {
            bool none = random_below(&random, 3) == 0;
            t.counts[r] = even ? most : none ? 0 : random_below(&random, most + 1);
        }
        truth_fill(&t, LINEAR);
        bad += check_mapping(&t, LINEAR);
        truth_free(&t);
    }
    CU_ASSERT_EQUAL(bad, 0);
}

static void test_round_robin(void)
{
    unsigned bad = 0;
    for (tw_lpid each = 0; each < 40; each++) {
        struct truth t = {.total = 0};
        for (int r = 0; r < comm.n_ranks; r++) {
            t.counts[r] = each;
        }
        truth_fill(&t, ROUND_ROBIN);
        bad += check_mapping(&t, ROUND_ROBIN);
        truth_free(&t);
    }
    CU_ASSERT_EQUAL(bad, 0);
}

/* Any LP on any rank, as with --lp-map: a rank numbers its LPs in ascending order of gids. */
static void test_placed(void)
{
    uint64_t random = seed + 1;
    unsigned bad = 0;
    for (int round = 0; round < 100; round++) {
        tw_lpid total = 1 + random_below(&random, 50);
        unsigned ranks[50];
        tw_lpid count = 0;
        struct mapping m;
        struct lp_table lps;
        mapping_init(&m, LINEAR, comm.rank == 0 ? total : 0, &comm);
        uint32_t *placed = calloc(total, sizeof *placed);
        for (tw_lpid gid = 0; gid < total; gid++) {
            ranks[gid] = (unsigned)random_below(&random, (uint64_t)comm.n_ranks);
            bool is_local = ranks[gid] == (unsigned)comm.rank;
            placed[gid] = is_local ? MAPPING_LOCAL | (uint32_t)count : ranks[gid];
            count += is_local;
        }
        mapping_place(&m, placed, count);
        lp_table_init(&lps, count, 2);
        tw_lpid local = 0;
        for (tw_lpid gid = 0; gid < total; gid++) {
            bool is_local = ranks[gid] == (unsigned)comm.rank;
            tw_lp *lp = is_local ? lp_table_at(&lps, local) : NULL;
            local += is_local;
            bad += mapping_local(&m, &lps, gid, NULL) != lp;
            bad += mapping_arrived(&m, &lps, gid) != lp;
            bad += mapping_find(&m, &lps, gid) != lp;
            bad += mapping_rank(&m, gid, NULL) != ranks[gid];
        }
        bad += m.count != count || m.total != total;
        bad += mapping_arrived(&m, &lps, total) != NULL;
        lp_table_fini(&lps);
        mapping_fini(&m);
    }
    CU_ASSERT_EQUAL(bad, 0);
}

/* All ranks agree on whether their sizes are equal, even if only one differs. */
static void test_even(void)
{
    for (int odd = -1; odd < comm.n_ranks; odd++) {
        struct mapping m;
        mapping_init(&m, LINEAR, comm.rank == odd ? 6 : 5, &comm);
        CU_ASSERT_EQUAL(m.even, odd < 0 || comm.n_ranks == 1);
        mapping_fini(&m);
    }
}

/* CUSTOM: the mapping calls the model's functions, with the sender's type. Here gid g is on rank (g
 * / 2) % ranks, and the LPs of a rank are in descending order. */
static struct lp_table *custom_lps;

static tw_peid custom_rank(tw_lpid gid)
{
    return (gid / 2) % (unsigned)comm.n_ranks;
}

static tw_lp *custom_local(tw_lpid gid)
{
    for (tw_lpid i = 0; i < custom_lps->count; i++) {
        if (lp_table_at(custom_lps, i)->gid == gid) {
            return lp_table_at(custom_lps, i);
        }
    }
    return NULL;
}

/* A model's function that may not be asked. */
static tw_lp *custom_refuses(tw_lpid gid)
{
    (void)gid;
    CU_FAIL("the model is asked for an LP");
    return NULL;
}

static void test_custom(void)
{
    enum { TOTAL = 37 };
    tw_lptype type = {.map = custom_rank};
    struct mapping m;
    struct lp_table lps;
    tw_lpid count = 0;
    unsigned bad = 0;
    for (tw_lpid gid = 0; gid < TOTAL; gid++) {
        count += custom_rank(gid) == (tw_peid)comm.rank;
    }
    lp_table_init(&lps, count, 1);
    tw_lpid local = 0;
    for (tw_lpid gid = TOTAL; gid-- > 0;) {
        if (custom_rank(gid) == (tw_peid)comm.rank) {
            lp_table_at(&lps, local++)->gid = gid;
        }
    }
    custom_lps = &lps;
    g_tw_custom_lp_global_to_local_map = custom_local;
    mapping_init(&m, CUSTOM, count, &comm);
    CU_ASSERT_EQUAL(m.total, TOTAL);
    for (tw_lpid gid = 0; gid < TOTAL; gid++) {
        tw_lp *lp = custom_local(gid);
        bad += mapping_local(&m, &lps, gid, &type) != lp;
        bad += mapping_arrived(&m, &lps, gid) != lp;
        bad += mapping_rank(&m, gid, &type) != custom_rank(gid);
    }
    bad += mapping_arrived(&m, &lps, TOTAL) != NULL;
    g_tw_custom_lp_global_to_local_map = custom_refuses;
    for (tw_lpid gid = 0; gid <= TOTAL; gid++) {
        bad += mapping_find(&m, &lps, gid) != (gid < TOTAL ? custom_local(gid) : NULL);
    }
    CU_ASSERT_EQUAL(bad, 0);
    mapping_fini(&m);
    lp_table_fini(&lps);
    g_tw_custom_lp_global_to_local_map = NULL;
}

/* Blocks of LPs do not overlap for any number of streams, and begin at a cache line. */
static void test_lp_table(void)
{
    unsigned bad = 0;
    for (unsigned streams = 0; streams < 9; streams++) {
        struct lp_table lps;
        lp_table_init(&lps, 100, streams);
        size_t need = sizeof(tw_lp) + streams * sizeof(tw_rng_stream);
        for (tw_lpid i = 0; i < 100; i++) {
            unsigned char *block = (unsigned char *)lp_table_at(&lps, i);
            bad += (uintptr_t)block % 64 != 0;
            bad += i > 0 && block < (unsigned char *)lp_table_at(&lps, i - 1) + need;
        }
        lp_table_fini(&lps);
    }
    CU_ASSERT_EQUAL(bad, 0);
}

int main(int argc, char **argv)
{
    static const CU_TestInfo tests[] = {
        {"LINEAR, ranks of any size", test_linear},
        {"ROUND_ROBIN", test_round_robin},
        {"placed", test_placed},
        {"are all ranks of one size?", test_even},
        {"CUSTOM", test_custom},
        {"blocks of LPs", test_lp_table},
    };
    comm_init(&comm, MPI_COMM_NULL, &argc, &argv);
    seed = mpi_suite_seed("mapping", comm.comm);
    int status = suite_run("mapping", tests, sizeof tests / sizeof *tests);
    comm_fini(&comm);
    return status;
}
