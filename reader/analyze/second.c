/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * second.c - marks the critical path. The second pass then finds sums over this path, and the
 * windows of conservative execution; see analyze.h.
 *
 * A window begins at the time of the earliest remaining event, and contains the events up to this
 * time plus its lookahead. No event in a window can have sent another event in that window to a
 * different LP. Windows follow one another, as in synchronous conservative algorithms (Nicol, J.
 * ACM 40(2), 1993). The events of an LP in a window are executed one after another. A window
 * therefore takes as many steps as its busiest LP has events.
 */
#include <assert.h>
#include <math.h>
#include <stdlib.h>

#include "analyze/analyze.h"
#include "store/array.h"

/* ---- The critical path ----------------------------------------------------------------------- */

/* Follows the critical path backwards from its end, and marks its events. The walk is finite, since
 * the first pass reached each predecessor before its successor. The numbers of events cannot be
 * used to check that, since they ascend only within a PE. A limit on the number of steps prevents
 * an endless loop if the data is wrong. */
static void path_mark(struct analyze *a)
{
    uint64_t at = a->path_end, steps = 0;
    while (at != 0 && steps < a->events && !a->failed) {
        uint64_t *element = ws_pages_at(&a->before, at - 1);
        assert((*element & ANALYZE_ON_PATH) == 0);
        uint64_t before = *element;
        *element = (before & ANALYZE_BY_CAUSE) | ANALYZE_ON_PATH | steps++;
        at = before & ANALYZE_NUMBER;
    }
    assert(at == 0 || a->failed);
    a->path_events = steps;
}

/* ---- Windows --------------------------------------------------------------------------------- */

static void window_end(struct analyze_window *w)
{
    if (w->n > 0) {
        w->events += w->n;
        w->ones += w->n == 1;
        w->lps += w->n_lps;
        w->steps += w->n_most;
        w->widest = w->n > w->widest ? w->n : w->widest;
    }
    w->n = w->n_lps = w->n_most = 0;
}

static void window_add(struct analyze_window *w, struct analyze_mark *mark,
                       const struct analyze_event *e)
{
    /* With lookahead 0, a window contains the events of a single time. */
    if (w->windows == 0 || (e->ts >= w->end && !(w->lookahead <= 0.0 && e->ts <= w->end))) {
        window_end(w);
        w->windows++;
        w->end = e->ts + w->lookahead;
    }
    if (mark->window != (uint32_t)w->windows) {
        *mark = (struct analyze_mark){(uint32_t)w->windows, 0};
        w->n_lps++;
    }
    mark->events++;
    w->n++;
    w->n_most = mark->events > w->n_most ? mark->events : w->n_most;
}

double analyze_lookahead(const struct analyze *a)
{
    double least = HUGE_VAL;
    for (uint32_t i = 0; i <= ANALYZE_TYPES_MAX; i++) {
        for (uint32_t k = 0; k <= ANALYZE_TYPES_MAX; k++) {
            const struct analyze_pair *pair = &a->pairs[i][k];
            if (pair->events > 0 && pair->lookahead < least) {
                least = pair->lookahead;
            }
        }
    }
    return least;
}

/* Sets the lookaheads of the windows: those of the command line, otherwise multiples of the
 * smallest offset between LPs or, if that is 0, of a tenth of the mean offset. */
static void windows_choose(struct analyze *a)
{
    assert(a->n_windows == 0);
    static const double factors[] = {1.0, 2.0, 10.0};
    double least = analyze_lookahead(a), mean = ws_histogram_mean(&a->offsets);
    uint32_t n = a->options->n_lookaheads;
    for (uint32_t i = 0; i < n; i++) {
        a->windows[a->n_windows++].lookahead = a->options->lookaheads[i];
    }
    if (n > 0) {
        return;
    }
    if (isfinite(least)) {
        a->windows[a->n_windows++].lookahead = least;
    }
    for (size_t i = least > 0.0 ? 1 : 0; i < sizeof factors / sizeof factors[0]; i++) {
        double lookahead =
            isfinite(least) && least > 0.0 ? factors[i] * least : factors[i] * mean / 10.0;
        if (isfinite(lookahead) && lookahead > 0.0) {
            a->windows[a->n_windows++].lookahead = lookahead;
        }
    }
}

/* ---- Values of fields ------------------------------------------------------------------------ */

/* The values of two kinds of fields are counted, on the critical path and in all events: of fields
 * whose values have names, and of identities with at most USED_MAX different values, all below
 * VALUES_MAX. */
#define VALUES_MAX 256u /* values of a field are counted only if they are less than this */
/* Maximum number of different values of a field whose values have no names. */
#define USED_MAX   32u
#define FIELDS_MAX 64u /* maximum number of fields whose values are counted */

