/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * table.c - the columns in which the records of a file are shown; see table.h.
 *
 * Columns are found by name with a linear search, once per file. Its cost is limited, since there
 * are at most WS_COLUMNS_MAX columns and ELEMENTS_MAX elements of payloads.
 */
#include "access/table.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "access/bind.h"
#include "store/array.h"
#include "text/text_new.h"

#define ELEMENTS_MAX 65536u /* maximum number of elements in all payload descriptions together */

/* ---- Construction of the columns ------------------------------------------------------------- */

/* Returns the index of the column called `name` among those from index `first` on; n_columns if there
 * is none. */
static uint32_t column_find(const struct ws_table *t, uint32_t first, const char *name)
{
    uint32_t i = first;
    while (i < t->n_columns && strcmp(t->names[i], name) != 0) {
        i++;
    }
    return i;
}

/* Like column_find(), but adds the column if it is missing. Returns WS_NO_COLUMN if the table is full or
 * memory is exhausted. */
static uint32_t column_get(struct ws_table *t, uint32_t first, const char *name)
{
    uint32_t i = column_find(t, first, name);
    if (i < t->n_columns) {
        return i;
    }
    char *copy = i == t->columns_max ? NULL : strdup(name);
    if (copy == NULL || !array_append(&t->names, i, sizeof *t->names)) {
        free(copy);
        return WS_NO_COLUMN;
    }
    t->names[i] = copy;
    return t->n_columns++;
}

static bool name_is_taken(const struct ws_table *t, const char *name)
{
    return column_find(t, 0, name) < t->n_record_columns || strcmp(name, "payload") == 0 ||
           strcmp(name, "record") == 0 || ws_label_column(name);
}

static bool record_columns_make(struct ws_table *t)
{
    size_t most = 1; /* number of columns if all names differ */
    for (uint32_t s = 0; s < t->sb->n_schemas; s++) {
        most += t->sb->schemas[s]->n_fields;
    }
    t->columns_max = UINT32_MAX;
    t->column_field = calloc(t->sb->n_schemas, sizeof *t->column_field);
    if (t->column_field == NULL ||
        (t->sb->n_schemas > 1 && column_get(t, 0, "record") == WS_NO_COLUMN)) {
        return false;
    }
    for (uint32_t s = 0; s < t->sb->n_schemas; s++) {
        int32_t *fields = t->column_field[s] = malloc(most * sizeof *fields);
        if (fields == NULL) {
            return false;
        }
        memset(fields, 0xff, most * sizeof *fields); /* -1 */
        for (uint32_t f = 0; f < t->sb->schemas[s]->n_fields; f++) {
            uint32_t column = column_get(t, 0, t->sb->schemas[s]->fields[f].name);
            if (column == WS_NO_COLUMN) {
                return false;
            }
            fields[column] = (int32_t)f;
        }
    }
    t->n_record_columns = t->n_columns;
    t->columns_max = t->n_columns + WS_COLUMNS_MAX;
    return true;
}

static uint64_t desc_elements(const struct fmt_payload_desc *desc)
{
    uint64_t n = 0;
    for (uint32_t f = 0; f < desc->n_fields; f++) {
        n += ws_field_elements(&desc->fields[f]);
    }
    return n;
}

/* Returns the index of the column for element i of a payload field. Adds it if it is missing.
 * Returns WS_NO_COLUMN if that fails. */
static uint32_t element_column(struct ws_table *t, const struct fmt_payload_field *f, uint64_t i)
{
    static const char before[] = "payload.";
    char *name = ws_field_elements(f) > 1
                     ? text_new("%s%s_%llu", before, f->name, (unsigned long long)i)
                     : text_new("%s%s", before, f->name);
    if (name == NULL) {
        return WS_NO_COLUMN;
    }
    const char *usual = name + strlen(before);
    uint32_t column = column_get(t, t->n_record_columns, name_is_taken(t, usual) ? name : usual);
    free(name);
    return column;
}

