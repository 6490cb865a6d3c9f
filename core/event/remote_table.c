/* SPDX-License-Identifier: BSD-3-Clause */
/* remote_table.c - see remote_table.h. */
#include "event/remote_table.h"

#include <assert.h>

#include "base/sparse.h"
#include "store/array.h"

static void reserve(void *list, size_t *room, size_t n, size_t item_size)
{
    if (!array_reserve_zero(list, room, n, item_size)) {
        tw_error(TW_LOC, "out of memory for the table of remote events (%zu entries)", n);
    }
}

void remote_table_init(struct remote_table *t, unsigned n_peers)
{
    t->n_peers = n_peers;
    t->peers = sparse_calloc("table of remote events", n_peers, sizeof(struct remote_peer));
}

void remote_table_fini(struct remote_table *t)
{
    for (unsigned i = 0; i < t->n_peers; i++) {
        free(t->peers[i].free_handles);
        free(t->peers[i].slots);
        free(t->peers[i].early);
    }
    sparse_free(t->peers, t->n_peers, sizeof(struct remote_peer));
    *t = (struct remote_table){0};
}

void remote_table_take_handle(struct remote_table *t, tw_event *event)
{
    assert(event->send_pe < t->n_peers);
    struct remote_peer *peer = &t->peers[event->send_pe];
    if (peer->n_free > 0) {
        event->handle = peer->free_handles[--peer->n_free];
    } else {
        if (peer->next_handle == EVENT_HANDLE_NONE) {
            tw_error(TW_LOC, "more than %u uncommitted events for one rank", peer->next_handle);
        }
        event->handle = peer->next_handle++;
    }
    /* Skips 0 when the number wraps around, since 0 marks an event that cannot be cancelled. */
    peer->last_id += peer->last_id == UINT32_MAX ? 2u : 1u;
    event->event_id = peer->last_id;
}

void remote_table_give_handle(struct remote_table *t, const tw_event *event)
{
    struct remote_peer *peer = &t->peers[event->send_pe];
    assert(event->handle < peer->next_handle);
    reserve(&peer->free_handles, &peer->free_capacity, peer->n_free + 1,
            sizeof *peer->free_handles);
    peer->free_handles[peer->n_free++] = event->handle;
}

bool remote_table_arrive(struct remote_table *t, tw_event *event)
{
    assert(event->send_pe < t->n_peers && event->handle != EVENT_HANDLE_NONE);
    struct remote_peer *peer = &t->peers[event->send_pe];
    for (size_t i = 0; i < peer->n_early; i++) {
        if (peer->early[i].handle == event->handle && peer->early[i].seq == event->event_id) {
            peer->early[i] = peer->early[--peer->n_early];
            return false;
        }
    }
    reserve(&peer->slots, &peer->n_slots, (size_t)event->handle + 1, sizeof *peer->slots);
    peer->slots[event->handle] = (struct remote_slot){.event = event, .seq = event->event_id};
    return true;
}

tw_event *remote_table_cancel(struct remote_table *t, unsigned peer_id, uint32_t handle,
                              uint32_t seq)
{
    assert(peer_id < t->n_peers);
    struct remote_peer *peer = &t->peers[peer_id];
    if (handle < peer->n_slots && peer->slots[handle].event != NULL &&
        peer->slots[handle].seq == seq) {
        tw_event *event = peer->slots[handle].event;
        peer->slots[handle].event = NULL;
        return event;
    }
    if (!array_append(&peer->early, peer->n_early, sizeof *peer->early)) {
        tw_error(TW_LOC, "out of memory for early anti-messages");
    }
    peer->early[peer->n_early++] = (struct remote_early){.handle = handle, .seq = seq};
    return NULL;
}
