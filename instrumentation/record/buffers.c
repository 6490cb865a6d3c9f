/*
 * buffers.c - segments in mapped memory.
 *
 * The first segments lie behind one another in one mapping, with a page for the journal's head in
 * front; each further one has a mapping of its own.
 *
 * Invariants
 *  B1  capacity holds the largest row; capacity + head <= stride.
 *  B2  the memory of a segment never moves.
 */
#include "record/buffers.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#define SEGMENTS_USUAL    8u          /* filled, being sealed, free: enough to smooth out bursts */
#define BUFFERS_TOUCH_MAX (64u << 20) /* more may never be needed */

static size_t whole_pages(size_t size)
{
    size_t page = (size_t)sysconf(_SC_PAGESIZE);
    return (size + page - 1) / page * page;
}

static unsigned char *map_memory(size_t size)
{
    void *memory = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    return memory == MAP_FAILED ? NULL : memory;
}

static struct segment *segment_add(struct buffers *b, unsigned char *memory)
{
    struct segment *s = &b->segments[b->n];
    *s = (struct segment){.head = (struct fmt_segment_head *)(void *)memory,
                          .rows = memory + FMT_SEGMENT_HEAD,
                          .is_spill = b->n >= b->n_base};
    b->n++;
    return s;
}

bool buffers_init(struct buffers *b, uint64_t size, unsigned n_lanes, size_t row_bytes_max)
{
    *b = (struct buffers){0};
    if (size > SIZE_MAX / 4 || row_bytes_max > SIZE_MAX / 4) {
        return false;
    }
    size_t n = (size_t)size / row_bytes_max;
    n = n > SEGMENTS_USUAL ? SEGMENTS_USUAL : n;
    n = n < n_lanes + 1 ? n_lanes + 1 : n;
    size_t capacity = (size_t)size / n;
    capacity = capacity < row_bytes_max ? row_bytes_max : capacity;
    b->capacity = (capacity + 7) & ~(size_t)7;
    b->stride = whole_pages(FMT_SEGMENT_HEAD + b->capacity);
    b->n_base = (unsigned)n;
    b->n_max = b->n_base * BUFFERS_GROWTH_MAX;
    b->head_size = whole_pages(1);
    b->memory_size = b->head_size + n * b->stride;
    b->memory = map_memory(b->memory_size);
    b->segments = calloc(b->n_max, sizeof(*b->segments));
    if (b->memory == NULL || b->segments == NULL) {
        return false;
    }
    while (b->n < b->n_base) {
        segment_add(b, b->memory + b->head_size + b->n * b->stride);
    }
    return true;
}

void buffers_fini(struct buffers *b)
{
    for (unsigned i = b->n_base; i < b->n; i++) {
        munmap(b->segments[i].head, b->stride);
    }
    if (b->memory != NULL) {
        munmap(b->memory, b->memory_size);
    }
    free(b->segments);
    *b = (struct buffers){0};
}

void buffers_touch(struct buffers *b)
{
    size_t size = b->memory_size < BUFFERS_TOUCH_MAX ? b->memory_size : BUFFERS_TOUCH_MAX;
    if (size > b->head_size) {
        memset(b->memory + b->head_size, 0, size - b->head_size);
    }
}

struct segment *buffers_take(struct buffers *b, bool rotate)
{
    unsigned start = rotate ? b->last + 1 : 0;
    for (unsigned k = 0; k < b->n; k++) {
        unsigned i = (start + k) % b->n;
        if (!b->segments[i].in_use) {
            b->segments[i].in_use = true;
            b->last = i;
            return &b->segments[i];
        }
    }
    return NULL;
}

struct segment *buffers_grow(struct buffers *b)
{
    unsigned char *memory = b->n < b->n_max ? map_memory(b->stride) : NULL;
    if (memory == NULL) {
        return NULL;
    }
    struct segment *s = segment_add(b, memory);
    s->in_use = true;
    return s;
}
