/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * send.c - creation of events, and their way to the pending queue (enqueue.c) or to another rank
 * (wire_out.c).
 *
 * Each new event draws one number from its sender's core stream; this number orders simultaneous
 * events. The engine counts these draws in the current event, and undoes them if that event is
 * rolled back.
 */
#include <assert.h>

#include "base/rng.h"
#include "engine/checks/fences.h"
#include "engine/engine.h"
#include "engine/process/run.h"

#define CLEARED_INLINE 64u /* messages up to this size in bytes are cleared by inline code */

static _Noreturn void refuse_offset(const tw_lp *sender, tw_lpid dest, tw_stime offset)
{
    engine_refuse_observer(pe_of(sender->pe), "makes an event");
    tw_error(TW_LOC,
             "LP %" PRIu64 " at time %.17g sends an event to LP %" PRIu64
             " with offset %g: offsets "
             "must be finite and not negative",
             sender->gid, tw_now(sender), dest, offset);
}

static _Noreturn void refuse_place(const tw_lp *sender, const tw_event *cause)
{
    engine_refuse_observer(pe_of(sender->pe), "makes an event");
    tw_error(TW_LOC,
             "LP %" PRIu64 " makes an event %s: only init, pre_run and forward handlers may "
             "send events",
             sender->gid,
             cause != NULL ? "in a reverse or commit handler"
                           : "outside of an event (final, a hook)");
}

/* Ends the run because the sender is not the LP of the current handler. A rollback would undo draws
 * from the stream of the wrong LP. */
static _Noreturn void refuse_sender(const tw_lp *sender, const tw_event *cause)
{
    engine_refuse_observer(pe_of(sender->pe), "makes an event");
    tw_error(TW_LOC,
             "LP %" PRIu64 " makes an event in the name of LP %" PRIu64
             ": a handler may send for its own LP only",
             cause->dest_lpid, sender->gid);
}

static _Noreturn void refuse_dest(const struct pe *pe, const tw_lp *sender, tw_lpid dest)
{
    engine_refuse_observer(pe, "makes an event");
    tw_error(TW_LOC,
             "LP %" PRIu64 " at time %.17g sends an event to LP %" PRIu64
             ", but there are only %" PRIu64 " LPs, with numbers up to %" PRIu64,
             sender->gid, tw_now(sender), dest, pe->mapping.total, pe->mapping.end - 1);
}

/* Ends the run unless a new event is valid: sending is allowed here, sender is the current LP, and
 * dest exists. Further conditions: offset >= 0, the receive time is finite, and prio is in [0,
 * 1]. */
static void check_new_event(const struct pe *pe, tw_lpid dest, tw_stime offset, tw_stime prio,
                            const tw_lp *sender)
{
    const tw_event *cause = pe->head.cur_event;
    if (cause != NULL ? cause->state.owner != EVENT_PROCESSING : !pe->initialising) {
        refuse_place(sender, cause);
    }
    if (cause != NULL && cause->dest_lp != sender && cause != pe->head.abort_event) {
        refuse_sender(sender, cause);
    }
    if (!(offset >= 0.0) || !(tw_now(sender) + offset <= DBL_MAX)) {
        refuse_offset(sender, dest, offset);
    }
    if (dest >= pe->dest_end) {
        refuse_dest(pe, sender, dest);
    }
    if (!(prio >= 0.0 && prio <= 1.0)) {
        tw_error(TW_LOC,
                 "LP %" PRIu64 " at time %.17g sends an event of priority %g: priorities lie in "
                 "[0, 1]",
                 sender->gid, tw_now(sender), prio);
    }
}

static _Noreturn void out_of_memory(const struct pe *pe)
{
    tw_error(TW_LOC,
             "out of event memory: %" PRIu64
             " events of %zu bytes are alive on this rank at GVT %g "
             "and --max-memory allows %zu MiB; raise it, or use more ranks",
             pe->pool.in_use, pe->pool.event_size, pe->head.GVT, pe->memory_limit_bytes >> 20);
}

