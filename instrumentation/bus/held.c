/*
 * held.c - emitting and committing records, see held.h.
 *
 * Invariants
 *  H1  an event has a block if and only if it was executed, neither undone nor committed, and
 *      emitted something.
 *  H2  is_attached unless there are no blocks.
 *  H3  numbers.of[stream].emitted[lp] counts what events emitted that were not undone: to undo an
 *      event is to go back to before its first record of the stream. lost records are not counted.
 */
#include "bus/held.h"

#include <assert.h>
#include <string.h>

#include "bus/bus.h"

/* ---- Dispatch -----------------------------------------------------------------------------------
 */

struct held_answer held_answer_begin(const st_record *record, st_class records)
{
    struct held_answer before = g_st_held.answer;
    g_st_held.answer = (struct held_answer){record, records};
    return before;
}

void held_answer_end(struct held_answer before)
{
    g_st_held.answer = before;
}

void held_tell(const st_record *record, st_class records)
{
    struct held_answer before = held_answer_begin(record, records);
    bus_dispatch(record, records);
    held_answer_end(before);
}

/* What cannot be undone. */
static void tell_both(const st_record *record)
{
    held_tell(record, ST_SPECULATIVE);
    held_tell(record, ST_COMMITTED);
}

/* A subscriber emits while it is called for a record. */
static void emit_answer(const struct held *held, st_record *record)
{
    record->lp = held->answer.answered->lp;
    record->ts = held->answer.answered->ts;
    record->number = held->answer.answered->number;
    bool committed = held->answer.records == ST_COMMITTED;
    held_tell(record, ST_SPECULATIVE);
    if (committed) {
        held_tell(record, ST_COMMITTED);
    }
}

/* ---- Emitting -----------------------------------------------------------------------------------
 */

bool held_tells_undone(const struct held *held, st_stream_id stream)
{
    for (unsigned i = 0; i < held->n_undo; i++) {
        if (held->undo[i].stream == stream) {
            return true;
        }
    }
    return false;
}

static __attribute__((noinline)) void lose(struct held *held, const st_record *record)
{
    if (held->lost++ == 0) {
        tw_warning(TW_LOC,
                   "out of memory for records that wait for their events' commit (%zu bytes are in "
                   "use): subscribers to committed records lose some, first of the stream %s; "
                   "lower --observer-memory or --max-memory",
                   held->pool.bytes, st_stream_name(record->stream));
        run_results_are_lost();
    }
}

/* The block of the event in process, made when it is new. NULL: no memory. */
static inline struct held_block *block_in_process(struct held *held, struct held_queue *queue)
{
    const tw_event *event = g_tw_pe->cur_event;
    assert(event != NULL);
    if (queue->young_event == event) {
        return queue->youngest;
    }
    if (!held->is_attached) {
        held_attach(held);
    }
    return held_queue_open(queue, &held->pool, event);
}

/* Counts the record as one of its event's. False: no memory. */
static inline bool keep_bare(struct held *held, struct held_queue *queue, const st_record *record)
{
    struct held_entry *entry = queue->youngest->youngest;
    if (entry != NULL && entry->size == HELD_BARE && entry->stream == record->stream) {
        entry->n++;
        return true;
    }
    entry = held_queue_add(queue, &held->pool, HELD_BARE);
    if (entry == NULL) {
        return false;
    }
    entry->n = 1;
    entry->number = record->number;
    entry->stream = record->stream;
    return true;
}

/* Adds the record to what its event has emitted. False: no memory. */
static inline bool keep(struct held *held, struct held_queue *queue, const st_record *record)
{
    struct held_entry *entry = held_queue_add(queue, &held->pool, record->size);
    if (entry == NULL) {
        return false;
    }
    entry->point = record->point;
    entry->number = record->number;
    entry->stream = record->stream;
    entry->type = record->type;
    if (record->size > 0) {
        memcpy(held_entry_data(entry), record->data, record->size);
    }
    return true;
}

