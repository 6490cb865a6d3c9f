/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * stream.h - the records of one PE for one file: their buffers, their way to the file, and their
 * loss. Each kind of records has a channel (channel.h). No function here is collective.
 */
#ifndef WARPSCOPE_RECORD_BUFFER_STREAM_H
#define WARPSCOPE_RECORD_BUFFER_STREAM_H

#include <assert.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/status.h"
#include "format/format.h"
#include "record/buffer/buffers.h"
#include "record/buffer/channel.h"
#include "record/buffer/write_queue.h"

enum stream_mode {
    STREAM_NONE = 0, /* the stream is not in use */
    STREAM_MEMORY, /* records are never written: full buffers are overwritten (--disable-output) */
    STREAM_OPEN,   /* records are written to the file */
    STREAM_OFF,    /* writing failed: records are counted as lost */
    STREAM_CLOSED  /* the stream has ended */
};

#define STREAM_CHANNELS_MAX 4 /* most kinds of records in one file */

/* Reaction if no buffer is free between two GVT computations (--buffer-full). */
enum stream_full {
    /* "spill": allocates more memory, up to BUFFERS_GROWTH_MAX times the buffer size; then behaves
     * like STREAM_BLOCK. */
    STREAM_SPILL,
    STREAM_BLOCK, /* "block": writes buffers at once, or waits for the writer thread */
    STREAM_DROP   /* "drop": discards records and counts them */
};

/* Size of the buffers, and rules for writing them. */
struct stream_buffers {
    uint64_t size;         /* buffer size in bytes per PE and file (--buffer-size) */
    unsigned free;         /* percentage of the buffers that should be free (--buffer-free) */
    enum stream_full full; /* reaction if no buffer is free (--buffer-full) */
    /* True for a flight recorder (--buffer-overwrite): rows are not written before the end of the
     * stream, and the oldest rows are overwritten. `size` is then that of the ring. */
    bool overwrites;
};

/* Progress of a request for disk space. On a full disk, a stream asks other ranks once to give up
 * their journals, if its own rank has none left. */
enum stream_asking { STREAM_NOT_ASKED = 0, STREAM_ASKS, STREAM_HAS_ASKED };

struct record_stream {
    struct record_channel channels[STREAM_CHANNELS_MAX];
    unsigned n_channels;
    enum stream_mode mode;
    enum stream_full full;
    uint32_t pe;
    double gvt;        /* latest known GVT, for the block headers */
    uint64_t min_free; /* if fewer bytes are free after a GVT, buffers are written */
    uint64_t closed;   /* ordinal number of the sub-buffer closed last */
    size_t row_bytes_max;
    unsigned char *scratch;        /* owned; scratch row: memory for rows that are not kept */
    size_t scratch_size;           /* size of the scratch row in bytes; any row fits */
    _Atomic uint64_t scratch_used; /* number of bytes used in the scratch row */
    /* Closed sub-buffers, with the memory of the buffers and the file's writer. */
    struct write_queue queue;
    /* Records dropped (STREAM_DROP), except those of channels that are dropping now. */
    uint64_t dropped;
    bool overwrites;      /* true for a flight recorder, see struct stream_buffers */
    bool kept_is_due;     /* true if kept_gvt and kept_seconds must be set at the next GVT */
    uint64_t overwritten; /* number of records that were overwritten */
    /* GVT, and wall-clock time in seconds, of the first GVT computation after all overwritten
     * records were made. */
    double kept_gvt;
    double kept_seconds;
    char *path;      /* owned; path of the file, for messages */
    bool failed;     /* true if an error has switched the stream off */
    bool crash_safe; /* true if the stream has a journal, or kept one until its end */
    bool is_removed; /* true if the file was removed by another program */
    bool file_is_open;
    struct fmt_file file;
    /* Array of all streams of the rank, this one included; NULL: the stream does not share the disk
     * with others. */
    struct record_stream *rank_streams;
    unsigned n_rank_streams;
    enum stream_asking asking;
    unsigned asking_for; /* number of GVT computations since the request for disk space */
};

/* Totals of a stream. After the end of the stream, written + lost + dropped + overwritten ==
 * collected, except in mode STREAM_MEMORY, in which all three are 0. */
