/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * timeline.c - makes a timeline, and passes its moments to the caller in order; see timeline.h.
 *
 * Moments are sorted by process and time. Moments of the same time are in this order: counters;
 * rollbacks, before the events in them; slices by number, each before its flows. ENDs are not
 * sorted. They wait in a heap, whose size is the number of slices that are open at the same time:
 * one slice per thread, and the rollbacks around it.
 */
#include "timeline/timeline.h"

#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/out.h"
#include "store/array.h"
#include "store/heap.h"
#include "text/text_new.h"
#include "timeline/lanes.h"
#include "timeline/private.h"

/* ---- Names of slices ------------------------------------------------------------------------- */

/* Sets the names of slices of all LP types: "host", "host undone" and "host rollback". Without an LP
 * type, they are "event", "event undone" and "rollback". Returns false if memory is exhausted. */
static bool names_make(struct ws_timeline *t, const struct fmt_desc_set *descs)
{
    static const char *const tails[] = {"", " undone", " rollback"};
    assert(t->n_names % TL_NAMES == 0);
    for (uint32_t i = 0; i < t->n_names; i++) {
        const size_t desc = tl_name_desc(i);
        const char *owner = desc == 0 ? "" : descs->descs[desc - 1].owner;
        const bool bare = owner[0] == '\0' && i % TL_NAMES == TL_NAME_ROLLBACK;
        const char *base = owner[0] != '\0' ? owner : bare ? "" : "event";
        t->names[i] = text_new("%s%s", base, tails[i % TL_NAMES] + bare);
        if (t->names[i] == NULL) {
            return false;
        }
    }
    return true;
}

bool ws_timeline_init(struct ws_timeline *t)
{
    const struct fmt_desc_set none = {.n = 0};
    const struct fmt_desc_set *descs = t->evtrace == NULL ? &none : &t->evtrace->descs;
    size_t n = TL_NAMES * (1 + descs->n);
    t->n_pes = t->base->sb->layout.n_pes;
    t->work = calloc(1, sizeof *t->work);
    t->names = calloc(n, sizeof *t->names);
    if (t->work == NULL || t->names == NULL || n > UINT32_MAX) {
        return ws_no_memory(NULL);
    }
    t->n_names = (uint32_t)n;
    if (!names_make(t, descs)) {
        return ws_no_memory(&t->work->failed);
    }
    if (!tl_counters_init(t)) {
        return false;
    }
    tl_moments_init(t);
    return true;
}

void ws_timeline_free(struct ws_timeline *t)
{
    for (uint32_t i = 0; t->names != NULL && i < t->n_names; i++) {
        free((char *)t->names[i]);
    }
    free(t->names);
    tl_counters_fini(t);
    if (t->work != NULL) {
        ws_sorter_free(&t->work->joins);
        ws_sorter_free(&t->work->moments);
    }
    free(t->work);
    t->names = NULL;
    t->work = NULL;
}

/* ---- Ends of slices that are still open ------------------------------------------------------ */

/* ENDs that wait, in a binary heap with the earliest END first. Among ENDs of the same time, events
 * come before rollbacks, and inner rollbacks before outer ones. */
struct ends {
    struct ws_moment *list; /* owned; the heap */
    size_t n, room;
};

static bool is_before(const struct ws_moment *a, const struct ws_moment *b)
{
    int rank_a = a->flags & WS_MOMENT_ROLLBACK, rank_b = b->flags & WS_MOMENT_ROLLBACK;
    if (a->time != b->time) {
        return a->time < b->time;
    }
    return rank_a != rank_b ? rank_a < rank_b : a->id > b->id;
}

