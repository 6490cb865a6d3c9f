/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * buffers.h - the buffer memory of one stream, divided into sub-buffers of equal size.
 */
#ifndef WARPSCOPE_RECORD_BUFFER_BUFFERS_H
#define WARPSCOPE_RECORD_BUFFER_BUFFERS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "format/format.h"
#include "format/journal.h"

/* A piece of the buffer memory that holds rows of one channel. It is filled, closed, written, and
 * used again. */
struct sub_buffer {
    struct fmt_segment_head *head; /* header of 64 bytes before the rows */
    unsigned char *rows;           /* memory of the rows, 8-aligned */
    const struct fmt_schema *schema;
    double gvt;       /* latest GVT known when the sub-buffer was closed */
    size_t written;   /* number of bytes of rows already in the file */
    uint64_t records; /* number of rows, set when the sub-buffer is closed */
    /* The first GVT computation after the sub-buffer was closed: its GVT, and the wall-clock time in
     * seconds since the run began. Set in rings only, once has_next is true. */
    double next_gvt;
    double next_seconds;
    bool has_next;
    bool in_use;
    bool is_spill;           /* true if the sub-buffer was added beyond --buffer-size */
    struct sub_buffer *next; /* next closed sub-buffer in the write queue */
};

struct buffers {
    struct sub_buffer *sub_buffers; /* owned; array of n_max entries, of which n have memory */
    unsigned n;
    unsigned n_base; /* number of sub-buffers that fit into --buffer-size */
    unsigned n_max;
    unsigned last;         /* index of the sub-buffer that was taken last */
    size_t capacity;       /* size of the rows in a sub-buffer in bytes, a multiple of 8 */
    size_t stride;         /* memory of a sub-buffer in bytes, a multiple of the page size */
    unsigned char *memory; /* memory of the journal's header and of the first n_base sub-buffers */
    size_t memory_size;
    size_t head_size;
    int journal;        /* descriptor of the journal from which the memory is mapped; -1: none */
    char *journal_path; /* owned; path of the journal */
};

/*
 * Allocates memory for about size bytes of rows of n_channels channels: at least n_channels + 1
 * sub-buffers, each of which holds a row of row_bytes_max bytes. Returns false if memory is
 * exhausted. Release with buffers_fini(), also after failure.
 */
bool buffers_init(struct buffers *buffers, uint64_t size, unsigned n_channels,
                  size_t row_bytes_max);
/* Like buffers_init(), for a ring in which at least `size` bytes of rows stay when the oldest
 * sub-buffer is used again. */
bool buffers_init_ring(struct buffers *buffers, uint64_t size, unsigned n_channels,
                       size_t row_bytes_max);
void buffers_fini(struct buffers *buffers);

/*
 * Maps the memory from a new file, so that its contents remain after a crash of the process. head:
 * the caller sets file_id, pe, stream and row_bytes_max, this function the other members. Call it
 * before a sub-buffer is taken. The disk space of the whole file is allocated, so a store to the
 * memory never fails for lack of space. Returns 0 or an errno value; after an error the memory is
 * unchanged and there is no file.
 */
int buffers_keep_journal(struct buffers *buffers, const char *path, struct fmt_journal_head head);
/*
 * Detaches the memory from the journal and removes the file. The disk space becomes free at once if
 * there is memory for a copy, otherwise at the end of the run. The sub-buffers must not be used
 * during the call. Returns false if the system unmapped the memory without a replacement: its
 * contents are lost, there are no sub-buffers any more, and the addresses must not be touched.
 */
bool buffers_leave_journal(struct buffers *buffers);
/* Returns the state of the run in the journal; NULL without a journal. */
struct fmt_journal_live *buffers_live(const struct buffers *buffers);
/* Marks the closed sub-buffers up to order as written; the record file is valid up to at. No effect
 * without a journal. */
void buffers_checkpoint(struct buffers *buffers, uint64_t order, const struct fmt_position *at);
/* Removes the journal file, after all its contents have been written to the record file. */
void buffers_remove_journal(struct buffers *buffers);

/* Writes to the pages in advance, so that the first records do not cause page faults, which take
 * about as long as the records themselves. */
void buffers_touch(struct buffers *buffers);

/* Returns a sub-buffer that is not in use, or NULL. If rotate is true, the search starts after the
 * sub-buffer taken last, so that all memory gets used; otherwise it starts at the first one, whose
 * memory is likely to be cached. */
struct sub_buffer *buffers_take(struct buffers *buffers, bool rotate);

/* Adds a sub-buffer beyond --buffer-size. Returns NULL if BUFFERS_GROWTH_MAX is reached or memory
 * is exhausted. */
struct sub_buffer *buffers_grow(struct buffers *buffers);

#define BUFFERS_GROWTH_MAX 16 /* limit of the growth, as a multiple of --buffer-size */

#endif
