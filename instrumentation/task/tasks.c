/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * tasks.c - task functions that models call: ids, checks, and records on the stream of tasks.
 *
 * The ids of an LP's tasks come from a count that is kept with or without subscribers. All other
 * work is done only while the stream has a subscriber. `open` then has the open tasks of all
 * executed events. tasks_undo() reverses the effect of an undone event; it is called with each
 * undone record, the youngest first.
 *
 * Invariants
 *  K1  If the stream has had a subscriber since the start of the run, `open` is the set of the
 *      tasks that have been begun, and not ended, by events that were executed and not undone. If
 *      the run continues from a checkpoint of a run without subscribers, `open` lacks the tasks of
 *      that run, for which may_be_open() returns true.
 *  K2  With correct arguments, the result of a call does not depend on subscribers.
 *  K3  The numbers in the ids of an LP's tasks never depend on subscribers.
 * Cost: without a subscriber, st_task_begin() increments a count and each other function loads a
 * byte. With a subscriber, a call costs a record of 24 to 72 bytes with its strings, and a search
 * in `open`.
 */
#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "record/context.h"
#include "record/recorder.h"
#include "task/context.h"
#include "text/utf8.h"

static inline bool is_empty(const char *text)
{
    return text == NULL || text[0] == '\0';
}

/* Returns true if called in an init or event handler of lp, but not in an observer that is called
 * within the handler. Sets *now. */
static inline bool is_handler_of(const tw_lp *lp, struct probe_now *now)
{
    *now = probe_now();
    bool handles = now->context == PROBE_IN_EVENT || now->context == PROBE_IN_INIT ||
                   now->context == PROBE_IN_TRIAL;
    return handles && now->lp == lp && !probe_is_guarded();
}

/* For calls before the set-up of tasks: returns true if the stream of tasks has a subscriber.
 * Before the set-up, the stream is open only if a model or subscriber has opened it. */
static __attribute__((noinline)) bool listened_before_run(void)
{
    return g_st_listened[st_stream_find(ST_TASK_STREAM)] != 0;
}

bool st_task_listened(void)
{
    const struct task_context *context = task_context_or_null();
    return context != NULL && context->stream != 0 ? g_st_listened[context->stream] != 0
                                                   : listened_before_run();
}

/* Returns the context if the stream of tasks has a subscriber and the handler is not a trial
 * execution; otherwise NULL. */
static inline struct task_context *listened(const struct probe_now *now)
{
    const struct task_context *context = task_context_or_null();
    bool heard =
        context != NULL && g_st_listened[context->stream] != 0 && now->context != PROBE_IN_TRIAL;
    return heard ? task_context_or_null() : NULL;
}

/* Returns the default place of lp, such as "router.7", which is cached for the LP. */
static __attribute__((noinline)) const char *place_of(struct task_context *context, const tw_lp *lp)
{
    assert(lp->id < context->n_places);
    const char **place = &context->places[lp->id];
    if (*place == NULL) {
        char text[ST_TASK_TEXT_MAX + 1];
        const struct lp_names *names = &context_recorder()->names;
        const char *name = lp_names_of_type(names, lp_names_key(names, lp));
        snprintf(text, sizeof(text), "%s.%llu", name != NULL ? name : "lp",
                 (unsigned long long)lp->gid);
        *place = st_string_text(st_string(text));
    }
    return *place != NULL ? *place : "?";
}

/* ---- Tasks of a run without subscribers ------------------------------------------------------ */

void tasks_unwatched(struct task_context *context, const tw_lp *lp, uint64_t limit)
{
    assert(limit > 0);
    if (context->unwatched == NULL) {
        context->unwatched =
            tw_calloc(TW_LOC, "tasks without subscribers", sizeof(*context->unwatched), g_tw_nlp);
    }
    context->unwatched[lp->id] = limit;
}