static void emit_in_event(struct held *held, st_record *record, tw_lp *lp)
{
    uint64_t *emitted = &record_numbers_emitted(&held->numbers, record->stream)[lp->id];
    struct held_queue *queue = &held->queues[lp->kp->id];
    bool speculative = bus_listens(record->stream, record->type, ST_SPECULATIVE);
    bool is_told = held_tells_undone(held, record->stream);
    bool with_data = is_told || bus_listens(record->stream, record->type, ST_COMMITTED);
    record->number = *emitted + 1;
    if (block_in_process(held, queue) != NULL &&
        (with_data ? keep(held, queue, record) : keep_bare(held, queue, record))) {
        queue->youngest->is_told = queue->youngest->is_told || speculative || is_told;
        ++*emitted;
    } else if (with_data) {
        lose(held, record);
    }
    if (speculative) {
        bus_dispatch(record, ST_SPECULATIVE);
    }
}

static void emit_in_init(struct held *held, st_record *record, tw_lp *lp)
{
    record->number = ++record_numbers_emitted(&held->numbers, record->stream)[lp->id];
    /* What a speculative subscriber emits is a record of its own, after this one for both. */
    held_tell(record, ST_COMMITTED);
    bus_dispatch(record, ST_SPECULATIVE);
}

static void emit_from(struct held *held, st_record *record, const struct probe_now *now)
{
    tw_lp *lp = now->lp;
    record->lp = lp->gid;
    record->ts = now->ts;
    switch (now->context) {
    case PROBE_IN_INIT:
        emit_in_init(held, record, lp);
        break;
    case PROBE_IN_EVENT:
        emit_in_event(held, record, lp);
        break;
    case PROBE_IN_COMMIT:
        assert(g_tw_pe->cur_event != NULL);
        held_deliver(held, g_tw_pe->cur_event, lp, now->ts);
        record->number = record_numbers_settle(&held->numbers, record->stream, lp->id);
        tell_both(record);
        break;
    case PROBE_IN_FINAL:
        record->number = record_numbers_settle(&held->numbers, record->stream, lp->id);
        tell_both(record);
        break;
    default: /* in a reverse handler or on trial: what is emitted never happened */
        break;
    }
}

void held_emit(const st_record *given)
{
    struct held *held = &g_st_held;
    st_record record = *given;
    if (held->answer.answered != NULL) {
        emit_answer(held, &record);
        return;
    }
    struct probe_now now = probe_now();
    if (now.context != PROBE_IN_NOTHING && now.lp != NULL && held->table != NULL) {
        emit_from(held, &record, &now);
        return;
    }
    record.lp = ST_NO_LP;
    record.ts = now.ts;
    record.number = 0;
    tell_both(&record);
}

/* ---- Commit -------------------------------------------------------------------------------------
 */

static void deliver_data(struct held *held, struct held_queue *queue,
                         const struct held_block *block, const tw_lp *lp, tw_stime ts)
{
    st_record record = {.lp = lp->gid, .ts = ts};
    for (uint32_t i = 0; i < block->n; i++) {
        const struct held_entry *entry = held_queue_next(queue);
        if (entry->size != HELD_BARE) {
            record.number = entry->number;
            record.stream = entry->stream;
            record.type = entry->type;
            record.point = entry->point;
            record.size = entry->size;
            record.data = held_entry_data(entry);
            held_tell(&record, ST_COMMITTED);
        }
        held_queue_drop(queue, &held->pool);
    }
}

void held_deliver_block(struct held *held, const tw_lp *lp, tw_stime ts)
{
    struct held_queue *queue = &held->queues[lp->kp->id];
    struct held_block block = held_queue_take(queue, &held->pool);
    if (block.has_data) {
        deliver_data(held, queue, &block, lp, ts);
    } else {
        for (uint32_t i = 0; i < block.n; i++) {
            held_queue_drop(queue, &held->pool);
        }
    }
    held_queue_done(queue, &held->pool);
    held_detach_if_idle(held);
}
