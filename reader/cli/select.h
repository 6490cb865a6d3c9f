/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * select.h - the options that choose records (access/select.h) and columns, which several subcommands
 * share.
 */
#ifndef WARPSCOPE_READER_CLI_SELECT_H
#define WARPSCOPE_READER_CLI_SELECT_H

#include "access/select.h"
#include "access/table.h"
#include "cli/args.h"

/* The values of WS_SELECT_OPTIONS() and WS_WHERE_OPTION(); NULL: not given. */
struct ws_select_words {
    const char *pes, *kps, *lps, *from, *to, *types;
    const char *where;
};

/* Options for the table of a subcommand, which stores their values in the member `words` (struct
 * ws_select_words) of its struct `type`. */
#define WS_WHERE_OPTION(type, words)                                                               \
    {                                                                                              \
        "where", "EXPR",                                                                           \
            "records for which this is true: 'hops>3 && kind==2',\n"                               \
            "with fields, numbers, texts, == != < <= > >=, &&, ||,\n! and ();"                     \
            " and columns of names: lp_type==router",                                              \
            WS_INTO(type, words.where)                                                             \
    }
#define WS_FIELDS_OPTION(type, member)                                                             \
    {                                                                                              \
        "fields", "A,B",                                                                           \
            "these columns only, in this order; each is in some kind\n"                            \
            "of record that is shown",                                                             \
            WS_INTO(type, member)                                                                  \
    }
#define WS_SELECT_OPTIONS(type, words)                                                             \
    {"pe", "LIST", "records of these PEs only: 0,2,4-7", WS_INTO(type, words.pes)},                \
        {"kp", "LIST", "records of these KPs, numbered within their PE",                           \
         WS_INTO(type, words.kps)},                                                                \
        {"lp", "LIST", "records of these LPs (numbers, names); events that they\nreceived",        \
         WS_INTO(type, words.lps)},                                                                \
        {"from", "T", "records of virtual time T or later", WS_INTO(type, words.from)},            \
        {"to", "T", "records of virtual time before T", WS_INTO(type, words.to)},                  \
    {                                                                                              \
        "type", "GLOB",                                                                            \
            "records of this kind (gvt_kp, event, ...) or of LPs\nof this type; * and ? stand "    \
            "for any text,\n"                                                                      \
            "commas separate several",                                                             \
            WS_INTO(type, words.types)                                                             \
    }

/* Sections about the options WS_SELECT_OPTIONS(), for the table of sections (struct ws_section) in
 * the help of a subcommand. */
#define WS_SELECT_SECTION                                                                          \
    {                                                                                              \
        "selecting records",                                                                       \
            "The options --pe, --kp, --lp, --from, --to and --type choose records together: a\n"   \
            "record must satisfy all that are given. A record without the field in question,\n"    \
            "or with a virtual time that is not a number, is left out. Blocks of records that\n"   \
            "cannot match are not read. Times from --from on and before --to are chosen, so\n"     \
            "that adjacent ranges do not overlap. The type of an LP is the owner of the\n"         \
            "description of the record's payload. If no record is left, a line on standard\n"      \
            "error says which records there are; the exit status is 0.\n"                          \
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
            "of names is a text: lp_type == router. One compared with the number of an LP is\n"    \
            "the name of an LP: dest_lp == Paris. A value alone is true if it is a number\n"       \
            "other than 0 or a text that is not empty. Integers are compared exactly; texts\n"     \
            "are equal or not.\n"                                                                  \
            "\n"                                                                                   \
            "A comparison with a field that a record does not have, with NaN, or of a number\n"    \
            "with a text is neither true nor false; a record is chosen if the whole\n"             \
            "expression is true. --where chooses in addition to the other options.\n"              \
    }

/* Fills select from the values of the options in `words`. Returns WS_EXIT_OK, or WS_EXIT_USAGE after
 * an error message. select must be freed even after an error. */
int ws_select_read(struct ws_select *select, const struct ws_usage *usage,
                   const struct ws_select_words *words);

/* ---- Columns --------------------------------------------------------------------------------- */

/* The names that --fields gives. Zero-initialise it before use, and call ws_fields_free() even
 * after an error. */
struct ws_fields {
    struct ws_name_list names; /* none: all columns are shown; found: in a kind examined so far */
    char known[1024];          /* names of the columns of all kinds examined so far, as in "a, b" */
};

/* Parses the value of --fields: names separated by commas; NULL: the option was not given. Returns false
 * after an error message. */
bool ws_fields_read(struct ws_fields *fields, const struct ws_usage *usage, const char *text);
void ws_fields_free(struct ws_fields *fields);

/* Searches the table for the names in `fields`, among the columns that records of kind number
 * `kind` have. Marks the names found in fields->names. Called for each kind that a command shows,
 * before the first record. */
void ws_fields_look(struct ws_fields *fields, const struct ws_table *table, uint32_t kind);

/* Makes the table show only the columns named in `fields`, or all columns if `fields` has no names.
 * Returns false if out of memory. */
bool ws_fields_apply(struct ws_fields *fields, struct ws_table *table);

/* Returns true if each name was found. Otherwise prints a line about each missing name, and returns
 * false. Called after the last table was examined. */
bool ws_fields_found(const struct ws_fields *fields);

#endif
