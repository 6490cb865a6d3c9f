/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * commit.c - commit of events, and fossil collection.
 *
 * Fossil collection takes the events before GVT from each KP. If a commit handler, an observer or
 * tw_output() depends on commits, events commit in event order over all KPs of the PE
 * (commit_order.h). Otherwise the engine commits KP by KP, since the order has no effect; functions
 * of the probe event_retired do not depend on it.
 */
#include <assert.h>

#include "engine/checks/fences.h"
#include "engine/engine.h"

/* This function and others that are rarely called are not inlined, so that a commit without
 * observers needs no stack frame for them. */

static __attribute__((noinline)) void call_commit_handler(tw_lp *lp, tw_event *event)
{
    struct pe *pe = pe_of(lp->pe);
    bool fenced = (PROBES_WANTED(&pe->probes) & PROBE_ENGINE_FENCES) != 0;
    double last_time = lp->kp->last_time;
    lp->kp->last_time = event->recv_ts;
    if (fenced) {
        fences_enter(pe, lp, event, "commit handler");
    }
    lp->type->commit(lp->cur_state, &event->bf, event_payload(event), lp);
    if (fenced) {
        fences_leave(pe);
    }
    lp->kp->last_time = last_time;
}

/* Handles the notes that the forward handler and the commit handler left on the event. Such a note
 * reports a chain of events that is too long, requests a call of g_tw_gvt_hook, or holds text given
 * to tw_output(). */
static __attribute__((noinline)) void show_notes(struct pe *pe, tw_event *event)
{
    if (event_note_find(event, NOTE_TOO_DEEP) != NULL) {
        engine_refuse_chain(event);
    }
    pe->hook_requests += event_note_find(event, NOTE_HOOK) != NULL;
    engine_print_output(event);
}

static __attribute__((noinline)) void call_probes(struct pe *pe, const tw_event *event,
                                                  const tw_lp *ahead)
{
    PROBE_CALL(&pe->probes, event_committed, event, ahead);
}

/* Calls the commit handler and the observers of an event, see pe_shows_commits(). ready: entry of
 * the event in commit_order.first; NULL if the event has just been executed. */
static inline __attribute__((always_inline)) void show(struct pe *pe, tw_event *event,
                                                       const struct commit_entry *ready)
{
    assert(!pe->committing);
    pe->head.cur_event = event;
    pe->committing = true;
    if ((pe->probes.wanted & PROBE_ENGINE_COMMITS) != 0 && event->dest_lp->type->commit != NULL) {
        call_commit_handler(event->dest_lp, event);
    }
    if (PROBE_IS_WANTED(&pe->probes, event_committed)) {
        const tw_lp *ahead = ready != NULL ? commit_order_lp_ahead(ready) : pe_lp_ahead(pe);
        if (PROBE_IS_ALONE(&pe->probes, event_committed)) {
            PROBE_CALL_FIRST(&pe->probes, event_committed, event, ahead);
        } else {
            call_probes(pe, event, ahead);
        }
    }
    pe->head.cur_event = NULL;
    pe->committing = false;
    if (event->notes != NULL) {
        show_notes(pe, event);
    }
}

__attribute__((noinline)) void engine_retire_sent(struct pe *pe, tw_event *event)
{
    assert(event->sent != NULL);
    do {
        tw_event *sent = event->sent;
        assert(sent->state.owner == EVENT_SENT);
        event->sent = sent->prev;
        remote_table_give_handle(&pe->remotes, sent);
        event_pool_put(&pe->pool, sent);
    } while (event->sent != NULL);
}

/* Returns a committed event to the pool, with the copies of events that it sent to other ranks.
 * First adds the event to the fingerprint if fingerprints are enabled. */
static inline __attribute__((always_inline)) void retire(struct pe *pe, tw_event *event)
{
    if (pe->fingerprint.enabled) {
        fingerprint_add_event(&pe->fingerprint, event);
    }
    if (event->sent != NULL) {
        engine_retire_sent(pe, event);
    }
    event_pool_put(&pe->pool, event);
}

/* Calls the probe event_retired. */
static inline void show_retired(struct pe *pe, const tw_event *event, const tw_lp *ahead)
{
    if (PROBE_IS_WANTED(&pe->probes, event_retired)) {
        PROBE_CALL(&pe->probes, event_retired, event, ahead);
    }
}

static __attribute__((noinline)) void commit_shown(struct pe *pe, tw_event *event)
{
    if (pe_shows_commits(pe)) {
        show(pe, event, NULL);
    }
    show_retired(pe, event, pe_lp_ahead(pe));
    retire(pe, event);
}

