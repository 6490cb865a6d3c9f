/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * chrome.c - writes a timeline as trace events of Chrome, with the logger of st_log.h. The types of
 * trace events are X for slices, i for steps of tasks, s and f for the two ends of flows, and C for
 * counters. Names of processes and threads are metadata.
 */
#include <stdio.h>
#include <stdlib.h>

#include "export/viewers/timeline.h"
#include "st_log.h"

struct state {
    struct ws_timeline_state base;
    st_logger *log;
};

static int out_write(void *ctx, const void *data, size_t size)
{
    struct state *s = ctx;
    /* Any value of errno is sufficient, since ws_out_write() has printed the error message. */
    return ws_out_write(s->base.out, data, size) ? 0 : 5;
}

static bool begin(struct ws_export *x)
{
    struct state *s = x->state;
    st_log_target target = {.write = out_write, .ctx = s};
    st_log_options options = {.unit_s = 1e-9};
    return (st_log_chrome_create(&target, &options, &s->log) == ST_OK &&
            st_logger_start(s->log) == ST_OK) ||
           ws_no_memory(&x->outs.failed);
}

static bool names_add(struct state *s, const struct ws_moment *m)
{
    char name[WS_TRACK_NAME_MAX];
    const struct ws_seen *seen = &s->base.seen;
    if (seen->new_pe) {
        ws_process_name(name, s->base.timeline, m->pe);
        if (st_log_process_name(s->log, m->pe, name) != ST_OK) {
            return false;
        }
    }
    if (!seen->new_kp) {
        return true;
    }
    ws_track_name(name, s->base.timeline, m);
    return st_log_thread_name(s->log, m->pe, m->kp, name) == ST_OK;
}

/* Describes a slice, or a step of a task, in *entry. name: memory for its name. */
static void slice_describe(st_log_entry *entry, struct state *s, const struct ws_moment *m,
                           char *name)
{
    static const char *const colors[WS_CATEGORIES] = {NULL, "terrible", "bad"};
    const struct ws_moment_args *args = ws_moment_args(&s->base, m);
    entry->name = ws_slice_name(name, s->base.timeline, m);
    entry->category = ws_slice_category(m);
    entry->phase = m->kind == WS_MOMENT_STEP ? 'i' : 'X';
    entry->duration = (double)m->duration;
    entry->color = colors[ws_moment_category(m)];
    entry->args = args->list;
    entry->n_args = args->n;
}

static bool moment(struct ws_export *x, const struct ws_moment *m)
{
    struct state *s = x->state;
    char name[WS_SLICE_NAME_MAX];
    st_log_arg value = {.key = "value", .kind = ST_LOG_F64, .value = {.f64 = m->value}};
    st_log_entry entry = {.time = (double)m->time, .pid = m->pe, .tid = m->kp};
    if (m->kind == WS_MOMENT_COUNTER) {
        entry.name = s->base.timeline->counters.names[m->counter];
        entry.phase = 'C';
        entry.args = &value;
        entry.n_args = 1;
    } else if (m->kind == WS_MOMENT_FLOW_OUT || m->kind == WS_MOMENT_FLOW_IN) {
        entry.name = entry.category = (m->flags & WS_MOMENT_TASK) != 0 ? "child" : "send";
        entry.phase = m->kind == WS_MOMENT_FLOW_OUT ? 's' : 'f';
        entry.id = m->id;
    } else {
        slice_describe(&entry, s, m, name);
    }
    return (names_add(s, m) && st_logger_add(s->log, &entry) == ST_OK) ||
           (!x->outs.failed && ws_no_memory(&x->outs.failed));
}

static bool end(struct ws_export *x)
{
    struct state *s = x->state;
    return st_logger_finish(s->log) == ST_OK;
}

static void fini(struct ws_export *x)
{
    struct state *s = x->state;
    st_logger_destroy(s->log);
}

const struct ws_export_format ws_export_chrome = {
    .name = "chrome",
    .extension = ".json",
    .to_pipe = true,
    .state_size = sizeof(struct state),
    .timeline = ws_export_timeline,
    .without_ends = true,
    .timeline_begin = begin,
    .timeline_moment = moment,
    .timeline_end = end,
    .fini = fini,
};
