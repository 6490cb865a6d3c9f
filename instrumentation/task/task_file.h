/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * task_file.h - the task trace (--task-trace), one record for each beginning, step and end of a task,
 * and the results of tracers in <prefix>-tracer.bin.
 */
#ifndef WARPSCOPE_TASK_TASK_FILE_H
#define WARPSCOPE_TASK_TASK_FILE_H

#include "record/buffer/stream.h"
#include "task/task_book.h"
#include "task/tracer_lines.h"

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

/* Describes the strings of tracers' results in the stream's file. */
void tracer_file_init(struct record_stream *stream);
/* Writes `lines`, the results of this rank as of virtual time `now`, to the stream. tracers: the
 * tracers to which the lines refer. */
void tracer_file_write(struct record_stream *stream, const struct tracer_lines *lines,
                       struct st_tracer *const *tracers, tw_stime now);

#endif
