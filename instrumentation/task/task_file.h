/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * task_file.h - the task trace (--task-trace): a record per beginning, step and end.
 */
#ifndef WARPSCOPE_TASK_TASK_FILE_H
#define WARPSCOPE_TASK_TASK_FILE_H

#include "record/buffer/stream.h"
#include "task/task_book.h"

struct task_file {
    struct record_channel *begins, *steps, *ends;
};

/* Prepares to write to the channels of a stream of tasks, and describes the strings in its file. */
void task_file_init(struct task_file *file, struct record_stream *stream);

/* Returns the sink to add to the task book. The file must outlive the book. */
struct task_sink task_file_sink(struct task_file *file);

#endif
