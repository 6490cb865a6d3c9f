/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * vt_timeline.c - captures states of LPs during execution, and drops the captures of undone events.
 *
 * Right before an LP executes its first event at or past a point, the LP has the state that belongs
 * to the point, unless a later rollback changes the state. The model's data are captured at that
 * moment, once for each point crossed. When that event is undone, the captures made before it are
 * dropped, youngest first. sample_revent_fn reverses the changes of sample_event_fn, unless the
 * engine has restored a copy of the state that is older than the captures. If an LP has not crossed
 * a point when the point becomes final, its current state belongs to the point, and is sampled
 * directly.
 *
 * Invariants
 *  T1  The captures of an LP cover the points from the first point that is not taken up to next -
 *      1. Those of an LP that lags cover points before which it has executed events; see also T6.
 *  T2  An LP has executed no event at or past next_ts, but at least one event at or past each
 *      captured point.
 *  T3  Captures made before event number n of the LP (from 1) have events == n - 1. Undoing an
 *      event therefore drops the captures whose member `events` equals the number of remaining
 *      events.
 *  T4  Points held_first to held_end - 1 were taken from captures made before event number
 *      taken_events + 1, and that event may still be undone. This is possible if the receive time
 *      of the event is GVT. If the engine then restores a copy of the state, the effect of
 *      sample_event_fn is lost and must be repeated. All other taken points were captured before
 *      committed events.
 *  T5  If is_off is true, memory for a capture was exhausted. T1 and T2 do not hold any more, and
 *      no point can be taken. Earlier changes of sample_event_fn are still reversed with their
 *      events.
 *  T6  If an LP that lags has executed no event since the point at which it was taken last, its next
 *      event makes no capture: the points that it crosses are left out. If that event is undone, next is
 *      set back, since another event may come before it.
 * Cost: a comparison and an increment per event.
 */
#include "record/vt/vt_timeline.h"

#include <assert.h>

#include "record/base/probe_set.h"
#include "record/describe/payload_room.h"

/* ---- Calls of the model's callbacks ---------------------------------------------------------- */

/* Calls the model's sampling callback for lp, and stores the data in `bytes`. During the call,
 * tw_now() returns ts, the time of the point. */
static void ask_model(const struct vt_source *source, tw_lp *lp, double ts, tw_bf *bf, void *bytes)
{
    assert(source->size != 0 && source->types != NULL);
    double before = lp->kp->last_time;
    void *room = payload_room_open(source->size);
    lp->kp->last_time = ts;
    if (source->by_event) {
        source->types->sample_event_fn(lp->cur_state, bf, lp, room);
    } else {
        source->types->model_stat_fn(lp->cur_state, lp, room);
    }
    lp->kp->last_time = before;
    payload_room_close(source->size, lp, source->by_event ? "sample_event_fn" : "model_stat_fn");
    payload_copy(bytes, room, source->size);
}

static void ask_back(const struct vt_source *source, tw_lp *lp, double ts, struct vt_capture *c)
{
    assert(source->by_event);
    if (source->types->sample_revent_fn == NULL) {
        return; /* in this case sample_event_fn has not changed the state, see st.h */
    }
    double before = lp->kp->last_time;
    void *room = payload_room_open(source->size);
    memcpy(room, c->bytes, source->size);
    lp->kp->last_time = ts;
    source->types->sample_revent_fn(lp->cur_state, &c->bf, lp, room);
    lp->kp->last_time = before;
    payload_room_close(source->size, lp, "sample_revent_fn");
}

/* ---- Execution and rollback ------------------------------------------------------------------ */

/*
 * Returns true if the model gives the same data for all points that the LP crosses now, up to point
 * `last`. Data that hold are the same. model_stat_fn does not change the state: if it gives equal bytes for the first and the
 * last of these points, they are assumed equal for all points between. An LP that was idle over
 * many points thus has one capture for all of them.
 */
