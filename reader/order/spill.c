/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * spill.c - sorted runs in a temporary file; see spill.h.
 *
 * Reading: each run has a cursor with a piece of the memory. A piece has at least the size of the
 * run's largest sort key. The heads of runs form a binary heap by their sort keys. Each sort key
 * costs about log2(runs) comparisons.
 */
#include "order/spill.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "store/array.h"
#include "store/heap.h"

#define OUT_SIZE  ((size_t)256 << 10)
#define PIECE_MIN ((size_t)16 << 10) /* minimum memory of a cursor in bytes */

struct ws_run_cursor {
    uint64_t from, to; /* range of the run's bytes in the file that are still to be read */
    uint8_t *memory;   /* borrowed; memory for the bytes that were read */
    size_t size, pos, got;
};

/* The next sort key of a run. */
struct ws_run_head {
    const struct ws_sort_key *item;
    uint64_t time; /* first bytes of the item, see ws_sort_key_time() */
    uint32_t more; /* next bytes */
    uint32_t cursor;
};

void ws_spill_init(struct ws_spill *s, const struct ws_sort_layout *layout)
{
    *s = (struct ws_spill){.layout = layout, .file.fd = -1};
}

static void reading_free(struct ws_spill *s)
{
    free(s->cursors);
    free(s->heap);
    free(s->in);
    s->cursors = NULL;
    s->heap = NULL;
    s->in = NULL;
    s->n_heap = 0;
    s->taken = false;
}

void ws_spill_free(struct ws_spill *s)
{
    reading_free(s);
    free(s->runs);
    free(s->out);
    ws_temp_close(&s->file);
    *s = (struct ws_spill){.file.fd = -1};
}

static bool no_memory(struct ws_spill *s)
{
    snprintf(s->file.error, sizeof s->file.error, "out of memory");
    return false;
}

/* ---- Writing of runs ------------------------------------------------------------------------- */

static bool run_begin(struct ws_spill *s)
{
    if (s->out == NULL) {
        s->out = malloc(OUT_SIZE);
    }
    if (s->out == NULL || !array_reserve(&s->runs, &s->runs_max, s->n_runs + 1, sizeof *s->runs)) {
        return no_memory(s);
    }
    s->runs[s->n_runs] = (struct ws_sorted_run){.from = s->end, .to = s->end};
    return true;
}

static bool out_write(struct ws_spill *s, const uint8_t *from, size_t size)
{
    uint64_t at = s->end;
    s->end += size;
    return ws_temp_write(&s->file, from, size, at);
}

static bool out_flush(struct ws_spill *s)
{
    size_t size = s->out_used;
    s->out_used = 0;
    return out_write(s, s->out, size);
}

static bool item_add(struct ws_spill *s, const struct ws_sort_key *item)
{
    struct ws_sorted_run *run = &s->runs[s->n_runs];
    run->item_max = item->size > run->item_max ? item->size : run->item_max;
    if (item->size > OUT_SIZE - s->out_used && !out_flush(s)) {
        return false;
    }
    if (item->size > OUT_SIZE) {
        return out_write(s, (const uint8_t *)item, item->size);
    }
    memcpy(s->out + s->out_used, item, item->size);
    s->out_used += item->size;
    return true;
}

static bool run_end(struct ws_spill *s)
{
    if (!out_flush(s)) {
        return false;
    }
    s->runs[s->n_runs++].to = s->end;
    return true;
}

bool ws_spill_pool(struct ws_spill *s, const struct ws_pool *pool)
{
    bool good = run_begin(s);
    for (size_t i = 0; good && i < pool->n; i++) {
        good = item_add(s, ws_pool_item(pool, i));
    }
    return good && run_end(s);
}

/* ---- Reading of runs ------------------------------------------------------------------------- */

/* Reads more bytes of the run into the cursor's memory, after the unread bytes. Returns false on
 * failure. */
static bool cursor_fill(struct ws_spill *s, struct ws_run_cursor *c)
{
    assert(c->pos <= c->got && c->got <= c->size);
    size_t left = c->got - c->pos;
    memmove(c->memory, c->memory + c->pos, left);
    c->pos = 0;
    c->got = left;
    size_t size = c->size - c->got;
    size = c->to - c->from < size ? (size_t)(c->to - c->from) : size;
    if (!ws_temp_read(&s->file, c->memory + c->got, size, c->from)) {
        return false;
    }
    c->got += size;
    c->from += size;
    return true;
}

/* Moves the head of a run to the run's next sort key; head->item is NULL at the end of the run. Returns
 * false on failure. */
static bool head_next(struct ws_spill *s, struct ws_run_head *head)
{
    struct ws_run_cursor *c = &s->cursors[head->cursor];
    c->pos += head->item == NULL ? 0 : head->item->size;
    head->item = NULL;
    size_t left = c->got - c->pos;
    const struct ws_sort_key *item = (const void *)(c->memory + c->pos);
    if (left < sizeof *item || left < item->size) {
        if (!cursor_fill(s, c)) {
            return false;
        }
        item = (const void *)(c->memory + c->pos);
    }
    if (c->got > c->pos) {
        head->item = item;
        head->time = ws_sort_key_time(s->layout, item);
        head->more = ws_sort_key_more(s->layout, item);
    }
    return true;
}

