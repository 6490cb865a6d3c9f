/*
 * tracer_file.h - writes what the tracers found into <prefix>-tracer.bin.
 */
#ifndef WARPSCOPE_TRACE_TRACER_FILE_H
#define WARPSCOPE_TRACE_TRACER_FILE_H

#include "record/stream.h"
#include "trace/tracer_lines.h"

/* Describes the texts in the stream's file. */
void tracer_file_init(struct record_stream *stream);
/* Writes the lines of this rank, of tracers with these specs, as of virtual time now. */
void tracer_file_write(struct record_stream *stream, const struct tracer_lines *lines,
                       struct st_tracer *const *tracers, tw_stime now);

#endif