static bool is_same_until(const struct vt_timeline *timeline, const struct vt_lp *of, tw_lp *lp,
                          uint64_t last)
{
    const struct vt_source *source = &timeline->sources[lp->id];
    if (source->holds || last == of->next) {
        return true;
    }
    if (source->by_event) {
        return false;
    }
    tw_bf bf = {0};
    unsigned char *first_bytes = timeline->scratch;
    unsigned char *last_bytes = timeline->scratch + timeline->bytes_max;
    ask_model(source, lp, vt_points_ts(&timeline->points, of->next), &bf, first_bytes);
    ask_model(source, lp, vt_points_ts(&timeline->points, last), &bf, last_bytes);
    return memcmp(first_bytes, last_bytes, source->size) == 0;
}

static __attribute__((noinline)) void switch_off(struct vt_timeline *timeline)
{
    uint64_t n = 0;
    for (size_t i = 0; i < timeline->n_pools; i++) {
        n += timeline->pools[i].in_use;
    }
    tw_warning(TW_LOC,
               "PE %u: out of memory for samples at virtual times that are not final yet (%llu); "
               "the run goes on without them. Give a larger --vt-interval",
               (unsigned)g_tw_pe->id, (unsigned long long)n);
    timeline->is_off = true;
}

/* Makes the captures of an LP for the points that event e crosses, `end` excluded. */
static __attribute__((noinline)) void capture(struct vt_timeline *timeline, struct vt_lp *of,
                                              const tw_event *e, uint64_t end)
{
    const struct vt_source *source = &timeline->sources[e->dest_lp->id];
    assert(end >= of->next);
    uint64_t step = is_same_until(timeline, of, e->dest_lp, end - 1) ? end - of->next : 1;
    for (uint64_t number = of->next; number < end; number += step) {
        struct vt_capture *c = vt_undo_log_push(&of->captures, source->pool);
        if (c == NULL) {
            switch_off(timeline);
            return;
        }
        c->first = number;
        c->count = step;
        c->events = of->events;
        c->event_ts = e->recv_ts;
        memset(&c->bf, 0, sizeof(c->bf));
        if (source->size != 0) {
            ask_model(source, e->dest_lp, vt_points_ts(&timeline->points, number), &c->bf,
                      c->bytes);
        }
    }
    vt_timeline_set_next(timeline, of, end);
}

static __attribute__((noinline)) void cross(struct vt_timeline *timeline, struct vt_lp *of,
                                            const tw_event *e)
{
    if (!(e->recv_ts >= timeline->from && e->recv_ts < timeline->to)) {
        timeline->after = vt_points_until(&timeline->points, e->recv_ts) + 1;
        timeline->from = vt_points_ts(&timeline->points, timeline->after - 1);
        timeline->to = timeline->after <= timeline->points.last
                           ? vt_points_ts(&timeline->points, timeline->after)
                           : (double)INFINITY;
    }
    if (timeline->is_off) {
        return;
    }
    if (of->events != of->taken_events || timeline->taken == 0 ||
        !timeline->sources[e->dest_lp->id].lags) {
        capture(timeline, of, e, timeline->after);
    } else {
        of->next = timeline->after;
        of->next_ts = timeline->to;
    }
}

static void event_starting(void *ctx, const tw_event *e, const tw_lp *ahead)
{
    struct vt_timeline *timeline = ctx;
    struct vt_lp *of = &timeline->lps[e->dest_lp->id];
    probe_prefetch(ahead, timeline->lps, sizeof(*of));
    probe_prefetch(ahead, timeline->sources, sizeof(*timeline->sources));
    if (__builtin_expect(e->recv_ts >= of->next_ts, 0)) {
        cross(timeline, of, e);
    }
    of->events++;
}

/* Drops the captures that were made right before the undone event. Calls sample_revent_fn for each
 * of them, unless the engine has restored the state. */
static __attribute__((noinline)) void drop_captures(struct vt_timeline *timeline, struct vt_lp *of,
                                                    tw_lp *lp, bool state_restored)
{
    const struct vt_source *source = &timeline->sources[lp->id];
    uint64_t next = of->next;
    for (struct vt_capture *c = of->captures.youngest; c != NULL && c->events == of->events;
         c = of->captures.youngest) {
        next = c->first;
        if (source->by_event && !state_restored) {
            ask_back(source, lp, vt_points_ts(&timeline->points, next), c);
        }
        vt_undo_log_drop_youngest(&of->captures, source->pool);
    }
    vt_timeline_set_next(timeline, of, next);
}

