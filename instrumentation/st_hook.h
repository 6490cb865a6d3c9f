/*
 * st_hook.h - hooks, and the stream of what the engine does. st.h includes it.
 *
 * A hook is a function that is called when something happens at a domain: the PE of this rank, one
 * of its KPs or LPs, or an object of the model that has a name. It is called where it happens, in
 * executions that may still be undone; to see only what counts, subscribe to a stream (st_bus.h).
 *
 *     static void seen(const st_hook_context *context, void *arg) { ++*(unsigned *)arg; }
 *     ...
 *     st_hook_attach(st_domain_lp(7), ST_AT(ST_POS_BEFORE_EVENT) | ST_AT(ST_POS_SEND), seen,
 * &count);
 *
 * A model's own domain, and a place in its code where hooks are called:
 *
 *     st_domain *cache = st_domain_create("cache.0");            // once, before tw_run()
 *     ST_HOOK(cache, MY_HIT, line, NULL);                        // costs a test if there is none
 *
 * Hooks must not send events or draw random numbers. They may attach and detach hooks. Nothing here
 * is collective; all ends with tw_end(). The terms are those of Akita (Sun et al., MGPUSim, ISCA
 * 2019).
 */
#ifndef WARPSCOPE_ST_HOOK_H
#define WARPSCOPE_ST_HOOK_H

#include "st_bus.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- What the engine does -----------------------------------------------------------------------
 *
 * The positions of hooks on PEs, KPs and LPs, which are also the types of records on the stream
 * "warpscope.engine". X(NAME, text, detail, committed): detail is the struct that hooks get as
 * detail and subscribers as data, of type st_<detail>_info; committed says whether there are
 * records of it for subscribers of class ST_COMMITTED.
 *
 *   BEFORE_EVENT, AFTER_EVENT  an event is executed, possibly not for the last time
 *   COMMIT            it has been committed
 *   UNDO              its execution has been undone
 *   STRAGGLER         it came into the past of its KP, which is rolled back for it
 *   SEND              it is sent to an LP of this rank or of another, also by initialisations; the
 *                     LP is the sender
 *   QUEUE_PUSH, QUEUE_POP  it has come into the queue of pending events, or has left it to be
 *                     executed
 *   ROLLBACK          a rollback of a KP is over
 *   RECEIVE           an event for an LP has come from another rank
 *   ANTI_MESSAGE      an LP's event on another rank is cancelled, or one from another rank is
 *   GVT_BEGIN, GVT_END  this rank begins to compute GVT, or knows it and has committed; in pairs,
 *                     the last GVT included
 *   FOSSILS           what lies before GVT has been committed; also after the last GVT
 *   LP_INIT, LP_FINAL after an LP's init or final function
 *
 * Hooks: events concern their receiver (SEND: their sender), its KP and the PE; rollbacks a KP and
 * the PE; GVT and fossils the PE alone.
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

/* Records' ts: the event's recv_ts, SEND: its send_ts. item of hooks: its message, not to be
 * changed. */
typedef struct st_event_info {
    tw_lpid src;
    tw_lpid dest;
    tw_stime send_ts;
    tw_stime recv_ts;
    tw_stime prio;
} st_event_info;

/* Records have no LP; ts: GVT. */
typedef struct st_rollback_info {
    uint64_t kp;            /* of this PE */
    uint64_t events_undone; /* at least 1 */
    uint64_t is_secondary;  /* 0: because of a straggler, 1: an event was cancelled */
} st_rollback_info;

/* Records' LP: sender of what leaves, receiver of what comes. ts: GVT. */
typedef struct st_message_info {
    tw_lpid lp;
    uint64_t comes; /* 1: from another rank; 0: to another rank */
} st_message_info;

/* Records have no LP; ts: gvt. */
typedef struct st_gvt_info {
    tw_stime gvt;    /* GVT_BEGIN: the old one */
    uint64_t events; /* FOSSILS: so many were committed */
} st_gvt_info;

typedef struct st_lp_info {
    tw_lpid lp;
    uint64_t kp; /* of this PE */
} st_lp_info;

