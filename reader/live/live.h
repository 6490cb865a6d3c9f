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
 *     ws_live_want(live, schema, NULL) for each kind of record that is wanted
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

#include "format/format.h"

struct ws_live; /* a record file that is read in rounds; on the heap */

/* New records of one kind and one PE. They are valid until the next call of ws_live_next(). */
struct ws_live_rows {
    uint32_t pe;
    uint32_t first; /* index of the first new record in columns */
    /* Columns of the records; values of unwanted columns are NULL. */
    const struct fmt_columns *columns;
    bool from_journal; /* true if no block of the file has the records yet */
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
    uint64_t dropped; /* number of records that the run dropped, or FMT_DROPPED_UNKNOWN */
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

/*
 * Opens a record file. If a run has just created the file, its beginning may be missing. The result
 * is then FMT_ERR_MAGIC or FMT_ERR_DAMAGED, and the caller may try again. *live is NULL unless
 * FMT_OK is returned.
 */
enum fmt_status ws_live_open(struct ws_live **live, const char *path, struct fmt_error *error);
void ws_live_close(struct ws_live *live); /* closes the file; live may be NULL */

/* Selects the kind of record with index `schema` in the file's superblock. wanted: the columns to
 * return; NULL: all. Records in blocks that earlier rounds have read are not returned. */
void ws_live_want(struct ws_live *live, uint32_t schema, const struct fmt_wanted *wanted);
void ws_live_leave_out(struct ws_live *live, uint32_t schema);
/* Makes ws_live_next() return, from now on, only records that are not yet in blocks. It then reads
 * only the headers of blocks. */
void ws_live_journals_only(struct ws_live *live);

/* Stores the next new records of selected kinds in *rows, if there are any. *error is set only for
 * WS_LIVE_ERROR. */
enum ws_live_got ws_live_next(struct ws_live *live, struct ws_live_rows *rows,
                              struct fmt_error *error);

const struct fmt_superblock *ws_live_superblock(const struct ws_live *live);
const struct ws_live_pe *ws_live_pe(const struct ws_live *live, uint32_t pe);
/* Returns the number of PEs that have ended, according to the blocks read so far. */
uint32_t ws_live_ended(const struct ws_live *live);
/* Returns the number of PEs whose records this file has. These are not all PEs if the hosts of the
 * run have no common disk. */
uint32_t ws_live_here(const struct ws_live *live);
/* Returns a description of the first damage found; "" if there is none. */
const char *ws_live_damage(const struct ws_live *live);
/* Returns the share of the file, 0 to 1, that the first round has read so far. */
double ws_live_progress(const struct ws_live *live);
/* Returns the payload descriptions found so far. */
const struct fmt_desc_set *ws_live_descs(const struct ws_live *live);
/* Returns the open record file, whose identity and lock the caller may examine. */
const struct fmt_file *ws_live_file(const struct ws_live *live);

#endif
