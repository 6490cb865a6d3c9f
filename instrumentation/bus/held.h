/*
 * held.h - when subscribers get a record: at once, or when its event cannot be undone any more.
 *
 * st_notify() hands every record that somebody listens to over to held_emit(). What happens to it
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
#ifndef WARPSCOPE_BUS_HELD_H
#define WARPSCOPE_BUS_HELD_H

#include "base/status.h"
#include "bus/held_queue.h"
#include "bus/record_numbers.h"
#include "engine/probe.h"

#define HELD_UNDO_MAX 4 /* functions told what is undone */

#define HELD_NEW_VISIT UINT64_MAX /* as an instance: to be settled when the record is emitted */

/* What subscribers are called for, unless it is a handler's record. */
struct held_answer {
    const st_record *answered;
    st_class records;
};

struct held_undo_listener {
    st_stream_id stream;
    void (*fn)(void *ctx, const st_record *record);
    void *ctx;
};

/* Zero-initialised there is no run: records are delivered at once. */
struct held {
    struct probe_table *table; /* NULL: no run */
    struct held_queue *queues; /* owned; by KP */
    struct record_numbers numbers;
    tw_kpid n_kps;
    struct held_pool pool;
    struct held_answer answer; /* answered NULL: handlers emit, or nobody */
    bool is_attached;          /* the probes are */
    bool nobody_listens;       /* since somebody did */
    uint64_t lost; /* records that subscribers of class committed lost for want of memory */
    unsigned n_undo;
    struct held_undo_listener undo[HELD_UNDO_MAX];
};

/* The one of this rank; in st_globals.c. */
extern struct held g_st_held;

/* Before LPs are initialised. TW_ERR_MEMORY. */
enum tw_status held_begin(struct held *held, struct probe_table *table, tw_kpid n_kps,
                          tw_lpid n_lps);
/* After the last commit: says how many records were lost, if any. */
void held_finish(const struct held *held);
/* Frees everything. */
void held_fini(struct held *held);
/* Aborts with a message when an invariant is broken; the number of events that have records. For
 * tests. */
uint64_t held_check(const struct held *held);

/* Delivers a record of a stream that is listened to, now or later, or counts it if its type is not.
 * lp, ts and number are filled in here; data, of at most 64 KiB, is 8-aligned. An instance
 * HELD_NEW_VISIT stands for the record's number, or without an LP for a count; returns the
 * instance, 0 in a reverse handler. */
uint64_t held_emit(const st_record *record);

/* What st_notify() does in a run, for a stream that is listened to. */
st_result held_notify(st_stream_id stream, st_type type, const st_point *point, const void *data,
                      size_t size);
/* The same for a record with a parent or an instance, whose data bus_is_unusual() has passed. The
 * instance is set as by held_emit(). */
st_result held_notify_visit(st_record *record);

/* fn gets each record of a stream that is undone, the youngest first, right after the reverse
 * handler; it must not emit. Until held_fini(). At most HELD_UNDO_MAX, more are fatal. */
void held_on_undo(st_stream_id stream, void (*fn)(void *ctx, const st_record *record), void *ctx);
/* Is there such a function? Then all types are kept while anybody listens to the stream. */
bool held_tells_undone(const struct held *held, st_stream_id stream);

/*
 * For streams that do not go through held_emit(). Hands a record to subscribers of one class. What
 * they emit then is not the handler's, if any is running.
 */
void held_tell(const st_record *record, st_class records);

/* Who calls others than subscribers says so in the same way: from _begin() to _end() what is
 * emitted answers this record, delivered to this class. Nests. */
struct held_answer held_answer_begin(const st_record *record, st_class records);
void held_answer_end(struct held_answer before);

/* Delivers what the event that is being committed has emitted, unless that has happened: for those
 * who are told of commits as well and want to come after it. */
void held_deliver_block(struct held *held, const tw_lp *lp, tw_stime ts);
/* Adds the probes, and removes them when there is nothing to do for them. */
void held_attach(struct held *held);
void held_detach_if_idle(struct held *held);

/* Does any record wait for its commit? */
static inline bool held_any(const struct held *held)
{
    return held->pool.blocks > 0;
}

static inline void held_deliver(struct held *held, const tw_event *event, const tw_lp *lp,
                                tw_stime ts)
{
    if (held_any(held) && held->queues[lp->kp->id].old_event == event) {
        held_deliver_block(held, lp, ts);
    }
}

#endif
