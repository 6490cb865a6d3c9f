/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * top_k.h - sums per key (KP or LP) in bounded memory. They are exact up to a certain number of
 * keys.
 *
 * Keys are added one group (PE) after another. ws_top_k_close() moves the keys of a group with the
 * largest values to the list of winners, and forgets the others. A key must not occur in two
 * groups, unless ws_top_k_enter() begins the groups; such groups are closed together, and the sums
 * of a key include its values from all groups.
 *
 * Each key has several values, one of which ranks the keys. If a group has more keys than the table
 * can hold, the half with the lower ranking values is discarded. The member `error` is the largest
 * ranking value that a discarded key can have had. If a discarded key occurs again, its earlier
 * value, at most `error`, is missing from its sum. Each winner states this bound. It is the bound
 * of Space-Saving (Metwally, Agrawal & El Abbadi, ICDT 2005), with many keys discarded at once.
 */
#ifndef WARPSCOPE_READER_DATA_TOP_K_H
#define WARPSCOPE_READER_DATA_TOP_K_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "store/index.h"

#define WS_TOP_VALUES_MAX 10u

struct ws_top_k_entry {
    uint64_t key;
    /* Group of the key. Until ws_top_k_close(): the largest `place` at which the key occurred. */
    uint64_t group;
    uint64_t error; /* maximum amount by which the ranking value is too small */
    uint64_t values[WS_TOP_VALUES_MAX];
};

struct ws_top_k {
    uint32_t n_values, rank; /* number of values per key, and index of the ranking value */
    uint32_t capacity;       /* maximum number of keys kept per group */
    uint32_t n_wanted;       /* number of winners to keep */
    char *entries;           /* owned; ws_top_k_at() finds one */
    size_t entry_size;       /* without the values that keys do not have */
    uint32_t n;
    size_t reserved;
    struct index index; /* hash index that finds entries by their key */
    bool joined;        /* true if all groups are closed together */
    /* If joined: place of the keys that are added next, era << 32 | group. */
    uint64_t place;
    /* Largest ranking value that a discarded key of the current group can have had. */
    uint64_t error;
    /* Maximum of `error` over all groups: upper bound of the ranking value of a missing key. */
    uint64_t error_most;
    /* Number of keys in all groups. A discarded key that occurs again counts again. */
    uint64_t keys;
    struct ws_top_k_entry *winners; /* owned; the best keys so far, best first */
    uint32_t n_winners;
    bool failed; /* true if memory was exhausted, which ends all counting */
};

/* Returns entry i, of which only the first n_values values may be read. */
static inline struct ws_top_k_entry *ws_top_k_at(const struct ws_top_k *top, uint32_t i)
{
    return (struct ws_top_k_entry *)(void *)(top->entries + i * top->entry_size);
}

/* Initialises top without keys. capacity: at least 2. top must be freed with ws_top_k_free() at the
 * end. */
void ws_top_k_init(struct ws_top_k *top, uint32_t n_values, uint32_t rank, uint32_t capacity,
                   uint32_t n_wanted);
void ws_top_k_free(struct ws_top_k *top);

/* Returns the n_values sums of key; adds the key if it is new. The caller changes the sums before
 * the next call, which may move them. Returns NULL if memory was exhausted. */
uint64_t *ws_top_k_values(struct ws_top_k *top, uint64_t key);

/* Begins a group whose keys may also occur in other groups. A winner states its group in the latest
 * era in which its key occurred. If this function is used, ws_top_k_close() is called once, after
 * all groups. */
void ws_top_k_enter(struct ws_top_k *top, uint32_t era, uint32_t group);

/* Ends the current group, and merges its keys into the list of winners. group: number of the group;
 * ignored after ws_top_k_enter(). */
void ws_top_k_close(struct ws_top_k *top, uint64_t group);

/* Returns true if the invariants of top_k.c hold. */
bool ws_top_k_check(const struct ws_top_k *top);

#endif
