/* SPDX-License-Identifier: BSD-3-Clause */
/* rank.c - the events of a rank and its rollbacks, see rank.h. */
#include "rank.h"

#include <assert.h>
#include <string.h>

void wp_work_init(struct wp_work *work, const struct wp_model *m)
{
    size_t slots = m->slots;
    size_t batch = m->batch;
    *work = (struct wp_work){
        .inbox = tw_calloc(TW_LOC, "work", slots, sizeof *work->inbox),
        .undone = tw_calloc(TW_LOC, "work", slots, sizeof *work->undone),
        .cancels = tw_calloc(TW_LOC, "work", slots + batch, sizeof *work->cancels),
        .outs = tw_calloc(TW_LOC, "work", 2 * (slots + batch), sizeof *work->outs),
    };
}

void wp_work_fini(struct wp_work *work)
{
    free(work->inbox);
    free(work->undone);
    free(work->cancels);
    free(work->outs);
}

/* ---- Pending events -------------------------------------------------------------------------- */

static void sift_up(struct wp_event *heap, uint32_t i, struct wp_event event)
{
    while (i > 0 && wp_event_before(&event, &heap[(i - 1) / 2])) {
        heap[i] = heap[(i - 1) / 2];
        i = (i - 1) / 2;
    }
    heap[i] = event;
}

static void sift_down(struct wp_event *heap, uint32_t n, uint32_t i, struct wp_event event)
{
    for (uint32_t child = 2 * i + 1; child < n; child = 2 * i + 1) {
        if (child + 1 < n && wp_event_before(&heap[child + 1], &heap[child])) {
            child++;
        }
        if (!wp_event_before(&heap[child], &event)) {
            break;
        }
        heap[i] = heap[child];
        i = child;
    }
    heap[i] = event;
}

static void push(struct wp_self *s, struct wp_event event)
{
    assert(s->rank->n_inbox == 0 && wp_free(s) > 0);
    sift_up(s->slots, s->rank->n_pending++, event);
}

/* Removes the event at index i from the heap. */
static void take(struct wp_self *s, uint32_t i)
{
    assert(i < s->rank->n_pending);
    struct wp_event last = s->slots[--s->rank->n_pending];
    if (i == s->rank->n_pending) {
        return;
    }
    if (i > 0 && wp_event_before(&last, &s->slots[(i - 1) / 2])) {
        sift_up(s->slots, i, last);
    } else {
        sift_down(s->slots, s->rank->n_pending, i, last);
    }
}

/* Removes an event from the pending events. Returns false if the event is not pending. Cost:
 * O(pending events). */
static bool take_pending(struct wp_self *s, const struct wp_event *event)
{
    for (uint32_t i = 0; i < s->rank->n_pending; i++) {
        if (wp_event_same(&s->slots[i], event)) {
            take(s, i);
            return true;
        }
    }
    return false;
}

/* ---- Messages -------------------------------------------------------------------------------- */

bool wp_arrive(struct wp_self *s, struct wp_event message)
{
    if (wp_free(s) == 0) {
        return false;
    }
    s->slots[s->rank->n_pending + s->rank->n_inbox++] = message;
    return true;
}

static void send(struct wp_self *s, struct wp_step step, bool is_anti)
{
    assert(s->work->n_outs < 2 * (s->m->slots + s->m->batch));
    struct wp_rank *r = s->rank;
    r->balance[r->colour]++;
    r->least_sent = step.event.at < r->least_sent ? step.event.at : r->least_sent;
    step.event.id |= (is_anti ? WP_ANTI : 0u) | (r->colour != 0 ? WP_COLOUR : 0u);
    s->work->outs[s->work->n_outs++] = step;
}

/* ---- Rollbacks ------------------------------------------------------------------------------- */

/* Cancels the event that the undone event `event` sent. */
static void cancel_next(struct wp_self *s, const struct wp_event *event)
{
    assert(s->work->n_cancels < s->m->slots + s->m->batch);
    struct wp_step next = wp_next(s->m, s->rank->number, event);
    if (next.event.at >= s->m->end) {
        return;
    }
    if (next.rank == s->rank->number) {
        s->work->cancels[s->work->n_cancels++] = next.event;
    } else {
        s->rank->counts.antis++;
        send(s, next, true);
    }
}