/*
 * Records of class ST_SPECULATIVE tell what the engine does, undoing included, and are never taken
 * back; their number is 0. Those of class ST_COMMITTED tell what is the same for any number of
 * ranks (but for GVT_END); subscribing to other types in that class is ST_INVALID. Their numbers
 * count the LP's records of the same type, from 1.
 *
 * What is sent and counts is on a stream of its own, "warpscope.send", with the type and struct of
 * SEND: these records are emitted by the handler that sends, like its own. They wait for its commit
 * and cost accordingly. Who needs to know only what was sent to whom when, not at which place of
 * the handler, finds the same in the COMMIT of the event that was sent.
 */
#define ST_ENGINE_STREAM "warpscope.engine"
#define ST_SEND_STREAM   "warpscope.send"
/* The type of records of a position. Libraries: type_register("warpscope", position, &type). */
st_type st_engine_type(st_position position);
const char *st_position_text(st_position position); /* "before event", ... */

/*
 * Two more streams repeat what is recorded, while somebody listens: "warpscope.sample" the samples
 * of --enable-gvt-stats=1 and the like, "warpscope.trace" the events of --event-trace. data is a
 * row as files have it, struct fmt_..._row of format/format.h; the type is st_row_type(kind).
 * Events of --event-trace=1 and 2 reach subscribers of class ST_SPECULATIVE only.
 */
#define ST_SAMPLE_STREAM "warpscope.sample"
#define ST_TRACE_STREAM  "warpscope.trace"
/* The type of rows of a kind, enum fmt_record. Libraries: type_register("warpscope", 32 + kind,
 * &type). */
st_type st_row_type(unsigned kind);
#define ST_ROW_NUMBER(kind) (32u + (kind))

/* ---- Domains ------------------------------------------------------------------------------------
 */

/* Where hooks are attached. Valid until tw_end(). */
typedef struct st_domain {
    uint64_t positions; /* of hooks that are attached, for ST_HOOK() */
    const char *name;
} st_domain;

/* A model's domain, made when it is new; name is copied. Out of memory, or name is NULL or empty: a
 * domain to which nothing can be attached. */
st_domain *st_domain_create(const char *name);
/* Those of the engine. Their hooks are called if the KP (of this rank), or LP (gid), exists here.
 */
st_domain *st_domain_pe(void);
st_domain *st_domain_kp(tw_kpid kp);
st_domain *st_domain_lp(tw_lpid gid);

/* ---- Hooks --------------------------------------------------------------------------------------
 */

/* Positions as sets. Those of a model's domain are its own numbers, 0 .. 63. */
#define ST_AT(position) (UINT64_C(1) << (position))
#define ST_AT_ALL       UINT64_MAX

typedef struct st_hook_context {
    st_domain *domain;
    unsigned position;
    const void *item;   /* what it happens to: an event's message, or up to the model */
    const void *detail; /* more about it: a struct st_..._info, or up to the model */
    tw_stime ts;        /* virtual time of the handler that runs; else GVT */
} st_hook_context;

typedef void (*st_hook)(const st_hook_context *context, void *arg);

/* Calls hook at some positions of a domain, after those attached before. ST_OK; ST_DUPLICATE: it is
 * attached to this domain with this arg; ST_INVALID: no domain, hook or position; ST_NO_MEMORY. */
st_result st_hook_attach(st_domain *domain, uint64_t positions, st_hook hook, void *arg);
/* ST_OK: it is not called any more; ST_NOT_FOUND. */
st_result st_hook_detach(st_domain *domain, st_hook hook, void *arg);

/* What is attached to a domain. */
typedef struct st_hook_info {
    st_hook hook;
    void *arg;
    uint64_t positions;
} st_hook_info;

/* How many hooks are attached; the first max of them, in the order of their calls, go to list (NULL
 * if max is 0). */
size_t st_hook_list(const st_domain *domain, st_hook_info *list, size_t max);

/* Gives a position of a model's domain a name, which is copied, for tools and people. ST_OK;
 * ST_DUPLICATE: it had another one, which is replaced; ST_INVALID: no domain of a model, no name,
 * or a position above 63; ST_NO_MEMORY. */
st_result st_domain_name_position(st_domain *domain, unsigned position, const char *name);
/* Its name, valid until the run ends; those of the engine's domains are st_position_text()'s. NULL:
 * it has none. */
const char *st_domain_position_name(const st_domain *domain, unsigned position);

/* Calls the hooks of a model's domain. Arguments are not evaluated if there are none. */
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
