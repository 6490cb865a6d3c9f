/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * sort_key_layout.c - decides which fields of a kind of record a sort key keeps, and where; see
 * sort_key.h.
 */
#include "order/sort_key.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "access/select.h"

/* A kind whose records can be equal for any distribution of LPs over ranks. */
struct known_kind {
    const char *name;
    bool sums;
};
static const struct known_kind known_kinds[] = {
    {"event", false},  {"model_lp", false},    {"vt_lp", false},      {"vt_pe", true},
    {"vt_kp", true},   {"task_begin", false},  {"task_step", false},  {"task_end", false},
    {"tracer", false}, {"tracer_step", false}, {"tracer_open", false}};

/* Fields of these kinds that depend on the distribution of LPs over ranks, in addition to fields
 * with a role. The field `sent` depends on the end of the run. */
static const char *const distributed_names[] = {"kp", "lp_ts", "handler_time", "sent"};

/* Fields that are compared first, after the virtual time. */
static const char *const first_names[] = {"sample",  "prio",  "dest_lp", "lp",   "src_lp",
                                          "send_ts", "order", "tracer",  "place"};
enum { RANK_TIME = 0, RANK_SAMPLE = 1, RANK_OTHERS = 100 };

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

static bool is_role(const struct fmt_schema *schema, uint32_t field, enum fmt_role role)
{
    return schema->role_field[role] == (int32_t)field;
}

static bool is_distributed(const struct fmt_schema *schema, uint32_t field)
{
    assert(field < schema->n_fields);
    if (is_role(schema, field, FMT_ROLE_PE) || is_role(schema, field, FMT_ROLE_REAL_TIME)) {
        return true;
    }
    for (size_t i = 0; i < COUNT(distributed_names); i++) {
        if (strcmp(schema->fields[field].name, distributed_names[i]) == 0) {
            return true;
        }
    }
    return false;
}

/* Returns the position of a field in the order of comparison. */
static uint32_t field_rank(const struct ws_sort_layout *form, uint32_t field)
{
    const struct fmt_schema *schema = form->schema;
    if (is_role(schema, field, FMT_ROLE_VIRTUAL_TIME)) {
        return RANK_TIME;
    }
    if (is_role(schema, field, FMT_ROLE_PAYLOAD_TYPE)) {
        return UINT32_MAX - 1;
    }
    if (is_role(schema, field, FMT_ROLE_PAYLOAD_SIZE)) {
        return UINT32_MAX;
    }
    for (uint32_t i = 0; i < COUNT(first_names); i++) {
        if (strcmp(schema->fields[field].name, first_names[i]) == 0) {
            return RANK_SAMPLE + i;
        }
    }
    return RANK_OTHERS;
}

/* Returns true if values of this field can be added up. */
static bool is_count(const struct fmt_schema *schema, uint32_t field)
{
    uint32_t type = schema->fields[field].type;
    return type >= FMT_U8 && type <= FMT_U64 && !is_role(schema, field, FMT_ROLE_PAYLOAD_TYPE) &&
           !is_role(schema, field, FMT_ROLE_PAYLOAD_SIZE);
}

/* Returns true if the other schema has this field with the same meaning. */
static bool is_common(const struct fmt_schema *schema, uint32_t field,
                      const struct fmt_schema *common)
{
    const struct fmt_field *f = &schema->fields[field];
    int32_t i = ws_field_find(common, f->name);
    if (i < 0 || common->fields[i].type != f->type) {
        return false;
    }
    for (int role = FMT_ROLE_PE; role <= FMT_ROLE_PAYLOAD_SIZE; role++) {
        if (is_role(schema, field, (enum fmt_role)role) !=
            is_role(common, (uint32_t)i, (enum fmt_role)role)) {
            return false;
        }
    }
    return true;
}

static bool is_kept(const struct ws_sort_layout *form, const struct known_kind *kind,
                    uint32_t field)
{
    const struct fmt_schema *schema = form->schema;
    if (kind == NULL || is_role(schema, field, FMT_ROLE_VIRTUAL_TIME)) {
        return true;
    }
    if (is_distributed(schema, field)) {
        return false;
    }
    return !form->sums || is_count(schema, field) || field_rank(form, field) == RANK_SAMPLE;
}