struct stream_totals {
    uint64_t collected;
    uint64_t written;
    uint64_t lost;          /* number of records lost because writing failed */
    uint64_t dropped;       /* number of records dropped because buffers were full (STREAM_DROP) */
    uint64_t overwritten;   /* number of records that newer ones replaced (flight recorder) */
    uint64_t spilled_bytes; /* size of the rows in memory beyond --buffer-size, in bytes */
    uint64_t bytes;         /* size of the file in bytes */
    bool failed;            /* true if the file lacks records, or its END block */
    bool crash_safe;        /* true if each record was in the file or its journal until the end */
};

/*
 * Allocates buffers for records of the given kinds (enum fmt_record), with one channel each in this
 * order. A sub-buffer has at least row_bytes_max bytes, so that any record fits an empty one. Sets
 * the mode STREAM_MEMORY. Returns TW_OK or TW_ERR_MEMORY. Release with stream_fini(), after the
 * writer thread has ended.
 */
enum tw_status stream_init(struct record_stream *stream, uint32_t pe, const uint32_t *records,
                           unsigned n_records, const struct stream_buffers *buffers,
                           size_t row_bytes_max);

/* Returns the channel of a kind of records (enum fmt_record); NULL if the stream has none. */
struct record_channel *stream_channel(struct record_stream *stream, uint32_t record);

/*
 * Connects the stream to an existing file, which it writes through io. io must outlive the stream.
 * path (copied) is for messages. Returns TW_OK, TW_ERR_MEMORY, or TW_ERR_IO with one line in
 * error.
 */
enum tw_status stream_connect(struct record_stream *stream, const struct fmt_io *io,
                              const char *path, const struct fmt_layout *layout,
                              size_t row_bytes_max, char *error, size_t error_size);

/* Opens path, takes a shared lock on it, and connects to it. Reserves space for the END block. */
enum tw_status stream_open(struct record_stream *stream, const char *path,
                           const struct fmt_layout *layout, size_t row_bytes_max, char *error,
                           size_t error_size);

/* Begins another file, after stream_end(): opens it like stream_open(). The buffers stay. After a
 * failure the stream is off: records count as lost. */
enum tw_status stream_reopen(struct record_stream *stream, const char *path,
                             const struct fmt_layout *layout, size_t row_bytes_max, char *error,
                             size_t error_size);

/*
 * Maps the buffers from a journal beside the file, until the stream ends or fails. Call it right
 * after stream_open(). Returns 0 or an errno value; after an error the stream works without a
 * journal.
 */
int stream_keep_journal(struct record_stream *stream, const char *path, uint32_t stream_id);

/* Returns the path of a PE's journal beside a record file, whose path ends in ".bin". The caller
 * frees it. NULL: out of memory. */
char *stream_journal_path(const char *file, uint32_t pe);

/* Registers the streams of a rank. When the disk is full, they give up their journals to make space
 * for records. Streams without a journal and zeroed streams are allowed. Call it after
 * stream_init(). */
void streams_share_disk(struct record_stream *streams, unsigned n_streams);

/* Writes n payload descriptions to the file. On failure switches the stream off, with a message. */
void stream_describe(struct record_stream *stream, const struct fmt_payload_desc *descs, size_t n);

/* Writes all buffers, then a CHANGE block. On failure switches the stream off, with a message. Does
 * nothing unless the mode is STREAM_OPEN. */
void stream_note_change(struct record_stream *stream, const struct fmt_change *change);

/* Writes all buffers; if the mode is not STREAM_OPEN, only empties them. Returns when everything is
 * written.
 *
 * Cost: that of sealing the rows. */
void stream_flush(struct record_stream *stream);

/* Returns the bytes of rows in buffers that are not in the file; at most this number while the writer
 * thread works. 0 unless the mode is STREAM_OPEN, and for a flight recorder. */
uint64_t stream_pending(struct record_stream *stream);

/* Called after each GVT computation. If less than --buffer-free of the buffers is free, writes the
 * oldest buffers until so much is free, or hands them to the writer thread. */
void stream_gvt_advanced(struct record_stream *stream, double gvt);

/*
 * Writes all buffers and the END block (sets records_dropped of end), and closes the file. A
 * failure leads to a message, and is part of the totals. An open stream gets the mode
 * STREAM_CLOSED.
 */
void stream_end(struct record_stream *stream, struct fmt_end_info *end);

struct stream_totals stream_totals(const struct record_stream *stream);

/* Frees everything that the stream owns. Zeroed and failed streams are allowed. */
void stream_fini(struct record_stream *stream);

/* Asserts the invariants. */
void stream_check(const struct record_stream *stream);

#endif
