/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * send_order.h - numbers simultaneous events of an LP, so that the record of an event identifies
 * the exact cause of the event.
 *
 * The cause of an event is the event of LP src_lp whose receive time is send_ts. If several events
 * of that LP have this receive time, send_order of the event is the number of its cause among them,
 * from 0. The engine stores send_order only in the few events for which it is not 0; see
 * probe_number_sends().
 *
 * In a run that cannot roll back, the engine keeps the receive time and the number of each LP's
 * last event. In a run that can roll back, only events that share their receive time with another
 * event of their KP are logged.
 *
 * Invariants
 *  N1  lps[i] holds the receive time and the number of the LP's youngest executed event (with
 *      rollbacks: of the youngest one that was logged). Simultaneous events that have been
 *      committed already count in this number.
 *  N2  For each logged event that may still be undone, log has the value that lps[] had before that
 *      event. Undoing the event restores this value.
 *  N3  If a KP has several uncommitted events at the same time, all of them are logged: the first
 *      when the second is executed. An event that is the only one at its time may be logged as
 *      well.
 *  N4  If a KP has committed an event at the time of GVT and later events of the KP at that time
 *      may follow, `committed` has the event, unless it is logged.
 * When the handler of an event runs, its LP has executed all earlier events and no later one. The
 * event's number is therefore final if the event commits.
 *
 * Cost: without rollbacks some 5 instructions per execution; with rollbacks a test per execution,
 * and some 100 instructions per logged event, as well as per event whose number is not 0. Memory:
 * 16 bytes per LP and per KP, 24 per logged event that may still be undone.
 */
#ifndef WARPSCOPE_RECORD_TRACE_SEND_ORDER_H
#define WARPSCOPE_RECORD_TRACE_SEND_ORDER_H

#include "engine/probe.h"
#include "record/trace/kp_log.h"

/* Value of send_order if the cause of the event was executed before the trace began, or if memory
 * was exhausted on the PE of the cause. */
#define SEND_ORDER_UNKNOWN (-2)

struct send_commit {
    double ts;  /* receive time; -1: no event */
    tw_lpid lp; /* local id of the event's LP */
};

struct send_log_row {
    double ts; /* receive time of the event */
    struct probe_place before;
};

/* A zero-initialised object is unused. */
struct send_order {
    /* [i]: receive time and number of an event of local LP i, see N1. */
    struct probe_place *lps;
    const struct probe_table *probes; /* not owned; tells if the run keeps executed events */
    struct kp_log log;
    struct send_commit *committed; /* [k]: event of KP k, see N4 */
    /* Events up to this virtual time were executed before the trace began. */
    double begin;
    bool is_off; /* true after memory was exhausted: numbers are unknown */
};

/* Initialises order for n_lps local LPs and n_kps KPs. Returns TW_OK or TW_ERR_MEMORY. Release with
 * send_order_fini(). */
enum tw_status send_order_init(struct send_order *order, tw_lpid n_lps, tw_kpid n_kps);
void send_order_fini(struct send_order *order);
/* Adds to the probes of table the functions that number events; on == false: removes them. The
 * caller itself must call send_order_undone() for each undone event. */
void send_order_attach(struct send_order *order, struct probe_table *table, bool on);

/* Stops the numbering of events because memory is exhausted. */
void send_order_switch_off(struct send_order *order);

static inline bool send_order_is_same_time(double a, double b)
{
    return a <= b && a >= b;
}

/* Returns the number, from 0, of event e among the events of its LP with the same receive time.
 * Called while e is being executed. */
static inline int32_t send_order_of(const struct send_order *order, const tw_event *e)
{
    const struct probe_place *place = &order->lps[e->dest_lp->id];
    return send_order_is_same_time(place->ts, e->recv_ts) ? place->order + 1 : 0;
}

/* Returns the value of send_order for the record of e: the number of e's cause, or
 * SEND_ORDER_UNKNOWN. */
static inline int32_t send_order_of_cause(const struct send_order *order, const tw_event *e)
{
    return e->send_ts > order->begin ? e->send_order : SEND_ORDER_UNKNOWN;
}

static inline bool send_order_keeps_history(const struct send_order *order)
{
    return (order->probes->wanted & PROBE_ENGINE_HISTORY) != 0;
}

/* Restores the state that `order` had before event e. Called at the probe event_undone for each
 * event. */
static inline void send_order_undone(struct send_order *order, const tw_event *e)
{
    if (!order->is_off && kp_log_has(&order->log, e)) {
        const struct send_log_row *row = kp_log_youngest(&order->log, e);
        order->lps[e->dest_lp->id] = row->before;
        kp_log_drop(&order->log, e);
    }
}

#endif
