/*
 * stream.h - one PE's records on their way to one file: buffers, sealing, loss. The records of each
 * kind have a lane (lane.h). Nothing here is collective.
 */
#ifndef WARPSCOPE_RECORD_STREAM_H
#define WARPSCOPE_RECORD_STREAM_H

#include <assert.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/status.h"
#include "format/format.h"
#include "record/buffers.h"
#include "record/drain.h"
#include "record/lane.h"

enum stream_mode {
    STREAM_NONE = 0, /* not in use */
    STREAM_MEMORY,   /* never written: a full buffer is filled anew (--disable-output) */
    STREAM_OPEN,     /* written to its file */
    STREAM_OFF,      /* writing failed: records are counted as lost */
    STREAM_CLOSED    /* ended */
};

#define STREAM_LANES_MAX 4 /* kinds of records in one file */

/* What to do when all buffers are full between two GVT computations (--buffer-full). */
enum stream_full {
    STREAM_SPILL, /* take more memory, up to BUFFERS_GROWTH_MAX times; then as STREAM_BLOCK */
    STREAM_BLOCK, /* write at once, or wait for the writer thread */
    STREAM_DROP   /* drop records, and count them */
};

/* How large buffers are, and when they are written. */
struct stream_buffers {
    uint64_t size;         /* bytes of the buffers of one PE and file (--buffer-size) */
    unsigned free;         /* per cent (--buffer-free) */
    enum stream_full full; /* --buffer-full */
};

/* A stream without space, whose rank has no journals left, asks other ranks for theirs, once. */
enum stream_asking { STREAM_NOT_ASKED = 0, STREAM_ASKS, STREAM_HAS_ASKED };

struct record_stream {
    struct record_lane lanes[STREAM_LANES_MAX];
    unsigned n_lanes;
    enum stream_mode mode;
    enum stream_full full;
    uint32_t pe;
    double gvt;             /* latest known, goes into the block headers */
    struct buffers buffers; /* shared by the lanes */
    uint64_t min_free;      /* bytes: with less free after GVT buffers are written */
    uint64_t closed;        /* number of the segment that was closed last */
    size_t row_bytes_max;
    unsigned char *nowhere;        /* owned: where rows go that are not kept */
    size_t nowhere_size;           /* holds any row */
    _Atomic uint64_t nowhere_used; /* stands for a segment's count */
    struct drain drain;
    struct fmt_writer writer; /* of who drains */
    uint64_t spilled_bytes;   /* of who drains */
    uint64_t dropped;         /* by STREAM_DROP, but for lanes that are dropping now */
    char *path;               /* owned; for messages */
    bool failed;              /* was switched off */
    bool crash_safe;          /* has a journal, or had one until the end */
    bool is_removed;          /* the file, by somebody else */
    bool file_is_open;
    struct fmt_file file;
    struct record_stream *rank_streams; /* all of the rank, this one too; NULL: it is alone */
    unsigned n_rank_streams;
    enum stream_asking asking;
    unsigned asking_for; /* GVT computations since */
};

/* What a stream came to. written + lost + dropped == collected once it is ended; STREAM_MEMORY has
 * only collected. */
struct stream_totals {
    uint64_t collected;
    uint64_t written;
    uint64_t lost;          /* because writing failed */
    uint64_t dropped;       /* because buffers were full (STREAM_DROP) */
    uint64_t spilled_bytes; /* of rows in memory beyond --buffer-size */
    uint64_t bytes;         /* in the file */
    bool failed;            /* the file is incomplete, maybe only its END block */
    bool crash_safe;        /* until the end everything was in the file or its journal */
};

/*
 * Takes the buffers for records of the given kinds (enum fmt_record), one lane each, in this order.
 * A segment is raised to row_bytes_max so that any record fits an empty one. The stream is in mode
 * STREAM_MEMORY afterwards. TW_ERR_MEMORY. Undo with stream_fini(), after the writer thread ended.
 */
enum tw_status stream_init(struct record_stream *stream, uint32_t pe, const uint32_t *records,
                           unsigned n_records, const struct stream_buffers *buffers,
                           size_t row_bytes_max);

/* The lane of a kind of records (enum fmt_record); NULL if the stream has none. */
struct record_lane *stream_lane(struct record_stream *stream, uint32_t record);

/*
 * Connects to a file that exists: writes go through io, which must outlive the stream. path
 * (copied) is what messages say. TW_ERR_MEMORY, or TW_ERR_IO with one line in error.
 */
enum tw_status stream_connect(struct record_stream *stream, const struct fmt_io *io,
                              const char *path, const struct fmt_layout *layout,
                              size_t row_bytes_max, char *error, size_t error_size);

/* Opens path, holds a shared lock on it, and connects to it. Space for the END block is set aside.
 */
enum tw_status stream_open(struct record_stream *stream, const char *path,
                           const struct fmt_layout *layout, size_t row_bytes_max, char *error,
                           size_t error_size);

/*
 * Has the buffers kept in a journal beside the file, which goes when
 * the stream ends or fails. After stream_open(), before anything else. 0 or an errno value: the
 * stream works without.
 */
int stream_keep_journal(struct record_stream *stream, const char *path, uint32_t stream_id);

/* The path of a PE's journal beside a record file, which ends in ".bin": to be freed; NULL: out of
 * memory. */
char *stream_journal_path(const char *file, uint32_t pe);

/* The streams of a rank, which give up their journals for each other's records when the disk is
 * full. Those without a journal may be among them, and zeroed ones. After stream_init(). */
void streams_share_disk(struct record_stream *streams, unsigned n_streams);

/* Writes descriptions of payloads. Failing switches the stream off with a message. */
void stream_describe(struct record_stream *stream, const struct fmt_payload_desc *descs, size_t n);

/* Empties the buffers: into the file, or away in the modes that do not write. Returns when all is
 * written. Cost: sealing. */
void stream_flush(struct record_stream *stream);

/* After GVT: writes buffers, or hands them to the thread, if less than the wanted part is free. */
void stream_gvt_advanced(struct record_stream *stream, double gvt);

/*
 * Writes what is left and the END block (end's records_dropped is filled in here), closes the file.
 * Failing to do so is reported by a message and in the totals. An open stream is STREAM_CLOSED
 * then.
 */
void stream_end(struct record_stream *stream, struct fmt_end_info *end);

struct stream_totals stream_totals(const struct record_stream *stream);

/* Frees everything; a zeroed or failed stream as well. */
void stream_fini(struct record_stream *stream);

/* Asserts the invariants. */
void stream_check(const struct record_stream *stream);

#endif
