/* SPDX-License-Identifier: BSD-3-Clause */
/* send_order.c - see send_order.h. */
#include "record/trace/send_order.h"

#include <stdlib.h>

#include "record/base/probe_set.h"

/* Logs event e, which may still be undone later, with its number, and makes it the youngest event
 * of its LP. Stops the numbering if memory is exhausted. */
static void log_event(struct send_order *order, const tw_event *e, int32_t number)
{
    struct probe_place *place = &order->lps[e->dest_lp->id];
    struct send_log_row *row = order->is_off ? NULL : kp_log_push(&order->log, e);
    if (row == NULL) {
        send_order_switch_off(order);
        return;
    }
    row->before = *place;
    *place = (struct probe_place){e->recv_ts, number};
}

/* Begins to number the simultaneous events at the receive time of e in e's KP. Logs the first of
 * these events: `previous`, which is the youngest uncommitted event of the KP, or, if `previous` is
 * NULL, the committed event of invariant N4. */
static void log_first(struct send_order *order, const tw_event *e, const tw_event *previous)
{
    const struct send_commit *committed = &order->committed[e->dest_lp->kp->id];
    if (previous != NULL) {
        log_event(order, previous, 0);
    } else if (send_order_is_same_time(committed->ts, e->recv_ts)) {
        order->lps[committed->lp] = (struct probe_place){e->recv_ts, 0};
    }
}

static void order_tied(void *ctx, const tw_event *e, const tw_event *previous)
{
    struct send_order *order = ctx;
    int32_t number;
    if (send_order_keeps_history(order)) {
        if (!order->is_off && !kp_log_has(&order->log, e)) {
            log_first(order, e, previous);
        }
        number = send_order_of(order, e);
        log_event(order, e, number);
        number = order->is_off ? SEND_ORDER_UNKNOWN : number;
    } else {
        number = ++order->lps[e->dest_lp->id].order;
    }
    if (number != 0) {
        probe_number_sends(number);
    }
}

static void order_at_gvt(void *ctx, const tw_event *e)
{
    struct send_order *order = ctx;
    order->committed[e->dest_lp->kp->id] = (struct send_commit){e->recv_ts, e->dest_lp->id};
}

static void order_committed(void *ctx, const tw_pe *pe, tw_stime gvt, uint64_t n)
{
    struct send_order *order = ctx;
    (void)pe;
    if (n > 0) {
        kp_log_trim(&order->log, gvt);
    }
}

void send_order_switch_off(struct send_order *order)
{
    kp_log_clear(&order->log);
    order->is_off = true;
}

enum tw_status send_order_init(struct send_order *order, tw_lpid n_lps, tw_kpid n_kps)
{
    *order = (struct send_order){.lps = malloc((n_lps + 1) * sizeof(*order->lps)), .begin = -1.0};
    for (tw_lpid i = 0; order->lps != NULL && i < n_lps; i++) {
        order->lps[i] = (struct probe_place){.ts = -1.0};
    }
    order->committed = malloc((n_kps + 1) * sizeof(*order->committed));
    for (tw_kpid k = 0; order->committed != NULL && k < n_kps; k++) {
        order->committed[k] = (struct send_commit){.ts = -1.0};
    }
    bool ok = kp_log_init(&order->log, n_kps, sizeof(struct send_log_row));
    return order->lps != NULL && order->committed != NULL && ok ? TW_OK : TW_ERR_MEMORY;
}

void send_order_fini(struct send_order *order)
{
    kp_log_fini(&order->log);
    free(order->committed);
    free(order->lps);
    *order = (struct send_order){0};
}

void send_order_attach(struct send_order *order, struct probe_table *table, bool on)
{
    assert(order->lps != NULL);
    order->probes = table;
    probe_set_places(on ? order->lps : NULL);
    PROBE_SET(on, table, event_tied, order_tied, order);
    PROBE_SET(on, table, event_at_gvt, order_at_gvt, order);
    PROBE_SET(on, table, fossils_collected, order_committed, order);
}
