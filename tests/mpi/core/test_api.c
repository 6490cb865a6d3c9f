/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * test_api.c - all of ross.h from the view of a model, under every scheduler and mapping.
 *
 * The test initialises MPI. Simulations run one after another on communicators given with
 * tw_comm_set(): on each rank alone (the sequential reference), on all ranks in reversed order, or
 * on all but the last, which runs one of its own meanwhile. Calls of MPI are intercepted: between
 * tw_init() and tw_end() none may use MPI_COMM_WORLD.
 *
 * test: alone=yes
 */
#include <unistd.h>

#include "engine/probe.h"
#include "support/api_model.h"
#include "support/mpi_watch.h"
#include "support/suite.h"

static MPI_Comm several; /* the ranks that simulate together */
static struct api_outcome reference;
static struct api_outcome reference_travelling;

/* ---- One simulation -------------------------------------------------------------------------- */

struct set_up {
    MPI_Comm comm;
    tw_synch synch;
    tw_lp_map mapping;
    tw_kpid kps;
    bool by_typemap;   /* types are set by tw_lp_setup_types() */
    tw_synch expected; /* expected scheduler if synch gives none */
};

static unsigned int option_number;
static char option_text[16];

static const tw_optdef model_options[] = {
    TWOPT_GROUP("api"),
    TWOPT_UINT("number", option_number, "a number"),
    TWOPT_CHAR("text", option_text, "a text"),
    TWOPT_END(),
};

/* Standard output of a run, in a file. */
static FILE *capture_begin(int *real)
{
    FILE *file = tmpfile();
    fflush(stdout);
    *real = dup(STDOUT_FILENO);
    dup2(fileno(file), STDOUT_FILENO);
    return file;
}

/* Returns the lines of the events, in the order of output, and restores stdout. */
static uint64_t capture_end(FILE *file, int real)
{
    char line[512];
    double last = -1.0;
    uint64_t n = 0;
    fflush(stdout);
    dup2(real, STDOUT_FILENO);
    close(real);
    rewind(file);
    while (fgets(line, sizeof line, file) != NULL) {
        double ts = 0.0;
        if (line[0] == '@') {
            API_CHECK(sscanf(line, "@ %lf", &ts) == 1 && ts >= last);
            last = ts;
            n++;
        }
    }
    fclose(file);
    return n;
}

static void initialise(const struct set_up *u)
{
    char program[] = "./some/where/api", quiet[] = "--quiet", number[] = "--number=7";
    char text[] = "--text=hello", word[] = "word";
    char *args[] = {program, quiet, word, number, text, NULL};
    char **argv = args;
    int argc = 5;
    int rank, size;
    MPI_Comm_rank(u->comm, &rank);
    MPI_Comm_size(u->comm, &size);
    option_number = 0;
    tw_comm_set(u->comm);
    tw_opt_add(model_options);
    tw_init(&argc, &argv);
    API_CHECK(option_number == 7 && strcmp(option_text, "hello") == 0);
    API_CHECK(argc == 2 && argv[1] == word);
    API_CHECK(g_tw_mynode == (tw_peid)rank && tw_nnodes() == (unsigned)size);
    API_CHECK(tw_ismaster() == (rank == 0) && g_tw_masternode == 0);
    API_CHECK(g_tw_pe != NULL && g_tw_pe->id == (tw_peid)rank);
    API_CHECK(MPI_COMM_ROSS == u->comm && g_tw_clock_rate > 0);
    tw_clock start = tw_clock_read();
    API_CHECK(tw_clock_read() >= start);
}

static tw_lpid local_lps(tw_lp_map mapping)
{
    tw_lpid n = 0;
    if (mapping == LINEAR) { /* the first rank has more */
        tw_lpid each = API_LPS / tw_nnodes() - 1;
        return g_tw_mynode == 0 ? API_LPS - each * (tw_nnodes() - 1) : each;
    }
    for (tw_lpid gid = 0; gid < API_LPS; gid++) {
        n += (mapping == CUSTOM ? api_rank_of(gid) : gid % tw_nnodes()) == g_tw_mynode;
    }
    return n;
}

static void check_lookups(const struct set_up *u)
{
    API_CHECK(g_tw_total_lps == API_LPS && g_tw_nlp == local_lps(u->mapping));
    API_CHECK(g_tw_msg_sz == sizeof(struct api_message));
    for (tw_lpid i = 0; i < g_tw_nlp; i++) {
        tw_lp *lp = tw_getlp(i);
        API_CHECK(lp == g_tw_lp[i] && lp->id == i && lp->pe == g_tw_pe);
        API_CHECK(tw_getlocal_lp(lp->gid) == lp);
        API_CHECK(lp->gid < API_LPS && lp->kp->pe == g_tw_pe);
        API_CHECK(lp->kp == tw_getkp(lp->kp->id) && lp->kp->id < g_tw_nkp);
        API_CHECK(u->mapping != LINEAR || lp->gid == g_tw_lp_offset + i);
        API_CHECK(u->mapping != ROUND_ROBIN || lp->gid == i * tw_nnodes() + g_tw_mynode);
        API_CHECK(u->mapping != CUSTOM || api_rank_of(lp->gid) == g_tw_mynode);
    }
    for (tw_kpid k = 0; k < g_tw_nkp; k++) {
        API_CHECK(tw_getkp(k) == g_tw_kp[k] && g_tw_kp[k]->id == k && g_tw_kp[k]->pe == g_tw_pe);
    }
}

