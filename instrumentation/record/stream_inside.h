/*
 * stream_inside.h - what the parts of a stream tell each other (stream.c and room.c only).
 *
 * stream.c: set-up, errors, the end. room.c: segments come and go - lane_make_room() (lane.h),
 * stream_flush() and stream_gvt_advanced() (stream.h).
 */
#ifndef WARPSCOPE_RECORD_STREAM_INSIDE_H
#define WARPSCOPE_RECORD_STREAM_INSIDE_H

#include "record/stream.h"

/* Decides what becomes of an error that draining met. */
void stream_mend(struct record_stream *stream);

/* A lane stops using its segment, which is empty or closed by the caller; rows go nowhere. */
void lane_leave(struct record_lane *lane);

#endif
