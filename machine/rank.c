/* SPDX-License-Identifier: BSD-3-Clause */
/* rank.c - the events of a rank and its rollbacks, see rank.h. */
#include "machine/rank.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "store/array.h"
#include "store/heap.h"

/* ---- Memory ---------------------------------------------------------------------------------- */

bool wp_work_init(struct wp_work *work, const struct wp_source *source)
{
    const size_t most = source->most > 0 ? source->most : 1;
    *work = (struct wp_work){.executed_next = calloc(most, sizeof *work->executed_next),
                             .undone_next = calloc(most, sizeof *work->undone_next)};
    if (source->n_events > 0 &&
        (work->where = malloc(source->n_events * sizeof *work->where)) != NULL) {
        memset(work->where, 0xff, source->n_events * sizeof *work->where);
    }
    return work->executed_next != NULL && work->undone_next != NULL &&
           (source->n_events == 0 || work->where != NULL);
}

void wp_work_fini(struct wp_work *work)
{
    free(work->inbox);
    free(work->undone);
    free(work->cancels);
    free(work->outs);
    free(work->executed_next);
    free(work->undone_next);
    free(work->where);
}

/* array_reserve() for an array of the working memory. */
static bool reserve(struct wp_work *work, void *list, size_t *room, size_t n, size_t item_size)
{
    work->failed |= !array_reserve(list, room, n, item_size);
    return !work->failed;
}

/* Makes sure that n slots are free. Returns false if the number of slots has a maximum, or if
 * memory is exhausted. */
static bool make_room(struct wp_self *s, uint32_t n)
{
    const struct wp_rank *r = s->rank;
    size_t room = s->n_slots;
    if (wp_free(s) >= n) {
        return true;
    }
    const size_t wanted = (size_t)room + n;
    if (s->m->slots > 0 || wanted > UINT32_MAX / 2 ||
        !reserve(s->work, &s->slots, &room, wanted, sizeof *s->slots)) {
        s->work->failed |= s->m->slots == 0;
        return false;
    }
    memmove(s->slots + room - r->n_history, s->slots + s->n_slots - r->n_history,
            r->n_history * sizeof *s->slots);
    s->n_slots = (uint32_t)room;
    return true;
}

/* ---- Pending events -------------------------------------------------------------------------- */

/* Stores a pending event in a slot. */
static inline void place(struct wp_self *s, uint32_t i, struct wp_event event)
{
    s->slots[i] = event;
    if (s->work->where != NULL) {
        s->work->where[wp_number(&event)] = i;
    }
}

static void sift_up(struct wp_self *s, uint32_t i, struct wp_event event)
{
    uint32_t up;
    HEAP_UP(i, up, wp_event_before(&event, &s->slots[up]), place(s, i, s->slots[up]));
    place(s, i, event);
}

static void sift_down(struct wp_self *s, uint32_t i, struct wp_event event)
{
    const struct wp_event *heap = s->slots;
    uint32_t down;
    HEAP_DOWN(i, s->rank->n_pending, down, wp_event_before(&heap[down + 1], &heap[down]),
              wp_event_before(&heap[down], &event), place(s, i, heap[down]));
    place(s, i, event);
}

static void push(struct wp_self *s, struct wp_event event)
{
    assert(s->rank->n_inbox == 0 && wp_free(s) > 0);
    sift_up(s, s->rank->n_pending++, event);
}

/* Removes the event at index i from the heap, and returns it. */
static struct wp_event take(struct wp_self *s, uint32_t i)
{
    assert(i < s->rank->n_pending);
    const struct wp_event event = s->slots[i];
    const struct wp_event last = s->slots[--s->rank->n_pending];
    if (s->work->where != NULL) {
        s->work->where[wp_number(&event)] = UINT32_MAX;
    }
    if (i == s->rank->n_pending) {
        return event;
    }
    if (i > 0 && wp_event_before(&last, &s->slots[(i - 1) / 2])) {
        sift_up(s, i, last);
    } else {
        sift_down(s, i, last);
    }
    return event;
}

/* Removes an event from the pending events. Returns false if the event is not pending. Cost:
 * O(pending events), unless the source numbers its events. */
static bool take_pending(struct wp_self *s, const struct wp_event *event)
{
    uint32_t i = 0;
    if (s->work->where != NULL) {
        i = s->work->where[wp_number(event)];
    } else {
        while (i < s->rank->n_pending && !wp_event_same(&s->slots[i], event)) {
            i++;
        }
    }
    if (i >= s->rank->n_pending) {
        return false;
    }
    take(s, i);
    return true;
}

/* ---- Messages -------------------------------------------------------------------------------- */

bool wp_arrive(struct wp_self *s, struct wp_event message)
{
    if (!make_room(s, 1)) {
        return false;
    }
    s->slots[s->rank->n_pending + s->rank->n_inbox++] = message;
    return true;
}

