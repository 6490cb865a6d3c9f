/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * event_values.h - model values of events with their names, for timelines.
 *
 * An array is a sequence of values NAME_0, NAME_1, ...; a unit follows in parentheses. A value
 * whose name is taken is called payload.NAME, as in tables. The name of a value follows as
 * NAME_name.
 */
#ifndef WARPSCOPE_READER_EXPORT_VIEWERS_EVENT_VALUES_H
#define WARPSCOPE_READER_EXPORT_VIEWERS_EVENT_VALUES_H

#include <stdbool.h>

#include "data/intern.h"
#include "format/format.h"

#define WS_EVENT_VALUES_MAX 64u /* most values per event; further ones are omitted */

struct ws_event_value {
    uint32_t name; /* index of the name among all names */
    uint32_t type; /* type of the value: enum fmt_type */
    uint32_t at;   /* offset in the payload, in bytes */
    uint32_t size; /* size of the value in bytes */
    const char *const
        *names; /* borrowed; names for the values: if not NULL, the value is shown by its name */
    uint32_t n_names;
};

/* Values in the payloads of one description. */
struct ws_event_type {
    struct ws_event_value *list; /* owned; the values */
    uint32_t n;
};

/* Values of all descriptions, and their names. Zero-initialise; free in any case. */
struct ws_event_values {
    struct ws_event_type *types; /* owned; values for each description */
    size_t n_types;
    struct ws_intern names;
};

/* Prepares the names of all values. taken: n_taken names that no value may have. Returns false if
 * out of memory. */
bool ws_event_values_init(struct ws_event_values *values, const struct fmt_desc_set *descs,
                          const char *const *taken, size_t n_taken);
void ws_event_values_free(struct ws_event_values *values);

#endif
