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

#include "support/phold_run.h"

#define LOOKAHEAD 0.1
#define MEAN      1.0

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
    [LIMIT] = {"limit", PHOLD_LIMIT, false},       [SEQUENTIAL_1] = {"sequential", 1, false},
    [CONSERVATIVE_1] = {"conservative", 2, false}, [OPTIMISTIC_1] = {"optimistic", 3, false},
    [CONSERVATIVE_N] = {"conservative", 2, true},  [OPTIMISTIC_N] = {"optimistic", 3, true},
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
    return (struct phold_setup){.name = variants[v].name,
                                .synch = variants[v].synch,
                                .ranks = variant_ranks(t, v),
                                .lps = cell->lps,
                                .remote = cell->remote,
                                .lookahead = LOOKAHEAD,
                                .mean = MEAN,
                                .start_events = cell->start_events,
                                .end = end};
}

/* ---- Runs ------------------------------------------------------------------------------------ */

static void measure_idle(struct table *t)
{
    for (int several = 0; several < 2; several++) {
        enum variant v = several ? OPTIMISTIC_N : OPTIMISTIC_1;
        struct cell nearly_none = {variant_ranks(t, v), 0.0, 1};
        struct phold_setup setup = make_setup(t, &nearly_none, v, 1.0);
        t->idle_bytes[several] = phold_run(&t->programs, &setup, 0).report.rss_bytes;
    }
}

static void measure_cell(const struct table *t, const struct cell *cell, struct phold_result *rows)
{
    struct phold_setup setups[N_VARIANTS];
    double end = phold_end(&t->programs, make_setup(t, cell, SEQUENTIAL_1, 0.0), t->seconds);
    for (int v = 0; v < N_VARIANTS; v++) {
        setups[v] = make_setup(t, cell, (enum variant)v, end);
    }
    phold_turns(&t->programs, setups, N_VARIANTS, t->runs, 0, rows);
}

static double bytes_per_lp(const struct table *t, const struct cell *cell, enum variant v,
                           const struct phold_report *row)
{
    double bytes = fmax(0.0, row->rss_bytes - t->idle_bytes[variants[v].several]);
    return bytes * variant_ranks(t, v) / (double)cell->lps;
}

/* ---- Output ---------------------------------------------------------------------------------- */

static void print_cell(const struct table *t, const struct cell *cell,
                       const struct phold_result *rows)
{
    for (int v = 0; v < N_VARIANTS; v++) {
        const struct phold_report *row = &rows[v].report;
        double event_ns = 1e9 / row->event_rate;
        printf("%6lu %6.2f %5lu  %-12s %5u %6.2f %8.*f %8.2f", cell->lps, cell->remote,
               cell->start_events, variants[v].name, variant_ranks(t, (enum variant)v),
               1e-6 * row->event_rate, event_ns < 1e5 ? 1 : 0, event_ns,
               row->event_rate / rows[LIMIT].report.event_rate);
        if (v == LIMIT) {
            printf(" %6s %8s\n", "-", "-");
        } else {
            printf(" %5.1f%% %8.0f\n", 100.0 * row->kept,
                   bytes_per_lp(t, cell, (enum variant)v, row));
        }
    }
    measure_flush();
}

static double ratio(const struct phold_result *rows, enum variant a, enum variant b)
{
    return rows[a].report.event_rate / rows[b].report.event_rate;
}

static void print_ratios(const struct cell *cell, const struct phold_result *rows)
{
    printf("%6lu %6.2f %5lu  %9.2f %9.2f %9.2f %9.2f %9.2f\n", cell->lps, cell->remote,
           cell->start_events, ratio(rows, SEQUENTIAL_1, LIMIT),
           ratio(rows, OPTIMISTIC_1, SEQUENTIAL_1), ratio(rows, OPTIMISTIC_N, OPTIMISTIC_1),
           ratio(rows, CONSERVATIVE_N, CONSERVATIVE_1), ratio(rows, OPTIMISTIC_N, CONSERVATIVE_N));
}

static void print_table(const struct table *t, const unsigned long *numbers, size_t n)
{
    struct phold_result rows[N_CELLS][N_VARIANTS];
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
