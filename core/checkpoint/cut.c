/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * cut.c - the times of checkpoints, and the work of a rank at a cut.
 *
 * The cut at T is made after the second round of GVT in which all events before T were executed,
 * see engine/gvt.h. A rank first undoes the events past T that it has executed; it executes them
 * again later. Such events exist if the clock requested the checkpoint, since T is then chosen near
 * GVT. After that, the LPs are in their states at T. The checkpoint includes the pending events
 * that were sent before T.
 *
 * For an interval of virtual time, T is the first multiple of the interval after the earliest event
 * that was pending at the previous cut. For an interval of wall-clock time, the clock of rank 0
 * decides when to make a checkpoint; T is right after the latest final event.
 *
 * Cost: a copy of LPs and pending events, some 340 instructions per LP and 150 per event. Half a
 * million LPs and a million events (208 MB) take 0.6 to 0.8 s. All ranks wait until the files of
 * the previous checkpoint are written, since that checkpoint is complete only then. The waiting
 * time is measured and reported.
 */
#include <assert.h>

#include "base/clock.h"
#include "base/rng.h"
#include "checkpoint/checkpoint_private.h"
#include "engine/engine.h"
#include "engine/process/run.h"

/* Number of clock ticks that is longer than any run, but can be added to a clock value without
 * overflow. */
#define FAR_TICKS 0x1p62

/* Returns the first multiple of `every` that is after ts. */
static double next_multiple(double every, double ts)
{
    assert(every > 0.0);
    double n = floor(ts / every) + 1.0;
    while (n * every <= ts && n + 1.0 > n) {
        n += 1.0;
    }
    return n * every > ts ? n * every : nextafter(ts, INFINITY);
}

/* For an interval of virtual time: plans the next cut after virtual time `after`. */
static void plan_time(struct pe *pe, double after)
{
    const struct checkpoint *c = pe->checkpoint;
    double at = c->every > 0.0 && after <= DBL_MAX ? next_multiple(c->every, after) : INFINITY;
    gvt_cut_next(&pe->gvt, GVT_CUT_CHECKPOINT, at < pe->end_time ? at : INFINITY);
}

/* For an interval of wall-clock time: plans when the clock of rank 0 requests the next cut. */
static void plan_clock(struct pe *pe)
{
    const struct checkpoint *c = pe->checkpoint;
    if (c->every_seconds > 0.0 && pe->comm.rank == 0) {
        double ticks = fmin(c->every_seconds * g_run.ticks_per_second, FAR_TICKS);
        pe->gvt.cut.wish_ticks = clock_ticks() + (uint64_t)ticks;
    }
}

static void plan_cut(struct pe *pe, double after)
{
    plan_time(pe, after);
    plan_clock(pe);
}

static struct ckpt_run describe_run(const struct pe *pe)
{
    struct tw_rng model = rng_model_family();
    struct tw_rng core = rng_core_family();
    struct ckpt_run run;
    memset(&run, 0, sizeof run);
    run.at = pe->gvt.cut.at;
    run.end_time = pe->end_time;
    run.number = pe->checkpoint->number;
    run.rank = (uint64_t)pe->comm.rank;
    run.n_ranks = (uint64_t)pe->comm.n_ranks;
    run.total_lps = pe->mapping.total;
    run.msg_bytes = pe->msg_bytes;
    run.n_streams = pe->n_streams;
    run.n_core_streams = g_tw_nRNG_core_per_lp;
    run.rng_kind = (uint32_t)g_tw_rng_kind;
    run.has_fingerprint = pe->fingerprint.enabled;
    memcpy(run.model_seed, model.seed, sizeof run.model_seed);
    memcpy(run.core_seed, core.seed, sizeof run.core_seed);
    run.committed_fingerprint = pe->fingerprint.committed;
    run.run_seconds = run_seconds();
    snprintf(run.program, sizeof run.program, "%s", g_run.program);
    run.n_counters = sizeof run.counters / sizeof(uint64_t);
    run.counters = pe->counters;
    counters_add(&run.counters, &pe->before);
    return run;
}

struct gatherer {
    const struct pe *pe;
    struct ckpt_image *image;
};

/* Adds a pending event to the image; callback of pending_each(). Skips events that were sent at or
 * after the cut, since the restarted run sends them again. Returns false if memory is short. */
static bool gather_event(void *ctx, tw_event *event)
{
    const struct gatherer *g = ctx;
    return event->send_ts >= g->pe->gvt.cut.at || ckpt_add_event(g->image, g->pe, event);
}

bool ckpt_gather(struct pe *pe, struct ckpt_image *image)
{
    struct run_samples samples = {.gvt = g_run.samples_before.gvt, .rt = g_run.samples_before.rt};
    if (tw_extension.checkpoint != NULL) {
        tw_extension.checkpoint(&pe->head, &samples);
    }
    struct ckpt_run run = describe_run(pe); /* its time is not before that of the last samples */
    bool fits = ckpt_add_run(image, &run) && course_add(image, &samples) &&
                (pe->comm.rank > 0 || model_options_add(image, pe->checkpoint->model_options)) &&
                ckpt_observers_begin();
    for (tw_lpid i = 0; fits && i < pe->lps.count; i++) {
        fits = ckpt_add_lp(image, pe, lp_table_at(&pe->lps, i));
    }
    ckpt_observers_end();
    struct gatherer g = {pe, image};
    return fits && pending_each(pe->pending, gather_event, &g) &&
           engine_each_withdrawn(pe, gather_event, &g);
}

