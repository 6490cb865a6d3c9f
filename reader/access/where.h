/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * where.h - the condition of --where, which chooses records by the values of their fields.
 *
 *     expression  = term { "||" term }
 *     term        = factor { "&&" factor }
 *     factor      = "!" factor | "(" expression ")" | value [ compare value ]
 *     compare     = "==" | "!=" | "<" | "<=" | ">" | ">="
 *     value       = number | "text" | 'text' | name
 *     name        = letter or "_", then letters, digits, "_", "."
 *
 * Names are the columns that "warpscope dump" shows: fields of records and of described payloads,
 * "record" (the kind of the record), columns of names (labels.h: lp_type, kind_name), and "type". A
 * payload field is called NAME, and an element of an array NAME_0, NAME_1 and so on. If a field of
 * the record has that name as well, the payload field is called payload.NAME. "type" means lp_type
 * unless a field has this name.
 *
 * A name that is compared with a column of names of the engine's fields is a string: lp_type ==
 * router. A name that is compared with another column of names, "type" or "record" is a string, too,
 * unless a field has that name: colour_name == red. Names with other characters need quotes. A value
 * alone is true if it is a number other than 0 or a string that is not empty.
 *
 * A string that is compared with lp, src_lp or dest_lp is the name of an LP: dest_lp == Paris.
 *
 * Integers are compared exactly, other numbers as doubles, strings byte by byte. The operators "<",
 * "<=", ">" and ">=" are for numbers only. An expression is refused if a value that is always a
 * string is compared with a number, or by one of these operators. If the value is a column of the
 * engine, the parser refuses the expression, otherwise ws_where_found().
 *
 * Some comparisons are neither true nor false: those with a field that the record lacks, those of a
 * number with a string, and those with NaN. A record is chosen if the whole expression is true.
 *
 * Cost: an expression has at most WS_WHERE_NODES_MAX nodes, nested WS_WHERE_DEPTH_MAX deep.
 */
#ifndef WARPSCOPE_READER_ACCESS_WHERE_H
#define WARPSCOPE_READER_ACCESS_WHERE_H

#include "access/table.h"
#include "data/lp_names.h"
#include "data/messages.h"
#include "format/format.h"

#define WS_WHERE_NODES_MAX 512u
#define WS_WHERE_DEPTH_MAX 64u
#define WS_NAMES_KNOWN     512u
#define WS_GROUP           64u /* number of records that are examined together */

enum ws_where_op {
    WS_WHERE_OR,
    WS_WHERE_AND,
    WS_WHERE_NOT,
    WS_WHERE_EQUAL, /* first of the comparison operators, which end with WS_WHERE_GREATER_EQUAL */
    WS_WHERE_NOT_EQUAL,
    WS_WHERE_LESS,
    WS_WHERE_LESS_EQUAL,
    WS_WHERE_GREATER,
    WS_WHERE_GREATER_EQUAL,
    WS_WHERE_NUMBER,
    WS_WHERE_TEXT,
    WS_WHERE_NAME
};

/* A node of an expression: an operator or a value. */
struct ws_where_node {
    enum ws_where_op op;
    uint32_t a, b;          /* indices of the nodes that are the operands */
    struct fmt_value value; /* for NUMBER: the value, of type U64, I64 or F64 */
    const char *text;       /* for TEXT and NAME: the text, which points into ws_where.text */
    size_t length;
};

/* Place of a name: a column of the file's table (access/table.h), or one of these values. */
enum ws_where_place {
    WS_PLACE_LP = -5, /* number of the LP of this name, in the node's value */
    WS_PLACE_RECORD = -4,
    WS_PLACE_TYPE = -3,
    WS_PLACE_WORD = -2, /* the name itself, as a string */
    WS_PLACE_NONE = -1
};

struct ws_where {
    char *text; /* owned; text of the expression */
    struct ws_where_node nodes[WS_WHERE_NODES_MAX];
    uint32_t n_nodes;
    uint32_t root;
    /* [node]: true if its name occurred in any file so far. */
    bool found[WS_WHERE_NODES_MAX];
    /* [node]: true if its name is numeric in any file so far. */
    bool number[WS_WHERE_NODES_MAX];
    char known[4096]; /* names of the fields in the files so far */
    /* First comparison of a column of names with a name that the column does not have in any file so
     * far: its node (0: none), and the names that the column has. */
    uint32_t unknown, unknown_column;
    char names[WS_NAMES_KNOWN];
    /* [node]: true if the name that a comparison asks for is in its column, in any file so far. */
    bool known_name[WS_WHERE_NODES_MAX];
    /* [node]: true if its name or text is the name of an LP, in any file so far. */
    bool lp[WS_WHERE_NODES_MAX];
    /* 1 + node that is compared with an LP and is the name of none; 0: none; and why it is none. */
    uint32_t unknown_lp;
    char lp_why[WS_LP_WHY];
    /* The following members belong to the current file. */
    struct ws_table table;              /* its columns; table.sb NULL: there is none */
    int64_t places[WS_WHERE_NODES_MAX]; /* [node]: place of its name */
};

/* An error in an expression, and its position in the text in bytes. */
struct ws_where_error {
    const char *words;
    size_t at;
};

/* Parses an expression. On failure, returns NULL and sets *error; its member words is NULL if
 * memory is exhausted. */
struct ws_where *ws_where_parse(const char *text, struct ws_where_error *error);
void ws_where_free(struct ws_where *where);
/* Frees the members that belong to the current file. ws_where_free() includes this. */
void ws_where_file_free(struct ws_where *where);

/* Makes the file with this superblock and these descriptions the current file. sb and descs must
 * stay valid until the next call. Returns false if out of memory. */
bool ws_where_file(struct ws_where *where, const struct fmt_superblock *sb,
                   const struct fmt_desc_set *descs);
/* Finds out which names occur in the current file. Considers only its kinds of records i for which
 * chosen[i] is true, and its payload descriptions d for which chosen[number of kinds + d] is
 * true. */
void ws_where_look(struct ws_where *where, const bool *chosen);
/* Returns true if each name was found. Otherwise sends a line about each missing name to messages,
 * and returns false. Also refuses strings that are compared like numbers. all_kinds: false if,
 * because of other options, not all kinds of records were searched for the names. Called after the
 * last file. */
bool ws_where_found(const struct ws_where *where, bool all_kinds,
                    const struct ws_messages *messages);

/* If the expression asks for a name that its column of names does not have, as in lp_type ==
 * nurse, stores a phrase with the names that there are in `to`, and returns true. */
bool ws_where_names(const struct ws_where *where, char *to, size_t size);

/* Returns true if records of kind number `kind` can be chosen, according to the kind's name and
 * fields. */
bool ws_where_kind(const struct ws_where *where, uint32_t kind);
/* Adds to `wanted` the columns that ws_where_rows() needs for records of this kind. */
void ws_where_wanted(const struct ws_where *where, uint32_t kind, struct fmt_wanted *wanted);
/* Returns for which of the WS_GROUP records of a decoded block from number `first` on the expression
 * is true: bit i for record first + i. */
uint64_t ws_where_rows(const struct ws_where *where, const struct fmt_columns *columns,
                       uint32_t first);

#endif