void engine_refuse_chain(const tw_event *event)
{
    tw_error(TW_LOC,
             "LP %" PRIu64 " at time %.17g: a chain of more than %d events with offset 0, each "
             "caused by the one before; give one of them a positive offset",
             event->dest_lp->gid, event->recv_ts, MAX_TIE_CHAIN);
}

/* Ends the run because an event has sent another one whose lineage would be too long. In an
 * optimistic run, the event may later be undone; this function then only adds a note to it, which
 * ends the run if the event commits. */
static __attribute__((cold, noinline)) void note_chain(struct pe *pe, tw_event *event)
{
    if (!pe_keeps_history(pe) || event == pe->head.abort_event) {
        engine_refuse_chain(event);
    }
    if (event_pool_add_note(&pe->pool, event, NOTE_TOO_DEEP, 0) == NULL) {
        out_of_memory(pe);
    }
    pe->probes.wanted |= PROBE_ENGINE_COMMITS;
}

/* Sets the lineage of an event that has the same time stamp as its cause. The event must come after
 * its cause in the order. Its lineage is therefore that of the cause plus its own number, and its
 * priority is not better than that of the cause. Returns false if the lineage would be too long. */
static __attribute__((noinline)) bool append_lineage(struct pe *pe, tw_event *event,
                                                     tw_event *cause)
{
    assert(cause->state.lineage_len >= 1);
    unsigned length = cause->state.lineage_len + 1u;
    if (length > MAX_TIE_CHAIN) {
        note_chain(pe, cause);
        return false;
    }
    double rest[MAX_TIE_CHAIN];
    event_copy_lineage(cause, rest);
    rest[length - 2] = event->tie;
    if (!event_pool_add_lineage(&pe->pool, event, rest, length - 1)) {
        tw_error(TW_LOC, "out of event memory; raise --max-memory");
    }
    event->tie = cause->tie;
    event->state.lineage_len = length & 0x7f;
    event->prio = event->prio > cause->prio ? event->prio : cause->prio;
    return true;
}

/* Handles a lack of memory for an event. Ends the run, except during LP initialisation: there,
 * counts the missing event and returns a dummy event; see engine_check_first_events(). */
static __attribute__((cold, noinline)) tw_event *no_event(struct pe *pe)
{
    if (!pe->initialising) {
        out_of_memory(pe);
    }
    pe->first_missing++;
    memset(event_payload(pe->past_end_event), 0, pe->msg_bytes);
    return pe->past_end_event;
}

/* Adds an event to the list of unsent events. The list is doubly linked, since events may be sent
 * in any order. The member prev points to the next event of the list. caused_by_me, which unsent
 * events do not use otherwise, points to the previous one. */
static inline void add_to_unsent(struct pe *pe, tw_event *event)
{
    assert(event->caused_by_me == NULL);
    event->prev = pe->unsent;
    if (pe->unsent != NULL) {
        pe->unsent->caused_by_me = event;
    }
    pe->unsent = event;
}

static inline void take_from_unsent(struct pe *pe, tw_event *event)
{
    tw_event *previous = event->caused_by_me;
    if (previous == NULL) { /* nearly always true */
        pe->unsent = event->prev;
    } else {
        previous->prev = event->prev;
        event->caused_by_me = NULL;
    }
    if (event->prev != NULL) {
        event->prev->caused_by_me = previous;
    }
}

/* Counts an event past the end time in the counters and in its cause. If the cause is rolled back,
 * the counters are reduced by the count in the cause. probe_events_sent() uses this count, too. */
static inline void count_past_end(struct pe *pe, tw_event *cause)
{
    pe->counters.events_past_end++;
    const uint32_t wanted = PROBES_WANTED(&pe->probes);
    if (cause == NULL || (wanted & (PROBE_ENGINE_HISTORY | PROBE_BIT(event_tied))) == 0) {
        return;
    }
    /* The count in the cause is full: moves it to a note. */
    if (cause->past_end == PAST_END_OF_NOTE) {
        if (event_pool_add_note(&pe->pool, cause, NOTE_PAST_END, 0) == NULL) {
            out_of_memory(pe);
        }
        cause->past_end = 0;
    }
    cause->past_end++;
}

