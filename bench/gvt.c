/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * gvt.c - measures the cost of GVT computations, and finds the best interval between them.
 *
 *     bench_gvt [--ranks=1,2,4] [--intervals=1,4,...] [--lps=16384] [--seconds=0.5] ...
 *
 * The first table has durations of rounds of GVT without events. Such a round is a non-blocking MPI
 * reduction (comm/comm.h). If ranks share memory, the engine uses faster rounds, see struct
 * comm_board.
 *   back to back   duration of a round if rounds follow each other without other work
 *   while busy     duration of a round if ranks work for 2 microseconds between two tests of the
 *                  reduction, as they do with batches of events
 *   of that spent  part of the duration "while busy" that a rank spends in calls for the
 *                    round
 *
 * An event takes about a tenth of a microsecond, so a round of n microseconds costs about 10 n
 * events. With more ranks than cores, a round waits for ranks without a core: its duration then
 * depends on the operating system.
 *
 * The lines below it have the processor time of what samples and timed handlers ask of the system
 * (base/processor_time.h), and at most how much of a run that takes, by the number of readings a second.
 *
 * The second table has runs of optimistic PHOLD (remote 0.1, lookahead 0.1) with various values of
 * --gvt-interval. With short intervals, many rounds take time. With long intervals, the history
 * leaves the caches, and ranks drift apart, which causes rollbacks. "of best" is the ratio of the
 * event rate to that of the best interval for the same number of ranks. Intervals take turns;
 * medians over --runs turns are printed.
 */
#include <math.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/processor_time.h"
#include "comm/comm.h"
#include "support/phold_run.h"

#define LIST_MAX     32
#define RUNS_MAX     99
#define RANKS_MAX    1024u
#define BUSY_SECONDS 2e-6
#define REMOTE       0.1
#define LOOKAHEAD    0.1

#define IDLE_ROUNDS_SPINNING 200u

struct settings {
    struct phold_programs programs;
    char ranks[256];
    char intervals[256];
    unsigned long lps;
    double seconds;
    unsigned runs;
    unsigned rounds_only;
};

/* ---- Rounds, in a job of several ranks ------------------------------------------------------- */

struct round_times {
    uint64_t rounds;   /* number of rounds */
    uint64_t total;    /* time from the start of the first round to the end of the last, in ticks */
    uint64_t spent_in; /* part of `total` that was spent inside calls for the rounds, in ticks */
};

/* Waits like the engine's schedulers: yields the core only after some calls in a row. *idle_rounds:
 * number of calls in a row so far. */
static void idle(unsigned *idle_rounds)
{
    if (++*idle_rounds > IDLE_ROUNDS_SPINNING) {
        sched_yield();
    }
}

/* Performs rounds for `ticks` ticks of rank 0's clock, with `busy` ticks of work between two tests
 * of a reduction. Collective. */
static struct round_times make_rounds(struct comm *comm, uint64_t ticks, uint64_t busy)
{
    struct comm_reduction reduction;
    struct comm_vote vote = {.least = event_key_at(INFINITY)};
    struct round_times t = {0};
    comm_reduction_init(&reduction);
    MPI_Barrier(comm->comm);
    uint64_t start = clock_ticks();
    uint64_t now = start;
    do {
        unsigned idle_rounds = 0;
        vote.signal = comm->rank == 0 && now - start > ticks; /* non-zero in the last round only */
        comm_reduction_start(&reduction, comm, &vote);
        while (!comm_reduction_test(&reduction)) {
            uint64_t left = clock_ticks();
            t.spent_in += left - now;
            if (busy == 0) {
                idle(&idle_rounds);
            }
            do {
                now = clock_ticks();
            } while (now - left < busy);
        }
        t.rounds++;
        uint64_t end = clock_ticks();
        t.spent_in += end - now;
        now = end;
    } while (reduction.all.signal == 0);
    t.total = now - start;
    comm_reduction_fini(&reduction);
    return t;
}

/* Measures rounds of GVT. Each rank of a job that the launcher has started calls this function.
 * Rank 0 prints the times in microseconds, as JSON. */
