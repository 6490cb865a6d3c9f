/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * task_file.h - the task trace (--task-trace): one record for each beginning, step and end of a
 * task.
 */
#ifndef WARPSCOPE_TASK_TASK_FILE_H
#define WARPSCOPE_TASK_TASK_FILE_H

#include "record/buffer/stream.h"
#include "task/task_book.h"

struct task_file {
    /* Channels for the three kinds of records; not owned. */
    struct record_channel *begins, *steps, *ends;
};

/* Initialises `file`, which writes to the channels of `stream`, and describes the strings in the
 * stream's file. */
void task_file_init(struct task_file *file, struct record_stream *stream);

/* Returns the sink that writes to `file`, to be added to the task book. `file` must outlive the
 * book. */
struct task_sink task_file_sink(struct task_file *file);

#endif
