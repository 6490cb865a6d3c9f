/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * select.h - the selection of the records that a command or program reads. The options of a command
 * describe it as follows:
 *
 *   --pe=LIST    records written by these PEs
 *   --kp=LIST    records of these KPs (numbers within their PEs); for events, the receiver's KP
 *   --lp=LIST    records of these LPs, numbers or names; for events, the LP that received the event
 *                (dest_lp)
 *   --from=T     records of virtual time T or later
 *   --to=T       records of virtual time before T: --from=0 --to=5 and --from=5 share no record
 *   --type=GLOB  records whose kind (gvt_kp, event, ...) or LP type has a name that matches GLOB.
 *                The LP type of a record is the owner of its payload description. Of several
 *                patterns, separated by commas, at least one must match
 *   --where=EXPR records whose fields make the expression true, see where.h; only some commands
 *                have this option
 *
 * A record must satisfy all given options. A record without the field in question (no LP, no
 * virtual time, a virtual time that is NaN) does not satisfy the option.
 *
 * Calls for each file:
 *
 *     ws_select_file()     once
 *     ws_select_block()    for each block; its header tells which share of its records to read
 *     ws_select_wanted()   unless all columns are decoded: adds those that ws_select_row() needs
 *     ws_select_row()      for each record, only if the share of the block is WS_SHARE_SOME; examines
 *                          WS_GROUP records at once, and keeps which are chosen
 *
 * ws_scan() in record_scan.h makes these calls. At the end ws_select_found() reports names and
 * numbers that no file had, and ws_select_answer() also a selection without records.
 */
#ifndef WARPSCOPE_READER_ACCESS_SELECT_H
#define WARPSCOPE_READER_ACCESS_SELECT_H

#include "access/bind.h"
#include "access/where.h"
#include "data/known.h"
#include "data/lp_names.h"
#include "data/messages.h"
#include "data/ranges.h"
#include "format/format.h"

enum ws_share { WS_SHARE_NONE = 0, WS_SHARE_SOME, WS_SHARE_ALL };

/* Indices of the fields that the selection uses in records of one kind; -1: the kind has no such
 * field. */
struct ws_select_kind {
    int32_t kp, lp, virtual_time, payload_type;
    bool by_name; /* true if a pattern of --type matches the name of the kind */
};

/* Facts about blocks and records that were passed over before the first record was chosen: they explain an
 * empty selection. */
struct ws_select_seen {
    bool any;         /* true if a record was chosen */
    uint64_t records; /* records examined by ws_select_rows() */
    bool times;       /* true if a record was in the range of --from and --to */
    bool kps, lps;    /* true if a record was one of these KPs, of these LPs */
    bool where;       /* true if the condition was true for a record */
    uint64_t least_kp, most_kp, least_lp, most_lp; /* numbers in these records */
    double least_time, most_time;                  /* virtual times in blocks; NAN: none */
    bool noted[FMT_SCHEMAS_MAX]; /* kinds of the current file that were noted in `kinds` */
    char kinds[512];             /* names of kinds of records that have records */
};

struct ws_select {
    /* PEs, KPs and LPs to choose; a set without spans: all. If names of LPs are to be chosen, lps is
     * that of the current file. */
    struct ws_ranges pes, kps, lps;
    char *lp_names;          /* owned; the text of --lp if it has names; NULL: it has none */
    bool lps_found;          /* true if a file has all these names */
    char lps_why[WS_LP_WHY]; /* why the last file has not */
    bool by_time, has_to;
    double from, to;
    /* The patterns of --type; none: all types. found: those that matched a name in any file so far. */
    struct ws_name_list types;
    struct ws_where *where; /* owned; condition of --where; NULL: none */
    bool where_failed;      /* true if memory for the condition was exhausted */
    char known[512];   /* names found in the files so far, for the error message about --type */
    uint32_t most_pes; /* largest number of PEs in any file so far */
    /* Owned; NULL: nothing is noted. The functions for blocks and records change it. */
    struct ws_select_seen *seen;
    /* The following members belong to the current file. */
    const struct fmt_superblock *sb;  /* borrowed; superblock of the file */
    const struct fmt_desc_set *descs; /* borrowed; payload descriptions of the file */
    struct ws_select_kind kinds[FMT_SCHEMAS_MAX];
};

