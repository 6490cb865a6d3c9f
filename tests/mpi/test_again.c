/*
 * test_again.c - two simulations in one process: the second knows nothing of the first one.
 *
 * test: ranks=1,2
 *
 * The caller owns MPI, as when a program uses the engine as a library.
 */
#include <mpi.h>
#include <string.h>

#include "engine/pe.h"
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

int main(int argc, char **argv)
{
    static const CU_TestInfo tests[] = {{"the second run is like the first", test_second_run}};
    MPI_Init(&argc, &argv);
    int status = suite_run("again", tests, sizeof tests / sizeof *tests);
    MPI_Finalize();
    return status;
}
