/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * ctf_values.h - what the model recorded of events in the Common Trace Format: an event_begin of
 * its own for each description of payloads, with a struct `values` behind the usual fields.
 */
#ifndef WARPSCOPE_READER_EXPORT_VIEWERS_CTF_VALUES_H
#define WARPSCOPE_READER_EXPORT_VIEWERS_CTF_VALUES_H

#include "cli/out.h"
#include "timeline/timeline.h"

/* The number of the event that shows the values of this slice; 0: it has none, or there are too
 * many descriptions. */
uint32_t ctf_values_event(const struct ws_timeline *timeline, const struct ws_moment *moment);
/* Bytes that they take at most. */
size_t ctf_values_max(const struct fmt_payload_desc *desc);
/* Writes them; the end. */
uint8_t *ctf_values_put(uint8_t *to, const struct fmt_payload_desc *desc, const uint8_t *payload);
/* Describes these events, which begin with the fields given. False: writing failed. */
bool ctf_values_describe(struct ws_out *out, const struct ws_timeline *timeline,
                         const char *fields);

#endif
