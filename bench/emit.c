/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * emit.c - measures the cost of a record that a model emits inside its handlers.
 *
 *     bench_emit [--synch=3] [--records=8] [--turns=N] [--quick]
 *
 * The handlers of the model only emit some records and send the next event. Each turn runs the
 * model several times in this process: once without records, then with records for various
 * subscribers. The subscribers do nothing. The cost of the records is the time of a run with
 * records minus the time of the run without records in the same turn. `emit` is the part of this
 * cost that arises inside the handlers. `deliver` is the part that arises later: at commit, for
 * subscribers to committed records. A handler measures the time that it takes to emit its records.
 * The cost of this measurement itself is subtracted.
 *
 * The least value over the turns is the undisturbed cost. The table shows this value beside the
 * goal. `ratio` is the cost divided by the goal; `of run` is the run time divided by the run time
 * without records.
 */
#define _POSIX_C_SOURCE 200809L /* required for dup() */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/clock.h"
#include "engine/probe.h"
#include "st_bus.h"
#include "support/measure.h"

#define LPS   64
#define TURNS 21

/* ---- Model ----------------------------------------------------------------------------------- */

/* State of the current run. The variable is global, because models have no other place for data
 * that do not belong to an LP. */
static struct emitting {
    st_stream_id stream; /* stream of the records; 0: the model emits nothing */
    unsigned records;    /* number of records per event */
    /* Time that handlers took to emit records, in clock ticks, summed over all events. */
    uint64_t ticks;
    uint64_t events; /* number of executed events */
} now;

static void send(tw_lp *lp)
{
    tw_event_send(tw_event_new(lp->gid, 1.0, lp));
}

static void init(void *state, tw_lp *lp)
{
    (void)state;
    send(lp);
}

static void forward(void *state, tw_bf *bf, void *message, tw_lp *lp)
{
    uint64_t *value = state;
    (void)bf, (void)message;
    const uint64_t start = clock_ticks();
    if (now.stream != 0) {
        for (unsigned i = now.records; i > 0; i--) {
            const uint64_t payload = *value + i;
            ST_NOTIFY(now.stream, ST_TASK, ST_POINT(), &payload, sizeof payload);
        }
    }
    now.ticks += clock_ticks() - start;
    now.events++;
    ++*value;
    send(lp);
}

static void reverse(void *state, tw_bf *bf, void *message, tw_lp *lp)
{
    (void)bf, (void)message, (void)lp;
    --*(uint64_t *)state;
}

static const tw_lptype type = {
    .init = init, .event = forward, .revent = reverse, .state_sz = sizeof(uint64_t)};

static void ignore(const st_record *record, void *arg)
{
    (void)record, (void)arg;
}

/* ---- Modes of observation -------------------------------------------------------------------- */

struct mode {
    const char *name;
    unsigned speculative, committed;      /* number of subscribers of each class */
    bool emits;                           /* true if the model emits records */
    double emit_goal_ns, deliver_goal_ns; /* cost per record to aim for, in ns; 0: none */
};

static const struct mode modes[] = {
    {"no records", 0, 0, false, 0, 0},    {"no subscriber", 0, 0, true, 1, 0},
    {"1 speculative", 1, 0, true, 12, 0}, {"2 speculative", 2, 0, true, 0, 0},
    {"1 committed", 0, 1, true, 12, 8},   {"2 committed", 0, 2, true, 0, 0},
    {"1 of each", 1, 1, true, 0, 0},
};
#define MODES (sizeof modes / sizeof *modes)

/* Duration of a run, and time that its handlers took to emit records, both in seconds. */
struct took {
    double run, handlers;
};

struct settings {
    unsigned synch, records, turns;
    double end;
};

/* Runs the model once, and returns the durations. */
static struct took simulate(const struct mode *mode, const struct settings *settings)
{
    char name[] = "bench_emit", quiet[] = "--quiet", scratch[] = "--disable-output=1";
    char times[] = "--phase-times=off";
    char *arguments[] = {name, quiet, scratch, times, NULL};
    char **argv = arguments;
    int argc = 4;
    static char args[4]; /* addresses that distinguish the subscribers */
    g_tw_synchronization_protocol = (tw_synch)settings->synch;
    g_tw_ts_end = settings->end;
    g_tw_lookahead = 1.0;
    tw_init(&argc, &argv);
    tw_define_lps(LPS, sizeof(uint64_t));
    for (tw_lpid i = 0; i < g_tw_nlp; i++) {
        tw_lp_settype(i, (tw_lptype *)(uintptr_t)&type);
    }
    now = (struct emitting){.records = settings->records};
    st_stream_id stream = 0;
    st_stream_open("emit", 1, 0, &stream);
    now.stream = mode->emits ? stream : 0;
    for (unsigned i = 0; i < mode->speculative; i++) {
        st_subscribe(stream, ST_TASK, ST_SPECULATIVE, ignore, &args[i]);
    }
    for (unsigned i = 0; i < mode->committed; i++) {
        st_subscribe(stream, ST_TASK, ST_COMMITTED, ignore, &args[i]);
    }
    const double start = measure_seconds();
    tw_run();
    struct took took = {.run = measure_seconds() - start};
    took.handlers = (double)now.ticks / run_ticks_per_second();
    tw_end();
    return took;
}

/* ---- Table ----------------------------------------------------------------------------------- */

