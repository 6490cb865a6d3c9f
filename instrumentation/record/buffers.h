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
    unsigned last;         /* number of the segment that was taken last */
    size_t capacity;       /* bytes of rows in a segment, multiple of 8 */
    size_t stride;         /* bytes of memory of a segment, whole pages */
    unsigned char *memory; /* of the journal's head and the first n_base segments */
    size_t memory_size;
    size_t head_size;
    int journal;        /* file that the memory is mapped from; -1: none */
    char *journal_path; /* owned */
};

/*
 * Takes memory for about size bytes of rows of n_lanes lanes: at least n_lanes + 1 segments, each
 * of which holds a row of row_bytes_max. False: there is not so much memory. Undo with
 * buffers_fini(), also after failure.
 */
bool buffers_init(struct buffers *buffers, uint64_t size, unsigned n_lanes, size_t row_bytes_max);
void buffers_fini(struct buffers *buffers);

/*
 * Has the memory mapped from a new file from here on, so that it outlives the program. head: file
 * id, PE, stream, row_bytes_max; the rest is filled in here. Before a segment is taken. The space
 * is set aside as a whole: writing to memory never fails for want of it. 0 or an errno value; then
 * the memory is as before and there is no file.
 */
int buffers_keep_journal(struct buffers *buffers, const char *path, struct fmt_journal_head head);
/*
 * The memory lives on without the file, whose space is free again (if the system has memory for a
 * copy; otherwise at the end). Nobody else may use the segments meanwhile. False: the system took
 * the memory and gave none; what was in it is lost, there are no segments any more, and nobody may
 * touch the addresses.
 */
bool buffers_leave_journal(struct buffers *buffers);
/* What the journal says of the run so far; NULL without one. */
struct fmt_journal_live *buffers_live(const struct buffers *buffers);
/* The closed segments up to order are in the record file, which is good up to at. Nothing happens
 * without a journal. */
void buffers_checkpoint(struct buffers *buffers, uint64_t order, const struct fmt_position *at);
/* Takes the journal's name away, when all that was in it has been written. */
void buffers_remove_journal(struct buffers *buffers);

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
