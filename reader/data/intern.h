/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * intern.h - numbers for strings of bytes: 0, 1, 2 ... in the order of first occurrence.
 */
#ifndef WARPSCOPE_READER_DATA_INTERN_H
#define WARPSCOPE_READER_DATA_INTERN_H

#include <stddef.h>
#include <stdint.h>

#include "store/index.h"

#define WS_NAMES_NONE UINT32_MAX

/* Table of names. Zero-initialise it before use, and free it at the end. */
struct ws_intern {
    char **names; /* owned; the names, each zero-terminated; NULL from index n on */
    size_t *sizes;
    size_t names_room, sizes_room;
    uint32_t n;
    struct index index; /* index of the names by their bytes */
};

/* Returns the number of a name. Adds an unknown name unless there are already max. Returns
 * WS_NAMES_NONE if there are max names already, or if memory is exhausted. */
uint32_t ws_intern_add(struct ws_intern *names, const void *name, size_t size, uint32_t max);
/* Returns the number of a known name, or WS_NAMES_NONE. */
uint32_t ws_intern_find(const struct ws_intern *names, const void *name, size_t size);
void ws_intern_free(struct ws_intern *names);

/* Asserts the invariants. */
void ws_intern_check(const struct ws_intern *names);

#endif
