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

#include "access/select.h"

#define ELEMENTS_MAX 65536u /* maximum number of elements in all payload descriptions together */

/* ---- Construction of the columns ------------------------------------------------------------- */

/* Returns the index of the column called `name` among those from index `first` on. Adds it if it is
 * missing. Returns WS_NO_COLUMN if the table is full or memory is exhausted. */
static uint32_t column_get(struct ws_table *t, uint32_t first, const char *name)
{
    for (uint32_t i = first; i < t->n_columns; i++) {
        if (strcmp(t->names[i], name) == 0) {
            return i;
        }
    }
    if (t->n_columns == t->columns_max) {
        return WS_NO_COLUMN;
    }
    char *copy = strdup(name);
    if (copy == NULL) {
        return WS_NO_COLUMN;
    }
    t->names[t->n_columns] = copy;
    return t->n_columns++;
}

static bool name_is_taken(const struct ws_table *t, const char *name)
{
    for (uint32_t i = 0; i < t->n_record_columns; i++) {
        if (strcmp(t->names[i], name) == 0) {
            return true;
        }
    }
    return strcmp(name, "payload") == 0 || strcmp(name, "record") == 0 || ws_label_column(name);
}

/* Builds column_field, the inverse of field_column. Returns false if out of memory. */
static bool column_fields_make(struct ws_table *t)
{
    assert(t->column_field == NULL && t->field_column != NULL);
    t->column_field = calloc(t->sb->n_schemas, sizeof *t->column_field);
    for (uint32_t s = 0; t->column_field != NULL && s < t->sb->n_schemas; s++) {
        t->column_field[s] = malloc(t->n_record_columns * sizeof *t->column_field[s]);
        if (t->column_field[s] == NULL) {
            return false;
        }
        for (uint32_t c = 0; c < t->n_record_columns; c++) {
            t->column_field[s][c] = -1;
        }
        for (uint32_t f = 0; f < t->sb->schemas[s]->n_fields; f++) {
            t->column_field[s][t->field_column[s][f]] = (int32_t)f;
        }
    }
    return t->column_field != NULL;
}

static bool record_columns_make(struct ws_table *t)
{
    if (t->sb->n_schemas > 1 && column_get(t, 0, "record") == WS_NO_COLUMN) {
        return false;
    }
    t->field_column = calloc(t->sb->n_schemas, sizeof *t->field_column);
    if (t->field_column == NULL) {
        return false;
    }
    for (uint32_t s = 0; s < t->sb->n_schemas; s++) {
        const struct fmt_schema *schema = t->sb->schemas[s];
        t->field_column[s] = malloc(schema->n_fields * sizeof *t->field_column[s]);
        if (t->field_column[s] == NULL) {
            return false;
        }
        for (uint32_t f = 0; f < schema->n_fields; f++) {
            t->field_column[s][f] = column_get(t, 0, schema->fields[f].name);
            if (t->field_column[s][f] == WS_NO_COLUMN) {
                return false;
            }
        }
    }
    t->n_record_columns = t->n_columns;
    t->columns_max = t->n_columns + WS_COLUMNS_MAX;
    return column_fields_make(t);
}

/* Returns the number of elements of a payload field; a string is one element. */
static uint64_t field_elements(const struct fmt_payload_field *f)
{
    return f->type == FMT_CHAR ? 1 : f->count;
}

static uint64_t desc_elements(const struct fmt_payload_desc *desc)
{
    uint64_t n = 0;
    for (uint32_t f = 0; f < desc->n_fields; f++) {
        n += field_elements(&desc->fields[f]);
    }
    return n;
}

/* Returns the index of the column for element i of a payload field. Adds it if it is missing.
 * Returns WS_NO_COLUMN if that fails. */
