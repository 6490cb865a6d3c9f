/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * suspend.c - tw_lp_suspend(): LPs that receive events without executing handlers.
 *
 * A suspended LP has its own type: a copy of the model's type with other handlers. Events for other
 * LPs thus have no additional cost, since every event calls a handler anyway. In an optimistic run,
 * an LP may be suspended long before the suspending event commits. Earlier events, and the
 * suspending event itself, still commit with the model's commit handler.
 *
 * Invariants
 *  S1  An LP is suspended if and only if its type's event handler is take_event().
 *  S2  suspended_lp.event is the suspending event until it commits, then NULL. The events of an LP
 *      commit in order, so no event after the suspending one commits while this member is not NULL.
 *  S3  From the first suspension on, PROBE_ENGINE_COMMITS is set: commit handlers are called, as S2
 *      requires.
 */
#include <assert.h>

#include "engine/lps/lps.h"
#include "engine/process/observers.h"
#include "store/array.h"

struct suspended_lp {
    tw_lptype type;      /* type of the suspended LP; must be first: lp->type points to it */
    tw_lptype *original; /* lp->type before the suspension */
    const tw_event *event;
    int error_num;
    bool undo_event; /* true if undoing the suspending event calls the model's reverse handler */
};

static void take_event(void *state, tw_bf *bf, void *msg, tw_lp *lp)
{
    (void)state;
    (void)bf;
    (void)msg;
    pe_of(lp->pe)->counters.events_suspended++;
}

static struct suspended_lp *suspended_find(const tw_lp *lp)
{
    return lp->type->event == take_event ? (struct suspended_lp *)(void *)lp->type : NULL;
}

static void resume(tw_lp *lp)
{
    struct suspended_lp *s = suspended_find(lp);
    assert(s != NULL); /* holds by invariant S1 */
    lp->type = s->original;
    free(s);
}

static void take_back(void *state, tw_bf *bf, void *msg, tw_lp *lp)
{
    struct pe *pe = pe_of(lp->pe);
    const struct suspended_lp *s = suspended_find(lp);
    tw_event *event = pe->head.cur_event;
    assert(s != NULL); /* holds by invariant S1 */
    if (event != s->event) {
        pe->counters.events_suspended--;
        return;
    }
    bool undo_event = s->undo_event;
    resume(lp);
    if (lp->type->revent == NULL) {
        engine_restore_state(pe, event);
    } else if (undo_event) {
        lp->type->revent(state, bf, msg, lp);
    }
}

static void commit(void *state, tw_bf *bf, void *msg, tw_lp *lp)
{
    struct suspended_lp *s = suspended_find(lp);
    if (s->event == NULL) {
        return; /* this event is after the suspending one, see invariant S2 */
    }
    if (lp->pe->cur_event == s->event) {
        s->event = NULL;
    }
    if (s->original->commit != NULL) {
        s->original->commit(state, bf, msg, lp);
    }
}

void engine_suspend(tw_lp *lp, const tw_event *event, bool undo_event, int error_num)
{
    struct suspended_lp *s = suspended_find(lp);
    if (s == NULL) {
        s = tw_calloc(TW_LOC, "suspended LP", sizeof *s, 1);
        s->original = lp->type;
        s->type = *lp->type;
        s->type.event = take_event;
        s->type.revent = take_back;
        s->type.commit = commit;
        lp->type = &s->type;
        pe_of(lp->pe)->probes.wanted |= PROBE_ENGINE_COMMITS;
    }
    s->event = event;
    s->undo_event = undo_event;
    s->error_num = error_num;
}

void tw_lp_suspend(tw_lp *lp, int do_orig_event_rc, int error_num)
{
    const struct pe *pe = pe_of(lp->pe);
    const tw_event *event = pe->head.cur_event;
    engine_refuse_observer(pe, "suspends an LP");
    if (event == NULL || event->state.owner != EVENT_PROCESSING || event->dest_lp != lp) {
        tw_error(TW_LOC,
                 "tw_lp_suspend() of LP %" PRIu64 " %s: an LP is suspended by its own forward "
                 "handler",
                 lp->gid,
                 event == NULL                            ? "outside of an event"
                 : event->state.owner != EVENT_PROCESSING ? "in a reverse or commit handler"
                                                          : "by another LP");
    }
    engine_suspend(lp, event, do_orig_event_rc != 0, error_num);
}

bool engine_is_suspended(const tw_lp *lp, int *error_num)
{
    const struct suspended_lp *s = suspended_find(lp);
    if (s != NULL) {
        *error_num = s->error_num;
    }
    return s != NULL;
}

tw_lptype *engine_model_type(const tw_lp *lp)
{
    const struct suspended_lp *s = suspended_find(lp);
    return s != NULL ? s->original : lp->type;
}

const tw_lptype *probe_lp_type(const tw_lp *lp)
{
    return engine_model_type(lp);
}

void engine_resume_suspended(struct pe *pe)
{
    for (tw_lpid i = 0; i < pe->lps.count; i++) {
        tw_lp *lp = lp_table_at(&pe->lps, i);
        if (suspended_find(lp) != NULL) {
            resume(lp);
        }
    }
}

void engine_settle_suspended(struct pe *pe)
{
    for (tw_lpid i = 0; i < pe->lps.count; i++) {
        tw_lp *lp = lp_table_at(&pe->lps, i);
        const struct suspended_lp *s = suspended_find(lp);
        if (s == NULL) {
            continue;
        }
        if (!array_append(&pe->suspend_errors, pe->n_suspended, sizeof *pe->suspend_errors)) {
            tw_error(TW_LOC, "out of memory for %zu suspended LPs", pe->n_suspended + 1);
        }
        pe->suspend_errors[pe->n_suspended++] = s->error_num;
        resume(lp);
    }
}
