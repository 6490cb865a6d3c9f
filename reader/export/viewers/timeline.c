/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * timeline.c - passes the record files of a run to a format as one timeline (timeline.h).
 */
#include "export/viewers/timeline.h"

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

bool ws_seen_note(struct ws_seen *s, const struct ws_moment *m)
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
    if (m->kp >= s->n_kps) {
        uint8_t *kps = realloc(s->kps, 2 * (size_t)m->kp + 64);
        if (kps == NULL) {
            return false;
        }
        memset(kps + s->n_kps, 0, 2 * (size_t)m->kp + 64 - s->n_kps);
        s->kps = kps;
        s->n_kps = 2 * m->kp + 64;
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

void *ws_timeline_state_make(struct ws_export *x, size_t size, const struct ws_timeline *timeline)
{
    struct ws_timeline_state *s = calloc(1, size);
    x->state = s;
    if (s == NULL) {
        ws_no_memory(&x->outs.failed);
        return NULL;
    }
    s->timeline = timeline;
    s->texts = malloc(TEXTS_MAX);
    if (s->texts == NULL ||
        (timeline->evtrace != NULL && !ws_event_values_init(&s->values, &timeline->evtrace->descs,
                                                            ws_arg_names, WS_ARG_NAMES))) {
        ws_no_memory(&x->outs.failed);
        return NULL; /* the caller frees the state, even after an error */
    }
    return s;
}

void ws_timeline_state_free(void *state)
{
    struct ws_timeline_state *s = state;
    if (s != NULL) {
        free(s->seen.kps);
        ws_event_values_free(&s->values);
        free(s->texts);
    }
    free(s);
}

/* ---- Names of processes, tracks and slices --------------------------------------------------- */

void ws_process_name(char *to, const struct ws_timeline *t, uint32_t process)
{
    bool of_tasks = process >= t->n_pes;
    snprintf(to, WS_PROCESS_NAME_MAX, "%sPE %u", of_tasks ? "tasks of " : "",
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

static struct ws_moment_arg *arg_add(struct ws_moment_args *args, enum arg key,
                                     enum ws_arg_kind kind)
{
    struct ws_moment_arg *arg = &args->list[args->n++];
    *arg = (struct ws_moment_arg){.key = key, .kind = kind};
    return arg;
}

static void number_add(struct ws_moment_args *args, enum arg key, uint64_t number)
{
    arg_add(args, key, WS_ARG_NUMBER)->number = number;
}

static void time_add(struct ws_moment_args *args, enum arg key, double time)
{
    arg_add(args, key, WS_ARG_TIME)->time = time;
}

static void task_args(struct ws_moment_args *args, const struct ws_moment *m)
{
    const struct ws_moment_task *task = m->task;
    bool is_step = m->kind == WS_MOMENT_STEP;
    arg_add(args, is_step ? TASK : ID, WS_ARG_TEXT)->text =
        ws_task_id_text(args->texts[0], task->id);
    if (is_step) {
        return;
    }
    if (task->parent.lp != -1) {
        arg_add(args, PARENT, WS_ARG_TEXT)->text = ws_task_id_text(args->texts[1], task->parent);
    }
    time_add(args, START, task->start);
    if (task->is_open) {
        number_add(args, OPEN, 1);
    } else {
        time_add(args, END, task->end);
    }
    if (task->detail[0] != '\0') {
        arg_add(args, DETAIL, WS_ARG_TEXT)->text = task->detail;
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

/* Sets *arg to the label that the model defined for the present value of a payload field. Returns
 * false if there is none. */
static bool label_set(struct ws_moment_arg *arg, const struct ws_event_value *value,
                      const uint8_t *payload)
{
    uint64_t code = fmt_value_read(payload + value->at, value->type).as.u;
    if (code >= value->n_names || value->names[code][0] == '\0') {
        return false;
    }
    *arg = (struct ws_moment_arg){.key = WS_ARG_NAMES + value->name, .kind = WS_ARG_TEXT};
    arg->text = value->names[code];
    return true;
}

/* Adds the model values in the payload of an event to the arguments. */
static void values_add(struct ws_moment_args *args, struct ws_timeline_state *s,
                       const struct ws_moment *m)
{
    size_t used = 0;
    if (m->desc == NULL) {
        return;
    }
    const struct ws_event_type *type =
        &s->values.types[m->desc - s->timeline->evtrace->descs.descs];
    for (uint32_t i = 0; i < type->n; i++) {
        const struct ws_event_value *value = &type->list[i];
        struct ws_moment_arg *arg = &args->list[args->n];
        if (value->names != NULL) {
            args->n += label_set(arg, value, m->payload);
            continue;
        }
        args->n++;
        arg->key = WS_ARG_NAMES + value->name;
        if (value->type == FMT_CHAR) {
            arg->kind = WS_ARG_TEXT;
            arg->text = text_of(s->texts, &used, m->payload + value->at, value->size);
            continue;
        }
        struct fmt_value number = fmt_value_read(m->payload + value->at, value->type);
        if (value->type <= FMT_U64) {
            arg->kind = WS_ARG_NUMBER;
            arg->number = number.as.u;
        } else if (value->type <= FMT_I64) {
            arg->kind = WS_ARG_SIGNED;
            arg->integer = number.as.i;
        } else {
            arg->kind = WS_ARG_TIME;
            arg->time = number.as.f;
        }
    }
}

uint32_t ws_arg_count(const struct ws_timeline_state *s)
{
    return WS_ARG_NAMES + s->values.names.n;
}

void ws_moment_args(struct ws_moment_args *args, struct ws_timeline_state *s,
                    const struct ws_moment *m)
{
    bool rollback = (m->flags & WS_MOMENT_ROLLBACK) != 0;
    args->n = 0;
    if (m->task != NULL) {
        task_args(args, m);
        return;
    }
    number_add(args, LP, m->lp);
    number_add(args, SRC_LP, m->src_lp);
    time_add(args, rollback ? TO_TS : RECV_TS, m->recv_ts);
    time_add(args, rollback ? FROM_TS : SEND_TS, m->send_ts);
    if ((m->flags & WS_MOMENT_RECORD) != 0) {
        number_add(args, UNDONE, m->undone);
        number_add(args, CAUSE, m->cause);
    }
    values_add(args, s, m);
}

/* ---- Command --------------------------------------------------------------------------------- */

/* Returns the readable stream with the number `stream` (enum fmt_stream) among the n streams, or
 * NULL if there is none. If there are several, prints an error message, sets *good to false and
 * returns NULL. */
static struct ws_file *stream_find(struct ws_file *streams, size_t n, uint32_t stream, bool *good)
{
    struct ws_file *found = NULL;
    for (size_t i = 0; i < n; i++) {
        if (streams[i].pes == NULL || streams[i].sb->stream != stream) {
            continue;
        }
        if (found != NULL) {
            fprintf(stderr,
                    "warpscope: %s: a timeline shows one run, and there is %s as well: name the"
                    " files of one\n",
                    streams[i].path, found->path);
            *good = false;
            return NULL;
        }
        found = &streams[i];
    }
    return found;
}

static bool files_find(struct ws_timeline *t, struct ws_file *streams, size_t n)
{
    bool good = true;
    t->evtrace = stream_find(streams, n, FMT_STREAM_EVTRACE, &good);
    t->gvt = stream_find(streams, n, FMT_STREAM_GVT, &good);
    t->rt = stream_find(streams, n, FMT_STREAM_RT, &good);
    t->model = stream_find(streams, n, FMT_STREAM_MODEL, &good);
    t->task = stream_find(streams, n, FMT_STREAM_TASK, &good);
    t->base = t->evtrace != NULL ? t->evtrace : t->task;
    if (good && t->evtrace == NULL && (t->task == NULL || !t->options.is_virtual)) {
        fprintf(stderr,
                "warpscope: a timeline needs an event trace (PREFIX-evtrace.bin), which there is"
                " none of: run the model with --event-trace=1 (all executions), 2 (rollbacks) or 3"
                " (committed events)%s\n",
                t->task != NULL ? "; tasks alone are shown with --clock=virtual" : "");
        return false;
    }
    if (good && t->task != NULL && t->task->sb->layout.n_pes != t->base->sb->layout.n_pes) {
        fprintf(
            stderr,
            "warpscope: %s: a timeline shows one run, and %s is of another one: it has %u PEs\n",
            t->task->path, t->base->path, t->base->sb->layout.n_pes);
        return false;
    }
    return good;
}

bool ws_export_timeline(struct ws_export *x, struct ws_file *streams, size_t n)
{
    struct ws_timeline t = {.options = x->timeline, .select = &x->select};
    if (!files_find(&t, streams, n)) {
        return false;
    }
    x->stream = t.base;
    x->prefix = ws_export_prefix(x, t.base);
    if (x->prefix == NULL) {
        return ws_no_memory(&x->outs.failed);
    }
    bool good = ws_timeline_init(&t) && x->format->timeline_begin(x, &t) &&
                ws_timeline_run(&t, x->format->timeline_moment, x) && x->format->timeline_end(x);
    ws_timeline_free(&t);
    free(x->prefix);
    x->prefix = NULL;
    return good;
}
