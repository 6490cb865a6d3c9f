/* SPDX-License-Identifier: BSD-3-Clause */
/* dump.c - see dump.h. Only a debugger calls these functions. */
#include "engine/checks/dump.h"

#include "engine/pe/pe.h"

#define KEPT __attribute__((used, noinline))

static void print_event(const tw_event *event)
{
    static const char *const states[] = {"free",      "new",  "pending",   "processing",
                                         "processed", "sent", "cancelled", "withdrawn"};
    fprintf(stderr, "  %-10s at %.17g prio %g tie %.17g  LP %" PRIu64 " from LP %" PRIu64 "\n",
            states[event->state.owner], event->recv_ts, event->prio, event->tie,
            event->dest_lp != NULL ? event->dest_lp->gid : event->dest_lpid, event->send_lp);
}

/* Returns the PE of this process. If there is none, prints a message and returns NULL. */
static struct pe *pe_to_dump(void)
{
    if (pe_self() == NULL || pe_self()->pending == NULL) {
        fprintf(stderr, "no simulation is running: tw_run() has not been called\n");
        return NULL;
    }
    return pe_self();
}

KEPT void ws_dump_pe(void)
{
    const struct pe *pe = pe_to_dump();
    if (pe == NULL) {
        return;
    }
    const struct tw_counters *c = &pe->counters;
    fprintf(stderr, "PE %" PRIu64 " of %d, GVT %.17g, end %g\n", (uint64_t)pe->head.id,
            pe->comm.n_ranks, pe->head.GVT, pe->end_time);
    fprintf(stderr,
            "  events processed %" PRIu64 ", rolled back %" PRIu64 ", committed %" PRIu64 "\n",
            c->events_processed, c->events_rolled_back, c->events_committed);
    fprintf(stderr,
            "  pending %zu, cancelled in the queue %zu, in use %" PRIu64 " of %" PRIu64
            " allocated\n",
            pe->pending->n_live, pe->pending->n_cancelled, pe->pool.in_use, pe->pool.allocated);
    fprintf(stderr, "  %" PRIu64 " LPs, %" PRIu64 " KPs\n", (uint64_t)pe->lps.count,
            (uint64_t)pe->n_kps);
    if (pe->head.cur_event != NULL) {
        print_event(pe->head.cur_event);
    }
}

KEPT void ws_dump_kp(unsigned long number)
{
    const struct pe *pe = pe_to_dump();
    if (pe == NULL) {
        return;
    }
    if (number >= pe->n_kps) {
        fprintf(stderr, "there is no KP %lu; this PE has %" PRIu64 "\n", number,
                (uint64_t)pe->n_kps);
        return;
    }
    const struct kp *kp = &pe->kps[number];
    fprintf(stderr, "KP %lu: %" PRIu64 " uncommitted events, last time %.17g\n", number,
            kp->young - kp->old, kp->head.last_time);
    for (uint64_t i = kp->old; i != kp->young; i++) {
        print_event(kp->ring[i & kp->mask]);
    }
}

struct pending_list {
    const tw_event **events;
    size_t n;
};

static bool list_event(void *ctx, tw_event *event)
{
    struct pending_list *list = ctx;
    list->events[list->n++] = event;
    return true;
}

static int by_order(const void *a, const void *b)
{
    return event_compare(*(const tw_event *const *)a, *(const tw_event *const *)b);
}

KEPT void ws_dump_pending(unsigned long n)
{
    const struct pe *pe = pe_to_dump();
    if (pe == NULL) {
        return;
    }
    struct pending_list list = {calloc(pe->pending->n_live + 1, sizeof *list.events), 0};
    if (list.events == NULL) {
        fprintf(stderr, "out of memory for a list of %zu events\n", pe->pending->n_live);
        return;
    }
    pending_each(pe->pending, list_event, &list);
    qsort(list.events, list.n, sizeof *list.events, by_order);
    fprintf(stderr, "pending queue: %zu events, %zu more are cancelled\n", list.n,
            pe->pending->n_cancelled);
    for (size_t i = 0; i < list.n && (n == 0 || i < n); i++) {
        print_event(list.events[i]);
    }
    free(list.events);
}
