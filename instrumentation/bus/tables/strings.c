/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * strings.c - texts under numbers.
 *
 * Open addressing with linear probing. A slot of 8 bytes holds 32 bits of the hash (XXH3) beside
 * the number: a probe reads a text only if these bits agree, and growing reads none. Texts lie in
 * chunks that never move. No text is ever removed. The main cost of an insertion is fresh memory
 * from the kernel; the table therefore uses little, some 20 bytes beside the text.
 *
 * Invariants
 * 1. texts[id] is the text of id, for 0 < id < n, and no two texts are equal.
 * 2. Each of these ids is in exactly one slot, without a free slot between the slot of its hash and
 *    it.
 * 3. There is space for as many ids as three quarters of the slots, which n never exceeds.
 *
 * Cost: hashing and comparing the text, about one cache miss for a new or cold text. By number: two
 * loads.
 */
#include "bus/tables/strings.h"

#include <stdlib.h>

#include "bus/tables/text_hash.h"

#define SLOTS_MIN       64u
#define SLOTS_SMALL     ((uint32_t)1 << 14) /* a table up to this size grows fourfold */
#define CHUNK_BYTES_MAX ((size_t)1 << 20)
#define CHUNK_BYTES_MIN ((size_t)1 << 12)
#define SLOTS_MAX       ((uint32_t)1 << 31)

struct strings_chunk {
    struct strings_chunk *before;
    char text[];
};

static uint32_t hash_of(const char *text)
{
    return (uint32_t)text_hash_bytes(text, strlen(text)).low;
}

/* Returns the slot of text, or the free slot for it. */
static inline struct strings_slot *probe(const struct strings *s, const char *text, uint32_t hash)
{
    uint32_t i = hash & s->slot_mask;
    while (s->slots[i].id != 0 &&
           (s->slots[i].hash != hash || strcmp(s->texts[s->slots[i].id], text) != 0)) {
        i = (i + 1) & s->slot_mask;
    }
    return &s->slots[i];
}

/* Returns the number of ids, including 0, that this number of slots allows. */
static uint32_t ids_max(uint32_t n_slots)
{
    return n_slots / 4 * 3;
}

static struct strings_slot *enlarged_slots(const struct strings *s, uint32_t n_slots)
{
    struct strings_slot *slots = calloc(n_slots, sizeof *slots);
    for (uint32_t old = 0; slots != NULL && s->slots != NULL && old <= s->slot_mask; old++) {
        if (s->slots[old].id != 0) {
            uint32_t i = s->slots[old].hash & (n_slots - 1);
            while (slots[i].id != 0) {
                i = (i + 1) & (n_slots - 1);
            }
            slots[i] = s->slots[old];
        }
    }
    return slots;
}

static uint32_t next_n_slots(const struct strings *s)
{
    if (s->slots == NULL) {
        return SLOTS_MIN;
    }
    return (s->slot_mask + 1) * (s->slot_mask + 1 < SLOTS_SMALL ? 4 : 2);
}

/* Ensures space for more ids and slots. Returns false if memory is exhausted; nothing has changed
 * then. */
static __attribute__((noinline)) bool grow(struct strings *s)
{
    if (s->n > ids_max(SLOTS_MAX / 2)) {
        return false;
    }
    uint32_t n_slots = next_n_slots(s);
    const char **texts = realloc(s->texts, ids_max(n_slots) * sizeof *texts);
    if (texts == NULL) {
        return false;
    }
    s->texts = texts;
    struct strings_slot *slots = enlarged_slots(s, n_slots);
    if (slots == NULL) {
        return false;
    }
    free(s->slots);
    s->slots = slots;
    s->slot_mask = n_slots - 1;
    s->texts_max = ids_max(n_slots);
    if (s->n == 0) {
        texts[s->n++] = NULL;
    }
    return true;
}

/* Returns size bytes at a fixed address. */
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

/* Adds a text that is not in the table. Returns 0 if memory is exhausted. */
static uint32_t add(struct strings *s, struct strings_slot *slot, const char *text, size_t length,
                    uint32_t hash)
{
    if (s->n == s->texts_max) {
        if (!grow(s)) {
            return 0;
        }
        slot = probe(s, text, hash);
    }
    char *copy = take(s, length + 1);
    if (copy == NULL) {
        return 0;
    }
    memcpy(copy, text, length + 1);
    s->texts[s->n] = copy;
    *slot = (struct strings_slot){.hash = hash, .id = s->n};
    return s->n++;
}

uint32_t strings_insert_hashed(struct strings *s, const char *text, size_t length,
                               uint64_t hash_low)
{
    if (s->slots == NULL && !grow(s)) {
        return 0;
    }
    uint32_t hash = (uint32_t)hash_low;
    struct strings_slot *slot = probe(s, text, hash);
    return slot->id != 0 ? slot->id : add(s, slot, text, length, hash);
}

uint32_t strings_insert(struct strings *s, const char *text)
{
    size_t length = strlen(text);
    return strings_insert_hashed(s, text, length, text_hash_bytes(text, length).low);
}

uint32_t strings_find(const struct strings *s, const char *text)
{
    return s->slots == NULL ? 0 : probe(s, text, hash_of(text))->id;
}

bool strings_check(const struct strings *s)
{
    uint32_t in_use = 0;
    for (uint32_t i = 0; s->slots != NULL && i <= s->slot_mask; i++) {
        uint32_t id = s->slots[i].id;
        in_use += id != 0;
        if (id != 0 && (id >= s->n || hash_of(s->texts[id]) != s->slots[i].hash)) {
            return false;
        }
    }
    uint32_t n = s->n == 0 ? 0 : s->n - 1;
    if (in_use != n || s->n > s->texts_max ||
        (s->slots != NULL && s->texts_max != ids_max(s->slot_mask + 1))) {
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
