/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * phold_table.c - compares the speed of the engine on PHOLD with that of the bare loop
 * (phold_limit). The number of LPs, the share of remote events and the number of start events vary.
 *
 *     bench_phold_table [--runs=5] [--cells=1,2,...] [--seconds=0.5] [--args="--rng=fast"] ...
 *
 * A cell is a set of parameters of PHOLD: number of LPs, probability of a remote event, number of
 * start events per LP. The mean offset is 1, the lookahead 0.1. A variant is a way to run a cell:
 * by the bare loop (phold_limit), by the sequential scheduler, and by the conservative and the
 * optimistic scheduler, each on one and on several ranks.
 *
 * All variants of a cell simulate the same span of virtual time, for which the sequential scheduler
 * takes about --seconds. They must commit the same number of events. The variants take turns, so
 * that disturbance by other programs affects all variants; medians over the turns are printed.
 *
 * Columns
 *   M ev/s       million committed events per second; initialisation does not count
 *   ns/event     wall-clock time of the run, divided by the number of events on all ranks
 *   of limit     ratio of the event rate to that of the bare loop on one core
 *   kept         percentage of executed events that were committed: the efficiency of optimism
 *   bytes/LP     memory per LP, including events, history and queues: the peak resident memory of
 *                the largest rank minus that in a run with one LP per rank, multiplied by the
 *                number of ranks and divided by the number of LPs. Memory is allocated in pieces of
 *                2 MiB, which exaggerates the value for small models.
 *
 * Ratios of event rates at the end of the output
 *   seq/limit    sequential scheduler to bare loop; goal: at least 0.45
 *   opt/seq      optimistic scheduler on one rank to sequential scheduler: the cost of the ability
 *                to roll back; goal: at least 0.6
 *   opt gain     optimistic scheduler: several ranks to one rank; goal with two ranks and few
 *                remote events: at least 1.6
 *   cons gain    conservative scheduler: several ranks to one rank
 *   opt/cons     optimistic to conservative scheduler, both on several ranks
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support/measure.h"
#include "support/phold_run.h"

#define RUNS_MAX  99
#define LOOKAHEAD 0.1
#define MEAN      1.0
#define MIN_END   3.0 /* minimum end time; shorter runs would measure mainly the start-up */

struct cell {
    unsigned long lps;
    double remote;
    unsigned long start_events;
};

static const struct cell cells[] = {
    {2048, 0.1, 1},   {2048, 0.5, 1},   {32768, 0.1, 1},  {32768, 0.5, 1},
    {524288, 0.1, 1}, {524288, 0.5, 1}, {32768, 0.1, 16},
};
#define N_CELLS (sizeof cells / sizeof *cells)

enum variant { LIMIT, SEQUENTIAL_1, CONSERVATIVE_1, OPTIMISTIC_1, CONSERVATIVE_N, OPTIMISTIC_N };
#define N_VARIANTS 6

static const struct {
    const char *name;
    unsigned synch;
    bool several; /* true if the variant runs on several ranks */
} variants[N_VARIANTS] = {
    [LIMIT] = {"limit", 0, false},
    [SEQUENTIAL_1] = {"sequential", 1, false},
    [CONSERVATIVE_1] = {"conservative", 2, false},
    [OPTIMISTIC_1] = {"optimistic", 3, false},
    [CONSERVATIVE_N] = {"conservative", 2, true},
    [OPTIMISTIC_N] = {"optimistic", 3, true},
};

struct table {
    struct phold_programs programs;
    char cells[256];
    unsigned runs;
    unsigned ranks; /* number of ranks of the variants that use several ranks */
    double seconds;
    /* Resident memory in bytes with one LP per rank: [0] on one rank, [1] on several ranks. */
    double idle_bytes[2];
};

static unsigned variant_ranks(const struct table *t, enum variant v)
{
    return variants[v].several ? t->ranks : 1;
}

static struct phold_setup make_setup(const struct table *t, const struct cell *cell, enum variant v,
                                     double end)
{
    return (struct phold_setup){.synch = variants[v].synch,
                                .ranks = variant_ranks(t, v),
                                .lps = cell->lps,
                                .remote = cell->remote,
                                .lookahead = LOOKAHEAD,
                                .start_events = cell->start_events,
                                .end = end};
}

