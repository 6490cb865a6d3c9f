/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * schema.h - checks schemas, and computes values from them (internal to format/).
 */
#ifndef WARPSCOPE_FORMAT_SCHEMA_H
#define WARPSCOPE_FORMAT_SCHEMA_H

#include "format/format.h"

/* Returns NULL if the schema is valid for writing and reading, otherwise the reason why it is
 * not. */
const char *fmt_schema_check(const struct fmt_schema *schema);

/* Sets the offsets in fields and the row size and role_field of the schema, from the types and
 * roles of the fields. All types must be known. */
void fmt_schema_layout(struct fmt_schema *schema, struct fmt_field *fields);

bool fmt_schema_has_payload(const struct fmt_schema *schema);
/* Returns the number of columns in a data block: one for each field, and one for the payloads if
 * the schema has them. */
uint32_t fmt_schema_columns(const struct fmt_schema *schema);
/* Returns the schema with this number; NULL: there is none. */
const struct fmt_schema *fmt_schema_find(const struct fmt_superblock *sb, uint32_t id);

#endif
