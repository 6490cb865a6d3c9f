/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * stream_private.h - internal interface of stream.c, full_disk.c and sub_buffer_switch.c.
 *
 * stream.c: set-up, errors, the end. full_disk.c: space for records on a full disk. sub_buffer_switch.c:
 * sub-buffer switch - channel_switch() (channel.h), stream_flush() and stream_gvt_advanced()
 * (stream.h).
 */
#ifndef WARPSCOPE_RECORD_BUFFER_STREAM_PRIVATE_H
#define WARPSCOPE_RECORD_BUFFER_STREAM_PRIVATE_H

#include "record/buffer/stream.h"

/* Ends recording after an error: prints a message and stops writing. The contents of the buffers
 * are lost. All failures of a stream come here. */
void stream_switch_off(struct record_stream *stream, const struct fmt_error *why);

/* Handles an error that writing met: the stream goes on or is switched off. */
void stream_mend(struct record_stream *stream);

/* Like stream_mend(), but the stream may also wait for space that other ranks give up. For calls
 * while sub-buffers are free. */
void stream_mend_patiently(struct record_stream *stream);

/* Returns true if the stream has something to write and waits for space that other ranks give
 * up. */
bool stream_waits(struct record_stream *stream);

/* Called after each GVT. Ends the wait when the other ranks have had time to answer, and gives up
 * the rank's journals if another rank has asked for their space. */
void stream_settle_disk(struct record_stream *stream);

/* Detaches a channel from its sub-buffer, which is empty or closed by the caller. Rows go to the
 * scratch row. */
void channel_leave(struct record_channel *channel);

#endif
