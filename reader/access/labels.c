/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * labels.c - names for numbers in records; see labels.h.
 */
#include "access/labels.h"

#include <stdlib.h>
#include <string.h>

#include "access/select.h"

#define CODES_MAX 4u

/* Codes of the records that this version writes. */
static const struct {
    const char *record, *field, *column, *text;
    const char *names[CODES_MAX]; /* by code; NULL: undefined */
} codes[] = {
    {"rollback",
     "cause",
     "cause_name",
     "cause in words: straggler, secondary",
     {NULL, "straggler", "secondary", NULL}},
    {"model_lp",
     "kind",
     "kind_name",
     "kind in words: gvt, real_time, virtual_time",
     {NULL, "gvt", "real_time", "virtual_time"}},
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

const char *ws_payload_kind_name(uint32_t kind)
{
    static const char *const names[] = {"rollback", "event", "model", "sample"};
    return kind < sizeof names / sizeof names[0] ? names[kind] : NULL;
}

/* Allocates the names of n values. Returns NULL if out of memory. */
static struct ws_labels *labels_add(struct ws_label_set *set, int32_t field, size_t n)
{
    struct ws_labels *labels = &set->list[set->n++];
    *labels = (struct ws_labels){.field = field};
    labels->names = calloc(n + 1, sizeof *labels->names);
    labels->places = malloc((n + 1) * sizeof *labels->places);
    labels->n_places = (uint32_t)n;
    return labels->names == NULL || labels->places == NULL ? NULL : labels;
}

/* Adds the name of the next value. NULL or empty: it has no name. */
static void name_add(struct ws_labels *labels, uint32_t value, const char *name)
{
    uint32_t place = 0;
    if (name == NULL || name[0] == '\0') {
        labels->places[value] = WS_NO_LABEL;
        return;
    }
    while (place < labels->n && strcmp(labels->names[place], name) != 0) {
        place++;
    }
    labels->n += place == labels->n;
    labels->names[place] = name;
    labels->places[value] = place;
}

static bool types_find(struct ws_label_set *set, int32_t field, const struct fmt_desc_set *descs)
{
    struct ws_labels *labels = labels_add(set, field, descs->n);
    if (labels == NULL) {
        return false;
    }
    labels->column = lp_type;
    labels->text = "type of the LP, as the model calls it";
    labels->descs = descs;
    for (size_t d = 0; d < descs->n; d++) {
        name_add(labels, (uint32_t)d, descs->descs[d].owner);
    }
    return true;
}

static bool has_types(const struct fmt_desc_set *descs)
{
    bool any = false;
    for (size_t d = 0; d < descs->n; d++) {
        any |= descs->descs[d].owner[0] != '\0';
    }
    return any;
}

bool ws_label_set_init(struct ws_label_set *set, const struct fmt_schema *schema,
                       const struct fmt_desc_set *descs)
{
    int32_t type = schema->role_field[FMT_ROLE_PAYLOAD_TYPE];
    *set = (struct ws_label_set){.n = 0};
    if (type >= 0 && has_types(descs) && !types_find(set, type, descs)) {
        return false;
    }
    for (size_t i = 0; i < N_CODES; i++) {
        int32_t field = ws_field_find(schema, codes[i].field);
        if (field < 0 || strcmp(schema->name, codes[i].record) != 0) {
            continue;
        }
        struct ws_labels *labels = labels_add(set, field, CODES_MAX);
        if (labels == NULL) {
            return false;
        }
        labels->column = codes[i].column;
        labels->text = codes[i].text;
        for (uint32_t code = 0; code < CODES_MAX; code++) {
            name_add(labels, code, codes[i].names[code]);
        }
    }
    return true;
}

void ws_label_set_free(struct ws_label_set *set)
{
    for (uint32_t i = 0; i < set->n; i++) {
        free(set->list[i].names);
        free(set->list[i].places);
    }
    *set = (struct ws_label_set){.n = 0};
}

uint32_t ws_label_place(const struct ws_labels *labels, uint64_t value)
{
    if (labels->descs != NULL) {
        const struct fmt_payload_desc *desc = fmt_desc_set_find(labels->descs, (uint32_t)value);
        return desc == NULL ? WS_NO_LABEL : labels->places[desc - labels->descs->descs];
    }
    return value < labels->n_places ? labels->places[value] : WS_NO_LABEL;
}
