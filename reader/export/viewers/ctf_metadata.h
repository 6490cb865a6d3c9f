/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * ctf_metadata.h - describes the events in a trace of the Common Trace Format 1.8.
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
    /* CTF_EVENT_VALUES + d: event_begin with the values that payload description d describes. */
    CTF_EVENT_VALUES
};
#define CTF_EVENTS_MAX 256u /* maximum number of event ids */

/* Returns the id of the event that represents a moment, if the event shows no model values. */
enum ctf_event ctf_event_of(const struct ws_moment *moment);
/* Computes a UUID of CTF_UUID_SIZE bytes from the facts of the run, so that all exports of a run
 * have the same UUID. */
void ctf_uuid(const struct ws_timeline *timeline, uint8_t *uuid);
/* Writes all metadata of a trace to `out`. */
void ctf_metadata_write(FILE *out, const struct ws_timeline *timeline, const uint8_t *uuid);

#endif
