/*
 * buffers.h - the memory of one stream's buffers, in segments of one size.
 */
#ifndef WARPSCOPE_RECORD_BUFFERS_H
#define WARPSCOPE_RECORD_BUFFERS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "format/format.h"
#include "format/journal.h"

/* Room for the rows of one lane. Filled, closed, written, used again. */
struct segment {
    struct fmt_segment_head *head; /* 64 bytes in front of the rows */
    unsigned char *rows;           /* 8-aligned */
    const struct fmt_schema *schema;
    double gvt;     /* latest known when it was closed */
    size_t written; /* bytes of rows that are in the file */
    bool in_use;
    bool is_spill;        /* not of the first buffers->n_base */
    struct segment *next; /* closed after this one */
};

struct buffers {
    struct segment *segments; /* owned; n_max, n of them with memory */
    unsigned n;
    unsigned n_base; /* what --buffer-size pays for */
    unsigned n_max;
    unsigned last;   /* number of the segment that was taken last */
    size_t capacity; /* bytes of rows in a segment, multiple of 8 */
    size_t stride;   /* bytes of memory of a segment, whole pages */
    unsigned char *memory;
    size_t memory_size; /* of the head page and the first n_base segments */
    size_t head_size;
};

/*
 * Takes memory for about size bytes of rows of n_lanes lanes: at least n_lanes + 1 segments, each
 * of which holds a row of row_bytes_max. False: there is not so much memory. Undo with
 * buffers_fini(), also after failure.
 */
bool buffers_init(struct buffers *buffers, uint64_t size, unsigned n_lanes, size_t row_bytes_max);
void buffers_fini(struct buffers *buffers);

/* Has the system provide the pages, which the first records would otherwise pay for: about as much
 * as for themselves. */
void buffers_touch(struct buffers *buffers);

/* A segment that is not in use, or NULL. rotate: the one behind that which was taken last, so that
 * all memory gets used; otherwise the first, whose memory is still in the caches. */
struct segment *buffers_take(struct buffers *buffers, bool rotate);

/* One more segment than --buffer-size pays for; NULL if there are FACTOR times as many already, or
 * there is no memory. */
struct segment *buffers_grow(struct buffers *buffers);

#define BUFFERS_GROWTH_MAX 16 /* times --buffer-size */

#endif
