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
#include "base/processor_time.h"
#include "base/status.h"
#include "engine/counters.h"
#include "engine/extension.h"
#include "ross.h"

/* Reason for a rollback. */
enum probe_rollback {
    /* the event is a straggler; also used for PROBE_TRIGGER_RANDOM and PROBE_TRIGGER_RETURN */
    PROBE_ROLLBACK_PRIMARY = 1,
    PROBE_ROLLBACK_SECONDARY = 2 /* the event is cancelled after its execution */
};

/* Event or action that triggered a rollback. */
enum probe_trigger {
    PROBE_TRIGGER_LOCAL = 1,        /* a straggler sent by a handler of this PE */
    PROBE_TRIGGER_REMOTE = 2,       /* a straggler from another PE */
    PROBE_TRIGGER_LOCAL_CANCEL = 3, /* an event whose cause on this PE was undone */
    PROBE_TRIGGER_ANTI_MESSAGE = 4, /* an event whose cause on another PE was undone */
    PROBE_TRIGGER_RANDOM = 5,       /* a random rollback, see --random-rollbacks */
    /* a return of all LPs to GVT, for lack of memory or for a checkpoint, a request or a hook */
    PROBE_TRIGGER_RETURN = 6
};

/* Cause of a rollback. */
struct probe_rollback_cause {
    enum probe_trigger trigger;
    int32_t src_pe; /* PE that sent the event; for a local event, this PE */
    /* cause_pe, cause_number: PE and number (see rollback_begin) of the rollback that undid the
     * cause of the event. -1 and 0: that rollback is unknown, or there was none, since the
     * event was not cancelled or a signal ended the run (see rollback_end). */
    int32_t cause_pe;
    uint64_t cause_number;
    /* wall-clock time since the event's message was sent; 0: local event, or time unknown */
    double travel_seconds;
};

