/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * withdraw.c - operations on events in g_tw_gvt_hook: the hook may send events, and take pending
 * events out of the run for a while. The public interface is in ross_event.h.
 *
 * All operations need a settled PE: every LP is in its state at GVT, and no message is in transit.
 * To settle, a PE rolls back its uncommitted events and takes part in one round of GVT, which ends
 * when all anti-messages have arrived. The pending events of the ranks are then exactly those that
 * committed events have sent, so none of them can be cancelled any more. Each of these events may
 * leave the pending queue and return to it without notice to its sender. The ranks synchronise
 * before any of them continues.
 *
 * Events that the hook sends have pe->abort_event as their cause: an event in process that is never
 * rolled back.
 *
 * Invariants
 *  W1  While pe->settled is true, in_hook is true, and no rank has an uncommitted event or a
 *      message in transit.
 *  W2  The events in the list pe->withdrawn are in state EVENT_WITHDRAWN.
 *  W3  An event in state EVENT_WITHDRAWN is in that list or counted in pe->n_loose.
 * Cost: a rollback of all KPs and a round of GVT; then some 100 ns per pending event.
 */
#include <assert.h>

#include "engine/engine.h"
#include "engine/process/error.h"

static struct pe *settled_pe(tw_pe *head, const char *caller)
{
    struct pe *pe = pe_of(head);
    if (!pe->settled) {
        tw_error(TW_LOC, "%s outside of g_tw_gvt_hook, or before tw_settle_at_gvt()", caller);
    }
    return pe;
}

/* Waits until all messages have arrived. GVT keeps its value, since LPs may still send events at
 * the time of GVT. */
static void receive_all(struct pe *pe)
{
    const tw_stime gvt = pe->head.GVT;
    const tw_event_sig sig = pe->head.GVT_sig;
    const struct event_key least = pe->gvt.result.least;
    unsigned idle = 0;
    gvt_start(pe);
    while (!gvt_step(pe)) {
        messages_check_abort(pe);
        if (engine_receive(pe)) {
            idle = 0;
        } else {
            engine_idle(pe, &idle);
        }
    }
    pe->head.GVT = gvt;
    pe->head.GVT_sig = sig;
    pe->gvt.result.least = least;
    engine_gvt_finished(pe);
    pe->counters.gvt_rounds--; /* this round is internal and not counted */
}

void engine_settle(struct pe *pe)
{
    if (pe_keeps_history(pe)) {
        engine_rollback_all(pe);
        if (pe->comm.n_ranks > 1) {
            receive_all(pe);
        }
    }
    /* Waits for all ranks, since later messages must not reach a rank that is still in the GVT
     * round. */
    comm_agree(&pe->comm, TW_OK);
    for (tw_kpid k = 0; k < pe->n_kps; k++) {
        pe->kps[k].head.last_time = pe->head.GVT;
    }
}

void tw_settle_at_gvt(tw_pe *head)
{
    struct pe *pe = pe_of(head);
    if (!pe->in_hook) {
        tw_error(TW_LOC, "tw_settle_at_gvt() outside of g_tw_gvt_hook");
    }
    if (pe->settled) {
        return;
    }
    engine_settle(pe);
    /* From here on, the hook may send events at the time of GVT, at any position in the order of
     * ties. */
    pe->gvt.result.least = event_key_at(head->GVT);
    pe->settled = true;
    head->abort_event->state.owner = EVENT_PROCESSING;
    head->abort_event->recv_ts = head->GVT;
    head->cur_event = head->abort_event;
    pe_number_causeless_sends(pe);
}

void engine_open_hook(struct pe *pe)
{
    /* the hook must not be running already, see invariant W1 */
    assert(!pe->in_hook && !pe->settled);
    pe->in_hook = true;
}

void engine_close_hook(struct pe *pe)
{
    assert(pe->in_hook);
    tw_event *sender = pe->head.abort_event;
    pe->head.cur_event = NULL;
    pe->in_hook = false;
    if (!pe->settled) {
        return;
    }
    if (pe->synch == CONSERVATIVE && pe->comm.n_ranks > 1 && pe->ended == RUN_END_NONE) {
        receive_all(pe); /* messages that the hook sent may belong to the next window */
    }
    pe->settled = false;
    pe_number_sends(pe, 0);
    engine_drop_unsent(pe);
    if (sender->notes != NULL) {
        engine_print_output(sender);
        event_pool_drop_notes(&pe->pool, sender, true);
    }
    if (sender->sent != NULL) {
        engine_retire_sent(pe, sender);
    }
    event_clear_effects(sender);
    sender->state.owner = EVENT_FREE;
    /* Restarts the count of rounds for the next cut, because events that the hook sent may precede
     * that cut. */
    pe->gvt.cut.rounds = 0;
}

/* ---- List of withdrawn events ---------------------------------------------------------------- */

static void drop(struct pe *pe, tw_event *event)
{
    event_pool_put(&pe->pool, event);
}

void engine_withdraw(struct pe *pe, tw_event *event)
{
    event_move(event, EVENT_NEW, EVENT_WITHDRAWN);
    event->prev = pe->withdrawn;
    pe->withdrawn = event;
}

