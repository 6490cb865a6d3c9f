/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * live.h - returns the records of a file whose run may still be in progress: those in its blocks,
 * and those that are only in its journals so far. Each record is returned once and complete.
 * Records of one kind and PE are returned in the order of writing.
 *
 * A caller reads in rounds. A round visits all PEs, and returns the records that the run has added
 * since the previous round. The file of a killed run takes one round.
 *
 *     ws_live_open(&live, path, &error)
 *     ws_live_want(live, schema, &columns) for each kind of record that is wanted
 *     while ((got = ws_live_next(live, &rows, &error)) == WS_LIVE_ROWS)
 *         process rows.columns, from row rows.first on
 *     ... after got == WS_LIVE_ROUND: wait, then continue with ws_live_next()
 *     ws_live_close(live)
 *
 * The reader writes nothing and takes no lock, so the run is not disturbed. A round reads the new
 * blocks, the heads of the buffers, and the new rows in them. Memory: 300 bytes per PE and 48 for
 * each of its buffers, one block, and the rows of one buffer. Nothing is printed. Different files
 * may be read in different threads.
 */
#ifndef WARPSCOPE_READER_LIVE_LIVE_H
#define WARPSCOPE_READER_LIVE_LIVE_H

#include <sys/stat.h>

#include "format/format.h"
#include "format/journal.h"

/* New records of one kind and one PE. They are valid until the next call of ws_live_next(). */
struct ws_live_rows {
    uint32_t pe;
    uint32_t first; /* index of the first new record in columns */
    /* Columns of the records, without payloads; values of unwanted columns are NULL. */
    const struct fmt_columns *columns;
};

enum ws_live_got {
    WS_LIVE_ROWS,     /* new records were returned */
    WS_LIVE_ROUND,    /* the round is complete: there are no more records for now */
    WS_LIVE_REPLACED, /* the path now names another file or none; no more records can be read */
    WS_LIVE_ERROR     /* memory is exhausted or the file cannot be read; *error has the reason */
};

/* State of a PE, as far as it has been read. The caller may only read it. */
struct ws_live_pe {
    uint64_t records; /* number of records of all kinds in the blocks read so far */
    double gvt;       /* latest GVT found in blocks or in the journal; 0: none yet */
    /* Wall-clock time of the latest record in the blocks read so far, in seconds. */
    double real_time;
    bool has_journal; /* true if the PE had a journal in the latest round */
    /* True if the PE recorded on a disk of another host; the other members are then not set. */
    bool elsewhere;
    bool ended;   /* true if the PE's part of the file is complete; `end` is then valid */
    bool damaged; /* true if the PE's part of the file cannot be read any further */
    struct fmt_end end;
};

/* ---- State ----------------------------------------------------------------------------------- */

enum journal_state {
    JOURNAL_NONE, /* there is no journal, or it belongs to another run */
    /* The run changed the buffers too quickly for a view. Blocks up to the checkpoint can be read.
     * The generation of the checkpoint is 0 if the checkpoint could not be read either. */
    JOURNAL_CHANGES,
    JOURNAL_SEEN /* the view and its segments are valid */
};

struct journal_view {
    enum journal_state state;
    struct fmt_file file; /* file of the journal; open unless the state is JOURNAL_NONE */
    struct fmt_journal journal;
    /* Owned; the n segments (buffers) whose rows are in no block, in the order of writing. */
    struct fmt_journal_segment *segments;
    size_t n;
    uint64_t last_order; /* number of the buffer that the run closed last */
};

/* Columns made from rows. Zero-initialise it before use. It can be reused for other rows, and must
 * be freed once. */
struct row_columns {
    struct fmt_columns columns; /* valid after row_columns_make() */
    uint32_t *offsets;          /* owned; [i]: offset of row i in bytes */
    size_t room_offsets;
    uint8_t *memory;
    size_t room;
};

/* State of one buffer, as far as it has been read. When the run uses a buffer again, the buffer has
 * another base. */
struct live_buffer {
    uint64_t base;  /* number of the PE's records of this kind before the first one in the buffer */
    uint64_t rows;  /* number of rows read so far */
    uint64_t bytes; /* size of the rows read so far, in bytes */
    uint32_t kind;  /* index of the kind of record, plus 1; 0: not used yet */
};

