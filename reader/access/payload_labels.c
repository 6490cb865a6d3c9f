/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * payload_labels.c - names that models gave to the values of payload fields; see labels.h.
 *
 * Fields with the same name share a column of names. The description of a record's payload selects
 * the list of names. Cost: linear in the number of descriptions, once per file and kind of record.
 */
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "access/labels.h"
#include "access/select.h"
#include "text/text_new.h"

/* A payload field whose values have names, and the index of its column of names. */
struct found {
    const struct fmt_payload_desc *desc;
    const struct fmt_payload_field *field;
    uint32_t column;
};

struct finding {
    const struct fmt_schema *schema;
    const struct fmt_desc_set *descs;
    struct ws_intern fields;  /* names of all payload fields */
    struct ws_intern columns; /* names of the columns that hold names */
    struct found *list;       /* owned; the payload fields whose values have names */
    size_t n;
};

/* Returns 1 plus the largest value of the field that has a name; 0 if no value has a name. */
static uint32_t names_of(const struct fmt_payload_field *field)
{
    uint32_t n = 0;
    for (uint32_t i = 0; field->names != NULL && field->names[i] != NULL; i++) {
        n = field->names[i][0] != '\0' ? i + 1 : n;
    }
    return n;
}

/* ---- Columns with names ---------------------------------------------------------------------- */

static bool field_exists(struct finding *f, const char *name)
{
    return ws_intern_add(&f->fields, name, strlen(name), f->fields.n) != WS_NAMES_NONE;
}

/* Returns true if a payload field called `name` is shown as payload.NAME. */
static bool is_taken(const struct finding *f, const char *name)
{
    return ws_field_find(f->schema, name) >= 0 || strcmp(name, "payload") == 0 ||
           strcmp(name, "record") == 0 || ws_label_column(name);
}

/* Finds or adds the column of names for a field. Sets *column to its index; to WS_NAMES_NONE if all
 * suitable column names are taken, or if there are too many columns. Returns false if out of
 * memory. */
static bool column_find(struct finding *f, const char *field, uint32_t *column)
{
    char *text = text_new("payload.%s_name", field);
    if (text == NULL) {
        return false;
    }
    char *usual = text + strlen("payload.");
    bool exists = field_exists(f, usual);
    bool prefix = exists || is_taken(f, field) || ws_field_find(f->schema, usual) >= 0 ||
                  ws_label_column_of(f->schema, usual);
    const char *name = prefix ? text : usual;
    bool none = prefix && exists && is_taken(f, usual);
    *column = none ? WS_NAMES_NONE : ws_intern_add(&f->columns, name, strlen(name), WS_LABELS_MAX);
    bool good = none || *column != WS_NAMES_NONE || f->columns.n >= WS_LABELS_MAX;
    free(text);
    return good;
}

/* Fills f->list with the payload fields whose values have names. Returns false if out of memory. */
static bool fields_find(struct finding *f)
{
    size_t n = 0;
    for (size_t d = 0; d < f->descs->n; d++) {
        for (uint32_t i = 0; i < f->descs->descs[d].n_fields; i++) {
            n += names_of(&f->descs->descs[d].fields[i]) > 0;
        }
    }
    f->list = n == 0 ? NULL : malloc(n * sizeof *f->list);
    bool good = n == 0 || f->list != NULL;
    for (size_t d = 0; good && n > 0 && d < f->descs->n; d++) {
        const struct fmt_payload_desc *desc = &f->descs->descs[d];
        for (uint32_t i = 0; good && i < desc->n_fields; i++) {
            const char *name = desc->fields[i].name;
            good = ws_intern_add(&f->fields, name, strlen(name), UINT32_MAX - 1) != WS_NAMES_NONE;
        }
    }
    for (size_t d = 0; good && n > 0 && d < f->descs->n; d++) {
        const struct fmt_payload_desc *desc = &f->descs->descs[d];
        for (uint32_t i = 0; good && i < desc->n_fields; i++) {
            struct found found = {.desc = desc, .field = &desc->fields[i]};
            if (names_of(found.field) > 0) {
                good = column_find(f, found.field->name, &found.column);
                f->list[f->n] = found;
                f->n += good && found.column != WS_NAMES_NONE;
            }
        }
    }
    return good;
}

/* ---- Names ----------------------------------------------------------------------------------- */

static int by_column(const void *a, const void *b)
{
    const struct found *x = a, *y = b;
    if (x->column != y->column) {
        return x->column < y->column ? -1 : 1;
    }
    return x->desc->id < y->desc->id ? -1 : x->desc->id > y->desc->id;
}

/* Adds to set a column of names that the n payload fields in list share. Returns false if out of
 * memory. */
static bool column_add(struct ws_label_set *set, struct finding *f, const struct found *list,
                       size_t n)
{
    assert(n > 0);
    size_t n_values = 0;
    for (size_t i = 0; i < n; i++) {
        n_values += names_of(list[i].field);
    }
    struct ws_labels *labels = ws_labels_add(set, f->schema->role_field[FMT_ROLE_PAYLOAD_TYPE],
                                             f->columns.names[list->column],
                                             "name of the value, as the model calls it", n_values);
    if (labels == NULL) {
        return false;
    }
    labels->kind = WS_LABELS_SOURCES;
    labels->sources = calloc(n, sizeof *labels->sources);
    struct ws_intern known = {.n = 0};
    bool good = labels->sources != NULL;
    uint32_t first = 0;
    for (size_t i = 0; good && i < n; i++) {
        const struct fmt_payload_field *field = list[i].field;
        uint32_t n_names = names_of(field);
        for (uint32_t value = 0; good && value < n_names; value++) {
            good = ws_label_add(labels, &known, first + value, field->names[value]);
        }
        labels->sources[i] = (struct ws_label_source){list[i].desc, field, first, n_names};
        labels->n_sources++;
        first += n_names;
    }
    ws_intern_free(&known);
    return good;
}

/* Adds to set the columns with names of payload fields. Returns false if out of memory. */
static bool payload_labels_find(struct ws_label_set *set, const struct fmt_schema *schema,
                                const struct fmt_desc_set *descs)
{
    struct finding f = {.schema = schema, .descs = descs};
    bool payload = schema->role_field[FMT_ROLE_PAYLOAD_TYPE] >= 0 &&
                   schema->role_field[FMT_ROLE_PAYLOAD_SIZE] >= 0;
    bool good = !payload || fields_find(&f);
    if (good && f.n > 1) {
        qsort(f.list, f.n, sizeof *f.list, by_column);
    }
    for (size_t i = 0, end; good && i < f.n; i = end) {
        for (end = i + 1; end < f.n && f.list[end].column == f.list[i].column; end++) {
        }
        good = column_add(set, &f, &f.list[i], end - i);
    }
    free(f.list);
    ws_intern_free(&f.fields);
    ws_intern_free(&f.columns);
    return good;
}

bool ws_label_set_init(struct ws_label_set *set, const struct fmt_schema *schema,
                       const struct fmt_desc_set *descs)
{
    *set = (struct ws_label_set){.n = 0};
    return ws_engine_labels_find(set, schema, descs) && payload_labels_find(set, schema, descs);
}
