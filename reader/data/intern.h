/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * intern.h - assigns numbers to names: 0, 1, 2 ... in the order of first occurrence. A name is a
 * string of any bytes.
 */
#ifndef WARPSCOPE_READER_DATA_INTERN_H
#define WARPSCOPE_READER_DATA_INTERN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "store/index.h"

#define WS_NAMES_NONE UINT32_MAX

/* Returns a hash of bytes (FNV-1a). */
uint64_t ws_hash(const void *bytes, size_t size);

/* Table of names. Zero-initialise it before use, and free it at the end. */
struct ws_intern {
    char **names; /* owned; [i]: name number i, zero-terminated */
    size_t *sizes;
    size_t names_room, sizes_room;
    uint32_t n;
    struct index index; /* hash index that finds a name by its bytes */
};

/* Returns the number of a name of `size` bytes. Adds the name to the table if it is new. Returns
 * WS_NAMES_NONE if the name is new and the table already has max names, or if memory is
 * exhausted. */
uint32_t ws_intern_add(struct ws_intern *names, const void *name, size_t size, uint32_t max);
/* Returns the number of a name of `size` bytes, or WS_NAMES_NONE if it is not in the table. */
uint32_t ws_intern_find(const struct ws_intern *names, const void *name, size_t size);
void ws_intern_free(struct ws_intern *names);

/* Returns true if the invariants of the table hold. */
bool ws_intern_check(const struct ws_intern *names);

#endif
