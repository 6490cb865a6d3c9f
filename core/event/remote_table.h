/*
 * remote_table.h - finding the event that an anti-message cancels, without hashing.
 *
 * For each event that it sends to another rank and may have to cancel, the sender takes a handle: a
 * small number, unique among its uncommitted events for that receiver. The receiver keeps an array
 * per sender, slots[handle], of the events that came with it. The handle returns to the sender's
 * free list when the cause of the event is committed or the event is cancelled, so the arrays are
 * as long as the sender's uncommitted sends at their peak, and commits cost the receiver nothing: a
 * slot is simply overwritten by the next event with that handle. seq tells the users of a handle
 * apart.
 *
 * Messages between two ranks arrive in order, so an anti-message never comes before its event.
 * Should it, it waits in a list (early) and annihilates the event when that arrives.
 *
 * Invariants
 *  R1  a handle is free or belongs to exactly one event in state EVENT_SENT of the sender.
 *  R2  slots[h] names a live event whenever an anti-message with its seq can still come.
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

/* The state kept about one other rank. */
struct remote_peer {
    uint32_t *free_handles; /* as sender: a stack */
    size_t n_free;
    size_t free_capacity;
    uint32_t next_handle;
    uint32_t last_id;          /* event_id of the event sent last */
    struct remote_slot *slots; /* as receiver */
    size_t n_slots;
    struct remote_early *early;
    size_t n_early;
};

struct remote_table {
    struct remote_peer *peers;
    unsigned n_peers;
};

/* Every function that can run out of memory ends the run with a message. */
void remote_table_init(struct remote_table *t, unsigned n_peers);
void remote_table_fini(struct remote_table *t);

/* Sender: fills event->handle and event->seq for event->peer. */
void remote_table_take_handle(struct remote_table *t, tw_event *event);
/* Sender: the event can no longer be cancelled, or was. */
void remote_table_give_handle(struct remote_table *t, const tw_event *event);

/* Receiver: an event came. False when an early anti-message has annihilated it: drop it. */
bool remote_table_arrive(struct remote_table *t, tw_event *event);
/* Receiver: an anti-message came. The event to cancel, or NULL when it has not come yet. */
tw_event *remote_table_cancel(struct remote_table *t, unsigned peer, uint32_t handle, uint32_t seq);

#endif
