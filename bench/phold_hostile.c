/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * phold_hostile.c - measures the speed of the engine on variants of PHOLD that are hard for
 * parallel schedulers.
 *
 *     bench_phold_hostile [--quick] [--cases=friendly,ties,...] [--runs=5] [--args="--rng=fast"]
 *     ...
 *
 * Every case changes one property of the case "friendly". Each case has three variants: the
 * sequential scheduler on one rank, the conservative and the optimistic scheduler on several ranks.
 * The variants take turns, so that disturbance by other programs affects all of them; medians over
 * the turns are printed. All variants must commit the same number of events. A run that takes
 * longer than --timeout is ended, and shown as "timeout". A run that fails is shown as "failed";
 * the other runs continue. The exit status is 1 if a run failed, or if no run had results.
 *
 * Columns
 *   sequential, conservative, optimistic   million committed events per second; initialisation does
 *                                          not count
 *   opt/cons   ratio of the optimistic to the conservative rate, which should never be far below 1
 *   kept       committed events, as a percentage of the events that the optimistic run executed
 *   MiB        peak memory of history and pending events in the optimistic run, all ranks
 *
 * In the "slow" cases, events take far more work on one rank than on the others, so that no
 * scheduler can be much faster than that rank alone. A sequential run has only that rank, so every
 * event takes this work.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support/phold_run.h"

#define MIN_END 2.0 /* minimum end time, as a multiple of the mean offset */

struct hostile_case {
    const char *name;
    const char *about;
    double remote;
    double lookahead;
    double mean;
    const char *args;    /* additional arguments for phold */
    double events_share; /* number of events, as a share of --events; slow cases have fewer */
    bool hot;            /* true if only the LPs of the first rank receive events */
    bool crowded;        /* true if parallel variants run on twice the usual number of ranks */
};

#define SLOW "--work=1000 --slow-rank=0"

static const struct hostile_case cases[] = {
    {"friendly", "few remote events, some lookahead", 0.1, 0.1, 1.0, "", 1.0, false, false},
    {"remote", "all destinations drawn from all LPs", 1.0, 0.1, 1.0, "", 1.0, false, false},
    {"hot", "all events on the LPs of one rank", 0.1, 0.1, 1.0, "", 1.0, true, false},
    {"ties", "all offsets equal, all events tied", 0.1, 0.01, 0.01, "", 1.0, false, false},
    {"tiny", "a thousandth of lookahead", 0.1, 0.001, 1.0, "", 1.0, false, false},
    {"slow", "one rank slow", 0.1, 0.1, 1.0, SLOW, 0.1, false, false},
    {"slow-far", "one rank slow, very few remote events", 0.001, 0.1, 1.0, SLOW, 0.1, false, false},
    {"kp-1", "one unit of rollback per rank", 0.1, 0.1, 1.0, "--nkp=1", 1.0, false, false},
    {"kp-4096", "4096 of them", 0.1, 0.1, 1.0, "--nkp=4096", 1.0, false, false},
    {"batch-1", "batches of one event", 0.1, 0.1, 1.0, "--batch=1", 1.0, false, false},
    {"batch-1000", "batches of 1000", 0.1, 0.1, 1.0, "--batch=1000", 1.0, false, false},
    {"payload-256", "256 bytes a message", 0.1, 0.1, 1.0, "--payload=256", 0.5, false, false},
    {"payload-4096", "4096 bytes a message", 0.1, 0.1, 1.0, "--payload=4096", 0.1, false, false},
    {"crowded", "twice as many ranks", 0.1, 0.1, 1.0, "", 1.0, false, true},
    {"crowded-remote", "and all destinations", 1.0, 0.1, 1.0, "", 1.0, false, true},
};
#define N_CASES (sizeof cases / sizeof *cases)

enum variant { SEQ, CONS, OPT, VARIANTS };

struct bench {
    struct phold_programs programs;
    char cases[512];
    unsigned runs;
    unsigned ranks;
    unsigned long lps;
    double events;
    unsigned timeout_s;
    unsigned quick;
};

/* Returns the number of ranks on which a variant of the case runs. */
static unsigned case_ranks(const struct bench *b, const struct hostile_case *c, enum variant v)
{
    unsigned several = c->crowded ? 2 * b->ranks : b->ranks;
    return v == SEQ ? 1 : several;
}

static unsigned long hot_lps(const struct bench *b, const struct hostile_case *c)
{
    return c->hot ? b->lps / b->ranks : b->lps;
}

static double case_end(const struct bench *b, const struct hostile_case *c)
{
    double events = b->events * c->events_share;
    double end = events * c->mean / (double)hot_lps(b, c);
    return end > MIN_END * c->mean ? end : MIN_END * c->mean;
}

/* Measures all variants of a case, and sets rows[v] to the result of variant v. */
static void measure_case(const struct bench *b, const struct hostile_case *c,
                         struct phold_result *rows)
{
    struct phold_setup setups[VARIANTS];
    for (unsigned v = 0; v < VARIANTS; v++) {
        setups[v] = (struct phold_setup){.name = c->name,
                                         .synch = v + 1,
                                         .ranks = case_ranks(b, c, (enum variant)v),
                                         .lps = b->lps,
                                         .remote = c->remote,
                                         .lookahead = c->lookahead,
                                         .mean = c->mean,
                                         .start_events = 1,
                                         .hot_lps = hot_lps(b, c),
                                         .end = case_end(b, c),
                                         .args = c->args};
    }
    phold_turns(&b->programs, setups, VARIANTS, b->runs, b->timeout_s, rows);
}

/* ---- Output ---------------------------------------------------------------------------------- */

