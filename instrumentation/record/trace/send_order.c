/* SPDX-License-Identifier: BSD-3-Clause */
/* send_order.c - see send_order.h. */
#include "record/trace/send_order.h"

#include <stdlib.h>

static void order_sent(void *ctx, const tw_event *e)
{
    struct send_order *order = ctx;
    const tw_event *cause = g_tw_pe->cur_event;
    int32_t number = SEND_ORDER_NO_CAUSE;
    if (cause != NULL && cause != g_tw_pe->abort_event) {
        number = order->is_off ? SEND_ORDER_UNKNOWN : send_order_of(order, cause);
        order->n_sent++;
    }
    if (number != 0) {
        probe_set_send_order(e, number);
    }
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
    *order = (struct send_order){.lps = malloc((n_lps + 1) * sizeof(*order->lps))};
    for (tw_lpid i = 0; order->lps != NULL && i < n_lps; i++) {
        order->lps[i] = (struct send_place){.ts = -1.0};
    }
    bool ok = kp_log_init(&order->log, n_kps, sizeof(struct send_log_row));
    return order->lps != NULL && ok ? TW_OK : TW_ERR_MEMORY;
}

void send_order_fini(struct send_order *order)
{
    kp_log_fini(&order->log);
    free(order->lps);
    *order = (struct send_order){0};
}

void send_order_attach(struct send_order *order, struct probe_table *table)
{
    assert(order->lps != NULL);
    order->probes = table;
    PROBE_ADD(table, event_sent, order_sent, order);
    PROBE_ADD(table, fossils_collected, order_committed, order);
}

void send_order_detach(struct send_order *order, struct probe_table *table)
{
    PROBE_REMOVE(table, event_sent, order_sent, order);
    PROBE_REMOVE(table, fossils_collected, order_committed, order);
}
