/*
 * task_book.h - the committed tasks of this rank: who is under way, told to whoever wants to know.
 */
#ifndef WARPSCOPE_TRACE_TASK_BOOK_H
#define WARPSCOPE_TRACE_TASK_BOOK_H

#include "base/status.h"
#include "trace/id_map.h"

/* A task that has begun and not ended. */
struct task {
    st_task_id id;
    st_task_id parent;
    tw_lpid lp; /* gid */
    tw_stime start;
    const char *kind, *what, *where; /* within texts; gone with the task */
    bool is_whole;                   /* told as a whole */
    uint64_t order;                  /* number of the record of its beginning */
    uint64_t n_steps;                /* steps and details so far, with the one that is told */
    struct task *next;               /* while it is spare */
    size_t room;                     /* bytes of texts */
    char texts[];
};

/* Someone who is told. Functions may be NULL. record: where the news comes from, with the time, the
 * LP and its number among this LP's records of tasks. Of a task that is told as a whole all comes
 * with one record: its beginning, its steps, its end. */
struct task_sink {
    void *ctx;
    void (*release)(void *ctx); /* when it is told no more: task_book_remove() */
    void (*begun)(void *ctx, const struct task *task, const st_record *record);
    void (*stepped)(void *ctx, const struct task *task, const st_step *step,
                    const st_record *record);
    void (*detailed)(void *ctx, const struct task *task, const char *text, const st_record *record);
    void (*ended)(void *ctx, const struct task *task, const st_record *record);
    bool is_gone; /* the book's own */
};

/* Zero-initialised, nobody is told. */
struct task_book {
    st_stream_id stream;
    struct id_map open; /* values: struct task, owned */
    struct task *spare; /* owned; for the next ones */
    bool hears_steps;   /* it has subscribed to steps and details */
    struct task_sink *sinks;
    size_t n_sinks;
    unsigned telling; /* records that sinks are being told of */
    bool has_gone;    /* some sinks were removed meanwhile: see is_gone */
    bool has_failed;  /* for want of memory some tasks are missing; that was said */
};

/* Tells sink (copied) from now on of tasks that begin from now on. ST_OK, ST_NO_MEMORY. */
st_result task_book_add(struct task_book *book, const struct task_sink *sink);
/* Tells the sink with this context no more, and releases it: at once, or if sinks are being told of
 * a record, say by this one's function, when that is over. */
void task_book_remove(struct task_book *book, const void *ctx);

/* The open task of this id, or NULL. */
const struct task *task_book_find(const struct task_book *book, st_task_id id);

/* Takes a record, as a subscriber does. */
void task_book_take(const st_record *record, void *book);

void task_book_fini(struct task_book *book);

#endif