static void send(struct wp_self *s, struct wp_step step, bool is_anti)
{
    struct wp_rank *r = s->rank;
    struct wp_work *w = s->work;
    if (!reserve(w, &w->outs, &w->room_outs, w->n_outs + 1, sizeof *w->outs)) {
        return;
    }
    r->balance[r->colour]++;
    r->least_sent = step.event.at < r->least_sent ? step.event.at : r->least_sent;
    if (w->clocks != NULL && step.event.at < w->clocks[r->number].least) {
        w->clocks[r->number].least = step.event.at; /* the receiver does not know it yet */
    }
    step.event.id |= (is_anti ? WP_ANTI : 0u) | (r->colour != 0 ? WP_COLOUR : 0u);
    w->outs[w->n_outs++] = step;
}

/* ---- Rollbacks ------------------------------------------------------------------------------- */

/* Cancels the events that the undone event `event` caused. */
static void cancel_next(struct wp_self *s, const struct wp_event *event)
{
    const struct wp_source *source = s->m->source;
    struct wp_work *w = s->work;
    const uint32_t n = source->next(source->ctx, s->rank->number, event, w->undone_next);
    if (!reserve(w, &w->cancels, &w->room_cancels, w->n_cancels + n, sizeof *w->cancels)) {
        return;
    }
    for (uint32_t i = 0; i < n; i++) {
        if (w->undone_next[i].event.at >= s->m->end) {
            continue;
        }
        if (w->undone_next[i].rank == s->rank->number) {
            w->cancels[w->n_cancels++] = w->undone_next[i].event;
        } else {
            s->rank->counts.antis++;
            send(s, w->undone_next[i], true);
        }
    }
}

/* Undoes an event that is no longer among the executed ones. */
static void undo(struct wp_self *s, const struct wp_event *event)
{
    const struct wp_source *source = s->m->source;
    s->rank->counts.undone++;
    s->rank->counts.strange += event->at < s->rank->gvt;
    if (source->cost != NULL) {
        s->work->times.undo_ns += (double)source->cost(source->ctx, event).undo_ns;
    }
    cancel_next(s, event);
}

/* Undoes the executed events of the event's KP that come after `event`, and makes them pending.
 * Returns true if `event` itself had been executed; it is then also undone, but not pending. Cost:
 * O(executed events). */
static bool roll_back(struct wp_self *s, const struct wp_event *event)
{
    struct wp_rank *r = s->rank;
    struct wp_work *w = s->work;
    const uint32_t kp = wp_kp(event);
    assert(kp < s->m->kps && r->n_history <= s->n_slots);
    const uint32_t young = s->n_slots - r->n_history;
    uint32_t n_undone = 0;
    uint32_t stop = young;
    bool found = false;
    while (stop < s->n_slots &&
           !(wp_kp(&s->slots[stop]) == kp && wp_event_before(&s->slots[stop], event))) {
        stop++;
    }
    if (!reserve(w, &w->undone, &w->room_undone, stop - young, sizeof *w->undone)) {
        return false;
    }
    uint32_t to = stop;
    for (uint32_t i = stop; i-- > young;) {
        if (wp_kp(&s->slots[i]) != kp) {
            s->slots[--to] = s->slots[i];
        } else {
            w->undone[n_undone++] = s->slots[i];
        }
    }
    r->n_history = s->n_slots - to;
    s->kp_last[kp] = stop < s->n_slots ? s->slots[stop].at : -INFINITY;
    for (uint32_t i = n_undone; i-- > 0;) {
        const struct wp_event *undone = &w->undone[i];
        undo(s, undone);
        if (wp_event_same(undone, event)) {
            found = true;
        } else {
            push(s, *undone);
        }
    }
    return found;
}

/* Cancels an event, which is pending or executed. */
static void cancel(struct wp_self *s, const struct wp_event *event)
{
    if (take_pending(s, event)) {
        return;
    }
    if (event->at <= s->kp_last[wp_kp(event)]) {
        s->rank->counts.secondary++;
        if (roll_back(s, event)) {
            return;
        }
    }
    s->rank->counts.strange++;
}

static void cancel_listed(struct wp_self *s)
{
    while (s->work->n_cancels > 0) {
        struct wp_event event = s->work->cancels[--s->work->n_cancels];
        cancel(s, &event);
    }
}

/* Returns true if the event's KP has executed a later event. */
static bool is_straggler(const struct wp_self *s, const struct wp_event *event)
{
    const uint32_t kp = wp_kp(event);
    if (event->at != s->kp_last[kp]) {
        return event->at < s->kp_last[kp];
    }
    for (uint32_t i = s->n_slots - s->rank->n_history; i < s->n_slots; i++) {
        if (wp_kp(&s->slots[i]) == kp) {
            return wp_event_before(event, &s->slots[i]);
        }
    }
    return false;
}