static uint32_t element_column(struct ws_table *t, const struct fmt_payload_field *f, uint64_t i)
{
    size_t size = strlen(f->name) + 32;
    char *name = malloc(size);
    if (name == NULL) {
        return WS_NO_COLUMN;
    }
    if (field_elements(f) > 1) {
        snprintf(name, size, "%s_%llu", f->name, (unsigned long long)i);
    } else {
        snprintf(name, size, "%s", f->name);
    }
    if (name_is_taken(t, name)) {
        memmove(name + 8, name, strlen(name) + 1);
        memcpy(name, "payload.", 8);
    }
    uint32_t column = column_get(t, t->n_record_columns, name);
    free(name);
    return column;
}

/* Adds the columns for a payload description with this number of elements. Returns the column of
 * each element, in an array on the heap; NULL if its payloads cannot be shown in columns. */
static uint32_t *desc_columns_make(struct ws_table *t, const struct fmt_payload_desc *desc,
                                   uint64_t elements)
{
    assert(elements > 0 && elements <= ELEMENTS_MAX);
    uint32_t *columns = malloc((size_t)elements * sizeof *columns), n = 0, before = t->n_columns;
    for (uint32_t f = 0; columns != NULL && f < desc->n_fields; f++) {
        for (uint64_t i = 0; i < field_elements(&desc->fields[f]); i++) {
            columns[n] = element_column(t, &desc->fields[f], i);
            if (columns[n++] != WS_NO_COLUMN) {
                continue;
            }
            while (t->n_columns > before) {
                free(t->names[--t->n_columns]);
            }
            free(columns);
            return NULL;
        }
    }
    return columns;
}

static bool payload_columns_make(struct ws_table *t)
{
    uint64_t room = ELEMENTS_MAX;
    bool hex = t->descs->n == 0, payload = false;
    for (uint32_t s = 0; s < t->sb->n_schemas; s++) {
        payload |= t->sb->schemas[s]->role_field[FMT_ROLE_PAYLOAD_SIZE] >= 0;
    }
    t->element_column = calloc(t->descs->n + 1, sizeof *t->element_column);
    if (t->element_column == NULL) {
        return false;
    }
    for (size_t d = 0; payload && d < t->descs->n; d++) {
        const struct fmt_payload_desc *desc = &t->descs->descs[d];
        uint64_t elements = desc_elements(desc);
        if (elements > 0 && elements <= room) {
            t->element_column[d] = desc_columns_make(t, desc, elements);
        }
        if (t->element_column[d] != NULL) {
            room -= elements;
        } else {
            hex |= desc->size > 0;
        }
    }
    if (payload && hex) {
        t->names[t->n_columns] = strdup("payload");
        t->hex_column = (int32_t)t->n_columns;
        return t->names[t->n_columns++] != NULL;
    }
    return true;
}

bool ws_table_init(struct ws_table *t, const struct fmt_superblock *sb,
                   const struct fmt_desc_set *descs)
{
    *t = (struct ws_table){.sb = sb, .descs = descs, .hex_column = -1};
    /* One column for "record"; the columns for fields follow. */
    t->columns_max = 1;
    for (uint32_t s = 0; s < sb->n_schemas; s++) {
        t->columns_max += sb->schemas[s]->n_fields;
    }
    /* The array has space for one more name, "payload". */
    t->names = calloc((size_t)t->columns_max + WS_COLUMNS_MAX + 1, sizeof *t->names);
    if (t->names == NULL || !record_columns_make(t) || !payload_columns_make(t)) {
        return false;
    }
    t->first_label = t->n_columns;
    t->cells = calloc(t->n_columns, sizeof *t->cells);
    return t->cells != NULL;
}

/* Finds the names for the numeric values in each kind of record, and allocates label_column.
 * Returns false if out of memory. */
