/*
 * commit.c - events that can no longer be undone: their effects come out, their memory goes back.
 *
 * Fossil collection takes from each KP the events before GVT. When somebody looks at commits (a
 * commit handler, an observer, output) they happen in event order over all KPs of the PE
 * (commit_order.h); otherwise KP by KP, since nobody can tell.
 */
#include "engine/engine.h"

/* To those who look at commits, see pe_shows_commits(). Apart, so that the others do not pay for
 * its frame. */
static __attribute__((noinline)) void show_commit(struct pe *pe, tw_event *event)
{
    tw_lp *lp = event->lp;
    pe->head.cur_event = event;
    pe->committing = true;
    if (lp->type->commit != NULL) {
        double last_time = lp->kp->last_time;
        lp->kp->last_time = event->recv_ts;
        lp->type->commit(lp->cur_state, &event->bf, event->payload, lp);
        lp->kp->last_time = last_time;
    }
    if (PROBE_IS_WANTED(&pe->probes, event_committed)) {
        struct probe_event seen = pe_probe_event(event, NULL);
        PROBE_CALL(&pe->probes, event_committed, &seen);
    }
    pe->head.cur_event = NULL;
    pe->committing = false;
    if (event->notes != NULL) { /* of the forward handler first, then of the commit handler */
        engine_count_hook_requests(pe, event);
        engine_print_output(event);
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

void engine_fossil_collect(struct pe *pe, struct event_key gvt)
{
    pe->counters.fossil_collects++;
    if (pe_shows_commits(pe)) {
        tw_event *event;
        commit_order_begin(&pe->commit_order, pe->kps);
        while ((event = commit_order_take(&pe->commit_order, &gvt)) != NULL) {
            engine_commit(pe, event);
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
