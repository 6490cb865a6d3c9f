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

#define CHUNK_BYTES_MAX ((size_t)1 << 20)
#define CHUNK_BYTES_MIN ((size_t)1 << 12)
#define TEXTS_MAX       ((uint32_t)1 << 30)

struct strings_chunk {
    struct strings_chunk *before;
    char text[];
};

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

/* Returns size bytes of memory at an address that will not change; NULL if memory is exhausted. */
static char *take(struct strings *s, size_t size)
{
    assert(size > 0);
    if (size > s->left) {
        size_t bytes = (size_t)s->n * 16;
        bytes = bytes < CHUNK_BYTES_MIN ? CHUNK_BYTES_MIN : bytes;
        bytes = bytes > CHUNK_BYTES_MAX ? CHUNK_BYTES_MAX : bytes;
        bytes = bytes < size ? size : bytes;
        struct strings_chunk *chunk = malloc(sizeof *chunk + bytes);
        if (chunk == NULL) {
            return NULL;
        }
        chunk->before = s->chunks;
        s->chunks = chunk;
        s->next = chunk->text;
        s->left = bytes;
    }
    char *place = s->next;
    s->next += size;
    s->left -= size;
    return place;
}

/* Adds a text that is not in the table, and returns its id; 0 if memory is exhausted. */
static uint32_t add(struct strings *s, const char *text, size_t length, uint32_t hash)
{
    assert(strlen(text) == length);
    uint32_t id = s->n == 0 ? 1 : s->n; /* id 0 means "no text" */
    if (id > TEXTS_MAX || !array_reserve(&s->texts, &s->room, id + 1u, sizeof *s->texts)) {
        return 0;
    }
    char *copy = take(s, length + 1);
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
    while (s->chunks != NULL) {
        struct strings_chunk *chunk = s->chunks;
        s->chunks = chunk->before;
        free(chunk);
    }
    index_fini(&s->index);
    free(s->texts);
    *s = (struct strings){0};
}