static bool labels_find(struct ws_table *t)
{
    t->labels = calloc(t->sb->n_schemas, sizeof *t->labels);
    t->label_column = calloc(t->sb->n_schemas, sizeof *t->label_column);
    bool good = t->labels != NULL && t->label_column != NULL;
    for (uint32_t s = 0; good && s < t->sb->n_schemas; s++) {
        good = ws_label_set_init(&t->labels[s], t->sb->schemas[s], t->descs);
        t->label_column[s] = calloc((size_t)t->labels[s].n + 1, sizeof *t->label_column[s]);
        good &= t->label_column[s] != NULL;
        t->columns_max += t->labels[s].n;
    }
    return good;
}

bool ws_table_add_labels(struct ws_table *t)
{
    assert(t->labels == NULL);
    t->columns_max = t->n_columns;
    if (!labels_find(t)) {
        return false;
    }
    /* The size must not be 0 even if records have no columns, since reallocation to 0 bytes frees
     * memory. */
    size_t room = (size_t)t->columns_max + 1;
    char **names = realloc(t->names, room * sizeof *names);
    struct ws_cell *cells = realloc(t->cells, room * sizeof *cells);
    t->names = names == NULL ? t->names : names;
    t->cells = cells == NULL ? t->cells : cells;
    bool good = names != NULL && cells != NULL;
    for (uint32_t s = 0; good && s < t->sb->n_schemas; s++) {
        for (uint32_t i = 0; good && i < t->labels[s].n; i++) {
            const struct ws_labels *labels = &t->labels[s].list[i];
            if (t->type_names && labels->kind == WS_LABELS_TYPES) {
                t->label_column[s][i] = WS_NO_COLUMN;
                continue;
            }
            t->label_column[s][i] = column_get(t, t->first_label, labels->column);
            good = t->label_column[s][i] != WS_NO_COLUMN;
        }
    }
    return good;
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
    for (uint32_t i = 0; i < t->labels[kind].n; i++) {
        if (t->label_column[kind][i] == column) {
            return true;
        }
    }
    return false;
}

