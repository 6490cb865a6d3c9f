/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * test_api_calls.c - details of ross.h: options of every kind through tw_init(), with args files;
 * messages; seeds set by hand; macros.
 *
 * test: libs=warpscope ranks=1,2
 */
#include <unistd.h>

#include "support/suite.h"

#include "ross.h"

static unsigned int u, flag, other_flag;
static unsigned long ul;
static unsigned long long ull;
static tw_stime stime;
static double real;
static char text[32], args[256];

static const tw_optdef options[] = {
    TWOPT_GROUP("every kind"),
    TWOPT_UINT("u", u, "unsigned int"),
    TWOPT_ULONG("ul", ul, "unsigned long"),
    TWOPT_ULONGLONG("ull", ull, "unsigned long long"),
    TWOPT_STIME("stime", stime, "virtual time"),
    TWOPT_DOUBLE("real", real, "double"),
    TWOPT_CHAR("text", text, "text"),
    TWOPT_FLAG("flag", flag, "flag"),
    TWOPT_FLAG("other-flag", other_flag, "another"),
    TWOPT_ARGSFILE("more", args, "a file with options"),
    TWOPT_END(),
};

static uint32_t streams[2][4];
static double hash_of_run;

static void init(void *state, tw_lp *lp)
{
    (void)state;
    rng_get_state(&lp->rng[0], streams[0]);
    rng_get_state(&lp->core_rng[0], streams[1]);
    tw_event_send(tw_event_new(lp->gid, tw_rand_unif(lp->rng), lp));
}

static void event(void *state, tw_bf *bf, void *msg, tw_lp *lp)
{
    *(double *)state += tw_now(lp);
    (void)bf;
    (void)msg;
    tw_event_send(tw_event_new(lp->gid, 1.0 + tw_rand_unif(lp->rng), lp));
}

static void final(void *state, tw_lp *lp)
{
    (void)lp;
    hash_of_run += *(double *)state;
}

static tw_lptype type = {init, NULL, event, NULL, NULL, final, NULL, sizeof(double)};

/* Begins a run with these command-line arguments. */
static void begin(char *const *words, int n)
{
    char name[] = "calls", quiet[] = "--quiet", end[] = "--end=10", synch[] = "--synch=2";
    char *list[24] = {name, quiet, end, synch};
    char **argv = list;
    int argc = 4 + n;
    for (int i = 0; i < n; i++) {
        list[4 + i] = words[i];
    }
    tw_opt_add(options);
    tw_init(&argc, &argv);
    CU_ASSERT_EQUAL(argc, 1);
}

static double run_to_the_end(void)
{
    hash_of_run = 0.0;
    g_tw_lookahead = 1.0;
    tw_define_lps(2, 8);
    for (tw_lpid i = 0; i < g_tw_nlp; i++) {
        tw_lp_settype(i, &type);
    }
    tw_run();
    tw_end();
    return hash_of_run;
}

static void test_options(void)
{
    char words[8][64] = {"--u=4000000000", "--ul=5",        "--ull=18446744073709551615",
                         "--stime=1.5",    "--real=-2e3",   "--text=some words",
                         "--flag",         "--other-flag=0"};
    char *list[8];
    for (int i = 0; i < 8; i++) {
        list[i] = words[i];
    }
    other_flag = 1;
    begin(list, 8);
    CU_ASSERT(u == 4000000000u && ul == 5 && ull == UINT64_MAX);
    CU_ASSERT(TW_STIME_CMP(stime, 1.5) == 0 && TW_STIME_CMP(real, -2000.0) == 0);
    CU_ASSERT_STRING_EQUAL(text, "some words");
    CU_ASSERT(flag == 1 && other_flag == 0);
    run_to_the_end();
}

/* Model and kernel options from a file. The command line takes precedence at any position. */
static void test_args_file(void)
{
    char path[64], option[80], first[] = "--u=7";
    snprintf(path, sizeof path, "args-%d", (int)getpid());
    snprintf(option, sizeof option, "--more=%s", path);
    FILE *file = fopen(path, "w");
    fputs("# comment\n--u=1 --ul=2\n--text=\"a b\"   # another\n--flag=0\n--nkp=1\n", file);
    fclose(file);
    char *list[2] = {first, option};
    begin(list, 2);
    CU_ASSERT(u == 7 && ul == 2 && flag == 0 && g_tw_nkp == 1);
    CU_ASSERT_STRING_EQUAL(text, "a b");
    CU_ASSERT_STRING_EQUAL(args, path);
    run_to_the_end();
    snprintf(option, sizeof option, "--args-file=%s", path); /* the kernel's own */
    ul = 0;
    begin(list + 1, 1);
    CU_ASSERT(u == 1 && ul == 2);
    run_to_the_end();
    unlink(path);
}

