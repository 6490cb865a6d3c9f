/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * probe.h - observation of the engine: a table of optional functions.
 *
 * The engine does not depend on the instrumentation. It calls the functions of this table at fixed
 * points; a probe without functions costs one predictable branch on a bit. The instrumentation
 * fills the table through one tw_extension object, chosen at link time. A program linked without
 * instrumentation gets core/engine/no_extension.c.
 *
 * Probe functions must not send events or draw random numbers. They may add functions to the table
 * and remove them, including themselves. Added functions take effect at the next call of their
 * probe, removed ones at once.
 */
#ifndef WARPSCOPE_ENGINE_PROBE_H
#define WARPSCOPE_ENGINE_PROBE_H

#include <assert.h>
#include <stdbool.h>

#include "base/prefetch.h"
#include "base/status.h"
#include "engine/counters.h"
#include "engine/extension.h"
#include "ross.h"

/* Reason for a rollback. */
enum probe_rollback {
    PROBE_ROLLBACK_PRIMARY = 1,  /* the event is a straggler */
    PROBE_ROLLBACK_SECONDARY = 2 /* the event is cancelled after its execution */
};

/* Event or action that triggered a rollback. */
enum probe_trigger {
    PROBE_TRIGGER_LOCAL = 1,        /* a straggler sent by a handler of this PE */
    PROBE_TRIGGER_REMOTE = 2,       /* a straggler from another PE */
    PROBE_TRIGGER_LOCAL_CANCEL = 3, /* an event whose cause on this PE was undone */
    PROBE_TRIGGER_ANTI_MESSAGE = 4, /* an event whose cause on another PE was undone */
    PROBE_TRIGGER_RANDOM = 5,       /* --random-rollbacks */
    PROBE_TRIGGER_RETURN = 6 /* return to GVT, for memory, a checkpoint, a request or a hook */
};

/* Cause of a rollback. */
struct probe_rollback_cause {
    enum probe_trigger trigger;
    int32_t src_pe; /* PE that sent the event; for a local event, this PE */
    /* PE and number (see rollback_begin) of the rollback that undid the cause of the event. -1 and
     * 0: there is none, because the event was not cancelled, or its cause was undone without a
     * rollback. */
    int32_t cause_pe;
    uint64_t cause_number;
    double travel_seconds; /* since the message was sent, wall clock; 0: local or unknown */
};

