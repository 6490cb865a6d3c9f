/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * instrumentation.c - measures the cost of observing a simulation in several modes, as ratios to a
 * run without observers.
 *
 *     bench_instrumentation [--models=phold,netsim] [--ranks=1,2] [--runs=5] [--seconds=2] ...
 *
 * phold does almost no work in an event, so that it shows the highest relative cost; netsim is a
 * realistic model. Runs on one rank are sequential, runs on several ranks are optimistic. Each turn
 * runs all modes once. A mode is compared with the mode "off" of the same turn; medians over the
 * turns are printed. Other programs on the machine only slow runs down, so the shortest of many
 * short runs is the least disturbed. Columns:
 *
 *     of off     event rate, divided by the event rate in mode "off"
 *     best       the same ratio for the shortest runs of the two modes
 *     M rec/s    millions of records collected per second
 *     bytes      bytes per record in the files that the run wrote
 *     ns/record  time that a record costs, summed over ranks, from the shortest runs:
 *                (time - time in mode "off") * ranks / records
 *
 * In mode "plain", phold is built without instrumentation: the engine's probes are not even
 * compiled. A writer thread writes traces if a core is free (--writer-thread=auto). In "inline"
 * modes there is no writer thread. "memory" modes write nothing, which leaves the cost of
 * collecting. In mode "subscriber", a library receives all committed records of the engine and does
 * nothing.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support/phold_run.h"

#define RUNS_MAX  999
#define RANKS_MAX 64
#define LIST_MAX  16

struct settings {
    struct phold_programs programs;
    char models[64];
    char ranks[256];
    char modes[256];
    char path[PATH_MAX];
    unsigned long lps;
    double seconds;
    unsigned runs;
    const char *folder;
    char netsim[PATH_MAX];
};

/* A way to observe a run. args: options for the run, in which %g stands for a fiftieth of the end
 * time, and %s for the directory of this program. */
struct mode {
    const char *name;
    const char *args;
};

static const struct mode modes[] = {
    {"off", ""},
    {"plain", ""},
    {"gvt", "--enable-gvt-stats=1"},
    {"gvt, KP and LP", "--enable-gvt-stats=1 --granularity=1"},
    {"gvt 1:256, KP and LP", "--enable-gvt-stats=1 --num-gvt=256 --granularity=1"},
    {"rt 10 ms", "--real-time-samp=10"},
    {"rt 10 ms, KP and LP", "--real-time-samp=10 --granularity=1"},
    {"gvt and rt 10 ms", "--enable-gvt-stats=1 --real-time-samp=10"},
    {"vt", "--vt-interval=%g"},
    {"vt, KP and LP", "--vt-interval=%g --granularity=1"},
    {"model, rt 10 ms", "--model-stats=2 --rt-interval=10"},
    {"model, vt", "--model-stats=4 --vt-interval=%g"},
    {"trace rollbacks", "--event-trace=2"},
    {"trace, memory", "--event-trace=1 --disable-output=1"},
    {"trace, inline", "--event-trace=1 --writer-thread=off"},
    {"trace", "--event-trace=1"},
    {"committed, memory", "--event-trace=3 --disable-output=1"},
    {"committed, inline", "--event-trace=3 --writer-thread=off"},
    {"committed", "--event-trace=3"},
    {"subscriber", "--subscribers=%s/../lib/warpscope/empty_subscriber.so"},
};
#define N_MODES    (sizeof modes / sizeof *modes)
#define MODE_OFF   0u
#define MODE_PLAIN 1u

/* A model on a number of ranks, and the virtual end time of its runs. */
struct setup {
    const char *model;
    unsigned ranks;
    double end;
};

struct row {
    double seconds[RUNS_MAX];     /* [turn]: run time per million net events, in seconds */
    double ratio[RUNS_MAX];       /* [turn]: event rate divided by that of mode "off" */
    double events;                /* number of net events in a run */
    double collected;             /* number of records collected in a run */
    double bytes;                 /* total size in bytes of the files that a run wrote */
    double seconds_run[RUNS_MAX]; /* [turn]: run time in seconds */
};

/* ---- Runs ------------------------------------------------------------------------------------ */

static bool is_phold(const struct setup *setup)
{
    return strcmp(setup->model, "phold") == 0;
}

