/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * payload_types.c - numbers payload types by their content; see payload_types.h.
 */
#include "access/payload_types.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "data/number.h"

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
    const uint64_t x[] = {a->type, a->offset, a->count}, y[] = {b->type, b->offset, b->count};
    const int orders[] = {strcmp(a->name, b->name), ws_order(x, y, 3), strcmp(a->unit, b->unit),
                          names_compare(a->names, b->names)};
    size_t i = 0;
    while (i < 3 && orders[i] == 0) {
        i++;
    }
    return orders[i];
}

/* Returns the kind of a payload, without the difference whether it holds. */
static uint64_t kind_of(const struct fmt_payload_desc *desc)
{
    return desc->kind == FMT_PAYLOAD_HELD ? (uint64_t)FMT_PAYLOAD_MODEL : desc->kind;
}

int ws_payload_desc_compare(const struct fmt_payload_desc *a, const struct fmt_payload_desc *b)
{
    const uint64_t x[] = {kind_of(a), a->size, a->n_fields};
    const uint64_t y[] = {kind_of(b), b->size, b->n_fields};
    int order = strcmp(a->owner, b->owner);
    order = order != 0 ? order : ws_order(x, y, 3);
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
            const struct fmt_payload_desc *desc = &descs[f]->descs[i];
            const struct fmt_payload_desc **found =
                bsearch(&desc, t->list, t->n, sizeof *t->list, by_meaning);
            t->files[f].number[i] = (uint32_t)(found - t->list) + 1;
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
