/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * ctf_values.h - writes model values of events in the Common Trace Format. For each payload
 * description, there is a variant of the event event_begin, with a struct `values` after the usual
 * fields.
 */
#ifndef WARPSCOPE_READER_EXPORT_VIEWERS_CTF_VALUES_H
#define WARPSCOPE_READER_EXPORT_VIEWERS_CTF_VALUES_H

#include "cli/out.h"
#include "text/utf8.h"
#include "timeline/timeline.h"

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
