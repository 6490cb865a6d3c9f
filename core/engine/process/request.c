/* SPDX-License-Identifier: BSD-3-Clause */
/* request.c - see request.h. Also prints the status report for SIGUSR1. */
#include "engine/process/request.h"

#include <assert.h>

#include "base/clock.h"
#include "base/efficiency.h"
#include "engine/pe/pe.h"
#include "engine/process/run.h"

#define STATUS_TEXT 2048u

/* Returns true if the latest signal is a copy of a signal that was answered, see request.h. */
static bool is_copy(const struct request *r)
{
    return !r->took_part && r->done_ns != 0 && clock_monotonic_ns() < r->done_ns + REQUEST_COPY_NS;
}

uint32_t request_vote(struct request *r)
{
    r->voted = r->came;
    if (r->voted == r->answered) {
        return 0;
    }
    if (is_copy(r)) {
        r->answered = r->voted;
        r->took_part = true;
        return 0;
    }
    return 1;
}

void request_done(struct request *r)
{
    r->took_part = r->voted != r->answered;
    r->answered = r->voted;
    r->done_ns = clock_monotonic_ns();
}

/* ---- The status ------------------------------------------------------------------------------ */

/* Values for which the status report shows the minimum and the maximum over ranks. */
enum status_value { NET_EVENTS, EFFICIENCY, PENDING, EVENT_MIB, STATUS_VALUES };

/* A value and the rank that has it, in the layout of MPI_DOUBLE_INT. */
struct rank_value {
    double value;
    int rank;
};

/* Status of all ranks, on rank 0. */
struct all_status {
    struct rank_value least[STATUS_VALUES];
    struct rank_value most[STATUS_VALUES];
    double net_events; /* net_events, processed, rolled_back: sums over all ranks */
    double processed;
    double rolled_back;
};

/* Computes on rank 0 the status of all ranks. The memory needed does not depend on the number of
 * ranks. Collective. */
static void reduce_status(const struct pe *pe, struct all_status *all)
{
    const struct tw_counters *c = &pe->counters;
    struct rank_value mine[STATUS_VALUES] = {
        [NET_EVENTS] = {(double)pe_net_events(c), pe->comm.rank},
        [EFFICIENCY] = {efficiency_percent(c->events_processed, c->events_rolled_back),
                        pe->comm.rank},
        [PENDING] = {(double)pending_count(pe->pending), pe->comm.rank},
        [EVENT_MIB] = {(double)pe->pool.arena.total_bytes / 0x1p20, pe->comm.rank},
    };
    double counts[3] = {mine[NET_EVENTS].value, (double)c->events_processed,
                        (double)c->events_rolled_back};
    double sums[3] = {0.0, 0.0, 0.0};
    MPI_Reduce(mine, all->least, STATUS_VALUES, MPI_DOUBLE_INT, MPI_MINLOC, 0, pe->comm.comm);
    MPI_Reduce(mine, all->most, STATUS_VALUES, MPI_DOUBLE_INT, MPI_MAXLOC, 0, pe->comm.comm);
    MPI_Reduce(counts, sums, 3, MPI_DOUBLE, MPI_SUM, 0, pe->comm.comm);
    all->net_events = sums[0];
    all->processed = sums[1];
    all->rolled_back = sums[2];
}

struct status_text {
    char text[STATUS_TEXT];
    size_t length;
};

static __attribute__((format(printf, 2, 3))) void add(struct status_text *t, const char *fmt, ...)
{
    va_list args;
    va_start(args, fmt);
    int n = vsnprintf(t->text + t->length, sizeof t->text - t->length, fmt, args);
    va_end(args);
    t->length += n > 0 ? (size_t)n : 0;
    t->length = t->length < sizeof t->text ? t->length : sizeof t->text - 1;
}

/* Adds a line to t with the minimum and the maximum over n ranks, or with the value of the only
 * rank. */
