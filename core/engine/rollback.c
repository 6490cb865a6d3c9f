/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * rollback.c - undoing of events, after Jefferson (1985).
 *
 * A straggler or a cancelled event rolls its KP back to the state just before that event. To undo
 * an event, the engine calls the reverse handler (or restores the saved state) and undoes the draws
 * from the core stream. It then cancels the events that the undone event sent. For an event on
 * another rank, it sends an anti-message at once. Local events enter a work list, since cancelling
 * them may roll back other KPs; the list avoids recursion.
 *
 * A rollback affects only events after the straggler, and their descendants. It may therefore run
 * inside a handler that sends an event into another KP's past: the event being executed precedes
 * all undone events.
 */
#include <assert.h>

#include "base/rng.h"
#include "engine/checks/fences.h"
#include "engine/engine.h"

/* Restores the half-used pairs of normal numbers from the note that note_half_pairs() in execute.c
 * added. */
static void restore_half_pairs(const struct pe *pe, const tw_event *event)
{
    const struct event_note *note =
        event->notes == NULL ? NULL : event_note_find(event, NOTE_PAIRS);
    for (unsigned i = 0; note != NULL && i < pe->n_streams; i++) {
        rng_pair_restore(&event->dest_lp->rng[i], ((const uint64_t *)(const void *)note->bytes)[i]);
    }
}

/* Subtracts from the counter events_past_end the number of events past the end that this event
 * sent; see count_past_end() in send.c. */
static void take_back_past_end(struct pe *pe, tw_event *event)
{
    pe->counters.events_past_end -= event->past_end;
    event->past_end = 0;
    for (const struct event_note *note = event->notes; note != NULL; note = note->next) {
        pe->counters.events_past_end -= note->kind == NOTE_PAST_END ? PAST_END_OF_NOTE : 0;
    }
}

static void send_anti_messages(struct pe *pe, tw_event *event)
{
    enum tw_phase before = phase_enter(&pe->phases, TW_PHASE_event_abort);
    while (event->sent != NULL) {
        tw_event *child = event->sent;
        event->sent = child->prev;
        engine_send_anti(pe, child);
    }
    phase_enter(&pe->phases, before);
}

static void undo(struct pe *pe, struct kp *kp, tw_event *event)
{
    assert(event->state.owner == EVENT_PROCESSED);
    tw_lp *lp = event->dest_lp;
    kp->head.last_time = event->recv_ts;
    pe->head.cur_event = event;
    if (lp->type->revent != NULL) {
        bool fenced = (PROBES_WANTED(&pe->probes) & PROBE_ENGINE_FENCES) != 0;
        if (fenced) {
            fences_enter(pe, lp, event, "reverse handler");
        }
        lp->type->revent(lp->cur_state, &event->bf, event_payload(event), lp);
        if (fenced) {
            fences_leave(pe);
        }
        restore_half_pairs(pe, event);
    } else {
        engine_restore_state(pe, event);
    }
    if (event->core_draws > 0) {
        rng_stream_rewind(&lp->core_rng[0], event->core_draws);
        event->core_draws = 0;
    }
    take_back_past_end(pe, event);
    if (event->numbers > 0) {
        engine_take_back_numbers(pe, event);
    }
    pe->counters.events_rolled_back++;
    if (PROBE_IS_WANTED(&pe->probes, event_undone)) {
        PROBE_CALL(&pe->probes, event_undone, event, lp->type->revent == NULL);
    }
    if (event->sent != NULL) {
        send_anti_messages(pe, event);
    }
    while (event->caused_by_me != NULL) {
        tw_event *child = event->caused_by_me;
        event->caused_by_me = child->prev;
        /* Stores the number of the rollback for probe_rollback_cause(), in members that local
         * events do not use. */
        child->handle = (uint32_t)pe->rollback;
        child->send_pe = (uint32_t)(pe->rollback >> 32);
        child->prev = pe->cancel_list;
        pe->cancel_list = child;
    }
    if (event->notes != NULL) {
        event_pool_drop_notes(&pe->pool, event, false);
    }
}

/* Undoes the executed events of kp that come after `event`; if `inclusive` is true, `event` itself,
 * too. */
static void roll_back(struct pe *pe, struct kp *kp, tw_event *event, bool inclusive)
{
    tw_event *in_process = pe->head.cur_event;
    while (!kp_is_empty(kp)) {
        tw_event *young = kp_youngest(kp);
        if (young == event ? !inclusive : event_compare(young, event) < 0) {
            break;
        }
        commit_order_pop(&pe->commit_order, kp);
        undo(pe, kp, young);
        if (young == event) {
            break; /* not put back into the pending queue: the caller frees it */
        }
        engine_push(pe, young);
    }
    kp->head.last_time = kp_is_empty(kp) ? pe->head.GVT : kp_youngest(kp)->recv_ts;
    pe->head.cur_event = in_process;
}