/* Returns n if the values 0 to n - 1 of the field are counted; 0 if the field is ignored. */
static uint32_t values_of(const struct fmt_payload_field *field)
{
    uint32_t n = 0;
    if (field->count != 1 || field->type == FMT_CHAR || field->type == FMT_F32 ||
        field->type == FMT_F64) {
        return 0;
    }
    while (field->names != NULL && n < VALUES_MAX && field->names[n] != NULL) {
        n++;
    }
    return n > 0 ? n : field->measure == FMT_IDENTITY ? VALUES_MAX : 0;
}

static bool values_init(struct analyze *a)
{
    const struct fmt_desc_set *descs = &a->trace.file->descs;
    for (size_t i = 0; i < descs->n; i++) {
        const struct fmt_payload_desc *d = &descs->descs[i];
        for (uint32_t f = 0; f < d->n_fields && a->n_fields < FIELDS_MAX; f++) {
            uint32_t n = d->kind == FMT_PAYLOAD_EV ? values_of(&d->fields[f]) : 0;
            if (n == 0) {
                continue;
            }
            if (!array_reserve(&a->fields, &a->fields_room, a->n_fields + 1, sizeof *a->fields)) {
                return ws_no_memory(&a->failed);
            }
            a->fields[a->n_fields++] = (struct analyze_field){
                .desc = d, .field = &d->fields[f], .first = a->n_values, .n = n};
            a->n_values += n;
        }
    }
    a->values = calloc(a->n_values + 1, sizeof *a->values);
    return a->values != NULL || ws_no_memory(&a->failed);
}

static void values_add(struct analyze *a, const struct analyze_event *e, bool on_path)
{
    for (size_t i = 0; i < a->n_fields; i++) {
        struct analyze_field *f = &a->fields[i];
        if (f->is_number || f->desc->id != e->type || e->payload == NULL ||
            e->payload_size < f->desc->size) {
            continue;
        }
        uint64_t v = fmt_value_read(e->payload + f->field->offset, f->field->type).as.u;
        if (v < f->n) {
            struct analyze_value *value = &a->values[f->first + v];
            f->n_used += value->events == 0;
            value->events++;
            value->path_events += on_path;
            value->path_time += on_path ? e->handler_time : 0;
        }
        f->is_number = f->field->names == NULL && (v >= f->n || f->n_used > USED_MAX);
    }
}

/* ---- The pass -------------------------------------------------------------------------------- */

static enum analyze_taken second_event_take(const struct analyze_event *e, bool must,
                                            const struct analyze_event *ahead, void *ctx)
{
    struct analyze *a = ctx;
    (void)must;
    if (ahead != NULL) {
        __builtin_prefetch(&a->marks[(size_t)ahead->lp * a->n_windows]);
    }
    for (uint32_t i = 0; i < a->n_windows; i++) {
        window_add(&a->windows[i], &a->marks[(size_t)e->lp * a->n_windows + i], e);
    }
    const uint64_t *element = ws_pages_get(&a->before, e->number);
    bool on_path = (*element & ANALYZE_ON_PATH) != 0;
    if (on_path) {
        a->more[e->lp].path_events++;
        a->more[e->lp].path_time += e->handler_time;
        a->path_time += e->handler_time;
        if (e->handler_time > a->path_longest) {
            a->path_longest = e->handler_time;
            a->path_longest_lp = e->lp;
        }
        a->path_remote += (*element & ANALYZE_BY_CAUSE) != 0 &&
                          a->lps[e->src].pe != analyze_rank(a, e->lp, e->pe) + 1;
        if (a->options->path_file != NULL) {
            analyze_path_out_add(a, e, *element);
        }
    }
    if (a->n_fields > 0) {
        values_add(a, e, on_path);
    }
    return a->failed ? ANALYZE_STOP : ANALYZE_TAKEN;
}

bool analyze_second(struct analyze *a)
{
    path_mark(a);
    bool good = !a->failed && values_init(a) &&
                (a->options->path_file == NULL || analyze_path_out_begin(a));
    windows_choose(a);
    a->marks = calloc((size_t)a->n_lps * a->n_windows + 1, sizeof *a->marks);
    good = good && (a->marks != NULL || ws_no_memory(&a->failed));
    unsigned read = ANALYZE_READ_TIMES | (a->n_fields > 0 ? ANALYZE_READ_PAYLOADS : 0) |
                    (a->options->path_file != NULL ? ANALYZE_READ_CAUSES : 0);
    good = good && analyze_trace_walk(&a->trace, read, second_event_take, a);
    for (uint32_t i = 0; i < a->n_windows; i++) {
        window_end(&a->windows[i]);
    }
    free(a->marks);
    return good;
}