static void add_model(struct program_args *args, const struct settings *s,
                      const struct setup *setup)
{
    if (is_phold(setup)) {
        program_add_words(args, "--nlp=%lu --remote=0.1 --lookahead=0.1", s->lps / setup->ranks);
    } else {
        program_add_words(args, "--load=0.6 --warmup=0");
    }
    program_add_words(args, "--end=%.17g --synch=%d", setup->end, setup->ranks == 1 ? 1 : 3);
}

/* Runs the model in a mode, and returns the report as JSON. */
static char *run_model(const struct settings *s, const struct setup *setup, size_t mode)
{
    struct program_args args = {0};
    struct phold_programs programs = s->programs;
    if (mode == MODE_PLAIN) {
        snprintf(programs.phold, sizeof programs.phold, "%.*s/phold_plain", PATH_MAX - 16,
                 s->programs.folder);
    } else if (!is_phold(setup)) {
        memcpy(programs.phold, s->netsim, sizeof programs.phold);
    }
    phold_add_start(&args, &programs, setup->ranks);
    add_model(&args, s, setup);
    const char *interval = strstr(modes[mode].args, "%g");
    const char *folder = strstr(modes[mode].args, "%s");
    if (folder != NULL) {
        program_add(&args, "%.*s%s%s", (int)(folder - modes[mode].args), modes[mode].args,
                    s->programs.folder, folder + 2);
    } else if (interval != NULL) {
        program_add_words(&args, "%.*s%g%s", (int)(interval - modes[mode].args), modes[mode].args,
                          setup->end / 50, interval + 2);
    } else {
        program_add_words(&args, "%s", modes[mode].args);
    }
    if (mode != MODE_PLAIN) {
        program_add(&args, "--stats-path=%s/stats", s->folder);
    }
    phold_add_end(&args, &programs);
    return program_output(&args);
}

static void measure_mode(const struct settings *s, const struct setup *setup, size_t mode,
                         struct row *row, unsigned run)
{
    char *json = run_model(s, setup, mode);
    row->events = program_number(json, "net_events");
    row->seconds_run[run] = program_number(json, "run_seconds");
    row->seconds[run] = 1e6 * row->seconds_run[run] / row->events;
    row->collected = program_sum(json, "collected");
    row->bytes = program_sum(json, "bytes");
    free(json);
    program_empty_folder();
}

/* Returns the virtual end time for a run of about --seconds without observers. */
static double choose_end(const struct settings *s, struct setup setup)
{
    double end = is_phold(&setup) ? 1e6 / (double)s->lps : 0.001;
    double seconds = 0.0;
    for (int i = 0; i < 12 && seconds < 0.25 * s->seconds; i++) {
        setup.end = end;
        char *json = run_model(s, &setup, MODE_OFF);
        seconds = program_number(json, "run_seconds");
        free(json);
        double factor = seconds > 0.0 ? s->seconds / seconds : 8.0;
        end *= fmin(factor, 8.0);
    }
    return end;
}

/* ---- Table ----------------------------------------------------------------------------------- */

static void print_row(const struct setup *setup, size_t mode, struct row *row, double off_least,
                      unsigned runs)
{
    double shortest = measure_least(row->seconds_run, runs);
    double seconds = measure_median(row->seconds_run, runs);
    printf("%-6s %5u  %-20s %7.3f %6.3f %6.3f", setup->model, setup->ranks, modes[mode].name,
           1e-6 * row->events / seconds, measure_median(row->ratio, runs), off_least / shortest);
    if (row->collected > 0.0) {
        printf(" %7.3f %5.1f %9.1f", 1e-6 * row->collected / seconds, row->bytes / row->collected,
               1e9 * (shortest - off_least) * setup->ranks / row->collected);
    }
    putchar('\n');
}

/* Sets chosen[m] to true for the mode "off" and for the modes in names, which are separated by
 * semicolons. If names is empty, chooses all modes. */
static void choose_modes(const char *names, bool chosen[N_MODES])
{
    for (size_t m = 0; m < N_MODES; m++) {
        chosen[m] = names[0] == '\0' || m == MODE_OFF;
    }
    while (*names != '\0') {
        size_t length = strcspn(names, ";"), m = 0;
        while (m < N_MODES &&
               (strlen(modes[m].name) != length || strncmp(modes[m].name, names, length) != 0)) {
            m++;
        }
        if (m == N_MODES) {
            measure_refuse("--modes: there is no mode %.*s", (int)length, names);
        }
        chosen[m] = true;
        names += length;
        names += *names == ';';
    }
}

