/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * slice_requests.c - a slice's memory for requests, the functions that send the slice's events, and the
 * handling of requests whose tags have been read: a request is a hit, a miss or refused, or it joins the
 * MSHR of its line (it is merged).
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
 * Bit c5 of an event: the merged request is the first request of its MSHR that writes.
 *
 * Cost: O(1) for each operation on a list, O(ways + MSHRs) per request; 32 bytes per place.
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

/* ---- Tags ------------------------------------------------------------------------------------ */

/* Returns the index of the way that holds the line; m->ways: no way of the set holds it. */
static unsigned way_find(const struct ms_model *m, const struct ms_way *set, uint64_t line)
{
    unsigned way = 0;
    while (way < m->ways && set[way].word >> 1 != line + 1) {
        way++;
    }
    return way;
}

unsigned ms_mshr_find(const struct ms_model *m, struct ms_slice *s, uint64_t line_plus_1)
{
    const struct ms_mshr *mshrs = ms_mshrs(m, s);
    unsigned i = 0;
    while (i < m->mshrs && (mshrs[i].line != line_plus_1 || mshrs[i].draining)) {
        i++;
    }
    return i;
}

static void hit(const struct ms_model *m, struct ms_slice *s, struct ms_way *set, unsigned way,
                const struct ms_request *r, struct ms_slice_undo *undo, tw_lp *lp)
{
    assert(way < m->ways);
    undo->way = (uint16_t)way;
    undo->word = set[way].word;
    undo->u.stamp = set[way].stamp;
    set[way].word |= r->type != MEMTRACE_LOAD;
    set[way].stamp = ++s->clock;
    s->hits++;
    ms_reply(m, s, r, undo, lp);
}

static void miss(const struct ms_model *m, struct ms_slice *s, unsigned i,
                 const struct ms_request *r, struct ms_slice_undo *undo, tw_lp *lp)
{
    assert(i < m->mshrs);
    uint64_t line = r->address >> m->line_bits;
    struct ms_mshr *mshr = &ms_mshrs(m, s)[i];
    mshr->line = line + 1;
    mshr->dirty = r->type != MEMTRACE_LOAD;
    ms_list_append(m, s, &mshr->waiting, r, undo);
    s->mshrs_used++;
    s->misses++;
    unsigned slice = (unsigned)(lp->gid - ms_gid_of_slice(m, 0));
    const struct ms_message read = {
        .kind = MS_READ, .request.address = line, .mshr = (uint16_t)i, .slice = (uint16_t)slice};
    ms_send(ms_gid_of_channel(m, ms_channel_of_slice(m, slice)), m->channel_latency, &read, lp);
}

enum ms_outcome ms_request_try(const struct ms_model *m, struct ms_slice *s, tw_bf *bf,
                               const struct ms_request *r, struct ms_slice_undo *undo, tw_lp *lp)
{
    static const char *const steps[] = {"", "hit", "merged", "miss", "stalled"};
    uint64_t line = r->address >> m->line_bits;
    struct ms_way *set = ms_slice_set(m, s, line);
    unsigned way = way_find(m, set, line);
    unsigned i = way < m->ways ? 0 : ms_mshr_find(m, s, line + 1);
    enum ms_outcome outcome = MS_HIT;
    if (way == m->ways) {
        outcome = i < m->mshrs ? MS_MERGED : MS_MISSED;
    }
    if (outcome == MS_MISSED) {
        i = ms_mshr_find(m, s, 0);
        outcome = i < m->mshrs ? MS_MISSED : MS_REFUSED;
    }
    undo->outcome = (uint16_t)outcome;
    st_task_step(lp, st_request_in(ms_request_task(m, r), lp->gid), steps[outcome]);
    if (outcome == MS_HIT) {
        hit(m, s, set, way, r, undo, lp);
    } else if (outcome == MS_MERGED) {
        struct ms_mshr *mshr = &ms_mshrs(m, s)[i];
        bf->c5 = r->type != MEMTRACE_LOAD && !mshr->dirty;
        mshr->dirty = (uint16_t)(mshr->dirty | bf->c5);
        ms_list_append(m, s, &mshr->waiting, r, undo);
        s->merges++;
    } else if (outcome == MS_MISSED) {
        miss(m, s, i, r, undo, lp);
    }
    return outcome;
}

void ms_request_try_undo(const struct ms_model *m, struct ms_slice *s, const tw_bf *bf,
                         const struct ms_request *r, const struct ms_slice_undo *undo, tw_lp *lp)
{
    uint64_t line = r->address >> m->line_bits;
    if (undo->outcome == MS_HIT) {
        struct ms_way *way = &ms_slice_set(m, s, line)[undo->way];
        ms_reply_undo(m, s, r, undo, lp);
        s->hits--;
        s->clock--;
        way->stamp = undo->u.stamp;
        way->word = undo->word;
        return;
    }
    if (undo->outcome == MS_REFUSED) {
        return;
    }
    struct ms_mshr *mshr = &ms_mshrs(m, s)[ms_mshr_find(m, s, line + 1)];
    ms_list_append_undo(m, s, &mshr->waiting, undo);
    if (undo->outcome == MS_MERGED) {
        s->merges--;
        mshr->dirty = (uint16_t)(mshr->dirty ^ bf->c5);
    } else {
        s->misses--;
        s->mshrs_used--;
        *mshr = (struct ms_mshr){.line = 0};
    }
}