static void add_extremes(struct status_text *t, const char *label, const struct all_status *all,
                         int n, enum status_value which, int decimals)
{
    assert(n > 0 && which < STATUS_VALUES);
    const struct rank_value *least = &all->least[which], *most = &all->most[which];
    add(t, "    %-20s %.*f", label, decimals, least->value);
    if (n > 1) {
        add(t, " (rank %d) to %.*f (rank %d)", least->rank, decimals, most->value, most->rank);
    }
    add(t, "\n");
}

/* Adds GVT, totals and rates to t. */
static void add_totals(struct status_text *t, const struct pe *pe, const struct all_status *all)
{
    struct run_status *last = &g_run.last_status;
    double seconds = run_seconds();
    add(t, "%s: status after %.1f s\n    %-20s %.10g", g_run.program, seconds,
        pe->synch == OPTIMISTIC_DEBUG ? "time reached" : "GVT",
        pe->synch == OPTIMISTIC_DEBUG ? pe->latest_ts : fmin(pe->head.GVT, pe->end_time));
    if (pe->end_time < DBL_MAX) {
        add(t, " of %.10g", pe->end_time);
    }
    add(t, "\n    %-20s %.0f, %.4g per second", "net events",
        all->net_events + (double)pe_net_events(&pe->before),
        seconds > 0.0 ? all->net_events / seconds : 0.0);
    if (last->seconds > 0.0 && seconds > last->seconds) {
        add(t, "; since the last status %.4g per second",
            (all->net_events - last->net_events) / (seconds - last->seconds));
    }
    *last = (struct run_status){seconds, all->net_events};
    add(t, "\n    %-20s %.2f %%\n", "efficiency",
        efficiency_percent((uint64_t)all->processed, (uint64_t)all->rolled_back));
}

/* Prints the status of all ranks on stderr of rank 0. Collective. */
static void say_status(struct pe *pe)
{
    int n = pe->comm.n_ranks;
    struct all_status all;
    reduce_status(pe, &all);
    if (pe->comm.rank == 0) {
        struct status_text t = {.length = 0};
        add_totals(&t, pe, &all);
        if (n > 1) {
            add(&t, "  per rank\n");
            add_extremes(&t, "net events", &all, n, NET_EVENTS, 0);
            add_extremes(&t, "efficiency (%)", &all, n, EFFICIENCY, 2);
        }
        add_extremes(&t, "pending events", &all, n, PENDING, 0);
        add_extremes(&t, "event memory (MiB)", &all, n, EVENT_MIB, 1);
        progress_hide(&g_run.progress);
        fflush(stdout);
        fwrite(t.text, 1, t.length, stderr);
        fflush(stderr);
    }
}

/* ---- Answers --------------------------------------------------------------------------------- */

static void answer_checkpoint(const struct pe *pe)
{
    if (pe->comm.rank > 0) {
        return;
    }
    if (pe->synch == OPTIMISTIC_DEBUG) {
        run_warning(
            "SIGUSR2 requests a checkpoint, but --synch=4 computes no GVT, so none can be written");
    } else if (pe->gvt.cut.make[GVT_CUT_CHECKPOINT] == NULL) {
        run_warning("SIGUSR2 requests a checkpoint, but this run has no directory for checkpoints; "
                    "start it with --checkpoint-path=DIR");
    } else if (pe->gvt.cut.wanted[GVT_CUT_CHECKPOINT] > DBL_MAX) {
        run_warning("SIGUSR2 requests a checkpoint, but the run ends before one can be written");
    } else {
        run_notice("SIGUSR2: a checkpoint at time %.17g", pe->gvt.cut.wanted[GVT_CUT_CHECKPOINT]);
    }
}

void engine_answer_requests(struct pe *pe)
{
    if (pe->gvt.result.status_wish != 0) {
        request_done(&g_run.signals.status);
        say_status(pe);
    }
    if (pe->gvt.result.checkpoint_wish != 0) {
        request_done(&g_run.signals.checkpoint);
        answer_checkpoint(pe);
    }
}

void engine_answer_alone(struct pe *pe)
{
    assert(pe->comm.n_ranks == 1);
    pe->gvt.result.status_wish = request_vote(&g_run.signals.status);
    pe->gvt.result.checkpoint_wish = request_vote(&g_run.signals.checkpoint);
    engine_answer_requests(pe);
}
