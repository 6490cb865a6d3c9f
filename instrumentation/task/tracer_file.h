/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * tracer_file.h - writes the results of tracers to <prefix>-tracer.bin.
 */
#ifndef WARPSCOPE_TASK_TRACER_FILE_H
#define WARPSCOPE_TASK_TRACER_FILE_H

#include "record/buffer/stream.h"
#include "task/tracer_lines.h"

/* Describes the strings of tracers' results in the stream's file. */
void tracer_file_init(struct record_stream *stream);
/* Writes `lines`, the results of this rank as of virtual time `now`, to the stream. tracers: the
 * tracers to which the lines refer. */
void tracer_file_write(struct record_stream *stream, const struct tracer_lines *lines,
                       struct st_tracer *const *tracers, tw_stime now);

#endif
