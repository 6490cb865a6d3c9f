/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * labels.h - names for numbers in records: the LP type of a payload type, and words for the codes
 * of the engine's fields.
 *
 * Tables show them in further columns, "lp_type" and FIELD_name; the columns of numbers remain.
 */
#ifndef WARPSCOPE_READER_ACCESS_LABELS_H
#define WARPSCOPE_READER_ACCESS_LABELS_H

#include "format/format.h"

#define WS_LABELS_MAX 2u /* fields with names per kind of record */
#define WS_NO_LABEL   UINT32_MAX

/* Names of the values of one field. */
struct ws_labels {
    int32_t field;      /* number of the field in the record */
    const char *column; /* column of the names: "lp_type", "cause_name" */
    const char *text;   /* its description, one line */
    const char **names; /* owned; distinct names, borrowed from the descriptions */
    uint32_t n;
    uint32_t
        *places; /* owned; by number of the description, or code: index in names, or NO_LABEL */
    uint32_t n_places;
    const struct fmt_desc_set *descs; /* borrowed; NULL: the field is a code */
};

/* All names for a kind of record. A zero-initialised set is empty. */
struct ws_label_set {
    struct ws_labels list[WS_LABELS_MAX];
    uint32_t n;
};

/* Finds the fields with names. Payload types have names if an LP type has a name. Returns false if
 * out of memory. Must be freed in any case. */
bool ws_label_set_init(struct ws_label_set *set, const struct fmt_schema *schema,
                       const struct fmt_desc_set *descs);
void ws_label_set_free(struct ws_label_set *set);

/* Returns the index of a value's name among the names; WS_NO_LABEL if it has none. */
uint32_t ws_label_place(const struct ws_labels *labels, uint64_t value);

/* Returns the subject of payloads of a kind: "rollback", "event", "model", "sample"; NULL for an
 * unknown kind. */
const char *ws_payload_kind_name(uint32_t kind);

/* Returns true if this is the name of a column of names in some kind of record. */
bool ws_label_column(const char *name);

#endif
