/*
 * schema.c - types, streams, and the builtin schemas made from schema_list.h.
 *
 * Invariants: (1) offsets and row sizes are those of the row structs; (2) a builtin schema passes
 * fmt_schema_check().
 */
#include "format/schema.h"

#include <string.h>

#include "format/bytes.h"

const char *fmt_stream_name(uint32_t stream)
{
    static const char *const names[] = {NULL, "gvt", "rt", "vt", "model", "evtrace"};
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

#define GVT_FIELD(name, type, role, unit, text)                                                    \
    {#name, unit, text, FMT_##type, FMT_ROLE_##role, offsetof(struct fmt_gvt_row, name)},
#define EVTRACE_FIELD(name, type, role, unit, text)                                                \
    {#name, unit, text, FMT_##type, FMT_ROLE_##role, offsetof(struct fmt_evtrace_row, name)},
#define MODEL_FIELD(name, type, role, unit, text)                                                  \
    {#name, unit, text, FMT_##type, FMT_ROLE_##role, offsetof(struct fmt_model_row, name)},

static const struct fmt_field gvt_fields[] = {FMT_GVT_FIELDS(GVT_FIELD)};
static const struct fmt_field evtrace_fields[] = {FMT_EVTRACE_FIELDS(EVTRACE_FIELD)};
static const struct fmt_field model_fields[] = {FMT_MODEL_FIELDS(MODEL_FIELD)};

#define COUNT(array) ((uint32_t)(sizeof(array) / sizeof((array)[0])))

/* role_field: none, PE, virtual time, real time, payload type, payload size. */
static const struct fmt_schema gvt_schema = {
    .id = 1,
    .n_fields = COUNT(gvt_fields),
    .row_size = sizeof(struct fmt_gvt_row),
    .role_field = {-1, 0, 1, 2, -1, -1, -1, -1},
    .name = "gvt_pe",
    .text = "engine counters of one PE after a GVT computation",
    .fields = gvt_fields,
};

static const struct fmt_schema evtrace_schema = {
    .id = 2,
    .n_fields = COUNT(evtrace_fields),
    .row_size = sizeof(struct fmt_evtrace_row),
    .role_field = {-1, 6, 3, 5, 8, 9, -1, -1},
    .name = "event",
    .text = "one event as it was executed, committed, or caused a rollback",
    .fields = evtrace_fields,
};

static const struct fmt_schema model_schema = {
    .id = 3,
    .n_fields = COUNT(model_fields),
    .row_size = sizeof(struct fmt_model_row),
    .role_field = {-1, 0, 3, 4, 6, 7, -1, -1},
    .name = "model_lp",
    .text = "values of the model, one LP at one sampling point",
    .fields = model_fields,
};

const struct fmt_schema *fmt_schema_builtin(uint32_t stream)
{
    switch (stream) {
    case FMT_STREAM_GVT:
        return &gvt_schema;
    case FMT_STREAM_EVTRACE:
        return &evtrace_schema;
    case FMT_STREAM_MODEL:
        return &model_schema;
    default:
        return NULL;
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

/* The type a field of this role must have; 0: any. */
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
