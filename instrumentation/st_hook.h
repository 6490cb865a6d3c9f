/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * st_hook.h - hooks, and the stream of engine activity. st.h includes it.
 *
 * A hook is a function that is called when something happens at a domain. A domain is the PE of
 * this rank, one of its KPs or LPs, or a named object of the model. Hooks are also called in
 * executions that may still be undone. To observe only committed events, subscribe to a stream
 * (st_bus.h).
 *
 *     static void count_it(const st_hook_context *context, void *arg) { ++*(unsigned *)arg; }
 *     ...
 *     st_hook_attach(st_domain_lp(7), ST_AT(ST_POS_BEFORE_EVENT) | ST_AT(ST_POS_SEND), count_it,
 *                    &count);
 *
 * A domain of a model, and a place in its code where hooks are called:
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
 * The positions of hooks on PEs, KPs and LPs, which are also the types of records on the stream
 * "warpscope.engine". X(NAME, text, detail, committed): the detail of hooks and the data of
 * subscribers is a struct of type st_<detail>_info. committed is 1 if subscribers of class
 * ST_COMMITTED get records of this position.
 *
 *   BEFORE_EVENT, AFTER_EVENT  an event is executed, possibly not for the last time
 *   COMMIT            an event has been committed
 *   UNDO              the execution of an event has been undone
 *   STRAGGLER         a straggler has arrived, and its KP is about to roll back
 *   SEND              an event is sent to an LP of this or another rank, also by an init function;
 *                     the LP is the sender
 *   QUEUE_PUSH, QUEUE_POP  an event has entered the pending queue, or has left it to be executed
 *   ROLLBACK          a rollback of a KP has ended
 *   RECEIVE           an event for an LP has arrived from another rank
 *   ANTI_MESSAGE      an anti-message has been sent or received
 *   GVT_BEGIN, GVT_END  this rank begins a GVT computation, or knows the new GVT and has committed;
 *                     in pairs, including the last GVT
 *   FOSSILS           all events before GVT have been committed; also after the last GVT
 *   LP_INIT, LP_FINAL after the init or final function of an LP
 *
 * Events concern their receiver (SEND: their sender), its KP and the PE. Rollbacks concern a KP and
 * the PE; GVT and fossil collection concern the PE alone.
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

/* Data of a record about an event. ts of the record: recv_ts of the event, or its send_ts for SEND.
 * item of hooks: the message of the event, read-only. */
typedef struct st_event_info {
    tw_lpid src;
    tw_lpid dest;
    tw_stime send_ts;
    tw_stime recv_ts;
    tw_stime prio;
} st_event_info;

/* Data of a record about a rollback. The record has no LP; its ts is GVT. */
typedef struct st_rollback_info {
    uint64_t kp;            /* number of the KP on this PE */
    uint64_t events_undone; /* number of undone events, at least 1 */
    uint64_t is_secondary;  /* 1: caused by a cancelled event, 0: by a straggler */
} st_rollback_info;

/* Data of a record about a message. LP of the record: the sender of an outgoing message, the
 * receiver of an incoming message. ts: GVT. */
typedef struct st_message_info {
    tw_lpid lp;
    /* 1: the message has arrived from another rank; 0: it has been sent to another rank. */
    uint64_t comes;
} st_message_info;

/* Data of a record about GVT. The record has no LP; its ts is gvt. */
typedef struct st_gvt_info {
    tw_stime gvt;    /* GVT; in GVT_BEGIN, the previous GVT */
    uint64_t events; /* number of events committed, in FOSSILS */
} st_gvt_info;

typedef struct st_lp_info {
    tw_lpid lp;
    uint64_t kp; /* number of the KP on this PE */
} st_lp_info;

/*
 * Records of class ST_SPECULATIVE report all engine activity, including the undoing of events.
 * These records are never withdrawn, and their member `number` is 0.
 *
 * Records of class ST_COMMITTED report only activity that is the same for any number of ranks
 * (except GVT_END). In that class, subscribing to a type without committed records returns
 * ST_INVALID. Record numbers count the records of the same type and LP, from 1.
 *
 * The stream "warpscope.send" reports committed sends, with the type and struct of SEND. Its
 * records count as records of the sending handler: they come in order with the handler's other
 * records, and cost as much, since they wait for the commit. A subscriber that does not need this
 * order can subscribe to COMMIT instead: the COMMIT record of the sent event has sender, receiver
 * and times.
 */
