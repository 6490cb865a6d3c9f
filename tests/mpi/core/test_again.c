/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * test_again.c - two simulations in one process: the second has no state of the first.
 *
 * test: ranks=1,2
 *
 * The caller owns MPI, like a program that uses the engine as a library.
 */
#include <mpi.h>
#include <string.h>

#include "engine/pe/pe.h"
#include "support/suite.h"

static uint64_t executed;
static uint32_t first_stream[4];

static void init(void *state, tw_lp *lp)
{
    (void)state;
    rng_get_state(lp->rng, first_stream);
    tw_event_send(tw_event_new(lp->gid, 1.0, lp));
}

static void event(void *state, tw_bf *bf, void *msg, tw_lp *lp)
{
    (void)state;
    (void)bf;
    (void)msg;
    executed++;
    tw_event_send(tw_event_new((lp->gid + 1) % g_tw_total_lps, 1.0, lp));
}

static tw_lptype type = {.init = init, .event = event, .state_sz = 8};

/* Returns the net events of this rank's LPs, and leaves the state of a stream in first_stream. */
static uint64_t simulate(char *const *options, int n_options)
{
    char name[] = "again";
    char quiet[] = "--quiet";
    char end[] = "--end=20";
    char synch[] = "--synch=2";
    char *args[16] = {name, quiet, end, synch};
    char **argv = args;
    int argc = 4 + n_options;
    for (int i = 0; i < n_options; i++) {
        args[4 + i] = options[i];
    }
    executed = 0;
    g_tw_lookahead = 1.0;
    tw_init(&argc, &argv);
    CU_ASSERT_EQUAL(g_tw_gvt_done, 0);
    tw_define_lps(3, 8);
    for (tw_lpid i = 0; i < g_tw_nlp; i++) {
        tw_lp_settype(i, &type);
    }
    tw_run();
    CU_ASSERT(g_tw_gvt_done > 0);
    tw_end();
    CU_ASSERT_PTR_NULL(g_tw_pe);
    return executed;
}

static void test_second_run(void)
{
    char fast[] = "--rng=fast";
    char *with_fast[1] = {fast};
    char seeds[4][32] = {"--rng-seed1=11", "--rng-seed2=12", "--rng-seed3=13", "--rng-seed4=14"};
    char *options[4] = {seeds[0], seeds[1], seeds[2], seeds[3]};
    uint32_t plain[4];
    uint64_t events = simulate(NULL, 0);
    memcpy(plain, first_stream, sizeof plain);
    CU_ASSERT_EQUAL(events, 19 * 3);
    CU_ASSERT_EQUAL(simulate(options, 4), events);
    CU_ASSERT(memcmp(plain, first_stream, sizeof plain) != 0);
    CU_ASSERT_PTR_NULL(g_tw_rng_seed);
    CU_ASSERT_EQUAL(simulate(with_fast, 1), events);
    CU_ASSERT(memcmp(plain, first_stream, sizeof plain) != 0);
    CU_ASSERT_EQUAL(simulate(NULL, 0), events);
    CU_ASSERT(memcmp(plain, first_stream, sizeof plain) == 0);
}

/* Returns true if tw_end() has reset the settings of the model and of options. */
static bool settings_are_first(void)
{
    return g_tw_synchronization_protocol == NO_SYNCH && g_tw_mapping == LINEAR &&
           g_tw_custom_initial_mapping == NULL && g_tw_custom_lp_global_to_local_map == NULL &&
           g_tw_nkp == 16 && g_tw_nRNG_per_lp == 1 && g_tw_nRNG_core_per_lp == 1 &&
           g_tw_rng_seed == NULL && g_tw_core_rng_seed == NULL && g_tw_mblock == 16 &&
           g_tw_gvt_interval == 16 && !(g_tw_ts_end < 1e5) && !(g_tw_ts_end > 1e5) &&
           g_tw_lookahead < 0.006 && g_tw_lookahead > 0.004 && g_tw_lp_types == NULL &&
           g_tw_lp_typemap == NULL && g_tw_gvt_hook == NULL && MPI_COMM_ROSS == MPI_COMM_NULL;
}

static uint64_t hook_calls;

static void count_call(tw_pe *pe, bool past_end_time)
{
    (void)pe;
    hook_calls += past_end_time;
}

/* For odd numbers of LPs; without a typemap every LP has the first type, too. */
static tw_lpid first_type(tw_lpid gid)
{
    (void)gid;
    return 0;
}

/* Runs with all settings by hand, other numbers of LPs, and several streams. */
static void simulate_otherwise(tw_lpid lps)
{
    static uint32_t seeds[4] = {5, 6, 7, 8};
    char name[] = "again", quiet[] = "--quiet", knob[] = "--nkp=3", rate[] = "--clock-rate=1000";
    char *args[] = {name, quiet, knob, rate, NULL};
    char **argv = args;
    int argc = 4;
    g_tw_ts_end = 7.0;
    g_tw_lookahead = 1.0;
    g_tw_mblock = 3;
    g_tw_gvt_interval = 5;
    g_tw_nRNG_per_lp = 4;
    g_tw_nRNG_core_per_lp = 2;
    g_tw_rng_seed = seeds;
    g_tw_core_rng_seed = seeds;
    g_tw_synchronization_protocol = OPTIMISTIC;
    g_tw_lp_types = &type;
    g_tw_lp_typemap = lps % 2 == 0 ? NULL : first_type;
    g_tw_gvt_hook = count_call;
    tw_trigger_gvt_hook_at(3.0); /* also valid before tw_init() */
    tw_init(&argc, &argv);
    CU_ASSERT(g_tw_nkp == 3 && g_tw_clock_rate == 1000);
    tw_define_lps(lps, 8);
    tw_lp_setup_types();
    tw_run();
    tw_end();
    CU_ASSERT_EQUAL(g_tw_clock_rate, 0);
    CU_ASSERT(settings_are_first());
    CU_ASSERT_EQUAL(g_tw_nlp, lps); /* to be read */
}

static void test_other_runs(void)
{
    uint32_t plain[4];
    uint64_t events = simulate(NULL, 0);
    CU_ASSERT(settings_are_first());
    memcpy(plain, first_stream, sizeof plain);
    for (tw_lpid lps = 1; lps <= 40; lps += 13) {
        hook_calls = 0;
        simulate_otherwise(lps);
        CU_ASSERT_EQUAL(hook_calls, 1);
        hook_calls = 0;
        CU_ASSERT_EQUAL(simulate(NULL, 0), events);
        CU_ASSERT(memcmp(plain, first_stream, sizeof plain) == 0);
        CU_ASSERT_EQUAL(hook_calls, 0);
    }
}

int main(int argc, char **argv)
{
    static const CU_TestInfo tests[] = {{"the second run is like the first", test_second_run},
                                        {"other settings and LPs between", test_other_runs}};
    MPI_Init(&argc, &argv);
    int status = suite_run("again", tests, sizeof tests / sizeof *tests);
    MPI_Finalize();
    return status;
}
