/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * bench_analyze - measures the number of events that "warpscope analyze" processes per second. For
 * each workload the program writes a trace of committed events to a temporary directory, analyses
 * the trace, and removes the trace.
 *
 *   ring     each event causes the next one, on the next LP: all events are in the critical path
 *   local    75 per cent of the events go from an LP to itself, the others to random LPs; 1 rank
 *   ranks    like local, with 4 ranks
 *   zero     half of the offsets are 0, which causes ties; 4 ranks, so that events wait for others
 *
 * Times are CPU times, which other programs on the machine influence less than wall-clock time.
 * "read only" is the rate at which the same columns are read in the same order, without any
 * analysis.
 */
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

#include "analyze/analyze.h"
#include "cli/files.h"
#include "support/causal_trace.h"
#include "support/measure.h"

static unsigned long events = 2000000, lps = 10000, rounds = 3, communities = 1;
static const tw_optdef table[] = {
    TWOPT_GROUP("Analysis of event traces"),
    TWOPT_ULONG("events", events, "<1..> events of each trace"),
    TWOPT_ULONG("lps", lps, "<2..16777216> LPs of each trace"),
    TWOPT_ULONG("rounds", rounds, "<1..> analyses of each trace; the fastest one counts"),
    TWOPT_ULONG("communities", communities, "<0..1> 1: look for communities of LPs as well"),
    TWOPT_END()};

static const struct {
    const char *name;
    enum causal_shape shape;
    uint32_t pes, self;
} workloads[] = {{"ring", CAUSAL_RING, 1, 0},
                 {"local", CAUSAL_PHOLD, 1, 75},
                 {"ranks", CAUSAL_PHOLD, 4, 75},
                 {"zero", CAUSAL_ZERO, 4, 75},
                 {"random", CAUSAL_PHOLD, 1, 0}};

static enum analyze_taken event_read(const struct analyze_event *e, bool must,
                                     const struct analyze_event *ahead, void *ctx)
{
    (void)must;
    (void)ahead;
    *(uint64_t *)ctx += e->lp;
    return ANALYZE_TAKEN;
}

struct result {
    double read, all;     /* minimum times in seconds: reading only; whole analysis */
    size_t open;          /* maximum number of open events */
    uint64_t edges, path; /* number of edges of the graph; number of events in the critical path */
};

/* Reads the trace once, analyses it once, and updates the results in *r. */
static void round_run(const char *path, struct result *r)
{
    const struct analyze_options o = {
        .ranks = {2, 4, 8, 16}, .n_ranks = 4, .top = 10, .communities = communities == 1};
    struct ws_file file;
    struct analyze a;
    struct analyze_trace trace;
    uint64_t sum = 0;
    memset(&file, 0, sizeof file);
    ws_file_survey(&file, path, WS_USUAL, &ws_on_stderr);
    double from = measure_cpu_seconds();
    if (!analyze_trace_init(&trace, &file, ANALYZE_NEEDS, false, false) ||
        !analyze_trace_walk(&trace, ANALYZE_READ_TIMES | ANALYZE_READ_CAUSES, event_read, &sum)) {
        measure_fail("cannot read %s", path);
    }
    analyze_trace_free(&trace);
    double between = measure_cpu_seconds();
    if (!analyze_run(&a, &file, &o)) {
        measure_fail("cannot analyze %s", path);
    }
    double to = measure_cpu_seconds();
    r->read = r->read <= 0.0 || between - from < r->read ? between - from : r->read;
    r->all = r->all <= 0.0 || to - between < r->all ? to - between : r->all;
    r->open = a.opens_most;
    r->edges = a.graph.edges;
    r->path = a.path_events;
    analyze_free(&a);
    ws_file_close(&file);
}

static void run(void)
{
    char path[PATH_MAX];
    if (snprintf(path, PATH_MAX, "%s/evtrace.bin", program_make_folder("")) >= PATH_MAX) {
        measure_fail("the name of the trace is too long");
    }
    printf("workload     events   events/s  read only  ratio  open events       edges    path\n");
    for (size_t i = 0; i < sizeof workloads / sizeof workloads[0]; i++) {
        struct causal_options o = {.shape = workloads[i].shape,
                                   .lps = (uint32_t)lps,
                                   .pes = workloads[i].pes,
                                   .events = events,
                                   .seed = 1,
                                   .self = workloads[i].self,
                                   .timed = 1};
        struct causal_trace trace;
        struct result r = {0};
        causal_make(&trace, &o);
        bool good = causal_write(&trace, path, "3");
        uint64_t n = trace.n;
        causal_free(&trace);
        for (unsigned long k = 0; k < rounds && good; k++) {
            round_run(path, &r);
        }
        program_empty_folder();
        if (!good) {
            measure_fail("cannot write %s", path);
        }
        printf("%-8s %10llu %10.0f %10.0f %6.2f %12zu %11llu %7llu\n", workloads[i].name,
               (unsigned long long)n, (double)n / r.all, (double)n / r.read, r.all / r.read, r.open,
               (unsigned long long)r.edges, (unsigned long long)r.path);
    }
    struct rusage usage;
    getrusage(RUSAGE_SELF, &usage);
    printf("largest memory: %ld MiB, simulator of the traces included\n", usage.ru_maxrss / 1024);
}

const struct measure_program measure_program = {"Events per second of warpscope analyze.", table,
                                                run};
