/*
 * stream_inside.h - what the parts of a stream tell each other (stream.c, full_disk.c and room.c
 * only).
 *
 * stream.c: set-up, errors, the end. full_disk.c: what gives way for records. room.c: segments come
 * and go - lane_make_room() (lane.h), stream_flush() and stream_gvt_advanced() (stream.h).
 */
#ifndef WARPSCOPE_RECORD_STREAM_INSIDE_H
#define WARPSCOPE_RECORD_STREAM_INSIDE_H

#include "record/stream.h"

/* The one place where a stream fails: says so once and stops writing. What is in the buffers is
 * lost. */
void stream_switch_off(struct record_stream *stream, const struct fmt_error *why);

/* Decides what becomes of an error that draining met: the stream goes on or is switched off. */
void stream_mend(struct record_stream *stream);

/* The same while there is room: the stream may also wait for space that other ranks give up. */
void stream_mend_patiently(struct record_stream *stream);

/* Has the stream something to write, and waits for space that other ranks give up? */
bool stream_waits(struct record_stream *stream);

/* After GVT. Ends the wait for others when they have had the time, and gives up the rank's journals
 * if another rank has asked for their space. */
void stream_settle_disk(struct record_stream *stream);

/* A lane stops using its segment, which is empty or closed by the caller; rows go nowhere. */
void lane_leave(struct record_lane *lane);

#endif
