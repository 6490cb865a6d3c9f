/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * slice_places.c - a slice's memory for requests, and the functions that send the slice's events.
 *
 * Free places form a stack; used places are in lists. If operations are undone in reverse order,
 * the stack and the lists are as before.
 *
 * Invariants:
 * 1. Each place is either once on the stack or once in one list.
 * 2. `held` is the number of places in lists.
 * 3. In a free place, all members except `next` are zero.
 * 4. In the last place of a list, `next` is 0.
 *
 * Cost: O(1) for each operation; 32 bytes per place.
 */
#include "slice.h"

#include <assert.h>

/* ---- Places and lists ------------------------------------------------------------------------ */

static uint32_t place_take(const struct ms_model *m, struct ms_slice *s)
{
    assert(s->free != 0 && s->free <= ms_places(m));
    uint32_t place = s->free;
    s->free = ms_place(m, s, place)->next;
    s->held++;
    return place;
}

void ms_place_give_back(const struct ms_model *m, struct ms_slice *s, uint32_t place)
{
    assert(place != 0 && place <= ms_places(m) && s->held > 0);
    *ms_place(m, s, place) = (struct ms_request){.next = s->free};
    s->free = place;
    s->held--;
}

void ms_list_append(const struct ms_model *m, struct ms_slice *s, struct ms_list *list,
                    const struct ms_request *r, struct ms_slice_undo *undo)
{
    uint32_t place = place_take(m, s);
    *ms_place(m, s, place) = *r;
    ms_place(m, s, place)->next = 0;
    undo->tail = list->last;
    if (list->last != 0) {
        ms_place(m, s, list->last)->next = place;
    } else {
        list->first = place;
    }
    list->last = place;
}

void ms_list_append_undo(const struct ms_model *m, struct ms_slice *s, struct ms_list *list,
                         const struct ms_slice_undo *undo)
{
    assert(list->last != 0);
    uint32_t place = list->last;
    list->last = undo->tail;
    if (list->last != 0) {
        ms_place(m, s, list->last)->next = 0;
    } else {
        list->first = 0;
    }
    ms_place_give_back(m, s, place);
}

void ms_list_pop(const struct ms_model *m, struct ms_slice *s, struct ms_list *list,
                 struct ms_slice_undo *undo)
{
    assert(list->first != 0);
    uint32_t place = list->first;
    undo->popped = *ms_place(m, s, place);
    list->first = undo->popped.next;
    list->last = list->first == 0 ? 0 : list->last;
    undo->popped.next = 0;
    ms_place_give_back(m, s, place);
}

void ms_list_pop_undo(const struct ms_model *m, struct ms_slice *s, struct ms_list *list,
                      const struct ms_slice_undo *undo)
{
    uint32_t place = place_take(m, s);
    *ms_place(m, s, place) = undo->popped;
    ms_place(m, s, place)->next = list->first;
    list->last = list->first == 0 ? place : list->last;
    list->first = place;
}

/* ---- Replies --------------------------------------------------------------------------------- */

void ms_self_send(double offset, enum ms_kind kind, unsigned mshr, tw_lp *lp)
{
    const struct ms_message message = {.kind = (uint16_t)kind, .mshr = (uint16_t)mshr};
    ms_send(lp->gid, offset, &message, lp);
}

void ms_reply(const struct ms_model *m, struct ms_slice *s, const struct ms_request *r,
              struct ms_slice_undo *undo, tw_lp *lp)
{
    double now = tw_now(lp);
    double begin = ROSS_MAX(now, s->out_free);
    double port = ms_port_time(m, ms_reply_bytes(r));
    undo->port = s->out_free;
    s->out_free = begin + port;
    s->reply_wait += ms_ticks(begin - now);
    s->port_ticks += ms_ticks(port);
    ms_send(ms_gid_of_sm(m, r->sm), begin + port - now + m->network_latency,
            &(struct ms_message){.kind = MS_REPLY, .request = *r}, lp);
    st_request_complete(lp, ms_request_task(m, r));
}

void ms_reply_undo(const struct ms_model *m, struct ms_slice *s, const struct ms_request *r,
                   const struct ms_slice_undo *undo, tw_lp *lp)
{
    double now = tw_now(lp);
    s->port_ticks -= ms_ticks(ms_port_time(m, ms_reply_bytes(r)));
    s->out_free = undo->port;
    s->reply_wait -= ms_ticks(ROSS_MAX(now, s->out_free) - now);
}