/* Returns true if LP lp may have an open task with this id that is not in context->open. */
static bool may_be_open(const struct task_context *context, const tw_lp *lp, st_task_id id)
{
    const uint64_t limit = context->unwatched != NULL ? context->unwatched[lp->id] : 0;
    return id.from != 0 ? limit > 0 : id.number > 0 && id.number < limit;
}

/* ---- Packing of records, as st_task.h describes. All bytes are defined, so that logs can be compared */

/* Size in bytes of the largest packed whole task. */
#define TASK_PACK_MAX                                                                              \
    (sizeof(st_task_packed) + 3 * (ST_TASK_TEXT_MAX + 1) +                                         \
     ST_TASK_STEPS_MAX * (sizeof(st_step_packed) + ST_STEP_TEXT_MAX + 1) + 8)

struct task_pack {
    size_t size; /* of the packed data in bytes */
    _Alignas(8) char data[TASK_PACK_MAX];
};

/* Returns the length in bytes to which text must be cut: at most max, without splitting a UTF-8
 * character. */
static size_t cut_length(const char *text, size_t max)
{
    size_t length = strnlen(text, max + 1);
    if (length <= max) {
        return length;
    }
    length = max;
    while (length > 0 && utf8_is_inside(text[length])) {
        length--;
    }
    return length > 0 ? length : max;
}

/* Appends a string, cut to max bytes, to the packed data. Returns its offset from the start of
 * these data. */
static uint32_t add_text(struct task_pack *pack, const char *text, size_t max)
{
    size_t length = cut_length(text, max);
    size_t at = pack->size;
    assert(at + length + 1 <= sizeof(pack->data));
    memcpy(pack->data + at, text, length);
    pack->data[at + length] = '\0';
    pack->size = at + length + 1;
    return (uint32_t)at;
}

static void fill_up(struct task_pack *pack)
{
    assert(pack->size <= sizeof(pack->data));
    while (pack->size % 8 != 0) {
        pack->data[pack->size++] = '\0';
    }
}

/* Packs the record of a step or a detail with its text, or of an end if text is NULL. The text is
 * truncated to max bytes. */
static void pack_id(struct task_pack *pack, st_task_id id, const char *text, size_t max)
{
    st_task_packed_id head = {id};
    memcpy(pack->data, &head, sizeof(head));
    pack->size = sizeof(head);
    if (text != NULL) {
        add_text(pack, text, max);
        fill_up(pack);
    }
}

/* Packs the record of a beginning, or of a whole task with n_steps steps. task: the members id,
 * parent, start, kind, what and where are used. */
static void pack_task(struct task_pack *pack, const st_task_record *task, const st_step *steps,
                      size_t n_steps)
{
    assert(n_steps <= ST_TASK_STEPS_MAX);
    st_task_packed head = {
        .id = task->id, .parent = task->parent, .start = task->start, .n_steps = (uint32_t)n_steps};
    pack->size = sizeof(head) + n_steps * sizeof(st_step_packed);
    head.kind = add_text(pack, task->kind, ST_TASK_TEXT_MAX);
    head.what = add_text(pack, task->what, ST_TASK_TEXT_MAX);
    head.where = add_text(pack, task->where, ST_TASK_TEXT_MAX);
    memcpy(pack->data, &head, sizeof(head));
    for (size_t i = 0; i < n_steps; i++) {
        st_step_packed step = {.ts = steps[i].ts,
                               .what = add_text(pack, steps[i].what, ST_STEP_TEXT_MAX)};
        memcpy(pack->data + sizeof(head) + i * sizeof(step), &step, sizeof(step));
    }
    fill_up(pack);
}

/* ---- Beginnings of tasks --------------------------------------------------------------------- */

/* Emits the record of a task that begins now. This function and others below are not inlined, so
 * that calls without subscribers do not pay for a record on the stack. */
