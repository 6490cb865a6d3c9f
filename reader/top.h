/*
 * top.h - sums by key, for KPs and LPs, in bounded memory: exact for up to so many keys.
 *
 * Keys are summed up one group (PE) after another: ws_top_close() takes the best of a group into
 * the list of winners and forgets the others. A key must not come in two groups.
 *
 * With more keys in a group than the table holds, the lower half (by the value that ranks) is
 * forgotten, and "error" is the most that a forgotten key can have had. A key that comes (again)
 * afterwards may have had up to that much before: each winner says so. This is the bound of
 * Space-Saving (Metwally, Agrawal & El Abbadi, ICDT 2005), with many keys dropped at once.
 */
#ifndef WARPSCOPE_READER_TOP_H
#define WARPSCOPE_READER_TOP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define WS_TOP_VALUES_MAX 10u

struct ws_top_entry {
    uint64_t key, group;
    uint64_t error; /* the value that ranks may be up to so much too small */
    uint64_t values[WS_TOP_VALUES_MAX];
};

struct ws_top {
    uint32_t n_values, rank; /* rank: number of the value that ranks */
    uint32_t capacity;       /* keys of a group that are kept at a time */
    uint32_t n_wanted;       /* winners */
    struct ws_top_entry *entries;
    uint32_t n, reserved;
    uint32_t *slots; /* hash table of entry numbers + 1; a power of two, at most half full */
    uint32_t n_slots;
    uint64_t error;               /* of the group at hand */
    uint64_t error_most;          /* of all groups: whoever is missing has no more than that */
    uint64_t keys;                /* seen in all groups, each once (again after it was forgotten) */
    struct ws_top_entry *winners; /* best first */
    uint32_t n_winners;
    bool failed; /* out of memory: nothing more is counted */
};

/* capacity >= 2. Frees with ws_top_free(), in any case. */
void ws_top_init(struct ws_top *top, uint32_t n_values, uint32_t rank, uint32_t capacity,
                 uint32_t n_wanted);
void ws_top_free(struct ws_top *top);

/* The values of key, to be added to at once: the next call may move them. NULL: failed. */
uint64_t *ws_top_values(struct ws_top *top, uint64_t key);

/* The group at hand is complete; this was its number. */
void ws_top_close(struct ws_top *top, uint64_t group);

/* Asserts the invariants. */
void ws_top_check(const struct ws_top *top);

#endif
