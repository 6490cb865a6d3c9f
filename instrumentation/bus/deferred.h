/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * deferred.h - decides when a record is delivered: at once, or after the commit of its event.
 *
 * st_notify() passes every record of a stream with subscribers to deferred_emit(). Delivery depends
 * on the emitter:
 *
 *   init                    both classes of subscribers get the record at once
 *   event handler           speculative subscribers get it at once; for committed subscribers it
 *                           waits with its event: a rollback drops it, the commit delivers it
 *   reverse handler         the record is discarded
 *   commit, final handlers  both classes get it at once, after the records of the event's handler
 *   subscriber              if the subscriber was called with a committed record, both classes get
 *                           the record at once; otherwise only speculative subscribers do. The
 *                           record gets lp, ts and number of the record that the subscriber was
 *                           called with. An answer to a record of a handler counts as another
 *                           record of that handler
 *   any other code          both classes get it at once, without an LP
 *
 * Record numbers count the records of an LP on one stream while the stream has subscribers. Records
 * of all types count, so that the numbers do not depend on the subscriptions. Commit and final
 * handlers have a separate count (record_numbers.h): the time of a commit depends on how far the LP
 * has run ahead.
 */
#ifndef WARPSCOPE_BUS_DEFERRED_H
#define WARPSCOPE_BUS_DEFERRED_H

#include <assert.h>

#include "base/status.h"
#include "bus/deferred_queue.h"
#include "bus/record_numbers.h"
#include "engine/probe.h"

#define DEFERRED_UNDO_MAX 4 /* maximum number of functions that deferred_on_undo() can register */

/* Value of a record's member `instance` that deferred_emit() replaces by a new number. */
#define DEFERRED_NEW_VISIT UINT64_MAX

/* A record that is being passed to functions of observers. Records that these functions emit are
 * answers to that record. records: class of subscribers that get the answers. */
struct deferred_answer {
    const st_record *answered;
    st_class records;
};

struct deferred_undo_listener {
    st_stream_id stream;
    void (*fn)(void *ctx, const st_record *record);
    void *ctx;
};

/* State of delivery on this rank. In a zero-initialised state there is no run, and records are
 * delivered at once. */
struct deferred {
    struct probe_table *table;     /* probe table of the engine; NULL: no run */
    struct deferred_queue *queues; /* owned; [k]: queue of KP k */
    struct record_numbers numbers;
    tw_kpid n_kps;
    struct deferred_pool pool;
    /* Record that is being delivered. Its member `answered` is NULL while a handler emits, and
     * while no record is being delivered. */
    struct deferred_answer answer;
    bool is_attached;    /* true if the functions of deferred_probes.c are in the probe table */
    bool no_subscribers; /* true if no stream has subscribers */
    /* Number of records that committed subscribers did not get because memory was exhausted. */
    uint64_t lost;
    /* Number of entries in the array `undo`. */
    unsigned n_undo;
    /* Functions that deferred_on_undo() has registered. */
    struct deferred_undo_listener undo[DEFERRED_UNDO_MAX];
};

/* The state of this rank; defined in st_globals.c. */
extern struct deferred g_st_deferred;

/* Initialises the state for a run with n_kps KPs and n_lps local LPs. Called before LPs are
 * initialised. Returns TW_OK or TW_ERR_MEMORY. */
enum tw_status deferred_begin(struct deferred *deferred, struct probe_table *table, tw_kpid n_kps,
                              tw_lpid n_lps);
/* Discards the counts from which records get their numbers, and expects n_lps local LPs from now
 * on. Called when LPs have moved between ranks, before their counts are restored. */
void deferred_lps_made(struct deferred *deferred, tw_lpid n_lps);
/* Prints a warning with the number of lost records, if any. Called after the last commit. */
void deferred_finish(const struct deferred *deferred);
void deferred_fini(struct deferred *deferred);
/* Checks the invariants, and aborts with an error message if one is broken. Returns the number of
 * events that have records. For tests. */
uint64_t deferred_check(const struct deferred *deferred);

/* Emits a record of a stream that has subscribers: delivers it now or at the commit, or only counts
 * it if no subscriber listens to its type. Sets lp, ts and number in the delivered record. data, at
 * most 64 KiB, must be 8-aligned. If instance is DEFERRED_NEW_VISIT, it becomes the record's
 * number, or, for a record without an LP, the next value of g_st_bus.n_visits. Returns the
 * instance; 0 in a reverse handler. */
uint64_t deferred_emit(const st_record *record);

/* Does the work of st_notify() during a run, for a stream that has subscribers. */
st_result deferred_notify(st_stream_id stream, st_type type, const st_point *point,
                          const void *data, size_t size);
/* Does the same as deferred_notify() for a record with a parent or an instance. bus_is_unusual()
 * must return false for the record's data. Sets record->instance to the result of
 * deferred_emit(). */
st_result deferred_notify_visit(st_record *record);

/* Registers fn, which is called right after a reverse handler: once for each undone record of the
 * stream, the latest first. fn must not emit. It stays registered until deferred_fini(). More than
 * DEFERRED_UNDO_MAX functions are a fatal error. */
void deferred_on_undo(st_stream_id stream, void (*fn)(void *ctx, const st_record *record),
                      void *ctx);
/* Returns true if deferred_on_undo() has registered a function for the stream. Records of all types
 * are then kept while the stream has subscribers. */
static inline bool deferred_reports_undone(const struct deferred *deferred, st_stream_id stream)
{
    assert(deferred->n_undo <= DEFERRED_UNDO_MAX);
    for (unsigned i = 0; i < deferred->n_undo; i++) {
        if (deferred->undo[i].stream == stream) {
            return true;
        }
    }
    return false;
}

/*
 * Delivers a record to subscribers of class `records`, for streams that do not use deferred_emit().
 * Records that these subscribers emit are answers to this record, not records of a running handler.
 */
void deferred_dispatch(const st_record *record, st_class records);

/* Call this function before calling functions that observe a record without being subscribers.
 * Records that these functions emit are answers to `record`, and are delivered to class `records`.
 * Returns the argument for deferred_answer_end(). Pairs of calls may nest. */
struct deferred_answer deferred_answer_begin(const st_record *record, st_class records);
/* Ends the effect of a call of deferred_answer_begin(). before: the result of that call. */
void deferred_answer_end(struct deferred_answer before);

/* Delivers the records of the event that is being committed, which must have the oldest block in
 * the queue of lp's KP. lp, ts: receiver and receive time of the event. */
void deferred_deliver_block(struct deferred *deferred, const tw_lp *lp, tw_stime ts);
/* Adds the functions of deferred_probes.c to the probe table. */
void deferred_attach(struct deferred *deferred);
/* Removes the functions of deferred_probes.c from the probe table if no record waits and no
 * subscriber is left. */
void deferred_detach_if_idle(struct deferred *deferred);

/* Returns true if at least one record waits for the commit of its event. */
static inline bool deferred_any(const struct deferred *deferred)
{
    return deferred->pool.blocks > 0;
}

/* Delivers the records of the event that is being committed, unless they have been delivered
 * already. Called by observers of commits that must run after the subscribers. lp, ts: receiver and
 * receive time of the event. */
static inline void deferred_deliver(struct deferred *deferred, const tw_event *event,
                                    const tw_lp *lp, tw_stime ts)
{
    assert(lp->kp->id < deferred->n_kps || !deferred_any(deferred));
    if (deferred_any(deferred) && deferred->queues[lp->kp->id].old_event == event) {
        deferred_deliver_block(deferred, lp, ts);
        deferred_detach_if_idle(deferred);
    }
}

#endif
