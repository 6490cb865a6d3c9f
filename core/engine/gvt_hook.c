/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * gvt_hook.c - calls of g_tw_gvt_hook.
 *
 * The decision about a call depends only on data that are equal on all ranks: GVT, the number of
 * GVT computations, and the number of committed requests by LPs. Each GVT computation sums up these
 * requests. All ranks therefore call the hook at the same GVT without further communication. A
 * request is a note on the event that made it: a rollback drops it, and
 * tw_trigger_gvt_hook_now_rev() has nothing to do.
 *
 * A call "at a time" T is made at a cut through the run, see gvt.h. In every scheduler, GVT then
 * equals T, and exactly the events before T are committed. The time of a call that is still to come
 * is in checkpoints.
 */
#include <assert.h>

#include "engine/engine.h"
#include "engine/process/run.h"

static void call_hook(struct pe *pe, bool nothing_left)
{
    assert(g_tw_gvt_hook != NULL && !pe->in_hook);
    engine_open_hook(pe);
    if (g_run.hook.when == GVT_HOOK_AT) {
        g_run.hook.when = GVT_HOOK_NEVER; /* called once, unless the hook sets a new time */
        tw_settle_at_gvt(&pe->head);
    }
    g_tw_gvt_hook(&pe->head, nothing_left);
    engine_close_hook(pe);
}

static void call_at_cut(struct pe *pe)
{
    const bool nothing_left = pe->gvt.cut.next_ts > DBL_MAX;
    gvt_cut_next(&pe->gvt, GVT_CUT_HOOK, INFINITY);
    if (g_tw_gvt_hook != NULL && g_run.hook.when == GVT_HOOK_AT) {
        call_hook(pe, nothing_left);
    }
}

/* If the hook is to be called at a chosen virtual time, sets a cut at that time, so that GVT takes
 * this value. If the time has passed, the cut is at `least`. */
static void plan_call(struct pe *pe, double least)
{
    const struct gvt_hook *hook = &g_run.hook;
    double at = INFINITY;
    if (hook->when == GVT_HOOK_AT) {
        at = hook->time > least ? hook->time : least;
    }
    gvt_cut_next(&pe->gvt, GVT_CUT_HOOK, at < pe->end_time ? at : INFINITY);
}

void tw_trigger_gvt_hook_at(tw_stime time)
{
    struct pe *pe = pe_self();
    if (isnan(time)) {
        tw_error(TW_LOC, "tw_trigger_gvt_hook_at(): the time is not a number");
    }
    g_run.hook = (struct gvt_hook){.when = GVT_HOOK_AT, .time = time};
    if (pe != NULL && pe->in_hook) {
        plan_call(pe, nextafter(gvt_cut_after(&pe->gvt), INFINITY));
    }
}

void engine_begin_gvt_hook(struct pe *pe)
{
    pe->gvt.cut.make[GVT_CUT_HOOK] = call_at_cut;
    /* No event has been executed: the call may come at GVT itself, where a run continues. */
    plan_call(pe, gvt_cut_after(&pe->gvt));
}

void tw_trigger_gvt_hook_every(int n)
{
    if (n < 1) {
        tw_error(TW_LOC, "tw_trigger_gvt_hook_every(%d): must be at least 1", n);
    }
    g_run.hook = (struct gvt_hook){.when = GVT_HOOK_EVERY, .every = (unsigned)n};
}

void tw_trigger_gvt_hook_when_model_calls(void)
{
    const struct pe *pe = pe_self();
    g_run.hook = (struct gvt_hook){.when = GVT_HOOK_MODEL,
                                   .answered = pe != NULL ? pe->gvt.result.hook_requests : 0};
}

void tw_trigger_gvt_hook_now(tw_lp *lp)
{
    struct pe *pe = pe_of(lp->pe);
    tw_event *event = pe->head.cur_event;
    engine_refuse_observer(pe, "calls tw_trigger_gvt_hook_now()");
    if (event == NULL || event->state.owner != EVENT_PROCESSING) {
        tw_error(TW_LOC, "tw_trigger_gvt_hook_now() outside of a forward handler");
    }
    if (event_pool_add_note(&pe->pool, event, NOTE_HOOK, 0) == NULL) {
        tw_error(TW_LOC, "out of event memory; raise --max-memory");
    }
    pe->probes.wanted |= PROBE_ENGINE_COMMITS;
}

void tw_trigger_gvt_hook_now_rev(tw_lp *lp)
{
    if (lp->pe->cur_event == NULL) {
        tw_error(TW_LOC, "tw_trigger_gvt_hook_now_rev() outside of a reverse handler");
    }
}

static bool is_due(struct gvt_hook *hook, const struct pe *pe)
{
    switch (hook->when) {
    case GVT_HOOK_EVERY:
        assert(hook->every > 0);
        return g_tw_gvt_done % hook->every == 0;
    case GVT_HOOK_MODEL:
        if (pe->gvt.result.hook_requests == hook->answered) {
            return false;
        }
        hook->answered = pe->gvt.result.hook_requests;
        return true;
    case GVT_HOOK_AT: /* call_at_cut() makes this call */
    case GVT_HOOK_UNUSED:
    case GVT_HOOK_NEVER:
        break;
    }
    return false;
}

void engine_gvt_hook(struct pe *pe)
{
    if (g_tw_gvt_hook != NULL && pe->ended == RUN_END_NONE && is_due(&g_run.hook, pe)) {
        call_hook(pe, false);
    }
}

void engine_last_gvt_hook(struct pe *pe)
{
    if (g_tw_gvt_hook != NULL && g_run.hook.when != GVT_HOOK_UNUSED) {
        engine_open_hook(pe);
        /* does not settle the PE: the run has ended, so there is nothing to undo, and LPs must keep
         * their times for final */
        pe->settled = true;
        g_tw_gvt_hook(&pe->head, true);
        engine_close_hook(pe);
    }
}
