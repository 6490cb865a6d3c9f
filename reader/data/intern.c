/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * intern.c - see intern.h. A hash table with open addressing over the names in memory.
 *
 * Invariants:
 * 1. Each name of 0 .. n - 1 is found by its bytes.
 * 2. No name is there twice.
 */
#include "data/intern.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

static uint64_t hash_of(const void *name, size_t size)
{
    const unsigned char *bytes = name;
    uint64_t h = 14695981039346656037u;
    for (size_t i = 0; i < size; i++) {
        h = (h ^ bytes[i]) * 1099511628211u;
    }
    return h ^ h >> 32;
}

/* Returns the slot of a name, or the empty slot for it. */
static uint32_t *slot_of(const struct ws_intern *names, const void *name, size_t size)
{
    uint32_t mask = names->n_slots - 1;
    uint32_t at = (uint32_t)hash_of(name, size) & mask;
    while (names->slots[at] != 0) {
        uint32_t number = names->slots[at] - 1;
        if (names->sizes[number] == size && memcmp(names->names[number], name, size) == 0) {
            break;
        }
        at = (at + 1) & mask;
    }
    return &names->slots[at];
}

/* Doubles the table. Changes nothing if out of memory. */
static int grow(struct ws_intern *names)
{
    uint32_t room = names->room == 0 ? 64 : 2 * names->room;
    char **texts = realloc(names->names, room * sizeof *texts);
    if (texts != NULL) {
        names->names = texts;
    }
    size_t *sizes = realloc(names->sizes, room * sizeof *sizes);
    if (sizes != NULL) {
        names->sizes = sizes;
    }
    uint32_t *slots = calloc(2 * (size_t)room, sizeof *slots);
    if (texts == NULL || sizes == NULL || slots == NULL) {
        free(slots);
        return 0;
    }
    free(names->slots);
    names->slots = slots;
    names->n_slots = 2 * room;
    names->room = room;
    for (uint32_t i = 0; i < names->n; i++) {
        *slot_of(names, names->names[i], names->sizes[i]) = i + 1;
    }
    return 1;
}

uint32_t ws_intern_add(struct ws_intern *names, const void *name, size_t size, uint32_t max)
{
    uint32_t *slot = names->n_slots > 0 ? slot_of(names, name, size) : NULL;
    if (slot != NULL && *slot != 0) {
        return *slot - 1;
    }
    if (names->n >= max || (names->n == names->room && !grow(names))) {
        return WS_NAMES_NONE;
    }
    char *copy = malloc(size + 1);
    if (copy == NULL) {
        return WS_NAMES_NONE;
    }
    memcpy(copy, name, size);
    copy[size] = '\0';
    names->names[names->n] = copy;
    names->sizes[names->n] = size;
    *slot_of(names, name, size) = names->n + 1;
    return names->n++;
}

void ws_intern_free(struct ws_intern *names)
{
    for (uint32_t i = 0; i < names->n; i++) {
        free(names->names[i]);
    }
    free(names->names);
    free(names->sizes);
    free(names->slots);
    *names = (struct ws_intern){0};
}

void ws_intern_check(const struct ws_intern *names)
{
    uint32_t used = 0;
    for (uint32_t i = 0; i < names->n_slots; i++) {
        used += names->slots[i] != 0;
    }
    assert(used == names->n && names->n <= names->room && 2 * names->n <= names->n_slots + 1);
    for (uint32_t i = 0; i < names->n; i++) {
        assert(*slot_of(names, names->names[i], names->sizes[i]) == i + 1);
    }
    (void)used;
}
