/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * queue.c - an output queue: FIFO, one transmitter with a constant rate, a finite buffer.
 *
 * The state of the queue is its unfinished work (Lindley's recursion). A packet that arrives at
 * time t waits for w = max(0, free_at - t), and its transmission takes size / rate. free_at becomes
 * t + w + size / rate. The departure is known on arrival, so one event per packet and hop suffices.
 *
 * The buffer holds the bytes that have not been transmitted, including those of the packet in
 * transmission: at time t, it holds (free_at - t) * rate bytes. A packet that does not fit into the
 * rest of the buffer is dropped (drop tail). The code compares times instead of bytes: it divides
 * both sides of the comparison by the rate, so that an infinitely fast line never drops a packet.
 *
 * Invariants:
 * 1. free_at never decreases, except by undo.
 * 2. latency >= transmission + propagation, except for rounding of the last digit.
 * 3. Undo restores every byte: it restores sums of doubles from saved values, not by subtraction.
 *
 * Cost: O(1). Source: D. V. Lindley, "The theory of queues with a single server", Proc. Camb. Phil.
 * Soc. 48, 1952.
 */
#include "queue.h"

#include <assert.h>
#include <math.h>

/* Returns the length in seconds of the overlap of the window and the interval from begin_s to
 * end_s. */
static double window_overlap_s(const struct ns_window *w, double begin_s, double end_s)
{
    double from = begin_s > w->from_s ? begin_s : w->from_s;
    double to = end_s < w->to_s ? end_s : w->to_s;
    return to > from ? to - from : 0.0;
}

struct ns_offer ns_queue_offer(struct ns_queue *queue, const struct ns_line *line,
                               const struct ns_window *window, double now_s, uint32_t size_bytes,
                               struct ns_queue_undo *undo)
{
    assert(isfinite(now_s) && size_bytes > 0);
    *undo = (struct ns_queue_undo){queue->free_at_s, queue->busy_s, queue->wait_sum_s,
                                   queue->wait_max_s};
    double wait = queue->free_at_s > now_s ? queue->free_at_s - now_s : 0.0;
    double transmission = size_bytes * line->s_per_byte;
    struct ns_offer offer = {true, now_s >= window->from_s, 0.0};
    if (wait + transmission > line->buffer_s) {
        offer.accepted = false;
        if (offer.counted) {
            queue->drops++;
            queue->drop_bytes += size_bytes;
        }
        return offer;
    }
    double sojourn = wait + transmission;
    queue->free_at_s = now_s + sojourn;
    queue->busy_s += window_overlap_s(window, now_s + wait, queue->free_at_s);
    if (offer.counted) {
        queue->packets++;
        queue->bytes += size_bytes;
        queue->wait_sum_s += wait;
        queue->wait_max_s = wait > queue->wait_max_s ? wait : queue->wait_max_s;
    }
    offer.latency_s = sojourn + line->delay_s;
    return offer;
}

void ns_queue_offer_undo(struct ns_queue *queue, bool accepted, bool counted, uint32_t size_bytes,
                         struct ns_queue_undo *undo)
{
    assert(!counted || (accepted ? queue->packets : queue->drops) > 0);
    queue->free_at_s = undo->free_at_s;
    queue->busy_s = undo->busy_s;
    queue->wait_sum_s = undo->wait_sum_s;
    queue->wait_max_s = undo->wait_max_s;
    *undo = (struct ns_queue_undo){0.0, 0.0, 0.0, 0.0};
    if (!counted) {
        return;
    }
    if (accepted) {
        queue->packets--;
        queue->bytes -= size_bytes;
    } else {
        queue->drops--;
        queue->drop_bytes -= size_bytes;
    }
}

void ns_queue_add(struct ns_queue *a, const struct ns_queue *b)
{
    a->busy_s += b->busy_s;
    a->wait_sum_s += b->wait_sum_s;
    a->wait_max_s = b->wait_max_s > a->wait_max_s ? b->wait_max_s : a->wait_max_s;
    a->packets += b->packets;
    a->bytes += b->bytes;
    a->drops += b->drops;
    a->drop_bytes += b->drop_bytes;
}
