/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * live.h - the records of a file whose run may still go on: those in its blocks, and those that only
 * the journals beside it have so far. Each record is returned once, complete, and in the order of
 * writing of its kind and PE.
 *
 * A caller reads in rounds. A round goes through all PEs; it returns what the run has recorded since
 * the round before. A killed run's file takes one round.
 *
 *     ws_live_open(&live, path, &error)
 *     ws_live_want(live, schema, NULL) for each kind of record that is of interest
 *     while ((got = ws_live_next(live, &rows, &error)) == WS_LIVE_ROWS)
 *         rows.columns, from rows.first on
 *     ... after got == WS_LIVE_ROUND: wait, and go on with ws_live_next()
 *     ws_live_close(live)
 *
 * Nothing is written and no lock is taken: the run does not notice. A round reads the new blocks, the
 * heads of the buffers, and the new rows in them. Memory: for each PE 300 bytes and 48 for each of
 * its buffers; a block; the rows of a buffer. Nothing is printed. Different files may be read in
 * different threads.
 */
#ifndef WARPSCOPE_READER_LIVE_LIVE_H
#define WARPSCOPE_READER_LIVE_LIVE_H

#include "format/format.h"

struct ws_live; /* heap-allocated */

/* Some records of one kind and one PE. Valid until the next call. */
struct ws_live_rows {
    uint32_t pe;
    uint32_t first;                    /* rows before it are not new */
    const struct fmt_columns *columns; /* values of columns that are not wanted are NULL */
    bool from_journal;                 /* true if no block of the file has them yet */
};

enum ws_live_got {
    WS_LIVE_ROWS,     /* rows were returned */
    WS_LIVE_ROUND,    /* the round is complete: for now there is nothing more */
    WS_LIVE_REPLACED, /* the path now has another file, or none; nothing more can be read */
    WS_LIVE_ERROR     /* out of memory, or the file cannot be read; *error says why */
};

/* A PE as far as it was read. Read-only for the caller. */
struct ws_live_pe {
    uint64_t records; /* of all kinds, in blocks */
    uint64_t dropped; /* records that the run dropped; FMT_DROPPED_UNKNOWN */
    double gvt;       /* latest GVT known, also from the journal; 0 before the first */
    double real_time; /* of the latest record in blocks */
    bool has_journal; /* true if there was one in the latest round */
    bool ended;       /* true if its part of the file is complete: end is valid */
    bool damaged;     /* true if its part cannot be followed any more */
    struct fmt_end end;
};

/*
 * Opens a record file. A run's file may be so young that it lacks its beginning: then FMT_ERR_MAGIC
 * or FMT_ERR_DAMAGED, and the caller may try again. *live is NULL unless FMT_OK is returned.
 */
enum fmt_status ws_live_open(struct ws_live **live, const char *path, struct fmt_error *error);
void ws_live_close(struct ws_live *live); /* NULL is allowed */

/* Selects a kind of records by its number among the file's; wanted: its columns, NULL for all.
 * Records in blocks that earlier rounds have passed are not returned any more. */
void ws_live_want(struct ws_live *live, uint32_t schema, const struct fmt_wanted *wanted);
void ws_live_leave_out(struct ws_live *live, uint32_t schema);
/* From now on returns only records that are in no block, and reads no blocks but their headers. */
void ws_live_journals_only(struct ws_live *live);

/* Returns the next new records of selected kinds. */
enum ws_live_got ws_live_next(struct ws_live *live, struct ws_live_rows *rows,
                              struct fmt_error *error);

const struct fmt_superblock *ws_live_superblock(const struct ws_live *live);
const struct ws_live_pe *ws_live_pe(const struct ws_live *live, uint32_t pe);
/* Returns the number of PEs that have ended. */
uint32_t ws_live_ended(const struct ws_live *live);
/* Returns the first damage that was found, "" if there is none. */
const char *ws_live_damage(const struct ws_live *live);
/* Returns the part of the file, 0 to 1, that the first round has read. */
double ws_live_progress(const struct ws_live *live);
/* Returns the descriptions of payloads found so far. */
const struct fmt_desc_set *ws_live_descs(const struct ws_live *live);
/* Returns the open file, for its number and its locks. */
const struct fmt_file *ws_live_file(const struct ws_live *live);

#endif
