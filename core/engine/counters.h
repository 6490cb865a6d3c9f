/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * counters.h - the counters of a PE: totals since the start of the run, which only this PE writes.
 *
 * The total of a counter over ranks is the sum, except for gvt_rounds and all_reduces. These two
 * are equal on all ranks, since every rank takes part in the same GVT computations.
 * events_processed also counts executions that are undone later; events_processed -
 * events_rolled_back is the net number of events.
 */
#ifndef WARPSCOPE_ENGINE_COUNTERS_H
#define WARPSCOPE_ENGINE_COUNTERS_H

#include <stdint.h>

/* List of all counters: X(name, description for messages). */
#define TW_COUNTER_LIST(X)                                                                         \
    X(events_processed, "events executed forwards")                                                \
    X(events_rolled_back, "events undone")                                                         \
    X(events_aborted, "events cancelled by the rollback of their cause")                           \
    X(event_ties, "events executed with the receive time of the one before them")                  \
    X(events_past_end, "events scheduled at or past the end time, never delivered")                \
    X(primary_rollbacks, "rollbacks caused by a straggler")                                        \
    X(secondary_rollbacks, "rollbacks caused by an anti-message or a cancelled event")             \
    X(fossil_collects, "fossil collections")                                                       \
    X(network_sends, "messages sent to other ranks, anti-messages included")                       \
    X(network_recvs, "messages received from other ranks, anti-messages included")                 \
    X(remote_events, "events sent to other ranks")                                                 \
    X(anti_sends, "anti-messages sent to other ranks")                                             \
    X(events_committed, "events committed")                                                        \
    X(state_saves, "LP states saved, of types without a reverse handler")                          \
    X(snapshots, "differences of LP states kept by tw_snapshot_delta()")                           \
    X(snapshot_bytes, "bytes of these differences, compressed")                                    \
    X(events_suspended, "events for suspended LPs, received without a call of the handler")        \
    X(turns_held_back, "turns of the scheduler's loop held back by limits of memory")              \
    X(gvt_rounds, "GVT computations")                                                              \
    X(all_reduces, "reductions that the GVT computations took")

struct tw_counters {
#define X(name, text) uint64_t name;
    TW_COUNTER_LIST(X)
#undef X
};

static inline void counters_add(struct tw_counters *sum, const struct tw_counters *more)
{
#define X(name, text) sum->name += more->name;
    TW_COUNTER_LIST(X)
#undef X
}

/* List of all phases, the kinds of work among which the time of a PE is divided: X(name,
 * description for messages). See engine/pe/phases.h. Nested work counts for the innermost phase:
 * state saving in an event counts as state saving, not as event processing. */
#define TW_PHASE_LIST(X)                                                                           \
    X(network_read, "taking in messages")                                                          \
    X(gvt, "computing GVT")                                                                        \
    X(fossil_collect, "committing events")                                                         \
    X(event_abort, "taking back what undone events had sent")                                      \
    X(event_processing, "executing events, sending included")                                      \
    X(priority_queue, "pending queue")                                                             \
    X(rollbacks, "undoing events")                                                                 \
    X(cancelq, "anti-messages received")                                                           \
    X(event_lookup, "finding the events of anti-messages")                                         \
    X(state_saving, "saving and restoring states")                                                 \
    X(recording, "writing instrumentation data")                                                   \
    X(timing, "reading the clock for these times")                                                 \
    X(other, "the rest: waiting, scheduling")

#define X(name, text) TW_PHASE_##name,
enum tw_phase { TW_PHASE_LIST(X) TW_PHASES };
#undef X

/* Time per phase, in ticks; run_ticks_per_second() returns the number of ticks per second. Each
 * time is accessible by the name of its phase, or as of[phase] for an enum tw_phase. */
struct tw_phase_ticks {
    union {
        struct {
#define X(name, text) uint64_t name;
            TW_PHASE_LIST(X)
#undef X
        };
        uint64_t of[TW_PHASES];
    };
};

#endif
