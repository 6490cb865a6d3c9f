/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * select.h - the records that a command reads: the options that dump, stats, export and diff share.
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
#include "cli/args.h"
#include "data/ranges.h"
#include "format/format.h"

/* For tables of options: "[OPTION_SELECT] = WS_SELECT_OPTIONS,". The enum of positions continues
 * with OPTION_SELECT + WS_SELECT_COUNT. */
#define WS_SELECT_COUNT 6
#define WS_SELECT_TYPE  5 /* position of --type among them */
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

/* For tables of sections of the help. */
#define WS_SELECT_SECTION                                                                          \
    {                                                                                              \
        "selecting records",                                                                       \
            "The options --pe, --kp, --lp, --from, --to and --type choose records together: a\n"   \
            "record must satisfy all that are given. A record without the field in question,\n"    \
            "or with a virtual time that is not a number, is left out. Blocks of records that\n"   \
            "cannot match are not read. Times from --from on and before --to are chosen, so\n"     \
            "that adjacent ranges do not overlap. The type of an LP is the owner of the\n"         \
            "description of the record's payload.\n"                                               \
    }
#define WS_WHERE_SECTION                                                                           \
    {                                                                                              \
        "conditions",                                                                              \
            "The argument of --where is an expression, such as\n"                                  \
            "\n"                                                                                   \
            "  hops > 3 && (kind == 2 || name == \"north\")\n"                                     \
            "\n"                                                                                   \
            "It consists of comparisons (== != < <= > >=) of two values, joined with && and\n"     \
            "||, negated with !, grouped with parentheses. A value is a number, a text in\n"       \
            "quotes of either kind, or a name: a column of dump, or record, the kind of the\n"     \
            "record, or type, the type of the LP. A name compared with type or with a column\n"    \
            "of names is a text: lp_type == router. A value alone is true if it is a number\n"     \
            "other than 0 or a text that is not empty. Integers are compared exactly; texts\n"     \
            "are equal or not.\n"                                                                  \
            "\n"                                                                                   \
            "A comparison with a field that a record does not have, with NaN, or of a number\n"    \
            "with a text is neither true nor false; a record is chosen if the whole\n"             \
            "expression is true. --where chooses in addition to the other options.\n"              \
    }

enum ws_share { WS_SHARE_NONE = 0, WS_SHARE_SOME, WS_SHARE_ALL };

/* The fields of a kind of record that the selection uses: numbers of fields, -1 for none. */
struct ws_select_kind {
    int32_t kp, lp, virtual_time, payload_type;
    bool by_name; /* --type chose the kind itself */
};

struct ws_select {
    struct ws_ranges pes, kps, lps; /* n == 0: all */
    bool by_time, has_to;
    double from, to;
    char *types;      /* owned; the patterns, each with its terminator; NULL: all */
    bool *type_found; /* owned; true if some file had a match so far */
    size_t n_types;
    struct ws_where *where; /* owned; NULL: all */
    bool where_failed;      /* out of memory */
    char known[512];        /* names in the files so far, to suggest for --type */
    uint32_t most_pes;      /* greatest number of PEs of the files so far */
    /* the current file */
    const struct fmt_superblock *sb;  /* borrowed */
    const struct fmt_desc_set *descs; /* borrowed */
    struct ws_select_kind kinds[FMT_SCHEMAS_MAX];
};

/* Reads the values of the options; the first is at position first of usage's table. Returns
 * WS_EXIT_OK, or WS_EXIT_USAGE after a message. Must be freed in any case. */
int ws_select_parse(struct ws_select *select, const struct ws_usage *usage,
                    const struct ws_args *args, int first);
void ws_select_free(struct ws_select *select);
/* Reads the value of --where, or NULL if it was not given. Must be called after ws_select_parse();
 * returns as it does. */
int ws_select_where(struct ws_select *select, const struct ws_usage *usage, const char *text);

/* Returns true if any of the options was given. */
bool ws_select_given(const struct ws_select *select);

/* Switches to this file. Both arguments must stay valid until the next call. */
void ws_select_file(struct ws_select *select, const struct fmt_superblock *sb,
                    const struct fmt_desc_set *descs);

/* Called after the last file. Returns true if each requested name and number of PE occurred in a
 * file. Prints missing ones on stderr. */
bool ws_select_found(const struct ws_select *select);

/* Returns true if records of this PE can be chosen. */
bool ws_select_pe(const struct ws_select *select, uint32_t pe);

/* Returns true if the file has the fields and names by which records of this kind can be chosen. */
bool ws_select_schema(const struct ws_select *select, const struct fmt_schema *schema);

/* Returns the share of a block's records that can be chosen, by its header. Blocks other than DATA:
 * WS_SHARE_NONE. */
enum ws_share ws_select_block(const struct ws_select *select, const struct fmt_block *block);

/* Adds the columns that ws_select_row() needs. */
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
