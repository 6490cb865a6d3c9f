/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Parts of warpscope analyze against plain arrays: open events, chains, cycles. The
 * whole analysis is tested by system/reader/test_analyze.sh.
 */
/* test: libs=warpscope_reading */
#include "analyze/analyze.h"
#include "analyze/open_events.h"
#include "cli/files.h"
#include "support/causal_trace.h"
#include "support/suite.h"

#define OPENS 600u

static uint64_t seed;

static struct analyze_open open_make(uint32_t i)
{
    return (struct analyze_open){
        .ts = i % 7, .lp = i / 7 % 11, .order = i / 77, .left = 1 + i % 3, .number = i};
}

static void test_open_events(void)
{
    struct analyze_opens opens = {0};
    bool in[OPENS] = {false};
    size_t n = 0;
    for (uint32_t step = 0; step < 20000; step++) {
        uint32_t i = (uint32_t)random_below(&seed, OPENS);
        struct analyze_open e = open_make(i);
        struct analyze_open *found = analyze_open_find(&opens, e.lp, e.ts, e.order);
        CU_ASSERT_EQUAL(found != NULL, in[i]);
        if (found != NULL) {
            CU_ASSERT_EQUAL(found->number, i);
            analyze_open_remove(&opens, found);
        } else {
            CU_ASSERT(analyze_open_add(&opens, &e));
        }
        n = in[i] ? n - 1 : n + 1;
        in[i] = !in[i];
        CU_ASSERT_EQUAL(opens.n, n);
        if (step % 500 == 0) {
            CU_ASSERT(analyze_opens_check(&opens));
        }
    }
    CU_ASSERT(opens.most >= n);
    analyze_opens_free(&opens);
}

/* Adds the length of a chain that has ended to the expected counts. */
static void chain_count(struct analyze_chains *x, uint32_t length)
{
    if (length > 0) {
        x->n++;
        x->counts[length < ANALYZE_CHAIN_MAX ? length : ANALYZE_CHAIN_MAX]++;
        x->longest = length > x->longest ? length : x->longest;
    }
}

/* Adds n events of one LP, and counts their chains by the definitions. */
static void chains_make(struct analyze *a, struct analyze_chains *expected, uint32_t n)
{
    struct analyze_lp lp = {0};
    uint32_t length[ANALYZE_CHAINS] = {0};
    double from[ANALYZE_CHAINS] = {0}, ts = 0;
    for (uint32_t i = 0; i < n; i++) {
        struct analyze_event e = {.lp = 3, .src = 3 + (random_below(&seed, 4) == 0)};
        bool initial = random_below(&seed, 20) == 0;
        ts += (double)random_below(&seed, 3);
        e.ts = ts;
        e.send_ts = ts - (double)random_below(&seed, n < 10000 ? 6 : 200);
        for (unsigned k = 0; k < ANALYZE_CHAINS; k++) {
            bool own = e.src == e.lp, before = initial || e.send_ts < from[k];
            bool goes_on = k == ANALYZE_LOCAL ? own && before : k == ANALYZE_LINKED ? own : before;
            if (length[k] > 0 && goes_on) {
                length[k]++;
                continue;
            }
            chain_count(&expected[k], length[k]);
            length[k] = 1;
            from[k] = e.ts;
        }
        analyze_chains_add(a, &lp, &e, initial);
    }
    analyze_chains_end(a, &lp);
    analyze_chains_end(a, &lp); /* has no effect: no chain is open */
    for (unsigned k = 0; k < ANALYZE_CHAINS; k++) {
        chain_count(&expected[k], length[k]);
    }
}

static void test_chains(void)
{
    static struct analyze a;
    static struct analyze_chains expected[ANALYZE_CHAINS];
    memset(&a, 0, sizeof a);
    memset(expected, 0, sizeof expected);
    for (uint32_t lp = 0; lp < 500; lp++) {
        chains_make(&a, expected, (uint32_t)random_below(&seed, 40));
    }
    chains_make(&a, expected, 20000);
    for (unsigned k = 0; k < ANALYZE_CHAINS; k++) {
        CU_ASSERT(expected[k].longest > 8 && expected[k].n > 100);
        CU_ASSERT_EQUAL(a.chains[k].n, expected[k].n);
        CU_ASSERT_EQUAL(a.chains[k].longest, expected[k].longest);
        CU_ASSERT_EQUAL(memcmp(a.chains[k].counts, expected[k].counts, sizeof expected[k].counts),
                        0);
    }
}

static void check_levels(size_t n_max)
{
    struct analyze_levels levels = {.n_max = n_max};
    static uint32_t expected[5000];
    static double times[5000];
    uint64_t most = 0, too_many = 0;
    memset(expected, 0, sizeof expected);
    memset(times, 0, sizeof times);
    for (uint32_t i = 0; i < 20000; i++) {
        uint64_t level = 1 + random_below(&seed, 1 + i / 4);
        CU_ASSERT(analyze_levels_add(&levels, level, (double)(level % 7)));
        expected[level - 1]++;
        times[level - 1] += (double)(level % 7);
        most = level > most ? level : most;
        too_many += levels.n > n_max || levels.n << levels.shift < most;
    }
    CU_ASSERT_EQUAL(too_many, 0);
    for (size_t i = 0; i < levels.n; i++) {
        uint32_t sum = 0;
        double time = 0;
        for (size_t k = i << levels.shift; k < (i + 1) << levels.shift && k < 5000; k++) {
            sum += expected[k];
            time += times[k];
        }
        CU_ASSERT_EQUAL(levels.list[i].events, sum);
        CU_ASSERT_DOUBLE_EQUAL(levels.list[i].times, time, 1e-9);
    }
    analyze_levels_free(&levels);
    CU_ASSERT_PTR_NULL(levels.list);
}

