/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * bind.h - the fields of records that code uses: a table names them, and ws_bind() finds them in the
 * schema of a file. Files of other versions may lack fields or have them in another form.
 */
#ifndef WARPSCOPE_READER_ACCESS_BIND_H
#define WARPSCOPE_READER_ACCESS_BIND_H

#include <stdbool.h>
#include <stddef.h>

#include "format/bytes.h"
#include "format/format.h"

#define WS_ANY_TYPE UINT32_MAX

/* A field that code uses. A table of them ends with an element whose name is NULL. */
struct ws_binding {
    size_t member;    /* offset of the int32_t member that gets the index of the field */
    const char *name; /* name of the field */
    uint32_t type;    /* its type, such as FMT_U64; a field of another type counts as missing */
    bool needed;      /* true if records without the field are of no use */
};

/* Stores in the members of the struct at `fields` the indices of the fields in the schema; -1: it has
 * no such field. Returns true if it has all needed ones. */
bool ws_bind(const struct ws_binding *table, const struct fmt_schema *schema, void *fields);

/* Adds the fields that ws_bind() found to the columns to decode. */
void ws_bind_want(const struct ws_binding *table, const void *fields, struct fmt_wanted *wanted);

/* Adds a field to the columns to decode; -1: nothing. */
static inline void ws_want(struct fmt_wanted *wanted, int32_t field)
{
    if (field >= 0) {
        fmt_wanted_add(wanted, (uint32_t)field);
    }
}

/* Returns the index of the field called name; -1 if there is none. */
int32_t ws_field_find(const struct fmt_schema *schema, const char *name);
/* Returns the index of schema in sb->schemas, which must contain it. */
uint32_t ws_schema_number(const struct fmt_superblock *sb, const struct fmt_schema *schema);
/* Returns the schema with this id, such as FMT_RECORD_EVENT, or with this name; NULL if the file has
 * no such kind of record. */
const struct fmt_schema *ws_schema_of(const struct fmt_superblock *sb, uint32_t id);
const struct fmt_schema *ws_schema_named(const struct fmt_superblock *sb, const char *name);
/* Returns true if two kinds of records have the same name and the same fields. */
bool ws_schema_same(const struct fmt_schema *a, const struct fmt_schema *b);

/* Returns the number of values in a payload field; 1 for strings. */
static inline uint32_t ws_field_elements(const struct fmt_payload_field *field)
{
    return field->type == FMT_CHAR ? 1 : field->count;
}
/* Returns the offset in the payload of value number i of a payload field, in bytes. */
static inline size_t ws_field_element_at(const struct fmt_payload_field *field, uint32_t i)
{
    return field->offset + i * fmt_type_size(field->type);
}

static inline bool ws_type_is_real(uint32_t type)
{
    return type == FMT_F32 || type == FMT_F64;
}
static inline bool ws_type_is_signed(uint32_t type)
{
    return type >= FMT_I8 && type <= FMT_I64;
}

/* Convert a value of any number type. ws_value_whole() truncates; negative values, NaN, and
 * floating-point values of 2^63 or more become 0. */
uint64_t ws_value_whole(struct fmt_value value);
double ws_value_number(struct fmt_value value);

/* The value of field `field` in a row of decoded columns, as above; 0 if field is -1. */
static inline uint64_t ws_whole_at(const struct fmt_columns *c, int32_t field, uint32_t row)
{
    switch (field < 0 ? FMT_CHAR : c->schema->fields[field].type) {
    case FMT_U64: /* the usual types of counts and numbers, without calls */
        return fmt_get_u64(c->values[field] + 8 * (size_t)row);
    case FMT_U32:
        return fmt_get_u32(c->values[field] + 4 * (size_t)row);
    default:
        return field < 0 ? 0 : ws_value_whole(fmt_columns_value(c, (uint32_t)field, row));
    }
}
static inline double ws_number_at(const struct fmt_columns *c, int32_t field, uint32_t row)
{
    return field < 0 ? 0 : ws_value_number(fmt_columns_value(c, (uint32_t)field, row));
}

#endif
