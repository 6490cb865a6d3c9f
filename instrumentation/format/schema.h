/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * schema.h - checks of schemas and values derived from them (inside format/ only).
 */
#ifndef WARPSCOPE_FORMAT_SCHEMA_H
#define WARPSCOPE_FORMAT_SCHEMA_H

#include "format/format.h"

/* Returns NULL if the schema can be written and read, otherwise its error. */
const char *fmt_schema_check(const struct fmt_schema *schema);

/* Sets offsets, row size and roles from the fields' types and roles (known types only). */
void fmt_schema_layout(struct fmt_schema *schema, struct fmt_field *fields);

bool fmt_schema_has_payload(const struct fmt_schema *schema);
/* Returns the number of columns of a data block: one per field, and one for payload bytes if there
 * are any. */
uint32_t fmt_schema_columns(const struct fmt_schema *schema);

#endif