/*
 * The probes: X(name, parameters). Functions of a probe are called in the order in which they were
 * added. Each call corresponds to one count of the counter in brackets, which already includes it.
 * At the end of the run, calls and counters agree exactly, over all LPs. Probes of different LPs
 * may interleave: an event being executed may cause rollbacks of other KPs.
 *
 * event_starting   The event is about to be executed. The engine has saved the LP's state if the
 *                  type needs it. tw_now() is still the time of the KP's previous event.
 *                  event_executed follows.
 * event_executed   Right after the forward handler, also after each re-execution
 *                  [events_processed].
 * event_undone     Right after the reverse handler, or after the LP's state has been restored
 *                  (state_restored): exactly once per event_executed that does not commit, the
 *                  LP's youngest event first [events_rolled_back].
 * event_committed  Exactly once per committed event, in event order within the PE
 *                  [events_committed].
 * event_cancelled  The rollback of its cause cancels an event of this LP. If the event had been
 *                  executed, it has been undone [events_aborted].
 * rollback_begin   An event causes a rollback of a KP, see enum probe_rollback
 *                  [primary_rollbacks, secondary_rollbacks]. The sum of both counters is the
 *                  number of the rollback on its PE, from 1. Only here may probe_rollback_cause()
 *                  be called. A rollback with trigger PROBE_TRIGGER_RANDOM or _RETURN undoes that
 *                  event.
 * rollback_end     The rollback has undone n events of the KP, n >= 1. Pairs do not nest: events
 *                  that a rollback cancels are rolled back after its end. If a signal ends the run,
 *                  events after GVT are undone without a rollback.
 * message_sent     An event or, if anti, an anti-message of a local LP leaves for another rank;
 *                  also during LP initialisation [network_sends].
 * message_received An event or, if anti, an anti-message for a local LP has arrived from another
 *                  rank. If an anti-message precedes its event, both calls come when the event
 *                  arrives, since only the event names the LP [network_recvs].
 * turn             Each turn of a scheduler's loop: after a batch of events, and while waiting;
 *                  also while a run that was stopped by a signal returns to its GVT.
 * gvt_started      This rank begins a GVT computation.
 * fossils_collected After each GVT computation, including the last, in every scheduler: n events
 *                  have been committed since the previous call.
 * gvt_advanced     After each GVT computation and its fossil collection, in every scheduler;
 *                  sequential runs make one every gvt-interval events. Not after the run has ended.
 * gvt_finished     After gvt_advanced, or in its place if the run has ended: once per gvt_started,
 *                  also for computations that only wait for messages in transit.
 * event_sent       A handler or the initialisation of an LP sends an event, to its own rank or
 *                  another. Its effects follow: a rollback, and queue_pushed or message_sent.
 * event_tied       Right before the forward handler of an event with the receive time of the LP's
 *                  youngest event. In a run that can roll back: of the KP's youngest event, which
 *                  is the argument previous unless it is committed. Needs probe_note_places().
 *                  Only here may probe_number_sends() be called.
 * event_at_gvt     The event is about to commit, and others of its KP with its receive time may
 *                  follow: it is the oldest uncommitted one at the time of the new GVT. In runs
 *                  that check reverse handlers, every event.
 * queue_pushed     An event has entered the pending queue: sent, received, or undone.
 * queue_popped     An event has left the pending queue and is about to be executed. Events
 *                  cancelled in the queue leave without this call.
 * lp_init          Right after the LP's init function, if it has one.
 * lp_final         Right after the LP's final function, if it has one; after tw_extension.finish.
 * ahead            Parameter: receiver of an event that is soon executed or committed, for
 *                  prefetching data kept per LP; NULL: unknown.
 *
 * Functions may be added and removed during the run, in any probe or handler. A function added late
 * may get calls without the preceding ones: event_undone, event_committed and rollback_end. A
 * function added inside an event's handler gets calls from the next event on, and the commits of
 * that event.
 *
 * kp->last_time, in any probe: the receive time of the KP's youngest uncommitted event; in
 * event_executed and event_undone, of the probe's event. It may lie before GVT (the KP was idle),
 * and equals GVT after a rollback of all uncommitted events. max(0, last_time - GVT) is thus the
 * distance of the KP from GVT.
 */
#define PROBE_LIST(X)                                                                              \
    X(event_starting, (void *ctx, const tw_event *e, const tw_lp *ahead))                          \
    X(event_executed, (void *ctx, const tw_event *e, const tw_lp *ahead))                          \
    X(event_undone, (void *ctx, const tw_event *e, bool state_restored))                           \
    X(event_committed, (void *ctx, const tw_event *e, const tw_lp *ahead))                         \
    X(event_cancelled, (void *ctx, tw_lp *lp))                                                     \
    X(rollback_begin, (void *ctx, const tw_event *e, enum probe_rollback why))                     \
    X(rollback_end, (void *ctx, tw_kp *kp, enum probe_rollback why, uint64_t events_undone))       \
    X(message_sent, (void *ctx, tw_lp *source, bool anti))                                         \
    X(message_received, (void *ctx, tw_lp *dest, bool anti))                                       \
    X(turn, (void *ctx, const tw_pe *pe))                                                          \
    X(gvt_started, (void *ctx, const tw_pe *pe))                                                   \
    X(fossils_collected, (void *ctx, const tw_pe *pe, tw_stime gvt, uint64_t n))                   \
    X(gvt_advanced, (void *ctx, const tw_pe *pe, tw_stime gvt))                                    \
    X(gvt_finished, (void *ctx, const tw_pe *pe, tw_stime gvt))                                    \
    X(event_sent, (void *ctx, const tw_event *e))                                                  \
    X(event_tied, (void *ctx, const tw_event *e, const tw_event *previous))                        \
    X(event_at_gvt, (void *ctx, const tw_event *e))                                                \
    X(queue_pushed, (void *ctx, const tw_event *e))                                                \
    X(queue_popped, (void *ctx, const tw_event *e))                                                \
    X(lp_init, (void *ctx, tw_lp *lp))                                                             \
    X(lp_final, (void *ctx, tw_lp *lp))

