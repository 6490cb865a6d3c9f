/* SPDX-License-Identifier: BSD-3-Clause */
/* run_report.c - gathers the data of the report from all ranks, see report_files.h. */
#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <sys/resource.h>
#include <unistd.h>

#include "base/rng.h"
#include "checkpoint/checkpoint.h"
#include "engine/process/error.h"
#include "engine/process/run.h"
#include "move/move.h"
#include "run/report_files.h"

static void sum_u64(const struct pe *pe, uint64_t *values, int n)
{
    assert(n > 0);
    MPI_Allreduce(MPI_IN_PLACE, values, n, MPI_UINT64_T, MPI_SUM, pe->comm.comm);
}

static uint64_t max_u64(const struct pe *pe, uint64_t value)
{
    MPI_Allreduce(MPI_IN_PLACE, &value, 1, MPI_UINT64_T, MPI_MAX, pe->comm.comm);
    return value;
}

static void max_double(const struct pe *pe, double *values, int n)
{
    MPI_Allreduce(MPI_IN_PLACE, values, n, MPI_DOUBLE, MPI_MAX, pe->comm.comm);
}

static void reduce_counters(const struct pe *pe, struct tw_counters *total)
{
    *total = pe->counters;
    counters_add(total, &pe->before);
    sum_u64(pe, (uint64_t *)(void *)total, (int)(sizeof *total / sizeof(uint64_t)));
    /* The next two counters are not summed: all ranks take part in the same GVT computations. */
    total->gvt_rounds = pe->before.gvt_rounds + pe->counters.gvt_rounds;
    total->all_reduces = pe->before.all_reduces + pe->counters.all_reduces;
}

/* Sets the percentages that show how far GVT computations and work overlapped. Collective. */
static void reduce_overlap(const struct pe *pe, struct report *report)
{
    double sums[4] = {(double)pe->gvt.pending_ticks, (double)g_run.run_ticks,
                      (double)pe->gvt.overlapped_events, (double)pe->counters.events_processed};
    MPI_Allreduce(MPI_IN_PLACE, sums, 4, MPI_DOUBLE, MPI_SUM, pe->comm.comm);
    report->gvt_pending_percent = sums[1] > 0.0 ? 100.0 * sums[0] / sums[1] : 0.0;
    report->gvt_overlap_percent = sums[3] > 0.0 ? 100.0 * sums[2] / sums[3] : 0.0;
}

static void reduce_memory(const struct pe *pe, struct report_memory *memory)
{
    struct rusage usage;
    getrusage(RUSAGE_SELF, &usage);
    uint64_t sums[5] = {pe->pool.allocated, pe->pool.arena.total_bytes, pe->lps.arena.total_bytes,
                        pending_memory_bytes(pe->pending), transport_memory_bytes(pe->transport)};
    double rss = (double)usage.ru_maxrss * 1024.0;
    sum_u64(pe, sums, 5);
    max_double(pe, &rss, 1);
    *memory = (struct report_memory){.events_allocated = sums[0],
                                     .event_bytes_peak = sums[1],
                                     .lp_state_bytes = sums[2],
                                     .pending_bytes = sums[3],
                                     .max_rss_bytes = (uint64_t)rss,
                                     .transport_bytes = sums[4]};
}

/* Sets the name of each phase, and its seconds summed over all ranks. Returns the number of phases;
 * 0: phases were not timed. Collective. */
static size_t reduce_phases(const struct pe *pe, struct report_phase phases[TW_PHASES])
{
    static const char *const keys[] = {
#define X(name, text) #name,
        TW_PHASE_LIST(X)
#undef X
    };
    static const char *const titles[] = {
#define X(name, text) text,
        TW_PHASE_LIST(X)
#undef X
    };
    double ticks[TW_PHASES];
    phase_clock_shares(&pe->phases, g_run.run_ticks, ticks);
    MPI_Allreduce(MPI_IN_PLACE, ticks, TW_PHASES, MPI_DOUBLE, MPI_SUM, pe->comm.comm);
    for (int i = 0; i < TW_PHASES; i++) {
        phases[i] = (struct report_phase){keys[i], titles[i], ticks[i] / g_run.ticks_per_second};
    }
    return g_run.settings.phase_times == PHASE_TIMES_OFF ? 0 : TW_PHASES;
}

/* Returns on rank 0 the processor time of each rank, on other ranks an empty array. The caller frees
 * the array. Collective. */
static struct processor_time *gather_processors(const struct pe *pe)
{
    size_t n = pe->comm.rank == 0 ? (size_t)pe->comm.n_ranks : 0;
    struct processor_time *all = tw_calloc(TW_LOC, "processor times", sizeof *all, n);
    MPI_Gather(&g_run.processor, PROCESSOR_TIMES, MPI_UINT64_T, all, PROCESSOR_TIMES, MPI_UINT64_T,
               0, pe->comm.comm);
    return all;
}

static struct report_sizes sizes(const struct pe *pe)
{
    size_t state = 0;
    for (tw_lpid i = 0; i < g_tw_nlp; i++) {
        size_t size = g_tw_lp[i]->type->state_sz;
        state = size > state ? size : state;
    }
    return (struct report_sizes){.pe = sizeof(struct pe),
                                 .kp = sizeof(struct kp),
                                 .lp = pe->lps.stride,
                                 .lp_model = state,
                                 .lp_rngs = sizeof(tw_rng_stream) *
                                            (g_tw_nRNG_per_lp + g_tw_nRNG_core_per_lp),
                                 .event = sizeof(tw_event),
                                 .event_with_model = pe->pool.event_size};
}

