/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * stream.h - the stream of records from one PE to one file: buffers, writing, and the count of lost
 * records. Each kind of records has a channel (channel.h). No function here is collective.
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

#define STREAM_CHANNELS_MAX 4 /* maximum number of kinds of records in one file */

/* Reaction if a channel needs a sub-buffer and none is free (--buffer-full). */
enum stream_full {
    /* "spill": allocates more memory, up to BUFFERS_GROWTH_MAX times the buffer size; after that,
     * acts like STREAM_BLOCK. */
    STREAM_SPILL,
    STREAM_BLOCK, /* "block": writes buffers at once, or waits for the writer thread */
    STREAM_DROP   /* "drop": discards records and counts them */
};

/* Size of a stream's buffers, and rules for writing them. */
struct stream_buffers {
    uint64_t size; /* buffer size in bytes per PE and file (--buffer-size) */
    /* Percentage of the buffers that is to be free after a GVT computation (--buffer-free). */
    unsigned free;
    enum stream_full full; /* reaction if no sub-buffer is free (--buffer-full) */
    /* True for a flight recorder (--buffer-overwrite): rows are not written before the end of the
     * stream, and the oldest rows are overwritten. `size` is then the minimum size of the rows that
     * are kept. */
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
    double gvt;    /* latest known GVT, for the block headers */
    uint64_t gvts; /* number of GVT computations, the same on all ranks of a run */
    /* Minimum number of free bytes in the buffers: if fewer are free after a GVT computation,
     * buffers are written. */
    uint64_t min_free;
    uint64_t closed; /* ordinal number of the sub-buffer closed last, from 1 */
    size_t row_bytes_max;
    unsigned char *scratch;        /* owned; scratch row: memory for rows that are not kept */
    size_t scratch_size;           /* size of the scratch row in bytes; any row fits */
    _Atomic uint64_t scratch_used; /* number of bytes used in the scratch row */
    /* Closed sub-buffers of the stream, the memory of all its sub-buffers, and the file's
     * writer. */
    struct write_queue queue;
    /* Number of dropped records (STREAM_DROP). Records that a channel drops are added when the
     * channel leaves the scratch row. */
    uint64_t dropped;
    bool overwrites;      /* true for a flight recorder, see struct stream_buffers */
    bool kept_is_due;     /* true if the next GVT computation must set kept_gvt and kept_seconds */
    uint64_t overwritten; /* number of records that were overwritten */
    /* GVT of the first GVT computation after the latest overwritten record was made; INFINITY
     * before that computation. */
    double kept_gvt;
    /* Wall-clock time of the first GVT computation after the latest overwritten record was made, in
     * seconds since the run began. */
    double kept_seconds;
    /* Owned; the payload descriptions written so far, for the next file of a flight recorder. */
    struct fmt_desc_set descs;
    char *path;      /* owned; path of the file, for error messages */
    bool failed;     /* true if an error has switched the stream off */
    bool crash_safe; /* true if the stream has a journal, or kept one until its end */
    bool is_removed; /* true if the file was removed by another program */
    bool file_is_open;
    struct fmt_file file;
    /* Array of all streams of the rank, including this one; NULL: the stream does not share the
     * disk with others. */
    struct record_stream *rank_streams;
    unsigned n_rank_streams;
    enum stream_asking asking;
    unsigned asking_for; /* number of GVT computations since the request for disk space */
};

/* Totals of a stream, of one rank or the sums over ranks. After the end of the stream, written +
 * lost + dropped + overwritten == collected, except in mode STREAM_MEMORY, in which these four are 0.
 * All members are uint64_t, since the recorder sums them as an array. */
struct stream_totals {
    uint64_t collected;
    uint64_t written;
    uint64_t lost;          /* number of records lost because writing failed */
    uint64_t dropped;       /* number of records dropped because buffers were full (STREAM_DROP) */
    uint64_t overwritten;   /* number of records that newer ones replaced (flight recorder) */
    uint64_t spilled_bytes; /* size in bytes of the rows that were in memory beyond --buffer-size */
    uint64_t bytes;         /* size of the file in bytes */
    uint64_t failed;        /* number of ranks whose records or END blocks the file lacks */
    /* Number of ranks with a record that was neither in the file nor in the stream's journal at some
     * time before the stream ended. */
    uint64_t unsafe;
};

/*
 * Initialises the stream of a PE, with one channel for each of the n_records kinds in `records`
 * (enum fmt_record), in this order. Allocates its buffers: a sub-buffer has at least row_bytes_max
 * bytes, so that an empty one has space for any record. Sets the mode STREAM_MEMORY. Returns TW_OK
 * or TW_ERR_MEMORY. Release with stream_fini(), after the writer thread has ended.
 */
