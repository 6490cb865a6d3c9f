/*
 * probe.h - how observation gets into the engine: a table of optional functions.
 *
 * The engine knows nothing of instrumentation. It calls the functions of this table where something
 * happens; a probe that nobody has asked for costs one predictable branch on a bit. Whoever fills
 * the table (instrumentation/) is reached through one tw_extension object, chosen at link time: a
 * program linked without instrumentation gets core/engine/no_extension.c.
 *
 * Probe functions must not send events or draw random numbers. They may add functions to the table
 * and remove them, also themselves: those added to the probe that is being called come from its
 * next call on, those removed are not called any more.
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

/* Why a KP is rolled back. */
enum probe_rollback {
    PROBE_ROLLBACK_PRIMARY = 1,  /* the event is a straggler: it arrived in the KP's past */
    PROBE_ROLLBACK_SECONDARY = 2 /* the event had been processed and is cancelled */
};

/*
 * The probes: X(name, parameters). Functions of one probe are called in the order they were added.
 * Each call stands for one count of the counter in brackets, which includes it already: when the
 * run is over, calls and counters agree exactly, over all LPs. Probes of different LPs may come
 * between those of one: an event in process may cause rollbacks of other KPs.
 *
 * event_starting   the event is about to be executed; the LP's state has been saved if the engine
 *                  does that for its type. tw_now() is still the time of the event before, of the
 *                  same KP. event_executed follows.
 * event_executed   right after the forward handler, and again each time it is re-executed
 *                  [events_processed].
 * event_undone     right after the reverse handler, or after the LP's state has been restored
 *                  (state_restored): exactly once per event_executed that does not commit, the
 *                  LP's youngest first [events_rolled_back].
 * event_committed  exactly once per event that will never be undone, in event order within the PE
 *                  [events_committed].
 * event_cancelled  an event of this LP is annihilated by the rollback of its cause; if it had been
 *                  processed, that was undone before [events_aborted].
 * rollback_begin   a KP is about to be rolled back because of an event, see enum probe_rollback
 *                  [primary_rollbacks, secondary_rollbacks].
 *                  With --random-rollbacks the event may be one that is undone by it.
 * rollback_end     that rollback has undone so many events of the KP, at least one. Pairs do not
 *                  nest: what a rollback cancels is rolled back after its end. When a signal ends
 *                  the run, events after GVT are undone without a rollback.
 * message_sent     an event or, if anti, an anti-message of a local LP leaves for another rank;
 *                  also while LPs are initialised [network_sends].
 * message_received an event or, if anti, an anti-message for a local LP has come from another rank.
 *                  Should an anti-message come before its event, both are told when that comes,
 *                  since only the event names the LP [network_recvs].
 * turn             each turn of a scheduler's loop: after a batch of events, and while waiting.
 *                  Also while a run that was stopped by a signal returns to its GVT.
 * gvt_started      this rank begins a GVT computation.
 * fossils_collected after each GVT computation, in every scheduler, also the last: n events have
 *                  been committed since the one before.
 * gvt_advanced     after each GVT computation and its fossil collection, in every scheduler;
 *                  sequential runs make one every gvt-interval events. Not after the run has ended.
 * gvt_finished     after gvt_advanced, or in its place when the run has ended: once for each
 *                  gvt_started, also where a computation only settles what is on its way.
 * event_sent       a handler or the initialisation of an LP sends an event, to its own rank or
 *                  another; a rollback that it causes, and queue_pushed or message_sent, follow.
 * queue_pushed     an event has come into the pending queue: sent, received, or undone.
 * queue_popped     an event has left it and is about to be executed. One that is cancelled while it
 *                  is there leaves without this call.
 * lp_init          right after the LP's init function, if it has one.
 * lp_final         right after the LP's final function, if it has one: after tw_extension.finish.
 * ahead            in some: receiver of an event that is soon to be executed, or committed, for
 *                  prefetching what is kept by LP; NULL: not known.
 *
 * Functions may come and go during the run, from any probe or handler. So one that comes late is
 * told of the end of what it has not seen begin: event_undone, event_committed and rollback_end
 * without what precedes them. What a function listens for inside an event's handler is told from
 * the next event on; commits of that event are.
 *
 * kp->last_time, in any probe: the receive time of the KP's youngest event that is processed and
 * not undone, while it is uncommitted; during event_executed and event_undone that of this event.
 * It may lie before GVT (the KP has been idle), and it is GVT after a rollback that left nothing
 * uncommitted. So max(0, last_time - GVT) is how far the KP is ahead of GVT.
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
    X(queue_pushed, (void *ctx, const tw_event *e))                                                \
    X(queue_popped, (void *ctx, const tw_event *e))                                                \
    X(lp_init, (void *ctx, tw_lp *lp))                                                             \
    X(lp_final, (void *ctx, tw_lp *lp))

/* The message of an event that a probe is given. */
static inline void *probe_message(const tw_event *e)
{
    return tw_event_data((tw_event *)(uintptr_t)e);
}

