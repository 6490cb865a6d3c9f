/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * args.c - the arguments of slices and steps; see timeline.h.
 *
 * The model values of an event are arguments, too. Those in an array are called NAME_0, NAME_1, ...;
 * a unit follows in parentheses. A field that has the same name as one of the engine's arguments is
 * called payload.NAME, as in tables. If the values of a field have names, an additional argument
 * NAME_name shows the name.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "access/bind.h"
#include "export/viewers/timeline.h"

/* Maximum size of the strings of an event in bytes, with their terminating zeros. */
#define TEXTS_MAX     (WS_EVENT_PAYLOAD_MAX + WS_EVENT_VALUES_MAX)
#define NAME_MAX_SIZE 512u

/* Arguments that belong to slices of several kinds; the numbers of their names in the names of the
 * state. The names of model values follow. */
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
    TASK,
    ARGS
};
static const char *const arg_names[ARGS] = {
    [LP] = "lp",         [SRC_LP] = "src_lp",     [RECV_TS] = "recv_ts", [SEND_TS] = "send_ts",
    [TO_TS] = "back_to", [FROM_TS] = "back_from", [UNDONE] = "undone",   [CAUSE] = "cause",
    [ID] = "id",         [PARENT] = "parent",     [DETAIL] = "detail",   [START] = "start",
    [END] = "end",       [OPEN] = "open",         [TASK] = "task"};

/* ---- Names of arguments ---------------------------------------------------------------------- */

/* Writes the name of a value in a payload field to `to`, which has NAME_MAX_SIZE bytes. Returns the
 * length of the name. element: index of the value in an array; -1: the field is no array. taken:
 * true if the name of the field must not be used alone. */
static size_t name_make(char *to, const struct fmt_payload_field *field, int64_t element,
                        bool taken)
{
    char number[24] = "";
    bool unit = field->unit[0] != '\0';
    if (element >= 0) {
        snprintf(number, sizeof number, "_%lld", (long long)element);
    }
    snprintf(to, NAME_MAX_SIZE, "%s%.200s%s%s%.200s%s", taken ? "payload." : "", field->name,
             number, unit ? " (" : "", field->unit, unit ? ")" : "");
    return strlen(to);
}

static bool field_exists(const struct fmt_payload_desc *desc, const char *name)
{
    bool any = false;
    for (uint32_t f = 0; f < desc->n_fields; f++) {
        any |= strcmp(desc->fields[f].name, name) == 0;
    }
    return any;
}

/* If the values of a payload field have names, adds a value called NAME_name. It shows the name of
 * the value that was added before it. taken: as for name_make(). Returns false if out of memory. */
static bool label_add(struct ws_timeline_state *s, struct ws_event_type *type,
                      const struct fmt_payload_desc *desc, const struct fmt_payload_field *field,
                      bool taken)
{
    char text[NAME_MAX_SIZE];
    uint32_t n_names = 0;
    while (field->names != NULL && field->names[n_names] != NULL) {
        n_names++;
    }
    if (n_names == 0 || type->n == 0 || type->n == WS_EVENT_VALUES_MAX) {
        return true;
    }
    snprintf(text, sizeof text, "payload.%.200s_name", field->name);
    char *usual = text + strlen("payload.");
    const char *name = taken || field_exists(desc, usual) ? text : usual;
    uint32_t number = ws_intern_add(&s->names, name, strlen(name), UINT32_MAX - 1);
    if (number == WS_NAMES_NONE) {
        return false;
    }
    struct ws_event_value *value = &type->list[type->n];
    *value = type->list[type->n - 1];
    value->name = number;
    value->names = field->names;
    value->n_names = n_names;
    type->n++;
    return true;
}

static bool field_add(struct ws_timeline_state *s, struct ws_event_type *type,
                      const struct fmt_payload_field *field, bool taken)
{
    char name[NAME_MAX_SIZE];
    uint32_t n = ws_field_elements(field), size = (uint32_t)fmt_type_size(field->type);
    for (uint32_t i = 0; i < n && type->n < WS_EVENT_VALUES_MAX; i++) {
        size_t length = name_make(name, field, n > 1 ? (int64_t)i : -1, taken);
        uint32_t number = ws_intern_add(&s->names, name, length, UINT32_MAX - 1);
        if (number == WS_NAMES_NONE) {
            return false;
        }
        type->list[type->n++] =
            (struct ws_event_value){.name = number,
                                    .type = field->type,
                                    .at = field->offset + i * size,
                                    .size = field->type == FMT_CHAR ? field->count : size};
    }
    return true;
}

bool ws_args_init(struct ws_timeline_state *s)
{
    const struct fmt_desc_set none = {.n = 0}, *descs = &none;
    if (s->timeline->evtrace != NULL) {
        descs = &s->timeline->evtrace->descs;
    }
    s->texts = malloc(TEXTS_MAX);
    s->types = calloc(descs->n + 1, sizeof *s->types);
    bool good = s->texts != NULL && s->types != NULL;
    for (int i = 0; good && i < ARGS; i++) {
        good = ws_intern_add(&s->names, arg_names[i], strlen(arg_names[i]), ARGS) != WS_NAMES_NONE;
    }
    for (size_t d = 0; good && d < descs->n; d++) {
        const struct fmt_payload_desc *desc = &descs->descs[d];
        for (uint32_t f = 0; good && f < desc->n_fields; f++) {
            const struct fmt_payload_field *field = &desc->fields[f];
            bool taken = ws_intern_find(&s->names, field->name, strlen(field->name)) < ARGS;
            good = field_add(s, &s->types[d], field, taken) &&
                   label_add(s, &s->types[d], desc, field, taken);
        }
    }
    return good;
}

void ws_args_free(struct ws_timeline_state *s)
{
    free(s->texts);
    free(s->types);
    ws_intern_free(&s->names);
}

/* ---- Arguments ------------------------------------------------------------------------------- */

static st_log_arg *arg_add(struct ws_timeline_state *s, uint32_t key, st_log_arg_kind kind)
{
    st_log_arg *arg = &s->args.list[s->args.n];
    s->args.keys[s->args.n++] = key;
    *arg = (st_log_arg){.key = s->names.names[key], .kind = kind};
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
    const struct ws_event_type *type = &s->types[m->desc - s->timeline->evtrace->descs.descs];
    for (uint32_t i = 0; i < type->n; i++) {
        const struct ws_event_value *value = &type->list[i];
        uint32_t key = value->name;
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
