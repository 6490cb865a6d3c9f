/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * queue.h - an output queue: FIFO, one transmitter with a constant rate, a finite buffer.
 */
#ifndef NETSIM_QUEUE_H
#define NETSIM_QUEUE_H

#include <stdbool.h>
#include <stdint.h>

/* Properties of an output line, which are constant. */
struct ns_line {
    double s_per_byte; /* time to transmit a byte, in seconds; 0: infinitely fast */
    double delay_s;    /* propagation delay to the other end, in seconds */
    /* Size of the buffer, given as the time to transmit its bytes, in seconds; INFINITY:
     * unlimited. */
    double buffer_s;
};

/*
 * Window of virtual time in which statistics are taken. Queues count from from_s to to_s, which is
 * the end of the simulation. Flows count the packets that are sent from from_s to sent_to_s. If
 * possible, sent_to_s is so much earlier than to_s that counted packets arrive before the end, even
 * on the longest path.
 */
struct ns_window {
    double from_s;
    double sent_to_s;
    double to_s;
};

/* Returns true if a packet that was sent at sent_s counts for its flow. */
static inline bool ns_window_has_sent(const struct ns_window *w, double sent_s)
{
    return sent_s >= w->from_s && sent_s < w->sent_to_s;
}

/* State of an output, and its counts within the window. The struct has no pointers and takes 64
 * bytes. */
struct ns_queue {
    /* Virtual time at which the transmission of all accepted packets is complete. */
    double free_at_s;
    double busy_s; /* time for which the line transmitted within the window, in seconds */
    double wait_sum_s;
    double wait_max_s;
    uint64_t packets; /* number of packets accepted */
    uint64_t bytes;
    uint64_t drops;
    uint64_t drop_bytes;
};

/* Old values with which ns_queue_offer_undo() undoes an offer. All values are zero if unused. */
struct ns_queue_undo {
    double free_at_s;
    double busy_s;
    double wait_sum_s;
    double wait_max_s;
};

/* Result of ns_queue_offer(). */
struct ns_offer {
    bool accepted;
    /* True if the packet was offered within the window, so that the queue counted it. */
    bool counted;
    /* Time in seconds until the last bit is at the far end of the line: waiting time + transmission
     * time + propagation delay. */
    double latency_s;
};

/* Offers a packet of size_bytes bytes to the queue at virtual time now_s. Stores in *undo the data
 * to undo the offer. */
struct ns_offer ns_queue_offer(struct ns_queue *queue, const struct ns_line *line,
                               const struct ns_window *window, double now_s, uint32_t size_bytes,
                               struct ns_queue_undo *undo);

/* Undoes the latest offer exactly, and clears *undo. accepted, counted: from the result of
 * ns_queue_offer(). */
void ns_queue_offer_undo(struct ns_queue *queue, bool accepted, bool counted, uint32_t size_bytes,
                         struct ns_queue_undo *undo);

/* Adds the counts of b to those of a. wait_max_s becomes the maximum of the two values. */
void ns_queue_add(struct ns_queue *a, const struct ns_queue *b);

#endif
