/* SPDX-License-Identifier: BSD-3-Clause */
/* pending_rung.c - see pending_rung.h. */
#include "event/pending_rung.h"

#include <stdlib.h>

void pending_rung_flush(struct pending_rung *r, struct pending_pool *pool)
{
    size_t n = r->n_staged;
    for (size_t k = 0; k < n; k++) {
        __builtin_prefetch(r->bucket[r->staged[k].bucket], 1);
    }
    for (size_t k = 0; k < n; k++) {
        size_t i = r->staged[k].bucket;
        pending_bag end = r->bucket[i];
        if (pending_bag_is_full(end)) {
            if (end == NULL) {
                r->used[i / 64] |= (uint64_t)1 << (i % 64);
            }
            end = pending_bag_extend(pool, end);
        }
        *end = r->staged[k].entry;
        r->bucket[i] = end + 1;
    }
    r->n_staged = 0;
}

double pending_rung_position_tied(const struct pending_rung *r, const struct pending_entry *entry)
{
    if (entry->ts != r->ts) {
        return entry->ts < r->ts ? -1.0 : INFINITY;
    }
    if (r->by == PENDING_BY_PRIO) {
        return (entry->event->prio - r->lo) * r->scale;
    }
    if (entry->event->prio != r->prio) {
        return entry->event->prio < r->prio ? -1.0 : INFINITY;
    }
    return (entry->event->tie - r->lo) * r->scale;
}

static void pending_rung_reserve(struct pending_rung *r, size_t n_buckets)
{
    size_t capacity = r->capacity == 0 ? 64 : r->capacity;
    while (capacity < n_buckets) {
        capacity *= 2;
    }
    if (capacity == r->capacity) {
        return;
    }
    free(r->bucket);
    free(r->used);
    r->bucket = calloc(capacity, sizeof *r->bucket);
    r->used = calloc(capacity / 64, sizeof *r->used);
    r->capacity = capacity;
    if (r->bucket == NULL || r->used == NULL) {
        pending_out_of_memory();
    }
}

void pending_rung_open(struct pending_rung *r, const struct pending_plan *plan)
{
    assert(r->count == 0 && r->n_staged == 0 && plan->n_buckets > 0 && plan->scale > 0 &&
           isfinite(plan->scale));
    pending_rung_reserve(r, plan->n_buckets);
    r->by = plan->by;
    r->ts = plan->ts;
    r->prio = plan->prio;
    r->lo = plan->lo;
    r->scale = plan->scale;
    r->n_buckets = plan->n_buckets;
    r->last_x = (double)(plan->n_buckets - 1);
    pending_rung_set_cur(r, 0);
}

void pending_rung_free(struct pending_rung *r)
{
    free(r->bucket);
    free(r->used);
    *r = (struct pending_rung){0};
}

/* Returns the index of the first bucket >= from that has entries; n_buckets if it finds none. Reads
 * at most `most` words of `used`. */
static inline size_t pending_rung_find(const struct pending_rung *r, size_t from, size_t most)
{
    size_t end = (r->n_buckets + 63) / 64;
    size_t word = from / 64;
    if (r->count == 0 || word >= end) {
        return r->n_buckets;
    }
    end = end - word > most ? word + most : end;
    uint64_t bits = r->used[word] & (UINT64_MAX << (from % 64));
    while (bits == 0) {
        if (++word == end) {
            return r->n_buckets;
        }
        bits = r->used[word];
    }
    return word * 64 + (size_t)__builtin_ctzll(bits);
}

size_t pending_rung_next(const struct pending_rung *r, size_t from)
{
    return pending_rung_find(r, from, SIZE_MAX);
}

size_t pending_rung_near(const struct pending_rung *r, size_t from)
{
    return pending_rung_find(r, from, PENDING_NEAR_WORDS);
}
