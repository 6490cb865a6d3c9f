/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * event_values.h - names the model values of events, for timelines.
 *
 * The values in an array are called NAME_0, NAME_1, ...; a unit follows in parentheses. A field
 * that has the same name as one of the engine's values is called payload.NAME, as in tables. If the
 * values of a field have names, an additional value NAME_name shows the name.
 */
#ifndef WARPSCOPE_READER_EXPORT_VIEWERS_EVENT_VALUES_H
#define WARPSCOPE_READER_EXPORT_VIEWERS_EVENT_VALUES_H

#include <stdbool.h>

#include "data/intern.h"
#include "format/format.h"

#define WS_EVENT_VALUES_MAX 64u /* maximum number of values per event; others are omitted */

struct ws_event_value {
    uint32_t name; /* index of the value's name in the names of ws_event_values */
    uint32_t type; /* type of the value: enum fmt_type */
    uint32_t at;   /* offset in the payload, in bytes */
    uint32_t size; /* size of the value in bytes */
    /* Borrowed; names, indexed by value, that are shown instead of the value. NULL: none. */
    const char *const *names;
    uint32_t n_names;
};

/* The values in the payloads of one payload description. */
struct ws_event_type {
    struct ws_event_value list[WS_EVENT_VALUES_MAX];
    uint32_t n;
};

/* The values for all payload descriptions, and their names. Zero-initialise. Call
 * ws_event_values_free() at the end, even after an error. */
struct ws_event_values {
    struct ws_event_type *types; /* owned; [description]: its values */
    struct ws_intern names;
};

/* Composes the names of the values for all payload descriptions. taken: n_taken names that must not
 * be used for a value. Returns false if out of memory. */
bool ws_event_values_init(struct ws_event_values *values, const struct fmt_desc_set *descs,
                          const char *const *taken, size_t n_taken);
void ws_event_values_free(struct ws_event_values *values);

#endif