static int by_place(const void *a, const void *b)
{
    const struct ws_element *x = a, *y = b;
    return x->place != y->place ? (x->place > y->place) - (x->place < y->place)
                                : (x->field > y->field) - (x->field < y->field);
}

/* Sorts the elements of a payload by column. If two of them have the same column (element 0 of an
 * array "a", and a field "a_0"), keeps the one that the model declared later. */
static void plan_order(struct ws_plan *plan)
{
    uint32_t n = 0;
    qsort(plan->elements, plan->n, sizeof *plan->elements, by_place);
    for (uint32_t i = 0; i < plan->n; i++) {
        bool same = n > 0 && plan->elements[n - 1].place == plan->elements[i].place;
        n += !same;
        plan->elements[n - 1] = plan->elements[i];
        plan->text_bytes += plan->elements[i].type == FMT_CHAR ? plan->elements[i].count : 0;
    }
    plan->n = n;
}

/* Adds the columns for a payload description with this number of elements, and makes its plan. The
 * plan has no elements if the payloads cannot be shown in columns. */
static void plan_make(struct ws_table *t, struct ws_plan *plan, const struct fmt_payload_desc *desc,
                      uint64_t elements)
{
    assert(elements > 0 && elements <= ELEMENTS_MAX);
    uint32_t before = t->n_columns;
    plan->elements = calloc((size_t)elements, sizeof *plan->elements);
    for (uint32_t f = 0; plan->elements != NULL && f < desc->n_fields; f++) {
        const struct fmt_payload_field *field = &desc->fields[f];
        for (uint32_t i = 0; plan->elements != NULL && i < ws_field_elements(field); i++) {
            uint32_t place = element_column(t, field, i);
            plan->elements[plan->n] = (struct ws_element){.place = place,
                                                          .type = field->type,
                                                          .count = field->count,
                                                          .offset = ws_field_element_at(field, i),
                                                          .field = field};
            plan->n++;
            if (place == WS_NO_COLUMN) {
                free(plan->elements);
                *plan = (struct ws_plan){.n = 0};
            }
        }
    }
    while (plan->elements == NULL && t->n_columns > before) {
        free(t->names[--t->n_columns]);
    }
    if (plan->elements != NULL) {
        plan_order(plan);
    }
}

static bool payload_columns_make(struct ws_table *t)
{
    uint64_t room = ELEMENTS_MAX;
    bool hex = t->descs->n == 0, payload = false;
    for (uint32_t s = 0; s < t->sb->n_schemas; s++) {
        payload |= t->sb->schemas[s]->role_field[FMT_ROLE_PAYLOAD_SIZE] >= 0;
    }
    t->plans = calloc(t->descs->n + 1, sizeof *t->plans);
    if (t->plans == NULL) {
        return false;
    }
    for (size_t d = 0; payload && d < t->descs->n; d++) {
        const struct fmt_payload_desc *desc = &t->descs->descs[d];
        uint64_t elements = desc_elements(desc);
        if (elements > 0 && elements <= room) {
            plan_make(t, &t->plans[d], desc, elements);
        }
        if (t->plans[d].elements != NULL) {
            room -= elements;
        } else {
            hex |= desc->size > 0;
        }
    }
    if (payload && hex) {
        t->columns_max++;
        t->hex_column = (int32_t)column_get(t, t->n_columns, "payload");
        return t->hex_column >= 0;
    }
    return true;
}

bool ws_table_init(struct ws_table *t, const struct fmt_superblock *sb,
                   const struct fmt_desc_set *descs)
{
    *t = (struct ws_table){
        .sb = sb, .descs = descs, .n_kinds = sb->n_schemas, .n_plans = descs->n, .hex_column = -1};
    bool good = record_columns_make(t) && payload_columns_make(t);
    t->first_label = t->n_columns;
    return good;
}