/* The texts and times that describe a selection. NULL as a text, or NaN as a time: the option was
 * not given. */
struct ws_select_texts {
    const char *pes, *kps, *lps, *types;
    double from, to;
};

/* Names the text that is wrong. */
struct ws_select_bad {
    const char
        *option;      /* "pe", "kp", "lp", "type"; "from": it is later than `to`; NULL: no memory */
    const char *text; /* the text of the option */
    const char *must; /* "must be ..." */
};

/* Fills select with a selection that has no condition. To add one, the caller sets select->where to
 * the result of ws_where_parse(). Returns false after an error; select must be freed even then. */
bool ws_select_set(struct ws_select *select, const struct ws_select_texts *texts,
                   struct ws_select_bad *bad);
void ws_select_free(struct ws_select *select);

/* Returns true if at least one of the options was given. */
bool ws_select_given(const struct ws_select *select);

/* Makes the file with this superblock and these descriptions the current file. sb and descs must
 * stay valid until the next call. */
void ws_select_file(struct ws_select *select, const struct fmt_superblock *sb,
                    const struct fmt_desc_set *descs);

/* Returns true if each requested name and PE occurred in a file. Otherwise sends a line about each
 * name or PE that did not occur to messages, and returns false. Called after the last file. */
bool ws_select_found(const struct ws_select *select, const struct ws_messages *messages);

/* Like ws_select_found(), after the records of all files have been read. If no record satisfies the
 * options that were given, also sends a line to messages that says which records there are: an empty
 * answer is no failure, but never silent. */
bool ws_select_answer(const struct ws_select *select, const struct ws_messages *messages);

/* Returns true if records of this PE can be chosen. */
bool ws_select_pe(const struct ws_select *select, uint32_t pe);

/* Returns true if records of the kind `schema` of the current file can be chosen. This depends on
 * the name of the kind, its fields and the names of LP types. */
bool ws_select_schema(const struct ws_select *select, const struct fmt_schema *schema);

/* Returns the share of a block's records that can be chosen (none, some or all), according to the
 * block's header. Returns WS_SHARE_NONE for blocks without data. */
enum ws_share ws_select_block(const struct ws_select *select, const struct fmt_block *block);

/* Adds to `wanted` the columns that ws_select_row() needs for records of the kind `schema`. */
void ws_select_wanted(const struct ws_select *select, const struct fmt_schema *schema,
                      struct fmt_wanted *wanted);

/* Returns which of the WS_GROUP records of a decoded block from number `first` on are chosen: bit i
 * for record first + i. Does not check the PE: the block must be one for which ws_select_block() did
 * not return WS_SHARE_NONE. */
uint64_t ws_select_rows(const struct ws_select *select, const struct fmt_columns *columns,
                        uint32_t first);

/* The chosen records of the group of a block that was examined last. Zeros: none was. */
struct ws_group {
    uint32_t after; /* number of the first record after the group */
    uint64_t chosen;
};

/* Returns true if record number `row` of a decoded block is chosen. group: zeros for the first record
 * of a block, then as the last call left it. */
static inline bool ws_select_row(const struct ws_select *select, const struct fmt_columns *columns,
                                 uint32_t row, struct ws_group *group)
{
    if (row - (row % WS_GROUP) + WS_GROUP != group->after) {
        group->after = row - (row % WS_GROUP) + WS_GROUP;
        group->chosen = ws_select_rows(select, columns, row - (row % WS_GROUP));
    }
    return group->chosen >> (row % WS_GROUP) & 1;
}

#endif
