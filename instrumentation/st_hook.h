/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * st_hook.h - hooks, and the stream of engine activity. st.h includes it.
 *
 * A hook is a function that is called when something happens at a domain. A domain is the PE of
 * this rank, one of its KPs or LPs, or a named object of the model. Hooks are also called for
 * executions that may still be undone. To observe only committed events, subscribe to a stream
 * (st_bus.h).
 *
 *     static void count_it(const st_hook_context *context, void *arg) { ++*(unsigned *)arg; }
 *     ...
 *     st_hook_attach(st_domain_lp(7), ST_AT(ST_POS_BEFORE_EVENT) | ST_AT(ST_POS_SEND), count_it,
 *                    &count);
 *
 * A model can create a domain of its own, and call the hooks of that domain at places in its code:
 *
 *     st_domain *cache = st_domain_create("cache.0");            // once, before tw_run()
 *     ST_HOOK(cache, MY_HIT, line, NULL);                 // costs one test if no hook is attached
 *
 * Hooks must not send events or draw random numbers. They may attach and detach hooks. No function
 * here is collective. tw_end() frees all domains and hooks. The terms are those of Akita (Sun et
 * al., MGPUSim, ISCA 2019).
 */
#ifndef WARPSCOPE_ST_HOOK_H
#define WARPSCOPE_ST_HOOK_H

#include "st_bus.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- Engine activity ------------------------------------------------------------------------- */

/*
 * List of the positions of hooks on PEs, KPs and LPs, as X(NAME, text, detail, committed). The
 * positions are also the types of records on the stream "warpscope.engine". detail: hooks and
 * subscribers get a struct of type st_<detail>_info, as the detail of a hook or the data of a
 * record. committed: 1 if subscribers of class ST_COMMITTED get records of this position.
 *
 *   BEFORE_EVENT, AFTER_EVENT  before and after an execution of an event, which may be undone later
 *   COMMIT            an event has been committed
 *   UNDO              the execution of an event has been undone
 *   STRAGGLER         a straggler has arrived, and its KP is about to roll back
 *   SEND              an LP sends an event to an LP of this or another rank, possibly in its init
 *                     function
 *   QUEUE_PUSH, QUEUE_POP  an event has entered the pending queue, or has left it to be executed
 *   ROLLBACK_END      a rollback of a KP has ended
 *   RECEIVE           an event for an LP has arrived from another rank
 *   ANTI_MESSAGE      an anti-message has been sent or received
 *   GVT_BEGIN, GVT_END  this rank begins a GVT computation; this rank knows the new GVT and has
 *                     committed. They occur in pairs, also for the last GVT
 *   FOSSILS           all events before GVT have been committed; also after the last GVT
 *   LP_INIT, LP_FINAL after the init function, and after the final function of an LP
 *
 * Positions about an event call the hooks of its receiver (SEND: of its sender), of that LP's KP
 * and of the PE. ROLLBACK_END calls those of the KP and the PE; GVT_BEGIN, GVT_END and FOSSILS call
 * those of the PE alone.
 */
#define ST_POSITION_LIST(X)                                                                        \
    X(BEFORE_EVENT, "before event", event, 0)                                                      \
    X(AFTER_EVENT, "after event", event, 0)                                                        \
    X(COMMIT, "commit", event, 1)                                                                  \
    X(UNDO, "undo", event, 0)                                                                      \
    X(STRAGGLER, "straggler", event, 0)                                                            \
    X(SEND, "send", event, 0)                                                                      \
    X(QUEUE_PUSH, "queue push", event, 0)                                                          \
    X(QUEUE_POP, "queue pop", event, 0)                                                            \
    X(ROLLBACK_END, "rollback", rollback, 0)                                                       \
    X(RECEIVE, "receive", message, 0)                                                              \
    X(ANTI_MESSAGE, "anti-message", message, 0)                                                    \
    X(GVT_BEGIN, "GVT begin", gvt, 0)                                                              \
    X(GVT_END, "GVT end", gvt, 1)                                                                  \
    X(FOSSILS, "fossil collection", gvt, 0)                                                        \
    X(LP_INIT, "LP init", lp, 1)                                                                   \
    X(LP_FINAL, "LP final", lp, 1)

