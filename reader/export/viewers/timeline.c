/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * timeline.c - passes the record files of a run to a format as one timeline (timeline.h).
 */
#include "export/viewers/timeline.h"
#include "store/array.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Maximum size of the strings of an event in bytes, with their terminating zeros. */
#define TEXTS_MAX (WS_EVENT_PAYLOAD_MAX + WS_EVENT_VALUES_MAX)

const char *const ws_category_names[WS_CATEGORIES] = {"event", "undone", "rollback"};

enum arg {
    LP,
    SRC_LP,
    RECV_TS,
    SEND_TS,
    TO_TS,
    FROM_TS,
    UNDONE,
    CAUSE,
    ID,
    PARENT,
    DETAIL,
    START,
    END,
    OPEN,
    TASK
};
const char *const ws_arg_names[WS_ARG_NAMES] = {
    [LP] = "lp",         [SRC_LP] = "src_lp",     [RECV_TS] = "recv_ts", [SEND_TS] = "send_ts",
    [TO_TS] = "back_to", [FROM_TS] = "back_from", [UNDONE] = "undone",   [CAUSE] = "cause",
    [ID] = "id",         [PARENT] = "parent",     [DETAIL] = "detail",   [START] = "start",
    [END] = "end",       [OPEN] = "open",         [TASK] = "task"};

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
    s->texts = malloc(TEXTS_MAX);
    if (s->texts == NULL ||
        (timeline->evtrace != NULL && !ws_event_values_init(&s->values, &timeline->evtrace->descs,
                                                            ws_arg_names, WS_ARG_NAMES))) {
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

/* ---- Shown values ---------------------------------------------------------------------------- */

static st_log_arg *arg_add(struct ws_timeline_state *s, uint32_t key, st_log_arg_kind kind)
{
    st_log_arg *arg = &s->args.list[s->args.n];
    s->args.keys[s->args.n++] = key;
    *arg = (st_log_arg){.key = ws_arg_name(s, key), .kind = kind};
    return arg;
}

static void number_add(struct ws_timeline_state *s, enum arg key, uint64_t number)
{
    arg_add(s, key, ST_LOG_U64)->value.u64 = number;
}

static void time_add(struct ws_timeline_state *s, enum arg key, double time)
{
    arg_add(s, key, ST_LOG_F64)->value.f64 = time;
}

static void text_add(struct ws_timeline_state *s, uint32_t key, const char *text)
{
    arg_add(s, key, ST_LOG_TEXT)->value.text = text;
}

static void task_args(struct ws_timeline_state *s, const struct ws_moment *m)
{
    const struct ws_moment_task *task = m->task;
    bool is_step = m->kind == WS_MOMENT_STEP;
    text_add(s, is_step ? TASK : ID, ws_task_id_text(s->ids[0], task->id));
    if (is_step) {
        return;
    }
    if (task->parent.lp != -1) {
        text_add(s, PARENT, ws_task_id_text(s->ids[1], task->parent));
    }
    time_add(s, START, task->start);
    if (task->is_open) {
        number_add(s, OPEN, 1);
    } else {
        time_add(s, END, task->end);
    }
    if (task->detail[0] != '\0') {
        text_add(s, DETAIL, task->detail);
    }
}

/* Copies a string in the payload to `texts` at offset *used, and adds its size to *used. Returns
 * the copy. Cuts off the string if it does not fit, since fields can overlap in a malformed
 * file. */
static const char *text_of(char *texts, size_t *used, const uint8_t *bytes, size_t size)
{
    char *text = texts + *used;
    const uint8_t *end = memchr(bytes, 0, size);
    size_t room = TEXTS_MAX - *used - 1;
    size = end == NULL ? size : (size_t)(end - bytes);
    size = size < room ? size : room;
    memcpy(text, bytes, size);
    text[size] = '\0';
    *used += size + (size < room);
    return text;
}

/* Adds the model values in the payload of an event to the arguments. */
static void values_add(struct ws_timeline_state *s, const struct ws_moment *m)
{
    size_t used = 0;
    if (m->desc == NULL) {
        return;
    }
    const struct ws_event_type *type =
        &s->values.types[m->desc - s->timeline->evtrace->descs.descs];
    for (uint32_t i = 0; i < type->n; i++) {
        const struct ws_event_value *value = &type->list[i];
        uint32_t key = WS_ARG_NAMES + value->name;
        if (value->type == FMT_CHAR) {
            text_add(s, key, text_of(s->texts, &used, m->payload + value->at, value->size));
            continue;
        }
        struct fmt_value number = fmt_value_read(m->payload + value->at, value->type);
        if (value->names != NULL) {
            bool is_named = number.as.u < value->n_names && value->names[number.as.u][0] != '\0';
            if (is_named) {
                text_add(s, key, value->names[number.as.u]);
            }
        } else if (value->type <= FMT_U64) {
            arg_add(s, key, ST_LOG_U64)->value.u64 = number.as.u;
        } else if (value->type <= FMT_I64) {
            arg_add(s, key, ST_LOG_I64)->value.i64 = number.as.i;
        } else {
            arg_add(s, key, ST_LOG_F64)->value.f64 = number.as.f;
        }
    }
}

uint32_t ws_arg_count(const struct ws_timeline_state *s)
{
    return WS_ARG_NAMES + s->values.names.n;
}

const struct ws_moment_args *ws_moment_args(struct ws_timeline_state *s, const struct ws_moment *m)
{
    bool rollback = (m->flags & WS_MOMENT_ROLLBACK) != 0;
    s->args.n = 0;
    if (m->task != NULL) {
        task_args(s, m);
        return &s->args;
    }
    number_add(s, LP, m->lp);
    number_add(s, SRC_LP, m->src_lp);
    time_add(s, rollback ? TO_TS : RECV_TS, m->recv_ts);
    time_add(s, rollback ? FROM_TS : SEND_TS, m->send_ts);
    if ((m->flags & WS_MOMENT_RECORD) != 0) {
        number_add(s, UNDONE, m->undone);
        number_add(s, CAUSE, m->cause);
    }
    values_add(s, m);
    return &s->args;
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
            ws_say(&ws_on_stderr,
                   "%s: a timeline shows one run, and there is %s as well: name the files of one",
                   s->path, (*place)->path);
            return false;
        }
        *place = s;
    }
    t->base = t->evtrace != NULL ? t->evtrace : t->task;
    if (t->evtrace == NULL && (t->task == NULL || !t->options.is_virtual)) {
        ws_say(
            &ws_on_stderr,
            "a timeline needs an event trace (PREFIX-evtrace.bin), which there is none of: run the"
            " model with --event-trace=1 (all executions), 2 (rollbacks) or 3 (committed events)%s",
            t->task != NULL ? "; tasks alone are shown with --clock=virtual" : "");
        return false;
    }
    if (t->task != NULL && t->task->sb->layout.n_pes != t->base->sb->layout.n_pes) {
        ws_say(&ws_on_stderr,
               "%s: a timeline shows one run, and %s is of another one: it has %u PEs",
               t->task->path, t->base->path, t->base->sb->layout.n_pes);
        return false;
    }
    return true;
}

bool ws_export_timeline(struct ws_export *x)
{
    struct ws_timeline t = {.options = x->timeline, .select = &x->select};
    if (!files_find(&t, x)) {
        return false;
    }
    x->stream = t.base;
    x->prefix = ws_export_prefix(x, t.base);
    if (x->prefix == NULL) {
        return ws_no_memory(&x->outs.failed);
    }
    struct ws_timeline_state *s = x->state;
    bool good = ws_timeline_init(&t) && state_init(x, &t) && x->format->timeline_begin(x) &&
                ws_timeline_run(&t, moment_pass, x) && x->format->timeline_end(x) &&
                (s->out == NULL || ws_out_end(s->out));
    ws_timeline_free(&t);
    free(s->seen.kps);
    ws_event_values_free(&s->values);
    free(s->texts);
    free(x->prefix);
    x->prefix = NULL;
    return good;
}
