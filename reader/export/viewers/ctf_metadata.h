/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * ctf_metadata.h - the description of the events of a trace in the Common Trace Format 1.8.
 */
#ifndef WARPSCOPE_READER_EXPORT_VIEWERS_CTF_METADATA_H
#define WARPSCOPE_READER_EXPORT_VIEWERS_CTF_METADATA_H

#include "cli/out.h"
#include "timeline/timeline.h"

#define CTF_MAGIC     0xc1fc1fc1u
#define CTF_UUID_SIZE 16u

/* Ids of the events in the streams. */
enum ctf_event {
    CTF_EVENT_BEGIN = 0,
    CTF_EVENT_END,
    CTF_ROLLBACK_BEGIN,
    CTF_ROLLBACK_END,
    CTF_SEND,
    CTF_RECEIVE,
    CTF_COUNTER,
    CTF_TASK_BEGIN,
    CTF_TASK_END,
    CTF_TASK_STEP,
    CTF_TASK_DETAIL, /* follows the task_begin of its task */
    CTF_CHILD_FROM,
    CTF_CHILD_TO,
    CTF_EVENT_VALUES /* plus the number of the description: an event_begin with model values */
};
#define CTF_EVENTS_MAX 256u /* most ids of events */

enum ctf_event ctf_event_of(const struct ws_moment *moment);
/* Computes a uuid from the facts of the run. Each export of a run gets an equal uuid. */
void ctf_uuid(const struct ws_timeline *timeline, uint8_t *uuid);
/* Writes "text" with escapes, as a string of the metadata. Returns false on failure. */
bool ctf_quoted_write(struct ws_out *out, const char *text);
/* Writes the metadata. Returns false after a message. */
bool ctf_metadata_write(struct ws_out *out, const struct ws_timeline *timeline,
                        const uint8_t *uuid);

#endif
