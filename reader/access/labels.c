/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * labels.c - names for numeric values in records; see labels.h.
 *
 * Payload fields with the same name share a column of names. The description of a record's payload
 * selects the list of names. Cost: linear in the number of descriptions, once per file and kind of
 * record.
 */
#include "access/labels.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "access/bind.h"
#include "store/array.h"
#include "text/text_new.h"

#define CODES_MAX 8u

/* Names for the codes in fields of the engine, for records that this version writes. */
static const struct {
    const char *record, *field, *column, *text;
    const char *names[CODES_MAX]; /* [code]: name of the code; NULL: none */
} codes[] = {
    {"rollback",
     "cause",
     "cause_name",
     "cause in words: straggler, secondary",
     {NULL, "straggler", "secondary", NULL}},
    {"rollback",
     "trigger",
     "trigger_name",
     "trigger in words: local, remote, cancel, anti_message, random, return",
     {NULL, "local", "remote", "cancel", "anti_message", "random", "return"}},
    {"model_lp",
     "kind",
     "kind_name",
     "kind in words: gvt, real_time, virtual_time",
     {NULL, "gvt", "real_time", "virtual_time"}},
    {"task_step",
     "detail",
     "detail_name",
     "detail in words: step, detail",
     {"step", "detail", NULL, NULL}},
};
#define N_CODES (sizeof codes / sizeof codes[0])

static const char lp_type[] = "lp_type";

bool ws_label_column(const char *name)
{
    bool any = strcmp(name, lp_type) == 0;
    for (size_t i = 0; i < N_CODES; i++) {
        any |= strcmp(name, codes[i].column) == 0;
    }
    return any;
}

/* Returns true if records of this kind have a field of the engine whose values have names in the
 * column `name`. */
static bool is_engine_column(const struct fmt_schema *schema, const char *name)
{
    bool any = false;
    for (size_t i = 0; i < N_CODES; i++) {
        any |= strcmp(name, codes[i].column) == 0 && strcmp(schema->name, codes[i].record) == 0;
    }
    return any;
}

const char *ws_payload_kind_name(uint32_t kind)
{
    static const char *const names[] = {"rollback", "event", "model", "sample", "model_held"};
    return kind < sizeof names / sizeof names[0] ? names[kind] : NULL;
}

/* ---- Names of the engine --------------------------------------------------------------------- */

/* Adds to set a column of names, of the kind WS_LABELS_TYPES, without values. Returns NULL if out of
 * memory. The result is valid until the next call. */
static struct ws_labels *labels_add(struct ws_label_set *set, int32_t field, const char *column,
                                    const char *text)
{
    char *copy = strdup(column);
    if (copy == NULL || !array_append(&set->list, set->n, sizeof *set->list)) {
        free(copy);
        return NULL;
    }
    set->list[set->n] = (struct ws_labels){.field = field, .text = text, .column = copy};
    return &set->list[set->n++];
}

/* Gives the next value of the column a name. name NULL or empty: the value has none. Returns false if
 * out of memory. */
static bool name_add(struct ws_labels *labels, const char *name)
{
    uint32_t place = WS_NO_LABEL;
    bool good = array_append(&labels->places, labels->n_places, sizeof *labels->places);
    if (good && name != NULL && name[0] != '\0') {
        place = ws_intern_add(&labels->known, name, strlen(name), WS_NO_LABEL - 1);
        good = place != WS_NAMES_NONE;
    }
    if (good) {
        labels->places[labels->n_places++] = place;
    }
    return good;
}

static bool types_find(struct ws_label_set *set, int32_t field, const struct fmt_desc_set *descs)
{
    struct ws_labels *labels =
        labels_add(set, field, lp_type, "type of the LP, as the model calls it");
    bool good = labels != NULL;
    for (size_t d = 0; good && d < descs->n; d++) {
        labels->descs = descs;
        good = name_add(labels, descs->descs[d].owner);
    }
    return good;
}

static bool has_types(const struct fmt_desc_set *descs)
{
    bool any = false;
    for (size_t d = 0; d < descs->n; d++) {
        any |= descs->descs[d].owner[0] != '\0';
    }
    return any;
}

/* Adds the names in codes[i] to set if records of this kind have the field codes[i].field. Returns
 * false if out of memory. */
static bool codes_find(struct ws_label_set *set, const struct fmt_schema *schema, size_t i)
{
    int32_t field = ws_field_find(schema, codes[i].field);
    if (field < 0 || strcmp(schema->name, codes[i].record) != 0) {
        return true;
    }
    struct ws_labels *labels = labels_add(set, field, codes[i].column, codes[i].text);
    bool good = labels != NULL;
    for (uint32_t code = 0; good && code < CODES_MAX; code++) {
        labels->kind = WS_LABELS_CODES;
        good = name_add(labels, codes[i].names[code]);
    }
    return good;
}

/* ---- Names of payload fields ----------------------------------------------------------------- */

