/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * ctf.h - what a trace of the Common Trace Format 1.8 consists of: its metadata, which describe the
 * events, and the model values of events. For each payload description, there is a variant of the
 * event event_begin, with a struct `values` after the usual fields.
 */
#ifndef WARPSCOPE_READER_EXPORT_VIEWERS_CTF_H
#define WARPSCOPE_READER_EXPORT_VIEWERS_CTF_H

#include <stdio.h>

#include "text/utf8.h"
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

/* ---- Model values --------------------------------------------------------------------------- */

/* Returns the id of the event that begins the slice of a moment and shows its model values. Returns
 * 0 if the slice has no values, or if there are too many payload descriptions. */
uint32_t ctf_values_event(const struct ws_timeline *timeline, const struct ws_moment *moment);
/* Returns the maximum number of bytes that a text of size bytes takes in the stream. */
static inline size_t ctf_text_max(size_t size)
{
    return utf8_repair_max(size) + 1;
}
/* Writes a text of size bytes with a terminating zero to `to`. U+FFFD replaces bytes that are not
 * UTF-8. An empty text becomes "-", since babeltrace2 2.0 would show the previous value of the
 * field instead. Returns the end of the output. */
uint8_t *ctf_text_put(uint8_t *to, const void *text, size_t size);

/* Returns the maximum number of bytes that the values in a payload take in the stream. */
size_t ctf_values_max(const struct fmt_payload_desc *desc);
/* Writes the values in a payload to `to`. Returns the end of the output. */
uint8_t *ctf_values_put(uint8_t *to, const struct fmt_payload_desc *desc, const uint8_t *payload);
/* Writes `text` as a string of the metadata: in double quotes, and with escapes. */
void ctf_quoted_write(FILE *out, const char *text);
/* Writes to the metadata the description of the events with model values. fields: declarations of
 * the fields before the values. */
void ctf_values_describe(FILE *out, const struct ws_timeline *timeline, const char *fields);

#endif