static void rounds_job(const struct settings *s)
{
    struct comm comm;
    comm_init(&comm, MPI_COMM_NULL, NULL, NULL);
    double rate = clock_rate_since(clock_pair_read());
    MPI_Bcast(&rate, 1, MPI_DOUBLE, 0, comm.comm);
    uint64_t ticks = (uint64_t)(0.5 * s->seconds * rate);
    make_rounds(&comm, ticks / 10, 0); /* the first use of MPI makes connections */
    struct round_times alone = make_rounds(&comm, ticks, 0);
    struct round_times busy = make_rounds(&comm, ticks, (uint64_t)(BUSY_SECONDS * rate));
    if (comm.rank == 0) {
        printf("{\"alone_us\": %.17g, \"busy_us\": %.17g, \"cost_us\": %.17g}\n",
               1e6 * (double)alone.total / rate / (double)alone.rounds,
               1e6 * (double)busy.total / rate / (double)busy.rounds,
               1e6 * (double)busy.spent_in / rate / (double)busy.rounds);
    }
    comm_fini(&comm);
}

/* ---- Table of rounds ------------------------------------------------------------------------- */

static void start_job(const struct settings *s, unsigned ranks, double us[3][RUNS_MAX],
                      unsigned run)
{
    static const char *const keys[3] = {"alone_us", "busy_us", "cost_us"};
    struct program_args args = {0};
    program_add(&args, "%s", s->programs.launcher);
    program_add_words(&args, "-n %u", ranks);
    program_add(&args, "%s/bench_gvt", s->programs.folder);
    program_add_words(&args, "--rounds-only --seconds=%.17g", s->seconds);
    char *json = program_output(&args);
    for (size_t i = 0; i < 3; i++) {
        us[i][run] = program_number(json, keys[i]);
    }
    free(json);
}

static void rounds_table(const struct settings *s, const unsigned long *ranks, size_t n)
{
    double us[3][RUNS_MAX];
    printf("A round in microseconds\n");
    printf("%6s %14s %14s %14s\n", "ranks", "back to back", "while busy", "of that spent");
    for (size_t i = 0; i < n; i++) {
        for (unsigned run = 0; run < s->runs; run++) {
            start_job(s, (unsigned)ranks[i], us, run);
        }
        printf("%6lu %14.2f %14.2f %14.2f\n", ranks[i], measure_median(us[0], s->runs),
               measure_median(us[1], s->runs), measure_median(us[2], s->runs));
        measure_flush();
    }
}

/* ---- Readings of the processor's times --------------------------------------------------------- */

/* Prints the processor time in us of one of `n` readings, made in `seconds` of it. per_second: the largest
 * number of readings in a second of a run; 0: one at each GVT computation that is sampled. */
static void print_reading(const char *what, double seconds, unsigned n, double per_second)
{
    const double us = 1e6 * seconds / n;
    printf("%-44s %8.3f", what, us);
    if (per_second > 0) {
        printf(" %6.0f/s %7.4f%%", per_second, 1e-4 * us * per_second);
    }
    putchar('\n');
}

static void readings_table(const struct settings *s)
{
    const unsigned n = (unsigned)fmax(1000.0, 1e5 * s->seconds);
    struct processor_clock clock = {.schedstat = 0};
    double at[4];
    uint64_t sum = 0;
    processor_clock_start(&clock);
    at[0] = measure_cpu_seconds();
    for (unsigned i = 0; i < n; i++) {
        sum += processor_clock_read(&clock, 0).page_faults;
    }
    at[1] = measure_cpu_seconds();
    for (unsigned i = 0; i < n; i++) {
        sum += processor_switches();
    }
    at[2] = measure_cpu_seconds();
    for (unsigned i = 0; i < n; i++) {
        sum += processor_clock_read(&clock, UINT64_MAX).page_faults;
    }
    at[3] = measure_cpu_seconds();
    printf("\nReadings of the processor's times, in microseconds, and their most of a run\n");
    print_reading("a reading for samples", at[1] - at[0], n, 100);
    print_reading("switches, for handlers that are timed", at[2] - at[1], n, 1000);
    print_reading("a sample without a new reading", at[3] - at[2], n, 0);
    if (sum == UINT64_MAX) { /* uses the sum, so that no loop goes */
        putchar('\n');
    }
    measure_flush();
}

/* ---- Table of intervals ---------------------------------------------------------------------- */