static bool spill_is_before(const struct ws_spill *s, const struct ws_run_head *a,
                            const struct ws_run_head *b)
{
    if (a->time != b->time) {
        return a->time < b->time;
    }
    if (a->more != b->more) {
        return a->more < b->more;
    }
    return ws_sort_key_compare(s->layout, a->item, b->item) < 0;
}

/* Moves the head of a run at index i of the heap down until the heap is ordered again. */
static void heap_sink(struct ws_spill *s, size_t i)
{
    assert(i < s->n_heap);
    struct ws_run_head *heap = s->heap, moved = heap[i];
    size_t down;
    HEAP_DOWN(i, s->n_heap, down, spill_is_before(s, &heap[down + 1], &heap[down]),
              spill_is_before(s, &heap[down], &moved), heap[i] = heap[down]);
    heap[i] = moved;
}

/* Returns the number of runs, from index first on, that can be read at once in `memory` bytes. Sets
 * *piece to the memory of each cursor in bytes. */
static size_t fan_in(const struct ws_spill *s, size_t first, size_t memory, size_t *piece)
{
    assert(first < s->n_runs || s->n_runs == 0);
    size_t n = 0, largest = PIECE_MIN;
    for (size_t i = first; i < s->n_runs; i++) {
        size_t item_max = s->runs[i].item_max;
        size_t next = item_max > largest ? (item_max + 7) & ~(size_t)7 : largest;
        if ((n + 1) * next > memory) {
            break;
        }
        largest = next;
        n++;
    }
    *piece = n == 0 ? largest : memory / n & ~(size_t)7;
    return n;
}

/* Opens cursors for n runs from index first on. piece: memory of each cursor in bytes. Returns
 * false on failure. */
static bool cursors_open(struct ws_spill *s, size_t first, size_t n, size_t piece)
{
    s->cursors = calloc(n + 1, sizeof *s->cursors);
    s->heap = calloc(n + 1, sizeof *s->heap);
    s->in = malloc(n * piece + 8);
    if (s->cursors == NULL || s->heap == NULL || s->in == NULL) {
        return no_memory(s);
    }
    for (size_t i = 0; i < n; i++) {
        s->cursors[i] = (struct ws_run_cursor){.from = s->runs[first + i].from,
                                               .to = s->runs[first + i].to,
                                               .memory = s->in + i * piece,
                                               .size = piece};
        s->heap[s->n_heap] = (struct ws_run_head){.cursor = (uint32_t)i};
        if (!head_next(s, &s->heap[s->n_heap])) {
            return false;
        }
        s->n_heap += s->heap[s->n_heap].item != NULL;
    }
    for (size_t i = s->n_heap; i-- > 0;) {
        heap_sink(s, i);
    }
    return true;
}

/* Makes one pass: merges the runs into fewer runs, in a new file that replaces the old one. Returns
 * false on failure. */
static bool pass(struct ws_spill *s, size_t memory)
{
    struct ws_spill next;
    ws_spill_init(&next, s->layout);
    bool good = true;
    for (size_t first = 0; good && first < s->n_runs;) {
        size_t piece, n = fan_in(s, first, memory, &piece);
        assert(n > 0);
        good = cursors_open(s, first, n, piece) && run_begin(&next);
        for (const struct ws_sort_key *item; good && (item = ws_spill_next(s)) != NULL;) {
            good = item_add(&next, item);
        }
        good = good && s->file.error[0] == '\0' && run_end(&next);
        reading_free(s);
        first += n;
    }
    if (!good && next.file.error[0] != '\0') {
        memcpy(s->file.error, next.file.error, sizeof s->file.error);
    }
    if (good) {
        ws_spill_free(s);
        *s = next;
    } else {
        ws_spill_free(&next);
    }
    return good;
}

bool ws_spill_read(struct ws_spill *s, size_t memory)
{
    size_t piece, n;
    assert(memory >= WS_SPILL_MIN);
    while ((n = fan_in(s, 0, memory, &piece)) < s->n_runs) {
        if (!pass(s, memory)) {
            return false;
        }
    }
    free(s->out);
    s->out = NULL;
    return cursors_open(s, 0, n, piece);
}

const struct ws_sort_key *ws_spill_next(struct ws_spill *s)
{
    if (s->n_heap > 0 && s->taken) {
        if (!head_next(s, &s->heap[0])) {
            return NULL;
        }
        if (s->heap[0].item == NULL) {
            s->heap[0] = s->heap[--s->n_heap];
        }
        if (s->n_heap > 0) {
            heap_sink(s, 0);
        }
    }
    s->taken = s->n_heap > 0;
    return s->taken ? s->heap[0].item : NULL;
}
