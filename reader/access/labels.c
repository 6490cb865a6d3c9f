/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * labels.c - names for numeric values in records; see labels.h. Those for payload fields are in
 * payload_labels.c.
 */
#include "access/labels.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "access/select.h"

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

bool ws_label_column_of(const struct fmt_schema *schema, const char *name)
{
    bool any = false;
    for (size_t i = 0; i < N_CODES; i++) {
        any |= strcmp(name, codes[i].column) == 0 && strcmp(schema->name, codes[i].record) == 0;
    }
    return any;
}

const char *ws_payload_kind_name(uint32_t kind)
{
    static const char *const names[] = {"rollback", "event", "model", "sample"};
    return kind < sizeof names / sizeof names[0] ? names[kind] : NULL;
}

struct ws_labels *ws_labels_add(struct ws_label_set *set, int32_t field, const char *column,
                                const char *text, size_t n)
{
    struct ws_labels *list = realloc(set->list, ((size_t)set->n + 1) * sizeof *list);
    if (list == NULL) {
        return NULL;
    }
    set->list = list;
    struct ws_labels *labels = &list[set->n++];
    *labels = (struct ws_labels){.field = field, .text = text};
    labels->column = strdup(column);
    labels->names = calloc(n + 1, sizeof *labels->names);
    labels->places = malloc((n + 1) * sizeof *labels->places);
    labels->n_places = (uint32_t)n;
    bool good = labels->column != NULL && labels->names != NULL && labels->places != NULL;
    return good ? labels : NULL;
}

bool ws_label_add(struct ws_labels *labels, struct ws_intern *known, uint32_t value,
                  const char *name)
{
    assert(value < labels->n_places);
    labels->places[value] = WS_NO_LABEL;
    if (name == NULL || name[0] == '\0') {
        return true;
    }
    uint32_t place = ws_intern_add(known, name, strlen(name), WS_NO_LABEL - 1);
    if (place == WS_NAMES_NONE) {
        return false;
    }
    labels->n += place == labels->n;
    labels->names[place] = name;
    labels->places[value] = place;
    return true;
}

static bool types_find(struct ws_label_set *set, int32_t field, const struct fmt_desc_set *descs)
{
    struct ws_labels *labels =
        ws_labels_add(set, field, lp_type, "type of the LP, as the model calls it", descs->n);
    struct ws_intern known = {.n = 0};
    bool good = labels != NULL;
    for (size_t d = 0; good && d < descs->n; d++) {
        good = ws_label_add(labels, &known, (uint32_t)d, descs->descs[d].owner);
    }
    if (good) {
        labels->descs = descs;
    }
    ws_intern_free(&known);
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
    struct ws_labels *labels = ws_labels_add(set, field, codes[i].column, codes[i].text, CODES_MAX);
    struct ws_intern known = {.n = 0};
    bool good = labels != NULL;
    for (uint32_t code = 0; good && code < CODES_MAX; code++) {
        good = ws_label_add(labels, &known, code, codes[i].names[code]);
    }
    if (good) {
        labels->kind = WS_LABELS_CODES;
    }
    ws_intern_free(&known);
    return good;
}

bool ws_engine_labels_find(struct ws_label_set *set, const struct fmt_schema *schema,
                           const struct fmt_desc_set *descs)
{
    int32_t type = schema->role_field[FMT_ROLE_PAYLOAD_TYPE];
    bool good = type < 0 || !has_types(descs) || types_find(set, type, descs);
    for (size_t i = 0; good && i < N_CODES; i++) {
        good = codes_find(set, schema, i);
    }
    return good;
}

void ws_label_set_free(struct ws_label_set *set)
{
    for (uint32_t i = 0; i < set->n; i++) {
        free(set->list[i].column);
        free(set->list[i].names);
        free(set->list[i].places);
        free(set->list[i].sources);
    }
    free(set->list);
    *set = (struct ws_label_set){.n = 0};
}

/* Returns the index in labels->names of the name for the value in a record's payload; WS_NO_LABEL
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
