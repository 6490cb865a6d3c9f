/*
 * task_book.c - follows the committed records of the stream of tasks.
 *
 * One subscriber for all tracers: a record is unpacked once, and each open task is kept once, with
 * what its end does not say. The bus is subscribed to while there is a sink.
 *
 * Invariants
 *  B1  open holds the tasks whose beginning was told to the sinks and whose end was not.
 *  B2  what sinks are told of a task comes in the order of its LP's records.
 *  B3  counts says how many records of tasks each LP has had. It is what sinks are told as a
 *      record's number: the bus's own also counts what other streams are listened to, so it would
 *      differ between runs with different observers.
 * Cost: an open task takes some 150 bytes and the text of what it is.
 */
#include "trace/task_book.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

static void say_no_memory(struct task_book *book)
{
    if (!book->has_failed) {
        tw_warning(TW_LOC, "out of memory for tasks that are under way; results of tracers and the "
                           "trace of tasks miss some from here on");
        book->has_failed = true;
    }
}

static struct task *task_make(const st_record *record, const st_task_record *from)
{
    size_t length = strlen(from->what);
    struct task *task = malloc(sizeof(*task) + length + 1);
    if (task == NULL) {
        return NULL;
    }
    *task = (struct task){.id = from->id,
                          .parent = from->parent,
                          .lp = record->lp,
                          .start = from->start,
                          .kind_id = st_string(from->kind),
                          .where_id = st_string(from->where),
                          .is_whole = record->type == ST_GRAPH,
                          .order = record->number};
    task->kind = st_string_text(task->kind_id);
    task->where = st_string_text(task->where_id);
    memcpy(task->what, from->what, length + 1);
    if (task->kind == NULL || task->where == NULL) {
        free(task);
        return NULL;
    }
    return task;
}

/* ---- Telling ------------------------------------------------------------------------------------
 */

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
    struct task *task = task_make(record, from);
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
        free(task);
    }
}

static void take_whole(struct task_book *book, const st_record *record, const st_task_record *from)
{
    struct task *task = task_make(record, from);
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
    free(task);
}

/* One more record of tasks of this LP: its number among them. */
static uint64_t count_record(struct task_book *book, tw_lpid lp)
{
    st_task_id key = {.lp = lp + 1};
    struct id_map_slot *slot = id_map_find(&book->counts, key);
    uintptr_t number = 1 + (slot != NULL ? (uintptr_t)slot->value : 0);
    if (slot != NULL) {
        slot->value = (void *)number;
    } else if (!id_map_set(&book->counts, key, (void *)number)) {
        say_no_memory(book);
    }
    return number;
}

void task_book_take(const st_record *given, void *ctx)
{
    struct task_book *book = ctx;
    st_task_record from;
    if (given->lp == ST_NO_LP || !st_task_unpack(given, &from)) {
        return;
    }
    st_record numbered = *given;
    const st_record *record = &numbered;
    numbered.number = count_record(book, given->lp);
    const struct id_map_slot *slot = id_map_find(&book->open, from.id);
    struct task *task = slot != NULL ? slot->value : NULL;
    st_step step = {record->ts, from.what};
    switch (record->type) {
    case ST_TASK_BEGIN:
        if (task == NULL) {
            take_begin(book, record, &from);
        }
        break;
    case ST_GRAPH:
        take_whole(book, record, &from);
        break;
    case ST_TASK_END:
        take_end(book, record, from.id);
        break;
    case ST_NODE:
        if (task != NULL) {
            task->n_steps++;
            TELL(book, stepped, task, &step, record);
        }
        break;
    default:
        if (task != NULL) {
            task->n_steps++;
            TELL(book, detailed, task, from.what, record);
        }
    }
}

const struct task *task_book_find(const struct task_book *book, st_task_id id)
{
    const struct id_map_slot *slot = id_map_find(&book->open, id);
    return slot != NULL ? slot->value : NULL;
}

/* ---- Who is told --------------------------------------------------------------------------------
 */

static void forget_tasks(struct task_book *book)
{
    const struct id_map_slot *slot;
    for (size_t at = 0; (slot = id_map_next(&book->open, &at)) != NULL;) {
        free(slot->value);
    }
    id_map_fini(&book->open);
    id_map_fini(&book->counts);
}

st_result task_book_add(struct task_book *book, const struct task_sink *sink)
{
    struct task_sink *sinks = realloc(book->sinks, (book->n_sinks + 1) * sizeof(*sinks));
    if (sinks == NULL) {
        return ST_NO_MEMORY;
    }
    book->sinks = sinks;
    if (book->n_sinks == 0) {
        st_result opened = st_stream_open(ST_TASK_STREAM, 1, 0, &book->stream);
        if (opened != ST_OK && opened != ST_DUPLICATE) {
            return opened;
        }
        st_result subscribed =
            st_subscribe(book->stream, ST_ALL_TYPES, ST_COMMITTED, task_book_take, book);
        if (subscribed != ST_OK && subscribed != ST_RESTORED) {
            st_stream_close(ST_TASK_STREAM);
            return subscribed;
        }
    }
    sinks[book->n_sinks++] = *sink;
    return ST_OK;
}

void task_book_remove(struct task_book *book, const void *ctx)
{
    size_t n = 0;
    for (size_t i = 0; i < book->n_sinks; i++) {
        if (book->sinks[i].ctx != ctx) {
            book->sinks[n++] = book->sinks[i];
        }
    }
    bool was_last = n == 0 && book->n_sinks > 0;
    book->n_sinks = n;
    if (was_last) {
        st_unsubscribe(book->stream, ST_ALL_TYPES, ST_COMMITTED, task_book_take, book);
        st_stream_close(ST_TASK_STREAM);
        forget_tasks(book);
    }
}

void task_book_fini(struct task_book *book)
{
    forget_tasks(book);
    free(book->sinks);
    *book = (struct task_book){.stream = 0};
}