size_t tw_withdraw_events(tw_pe *head, tw_event_choice_f choose, void *ctx)
{
    struct pe *pe = settled_pe(head, "tw_withdraw_events()");
    tw_event *keep = NULL;
    size_t n = 0;
    tw_event *event;
    while ((event = pending_pop(pe->pending)) != NULL) {
        event->prev = NULL;
        const tw_event_choice choice = choose(ctx, event);
        if (choice == TW_EVENT_STAYS) {
            event->prev = keep;
            keep = event;
            continue;
        }
        n++;
        if (choice == TW_EVENT_IS_DROPPED) {
            drop(pe, event);
        } else {
            event_move(event, EVENT_PENDING, EVENT_NEW);
            engine_withdraw(pe, event);
        }
    }
    while (keep != NULL) {
        event = keep;
        keep = event->prev;
        event->state.owner = EVENT_NEW;
        engine_push(pe, event);
    }
    return n;
}

static void reinject(struct pe *pe, tw_event *event, tw_stime later)
{
    const double recv_ts = event->recv_ts + later;
    if (pe->ended != RUN_END_NONE) {
        drop(pe, event); /* the run has ended, so the event can no longer be executed */
        return;
    }
    if (!(recv_ts >= pe->head.GVT && recv_ts <= DBL_MAX)) {
        tw_error(TW_LOC,
                 "a withdrawn event for LP %" PRIu64
                 " at time %.17g cannot come back at %.17g: GVT is %.17g",
                 event->dest_lpid, event->recv_ts, recv_ts, pe->head.GVT);
    }
    event->recv_ts = recv_ts;
    if (recv_ts >= pe->end_time) {
        pe->counters.events_past_end++;
        drop(pe, event);
        return;
    }
    event_move(event, EVENT_WITHDRAWN, EVENT_NEW);
    engine_push(pe, event);
}

size_t tw_reinject_events(tw_pe *head, tw_event_choice_f choose, void *ctx, tw_stime later)
{
    struct pe *pe = settled_pe(head, "tw_reinject_events()");
    tw_event **link = &pe->withdrawn;
    size_t n = 0;
    while (*link != NULL) {
        tw_event *event = *link;
        const tw_event_choice choice = choose != NULL ? choose(ctx, event) : TW_EVENT_MOVES;
        if (choice == TW_EVENT_STAYS) {
            link = &event->prev;
            continue;
        }
        n++;
        *link = event->prev;
        if (choice == TW_EVENT_IS_DROPPED) {
            drop(pe, event);
        } else {
            reinject(pe, event, later);
        }
    }
    return n;
}

bool engine_each_withdrawn(const struct pe *pe, pending_visit_f visit, void *ctx)
{
    for (tw_event *event = pe->withdrawn; event != NULL; event = event->prev) {
        if (!visit(ctx, event)) {
            return false;
        }
    }
    return true;
}

void engine_drop_events(struct pe *pe)
{
    assert(pe->n_loose == 0);
    tw_event *event;
    while ((event = pending_pop(pe->pending)) != NULL) {
        drop(pe, event);
    }
    while ((event = pe->withdrawn) != NULL) {
        pe->withdrawn = event->prev;
        drop(pe, event);
    }
    pending_drop_cancelled(pe->pending);
    assert(pe->pool.in_use == 0);
}

/* ---- Functions of ROSS for models that keep the events themselves ---------------------------- */

tw_event *tw_pq_dequeue(struct tw_pq *queue)
{
    struct pe *pe = settled_pe((tw_pe *)(void *)queue, "tw_pq_dequeue()");
    tw_event *event = pending_pop(pe->pending);
    if (event != NULL) {
        event_move(event, EVENT_PENDING, EVENT_WITHDRAWN);
        event->prev = NULL;
        pe->n_loose++;
    }
    return event;
}

void tw_pq_enqueue(struct tw_pq *queue, tw_event *event)
{
    struct pe *pe = settled_pe((tw_pe *)(void *)queue, "tw_pq_enqueue()");
    assert(pe->n_loose > 0);
    pe->n_loose--;
    reinject(pe, event, 0.0);
}

void tw_event_free(tw_pe *head, tw_event *event)
{
    struct pe *pe = settled_pe(head, "tw_event_free()");
    assert(event->state.owner == EVENT_WITHDRAWN && pe->n_loose > 0);
    pe->n_loose--;
    drop(pe, event);
}

/* Has no effect: the engine does not need this table to find the event that an anti-message
 * cancels, and withdrawn events cannot be cancelled. */
void tw_hash_insert(struct tw_hash *table, tw_event *event, long send_pe)
{
    (void)table;
    (void)event;
    (void)send_pe;
}

void tw_hash_remove(struct tw_hash *table, tw_event *event, long send_pe)
{
    tw_hash_insert(table, event, send_pe);
}

void tw_scheduler_rollback_and_cancel_events_pe(tw_pe *head)
{
    tw_settle_at_gvt(head);
}

void tw_kp_put_back_output_buffer(void *buffer)
{
    (void)buffer;
}

void buddy_free(void *block)
{
    (void)block;
}
