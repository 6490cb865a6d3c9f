/*
 * engine.h - what the schedulers do with a PE: receive, execute, roll back, commit.
 */
#ifndef WARPSCOPE_ENGINE_ENGINE_H
#define WARPSCOPE_ENGINE_ENGINE_H

#include "engine/pe.h"

/* setup.c: the PE of this process, for a function of ross.h that needs tw_init() first. */
struct pe *engine_self(const char *caller);
/* setup.c: ends the program (status 2) when the model has set, since the options were checked, what
 * cannot run. Same verdict on all ranks. */
void engine_check_globals(struct pe *pe);
/* setup.c: settles which scheduler runs, for models that ask, too. */
void engine_choose_scheduler(struct pe *pe);

/* ask_memory.c: bytes of event memory for this rank, unless --max-memory says: a share of what
 * there is, once to_come more bytes have been taken. */
size_t engine_default_memory(const struct pe *pe, size_t to_come);

/* lp_life.c */
/* Collective: init of each LP on all ranks, then pre_run on all ranks. */
void engine_init_lps(struct pe *pe);
/* final of each LP, and of the PE. */
void engine_finish_lps(struct pe *pe);

/* send.c: a new or arrived event for a local LP goes to the pending queue; a straggler rolls its KP
 * back first. */
void engine_enqueue(struct pe *pe, tw_event *event);
/* send.c: engine_push() in a turn that is timed, or for those who want to know. */
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
/* send.c: takes back the events that the model made and did not send. */
void engine_drop_unsent(struct pe *pe);
/* remote.c: takes in what other ranks have sent; true when there was something. */
bool engine_receive(struct pe *pe);

/* execute.c: runs the forward handler of an event taken from the pending queue. */
void engine_execute(struct pe *pe, tw_event *event);
/* The same whoever wants to know, and in a turn that is timed. The caller goes on to another
 * phase. */
void engine_execute_timed(struct pe *pe, tw_event *event);

/* rollback.c */
/* Rolls back for a straggler: kp has processed events that come after event. */
void engine_rollback_straggler(struct pe *pe, struct kp *kp, tw_event *event);
/* The same for a straggler right before an event of kp, which is undone, too. */
void engine_rollback_to(struct pe *pe, struct kp *kp, tw_event *event);
/* Rolls every KP back to its last commit. */
void engine_rollback_all(struct pe *pe);
/* Undoes all processed events of kp, without a word to observers. */
void engine_undo_all(struct pe *pe, struct kp *kp);
/* Takes back one event of this PE, wherever it is. */
void engine_cancel(struct pe *pe, tw_event *event);

/* probe.c */
/* The LP of an event that is undone gets the numbers back that the event took. */
void engine_take_back_numbers(struct pe *pe, tw_event *event);
/* A restart: the LP has taken so many. */
void engine_restore_numbers(struct pe *pe, const tw_lp *lp, uint64_t numbers);
/* Ends the run if it is an observer that calls: "who, called to observe, what". */
void engine_refuse_observer(const struct pe *pe, const char *what);

/* random_rollback.c, for optimistic runs: sets up the rollbacks of one in so many batches, 0 for
 * none; and makes one, perhaps, after a batch. */
void engine_random_rollbacks_init(struct pe *pe, uint64_t one_in);
void engine_random_rollback(struct pe *pe);

/* state_save.c: for LP types without a reverse handler. */
void engine_save_state(struct pe *pe, tw_event *event);
void engine_restore_state(struct pe *pe, tw_event *event);

/* suspend.c */
/* Suspends an LP as tw_lp_suspend() does. event NULL: it was suspended by an event that has been
 * committed (a restart). */
void engine_suspend(tw_lp *lp, const tw_event *event, bool undo_event, int error_num);
/* Is it? Then *error_num is set. */
bool engine_is_suspended(const tw_lp *lp, int *error_num);
/* The type that the model gave the LP: that of a suspended LP is the engine's. */
tw_lptype *engine_model_type(const tw_lp *lp);
/* The run is over: notes which LPs are suspended and gives them their types back. */
void engine_settle_suspended(struct pe *pe);

/* snapshot.c */
void engine_free_snapshots(struct pe *pe);

/* gvt_hook.c */
/* GVT has advanced: calls g_tw_gvt_hook if it is time. */
void engine_gvt_hook(struct pe *pe);
/* The run begins: a call "at a time" is due. */
void engine_begin_gvt_hook(struct pe *pe);
/* The run has ended: calls it for the last time. */
void engine_last_gvt_hook(struct pe *pe);
/* An event with notes commits. */
void engine_count_hook_requests(struct pe *pe, const tw_event *event);

/* withdraw.c */
/* Before and after g_tw_gvt_hook: what it may do to events. */
void engine_open_hook(struct pe *pe);
void engine_close_hook(struct pe *pe);
/* Takes an event that is in no place out of the run. */
void engine_withdraw(struct pe *pe, tw_event *event);
/* Events that the run lacks while a checkpoint is made: calls visit with each, as
 * pending_each(). */
bool engine_each_withdrawn(const struct pe *pe, pending_visit_f visit, void *ctx);

/* remote.c: the wire form of events. */
void engine_send_remote(struct pe *pe, tw_event *event);
void engine_send_anti(struct pe *pe, tw_event *event);
/* Longest message on the wire, in bytes. */
size_t engine_wire_max_bytes(size_t msg_size);

/* commit.c */
/* Commits one event that can no longer be undone and takes it back into the pool. */
void engine_commit(struct pe *pe, tw_event *event);
/* Handles of what the event sent to other ranks go back: it can no longer be cancelled. */
void engine_retire_sent(struct pe *pe, tw_event *event);
/* Commits all processed events before GVT. */
void engine_fossil_collect(struct pe *pe, struct event_key gvt);

/* output.c */
void engine_print_output(tw_event *event);

/* fingerprint.c */
void fingerprint_add_event(struct fingerprint *f, const tw_event *event);
/* How the model writes the state of an LP; NULL: as its bytes. */
typedef const tw_state_io *(*state_io_f)(const struct pe *pe, const tw_lp *lp);
/* Lets the model write the state of an LP: n bytes, as io->size says, into zeros with room for
 * STATE_WRITE_FENCE more, which are undefined afterwards. More than n bytes end the run. */
#define STATE_WRITE_FENCE ((size_t)16)
void fingerprint_write_state(const tw_lp *lp, const tw_state_io *io, unsigned char *bytes,
                             size_t n);
/* The final states of all LPs of this PE. */
void fingerprint_add_states(struct pe *pe, state_io_f io_of);

/* advance.c: after a completed GVT computation, in every scheduler: fossil collection, hooks,
 * probes, progress, and whether the run has ended. */
void engine_after_gvt(struct pe *pe);
/* The probe of that name, after a GVT computation that nothing follows. */
void engine_tell_gvt_finished(struct pe *pe);

#endif
