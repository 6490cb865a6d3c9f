/*
 * strings.c - texts under numbers.
 *
 * Open addressing with linear probing over slots of 8 bytes, which hold 32 bits of the hash (XXH3)
 * beside the number: a probe reads a text only when these agree, and growing reads none. Texts lie
 * in chunks that never move. Nothing is ever removed.
 *
 * Invariants: 1. texts[id] is the text of id, for 0 < id < n, and no two are equal. 2. Each of
 * these ids is in exactly one slot, and no free slot lies between the slot that its hash names and
 * it.
 * 3. At most three quarters of the slots are in use.
 *
 * Cost: hashing and comparing the text, about one cache miss for a new or cold one. By number: two
 * loads.
 */
#include "bus/strings.h"

#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

#define SLOTS_MIN       64u
#define CHUNK_BYTES_MAX ((size_t)1 << 20)
#define CHUNK_BYTES_MIN ((size_t)1 << 12)
#define IDS_MAX         (UINT32_MAX / 4 * 3)

struct strings_chunk {
    struct strings_chunk *before;
    char text[];
};

static uint32_t hash_of(const char *text, size_t length)
{
    return (uint32_t)XXH3_64bits(text, length);
}

/* The slot of text, or the free one where it belongs. */
static struct strings_slot *probe(const struct strings *s, const char *text, uint32_t hash)
{
    uint32_t i = hash & s->slot_mask;
    while (s->slots[i].id != 0 &&
           (s->slots[i].hash != hash || strcmp(s->texts[s->slots[i].id], text) != 0)) {
        i = (i + 1) & s->slot_mask;
    }
    return &s->slots[i];
}

static bool grow_slots(struct strings *s)
{
    uint32_t n_slots = s->slots == NULL ? SLOTS_MIN : (s->slot_mask + 1) * 2;
    struct strings_slot *slots = calloc(n_slots, sizeof *slots);
    if (slots == NULL) {
        return false;
    }
    for (uint32_t old = 0; s->slots != NULL && old <= s->slot_mask; old++) {
        if (s->slots[old].id != 0) {
            uint32_t i = s->slots[old].hash & (n_slots - 1);
            while (slots[i].id != 0) {
                i = (i + 1) & (n_slots - 1);
            }
            slots[i] = s->slots[old];
        }
    }
    free(s->slots);
    s->slots = slots;
    s->slot_mask = n_slots - 1;
    return true;
}

static bool grow_texts(struct strings *s)
{
    uint32_t max = s->texts_max == 0 ? SLOTS_MIN : s->texts_max * 2;
    const char **texts = realloc(s->texts, max * sizeof *texts);
    if (texts == NULL) {
        return false;
    }
    texts[0] = NULL;
    s->texts = texts;
    s->texts_max = max;
    s->n = s->n == 0 ? 1 : s->n;
    return true;
}

/* A place for size bytes that stays. */
static char *take(struct strings *s, size_t size)
{
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

uint32_t strings_insert(struct strings *s, const char *text)
{
    bool full = s->slots == NULL || s->n > (s->slot_mask + 1) / 4 * 3;
    if (s->n > IDS_MAX || (full && !grow_slots(s)) || (s->n == s->texts_max && !grow_texts(s))) {
        return 0;
    }
    size_t length = strlen(text);
    uint32_t hash = hash_of(text, length);
    struct strings_slot *slot = probe(s, text, hash);
    if (slot->id == 0) {
        char *copy = take(s, length + 1);
        if (copy == NULL) {
            return 0;
        }
        memcpy(copy, text, length + 1);
        s->texts[s->n] = copy;
        *slot = (struct strings_slot){.hash = hash, .id = s->n};
        s->n++;
    }
    return slot->id;
}

uint32_t strings_find(const struct strings *s, const char *text)
{
    return s->slots == NULL ? 0 : probe(s, text, hash_of(text, strlen(text)))->id;
}

bool strings_check(const struct strings *s)
{
    uint32_t in_use = 0;
    for (uint32_t i = 0; s->slots != NULL && i <= s->slot_mask; i++) {
        uint32_t id = s->slots[i].id;
        in_use += id != 0;
        if (id != 0 &&
            (id >= s->n || hash_of(s->texts[id], strlen(s->texts[id])) != s->slots[i].hash)) {
            return false;
        }
    }
    uint32_t n = s->n == 0 ? 0 : s->n - 1;
    if (in_use != n || s->n > s->texts_max ||
        (s->slots != NULL && in_use > (s->slot_mask + 1) / 4 * 3)) {
        return false;
    }
    for (uint32_t id = 1; id <= n; id++) {
        if (strings_find(s, s->texts[id]) != id) {
            return false;
        }
    }
    return s->n == 0 || s->texts[0] == NULL;
}

void strings_fini(struct strings *s)
{
    while (s->chunks != NULL) {
        struct strings_chunk *chunk = s->chunks;
        s->chunks = chunk->before;
        free(chunk);
    }
    free(s->slots);
    free(s->texts);
    *s = (struct strings){0};
}