/* Repeats the effect of sample_event_fn for held points if the engine has restored the state, see
 * invariant T4. */
static __attribute__((noinline)) void repeat_held(struct vt_timeline *timeline, struct vt_lp *of,
                                                  tw_lp *lp, bool state_restored)
{
    assert(of->held_first < of->held_end);
    const struct vt_source *source = &timeline->sources[lp->id];
    for (uint64_t i = of->held_first; state_restored && source->by_event && i < of->held_end; i++) {
        tw_bf bf = {0};
        ask_model(source, lp, vt_points_ts(&timeline->points, i), &bf, timeline->scratch);
    }
    of->held_first = of->held_end;
}

static void event_undone(void *ctx, const tw_event *e, bool state_restored)
{
    struct vt_timeline *timeline = ctx;
    struct vt_lp *of = &timeline->lps[e->dest_lp->id];
    assert(of->events > 0);
    of->events--;
    const struct vt_capture *youngest = of->captures.youngest;
    if (youngest != NULL && youngest->events == of->events) {
        drop_captures(timeline, of, e->dest_lp, state_restored);
    }
    if (of->taken_events != of->events) {
        return;
    }
    if (timeline->taken > 0 && timeline->sources[e->dest_lp->id].lags) {
        vt_timeline_set_next(timeline, of, timeline->taken + 1);
    } else if (of->held_end > of->held_first) {
        repeat_held(timeline, of, e->dest_lp, state_restored);
    }
}

void vt_timeline_attach(struct vt_timeline *timeline, struct probe_table *table, bool on)
{
    PROBE_SET(on, table, event_starting, event_starting, timeline);
    PROBE_SET(on, table, event_undone, event_undone, timeline);
}

/* ---- Sampling points ------------------------------------------------------------------------- */

/* Copies the data of the LP's next point from its oldest capture to `bytes`. Returns the number of
 * events that the LP had executed when the capture was made. */
static uint64_t take_capture(struct vt_lp *of, const struct vt_source *source, void *bytes)
{
    struct vt_capture *c = of->captures.oldest;
    assert(c != NULL && c->count > 0);
    uint64_t events = c->events;
    if (source->size != 0) {
        memcpy(bytes, c->bytes, ((size_t)source->size + 7) & ~(size_t)7);
    }
    if (of->held_end == of->held_first || events != of->taken_events) {
        of->held_first = c->first;
    }
    of->held_end = c->first + 1;
    c->first++;
    c->count--;
    if (c->count == 0) {
        vt_undo_log_drop_oldest(&of->captures, source->pool);
    }
    return events;
}

/* Drops captures for points before point `number`, which were left out. */
static void leave_out(struct vt_lp *of, const struct vt_source *source, uint64_t number)
{
    struct vt_capture *c;
    while ((c = of->captures.oldest) != NULL && c->first < number) {
        assert(source->lags);
        const uint64_t before = number - c->first;
        if (before < c->count) {
            c->first = number;
            c->count -= before;
        } else {
            vt_undo_log_drop_oldest(&of->captures, source->pool);
        }
    }
}

uint64_t vt_timeline_take(struct vt_timeline *timeline, tw_lpid lp, const struct vt_point *at,
                          void *bytes)
{
    assert(lp < timeline->n_lps && !timeline->is_off);
    struct vt_lp *of = &timeline->lps[lp];
    const struct vt_source *source = &timeline->sources[lp];
    uint64_t events = of->events;
    leave_out(of, source, at->number);
    if (of->captures.oldest != NULL) {
        assert(of->captures.oldest->first == at->number);
        events = take_capture(of, source, bytes);
    } else {
        assert(of->next == at->number || (of->next < at->number && source->lags));
        if (source->size != 0) {
            tw_bf bf = {0};
            ask_model(source, timeline->lp_list[lp], at->ts, &bf, bytes);
        }
        of->held_first = of->held_end;
        vt_timeline_set_next(timeline, of, at->number + 1);
    }
    uint64_t since = events - of->taken_events;
    of->taken_events = events;
    return since;
}
