/*
 * room.c - the sub-buffer switch: how channels close sub-buffers and take new ones.
 *
 * A channel fills its sub-buffer. A full sub-buffer is closed, that is numbered and pushed to the
 * write queue, and the channel takes another one. Closed sub-buffers are written
 *   - by the writer thread, at once;
 *   - without a thread, after a GVT computation if less than --buffer-free per cent of the buffers
 *     is free;
 *   - as --buffer-full says, if no sub-buffer is free.
 * Every PE writes into its own extents, so none of this involves another rank. No record is lost
 * for lack of space unless --buffer-full=drop requests it. After a write error the channels use the
 * scratch row, only to count the loss exactly.
 *
 * Invariants
 *  R1  A channel that is not void and has no sub-buffer has had no record yet, or was just flushed.
 *  R2  There are more sub-buffers than channels: if none is free, one is closed and becomes free
 *      once it is written.
 * Cost: about 100 ns per sub-buffer, apart from sealing. Time that the simulation's thread spends
 * on sealing, writing or waiting counts as recording.
 */
#include "engine/probe.h"
#include "record/buffer/stream_inside.h"

static uint64_t lane_used(const struct record_lane *lane)
{
    return (uint64_t)(lane->next - lane->rows);
}

void lane_leave(struct record_lane *lane)
{
    struct record_stream *stream = lane->stream;
    if (lane->is_void && stream->mode == STREAM_OPEN) {
        stream->dropped += lane->collected - lane->void_mark;
        struct fmt_journal_live *live = buffers_live(&stream->buffers);
        if (live != NULL) {
            atomic_store_explicit(&live->dropped, stream->dropped, memory_order_relaxed);
        }
    }
    lane->is_void = false;
    lane->segment = NULL;
    lane->rows = lane->next = lane->end = stream->nowhere;
    lane->used = &stream->nowhere_used;
}

static void lane_enter(struct record_lane *lane, struct segment *segment)
{
    atomic_store_explicit(&segment->head->used, 0, memory_order_release);
    segment->head->schema_id = lane->schema->id;
    atomic_store_explicit(&segment->head->order, 0, memory_order_release);
    segment->schema = lane->schema;
    lane->segment = segment;
    lane->rows = lane->next = segment->rows;
    lane->end = segment->rows + lane->stream->buffers.capacity;
    lane->used = &segment->head->used;
}

/* Directs rows to the scratch row: they count as dropped while the stream is open, later as
 * lost. */
static void lane_enter_nowhere(struct record_lane *lane)
{
    lane->end = lane->rows + lane->stream->nowhere_size;
    lane->is_void = true;
    lane->void_mark = lane->collected;
}

/* Pushes the sub-buffer of a channel to the write queue if it has rows. */
static void lane_close(struct record_lane *lane)
{
    struct record_stream *stream = lane->stream;
    struct segment *segment = lane->segment;
    if (segment == NULL || lane->next == lane->rows) {
        return;
    }
    lane_leave(lane);
    if (stream->mode != STREAM_OPEN) {
        drain_give_back(stream, segment);
        return;
    }
    segment->gvt = stream->gvt;
    atomic_store_explicit(&segment->head->order, ++stream->closed, memory_order_release);
    drain_push(stream, segment);
}

/* Returns a sub-buffer to fill; NULL if rows must go to the scratch row. */
static struct segment *find_room(struct record_stream *stream)
{
    struct segment *segment = NULL;
    while (segment == NULL && (stream->mode == STREAM_OPEN || stream->mode == STREAM_MEMORY)) {
        segment = drain_take(stream);
        if (segment != NULL || stream->full == STREAM_DROP) {
            break;
        }
        enum tw_phase before = probe_phase_enter(TW_PHASE_recording);
        bool waits = stream_waits(stream);
        bool grows = waits || stream->full == STREAM_SPILL;
        segment = grows ? buffers_grow(&stream->buffers) : NULL;
        if (segment == NULL && waits) {
            stream_mend(stream);
        } else if (segment == NULL) {
            drain_step(stream);
            stream_mend_patiently(stream);
        }
        probe_phase_enter(before);
    }
    return segment;
}

void lane_make_room(struct record_lane *lane)
{
    struct record_stream *stream = lane->stream;
    stream_mend_patiently(stream);
    lane_close(lane);
    lane_leave(lane);
    struct segment *segment = find_room(stream);
    if (segment != NULL) {
        lane_enter(lane, segment);
    } else {
        lane_enter_nowhere(lane);
    }
}

/* patiently: what waits for space that other ranks give up may stay. */
static void drain_all(struct record_stream *stream, bool patiently)
{
    if (drain_count(stream) == 0) {
        return;
    }
    enum tw_phase before = probe_phase_enter(TW_PHASE_recording);
    while (!(patiently && stream_waits(stream)) && drain_step(stream)) {
        if (patiently) {
            stream_mend_patiently(stream);
        } else {
            stream_mend(stream);
        }
    }
    probe_phase_enter(before);
}

void stream_flush(struct record_stream *stream)
{
    for (unsigned i = 0; i < stream->n_lanes; i++) {
        lane_close(&stream->lanes[i]);
    }
    drain_all(stream, false);
}

/* Returns the bytes of rows in open sub-buffers. *fullest: the channel with the most of them. */
static uint64_t open_bytes(struct record_stream *stream, struct record_lane **fullest)
{
    uint64_t sum = 0;
    *fullest = NULL;
    for (unsigned i = 0; i < stream->n_lanes; i++) {
        struct record_lane *lane = &stream->lanes[i];
        if (lane->segment != NULL && lane_used(lane) > 0) {
            sum += lane_used(lane);
            *fullest = *fullest == NULL || lane_used(*fullest) < lane_used(lane) ? lane : *fullest;
        }
    }
    return sum;
}

/* Closed sub-buffers count in full. Sub-buffers with few rows are closed last: blocks of few
 * records have a large overhead. */
void stream_gvt_advanced(struct record_stream *stream, double gvt)
{
    stream->gvt = gvt;
    if (stream->mode != STREAM_OPEN) {
        return;
    }
    stream_settle_disk(stream);
    stream_mend_patiently(stream);
    const struct buffers *b = &stream->buffers;
    struct fmt_journal_live *live = buffers_live(b);
    if (live != NULL) {
        atomic_store_explicit(&live->gvt, gvt, memory_order_relaxed);
    }
    struct record_lane *fullest;
    uint64_t size = (uint64_t)b->n_base * b->capacity;
    uint64_t may_be_used = size - stream->min_free;
    uint64_t open = open_bytes(stream, &fullest);
    if (drain_count(stream) * (uint64_t)b->capacity + open <= may_be_used) {
        return;
    }
    while (open > may_be_used) {
        lane_close(fullest);
        open = open_bytes(stream, &fullest);
    }
    if (stream->drain.thread == NULL) {
        drain_all(stream, true);
    }
}
