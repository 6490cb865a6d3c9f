/*
 * phold_hostile.c - the engine on PHOLD where PHOLD is not friendly.
 *
 *     bench_phold_hostile [--quick] [--cases=friendly,ties,...] [--runs=5] [--args="--rng=fast"]
 * ...
 *
 * Every case changes one thing of the friendly one, and is run by the sequential scheduler on one
 * rank, by the conservative and the optimistic one on several. They take turns, so that whatever
 * else the machine does hits all of them; medians over the turns are printed. All three must commit
 * the same number of events. A run that takes longer than --timeout is ended and shown as
 * "timeout", one that fails as "failed"; the others go on.
 *
 * Columns
 *   M events/s   million committed events per second; initialisation does not count
 *   opt/cons     optimistic over conservative: optimism should not do much worse, ever
 *   kept         events committed, as part of those executed optimistically
 *   MiB          event memory of all ranks at its peak, optimistic: history and pending events
 * In "slow" cases one rank has far more to do than the others, so that no scheduler can be much
 * faster than that rank alone; the sequential one does as much for every event.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "measure.h"
#include "phold_run.h"

#define RUNS_MAX  99
#define MAX_RANKS 1024u
#define MIN_END   2.0 /* mean offsets */

struct hostile_case {
    const char *name;
    const char *about;
    double remote;
    double lookahead;
    double mean;
    const char *args;    /* more arguments of phold */
    double events_share; /* of --events: slow ones get less */
    bool hot;            /* all events on the first rank */
    bool crowded;        /* twice as many ranks */
};

#define SLOW "--work=1000 --slow-rank=0"

