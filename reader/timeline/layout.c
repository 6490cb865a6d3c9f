/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * layout.c - computes where the slices of a PE begin and end; see timeline.h.
 *
 * By wall clock, the records of the PE come sorted by time. The records of one clock reading wait
 * until the next reading is known. By virtual time, the records come KP by KP, sorted by time.
 *
 * Invariant: the target of a rollback is the time of the KP before the rollback. The targets of a
 * KP's open rollbacks descend from the outermost to the innermost, since the KP has not reached the
 * outer target when an inner rollback begins.
 */
#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "store/array.h"
#include "timeline/private.h"

#define TIME_MAX      9e18 /* limit of times in ns, which fits into int64_t */
#define GROUP_MAX     64u
#define ROLLBACKS_MAX 64u /* maximum depth of nested rollbacks; deeper ones are not drawn */
/* Length in ns that the slice of a recorded rollback has per undone event. */
#define RECORD_NS 1000

bool tl_ns(double time, double unit_s, int64_t *ns)
{
    double scaled = time * unit_s * 1e9;
    if (!(scaled >= 0 && scaled < TIME_MAX)) {
        return false;
    }
    *ns = (int64_t)llround(scaled);
    return true;
}

/* ---- Open rollbacks -------------------------------------------------------------------------- */

struct kp {
    bool any;
    double last_ts; /* receive time of the KP's last execution */
    int64_t end;    /* end of the KP's last slice */
    /* Owned; open rollbacks, after which the KP has not yet reached its former time again,
     * ROLLBACKS_MAX elements; NULL: none so far. A rollback is the slice of the straggler, except
     * that send_ts is the time of the KP before the rollback. */
    struct ws_moment *open;
    uint32_t n_open;
};

/* ---- Layout by wall clock -------------------------------------------------------------------- */

static bool rollback_close(struct ws_timeline *t, struct kp *kp, int64_t end)
{
    assert(kp->n_open > 0);
    struct ws_moment *r = &kp->open[--kp->n_open];
    return end <= r->time || tl_slice_add(t, r, end);
}

static bool rollback_open(struct ws_timeline *t, struct kp *kp, const struct ws_moment *event)
{
    if (kp->open == NULL) {
        kp->open = calloc(ROLLBACKS_MAX, sizeof *kp->open);
    }
    if (kp->open == NULL) {
        return ws_no_memory(&t->work->failed);
    }
    if (kp->n_open < ROLLBACKS_MAX) {
        struct ws_moment *r = &kp->open[kp->n_open++];
        *r = *event;
        r->id = t->work->next_slice++;
        r->flags = WS_MOMENT_ROLLBACK | (event->flags & TL_LEFT_OUT);
        r->name = tl_name(tl_name_desc(event->name), TL_NAME_ROLLBACK);
        r->send_ts = kp->last_ts;
    }
    return true;
}

/* Adds a slice with the next number, from slice->time to end. */
static bool slice_add(struct ws_timeline *t, struct ws_moment *slice, int64_t end)
{
    slice->id = t->work->next_slice;
    t->work->next_slice += (slice->flags & TL_LEFT_OUT) == 0;
    return tl_slice_add(t, slice, end);
}

/* Adds the slice of an event, from event->time to end. First closes the rollbacks whose target the
 * event has reached, and opens a rollback if the event is a straggler. */
static bool event_place(struct ws_timeline *t, struct ws_moment *event, int64_t end)
{
    struct ws_timeline_work *w = t->work;
    assert(event->kp < TL_KPS_MAX);
    if (!array_reserve_zero(&w->kps, &w->kps_room, event->kp + 1u, sizeof *w->kps)) {
        return ws_no_memory(&w->failed);
    }
    struct kp *kp = &w->kps[event->kp];
    while (kp->n_open > 0 && event->recv_ts >= kp->open[kp->n_open - 1].send_ts) {
        if (!rollback_close(t, kp, event->time)) {
            return false;
        }
    }
    if (kp->any && event->recv_ts < kp->last_ts && !rollback_open(t, kp, event)) {
        return false;
    }
    kp->any = true;
    kp->last_ts = event->recv_ts;
    kp->end = end;
    return slice_add(t, event, end);
}

/* Adds the slices of n records with the same clock reading. next: time to the next reading, in
 * ns. */
static bool group_place(struct ws_timeline *t, struct ws_moment *group, uint32_t n, int64_t next)
{
    assert(n > 0 && n <= GROUP_MAX && next >= 0);
    int64_t begin = group[0].time, longest = t->work->longest;
    bool good = true;
    for (uint32_t i = 0; good && i < n; i++) {
        struct ws_moment *m = &group[i];
        if ((m->flags & WS_MOMENT_ROLLBACK) == 0) {
            int64_t share = next / n < longest ? next : longest * n;
            m->time = begin + share / n * i + share % n * i / n;
            good = event_place(t, m, begin + share / n * (i + 1) + share % n * (i + 1) / n);
        } else {
            uint64_t undone = m->undone < UINT32_MAX ? m->undone : UINT32_MAX;
            int64_t size = RECORD_NS * (1 + (int64_t)undone), to = begin + next / n * (i + 1);
            m->time = begin + next / n * i;
            good = slice_add(t, m, to - m->time < size ? to : m->time + size);
        }
    }
    return good;
}

/* The records of the current clock reading, which wait, with copies of their payloads. */
struct group {
    struct ws_moment list[GROUP_MAX];
    struct payload {
        uint8_t *bytes; /* owned; the copy of the payload */
        size_t room;
    } payloads[GROUP_MAX];
    uint32_t n;
};

