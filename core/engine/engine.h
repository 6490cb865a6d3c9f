/* SPDX-License-Identifier: BSD-3-Clause */
/* engine.h - operations that schedulers perform on a PE: receive, execute, roll back, commit. */
#ifndef WARPSCOPE_ENGINE_ENGINE_H
#define WARPSCOPE_ENGINE_ENGINE_H

#include <assert.h>

#include "engine/lps/lps.h"
#include "engine/pe/pe.h"
#include "engine/process/observers.h"

/* The next two functions are defined in lp_life.c. */
/* Calls init of each LP; after all ranks have done so, calls pre_run of each LP. Collective. */
void engine_init_lps(struct pe *pe);
/* Calls final of each LP, then final of the PE. */
void engine_finish_lps(struct pe *pe);

/* Bits of the probe table that make engine_push() take its slow path (push.c). They are set if the
 * current turn of the scheduler's loop is timed (phases.h), or if the probe queue_pushed has
 * functions. */
#define ENGINE_PUSH_WATCHED (PROBE_ENGINE_TIMED | PROBE_BIT(queue_pushed))
void engine_push_watched(struct pe *pe, tw_event *event);
/* Puts an event into the pending queue. */
static inline void engine_push(struct pe *pe, tw_event *event)
{
    if ((PROBES_WANTED(&pe->probes) & ENGINE_PUSH_WATCHED) != 0) {
        engine_push_watched(pe, event);
    } else {
        pending_push(pe->pending, event);
    }
}

/* Returns true if the event precedes an event that its KP has executed. Valid only in runs that
 * keep the executed events. */
static inline bool engine_is_straggler(const struct pe *pe, const tw_event *event)
{
    assert(pe_keeps_history(pe));
    if (event->recv_ts > pe->latest_ts) {
        return false; /* exits early, to avoid a cache miss on the LP */
    }
    const struct kp *kp = kp_of(event->dest_lp->kp);
    return event->recv_ts <= kp->head.last_time && !kp_is_empty(kp) &&
           event_compare(event, kp_youngest(kp)) < 0;
}
/* Puts an event for a local LP into the pending queue. If the event is a straggler, first rolls
 * back its KP. */
void engine_enqueue(struct pe *pe, tw_event *event);
/* Like engine_enqueue(), but for an event that came from another rank. A conservative run ends with
 * an error if the event comes too late. */
void engine_enqueue_received(struct pe *pe, tw_event *event);

/* Defined in send.c. Frees the events that the model created and did not send. */
void engine_drop_unsent(struct pe *pe);
/* Defined in wire_in.c. Receives the messages that have arrived from other ranks. Returns true if
 * there were any. */
bool engine_receive(struct pe *pe);

/* The next five functions are defined in overdraft.c. */
/* Permits the event memory of an optimistic run to exceed its limit for a short time. */
void engine_allow_overdraft(struct pe *pe);
/* Returns the number of bytes of event memory in use beyond the limit of --max-memory. */
uint64_t engine_overdrawn_bytes(struct pe *pe);
/* Undoes all uncommitted events of this rank. Called after a GVT computation in which at least one
 * rank used more memory than its limit. */
void engine_retreat(struct pe *pe);
/* Called when all ranks have undone their uncommitted events and all messages have arrived: ends
 * the run if this rank still exceeds its limit. */
void engine_check_retreated(struct pe *pe);
/* Ends the program with status 2 if init and pre_run sent more events than fit into memory.
 * Collective. */
void engine_check_first_events(struct pe *pe);

/* Defined in idle.c. Called repeatedly while the rank has nothing to do: returns at once in the
 * first calls, yields the processor or sleeps in later ones. *idle_rounds: number of calls in a row
 * so far, counted by this function. */
void engine_idle(struct pe *pe, unsigned *idle_rounds);
/* Yields the processor: for a rank that waits for what no message tells it. */
void engine_yield(struct pe *pe);
/* Like engine_idle(), for a rank that waits only for the end of the current GVT computation. */
void engine_await_gvt(struct pe *pe, unsigned *idle_rounds);

/* Defined in execute.c. Executes an event taken from the pending queue. */
void engine_execute(struct pe *pe, tw_event *event);
/* Like engine_execute(), for timed turns and rare combinations of probes. The caller must switch
 * the phase (phases.h) afterwards. */