static void test_levels(void)
{
    check_levels(64);
    check_levels(63);
    check_levels(5);
    check_levels(2);
    /* A level that makes the array fold, and is a multiple of the new width. */
    struct analyze_levels one = {.n_max = 5};
    CU_ASSERT(analyze_levels_add(&one, 6, 1.0));
    CU_ASSERT(one.shift == 1 && one.n == 3 && one.list[2].events == 1);
    analyze_levels_free(&one);
}

/* ---- Bounded memory -------------------------------------------------------------------------- */

/* Analyses a trace. memory, edges: see struct analyze_options. */
static void trace_analyze(struct analyze *a, struct ws_file *file, const char *path, size_t memory,
                          size_t edges)
{
    static struct analyze_options o;
    o = (struct analyze_options){.ranks = {2, 7},
                                 .n_ranks = 2,
                                 .top = 10,
                                 .csv_folder = "", /* so that edges are kept */
                                 .pages_memory = memory,
                                 .edges_max = edges};
    memset(file, 0, sizeof *file);
    ws_file_survey(file, path, WS_USUAL, &ws_on_stderr);
    CU_ASSERT_FATAL(file->pes != NULL && analyze_run(a, file, &o));
}

/* Temporary files change no result. */
static void test_bounded_memory(void)
{
    struct causal_options o = {
        .shape = CAUSAL_ZERO, .lps = 300, .pes = 3, .events = 60000, .seed = seed, .timed = 1};
    struct causal_trace trace;
    static struct analyze all, small;
    struct ws_file files[2];
    char path[64];
    snprintf(path, sizeof path, "test_reader_analyze-%ld.bin", (long)getpid());
    causal_make(&trace, &o);
    CU_ASSERT_FATAL(causal_write(&trace, path, "3"));
    trace_analyze(&all, &files[0], path, 0, 0);
    trace_analyze(&small, &files[1], path, 1, 4096);
    CU_ASSERT(!all.edges.spilled && small.edges.spilled);
    CU_ASSERT_EQUAL(all.events, trace.n);
    CU_ASSERT_EQUAL(all.path_events, small.path_events);
    CU_ASSERT_EQUAL(all.path_time, small.path_time);
    CU_ASSERT(memcmp(all.lengths, small.lengths, sizeof all.lengths) == 0);
    CU_ASSERT(all.n_lps == small.n_lps && all.graph.n == small.graph.n);
    CU_ASSERT(memcmp(all.more, small.more, all.n_lps * sizeof *all.more) == 0);
    CU_ASSERT(memcmp(all.graph.list, small.graph.list, all.graph.n * sizeof *all.graph.list) == 0);
    CU_ASSERT(memcmp(all.parts, small.parts, sizeof all.parts) == 0);
    for (uint32_t i = 0; i < all.n_shares; i++) {
        CU_ASSERT_EQUAL(all.shares[i].remote, small.shares[i].remote);
    }
    analyze_free(&all);
    analyze_free(&small);
    ws_file_close(&files[0]);
    ws_file_close(&files[1]);
    causal_free(&trace);
    unlink(path);
}

/* The times of a long trace come from some of the blocks, but from some of each PE. */
static void test_times_of_pes(void)
{
    enum { PES = 40 };
    const struct causal_options options = {
        .shape = CAUSAL_PHOLD, .lps = PES, .pes = PES, .events = 40000, .seed = seed, .timed = 1};
    char path[64];
    struct causal_trace trace;
    struct ws_file file;
    struct analyze_trace read;
    snprintf(path, sizeof path, "test_reader_analyze.%ld.bin", (long)getpid());
    causal_make(&trace, &options);
    CU_ASSERT_FATAL(causal_write(&trace, path, "3"));
    ws_file_survey(&file, path, WS_STRICT, &ws_on_stderr);
    CU_ASSERT_FATAL(analyze_trace_init(&read, &file, ANALYZE_NEEDS, false, true));
    CU_ASSERT(read.times.is_timed && !read.times.is_sampled);
    for (uint32_t pe = 0; pe < PES; pe++) {
        CU_ASSERT_DOUBLE_EQUAL(read.times.pe_costs[pe], 1.0, 0.2);
    }
    analyze_trace_free(&read);
    ws_file_close(&file);
    causal_free(&trace);
    unlink(path);
}

int main(void)
{
    CU_TestInfo tests[] = {{"open events", test_open_events},
                           {"chains", test_chains},
                           {"cycles", test_levels},
                           {"times of PEs", test_times_of_pes},
                           {"bounded memory", test_bounded_memory}};
    seed = suite_seed();
    suite_print_seed("reader_analyze", seed);
    return suite_run("reader_analyze", tests, sizeof tests / sizeof tests[0]);
}
