/*
 * export_chrome.c - a timeline as trace events of Chrome, through the logger of st_log.h: slices
 * are complete events (X), flows s and f, counters C, names of PEs and KPs metadata.
 */
#include <stdio.h>
#include <stdlib.h>

#include "export_timeline.h"
#include "st_log.h"

struct state {
    struct ws_out *out;
    st_logger *log;
    const struct ws_timeline *timeline;
    struct ws_seen seen;
};

static int out_write(void *ctx, const void *data, size_t size)
{
    struct state *s = ctx;
    return ws_out_write(s->out, data, size) ? 0 : 5; /* that was said */
}

static bool begin(struct ws_export *x, const struct ws_timeline *timeline)
{
    struct state *s = calloc(1, sizeof *s);
    x->state = s;
    if (s == NULL) {
        return ws_export_no_memory(x);
    }
    st_log_target target = {.write = out_write, .ctx = s};
    st_log_options options = {.unit_s = 1e-9};
    s->timeline = timeline;
    s->out = ws_export_out(x, NULL);
    if (s->out == NULL) {
        return false;
    }
    if (st_log_chrome_create(&target, &options, &s->log) != ST_OK ||
        st_logger_start(s->log) != ST_OK) {
        return ws_export_no_memory(x);
    }
    return true;
}

static bool names_add(struct ws_export *x, const struct ws_moment *m)
{
    struct state *s = x->state;
    char name[32];
    if (!ws_seen_note(&s->seen, m)) {
        return ws_export_no_memory(x);
    }
    snprintf(name, sizeof name, "PE %u", m->pe);
    if (s->seen.new_pe && st_log_process_name(s->log, m->pe, name) != ST_OK) {
        return false;
    }
    snprintf(name, sizeof name, "KP %u", m->kp);
    return !s->seen.new_kp || st_log_thread_name(s->log, m->pe, m->kp, name) == ST_OK;
}

static bool slice_add(struct state *s, const struct ws_moment *m)
{
    static const char *const colors[WS_CATEGORIES] = {NULL, "terrible", "bad"};
    struct ws_moment_arg values[WS_MOMENT_ARGS_MAX];
    st_log_arg args[WS_MOMENT_ARGS_MAX];
    enum ws_category category = ws_moment_category(m);
    uint32_t n = ws_moment_args(m, values);
    for (uint32_t i = 0; i < n; i++) {
        args[i].key = ws_arg_names[values[i].key];
        args[i].kind = values[i].is_time ? ST_LOG_F64 : ST_LOG_U64;
        if (values[i].is_time) {
            args[i].value.f64 = values[i].time;
        } else {
            args[i].value.u64 = values[i].number;
        }
    }
    st_log_entry entry = {.name = s->timeline->names[m->name],
                          .category = ws_category_names[category],
                          .phase = 'X',
                          .time = (double)m->time,
                          .duration = (double)m->duration,
                          .pid = m->pe,
                          .tid = m->kp,
                          .color = colors[category],
                          .args = args,
                          .n_args = n};
    return st_logger_add(s->log, &entry) == ST_OK;
}

static bool counter_add(struct state *s, const struct ws_moment *m)
{
    st_log_arg arg = {.key = "value", .kind = ST_LOG_F64, .value = {.f64 = m->value}};
    st_log_entry entry = {.name = ws_counter_names[m->counter],
                          .phase = 'C',
                          .time = (double)m->time,
                          .pid = m->pe,
                          .args = &arg,
                          .n_args = 1};
    return st_logger_add(s->log, &entry) == ST_OK;
}

static bool flow_add(struct state *s, const struct ws_moment *m)
{
    st_log_entry entry = {.name = "send",
                          .category = "send",
                          .phase = m->kind == WS_MOMENT_FLOW_OUT ? 's' : 'f',
                          .time = (double)m->time,
                          .pid = m->pe,
                          .tid = m->kp,
                          .id = m->id};
    return st_logger_add(s->log, &entry) == ST_OK;
}

static bool moment(const struct ws_moment *m, void *ctx)
{
    struct ws_export *x = ctx;
    struct state *s = x->state;
    bool good;
    if (m->kind == WS_MOMENT_END) {
        return true; /* slices have a duration */
    }
    good = names_add(x, m) && (m->kind == WS_MOMENT_BEGIN     ? slice_add(s, m)
                               : m->kind == WS_MOMENT_COUNTER ? counter_add(s, m)
                                                              : flow_add(s, m));
    return good || (!x->outs.failed && ws_export_no_memory(x));
}

static bool end(struct ws_export *x)
{
    struct state *s = x->state;
    return st_logger_finish(s->log) == ST_OK && ws_out_end(s->out);
}

static void fini(struct ws_export *x)
{
    struct state *s = x->state;
    if (s != NULL) {
        st_logger_destroy(s->log);
        ws_seen_free(&s->seen);
    }
    free(s);
}

const struct ws_export_format ws_export_chrome = {
    .name = "chrome",
    .extension = "json",
    .to_pipe = true,
    .timeline_begin = begin,
    .timeline_moment = moment,
    .timeline_end = end,
    .fini = fini,
};
