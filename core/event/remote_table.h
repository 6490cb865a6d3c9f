/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * remote_table.h - finds the event that an anti-message cancels, without hashing.
 *
 * The sender takes a handle for each event that it sends to another rank and may have to cancel. A
 * handle is a small integer, unique among the sender's uncommitted events for that receiver. The
 * receiver keeps an array per sender: slots[handle] refers to the event that arrived with it. The
 * handle returns to the sender's free list when the cause of the event commits or the event is
 * cancelled. The arrays are thus as long as the peak number of the sender's uncommitted sends.
 * Commits cost the receiver nothing: the next event with a handle overwrites its slot. A sequence
 * number (seq, the event_id) distinguishes the successive events with one handle.
 *
 * Messages between two ranks arrive in order, so an anti-message normally follows its event. If the
 * anti-message arrives first, it waits in a list (early) and annihilates the event on arrival.
 *
 * Invariants
 *  R1  A handle is free or belongs to exactly one event in state EVENT_SENT of the sender.
 *  R2  slots[h] refers to a valid event while an anti-message with its seq may arrive.
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

/* State that a rank keeps for one other rank. */
struct remote_peer {
    uint32_t *free_handles; /* stack of free handles for events to that rank */
    size_t n_free;
    size_t free_capacity;
    uint32_t next_handle;
    uint32_t last_id;          /* event_id of the last event sent to that rank */
    struct remote_slot *slots; /* events received from that rank, by handle */
    size_t n_slots;
    struct remote_early *early;
    size_t n_early;
};

struct remote_table {
    struct remote_peer *peers;
    unsigned n_peers;
};

/* Creates the table. The functions of this file end the run with a message if memory is short. */
void remote_table_init(struct remote_table *t, unsigned n_peers);
void remote_table_fini(struct remote_table *t);

/* Sender: sets handle and event_id of an event for rank send_pe. */
void remote_table_take_handle(struct remote_table *t, tw_event *event);
/* Sender: frees the handle of an event that is cancelled or can no longer be cancelled. */
void remote_table_give_handle(struct remote_table *t, const tw_event *event);

/* Receiver: registers an event that arrived. Returns false if an early anti-message has annihilated
 * it; the caller then drops it. */
bool remote_table_arrive(struct remote_table *t, tw_event *event);
/* Receiver: handles an anti-message. Returns the event to cancel, or NULL if it has not arrived
 * yet. */
tw_event *remote_table_cancel(struct remote_table *t, unsigned peer, uint32_t handle, uint32_t seq);

#endif