#define X(name, parameters) PROBE_##name,
enum probe_kind { PROBE_LIST(X) PROBE_KINDS };
#undef X

#define PROBE_FUNCTIONS_MAX 12 /* of one probe; one more is fatal */

struct probe_table {
    uint32_t wanted; /* bit per enum probe_kind that has a function, and PROBE_ENGINE_... bits */
    uint64_t added;  /* functions so far */
#define X(name, parameters)                                                                        \
    struct {                                                                                       \
        unsigned n;                                                                                \
        uint64_t number[PROBE_FUNCTIONS_MAX]; /* ascending: as the how manieth it was added */     \
        void *ctx[PROBE_FUNCTIONS_MAX];                                                            \
        void(*call[PROBE_FUNCTIONS_MAX]) parameters;                                               \
    } name;
    PROBE_LIST(X)
#undef X
};

/* Bits of probe_table.wanted. The engine has some for itself, so that one test tells whether
 * anything but the usual is to be done. */
#define PROBE_BIT(name)      (1u << PROBE_##name)
#define PROBE_ENGINE_TIMED   (1u << 31) /* this turn of the scheduler's loop is timed */
#define PROBE_ENGINE_COMMITS (1u << 30) /* others than probes look at commits */
#define PROBE_ENGINE_GUARD   (1u << 29) /* between probe_observer_enter() and _leave() */
#define PROBE_ENGINE_HISTORY (1u << 28) /* executed events are kept: they may be rolled back */
#define PROBE_ENGINE_ORDER   (1u << 27) /* executed events are listed, see commit_order.h */
#define PROBE_ENGINE_FENCES  (1u << 26) /* messages and states have fences, see fences.h */
_Static_assert(PROBE_KINDS < 26, "the engine's bits follow those of the probes");

/* For PROBE_ADD(): ends the run with a message that names the probe, which has no place left. */
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

/* Removes the function that was added with this context first; nothing happens if there is none. */
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

/* Bits of the probes that have a function. An engine built with WARPSCOPE_NO_PROBES has none, which
 * shows what they cost. */
#ifdef WARPSCOPE_NO_PROBES
#define PROBES_WANTED(table)                                                                       \
    ((table)->wanted &                                                                             \
     (PROBE_ENGINE_COMMITS | PROBE_ENGINE_HISTORY | PROBE_ENGINE_ORDER | PROBE_ENGINE_FENCES))
#else
#define PROBES_WANTED(table) ((table)->wanted)
#endif

/* Does anybody want to know? */
#define PROBE_IS_WANTED(table, name) ((PROBES_WANTED(table) & PROBE_BIT(name)) != 0)

/* Calls the first function of a probe, perhaps the only one. */
#define PROBE_IS_ALONE(table, name) (__builtin_expect((table)->name.n == 1, 1))
#define PROBE_CALL_FIRST(table, name, ...)                                                         \
    ((table)->name.call[0]((table)->name.ctx[0], __VA_ARGS__))

/* Calls all functions of a probe, usually when PROBE_IS_WANTED(). */
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

/* Of functions with these ascending numbers, the place of the first after the one that was at i and
 * has been called; functions may have been removed meanwhile. */
static inline unsigned probe_after(const uint64_t *numbers, unsigned n, unsigned i, uint64_t called)
{
    i++;
    while (i > 0 && (i > n || numbers[i - 1] > called)) {
        i--;
    }
    return i;
}

/* Fetches what a recorder keeps of the LP ahead, see event_starting: entries of size bytes by local
 * number. */
PREFETCHING void probe_prefetch(const tw_lp *ahead, const void *entries, size_t size)
{
    if (ahead != NULL) {
        __builtin_prefetch((const char *)entries + ahead->id * size, 1);
    }
}

/* ---- For those who take part in the model's handlers --------------------------------------------
 * From the simulation's thread only.
 */

/* Whose code is running. */
enum probe_context {
    PROBE_IN_NOTHING, /* nobody's: the engine, functions of the PE */
    PROBE_IN_INIT,    /* init or pre_run of an LP, or its lp_init */
    PROBE_IN_EVENT,   /* forward handler; event_starting, event_executed */
    PROBE_IN_REVERSE, /* reverse handler; event_undone */
    PROBE_IN_COMMIT,  /* commit handler; event_committed */
    PROBE_IN_FINAL,   /* final of an LP, or its lp_final */
    PROBE_IN_TRIAL /* forward handler that is undone and called again: what it does is not seen */
};

struct probe_now {
    enum probe_context context;
    tw_lp *lp;   /* NULL: PROBE_IN_NOTHING */
    tw_stime ts; /* of the event; 0 at init, the time that the run came to in final, else GVT */
};

/* Costs a few loads. */
struct probe_now probe_now(void);

