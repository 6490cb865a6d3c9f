/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * select.h - the records that a command or program reads, in the words of the command's options:
 *
 *   --pe=LIST    records written by these PEs
 *   --kp=LIST    records of these KPs (numbers within their PEs); of events, the receiver's KP
 *   --lp=LIST    records of these LPs; of events, the LP that received (dest_lp)
 *   --from=T     records of virtual time T or later
 *   --to=T       records of virtual time before T: --from=0 --to=5 and --from=5 share nothing
 *   --type=GLOB  records of a kind (gvt_kp, event, ...) or of LPs of a type whose name matches.
 *                The type of an LP is the owner of the description of the record's payload. Of
 *                several patterns, separated by commas, one must match
 *   --where=EXPR records whose fields make the expression true, see where.h; only some commands
 *                have it
 *
 * A record must satisfy all given options. A record without the field in question (no LP, no
 * virtual time, a virtual time that is NaN) does not satisfy the option.
 *
 * Calls for each file:
 *
 *     ws_select_file(...)            once
 *     ws_select_block(...)           by the header alone: no record, some, all
 *     ws_select_wanted(...)          if not all columns are decoded: those that the next call needs
 *     ws_select_row(...)             only if the block's share was WS_SHARE_SOME
 *
 * ws_scan() in record_scan.h makes these calls. At the end ws_select_found() reports names and
 * numbers that no file had.
 */
#ifndef WARPSCOPE_READER_ACCESS_SELECT_H
#define WARPSCOPE_READER_ACCESS_SELECT_H

#include "access/where.h"
#include "data/messages.h"
#include "data/ranges.h"
#include "format/format.h"

enum ws_share { WS_SHARE_NONE = 0, WS_SHARE_SOME, WS_SHARE_ALL };

/* The fields of a kind of record that the selection uses: numbers of fields, -1 for none. */
struct ws_select_kind {
    int32_t kp, lp, virtual_time, payload_type;
    bool by_name; /* true if a pattern of --type matches the name of the kind */
};

struct ws_select {
    struct ws_ranges pes, kps, lps; /* numbers to choose; n == 0: all */
    bool by_time, has_to;
    double from, to;
    char *types;      /* owned; the patterns, each with its terminating zero; NULL: all types */
    bool *type_found; /* owned; for each pattern, true if it matched in some file so far */
    size_t n_types;
    struct ws_where *where; /* owned; condition of --where; NULL: none */
    bool where_failed;      /* true if memory for the condition was exhausted */
    char known[512];        /* names in the files so far, which a message about --type suggests */
    uint32_t most_pes;      /* greatest number of PEs in a file so far */
    /* Members for the current file. */
    const struct fmt_superblock *sb;  /* borrowed; superblock of the file */
    const struct fmt_desc_set *descs; /* borrowed; payload descriptions of the file */
    struct ws_select_kind kinds[FMT_SCHEMAS_MAX];
};

/* The texts and times of a selection. NULL, NaN: not given. */
struct ws_select_texts {
    const char *pes, *kps, *lps, *types;
    double from, to;
};

enum ws_select_result {
    WS_SELECT_OK = 0,
    WS_SELECT_BAD_PES,
    WS_SELECT_BAD_KPS,
    WS_SELECT_BAD_LPS,
    WS_SELECT_BAD_TIMES, /* the start of the range is later than its end */
    WS_SELECT_BAD_TYPES, /* a pattern is empty */
    WS_SELECT_NO_MEMORY
};

/* Makes a selection, without a condition. (For one, set where to the result of ws_where_parse().)
 * Must be freed in any case. */
enum ws_select_result ws_select_set(struct ws_select *select, const struct ws_select_texts *texts);
void ws_select_free(struct ws_select *select);

/* Returns true if any of the options was given. */
bool ws_select_given(const struct ws_select *select);

/* Switches to this file. Both arguments must stay valid until the next call. */
void ws_select_file(struct ws_select *select, const struct fmt_superblock *sb,
                    const struct fmt_desc_set *descs);

/* Called after the last file. Returns true if each requested name and number of PE occurred in a
 * file, otherwise after a line for each missing one. */
bool ws_select_found(const struct ws_select *select, const struct ws_messages *messages);

/* Returns true if records of this PE can be chosen. */
bool ws_select_pe(const struct ws_select *select, uint32_t pe);

/* Returns true if records of this kind in the file can be chosen, according to their fields and
 * names. */
bool ws_select_schema(const struct ws_select *select, const struct fmt_schema *schema);

/* Returns the share of a block's records that can be chosen, according to its header. Returns
 * WS_SHARE_NONE for blocks that hold no data. */
enum ws_share ws_select_block(const struct ws_select *select, const struct fmt_block *block);

/* Adds the columns that ws_select_row() needs to wanted. */
void ws_select_wanted(const struct ws_select *select, const struct fmt_schema *schema,
                      struct fmt_wanted *wanted);

/* Returns true if record number row of a block is chosen. The block's PE must be chosen; see
 * ws_select_block(). */
bool ws_select_row(const struct ws_select *select, const struct fmt_columns *columns, uint32_t row);

/* Returns the number of the field called name, or -1 if there is none. */
int32_t ws_field_find(const struct fmt_schema *schema, const char *name);
/* Returns the number of a kind of record among those of the file. */
uint32_t ws_schema_number(const struct fmt_superblock *sb, const struct fmt_schema *schema);

#endif
