/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * sorter.h - sorts any number of entries by their keys, which are strings of bytes, in bounded
 * memory. Entries are kept in a pool (pool.h). If the pool is full, its entries go to a temporary
 * file (spill.h).
 *
 * The caller first adds all entries, then reads all. Entries with equal keys have an unspecified
 * order. Invariant: entries are read in ascending order of their keys. Cost: as in pool.h; sorted
 * input is not moved.
 */
#ifndef WARPSCOPE_READER_ORDER_SORTER_H
#define WARPSCOPE_READER_ORDER_SORTER_H

#include "order/pool.h"
#include "order/spill.h"

struct ws_sorter {
    struct ws_sort_layout layout;
    struct ws_pool pool;
    struct ws_spill spill;
    size_t memory, data_max; /* memory may be enlarged, to merge with */
    size_t at;               /* index of the next entry in the pool, if nothing was spilled */
    bool spilled;
    bool failed; /* true after an error, which was printed */
};

/* Prepares a sorter for keys of key_size bytes (at least 8) and data of at most data_max bytes.
 * memory: memory to use in bytes, at least 1 MiB. sorter must be freed at the end. */
void ws_sorter_init(struct ws_sorter *sorter, uint32_t key_size, size_t data_max, size_t memory);
/* Like ws_sorter_init(), for sort keys of a layout, which are entries whose data are the payload. The
 * caller may also use the pool. The memory of the layout is borrowed. */
void ws_sorter_begin(struct ws_sorter *sorter, const struct ws_sort_layout *layout, size_t data_max,
                     size_t memory);
void ws_sorter_free(struct ws_sorter *sorter);

/* Adds an entry with copies of the key and of the data, which may be in two pieces; `more` may be NULL if
 * more_size is 0. If memory is exhausted or no temporary file can be written, prints an error message
 * and returns false; later calls then return false as well. */
bool ws_sorter_add(struct ws_sorter *sorter, const uint8_t *key, const void *data, size_t size,
                   const void *more, size_t more_size);
/* Returns space for an entry with `size` bytes of data; NULL after an error, like ws_sorter_add(). The
 * caller writes the key to the member `bytes` and the data behind the key, then calls
 * ws_pool_add(&sorter->pool). */
struct ws_sort_key *ws_sorter_room(struct ws_sorter *sorter, size_t size);
/* Writes the entries in the pool to the temporary file, as a sorted run. Returns false after an error
 * message. */
bool ws_sorter_spill(struct ws_sorter *sorter);
/* Ends the adding of entries, and prepares to read them. Returns false after an error message. */
bool ws_sorter_ready(struct ws_sorter *sorter);
/* Returns the data of the next entry, and sets *key to its key. Both are valid until the next call.
 * The data need not be aligned, so the caller copies them. Returns NULL at the end or after an
 * error. */
const void *ws_sorter_next(struct ws_sorter *sorter, const uint8_t **key);
/* Like ws_sorter_next(). Returns the sort key. */
const struct ws_sort_key *ws_sorter_item(struct ws_sorter *sorter);

#endif
