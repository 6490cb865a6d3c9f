/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * sort_key.c - converts records to strings of bytes, and decides which fields of a kind of record they
 * keep, and where; see sort_key.h.
 *
 * Numbers are written with the highest byte first. Signed integers have the sign bit inverted.
 * Floating-point numbers have the sign bit inverted if positive, and all bits inverted if negative,
 * so that their bits are ordered like their values. NaN becomes all ones, the largest value.
 */
#include "order/sort_key.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "access/bind.h"
#include "access/select.h"
#include "format/bytes.h"

/* ---- Conversion of numbers to bytes and back ------------------------------------------------- */

static inline uint64_t little_get(const uint8_t *from, size_t size)
{
    return size == 8   ? fmt_get_u64(from)
           : size == 4 ? fmt_get_u32(from)
           : size == 2 ? fmt_get_u16(from)
                       : from[0];
}

/* Stores the lowest `size` bytes of v, the highest of them first. */
static inline void order_put(uint8_t *to, uint64_t v, size_t size)
{
    if (size == 8) {
        ws_key_u64(to, v);
    } else if (size == 4) {
        ws_key_u32(to, (uint32_t)v);
    } else {
        to[0] = (uint8_t)(v >> 8 * (size - 1));
        to[size - 1] = (uint8_t)v;
    }
}

static inline uint64_t order_get(const uint8_t *from, size_t size)
{
    return size == 8   ? ws_key_get_u64(from)
           : size == 4 ? ws_key_get_u32(from)
           : size == 2 ? (uint64_t)from[0] << 8 | from[1]
                       : from[0];
}

/* Converts the bits of a value, as stored in files, to an integer. The integers have the order of
 * the values. */
static inline uint64_t bits_order(uint64_t bits, uint32_t type, size_t size)
{
    const uint64_t sign = UINT64_C(1) << (8 * size - 1);
    if (type >= FMT_F32) {
        const uint64_t infinity = type == FMT_F32 ? 0x7f800000u : 0x7ff0000000000000u;
        bits = (bits & (sign - 1)) > infinity ? sign - 1 : bits; /* NaN */
        return (bits & sign) == 0 ? bits | sign : ~bits & (sign - 1);
    }
    return ws_type_is_signed(type) ? bits ^ sign : bits;
}

/* Converts such an integer back to the bits. */
static inline uint64_t order_bits(uint64_t order, uint32_t type, size_t size)
{
    const uint64_t sign = UINT64_C(1) << (8 * size - 1);
    if (type >= FMT_F32) {
        return (order & sign) != 0 ? order ^ sign : ~order & (sign | (sign - 1));
    }
    return ws_type_is_signed(type) ? order ^ sign : order;
}

uint64_t ws_time_order(double v)
{
    uint64_t bits;
    memcpy(&bits, &v, sizeof bits);
    return bits_order(bits, FMT_F64, sizeof bits);
}

/* ---- Sort keys ------------------------------------------------------------------------------- */

void ws_sort_key_encode(const struct ws_sort_layout *layout, const struct fmt_columns *c,
                        uint32_t row, uint32_t type, struct ws_sort_key *item)
{
    size_t payload = 0;
    for (uint32_t i = 0; i < layout->n_parts; i++) {
        const struct ws_sort_key_part *part = &layout->parts[i];
        size_t bytes = part->size;
        assert(part->at + bytes <= layout->key_size && c->values[part->field] != NULL);
        uint64_t bits = little_get(c->values[part->field] + row * bytes, bytes);
        uint64_t order =
            (int32_t)i == layout->type_part ? type : bits_order(bits, part->type, bytes);
        order_put(item->bytes + part->at, order, bytes);
    }
    if (layout->has_payload) {
        payload = (size_t)(c->payload_offset[row + 1] - c->payload_offset[row]);
        if (payload > 0) {
            memcpy(item->bytes + layout->key_size, c->payload + c->payload_offset[row], payload);
        }
    }
    item->payload_size = (uint32_t)payload;
    item->size = (uint32_t)ws_sort_key_size(layout, payload);
    size_t used = sizeof *item + layout->key_size + payload;
    memset((uint8_t *)item + used, 0, item->size - used);
}

int ws_sort_key_compare(const struct ws_sort_layout *layout, const struct ws_sort_key *a,
                        const struct ws_sort_key *b)
{
    uint32_t least = a->payload_size < b->payload_size ? a->payload_size : b->payload_size;
    int order = memcmp(a->bytes, b->bytes, (size_t)layout->key_size + least);
    if (order != 0 || a->payload_size == b->payload_size) {
        return order;
    }
    return a->payload_size < b->payload_size ? -1 : 1;
}

void ws_sort_key_store(const struct ws_sort_layout *layout, const struct ws_sort_key *item,
                       uint32_t i, uint8_t to[8])
{
    const struct ws_sort_key_part *part = &layout->parts[i];
    fmt_put_u64(to,
                order_bits(order_get(item->bytes + part->at, part->size), part->type, part->size));
}