/* Returns the message of an event that is the argument of a probe. */
static inline void *probe_message(const tw_event *e)
{
    return tw_event_data((tw_event *)(uintptr_t)e);
}

#define X(name, parameters) PROBE_##name,
enum probe_kind { PROBE_LIST(X) PROBE_KINDS };
#undef X

#define PROBE_FUNCTIONS_MAX 12 /* most functions per probe; adding another ends the run */

struct probe_table {
    uint32_t wanted; /* bits of enum probe_kind with functions, and PROBE_ENGINE_... bits */
    uint64_t added;  /* number of functions added so far */
#define X(name, parameters)                                                                        \
    struct {                                                                                       \
        unsigned n;                                                                                \
        uint64_t number[PROBE_FUNCTIONS_MAX]; /* ascending serial numbers */                       \
        void *ctx[PROBE_FUNCTIONS_MAX];                                                            \
        void(*call[PROBE_FUNCTIONS_MAX]) parameters;                                               \
    } name;
    PROBE_LIST(X)
#undef X
};

/* Bits of probe_table.wanted. The engine uses the upper bits itself, so that one test detects all
 * unusual work. */
#define PROBE_BIT(name)      (1u << PROBE_##name)
#define PROBE_ENGINE_TIMED   (1u << 31) /* the current turn is timed */
#define PROBE_ENGINE_COMMITS (1u << 30) /* commits are observed, by probes or otherwise */
/* An observer is running: probe_observer_enter() was called, and probe_observer_leave() was not
 * called yet. */
#define PROBE_ENGINE_GUARD   (1u << 29)
#define PROBE_ENGINE_HISTORY (1u << 28) /* executed events are kept for rollbacks */
#define PROBE_ENGINE_ORDER   (1u << 27) /* executed events are listed, see commit_order.h */
#define PROBE_ENGINE_FENCES  (1u << 26) /* messages and states have fences, see fences.h */
#define PROBE_ENGINE_NUMBERS (1u << 25) /* events sent get a number, see probe_number_sends() */
_Static_assert(PROBE_KINDS < 25, "the engine's bits follow those of the probes");

/* Ends the run with a message: the probe has PROBE_FUNCTIONS_MAX functions already. */
void probe_refuse_function(const char *probe) __attribute__((cold, noreturn));

