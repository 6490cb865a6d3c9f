/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * tracer_file.h - writes the results of tracers to <prefix>-tracer.bin.
 */
#ifndef WARPSCOPE_TASK_TRACER_FILE_H
#define WARPSCOPE_TASK_TRACER_FILE_H

#include "record/buffer/stream.h"
#include "task/tracer_lines.h"

/* Describes the strings in the stream's file. */
void tracer_file_init(struct record_stream *stream);
/* Writes the lines of this rank as they are at virtual time now. specs: specifications of the
 * tracers. */
void tracer_file_write(struct record_stream *stream, const struct tracer_lines *lines,
                       struct st_tracer *const *tracers, tw_stime now);

#endif