/* Results of one mode. Each member is an array with one value per turn. */
struct figures {
    double *run, *handlers; /* as in struct took */
    /* emit: cost in ns per record inside handlers. all: total cost in ns per record. of_run: run
     * time divided by the run time without records. */
    double *emit, *all, *of_run;
};

/* Costs in ns per record, from the shortest times over all turns. */
struct least {
    double emit, deliver;
};

static struct least find_least(const struct figures *with, const struct figures *without,
                               size_t turns)
{
    const double ns = 1e9 / ((double)now.events * now.records);
    const double emit =
        measure_least(with->handlers, turns) - measure_least(without->handlers, turns);
    const double all = measure_least(with->run, turns) - measure_least(without->run, turns);
    return (struct least){ns * emit, ns * (all - emit)};
}

static void print_goal(double goal_ns, double ns)
{
    if (goal_ns > 0) {
        printf(" %5.0f %6.2f", goal_ns, ns / goal_ns);
    } else {
        printf(" %5s %6s", "-", "-");
    }
}

static void print_row(const struct mode *mode, const struct figures *f, struct least least,
                      size_t turns)
{
    const double emit_median = measure_median(f->emit, turns);
    printf("%-14s %7.2f %7.2f", mode->name, least.emit, emit_median);
    print_goal(mode->emit_goal_ns, least.emit);
    if (mode->committed > 0) {
        printf(" %7.2f %7.2f", least.deliver, measure_median(f->all, turns) - emit_median);
    } else {
        printf(" %7s %7s", "-", "-");
    }
    print_goal(mode->deliver_goal_ns, least.deliver);
    printf(" %7.2f\n", measure_median(f->of_run, turns));
}

static void print_table(const struct figures *figures, const struct settings *s)
{
    static const char *const schedulers[] = {[1] = "sequential", "conservative", "optimistic"};
    printf("%s, %u record(s) of 8 bytes per event; ns per record, of %u turn(s)\n\n",
           schedulers[s->synch], s->records, s->turns);
    printf("%-14s %7s %7s %5s %6s %7s %7s %5s %6s %7s\n", "subscribers", "emit", "median", "goal",
           "ratio", "deliver", "median", "goal", "ratio", "of run");
    for (size_t m = 1; m < MODES; m++) {
        print_row(&modes[m], &figures[m], find_least(&figures[m], &figures[0], s->turns), s->turns);
    }
}

static void measure_all(struct figures *figures, const struct settings *s)
{
    for (size_t turn = 0; turn < s->turns; turn++) {
        struct took none = {0, 0};
        for (size_t m = 0; m < MODES; m++) {
            const struct took took = simulate(&modes[m], s);
            if (m == 0) {
                none = took;
            }
            const double records = (double)now.events * s->records;
            figures[m].run[turn] = took.run;
            figures[m].handlers[turn] = took.handlers;
            figures[m].emit[turn] = 1e9 * (took.handlers - none.handlers) / records;
            figures[m].all[turn] = 1e9 * (took.run - none.run) / records;
            figures[m].of_run[turn] = took.run / none.run;
        }
    }
}

/* Measures all modes. Redirects standard output to /dev/null, so that no reports appear. */
static void measure_silently(struct figures *figures, const struct settings *s)
{
    fflush(stdout);
    const int out = dup(STDOUT_FILENO);
    const int scratch = open("/dev/null", O_WRONLY);
    if (out < 0 || scratch < 0 || dup2(scratch, STDOUT_FILENO) < 0) {
        measure_fail("cannot redirect the reports of the runs to /dev/null");
    }
    measure_all(figures, s);
    fflush(stdout);
    if (dup2(out, STDOUT_FILENO) < 0) {
        measure_fail("cannot get standard output back");
    }
    close(out);
    close(scratch);
}

static unsigned quick;
static unsigned long events = 200000;
static struct settings s = {.synch = 3, .records = 8, .turns = TURNS};

static const tw_optdef table[] = {
    TWOPT_GROUP("Measuring"),
    TWOPT_UINT("synch", s.synch, "<1..3> scheduler"),
    TWOPT_UINT("records", s.records, "<1..1000> records per event"),
    TWOPT_ULONG("events", events, "events per run"),
    TWOPT_UINT("turns", s.turns, "<1..100000> turns, the least of which counts"),
    TWOPT_FLAG("quick", quick, "few events: rough figures at once"),
    TWOPT_END()};

static void run(void)
{
    if (quick != 0) {
        s.turns = s.turns < 3 ? s.turns : 3;
        events = 2000;
    }
    s.end = (double)(events / LPS + 1);
    unsetenv("ROSS_TRACE_ENABLE");
    unsetenv("ROSS_SUBSCRIBERS");
    struct figures figures[MODES];
    double *const all = measure_alloc(MODES * s.turns, 5 * sizeof *all);
    for (size_t m = 0; m < MODES; m++) {
        double *const of = all + m * s.turns * 5;
        const size_t n = s.turns;
        figures[m] = (struct figures){of, of + n, of + 2 * n, of + 3 * n, of + 4 * n};
    }
    MPI_Init(NULL, NULL);
    measure_silently(figures, &s);
    print_table(figures, &s);
    free(all);
    MPI_Finalize();
}

const struct measure_program measure_program = {
    "What a record costs that a model emits inside its handlers.", table, run};