struct fmt_value ws_sort_key_value(const struct ws_sort_layout *layout,
                                   const struct ws_sort_key *item, uint32_t i)
{
    assert(i < layout->n_parts);
    uint8_t bytes[8];
    ws_sort_key_store(layout, item, i, bytes);
    return fmt_value_read(bytes, layout->parts[i].type);
}

void ws_sort_key_add(const struct ws_sort_layout *layout, struct ws_sort_key *a,
                     const struct ws_sort_key *b)
{
    assert(layout->sums && !layout->has_payload);
    for (uint32_t i = 0; i < layout->n_parts; i++) {
        const struct ws_sort_key_part *part = &layout->parts[i];
        if (part->at >= layout->sums_at) {
            uint64_t sum = order_get(a->bytes + part->at, part->size) +
                           order_get(b->bytes + part->at, part->size);
            order_put(a->bytes + part->at, sum, part->size);
        }
    }
}

/* ---- Layouts --------------------------------------------------------------------------------- */

/* A kind whose records are the same for any distribution of LPs over ranks. sums: true if only the
 * sums of the records are the same, not the records themselves. */
struct known_kind {
    const char *name;
    bool sums;
};
static const struct known_kind known_kinds[] = {
    {"event", false},  {"model_lp", false},    {"vt_lp", false},      {"vt_pe", true},
    {"vt_kp", true},   {"task_begin", false},  {"task_step", false},  {"task_end", false},
    {"tracer", false}, {"tracer_step", false}, {"tracer_open", false}};

/* Fields with a rank of their own. RANK_DISTRIBUTED: the field depends on the distribution of LPs over
 * ranks, as do those with the role of PE or wall-clock time; `sent` depends on the end of the run. The
 * others follow the virtual time in comparisons, in the order of the ranks. */
enum { RANK_TIME, RANK_SAMPLE, RANK_OTHERS = 100, RANK_DISTRIBUTED };
static const struct {
    const char *name;
    uint32_t rank;
} known_fields[] = {{"sample", RANK_SAMPLE},
                    {"prio", 2},
                    {"dest_lp", 3},
                    {"lp", 4},
                    {"src_lp", 5},
                    {"send_ts", 6},
                    {"order", 7},
                    {"tracer", 8},
                    {"place", 9},
                    {"kp", RANK_DISTRIBUTED},
                    {"lp_ts", RANK_DISTRIBUTED},
                    {"handler_time", RANK_DISTRIBUTED},
                    {"sent", RANK_DISTRIBUTED}};

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

static const struct known_kind *kind_find(const char *name)
{
    for (size_t i = 0; i < COUNT(known_kinds); i++) {
        if (strcmp(known_kinds[i].name, name) == 0) {
            return &known_kinds[i];
        }
    }
    return NULL;
}

static uint32_t role_of(const struct fmt_schema *schema, uint32_t field)
{
    uint32_t role = schema->fields[field].role;
    bool has = role <= FMT_ROLE_PAYLOAD_SIZE && schema->role_field[role] == (int32_t)field;
    return has ? role : FMT_ROLE_NONE;
}

static uint32_t known_rank(const char *name)
{
    for (uint32_t i = 0; i < COUNT(known_fields); i++) {
        if (strcmp(name, known_fields[i].name) == 0) {
            return known_fields[i].rank;
        }
    }
    return RANK_OTHERS;
}

/* Returns the rank of a field in the order of comparison; fields of equal rank are compared by
 * name. */
static uint32_t field_rank(const struct ws_sort_layout *layout, uint32_t field)
{
    const struct fmt_schema *schema = layout->schema;
    assert(field < schema->n_fields);
    if (role_of(schema, field) == FMT_ROLE_VIRTUAL_TIME) {
        return RANK_TIME;
    }
    if (role_of(schema, field) == FMT_ROLE_PAYLOAD_TYPE) {
        return UINT32_MAX - 1;
    }
    if (role_of(schema, field) == FMT_ROLE_PAYLOAD_SIZE) {
        return UINT32_MAX;
    }
    uint32_t rank = known_rank(schema->fields[field].name);
    return rank < RANK_OTHERS ? rank : RANK_OTHERS;
}

/* Returns true if the values of a field can be added up. */
static bool is_count(const struct fmt_schema *schema, uint32_t field)
{
    uint32_t type = schema->fields[field].type;
    return type >= FMT_U8 && type <= FMT_U64 && role_of(schema, field) != FMT_ROLE_PAYLOAD_TYPE &&
           role_of(schema, field) != FMT_ROLE_PAYLOAD_SIZE;
}

/* Returns true if the schema `common` has this field with the same type and role. */
static bool is_common(const struct fmt_schema *schema, uint32_t field,
                      const struct fmt_schema *common)
{
    const struct fmt_field *f = &schema->fields[field];
    int32_t i = ws_field_find(common, f->name);
    return i >= 0 && common->fields[i].type == f->type &&
           role_of(schema, field) == role_of(common, (uint32_t)i);
}