enum tw_status stream_init(struct record_stream *stream, uint32_t pe, const uint32_t *records,
                           unsigned n_records, const struct stream_buffers *buffers,
                           size_t row_bytes_max);

/* Returns the channel of a kind of records (enum fmt_record); NULL if the stream has none. */
struct record_channel *stream_channel(struct record_stream *stream, uint32_t record);

/*
 * Connects the stream to an existing file, to which it writes through io. io must outlive the
 * stream. path (copied) is for error messages. Reserves space for the END block. Returns TW_OK,
 * TW_ERR_MEMORY, or TW_ERR_IO with one line in error (error_size bytes).
 */
enum tw_status stream_connect(struct record_stream *stream, const struct fmt_io *io,
                              const char *path, const struct fmt_layout *layout,
                              size_t row_bytes_max, char *error, size_t error_size);

/* Opens the existing file path, takes a shared lock on it, and connects the stream to it as
 * stream_connect() does. Returns the same statuses as that function. */
enum tw_status stream_open(struct record_stream *stream, const char *path,
                           const struct fmt_layout *layout, size_t row_bytes_max, char *error,
                           size_t error_size);

/* Begins another file after stream_end(), and opens it like stream_open(). The buffers stay
 * allocated. The caller writes the descriptions with stream_describe_again(). After a failure the
 * stream is switched off: its records count as lost. */
enum tw_status stream_reopen(struct record_stream *stream, const char *path,
                             const struct fmt_layout *layout, size_t row_bytes_max, char *error,
                             size_t error_size);

/*
 * Maps the buffers from a journal, a new file called path, until the stream ends or fails.
 * stream_id: identity of the record file in the journal. Call it right after stream_open(). Returns
 * 0 or an errno value; after an error the stream works without a journal.
 */
int stream_keep_journal(struct record_stream *stream, const char *path, uint32_t stream_id);

/* Returns the path of the journal of PE pe for the record file `file`, whose path ends in ".bin";
 * NULL if out of memory. The caller frees the path. */
char *stream_journal_path(const char *file, uint32_t pe);

/* Tells the n_streams streams of a rank about each other. When the disk is full, they give up their
 * journals to make space for records. Streams without a journal and zeroed streams are allowed.
 * Call it after stream_init(). */
void streams_share_disk(struct record_stream *streams, unsigned n_streams);

/* Writes n payload descriptions to the file. On failure, prints a warning and switches the stream
 * off. */
void stream_describe(struct record_stream *stream, const struct fmt_payload_desc *descs, size_t n);
/* Writes all descriptions of the earlier files to a file that stream_reopen() began. Call it after
 * stream_keep_journal(). */
void stream_describe_again(struct record_stream *stream);

/* Writes the names of LPs that `next` returns to the file, before its first record. */
void stream_name_lps(struct record_stream *stream, fmt_next_name next, void *ctx);

/* Writes all buffers, then a CHANGE block, to the file; a flight recorder writes only the block. On
 * failure, prints a warning and switches the stream off. Does nothing unless the mode is
 * STREAM_OPEN. */
void stream_write_change(struct record_stream *stream, const struct fmt_change *change);

/* Writes all buffers to the file, and returns when they are written. If the mode is not
 * STREAM_OPEN, only empties the buffers.
 *
 * Cost: that of sealing the rows. */
void stream_flush(struct record_stream *stream);

/* Returns an upper bound of the number of bytes of rows that are in buffers but not in the file.
 * Each closed sub-buffer counts as full. Returns 0 for a flight recorder, and in all modes but
 * STREAM_OPEN. */
uint64_t stream_pending(struct record_stream *stream);

/* Called after each GVT computation. If the free part of the buffers is smaller than --buffer-free,
 * writes the oldest buffers until the free part is large enough, or leaves that to the writer
 * thread. */
void stream_gvt_advanced(struct record_stream *stream, double gvt);

/*
 * Writes all buffers and the END block to the file, and closes the file. Sets records_dropped,
 * overwritten, kept_gvt and kept_real_time in *end. A failure causes a warning, and shows in
 * stream_totals(). Afterwards the mode is STREAM_CLOSED. Does nothing unless the mode is
 * STREAM_OPEN or STREAM_OFF.
 */
void stream_end(struct record_stream *stream, struct fmt_end_info *end);

struct stream_totals stream_totals(const struct record_stream *stream);

/* Frees everything that the stream owns. Zeroed and failed streams are allowed. */
void stream_fini(struct record_stream *stream);

/* Returns true if the invariants of the stream and its channels hold. */
bool stream_check(const struct record_stream *stream);

#endif
