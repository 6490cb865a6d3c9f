/* SPDX-License-Identifier: BSD-3-Clause */
/* move.c - the options of --map=auto and the time of the move; see move.h. */
#include "move/move.h"

#include <assert.h>

#include "base/clock.h"
#include "checkpoint/checkpoint_private.h"
#include "engine/engine.h"
#include "engine/process/run.h"
#include "move/move_private.h"
#include "placement/cut.h"

/* By default, LPs move after EVENTS_PER_LP events per LP, or after the share SHARE_OF_RUN of the
 * end time, whichever comes first. */
#define EVENTS_PER_LP 50u
#define SHARE_OF_RUN  0.1

/* ---- Counting -------------------------------------------------------------------------------- */

static void event_committed(void *ctx, const tw_event *event, const tw_lp *ahead)
{
    struct mover *m = ctx;
    (void)ahead;
    move_counts_add(&m->counts, event);
}

/* Returns true if enough events have been counted. The result at a GVT is the same on all ranks. */
static bool is_due(const struct pe *pe, const struct mover *m)
{
    uint64_t wanted = EVENTS_PER_LP * pe->mapping.total;
    bool late = pe->end_time < DBL_MAX && pe->head.GVT >= SHARE_OF_RUN * pe->end_time;
    return pe->gvt.result.net - m->net_first >= wanted || late;
}

/* Chooses the time of the move. Called after each GVT computation until the time is chosen. */
static void gvt_advanced(void *ctx, const tw_pe *of, tw_stime gvt)
{
    struct mover *m = ctx;
    struct pe *pe = pe_of(of);
    (void)gvt;
    if (m->net_first == UINT64_MAX) {
        m->net_first = pe->gvt.result.net;
    }
    double done = gvt_cut_after(&pe->gvt);
    if (is_due(pe, m) && done < pe->end_time) {
        gvt_cut_next(&pe->gvt, GVT_CUT_MOVE, nextafter(done, INFINITY));
        PROBE_REMOVE(&pe->probes, gvt_advanced, gvt_advanced, m);
    }
}

static void counting_end(struct pe *pe)
{
    struct mover *m = pe->mover;
    assert(m != NULL);
    PROBE_REMOVE(&pe->probes, gvt_advanced, gvt_advanced, m);
    PROBE_REMOVE(&pe->probes, event_committed, event_committed, m);
    move_counts_fini(&m->counts);
}

/* ---- The cut --------------------------------------------------------------------------------- */

static const char *extension_obstacle(void)
{
    return tw_extension.why_lps_stay != NULL ? tw_extension.why_lps_stay() : NULL;
}

/* Returns the reason why LPs cannot move; NULL: they can. All ranks return NULL, or all return a
 * reason, whose wording may differ. Collective. */
static const char *obstacle(const struct pe *pe)
{
    enum { NONE, LOOSE, POINTER, OBSERVER, REASONS };
    static const char *const reasons[REASONS] = {
        [LOOSE] = "the model holds events that it has taken by tw_pq_dequeue()",
        [POINTER] = "a state holds a pointer, see tw_lptype_state_io() and --checkpoint-pointers",
        [OBSERVER] = "another rank has observers whose records cannot move"};
    struct ckpt_pointer pointer;
    const char *why = extension_obstacle();
    int reason = why != NULL ? OBSERVER : pe->n_loose > 0 ? LOOSE : NONE;
    if (reason == NONE && g_run.settings.checkpoint_pointers == 0 &&
        ckpt_find_pointer(pe, &pointer)) {
        reason = POINTER;
    }
    MPI_Allreduce(MPI_IN_PLACE, &reason, 1, MPI_INT, MPI_MAX, pe->comm.comm);
    return reason == OBSERVER && why != NULL ? why : reasons[reason];
}

static void say(const struct pe *pe, const struct move_outcome *o)
{
    char text[200];
    if (pe->comm.rank > 0) {
        return;
    }
    if (o->moves) {
        move_text(pe, text, sizeof text);
        run_notice("%s", text);
    } else {
        run_notice("--map=auto: LPs stay where they are: %s", o->why);
    }
}

