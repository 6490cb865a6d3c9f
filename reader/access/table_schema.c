/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * table_schema.c - one kind of record as a table with typed columns; see table_schema.h.
 */
#include "access/table_schema.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "text/text_new.h"

enum value_class { UNSIGNED, SIGNED, FLOAT, TEXT, N_CLASSES };
static const char *const class_names[N_CLASSES] = {"unsigned", "signed", "float", "text"};

static enum value_class class_of(uint32_t type)
{
    return type <= FMT_U64 ? UNSIGNED : type <= FMT_I64 ? SIGNED : type <= FMT_F64 ? FLOAT : TEXT;
}

/* For one column of k->table: [class]: index of the typed column that holds its values of this
 * class; UINT32_MAX: none. Used during construction. */
struct split {
    uint32_t column[N_CLASSES];
};

/* ---- Columns --------------------------------------------------------------------------------- */

static void column_add(struct ws_table_schema *k, const char *name, uint32_t type, int32_t field)
{
    k->columns[k->n_columns++] =
        (struct ws_column){.name = name, .unit = "", .text = "", .type = type, .field = field};
}

/* Creates a typed column for each column of k->table. Columns of payloads get their types later. */
static void columns_begin(struct ws_table_schema *k)
{
    for (uint32_t i = 0; i < k->table.n_columns; i++) {
        bool bytes = (int32_t)i == k->table.hex_column;
        column_add(k, k->table.names[i], bytes ? WS_TYPE_BYTES : 0, -1);
        if (bytes) {
            k->bytes_column = (int32_t)i;
            k->columns[i].text = "payload that is not described";
        }
    }
    for (uint32_t i = k->table.first_label; i < k->table.n_columns; i++) {
        const struct ws_labels *labels = &k->table.labels[0].list[i - k->table.first_label];
        k->columns[i].type = FMT_CHAR;
        k->columns[i].text = labels->text;
        k->columns[i].labels = labels;
        k->columns[i].measure = FMT_IDENTITY;
        k->columns[i].size = sizeof(uint32_t);
    }
    for (uint32_t i = 0; i < k->table.n_record_columns; i++) {
        struct ws_column *column = &k->columns[i];
        column->field = k->table.column_field[0][i];
        const struct fmt_field *field = &k->schema->fields[column->field];
        column->unit = field->unit;
        column->text = field->text;
        column->measure = field->measure;
        column->type = field->type;
        column->size = (uint32_t)fmt_type_size(field->type);
    }
}

/* Makes the column wide enough for values of an element. */
static void column_widen(struct ws_column *column, const struct ws_element *e)
{
    if (e->type == FMT_CHAR) {
        column->type = FMT_CHAR;
        column->size = e->count > column->size ? e->count : column->size;
    } else if (e->type > column->type) {
        column->type = e->type;
        column->size = (uint32_t)fmt_type_size(e->type);
    }
}

/* Adds a further typed column for column `place` of k->table, to hold the values of this class. The
 * existing typed columns of `place` hold values of other classes. Returns false if out of
 * memory. */
static bool column_split(struct ws_table_schema *k, uint32_t place, enum value_class class)
{
    assert(place < k->table.n_columns);
    char *name = text_new("%s.%s", k->table.names[place], class_names[class]);
    struct ws_column *columns =
        realloc(k->columns, ((size_t)k->n_columns + 1) * sizeof *k->columns);
    if (columns != NULL) {
        k->columns = columns;
    }
    if (name == NULL || columns == NULL) {
        free(name);
        return false;
    }
    column_add(k, name, 0, -1);
    k->columns[k->n_columns - 1].owned_name = name;
    return true;
}

/* Sets e->column to the typed column for the element e, and adds the column if necessary. Returns
 * false if out of memory. */
static bool element_place(struct ws_table_schema *k, struct split *splits, struct ws_element *e)
{
    assert(e->place < k->table.n_columns);
    enum value_class class = class_of(e->type);
    uint32_t *column = &splits[e->place].column[class];
    if (*column == UINT32_MAX) {
        bool first = k->columns[e->place].type == 0;
        *column = first ? e->place : k->n_columns;
        if (!first && !column_split(k, e->place, class)) {
            return false;
        }
        k->columns[*column].unit = e->field->unit;
        k->columns[*column].measure = e->field->measure;
    }
    column_widen(&k->columns[*column], e);
    e->column = *column;
    return true;
}

/* Gives each element of the plans its typed column. Returns false if out of memory. */
static bool plans_place(struct ws_table_schema *k, const struct fmt_desc_set *descs)
{
    struct split *splits = malloc((k->table.n_columns + (size_t)1) * sizeof *splits);
    bool good = splits != NULL;
    if (good) {
        memset(splits, 0xff, k->table.n_columns * sizeof *splits);
    }
    for (size_t d = 0; d < descs->n; d++) {
        const struct ws_plan *plan = &k->table.plans[d];
        for (uint32_t i = 0; good && i < plan->n; i++) {
            good = element_place(k, splits, &plan->elements[i]);
        }
    }
    free(splits);
    return good;
}