/* Warns, once per rank, of an offset below the lookahead. A conservative run continues, since the
 * event may still arrive in time; see check_lookahead() in enqueue.c. */
static __attribute__((noinline)) void warn_of_offset(struct pe *pe, const tw_event *event)
{
    assert(event->dest_lp == NULL);
    if (!pe->short_offset_warned) {
        pe->short_offset_warned = true;
        char setter[RUN_LOOKAHEAD_MAX];
        tw_warning(TW_LOC,
                   "LP %" PRIu64 " at time %.17g sends an event with offset %g to LP %" PRIu64
                   " on rank %u, less than the lookahead %g; lower %s, or "
                   "the run ends when such an event comes too late",
                   event->send_lp, event->send_ts, event->recv_ts - event->send_ts,
                   event->dest_lpid, event->send_pe, pe->lookahead, run_lookahead_setter(setter));
    }
}

/* Clears a message, since models may read bytes that no handler has written. Data of earlier events
 * in these bytes would make results depend on the schedule. Cost: 0 to 4 % of PHOLD's speed with
 * messages of 8 to 1024 bytes (phold --synch=1 --nlp=4096 --payload=N). */
static inline void clear_message(const struct pe *pe, tw_event *event)
{
    unsigned char *at = event_payload(event);
    /* Events have space for a multiple of 16 bytes. */
    size_t bytes = (pe->msg_bytes + 15) & ~(size_t)15;
    if (bytes > CLEARED_INLINE) {
        memset(at, 0, bytes);
        return;
    }
    for (; bytes > 0; bytes -= 16) {
        memset(at + bytes - 16, 0, 16);
    }
}

tw_event *tw_event_new_user_prio(tw_lpid dest, tw_stime offset, tw_lp *sender, tw_stime prio)
{
    struct pe *pe = pe_of(sender->pe);
    tw_event *cause = pe->head.cur_event;
    double now = tw_now(sender);
    double recv_ts = now + offset;

    check_new_event(pe, dest, offset, prio, sender);
    double tie = rng_draw(&sender->core_rng[0]);
    if (cause != NULL) {
        cause->core_draws++;
    }
    if (recv_ts >= pe->end_time) {
        count_past_end(pe, cause);
        clear_message(pe, pe->past_end_event);
        return pe->past_end_event;
    }
    tw_event *event = event_pool_get(&pe->pool);
    if (__builtin_expect(event == NULL, 0)) {
        return no_event(pe);
    }
    event->recv_ts = recv_ts;
    event->prio = prio;
    event->tie = tie;
    event_clear_effects(event);
    clear_message(pe, event);
    event->send_ts = now;
    event->send_lp = sender->gid;
    event->dest_lpid = dest;
    event->send_order = 0;
    event->state.remote = 0;
    event->state.lineage_len = 1;
    event->handle = EVENT_HANDLE_NONE;
    event->dest_lp = mapping_local(&pe->mapping, &pe->lps, dest, sender->type);
    if (event->dest_lp == NULL) {
        event->send_pe = mapping_rank(&pe->mapping, dest, sender->type);
        if (pe->synch == CONSERVATIVE && offset < pe->lookahead && !pe->initialising &&
            !pe->settled) {
            warn_of_offset(pe, event);
        }
    }
    if (recv_ts == now && cause != NULL && !append_lineage(pe, event, cause)) {
        event_pool_put(&pe->pool, event);
        clear_message(pe, pe->past_end_event);
        return pe->past_end_event;
    }
    add_to_unsent(pe, event);
    return event;
}

tw_event *tw_event_new(tw_lpid dest, tw_stime offset, tw_lp *sender)
{
    return tw_event_new_user_prio(dest, offset, sender, 1.0);
}

void *tw_event_data(tw_event *event)
{
    return event_payload(event);
}

void engine_drop_unsent(struct pe *pe)
{
    while (pe->unsent != NULL) {
        tw_event *event = pe->unsent;
        pe->unsent = event->prev;
        event_pool_put(&pe->pool, event);
        tw_event *cause = pe->head.cur_event;
        if (PROBE_IS_WANTED(&pe->probes, event_tied) && cause != NULL &&
            event_pool_add_note(&pe->pool, cause, NOTE_UNSENT, 0) == NULL) {
            out_of_memory(pe);
        }
    }
}