/* ---- Runs ------------------------------------------------------------------------------------ */

static struct phold_report run_limit(const struct table *t, const struct cell *cell, double end)
{
    struct program_args args = {0};
    program_add(&args, "%s/bench_phold_limit", t->programs.folder);
    program_add(&args, "--lps=%lu", cell->lps);
    program_add(&args, "--remote=%.17g", cell->remote);
    program_add(&args, "--start-events=%lu", cell->start_events);
    program_add(&args, "--lookahead=%.17g", LOOKAHEAD);
    program_add(&args, "--mean=%.17g", MEAN);
    program_add(&args, "--end=%.17g", end);
    program_add(&args, "--runs=1");
    program_add(&args, "--json");
    char *json = program_output(&args);
    struct phold_report report = {.net_events = program_number(json, "net_events"),
                                  .event_rate = program_number(json, "event_rate")};
    free(json);
    return report;
}

static struct phold_report run_variant(const struct table *t, const struct cell *cell,
                                       enum variant v, double end)
{
    struct phold_report report;
    struct phold_setup setup = make_setup(t, cell, v, end);
    if (v == LIMIT) {
        return run_limit(t, cell, end);
    }
    phold_run(&t->programs, &setup, &report);
    return report;
}

static void measure_idle(struct table *t)
{
    for (int several = 0; several < 2; several++) {
        enum variant v = several ? OPTIMISTIC_N : OPTIMISTIC_1;
        struct cell nearly_none = {variant_ranks(t, v), 0.0, 1};
        t->idle_bytes[several] = run_variant(t, &nearly_none, v, MIN_END).rss_bytes;
    }
}

/* Returns the virtual end time for a sequential run of about --seconds. A trial run of about a
 * tenth of that time measures the event rate. */
static double choose_end(const struct table *t, const struct cell *cell)
{
    double events_per_time = (double)(cell->lps * cell->start_events) / MEAN;
    double end = fmax(MIN_END, 0.1 * t->seconds * 5e6 / events_per_time);
    struct phold_report trial = run_variant(t, cell, SEQUENTIAL_1, end);
    return fmax(MIN_END, t->seconds * trial.event_rate / events_per_time);
}

/* Checks that variant v executed as many events (got) as the variant before it (expected). With
 * --args, does not compare with the bare loop, since the arguments may choose another random
 * generator, which the loop does not have. */
static void check_count(const struct table *t, enum variant v, double expected, double got)
{
    bool comparable = v != LIMIT && (v != SEQUENTIAL_1 || t->programs.args[0] == '\0');
    if (comparable && expected != got) {
        measure_fail("wrong: %s on %u rank(s) committed %.0f events instead of %.0f",
                     variants[v].name, variant_ranks(t, v), got, expected);
    }
}

static void measure_cell(const struct table *t, const struct cell *cell, struct phold_report *rows)
{
    struct phold_report(*runs)[RUNS_MAX] = measure_alloc(N_VARIANTS, sizeof *runs);
    double end = choose_end(t, cell);
    for (unsigned run = 0; run < t->runs; run++) {
        for (int v = 0; v < N_VARIANTS; v++) {
            runs[v][run] = run_variant(t, cell, (enum variant)v, end);
            check_count(t, (enum variant)v, v > 0 ? runs[v - 1][run].net_events : 0.0,
                        runs[v][run].net_events);
        }
    }
    for (int v = 0; v < N_VARIANTS; v++) {
        rows[v] = phold_medians(runs[v], t->runs);
    }
    free(runs);
}

static double bytes_per_lp(const struct table *t, const struct cell *cell, enum variant v,
                           const struct phold_report *row)
{
    double bytes = fmax(0.0, row->rss_bytes - t->idle_bytes[variants[v].several]);
    return bytes * variant_ranks(t, v) / (double)cell->lps;
}

/* ---- Output ---------------------------------------------------------------------------------- */