/* Makes an event pending. If it is a straggler, first rolls its KP back. */
static void enqueue(struct wp_self *s, struct wp_event event)
{
    if (is_straggler(s, &event)) {
        s->rank->counts.primary++;
        roll_back(s, &event);
        cancel_listed(s);
    }
    push(s, event);
}

uint32_t wp_receive(struct wp_self *s)
{
    struct wp_rank *r = s->rank;
    struct wp_work *w = s->work;
    const uint32_t n = r->n_inbox;
    assert(r->n_pending + n + r->n_history <= s->n_slots);
    if (n == 0 || !reserve(w, &w->inbox, &w->room_inbox, n, sizeof *w->inbox)) {
        return 0;
    }
    memcpy(w->inbox, s->slots + r->n_pending, n * sizeof *s->slots);
    r->n_inbox = 0;
    for (uint32_t i = 0; i < n; i++) {
        struct wp_event event = w->inbox[i];
        const bool is_anti = (event.id & WP_ANTI) != 0;
        r->balance[(event.id & WP_COLOUR) != 0]--;
        event.id &= ~(uint64_t)(WP_ANTI | WP_COLOUR);
        if (is_anti) {
            cancel(s, &event);
            cancel_listed(s);
        } else {
            enqueue(s, event);
        }
    }
    return n;
}

/* ---- Execution and commit -------------------------------------------------------------------- */

/* Notes the distance of an event for another rank from the time of its cause. */
static void note_reach(struct wp_self *s, const struct wp_step *step, double cause_at)
{
    if (s->work->clocks != NULL) {
        double *reach = &s->work->clocks[step->rank].reach;
        const double distance = step->event.at - cause_at;
        *reach = distance > 0 && distance < *reach ? distance : *reach;
    }
}

static void execute(struct wp_self *s, struct wp_event event)
{
    assert(s->rank->n_history < s->n_slots);
    const struct wp_source *source = s->m->source;
    struct wp_rank *r = s->rank;
    const struct wp_step *next = s->work->executed_next;
    if (s->m->windows) {
        r->counts.committed++;
    } else {
        s->slots[s->n_slots - ++r->n_history] = event;
        s->kp_last[wp_kp(&event)] = event.at;
    }
    r->last_at = event.at;
    r->counts.executed++;
    if (source->cost != NULL) {
        s->work->times.execute_ns += (double)source->cost(source->ctx, &event).execute_ns;
    }
    const uint32_t n = source->next(source->ctx, r->number, &event, s->work->executed_next);
    assert(n <= source->most);
    if (!make_room(s, n)) {
        return;
    }
    for (uint32_t i = 0; i < n; i++) {
        if (next[i].event.at >= s->m->end) {
            continue;
        }
        if (next[i].rank == r->number) {
            enqueue(s, next[i].event);
        } else {
            r->counts.sent++;
            note_reach(s, &next[i], event.at);
            send(s, next[i], false);
        }
    }
}

uint32_t wp_execute(struct wp_self *s, double horizon, uint64_t most)
{
    uint32_t n = 0;
    while (n < most && s->rank->n_pending > 0 && s->slots[0].at < horizon && !s->work->failed &&
           (s->m->slots == 0 || wp_free(s) >= s->m->source->most)) {
        execute(s, take(s, 0));
        n++;
    }
    return n;
}

uint32_t wp_fossil_collect(struct wp_self *s)
{
    struct wp_rank *r = s->rank;
    const uint32_t young = s->n_slots - r->n_history;
    const uint32_t before = r->n_history;
    uint32_t to = s->n_slots;
    for (uint32_t i = s->n_slots; i-- > young;) {
        if (s->slots[i].at >= r->gvt) {
            s->slots[--to] = s->slots[i];
        }
    }
    r->n_history = s->n_slots - to;
    r->counts.committed += before - r->n_history;
    return before - r->n_history;
}

void wp_rank_init(struct wp_self *s, uint32_t number)
{
    struct wp_rank *r = s->rank;
    r->number = number;
    r->gvt = -INFINITY;
    r->last_at = -INFINITY;
    for (uint32_t kp = 0; kp < s->m->kps; kp++) {
        s->kp_last[kp] = -INFINITY;
    }
    const struct wp_source *source = s->m->source;
    struct wp_event event;
    for (uint32_t i = 0; source->start(source->ctx, number, i, &event); i++) {
        if (event.at < s->m->end && make_room(s, 1)) {
            push(s, event);
        }
    }
    r->least_sent = INFINITY;
    r->node_least = INFINITY;
    r->horizon.width = s->m->bound > 0 ? s->m->bound : INFINITY;
    r->lead = s->m->lead_first;
    r->interval_events = s->m->interval_least;
}
