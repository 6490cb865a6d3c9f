/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * windows.c - finds the ranges of virtual time in which both runs recorded a kind of record; see
 * diff.h.
 *
 * A request to a run can begin, change and end the recording of a kind. If a request begins the
 * recording, a trace of committed events begins at the GVT of the request, and samples at virtual
 * times begin with the second sampling point after the request.
 */
#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "access/facts.h"
#include "diff/diff.h"

bool ws_diff_part_counts(const struct ws_file *part)
{
    const char *mode = part->pes == NULL ? NULL : ws_fact(part->sb, "option_event_trace");
    return part->pes != NULL &&
           (part->sb->stream != FMT_STREAM_EVTRACE || mode == NULL || strcmp(mode, "3") == 0);
}

/* Returns true if the part begins in the middle of the run, by a request or a restart. */
static bool is_midway(const struct ws_file *part)
{
    return ws_fact(part->sb, "begins_gvt") != NULL || ws_part_restart(part) > 0.0;
}

/* Returns the range of virtual time for which a part contains all records of its kinds. */
static struct ws_diff_window window_of(const struct ws_file *part)
{
    struct ws_cover cover = ws_part_cover(part);
    struct ws_diff_window w = {.from = (double)-INFINITY, .to = cover.virtual_to};
    bool midway = is_midway(part);
    bool has_from =
        midway || ws_fact(part->sb, "option_trace_from") != NULL || part->overwritten > 0;
    if (has_from && part->sb->stream == FMT_STREAM_EVTRACE) {
        w.from = cover.virtual_from;
    } else if (midway) {
        w.from = cover.virtual_from + 2.0 * ws_fact_number(part->sb, "option_vt_interval", 0.0);
    }
    return w;
}

/* Adds the window w of a part to the windows of a side. If there is no gap between the last of
 * these windows and w, joins the two. */
static void window_add(struct ws_diff_windows *all, struct ws_diff_window w)
{
    struct ws_diff_window *last = all->n > 0 ? &all->list[all->n - 1] : NULL;
    if (last != NULL && w.from <= last->to) {
        last->to = fmax(last->to, w.to);
    } else if (w.from < w.to) {
        all->list[all->n++] = w;
    }
}

static bool side_find(struct ws_diff_windows *all, const struct ws_diff_side *side)
{
    uint32_t n = ws_stream_parts(side->stream);
    *all = (struct ws_diff_windows){.list = calloc(n, sizeof *all->list)};
    for (uint32_t i = 0; all->list != NULL && i < n; i++) {
        const struct ws_file *part = ws_stream_part(side->stream, i);
        if (ws_diff_part_counts(part) && ws_part_records(part, side->schema)) {
            window_add(all, window_of(part));
            all->midway |= is_midway(part);
        }
    }
    return all->list != NULL;
}

bool ws_diff_windows_find(struct ws_diff *d)
{
    struct ws_diff_windows sides[WS_SIDES] = {[WS_A] = {.n = 0}, [WS_B] = {.n = 0}};
    bool good =
        side_find(&sides[WS_A], &d->sides[WS_A]) && side_find(&sides[WS_B], &d->sides[WS_B]);
    struct ws_diff_windows *both = &d->windows;
    *both = (struct ws_diff_windows){
        .list = calloc(sides[WS_A].n + sides[WS_B].n + 1, sizeof *both->list),
        .midway = sides[WS_A].midway || sides[WS_B].midway};
    good = good && both->list != NULL;
    for (size_t a = 0, b = 0; good && a < sides[WS_A].n && b < sides[WS_B].n;) {
        struct ws_diff_window x = sides[WS_A].list[a], y = sides[WS_B].list[b];
        struct ws_diff_window w = {fmax(x.from, y.from), fmin(x.to, y.to)};
        if (w.from < w.to) {
            both->list[both->n++] = w;
        }
        a += x.to <= y.to;
        b += y.to <= x.to;
    }
    both->whole = both->n == 1 && isinf(both->list[0].from) && isinf(both->list[0].to);
    free(sides[WS_A].list);
    free(sides[WS_B].list);
    return good;
}

bool ws_diff_windows_have(const struct ws_diff_windows *w, double time)
{
    assert(w->n == 0 || w->list != NULL);
    for (size_t i = 0; i < w->n; i++) {
        if (time >= w->list[i].from && time < w->list[i].to) {
            return true;
        }
    }
    return w->whole;
}
