/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * strings.h - a table that holds each text once, at a fixed address, and gives it an id.
 */
#ifndef WARPSCOPE_BUS_TABLES_STRINGS_H
#define WARPSCOPE_BUS_TABLES_STRINGS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "store/chunks.h"
#include "store/index.h"

/* The table of texts. A zero-initialised table is empty. */
struct strings {
    struct index index; /* index of the texts by their hash */
    const char **texts; /* owned; [id]: text with that id; texts[0] is NULL */
    size_t room;
    uint32_t n; /* number of ids in use, including id 0; 0: nothing is allocated */
    struct chunks chunks;
};

/* Returns the id of text, which is copied if it is new; 0 if memory is exhausted. */
uint32_t strings_insert(struct strings *strings, const char *text);
/* Does the same as strings_insert() for callers that already know the length of text and the low
 * half of its text_hash_bytes(). */
uint32_t strings_insert_hashed(struct strings *strings, const char *text, size_t length,
                               uint64_t hash_low);
/* Returns the id of text; 0: the text is not in the table. */
uint32_t strings_find(const struct strings *strings, const char *text);

static inline const char *strings_text(const struct strings *strings, uint32_t id)
{
    return id < strings->n ? strings->texts[id] : NULL;
}

/* Returns true if the table is consistent. For tests; takes as long as inserting all texts. */
bool strings_check(const struct strings *strings);
void strings_fini(struct strings *strings);

#endif
