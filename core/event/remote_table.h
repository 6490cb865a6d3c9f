/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * remote_table.h - finds the event that an anti-message cancels, without hashing.
 *
 * The sender takes a handle for each event that it sends to another rank and may have to cancel. A
 * handle is a small integer, unique among the sender's uncommitted events for that receiver. The
 * receiver keeps an array per sender: slots[handle] refers to the event that arrived with this
 * handle. The handle returns to the sender's free list when the cause of the event commits or the
 * event is cancelled. The length of an array is thus the peak number of the sender's uncommitted
 * events for this receiver. A commit costs the receiver nothing: the next event with the same
 * handle overwrites the array element. A sequence number (event_id of the event, seq of the
 * element) distinguishes successive events with the same handle.
 *
 * Messages between two ranks arrive in order, so an anti-message normally follows its event. If the
 * anti-message arrives first, it waits in the array `early`, and annihilates the event when the
 * event arrives.
 *
 * Invariants
 *  R1  A handle is free or belongs to exactly one event in state EVENT_SENT of the sender.
 *  R2  While an anti-message with handle h and the seq of slots[h] may arrive, the event of
 *      slots[h] is valid.
 */
#ifndef WARPSCOPE_EVENT_REMOTE_TABLE_H
#define WARPSCOPE_EVENT_REMOTE_TABLE_H

#include "event/event.h"

struct remote_slot {
    tw_event *event;
    uint32_t seq;
};

struct remote_early {
    uint32_t handle;
    uint32_t seq;
};

/* State that a rank keeps for each other rank. */
struct remote_peer {
    uint32_t *free_handles; /* stack of free handles for events to that rank */
    size_t n_free;
    size_t free_capacity;
    uint32_t next_handle;
    uint32_t last_id;          /* event_id of the last event sent to that rank */
    struct remote_slot *slots; /* [handle]: event received from that rank with this handle */
    size_t n_slots;
    struct remote_early *early;
    size_t n_early;
};

struct remote_table {
    struct remote_peer *peers;
    unsigned n_peers;
};

/* Initialises the table for n_peers ranks. If memory is short, the functions of this file end the
 * run with an error message. */
void remote_table_init(struct remote_table *t, unsigned n_peers);
void remote_table_fini(struct remote_table *t);

/* Called by the sender. Sets handle and event_id of an event that is sent to rank
 * event->send_pe. */
void remote_table_take_handle(struct remote_table *t, tw_event *event);
/* Called by the sender. Frees the handle of an event that is cancelled or can no longer be
 * cancelled. */
void remote_table_give_handle(struct remote_table *t, const tw_event *event);

/* Called by the receiver. Registers an event that has arrived. Returns false if an early
 * anti-message has annihilated the event; the caller then drops the event. */
bool remote_table_arrive(struct remote_table *t, tw_event *event);
/* Called by the receiver, for an anti-message from rank `peer`. Returns the event to cancel. If
 * that event has not arrived yet, stores the anti-message and returns NULL. */
tw_event *remote_table_cancel(struct remote_table *t, unsigned peer, uint32_t handle, uint32_t seq);

#endif