/* Stores, for report_failure(), the action that failed and the reason, when this rank has failed to
 * write the last checkpoint. */
static void note_failure(struct checkpoint *c, const char *what, const char *why)
{
    c->failed_what = what;
    c->failed_why = why;
}

/* Prints a warning that n_failed ranks, including this rank, failed to write the last
 * checkpoint. */
static void warn(const struct pe *pe, int n_failed)
{
    const struct checkpoint *c = pe->checkpoint;
    char ranks[64] = "";
    if (pe->comm.n_ranks > 1) {
        snprintf(ranks, sizeof ranks, "%d of %d ranks ", n_failed, pe->comm.n_ranks);
    }
    tw_warning(TW_LOC,
               "the checkpoint at-%" PRIu64
               " at time %.17g is not complete, %scannot %s %s in %s: %s; the run goes on, and "
               "older checkpoints stay",
               c->number, c->last_at, ranks, c->failed_what,
               pe->comm.n_ranks > 1 ? "their files" : "its file", c->writer.path, c->failed_why);
}

/* If any rank failed to write the last checkpoint, removes the checkpoint. After the first such
 * failure in the run, the first rank that failed prints a warning. Call it when no file is being
 * written. Collective. */
static void report_failure(struct pe *pe)
{
    struct checkpoint *c = pe->checkpoint;
    int failed = c->failed_what != NULL ? 1 : 0, n_failed;
    MPI_Allreduce(&failed, &n_failed, 1, MPI_INT, MPI_SUM, pe->comm.comm);
    if (n_failed > 0) {
        ckpt_writer_remove(&c->writer, c->number);
    }
    if (n_failed > 0 && c->n_failed++ == 0) {
        int rank = failed ? pe->comm.rank : pe->comm.n_ranks, first;
        MPI_Allreduce(&rank, &first, 1, MPI_INT, MPI_MIN, pe->comm.comm);
        if (first == pe->comm.rank) {
            warn(pe, n_failed);
        }
    }
    c->failed_what = NULL;
}

/* Waits until the files of the previous checkpoint are written on all ranks. Collective. */
static void wait_for_writer(struct pe *pe)
{
    struct checkpoint *c = pe->checkpoint;
    uint64_t start_ns = clock_monotonic_ns();
    if (!ckpt_writer_wait(&c->writer)) {
        note_failure(c, c->writer.what, strerror(c->writer.error));
    }
    report_failure(pe);
    c->wait_seconds += (double)(clock_monotonic_ns() - start_ns) * 1e-9;
}

/* Returns true and stores the failure if a state holds a pointer. This check is needed because
 * states may have received pointers since checkpoint_check_states(). */
static bool has_pointers(struct pe *pe)
{
    struct checkpoint *c = pe->checkpoint;
    struct ckpt_pointer p;
    if (g_run.settings.checkpoint_pointers != 0 || !ckpt_find_pointer(pe, &p)) {
        return false;
    }
    snprintf(c->pointer, sizeof c->pointer,
             "the state of LP %" PRIu64 " holds a pointer, at offset %zu of %zu, see "
             "tw_lptype_state_io() and --checkpoint-pointers",
             p.gid, p.offset, p.state_bytes);
    note_failure(c, "write", c->pointer);
    return true;
}

static void make_cut(struct pe *pe)
{
    struct checkpoint *c = pe->checkpoint;
    assert(pe->gvt.cut.rounds == GVT_CUT_ROUNDS && !pe->in_hook);
    struct ckpt_image image = {0};
    wait_for_writer(pe);
    enum tw_phase before = phase_enter(&pe->phases, TW_PHASE_state_saving);
    uint64_t start_ns = clock_monotonic_ns();
    engine_rollback_all(pe);
    c->number++;
    c->n_made++;
    c->last_at = pe->gvt.cut.at;
    if (pe->n_loose > 0) {
        note_failure(c, "hold", "the model keeps events that it has taken by tw_pq_dequeue()");
    } else if (has_pointers(pe)) {
        /* report_failure() will report the failure. */
    } else if (ckpt_gather(pe, &image)) {
        ckpt_writer_start(&c->writer, c->number, &image);
    } else {
        ckpt_image_fini(&image);
        note_failure(c, "hold", "out of memory");
    }
    double next = pe->gvt.cut.next_ts;
    plan_cut(pe, next > c->last_at ? next : c->last_at);
    c->cut_seconds += (double)(clock_monotonic_ns() - start_ns) * 1e-9;
    phase_enter(&pe->phases, before);
}

void ckpt_cut_begin(struct pe *pe, double after)
{
    pe->gvt.cut.make[GVT_CUT_CHECKPOINT] = make_cut;
    plan_cut(pe, after);
}

void ckpt_cut_again(struct pe *pe)
{
    struct gvt_cut *cut = &pe->gvt.cut;
    double settled = gvt_cut_after(&pe->gvt), wanted = cut->wanted[GVT_CUT_CHECKPOINT];
    bool is_near = wanted <= nextafter(settled, INFINITY) || (cut->rounds > 0 && wanted <= cut->at);
    cut->wish_ticks = UINT64_MAX;
    plan_clock(pe);
    if (!is_near && !cut->last) {
        plan_time(pe, settled);
    }
}

void ckpt_cut_end(struct pe *pe)
{
    wait_for_writer(pe);
    gvt_cut_next(&pe->gvt, GVT_CUT_CHECKPOINT, INFINITY);
}