/* Returns false where no event can have the lookahead as its offset, and still come before the end. */
static bool keeps_lookahead(const struct set_up *u)
{
    return u->synch != OPTIMISTIC || u->mapping != ROUND_ROBIN;
}

static void define(const struct set_up *u)
{
    g_tw_ts_end = API_END;
    g_tw_lookahead = keeps_lookahead(u) ? 0.5 : API_END;
    g_tw_nRNG_per_lp = API_STREAMS;
    g_tw_nkp = u->kps;
    g_tw_mblock = 4;
    g_tw_gvt_interval = 4;
    g_tw_synchronization_protocol = u->synch;
    g_tw_mapping = u->mapping;
    g_tw_custom_initial_mapping = api_map;
    g_tw_custom_lp_global_to_local_map = api_local_of;
    tw_define_lps(local_lps(u->mapping), sizeof(struct api_message));
    check_lookups(u);
    tw_pe_settype(&api_pe_type);
    g_tw_lp_types = u->by_typemap ? api_types : NULL;
    g_tw_lp_typemap = u->by_typemap ? api_type_of : NULL;
    if (u->by_typemap) {
        tw_lp_setup_types();
    }
    for (tw_lpid i = 0; i < g_tw_nlp; i++) {
        tw_lptype *type = &api_types[api_type_of(g_tw_lp[i]->gid)];
        if (!u->by_typemap) {
            tw_lp_settype(i, type);
        }
        API_CHECK(g_tw_lp[i]->type == type);
    }
}

static void check_counters(const struct set_up *u, const struct api_outcome *mine)
{
    const struct tw_counters *c = pe_counters(g_tw_pe);
    API_CHECK(c->events_processed - c->events_rolled_back == mine->received);
    API_CHECK(c->events_committed == mine->committed && mine->committed == mine->received);
    API_CHECK(c->events_past_end == mine->past_end);
    /* Optimistic runs have chains of offset 0, too; the offsets of the first events do not count. */
    uint64_t kept = pe_lookahead_kept(g_tw_pe);
    API_CHECK(keeps_lookahead(u) ? kept <= c->remote_events
                                 : kept < c->remote_events || tw_nnodes() == 1);
    API_CHECK(u->synch != CONSERVATIVE || kept == c->remote_events);
    API_CHECK(u->mapping != LINEAR || kept > 0 || tw_nnodes() == 1);
    tw_synch synch = u->synch == NO_SYNCH ? u->expected : u->synch;
    API_CHECK((synch == SEQUENTIAL || synch == CONSERVATIVE) == (c->fossil_collects == 0));
    API_CHECK(c->state_saves == 0 || c->fossil_collects > 0);
}

/* Sums over all ranks of comm. */
static struct api_outcome outcome_sum(struct api_outcome mine, MPI_Comm comm)
{
    uint64_t sums[5] = {mine.hash, mine.received, mine.past_end, mine.lines, mine.committed};
    MPI_Allreduce(MPI_IN_PLACE, sums, 5, MPI_UINT64_T, MPI_SUM, comm);
    return (struct api_outcome){sums[0], sums[1], sums[2], sums[3], sums[4]};
}

/* Allocates memory that the ranks of comm share. */
static MPI_Win share_counter(MPI_Comm comm, _Atomic int **counter)
{
    MPI_Win window;
    MPI_Aint size;
    int unit, rank;
    MPI_Comm_rank(comm, &rank);
    MPI_Win_allocate_shared(rank == 0 ? sizeof **counter : 0, sizeof **counter, MPI_INFO_NULL, comm,
                            counter, &window);
    MPI_Win_shared_query(window, 0, &size, &unit, counter);
    if (rank == 0) {
        **counter = 0;
    }
    MPI_Barrier(comm);
    return window;
}

static struct api_outcome simulate(const struct set_up *u)
{
    int real;
    int finalised = 1;
    api = (struct api_run){.last_gvt = 0.0};
    MPI_Win window = share_counter(u->comm, &api.inits_of_all);
    mpi_watching = true;
    initialise(u);
    define(u);
    tw_stat gvts_before = g_tw_gvt_done;
    FILE *output = capture_begin(&real);
    tw_run();
    uint64_t lines = capture_end(output, real);
    API_CHECK(api.inits == g_tw_nlp && api.pre_runs == g_tw_nlp && api.finals == g_tw_nlp);
    API_CHECK(api.gvts > 0 && g_tw_gvt_done - gvts_before == api.gvts);
    API_CHECK(api.last_gvt >= API_END && api.phase == API_SETUP);
    API_CHECK(lines == api.outcome.lines);
    check_counters(u, &api.outcome);
    tw_end();
    mpi_watching = false;
    MPI_Finalized(&finalised);
    API_CHECK(!finalised && g_tw_pe == NULL);
    MPI_Win_free(&window);
    return outcome_sum(api.outcome, u->comm);
}