static bool is_kept(const struct ws_sort_layout *layout, const struct known_kind *kind,
                    uint32_t field)
{
    const struct fmt_schema *schema = layout->schema;
    if (kind == NULL || role_of(schema, field) == FMT_ROLE_VIRTUAL_TIME) {
        return true;
    }
    if (role_of(schema, field) == FMT_ROLE_PE || role_of(schema, field) == FMT_ROLE_REAL_TIME ||
        known_rank(schema->fields[field].name) == RANK_DISTRIBUTED) {
        return false;
    }
    return !layout->sums || is_count(schema, field) || field_rank(layout, field) == RANK_SAMPLE;
}

/* Adds a field to the schema of the kept fields. */
static void view_add(struct ws_sort_layout *layout, uint32_t field)
{
    assert(layout->view.n_fields < layout->schema->n_fields);
    struct fmt_schema *view = &layout->view;
    uint32_t role = role_of(layout->schema, field);
    if (role != FMT_ROLE_NONE) {
        view->role_field[role] = (int32_t)view->n_fields;
    }
    layout->view_fields[view->n_fields++] = layout->schema->fields[field];
}

static bool is_field_before(const struct ws_sort_layout *layout, uint32_t a, uint32_t b)
{
    uint32_t rank_a = field_rank(layout, a), rank_b = field_rank(layout, b);
    const struct fmt_field *fields = layout->schema->fields;
    return rank_a != rank_b ? rank_a < rank_b : strcmp(fields[a].name, fields[b].name) < 0;
}

/* Inserts the part for a field in the order of comparison. A linear search suffices, since a schema
 * has at most 1024 fields and this happens once per file. */
static void part_add(struct ws_sort_layout *layout, uint32_t field)
{
    assert(layout->n_parts < layout->schema->n_fields);
    uint32_t i = layout->n_parts++;
    for (; i > 0 && is_field_before(layout, field, layout->parts[i - 1].field); i--) {
        layout->parts[i] = layout->parts[i - 1];
    }
    layout->parts[i] = (struct ws_sort_key_part){.field = field,
                                                 .type = layout->schema->fields[field].type,
                                                 .view_field = layout->view.n_fields};
    view_add(layout, field);
}

/* Sets the offset of each part in the key. */
static void parts_place(struct ws_sort_layout *layout)
{
    assert(layout->key_size == 0);
    const struct fmt_schema *view = &layout->view;
    for (uint32_t i = 0; i < layout->n_parts; i++) {
        struct ws_sort_key_part *part = &layout->parts[i];
        uint32_t rank = field_rank(layout, part->field);
        part->at = layout->key_size;
        part->size = (uint32_t)fmt_type_size(part->type);
        layout->key_size += part->size;
        if (rank <= RANK_SAMPLE) {
            layout->sums_at = layout->key_size;
        }
        if (rank < RANK_OTHERS) {
            layout->identity_size = layout->key_size;
        }
    }
    layout->has_time = view->role_field[FMT_ROLE_VIRTUAL_TIME] >= 0;
    layout->has_payload = view->role_field[FMT_ROLE_PAYLOAD_SIZE] >= 0;
}

bool ws_sort_layout_init(struct ws_sort_layout *layout, const struct fmt_schema *schema,
                         const struct fmt_schema *common, const char *without)
{
    const struct known_kind *kind = kind_find(schema->name);
    *layout = (struct ws_sort_layout){.schema = schema, .sums = kind != NULL && kind->sums};
    layout->parts = calloc(schema->n_fields, sizeof *layout->parts);
    layout->view_fields = calloc(schema->n_fields, sizeof *layout->view_fields);
    if (layout->parts == NULL || layout->view_fields == NULL) {
        return false;
    }
    layout->view = *schema;
    layout->view.fields = layout->view_fields;
    layout->view.n_fields = 0;
    memset(layout->view.role_field, -1, sizeof layout->view.role_field);
    for (uint32_t f = 0; f < schema->n_fields; f++) {
        if (is_kept(layout, kind, f) && (common == NULL || is_common(schema, f, common)) &&
            (without == NULL || strcmp(schema->fields[f].name, without) != 0)) {
            part_add(layout, f);
        }
    }
    parts_place(layout);
    layout->lp_part = ws_sort_layout_part(layout, "dest_lp");
    layout->lp_part = layout->lp_part < 0 ? ws_sort_layout_part(layout, "lp") : layout->lp_part;
    if (layout->lp_part >= 0 && layout->parts[layout->lp_part].type > FMT_U64) {
        layout->lp_part = -1;
    }
    layout->type_part = -1;
    for (uint32_t i = 0; i < layout->n_parts; i++) {
        if (role_of(schema, layout->parts[i].field) == FMT_ROLE_PAYLOAD_TYPE) {
            layout->type_part = (int32_t)i;
        }
    }
    return true;
}

void ws_sort_layout_free(struct ws_sort_layout *layout)
{
    free(layout->parts);
    free(layout->view_fields);
    *layout = (struct ws_sort_layout){0};
}

int32_t ws_sort_layout_part(const struct ws_sort_layout *layout, const char *name)
{
    for (uint32_t i = 0; i < layout->n_parts; i++) {
        if (strcmp(layout->schema->fields[layout->parts[i].field].name, name) == 0) {
            return (int32_t)i;
        }
    }
    return -1;
}