/* ---- Kind of records ------------------------------------------------------------------------- */

/* Sets the name of the kind. If an earlier kind of the file has the same name, appends the id of
 * this kind. Returns false if out of memory. */
static bool name_make(struct ws_table_schema *k, const struct fmt_superblock *sb, uint32_t schema)
{
    assert(k->schema == sb->schemas[schema]);
    k->name = k->schema->name;
    for (uint32_t i = 0; i < schema; i++) {
        if (strcmp(sb->schemas[i]->name, k->name) == 0) {
            k->name = k->owned_name = text_new("%s_%u", k->name, (unsigned)k->schema->id);
            return k->name != NULL;
        }
    }
    return true;
}

bool ws_table_schema_init(struct ws_table_schema *k, const struct fmt_superblock *sb,
                          uint32_t schema, const struct fmt_desc_set *descs, bool with_labels)
{
    assert(schema < sb->n_schemas);
    *k = (struct ws_table_schema){.schema = sb->schemas[schema], .view = *sb, .bytes_column = -1};
    k->view.schemas = &k->schema;
    k->view.n_schemas = 1;
    if (!ws_table_init(&k->table, &k->view, descs) ||
        (with_labels && !ws_table_add_labels(&k->table)) || !name_make(k, sb, schema)) {
        return false;
    }
    k->columns = calloc(k->table.n_columns, sizeof *k->columns);
    if (k->columns == NULL) {
        return false;
    }
    columns_begin(k);
    return plans_place(k, descs);
}

void ws_table_schema_fini(struct ws_table_schema *k)
{
    for (uint32_t i = 0; k->columns != NULL && i < k->n_columns; i++) {
        free(k->columns[i].owned_name);
    }
    free(k->columns);
    free(k->owned_name);
    ws_table_fini(&k->table);
    *k = (struct ws_table_schema){0};
}

uint32_t ws_table_schema_column(const struct ws_table_schema *k,
                                const struct ws_label_source *source)
{
    assert(source->desc >= k->table.descs->descs &&
           source->desc < k->table.descs->descs + k->table.descs->n);
    const struct ws_plan *plan = &k->table.plans[source->desc - k->table.descs->descs];
    for (uint32_t e = 0; e < plan->n; e++) {
        if (plan->elements[e].field == source->field) {
            return plan->elements[e].column;
        }
    }
    return WS_NO_COLUMN;
}

static int by_column(const void *a, const void *b)
{
    const struct ws_label_source *x = a, *y = b;
    return x->column != y->column ? (x->column > y->column) - (x->column < y->column)
                                  : (x->desc > y->desc) - (x->desc < y->desc);
}

void ws_table_schema_sort(const struct ws_table_schema *k, struct ws_labels *labels)
{
    for (uint32_t i = 0; i < labels->n_sources; i++) {
        labels->sources[i].column = ws_table_schema_column(k, &labels->sources[i]);
    }
    qsort(labels->sources, labels->n_sources, sizeof *labels->sources, by_column);
}

/* Makes room for the records of a block. Returns false if out of memory. */
static bool rows_reserve(struct ws_rows_memory *m, uint32_t n)
{
    if (n > m->max) {
        ws_rows_memory_free(m);
        m->rows = malloc(n * sizeof *m->rows);
        m->plans = malloc(n * sizeof *m->plans);
        m->max = m->rows == NULL || m->plans == NULL ? 0 : n;
    }
    return n <= m->max;
}

bool ws_rows_choose(struct ws_rows *rows, struct ws_rows_memory *m, const struct ws_part *part)
{
    const struct fmt_columns *c = part->columns;
    *rows = (struct ws_rows){.columns = c, .n = c->n_records};
    if (part->all) {
        return true;
    }
    if (!rows_reserve(m, c->n_records)) {
        return false;
    }
    rows->n = 0;
    for (uint32_t row = 0; row < c->n_records; row++) {
        m->rows[rows->n] = row;
        rows->n += ws_part_has(part, row);
    }
    rows->rows = rows->n == c->n_records ? NULL : m->rows;
    return true;
}

bool ws_rows_plan(struct ws_rows *rows, struct ws_rows_memory *m, const struct ws_part *part,
                  const struct ws_table *table)
{
    struct ws_plan_last last = {.known = false};
    if (rows->columns->schema->role_field[FMT_ROLE_PAYLOAD_SIZE] < 0) {
        return true;
    }
    if (!rows_reserve(m, rows->columns->n_records)) {
        return false;
    }
    for (uint32_t i = 0; i < rows->n; i++) {
        uint32_t row = ws_rows_row(rows, i);
        m->plans[row] = ws_table_plan(table, &last, rows->columns, row);
        if (last.words != NULL) {
            ws_file_block_fault(part->file, part->block, last.words);
        }
    }
    rows->plans = m->plans;
    return true;
}

void ws_rows_memory_free(struct ws_rows_memory *m)
{
    free(m->rows);
    free(m->plans);
    *m = (struct ws_rows_memory){.max = 0};
}