static void print_rate(const struct phold_result *r, int width)
{
    if (r->outcome == PROGRAM_FINE) {
        printf(" %*.2f", width, 1e-6 * r->report.event_rate);
    } else {
        printf(" %*s", width, r->outcome == PROGRAM_TIMEOUT ? "timeout" : "failed");
    }
}

static void print_row(const struct bench *b, const struct hostile_case *c,
                      const struct phold_result *rows)
{
    const struct phold_result *opt = &rows[OPT];
    printf("%-14s %5u", c->name, case_ranks(b, c, OPT));
    for (int v = 0; v < VARIANTS; v++) {
        print_rate(&rows[v], v == CONS ? 12 : 10);
    }
    if (opt->outcome == PROGRAM_FINE && rows[CONS].outcome == PROGRAM_FINE) {
        printf(" %8.2f", opt->report.event_rate / rows[CONS].report.event_rate);
    } else {
        printf(" %8s", "-");
    }
    if (opt->outcome == PROGRAM_FINE) {
        printf(" %5.1f%% %6.0f", 100.0 * opt->report.kept, opt->report.event_bytes / (1 << 20));
    } else {
        printf(" %6s %6s", "-", "-");
    }
    putchar('\n');
    measure_flush();
}

/* Measures and prints the n cases whose indices are in numbers. Returns the number of variants that
 * failed, or the number of all variants if no variant has results. */
static unsigned print_table(const struct bench *b, const size_t *numbers, size_t n)
{
    struct phold_result rows[VARIANTS];
    unsigned count[3] = {0};
    printf("PHOLD, %lu LPs; million events/s, medians of %u run(s) of about %.3g events\n", b->lps,
           b->runs, b->events);
    phold_print_args(&b->programs);
    printf("\n%-14s %5s %10s %12s %10s %8s %6s %6s\n", "case", "ranks", "sequential",
           "conservative", "optimistic", "opt/cons", "kept", "MiB");
    measure_flush();
    for (size_t i = 0; i < n; i++) {
        measure_case(b, &cases[numbers[i]], rows);
        print_row(b, &cases[numbers[i]], rows);
        for (int v = 0; v < VARIANTS; v++) {
            count[rows[v].outcome]++;
        }
    }
    return count[PROGRAM_FINE] == 0 ? VARIANTS * (unsigned)n : count[PROGRAM_FAILED];
}

/* ---- Command line ---------------------------------------------------------------------------- */

/* Writes the description of the program to text (size bytes), with a line for each case. */
static void write_about(char *text, size_t size)
{
    size_t used = (size_t)snprintf(
        text, size, "Hostile cases of PHOLD: sequential, conservative and optimistic runs. Cases:");
    for (size_t i = 0; i < N_CASES && used < size; i++) {
        used += (size_t)snprintf(text + used, size - used, "\n  %-14s  %s", cases[i].name,
                                 cases[i].about);
    }
}

static size_t find_case(const char *name, size_t length)
{
    for (size_t i = 0; i < N_CASES; i++) {
        if (strlen(cases[i].name) == length && memcmp(cases[i].name, name, length) == 0) {
            return i;
        }
    }
    measure_refuse("--cases: there is no case \"%.*s\"; see --help", (int)length, name);
}

/* Parses text, names of cases separated by commas, and stores the indices of these cases in
 * `numbers`. If text is empty, stores the indices of all cases. Returns the number of indices. */
static size_t choose_cases(const char *text, size_t *numbers)
{
    size_t n = 0;
    if (*text == '\0') {
        for (n = 0; n < N_CASES; n++) {
            numbers[n] = n;
        }
        return n;
    }
    for (;;) {
        size_t length = strcspn(text, ",");
        if (n == N_CASES) {
            measure_refuse("--cases: takes at most %zu", N_CASES);
        }
        numbers[n++] = find_case(text, length);
        if (text[length] == '\0') {
            return n;
        }
        text += length + 1;
    }
}

static struct bench b = {.runs = 5, .ranks = 2, .lps = 16384, .events = 4e6, .timeout_s = 60};

static const tw_optdef table[] = {
    TWOPT_GROUP("Hostile cases of PHOLD"),
    TWOPT_CHAR("cases", b.cases, "<LIST> names of cases, separated by commas; else all"),
    TWOPT_FLAG("quick", b.quick, "one turn, a tenth of the events"),
    TWOPT_UINT("runs", b.runs, "<1..99> turns, of which the median is printed"),
    TWOPT_UINT("ranks", b.ranks, "<2..1024> ranks of conservative and optimistic runs"),
    TWOPT_ULONG("lps", b.lps, "<1..4294967295> LPs in all"),
    TWOPT_DOUBLE("events", b.events, "<1..1e12> events of a run, less in the slow cases"),
    TWOPT_UINT("timeout", b.timeout_s, "<1..> seconds that a run may take"),
    PHOLD_PROGRAM_OPTIONS(b.programs),
    TWOPT_END(),
};

static void run(void)
{
    size_t numbers[N_CASES];
    if (b.lps % (2 * b.ranks) != 0) {
        measure_refuse("--lps: must be a multiple of twice the ranks");
    }
    if (b.quick != 0) {
        b.runs = 1;
        b.events = b.events / 10 >= 1.0 ? b.events / 10 : 1.0;
    }
    size_t n = choose_cases(b.cases, numbers);
    phold_programs_find(&b.programs);
    unsigned failed = print_table(&b, numbers, n);
    measure_flush();
    if (failed > 0) {
        measure_fail("%u of %zu variants came to no figures", failed, VARIANTS * n);
    }
}

int main(int argc, char **argv)
{
    char about[2048];
    write_about(about, sizeof about);
    int status = measure_options(table, about, argc, argv, false);
    if (status != MEASURE_GO_ON) {
        return status;
    }
    run();
    return 0;
}