/*
 * List of all probes: X(name, parameters). The functions of a probe are called in the order in
 * which they were added. The counter in brackets counts the calls of a probe; it already includes
 * the current call. At the end of the run, the number of calls for all LPs equals the counter.
 * Calls for different LPs may interleave: an event being executed may cause rollbacks of other KPs.
 *
 * event_starting   The event is about to be executed. The engine has saved the LP's state if the
 *                  type needs it. tw_now() is still the time of the KP's previous event.
 *                  event_executed follows.
 * event_executed   Right after the forward handler, also of re-executions [events_processed].
 * event_undone     Right after the reverse handler, or after the LP's saved state has been restored
 *                  (state_restored). Called exactly once for each execution that does not commit,
 *                  for the LP's youngest event first [events_rolled_back].
 * event_committed  Exactly once per committed event, in event order within the PE
 *                  [events_committed].
 * event_retired    After event_committed, but in event order only within each KP: unlike that
 *                  probe, it does not make the engine put the commits of all KPs into order.
 * event_cancelled  An event for this LP is cancelled, because its cause was rolled back. If the
 *                  event had been executed, it is already undone [events_aborted].
 * rollback_begin   An event causes a rollback of a KP, see enum probe_rollback [primary_rollbacks,
 *                  secondary_rollbacks]. The sum of both counters is the number of the rollback on
 *                  its PE, from 1. Only here may probe_rollback_cause() be called. If the trigger
 *                  is PROBE_TRIGGER_RANDOM or PROBE_TRIGGER_RETURN, the rollback also undoes the
 *                  event e itself.
 * rollback_end     The rollback has undone events_undone >= 1 events of the KP. Pairs of
 *                  rollback_begin and rollback_end do not nest: events that a rollback cancels are
 *                  rolled back after its end. If a signal ends the run, events after GVT are undone
 *                  without a rollback.
 * message_sent     An event or, if anti, an anti-message of a local LP leaves for another rank;
 *                  also during LP initialisation [network_sends].
 * message_received An event or, if anti, an anti-message for a local LP has arrived from another
 *                  rank. If an anti-message arrives before its event, the calls for both come when
 *                  the event arrives, since only the event names the LP [network_recvs].
 * turn             Once per turn of a scheduler's loop: after a batch of events, and while the rank
 *                  waits; also while a run that was stopped by a signal returns to its GVT.
 * gvt_started      This rank begins a GVT computation.
 * fossils_collected After each GVT computation, including the last, in every scheduler: n events
 *                  have been committed since the previous call.
 * gvt_advanced     After each GVT computation and its fossil collection, in every scheduler;
 *                  sequential runs compute GVT once per --gvt-interval. Not called after the run
 *                  has ended.
 * gvt_finished     After gvt_advanced, or in its place if the run has ended: once per gvt_started,
 *                  also for computations that only wait for messages in transit.
 * event_sent       A handler or the initialisation of an LP sends an event, to its own rank or
 *                  another. Calls that it causes follow: those of a rollback, if any, then
 *                  queue_pushed or message_sent.
 * event_tied       Right before the forward handler of an event that has the same receive time as
 *                  the youngest event of its LP or, in a run that can roll back, of its KP. In such
 *                  a run, `previous` is the KP's youngest event, or NULL if that event is
 *                  committed; in other runs, `previous` is NULL. Needs probe_set_places(). Only
 *                  here may probe_number_sends() be called.
 * event_at_gvt     The event is about to commit, and later events of its KP may have the same
 *                  receive time. It is the oldest of the KP's uncommitted events whose time is the
 *                  new GVT. In runs with --synch=6: called for every event whose LP type has a
 *                  commit handler.
 * queue_pushed     An event has entered the pending queue: it was sent, received or undone.
 * queue_popped     An event has left the pending queue and is about to be executed. Events
 *                  cancelled in the queue leave without this call.
 * lp_init          Right after the LP's init function, if it has one.
 * lp_final         Right after the LP's final function, if it has one. Called after
 *                  tw_extension.finish().
 * ahead            Parameter of some probes: LP of an event that is soon executed or committed, for
 *                  prefetching data kept per LP; NULL: unknown.
 *
 * Functions may be added and removed during the run, in any probe or handler. A function added late
 * may get calls of event_undone, event_committed and rollback_end without those that normally
 * precede them. If the handler of event e adds a function to event_executed, that function is first
 * called for the next event. A function that it adds to event_committed is called for e, too.
 *
 * In any probe, kp->last_time is the receive time of the KP's youngest uncommitted event; in
 * event_executed and event_undone, that of the argument e. It may lie before GVT if the KP was
 * idle, and equals GVT after a rollback of all uncommitted events. max(0, last_time - GVT) is thus
 * the distance of the KP from GVT.
 */
#define PROBE_LIST(X)                                                                              \
    X(event_starting, (void *ctx, const tw_event *e, const tw_lp *ahead))                          \
    X(event_executed, (void *ctx, const tw_event *e, const tw_lp *ahead))                          \
    X(event_undone, (void *ctx, const tw_event *e, bool state_restored))                           \
    X(event_committed, (void *ctx, const tw_event *e, const tw_lp *ahead))                         \
    X(event_retired, (void *ctx, const tw_event *e, const tw_lp *ahead))                           \
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
    return (tw_event *)(uintptr_t)e + 1;
}

#define X(name, parameters) PROBE_##name,
enum probe_kind { PROBE_LIST(X) PROBE_KINDS };
#undef X

/* maximum number of functions per probe; adding another ends the run */
#define PROBE_FUNCTIONS_MAX 12

struct probe_table {
    uint32_t wanted; /* bit mask: bits of the probes with functions, and PROBE_ENGINE_... bits */
    uint64_t added;  /* number of functions added so far */
#define X(name, parameters)                                                                        \
    struct {                                                                                       \
        unsigned n;                                                                                \
        uint64_t number[PROBE_FUNCTIONS_MAX]; /* serial numbers of the functions, ascending */     \
        void *ctx[PROBE_FUNCTIONS_MAX];                                                            \
        void(*call[PROBE_FUNCTIONS_MAX]) parameters;                                               \
    } name;
    PROBE_LIST(X)
#undef X
};