/* Slow path of a send: ends the run if an observer sends, and checks the fence of the event. Then
 * sets the send_order of the event, and calls the probe event_sent. */
static void show_sent(struct pe *pe, tw_event *event)
{
    engine_refuse_observer(pe, "sends an event");
    if ((PROBES_WANTED(&pe->probes) & PROBE_ENGINE_FENCES) != 0) {
        fences_check_sent(pe, event);
    }
    if ((PROBES_WANTED(&pe->probes) & PROBE_ENGINE_NUMBERS) != 0) {
        event->send_order = pe->send_order;
    }
    if (PROBE_IS_WANTED(&pe->probes, event_sent)) {
        PROBE_CALL(&pe->probes, event_sent, event);
    }
}

#define SEND_WATCHED                                                                               \
    (PROBE_BIT(event_sent) | PROBE_ENGINE_GUARD | PROBE_ENGINE_FENCES | PROBE_ENGINE_NUMBERS)

/* Adds an event to *list, a list of events that its cause sent. Undoing the cause then cancels the
 * event. */
static inline void list_with_cause(tw_event **list, tw_event *event)
{
    event->prev = *list;
    *list = event;
}

/* Slow path of send_local(): calls the observers of sent events, if there are any. engine_enqueue()
 * then checks whether the event is a straggler. */
static __attribute__((noinline)) void send_local_watched(struct pe *pe, tw_event *event)
{
    const uint32_t watched = PROBES_WANTED(&pe->probes) & SEND_WATCHED;
    if (watched == PROBE_ENGINE_NUMBERS) {
        event->send_order = pe->send_order;
    } else if (watched != 0) {
        show_sent(pe, event);
    }
    engine_enqueue(pe, event);
}

/* Sends a local event. In runs without rollback, one test covers all unusual cases. */
static inline void send_local(struct pe *pe, tw_event *cause, tw_event *event)
{
    assert(event->dest_lp != NULL);
    const uint32_t history = PROBE_ENGINE_HISTORY;
    uint32_t wanted = PROBES_WANTED(&pe->probes) & (SEND_WATCHED | ENGINE_PUSH_WATCHED | history);
    bool usual = true;
    if (wanted != 0) {
        if ((wanted & history) != 0 && cause != NULL) {
            list_with_cause(&cause->caused_by_me, event);
        }
        usual = wanted == history && !engine_is_straggler(pe, event);
    }
    if (usual) {
        pending_push(pe->pending, event);
    } else {
        send_local_watched(pe, event);
    }
}

/* Sends an event to another rank. Not inlined, so that local sends have the smallest possible stack
 * frame. */
static __attribute__((noinline)) void send_remote(struct pe *pe, tw_event *cause, tw_event *event)
{
    bool may_be_cancelled = pe_keeps_history(pe) && cause != NULL;
    if ((PROBES_WANTED(&pe->probes) & SEND_WATCHED) != 0) {
        show_sent(pe, event);
    }
    const int32_t send_order = event->send_order;
    if (may_be_cancelled) {
        remote_table_take_handle(&pe->remotes, event); /* overwrites send_order with event_id */
        list_with_cause(&cause->sent, event);
    }
    engine_send_remote(pe, event, send_order);
    event_move(event, EVENT_NEW, EVENT_SENT);
    if (!may_be_cancelled) {
        event_pool_put(&pe->pool, event);
    }
}

void tw_event_send(tw_event *event)
{
    struct pe *pe = pe_self();
    tw_event *cause = pe->head.cur_event;
    if (event == pe->past_end_event) {
        if (pe->pool.fence_bytes > 0) {
            fences_check_sent(pe, event);
        }
        return;
    }
    if (event->state.owner != EVENT_NEW) {
        tw_error(TW_LOC, "tw_event_send() of an event that was sent before (to LP %" PRIu64 ")",
                 event->dest_lpid);
    }
    take_from_unsent(pe, event);
    if (event->dest_lp != NULL) {
        send_local(pe, cause, event);
        return;
    }
    send_remote(pe, cause, event);
}
