/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * send_order.h - numbers simultaneous events of an LP, so that a record identifies the exact cause
 * of its event.
 *
 * The cause of an event is the event of LP src_lp whose receive time is send_ts. If several events
 * of that LP have this receive time, send_order of the event is the number of its cause among them,
 * from 0. The engine stores it in the few events in which it is not 0; see probe_number_sends().
 *
 * In a run that cannot roll back, the engine notes the receive time and the number of each LP's last
 * event. In a run that can, only events that share their receive time with another event of their
 * KP are noted.
 *
 * Invariants
 *  N1  lps[i] holds the receive time and the number of the LP's youngest executed event (with
 *      rollbacks: of the youngest one that is noted). The number includes simultaneous events that
 *      have been committed already.
 *  N2  For each noted event that may still be undone, log has the value of lps[] before that event.
 *      Undoing the event restores this value.
 *  N3  Of several uncommitted events of a KP at one time, all are noted: the first together with
 *      the second. A single one may be noted.
 *  N4  If a KP has committed an event at the time of GVT and later events of the KP at that time
 *      may follow, `committed` has the event, unless it is noted.
 * A handler runs when all events of its LP before its event are executed and none after it, so its
 * number is final if the event commits.
 *
 * Cost: without rollbacks some 5 instructions per execution; with rollbacks a test, and some 100
 * instructions per noted event. The same per event whose number is not 0. 16 bytes per LP and KP, 24
 * per noted event that may be undone.
 */
#ifndef WARPSCOPE_RECORD_TRACE_SEND_ORDER_H
#define WARPSCOPE_RECORD_TRACE_SEND_ORDER_H

#include "engine/probe.h"
#include "record/trace/kp_log.h"

/* The sender was executed before the trace began, or memory was exhausted on its PE. */
#define SEND_ORDER_UNKNOWN (-2)

struct send_commit {
    double ts;  /* receive time; -1: no event */
    tw_lpid lp; /* local number of the LP */
};

struct send_log_row {
    double ts; /* receive time of the event */
    struct probe_place before;
};

/* A zero-initialised object is unused. */
struct send_order {
    struct probe_place *lps;          /* index: local LP */
    const struct probe_table *probes; /* shows whether the run keeps executed events */
    struct kp_log log;
    struct send_commit *committed; /* index: KP; see N4 */
    double begin;                  /* events up to this time were executed before the trace began */
    bool is_off;                   /* true after memory was exhausted */
};

/* Returns TW_OK or TW_ERR_MEMORY. Release with send_order_fini(). */
enum tw_status send_order_init(struct send_order *order, tw_lpid n_lps, tw_kpid n_kps);
void send_order_fini(struct send_order *order);
/* Add the functions that number events to the probes, and remove them. The caller itself calls
 * send_order_undone() for each event. */
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
    const struct probe_place *place = &order->lps[e->dest_lp->id];
    return send_order_is_same_time(place->ts, e->recv_ts) ? place->order + 1 : 0;
}

/* Returns the number to record with an event. */
static inline int32_t send_order_of_cause(const struct send_order *order, const tw_event *e)
{
    return e->send_ts > order->begin ? e->send_order : SEND_ORDER_UNKNOWN;
}

static inline bool send_order_keeps_history(const struct send_order *order)
{
    return (order->probes->wanted & PROBE_ENGINE_HISTORY) != 0;
}

/* Called at the probe event_undone, for each event. */
static inline void send_order_undone(struct send_order *order, const tw_event *e)
{
    if (!order->is_off && kp_log_has(&order->log, e)) {
        const struct send_log_row *row = kp_log_youngest(&order->log, e);
        order->lps[e->dest_lp->id] = row->before;
        kp_log_drop(&order->log, e);
    }
}

#endif
