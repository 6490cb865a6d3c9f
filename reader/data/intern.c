/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * intern.c - see intern.h.
 *
 * Invariants of a table:
 * 1. Each name with a number from 0 to n - 1 is found by its bytes.
 * 2. Names are distinct.
 */
#include "data/intern.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "store/array.h"
#include "store/check.h"

uint64_t ws_hash(const void *bytes, size_t size)
{
    const unsigned char *byte = bytes;
    uint64_t h = 14695981039346656037u;
    for (size_t i = 0; i < size; i++) {
        h = (h ^ byte[i]) * 1099511628211u;
    }
    return h;
}

static uint32_t hash_of(const void *name, size_t size)
{
    uint64_t h = ws_hash(name, size);
    return (uint32_t)(h ^ h >> 32);
}

uint32_t ws_intern_find(const struct ws_intern *names, const void *name, size_t size)
{
    uint32_t hash = hash_of(name, size), number;
    for (uint32_t at = hash; index_next(&names->index, hash, &at, &number);) {
        if (names->sizes[number] == size && memcmp(names->names[number], name, size) == 0) {
            return number;
        }
    }
    return WS_NAMES_NONE;
}

uint32_t ws_intern_add(struct ws_intern *names, const void *name, size_t size, uint32_t max)
{
    assert(max < WS_NAMES_NONE);
    uint32_t known = ws_intern_find(names, name, size);
    if (known != WS_NAMES_NONE || names->n >= max) {
        return known;
    }
    char *copy = malloc(size + 1);
    if (copy == NULL ||
        !array_reserve(&names->names, &names->names_room, names->n + 1u, sizeof *names->names) ||
        !array_reserve(&names->sizes, &names->sizes_room, names->n + 1u, sizeof *names->sizes) ||
        !index_add(&names->index, hash_of(name, size), names->n)) {
        free(copy);
        return WS_NAMES_NONE;
    }
    memcpy(copy, name, size);
    copy[size] = '\0';
    names->names[names->n] = copy;
    names->sizes[names->n] = size;
    return names->n++;
}

void ws_intern_free(struct ws_intern *names)
{
    for (uint32_t i = 0; i < names->n; i++) {
        free(names->names[i]);
    }
    free(names->names);
    free(names->sizes);
    index_fini(&names->index);
    *names = (struct ws_intern){0};
}

bool ws_intern_check(const struct ws_intern *names)
{
    HOLDS(index_check(&names->index) && names->index.n == names->n);
    for (uint32_t i = 0; i < names->n; i++) {
        HOLDS(ws_intern_find(names, names->names[i], names->sizes[i]) == i);
    }
    return true;
}
