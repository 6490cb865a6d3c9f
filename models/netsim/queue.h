/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * queue.h - an output queue: FIFO, one transmitter of constant rate, a finite buffer.
 */
#ifndef NETSIM_QUEUE_H
#define NETSIM_QUEUE_H

#include <stdbool.h>
#include <stdint.h>

/* Constants of an output line. Read-only. */
struct ns_line {
    double s_per_byte; /* time to send a byte, in seconds; 0: infinitely fast */
    double delay_s;    /* propagation delay to the other end, in seconds */
    /* Size of the buffer as the time to send it, in seconds; INFINITY: unlimited. */
    double buffer_s;
};

/*
 * The virtual time in which statistics are taken. Queues count from from_s to to_s, the end of the
 * simulation. Flows count packets sent from from_s until sent_to_s. sent_to_s is before to_s, so
 * that counted packets of slow flows, too, arrive before the simulation ends.
 */
struct ns_window {
    double from_s;
    double sent_to_s;
    double to_s;
};

/* Returns true if a packet sent at sent_s counts for its flow. */
static inline bool ns_window_has_sent(const struct ns_window *w, double sent_s)
{
    return sent_s >= w->from_s && sent_s < w->sent_to_s;
}

/* The state of an output, and its counts within the window. It has no pointers and takes 64
 * bytes. */
struct ns_queue {
    double free_at_s; /* virtual time at which all accepted packets are sent */
    double busy_s;    /* time spent sending within the window, in seconds */
    double wait_sum_s;
    double wait_max_s;
    uint64_t packets; /* number of packets accepted */
    uint64_t bytes;
    uint64_t drops;
    uint64_t drop_bytes;
};

/* Old values by which an offer is undone. All zero if unused. */
struct ns_queue_undo {
    double free_at_s;
    double busy_s;
    double wait_sum_s;
    double wait_max_s;
};

/* Result of ns_queue_offer(). */
struct ns_offer {
    bool accepted;
    bool counted; /* true if the packet counts in the window */
    /* Seconds until the last bit is at the far end: wait + transmission + propagation. */
    double latency_s;
};

/* Offers a packet of size_bytes to the queue at time now_s. Fills undo. */
struct ns_offer ns_queue_offer(struct ns_queue *queue, const struct ns_line *line,
                               const struct ns_window *window, double now_s, uint32_t size_bytes,
                               struct ns_queue_undo *undo);

/* Undoes the last offer exactly and clears undo. */
void ns_queue_offer_undo(struct ns_queue *queue, bool accepted, bool counted, uint32_t size_bytes,
                         struct ns_queue_undo *undo);

/* Adds the counts of b to a. */
void ns_queue_add(struct ns_queue *a, const struct ns_queue *b);

#endif