static int compare_ints(const void *a, const void *b)
{
    int x = *(const int *)a;
    int y = *(const int *)b;
    return (x > y) - (x < y);
}

/* On rank 0, returns an array with the number of suspended LPs for each error number, over all
 * ranks, and sets *n to its length. NULL: no LP is suspended. On other ranks the array is empty.
 * The caller frees the array. Collective. */
static struct report_suspended *gather_suspended(const struct pe *pe, size_t *n)
{
    assert(pe->n_suspended <= INT_MAX);
    uint64_t any = pe->n_suspended;
    sum_u64(pe, &any, 1);
    *n = 0;
    if (any == 0) {
        return NULL;
    }
    int n_ranks = pe->comm.rank == 0 ? pe->comm.n_ranks : 0; /* other ranks need no tables */
    int mine = (int)pe->n_suspended;
    int *counts = tw_calloc(TW_LOC, "suspended LPs", sizeof(int), 2 * (size_t)n_ranks);
    int *starts = counts + n_ranks;
    MPI_Gather(&mine, 1, MPI_INT, counts, 1, MPI_INT, 0, pe->comm.comm);
    size_t all = 0;
    for (int r = 0; r < n_ranks; r++) {
        starts[r] = (int)all;
        all += (size_t)counts[r];
    }
    int *errors = tw_calloc(TW_LOC, "suspended LPs", sizeof(int), all);
    MPI_Gatherv(pe->suspend_errors, mine, MPI_INT, errors, counts, starts, MPI_INT, 0,
                pe->comm.comm);
    qsort(errors, all, sizeof(int), compare_ints);
    struct report_suspended *suspended = tw_calloc(TW_LOC, "suspended LPs", sizeof *suspended, all);
    for (size_t i = 0; i < all; i++) {
        if (i == 0 || errors[i] != errors[i - 1]) {
            suspended[(*n)++].error_num = errors[i];
        }
        suspended[*n - 1].lps++;
    }
    free(errors);
    free(counts);
    return suspended;
}

void run_report(struct pe *pe)
{
    bool adapts = pe->gvt.adapts;
    struct report_phase phases[TW_PHASES];
    struct report report = {
        .program = g_run.program,
        .command_line = g_run.command_line,
        .version = run_version(),
        .scheduler = run_scheduler_name(),
        .transport = transport_name(pe->transport),
        .rng = rng_kind_name(g_tw_rng_kind),
        .run_end = run_end_text(pe->ended),
        .ranks = (uint64_t)pe->comm.n_ranks,
        .total_lps = g_tw_total_lps,
        .kps_per_pe = max_u64(pe, pe->n_kps),
        .batch = pe->batch_events,
        .gvt_interval = adapts ? pe->gvt.interval_events / g_tw_mblock : g_tw_gvt_interval,
        .gvt_interval_adapts = adapts,
        .end_time = pe->end_time,
        .final_gvt = pe->ended == RUN_END_TIME ? pe->end_time : pe->head.GVT,
        .clock_rate_hz = g_run.ticks_per_second,
        .sizes = sizes(pe),
        .phase_times = run_phase_times(),
        .phases = phases,
        .has_fingerprints = pe->fingerprint.enabled,
    };
    double seconds[3] = {g_run.run_seconds, g_run.init_seconds, g_run.end_seconds};
    uint64_t hashes[2] = {pe->fingerprint.committed, pe->fingerprint.states};
    max_double(pe, seconds, 3);
    sum_u64(pe, hashes, 2);
    report.run_seconds = seconds[0];
    report.init_seconds = seconds[1];
    report.end_seconds = seconds[2];
    report.committed_fingerprint = hashes[0];
    report.state_fingerprint = hashes[1];
    reduce_counters(pe, &report.counters);
    reduce_memory(pe, &report.memory);
    reduce_overlap(pe, &report);
    report.n_phases = reduce_phases(pe, phases);
    struct processor_time *processors = gather_processors(pe);
    report.processors = processors;
    struct report_suspended *suspended = gather_suspended(pe, &report.n_suspended);
    report.suspended = suspended;
    fflush(stdout);
    MPI_Barrier(pe->comm.comm);
    if (pe->comm.rank == 0) {
        report_print(&report, stdout);
        checkpoint_report_text(pe, stdout);
        move_report_text(pe, stdout);
        if (tw_extension.report_text != NULL) {
            tw_extension.report_text(stdout);
        }
        fflush(stdout); /* before a report that is written to /dev/stdout by its name */
        run_write_report_files(&report);
        fflush(stdout);
    }
    free(processors);
    free(suspended);
}

bool run_stdout_is_complete(void)
{
    errno = 0;
    bool flushed = fflush(stdout) == 0;
    if (flushed && ferror(stdout) == 0) {
        return true;
    }
    if (flushed) { /* an earlier write failed: writing a further character sets errno again */
        fputc('\n', stdout);
        flushed = fflush(stdout) == 0;
    }
    fprintf(stderr, "%s: standard output could not be written completely%s%s\n", g_run.program,
            flushed ? "" : ": ", flushed ? "" : strerror(errno));
    return false;
}

void run_hold_standard_files(void)
{
    int fd;
    do {
        /* Writes to this read-only descriptor fail, and the failure is then reported. */
        fd = open("/dev/null", O_RDONLY);
    } while (fd >= 0 && fd <= STDERR_FILENO);
    close(fd);
}
