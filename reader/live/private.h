/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * private.h - declarations that the files of reader/live share.
 */
#ifndef WARPSCOPE_READER_LIVE_PRIVATE_H
#define WARPSCOPE_READER_LIVE_PRIVATE_H

#include <sys/stat.h>

#include "live/journal_view.h"
#include "live/live.h"
#include "live/row_columns.h"

/* The part of a buffer that has been read. When the run uses a buffer again, it has another
 * base. */
struct live_buffer {
    uint64_t base;  /* number of records of the kind before those in the buffer */
    uint64_t rows;  /* number of rows read so far */
    uint64_t bytes; /* size of the rows read so far, in bytes */
    uint32_t kind;  /* number of the kind of records + 1 */
};

struct live_pe {
    struct ws_live_pe seen;
    struct fmt_scan scan;
    struct live_buffer *buffers; /* state of each buffer, by its place in the journal */
    size_t room_buffers;
    uint64_t *in_blocks; /* for each kind, number of records in the blocks that have been read */
    uint64_t *given;     /* for each kind, number of records that have been returned */
    /* Number of the latest rounds in which the journal had no valid checkpoint. */
    unsigned blind_rounds;
};

enum live_phase { LIVE_ENTER, LIVE_BLOCKS, LIVE_BUFFERS };

struct ws_live {
    char *path, *target; /* path of the file; target of a symbolic link */
    struct fmt_file file;
    struct fmt_reader *reader;
    const struct fmt_superblock *sb;
    struct stat identity;
    struct fmt_desc_set descs;
    struct live_pe *pes;
    uint64_t *counts; /* memory of in_blocks and given */
    uint32_t n_ended, n_here;
    bool wants[FMT_SCHEMAS_MAX], all_columns[FMT_SCHEMAS_MAX];
    struct fmt_wanted wanted[FMT_SCHEMAS_MAX];
    char damage[256];
    bool first_round_done;
    bool journals_only;
    /* State of the current round. */
    bool in_round;
    uint32_t pe;
    enum live_phase phase;
    uint64_t limit; /* number of complete blocks of the PE; UINT64_MAX: unknown */
    char *journal_path;
    struct journal_view view;
    size_t segment;
    /* For each kind, number of records before the current journal segment. */
    uint64_t base[FMT_SCHEMAS_MAX];
    struct fmt_columns columns;
    struct row_columns rows;
    uint8_t *window;
    size_t room_window;
};

enum segment_got { SEGMENT_ROWS, SEGMENT_NOTHING, SEGMENT_GONE, SEGMENT_NO_MEMORY };

/* Reads new blocks of the current PE, up to the limit. Returns true if *rows has new records. */
bool live_blocks_next(struct ws_live *live, struct ws_live_rows *rows);
/* Checks whether the PE has ended. If it has a journal, blocks behind its checkpoint do not count,
 * except the END block. */
void live_end_look(struct ws_live *live);

/* Reads the new rows of segment i of the view. Returns SEGMENT_GONE if the rows are in blocks by
 * now, or damaged. */
enum segment_got live_segment_read(struct ws_live *live, size_t i, struct ws_live_rows *rows);

/* Notes damage of the current PE, which is not read any further. text: description. */
void live_damage_note(struct ws_live *live, const char *text);
/* Returns the number of a kind of record; the number of kinds if the file does not have it. */
uint32_t live_kind_of(const struct ws_live *live, uint32_t schema_id);
const struct fmt_wanted *live_wanted_of(const struct ws_live *live, uint32_t kind);
static inline double live_later(double a, double b)
{
    return b > a ? b : a;
}

#endif