static bool ends_push(struct ends *e, const struct ws_moment *begin)
{
    if (!array_reserve(&e->list, &e->room, e->n + 1, sizeof *e->list)) {
        return false;
    }
    const struct ws_moment end = {.time = begin->time + begin->duration,
                                  .id = begin->id,
                                  .pe = begin->pe,
                                  .kp = begin->kp,
                                  .kind = WS_MOMENT_END,
                                  .flags = begin->flags};
    size_t up, i = e->n++;
    HEAP_UP(i, up, is_before(&end, &e->list[up]), e->list[i] = e->list[up]);
    e->list[i] = end;
    return true;
}

static struct ws_moment ends_pop(struct ends *e)
{
    assert(e->n > 0);
    const struct ws_moment top = e->list[0], last = e->list[--e->n];
    size_t down, i = 0;
    HEAP_DOWN(i, e->n, down, is_before(&e->list[down + 1], &e->list[down]),
              is_before(&e->list[down], &last), e->list[i] = e->list[down]);
    e->list[i] = last;
    return top;
}

/* Passes to fn the ENDs that come before the moment `next`; NULL: all ENDs. Returns false if fn has
 * returned false. */
static bool ends_hand_out(struct ends *e, const struct ws_moment *next, ws_moment_f fn, void *ctx)
{
    while (e->n > 0 &&
           (next == NULL || e->list[0].pe != next->pe || e->list[0].time <= next->time)) {
        struct ws_moment end = ends_pop(e);
        if (!fn(&end, ctx)) {
            return false;
        }
    }
    return true;
}

static bool moments_hand_out(struct ws_timeline *t, struct ends *ends, ws_moment_f fn, void *ctx)
{
    const uint8_t *key;
    const void *data;
    uint64_t n = 0;
    while ((data = ws_sorter_next(&t->work->moments, &key)) != NULL) {
        struct ws_moment_task task;
        struct ws_moment m = tl_moment_read(t, key, data, &task);
        bool flow = m.kind == WS_MOMENT_FLOW_OUT || m.kind == WS_MOMENT_FLOW_IN;
        if ((!flow && !ends_hand_out(ends, &m, fn, ctx)) || !fn(&m, ctx)) {
            return false;
        }
        if (m.kind == WS_MOMENT_BEGIN && !t->options.without_ends && !ends_push(ends, &m)) {
            return ws_no_memory(&t->work->failed);
        }
        if (!ws_out_goes_on(++n)) {
            return false;
        }
    }
    return !t->work->moments.failed && ends_hand_out(ends, NULL, fn, ctx);
}

static bool events_add(struct ws_timeline *t)
{
    bool good = true;
    if (t->evtrace == NULL) {
        return true;
    }
    ws_select_file(t->select, t->evtrace->sb, &t->evtrace->descs);
    for (uint32_t pe = 0; good && pe < t->n_pes; pe++) {
        if (ws_select_pe(t->select, pe)) {
            t->work->pe = pe;
            good = tl_layout_begin(t) && tl_read_pe(t) && tl_layout_pe(t);
            tl_layout_end(t);
        }
    }
    return good && tl_flows_join(t);
}

static void notes_print(const struct ws_timeline *t)
{
    if (t->left_out > 0) {
        ws_say(&ws_on_stderr,
               "%s: note: %llu records have a time that cannot be shown and are left out%s",
               t->base->path, (unsigned long long)t->left_out,
               t->options.is_virtual ? "; --unit=S may name a smaller unit of virtual time" : "");
    }
    if (t->crowded > 0) {
        ws_say(&ws_on_stderr,
               "%s: note: %llu tasks are left out: more than %u are under way at their place at one"
               " time",
               t->task->path, (unsigned long long)t->crowded, WS_LANES_MAX);
    }
}

bool ws_timeline_run(struct ws_timeline *t, ws_moment_f fn, void *ctx)
{
    assert(t->work != NULL);
    struct ends ends = {0};
    bool good = events_add(t) && tl_counters_add(t) && tl_values_add(t) && tl_tasks_add(t) &&
                ws_sorter_ready(&t->work->moments) && moments_hand_out(t, &ends, fn, ctx);
    free(ends.list);
    notes_print(t);
    return good;
}