static void make_move(struct pe *pe)
{
    assert(pe->gvt.cut.rounds == GVT_CUT_ROUNDS && !pe->in_hook);
    struct move_outcome *o = &pe->mover->outcome;
    struct lp_places places = {.n_local = 0};
    /* If the run ends at this cut, after a last checkpoint or for lack of events, the LPs stay where
     * they are. */
    if (pe->ended != RUN_END_NONE || pe->gvt.cut.next_ts > DBL_MAX) {
        gvt_cut_next(&pe->gvt, GVT_CUT_MOVE, INFINITY);
        return;
    }
    enum tw_phase before = phase_enter(&pe->phases, TW_PHASE_state_saving);
    uint64_t start_ns = clock_monotonic_ns();
    engine_settle(pe);
    o->is_decided = true;
    o->at = pe->gvt.cut.at;
    const char *why = obstacle(pe);
    if (why != NULL) {
        snprintf(o->why, sizeof o->why, "%s", why);
    } else {
        move_decide(pe, &places);
    }
    counting_end(pe);
    o->moves = o->moves && move_lps(pe, &places);
    gvt_cut_next(&pe->gvt, GVT_CUT_MOVE, INFINITY);
    comm_agree(&pe->comm, TW_OK);
    o->seconds = (double)(clock_monotonic_ns() - start_ns) * 1e-9;
    phase_enter(&pe->phases, before);
    say(pe, o);
}

/* ---- The run --------------------------------------------------------------------------------- */

/* Ends the program with status 2 if rank 0 does not have METIS, or if an observer prevents the
 * move. Collective. */
static void check_means(const struct pe *pe)
{
    char why[300] = "";
    const char *missing = pe->comm.rank == 0 ? partition_cut_missing() : NULL;
    const char *observer = extension_obstacle();
    if (observer != NULL) {
        snprintf(why, sizeof why,
                 "--map=auto: %s; find a map by \"warpscope partition\" and give it by --lp-map",
                 observer);
    } else if (missing != NULL) {
        snprintf(why, sizeof why, "--map=auto: %s", missing);
    }
    ckpt_agree(pe, why);
}

void move_setup(struct pe *pe)
{
    if (g_run.settings.map[0] == '\0') {
        if (options_was_given(&g_run.options, "map-at")) {
            run_refuse("--map-at without --map=auto");
        }
        return;
    }
    if (!lp_map_is_auto(pe)) {
        run_notice("--map=auto has no effect on one rank");
        return;
    }
    if (pe->mapping.total > PARTITION_LPS_MAX) {
        run_refuse("--map=auto: the model has more than %" PRIu64 " LPs", PARTITION_LPS_MAX);
    }
    check_means(pe);
    pe->mover = tw_calloc(TW_LOC, "--map=auto", sizeof *pe->mover, 1);
    pe->mover->net_first = UINT64_MAX;
}

void move_begin(struct pe *pe)
{
    struct mover *m = pe->mover;
    const double at = g_run.settings.map_at;
    if (m == NULL) {
        return;
    }
    pe->gvt.cut.make[GVT_CUT_MOVE] = make_move;
    assert(m->counts.received == NULL);
    move_counts_init(&m->counts, &pe->mapping, pe->lps.count);
    PROBE_ADD(&pe->probes, event_committed, event_committed, m);
    if (at > 0.0) {
        bool comes = at > pe->head.GVT && at < pe->end_time;
        gvt_cut_next(&pe->gvt, GVT_CUT_MOVE, comes ? at : INFINITY);
    } else {
        PROBE_ADD(&pe->probes, gvt_advanced, gvt_advanced, m);
    }
}

void move_fini(struct pe *pe)
{
    if (pe->mover != NULL) {
        move_counts_fini(&pe->mover->counts);
        free(pe->mover);
        pe->mover = NULL;
    }
}