struct live_pe {
    struct ws_live_pe seen;
    struct fmt_scan scan;
    /* Owned; state of each buffer, indexed by the buffer's place in the journal. */
    struct live_buffer *buffers;
    size_t room_buffers;
    uint64_t *in_blocks; /* [kind]: number of records in the blocks that have been read */
    uint64_t *given;     /* [kind]: number of records returned or, if not wanted, skipped */
    /* Number of successive rounds, up to the latest one, in which the journal had no valid
     * checkpoint. */
    unsigned blind_rounds;
};

enum live_phase { LIVE_ENTER, LIVE_BLOCKS, LIVE_BUFFERS };

/* A record file that is read in rounds; on the heap. The caller may only read the first members. */
struct ws_live {
    const struct fmt_superblock *sb;
    struct fmt_file file;      /* the open file, whose identity and lock the caller may examine */
    struct fmt_desc_set descs; /* payload descriptions found so far */
    uint32_t n_ended; /* number of PEs that have ended, according to the blocks read so far */
    /* Number of PEs whose records this file has. These are not all PEs if the hosts of the run have
     * no common disk. */
    uint32_t n_here;
    char damage[256]; /* description of the first damage found; "": none */
    /* The following members are for live/ only. */
    char *path,
        *target; /* owned; path of the file, and its target if the path is a symbolic link */
    struct fmt_reader *reader;
    struct stat identity;
    struct live_pe *pes;
    uint64_t *counts; /* owned; memory of in_blocks and given of all PEs */
    bool wants[FMT_SCHEMAS_MAX];
    struct fmt_wanted wanted[FMT_SCHEMAS_MAX];
    bool first_round_done;
    /* The following members are the state of the current round. */
    bool in_round;
    uint32_t pe;
    enum live_phase phase;
    uint64_t limit; /* number of complete blocks of the PE; UINT64_MAX: unknown */
    char *journal_path;
    struct journal_view view;
    size_t segment;
    /* [kind]: number of the PE's records before those in the current segment. */
    uint64_t base[FMT_SCHEMAS_MAX];
    struct fmt_columns columns;
    struct row_columns rows;
    uint8_t *window;
    size_t room_window;
};

/* ---- Functions ------------------------------------------------------------------------------- */

/*
 * Opens a record file. If a run has just created the file, its beginning may be missing. The result
 * is then FMT_ERR_MAGIC or FMT_ERR_DAMAGED, and the caller may try again. *live is NULL unless
 * FMT_OK is returned.
 */
enum fmt_status ws_live_open(struct ws_live **live, const char *path, struct fmt_error *error);
void ws_live_close(struct ws_live *live); /* closes the file; live may be NULL */

/* Selects the kind of record with index `schema` in the file's superblock. wanted: the columns to
 * return, without payloads. Records in blocks that earlier rounds have read are not returned. */
void ws_live_want(struct ws_live *live, uint32_t schema, const struct fmt_wanted *wanted);

/* Stores the next new records of selected kinds in *rows, if there are any. *error is set only for
 * WS_LIVE_ERROR. */
enum ws_live_got ws_live_next(struct ws_live *live, struct ws_live_rows *rows,
                              struct fmt_error *error);

const struct ws_live_pe *ws_live_pe(const struct ws_live *live, uint32_t pe);
/* Returns the share of the file, 0 to 1, that the first round has read so far. */
double ws_live_progress(const struct ws_live *live);

/* ---- In live/ only: journal_view.c ----------------------------------------------------------- */

/* Takes a view of the journal of a PE at path, and sets view->state. path must stay valid until
 * journal_view_close(). */
void journal_view_open(struct journal_view *view, const char *path, const struct fmt_superblock *sb,
                       uint32_t pe);
void journal_view_close(struct journal_view *view); /* closes the view; may be called twice */

/* Returns true if the PE now has a journal of this run at path. */
bool journal_is_there(const char *path, const struct fmt_superblock *sb, uint32_t pe);

/* Reads the rows of segment i into `to`, from byte `from` on. Returns false if the run has used the
 * buffer again, or if reading failed. */
bool journal_view_read(const struct journal_view *view, size_t i, uint64_t from, uint8_t *to);

/* ---- In live/ only: new_rows.c --------------------------------------------------------------- */

/* Stores the next new records of the current PE in *rows; returns WS_LIVE_ROUND if it has no
 * more. */
enum ws_live_got live_pe_next(struct ws_live *live, struct ws_live_rows *rows,
                              struct fmt_error *error);
/* Ends the reading of the current PE in this round. */
void live_pe_leave(struct ws_live *live);

#endif