struct finding {
    struct ws_label_set *set;
    const struct fmt_schema *schema;
    struct ws_intern fields; /* names of all payload fields */
    uint32_t n_columns;      /* number of columns of names found so far */
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

/* Returns true if a payload field called `name` is shown as payload.NAME. */
static bool is_taken(const struct finding *f, const char *name)
{
    return ws_field_find(f->schema, name) >= 0 || strcmp(name, "payload") == 0 ||
           strcmp(name, "record") == 0 || ws_label_column(name);
}

/* Returns the column with this name for payload fields, which is added if it is missing; NULL if there
 * are too many columns, or if out of memory. */
static struct ws_labels *column_get(struct finding *f, const char *name)
{
    for (uint32_t i = f->set->n - f->n_columns; i < f->set->n; i++) {
        if (strcmp(f->set->list[i].column, name) == 0) {
            return &f->set->list[i];
        }
    }
    struct ws_labels *labels =
        f->n_columns == WS_LABELS_MAX
            ? NULL
            : labels_add(f->set, f->schema->role_field[FMT_ROLE_PAYLOAD_TYPE], name,
                         "name of the value, as the model calls it");
    if (labels != NULL) {
        labels->kind = WS_LABELS_SOURCES;
        f->n_columns++;
    }
    return labels;
}

/* Adds the names of the values of a payload field to a column, unless all suitable column names are
 * taken, or there are too many columns. Returns false if out of memory. */
static bool field_add(struct finding *f, const struct fmt_payload_desc *desc,
                      const struct fmt_payload_field *field)
{
    const uint32_t n = names_of(field);
    char *text = n == 0 ? NULL : text_new("payload.%s_name", field->name);
    if (text == NULL) {
        return n == 0;
    }
    const char *usual = text + strlen("payload.");
    bool exists = ws_intern_find(&f->fields, usual, strlen(usual)) != WS_NAMES_NONE;
    bool prefix = exists || is_taken(f, field->name) || ws_field_find(f->schema, usual) >= 0 ||
                  is_engine_column(f->schema, usual);
    bool none = prefix && exists && is_taken(f, usual);
    struct ws_labels *labels = none ? NULL : column_get(f, prefix ? text : usual);
    free(text);
    if (labels == NULL) {
        return none || f->n_columns == WS_LABELS_MAX;
    }
    bool good = array_append(&labels->sources, labels->n_sources, sizeof *labels->sources);
    if (good) {
        labels->sources[labels->n_sources++] =
            (struct ws_label_source){desc, field, labels->n_places, n, 0};
    }
    for (uint32_t value = 0; good && value < n; value++) {
        good = name_add(labels, field->names[value]);
    }
    return good;
}

/* Adds to set the columns with names of payload fields. Returns false if out of memory. */
static bool payload_labels_find(struct ws_label_set *set, const struct fmt_schema *schema,
                                const struct fmt_desc_set *descs)
{
    struct finding f = {.set = set, .schema = schema};
    bool good = true;
    for (size_t d = 0; d < descs->n; d++) {
        const struct fmt_payload_desc *desc = &descs->descs[d];
        for (uint32_t i = 0; good && i < desc->n_fields; i++) {
            const char *name = desc->fields[i].name;
            good = ws_intern_add(&f.fields, name, strlen(name), UINT32_MAX - 1) != WS_NAMES_NONE;
        }
    }
    for (size_t d = 0; d < descs->n; d++) {
        const struct fmt_payload_desc *desc = &descs->descs[d];
        for (uint32_t i = 0; good && i < desc->n_fields; i++) {
            good = field_add(&f, desc, &desc->fields[i]);
        }
    }
    ws_intern_free(&f.fields);
    return good;
}

bool ws_label_set_init(struct ws_label_set *set, const struct fmt_schema *schema,
                       const struct fmt_desc_set *descs)
{
    int32_t type = schema->role_field[FMT_ROLE_PAYLOAD_TYPE];
    *set = (struct ws_label_set){.n = 0};
    bool good = type < 0 || !has_types(descs) || types_find(set, type, descs);
    for (size_t i = 0; good && i < N_CODES; i++) {
        good = codes_find(set, schema, i);
    }
    bool payload = type >= 0 && schema->role_field[FMT_ROLE_PAYLOAD_SIZE] >= 0;
    return good && (!payload || payload_labels_find(set, schema, descs));
}

void ws_label_set_free(struct ws_label_set *set)
{
    for (uint32_t i = 0; i < set->n; i++) {
        free(set->list[i].column);
        ws_intern_free(&set->list[i].known);
        free(set->list[i].places);
        free(set->list[i].sources);
    }
    free(set->list);
    *set = (struct ws_label_set){.n = 0};
}

/* ---- Values ---------------------------------------------------------------------------------- */

/* Returns the index in labels->known.names of the name for the value in a record's payload; WS_NO_LABEL
 * if it has none. type: payload type of the record. */
static uint32_t source_place(const struct ws_labels *labels, uint32_t type,
                             const struct fmt_columns *c, uint32_t row)
{
    assert(labels->n_sources > 0);
    uint32_t low = 0, high = labels->n_sources;
    while (high - low > 1) {
        uint32_t middle = low + (high - low) / 2;
        if (labels->sources[middle].desc->id <= type) {
            low = middle;
        } else {
            high = middle;
        }
    }
    const struct ws_label_source *source = &labels->sources[low];
    const uint64_t *offset = c->payload_offset;
    if (source->desc->id != type || offset == NULL ||
        offset[row + 1] - offset[row] != source->desc->size) {
        return WS_NO_LABEL;
    }
    const uint8_t *value = c->payload + offset[row] + source->field->offset;
    uint64_t code = fmt_value_read(value, source->field->type).as.u;
    return code < source->n ? labels->places[source->first + code] : WS_NO_LABEL;
}

uint32_t ws_label_place(const struct ws_labels *labels, const struct fmt_columns *c, uint32_t row)
{
    assert(labels->field >= 0);
    uint64_t value = fmt_columns_value(c, (uint32_t)labels->field, row).as.u;
    const struct fmt_payload_desc *desc;
    switch (labels->kind) {
    case WS_LABELS_TYPES:
        desc = fmt_desc_set_find(labels->descs, (uint32_t)value);
        return desc == NULL ? WS_NO_LABEL : labels->places[desc - labels->descs->descs];
    case WS_LABELS_SOURCES:
        return source_place(labels, (uint32_t)value, c, row);
    default:
        return value < labels->n_places ? labels->places[value] : WS_NO_LABEL;
    }
}
