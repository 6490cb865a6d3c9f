/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * task_book.c - follows the committed records of the stream of tasks.
 *
 * One subscriber serves all sinks: a record is unpacked once, and each open task is kept once, with
 * the data that the record of its end lacks. The subscription exists while there is a sink.
 *
 * Invariants
 *  B1  `open` holds a task from the notification of the sinks about its beginning to that about its
 *      end.
 *  B2  Sinks are notified of a task in the order of its LP's records.
 * Cost: an open task takes some 150 bytes and its strings. Memory of ended tasks is reused. Strings
 * are not shared, because they may all differ.
 */
#include "task/task_book.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "engine/probe.h"
#include "store/array.h"

#define TEXTS_ROOM 64u /* minimum space for the strings of a task in bytes; enough for most tasks */

static void say_no_memory(struct task_book *book)
{
    if (!book->has_failed) {
        tw_warning(TW_LOC, "out of memory for tasks that are under way; results of tracers and the "
                           "trace of tasks are incomplete from here on");
        book->has_failed = true;
        run_results_are_lost();
    }
}

/* ---- Tasks ----------------------------------------------------------------------------------- */

/* Returns a task with space for `texts` bytes of strings: the spare task that was freed last if
 * that is large enough, otherwise a new one. Returns NULL if memory is exhausted. */
static struct task *take_spare(struct task_book *book, size_t texts)
{
    struct task *task = book->spare;
    if (task != NULL && task->room >= texts) {
        book->spare = task->next;
        return task;
    }
    size_t room = texts < TEXTS_ROOM ? TEXTS_ROOM : texts;
    task = malloc(sizeof(*task) + room);
    if (task != NULL) {
        task->room = room;
    }
    return task;
}

static void task_free(struct task_book *book, struct task *task)
{
    /* Large tasks are rare. Their memory is not kept for small ones. */
    if (task->room > TEXTS_ROOM) {
        free(task);
        return;
    }
    task->next = book->spare;
    book->spare = task;
}

static struct task *task_make(struct task_book *book, const st_record *record,
                              const st_task_record *from)
{
    size_t kind = strlen(from->kind) + 1;
    size_t what = strlen(from->what) + 1;
    size_t where = strlen(from->where) + 1;
    struct task *task = take_spare(book, kind + what + where);
    if (task == NULL) {
        return NULL;
    }
    task->id = from->id;
    task->parent = from->parent;
    task->lp = record->lp;
    task->start = from->start;
    task->is_whole = record->type == ST_GRAPH;
    task->order = record->number;
    task->n_steps = 0;
    task->kind = memcpy(task->texts, from->kind, kind);
    task->what = memcpy(task->texts + kind, from->what, what);
    task->where = memcpy(task->texts + kind + what, from->where, where);
    return task;
}

/* ---- Notification of sinks ------------------------------------------------------------------- */

#define TELL(book, function, ...)                                                                  \
    do {                                                                                           \
        for (size_t sink_ = 0; sink_ < (book)->n_sinks; sink_++) {                                 \
            if ((book)->sinks[sink_].function != NULL) {                                           \
                (book)->sinks[sink_].function((book)->sinks[sink_].ctx, __VA_ARGS__);              \
            }                                                                                      \
        }                                                                                          \
    } while (0)

static void take_begin(struct task_book *book, const st_record *record, const st_task_record *from)
{
    assert(id_map_find(&book->open, from->id) == NULL);
    struct task *task = task_make(book, record, from);
    if (task == NULL || !id_map_set(&book->open, task->id, task)) {
        free(task);
        say_no_memory(book);
        return;
    }
    TELL(book, begun, task, record);
}

static void take_end(struct task_book *book, const st_record *record, st_task_id id)
{
    struct task *task = id_map_remove(&book->open, id);
    if (task != NULL) {
        TELL(book, ended, task, record);
        task_free(book, task);
    }
}

static void take_whole(struct task_book *book, const st_record *record, const st_task_record *from)
{
    struct task *task = task_make(book, record, from);
    if (task == NULL) {
        say_no_memory(book);
        return;
    }
    TELL(book, begun, task, record);
    for (size_t i = 0; i < from->n_steps; i++) {
        st_step step = st_task_record_step(from, i);
        task->n_steps++;
        TELL(book, stepped, task, &step, record);
    }
    TELL(book, ended, task, record);
    task_free(book, task);
}

/* Notifies the sinks of a step or detail of an open task. */
static void take_more(struct task_book *book, const st_record *record, const st_task_record *from)
{
    struct task *task = id_map_get(&book->open, from->id);
    if (task == NULL) {
        return;
    }
    st_step step = {record->ts, from->what};
    task->n_steps++;
    if (record->type == ST_NODE) {
        TELL(book, stepped, task, &step, record);
    } else {
        TELL(book, detailed, task, from->what, record);
    }
}

static void drop_gone(struct task_book *book);

void task_book_take(const st_record *record, void *ctx)
{
    struct task_book *book = ctx;
    st_task_record from;
    if (record->lp == ST_NO_LP || !st_task_unpack(record, &from)) {
        return;
    }
    book->telling++;
    switch (record->type) {
    case ST_TASK_BEGIN:
        if (id_map_find(&book->open, from.id) == NULL) {
            take_begin(book, record, &from);
        }
        break;
    case ST_GRAPH:
        take_whole(book, record, &from);
        break;
    case ST_TASK_END:
        take_end(book, record, from.id);
        break;
    default:
        take_more(book, record, &from);
    }
    if (--book->telling == 0 && book->has_gone) {
        drop_gone(book);
    }
}

