/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * labels.h - names for numeric values in records: LP types for payload types, words for the codes
 * in the engine's fields, and names that a model gave to values of payload fields.
 *
 * Tables show the names in additional columns; the numeric columns remain. The column of names is
 * called "lp_type", or FIELD_name for the field FIELD. For a payload field it is called
 * payload.FIELD_name if FIELD or FIELD_name is also the name of another field, of the record or of
 * a payload. If that name is taken as well, the names are not shown.
 */
#ifndef WARPSCOPE_READER_ACCESS_LABELS_H
#define WARPSCOPE_READER_ACCESS_LABELS_H

#include "data/intern.h"
#include "format/format.h"

/* Maximum number of columns with names for payload fields, per kind of record. */
#define WS_LABELS_MAX 1024u
#define WS_NO_LABEL   UINT32_MAX

/* A payload field of one description whose values have names. */
struct ws_label_source {
    const struct fmt_payload_desc *desc;   /* borrowed; description of the payload */
    const struct fmt_payload_field *field; /* borrowed; field of the description */
    /* Entries of the field in the array `places`: places[first + v] belongs to value v, 0 <= v <
     * n. */
    uint32_t first, n;
    uint32_t column; /* typed column of the field's values, see ws_table_schema_sort() */
};

/* Names for the values of one field, or of the payload fields that share a column of names. */
struct ws_labels {
    /* Index, in the record, of the field whose values have the names. For kind WS_LABELS_SOURCES:
     * index of the field with the payload type. */
    int32_t field;
    char *column;     /* owned; name of the column of names, such as "lp_type" or "cause_name" */
    const char *text; /* description of the column, one line */
    uint32_t place;   /* index of the column in the table (table.h); WS_NO_COLUMN: not shown */
    struct ws_intern known; /* the distinct names, with their numbers */
    /* Owned; for each value, the index of its name in `known`, or WS_NO_LABEL. The index of a value
     * in this array depends on `kind`. WS_LABELS_TYPES: the index of the description.
     * WS_LABELS_CODES: the code. WS_LABELS_SOURCES: the member `first` of the source plus the
     * value. */
    uint32_t *places;
    uint32_t n_places;
    enum { WS_LABELS_TYPES, WS_LABELS_CODES, WS_LABELS_SOURCES } kind;
    const struct fmt_desc_set *descs; /* borrowed; for WS_LABELS_TYPES: the payload descriptions */
    /* Owned; for WS_LABELS_SOURCES: the payload fields with names, sorted by the id of their
     * description. */
    struct ws_label_source *sources;
    uint32_t n_sources;
};

/* Names for the values of all fields of one kind of record. A zero-initialised set is empty. */
struct ws_label_set {
    struct ws_labels *list; /* owned; one element per column of names */
    uint32_t n;
};

/* Fills set with the names for the values in records of the kind `schema`. Payload types have names
 * if at least one description names an LP type. The descriptions must stay at their addresses.
 * Returns false if out of memory. set must be freed even after an error. */
bool ws_label_set_init(struct ws_label_set *set, const struct fmt_schema *schema,
                       const struct fmt_desc_set *descs);
void ws_label_set_free(struct ws_label_set *set);

/* Returns the index in labels->known.names of the name for the value in a record; WS_NO_LABEL if the
 * value has no name. For WS_LABELS_SOURCES, the payload must be decoded. */
uint32_t ws_label_place(const struct ws_labels *labels, const struct fmt_columns *columns,
                        uint32_t row);

/* Returns the name of a kind of payload (enum fmt_payload_kind): "rollback", "event", "model" or
 * "sample"; NULL for an unknown kind. */
const char *ws_payload_kind_name(uint32_t kind);

/* Returns true if `name` is a column of names for values of the engine, such as "lp_type" and
 * "cause_name", in at least one kind of record. */
bool ws_label_column(const char *name);

#endif