static bool is_primary(enum probe_trigger trigger)
{
    return trigger != PROBE_TRIGGER_LOCAL_CANCEL && trigger != PROBE_TRIGGER_ANTI_MESSAGE;
}

/* Counts and performs one rollback, with its probes. inclusive: as in roll_back(). */
static void roll_back_for(struct pe *pe, struct kp *kp, tw_event *event, bool inclusive,
                          enum probe_trigger trigger)
{
    enum tw_phase before = phase_enter(&pe->phases, TW_PHASE_rollbacks);
    enum probe_rollback why = PROBE_ROLLBACK_SECONDARY;
    if (is_primary(trigger)) {
        why = PROBE_ROLLBACK_PRIMARY;
        pe->counters.primary_rollbacks++;
    } else {
        pe->counters.secondary_rollbacks++;
    }
    assert(pe->rollback == 0);
    pe->rollback = pe->counters.primary_rollbacks + pe->counters.secondary_rollbacks;
    pe->trigger = trigger;
    if (PROBE_IS_WANTED(&pe->probes, rollback_begin)) {
        PROBE_CALL(&pe->probes, rollback_begin, event, why);
    }
    uint64_t rolled_back = pe->counters.events_rolled_back;
    roll_back(pe, kp, event, inclusive);
    if (PROBE_IS_WANTED(&pe->probes, rollback_end)) {
        PROBE_CALL(&pe->probes, rollback_end, &kp->head, why,
                   pe->counters.events_rolled_back - rolled_back);
    }
    pe->rollback = 0;
    phase_enter(&pe->phases, before);
}

/* Cancels one event. Events that it sent enter the work list. */
static void cancel_one(struct pe *pe, tw_event *event, enum probe_trigger trigger)
{
    tw_lp *lp = event->dest_lp;
    pe->counters.events_aborted++;
    if (event->state.owner == EVENT_PENDING) {
        pending_cancel(pe->pending, event);
    } else {
        assert(event->state.owner == EVENT_PROCESSED);
        roll_back_for(pe, kp_of(lp->kp), event, true, trigger);
        event_pool_put(&pe->pool, event);
    }
    if (PROBE_IS_WANTED(&pe->probes, event_cancelled)) {
        PROBE_CALL(&pe->probes, event_cancelled, lp);
    }
}

static void cancel_listed(struct pe *pe)
{
    if (pe->cancel_list == NULL) {
        return;
    }
    enum tw_phase before = phase_enter(&pe->phases, TW_PHASE_event_abort);
    while (pe->cancel_list != NULL) {
        tw_event *event = pe->cancel_list;
        pe->cancel_list = event->prev;
        cancel_one(pe, event, PROBE_TRIGGER_LOCAL_CANCEL);
    }
    phase_enter(&pe->phases, before);
}

void engine_undo_all(struct pe *pe, struct kp *kp)
{
    enum tw_phase before = phase_enter(&pe->phases, TW_PHASE_rollbacks);
    while (!kp_is_empty(kp)) {
        tw_event *young = commit_order_pop(&pe->commit_order, kp);
        undo(pe, kp, young);
        engine_push(pe, young);
    }
    kp->head.last_time = pe->head.GVT;
    pe->head.cur_event = NULL;
    phase_enter(&pe->phases, before);
    cancel_listed(pe);
}

void engine_cancel(struct pe *pe, tw_event *event)
{
    assert(pe->cancel_list == NULL);
    enum tw_phase before = phase_enter(&pe->phases, TW_PHASE_cancelq);
    cancel_one(pe, event, PROBE_TRIGGER_ANTI_MESSAGE);
    phase_enter(&pe->phases, before);
    cancel_listed(pe);
}

void engine_rollback_straggler(struct pe *pe, struct kp *kp, tw_event *event)
{
    assert(!kp_is_empty(kp) && pe->cancel_list == NULL);
    roll_back_for(pe, kp, event, false,
                  pe->arriving != NULL ? PROBE_TRIGGER_REMOTE : PROBE_TRIGGER_LOCAL);
    cancel_listed(pe);
}

void engine_rollback_all(struct pe *pe)
{
    for (tw_kpid k = 0; k < pe->n_kps; k++) {
        struct kp *kp = &pe->kps[k];
        if (!kp_is_empty(kp)) {
            engine_rollback_to(pe, kp, kp_oldest(kp), PROBE_TRIGGER_RETURN);
        }
    }
}

void engine_rollback_to(struct pe *pe, struct kp *kp, tw_event *event, enum probe_trigger trigger)
{
    assert(event->state.owner == EVENT_PROCESSED && pe->cancel_list == NULL);
    assert(is_primary(trigger));
    roll_back_for(pe, kp, event, true, trigger);
    engine_push(pe, event);
    cancel_listed(pe);
}
