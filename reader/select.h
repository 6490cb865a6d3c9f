/*
 * select.h - which records a command is to look at: the options that dump, stats, export and diff
 * have in common.
 *
 *   --pe=LIST    records that were written by these PEs
 *   --kp=LIST    records of these KPs (numbers within their PEs); of events, the receiver's KP
 *   --lp=LIST    records of these LPs; of events, the LP that received (dest_lp)
 *   --from=T     records of virtual time T or later
 *   --to=T       records of virtual time before T: --from=0 --to=5 and --from=5 share nothing
 *   --type=GLOB  records of a kind (gvt_kp, event, ...) or of LPs of a type whose name matches; the
 *                type of an LP is the owner of the description of the record's payload. Several
 *                patterns, with commas between, choose what any of them chooses
 *
 *   --where=EXPR records whose fields make the expression true, see where.h; of commands that have
 * it
 *
 * All that are given must hold. A record without the field in question (no LP, no virtual time, a
 * virtual time that is NaN) is not chosen by that option.
 *
 * How it is used, for each file:
 *
 *     ws_select_file(...)            once
 *     ws_select_block(...)           by the header alone: no record, some, all
 *     ws_select_wanted(...)          if not all columns are decoded: those that the next call needs
 *     ws_select_row(...)             only if the block's share was WS_SHARE_SOME
 *
 * ws_walk() in walk.h does all that. At the end ws_select_found() tells what was not there.
 */
#ifndef WARPSCOPE_READER_SELECT_H
#define WARPSCOPE_READER_SELECT_H

#include "args.h"
#include "format/format.h"
#include "ranges.h"
#include "where.h"

/* For tables of options: "[OPTION_SELECT] = WS_SELECT_OPTIONS,", where the enum of positions goes
 * on with OPTION_SELECT + WS_SELECT_COUNT. */
#define WS_SELECT_COUNT 6
#define WS_SELECT_TYPE  5 /* place of --type among them */
#define WS_WHERE_OPTION                                                                            \
    {                                                                                              \
        "where", "EXPR",                                                                           \
            "records for which this is true: 'hops>3 && kind==2',\n"                               \
            "with fields, numbers, texts, == != < <= > >=, &&, ||,\n! and ();"                     \
            " and columns of names: lp_type==router"                                               \
    }
#define WS_SELECT_OPTIONS                                                                          \
    {"pe", "LIST", "records of these PEs only: 0,2,4-7"},                                          \
        {"kp", "LIST", "records of these KPs, numbered within their PE"},                          \
        {"lp", "LIST", "records of these LPs; events that they received"},                         \
        {"from", "T", "records of virtual time T or later"},                                       \
        {"to", "T", "records of virtual time before T"},                                           \
    {                                                                                              \
        "type", "GLOB",                                                                            \
            "records of this kind (gvt_kp, event, ...) or of LPs\nof this type; * and ? stand "    \
            "for any text, commas\n"                                                               \
            "between several"                                                                      \
    }

enum ws_share { WS_SHARE_NONE = 0, WS_SHARE_SOME, WS_SHARE_ALL };

/* What the fields of a kind of record are to the selection: numbers of fields, -1 for none. */
struct ws_select_kind {
    int32_t kp, lp, virtual_time, payload_type;
    bool by_name; /* --type chose the kind itself */
};

struct ws_select {
    struct ws_ranges pes, kps, lps; /* n == 0: all */
    bool by_time, has_to;
    double from, to;
    char *types;      /* owned; the patterns, each with its terminator; NULL: all */
    bool *type_found; /* owned; in some file so far */
    size_t n_types;
    struct ws_where *where; /* owned; NULL: all */
    bool where_failed;      /* out of memory */
    char known[512];        /* names that --type might have meant, of the files so far */
    uint32_t most_pes;      /* of the files so far */
    /* of the file at hand */
    const struct fmt_superblock *sb;  /* borrowed */
    const struct fmt_desc_set *descs; /* borrowed */
    struct ws_select_kind kinds[FMT_SCHEMAS_MAX];
};

/* Takes the values of the options, the first of which is at position first of the table that usage
 * has. WS_EXIT_OK, or WS_EXIT_USAGE after a message. Free in any case. */
int ws_select_parse(struct ws_select *select, const struct ws_usage *usage,
                    const struct ws_args *args, int first);
void ws_select_free(struct ws_select *select);
/* After that: takes the value of --where, NULL if it was not given. The same. */
int ws_select_where(struct ws_select *select, const struct ws_usage *usage, const char *text);

/* Was any of the options given? */
bool ws_select_given(const struct ws_select *select);

/* Goes on with this file; both must stay until the next one. */
void ws_select_file(struct ws_select *select, const struct fmt_superblock *sb,
                    const struct fmt_desc_set *descs);

/* After the last file: was all that was asked for by name or number of PE in one of the files?
 * What was not is said on stderr. */
bool ws_select_found(const struct ws_select *select);

/* Are records of this PE chosen at all? */
bool ws_select_pe(const struct ws_select *select, uint32_t pe);

/* Are there fields and names in the file by which records of this kind may be chosen? */
bool ws_select_schema(const struct ws_select *select, const struct fmt_schema *schema);

/* Which of a block's records may be chosen, by its header. Blocks other than DATA:
 * WS_SHARE_NONE. */
enum ws_share ws_select_block(const struct ws_select *select, const struct fmt_block *block);

/* Adds the columns that ws_select_row() needs. */
void ws_select_wanted(const struct ws_select *select, const struct fmt_schema *schema,
                      struct fmt_wanted *wanted);

/* Is record number row of a block chosen? The block's PE is: ws_select_block() says so. */
bool ws_select_row(const struct ws_select *select, const struct fmt_columns *columns, uint32_t row);

/* The number of the field called name, -1 if there is none. */
int32_t ws_field_find(const struct fmt_schema *schema, const char *name);
/* Number of a kind of record among the file's. */
uint32_t ws_schema_number(const struct fmt_superblock *sb, const struct fmt_schema *schema);

#endif
