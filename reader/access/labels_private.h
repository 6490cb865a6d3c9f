/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * labels_private.h - declarations that labels.c and payload_labels.c share.
 */
#ifndef WARPSCOPE_READER_ACCESS_LABELS_PRIVATE_H
#define WARPSCOPE_READER_ACCESS_LABELS_PRIVATE_H

#include "access/labels.h"
#include "data/intern.h"

/* Adds to set a column of names, of the kind WS_LABELS_TYPES, with n entries. The caller then sets
 * each entry with ws_label_add(). Returns NULL if out of memory. The result is valid until the next
 * call. */
struct ws_labels *ws_labels_add(struct ws_label_set *set, int32_t field, const char *column,
                                const char *text, size_t n);
/* Sets entry number `value` of labels->places to the index of `name` in labels->names. name NULL or
 * empty: the value has no name. known: all names added to labels so far. Returns false if out of
 * memory. */
bool ws_label_add(struct ws_labels *labels, struct ws_intern *known, uint32_t value,
                  const char *name);

/* Returns true if records of this kind have a field of the engine whose values have names in the
 * column `name`. */
bool ws_label_column_of(const struct fmt_schema *schema, const char *name);

/* Adds to set the names for the values of the engine's fields. Returns false if out of memory. */
bool ws_engine_labels_find(struct ws_label_set *set, const struct fmt_schema *schema,
                           const struct fmt_desc_set *descs);

#endif
