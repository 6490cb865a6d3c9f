/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * schema.c - types, streams, and the builtin schemas made from schema_list.h.
 *
 * Invariants:
 * 1. Offsets and row sizes are those of the row structs.
 * 2. A builtin schema passes fmt_schema_check().
 */
#include "format/schema.h"

#include <assert.h>
#include <string.h>

#include "format/bytes.h"

const char *fmt_stream_name(uint32_t stream)
{
    static const char *const names[] = {NULL,    "gvt",     "rt",   "vt",
                                        "model", "evtrace", "task", "tracer"};
    return stream < sizeof names / sizeof names[0] ? names[stream] : NULL;
}

struct type_info {
    const char *name;
    size_t size;
};

static const struct type_info type_table[] = {
    [0] = {NULL, 0},        [FMT_U8] = {"u8", 1},   [FMT_U16] = {"u16", 2},
    [FMT_U32] = {"u32", 4}, [FMT_U64] = {"u64", 8}, [FMT_I8] = {"i8", 1},
    [FMT_I16] = {"i16", 2}, [FMT_I32] = {"i32", 4}, [FMT_I64] = {"i64", 8},
    [FMT_F32] = {"f32", 4}, [FMT_F64] = {"f64", 8}, [FMT_CHAR] = {"char", 1},
};

size_t fmt_type_size(uint32_t type)
{
    return type < sizeof type_table / sizeof type_table[0] ? type_table[type].size : 0;
}

const char *fmt_type_name(uint32_t type)
{
    return type < sizeof type_table / sizeof type_table[0] ? type_table[type].name : NULL;
}

const char *fmt_measure_name(uint32_t measure)
{
    static const char *const names[] = {NULL, "level", "counter", "change", "identity"};
    return measure < sizeof names / sizeof names[0] ? names[measure] : NULL;
}

/* ---- Builtin schemas: fields of each kind of record, and the schema -------------------------- */

/* The role and the measure for each SORT in schema_list.h: a SORT names the role of a field or, if
 * the field has no role, its measure. */
enum {
    ROLE_OF_NONE = FMT_ROLE_NONE,
    ROLE_OF_LEVEL = FMT_ROLE_NONE,
    ROLE_OF_COUNTER = FMT_ROLE_NONE,
    ROLE_OF_CHANGE = FMT_ROLE_NONE,
    ROLE_OF_IDENTITY = FMT_ROLE_NONE,
    ROLE_OF_PE = FMT_ROLE_PE,
    ROLE_OF_VIRTUAL_TIME = FMT_ROLE_VIRTUAL_TIME,
    ROLE_OF_REAL_TIME = FMT_ROLE_REAL_TIME,
    ROLE_OF_PAYLOAD_TYPE = FMT_ROLE_PAYLOAD_TYPE,
    ROLE_OF_PAYLOAD_SIZE = FMT_ROLE_PAYLOAD_SIZE
};
enum {
    MEASURE_OF_NONE = FMT_UNSTATED,
    MEASURE_OF_LEVEL = FMT_LEVEL,
    MEASURE_OF_COUNTER = FMT_COUNTER,
    MEASURE_OF_CHANGE = FMT_CHANGE,
    MEASURE_OF_IDENTITY = FMT_IDENTITY,
    MEASURE_OF_PE = FMT_IDENTITY,
    MEASURE_OF_VIRTUAL_TIME = FMT_UNSTATED,
    MEASURE_OF_REAL_TIME = FMT_UNSTATED,
    MEASURE_OF_PAYLOAD_TYPE = FMT_IDENTITY,
    MEASURE_OF_PAYLOAD_SIZE = FMT_LEVEL
};