static const struct hostile_case cases[] = {
    {"friendly", "few remote events, some lookahead", 0.1, 0.1, 1.0, "", 1.0, false, false},
    {"remote", "all destinations drawn from all LPs", 1.0, 0.1, 1.0, "", 1.0, false, false},
    {"hot", "all events on the LPs of one rank", 0.1, 0.1, 1.0, "", 1.0, true, false},
    {"ties", "all offsets equal, all events tied", 0.1, 0.01, 0.01, "", 1.0, false, false},
    {"tiny", "a thousandth of lookahead", 0.1, 0.001, 1.0, "", 1.0, false, false},
    {"slow", "one rank slow", 0.1, 0.1, 1.0, SLOW, 0.1, false, false},
    {"slow-far", "one rank slow, seldom heard of", 0.001, 0.1, 1.0, SLOW, 0.1, false, false},
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

enum outcome { FINE, TIMEOUT, FAILED };

/* One run, or the medians of several. */
struct result {
    enum outcome outcome;
    double net_events;
    double event_rate;
    double kept;
    double event_mib;
};

/* ---- Running -----------------------------------------------------------------------------------
 */

/*
 * Runs a command ("$@") for at most some seconds ($0), and prints how it ended, then its report. By
 * timeout(1), since the launcher has to end all ranks and whoever is left is to be killed.
 */
static const char limited_run[] = "json=$(mktemp) || exit\n"
                                  "timeout -k 5 \"$0\" \"$@\" --report-json=\"$json\" >/dev/null\n"
                                  "echo \"\\\"status\\\": $?\"\n"
                                  "cat \"$json\"\n"
                                  "rm -f \"$json\"\n";

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

static void add_command(struct program_args *args, const struct bench *b,
                        const struct hostile_case *c, enum variant v)
{
    unsigned ranks = case_ranks(b, c, v);
    phold_add_start(args, &b->programs, ranks);
    program_add(args, "--synch=%d", (int)v + 1);
    program_add(args, "--nlp=%lu", b->lps / ranks);
    program_add(args, "--remote=%.17g", c->remote);
    program_add(args, "--lookahead=%.17g", c->lookahead);
    program_add(args, "--mean=%.17g", c->mean);
    program_add(args, "--hot-lps=%lu", hot_lps(b, c));
    program_add(args, "--end=%.17g", case_end(b, c));
    program_add(args, "--quiet");
    program_add_words(args, c->args);
    program_add_words(args, b->programs.args);
}

static struct result run_case(const struct bench *b, const struct hostile_case *c, enum variant v)
{
    struct result result = {.outcome = FAILED};
    struct program_args args = {0};
    program_add(&args, "sh");
    program_add(&args, "-c");
    program_add(&args, "%s", limited_run);
    program_add(&args, "%u", b->timeout_s);
    add_command(&args, b, c, v);
    char *text = program_output(&args);
    int status = (int)program_number(text, "status");
    if (status == 0) {
        double processed = program_number(text, "events_processed");
        result = (struct result){
            .outcome = FINE,
            .net_events = program_number(text, "net_events"),
            .event_rate = program_number(text, "event_rate"),
            .event_mib = program_number(text, "event_bytes_peak") / (1 << 20),
        };
        result.kept = processed > 0.0 ? result.net_events / processed : 1.0;
    } else if (status == 124 || status == 137) { /* what timeout(1) says */
        result.outcome = TIMEOUT;
    }
    free(text);
    return result;
}

static struct result medians(const struct result *runs, unsigned n)
{
    double rates[RUNS_MAX];
    double kept[RUNS_MAX];
    double mib[RUNS_MAX];
    for (unsigned i = 0; i < n; i++) {
        rates[i] = runs[i].event_rate;
        kept[i] = runs[i].kept;
        mib[i] = runs[i].event_mib;
    }
    return (struct result){.outcome = FINE,
                           .net_events = runs[0].net_events,
                           .event_rate = measure_median(rates, n),
                           .kept = measure_median(kept, n),
                           .event_mib = measure_median(mib, n)};
}

/* A variant that has once run out of time is not tried again. */
static void measure_case(const struct bench *b, const struct hostile_case *c, struct result *rows)
{
    struct result(*runs)[RUNS_MAX] = measure_alloc(VARIANTS, sizeof *runs);
    bool gave_up[VARIANTS] = {false};
    double expected = -1.0;
    for (unsigned run = 0; run < b->runs; run++) {
        for (int v = 0; v < VARIANTS; v++) {
            if (gave_up[v]) {
                continue;
            }
            struct result r = run_case(b, c, (enum variant)v);
            runs[v][run] = r;
            rows[v] = r;
            gave_up[v] = r.outcome != FINE;
            if (r.outcome == FINE && expected >= 0.0 && r.net_events != expected) {
                measure_fail("wrong: %s with --synch=%d committed %.0f events instead of %.0f",
                             c->name, v + 1, r.net_events, expected);
            }
            expected = r.outcome == FINE ? r.net_events : expected;
        }
    }
    for (int v = 0; v < VARIANTS; v++) {
        rows[v] = gave_up[v] ? rows[v] : medians(runs[v], b->runs);
    }
    free(runs);
}

/* ---- Printing ----------------------------------------------------------------------------------
 */

static void print_rate(const struct result *r)
{
    if (r->outcome == FINE) {
        printf(" %12.2f", 1e-6 * r->event_rate);
    } else {
        printf(" %12s", r->outcome == TIMEOUT ? "timeout" : "failed");
    }
}

static void print_row(const struct bench *b, const struct hostile_case *c,
                      const struct result *rows)
{
    const struct result *opt = &rows[OPT];
    printf("%-15s %5u", c->name, case_ranks(b, c, OPT));
    for (int v = 0; v < VARIANTS; v++) {
        print_rate(&rows[v]);
    }
    if (opt->outcome == FINE && rows[CONS].outcome == FINE) {
        printf(" %9.2f", opt->event_rate / rows[CONS].event_rate);
    } else {
        printf(" %9s", "-");
    }
    if (opt->outcome == FINE) {
        printf(" %6.1f%% %6.0f", 100.0 * opt->kept, opt->event_mib);
    } else {
        printf(" %7s %6s", "-", "-");
    }
    printf("  %s\n", c->about);
    fflush(stdout);
}

static void print_table(const struct bench *b, const size_t *numbers, size_t n)
{
    struct result rows[VARIANTS];
    printf("PHOLD, %lu LPs; million events/s, medians of %u run(s) of about %.0f events%s%s\n\n",
           b->lps, b->runs, b->events, b->programs.args[0] != '\0' ? "; phold " : "",
           b->programs.args);
    printf("%-15s %5s %12s %12s %12s %9s %7s %6s\n", "case", "ranks", "sequential", "conservative",
           "optimistic", "opt/cons", "kept", "MiB");
    fflush(stdout);
    for (size_t i = 0; i < n; i++) {
        measure_case(b, &cases[numbers[i]], rows);
        print_row(b, &cases[numbers[i]], rows);
    }
}

/* ---- The command line --------------------------------------------------------------------------
 */

static const char about[] =
    "The engine on PHOLD where it is not friendly: sequential, conservative and optimistic.\n"
    "Cases: friendly remote hot ties tiny slow slow-far kp-1 kp-4096 batch-1 batch-1000\n"
    "payload-256 payload-4096 crowded crowded-remote.";

static size_t find_case(const char *name, size_t length)
{
    for (size_t i = 0; i < N_CASES; i++) {
        if (strlen(cases[i].name) == length && memcmp(cases[i].name, name, length) == 0) {
            return i;
        }
    }
    measure_refuse("--cases: there is no case \"%.*s\"; see --help", (int)length, name);
}

/* The cases asked for, by number; all of them when none is. */
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

static void check_settings(struct bench *b)
{
    if (b->runs == 0 || b->runs > RUNS_MAX) {
        measure_refuse("--runs: must be from 1 to %d", RUNS_MAX);
    }
    if (b->ranks < 2 || b->ranks > MAX_RANKS) {
        measure_refuse("--ranks: must be from 2 to %u", MAX_RANKS);
    }
    if (b->lps == 0 || b->lps > UINT32_MAX || b->lps % (2 * b->ranks) != 0) {
        measure_refuse("--lps: must be a multiple of twice the ranks");
    }
    if (!(b->events >= 1.0 && b->events <= 1e12)) {
        measure_refuse("--events: must be from 1 to 1e12");
    }
    if (b->timeout_s == 0) {
        measure_refuse("--timeout: must be at least 1 second");
    }
    if (b->quick != 0) {
        b->runs = 1;
        b->events = b->events / 10 >= 1.0 ? b->events / 10 : 1.0;
    }
}

int main(int argc, char **argv)
{
    struct bench b = {.runs = 5, .ranks = 2, .lps = 16384, .events = 4e6, .timeout_s = 60};
    const tw_optdef table[] = {
        TWOPT_GROUP("Hostile cases of PHOLD"),
        TWOPT_CHAR("cases", b.cases, "names of cases, separated by commas; else all"),
        TWOPT_FLAG("quick", b.quick, "one turn, a tenth of the events"),
        TWOPT_UINT("runs", b.runs, "turns, of which the median is printed"),
        TWOPT_UINT("ranks", b.ranks, "ranks of conservative and optimistic runs"),
        TWOPT_ULONG("lps", b.lps, "LPs in all"),
        TWOPT_DOUBLE("events", b.events, "events of a run, less in the slow cases"),
        TWOPT_UINT("timeout", b.timeout_s, "seconds that a run may take"),
        PHOLD_PROGRAM_OPTIONS(b.programs),
        TWOPT_END(),
    };
    size_t numbers[N_CASES];
    measure_options(table, about, argc, argv);
    check_settings(&b);
    size_t n = choose_cases(b.cases, numbers);
    phold_programs_find(&b.programs);
    print_table(&b, numbers, n);
    return fflush(stdout) == 0 ? 0 : 1;
}