/* Copies the payload of a record to *p, and makes record->payload point to the copy. */
static bool payload_keep(struct ws_timeline *t, struct payload *p, struct ws_moment *record)
{
    if (record->payload == NULL) {
        return true;
    }
    if (!array_reserve(&p->bytes, &p->room, (size_t)record->desc->size, 1)) {
        return ws_no_memory(&t->work->failed);
    }
    memcpy(p->bytes, record->payload, (size_t)record->desc->size);
    record->payload = p->bytes;
    return true;
}

bool tl_layout_take(struct ws_timeline *t, const struct ws_moment *record)
{
    assert(t->work->group->n <= GROUP_MAX);
    struct group *g = t->work->group;
    if (g->n == GROUP_MAX || (g->n > 0 && record->time != g->list[0].time)) {
        if (!group_place(t, g->list, g->n, record->time - g->list[0].time)) {
            return false;
        }
        g->n = 0;
    }
    g->list[g->n] = *record;
    g->n++;
    return payload_keep(t, &g->payloads[g->n - 1], &g->list[g->n - 1]);
}

/* Reads the next entry of work->records. Returns false if there is none. */
static bool record_next(struct ws_timeline *t, struct ws_moment *record)
{
    const uint8_t *key, *data = ws_sorter_next(&t->work->records, &key);
    if (data != NULL) {
        *record = (struct ws_moment){.time = ws_key_get_i64(key + TL_RECORDS_TIME)};
        tl_slice_get(t, record, data);
    }
    return data != NULL;
}

static bool wall_layout(struct ws_timeline *t)
{
    struct group *g = t->work->group;
    struct ws_moment record;
    while (record_next(t, &record)) {
        if (!tl_layout_take(t, &record)) {
            return false;
        }
    }
    /* No record follows: each slice gets an eighth of the maximum length, by default the mean time
     * between records. */
    return g->n == 0 || group_place(t, g->list, g->n, t->work->longest / 8 * g->n);
}

static bool wall_rest(struct ws_timeline *t)
{
    bool good = true;
    for (size_t i = 0; i < t->work->kps_room; i++) {
        struct kp *kp = &t->work->kps[i];
        while (good && kp->n_open > 0) {
            good = rollback_close(t, kp, kp->end);
        }
    }
    return good;
}

/* ---- Layout by virtual time ------------------------------------------------------------------ */

/* Returns the end of the slice of a rollback: the time of the KP before the rollback, or the end of
 * the enclosing rollback if that is earlier. ends[0] to ends[*n - 1] are the ends of the open
 * rollbacks, which the function updates. */
static int64_t rollback_end(struct ws_timeline *t, const struct ws_moment *r, int64_t *ends,
                            uint32_t *n)
{
    assert(*n <= ROLLBACKS_MAX);
    int64_t end;
    if (!tl_ns(r->send_ts, t->options.unit_s, &end) || end < r->time) {
        end = r->time;
    }
    while (*n > 0 && ends[*n - 1] <= r->time) {
        --*n;
    }
    if (*n > 0 && end > ends[*n - 1]) {
        end = ends[*n - 1];
    }
    if (*n < ROLLBACKS_MAX) {
        ends[(*n)++] = end;
    } else {
        end = r->time; /* too many nested rollbacks: the slice has no length */
    }
    return end;
}

static bool virtual_layout(struct ws_timeline *t)
{
    /* held: the latest event that was not undone. Its slice is added when the next such event is
     * known. */
    struct ws_moment held = {.flags = TL_LEFT_OUT}, record;
    struct payload *payload = &t->work->group->payloads[0]; /* copy of the payload of held */
    int64_t ends[ROLLBACKS_MAX];
    uint32_t n_ends = 0, kp = 0;
    bool good = true;
    while (good && record_next(t, &record)) {
        n_ends = record.kp == kp ? n_ends : 0;
        kp = record.kp;
        bool rollback = (record.flags & WS_MOMENT_ROLLBACK) != 0;
        if (rollback || (record.flags & WS_MOMENT_UNDONE) != 0) {
            int64_t end = rollback ? rollback_end(t, &record, ends, &n_ends) : record.time;
            good = slice_add(t, &record, end);
            continue;
        }
        good = tl_slice_add(t, &held, record.kp == held.kp ? record.time : held.time);
        held = record;
        held.id = t->work->next_slice++;
        good = good && payload_keep(t, payload, &held);
    }
    return good && tl_slice_add(t, &held, held.time);
}

bool tl_layout_begin(struct ws_timeline *t)
{
    assert(t->work->group == NULL);
    struct ws_timeline_work *w = t->work;
    w->next_slice = 0;
    w->group = calloc(1, sizeof *w->group);
    tl_sorter_init(&w->records, TL_RECORDS_KEY, TL_SLICE_MAX);
    return w->group != NULL || ws_no_memory(&t->work->failed);
}

bool tl_layout_pe(struct ws_timeline *t)
{
    struct ws_timeline_work *w = t->work;
    return ws_sorter_ready(&w->records) &&
           (t->options.is_virtual ? virtual_layout(t) : wall_layout(t)) && !w->records.failed &&
           wall_rest(t);
}

void tl_layout_end(struct ws_timeline *t)
{
    struct ws_timeline_work *w = t->work;
    for (size_t i = 0; i < w->kps_room; i++) {
        free(w->kps[i].open);
    }
    free(w->kps);
    w->kps = NULL;
    w->kps_room = 0;
    for (uint32_t i = 0; w->group != NULL && i < GROUP_MAX; i++) {
        free(w->group->payloads[i].bytes);
    }
    free(w->group);
    w->group = NULL;
    ws_sorter_free(&w->records);
}
