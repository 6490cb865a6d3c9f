/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * send_order.h - numbers simultaneous events of an LP, so that a record identifies the exact cause
 * of its event.
 *
 * The cause of an event is the event of LP src_lp whose receive time is send_ts. If several events
 * of that LP have this receive time, send_order of the event is the number of its cause among them,
 * from 0. probe_set_send_order() sets it in the few events in which it is not 0.
 *
 * Invariants
 *  N1  lps[i] holds the receive time and the number of the LP's youngest executed event. The number
 *      includes simultaneous events that have been committed already.
 *  N2  For each event that may still be undone, log has the value of lps[] before that event.
 *      Undoing the event restores this value.
 * A handler runs when all events of its LP before its event are executed and none after it, so its
 * number is final if the event commits.
 *
 * Cost: some 15 instructions per execution, and the same per event sent; 16 bytes per LP and 24 per
 * uncommitted event. Runs that cannot roll back keep no log.
 */
#ifndef WARPSCOPE_RECORD_TRACE_SEND_ORDER_H
#define WARPSCOPE_RECORD_TRACE_SEND_ORDER_H

#include "engine/probe.h"
#include "record/trace/kp_log.h"

#define SEND_ORDER_NO_CAUSE (-1) /* LP initialisation or g_tw_gvt_hook sent the event */
#define SEND_ORDER_UNKNOWN  (-2) /* memory was exhausted on the sender's PE */

struct send_place {
    double ts;     /* receive time of the LP's youngest event; -1: none */
    int32_t order; /* its number among the LP's events at that time */
};

struct send_log_row {
    double ts; /* receive time of the event */
    struct send_place before;
};

/* A zero-initialised object is unused. */
struct send_order {
    struct send_place *lps;           /* by local LP */
    const struct probe_table *probes; /* tells whether the run keeps executed events */
    struct kp_log log;
    uint32_t n_sent; /* events that the event in process has sent */
    bool is_off;     /* memory was exhausted */
};

/* Returns TW_OK or TW_ERR_MEMORY. Release with send_order_fini(). */
enum tw_status send_order_init(struct send_order *order, tw_lpid n_lps, tw_kpid n_kps);
void send_order_fini(struct send_order *order);
/* Add the functions that mark events to the probes, and remove them. The caller itself calls
 * send_order_executed() and send_order_undone() for each event. */
void send_order_attach(struct send_order *order, struct probe_table *table);
void send_order_detach(struct send_order *order, struct probe_table *table);

/* Stops numbering after lack of memory. */
void send_order_switch_off(struct send_order *order);

static inline bool send_order_is_same_time(double a, double b)
{
    return a <= b && a >= b;
}

/* Returns the number of an event in process among the events of its LP at the same time. */
static inline int32_t send_order_of(const struct send_order *order, const tw_event *e)
{
    const struct send_place *place = &order->lps[e->dest_lp->id];
    return send_order_is_same_time(place->ts, e->recv_ts) ? place->order + 1 : 0;
}

/* Call in event_executed, for each event. Returns the number of events that it sent. */
static inline uint32_t send_order_executed(struct send_order *order, const tw_event *e)
{
    struct send_place *place = &order->lps[e->dest_lp->id];
    const uint32_t n_sent = order->n_sent;
    order->n_sent = 0;
    if ((order->probes->wanted & PROBE_ENGINE_HISTORY) != 0 && !order->is_off) {
        struct send_log_row *row = kp_log_push(&order->log, e);
        if (__builtin_expect(row == NULL, 0)) {
            send_order_switch_off(order);
        } else {
            row->before = *place;
        }
    }
    *place = (struct send_place){e->recv_ts, send_order_of(order, e)};
    return n_sent;
}

/* Call in event_undone, for each event. */
static inline void send_order_undone(struct send_order *order, const tw_event *e)
{
    if (!order->is_off) {
        const struct send_log_row *row = kp_log_youngest(&order->log, e);
        assert(send_order_is_same_time(row->ts, e->recv_ts));
        order->lps[e->dest_lp->id] = row->before;
        kp_log_drop(&order->log, e);
    }
}

#endif