/* Adds a field to the schema of the fields that are kept. */
static void view_add(struct ws_sort_layout *form, uint32_t field)
{
    assert(form->view.n_fields < form->schema->n_fields);
    const struct fmt_schema *schema = form->schema;
    struct fmt_schema *view = &form->view;
    for (int role = FMT_ROLE_PE; role <= FMT_ROLE_PAYLOAD_SIZE; role++) {
        if (is_role(schema, field, (enum fmt_role)role)) {
            view->role_field[role] = (int32_t)view->n_fields;
        }
    }
    form->view_fields[view->n_fields++] = schema->fields[field];
}

static bool is_field_before(const struct ws_sort_layout *form, uint32_t a, uint32_t b)
{
    uint32_t rank_a = field_rank(form, a), rank_b = field_rank(form, b);
    const struct fmt_field *fields = form->schema->fields;
    return rank_a != rank_b ? rank_a < rank_b : strcmp(fields[a].name, fields[b].name) < 0;
}

/* Inserts a part in order. A schema has at most 1024 fields, and this happens once per file. */
static void part_add(struct ws_sort_layout *form, uint32_t field)
{
    assert(form->n_parts < form->schema->n_fields);
    uint32_t i = form->n_parts++;
    for (; i > 0 && is_field_before(form, field, form->parts[i - 1].field); i--) {
        form->parts[i] = form->parts[i - 1];
    }
    form->parts[i] = (struct ws_sort_key_part){.field = field,
                                               .type = form->schema->fields[field].type,
                                               .view_field = form->view.n_fields};
    view_add(form, field);
}

/* Sets the offset of each part in the key. */
static void parts_place(struct ws_sort_layout *form)
{
    assert(form->key_size == 0);
    const struct fmt_schema *view = &form->view;
    for (uint32_t i = 0; i < form->n_parts; i++) {
        struct ws_sort_key_part *part = &form->parts[i];
        uint32_t rank = field_rank(form, part->field);
        part->at = form->key_size;
        part->size = (uint32_t)fmt_type_size(part->type);
        form->key_size += part->size;
        if (rank <= RANK_SAMPLE) {
            form->sums_at = form->key_size;
        }
        if (rank < RANK_OTHERS) {
            form->identity_size = form->key_size;
        }
    }
    form->has_time = view->role_field[FMT_ROLE_VIRTUAL_TIME] >= 0;
    form->has_payload = view->role_field[FMT_ROLE_PAYLOAD_SIZE] >= 0;
}

bool ws_sort_layout_init(struct ws_sort_layout *form, const struct fmt_schema *schema,
                         const struct fmt_schema *common)
{
    const struct known_kind *kind = kind_find(schema->name);
    *form = (struct ws_sort_layout){.schema = schema, .sums = kind != NULL && kind->sums};
    form->parts = calloc(schema->n_fields, sizeof *form->parts);
    form->view_fields = calloc(schema->n_fields, sizeof *form->view_fields);
    if (form->parts == NULL || form->view_fields == NULL) {
        return false;
    }
    form->view = *schema;
    form->view.fields = form->view_fields;
    form->view.n_fields = 0;
    memset(form->view.role_field, -1, sizeof form->view.role_field);
    for (uint32_t f = 0; f < schema->n_fields; f++) {
        if (is_kept(form, kind, f) && (common == NULL || is_common(schema, f, common))) {
            part_add(form, f);
        }
    }
    parts_place(form);
    form->lp_part = ws_sort_layout_part(form, "dest_lp");
    form->lp_part = form->lp_part < 0 ? ws_sort_layout_part(form, "lp") : form->lp_part;
    if (form->lp_part >= 0 && form->parts[form->lp_part].type > FMT_U64) {
        form->lp_part = -1;
    }
    form->type_part = -1;
    for (uint32_t i = 0; i < form->n_parts; i++) {
        if (is_role(schema, form->parts[i].field, FMT_ROLE_PAYLOAD_TYPE)) {
            form->type_part = (int32_t)i;
        }
    }
    return true;
}

void ws_sort_layout_free(struct ws_sort_layout *form)
{
    free(form->parts);
    free(form->view_fields);
    *form = (struct ws_sort_layout){0};
}

int32_t ws_sort_layout_part(const struct ws_sort_layout *form, const char *name)
{
    for (uint32_t i = 0; i < form->n_parts; i++) {
        if (strcmp(form->schema->fields[form->parts[i].field].name, name) == 0) {
            return (int32_t)i;
        }
    }
    return -1;
}