void engine_commit(struct pe *pe, tw_event *event)
{
    assert(event->state.owner == EVENT_PROCESSED);
    pe->counters.events_committed++;
    if ((PROBES_WANTED(&pe->probes) & (PE_COMMITS_SHOWN | PROBE_BIT(event_retired))) != 0) {
        commit_shown(pe, event);
    } else {
        retire(pe, event);
    }
}

static bool has_fossils(const struct kp *kp, const struct event_key *gvt)
{
    if (kp_is_empty(kp)) {
        return false;
    }
    struct event_key oldest = event_key(kp_oldest(kp));
    return event_key_before(&oldest, gvt);
}

/* Begins (wanted: true) or ends (false) the list of executed events. The engine keeps this list
 * while commits are observed, in order to commit in event order. */
static void list_executions(struct pe *pe, bool wanted)
{
    bool listed = (pe->probes.wanted & PROBE_ENGINE_ORDER) != 0;
    if (wanted == listed) {
        return;
    }
    if (wanted) {
        commit_order_begin(&pe->commit_order, pe->kps, pe->n_kps);
        pe->probes.wanted |= PROBE_ENGINE_ORDER;
    } else {
        commit_order_end(&pe->commit_order, pe->kps, pe->n_kps);
        pe->probes.wanted &= ~PROBE_ENGINE_ORDER;
    }
}

static void commit_in_order(struct pe *pe, const struct event_key *gvt)
{
    struct commit_order *order = &pe->commit_order;
    const size_t n = commit_order_collect(order, gvt);
    const struct commit_entry *const ready = order->first;
    for (size_t i = 0; i < n; i++) {
        tw_event *event = commit_order_take(&ready[i]);
        pe->counters.events_committed++;
        show(pe, event, &ready[i]);
        show_retired(pe, event, commit_order_lp_ahead(&ready[i]));
        retire(pe, event);
    }
    commit_order_close_up(order);
    fflush(stdout); /* writes complete lines to stdout, since ranks may share a terminal */
}

static void commit_fossils(struct pe *pe, struct kp *kp, const struct event_key *gvt)
{
    while (has_fossils(kp, gvt)) {
        tw_event *event = kp_oldest(kp);
        kp->old++;
        pe->counters.events_committed++;
        retire(pe, event);
    }
}

/* Number of events between one that is retired and the one whose LP is known to be ahead. */
#define RETIRED_AHEAD 4u

/* Like commit_fossils(), with calls of the probe event_retired. */
static __attribute__((noinline)) void commit_fossils_seen(struct pe *pe, struct kp *kp,
                                                          const struct event_key *gvt)
{
    while (has_fossils(kp, gvt)) {
        tw_event *event = kp_oldest(kp);
        kp->old++;
        pe->counters.events_committed++;
        const tw_lp *ahead = NULL;
        if (kp->young - kp->old > RETIRED_AHEAD) {
            ahead = kp->ring[(kp->old + RETIRED_AHEAD) & kp->mask]->dest_lp;
        }
        show_retired(pe, event, ahead);
        retire(pe, event);
    }
}

/* Commits those events of each KP that are before gvt, and removes KPs without events from
 * busy_kps. A model may have very many KPs, few of which are active. */
static void commit_by_kp(struct pe *pe, const struct event_key *gvt)
{
    tw_kpid n_left = 0;
    for (tw_kpid k = 0; k < pe->n_busy_kps; k++) {
        struct kp *kp = pe->busy_kps[k];
        if (PROBE_IS_WANTED(&pe->probes, event_retired)) {
            commit_fossils_seen(pe, kp, gvt);
        } else {
            commit_fossils(pe, kp, gvt);
        }
        kp->listed = !kp_is_empty(kp);
        pe->busy_kps[n_left] = kp;
        n_left += kp->listed;
    }
    pe->n_busy_kps = n_left;
}

/* Calls the probe event_at_gvt for each KP that is about to commit an event with the same time as
 * GVT. GVT is a position in the event order, so possibly only some of the events at this time
 * commit. */
static __attribute__((noinline)) void show_events_at(struct pe *pe, const struct event_key *gvt)
{
    for (tw_kpid k = 0; k < pe->n_busy_kps; k++) {
        const tw_event *event = kp_first_from(pe->busy_kps[k], gvt->ts);
        if (event == NULL) {
            continue;
        }
        struct event_key key = event_key(event);
        if (event_key_before(&key, gvt)) {
            PROBE_CALL(&pe->probes, event_at_gvt, event);
        }
    }
}

void engine_fossil_collect(struct pe *pe, struct event_key gvt)
{
    pe->counters.fossil_collects++;
    if (PROBE_IS_WANTED(&pe->probes, event_at_gvt)) {
        show_events_at(pe, &gvt);
    }
    list_executions(pe, pe_shows_commits(pe));
    if (pe_shows_commits(pe)) {
        commit_in_order(pe, &gvt);
    } else {
        commit_by_kp(pe, &gvt);
    }
}
