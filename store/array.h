/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * array.h - arrays that grow.
 */
#ifndef WARPSCOPE_STORE_ARRAY_H
#define WARPSCOPE_STORE_ARRAY_H

#include <assert.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/*
 * Makes space for n items in an allocated array, as in array_reserve(&a->list, &a->room, n, sizeof
 * *a->list). list: address of the pointer to the array; room: address of the capacity in items. If
 * the capacity is too small, at least doubles it. The pointer NULL with capacity 0 is an empty
 * array. If memory is exhausted, leaves the array unchanged and returns false.
 */
static inline bool array_reserve(void *list, size_t *room, size_t n, size_t item_size)
{
    assert(item_size > 0);
    void *items;
    if (n <= *room) {
        return true;
    }
    size_t more = *room < 8 ? 16 : *room <= SIZE_MAX / 2 ? 2 * *room : n;
    more = more < n ? n : more;
    memcpy(&items, list, sizeof items); /* pointers of all types have the same representation */
    items = more > SIZE_MAX / item_size ? NULL : realloc(items, more * item_size);
    if (items == NULL) {
        return false;
    }
    memcpy(list, &items, sizeof items);
    *room = more;
    return true;
}

/* Like array_reserve(), and sets the bytes of the additional capacity to zero. */
static inline bool array_reserve_zero(void *list, size_t *room, size_t n, size_t item_size)
{
    size_t before = *room;
    char *items;
    if (!array_reserve(list, room, n, item_size)) {
        return false;
    }
    memcpy(&items, list, sizeof items);
    if (*room > before) {
        memset(items + before * item_size, 0, (*room - before) * item_size);
    }
    return true;
}

/*
 * Makes space for item n of an array that has grown by calls of this function only, each for the
 * next item: array_append(&a->list, a->n, sizeof *a->list). The caller stores no capacity, since n
 * determines it: 0, or the smallest power of two that is at least n. Items may also be removed from
 * the end. Returns false, with the array unchanged, if memory is exhausted.
 */
static inline bool array_append(void *list, size_t n, size_t item_size)
{
    assert(item_size > 0);
    void *items;
    if ((n & (n - 1)) != 0) { /* the array is not full */
        return true;
    }
    memcpy(&items, list, sizeof items);
    items = n > SIZE_MAX / 4 / item_size ? NULL : realloc(items, (n == 0 ? 1 : 2 * n) * item_size);
    if (items == NULL) {
        return false;
    }
    memcpy(list, &items, sizeof items);
    return true;
}

#endif