/* Seeds set by pointer equal those set by option. */
static void test_seeds(void)
{
    static uint32_t seeds[4] = {11, 22, 33, 44};
    char words[8][32] = {"--rng-seed1=11",      "--rng-seed2=22",      "--rng-seed3=33",
                         "--rng-seed4=44",      "--core-rng-seed1=11", "--core-rng-seed2=22",
                         "--core-rng-seed3=33", "--core-rng-seed4=44"};
    char *list[8];
    uint32_t by_option[2][4];
    for (int i = 0; i < 8; i++) {
        list[i] = words[i];
    }
    begin(NULL, 0);
    double plain = run_to_the_end();
    begin(list, 8);
    double seeded = run_to_the_end();
    memcpy(by_option, streams, sizeof streams);
    g_tw_rng_seed = seeds;
    begin(NULL, 0);
    g_tw_core_rng_seed = seeds;
    double by_pointer = run_to_the_end();
    CU_ASSERT(TW_STIME_CMP(by_pointer, seeded) == 0 && TW_STIME_CMP(plain, seeded) != 0);
    CU_ASSERT_EQUAL(memcmp(by_option, streams, sizeof streams), 0);
}

/* Checks a stream of the default generator, by its name and by NULL. */
static void test_default_generator(void)
{
    tw_rng_stream a, b;
    uint32_t states[2][4];
    begin(NULL, 0);
    tw_rand_initial_seed(&a, 5, g_tw_rng_default);
    tw_rand_initial_seed(&b, 5, NULL);
    rng_get_state(&a, states[0]);
    rng_get_state(&b, states[1]);
    CU_ASSERT_EQUAL(memcmp(states[0], states[1], sizeof states[0]), 0);
    tw_rand_initial_seed(&b, 6, NULL);
    double from_a = tw_rand_unif(&a), from_b = tw_rand_unif(&b);
    CU_ASSERT(TW_STIME_CMP(from_a, from_b) != 0);
    run_to_the_end();
}

/* One line on stderr, with the kind, the text and the place. */
static void check_line(void (*say)(const char *, int, const char *, ...), const char *kind)
{
    char line[256] = "", wanted[64];
    FILE *file = tmpfile();
    fflush(stderr);
    int real_stderr = dup(STDERR_FILENO);
    dup2(fileno(file), STDERR_FILENO);
    say("/some/where/model.c", 42, "%d of %s", 3, "things");
    fflush(stderr);
    dup2(real_stderr, STDERR_FILENO);
    close(real_stderr);
    rewind(file);
    CU_ASSERT_PTR_NOT_NULL(fgets(line, sizeof line, file));
    snprintf(wanted, sizeof wanted, "calls: %s", kind);
    CU_ASSERT_EQUAL(strncmp(line, wanted, strlen(wanted)), 0);
    CU_ASSERT_PTR_NOT_NULL(strstr(line, "3 of things (model.c:42)\n"));
    CU_ASSERT_PTR_NULL(fgets(line, sizeof line, file));
    fclose(file);
}

static void say_warning(const char *file, int line, const char *fmt, ...)
{
    (void)fmt;
    tw_warning(file, line, "%d of %s", 3, "things");
}

static void say_text(const char *file, int line, const char *fmt, ...)
{
    (void)fmt;
    tw_printf(file, line, "%d of %s", 3, "things");
}

static void test_messages(void)
{
    begin(NULL, 0);
    check_line(say_warning, "warning: ");
    check_line(say_text, "");
    run_to_the_end();
}

static void test_macros(void)
{
    double sum = 0.0, mine = 2.5;
    int size, ranks;
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    MPI_Type_size(MPI_TYPE_TW_STIME, &size);
    CU_ASSERT_EQUAL(size, (int)sizeof(tw_stime));
    MPI_Allreduce(&mine, &sum, 1, MPI_TYPE_TW_STIME, MPI_SUM, MPI_COMM_WORLD);
    CU_ASSERT(TW_STIME_CMP(sum, 2.5 * ranks) == 0);
    CU_ASSERT(TW_STIME_CMP(TW_STIME_DBL(TW_STIME_CRT(1.25)), 1.25) == 0);
    CU_ASSERT(ROSS_MAX(1, 2) == 2 && ROSS_MIN(1, 2) == 1);
    CU_ASSERT(NO_SYNCH == 0 && SEQUENTIAL == 1 && CONSERVATIVE == 2 && OPTIMISTIC == 3);
    CU_ASSERT(OPTIMISTIC_DEBUG == 4 && OPTIMISTIC_REALTIME == 5 && SEQUENTIAL_ROLLBACK_CHECK == 6);
    map_f no_map = type.map;
    CU_ASSERT(no_map == NULL && g_st_use_analysis_lps == 0);
}

/* The option is accepted and has no effect: scripts and models set it. */
static void test_events_per_pe(void)
{
    begin(NULL, 0);
    double first = run_to_the_end();
    begin(NULL, 0);
    g_tw_events_per_pe = 1;
    double second = run_to_the_end();
    CU_ASSERT(TW_STIME_CMP(second, first) == 0);
    CU_ASSERT_EQUAL(g_tw_events_per_pe, 0);
}

int main(int argc, char **argv)
{
    static const CU_TestInfo tests[] = {
        {"options of every kind", test_options},
        {"args files", test_args_file},
        {"seeds", test_seeds},
        {"default generator", test_default_generator},
        {"messages", test_messages},
        {"macros", test_macros},
        {"events per PE", test_events_per_pe},
    };
    MPI_Init(&argc, &argv);
    int status = suite_run("api_calls", tests, sizeof tests / sizeof *tests);
    MPI_Finalize();
    return status;
}