static void print_cell(const struct table *t, const struct cell *cell,
                       const struct phold_report *rows)
{
    for (int v = 0; v < N_VARIANTS; v++) {
        const struct phold_report *row = &rows[v];
        printf("%6lu %6.2f %5lu  %-12s %5u %6.2f %8.1f %8.2f", cell->lps, cell->remote,
               cell->start_events, variants[v].name, variant_ranks(t, (enum variant)v),
               1e-6 * row->event_rate, 1e9 / row->event_rate,
               row->event_rate / rows[LIMIT].event_rate);
        if (v == LIMIT) {
            printf(" %6s %8s\n", "-", "-");
        } else {
            printf(" %5.1f%% %8.0f\n", 100.0 * row->kept,
                   bytes_per_lp(t, cell, (enum variant)v, row));
        }
    }
    measure_flush();
}

static double ratio(const struct phold_report *rows, enum variant a, enum variant b)
{
    return rows[a].event_rate / rows[b].event_rate;
}

static void print_ratios(const struct cell *cell, const struct phold_report *rows)
{
    printf("%6lu %6.2f %5lu  %9.2f %9.2f %9.2f %9.2f %9.2f\n", cell->lps, cell->remote,
           cell->start_events, ratio(rows, SEQUENTIAL_1, LIMIT),
           ratio(rows, OPTIMISTIC_1, SEQUENTIAL_1), ratio(rows, OPTIMISTIC_N, OPTIMISTIC_1),
           ratio(rows, CONSERVATIVE_N, CONSERVATIVE_1), ratio(rows, OPTIMISTIC_N, CONSERVATIVE_N));
}

static void print_table(const struct table *t, const unsigned long *numbers, size_t n)
{
    struct phold_report rows[N_CELLS][N_VARIANTS];
    printf("PHOLD, mean %g, lookahead %g; medians of %u run(s), %g s each\n", MEAN, LOOKAHEAD,
           t->runs, t->seconds);
    phold_print_args(&t->programs);
    printf("\n%6s %6s %5s  %-12s %5s %6s %8s %8s %6s %8s\n", "LPs", "remote", "start", "variant",
           "ranks", "M ev/s", "ns/event", "of limit", "kept", "bytes/LP");
    measure_flush();
    for (size_t i = 0; i < n; i++) {
        measure_cell(t, &cells[numbers[i] - 1], rows[i]);
        print_cell(t, &cells[numbers[i] - 1], rows[i]);
    }
    printf("\nratios, with %u ranks:\n", t->ranks);
    printf("%6s %6s %5s  %9s %9s %9s %9s %9s\n", "LPs", "remote", "start", "seq/limit", "opt/seq",
           "opt gain", "cons gain", "opt/cons");
    for (size_t i = 0; i < n; i++) {
        print_ratios(&cells[numbers[i] - 1], rows[i]);
    }
}

/* ---- Command line ---------------------------------------------------------------------------- */

static const char about[] =
    "The engine on PHOLD beside the bare loop: events per second, nanoseconds per\n"
    "event, memory.\n"
    "Cells: 1, 2: 2048 LPs, 3, 4: 32768, 5, 6: 524288, with 0.1 and 0.5 remote\n"
    "events; 7: 32768 LPs, 0.1 remote, 16 start events.";

static struct table t = {.cells = "1,2,3,4,5,6,7", .runs = 5, .ranks = 2, .seconds = 0.5};

static const tw_optdef table[] = {
    TWOPT_GROUP("Table of PHOLD"),
    TWOPT_UINT("runs", t.runs, "<1..99> turns, of which the median is printed"),
    TWOPT_CHAR("cells", t.cells, "<LIST> numbers of the cells to measure, separated by commas"),
    TWOPT_DOUBLE("seconds", t.seconds, "<1e-9..3600> time that a sequential run should take"),
    TWOPT_UINT("ranks", t.ranks, "<2..1024> ranks of the variants that run on several"),
    PHOLD_PROGRAM_OPTIONS(t.programs),
    TWOPT_END(),
};

static void run(void)
{
    unsigned long numbers[N_CELLS];
    if ((t.ranks & (t.ranks - 1)) != 0) {
        measure_refuse("--ranks: must be a power of two");
    }
    size_t n = measure_list("cells", t.cells, 1, N_CELLS, numbers, N_CELLS);
    phold_programs_find(&t.programs);
    measure_idle(&t);
    print_table(&t, numbers, n);
}

const struct measure_program measure_program = {about, table, run};