static __attribute__((noinline)) st_result emit_begin(struct task_context *context,
                                                      const st_task_record *task)
{
    assert(!st_task_is_none(task->id));
    struct task_pack pack;
    if (id_map_find(&context->open, task->id) != NULL) {
        return ST_DUPLICATE;
    }
    if (!id_map_set(&context->open, task->id, context)) {
        return ST_NO_MEMORY;
    }
    pack_task(&pack, task, NULL, 0);
    st_result result = st_notify(context->stream, ST_TASK_BEGIN, NULL, pack.data, pack.size);
    if (result != ST_OK) {
        id_map_remove(&context->open, task->id);
    }
    return result;
}

st_result st_task_begin(tw_lp *lp, st_task_id parent, const char *kind, const char *what,
                        const char *where, st_task_id *id)
{
    struct probe_now now;
    if (is_empty(kind) || is_empty(what) || id == NULL) {
        return ST_INVALID;
    }
    if (!is_handler_of(lp, &now)) {
        return ST_WRONG_STATE;
    }
    st_task_id made = {lp->gid + 1, probe_record_number(lp), 0};
    struct task_context *context = listened(&now);
    if (context != NULL) {
        st_task_record task = {.id = made,
                               .parent = parent,
                               .start = now.ts,
                               .kind = kind,
                               .what = what,
                               .where = is_empty(where) ? place_of(context, lp) : where};
        st_result result = emit_begin(context, &task);
        if (result != ST_OK) {
            return result;
        }
    }
    *id = made;
    return ST_OK;
}

/* ---- Steps, details and ends ----------------------------------------------------------------- */

static __attribute__((noinline)) st_result emit_of_open_task(struct task_context *context,
                                                             const tw_lp *lp, st_task_id id,
                                                             st_type type, const char *text,
                                                             size_t max)
{
    struct task_pack pack;
    if (id.lp != lp->gid + 1 ||
        (id_map_find(&context->open, id) == NULL && !may_be_open(context, lp, id))) {
        return ST_NOT_FOUND;
    }
    if (!st_enabled(context->stream, type) && type != ST_TASK_END) {
        /* A record to which no subscriber listens is only counted. */
        return st_notify(context->stream, type, NULL, NULL, 0);
    }
    pack_id(&pack, id, text, max);
    st_result result = st_notify(context->stream, type, NULL, pack.data, pack.size);
    if (result == ST_OK && type == ST_TASK_END) {
        id_map_remove(&context->open, id);
    }
    return result;
}

/* Emits a record about an open task of the current LP, if tasks have subscribers. */
static inline st_result emit_if_observed(const struct probe_now *now, st_task_id id, st_type type,
                                         const char *text, size_t max)
{
    struct task_context *context = listened(now);
    return context == NULL ? ST_OK : emit_of_open_task(context, now->lp, id, type, text, max);
}

st_result st_task_step(tw_lp *lp, st_task_id id, const char *what)
{
    struct probe_now now;
    if (is_empty(what)) {
        return ST_INVALID;
    }
    return is_handler_of(lp, &now) ? emit_if_observed(&now, id, ST_NODE, what, ST_STEP_TEXT_MAX)
                                   : ST_WRONG_STATE;
}

st_result st_task_detail(tw_lp *lp, st_task_id id, const char *text)
{
    struct probe_now now;
    if (is_empty(text)) {
        return ST_INVALID;
    }
    return is_handler_of(lp, &now) ? emit_if_observed(&now, id, ST_METADATA, text, ST_TASK_TEXT_MAX)
                                   : ST_WRONG_STATE;
}

st_result st_task_end(tw_lp *lp, st_task_id id)
{
    struct probe_now now;
    return is_handler_of(lp, &now) ? emit_if_observed(&now, id, ST_TASK_END, NULL, 0)
                                   : ST_WRONG_STATE;
}

/* ---- Whole tasks ----------------------------------------------------------------------------- */

/* Returns true if the steps and times of a whole task are valid: not too many steps, and all times
 * between `start` and `now`. */
