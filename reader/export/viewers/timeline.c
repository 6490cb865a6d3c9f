/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * timeline.c - passes the record files of a run to a format as one timeline (timeline.h).
 */
#include "export/viewers/timeline.h"
#include "store/array.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char *const ws_category_names[WS_CATEGORIES] = {"event", "undone", "rollback"};

/* ---- Calls for each moment ------------------------------------------------------------------- */

/* Updates *s for a moment. Returns false if out of memory. */
static bool seen_note(struct ws_seen *s, const struct ws_moment *m)
{
    s->new_pe = !s->any || m->pe != s->pe;
    s->new_kp = false;
    if (s->new_pe && s->n_kps > 0) {
        memset(s->kps, 0, s->n_kps);
    }
    s->any = true;
    s->pe = m->pe;
    if (m->kind != WS_MOMENT_BEGIN) {
        return true;
    }
    if (!array_reserve_zero(&s->kps, &s->n_kps, m->kp + 1u, 1)) {
        return false;
    }
    s->new_kp = s->kps[m->kp] == 0;
    s->kps[m->kp] = 1;
    return true;
}

enum ws_category ws_moment_category(const struct ws_moment *m)
{
    return (m->flags & WS_MOMENT_ROLLBACK) != 0 ? WS_CATEGORY_ROLLBACK
           : (m->flags & WS_MOMENT_UNDONE) != 0 ? WS_CATEGORY_UNDONE
                                                : WS_CATEGORY_EVENT;
}

const char *ws_slice_category(const struct ws_moment *m)
{
    return m->kind == WS_MOMENT_STEP ? "step"
           : m->task != NULL         ? m->task->kind
                                     : ws_category_names[ws_moment_category(m)];
}

/* Begins the output. Returns false after an error message. */
static bool state_init(struct ws_export *x, const struct ws_timeline *timeline)
{
    struct ws_timeline_state *s = x->state;
    s->timeline = timeline;
    if (!ws_args_init(s)) {
        return ws_no_memory(&x->outs.failed);
    }
    return !x->format->to_pipe || (s->out = ws_export_out(x, NULL)) != NULL;
}

static bool moment_pass(const struct ws_moment *m, void *ctx)
{
    struct ws_export *x = ctx;
    struct ws_timeline_state *s = x->state;
    return (seen_note(&s->seen, m) || ws_no_memory(&x->outs.failed)) &&
           x->format->timeline_moment(x, m);
}

/* ---- Names of processes, tracks and slices --------------------------------------------------- */

void ws_process_name(char *to, const struct ws_timeline *t, uint32_t process)
{
    bool of_tasks = process >= t->n_pes;
    snprintf(to, WS_TRACK_NAME_MAX, "%sPE %u", of_tasks ? "tasks of " : "",
             of_tasks ? process - t->n_pes : process);
}

void ws_track_name(char *to, const struct ws_timeline *t, const struct ws_moment *m)
{
    const struct ws_moment_task *task = m->task;
    char lane[16] = "";
    if (task == NULL) {
        snprintf(to, WS_TRACK_NAME_MAX, "KP %u", m->kp);
        return;
    }
    if (task->lane > 0) {
        snprintf(lane, sizeof lane, " #%u", task->lane + 1);
    }
    long long lp = task->id.lp;
    const char *name = t->task != NULL ? ws_lp_name(&t->task->descs, (uint64_t)lp) : NULL;
    if (task->where[0] == '\0' && name != NULL) {
        snprintf(to, WS_TRACK_NAME_MAX, "%s%s", name, lane);
    } else if (task->where[0] == '\0') {
        snprintf(to, WS_TRACK_NAME_MAX, "LP %lld%s", lp, lane);
    } else {
        snprintf(to, WS_TRACK_NAME_MAX, "%s (LP %lld)%s", task->where, lp, lane);
    }
}

const char *ws_slice_name(char *to, const struct ws_timeline *t, const struct ws_moment *m)
{
    const struct ws_moment_task *task = m->task;
    if (task == NULL) {
        return t->names[m->name];
    }
    if (task->kind[0] == '\0' || task->what[0] == '\0') {
        return task->kind[0] == '\0' ? task->what : task->kind;
    }
    snprintf(to, WS_SLICE_NAME_MAX, "%s: %s", task->kind, task->what);
    return to;
}

/* ---- Command --------------------------------------------------------------------------------- */

/* Sets the files of *t to the readable streams. Returns false after an error message. */
static bool files_find(struct ws_timeline *t, struct ws_export *x)
{
    struct ws_file **const places[] = {[FMT_STREAM_GVT] = &t->gvt,
                                       [FMT_STREAM_RT] = &t->rt,
                                       [FMT_STREAM_MODEL] = &t->model,
                                       [FMT_STREAM_EVTRACE] = &t->evtrace,
                                       [FMT_STREAM_TASK] = &t->task};
    for (size_t i = 0; i < x->files.n_streams; i++) {
        struct ws_file *s = &x->streams[i], **place = NULL;
        if (s->pes != NULL && s->sb->stream < sizeof places / sizeof places[0]) {
            place = places[s->sb->stream];
        }
        if (place == NULL) {
            continue;
        }
        if (*place != NULL) {
            return ws_say(
                &ws_on_stderr,
                "%s: a timeline shows one run, and there is %s as well: name the files of one",
                s->path, (*place)->path);
        }
        *place = s;
    }
    t->base = t->evtrace != NULL ? t->evtrace : t->task;
    if (t->evtrace == NULL && (t->task == NULL || !t->options.is_virtual)) {
        return ws_say(
            &ws_on_stderr,
            "a timeline needs an event trace (PREFIX-evtrace.bin), which there is none of: run the"
            " model with --event-trace=1 (all executions), 2 (rollbacks) or 3 (committed events)%s",
            t->task != NULL ? "; tasks alone are shown with --clock=virtual" : "");
    }
    return t->task == NULL || t->task->sb->layout.n_pes == t->base->sb->layout.n_pes ||
           ws_say(&ws_on_stderr,
                  "%s: a timeline shows one run, and %s is of another one: it has %u PEs",
                  t->task->path, t->base->path, t->base->sb->layout.n_pes);
}

bool ws_export_timeline(struct ws_export *x)
{
    struct ws_timeline t = {.options = x->timeline, .select = &x->select};
    t.options.without_ends = x->format->without_ends;
    if (!files_find(&t, x)) {
        return false;
    }
    x->stream = t.base;
    struct ws_timeline_state *s = x->state;
    bool good = ws_timeline_init(&t) && state_init(x, &t) && x->format->timeline_begin(x) &&
                ws_timeline_run(&t, moment_pass, x) && x->format->timeline_end(x) &&
                (s->out == NULL || ws_out_end(s->out));
    ws_timeline_free(&t);
    free(s->seen.kps);
    ws_args_free(s);
    return good;
}