#define ST_ENGINE_STREAM "warpscope.engine"
#define ST_SEND_STREAM   "warpscope.send"
/* Returns the type of the records of a position. Libraries call type_register("warpscope",
 * position, &type). */
st_type st_engine_type(st_position position);
/* Returns the text of a position: "before event", ... */
const char *st_position_text(st_position position);

/*
 * Two more streams repeat rows of record files while they have subscribers. "warpscope.sample" has
 * the samples (--enable-gvt-stats=1 and similar options), "warpscope.trace" the events of
 * --event-trace. data is a row as in the files, struct fmt_..._row of format/format.h; the type is
 * st_row_type(kind). With --event-trace=1 and 2, only subscribers of class ST_SPECULATIVE get
 * events.
 */
#define ST_SAMPLE_STREAM "warpscope.sample"
#define ST_TRACE_STREAM  "warpscope.trace"
/* Returns the type of rows of a kind (enum fmt_record). Libraries call type_register("warpscope",
 * 32 + kind, &type). */
st_type st_row_type(unsigned kind);
#define ST_ROW_NUMBER(kind) (32u + (kind))

/* ---- Domains --------------------------------------------------------------------------------- */

/* An object to which hooks are attached. Valid until tw_end(). */
typedef struct st_domain {
    uint64_t positions; /* union of the positions of the attached hooks, for ST_HOOK() */
    const char *name;
} st_domain;

/* Returns the domain of a model with this name; creates it if there is none. name is copied. If
 * memory is exhausted, or name is NULL or empty, returns a domain to which nothing can be
 * attached. */
st_domain *st_domain_create(const char *name);
/* Return the domains of the engine. Their hooks are called if the KP (of this rank) or the LP (gid)
 * exists on this rank. */
st_domain *st_domain_pe(void);
st_domain *st_domain_kp(tw_kpid kp);
st_domain *st_domain_lp(tw_lpid gid);

/* ---- Hooks ----------------------------------------------------------------------------------- */

/* Macros for sets of positions. Positions of a model's domain are numbers from 0 to 63 that the
 * model chooses. */
#define ST_AT(position) (UINT64_C(1) << (position))
#define ST_AT_ALL       UINT64_MAX

typedef struct st_hook_context {
    st_domain *domain;
    unsigned position;
    /* Object concerned: the message of an event; in a model's domain as the model defines. */
    const void *item;
    const void *detail; /* a struct st_..._info; in a model's domain as the model defines */
    tw_stime ts;        /* virtual time of the running handler; GVT outside handlers */
} st_hook_context;

typedef void (*st_hook)(const st_hook_context *context, void *arg);

/* Attaches hook to positions of a domain, after the hooks attached before. Returns ST_OK;
 * ST_DUPLICATE: hook is already attached to this domain with this arg; ST_INVALID: domain, hook or
 * positions are missing; ST_NO_MEMORY. */
st_result st_hook_attach(st_domain *domain, uint64_t positions, st_hook hook, void *arg);
/* Detaches a hook. Returns ST_OK; ST_NOT_FOUND if the hook was not attached with this arg. */
st_result st_hook_detach(st_domain *domain, st_hook hook, void *arg);

/* A hook that is attached to a domain, as st_hook_list() returns it. */
typedef struct st_hook_info {
    st_hook hook;
    void *arg;
    uint64_t positions;
} st_hook_info;

/* Returns the number of attached hooks. The first max of them go to list, in the order of their
 * calls. list may be NULL if max is 0. */
size_t st_hook_list(const st_domain *domain, st_hook_info *list, size_t max);

/* Names a position of a model's domain, for display. name is copied. Returns ST_OK; ST_DUPLICATE: a
 * previous name was replaced; ST_INVALID: domain is not a model's, name is missing, or position is
 * above 63; ST_NO_MEMORY. */
st_result st_domain_name_position(st_domain *domain, unsigned position, const char *name);
/* Returns the name of a position, valid until the run ends; st_position_text() for domains of the
 * engine. NULL if the position has no name. */
const char *st_domain_position_name(const st_domain *domain, unsigned position);

/* Calls the hooks of a model's domain. The arguments are not evaluated if no hook is attached. */
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