/* Bits of probe_table.wanted. The engine uses the upper bits: one test detects unusual work. */
#define PROBE_BIT(name)      (1u << PROBE_##name)
#define PROBE_ENGINE_TIMED   (1u << 31) /* the current turn is timed */
#define PROBE_ENGINE_COMMITS (1u << 30) /* commits are observed, by probes or otherwise */
#define PROBE_ENGINE_GUARD   (1u << 29) /* an observer runs, see probe_observer_enter() */
#define PROBE_ENGINE_HISTORY (1u << 28) /* executed events are kept for rollbacks */
#define PROBE_ENGINE_ORDER   (1u << 27) /* executed events are listed, see commit_order.h */
#define PROBE_ENGINE_FENCES  (1u << 26) /* messages and states have fences, see fences.h */
/* events that are sent get a number, see probe_number_sends() */
#define PROBE_ENGINE_NUMBERS (1u << 25)
#define PROBE_ENGINE_STAMPS  (1u << 24) /* see probe_keep_stamps() */
#define PROBE_ENGINE_NEAR    (1u << 23) /* a lone function of event_executed ignores `ahead` */
_Static_assert(PROBE_KINDS < 23, "the engine's bits follow those of the probes");

/* Ends the run with the error message that the probe already has PROBE_FUNCTIONS_MAX functions. */
void probe_refuse_function(const char *probe) __attribute__((cold, noreturn));

/* Adds `function` to the probe `name`; `context` becomes the first argument of its calls. */
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

/* Removes the first entry with this function and context, if any, from the probe `name`. */
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

/* Bits of probe_table.wanted that the engine uses. An engine built with WARPSCOPE_NO_PROBES ignores
 * the bits of probes, for measuring their cost. */
#ifdef WARPSCOPE_NO_PROBES
#define PROBES_WANTED(table)                                                                       \
    ((table)->wanted &                                                                             \
     (PROBE_ENGINE_COMMITS | PROBE_ENGINE_HISTORY | PROBE_ENGINE_ORDER | PROBE_ENGINE_FENCES))
#else
#define PROBES_WANTED(table) ((table)->wanted)
#endif

/* Returns true if the probe has functions. */
#define PROBE_IS_WANTED(table, name) ((PROBES_WANTED(table) & PROBE_BIT(name)) != 0)

/* PROBE_CALL_FIRST() calls a probe's first function; PROBE_IS_ALONE(): the probe has no other. */
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

/* Returns the index of the first of n ascending numbers that is greater than `called`. The number
 * `called` was at index i before a call that may have removed functions. */
static inline unsigned probe_after(const uint64_t *numbers, unsigned n, unsigned i, uint64_t called)
{
    i++;
    while (i > 0 && (i > n || numbers[i - 1] > called)) {
        i--;
    }
    return i;
}

/* Prefetches a recorder's data about LP `ahead`, whose event is executed soon; NULL: does nothing.
 * entries: array indexed by local LP number, with `size` bytes per entry. */
PREFETCHING void probe_prefetch(const tw_lp *ahead, const void *entries, size_t size)
{
    if (ahead != NULL) {
        __builtin_prefetch((const char *)entries + ahead->id * size, 1);
    }
}

/* ---- Context of the running code, for observers ---------------------------------------------- */

/* Only the simulation's thread may call the functions of this section. */

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
    tw_lp *lp; /* LP whose code is running; NULL in PROBE_IN_NOTHING */
    /* receive time of the event; 0 in init; in final: GVT, but at most the end time; otherwise
     * GVT */
    tw_stime ts;
};

/* Returns the current context. Costs a few loads. */
struct probe_now probe_now(void);

/*
 * Takes the LP's next record number (1, 2, ...) and returns it. Observers number their records with
 * it. An undone event gives its numbers back before the call of event_undone, so committed events
 * have the same numbers under every scheduler. Callable only for the LP whose init, forward handler
 * (including event_starting, event_executed and trials) or final is running.
 */
uint64_t probe_record_number(tw_lp *lp);
/* Returns the highest record number that the LP has taken and not given back; 0: none. */
uint64_t probe_record_numbers(const tw_lp *lp);

/* Returns the LP with this number if it is on this rank and exists already, otherwise NULL. */
tw_lp *probe_local_lp(tw_lpid gid);

/* Returns the type that the model gave the LP; while an LP is suspended, lp->type is another. */
const tw_lptype *probe_lp_type(const tw_lp *lp);

