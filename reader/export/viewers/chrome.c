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

/* Passes a slice, or a step of a task, to the logger. Returns false on failure. */
static bool slice_add(struct state *s, const struct ws_moment *m)
{
    static const char *const colors[WS_CATEGORIES] = {NULL, "terrible", "bad"};
    char name[WS_SLICE_NAME_MAX];
    const struct ws_moment_args *args = ws_moment_args(&s->base, m);
    enum ws_category category = ws_moment_category(m);
    bool is_step = m->kind == WS_MOMENT_STEP;
    st_log_entry entry = {.name = ws_slice_name(name, s->base.timeline, m),
                          .category = is_step           ? "step"
                                      : m->task != NULL ? m->task->kind
                                                        : ws_category_names[category],
                          .phase = is_step ? 'i' : 'X',
                          .time = (double)m->time,
                          .duration = (double)m->duration,
                          .pid = m->pe,
                          .tid = m->kp,
                          .color = colors[category],
                          .args = args->list,
                          .n_args = args->n};
    return st_logger_add(s->log, &entry) == ST_OK;
}

static bool counter_add(struct state *s, const struct ws_moment *m)
{
    st_log_arg arg = {.key = "value", .kind = ST_LOG_F64, .value = {.f64 = m->value}};
    st_log_entry entry = {.name = s->base.timeline->counters[m->counter],
                          .phase = 'C',
                          .time = (double)m->time,
                          .pid = m->pe,
                          .args = &arg,
                          .n_args = 1};
    return st_logger_add(s->log, &entry) == ST_OK;
}

static bool flow_add(struct state *s, const struct ws_moment *m)
{
    const char *name = (m->flags & WS_MOMENT_TASK) != 0 ? "child" : "send";
    st_log_entry entry = {.name = name,
                          .category = name,
                          .phase = m->kind == WS_MOMENT_FLOW_OUT ? 's' : 'f',
                          .time = (double)m->time,
                          .pid = m->pe,
                          .tid = m->kp,
                          .id = m->id};
    return st_logger_add(s->log, &entry) == ST_OK;
}

static bool moment(struct ws_export *x, const struct ws_moment *m)
{
    struct state *s = x->state;
    bool good;
    if (m->kind == WS_MOMENT_END) {
        return true; /* an END needs no event, since slices have a duration */
    }
    bool flow = m->kind == WS_MOMENT_FLOW_OUT || m->kind == WS_MOMENT_FLOW_IN;
    good = names_add(s, m) && (flow                           ? flow_add(s, m)
                               : m->kind == WS_MOMENT_COUNTER ? counter_add(s, m)
                                                              : slice_add(s, m));
    return good || (!x->outs.failed && ws_no_memory(&x->outs.failed));
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
    .extension = "json",
    .to_pipe = true,
    .state_size = sizeof(struct state),
    .timeline = ws_export_timeline,
    .timeline_begin = begin,
    .timeline_moment = moment,
    .timeline_end = end,
    .fini = fini,
};
