/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * self_check.c - see self_check.h.
 *
 * Invariants across data structures, in addition to those of each data structure
 *  S1  Every event that is not in the pool is in exactly one place: the pending queue, the history
 *      of a KP, a list of unsent, sent or withdrawn events, the model (tw_pq_dequeue()), or its
 *      handler.
 *  S2  No pending event precedes the youngest executed event of its KP (K2 of kp.h).
 */
#include "engine/checks/self_check.h"

#include <assert.h>
#include <errno.h>

#include "engine/extension.h"
#include "engine/pe/pe.h"
#include "engine/process/run.h"

static void self_require(bool holds, const char *what)
{
    if (!holds) {
        fprintf(stderr, "WS_CHECK: broken invariant: %s\n", what);
        abort();
    }
}

static uint64_t list_length(const tw_event *event)
{
    uint64_t n = 0;
    for (; event != NULL; event = event->prev) {
        n++;
    }
    return n;
}

/* Returns the number of events in the histories of the KPs, plus the number of copies that these
 * events keep of events sent to other ranks. */
static uint64_t count_history(const struct pe *pe)
{
    uint64_t n = 0;
    for (tw_kpid k = 0; k < pe->n_kps; k++) {
        const struct kp *kp = &pe->kps[k];
        for (uint64_t i = kp->old; i != kp->young; i++) {
            n += 1 + list_length(kp->ring[i & kp->mask]->sent);
        }
    }
    return n;
}

/* Checks S1: every event is in exactly one place. The current event counts as being in its
 * handler. */
static void check_census(const struct pe *pe)
{
    const tw_event *event = pe->head.cur_event;
    uint64_t n = pe->pending->n_live + pe->pending->n_cancelled + count_history(pe);
    n += list_length(pe->unsent) + list_length(pe->withdrawn);
    n += pe->n_loose + (event != NULL ? 1 + list_length(event->sent) : 0);
    if (n != pe->pool.in_use) {
        fprintf(stderr, "WS_CHECK: %" PRIu64 " events are in use and %" PRIu64 " were found\n",
                pe->pool.in_use, n);
    }
    self_require(n == pe->pool.in_use, "S1: every event is in one place");
}

/* Checks S2 for one pending event, which must not precede the history of its KP. Returns true. */
static bool follows_history(void *ctx, tw_event *event)
{
    const struct kp *kp = kp_of(event->dest_lp->kp);
    (void)ctx;
    self_require(kp_is_empty(kp) || event_compare(kp_youngest(kp), event) < 0,
                 "S2: a pending event follows the executed events of its KP");
    return true;
}

void self_check(struct pe *pe)
{
    pending_check(pe->pending);
    for (tw_kpid k = 0; k < pe->n_kps; k++) {
        kp_check(&pe->kps[k]);
    }
    if ((pe->probes.wanted & PROBE_ENGINE_ORDER) != 0) {
        commit_order_check(&pe->commit_order, pe->kps, pe->n_kps);
    }
    check_census(pe);
    pending_each(pe->pending, follows_history, NULL);
    if (tw_extension.check != NULL) {
        tw_extension.check(&pe->head);
    }
}

static void count_event(void *ctx, const tw_event *e, const tw_lp *ahead)
{
    struct pe *pe = ctx;
    (void)e;
    (void)ahead;
    assert(pe->self_check_events > 0);
    if (pe->counters.events_processed % pe->self_check_events == 0) {
        self_check(pe);
    }
}

/* Returns the positive integer that `text` contains; if `text` is anything else, ends the
 * program. */
static uint64_t read_interval(const char *text)
{
    char *end;
    errno = 0;
    unsigned long long n = strtoull(text, &end, 10);
    if (text[0] < '0' || text[0] > '9' || *end != '\0' || errno != 0 || n == 0) {
        run_refuse("WS_CHECK=%s: give the number of events between two checks; WS_CHECK=1 checks "
                   "after each event",
                   text);
    }
    return n;
}

void self_check_begin(struct pe *pe)
{
    const char *text = getenv("WS_CHECK");
    if (text == NULL || text[0] == '\0') {
        return;
    }
    pe->self_check_events = read_interval(text);
    PROBE_ADD(&pe->probes, event_executed, count_event, pe);
}