#define X(name, text, detail, committed) ST_POS_##name,
typedef enum st_position { ST_POSITION_LIST(X) ST_POSITIONS } st_position;
#undef X

/* Data of a record about an event. The record's ts is the event's recv_ts, or its send_ts for SEND.
 * In a hook, context->item is the message of the event, read-only. */
typedef struct st_event_info {
    tw_lpid src;
    tw_lpid dest;
    tw_stime send_ts;
    tw_stime recv_ts;
    tw_stime prio;
} st_event_info;

/* Data of a record about a rollback. The record has no LP; its ts is GVT. */
typedef struct st_rollback_info {
    uint64_t kp;            /* index of the KP on this PE */
    uint64_t events_undone; /* number of undone events, at least 1 */
    uint64_t is_secondary;  /* 1: caused by a cancelled event, 0: by a straggler */
} st_rollback_info;

/* Data of a record about a message. The LP of the record is the sender of an outgoing message, or
 * the receiver of an incoming message. The ts of the record is GVT. */
typedef struct st_message_info {
    tw_lpid lp;
    /* 1: the message has arrived from another rank; 0: the message has been sent to another rank */
    uint64_t comes;
} st_message_info;

/* Data of a record about GVT. The record has no LP; its ts is gvt. */
typedef struct st_gvt_info {
    tw_stime gvt;    /* GVT; in GVT_BEGIN, the previous GVT */
    uint64_t events; /* number of committed events; set only in FOSSILS */
} st_gvt_info;

typedef struct st_lp_info {
    tw_lpid lp;
    uint64_t kp; /* index of the KP on this PE */
} st_lp_info;

/*
 * On the stream "warpscope.engine", records of class ST_SPECULATIVE report all engine activity,
 * including the undoing of events. These records are never withdrawn, and their member `number` is
 * 0.
 *
 * Records of class ST_COMMITTED report only activity that is the same for any number of ranks, and
 * GVT_END. In that class, a subscription to a type without committed records returns ST_INVALID.
 * Record numbers count the records of the same type and LP, from 1.
 *
 * The stream "warpscope.send" reports committed sends, with the type and struct of SEND. Its
 * records belong to the sending handler: they come in order with the other records of that handler.
 * They wait for the commit, so they cost as much as other records of handlers. A subscriber that
 * does not need this order can subscribe to COMMIT on "warpscope.engine" instead: the COMMIT record
 * of the sent event has its sender, receiver and times.
 */
#define ST_ENGINE_STREAM "warpscope.engine"
#define ST_SEND_STREAM   "warpscope.send"
/* Returns the type of the records of a position. A subscriber library calls
 * type_register("warpscope", position, &type) instead. */
st_type st_engine_type(st_position position);
/* Returns the text of a position, such as "before event". */
const char *st_position_text(st_position position);

/*
 * Two more streams repeat rows of record files while the streams have subscribers.
 * "warpscope.sample" has the samples (--enable-gvt-stats=1 and similar options), "warpscope.trace"
 * the events of --event-trace. The data of a record is a row as in the files, struct fmt_..._row in
 * format/format.h; its type is st_row_type(kind). With --event-trace=1 and 2, only subscribers of
 * class ST_SPECULATIVE get events.
 */
#define ST_SAMPLE_STREAM "warpscope.sample"
#define ST_TRACE_STREAM  "warpscope.trace"
/* Returns the type of the records that repeat rows of a kind (enum fmt_record). A subscriber
 * library calls type_register("warpscope", ST_ROW_NUMBER(kind), &type) instead. */
