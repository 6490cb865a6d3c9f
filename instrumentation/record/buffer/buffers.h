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
 * then used again. */
struct sub_buffer {
    struct fmt_segment_head *head; /* header of 64 bytes before the rows */
    unsigned char *rows;           /* memory of the rows, 8-aligned */
    const struct fmt_schema *schema;
    double gvt;       /* latest GVT known when the sub-buffer was closed */
    size_t written;   /* number of bytes of the rows that are already in the file */
    uint64_t records; /* number of rows, set when the sub-buffer is closed */
    /* GVT of the first GVT computation after the sub-buffer was closed. Valid if has_next. */
    double next_gvt;
    /* Wall-clock time of the first GVT computation after the sub-buffer was closed, in seconds
     * since the run began. Valid if has_next. */
    double next_seconds;
    /* True if a GVT computation has taken place since the sub-buffer was closed; flight recorders
     * only. */
    bool has_next;
    /* True if a channel or the write queue has the sub-buffer. */
    bool in_use;
    bool is_spill;           /* true if the sub-buffer was added beyond --buffer-size */
    struct sub_buffer *next; /* next closed sub-buffer in the write queue */
};

struct buffers {
    struct sub_buffer *sub_buffers; /* owned; array of n_max entries, of which n have memory */
    unsigned n;
    unsigned n_base; /* number of sub-buffers that fit into --buffer-size */
    unsigned n_max;
    unsigned last; /* index of the sub-buffer that was taken last */
    /* Maximum total size of the rows in a sub-buffer, in bytes, a multiple of 8. */
    size_t capacity;
    size_t stride;         /* size of a sub-buffer's memory in bytes, a multiple of the page size */
    unsigned char *memory; /* memory of the journal's header and of the first n_base sub-buffers */
    size_t memory_size;
    size_t head_size;
    /* File descriptor of the journal from which the memory is mapped; -1: none. */
    int journal;
    char *journal_path; /* owned; path of the journal */
};

/*
 * Allocates memory for about `size` bytes of rows, which n_channels channels share. It has at least
 * n_channels + 1 sub-buffers, each large enough for a row of row_bytes_max bytes. Returns false if
 * memory is exhausted. Release with buffers_fini(), also after failure.
 */
bool buffers_init(struct buffers *buffers, uint64_t size, unsigned n_channels,
                  size_t row_bytes_max);
/* Like buffers_init(), but for a flight recorder: when it uses its oldest sub-buffer again, at
 * least `size` bytes of rows remain in the other sub-buffers. */
bool buffers_init_ring(struct buffers *buffers, uint64_t size, unsigned n_channels,
                       size_t row_bytes_max);
void buffers_fini(struct buffers *buffers);

/*
 * Maps the buffer memory from a new file called path, so that its contents remain after a crash of
 * the process. head: the caller sets file_id, pe, stream, version and row_bytes_max; this function
 * sets the other members. Call it before a sub-buffer is taken. The disk space of the whole file is
 * allocated, so a store to the memory never fails because the disk is full. Returns 0 or an errno
 * value; after an error the memory is unchanged and there is no file.
 */
int buffers_keep_journal(struct buffers *buffers, const char *path, struct fmt_journal_head head);
/*
 * Detaches the buffer memory from the journal and removes the file. The disk space becomes free at
 * once if there is memory for a copy, otherwise at the end of the run. The sub-buffers must not be
 * used during the call. Returns false if the system unmapped the memory without a replacement: its
 * contents are lost, there are no sub-buffers any more, and their addresses must not be accessed.
 */
bool buffers_leave_journal(struct buffers *buffers);
/* Returns the area of the journal that holds the state of the run; NULL without a journal. */
struct fmt_journal_live *buffers_live(const struct buffers *buffers);
/* Stores in the journal that the sub-buffers with ordinal numbers up to `order`, counted in the
 * order of closing, are written, and that the record file is valid up to position `at`. No effect
 * without a journal. */
void buffers_checkpoint(struct buffers *buffers, uint64_t order, const struct fmt_position *at);
/* Removes the journal file, after all its contents have been written to the record file. */
void buffers_remove_journal(struct buffers *buffers);

/* Writes to the pages of the buffer memory in advance, so that the first records cause no page
 * faults, which take about as long as the records themselves. */
void buffers_touch(struct buffers *buffers);

/* Returns a sub-buffer that was not in use, and marks it as in use; NULL if there is none. If
 * rotate is true, the search starts after the sub-buffer taken last, so that all memory gets used.
 * Otherwise it starts at the first sub-buffer, whose memory is likely to be cached. */
struct sub_buffer *buffers_take(struct buffers *buffers, bool rotate);

/* Adds a sub-buffer beyond --buffer-size and returns it, marked as in use. Returns NULL if
 * BUFFERS_GROWTH_MAX is reached or memory is exhausted. */
struct sub_buffer *buffers_grow(struct buffers *buffers);

#define BUFFERS_GROWTH_MAX 16 /* maximum size of all sub-buffers, as a multiple of --buffer-size */

#endif
