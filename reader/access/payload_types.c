/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * payload_types.c - numbers payload types by their content; see payload_types.h.
 */
#include "access/payload_types.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

static int number_compare(uint32_t a, uint32_t b)
{
    return a < b ? -1 : a > b;
}

/* Compares two lists of names for values, each ended by NULL; NULL stands for an empty list.
 * Returns a number like strcmp(). */
static int names_compare(const char *const *a, const char *const *b)
{
    static const char *const none[] = {NULL};
    a = a == NULL ? none : a;
    b = b == NULL ? none : b;
    while (*a != NULL && *b != NULL && strcmp(*a, *b) == 0) {
        a++;
        b++;
    }
    return *a == NULL || *b == NULL ? (*a != NULL) - (*b != NULL) : strcmp(*a, *b);
}

static int field_compare(const struct fmt_payload_field *a, const struct fmt_payload_field *b)
{
    int order = strcmp(a->name, b->name);
    if (order == 0) {
        order = number_compare(a->type, b->type);
    }
    if (order == 0) {
        order = number_compare(a->offset, b->offset);
    }
    if (order == 0) {
        order = number_compare(a->count, b->count);
    }
    if (order == 0) {
        order = strcmp(a->unit, b->unit);
    }
    return order != 0 ? order : names_compare(a->names, b->names);
}

int ws_payload_desc_compare(const struct fmt_payload_desc *a, const struct fmt_payload_desc *b)
{
    int order = strcmp(a->owner, b->owner);
    if (order == 0) {
        order = number_compare(a->kind, b->kind);
    }
    if (order == 0) {
        order = number_compare(a->size, b->size);
    }
    if (order == 0) {
        order = number_compare(a->n_fields, b->n_fields);
    }
    for (uint32_t i = 0; order == 0 && i < a->n_fields; i++) {
        order = field_compare(&a->fields[i], &b->fields[i]);
    }
    return order;
}

static int by_meaning(const void *a, const void *b)
{
    return ws_payload_desc_compare(*(const struct fmt_payload_desc *const *)a,
                                   *(const struct fmt_payload_desc *const *)b);
}

/* Returns the position, from 1, in t->list of the description that is equal to desc. The list must
 * contain it. */
static uint32_t list_find(const struct ws_payload_types *t, const struct fmt_payload_desc *desc)
{
    assert(t->n > 0);
    size_t low = 0, high = t->n;
    while (high - low > 1) {
        size_t middle = (low + high) / 2;
        if (ws_payload_desc_compare(t->list[middle], desc) <= 0) {
            low = middle;
        } else {
            high = middle;
        }
    }
    return (uint32_t)low + 1;
}

bool ws_payload_types_init(struct ws_payload_types *t, const struct fmt_desc_set *const *descs,
                           size_t n_files)
{
    assert(n_files <= WS_TYPES_FILES);
    size_t n = 0, unique = 0;
    *t = (struct ws_payload_types){0};
    for (size_t f = 0; f < n_files; f++) {
        n += descs[f]->n;
    }
    t->list = calloc(n + 1, sizeof *t->list);
    for (size_t f = 0; t->list != NULL && f < n_files; f++) {
        for (size_t i = 0; i < descs[f]->n; i++) {
            t->list[t->n++] = &descs[f]->descs[i];
        }
    }
    if (t->list == NULL) {
        return false;
    }
    qsort(t->list, t->n, sizeof *t->list, by_meaning);
    for (size_t i = 0; i < n; i++) {
        if (i == 0 || ws_payload_desc_compare(t->list[unique - 1], t->list[i]) != 0) {
            t->list[unique++] = t->list[i];
        }
    }
    t->n = unique;
    for (size_t f = 0; f < n_files; f++) {
        t->files[f].descs = descs[f];
        t->files[f].number = calloc(descs[f]->n + 1, sizeof *t->files[f].number);
        if (t->files[f].number == NULL) {
            return false;
        }
        for (size_t i = 0; i < descs[f]->n; i++) {
            t->files[f].number[i] = list_find(t, &descs[f]->descs[i]);
        }
    }
    return true;
}

void ws_payload_types_free(struct ws_payload_types *t)
{
    for (size_t f = 0; f < WS_TYPES_FILES; f++) {
        free(t->files[f].number);
    }
    free(t->list);
    *t = (struct ws_payload_types){0};
}

uint32_t ws_payload_types_number(const struct ws_payload_types *t, size_t file, uint32_t id)
{
    assert(file < WS_TYPES_FILES && t->files[file].descs != NULL);
    const struct fmt_desc_set *set = t->files[file].descs;
    const struct fmt_payload_desc *desc = fmt_desc_set_find(set, id);
    return desc == NULL ? 0 : t->files[file].number[desc - set->descs];
}

const struct fmt_payload_desc *ws_payload_types_desc(const struct ws_payload_types *t,
                                                     uint32_t number)
{
    return number == 0 || number > t->n ? NULL : t->list[number - 1];
}

uint32_t ws_payload_types_id(const struct ws_payload_types *t, size_t file, uint32_t number)
{
    const struct fmt_desc_set *set = t->files[file].descs;
    for (size_t i = 0; number != 0 && i < set->n; i++) {
        if (t->files[file].number[i] == number) {
            return set->descs[i].id;
        }
    }
    return 0;
}
