/*
 * task_file.h - the trace of tasks (--task-trace): a record per beginning, step and end.
 */
#ifndef WARPSCOPE_TRACE_TASK_FILE_H
#define WARPSCOPE_TRACE_TASK_FILE_H

#include "record/stream.h"
#include "trace/task_book.h"

struct task_file {
    struct record_lane *begins, *steps, *ends;
};

/* Takes the lanes of a stream of tasks and describes the texts in its file. */
void task_file_init(struct task_file *file, struct record_stream *stream);

/* What to add to the book; the file must outlive it. */
struct task_sink task_file_sink(struct task_file *file);

#endif