/*
 * The LP's next number: 1, 2, ... What an undone event took is given back before event_undone is
 * told, so the numbers of what is committed are the same under every scheduler. From init, forward
 * handler (event_starting, event_executed and trials included) and final of this very LP.
 */
uint64_t probe_lp_number(tw_lp *lp);
/* How many it has taken: the number taken last. */
uint64_t probe_lp_numbers(const tw_lp *lp);

/*
 * So many bytes more (or less, if negative) are held by observers for events that may be undone.
 * Beyond --observer-memory only the event that GVT waits for is executed, and GVT computed, until
 * they are fewer. Nothing is refused: one event may hold as much as it likes.
 */
void probe_hold_bytes(int64_t change);
/* Bytes held now, and how many there may be; UINT64_MAX: any number. */
uint64_t probe_held_bytes(void);
uint64_t probe_held_limit_bytes(void);

/*
 * Between these two runs code of others, who: a name for messages, which stays valid. Sending an
 * event, tw_output() or a draw from the streams of the LP whose handler runs is fatal then, with a
 * message that names who; draws are found out when it leaves, while events are committed in the
 * first thousands of calls and in one of 128 later. Pairs nest.
 */
void probe_observer_enter(const char *who);
void probe_observer_leave(void);
/* The same for the only call in event_committed, inline, while `unchecked` is not 0. */
struct probe_commit_guard {
    const char *who;    /* NULL: nobody is being called this way */
    uint32_t unchecked; /* so many more calls need no check */
};
/* That of this PE, from tw_init() to tw_end(). */
struct probe_commit_guard *probe_commit_guard(void);
static inline void probe_commit_enter(struct probe_commit_guard *guard, const char *who)
{
    guard->unchecked--;
    guard->who = who;
}
static inline void probe_commit_leave(struct probe_commit_guard *guard)
{
    guard->who = NULL;
}
/* Is this between the two? What changes the model, such as taking a number, is to be refused. */
bool probe_is_guarded(void);

/* ---- The engine as of now -------------------------------------------------------------------- */

/* The PE's counters as of now. */
const struct tw_counters *pe_counters(const tw_pe *pe);
/* Events in the pending queue of the PE now. */
uint64_t pe_pending_count(const tw_pe *pe);
/* Seconds of wall clock since tw_run() began executing events (steady clock). */
double run_seconds(void);

/*
 * Time of this rank by phase, as of now; 0 with --phase-times=off. Estimates by default: a turn of
 * the scheduler's loop in 512 is timed, one in 64 once this has been called in the run, see
 * engine/phases.h. Never decreases.
 */
const struct tw_phase_ticks *pe_phase_ticks(const tw_pe *pe);
/*
 * Time of the simulation's thread that goes into recording, always measured:
 *
 *     enum tw_phase before = probe_phase_enter(TW_PHASE_recording);
 *     ... seal, compress, write ...
 *     probe_phase_enter(before);
 *
 * May nest. Worth it for what takes a microsecond or more: a pair costs some 50 ns.
 */
enum tw_phase probe_phase_enter(enum tw_phase phase);

/* Rate of clock_ticks() on this rank, as measured when the run was set up. */
double run_ticks_per_second(void);
/* Facts for files' headers. */
const char *run_command_line(void); /* as given to tw_init(), arguments joined by blanks, quoted */
const char *run_program_name(void); /* "netsim": messages begin with it */
/*
 * A line on stderr, "program: " in front, beside the line that shows the progress. A notice says
 * what a run does when all is well; --quiet suppresses it. A warning says that something which was
 * asked for is not done, or not wholly; it has "warning: " in front and comes with --quiet, too.
 * Both are for what is neither the model's nor at an event: tw_warning() is for that.
 */
void run_notice(const char *fmt, ...) __attribute__((format(printf, 1, 2)));
void run_warning(const char *fmt, ...) __attribute__((format(printf, 1, 2)));
/*
 * Before tw_init(), in a program built as for ROSS 8, whose scripts and models rely on this: a run
 * adds its row to ross.csv unless --csv names another file, and words that argv had beyond argc
 * stay there.
 */
void run_as_for_ross8(void);
/* On any rank: results of the run, records included, are not written or miss something. tw_end()
 * ends with status 1 then, unless a signal ended the run. */
void run_results_are_lost(void);
bool run_checks_memory(void);                /* --memory-check, see tw_ask_memory() */
bool run_option_was_given(const char *name); /* on the command line or in an args file */
const char *run_phase_times(void); /* how pe_phase_ticks() come about: "sampled", "exact", "off" */
const char *run_version(void);     /* "Warpscope 0.1.0" */
const char *run_scheduler_name(void); /* "sequential", "conservative", "optimistic" */

/* Virtual time as records show it: GVT has no meaning past the end of the run. */
static inline double probe_virtual_time(double gvt)
{
    return gvt < g_tw_ts_end ? gvt : g_tw_ts_end;
}

#endif
