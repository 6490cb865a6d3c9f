/*
 * commit.c - events that can no longer be undone: their effects come out, their memory goes back.
 *
 * Fossil collection takes from each KP the events before GVT. When somebody looks at commits (a
 * commit handler, an observer, output) they happen in event order over all KPs of the PE
 * (commit_order.h); otherwise KP by KP, since nobody can tell.
 */
#include "engine/engine.h"

/* What only some commits need is apart, so that the others do not pay for its frames. */

static __attribute__((noinline)) void call_commit_handler(tw_lp *lp, tw_event *event)
{
    double last_time = lp->kp->last_time;
    lp->kp->last_time = event->recv_ts;
    lp->type->commit(lp->cur_state, &event->bf, event->payload, lp);
    lp->kp->last_time = last_time;
}

/* What the forward handler noted, and after it the commit handler. */
static __attribute__((noinline)) void show_notes(struct pe *pe, tw_event *event)
{
    engine_count_hook_requests(pe, event);
    engine_print_output(event);
}

static __attribute__((noinline)) void call_probes(struct pe *pe, const tw_event *event,
                                                  const tw_lp *ahead)
{
    PROBE_CALL(&pe->probes, event_committed, &event->seen, ahead);
}

/* Of an event that will be committed soon. */
static inline const tw_lp *lp_ahead(const struct pe *pe)
{
    return pe_keeps_history(pe) ? commit_order_lp_ahead(&pe->commit_order) : pe_lp_ahead(pe);
}

/* To those who look at commits, see pe_shows_commits(). */
static __attribute__((noinline)) void show_commit(struct pe *pe, tw_event *event)
{
    tw_lp *lp = event->lp;
    pe->head.cur_event = event;
    pe->committing = true;
    if (lp->type->commit != NULL) {
        call_commit_handler(lp, event);
    }
    if (PROBE_IS_WANTED(&pe->probes, event_committed)) {
        const tw_lp *ahead = lp_ahead(pe);
        if (pe->probes.event_committed.n == 1) {
            pe->probes.event_committed.call[0](pe->probes.event_committed.ctx[0], &event->seen,
                                               ahead);
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

void engine_commit(struct pe *pe, tw_event *event)
{
    pe->counters.events_committed++;
    if (pe_shows_commits(pe)) {
        show_commit(pe, event);
    }
    if (pe->fingerprint.enabled) {
        fingerprint_add_event(&pe->fingerprint, event);
    }
    while (event->sent != NULL) {
        tw_event *sent = event->sent;
        event->sent = sent->sibling;
        remote_table_give_handle(&pe->remotes, sent);
        event_pool_put(&pe->pool, sent);
    }
    event_pool_put(&pe->pool, event);
}

static bool has_fossils(const struct kp *kp, const struct event_key *gvt)
{
    if (kp_is_empty(kp)) {
        return false;
    }
    struct event_key oldest = event_key(kp_oldest(kp));
    return event_key_before(&oldest, gvt);
}

/* Executed events are listed while somebody looks at commits. */
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

void engine_fossil_collect(struct pe *pe, struct event_key gvt)
{
    pe->counters.fossil_collects++;
    list_executions(pe, pe_shows_commits(pe));
    if (pe_shows_commits(pe)) {
        struct commit_order *order = &pe->commit_order;
        for (size_t n = commit_order_collect(order, pe->kps, pe->n_kps, &gvt); n > 0; n--) {
            engine_commit(pe, commit_order_take(order));
        }
        fflush(stdout); /* whole lines: ranks share a terminal */
        return;
    }
    for (tw_kpid k = 0; k < pe->n_kps; k++) {
        struct kp *kp = &pe->kps[k];
        while (has_fossils(kp, &gvt)) {
            tw_event *event = kp_oldest(kp);
            kp->old++;
            engine_commit(pe, event);
        }
    }
}
