/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * strings.c - a table that gives each text an id.
 *
 * Texts lie in chunks that never move. No text is ever removed. The main cost of an insertion is
 * fresh memory from the kernel; the table therefore uses little memory, some 25 bytes per text in
 * addition to the text itself.
 *
 * Invariants
 * 1. texts[id] is the text with this id, for 0 < id < n, and no two texts are equal.
 * 2. The text with id `id` is item id - 1 of the index; its hash (XXH3) is the key.
 *
 * Cost: hashing and comparing the text, about one cache miss if the text is new or not in the
 * cache. Finding a text by its id: two loads.
 */
#include "bus/tables/strings.h"

#include <assert.h>
#include <stdlib.h>

#include "bus/tables/text_hash.h"
#include "store/array.h"

#define TEXTS_MAX ((uint32_t)1 << 30)

static uint32_t hash_of(const char *text)
{
    return (uint32_t)text_hash_bytes(text, strlen(text)).low;
}

/* Returns the id of text; 0: the text is not in the table. hash: hash_of(text). */
static inline uint32_t find(const struct strings *s, const char *text, uint32_t hash)
{
    uint32_t item;
    for (uint32_t at = hash; index_next(&s->index, hash, &at, &item);) {
        if (strcmp(s->texts[item + 1], text) == 0) {
            return item + 1;
        }
    }
    return 0;
}

/* Adds a text that is not in the table, and returns its id; 0 if memory is exhausted. */
static uint32_t add(struct strings *s, const char *text, size_t length, uint32_t hash)
{
    assert(strlen(text) == length);
    uint32_t id = s->n == 0 ? 1 : s->n; /* id 0 means "no text" */
    if (id > TEXTS_MAX || !array_reserve(&s->texts, &s->room, id + 1u, sizeof *s->texts)) {
        return 0;
    }
    char *copy = chunks_take(&s->chunks, length + 1);
    if (copy == NULL || !index_add(&s->index, hash, id - 1)) {
        return 0;
    }
    memcpy(copy, text, length + 1);
    s->texts[0] = NULL;
    s->texts[id] = copy;
    s->n = id + 1;
    return id;
}

uint32_t strings_insert_hashed(struct strings *s, const char *text, size_t length,
                               uint64_t hash_low)
{
    uint32_t hash = (uint32_t)hash_low, id = find(s, text, hash);
    return id != 0 ? id : add(s, text, length, hash);
}

uint32_t strings_insert(struct strings *s, const char *text)
{
    size_t length = strlen(text);
    return strings_insert_hashed(s, text, length, text_hash_bytes(text, length).low);
}

uint32_t strings_find(const struct strings *s, const char *text)
{
    return find(s, text, hash_of(text));
}

bool strings_check(const struct strings *s)
{
    uint32_t n = s->n == 0 ? 0 : s->n - 1;
    bool holds = s->n <= s->room && s->index.n == n && index_check(&s->index);
    for (uint32_t id = 1; holds && id <= n; id++) {
        holds = strings_find(s, s->texts[id]) == id;
    }
    return holds && (s->n == 0 || s->texts[0] == NULL);
}

void strings_fini(struct strings *s)
{
    chunks_free(s->chunks.list);
    index_fini(&s->index);
    free(s->texts);
    *s = (struct strings){0};
}
