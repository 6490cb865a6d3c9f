/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * deferred.h - when subscribers get a record: at once, or when its event cannot be undone any more.
 *
 * st_notify() hands every record that somebody listens to over to deferred_emit(). What happens to it
 * depends on where it comes from:
 *
 *   init                    both classes of subscribers get it at once
 *   an event's handler      speculative ones get it at once, for the others it is kept with the
 *                           event: a rollback drops it, the commit hands it over
 *   a reverse handler       nothing: it never happened
 *   commit, final handlers  both at once, after what the event's handler emitted
 *   a subscriber            both at once if it was called for a committed record, else only
 *                           speculative ones; with lp, ts and number of that record. If a handler's
 *                           record is what it was called for, this is one more of the handler's
 *   elsewhere               both at once, with no LP
 *
 * Numbers count the records of an LP on one stream, while anything listens to that: all of them,
 * for a count of those that are listened to would differ with the listeners. What commit and final
 * handlers emit is counted apart (record_numbers.h): when that happens depends on how far the LP
 * has run ahead, and so would the numbers of what its events emit.
 */
#ifndef WARPSCOPE_BUS_DEFERRED_H
#define WARPSCOPE_BUS_DEFERRED_H

#include "base/status.h"
#include "bus/deferred_queue.h"
#include "bus/record_numbers.h"
#include "engine/probe.h"

#define DEFERRED_UNDO_MAX 4 /* functions told what is undone */

#define DEFERRED_NEW_VISIT UINT64_MAX /* as an instance: to be settled when the record is emitted */

/* What subscribers are called for, unless it is a handler's record. */
struct deferred_answer {
    const st_record *answered;
    st_class records;
};

struct deferred_undo_listener {
    st_stream_id stream;
    void (*fn)(void *ctx, const st_record *record);
    void *ctx;
};

/* Zero-initialised there is no run: records are delivered at once. */
struct deferred {
    struct probe_table *table;     /* NULL: no run */
    struct deferred_queue *queues; /* owned; by KP */
    struct record_numbers numbers;
    tw_kpid n_kps;
    struct deferred_pool pool;
    struct deferred_answer answer; /* answered NULL: handlers emit, or nobody */
    bool is_attached;              /* the probes are */
    bool nobody_listens;           /* since somebody did */
    uint64_t lost; /* records that subscribers of class committed lost for want of memory */
    unsigned n_undo;
    struct deferred_undo_listener undo[DEFERRED_UNDO_MAX];
};

/* The one of this rank; in st_globals.c. */
extern struct deferred g_st_deferred;

/* Before LPs are initialised. TW_ERR_MEMORY. */
enum tw_status deferred_begin(struct deferred *deferred, struct probe_table *table, tw_kpid n_kps,
                              tw_lpid n_lps);
/* After the last commit: says how many records were lost, if any. */
void deferred_finish(const struct deferred *deferred);
/* Frees everything. */
void deferred_fini(struct deferred *deferred);
/* Aborts with a message when an invariant is broken; the number of events that have records. For
 * tests. */
uint64_t deferred_check(const struct deferred *deferred);

/* Delivers a record of a stream that is listened to, now or later, or counts it if its type is not.
 * lp, ts and number are filled in here; data, of at most 64 KiB, is 8-aligned. An instance
 * DEFERRED_NEW_VISIT stands for the record's number, or without an LP for a count; returns the
 * instance, 0 in a reverse handler. */
uint64_t deferred_emit(const st_record *record);

/* What st_notify() does in a run, for a stream that is listened to. */
st_result deferred_notify(st_stream_id stream, st_type type, const st_point *point,
                          const void *data, size_t size);
/* The same for a record with a parent or an instance, whose data bus_is_unusual() has passed. The
 * instance is set as by deferred_emit(). */
st_result deferred_notify_visit(st_record *record);

/* fn gets each record of a stream that is undone, the youngest first, right after the reverse
 * handler; it must not emit. Until deferred_fini(). At most DEFERRED_UNDO_MAX, more are fatal. */
void deferred_on_undo(st_stream_id stream, void (*fn)(void *ctx, const st_record *record),
                      void *ctx);
/* Is there such a function? Then all types are kept while anybody listens to the stream. */
bool deferred_tells_undone(const struct deferred *deferred, st_stream_id stream);

/*
 * For streams that do not go through deferred_emit(). Hands a record to subscribers of one class. What
 * they emit then is not the handler's, if any is running.
 */
void deferred_tell(const st_record *record, st_class records);

/* Who calls others than subscribers says so in the same way: from _begin() to _end() what is
 * emitted answers this record, delivered to this class. Nests. */
struct deferred_answer deferred_answer_begin(const st_record *record, st_class records);
void deferred_answer_end(struct deferred_answer before);

/* Delivers what the event that is being committed has emitted, unless that has happened: for those
 * who are told of commits as well and want to come after it. */
void deferred_deliver_block(struct deferred *deferred, const tw_lp *lp, tw_stime ts);
/* Adds the probes, and removes them when there is nothing to do for them. */
void deferred_attach(struct deferred *deferred);
void deferred_detach_if_idle(struct deferred *deferred);

/* Does any record wait for its commit? */
static inline bool deferred_any(const struct deferred *deferred)
{
    return deferred->pool.blocks > 0;
}

static inline void deferred_deliver(struct deferred *deferred, const tw_event *event,
                                    const tw_lp *lp, tw_stime ts)
{
    if (deferred_any(deferred) && deferred->queues[lp->kp->id].old_event == event) {
        deferred_deliver_block(deferred, lp, ts);
    }
}

#endif
