/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * ring.c - flight recorders (--buffer-overwrite). Closed sub-buffers stay in the write queue until
 * the stream ends. If no sub-buffer is free, the oldest closed one is used again.
 *
 * Invariants
 *  O1  A flight recorder has no writer thread, and writes rows in stream_flush() only.
 *  O2  Each record is in the file, in a sub-buffer, dropped, or counted in `overwritten`. In the
 *      journal of a killed run, the count possibly lacks the records of one sub-buffer.
 *  O3  kept_gvt is the GVT of the first GVT computation after the youngest overwritten record was
 *      made; INFINITY until then.
 * Cost: none per record beyond filling the row; a visit to at most 36 sub-buffers per GVT
 * computation.
 */
#include <assert.h>
#include <math.h>

#include "engine/probe.h"
#include "record/buffer/stream_private.h"

void stream_checkpoint(struct record_stream *stream)
{
    const struct write_queue *q = &stream->queue;
    assert(q->first == NULL || stream->overwrites);
    uint64_t order = q->first == NULL ? stream->closed : q->first->head->order - 1;
    buffers_checkpoint(&stream->queue.buffers, order, &q->writer.at);
}

/* Stores in the journal, if there is one, the number of overwritten records and the time since
 * which records are kept. */
static void store_in_journal(struct record_stream *stream)
{
    struct fmt_journal_live *live = buffers_live(&stream->queue.buffers);
    if (live != NULL) {
        atomic_store_explicit(&live->kept_gvt, stream->kept_gvt, memory_order_relaxed);
        atomic_store_explicit(&live->kept_real_time, stream->kept_seconds, memory_order_relaxed);
        atomic_store_explicit(&live->overwritten, stream->overwritten, memory_order_release);
    }
}

static void keep_since(struct record_stream *stream, double gvt, double seconds)
{
    stream->kept_gvt = gvt;
    stream->kept_seconds = seconds;
}

void stream_overwrite_oldest(struct record_stream *stream)
{
    assert(stream->overwrites && stream->queue.n > 0);
    struct sub_buffer *s = write_queue_drop_first(&stream->queue);
    atomic_store_explicit(&s->head->used, 0, memory_order_release);
    stream->overwritten += s->records;
    stream->kept_is_due = !s->has_next;
    if (s->has_next) {
        keep_since(stream, s->next_gvt, s->next_seconds);
    } else {
        /* stream_ring_gvt() sets the final values. */
        keep_since(stream, (double)INFINITY, run_seconds());
    }
    store_in_journal(stream);
    write_queue_give_back(&stream->queue, s);
}

void stream_ring_gvt(struct record_stream *stream)
{
    assert(stream->overwrites);
    double seconds = run_seconds();
    for (struct sub_buffer *s = stream->queue.first; s != NULL; s = s->next) {
        if (!s->has_next) {
            s->next_gvt = stream->gvt;
            s->next_seconds = seconds;
            s->has_next = true;
        }
    }
    if (stream->kept_is_due) {
        stream->kept_is_due = false;
        keep_since(stream, stream->gvt, seconds);
        store_in_journal(stream);
    }
}