const struct task *task_book_find(const struct task_book *book, st_task_id id)
{
    return id_map_get(&book->open, id);
}

/* ---- LPs that are restored or leave ---------------------------------------------------------- */

const struct task *task_book_restore(struct task_book *book, tw_lpid lp, const st_task_record *from,
                                     uint64_t order, uint64_t n_steps)
{
    assert(book->n_sinks > 0 && id_map_find(&book->open, from->id) == NULL);
    const st_record record = {.type = ST_TASK_BEGIN, .lp = lp, .number = order};
    struct task *task = task_make(book, &record, from);
    if (task == NULL || !id_map_set(&book->open, task->id, task)) {
        free(task);
        return NULL;
    }
    task->n_steps = n_steps;
    return task;
}

void task_book_forget(struct task_book *book)
{
    for (size_t i = 0; i < book->open.n; i++) {
        task_free(book, book->open.entries[i].value);
    }
    id_map_fini(&book->open);
}

/* ---- Sinks ----------------------------------------------------------------------------------- */

static void forget_tasks(struct task_book *book)
{
    task_book_forget(book);
    while (book->spare != NULL) {
        struct task *task = book->spare;
        book->spare = task->next;
        free(task);
    }
}

/* Types of records to subscribe to: first those that every sink needs, then those that only some
 * sinks need. Models emit records of a type that only some sinks need only if it has a subscriber.
 * */
static const st_type types[] = {ST_TASK_BEGIN, ST_TASK_END, ST_GRAPH, ST_NODE, ST_METADATA};
#define N_TYPES       (sizeof(types) / sizeof(types[0]))
#define N_TYPES_TASKS 3u

static void unsubscribe(struct task_book *book)
{
    for (size_t i = 0; i < (book->hears_steps ? N_TYPES : N_TYPES_TASKS); i++) {
        st_unsubscribe(book->stream, types[i], ST_COMMITTED, task_book_take, book);
    }
    book->hears_steps = false;
}

/* Subscribes to the record types types[from] to types[to - 1]. After an error, none of these
 * subscriptions is left. */
static st_result subscribe(struct task_book *book, size_t from, size_t to)
{
    assert(from <= to && to <= N_TYPES);
    for (size_t i = from; i < to; i++) {
        st_result result = st_subscribe(book->stream, types[i], ST_COMMITTED, task_book_take, book);
        if (result != ST_OK && result != ST_RESTORED) {
            while (i-- > from) {
                st_unsubscribe(book->stream, types[i], ST_COMMITTED, task_book_take, book);
            }
            return result;
        }
    }
    return ST_OK;
}

/* Opens the stream of tasks and subscribes to it. Called for the first sink. */
static st_result begin_to_listen(struct task_book *book)
{
    st_result opened = st_stream_open(ST_TASK_STREAM, 1, 0, &book->stream);
    if (opened != ST_OK && opened != ST_DUPLICATE) {
        return opened;
    }
    st_result subscribed = subscribe(book, 0, N_TYPES_TASKS);
    if (subscribed != ST_OK) {
        st_stream_close(ST_TASK_STREAM);
    }
    return subscribed;
}

static void end_to_listen(struct task_book *book)
{
    assert(book->n_sinks == 0);
    unsubscribe(book);
    st_stream_close(ST_TASK_STREAM);
    forget_tasks(book);
}

/* Releases the sinks that were removed during a delivery. */
static void drop_gone(struct task_book *book)
{
    assert(book->telling == 0);
    size_t n = 0;
    book->has_gone = false;
    for (size_t i = 0; i < book->n_sinks; i++) {
        struct task_sink sink = book->sinks[i];
        if (!sink.is_gone) {
            book->sinks[n++] = sink;
        } else if (sink.release != NULL) {
            sink.release(sink.ctx);
        }
    }
    book->n_sinks = n;
    if (n == 0) {
        end_to_listen(book);
    }
}

st_result task_book_add(struct task_book *book, const struct task_sink *sink)
{
    if (!array_append(&book->sinks, book->n_sinks, sizeof(*book->sinks))) {
        return ST_NO_MEMORY;
    }
    st_result result = book->n_sinks == 0 ? begin_to_listen(book) : ST_OK;
    bool wants_steps = sink->stepped != NULL || sink->detailed != NULL;
    if (result == ST_OK && wants_steps && !book->hears_steps) {
        result = subscribe(book, N_TYPES_TASKS, N_TYPES);
        book->hears_steps = result == ST_OK;
        if (result != ST_OK && book->n_sinks == 0) {
            end_to_listen(book);
        }
    }
    if (result != ST_OK) {
        return result;
    }
    book->sinks[book->n_sinks++] = *sink;
    return ST_OK;
}

void task_book_remove(struct task_book *book, const void *ctx)
{
    for (size_t i = 0; i < book->n_sinks; i++) {
        struct task_sink *sink = &book->sinks[i];
        if (sink->ctx == ctx) {
            *sink = (struct task_sink){.ctx = sink->ctx, .release = sink->release, .is_gone = true};
            book->has_gone = true;
        }
    }
    if (book->telling == 0 && book->has_gone) {
        drop_gone(book);
    }
}

void task_book_fini(struct task_book *book)
{
    forget_tasks(book);
    free(book->sinks);
    *book = (struct task_book){.stream = 0};
}