st_type st_row_type(unsigned kind);
#define ST_ROW_NUMBER(kind) (32u + (kind))

/* ---- Domains --------------------------------------------------------------------------------- */

/* An object to which hooks are attached. Valid until tw_end(). */
typedef struct st_domain {
    uint64_t positions; /* union of the positions of all attached hooks; ST_HOOK() tests it */
    const char *name;
} st_domain;

/* Returns the model's domain with this name, and creates the domain if there is none. name is
 * copied. If memory is exhausted, or name is NULL or empty, returns a domain to which no hook can
 * be attached. */
st_domain *st_domain_create(const char *name);
/* These functions return the domains of the engine. A KP is given by its index on this rank, an LP
 * by its gid. If the KP or LP is not on this rank, its hooks are never called. */
st_domain *st_domain_pe(void);
st_domain *st_domain_kp(tw_kpid kp);
st_domain *st_domain_lp(tw_lpid gid);

/* ---- Hooks ----------------------------------------------------------------------------------- */

/* Sets of positions, as bit masks: a single position, and all positions. The positions of a model's
 * domain are numbers from 0 to 63 that the model chooses. */
#define ST_AT(position) (UINT64_C(1) << (position))
#define ST_AT_ALL       UINT64_MAX

typedef struct st_hook_context {
    st_domain *domain;
    unsigned position;
    /* For positions about an event, the message of the event; in a model's domain, the argument
     * `item` of ST_HOOK(). */
    const void *item;
    /* A struct st_..._info; in a model's domain, the argument `detail` of ST_HOOK(). */
    const void *detail;
    tw_stime ts; /* virtual time of the running handler; outside of handlers, GVT */
} st_hook_context;

typedef void (*st_hook)(const st_hook_context *context, void *arg);

/* Attaches hook to the given positions of a domain, after the hooks that were attached before. arg
 * is passed to hook. Returns ST_OK; ST_DUPLICATE: hook is already attached to this domain with this
 * arg; ST_INVALID: domain or hook is NULL, or positions is 0; ST_NO_MEMORY. */
st_result st_hook_attach(st_domain *domain, uint64_t positions, st_hook hook, void *arg);
/* Detaches the hook that was attached with this arg. Returns ST_OK; ST_NOT_FOUND: there is no such
 * hook. */
st_result st_hook_detach(st_domain *domain, st_hook hook, void *arg);

/* A hook that is attached to a domain, as listed by st_hook_list(). */
typedef struct st_hook_info {
    st_hook hook;
    void *arg;
    uint64_t positions;
} st_hook_info;

/* Returns the number of hooks attached to a domain. Writes the first of them, at most `max`, to
 * `list`, in the order in which they are called. `list` may be NULL if `max` is 0. */
size_t st_hook_list(const st_domain *domain, st_hook_info *list, size_t max);

/* Gives a name to a position of a model's domain, for display. name is copied. Returns ST_OK;
 * ST_DUPLICATE: a previous name was replaced; ST_INVALID: domain is not a model's, name is NULL or
 * empty, or position is above 63; ST_NO_MEMORY. */
st_result st_domain_name_position(st_domain *domain, unsigned position, const char *name);
/* Returns the name of a position of a domain, valid until the run ends. For domains of the engine,
 * the name is st_position_text(position). NULL: the position has no name. */
const char *st_domain_position_name(const st_domain *domain, unsigned position);

/* Calls the hooks that are attached to a position of a model's domain. item and detail are
 * evaluated only if there is such a hook. */
#define ST_HOOK(domain, position, item, detail)                                                    \
    do {                                                                                           \
        if (__builtin_expect(((domain)->positions & ST_AT(position)) != 0, 0)) {                   \
            st_hook_invoke((domain), (position), (item), (detail));                                \
        }                                                                                          \
    } while (0)
void st_hook_invoke(st_domain *domain, unsigned position, const void *item, const void *detail);

#ifdef __cplusplus
}
#endif

#endif
