/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * stream_private.h - interface between the files that implement streams. Each file calls only files
 * that are below it in this list:
 *
 *     stream.c              set-up and the end
 *     sub_buffer_switch.c   channel_switch() (channel.h), stream_flush(), stream_gvt_advanced()
 *     ring.c                flight recorders
 *     full_disk.c           errors of writing, and space for records on a full disk
 *     stream_off.c          channels without a sub-buffer, streams that are switched off
 *     write_queue.c         full sub-buffers that wait to be written
 *     buffers.c             memory of sub-buffers
 */
#ifndef WARPSCOPE_RECORD_BUFFER_STREAM_PRIVATE_H
#define WARPSCOPE_RECORD_BUFFER_STREAM_PRIVATE_H

#include "record/buffer/stream.h"

/* Returns the text of the error `why`. If the text begins with the path of the stream's file,
 * returns the text without that path. */
const char *stream_reason(const struct record_stream *stream, const struct fmt_error *why);

/* Ends recording to the stream's file after an error: prints a warning, discards the contents of
 * the buffers and sets the mode STREAM_OFF. Every failure of a stream leads to a call of this
 * function. */
void stream_switch_off(struct record_stream *stream, const struct fmt_error *why);

/* Handles a write error, if there is one: resumes writing if disk space could be freed, otherwise
 * switches the stream off. */
void stream_mend(struct record_stream *stream);

/* Like stream_mend(), but the stream may also wait for disk space that other ranks free. The caller
 * must have space for further records. Otherwise it must make the buffers of a waiting stream grow,
 * and call stream_mend() if they cannot grow. */
void stream_mend_patiently(struct record_stream *stream);

/* Returns true if the stream has rows to write and waits for disk space that other ranks free. */
bool stream_waits(struct record_stream *stream);

/* Called after each GVT computation. Ends the stream's wait for disk space when the other ranks
 * have had time to free it. Gives up the rank's journals if another rank has asked for their
 * space. */
void stream_settle_disk(struct record_stream *stream);

/* Stores in the journal the position up to which the record file is written. */
void stream_checkpoint(struct record_stream *stream);

/* Frees the oldest closed sub-buffer of a flight recorder. The records in it are counted as
 * overwritten. */
void stream_overwrite_oldest(struct record_stream *stream);
/* Called after each GVT computation for a flight recorder. Stores the GVT and the time of the
 * computation in each closed sub-buffer that has none yet and, if kept_is_due is true, in the
 * stream. */
void stream_ring_gvt(struct record_stream *stream);

/* Detaches a channel from its sub-buffer. The sub-buffer must be empty or closed. Further rows go
 * to the scratch row. */
void channel_leave(struct record_channel *channel);

#endif
