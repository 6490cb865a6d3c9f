/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * engine_probes.c - turns each call of a probe into a record, a call of hooks, or both.
 *
 * Committed records of an event need no copy, because the commit provides all of their data.
 * Records of sent events are an exception: each is a record of the handler that sent the event,
 * deferred like all records of handlers (deferred.h), on a stream of its own.
 *
 * Cost: for a call of a probe, building the record or the struct hook_place; for "warpscope.send",
 * emitting a record.
 */
#include "bus/sources/engine_probes.h"

#include <assert.h>
#include <stddef.h>

#include "bus/bus.h"
#include "bus/deferred.h"
#include "bus/sources/engine_stream.h"
#include "bus/sources/hooks.h"
#include "bus/state.h"

/* The first members of tw_event are those of st_event_info. Probes therefore pass an event as the
 * data of its record. */
_Static_assert(offsetof(tw_event, send_lp) == 0 && offsetof(st_event_info, src) == 0 &&
                   offsetof(tw_event, dest_lpid) == offsetof(st_event_info, dest) &&
                   offsetof(tw_event, send_ts) == offsetof(st_event_info, send_ts) &&
                   offsetof(tw_event, recv_ts) == offsetof(st_event_info, recv_ts) &&
                   offsetof(tw_event, prio) == offsetof(st_event_info, prio),
               "st_event_info is the first part of tw_event");

/* Set of the positions whose hooks run in the LP's handler. Records that these hooks emit belong to
 * the handler. */
#define OF_HANDLERS                                                                                \
    (ST_AT(ST_POS_BEFORE_EVENT) | ST_AT(ST_POS_AFTER_EVENT) | ST_AT(ST_POS_SEND) |                 \
     ST_AT(ST_POS_COMMIT) | ST_AT(ST_POS_LP_INIT) | ST_AT(ST_POS_LP_FINAL))

static inline bool is_in(uint32_t set, st_position position)
{
    return (set & ST_AT(position)) != 0;
}

/* ---- Delivery -------------------------------------------------------------------------------- */

static st_record record_of(const struct engine_stream *engine, st_position position,
                           const void *info, size_t size)
{
    assert((unsigned)position < ST_POSITIONS && g_tw_pe != NULL);
    return (st_record){.stream = engine->stream,
                       .type = engine->types[position],
                       .size = (uint32_t)size,
                       .data = info,
                       .lp = ST_NO_LP,
                       .ts = g_tw_pe->GVT};
}

static __attribute__((noinline)) void call_hooks(const st_record *record,
                                                 const struct hook_place *place)
{
    if (is_in(OF_HANDLERS, (st_position)place->position)) {
        hooks_call(&g_st_hooks, place);
        return;
    }
    struct deferred_answer before = deferred_answer_begin(record, ST_SPECULATIVE);
    hooks_call(&g_st_hooks, place);
    deferred_answer_end(before);
}

/* Delivers a record to speculative subscribers, then calls the hooks for `place`. */
static void emit_at(const struct engine_stream *engine, const st_record *record,
                    const struct hook_place *place)
{
    st_position position = (st_position)place->position;
    if (is_in(engine->speculative, position)) {
        deferred_dispatch(record, ST_SPECULATIVE);
    }
    if (is_in(engine->hooked, position)) {
        call_hooks(record, place);
    }
}

/* Delivers the record about an event and calls the hooks. Not inlined, so that commits do not pay
 * for the stack frame of this function. */
static __attribute__((noinline)) void emit_event_at(const struct engine_stream *engine,
                                                    st_position position, const tw_event *e)
{
    st_record record = record_of(engine, position, e, sizeof(st_event_info));
    record.lp = e->dest_lpid;
    record.ts = e->recv_ts;
    emit_at(engine, &record,
            &(struct hook_place){.lp = e->dest_lp,
                                 .kp = e->dest_lp->kp,
                                 .position = position,
                                 .item = probe_message(e),
                                 .detail = e});
}

static void emit_event(const struct engine_stream *engine, st_position position, const tw_event *e)
{
    if (is_in(engine->speculative | engine->hooked, position)) {
        emit_event_at(engine, position, e);
    }
}

/* ---- Events ---------------------------------------------------------------------------------- */

