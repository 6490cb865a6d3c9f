/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * ctf.h - what the streams (ctf.c) and the metadata (ctf_metadata.c) of a trace of the Common Trace
 * Format 1.8 share. For each payload description, there is a variant of the event event_begin, with
 * a struct `values` after the usual fields.
 */
#ifndef WARPSCOPE_READER_EXPORT_VIEWERS_CTF_H
#define WARPSCOPE_READER_EXPORT_VIEWERS_CTF_H

#include <stdio.h>

#include "timeline/timeline.h"

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

/* Writes all metadata of a trace to `out`. */
void ctf_metadata_write(FILE *out, const struct ws_timeline *timeline, const uint8_t *uuid);

#endif
