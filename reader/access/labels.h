/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * labels.h - names for what records give as a number: the type of LP that a payload type belongs
 * to, and words for the codes of the engine's own fields.
 *
 * Tables show them in further columns, "lp_type" and FIELD_name: the numbers stay.
 */
#ifndef WARPSCOPE_READER_ACCESS_LABELS_H
#define WARPSCOPE_READER_ACCESS_LABELS_H

#include "format/format.h"

#define WS_LABELS_MAX 2u /* fields of a kind of record that have names */
#define WS_NO_LABEL   UINT32_MAX

/* The names of one field's values. */
struct ws_labels {
    int32_t field;      /* of the record */
    const char *column; /* that shows them: "lp_type", "cause_name" */
    const char *text;   /* what that is, one line */
    const char **names; /* owned; different ones, borrowed from the descriptions */
    uint32_t n;
    uint32_t *places; /* owned; by number of the description or by code: in names, or NO_LABEL */
    uint32_t n_places;
    const struct fmt_desc_set *descs; /* borrowed; NULL: the field is a code */
};

/* All of a kind of record. Zero-initialised it is empty. */
struct ws_label_set {
    struct ws_labels list[WS_LABELS_MAX];
    uint32_t n;
};

/* Finds the fields with names. Payload types have them if a type of LP has a name. False: out of
 * memory. Free in any case. */
bool ws_label_set_init(struct ws_label_set *set, const struct fmt_schema *schema,
                       const struct fmt_desc_set *descs);
void ws_label_set_free(struct ws_label_set *set);

/* The place of a value's name among the names; WS_NO_LABEL if it has none. */
uint32_t ws_label_place(const struct ws_labels *labels, uint64_t value);

/* What payloads are of: "rollback", "event", "model", "sample"; NULL for an unknown kind. */
const char *ws_payload_kind_name(uint32_t kind);

/* Is that the name of a column that some record may have for names? */
bool ws_label_column(const char *name);

#endif