/* Undoes the executed events of the event's KP that come after `event`, and makes them pending.
 * Returns true if `event` itself had been executed; it is then also undone, but not pending. Cost:
 * O(executed events). */
static bool roll_back(struct wp_self *s, const struct wp_event *event)
{
    struct wp_rank *r = s->rank;
    const uint32_t kp = wp_kp(event);
    assert(kp < s->m->kps && r->n_history <= s->m->slots);
    const uint32_t young = s->m->slots - r->n_history;
    uint32_t n_undone = 0;
    uint32_t stop = young;
    bool found = false;
    while (stop < s->m->slots &&
           !(wp_kp(&s->slots[stop]) == kp && wp_event_before(&s->slots[stop], event))) {
        stop++;
    }
    uint32_t to = stop;
    for (uint32_t i = stop; i-- > young;) {
        if (wp_kp(&s->slots[i]) != kp) {
            s->slots[--to] = s->slots[i];
        } else {
            s->work->undone[n_undone++] = s->slots[i];
        }
    }
    r->n_history = s->m->slots - to;
    s->kp_last[kp] = stop < s->m->slots ? s->slots[stop].at : -INFINITY;
    for (uint32_t i = n_undone; i-- > 0;) {
        const struct wp_event *undone = &s->work->undone[i];
        r->counts.undone++;
        r->counts.strange += undone->at < r->gvt;
        cancel_next(s, undone);
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

/* Makes an event pending. If it is a straggler, first rolls its KP back. */
static void enqueue(struct wp_self *s, struct wp_event event)
{
    if (event.at < s->kp_last[wp_kp(&event)]) {
        s->rank->counts.primary++;
        roll_back(s, &event);
        cancel_listed(s);
    }
    push(s, event);
}

uint32_t wp_receive(struct wp_self *s)
{
    assert(s->rank->n_pending + s->rank->n_inbox + s->rank->n_history <= s->m->slots);
    struct wp_rank *r = s->rank;
    const uint32_t n = r->n_inbox;
    memcpy(s->work->inbox, s->slots + r->n_pending, n * sizeof *s->slots);
    r->n_inbox = 0;
    for (uint32_t i = 0; i < n; i++) {
        struct wp_event event = s->work->inbox[i];
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

static void execute(struct wp_self *s, struct wp_event event)
{
    assert(s->rank->n_history < s->m->slots);
    struct wp_rank *r = s->rank;
    s->slots[s->m->slots - ++r->n_history] = event;
    s->kp_last[wp_kp(&event)] = event.at;
    r->last_at = event.at;
    r->counts.executed++;
    struct wp_step next = wp_next(s->m, r->number, &event);
    if (next.event.at >= s->m->end) {
        return;
    }
    if (next.rank == r->number) {
        enqueue(s, next.event);
    } else {
        r->counts.sent++;
        send(s, next, false);
    }
}

uint32_t wp_execute(struct wp_self *s, double horizon, uint64_t most)
{
    uint32_t n = 0;
    while (n < most && s->rank->n_pending > 0 && s->slots[0].at < horizon && wp_free(s) > 0) {
        struct wp_event event = s->slots[0];
        take(s, 0);
        execute(s, event);
        n++;
    }
    return n;
}

uint32_t wp_fossil_collect(struct wp_self *s)
{
    struct wp_rank *r = s->rank;
    const uint32_t young = s->m->slots - r->n_history;
    const uint32_t before = r->n_history;
    uint32_t to = s->m->slots;
    for (uint32_t i = s->m->slots; i-- > young;) {
        if (s->slots[i].at >= r->gvt) {
            s->slots[--to] = s->slots[i];
        }
    }
    r->n_history = s->m->slots - to;
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
    for (uint32_t i = 0; i < s->m->events; i++) {
        struct wp_event event = wp_first(s->m, number, i);
        if (event.at < s->m->end) {
            push(s, event);
        }
    }
    r->least_sent = INFINITY;
    r->node_least = INFINITY;
    wp_bounds_init(s->m, r);
}
