/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * id_set.c - a set of numbers in ascending order; see id_set.h.
 */
#include "data/id_set.h"
#include "store/array.h"

#include <assert.h>
#include <stdlib.h>

size_t ws_id_set_find(const struct ws_id_set *ids, uint64_t id, size_t *hint)
{
    if (*hint < ids->n && ids->ids[*hint] == id) {
        return (*hint)++;
    }
    size_t low = 0, high = ids->n;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (ids->ids[middle] < id) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    if (low == ids->n || ids->ids[low] != id) {
        return WS_IDS_NONE;
    }
    *hint = low + 1;
    return low;
}

static int by_value(const void *a, const void *b)
{
    const uint64_t *x = a, *y = b;
    return *x < *y ? -1 : *x > *y;
}

/* Sorts n numbers and removes duplicates. Returns the number of elements that remain. Takes little
 * time if the numbers are already in order, which is the usual case. */
static size_t sort_unique(uint64_t *numbers, size_t n)
{
    size_t kept = 0;
    bool sorted = true;
    for (size_t i = 1; i < n; i++) {
        sorted &= numbers[i - 1] <= numbers[i];
    }
    if (!sorted) {
        qsort(numbers, n, sizeof *numbers, by_value);
    }
    for (size_t i = 0; i < n; i++) {
        if (kept == 0 || numbers[kept - 1] != numbers[i]) {
            numbers[kept++] = numbers[i];
        }
    }
    return kept;
}

bool ws_id_set_add(struct ws_id_set *ids, uint64_t *numbers, size_t n)
{
    assert(n == 0 || numbers != NULL);
    size_t hint = 0, fresh = 0;
    for (size_t i = 0; i < n; i++) {
        if (ws_id_set_find(ids, numbers[i], &hint) == WS_IDS_NONE) {
            numbers[fresh++] = numbers[i];
        }
    }
    fresh = sort_unique(numbers, fresh);
    if (!array_reserve(&ids->ids, &ids->capacity, ids->n + fresh, sizeof *ids->ids)) {
        return false;
    }
    /* Merges both arrays, beginning with the largest numbers, so that no element is overwritten
     * before it is moved. */
    size_t old = ids->n, to = ids->n + fresh;
    ids->n = to;
    while (fresh > 0) {
        bool take_old = old > 0 && ids->ids[old - 1] > numbers[fresh - 1];
        ids->ids[--to] = take_old ? ids->ids[--old] : numbers[--fresh];
    }
    return true;
}

void ws_id_set_free(struct ws_id_set *ids)
{
    free(ids->ids);
    *ids = (struct ws_id_set){0};
}

void ws_id_set_check(const struct ws_id_set *ids)
{
    for (size_t i = 1; i < ids->n; i++) {
        assert(ids->ids[i - 1] < ids->ids[i]);
    }
    (void)ids;
}