static struct phold_setup make_setup(const struct settings *s, unsigned ranks)
{
    return (struct phold_setup){.name = "PHOLD",
                                .synch = 3,
                                .ranks = ranks,
                                .lps = s->lps,
                                .remote = REMOTE,
                                .lookahead = LOOKAHEAD,
                                .mean = 1.0,
                                .start_events = 1};
}

static void print_intervals(unsigned ranks, const unsigned long *interval,
                            const struct phold_result *rows, size_t n)
{
    double best = 0.0;
    for (size_t i = 0; i < n; i++) {
        best = fmax(best, rows[i].report.event_rate);
    }
    for (size_t i = 0; i < n; i++) {
        const struct phold_report *r = &rows[i].report;
        printf("%6u %9lu %12.0f %12.3f %8.1f%% %9.2f\n", ranks, interval[i], r->rounds_per_s,
               1e-6 * r->event_rate, 100.0 * r->kept, r->event_rate / best);
    }
    measure_flush();
}

static void measure_intervals(const struct settings *s, unsigned ranks,
                              const unsigned long *interval, size_t n)
{
    struct phold_result rows[LIST_MAX];
    struct phold_setup setups[LIST_MAX];
    double end = phold_end(&s->programs, make_setup(s, ranks), s->seconds);
    for (size_t i = 0; i < n; i++) {
        setups[i] = make_setup(s, ranks);
        setups[i].end = end;
        setups[i].gvt_interval = (unsigned)interval[i];
    }
    phold_turns(&s->programs, setups, n, s->runs, 0, rows);
    print_intervals(ranks, interval, rows, n);
}

/* ---- Command line ---------------------------------------------------------------------------- */

static const char about[] =
    "What a GVT computation costs by itself, and how fast PHOLD runs with more or\n"
    "fewer of them.";

static void print_tables(const struct settings *s)
{
    unsigned long ranks[LIST_MAX];
    unsigned long interval[LIST_MAX];
    size_t n_ranks = measure_list("ranks", s->ranks, 1, RANKS_MAX, ranks, LIST_MAX);
    size_t n = measure_list("intervals", s->intervals, 1, UINT_MAX, interval, LIST_MAX);
    for (size_t i = 0; i < n_ranks; i++) {
        if (s->lps < ranks[i] || s->lps % ranks[i] != 0) {
            measure_refuse("--lps: must be a multiple of all numbers of ranks");
        }
    }
    rounds_table(s, ranks, n_ranks);
    readings_table(s);
    printf("\nPHOLD, %lu LPs, remote %g, lookahead %g, optimistic\n", s->lps, REMOTE, LOOKAHEAD);
    printf("%6s %9s %12s %12s %9s %9s\n", "ranks", "interval", "rounds/s", "M events/s", "kept",
           "of best");
    for (size_t i = 0; i < n_ranks; i++) {
        measure_intervals(s, (unsigned)ranks[i], interval, n);
    }
}

static struct settings s = {
    .ranks = "1,2,4", .intervals = "1,4,16,64,256,1024", .lps = 16384, .seconds = 0.5, .runs = 3};

static const tw_optdef table[] = {
    TWOPT_GROUP("Cost of GVT"),
    TWOPT_CHAR("ranks", s.ranks, "<LIST> numbers of ranks, separated by commas"),
    TWOPT_CHAR("intervals", s.intervals, "<LIST> values of phold's --gvt-interval"),
    TWOPT_ULONG("lps", s.lps, "LPs of all ranks"),
    TWOPT_DOUBLE("seconds", s.seconds, "<1e-9..3600> time that a run should take"),
    TWOPT_UINT("runs", s.runs, "<1..99> turns, of which the median is printed"),
    PHOLD_PROGRAM_OPTIONS(s.programs),
    TWOPT_FLAG(
        "rounds-only", s.rounds_only,
        "measure rounds in this job of ranks and print them as JSON; this program uses it to "
        "start itself under the launcher"),
    TWOPT_END(),
};

static void run(void)
{
    if (s.rounds_only) {
        rounds_job(&s);
    } else {
        phold_programs_find(&s.programs);
        print_tables(&s);
    }
}

const struct measure_program measure_program = {about, table, run};