void engine_execute_timed(struct pe *pe, tw_event *event);

/* The next five functions are defined in rollback.c. */
/* Rolls back kp because `event` is a straggler: kp has executed events that come after it. */
void engine_rollback_straggler(struct pe *pe, struct kp *kp, tw_event *event);
/* Rolls back kp to the state just before `event`, which is an event that kp has executed. */
void engine_rollback_to(struct pe *pe, struct kp *kp, tw_event *event, enum probe_trigger trigger);
/* Undoes all uncommitted events of every KP. */
void engine_rollback_all(struct pe *pe);
/* Undoes all uncommitted events of kp without calling rollback probes. */
void engine_undo_all(struct pe *pe, struct kp *kp);
/* Cancels an event of this PE, be it pending or executed. */
void engine_cancel(struct pe *pe, tw_event *event);

/* Defined in random_rollback.c, for optimistic runs only. engine_random_rollbacks_init() sets up
 * random rollbacks, on average one in `one_in` batches (0: none). engine_random_rollback(), called
 * after each batch, decides at random whether to perform one. */
void engine_random_rollbacks_init(struct pe *pe, uint64_t one_in);
void engine_random_rollback(struct pe *pe);

/* The next three functions are defined in gvt_hook.c. */
/* Calls g_tw_gvt_hook if it is due at the new GVT. */
void engine_gvt_hook(struct pe *pe);
/* At the start of the run: if the model has chosen a time for the call of g_tw_gvt_hook, schedules
 * the call. */
void engine_begin_gvt_hook(struct pe *pe);
/* Calls g_tw_gvt_hook for the last time, at the end of the run. */
void engine_last_gvt_hook(struct pe *pe);

/* The next six functions are defined in withdraw.c. */
/* engine_open_hook() and engine_close_hook() enclose, within a call of g_tw_gvt_hook, the time in
 * which the hook may change events. */
void engine_open_hook(struct pe *pe);
void engine_close_hook(struct pe *pe);
/* Undoes all events that GVT has not passed, and waits until all messages have arrived. The pending
 * events of all ranks are then exactly those that committed events have sent. Collective. */
void engine_settle(struct pe *pe);
/* Frees all pending and withdrawn events, after engine_settle(). */
void engine_drop_events(struct pe *pe);
/* Adds an event in state EVENT_NEW, which is in no queue, to the list of withdrawn events. */
void engine_withdraw(struct pe *pe, tw_event *event);
/* Calls `visit` for each withdrawn event. The return value is as for pending_each(). For
 * checkpoints. */
bool engine_each_withdrawn(const struct pe *pe, pending_visit_f visit, void *ctx);

/* Defined in wire_out.c: these functions send events and anti-messages to other ranks. send_order
 * is passed separately, because its member in the event shares memory with event_id, which may have
 * replaced it. */
void engine_send_remote(struct pe *pe, tw_event *event, int32_t send_order);
void engine_send_anti(struct pe *pe, tw_event *event);
/* Returns the length of the longest message on the wire, in bytes. */
size_t engine_wire_max_bytes(size_t msg_size);

/* The next three functions are defined in commit.c. */
/* Commits an event, and returns it to the pool. */
void engine_commit(struct pe *pe, tw_event *event);
/* Frees this rank's copies of the events that `event` sent to other ranks. Those events can no
 * longer be cancelled. */
void engine_retire_sent(struct pe *pe, tw_event *event);
/* Commits all executed events before gvt. */
void engine_fossil_collect(struct pe *pe, struct event_key gvt);

/* Defined in output.c. Prints the text that the event passed to tw_output(). */
void engine_print_output(tw_event *event);

/* Ends the run because `event`, the last of a chain of MAX_TIE_CHAIN events with the same time, has
 * sent another event with that time. Each event of the chain is the cause of the next. */
_Noreturn void engine_refuse_chain(const tw_event *event);

/* Defined in after_gvt.c. Does the work that follows each GVT computation in every scheduler:
 * fossil collection, hooks, probes, progress, and the end of the run. */
void engine_after_gvt(struct pe *pe);
/* Defined in gvt.c. Calls the probe gvt_finished. engine_after_gvt() includes this call; after a
 * GVT computation without engine_after_gvt(), the caller must make it. */
void engine_gvt_finished(struct pe *pe);

#endif
