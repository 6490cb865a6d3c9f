/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * labels_private.h - declarations that the parts of labels.h share.
 */
#ifndef WARPSCOPE_READER_ACCESS_LABELS_PRIVATE_H
#define WARPSCOPE_READER_ACCESS_LABELS_PRIVATE_H

#include "access/labels.h"
#include "data/intern.h"

/* Adds names for n values of a field, of the kind TYPES. Returns NULL if out of memory. The result
 * is valid until the next call. */
struct ws_labels *ws_labels_add(struct ws_label_set *set, int32_t field, const char *column,
                                const char *text, size_t n);
/* Sets the name of a value. NULL or empty: it has no name. known: all names added so far. Returns
 * false if out of memory. */
bool ws_label_add(struct ws_labels *labels, struct ws_intern *known, uint32_t value,
                  const char *name);

/* Returns true if this kind of record has a field of the engine whose values are named in the
 * column `name`. */
bool ws_label_column_of(const struct fmt_schema *schema, const char *name);

/* Adds the names of the fields of payloads. Returns false if out of memory. */
bool ws_payload_labels_find(struct ws_label_set *set, const struct fmt_schema *schema,
                            const struct fmt_desc_set *descs);

#endif
