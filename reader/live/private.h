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

struct ws_live {
    /* Owned; path of the file, and its target if the path is a symbolic link. */
    char *path, *target;
    struct fmt_file file;
    struct fmt_reader *reader;
    const struct fmt_superblock *sb;
    struct stat identity;
    struct fmt_desc_set descs;
    struct live_pe *pes;
    uint64_t *counts; /* owned; memory of in_blocks and given of all PEs */
    uint32_t n_ended, n_here;
    bool wants[FMT_SCHEMAS_MAX], all_columns[FMT_SCHEMAS_MAX];
    struct fmt_wanted wanted[FMT_SCHEMAS_MAX];
    char damage[256];
    bool first_round_done;
    bool journals_only;
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

enum segment_got { SEGMENT_ROWS, SEGMENT_NOTHING, SEGMENT_GONE, SEGMENT_NO_MEMORY };

/* Reads the new blocks of the current PE, up to live->limit, until a block has new records of a
 * selected kind. Returns true and stores them in *rows if there is such a block. */
bool live_blocks_next(struct ws_live *live, struct ws_live_rows *rows);
/* Reads the next block of the current PE if it is the END block. For a PE with a journal, it is the
 * only block beyond the journal's checkpoint that is read. */
void live_end_look(struct ws_live *live);

/* Reads the new rows of segment i of the view into *rows. Returns SEGMENT_NOTHING if there are
 * none, and SEGMENT_GONE if they are in blocks by now or damaged. */
enum segment_got live_segment_read(struct ws_live *live, size_t i, struct ws_live_rows *rows);

/* Marks the current PE as damaged, so that it is not read any further. text: description of the
 * damage. */
void live_damage_note(struct ws_live *live, const char *text);
/* Returns the index of the kind of record with this schema id; the number of kinds if the file does
 * not have it. */
uint32_t live_kind_of(const struct ws_live *live, uint32_t schema_id);
const struct fmt_wanted *live_wanted_of(const struct ws_live *live, uint32_t kind);
static inline double live_later(double a, double b)
{
    return b > a ? b : a;
}

#endif