/* Adds `change` bytes (may be negative) to the memory that observers hold for uncommitted events.
 * While this memory is at or above --observer-memory, the PE only executes the event for which GVT
 * waits, and computes GVT. Never fails: observers may hold any amount for a single event. */
void probe_hold_bytes(int64_t change);
/* probe_observer_bytes() returns the number of bytes that observers hold now;
 * probe_observer_limit_bytes() returns the limit of that number (UINT64_MAX: no limit). */
uint64_t probe_observer_bytes(void);
uint64_t probe_observer_limit_bytes(void);

/*
 * Call probe_observer_enter() before an observer runs and probe_observer_leave() after it.
 * observer: name of the observer for error messages; the string must stay valid. Three actions
 * between the two calls are fatal: sending an event, tw_output(), and drawing from the streams of
 * the current LP. The error message names the observer. probe_observer_leave() detects draws. While
 * events commit, it checks only the first few thousand calls for draws, then one in 128. Pairs of
 * calls may nest.
 */
void probe_observer_enter(const char *observer);
void probe_observer_leave(void);
/* State of a cheaper kind of guard, around observers of commits. While `unchecked` is not 0,
 * probe_commit_enter() replaces probe_observer_enter() if the probe event_committed has a single
 * function. */
struct probe_commit_guard {
    const char *observer; /* name of the observer that is running in this guard; NULL: none */
    uint32_t unchecked;   /* number of further calls that are made without a check for draws */
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
/* Returns true while an observer runs. Functions that change the model, such as
 * probe_record_number(), must then fail. */
bool probe_is_guarded(void);

/* ---- Causes of events and rollbacks ---------------------------------------------------------- */

/* Place of an LP's youngest event among the events of that LP with the same receive time. */
struct probe_place {
    double ts;     /* receive time; -1: the LP has had no event */
    int32_t order; /* index of the event among the LP's events with this time, from 0 */
};
/* Sets the array, indexed by local LP number, that holds the place of each LP's youngest event. In
 * a run that cannot roll back, the engine stores the place of an event if it is the first of its LP
 * at its receive time. The functions of event_tied store all other places. The caller owns the
 * array. Call this function before a function is added to the probe event_tied, and with NULL after
 * that function is removed. */
void probe_set_places(struct probe_place *places);
/* Sets the member send_order in all events that the event in process sends: a number for observers,
 * which the engine does not use. Callable only in the probe event_tied. The number travels with the
 * events, and checkpoints include it. While event_tied has functions, events sent by LP
 * initialisation or g_tw_gvt_hook have -1. Other events have 0 if this function was not called for
 * their cause. */
void probe_number_sends(int32_t number);

/* Returns the number of events that event e created but did not send, or sent past the end time, as
 * far as the notes of e count such events. */
uint32_t probe_events_not_sent(const tw_event *e);
/* Returns the number of events that event e sent before the end time. Callable in the probe
 * event_executed, if event_tied had functions when the execution of e began. */
static inline uint32_t probe_events_sent(const tw_event *e)
{
    const uint32_t n = e->core_draws - e->past_end;
    return __builtin_expect(e->notes == NULL, 1) ? n : n - probe_events_not_sent(e);
}

/* Sets whether messages of this rank carry a stamp, from which probe_rollback_cause() on other PEs
 * takes its data. Cost: 16 bytes and a clock reading per message. */
void probe_stamp_messages(bool stamps);
/* Returns the cause of the rollback that event e causes. Callable only in the probe rollback_begin,
 * for its argument e. Causes on other PEs are unknown unless probe_stamp_messages() was called on
 * all ranks. */
struct probe_rollback_cause probe_rollback_cause(const tw_event *e);

/* Keeps, for each executed event that may be undone, the time given to probe_stamp() last before its
 * execution ended; on == false: ends this. probe_stamp_of() returns it, in event_undone for e only. */
void probe_keep_stamps(bool on);
void probe_stamp(double seconds);
double probe_stamp_of(const tw_event *e);

/* ---- Current state of the engine ------------------------------------------------------------- */

/* Returns the counters of the PE, valid until tw_end(). */
const struct tw_counters *pe_counters(const tw_pe *pe);
/* Returns the number of remote_events whose offsets are at least the lookahead. */
uint64_t pe_lookahead_kept(const tw_pe *pe);
uint64_t pe_pending_count(const tw_pe *pe); /* number of events in the PE's pending queue */

/* Memory that a PE uses, in bytes. */
struct pe_memory {
    /* Size of the events in use: pending, sent, or executed but not committed. */
    uint64_t event_bytes;
    uint64_t saved_bytes; /* size of saved states and other notes of these events */
    /* Memory obtained from the system for events, the pending queue and the states of LPs. */
    uint64_t allocated_bytes;
};
struct pe_memory pe_memory_now(const tw_pe *pe);

/* Returns seconds of wall-clock time since tw_run() began to execute events (steady clock), and in a
 * restarted run also the seconds that the run before it took until its checkpoint. */
double run_seconds(void);
/* Returns the processor time of this thread since tw_run() began to execute events; before, all 0. It is
 * read at most 100 times a second, or if `now` is true. */
struct processor_time run_processor_time(bool now);
/* Returns the numbers of samples that the run took which a restart continues; all 0: no restart. */
struct run_samples run_samples_before(void);

/* Returns the time that this rank has spent in each phase; all 0 with --phase-times=off. By
 * default, these times are estimates: one turn in 512 is timed, and one in 64 after the first call
 * of this function in a run. See engine/pe/phases.h. The times never decrease. */
const struct tw_phase_ticks *pe_phase_ticks(const tw_pe *pe);
/*
 * Switches the simulation's thread to the phase TW_PHASE_recording, which is always timed, or back
 * to the phase before. Returns the previous phase:
 *
 *     enum tw_phase before = probe_phase_enter(TW_PHASE_recording);
 *     ... seal, compress, write ...
 *     probe_phase_enter(before);
 *
 * Such pairs of calls may nest. A pair costs some 50 ns, so use it for work that takes a
 * microsecond or more.
 */
enum tw_phase probe_phase_enter(enum tw_phase phase);

/* Returns the number of ticks of clock_ticks() per second on this rank, measured at set-up. */
double run_ticks_per_second(void);
/* Facts about the run, for the headers of record files. */
/* Returns the arguments that tw_init() received, quoted and joined by spaces. */
const char *run_command_line(void);
const char *run_program_name(void); /* returns the name that begins messages, such as "netsim" */
/* run_notice() and run_warning() print a line on stderr with the prefix "program: ", without
 * damaging the progress line. A notice informs about a normal run; --quiet suppresses it. A warning
 * ("warning: ") reports that a request was not fulfilled, or only in part; about the model or an
 * event, use tw_warning(). */
void run_notice(const char *fmt, ...) __attribute__((format(printf, 1, 2)));
void run_warning(const char *fmt, ...) __attribute__((format(printf, 1, 2)));
/* Selects the behaviour of ROSS 8, for programs built with its headers, before tw_init(). A run then
 * appends its row to ross.csv unless --csv names another file. argv beyond argc stays in place. */
void run_as_for_ross8(void);
/* Marks results of the run as lost or incomplete. tw_end() then ends with status 1, unless a signal
 * ended the run. Not collective. */
void run_results_are_lost(void);
bool run_checks_memory(void);                /* returns true unless --memory-check=off was given */
bool run_option_was_given(const char *name); /* on the command line, or in an args file */
/* Writes the value of an option to `out`, formatted as on the command line; "": in no table. */
void run_option_text(const char *name, char *out, size_t size);
const char *run_phase_times(void); /* returns "sampled", "exact" or "off" */
const char *run_version(void);     /* returns the version: "Warpscope 0.1.0" */
/* Returns the largest number of an LP of any rank, plus 1. Numbers of LPs have holes if the result
 * is larger than g_tw_total_lps. Call it after tw_define_lps(). */
tw_lpid run_lps_end(void);
/* returns the name of the scheduler: "sequential", "conservative", "optimistic" or a variant */
const char *run_scheduler_name(void);

/* Returns the virtual time for records at this GVT: at most the end time. */
static inline double probe_virtual_time(double gvt)
{
    return gvt < g_tw_ts_end ? gvt : g_tw_ts_end;
}

#endif