void ws_table_fini(struct ws_table *t)
{
    for (uint32_t i = 0; i < t->n_columns; i++) {
        free(t->names[i]);
    }
    for (uint32_t s = 0; t->field_column != NULL && s < t->sb->n_schemas; s++) {
        free(t->field_column[s]);
    }
    for (uint32_t s = 0; t->column_field != NULL && s < t->sb->n_schemas; s++) {
        free(t->column_field[s]);
    }
    for (size_t d = 0; t->element_column != NULL && d < t->descs->n; d++) {
        free(t->element_column[d]);
    }
    for (uint32_t s = 0; t->labels != NULL && s < t->sb->n_schemas; s++) {
        ws_label_set_free(&t->labels[s]);
    }
    for (uint32_t s = 0; t->label_column != NULL && s < t->sb->n_schemas; s++) {
        free(t->label_column[s]);
    }
    free(t->labels);
    free(t->label_column);
    free(t->names);
    free(t->field_column);
    free(t->column_field);
    free(t->element_column);
    free(t->cells);
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

static void element_fill(struct ws_cell *cell, const struct fmt_payload_field *f,
                         const uint8_t *bytes)
{
    if (f->type == FMT_CHAR) {
        const void *end = memchr(bytes, 0, f->count);
        cell->kind = WS_CELL_TEXT;
        cell->bytes = bytes;
        cell->size = end == NULL ? f->count : (size_t)((const uint8_t *)end - bytes);
        return;
    }
    cell->kind = WS_CELL_VALUE;
    cell->value = fmt_value_read(bytes, f->type);
}

static const char *payload_fill(struct ws_table *t, const struct fmt_columns *c, uint32_t row)
{
    uint64_t at = c->payload_offset[row], size = c->payload_offset[row + 1] - at;
    int32_t type_field = c->schema->role_field[FMT_ROLE_PAYLOAD_TYPE];
    uint32_t type =
        type_field < 0 ? 0 : (uint32_t)fmt_columns_value(c, (uint32_t)type_field, row).as.u;
    const char *wrong = ws_payload_check(t->descs, type, size);
    if (wrong != NULL || size == 0) {
        return wrong;
    }
    const struct fmt_payload_desc *desc = fmt_desc_set_find(t->descs, type);
    const uint32_t *columns = desc == NULL ? NULL : t->element_column[desc - t->descs->descs];
    if (columns == NULL) {
        assert(t->hex_column >= 0);
        t->cells[t->hex_column] =
            (struct ws_cell){.kind = WS_CELL_HEX, .bytes = c->payload + at, .size = (size_t)size};
        return NULL;
    }
    for (uint32_t f = 0; f < desc->n_fields; f++) {
        const struct fmt_payload_field *field = &desc->fields[f];
        for (uint64_t i = 0; i < field_elements(field); i++) {
            element_fill(&t->cells[*columns++], field,
                         c->payload + at + field->offset + i * fmt_type_size(field->type));
        }
    }
    return NULL;
}

/* Replaces the payload type in the cell by the name of the owner of its description, since the id
 * of a type has a meaning only within the file. */
static void type_name_fill(struct ws_table *t, struct ws_cell *cell)
{
    const struct fmt_payload_desc *desc = fmt_desc_set_find(t->descs, (uint32_t)cell->value.as.u);
    *cell = (struct ws_cell){0};
    if (desc != NULL) {
        *cell = (struct ws_cell){
            .kind = WS_CELL_TEXT, .bytes = desc->owner, .size = strlen(desc->owner)};
    }
}

/* Fills the cells in the columns of names, for one record. */
static void labels_fill(struct ws_table *t, const struct fmt_columns *c, uint32_t row)
{
    assert(t->labels != NULL);
    uint32_t s = ws_schema_number(t->sb, c->schema);
    for (uint32_t i = 0; i < t->labels[s].n; i++) {
        uint32_t column = t->label_column[s][i];
        const char *name =
            column == WS_NO_COLUMN ? NULL : ws_label_name(&t->labels[s].list[i], c, row);
        if (name != NULL) {
            t->cells[column] =
                (struct ws_cell){.kind = WS_CELL_TEXT, .bytes = name, .size = strlen(name)};
        }
    }
}

const char *ws_table_fill_payload(struct ws_table *t, const struct fmt_columns *c, uint32_t row)
{
    assert(row < c->n_records && t->n_record_columns <= t->n_columns);
    uint32_t n = t->n_columns - t->n_record_columns;
    if (n == 0 && (t->descs->n == 0 || c->schema->role_field[FMT_ROLE_PAYLOAD_SIZE] < 0)) {
        return NULL;
    }
    memset(t->cells + t->n_record_columns, 0, n * sizeof *t->cells);
    if (t->labels != NULL) {
        labels_fill(t, c, row);
    }
    return c->schema->role_field[FMT_ROLE_PAYLOAD_SIZE] < 0 ? NULL : payload_fill(t, c, row);
}

const char *ws_table_fill(struct ws_table *t, const struct fmt_columns *c, uint32_t row)
{
    assert(row < c->n_records);
    const struct fmt_schema *schema = c->schema;
    const uint32_t *columns = t->field_column[ws_schema_number(t->sb, schema)];
    memset(t->cells, 0, t->n_record_columns * sizeof *t->cells);
    if (t->sb->n_schemas > 1) {
        t->cells[0] = (struct ws_cell){
            .kind = WS_CELL_TEXT, .bytes = schema->name, .size = strlen(schema->name)};
    }
    for (uint32_t f = 0; f < schema->n_fields; f++) {
        struct ws_cell *cell = &t->cells[columns[f]];
        cell->kind = WS_CELL_VALUE;
        cell->value = fmt_columns_value(c, f, row);
        if (t->type_names && schema->role_field[FMT_ROLE_PAYLOAD_TYPE] == (int32_t)f) {
            type_name_fill(t, cell);
        }
    }
    return ws_table_fill_payload(t, c, row);
}