bool ws_table_add_labels(struct ws_table *t)
{
    assert(t->labels == NULL);
    t->columns_max = UINT32_MAX;
    t->labels = calloc(t->sb->n_schemas, sizeof *t->labels);
    bool good = t->labels != NULL;
    for (uint32_t s = 0; good && s < t->sb->n_schemas; s++) {
        good = ws_label_set_init(&t->labels[s], t->sb->schemas[s], t->descs);
        for (uint32_t i = 0; good && i < t->labels[s].n; i++) {
            struct ws_labels *labels = &t->labels[s].list[i];
            bool is_shown = !t->type_names || labels->kind != WS_LABELS_TYPES;
            labels->place = is_shown ? column_get(t, t->first_label, labels->column) : WS_NO_COLUMN;
            good = !is_shown || labels->place != WS_NO_COLUMN;
        }
    }
    return good;
}

const struct ws_labels *ws_table_labels(const struct ws_table *t, uint32_t kind, int64_t column)
{
    for (uint32_t i = 0; i < t->labels[kind].n; i++) {
        if (t->labels[kind].list[i].place == column) {
            return &t->labels[kind].list[i];
        }
    }
    return NULL;
}

bool ws_table_is_type(const struct ws_table *t, uint32_t kind, uint32_t column)
{
    const struct ws_labels *labels =
        column < t->first_label ? NULL : ws_table_labels(t, kind, column);
    return labels != NULL && labels->kind == WS_LABELS_TYPES;
}

bool ws_table_has(const struct ws_table *t, uint32_t kind, uint32_t column)
{
    assert(kind < t->sb->n_schemas && column < t->n_columns);
    const struct fmt_schema *schema = t->sb->schemas[kind];
    if (column < t->n_record_columns) {
        bool is_record = t->sb->n_schemas > 1 && column == 0;
        return is_record || t->column_field[kind][column] >= 0;
    }
    if (column < t->first_label) {
        return schema->role_field[FMT_ROLE_PAYLOAD_SIZE] >= 0;
    }
    return ws_table_labels(t, kind, column) != NULL;
}

void ws_table_fini(struct ws_table *t)
{
    for (uint32_t i = 0; i < t->n_columns; i++) {
        free(t->names[i]);
    }
    for (uint32_t s = 0; t->column_field != NULL && s < t->n_kinds; s++) {
        free(t->column_field[s]);
    }
    for (size_t d = 0; t->plans != NULL && d < t->n_plans; d++) {
        free(t->plans[d].elements);
    }
    for (uint32_t s = 0; t->labels != NULL && s < t->n_kinds; s++) {
        ws_label_set_free(&t->labels[s]);
    }
    free(t->labels);
    free(t->names);
    free(t->column_field);
    free(t->plans);
    free(t->shown);
    *t = (struct ws_table){0};
}

/* ---- Cells of a row -------------------------------------------------------------------------- */

const char *ws_payload_check(const struct fmt_desc_set *descs, uint32_t type, uint64_t size)
{
    const struct fmt_payload_desc *desc = fmt_desc_set_find(descs, type);
    if (descs->n == 0 || size == 0) {
        return NULL;
    }
    if (desc == NULL) {
        return "a payload is of a type that is not described in the file";
    }
    return desc->size == size ? NULL : "a payload is not of the size of its description";
}

void ws_table_plan_find(const struct ws_table *t, struct ws_plan_last *last, uint32_t type,
                        uint64_t size)
{
    *last = (struct ws_plan_last){.known = true, .type = type, .size = size, .plan = WS_PLAN_NONE};
    last->words = ws_payload_check(t->descs, type, size);
    if (last->words != NULL) {
        last->plan = WS_PLAN_WRONG;
    } else if (size > 0) {
        const struct fmt_payload_desc *desc = fmt_desc_set_find(t->descs, type);
        last->plan = desc == NULL ? WS_PLAN_BYTES : (int32_t)(desc - t->descs->descs);
        last->plan =
            desc != NULL && t->plans[last->plan].elements == NULL ? WS_PLAN_BYTES : last->plan;
    }
}