static void measure_setup(const struct settings *s, struct setup setup)
{
    struct row *rows = measure_alloc(N_MODES, sizeof *rows);
    bool chosen[N_MODES];
    setup.end = choose_end(s, setup);
    choose_modes(s->modes, chosen);
    chosen[MODE_PLAIN] = chosen[MODE_PLAIN] && is_phold(&setup);
    for (unsigned run = 0; run < s->runs; run++) {
        for (size_t m = 0; m < N_MODES; m++) {
            if (chosen[m]) {
                measure_mode(s, &setup, m, &rows[m], run);
                rows[m].ratio[run] = rows[MODE_OFF].seconds[run] / rows[m].seconds[run];
            }
        }
    }
    double off_least = measure_least(rows[MODE_OFF].seconds_run, s->runs);
    for (size_t m = 0; m < N_MODES; m++) {
        if (chosen[m]) {
            print_row(&setup, m, &rows[m], off_least, s->runs);
        }
    }
    measure_flush();
    free(rows);
}

static void check_settings(const struct settings *s)
{
    bool chosen[N_MODES];
    choose_modes(s->modes, chosen);
    if (strcmp(s->models, "phold") != 0 && strcmp(s->models, "netsim") != 0 &&
        strcmp(s->models, "phold,netsim") != 0) {
        measure_refuse("--models=%s: give phold, netsim, or phold,netsim", s->models);
    }
}

static void print_table(struct settings *s)
{
    unsigned long ranks[LIST_MAX];
    size_t n = measure_list("ranks", s->ranks, 1, RANKS_MAX, ranks, LIST_MAX);
    for (size_t i = 0; i < n; i++) {
        if (s->lps < ranks[i] || s->lps % ranks[i] != 0) {
            measure_refuse("--lps: must be a multiple of all numbers of ranks");
        }
    }
    s->folder = program_make_folder(s->path);
    printf("phold: %lu LPs, remote 0.1, lookahead 0.1; netsim: Abilene, load 0.6\n", s->lps);
    phold_print_args(&s->programs);
    printf("%-6s %5s  %-20s %7s %6s %6s %7s %5s %9s\n", "model", "ranks", "mode", "M ev/s",
           "of off", "best", "M rec/s", "bytes", "ns/record");
    static const char *const names[] = {"phold", "netsim"};
    for (size_t m = 0; m < 2; m++) {
        for (size_t i = 0; i < n && strstr(s->models, names[m]) != NULL; i++) {
            measure_setup(s, (struct setup){.model = names[m], .ranks = (unsigned)ranks[i]});
        }
    }
}

static struct settings s = {
    .models = "phold,netsim", .ranks = "1,2", .lps = 32768, .seconds = 2.0, .runs = 5};

static const tw_optdef table[] = {
    TWOPT_GROUP("Cost of instrumentation"),
    TWOPT_CHAR("models", s.models, "<LIST> phold, netsim, or both, separated by a comma"),
    TWOPT_CHAR("ranks", s.ranks, "<LIST> numbers of ranks, separated by commas"),
    TWOPT_CHAR("modes", s.modes,
               "<LIST> rows to print beside off, separated by semicolons; else all"),
    TWOPT_CHAR("path", s.path, "<DIR> where records are written for a while; else $TMPDIR or /tmp"),
    TWOPT_ULONG("lps", s.lps, "LPs of phold, of all ranks"),
    TWOPT_DOUBLE("seconds", s.seconds, "<1e-9..3600> time of a run without instrumentation"),
    TWOPT_UINT("runs", s.runs, "<1..999> turns, of which the median is printed"),
    PHOLD_PROGRAM_OPTIONS(s.programs),
    TWOPT_END(),
};

static void run(void)
{
    check_settings(&s);
    phold_programs_find(&s.programs);
    snprintf(s.netsim, sizeof s.netsim, "%.*s/netsim", PATH_MAX - 16, s.programs.folder);
    print_table(&s);
}

const struct measure_program measure_program = {
    "The cost of instrumentation, as ratios to runs without it.", table, run};