/* Adds a function, called with context as its first argument. */
#define PROBE_ADD(table, name, function, context)                                                  \
    do {                                                                                           \
        unsigned probe_n_ = (table)->name.n;                                                       \
        if (probe_n_ >= PROBE_FUNCTIONS_MAX) {                                                     \
            probe_refuse_function(#name);                                                          \
        }                                                                                          \
        (table)->name.n = probe_n_ + 1;                                                            \
        (table)->name.call[probe_n_] = (function);                                                 \
        (table)->name.ctx[probe_n_] = (context);                                                   \
        (table)->name.number[probe_n_] = ++(table)->added;                                         \
        (table)->wanted |= PROBE_BIT(name);                                                        \
    } while (0)

/* Removes the first function that was added with this context. Does nothing if there is none. */
#define PROBE_REMOVE(table, name, function, context)                                               \
    do {                                                                                           \
        unsigned probe_n_ = (table)->name.n;                                                       \
        unsigned probe_i_ = 0;                                                                     \
        while (probe_i_ < probe_n_ && ((table)->name.call[probe_i_] != (function) ||               \
                                       (table)->name.ctx[probe_i_] != (context))) {                \
            probe_i_++;                                                                            \
        }                                                                                          \
        for (unsigned probe_j_ = probe_i_ + 1; probe_j_ < probe_n_; probe_j_++) {                  \
            (table)->name.call[probe_j_ - 1] = (table)->name.call[probe_j_];                       \
            (table)->name.ctx[probe_j_ - 1] = (table)->name.ctx[probe_j_];                         \
            (table)->name.number[probe_j_ - 1] = (table)->name.number[probe_j_];                   \
        }                                                                                          \
        (table)->name.n -= probe_i_ < probe_n_;                                                    \
        if ((table)->name.n == 0) {                                                                \
            (table)->wanted &= ~PROBE_BIT(name);                                                   \
        }                                                                                          \
    } while (0)

/* Bits of the probes with functions. An engine built with WARPSCOPE_NO_PROBES has none, for
 * measuring the cost of probes. */
#ifdef WARPSCOPE_NO_PROBES
#define PROBES_WANTED(table)                                                                       \
    ((table)->wanted &                                                                             \
     (PROBE_ENGINE_COMMITS | PROBE_ENGINE_HISTORY | PROBE_ENGINE_ORDER | PROBE_ENGINE_FENCES))
#else
#define PROBES_WANTED(table) ((table)->wanted)
#endif

/* Returns true if the probe has functions. */
#define PROBE_IS_WANTED(table, name) ((PROBES_WANTED(table) & PROBE_BIT(name)) != 0)

/* Calls the first function of a probe; PROBE_IS_ALONE() is true if it is the only one. */
#define PROBE_IS_ALONE(table, name) (__builtin_expect((table)->name.n == 1, 1))
#define PROBE_CALL_FIRST(table, name, ...)                                                         \
    ((table)->name.call[0]((table)->name.ctx[0], __VA_ARGS__))

/* Calls all functions of a probe. The caller usually tests PROBE_IS_WANTED() first. */
#define PROBE_CALL(table, name, ...)                                                               \
    do {                                                                                           \
        if (PROBE_IS_ALONE(table, name)) {                                                         \
            PROBE_CALL_FIRST(table, name, __VA_ARGS__);                                            \
            break;                                                                                 \
        }                                                                                          \
        const uint64_t probe_last_ = (table)->added;                                               \
        unsigned probe_i_ = 0;                                                                     \
        while (probe_i_ < (table)->name.n && (table)->name.number[probe_i_] <= probe_last_) {      \
            const uint64_t probe_number_ = (table)->name.number[probe_i_];                         \
            (table)->name.call[probe_i_]((table)->name.ctx[probe_i_], __VA_ARGS__);                \
            probe_i_ =                                                                             \
                probe_after((table)->name.number, (table)->name.n, probe_i_, probe_number_);       \
        }                                                                                          \
    } while (0)

/* Returns the index of the first number greater than `called`. That number was at index i before a
 * call that may have removed functions. */
static inline unsigned probe_after(const uint64_t *numbers, unsigned n, unsigned i, uint64_t called)
{
    i++;
    while (i > 0 && (i > n || numbers[i - 1] > called)) {
        i--;
    }
    return i;
}

/* Prefetches a recorder's entry for LP `ahead`, whose event is executed soon. entries: array by
 * local LP number, with `size` bytes per entry. */
PREFETCHING void probe_prefetch(const tw_lp *ahead, const void *entries, size_t size)
{
    if (ahead != NULL) {
        __builtin_prefetch((const char *)entries + ahead->id * size, 1);
    }
}

/* ---- Context of the running code, for observers ---------------------------------------------- */

/* These functions may be called by the simulation's thread only. */

/* Kind of code that is running. */
enum probe_context {
    PROBE_IN_NOTHING, /* code of the engine, or functions of the PE */
    PROBE_IN_INIT,    /* init or pre_run of an LP, or probe lp_init */
    PROBE_IN_EVENT,   /* forward handler, or probes event_starting and event_executed */
    PROBE_IN_REVERSE, /* reverse handler, or probe event_undone */
    PROBE_IN_COMMIT,  /* commit handler, or probe event_committed */
    PROBE_IN_FINAL,   /* final of an LP, or probe lp_final */
    PROBE_IN_TRIAL    /* forward handler of a trial run, which is not observed */
};

struct probe_now {
    enum probe_context context;
    tw_lp *lp;   /* the LP; NULL in PROBE_IN_NOTHING */
    tw_stime ts; /* receive time of the event; 0 in init; end time in final; otherwise GVT */
};

/* Returns the current context. Costs a few loads. */
struct probe_now probe_now(void);

/*
 * Takes the LP's next record number and returns it: 1, 2, ... Observers number their records with
 * it. An undone event gives its numbers back before event_undone, so committed events have the same
 * numbers under every scheduler. Callable in init, forward handler (including event_starting,
 * event_executed and trials) and final of this LP only.
 */
uint64_t probe_record_number(tw_lp *lp);
/* Returns the highest record number that the LP has taken and not given back; 0 if there is
 * none. */
uint64_t probe_record_numbers(const tw_lp *lp);

/* Adds `change` bytes (may be negative) to the memory that observers hold for uncommitted events.
 * Beyond --observer-memory the PE executes only the event that limits GVT, and computes GVT, until
 * the sum is below that limit. Never fails: a single event may hold any amount. */
void probe_hold_bytes(int64_t change);
/* Return the bytes that observers hold now, and the limit of these bytes (UINT64_MAX:
 * unlimited). */
uint64_t probe_observer_bytes(void);
uint64_t probe_observer_limit_bytes(void);

/*
 * Call probe_observer_enter() before an observer runs and probe_observer_leave() after it.
 * observer: its name for messages, which must stay valid. Between them, three actions are fatal,
 * with a message that names the observer: sending an event, tw_output(), and drawing from the
 * streams of the current LP. Draws are detected in _leave(). While events commit, only the first
 * thousands of calls and then one in 128 are checked. Pairs nest.
 */
void probe_observer_enter(const char *observer);
void probe_observer_leave(void);
/* State of the inline guard around observers of commits. While `unchecked` is not 0, it replaces
 * probe_observer_enter() if event_committed has a single function. */
struct probe_commit_guard {
    const char *observer; /* name of the observer; NULL: no such call in progress */
    uint32_t unchecked;   /* number of calls that are still made without checks */
};
/* Returns the guard of this PE, valid from tw_init() to tw_end(). */
struct probe_commit_guard *probe_commit_guard(void);
static inline void probe_commit_enter(struct probe_commit_guard *guard, const char *observer)
{
    assert(guard->unchecked > 0 && guard->observer == NULL);
    guard->unchecked--;
    guard->observer = observer;
}
static inline void probe_commit_leave(struct probe_commit_guard *guard)
{
    assert(guard->observer != NULL);
    guard->observer = NULL;
}
/* Returns true while an observer runs. Functions that change the model, such as taking a number,
 * must then fail. */
bool probe_is_guarded(void);

/* ---- Causes of events and rollbacks ---------------------------------------------------------- */

/* Place of an LP's youngest event among its events of one receive time. */
struct probe_place {
    double ts;     /* receive time; -1: no event */
    int32_t order; /* number among the LP's events at that time, from 0 */
};
/* Sets the array for the places of all local LPs (send_order). In a run that cannot roll back, the
 * engine stores here the place of each event that is the first of its LP at its receive time; the
 * probe event_tied stores the others. The caller owns the array. Call it before a function is added
 * to the probe event_tied, and with NULL after that function is removed. */
void probe_note_places(struct probe_place *places);
/* Sets the member send_order of the events that the event in process sends, a number for use by
 * observers. Callable in the probe event_tied. The number travels with the events, and checkpoints
 * include it; the engine does not use it. While event_tied has functions, it is -1 in events that LP
 * initialisation or g_tw_gvt_hook sends. It is 0 in others for which the function was not called. */
void probe_number_sends(int32_t number);

/* Returns the number of unsent events that notes of an event represent. */
uint32_t probe_events_not_sent(const tw_event *e);
/* Returns the number of events that an event sent, except those at or past the end of the run.
 * Callable in the probe event_executed, if event_tied had functions when the execution began. */
static inline uint32_t probe_events_sent(const tw_event *e)
{
    const uint32_t n = e->core_draws - e->past_end;
    return __builtin_expect(e->notes == NULL, 1) ? n : n - probe_events_not_sent(e);
}

/* Sets whether messages of this rank carry the data that probe_rollback_cause() reports about
 * causes on other PEs. Cost: 16 bytes and a clock reading per message. */
void probe_stamp_messages(bool stamps);
/* Returns the cause of the rollback that an event causes. Callable in the probe rollback_begin, for
 * its event. Without probe_stamp_messages() on all ranks, causes on other PEs are unknown. */
struct probe_rollback_cause probe_rollback_cause(const tw_event *e);

/* ---- Current state of the engine ------------------------------------------------------------- */

/* Returns the counters of the PE, valid until tw_end(). */
const struct tw_counters *pe_counters(const tw_pe *pe);
/* Returns the number of events in the PE's pending queue. */
uint64_t pe_pending_count(const tw_pe *pe);

/* Memory of a PE in bytes. */
struct pe_memory {
    /* Bytes of the events in use: pending, sent, or executed but not committed. */
    uint64_t event_bytes;
    uint64_t saved_bytes; /* saved states and other data kept with these events */
    /* Memory from the system for events, the pending queue and the states of LPs. */
    uint64_t allocated_bytes;
};
struct pe_memory pe_memory_now(const tw_pe *pe);

/* Returns seconds of wall-clock time since tw_run() began to execute events (steady clock). */
double run_seconds(void);

/* Returns the time of this rank by phase; 0 with --phase-times=off. By default an estimate from
 * one timed turn in 512, or in 64 after the first call in a run; see engine/pe/phases.h. Never
 * decreases. */
const struct tw_phase_ticks *pe_phase_ticks(const tw_pe *pe);
/*
 * Switches the simulation's thread to a phase of recording, which is always timed:
 *
 *     enum tw_phase before = probe_phase_enter(TW_PHASE_recording);
 *     ... seal, compress, write ...
 *     probe_phase_enter(before);
 *
 * May nest. A pair costs some 50 ns, so use it for work of a microsecond or more.
 */
enum tw_phase probe_phase_enter(enum tw_phase phase);

/* Returns the rate of clock_ticks() on this rank, measured at set-up. */
double run_ticks_per_second(void);
/* Facts about the run, for the headers of record files. */
/* Returns the arguments of tw_init(), quoted and joined by spaces. */
const char *run_command_line(void);
const char *run_program_name(void); /* returns the prefix of messages, such as "netsim" */
/*
 * Print a line on stderr with the prefix "program: ", without damaging the progress line. A notice
 * informs about a normal run; --quiet suppresses it. A warning reports that a request was not
 * fulfilled, or only in part; it has the prefix "warning: ", and --quiet does not suppress it. For
 * messages about the model or an event, use tw_warning().
 */
void run_notice(const char *fmt, ...) __attribute__((format(printf, 1, 2)));
void run_warning(const char *fmt, ...) __attribute__((format(printf, 1, 2)));
/* Selects behaviour of ROSS 8, for programs built with its headers. A run appends its row to
 * ross.csv unless --csv names another file, and arguments that argv had beyond argc stay there.
 * Call it before tw_init(). */
void run_as_for_ross8(void);
/* Marks results of the run, including records, as lost or incomplete. tw_end() then ends with
 * status 1, unless a signal ended the run. Not collective. */
void run_results_are_lost(void);
bool run_checks_memory(void); /* returns true unless --memory-check=off was given */
/* Returns true if the option was on the command line or in an args file. */
bool run_option_was_given(const char *name);
/* Writes the value of an option, formatted as for the command line; "" if no table has it. */
void run_option_text(const char *name, char *out, size_t size);
/* Returns the mode of pe_phase_ticks(): "sampled", "exact" or "off". */
const char *run_phase_times(void);
const char *run_version(void);        /* returns the version: "Warpscope 0.1.0" */
const char *run_scheduler_name(void); /* returns "sequential", "conservative" or "optimistic" */

/* Returns the virtual time for records: GVT, but at most the end time. */
static inline double probe_virtual_time(double gvt)
{
    return gvt < g_tw_ts_end ? gvt : g_tw_ts_end;
}

#endif