const struct ws_element *ws_table_element(const struct ws_plan *plan, uint32_t place)
{
    const struct ws_element *first = plan->elements, *last = first + plan->n - 1;
    if (place < first->place || place > last->place) {
        return NULL;
    }
    /* The elements of a description mostly have adjacent columns. */
    if (place - first->place < plan->n && first[place - first->place].place == place) {
        return first + (place - first->place);
    }
    const struct ws_element key = {.place = place};
    while (first < last) {
        const struct ws_element *middle = first + (last - first) / 2;
        if (middle->place < key.place) {
            first = middle + 1;
        } else {
            last = middle;
        }
    }
    return first->place == place ? first : NULL;
}

static struct ws_cell text_cell(const char *text)
{
    return (struct ws_cell){
        .bytes = text, .size = text == NULL ? 0 : strlen(text), .type = FMT_CHAR};
}

/* Returns the cell in a column of names. */
static struct ws_cell label_cell(const struct ws_table *t, const struct fmt_columns *c,
                                 uint32_t row, uint32_t kind, int32_t plan, uint32_t column)
{
    const struct ws_labels *labels = ws_table_labels(t, kind, column);
    if (labels == NULL) {
        return (struct ws_cell){.bytes = NULL};
    }
    /* A plan has the number of its description. */
    uint32_t place = labels->kind == WS_LABELS_TYPES && plan >= 0 ? labels->places[plan]
                                                                  : ws_label_place(labels, c, row);
    return text_cell(place == WS_NO_LABEL ? NULL : labels->known.names[place]);
}

static struct ws_cell payload_cell(const struct ws_table *t, const struct fmt_columns *c,
                                   uint32_t row, int32_t plan, uint32_t column)
{
    const uint8_t *payload =
        plan == WS_PLAN_BYTES || plan >= 0 ? c->payload + c->payload_offset[row] : NULL;
    if (plan == WS_PLAN_BYTES && (int32_t)column == t->hex_column) {
        size_t size = (size_t)(c->payload_offset[row + 1] - c->payload_offset[row]);
        return (struct ws_cell){.bytes = payload, .size = size, .type = WS_TYPE_BYTES};
    }
    const struct ws_element *e = plan < 0 ? NULL : ws_table_element(&t->plans[plan], column);
    if (e == NULL) {
        return (struct ws_cell){.bytes = NULL};
    }
    const uint8_t *bytes = payload + e->offset;
    size_t size = e->type == FMT_CHAR ? strnlen((const char *)bytes, e->count) : 0;
    return (struct ws_cell){.bytes = bytes, .size = size, .type = e->type};
}

struct ws_cell ws_table_cell(const struct ws_table *t, const struct fmt_columns *c, uint32_t row,
                             int32_t plan, uint32_t column)
{
    assert(column < t->n_columns && row < c->n_records);
    if (column >= t->n_record_columns && column < t->first_label) {
        return payload_cell(t, c, row, plan, column);
    }
    uint32_t kind = ws_schema_number(t->sb, c->schema);
    if (column >= t->n_record_columns) {
        return label_cell(t, c, row, kind, plan, column);
    }
    int32_t field = t->column_field[kind][column];
    if (field < 0) {
        bool is_record = t->sb->n_schemas > 1 && column == 0;
        return text_cell(is_record ? c->schema->name : NULL);
    }
    if (t->type_names && c->schema->role_field[FMT_ROLE_PAYLOAD_TYPE] == field) {
        /* The id of a type has a meaning only within the file. */
        uint32_t id = (uint32_t)ws_whole_at(c, field, row);
        const struct fmt_payload_desc *desc = fmt_desc_set_find(t->descs, id);
        return text_cell(desc == NULL ? NULL : desc->owner);
    }
    uint32_t type = c->schema->fields[field].type;
    return (struct ws_cell){.bytes = c->values[field] + row * fmt_type_size(type), .type = type};
}
