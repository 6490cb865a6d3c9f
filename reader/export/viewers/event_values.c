/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * event_values.c - names the model values of events; see event_values.h.
 */
#include "export/viewers/event_values.h"
#include "access/bind.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define NAME_MAX_SIZE 512u

static bool is_taken(const char *name, const char *const *taken, size_t n_taken)
{
    for (size_t i = 0; i < n_taken; i++) {
        if (strcmp(name, taken[i]) == 0) {
            return true;
        }
    }
    return false;
}

/* Writes the name of a value in a payload field to `to`, which has NAME_MAX_SIZE bytes. Returns the
 * length of the name. element: index of the value in an array; -1: the field is no array. taken:
 * true if the name of the field must not be used alone. */
static size_t name_make(char *to, const struct fmt_payload_field *field, int64_t element,
                        bool taken)
{
    char number[24] = "";
    bool unit = field->unit[0] != '\0';
    if (element >= 0) {
        snprintf(number, sizeof number, "_%lld", (long long)element);
    }
    snprintf(to, NAME_MAX_SIZE, "%s%.200s%s%s%.200s%s", taken ? "payload." : "", field->name,
             number, unit ? " (" : "", field->unit, unit ? ")" : "");
    return strlen(to);
}

static bool field_exists(const struct fmt_payload_desc *desc, const char *name)
{
    bool any = false;
    for (uint32_t f = 0; f < desc->n_fields; f++) {
        any |= strcmp(desc->fields[f].name, name) == 0;
    }
    return any;
}

/* If the values of a payload field have names, adds a value called NAME_name. It shows the name of
 * the value that was added before it. taken: as for name_make(). Returns false if out of memory. */
static bool label_add(struct ws_event_values *v, struct ws_event_type *type,
                      const struct fmt_payload_desc *desc, const struct fmt_payload_field *field,
                      bool taken)
{
    char text[NAME_MAX_SIZE];
    uint32_t n_names = 0;
    while (field->names != NULL && field->names[n_names] != NULL) {
        n_names++;
    }
    if (n_names == 0 || type->n == 0 || type->n == WS_EVENT_VALUES_MAX) {
        return true;
    }
    snprintf(text, sizeof text, "payload.%.200s_name", field->name);
    char *usual = text + strlen("payload.");
    const char *name = taken || field_exists(desc, usual) ? text : usual;
    uint32_t number = ws_intern_add(&v->names, name, strlen(name), UINT32_MAX - 1);
    if (number == WS_NAMES_NONE) {
        return false;
    }
    struct ws_event_value *value = &type->list[type->n];
    *value = type->list[type->n - 1];
    value->name = number;
    value->names = field->names;
    value->n_names = n_names;
    type->n++;
    return true;
}

static bool field_add(struct ws_event_values *v, struct ws_event_type *type,
                      const struct fmt_payload_field *field, bool taken)
{
    char name[NAME_MAX_SIZE];
    uint32_t n = ws_field_elements(field), size = (uint32_t)fmt_type_size(field->type);
    for (uint32_t i = 0; i < n && type->n < WS_EVENT_VALUES_MAX; i++) {
        size_t length = name_make(name, field, n > 1 ? (int64_t)i : -1, taken);
        uint32_t number = ws_intern_add(&v->names, name, length, UINT32_MAX - 1);
        if (number == WS_NAMES_NONE) {
            return false;
        }
        type->list[type->n++] =
            (struct ws_event_value){.name = number,
                                    .type = field->type,
                                    .at = field->offset + i * size,
                                    .size = field->type == FMT_CHAR ? field->count : size};
    }
    return true;
}

bool ws_event_values_init(struct ws_event_values *v, const struct fmt_desc_set *descs,
                          const char *const *taken, size_t n_taken)
{
    v->types = calloc(descs->n + 1, sizeof *v->types);
    if (v->types == NULL) {
        return false;
    }
    for (size_t d = 0; d < descs->n; d++) {
        const struct fmt_payload_desc *desc = &descs->descs[d];
        struct ws_event_type *type = &v->types[d];
        for (uint32_t f = 0; f < desc->n_fields; f++) {
            const struct fmt_payload_field *field = &desc->fields[f];
            bool is = is_taken(field->name, taken, n_taken);
            if (!field_add(v, type, field, is) || !label_add(v, type, desc, field, is)) {
                return false;
            }
        }
    }
    return true;
}

void ws_event_values_free(struct ws_event_values *v)
{
    free(v->types);
    ws_intern_free(&v->names);
    *v = (struct ws_event_values){.types = NULL};
}