static bool outcomes_equal(const struct api_outcome *a, const struct api_outcome *b)
{
    return memcmp(a, b, sizeof *a) == 0;
}

/* ---- The tests ------------------------------------------------------------------------------- */

static struct api_outcome simulate_alone(bool travelling)
{
    struct set_up u = {.comm = MPI_COMM_SELF, .synch = SEQUENTIAL, .kps = 3};
    api_chains_travel = travelling;
    return simulate(&u);
}

static void test_sequential(void)
{
    api_failures = 0;
    reference = simulate_alone(false);
    struct api_outcome again = simulate_alone(false);
    reference_travelling = simulate_alone(true);
    CU_ASSERT_EQUAL(api_failures, 0);
    CU_ASSERT(outcomes_equal(&reference, &again)); /* no state of the previous run */
    CU_ASSERT(!outcomes_equal(&reference, &reference_travelling));
    CU_ASSERT(reference.received > 1000 && reference.past_end > 50 && reference.lines > 100);
}

static void run_all_mappings(tw_synch synch, bool travelling)
{
    const struct api_outcome *wanted = travelling ? &reference_travelling : &reference;
    api_failures = 0;
    api_chains_travel = travelling;
    for (int mapping = LINEAR; mapping <= CUSTOM; mapping++) {
        for (tw_kpid kps = 1; kps <= 100; kps *= 10) {
            struct set_up u = {several, synch, (tw_lp_map)mapping, kps, kps == 10, synch};
            struct api_outcome o = simulate(&u);
            CU_ASSERT(outcomes_equal(&o, wanted));
        }
    }
    CU_ASSERT_EQUAL(api_failures, 0);
}

static void test_conservative(void)
{
    run_all_mappings(CONSERVATIVE, false);
}

static void test_optimistic(void)
{
    run_all_mappings(OPTIMISTIC, false);
    run_all_mappings(OPTIMISTIC, true);
}

static void test_realtime(void)
{
    run_all_mappings(OPTIMISTIC_REALTIME, true);
}

/* NO_SYNCH: sequential on one rank, optimistic on more; the counters show the choice. */
static void test_default(void)
{
    struct set_up u = {.comm = several, .synch = NO_SYNCH, .kps = 4};
    int size;
    MPI_Comm_size(several, &size);
    u.expected = size == 1 ? SEQUENTIAL : OPTIMISTIC;
    api_failures = 0;
    api_chains_travel = false;
    struct api_outcome o = simulate(&u);
    CU_ASSERT(outcomes_equal(&o, &reference));
    CU_ASSERT_EQUAL(api_failures, 0);
}

static void test_world(void)
{
    CU_ASSERT_EQUAL(mpi_world_used, 0);
}

static void test_small_calls(void)
{
    unsigned char *zeroed = tw_calloc(TW_LOC, "nothing much", 7, 3);
    for (int i = 0; i < 21; i++) {
        CU_ASSERT_EQUAL(zeroed[i], 0);
    }
    free(zeroed);
    free(tw_calloc(TW_LOC, "nothing", 0, 0));

    char text[200] = "";
    FILE *file = tmpfile();
    tw_fprint_binary_array(file, "> ", "AZ\xff", 3);
    rewind(file);
    CU_ASSERT_PTR_NOT_NULL(fgets(text, sizeof text, file));
    CU_ASSERT_EQUAL(strncmp(text, "> ", 2), 0);
    CU_ASSERT_PTR_NOT_NULL(strstr(text, "41 5a ff"));
    fclose(file);

    CU_ASSERT_EQUAL(TW_STIME_CMP(1.0, 2.0), -1);
    CU_ASSERT_EQUAL(TW_STIME_CMP(2.0, 1.0), 1);
    CU_ASSERT_EQUAL(TW_STIME_CMP(2.0, 2.0), 0);
    CU_ASSERT_EQUAL(ROSS_MAX(2, 3) - ROSS_MIN(2, 3), 1);
    CU_ASSERT(TW_STIME_ADD(TW_STIME_CRT(1.0), 2.0) < TW_STIME_MAX);
}

int main(int argc, char **argv)
{
    static const CU_TestInfo tests[] = {
        {"sequential, each rank alone", test_sequential},
        {"conservative", test_conservative},
        {"optimistic", test_optimistic},
        {"optimistic, GVT by the clock", test_realtime},
        {"scheduler not chosen", test_default},
        {"nothing used MPI_COMM_WORLD", test_world},
        {"small calls", test_small_calls},
    };
    int rank, size;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    bool apart = size > 2 && rank == size - 1; /* true if this rank simulates alone */
    MPI_Comm_split(MPI_COMM_WORLD, apart, -rank, &several);
    int status = suite_run("api", tests, sizeof tests / sizeof *tests);
    MPI_Comm_free(&several);
    MPI_Finalize();
    return status;
}
