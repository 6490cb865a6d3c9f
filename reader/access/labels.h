/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * labels.h - names of the numeric values in records: the LP type of a payload type, words for the
 * codes in the engine's fields, and names that a model gave to the values of a payload field.
 *
 * Tables show the names in additional columns; the numeric columns remain. The column is "lp_type"
 * or FIELD_name. The names of a payload field get the prefix "payload." if FIELD or FIELD_name is
 * taken, by the record or by another field. If the prefixed name is taken as well, the names are
 * not shown.
 */
#ifndef WARPSCOPE_READER_ACCESS_LABELS_H
#define WARPSCOPE_READER_ACCESS_LABELS_H

#include "format/format.h"

#define WS_LABELS_MAX 1024u /* most columns of names of payload fields per kind of records */
#define WS_NO_LABEL   UINT32_MAX

/* A payload field whose values have names, in the payloads of one description. */
struct ws_label_source {
    const struct fmt_payload_desc *desc;   /* borrowed; the description */
    const struct fmt_payload_field *field; /* borrowed; the field */
    uint32_t first, n; /* the entries for the values 0 to n-1 of the field begin at places[first] */
};

/* Names of the values of one field. */
struct ws_labels {
    int32_t field; /* number of the field in the record; for SOURCES, of the payload type's field */
    char *column;  /* owned; name of the column with the names: "lp_type", "cause_name" */
    const char *text;   /* description of the column, one line */
    const char **names; /* owned; distinct names, borrowed from the descriptions */
    uint32_t n;
    /* Owned; indices in names, or WS_NO_LABEL. The index in this array is that of the description
     * for TYPES, the code for CODES, and `first` of the source plus the value for SOURCES. */
    uint32_t *places;
    uint32_t n_places;
    enum { WS_LABELS_TYPES, WS_LABELS_CODES, WS_LABELS_SOURCES } kind;
    const struct fmt_desc_set *descs; /* borrowed; descriptions, for TYPES */
    /* Owned; fields with names, for SOURCES, by ascending id of the description. */
    struct ws_label_source *sources;
    uint32_t n_sources;
};

/* Names of the values of all fields of one kind of record. A zero-initialised set is empty. */
struct ws_label_set {
    struct ws_labels *list; /* owned; one element per field with names */
    uint32_t n;
};

/* Finds the fields whose values have names. The values of the payload type have names if at least
 * one LP type has one. The descriptions must stay at their addresses. Returns false if out of
 * memory. Must be freed in any case. */
bool ws_label_set_init(struct ws_label_set *set, const struct fmt_schema *schema,
                       const struct fmt_desc_set *descs);
void ws_label_set_free(struct ws_label_set *set);

/* Returns the index in labels->names of the name for a record; WS_NO_LABEL if it has none. For
 * payload fields, the payload must be decoded. */
uint32_t ws_label_place(const struct ws_labels *labels, const struct fmt_columns *columns,
                        uint32_t row);
/* Returns the name of the value in a record; NULL if the value has none. */
static inline const char *ws_label_name(const struct ws_labels *labels,
                                        const struct fmt_columns *columns, uint32_t row)
{
    uint32_t place = ws_label_place(labels, columns, row);
    return place == WS_NO_LABEL ? NULL : labels->names[place];
}

/* Returns the subject of payloads of a kind: "rollback", "event", "model", "sample"; NULL for an
 * unknown kind. */
const char *ws_payload_kind_name(uint32_t kind);

/* Returns true if, in some kind of record, a column with this name holds names of an engine field's
 * values. */
bool ws_label_column(const char *name);

#endif