static bool is_in_time(tw_stime start, const st_step *steps, size_t n_steps, tw_stime now)
{
    if (!(start >= 0.0 && start <= now) || !isfinite(start) || n_steps > ST_TASK_STEPS_MAX) {
        return false;
    }
    for (size_t i = 0; i < n_steps; i++) {
        if (!(steps[i].ts >= start && steps[i].ts <= now) || is_empty(steps[i].what)) {
            return false;
        }
    }
    return true;
}

static __attribute__((noinline)) st_result emit_whole(struct task_context *context,
                                                      const st_task_record *task,
                                                      const st_step *steps, size_t n_steps)
{
    struct task_pack pack;
    if (id_map_find(&context->open, task->id) != NULL) {
        return ST_DUPLICATE;
    }
    pack_task(&pack, task, steps, n_steps);
    return st_notify(context->stream, ST_GRAPH, NULL, pack.data, pack.size);
}

st_result st_task_add(tw_lp *lp, st_task_id *id, st_task_id parent, const char *kind,
                      const char *what, const char *where, tw_stime start, const st_step *steps,
                      size_t n_steps)
{
    struct probe_now now;
    if (is_empty(kind) || is_empty(what)) {
        return ST_INVALID;
    }
    if (!is_handler_of(lp, &now)) {
        return ST_WRONG_STATE;
    }
    st_task_id none = {0, 0, 0};
    st_task_id named = id != NULL ? *id : none;
    if (st_task_is_none(named)) {
        named = (st_task_id){lp->gid + 1, probe_record_number(lp), 0};
    }
    struct task_context *context = listened(&now);
    if (context != NULL) {
        if (named.lp != lp->gid + 1 || !is_in_time(start, steps, n_steps, now.ts)) {
            return ST_INVALID;
        }
        st_task_record task = {.id = named,
                               .parent = parent,
                               .start = start,
                               .kind = kind,
                               .what = what,
                               .where = is_empty(where) ? place_of(context, lp) : where};
        st_result result = emit_whole(context, &task, steps, n_steps);
        if (result != ST_OK) {
            return result;
        }
    }
    if (id != NULL) {
        *id = named;
    }
    return ST_OK;
}

/* ---- Requests -------------------------------------------------------------------------------- */

st_result st_request_initiate(tw_lp *lp, st_task_id parent, const char *what, st_task_id *id)
{
    return st_task_begin(lp, parent, "req_out", what, NULL, id);
}

st_result st_request_receive(tw_lp *lp, st_task_id request, const char *what)
{
    struct probe_now now;
    if (is_empty(what) || st_task_is_none(request)) {
        return ST_INVALID;
    }
    if (!is_handler_of(lp, &now)) {
        return ST_WRONG_STATE;
    }
    struct task_context *context = listened(&now);
    if (context == NULL) {
        return ST_OK;
    }
    st_task_record task = {.id = st_request_in(request, lp->gid),
                           .parent = request,
                           .start = now.ts,
                           .kind = "req_in",
                           .what = what,
                           .where = place_of(context, lp)};
    return emit_begin(context, &task);
}

st_result st_request_complete(tw_lp *lp, st_task_id request)
{
    return st_task_end(lp, st_request_in(request, lp->gid));
}

st_result st_request_finalize(tw_lp *lp, st_task_id request)
{
    return st_task_end(lp, request);
}

/* ---- Rollback -------------------------------------------------------------------------------- */

void tasks_undo(void *ctx, const st_record *record)
{
    struct task_context *context = ctx;
    st_task_record task;
    if (!st_task_unpack(record, &task)) {
        return;
    }
    if (record->type == ST_TASK_BEGIN) {
        id_map_remove(&context->open, task.id);
    } else if (record->type == ST_TASK_END && !id_map_set(&context->open, task.id, context)) {
        tw_warning(TW_LOC, "out of memory for tasks that are under way; later calls for some of "
                           "them will return ST_NOT_FOUND");
    }
}