void engine_on_event_starting(void *ctx, const tw_event *e, const tw_lp *ahead)
{
    (void)ahead;
    emit_event(ctx, ST_POS_BEFORE_EVENT, e);
}

void engine_on_event_executed(void *ctx, const tw_event *e, const tw_lp *ahead)
{
    (void)ahead;
    emit_event(ctx, ST_POS_AFTER_EVENT, e);
}

void engine_on_event_undone(void *ctx, const tw_event *e, bool state_restored)
{
    (void)state_restored;
    emit_event(ctx, ST_POS_UNDO, e);
}

/* Fills the record of a commit. Commits occur one after another, and never within the delivery of
 * another record. They therefore share one record, and need not save and restore a context. */
static inline const st_record *begin_commit(struct engine_stream *engine, const tw_event *e,
                                            const tw_lp *ahead)
{
    assert(g_st_deferred.answer.answered == NULL);
    probe_prefetch(ahead, engine->commits, sizeof *engine->commits);
    st_record *record = &engine->commit;
    record->data = e;
    record->lp = e->dest_lpid;
    record->ts = e->recv_ts;
    record->number = ++engine->commits[e->dest_lp->id];
    g_st_deferred.answer.answered = record;
    g_st_deferred.answer.records = ST_COMMITTED;
    return record;
}

static inline void end_commit(void)
{
    g_st_deferred.answer.answered = NULL;
}

/* Delivers the record of a commit to its only callback. Used instead of bus_dispatch() if there is
 * only one callback and no other call is in progress. */
static inline void emit_commit_to_one(struct engine_stream *engine, const tw_event *e,
                                      const tw_lp *ahead)
{
    struct dispatching *dispatching = &g_st_bus.dispatching;
    const struct callee *listener = engine->commit_listener;
    const st_record *record = begin_commit(engine, e, ahead);
    assert(dispatching->depth == 0);
    dispatching->depth = 1;
    probe_commit_enter(engine->guard, listener->name);
    listener->callback(record, listener->arg);
    probe_commit_leave(engine->guard);
    end_commit();
    dispatching->depth = 0;
    if (__builtin_expect(dispatching->retired != NULL, 0)) {
        callees_free_retired(dispatching);
    }
}

static __attribute__((noinline)) void emit_commit_to_all(struct engine_stream *engine,
                                                         const tw_event *e, const tw_lp *ahead)
{
    deferred_deliver(&g_st_deferred, e, e->dest_lp, e->recv_ts);
    if (is_in(engine->committed, ST_POS_COMMIT)) {
        bus_dispatch(begin_commit(engine, e, ahead), ST_COMMITTED);
        end_commit();
    }
    emit_event(engine, ST_POS_COMMIT, e);
}

/* The slow path is a separate function, so that this fast path does not pay for a stack frame. */
void engine_on_event_committed(void *ctx, const tw_event *e, const tw_lp *ahead)
{
    struct engine_stream *engine = ctx;
    if (engine->commit_listener != NULL && !deferred_any(&g_st_deferred) &&
        engine->guard->unchecked > 0) {
        emit_commit_to_one(engine, e, ahead);
    } else {
        emit_commit_to_all(engine, e, ahead);
    }
}

void engine_on_queue_pushed(void *ctx, const tw_event *e)
{
    emit_event(ctx, ST_POS_QUEUE_PUSH, e);
}

void engine_on_queue_popped(void *ctx, const tw_event *e)
{
    emit_event(ctx, ST_POS_QUEUE_POP, e);
}

void engine_on_event_sent(void *ctx, const tw_event *e)
{
    const struct engine_stream *engine = ctx;
    st_record record = record_of(engine, ST_POS_SEND, e, sizeof(st_event_info));
    if (engine->sends_are_wanted) {
        record.stream = engine->sends;
        deferred_emit(&record);
        record.stream = engine->stream;
    }
    if (is_in(engine->speculative | engine->hooked, ST_POS_SEND)) {
        /* The LP and the time are taken from the event: a function of the PE possibly sends it
         * while no handler of an LP runs. */
        const tw_lp *sender = tw_getlocal_lp(e->send_lp);
        record.lp = e->send_lp;
        record.ts = e->send_ts;
        emit_at(engine, &record,
                &(struct hook_place){.lp = sender,
                                     .kp = sender->kp,
                                     .position = ST_POS_SEND,
                                     .item = probe_message(e),
                                     .detail = e});
    }
}