#define FIELD(name, type, sort, unit, text)                                                        \
    {#name, unit, text, FMT_##type, ROLE_OF_##sort, offsetof(row, name), MEASURE_OF_##sort},

/* For each role: 1 + the place of a field in its list if it has the role, otherwise 0. A list has at
 * most one field with a role. */
#define HAS(role, sort, place) +((int)ROLE_OF_##sort == (int)FMT_ROLE_##role ? (int)place + 1 : 0)

#define PLACE(name, type, sort, unit, text)        at_##name,
#define PE(name, type, sort, unit, text)           HAS(PE, sort, at_##name)
#define VIRTUAL_TIME(name, type, sort, unit, text) HAS(VIRTUAL_TIME, sort, at_##name)
#define REAL_TIME(name, type, sort, unit, text)    HAS(REAL_TIME, sort, at_##name)
#define PAYLOAD_TYPE(name, type, sort, unit, text) HAS(PAYLOAD_TYPE, sort, at_##name)
#define PAYLOAD_SIZE(name, type, sort, unit, text) HAS(PAYLOAD_SIZE, sort, at_##name)
#define ROLE_AT(FIELDS, ROLE)                      [FMT_ROLE_##ROLE] = -1 FIELDS(ROLE)

#define SCHEMA(NAME, schema_name, schema_id, STREAM, schema_text)                                  \
    case schema_id: {                                                                              \
        typedef struct fmt_##schema_name##_row row;                                                \
        enum { FMT_##NAME##_FIELDS(PLACE) n_fields };                                              \
        static const struct fmt_field fields[] = {FMT_##NAME##_FIELDS(FIELD)};                     \
        static const struct fmt_schema schema = {                                                  \
            .id = schema_id,                                                                       \
            .n_fields = n_fields,                                                                  \
            .row_size = sizeof(row),                                                               \
            .role_field = {-1, ROLE_AT(FMT_##NAME##_FIELDS, PE),                                   \
                           ROLE_AT(FMT_##NAME##_FIELDS, VIRTUAL_TIME),                             \
                           ROLE_AT(FMT_##NAME##_FIELDS, REAL_TIME),                                \
                           ROLE_AT(FMT_##NAME##_FIELDS, PAYLOAD_TYPE),                             \
                           ROLE_AT(FMT_##NAME##_FIELDS, PAYLOAD_SIZE), -1, -1},                    \
            .name = #schema_name,                                                                  \
            .text = schema_text,                                                                   \
            .fields = fields};                                                                     \
        return &schema;                                                                            \
    }

const struct fmt_schema *fmt_schema_builtin(uint32_t record)
{
    switch (record) {
        FMT_RECORDS(SCHEMA)
    default:
        return NULL;
    }
}

#define STREAM_OF(NAME, name, id, STREAM, text)                                                    \
    case id:                                                                                       \
        return FMT_STREAM_##STREAM;

uint32_t fmt_record_stream(uint32_t record)
{
    switch (record) {
        FMT_RECORDS(STREAM_OF)
    default:
        return 0;
    }
}

bool fmt_schema_has_payload(const struct fmt_schema *schema)
{
    return schema->role_field[FMT_ROLE_PAYLOAD_SIZE] >= 0;
}

uint32_t fmt_schema_columns(const struct fmt_schema *schema)
{
    return schema->n_fields + (fmt_schema_has_payload(schema) ? 1 : 0);
}

/* Returns the type that a field with this role must have; 0: any type. */
static uint32_t role_type(uint32_t role)
{
    switch (role) {
    case FMT_ROLE_PE:
    case FMT_ROLE_PAYLOAD_TYPE:
    case FMT_ROLE_PAYLOAD_SIZE:
        return FMT_U32;
    case FMT_ROLE_VIRTUAL_TIME:
    case FMT_ROLE_REAL_TIME:
        return FMT_F64;
    default:
        return 0;
    }
}

static bool name_is_new(const struct fmt_schema *schema, uint32_t field)
{
    assert(field < schema->n_fields);
    for (uint32_t i = 0; i < field; i++) {
        if (strcmp(schema->fields[i].name, schema->fields[field].name) == 0) {
            return false;
        }
    }
    return true;
}

const char *fmt_schema_check(const struct fmt_schema *schema)
{
    if (schema->n_fields == 0 || schema->n_fields > FMT_FIELDS_MAX) {
        return "a schema must have 1 to 1024 fields";
    }
    if (!fmt_name_valid(schema->name)) {
        return "a schema's name is not made of letters, digits and '_'";
    }
    for (uint32_t i = 0; i < schema->n_fields; i++) {
        const struct fmt_field *f = &schema->fields[i];
        if (!fmt_name_valid(f->name) || !name_is_new(schema, i)) {
            return "a field's name is not new, or not made of letters, digits and '_'";
        }
        if (fmt_type_size(f->type) == 0 || f->type == FMT_CHAR) {
            return "a field is of no known type";
        }
        if (role_type(f->role) != 0 && role_type(f->role) != f->type) {
            return "a field's type does not go with its role";
        }
    }
    return NULL;
}

void fmt_schema_layout(struct fmt_schema *schema, struct fmt_field *fields)
{
    assert(schema->n_fields > 0 && schema->n_fields <= FMT_FIELDS_MAX);
    size_t offset = 0;
    for (size_t r = 0; r < sizeof schema->role_field / sizeof schema->role_field[0]; r++) {
        schema->role_field[r] = -1;
    }
    for (uint32_t i = 0; i < schema->n_fields; i++) {
        size_t size = fmt_type_size(fields[i].type);
        offset = (size_t)fmt_align(offset, size);
        fields[i].offset = (uint32_t)offset;
        offset += size;
        uint32_t role = fields[i].role;
        if (role_type(role) != 0 && schema->role_field[role] < 0) {
            schema->role_field[role] = (int32_t)i;
        }
    }
    schema->row_size = (uint32_t)fmt_align(offset, 8);
    schema->fields = fields;
}

const struct fmt_schema *fmt_schema_find(const struct fmt_superblock *sb, uint32_t id)
{
    for (uint32_t i = 0; i < sb->n_schemas; i++) {
        if (sb->schemas[i]->id == id) {
            return sb->schemas[i];
        }
    }
    return NULL;
}
