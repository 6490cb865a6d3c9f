/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * pending_order.c - see pending_order.h.
 *
 * pending_sort() divides the range of the keys into equal intervals, and counts the entries per
 * interval. It moves each entry to the part of the output that belongs to the entry's interval,
 * then completes the order by insertion sort. Insertion sort alone is several times slower for 30
 * entries.
 */
#include "event/pending_order.h"
#include "event/pending_bag.h"

#include <assert.h>
#include <stdlib.h>

/* Number of intervals for n entries. With the factor 2, few entries share an interval, and the
 * table of intervals is still short. */
#define PENDING_SLOTS(n) (2 * (n))

/* Sorts n entries by insertion, smallest last. */
static void pending_sort_few(struct pending_entry *a, size_t n)
{
    for (size_t i = 1; i < n; i++) {
        struct pending_entry entry = a[i];
        size_t k = i;
        while (k > 0 && pending_entry_before(&a[k - 1], &entry)) {
            a[k] = a[k - 1];
            k--;
        }
        a[k] = entry;
    }
}

/* Copies the keys of the n entries to key[], and sets *max to the greatest of them. Returns the
 * number of intervals per unit of the key; 0 if intervals cannot separate the keys. */
static double pending_load_keys(double *key, double *max, const struct pending_entry *in, size_t n,
                                enum pending_key by)
{
    double least = pending_key_of(&in[0], by);
    double most = least;
    for (size_t i = 0; i < n; i++) {
        key[i] = pending_key_of(&in[i], by);
        least = key[i] < least ? key[i] : least;
        most = key[i] > most ? key[i] : most;
    }
    *max = most;
    double scale = (double)(PENDING_SLOTS(n) - 1) / (most - least);
    return scale <= DBL_MAX ? scale : 0.0;
}

void pending_sort(struct pending_entry *out, const struct pending_entry *in, size_t n)
{
    assert(n <= PENDING_SORT_MAX);
    double key[PENDING_SORT_MAX];
    double max = 0.0;
    double scale = 0.0;
    if (n >= 6) {
        for (int by = 0; by < PENDING_KEYS && !(scale > 0.0); by++) {
            scale = pending_load_keys(key, &max, in, n, (enum pending_key)by);
        }
    }
    if (!(scale > 0.0)) {
        memcpy(out, in, n * sizeof *out);
        pending_sort_few(out, n);
        return;
    }
    uint8_t slot[PENDING_SORT_MAX];
    uint8_t place[PENDING_SLOTS(PENDING_SORT_MAX) + 1] = {0};
    for (size_t i = 0; i < n; i++) {
        slot[i] = (uint8_t)(int)((max - key[i]) * scale);
        place[slot[i] + 1]++;
    }
    for (size_t i = 1; i < PENDING_SLOTS(n); i++) {
        place[i] = (uint8_t)(place[i] + place[i - 1]);
    }
    for (size_t i = 0; i < n; i++) {
        out[place[slot[i]]++] = in[i];
    }
    pending_sort_few(out, n);
}

static void pending_heap_sink(struct pending_heap *heap, size_t i)
{
    struct pending_entry entry = heap->entry[i];
    for (;;) {
        size_t child = 2 * i + 1;
        if (child >= heap->n) {
            break;
        }
        if (child + 1 < heap->n &&
            pending_entry_before(&heap->entry[child + 1], &heap->entry[child])) {
            child++;
        }
        if (!pending_entry_before(&heap->entry[child], &entry)) {
            break;
        }
        heap->entry[i] = heap->entry[child];
        i = child;
    }
    heap->entry[i] = entry;
}

void pending_heap_push(struct pending_heap *heap, struct pending_entry entry)
{
    if (heap->n == heap->capacity) {
        heap->capacity = heap->capacity == 0 ? 256 : 2 * heap->capacity;
        heap->entry = realloc(heap->entry, heap->capacity * sizeof *heap->entry);
        if (heap->entry == NULL) {
            pending_out_of_memory();
        }
    }
    size_t i = heap->n++;
    while (i > 0 && pending_entry_before(&entry, &heap->entry[(i - 1) / 2])) {
        heap->entry[i] = heap->entry[(i - 1) / 2];
        i = (i - 1) / 2;
    }
    heap->entry[i] = entry;
}

struct pending_entry pending_heap_pop(struct pending_heap *heap)
{
    assert(heap->n > 0);
    struct pending_entry top = heap->entry[0];
    heap->entry[0] = heap->entry[--heap->n];
    if (heap->n > 0) {
        pending_heap_sink(heap, 0);
    }
    return top;
}

void pending_heap_repair(struct pending_heap *heap)
{
    for (size_t i = heap->n / 2; i-- > 0;) {
        pending_heap_sink(heap, i);
    }
}