/* ---- Rollbacks and messages ------------------------------------------------------------------ */

void engine_on_rollback_begin(void *ctx, const tw_event *e, enum probe_rollback why)
{
    if (why == PROBE_ROLLBACK_PRIMARY) {
        emit_event(ctx, ST_POS_STRAGGLER, e);
    }
}

void engine_on_rollback_end(void *ctx, tw_kp *kp, enum probe_rollback why, uint64_t events_undone)
{
    const struct engine_stream *engine = ctx;
    st_rollback_info info = {.kp = kp->id,
                             .events_undone = events_undone,
                             .is_secondary = why == PROBE_ROLLBACK_SECONDARY};
    st_record record = record_of(engine, ST_POS_ROLLBACK_END, &info, sizeof(info));
    emit_at(engine, &record,
            &(struct hook_place){.kp = kp, .position = ST_POS_ROLLBACK_END, .detail = &info});
}

static void message(const struct engine_stream *engine, const tw_lp *lp, bool anti, bool comes)
{
    st_position position = anti ? ST_POS_ANTI_MESSAGE : ST_POS_RECEIVE;
    if (!is_in(engine->speculative | engine->hooked, position)) {
        return;
    }
    st_message_info info = {.lp = lp->gid, .comes = comes};
    st_record record = record_of(engine, position, &info, sizeof(info));
    record.lp = lp->gid;
    emit_at(engine, &record,
            &(struct hook_place){.lp = lp, .kp = lp->kp, .position = position, .detail = &info});
}

void engine_on_message_sent(void *ctx, tw_lp *source, bool anti)
{
    if (anti) { /* only anti-messages are reported here; events that are sent have SEND records */
        message(ctx, source, true, false);
    }
}

void engine_on_message_received(void *ctx, tw_lp *dest, bool anti)
{
    message(ctx, dest, anti, true);
}

/* ---- GVT and LPs ----------------------------------------------------------------------------- */

static void emit_gvt(const struct engine_stream *engine, st_position position, tw_stime gvt,
                     uint64_t events)
{
    assert(g_st_deferred.answer.answered == NULL);
    st_gvt_info info = {.gvt = gvt, .events = events};
    st_record record = record_of(engine, position, &info, sizeof(info));
    record.ts = gvt;
    if (is_in(engine->committed, position)) {
        deferred_dispatch(&record, ST_COMMITTED);
    }
    emit_at(engine, &record, &(struct hook_place){.position = position, .detail = &info});
}

void engine_on_gvt_started(void *ctx, const tw_pe *pe)
{
    emit_gvt(ctx, ST_POS_GVT_BEGIN, pe->GVT, 0);
}

void engine_on_gvt_finished(void *ctx, const tw_pe *pe, tw_stime gvt)
{
    (void)pe;
    emit_gvt(ctx, ST_POS_GVT_END, gvt, 0);
}

void engine_on_fossils_collected(void *ctx, const tw_pe *pe, tw_stime gvt, uint64_t n)
{
    (void)pe;
    emit_gvt(ctx, ST_POS_FOSSILS, gvt, n);
}

static void emit_lp(const struct engine_stream *engine, st_position position, const tw_lp *lp)
{
    st_lp_info info = {.lp = lp->gid, .kp = lp->kp->id};
    st_record record = record_of(engine, position, &info, sizeof(info));
    record.lp = lp->gid;
    record.ts = probe_now().ts;
    if (is_in(engine->committed, position)) {
        record.number = 1; /* an LP has only one record of this type, so its number is 1 */
        deferred_dispatch(&record, ST_COMMITTED);
    }
    record.number = 0;
    emit_at(engine, &record,
            &(struct hook_place){.lp = lp, .kp = lp->kp, .position = position, .detail = &info});
}

void engine_on_lp_init(void *ctx, tw_lp *lp)
{
    emit_lp(ctx, ST_POS_LP_INIT, lp);
}

void engine_on_lp_final(void *ctx, tw_lp *lp)
{
    emit_lp(ctx, ST_POS_LP_FINAL, lp);
}
