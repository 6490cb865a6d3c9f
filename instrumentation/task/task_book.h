/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * task_book.h - keeps the open tasks of this rank, which it learns from committed records, and
 * notifies sinks (struct task_sink) when a task begins, takes a step or ends.
 */
#ifndef WARPSCOPE_TASK_TASK_BOOK_H
#define WARPSCOPE_TASK_TASK_BOOK_H

#include "base/status.h"
#include "task/id_map.h"

/* A task that has begun and not ended, or a whole task while sinks are notified of it. */
struct task {
    st_task_id id;
    st_task_id parent;
    tw_lpid lp; /* gid of the LP to which the task belongs */
    tw_stime start;
    const char *kind, *what, *where; /* strings within `texts`; valid as long as the task */
    bool is_whole;                   /* true if a single record reported the whole task */
    uint64_t order;                  /* record number of the record of its beginning */
    uint64_t n_steps;                /* number of steps and details, including the current one */
    struct task *next;               /* next task in the spare list */
    size_t room;                     /* size of the space in `texts`, in bytes */
    char texts[];
};

/* Returns what models see of a task; the strings are those of the task. */
static inline st_task_record task_view(const struct task *task)
{
    return (st_task_record){.id = task->id,
                            .parent = task->parent,
                            .start = task->start,
                            .kind = task->kind,
                            .what = task->what,
                            .where = task->where};
}

/* Functions that are called when tasks change; each may be NULL. Their argument `record` is the
 * record that caused the call; it has the time, the LP, and the record's number among the LP's
 * records of tasks. If a single record reports a whole task, the calls for its beginning, its steps
 * and its end all get that record. */
struct task_sink {
    void *ctx;
    void (*release)(void *ctx); /* called once after task_book_remove() */
    void (*begun)(void *ctx, const struct task *task, const st_record *record);
    void (*stepped)(void *ctx, const struct task *task, const st_step *step,
                    const st_record *record);
    void (*detailed)(void *ctx, const struct task *task, const char *text, const st_record *record);
    void (*ended)(void *ctx, const struct task *task, const st_record *record);
    bool is_gone; /* used by the book only: true if the sink is removed, but not yet released */
};

/* The open tasks and the sinks of this rank. A zero-initialised book has no sinks. */
struct task_book {
    st_stream_id stream;
    struct id_map open; /* open tasks; the values are pointers to struct task, owned */
    struct task *spare; /* owned; list of ended tasks, reused for new ones */
    bool hears_steps;   /* true if the book has subscribed to steps and details */
    /* Owned; n_sinks sinks. */
    struct task_sink *sinks;
    size_t n_sinks;
    unsigned telling; /* number of notifications of sinks in progress, one within another */
    bool has_gone;    /* true if sinks were removed during a notification, see is_gone */
    /* True if tasks are missing because memory was exhausted; a warning was printed. */
    bool has_failed;
};

/* Adds a sink (copied), which is notified of tasks that begin from now on. Returns ST_OK,
 * ST_NO_MEMORY, or another error from the bus. */
st_result task_book_add(struct task_book *book, const struct task_sink *sink);
/* Removes the sink with this context, and releases it: at once, or, while a record is being
 * delivered, after its delivery. */
void task_book_remove(struct task_book *book, const void *ctx);

/* Returns the open task with this id; NULL: none. */
const struct task *task_book_find(const struct task_book *book, st_task_id id);

/* Adds an open task of LP lp, as it was at a cut of the run, without notifying the sinks. from: the
 * members id, parent, start, kind, what and where are used. The book must have sinks, and no open
 * task with this id. Returns NULL if memory is exhausted. */
const struct task *task_book_restore(struct task_book *book, tw_lpid lp, const st_task_record *from,
                                     uint64_t order, uint64_t n_steps);
/* Removes all open tasks without notifying the sinks: their LPs have left this rank. */
void task_book_forget(struct task_book *book);

/* Callback with which the book subscribes to the stream of tasks: processes one record. */
void task_book_take(const st_record *record, void *book);

void task_book_fini(struct task_book *book);

#endif
