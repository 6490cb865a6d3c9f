/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * top_k.h - sums by key, for KPs and LPs, in bounded memory: exact up to a capacity.
 *
 * Keys are added one group (PE) after another. ws_top_k_close() moves the best of a group to the
 * list of winners and forgets the others. A key must not occur in two groups, except after
 * ws_top_k_enter(): then all groups are closed together, and a key has its values of all of them.
 *
 * If a group has more keys than the table holds, the lower half (by the value that ranks) is
 * discarded. "error" is the largest value that a discarded key can have had. If a discarded key
 * occurs again, its earlier value, at most `error`, is missing from its sum. Each winner states
 * this bound. This is the bound of Space-Saving (Metwally, Agrawal & El Abbadi, ICDT 2005), with
 * many keys dropped at once.
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
    uint64_t group; /* before it is closed: its latest place */
    uint64_t error; /* greatest amount by which the ranking value may be too small */
    uint64_t values[WS_TOP_VALUES_MAX];
};

struct ws_top_k {
    uint32_t n_values, rank; /* number of values per key, and index of the ranking value */
    uint32_t capacity;       /* most keys kept per group */
    uint32_t n_wanted;       /* number of winners to keep */
    struct ws_top_k_entry *entries;
    uint32_t n;
    size_t reserved;
    struct index index; /* index of the entries by key */
    bool joined;        /* true if all groups are closed together */
    uint64_t place;     /* joined: era and group of the keys that follow */
    uint64_t error;     /* greatest error in the current group */
    /* Greatest error in all groups: upper bound of the value of a missing key. */
    uint64_t error_most;
    /* Number of keys in all groups; a forgotten key that occurs again counts again. */
    uint64_t keys;
    struct ws_top_k_entry *winners; /* winners so far, best first */
    uint32_t n_winners;
    bool failed; /* true if memory was exhausted: counting has stopped */
};

/* Prepares the sums. capacity: at least 2. Must be freed with ws_top_k_free() in any case. */
void ws_top_k_init(struct ws_top_k *top, uint32_t n_values, uint32_t rank, uint32_t capacity,
                   uint32_t n_wanted);
void ws_top_k_free(struct ws_top_k *top);

/* Returns the values of key, to which the caller adds at once, since the next call may move them.
 * Returns NULL on failure. */
uint64_t *ws_top_k_values(struct ws_top_k *top, uint64_t key);

/* Begins a group whose keys may also occur in others. A winner states the group of its latest era,
 * and ws_top_k_close() is called once, after all groups. */
void ws_top_k_enter(struct ws_top_k *top, uint32_t era, uint32_t group);

/* Ends the current group, whose keys are then complete. group: its number; of no effect after
 * ws_top_k_enter(). */
void ws_top_k_close(struct ws_top_k *top, uint64_t group);

/* Asserts the invariants. */
void ws_top_k_check(const struct ws_top_k *top);

#endif
