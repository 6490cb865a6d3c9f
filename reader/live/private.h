/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * private.h - what the files of live share.
 */
#ifndef WARPSCOPE_READER_LIVE_PRIVATE_H
#define WARPSCOPE_READER_LIVE_PRIVATE_H

#include <sys/stat.h>

#include "live/journal_view.h"
#include "live/live.h"
#include "live/row_columns.h"

/* The part of a buffer that was read. A buffer that was used again has another base. */
struct live_buffer {
    uint64_t base;  /* records of the kind before it */
    uint64_t rows;  /* read so far */
    uint64_t bytes; /* of these */
    uint32_t kind;  /* number + 1 */
};

struct live_pe {
    struct ws_live_pe seen;
    struct fmt_scan scan;
    struct live_buffer *buffers; /* by place in the journal */
    size_t room_buffers;
    uint64_t *in_blocks;   /* by kind */
    uint64_t *given;       /* by kind */
    unsigned blind_rounds; /* latest rounds in which the journal's checkpoints were not valid */
};

enum live_phase { LIVE_ENTER, LIVE_BLOCKS, LIVE_BUFFERS };

struct ws_live {
    char *path, *target; /* target: what a symbolic link leads to */
    struct fmt_file file;
    struct fmt_reader *reader;
    const struct fmt_superblock *sb;
    struct stat identity;
    struct fmt_desc_set descs;
    struct live_pe *pes;
    uint64_t *counts; /* memory of in_blocks and given */
    uint32_t n_ended;
    bool wants[FMT_SCHEMAS_MAX], all_columns[FMT_SCHEMAS_MAX];
    struct fmt_wanted wanted[FMT_SCHEMAS_MAX];
    char damage[256];
    bool first_round_done;
    bool journals_only;
    /* The current round. */
    bool in_round;
    uint32_t pe;
    enum live_phase phase;
    uint64_t limit; /* blocks of the PE that are complete; UINT64_MAX: unknown */
    char *journal_path;
    struct journal_view view;
    size_t segment;
    uint64_t base[FMT_SCHEMAS_MAX]; /* records before that segment */
    struct fmt_columns columns;
    struct row_columns rows;
    uint8_t *window;
    size_t room_window;
};

enum segment_got { SEGMENT_ROWS, SEGMENT_NOTHING, SEGMENT_GONE, SEGMENT_NO_MEMORY };

/* Walks over new blocks of the current PE, up to the limit. Returns true with rows. */
bool live_blocks_next(struct ws_live *live, struct ws_live_rows *rows);
/* Looks if the PE has ended. With a journal, other blocks behind its checkpoint do not count. */
void live_end_look(struct ws_live *live);

/* Reads the new rows of segment i of the view. SEGMENT_GONE: they are in blocks now, or damaged. */
enum segment_got live_segment_read(struct ws_live *live, size_t i, struct ws_live_rows *rows);

/* Stops reading the current PE. */
void live_damage_note(struct ws_live *live, const char *text);
/* Returns the number of a kind of record; that of all kinds if the file does not have it. */
uint32_t live_kind_of(const struct ws_live *live, uint32_t schema_id);
const struct fmt_wanted *live_wanted_of(const struct ws_live *live, uint32_t kind);
static inline double live_later(double a, double b)
{
    return b > a ? b : a;
}

#endif
